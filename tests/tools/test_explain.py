"""`sitemapkit explain`: what a build did with a page, and whence each value came."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import pytest

from sitemapkit import Page, Part, Reason, build, read_options

from .conftest import run

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.org/docs/"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """The report of a build of a few pages."""
    file = tmp_path / "report.json"
    rules = [{"match": "rule/", "priority": 0.3, "changefreq": "daily"}]
    given = {"base_url": BASE, "report": str(file), "rules": rules}
    pages = [
        Page(
            "",
            sources=[tmp_path / "index.md"],
            meta={"lastmod": "2024-05-06", "sitemap_priority": "0.8"},
            title="Home & more",
        ),
        Page("rule/", modified=date(2024, 1, 2)),
        Page("draft/", excluded=Reason.DRAFT, sources=[tmp_path / "draft.md"]),
        Page("bad/", meta={"priority": "high"}),
        Page("de/", lang="de", translation_key="x"),
        Page("en/", lang="en", translation_key="x"),
    ]
    build(pages, read_options(given, where="test"), tmp_path / "site")
    return file


def told(report: Path, url: str) -> list[str]:
    outcome = run("explain", url, "--report", report)
    assert outcome.code == 0
    return outcome.stdout.splitlines()


def test_each_value_of_a_listed_page_is_told_with_its_source(report: Path) -> None:
    assert told(report, "") == [
        f"{BASE} is listed.",
        f"    page        {report.parent / 'index.md'}",
        "    lastmod     2024-05-06, from metadata",
        "    priority    0.8, from metadata sitemap_priority",
        "    title       Home & more",
    ]


def test_a_value_from_a_rule_names_the_rule(report: Path) -> None:
    assert told(report, f"{BASE}rule/") == [
        f"{BASE}rule/ is listed.",
        "    page        rule/",
        "    lastmod     2024-01-02, from generator",
        "                not from metadata: it states none",
        "    changefreq  daily, from rule rule/",
        "    priority    0.3, from rule rule/",
    ]


def test_translations_are_told(report: Path) -> None:
    assert told(report, "/de/")[-2:] == [
        f"    alternates  de {BASE}de/, from translation key",
        f"    alternates  en {BASE}en/, from translation key",
    ]


def test_sources_of_dates_that_were_asked_in_vain_are_told(report: Path) -> None:
    assert told(report, "bad/")[2:7] == [
        "    lastmod     none",
        "                not from metadata: it states none",
        "                not from generator: the generator states none",
        "                not from git: no source file is known",
        "                not from members: it lists no page",
    ]


def test_the_part_of_a_file_and_the_commit_that_decided_are_told(tmp_path: Path) -> None:
    for number, text in enumerate(
        ["# Top\nA\n# End\nB", "# Top\nC\n# End\nB", "# Top\nC\n# End\nD"]
    ):
        (tmp_path / "a.md").write_text(text)
        commit(tmp_path, f"2024-05-0{number + 1}T12:00:00Z")
    options = read_options({"base_url": BASE, "report": str(tmp_path / "r.json")}, where="test")
    part = Part(tmp_path / "a.md", Section("Top"))
    pages = [Page("part/", sources=[part]), Page("tag/", kind="listing", members=["part/"])]
    build(pages, options, tmp_path / "site")
    second = git(tmp_path, "rev-parse", "--short=12", "HEAD~1")
    page, _, *lines = told(tmp_path / "r.json", "part/")
    assert page == f"{BASE}part/ is listed."
    assert lines[0] == (
        f"    lastmod     2024-05-02T12:00:00Z, from git: Section(title='Top') of {tmp_path}/a.md,"
        f" commit {second}"
    )
    assert told(tmp_path / "r.json", "tag/")[2] == (
        f"    lastmod     2024-05-02T12:00:00Z, from members: {BASE}part/"
    )


@dataclass(frozen=True)
class Section:
    """The text below a heading."""

    title: str

    def __call__(self, text: str) -> str | None:
        return text.partition(f"# {self.title}\n")[2].partition("#")[0]


def commit(folder: Path, day: str) -> None:
    git(folder, "init", "-q")
    git(folder, "add", "a.md")
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(folder, *who, "commit", "-q", "-m", "Change", GIT_AUTHOR_DATE=day, GIT_COMMITTER_DATE=day)


def git(folder: Path, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_issues_of_the_page_are_told(report: Path) -> None:
    assert told(report, "bad/")[-1] == (
        "    issue       A metadata value is invalid and is ignored. 'priority' is 'high'. Allowed:"
        " a number from 0.0 to 1.0. Correct the value in the page's metadata. [bad-metadata]"
    )


def test_a_page_that_is_left_out_is_told_with_its_reason(report: Path) -> None:
    assert told(report, "draft/") == [
        f"{BASE}draft/ is not listed: draft.",
        f"    page        {report.parent / 'draft.md'}",
    ]


def test_an_unknown_page_is_told_with_the_nearest_known_one(report: Path) -> None:
    outcome = run("explain", "drafts/", "--report", report)
    assert outcome.code == 1
    assert outcome.stdout == (
        f"The report knows no page {BASE}drafts/. Did you mean {BASE}draft/?\n"
    )


def test_programs_are_told_as_json(report: Path) -> None:
    outcome = run("explain", "rule/", "--report", report, "--json")
    answer = json.loads(outcome.stdout)
    assert answer["listed"] is answer["known"] is True
    assert answer["values"]["lastmod"] == "2024-01-02"
    assert answer["date_source"] == "generator"
    assert answer["skipped"] == [["metadata", "it states none"]]
    assert answer["origins"] == {"changefreq": "rule rule/", "priority": "rule rule/"}


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"listed": 1}', "<urlset/>", "null"])
def test_a_file_that_is_no_report_is_wrong_use(tmp_path: Path, content: str) -> None:
    file = tmp_path / "report.json"
    file.write_text(content)
    outcome = run("explain", "a/", "--report", file)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "report.json is no report of a build" in outcome.stderr
