"""Which pages are listed, and why others are not."""

from __future__ import annotations

import json
import logging
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

from sitemapkit import Page, Reason
from sitemapkit.head import NOTHING
from sitemapkit.model import Head

if TYPE_CHECKING:
    from .conftest import Site

CANONICAL = '<link rel="canonical" href="{}">'


def test_written_published_indexable_pages_are_listed(site: Site) -> None:
    report = site.build(site.page(""), site.page("guide/"), site.page("a & b.html"))
    assert [entry.loc for entry in report.listed] == [
        "https://example.org/docs/",
        "https://example.org/docs/a%20&%20b.html",
        "https://example.org/docs/guide/",
    ]
    assert not report.excluded
    assert not report.issues or report.issues[0].severity == "note"


def test_a_canonical_link_is_read_in_the_charset_of_the_urls(site: Site) -> None:
    page = site.page("größe/", CANONICAL.format("https://example.org/docs/größe/"))
    report = site.build(page, url_encoding="latin-1", robots=False)
    assert [entry.loc for entry in report.listed] == ["https://example.org/docs/gr%F6%DFe/"]
    assert not report.issues


def test_each_exclusion_names_what_decided_it(site: Site) -> None:
    elsewhere = CANONICAL.format("https://example.com/a/")
    pages = [
        site.page("a/", elsewhere),
        site.page("b/", '<meta name="robots" content="noindex">'),
        site.page("c/", meta={"robots": "noindex"}),
        site.page("d/", meta={"sitemap": {"exclude": True}}),
        site.page("e/"),
        site.page("f/"),
        site.page("g/", '<meta http-equiv="refresh" content="0;url=/h/">'),
    ]
    rule = {"match": "f/", "exclude": True}
    report = site.build(*pages, exclude="e/", rules=[rule])
    assert {each.url: each.decided_by for each in report.excluded} == {
        "a/": "https://example.com/a/",
        "b/": "the page's robots element",
        "c/": "metadata robots",
        "d/": "sitemap.exclude",
        "e/": "exclude 'e/'",
        "f/": "rule f/",
        "g/": "/h/",
    }


@pytest.mark.parametrize("reason", [Reason.DRAFT, Reason.HIDDEN, Reason.PAGINATION])
def test_what_the_generator_withholds_is_not_listed(site: Site, reason: Reason) -> None:
    assert site.reasons(site.page("a/"), site.page("b/", excluded=reason)) == {"b/": reason}


@pytest.mark.parametrize(
    ("meta", "reason"),
    [
        ({"sitemap": False}, Reason.EXCLUDED_BY_PAGE),
        ({"sitemap_exclude": "yes"}, Reason.EXCLUDED_BY_PAGE),
        ({"robots": "noindex"}, Reason.NOINDEX),
    ],
)
def test_metadata_leaves_a_page_out(site: Site, meta: dict[str, object], reason: Reason) -> None:
    assert site.reasons(site.page("a/"), site.page("b/", meta=meta)) == {"b/": reason}


def test_a_page_whose_head_is_known_is_not_listed_without_its_file(site: Site) -> None:
    never_written = Page("b/", site.folder / "b" / "index.html", head=NOTHING)
    assert site.reasons(site.page("a/"), never_written) == {"b/": Reason.MISSING}


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_no_page_to_be_found(site: Site, text: str) -> None:
    page = site.page("b/")
    Path(page.output or "").write_text(text)
    assert site.reasons(site.page("a/"), page) == {"b/": Reason.EMPTY}


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("<meta name=robots content=noindex>", Reason.NOINDEX),
        ("<meta http-equiv=refresh content='0; url=../a/'>", Reason.REDIRECT),
        (CANONICAL.format("../a/"), Reason.CANONICAL),
        (CANONICAL.format("https://elsewhere.example/b/"), Reason.CANONICAL),
        (CANONICAL.format("https://example.org/stable/b/"), Reason.CANONICAL),
    ],
)
def test_l10_the_rendered_page_leaves_itself_out(site: Site, head: str, reason: Reason) -> None:
    assert site.reasons(site.page("a/"), site.page("b/", head)) == {"b/": reason}


@pytest.mark.parametrize(
    "head",
    [
        CANONICAL.format("https://example.org/docs/b/"),
        CANONICAL.format("http://example.org/docs/b/"),
        CANONICAL.format("."),
        CANONICAL.format("https://EXAMPLE.org/docs/b/#top"),
        CANONICAL.format(""),
        CANONICAL.format("https://example.org/docs/b/index.html"),
        CANONICAL.format("http://example.org/docs/b"),
        CANONICAL.format("/docs/%62/"),
        "<meta http-equiv=refresh content=60>",
        "<meta http-equiv=refresh content='60; url=../b/'>",
        "<meta http-equiv=refresh content='60; url=https://example.org/docs/b/'>",
    ],
)
def test_a_page_that_points_to_itself_is_listed(site: Site, head: str) -> None:
    assert site.reasons(site.page("a/"), site.page("b/", head)) == {}


