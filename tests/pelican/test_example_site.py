"""The example site: what a user gets, compared with golden files; and how mistakes are answered."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Site

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "example-sites" / "pelican"
GOLDEN = Path(__file__).parent / "golden"
HOME = "https://stars.example.org/"
LOG = "content/pages/guides/keeping-a-log.md"


@pytest.fixture
def stars(new_site: Site) -> Site:
    """A copy of the example site in a repository: the guides were written before the rest."""
    shutil.copytree(
        EXAMPLE, new_site.root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("output")
    )
    new_site.commit("2023-04-05T06:07:08+02:00", "content/pages/guides")
    new_site.commit("2024-05-06T07:08:09Z")
    return new_site


def test_the_example_site_has_its_golden_files(stars: Site) -> None:
    done = stars.pelican("--fatal", "warnings")
    assert done.returncode == 0, done.stdout
    for name in ("sitemap.xml", "sitemap.atom", "llms.txt", "robots.txt"):
        assert (stars.out / name).read_text() == (GOLDEN / name).read_text()


def test_two_builds_give_identical_bytes_and_leave_an_unchanged_file_untouched(stars: Site) -> None:
    keep = ("-e", "DELETE_OUTPUT_DIRECTORY=false")
    stars.pelican(*keep)
    names = ("sitemap.xml", "robots.txt")
    before = {name: ((stars.out / name).read_bytes(), (stars.out / name).stat()) for name in names}
    stars.pelican(*keep)
    for name, (content, stat) in before.items():
        after = (stars.out / name).stat()
        assert (stars.out / name).read_bytes() == content
        assert (after.st_ino, after.st_mtime_ns) == (stat.st_ino, stat.st_mtime_ns)


def test_one_line_says_what_was_done_and_debug_lines_say_why_pages_are_left_out(
    stars: Site,
) -> None:
    log = stars.pelican("--debug").stdout
    assert f"31 pages listed in {stars.out}/sitemap.xml, 7 not listed (" in log
    for page, reason in {
        "index2.html": "pagination beyond the first page",
        "404.html": "generated page",
        "tag/notes.html": "excluded by an option: exclude '/tag/notes.html'",
        f"{stars.root}/content/deep-sky/winter-hexagon.md": "draft",
        f"{stars.root}/content/pages/balcony-log.md": "excluded by its metadata: sitemap",
        f"{stars.root}/content/pages/thanks.md": "noindex: metadata robots",
        f"{stars.root}/content/pages/charts.md": "redirects elsewhere: https://stars.example.org/guides/reading-a-star-chart/",
    }.items():
        assert f"not listed: {page} ({reason})" in log


def test_a_wrong_option_stops_the_build_with_the_nearest_right_name(stars: Site) -> None:
    done = stars.pelican("-e", 'SITEMAP={"exlude": ["/drafts/"]}')
    assert done.returncode == 1
    assert "SITEMAP in the Pelican settings: unknown option 'exlude'" in done.stdout
    assert "Did you mean 'exclude'?" in done.stdout
    assert not stars.out.exists()


def test_a_bad_priority_in_front_matter_is_left_out_and_counts_with_fatal_warnings(
    stars: Site,
) -> None:
    stars.write({LOG: "Title: Keeping a log\nPriority: 11\n\nText"})
    done = stars.pelican("--fatal", "warnings")
    assert done.returncode == 1
    message = "A metadata value is invalid and is ignored. 'priority' is '11'."
    assert f"{stars.root}/{LOG}: {message}" in done.stdout
    assert "priority" not in stars.entries()[f"{HOME}guides/keeping-a-log/"]


def test_without_siteurl_one_line_names_it_and_no_build_fails(stars: Site) -> None:
    no_address = ('SITEURL=""', "AUTHOR_FEED_ATOM=null", "AUTHOR_FEED_RSS=null")  # feeds warn too
    done = stars.pelican("--fatal", "warnings", "-e", *no_address)
    assert done.returncode == 0
    assert done.stdout.count("SITEURL: No sitemap is written") == 1
    assert not list(stars.out.glob("sitemap*"))


def test_without_git_only_dates_in_metadata_are_left_and_nothing_fails(
    stars: Site, tmp_path: Path
) -> None:
    done = stars.pelican("--fatal", "warnings", "--verbose", env={"PATH": os.fspath(tmp_path)})
    assert done.returncode == 0
    assert "git" in done.stdout
    dated = {loc: entry["lastmod"] for loc, entry in stars.entries().items() if "lastmod" in entry}
    assert dated == {
        f"{HOME}about/": "2024-11-02",
        f"{HOME}deep-sky/andromeda/": "2024-10-05",
        f"{HOME}glossary/": "2024-09-01",
        f"{HOME}observing/dark-adaptation/": "2024-11-20",
        f"{HOME}planets/phases-of-venus/": "2024-07-08",
    }
