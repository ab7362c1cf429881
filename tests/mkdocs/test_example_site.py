"""The example site: what a user gets, compared with golden files; and how mistakes are answered."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import ConfigurationError

if TYPE_CHECKING:
    from .conftest import Site

GOLDEN = Path(__file__).parent / "golden"


def test_the_example_site_has_its_golden_files(tea: Site) -> None:
    tea.build()
    for name in ("sitemap.xml", "llms.txt", "robots.txt"):
        assert (tea.out / name).read_text() == (GOLDEN / name).read_text()
    assert (
        gzip.decompress((tea.out / "sitemap.xml.gz").read_bytes())
        == (tea.out / "sitemap.xml").read_bytes()
    )


def test_two_builds_give_identical_bytes(tea: Site) -> None:
    def built() -> dict[str, bytes]:
        tea.build()
        names = ("sitemap.xml", "sitemap.xml.gz", "robots.txt")
        return {name: (tea.out / name).read_bytes() for name in names}

    assert built() == built()


def test_an_incremental_build_leaves_the_sitemap_untouched_and_says_so(tea: Site) -> None:
    tea.build()
    names = ("sitemap.xml", "sitemap.xml.gz")
    before = {name: (tea.out / name).stat() for name in names}
    tea.write({"docs/thanks.md": "# Thank you twice"})
    assert any("WARNING" in line and "stays" in line for line in tea.build(dirty=True))
    for name in names:
        after = (tea.out / name).stat()
        assert (after.st_ino, after.st_mtime_ns) == (before[name].st_ino, before[name].st_mtime_ns)


def test_one_line_says_what_was_done(tea: Site) -> None:
    (line,) = [line for line in tea.build() if not line.startswith("DEBUG")]
    assert line.startswith("INFO sitemapkit: 16 pages listed in ")
    assert f"{tea.out}/sitemap.xml" in line


def test_each_page_left_out_has_its_reason_at_debug_level(tea: Site) -> None:
    docs = tea.root / "docs"
    assert [line for line in tea.build() if line.startswith("DEBUG")] == [
        f"DEBUG sitemapkit: not listed: {docs}/cupboard-labels.md (noindex: metadata robots)",
        f"DEBUG sitemapkit: not listed: {docs}/steeping.md (redirects elsewhere: ../brewing/)",
        f"DEBUG sitemapkit: not listed: {docs}/thanks.md (excluded by its metadata: sitemap)",
        f"DEBUG sitemapkit: not listed: {docs}/drafts/yellow.md (draft)",
        "DEBUG sitemapkit: not listed: 404.html (generated page)",
    ]


def test_a_wrong_option_stops_the_build_with_the_nearest_right_name(tea: Site) -> None:
    tea.configure(plugins=[{"sitemapkit": {"exlude": "drafts/"}}])
    with pytest.raises(ConfigurationError, match=r"mkdocs\.yml.*'exlude'.*'exclude'"):
        load_config(str(tea.root / "mkdocs.yml"))
    done = tea.run("build")
    assert done.returncode == 1
    assert "Did you mean 'exclude'?" in done.stderr


def test_a_bad_priority_in_front_matter_is_left_out_and_counts_in_strict_mode(tea: Site) -> None:
    tea.write({"docs/brewing/water.md": "---\npriority: 11\n---\n# Water"})
    done = tea.run("build", "--strict")
    assert done.returncode == 1
    assert (
        "docs/brewing/water.md: A metadata value is invalid and is ignored. 'priority' is 11."
        in done.stderr
    )
    assert "Aborted with 1 warnings in strict mode!" in done.stdout
    assert "priority" not in tea.entries()["https://tea.example.org/brewing/water/"]


def test_without_site_url_one_warning_names_it_and_counts_in_strict_mode(tea: Site) -> None:
    del tea.settings["site_url"]
    tea.configure()
    done = tea.run("build", "--strict")
    assert done.returncode == 1
    assert done.stderr.count("WARNING") == 1
    assert "site_url in " in done.stderr
    assert not list(tea.out.glob("sitemap*"))


def test_without_git_the_dates_are_left_out_and_nothing_fails(tea: Site, tmp_path: Path) -> None:
    done = tea.run("build", "--strict", env={"PATH": os.fspath(tmp_path)})
    assert done.returncode == 0
    assert "git" in done.stderr
    assert {
        loc: entry["lastmod"] for loc, entry in tea.entries().items() if "lastmod" in entry
    } == {"https://tea.example.org/history/": "2024-03-21"}


@pytest.mark.environment
def test_properdocs_without_mkdocs_writes_the_same_files(tea: Site, properdocs: Path) -> None:
    tea.python = properdocs
    assert tea.run("-c", "import mkdocs", program="python").returncode != 0
    done = tea.run("build", "--strict", program="properdocs")
    assert done.returncode == 0, done.stderr
    for name in ("sitemap.xml", "robots.txt"):
        assert (tea.out / name).read_text() == (GOLDEN / name).read_text()
    dirty = tea.run("build", "--dirty", program="properdocs")
    assert "so no sitemap is written" in dirty.stderr
    assert (tea.out / "sitemap.xml").read_text() == (GOLDEN / "sitemap.xml").read_text()


@pytest.mark.environment
def test_properdocs_counts_our_warnings_in_strict_mode(tea: Site, properdocs: Path) -> None:
    tea.python = properdocs
    del tea.settings["site_url"]
    tea.configure()
    done = tea.run("build", "--strict", program="properdocs")
    assert done.returncode == 1
    assert "site_url in " in done.stderr
