"""Builds of all kinds: repeated, partial, parallel, broken, strict, by builders of no website."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from ..killed import is_killed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

PAGES = ("a", "b", "sub/c")
LISTED = ["a.html", "b.html", "index.html", "sub/c.html"]


def state(file: Path) -> tuple[bytes, int, int]:
    stat = file.stat()
    return file.read_bytes(), stat.st_ino, stat.st_mtime_ns


def test_a_build_with_nothing_to_do_leaves_the_complete_file_untouched(
    site: Callable[..., Site],
) -> None:
    project = site(*PAGES)
    project.run("-q")
    before = state(project.sitemap())
    done = project.run()
    assert "0 added, 0 changed, 0 removed" in done.stdout
    assert state(project.sitemap()) == before
    assert project.paths() == LISTED


def test_a_build_with_nothing_to_do_restores_a_file_that_is_gone(
    site: Callable[..., Site],
) -> None:
    project = site(*PAGES)
    project.build()
    project.sitemap().unlink()
    project.build()
    assert project.paths() == LISTED


def test_a_changed_option_takes_effect_though_no_document_changed(
    site: Callable[..., Site],
) -> None:
    project = site(*PAGES)
    project.build()
    project.configure(sitemap_exclude=["sub/"])
    project.build()
    assert project.paths() == LISTED[:3]


NO_PAGE = {
    "all excluded": {"sitemap_exclude": "*"},
    "all excluded as in sphinx-sitemap": {"sitemap_excludes": "*"},
    "another base URL than the pages'": {"sitemap_base_url": "https://other.example/"},
}


@pytest.mark.parametrize("settings", NO_PAGE.values(), ids=NO_PAGE)
def test_a_build_that_lists_no_page_keeps_the_last_files_and_fails_if_strict(
    site: Callable[..., Site], settings: dict[str, Any]
) -> None:
    project = site(*PAGES, html_baseurl="https://example.org/", sitemap_formats=["xml", "txt"])
    project.run("-q")
    names = ["robots.txt", "sitemap.txt", "sitemap.xml"]
    before = [(project.out() / name).read_bytes() for name in names]
    project.configure(**settings)
    done = project.run("-q", "-W", "--keep-going", "-E")
    assert done.returncode == 1
    assert "The sitemap lists no URLs. No file is written or removed. 4 not listed: " in done.stderr
    assert [(project.out() / name).read_bytes() for name in names] == before
    assert project.run("-q").returncode == 0


def test_after_one_page_changed_the_list_is_complete(site: Callable[..., Site]) -> None:
    project = site(*PAGES)
    project.run("-q")
    project.document("a", head=":orphan:", body="More.")
    assert "1 changed" in project.run().stdout
    assert project.paths() == LISTED


def test_a_build_of_one_document_lists_them_all(site: Callable[..., Site]) -> None:
    project = site(*PAGES)
    project.run("-q")
    project.sitemap().unlink()
    project.document("a", head=":orphan:", body="More.")
    assert project.run("-q", only="a.rst").returncode == 0
    assert project.paths() == LISTED


def test_a_removed_page_is_gone_though_its_html_stays(site: Callable[..., Site]) -> None:
    project = site(*PAGES)
    project.build()
    (project.docs / "b.rst").unlink()
    project.build()
    assert (project.out() / "b.html").exists()
    assert project.paths() == ["a.html", "index.html", "sub/c.html"]


def test_noindex_is_remembered_for_pages_that_are_not_written_again(
    site: Callable[..., Site],
) -> None:
    project = site(*PAGES)
    project.document("secret", head=":orphan:\n\n.. meta::\n   :robots: noindex\n")
    project.build()
    project.document("a", head=":orphan:", body="More.")
    project.build()
    assert project.paths() == LISTED


def test_generated_pages_stay_listed_when_nothing_is_generated_again(
    site: Callable[..., Site],
) -> None:
    code = """
def setup(app):
    app.connect("html-collect-pages", lambda app: [(n, {"body": ""}, "page.html") for n in NAMES])
"""
    project = site(
        *PAGES, code=code.replace("NAMES", "['tag/x', 'tag/y']"), sitemap_include=["tag/"]
    )
    project.build()
    expected = [*LISTED, "tag/x.html", "tag/y.html"]
    assert project.paths() == expected
    project.build()
    assert project.paths() == expected
    project.configure(code.replace("NAMES", "['tag/y']"))  # as viewcode does, for what changed
    project.document("a", head=":orphan:", body="More.")
    project.build()
    assert project.paths() == expected


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_what_a_killed_build_left_is_no_reason_to_lose_a_page(site: Callable[..., Site]) -> None:
    code = """
def setup(app):
    app.connect("html-collect-pages", lambda app: [(n, {"body": ""}, "page.html") for n in NAMES])
"""
    both = code.replace("NAMES", "['tag/x', 'tag/y']")
    project = site(*PAGES, code=both, sitemap_include=["tag/"])
    for step in count():
        project.configure(both)
        project.build()
        project.configure(code.replace("NAMES", "['tag/y', 'tag/z']"))
        project.document("a", head=":orphan:", body=f"More {step}.")
        was_killed = is_killed(project.build, step, named="sitemapkit")
        project.configure(code.replace("NAMES", "['tag/y']"))
        project.document("a", head=":orphan:", body=f"Still more {step}.")
        project.build()
        assert {"tag/x.html", "tag/y.html"} <= {*project.paths()}
        if not was_killed:
            assert step > 2
            break


def test_a_document_that_takes_the_place_of_a_generated_page_is_listed(
    site: Callable[..., Site],
) -> None:
    code = """
