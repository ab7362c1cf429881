"""The audit finds each defect that is planted in a small site made by hand, and no other."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

pytestmark = pytest.mark.slow

AUDIT = Path(__file__).with_name("audit.py")
BASE = "https://example.org/"
URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'

ENTRIES = {
    "": "2024-01-01T12:00:00Z",
    "dated/": "2023-06-07",
    "guide/": "2024-01-05T12:00:00Z",  # written on the 2nd, merged on the 5th
    "moved/": "2024-01-01T12:00:00Z",  # its mode changed on the 6th
    "new/": None,  # not in git
}
"""What a right sitemap says."""

HTML = {
    "index.html": '<link rel="canonical" href="https://example.org/"><h1>Tea</h1>',
    "dated/index.html": "<h1>Dated</h1>",
    "guide/index.html": '<link rel="canonical" href="https://example.org/guide/"><h1>Guide</h1>',
    "moved/index.html": "<h1>Moved</h1>",
    "new/index.html": "<h1>New</h1>",
    "404.html": "<h1>Not found</h1>",
    "blank/index.html": "",
    "hidden/index.html": '<meta name="Robots" content="NoIndex, follow"><h1>Hidden</h1>',
    "old/index.html": '<meta http-equiv="refresh" content="0; url=../guide/">',
    "print/index.html": '<link rel="canonical" href="https://example.org/guide/">',
    "private/index.html": "<h1>Private</h1>",
    "demo.html": "<h1>A file that is only copied</h1>",
}


@dataclass
class Site:
    """A built site and its sources."""

    folder: Path

    @property
    def built(self) -> Path:
        return self.folder / "site"

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def list_paths(self, entries: Mapping[str, str | None], name: str = "sitemap.xml") -> None:
        self.list_urls([(BASE + path, date) for path, date in sorted(entries.items())], name)

    def list_urls(self, entries: list[tuple[str, str | None]], name: str = "sitemap.xml") -> None:
        dates = [(loc, f"<lastmod>{date}</lastmod>" if date else "") for loc, date in entries]
        urls = "".join(f"<url><loc>{loc}</loc>{date}</url>\n" for loc, date in dates)
        self.write(f"site/{name}", f"{URLSET}\n{urls}</urlset>\n")

    def audit(self, *options: str, generator: str = "mkdocs") -> Any:
        arguments = ["--base-url", BASE, "--source", str(self.folder / "docs"), "--json"]
        command: list[Path | str] = [
            sys.executable,
            AUDIT,
            self.built,
            "--generator",
            generator,
            *arguments,
        ]
        answer = subprocess.run([*command, *options], capture_output=True, check=False, text=True)
        assert not answer.stderr
        verdict = json.loads(answer.stdout)
        assert bool(verdict["findings"]) == bool(answer.returncode)
        return verdict

    def kinds(self, *options: str, generator: str = "mkdocs") -> list[str]:
        findings = self.audit(*options, generator=generator)["findings"]
        return sorted(each["kind"] for each in findings)


def git(folder: Path, *command: str, day: int = 1) -> str:
    """Run git on a day of January 2024, at noon."""
    when = f"2024-01-{day:02}T12:00:00Z"
    identity = {f"GIT_{who}_{what}": "t@example.org" for who in WHO for what in ("NAME", "EMAIL")}
    dates = {f"GIT_{who}_DATE": when for who in WHO}
    environment = {**os.environ, **identity, **dates}
    shown = subprocess.check_output(["git", *command], cwd=folder, env=environment, stderr=-1)
    return shown.decode().strip()


WHO = ("AUTHOR", "COMMITTER")


@pytest.fixture(scope="module")
def right_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    site = Site(tmp_path_factory.mktemp("tea"))
    for name in ("index", "guide", "moved", "hidden"):
        site.write(f"docs/{name}.md", f"# {name.title()}\n")
    site.write("docs/dated.md", "---\nlastmod: 2023-06-07\n---\n# Dated\n")
    site.write("docs/private.md", "---\nsitemap: false\n---\n# Private\n")
    site.write("docs/demo.html", HTML["demo.html"])
    git(site.folder, "init", "-q", "-b", "main")
    git(site.folder, "add", "docs")
    git(site.folder, "commit", "-qm", "Begin")
    git(site.folder, "switch", "-qc", "side")
    site.write("docs/guide.md", "# Guide\n\nMore.\n")
    git(site.folder, "commit", "-qam", "Say more", day=2)
    git(site.folder, "switch", "-q", "main")
    git(site.folder, "merge", "-q", "--no-ff", "-m", "Merge", "side", day=5)
    git(site.folder, "update-index", "--chmod=+x", "docs/moved.md")
    git(site.folder, "commit", "-qm", "Make it executable", day=6)
    site.write("docs/new.md", "# New\n")
    for name, text in HTML.items():
        site.write(f"site/{name}", text)
    site.list_paths(ENTRIES)
    site.write("site/robots.txt", f"User-agent: *\nAllow: /\n\nSitemap: {BASE}sitemap.xml\n")
    return site


@pytest.fixture
def site(right_site: Site, tmp_path: Path) -> Site:
    copytree(right_site.folder, tmp_path / "tea")
    return Site(tmp_path / "tea")


def test_a_right_sitemap_has_no_findings(right_site: Site) -> None:
    verdict = right_site.audit()
    assert verdict["findings"] == []
    assert verdict["listed"] == len(ENTRIES)
    assert verdict["dates"] == {"git": 3, "`lastmod`": 1, "none": 1}
    assert verdict["excluded"] == {
        "canonical elsewhere": 1,
        "copied file": 1,
        "empty file": 1,
        "error page": 1,
        "noindex": 1,
        "redirect": 1,
        "sitemap: false": 1,
    }


def entries(changed: dict[str, str | None]) -> Callable[[Site], None]:
    return lambda site: site.list_paths({**ENTRIES, **changed})


def without(path: str) -> Callable[[Site], None]:
    return lambda site: site.list_paths({each: ENTRIES[each] for each in ENTRIES if each != path})


def twice(site: Site) -> None:
    site.list_urls([(BASE + path, ENTRIES[path]) for path in sorted([*ENTRIES, "new/"])])


def on_another_host(site: Site) -> None:
    others = [(BASE + path, date) for path, date in ENTRIES.items()]
    site.list_urls([("https://example.net/", None), *others])


def unsorted(site: Site) -> None:
    site.list_urls([(BASE + path, ENTRIES[path]) for path in reversed(ENTRIES)])


def under_another_spelling(site: Site) -> None:
    site.list_paths({path.replace("guide/", "guide"): date for path, date in ENTRIES.items()})


def cut_short(site: Site) -> None:
    site.write("site/sitemap.xml", URLSET)


def gzip_of_something_else(site: Site) -> None:
    (site.built / "sitemap.xml.gz").write_bytes(gzip.compress(b"<urlset/>"))


def robots_without_sitemap(site: Site) -> None:
    site.write("site/robots.txt", "User-agent: *\nDisallow:\n")


def no_robots(site: Site) -> None:
    (site.built / "robots.txt").unlink()


def index_of_a_missing_child(site: Site) -> None:
    site.list_paths(ENTRIES, "sitemap-a.xml")
    site.write("site/sitemap.xml", index_of("sitemap-a.xml", "sitemap-b.xml"))


def packed_index_of_something_else(site: Site) -> None:
    site.list_paths(ENTRIES, "sitemap-a.xml")
    site.write("site/sitemap.xml", index_of("sitemap-a.xml"))
    packed = site.built / "sitemap.xml.gz"
    packed.write_bytes(gzip.compress(index_of("sitemap-a.xml.gz").encode()))
    assert site.kinds() == []
    packed.write_bytes(gzip.compress(index_of("sitemap-b.xml.gz").encode()))


def index_of(*children: str) -> str:
    named = "".join(f"<sitemap><loc>{BASE}{name}</loc></sitemap>" for name in children)
    return f"{URLSET.replace('urlset', 'sitemapindex')}{named}</sitemapindex>"


NO_PAGES = ("404.html", "demo.html", "hidden/", "old/", "print/", "private/")
WRONG_DATES: dict[str, str | None] = {
    "dated/": "2024-01-01T12:00:00Z",  # git's, not the author's
    "guide/": "2024-01-02T12:00:00Z",  # the branch's, not the merge's
    "moved/": "2024-01-06T12:00:00Z",  # that of a changed mode
    "new/": "2024-01-06T12:00:00Z",  # the build's
}
BOTH = ("wrong-date", "no-date")

DEFECTS: list[tuple[Callable[[Site], None], list[str]]] = [
    (without("new/"), ["missing"]),
    (entries(dict.fromkeys(NO_PAGES)), ["not-a-page"] * 6),
    (entries({"gone/": None}), ["no-file"]),
    (entries({"new/index.html": None}), ["twice"]),
    (entries({"über/": None}), ["bad-url", "no-file"]),
    (twice, ["twice"]),
    (on_another_host, ["outside", "no-file"]),
    (under_another_spelling, ["canonical"]),
    (unsorted, ["order"]),
    (entries(WRONG_DATES), ["wrong-date", "wrong-date", "wrong-date", "invented-date"]),
    (entries({"guide/": None}), ["no-date"]),
    (entries({"guide/": "2024-01", "": "2999-01-01"}), ["future-date", "bad-date", *BOTH]),
    (cut_short, ["unreadable", *["missing"] * len(ENTRIES)]),
    (gzip_of_something_else, ["gzip"]),
    (robots_without_sitemap, ["robots"]),
    (no_robots, ["robots"]),
    (index_of_a_missing_child, ["unreadable"]),
    (packed_index_of_something_else, ["gzip"]),
]


@pytest.mark.parametrize(("plant", "kinds"), DEFECTS)
def test_a_planted_defect_is_found(
    site: Site, plant: Callable[[Site], None], kinds: list[str]
) -> None:
    plant(site)
    assert site.kinds() == sorted(kinds)


def test_a_date_beyond_the_edge_of_a_shallow_clone_is_not_known(site: Site) -> None:
    origin = f"file://{site.folder}"
    git(site.folder.parent, "clone", "-q", "--depth", "1", origin, "shallow")
    copytree(site.built, site.folder.parent / "shallow" / "site")
    shallow = Site(site.folder.parent / "shallow")
    assert shallow.kinds("--map", "new/*=") == ["invented-date"] * 3
    shallow.list_paths({path: date if path == "dated/" else None for path, date in ENTRIES.items()})
    assert shallow.kinds("--map", "new/*=") == []


def test_a_commit_that_changed_no_words_does_not_date_a_page(site: Site) -> None:
    site.write("docs/guide.md", "---\ntitle: Guide\n---\n# Guide\n\n\nMore.  \n")
    git(site.folder, "commit", "-qam", "Front matter and blanks", day=7)
    (site.folder / "docs" / "moved.md").rename(site.folder / "docs" / "here.md")
    (site.built / "moved").rename(site.built / "here")
    git(site.folder, "add", "docs/here.md")
    git(site.folder, "commit", "-qam", "Move", day=8)
    site.list_paths({path.replace("moved", "here"): date for path, date in ENTRIES.items()})
    assert site.kinds() == []
    assert site.kinds("--every-commit") == ["wrong-date", "wrong-date"]
    site.write("docs/index.md", "# Tea\n")
    git(site.folder, "commit", "-qam", "Another title", day=9)
    assert site.kinds() == ["wrong-date"]
    commit = git(site.folder, "rev-parse", "HEAD")
    site.write(".git-blame-ignore-revs", f"# retitled\n{commit}\n")
    assert site.kinds() == []


def test_options_name_sources_and_files_that_are_no_pages(site: Site) -> None:
    site.write("site/extra/a.html", "<h1>A</h1>")
    site.write("site/b/index.html", "<h1>B</h1>")
    site.list_paths({**ENTRIES, "b/": "2024-01-05T12:00:00Z"})
    assert site.kinds() == ["invented-date", "missing"]
    not_a_page = ("--not-a-page", "extra/*")
    assert site.kinds(*not_a_page, "--map", "b/*.html=guide.md") == []
    site.write("more/b.md", "---\nlastmod: 2024-01-05T12:00:00Z\n---\n# B\n")
    assert site.kinds(*not_a_page, "--source", str(site.folder / "more")) == []


def test_a_page_of_pelican_is_found_by_its_slug_and_dated_by_its_author(site: Site) -> None:
    site.write("docs/one.rst", "Tea & cake\n##########\n\n:date: 2010-12-02 10:14\n:slug: tea\n")
    site.write("docs/two.md", "Title: Coffee\nDate: 2011-01-01\nModified: 2012-03-04\n\nGood.\n")
    for file in (site.built.glob("*/index.html"), (site.folder / "docs").glob("*.html")):
        for each in file:
            each.unlink()
    site.write(
        "site/index.html", '<a href="tea.html">Tea</a><h2><a href="coffee.html">Coffee</a></h2>'
    )
    site.write("site/index2.html", "<title>Page 2</title>")
    site.write("site/demo.html", "<title>Tea &amp; cake - blog</title>")
    (site.built / "demo.html").rename(site.built / "tea.html")
    site.write("site/coffee.html", "<title>Coffee - blog</title>")
    right = {"": "2012-03-04", "coffee.html": "2012-03-04", "tea.html": "2010-12-02T10:14:00+01:00"}
    site.list_paths(right)
    assert site.kinds(generator="pelican") == []
    site.list_paths({**right, "": "2012-03-05", "coffee.html": "2011-01-01", "index2.html": None})
    assert site.kinds(generator="pelican") == ["invented-date", "not-a-page", "wrong-date"]
    site.list_paths({**right, "": right["tea.html"]})
    assert site.kinds(generator="pelican") == ["old-date"]


def test_generated_pages_of_sphinx_are_no_pages(site: Site) -> None:
    for name in ("genindex/index.html", "py-modindex.html", "_modules/tea.html", "search.html"):
        site.write(f"site/{name}", "<h1>Made by Sphinx</h1>")
    assert site.kinds(generator="sphinx") == []


def test_a_page_of_sphinx_is_dated_by_the_text_it_takes_in_too(site: Site) -> None:
    site.write("docs/index.rst", "Tea\n===\n\n.. include:: ../news.txt\n.. include:: /links.inc\n")
    for day, news, links in ((7, "News", "/"), (8, "More news", "/"), (9, "More news", "/tea")):
        site.write("news.txt", f"{news}\n")
        site.write("docs/links.inc", f".. _tea: https://example.org{links}\n")
        git(site.folder, "add", "docs/index.rst", "docs/links.inc", "news.txt")
        git(site.folder, "commit", "-qm", "Change", day=day)
    for day, findings in ((7, ["wrong-date"]), (8, []), (9, ["wrong-date"])):
        site.list_paths({**ENTRIES, "": f"2024-01-0{day}T12:00:00Z"})
        assert site.kinds(generator="sphinx") == findings


def test_the_answer_for_people_states_the_rules_and_ends_with_the_counts(site: Site) -> None:
    entries({"404.html": None})(site)
    options = ["--base-url", BASE, "--generator", "mkdocs", "--source"]
    command: list[Path | str] = [sys.executable, AUDIT, site.built, *options, site.folder / "docs"]
    answer = subprocess.run(command, capture_output=True, check=False, text=True)
    *_, finding, summary = answer.stdout.splitlines()
    assert "error page: 404.html" in answer.stdout
    assert finding.startswith("not-a-page  https://example.org/404.html  ")
    assert summary.startswith("6 listed (dates: 3 git, 1 `lastmod`, 1 none); 7 left out (")
    assert summary.endswith("; 1 findings")
    assert answer.returncode == 1
