"""`sitemapkit explain`: what a build did with a page, and whence each value came."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import pytest

from sitemapkit import Page, Part, Reason, build, read_options
from textdates.parts import Between

from ..repository import commit, git
from .conftest import run

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Site

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
        commit(tmp_path, f"2024-05-0{number + 1}T01:00:00+09:00", "a.md")
    options = read_options({"base_url": BASE, "report": str(tmp_path / "r.json")}, where="test")
    part = Part(tmp_path / "a.md", Section("Top"))
    pages = [Page("part/", sources=[part]), Page("tag/", kind="listing", members=["part/"])]
    build(pages, options, tmp_path / "site")
    second = git(tmp_path, "rev-parse", "--short=12", "HEAD~1")
    page, _, *lines = told(tmp_path / "r.json", "part/")
    assert page == f"{BASE}part/ is listed."
    assert lines[0] == (
        f"    lastmod     2024-05-01T16:00:00Z, from git: Section(title='Top') of {tmp_path}/a.md,"
        f" commit {second}"
    )
    short = git(tmp_path, "rev-parse", "--short", "HEAD~1")
    assert lines[1] == f"                {short}, 2024-05-02T01:00:00+09:00: Change"
    assert told(tmp_path / "r.json", "tag/")[2] == (
        f"    lastmod     2024-05-01T16:00:00Z, from members: {BASE}part/"
    )


@dataclass(frozen=True)
class Section:
    """The text below a heading."""

    title: str

    def __call__(self, text: str) -> str | None:
        return text.partition(f"# {self.title}\n")[2].partition("#")[0]


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
    assert outcome.stdout == (f"There is no page {BASE}drafts/. Did you mean {BASE}draft/?\n")


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
    assert "report.json is not a report of a build" in outcome.stderr


def test_the_line_that_decided_is_told_by_the_report_too(site: Site, tmp_path: Path) -> None:
    site.heads["hidden/"] = (
        '\n<!-- <meta name="robots"\ncontent="none"> -->\n<meta name="robots"\n content="noindex">'
    )
    site.write()
    (tmp_path / "secret.md").write_text("---\ntitle: Secret\nsitemap: false\n---\n# Secret")
    (tmp_path / "closed.md").write_text("---\nrobots: [noindex]\n---\n# Closed")
    (tmp_path / "lost.md").write_text("# Lost")
    metas: dict[str, dict[str, object]] = {
        "secret": {"sitemap": False},
        "closed": {"robots": ["noindex"]},
        "lost": {"sitemap_exclude": True},
    }
    pages = [Page("", site.file("")), Page("hidden/", site.file("hidden/"))]
    pages += [Page(f"{n}/", sources=[tmp_path / f"{n}.md"], meta=meta) for n, meta in metas.items()]
    given = {"base_url": "https://example.org/", "report": str(tmp_path / "r.json")}
    build(pages, read_options(given, where="test"), site.root)
    assert told(tmp_path / "r.json", "hidden/")[-1] == (
        f'                {site.file("hidden/")}:4: <meta name="robots" content="noindex">'
    )
    for path, line in (("secret", "3: sitemap: false"), ("closed", "2: robots: [noindex]")):
        assert told(tmp_path / "r.json", f"{path}/")[-1] == (
            f"                {tmp_path}/{path}.md:{line}"
        )
    assert told(tmp_path / "r.json", "lost/")[-1] == "    decided by  sitemap_exclude"


def test_all_files_that_were_asked_for_a_date_are_told(tmp_path: Path) -> None:
    older = "a part; older: text.md"
    for number, name in enumerate([older, "a.md"], 1):
        (tmp_path / name).write_text(f"# Text {number}")
        commit(tmp_path, f"2024-05-0{number}T12:00:00+02:00", name, message=name)
    options = read_options({"base_url": BASE, "report": str(tmp_path / "r.json")}, where="test")
    parts = [Part(tmp_path / older, Between(start)) for start in ("#", "Text")]
    page = Page("a/", sources=[tmp_path / "a.md"], included=parts)
    build([page], options, tmp_path / "site")
    short = git(tmp_path, "rev-parse", "--short", "HEAD")
    lines = told(tmp_path / "r.json", "a/")
    assert lines[3:5] == [
        f"                {short}, 2024-05-02T12:00:00+02:00: a.md",
        f"                also checked: {tmp_path}/{older}",
    ]
    assert sum("also checked" in line for line in lines) == 1


def test_what_the_ledger_saw_is_told(tmp_path: Path) -> None:
    given = {
        "base_url": BASE,
        "ledger": str(tmp_path / "l.txt"),
        "report": str(tmp_path / "r.json"),
    }
    options = read_options(given, where="test")

    def built(text: str) -> str:
        pages = [Page("a/", content=text, published=date(2024, 1, 2)), Page("b/", content="b")]
        build(pages, options, tmp_path / "site")
        return told(tmp_path / "r.json", "a/")[2]

    assert built("<p>Tea</p>") == "    lastmod     2024-01-02, from generator"
    assert built("<p>Tea</p>").endswith(", from ledger: its content is that of the last build")
    assert built("<p>Green tea</p>").endswith(", from ledger: its content changed")


def test_without_a_report_there_is_nothing_to_explain() -> None:
    outcome = run("explain", "a/")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "Missing option '--report'" in outcome.stderr
