"""The result of a check as CI services show it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from .conftest import run

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Site


@pytest.fixture
def broken(site: Site) -> Site:
    """A site with many dead links in its sitemap, and a page that wants not to be found."""
    for number in range(30):
        site.entries[f"{site.base}gone-{number:02}/"] = "<lastmod>2024-05-20</lastmod>"
    site.heads["about/"] = '<meta name="robots" content="noindex">'
    site.write()
    return site


def test_at_most_ten_annotations_are_made_and_the_last_says_what_is_left(broken: Site) -> None:
    lines = run("check", broken.root, "--format", "github").stdout.splitlines()
    found = len(broken.check())
    assert found > 30
    assert len(lines) <= 10
    assert lines[0].startswith("::error ")
    assert lines[-1] == (
        f"::notice title=sitemapkit::And {found - len(lines) + 1} more;"
        " the job's summary lists them by rule."
    )
    titles = [line.partition("title=")[2].partition(",")[0] for line in lines[:-1]]
    assert len(titles) == len(set(titles))


def test_few_issues_are_all_annotated(site: Site) -> None:
    site.entries[f"{site.base}gone/"] = "<lastmod>2024-05-20</lastmod>"
    site.write()
    lines = run("check", site.root, "--format", "github").stdout.splitlines()
    assert len(lines) == len(site.check())


def test_gitlab_reads_the_issues_as_a_code_quality_report(broken: Site) -> None:
    outcome = run("check", broken.root, "--format", "gitlab")
    report = json.loads(outcome.stdout)
    assert outcome.code == 1
    assert len(report) == len(broken.check())
    assert len({issue["fingerprint"] for issue in report}) == len(report)
    assert {issue["severity"] for issue in report} <= {"info", "minor", "major"}
    first = report[0]
    assert first.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
    assert first["location"]["path"].startswith(f"{broken.root.as_posix()}/")
    assert first["location"]["lines"]["begin"] >= 1


def test_the_summary_of_a_job_has_figures_a_table_and_fixes(broken: Site) -> None:
    summary = run("check", broken.root, "--format", "markdown").stdout
    assert summary.startswith("## Sitemap: 3")
    assert "| https://example.org/ | 35 | 1 | 5 |" in summary
    assert "| /gone-00/ |" in summary
    assert "/gone-05/" not in summary
    assert "25 more issues of this rule" in summary
    assert "### How to fix it" in summary


def test_the_summary_of_a_right_site_says_so(site: Site) -> None:
    site.write()
    summary = run("check", site.root, "--format", "markdown").stdout
    assert summary.startswith("## Sitemap: Nothing to fix\n")
    assert "How to fix" not in summary


def test_what_a_page_says_cannot_write_into_the_summary(site: Site) -> None:
    site.entries[f"{site.base}a|b/@team/#1/%3Cimg%3E/"] = ""
    site.write()
    row = next(
        line
        for line in run("check", site.root, "--format", "markdown").stdout.splitlines()
        if "team" in line
    )
    assert "a&#124;b" in row
    assert "&#64;team" in row


def test_one_check_writes_several_formats(broken: Site, tmp_path: Path) -> None:
    outcome = run(
        *("check", broken.root),
        *("--output", f"gitlab={tmp_path / 'a.json'}"),
        *("--output", f"text={tmp_path / 'a.txt'}"),
    )
    assert outcome.code == 1
    assert (tmp_path / "a.txt").read_text() == outcome.stdout
    assert json.loads((tmp_path / "a.json").read_text())


@pytest.mark.parametrize("given", ["text", "text=", "pdf=a.pdf"])
def test_an_output_that_cannot_be_written_is_explained(site: Site, given: str) -> None:
    outcome = site.run("check", "--output", given)
    assert outcome.code == 2
    assert f"'{given}' is not FORMAT=FILE with one of the formats text, json," in outcome.stderr