@pytest.mark.parametrize(
    ("own", "spelling", "other"),
    [
        ("b/", "c/index.html", "c/"),
        ("b/", "c", "c/"),
        ("b/", "c.html", "c"),
        ("b/", "c", "c.html"),
        ("b/", "b", "b.html"),
        ("b.html", "b/index.html", "b/"),
        ("b", "b.html", "b.html"),
        ("?p=1", "?p=2", "?p=2"),
    ],
)
def test_a_canonical_link_to_another_page_leaves_out_however_it_is_spelled(
    site: Site, own: str, spelling: str, other: str
) -> None:
    report = site.build(
        Page(own, head=Head(canonical=f"http://example.org/docs/{spelling}")), Page(other)
    )
    assert [left.reason for left in report.excluded] == [Reason.CANONICAL]
    assert [entry.loc for entry in report.listed] == [f"https://example.org/docs/{other}"]


def test_a_canonical_link_may_lead_to_a_page_that_is_excluded(site: Site) -> None:
    pages = [
        site.page("a/"),
        site.page("b/", CANONICAL.format("../c d/")),
        site.page("c d/", excluded=Reason.GENERATED),
        Page("https://[bad", excluded=Reason.GENERATED),
    ]
    assert site.reasons(*pages) == {
        "b/": Reason.CANONICAL,
        "c d/": Reason.GENERATED,
        "https://[bad": Reason.GENERATED,
    }


@pytest.mark.parametrize(
    ("own", "canonical", "listed"),
    [
        ("b.html", "b", "b"),
        ("b.html", "//example.org/docs/b", "b"),
        ("grün.html", "grün", "gr%C3%BCn"),
        ("b/index.html", "b/", "b/index.html"),
        ("b.html", "b.html", "b.html"),
        ("b.html", "b/", "b.html"),  # another address: servers send no file there
        ("b/", "b", "b/"),  # a redirect
        ("b/myindex.html", "b/", "b/myindex.html"),
        ("b/", "b/index.html", "b/"),
        ("b.html", "b?q=1", "b.html"),
        ("a.pdf", "a", "a.pdf"),
    ],
)
def test_a_page_is_listed_without_its_suffix_where_its_canonical_link_leaves_that_out(
    site: Site, own: str, canonical: str, listed: str
) -> None:
    target = canonical if "//" in canonical else f"/docs/{canonical}"
    report = site.build(Page(own, head=Head(canonical=target)), Page("other/"))
    assert f"https://example.org/docs/{listed}" in [entry.loc for entry in report.listed]


def test_a_canonical_link_to_a_url_no_page_has_is_the_pages_own_misspelled(site: Site) -> None:
    head = CANONICAL.format("https://example.org/docs/b.html")
    report = site.build(site.page("a/"), site.page("b/", head))
    assert not report.excluded
    (issue,) = [p for p in report.issues if p.rule.id == "canonical-dead"]
    assert issue.severity == "note"
    assert "It names https://example.org/docs/b.html. https://example.org/docs/b/ is listed." in (
        issue.message
    )


def test_a_canonical_link_with_a_query_leads_to_the_same_file(site: Site) -> None:
    own, other = CANONICAL.format("?lang=en"), CANONICAL.format("../a/?lang=en")
    report = site.build(site.page("a/"), site.page("b/", own), site.page("c/", other))
    assert [(left.url, left.reason) for left in report.excluded] == [("c/", Reason.CANONICAL)]
    assert "canonical-dead" not in [issue.rule.id for issue in report.issues]


def test_a_head_that_the_generator_knows_is_not_read_from_the_file(site: Site) -> None:
    page = site.page("b/", CANONICAL.format("../a/"))
    pages = [
        site.page("a/"),
        Page("b/", page.output, head=NOTHING),
        Page("c/", page.output, head=Head(noindex=True)),
    ]
    assert site.reasons(*pages) == {"c/": Reason.NOINDEX}


def test_a_page_is_read_whatever_its_suffix_and_no_other_file_is(site: Site) -> None:
    page = site.page("c/v1.2", "<meta name=robots content=noindex>")
    copied = site.page("d.pdf", "<meta name=robots content=noindex>")
    copied.kind = "static"
    assert site.reasons(page) == {"c/v1.2": Reason.NOINDEX}
    assert site.reasons(copied, include=["*.pdf"]) == {}


