"""The example site: what a user gets, compared with golden files; and how mistakes are answered."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sphinx.errors import ConfigError

if TYPE_CHECKING:
    from .conftest import Site

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "example-sites" / "sphinx"
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def manual(new_site: Site) -> Site:
    """A copy of the example site in a repository: the mechanism was written before the rest."""
    pytest.importorskip("myst_parser")
    shutil.copytree(EXAMPLE, new_site.docs, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    new_site.commit("2023-04-05T06:07:08+02:00", "docs/mechanism")
    new_site.commit("2024-05-06T07:08:09Z")
    return new_site


def add_to_conf(site: Site, line: str) -> None:
    with (site.docs / "conf.py").open("a") as file:
        file.write(f"\n{line}\n")


def test_the_example_site_has_its_golden_files(manual: Site) -> None:
    manual.build()
    for name in ("sitemap.xml", "llms.txt"):
        assert (manual.out() / name).read_text() == (GOLDEN / name).read_text()


def test_below_a_sub_path_no_robots_txt_is_written_and_one_line_says_what_to_do(
    manual: Site,
) -> None:
    log = manual.build()
    assert not (manual.out() / "robots.txt").exists()
    assert log.status.count("Sitemap: https://docs.example.org/tinecomb/sitemap.xml") == 1


def test_one_line_says_what_was_done(manual: Site) -> None:
    log = manual.build()
    (line,) = [line for line in log.status.splitlines() if "pages listed in" in line]
    assert line.startswith("sitemapkit: 15 pages listed in ")
    assert f"{manual.sitemap()}" in line
    assert log.warnings == ""


def test_each_page_left_out_has_its_reason_in_the_verbose_log(manual: Site) -> None:
    lines = manual.build().status.splitlines()
    prefix = "sitemapkit: not listed: "
    assert sorted(line.removeprefix(prefix) for line in lines if line.startswith(prefix)) == [
        f"{manual.docs}/colophon.rst (excluded by its metadata: sitemap)",
        f"{manual.docs}/movements.rst (redirects elsewhere: mechanism/index.html)",
        f"{manual.docs}/parts-list.rst (noindex)",
        "404.html (generated page)",
        "_modules/index.html (generated page)",
        "_modules/tinecomb.html (generated page)",
        "py-modindex.html (generated page)",
        "search.html (generated page)",
    ]


def test_a_second_build_leaves_the_file_alone(manual: Site) -> None:
    manual.build()
    before = manual.sitemap().stat()
    manual.build()
    after = manual.sitemap().stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_an_incremental_build_changes_one_line(manual: Site) -> None:
    manual.build()
    before = manual.sitemap().read_text().splitlines()
    with (manual.docs / "care.rst").open("a") as file:
        file.write("\nAnd never lend it to a child under three.\n")
    manual.commit("2024-06-07T08:09:10Z")
    manual.build()
    after = manual.sitemap().read_text().splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert "care.html</loc><lastmod>2024-06-07T08:09:10Z<" in changed[0]


def test_an_unknown_option_stops_the_build_with_the_nearest_right_name(manual: Site) -> None:
    add_to_conf(manual, "sitemap_exlude = ['drafts/']")
    with pytest.raises(ConfigError, match=r"'sitemap_exlude'\. Did you mean 'sitemap_exclude'"):
        manual.build()


def test_a_wrong_value_stops_the_build_with_what_is_allowed(manual: Site) -> None:
    add_to_conf(manual, "sitemap_robots = 'yes'")
    with pytest.raises(ConfigError) as error:
        manual.build()
    message = str(error.value)
    assert message.startswith("conf.py: option 'sitemap_robots' is 'yes'. Allowed")
    allowed, see = message.splitlines()
    assert allowed.endswith("write (also below a path) or false.")
    assert see.endswith("/options/#robots")


def test_a_bad_priority_is_left_out_with_a_warning_that_strict_builds_count(manual: Site) -> None:
    page = manual.docs / "care.rst"
    page.write_text(f":priority: high\n\n{page.read_text()}")
    done = manual.run("-q", "-W", "--keep-going")
    assert done.returncode == 1
    message = "A metadata value is invalid and is ignored. 'priority' is 'high'. Allowed: "
    assert f"{page}: {message}" in done.stderr
    assert "care.html</loc><lastmod>" in manual.sitemap().read_text()


def test_without_a_base_url_no_file_is_written_and_strict_builds_fail(manual: Site) -> None:
    conf = manual.docs / "conf.py"
    lines = conf.read_text().splitlines()
    conf.write_text("\n".join(line for line in lines if not line.startswith("html_baseurl")))
    done = manual.run("-q", "-W", "--keep-going")
    assert done.returncode == 1
    assert done.stderr.count("html_baseurl") == 1
    assert "such as https://example.org/docs/" in done.stderr
    assert not manual.sitemap().exists()


def test_without_git_on_the_path_there_are_no_git_dates_and_strict_builds_pass(
    manual: Site, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    done = manual.run("-W", env={"PATH": str(tmp_path / "empty")})
    assert done.returncode == 0, done.stderr
    assert manual.sitemap().read_text().count("<lastmod>") == 1
    assert "git" in done.stdout
