"""Translations that the pages of a finished site name in their heads (rule HL1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit import read_options
from sitemapkit.build import Build
from sitemapkit_tools.site.translations import HtmlPage, NamedVersions

from ..hreflang import sets

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapkit import Report

BASE = "https://example.org/docs/"


@dataclass
class Made:
    """The folder of a finished site, whose sitemap is written as the command writes it."""

    folder: Path

    def build(self, *pages: HtmlPage, **options: Any) -> Report:
        settings = read_options(options, where="test", base_url=BASE)
        build = Build(settings)
        build.add_all(pages)
        urls = {page.url for page in build.listed()}
        listed = [page for page in pages if page.url in urls]
        named = NamedVersions(listed, settings, build.report)
        return build.write(self.folder, on_entry=lambda _, entry: named.add_to(entry))


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


def warnings(report: Report) -> list[str]:
    return [issue.rule.id for issue in report.issues if issue.severity != "note"]


def test_versions_that_pages_name_themselves_are_kept_where_all_agree(made: Made) -> None:
    report = made.build(
        HtmlPage("a/", lang="en", alternates={"de": "../de/a/", "fr": "https://example.fr/a"}),
        HtmlPage("de/a/", lang="de", alternates={"en": "../../a/", "fr": "https://example.fr/a"}),
    )
    everyone = {"de": "de/a/", "en": "a/", "fr": "https://example.fr/a"}
    assert sets(report) == {"a/": everyone, "de/a/": everyone}


def test_hl3_the_default_that_pages_name_themselves_counts_once(made: Made) -> None:
    named = {"en": "/docs/a/", "de": "/docs/de/a/", "x-default": "/docs/de/a/"}
    report = made.build(
        HtmlPage("a/", lang="en", alternates=named),
        HtmlPage("de/a/", lang="de", alternates=named),
        x_default="en",
    )
    (first, _) = report.listed
    assert [tuple(pair) for pair in first.alternates] == [
        ("de", f"{BASE}de/a/"),
        ("en", f"{BASE}a/"),
        ("x-default", f"{BASE}de/a/"),
    ]


def test_a_page_that_is_the_default_is_also_in_its_own_language(made: Made) -> None:
    report = made.build(
        HtmlPage("a/", lang="en", alternates={"de": "../de/a/", "x-default": "../a/"}),
        HtmlPage("de/a/", lang="de", alternates={"en": "../../a/", "x-default": "../../a/"}),
    )
    everyone = {"de": "de/a/", "en": "a/", "x-default": "a/"}
    assert sets(report) == {"a/": everyone, "de/a/": everyone}
    assert warnings(report) == []


def test_versions_that_do_not_name_back_are_reported_and_not_written(made: Made) -> None:
    report = made.build(
        HtmlPage("a/", lang="en", alternates={"de": "../de/a/"}),
        HtmlPage("de/a/", lang="de"),
    )
    assert not any(sets(report).values())
    assert warnings(report) == ["hreflang-not-reciprocal"]
    (issue,) = [each for each in report.issues if each.rule.id == "hreflang-not-reciprocal"]
    assert issue.detail == "The links of this page to others that name other pages are left out."


def test_a_version_that_is_left_out_is_not_named_by_pages_that_declare_it(made: Made) -> None:
    named = {"de": "/docs/de/a/", "en": "/docs/a/", "fr": "/docs/fr/a/"}
    report = made.build(
        HtmlPage("a/", lang="en", alternates=named),
        HtmlPage("de/a/", lang="de", alternates=named),
        HtmlPage("fr/a/", lang="fr", alternates=named, meta={"robots": "noindex"}),
    )
    assert sets(report) == {path: {"de": "de/a/", "en": "a/"} for path in ("a/", "de/a/")}
    assert not warnings(report)


def test_one_warning_tells_of_all_pages_whose_versions_disagree(made: Made) -> None:
    named = {"en": f"{BASE}x/", "de": f"{BASE}de/x/"}
    pages = [HtmlPage(f"{n}/", lang="en", alternates=named) for n in range(3)]
    report = made.build(
        HtmlPage("x/", alternates=named), HtmlPage("de/x/", alternates=named), *pages
    )
    assert {path for path, versions in sets(report).items() if versions} == {"x/", "de/x/"}
    (issue,) = [p for p in report.issues if p.rule.id == "hreflang-not-reciprocal"]
    assert "The links of 3 pages to others" in issue.message


CODES = ("de", "en", "es", "fr", "it")
PATHS = {code: f"{BASE}{code}/a/" for code in CODES}


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"it": PATHS["it"]},
        {"de": PATHS["en"], "it": PATHS["it"]},
        {"de": PATHS["it"]},
        {**PATHS, "pt": "https://example.pt/a/"},
        {**PATHS, "de": PATHS["en"], "en": PATHS["de"]},
        {**PATHS, "x-default": PATHS["it"]},
    ],
)
def test_a_page_that_names_other_versions_costs_its_own_links_alone(
    made: Made, bad: dict[str, str]
) -> None:
    pages = [HtmlPage(PATHS[code], lang=code, alternates=PATHS) for code in CODES[:-1]]
    report = made.build(*pages, HtmlPage(PATHS["it"], lang="it", alternates=bad))
    whole = {code: f"{code}/a/" for code in CODES[:-1]}
    found = sets(report)
    assert set(found.pop("it/a/")) <= {"it", "pt"}
    assert found == dict.fromkeys(whole.values(), whole)
    assert warnings(report) == ["hreflang-not-reciprocal"]


@pytest.mark.parametrize("links", [{"en": "", "de": "de/"}, {"en": "en/", "de": "de/"}])
def test_home_pages_that_a_theme_names_in_each_page_are_the_versions_of_themselves_alone(
    made: Made, links: dict[str, str]
) -> None:
    homes = {lang: BASE + link for lang, link in links.items()}
    paths = [link + name for link in links.values() for name in ("", "tea/", "tea/green.html")]
    report = made.build(*(HtmlPage(path, alternates=homes) for path in paths))
    assert {path for path, versions in sets(report).items() if versions} == {*links.values()}
    assert not [each for each in report.issues if "hreflang" in each.rule.id]