@pytest.mark.parametrize(
    "stated", [{}, {"sitemap": {"priority": 1, "changefreq": "daily", "lastmod": "2024-05-06"}}]
)
def test_a_rule_fills_in_what_the_author_left_open_and_is_named(
    site: Site, stated: dict[str, object]
) -> None:
    rules = [
        {"match": "b/", "priority": 0.1, "changefreq": "never", "lastmod": False, "exclude": True},
        {"match": "/b/", "priority": 0.2, "changefreq": "weekly", "exclude": False},
    ]
    day = date(2023, 1, 2)
    pages = [site.page("a/", modified=day), site.page("b/", modified=day, meta=stated)]
    report = site.build(*pages, rules=rules)
    assert report.excluded == []
    assert site.entries()["a/"] == {"lastmod": "2023-01-02"}
    expected = {"priority": "0.2", "changefreq": "weekly"}
    if stated:
        expected = {"priority": "1.0", "changefreq": "daily", "lastmod": "2024-05-06"}
    assert site.entries()["b/"] == expected
    origins = json.loads(report.to_json())["origins"]["https://example.org/docs/b/"]
    for name in ("priority", "changefreq"):
        assert origins[name] == (f"metadata sitemap.{name}" if stated else "rule /b/")


def test_a_page_without_a_file_is_not_listed(site: Site) -> None:
    missing = {
        "b/": site.folder / "b" / "index.html",
        "a folder": site.folder / "a",
        "below a file": site.folder / "a" / "index.html" / "index.html",
    }
    pages = [Page(url, output) for url, output in missing.items()]
    assert site.reasons(site.page("a/"), *pages) == dict.fromkeys(missing, Reason.MISSING)


def test_a_page_whose_output_is_not_checked_is_listed(site: Site) -> None:
    assert len(site.build(Page("a/")).listed) == 1


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://other.example/b/", Reason.OTHER_HOST),
        ("https://example.org/b/", Reason.OUT_OF_SCOPE),
        ("../b/", Reason.OUT_OF_SCOPE),
        ("https://user:secret@example.org/docs/b/", Reason.BAD_URL),
    ],
)
def test_a_url_that_is_not_below_the_base_is_not_listed(
    site: Site, url: str, reason: Reason
) -> None:
    assert site.reasons(Page("a/"), Page(url)) == {url: reason}


@pytest.mark.parametrize("url", ["https://other.example/b/", "../b/"])
def test_of_a_url_that_is_not_below_the_base_the_whole_is_told(site: Site, url: str) -> None:
    (left,) = site.build(Page("a/"), Page(url)).excluded
    assert left.decided_by == urljoin("https://example.org/docs/", url)


def test_a_bad_url_is_an_error_that_names_the_page(site: Site) -> None:
    report = site.build(Page("a/"), Page("https://[b/"))
    (issue,) = [p for p in report.issues if p.rule.id == "bad-url"]
    assert issue.where == "https://[b/"
    assert issue.severity == "error"
    assert [m.level for m in report.messages() if m.id == "bad-url"] == [logging.WARNING]


@pytest.mark.parametrize("kind", ["generated", "static"])
def test_generated_and_static_pages_are_listed_only_where_include_names_them(
    site: Site, kind: str
) -> None:
    pages = [site.page("a/"), site.page("search.html", kind=kind), site.page("x/y.html", kind=kind)]
    assert site.reasons(*pages, include="/x/") == {"search.html": Reason[kind.upper()]}
    assert "x/y.html" in site.entries()


def test_exclude_patterns_are_gitignores_on_the_readable_path(site: Site) -> None:
    pages = [site.page(url) for url in ("a/", "grüße/b/", "drafts/c/", "drafts/keep/")]
    excluded = site.reasons(*pages, exclude=("grüße/", "drafts/*", "!drafts/keep/"))
    assert excluded == dict.fromkeys(("grüße/b/", "drafts/c/"), Reason.EXCLUDED_BY_OPTION)


def test_the_pattern_slash_means_the_home_page(site: Site) -> None:
    assert list(site.reasons(site.page(""), site.page("a/"), exclude="/")) == [""]
    assert list(site.reasons(site.page(""), site.page("a/"), exclude=["*", "!/"])) == ["a/"]


def test_when_nothing_is_listed_one_warning_says_why(site: Site) -> None:
    head = CANONICAL.format("https://production.example/")
    draft = site.page("c/", excluded=Reason.DRAFT)
    report = site.build(draft, site.page("a/", head), site.page("b/", head))
    (issue,) = [p for p in report.issues if p.rule.id == "empty-sitemap"]
    reasons = f"2 not listed: {Reason.CANONICAL.value}; 1 not listed: draft."
    why = f"a/: {Reason.CANONICAL.value}: https://production.example/."
    assert f"No file is written or removed. {reasons} {why}" in issue.message
    assert len(report.issues) == 1
