"""A pattern that matches nothing is told: once, with what was meant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit import Page, Reason

if TYPE_CHECKING:
    from ..conftest import Site

DOCS = Path("/home/ann/tea/docs")


def told(site: Site, **options: Any) -> list[tuple[str, str, str]]:
    """Return (severity, where, detail) of the patterns that are told."""
    report = site.build(
        Page("guide/", sources=[DOCS / "guide" / "index.md"]),
        Page("guide/brewing/", sources=[DOCS / "guide" / "brewing.md"]),
        Page("ideas/d/", sources=[DOCS / "ideas" / "d.md"]),
        Page("drafts/d/", sources=[DOCS / "drafts" / "d.md"], excluded=Reason.DRAFT),
        Page("genindex.html", kind="generated"),
        **options,
    )
    return [
        (each.severity, each.where, each.detail)
        for each in report.issues
        if each.rule.id == "unmatched-pattern"
    ]


def test_a_pattern_that_may_match_one_day_is_a_note(site: Site) -> None:
    meant = "Did you mean 'guide/'?"
    assert told(site, exclude=["/guides/"]) == [("note", "test, exclude '/guides/'", meant)]
    assert told(site, exclude=["zzz"])[0][2] == "Paths look like 'ideas/d/'."


@pytest.mark.parametrize(
    ("pattern", "kind", "meant"),
    [
        ("https://example.org/docs/guide/", "a URL", "guide/"),
        ("http://example.org/docs/ideas/*", "a URL", "ideas/*"),
        ("example.org/docs/guide/", "a URL", "guide/"),
        ("https://other.example/", "a URL", ""),
        ("^guide/.*$", "a regular expression", "guide/*"),
        (r"/?ideas/d\.html|x", "a regular expression", ""),
        ("ide.+/", "a regular expression", "ide*/"),
        ("guide/.*", "a regular expression", "guide/*"),
        (r"^a\\$", "a regular expression", ""),
        ("*.md", "the name of a source file", ""),
        ("guide/*.md", "the name of a source file", "guide/*"),
        ("guide/index.md", "the name of a source file", "guide/"),
        ("ideas/d.rst", "the name of a source file", "ideas/d"),
        ("genindex.rst", "the name of a source file", "genindex.html"),
        ("guide/README.ipynb", "the name of a source file", "guide/"),
    ],
)
def test_what_can_be_no_pattern_is_a_warning_with_what_was_meant(
    site: Site, pattern: str, kind: str, meant: str
) -> None:
    for option in ("exclude", "include"):
        ((severity, where, detail),) = told(site, **{option: [pattern]})
        assert (severity, where) == ("warning", f"test, {option} {pattern!r}")
        hint = f" Did you mean {meant!r}?" if meant else ""
        assert detail == f"It is {kind}, and patterns are on paths such as 'ideas/d/'.{hint}"


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("genindex", "genindex.html"),
        ("genindex/", "genindex.html"),
        ("/ideas/d.html", "/ideas/d/"),
        ("guide/index.html", "guide/"),
    ],
)
def test_so_is_another_spelling_of_a_path(site: Site, pattern: str, meant: str) -> None:
    said = ("warning", f"test, exclude {pattern!r}", f"Did you mean {meant!r}?")
    assert told(site, exclude=[pattern]) == [said]


def test_a_file_in_a_folder_is_not_taken_for_the_home_page(site: Site) -> None:
    report = site.build(Page(""), Page("docs/guide/"), exclude="docs/guide/index.html")
    (found,) = [each for each in report.issues if each.rule.id == "unmatched-pattern"]
    assert "Did you mean 'docs/guide/'?" in found.detail


def test_a_pattern_that_matches_a_page_is_not_told_whatever_happens_to_the_page(
    site: Site,
) -> None:
    assert told(site, exclude=["drafts/", "brewing/", "guide/brewing/", "", "# comment"]) == []
    assert told(site, exclude="guide/\n\n!guide/brewing/", include="genindex.html") == []


def test_the_home_page_is_a_page(site: Site, tmp_path: Path) -> None:
    sources = [{"match": "/", "files": str(tmp_path / "*.md")}]
    report = site.build(Page("", sources=[DOCS / "index.md"]), exclude="!/", sources=sources)
    assert [each for each in report.issues if each.rule.id == "unmatched-pattern"] == []


def test_each_option_with_patterns_is_watched(site: Site) -> None:
    nowhere = {"match": "nowhere/"}
    options = {
        "exclude": "nowhere/",
        "include": "nowhere/",
        "rules": [{"match": "guide/"}, nowhere],
        "sources": [{**nowhere, "files": "*"}],
        "news": {**nowhere, "name": "Tea", "language": "en"},
    }
    names = ["exclude", "include", "rules[1].match", "sources[0].match", "news.match"]
    told_names = [where for _, where, _ in told(site, **options)]
    assert told_names == [f"test, {name} 'nowhere/'" for name in names]


def test_where_there_is_no_page_no_pattern_is_told(site: Site) -> None:
    report = site.build(exclude="nowhere/")
    assert "unmatched-pattern" not in {each.rule.id for each in report.issues}