def setup(app):
    app.connect("html-collect-pages", lambda app: [("tag", {"body": ""}, "page.html")])
"""
    project = site(*PAGES, code=code)
    project.build()
    assert project.paths() == LISTED
    project.configure()
    project.document("tag", head=":orphan:")
    project.build()
    project.build()
    assert project.paths() == [*LISTED, "tag.html"]


@pytest.mark.slow
def test_a_parallel_build_gives_the_same_bytes_each_time(site: Callable[..., Site]) -> None:
    project = site(*PAGES, *(f"many/{number}" for number in range(20)))
    built: set[bytes] = set()
    for jobs in ("1", "4", "4"):
        assert project.run("-q", "-W", "-E", "-a", "-j", jobs).returncode == 0
        built.add(project.sitemap().read_bytes())
        project.sitemap().unlink()
    assert len(built) == 1
    assert built.pop().count(b"<loc>") == 24


def test_an_incremental_build_gives_the_bytes_of_a_fresh_one(site: Callable[..., Site]) -> None:
    project = site(*PAGES)
    project.build()
    project.document("d", head=":orphan:\n:priority: 0.3")
    (project.docs / "b.rst").unlink()
    project.build()
    incremental = project.sitemap().read_bytes()
    shutil.rmtree(project.out())
    project.build()
    assert project.sitemap().read_bytes() == incremental


def test_a_build_that_fails_leaves_the_file_untouched(site: Callable[..., Site]) -> None:
    project = site(*PAGES)
    project.build()
    before = state(project.sitemap())
    code = "def setup(app): app.connect('html-page-context', lambda *a: 1 / 0)"
    project.configure(code, html_title="changed")
    done = project.run("-q")
    assert done.returncode != 0
    assert state(project.sitemap()) == before


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
@pytest.mark.parametrize(
    "builder",
    [
        *("epub", "htmlhelp", "qthelp", "devhelp", "json", "pickle", "latex", "text", "man", "xml"),
        *("gettext", "linkcheck", "dummy", "texinfo", "changes", "pseudoxml"),
    ],
)
def test_builders_of_no_website_write_no_file_and_say_nothing(
    site: Callable[..., Site], builder: str
) -> None:
    project = site(*PAGES, version="1", latex_documents=[("index", "x.tex", "x", "x", "manual")])
    log = project.build(builder)
    assert not project.sitemap(builder).exists()
    assert not (project.out(builder) / "robots.txt").exists()
    assert "sitemapkit:" not in log.status


def test_a_strict_latex_build_without_a_base_url_passes(site: Callable[..., Site]) -> None:
    project = site()
    del project.settings["html_baseurl"]
    project.configure()
    done = project.run("-q", "-W", builder="latex")
    assert (done.returncode, done.stderr) == (0, "")


def test_warnings_for_pending_deprecations_are_not_ours(site: Callable[..., Site]) -> None:
    project = site(*PAGES)
    filters = "error::PendingDeprecationWarning"
    done = project.run("-q", "-W", "-j", "2", env={"PYTHONWARNINGS": filters})
    assert (done.returncode, done.stderr) == (0, "")
    assert project.paths() == LISTED


@pytest.mark.slow
def test_spawned_processes_and_unguarded_scripts_do_no_harm(site: Callable[..., Site]) -> None:
    project = site(*PAGES)
    script = f"""
import multiprocessing
multiprocessing.set_start_method("spawn")
from sphinx.cmd.build import build_main
for number in range(2):
    assert build_main(["-q", "-W", "-j", "2", {str(project.docs)!r}, {str(project.out())!r}]) == 0
assert multiprocessing.active_children() == []
"""
    project.write({"script.py": script})
    done = subprocess.run(
        [sys.executable, str(project.root / "script.py")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert project.paths() == LISTED


def test_the_file_may_lie_in_folders_that_are_not_there_yet(site: Callable[..., Site]) -> None:
    project = site(*PAGES, sitemap_filename="sub/x/s.xml")
    project.build()
    assert list(project.entries(file="sub/x/s.xml")) == LISTED


def test_more_urls_than_fit_are_split_and_indexed(site: Callable[..., Site]) -> None:
    project = site(*PAGES, "d", "e", sitemap_max_urls=3)
    project.build()
    index = project.sitemap().read_text()
    assert "<sitemapindex" in index
    children = sorted(file.name for file in project.out().glob("sitemap-*.xml"))
    assert len(children) > 1
    assert all(f"https://example.org/docs/{name}<" in index for name in children)
    listed = [path for name in children for path in project.entries(file=name)]
    assert sorted(listed) == sorted([*LISTED, "d.html", "e.html"])


def test_a_file_that_cannot_be_written_fails_the_build_but_spares_the_environment(
    site: Callable[..., Site],
) -> None:
    project = site(*PAGES)
    project.sitemap().mkdir(parents=True)
    done = project.run("-q")
    assert done.returncode == 1
    assert "sitemapkit: no sitemap was written" in done.stderr
    assert (project.out() / ".doctrees" / "environment.pickle").exists()


def test_adding_the_extension_to_a_built_site_lists_all_pages_at_once(
    site: Callable[..., Site],
) -> None:
    project = site(*PAGES, extensions=[])
    project.build()
    project.configure(extensions=["sphinx_sitemapkit"])
    project.build()
    assert project.paths() == LISTED


def test_pages_without_dates_fail_a_build_that_needs_them(site: Callable[..., Site]) -> None:
    made = site("tea", sitemap_fail_undated=True)
    done = made.run()
    assert done.returncode == 1
    assert "no date, which the option `sitemap_fail_undated` forbids" in done.stderr
    assert "tea" in done.stderr
    assert not made.sitemap().exists()
