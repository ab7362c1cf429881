"""Translations: every version lists all versions and itself, or none lists any (rule HL1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sitemapkit import OptionError, Page

if TYPE_CHECKING:
    from sitemapkit import Report

    from .conftest import Site

BASE = "https://example.org/docs/"


def sets(report: Report) -> dict[str, dict[str, str]]:
    return {
        entry.loc.removeprefix(BASE): {
            code: href.removeprefix(BASE) for code, href in entry.alternates
        }
        for entry in report.listed
    }


def test_pages_with_one_key_name_each_other_and_themselves(site: Site) -> None:
    report = site.build(
        Page("a/", lang="en", translation_key="a"),
        Page("pt/a/", lang="pt_BR", translation_key="a"),
        Page("alone/", lang="en", translation_key="alone"),
    )
    everyone = {"en": "a/", "pt-BR": "pt/a/"}
    assert sets(report) == {"a/": everyone, "alone/": {}, "pt/a/": everyone}


def test_one_language_is_for_all_other_readers(site: Site) -> None:
    report = site.build(
        Page("a/", lang="en", translation_key="a"),
        Page("zh/a/", lang="zh_Hans", translation_key="a"),
        x_default="en",
    )
    assert sets(report)["zh/a/"] == {"en": "a/", "zh-Hans": "zh/a/", "x-default": "a/"}


def test_two_pages_of_one_language_are_no_translations(site: Site) -> None:
    report = site.build(
        Page("a/", lang="en", translation_key="a"), Page("b/", lang="en", translation_key="a")
    )
    assert sets(report) == {"a/": {}, "b/": {}}
    assert site.warnings(report) == ["hreflang-twice"]


def test_a_left_out_page_is_nobodys_translation(site: Site) -> None:
    report = site.build(
        Page("a/", lang="en", translation_key="a"),
        Page("de/a/", lang="de", translation_key="a", meta={"robots": "noindex"}),
    )
    assert sets(report) == {"a/": {}}


def test_a_wrong_code_is_reported_once_with_the_right_one(site: Site) -> None:
    pages = [Page(f"gr/{n}/", lang="gr", translation_key=str(n)) for n in range(3)]
    pages += [Page(f"{n}/", lang="en", translation_key=str(n)) for n in range(3)]
    report = site.build(*pages)
    assert not any(sets(report).values())
    (problem,) = [p for p in report.problems if p.rule == "hreflang-code"]
    assert "'el'" in problem.message


LANGUAGES = {"en": BASE, "de": "https://example.org/de/docs/"}


def test_the_same_path_in_builds_made_separately_is_a_translation(site: Site) -> None:
    report = site.build(Page("a/"), Page(""), languages=LANGUAGES, x_default="en")
    assert sets(report)["a/"] == {
        "de": "https://example.org/de/docs/a/",
        "en": "a/",
        "x-default": "a/",
    }
    assert sets(report)[""]["de"] == "https://example.org/de/docs/"


@pytest.mark.parametrize("form", ["sitemap.xml", "index.xml", "report.json"])
def test_only_pages_that_the_other_build_has_are_translations(site: Site, form: str) -> None:
    other = site.folder / "other"
    files = {
        "sitemap.xml": "<urlset><url><loc>https://example.org/de/docs/a&amp;b/</loc></url></urlset>",
        "index.xml": "<sitemapindex><loc>https://example.org/de/docs/sitemap.xml</loc></sitemapindex>",
        "report.json": '{"listed": [{"loc": "https://example.org/de/docs/a&b/"}]}',
    }
    other.mkdir()
    for name, text in files.items():
        (other / name).write_text(text)
    german = {"base_url": "https://example.org/de/docs/", "pages": str(other / form)}
    report = site.build(Page("a&b/"), Page("b/"), languages={"en": BASE, "de": german})
    assert sets(report) == {
        "a&b/": {"de": "https://example.org/de/docs/a&b/", "en": "a&b/"},
        "b/": {},
    }


def test_a_list_of_languages_without_this_build_is_refused(site: Site) -> None:
    with pytest.raises(OptionError, match="none of them has the base URL of this build"):
        site.build(Page("a/"), languages={"de": "https://example.org/de/docs/"})


@pytest.mark.parametrize(
    ("languages", "right"),
    [({"gr": BASE}, "'el'"), ({"en": "here"}, "absolute"), ({"en": {"base_url": 3}}, "base_url")],
)
def test_a_wrong_list_of_languages_is_refused_when_it_is_read(
    site: Site, languages: object, right: str
) -> None:
    with pytest.raises(OptionError, match=right):
        site.build(Page("a/"), languages=languages)


def test_versions_that_pages_name_themselves_are_kept_where_all_agree(site: Site) -> None:
    report = site.build(
        Page("a/", lang="en", alternates={"de": "../de/a/", "fr": "https://example.fr/a"}),
        Page("de/a/", lang="de", alternates={"en": "../../a/", "fr": "https://example.fr/a"}),
    )
    everyone = {"de": "de/a/", "en": "a/", "fr": "https://example.fr/a"}
    assert sets(report) == {"a/": everyone, "de/a/": everyone}


def test_versions_that_do_not_name_back_are_reported_and_not_written(site: Site) -> None:
    report = site.build(
        Page("a/", lang="en", alternates={"de": "../de/a/"}),
        Page("de/a/", lang="de"),
    )
    assert not any(sets(report).values())
    assert site.warnings(report) == ["hreflang-one-sided"]


def test_twenty_thousand_pages_are_paired_by_key_not_by_search(site: Site) -> None:
    langs = ["en", "de", "fr", "es", "it", "pt", "ja", "zh", "ko", "ru"]
    pages = [
        Page(f"{lang}/{n}/", lang=lang, translation_key=str(n))
        for n in range(2000)
        for lang in langs
    ]
    assert {len(each) for each in sets(site.build(*pages)).values()} == {10}
