"""Translations: every version lists all versions and itself, or none lists any (rule HL1)."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

import pytest

from sitemapkit import OptionError, Page, build, read_options

from ...hreflang import sets

if TYPE_CHECKING:
    from sitemapkit import Entry, Report
    from sitemapkit.build import OnEntry

    from ..conftest import Site

BASE = "https://example.org/docs/"


def test_hl1_pages_with_one_key_name_each_other_and_themselves(site: Site) -> None:
    report = site.build(
        Page("a/", lang="en", translation_key="a"),
        Page("pt/a/", lang="pt_BR", translation_key="a"),
        Page("alone/", lang="en", translation_key="alone"),
    )
    everyone = {"en": "a/", "pt-BR": "pt/a/"}
    assert sets(report) == {"a/": everyone, "alone/": {}, "pt/a/": everyone}
    assert report.origins == {
        f"{BASE}{path}": {"alternates": "translation key"} for path in everyone.values()
    }


def test_hl3_one_language_is_for_all_other_readers(site: Site) -> None:
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
    (issue,) = [p for p in report.issues if p.rule.id == "hreflang-code"]
    assert "'el'" in issue.message


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


def test_the_index_of_the_other_build_may_have_any_name_and_list_itself(site: Site) -> None:
    german = "https://example.org/de/docs/"
    folder = site.folder / "de"
    options = read_options({"filename": "über.xml", "max_urls": 1}, where="test", base_url=german)
    build([Page("a/1/"), Page("b/1/")], options, folder)
    index = folder / "über.xml"
    itself = f"<sitemap><loc>{german}%C3%BCber.xml</loc></sitemap>"
    index.write_text(index.read_text().replace("</sitemapindex>", f"{itself}</sitemapindex>"))
    other = {"base_url": german, "pages": str(index)}
    report = site.build(Page("a/1/"), Page("c/1/"), languages={"en": BASE, "de": other})
    assert sets(report) == {"a/1/": {"de": f"{german}a/1/", "en": "a/1/"}, "c/1/": {}}


@pytest.mark.parametrize("nonsense", ["<loc>" + " " * 4_000, "<loc>" * 40_000, "<loc>\n</loc>"])
def test_nonsense_in_the_place_of_the_other_builds_sitemap_is_read_at_once(
    site: Site, nonsense: str
) -> None:
    other = site.folder / "de.xml"
    other.write_text(nonsense)
    languages = {"en": BASE, "de": {"base_url": f"{BASE}de/", "pages": str(other)}}
    start = process_time()
    assert sets(site.build(Page("a/"), languages=languages)) == {"a/": {}}
    assert process_time() - start < 5


def test_a_page_that_no_other_build_has_gets_no_origin_of_versions(site: Site) -> None:
    other = site.folder / "de.json"
    other.write_text('{"listed": []}')
    languages = {"en": BASE, "de": {"base_url": f"{BASE}de/", "pages": str(other)}}
    assert site.build(Page("a/"), languages=languages).origins == {}


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


CODES = ("de", "en", "es", "fr", "it")
PATHS = {code: f"{BASE}{code}/a/" for code in CODES}


def test_a_second_page_in_a_language_costs_the_links_of_that_language_alone(site: Site) -> None:
    pages = [Page(PATHS[code], lang=code, translation_key="a") for code in CODES]
    report = site.build(*pages, Page("it/b/", lang="it", translation_key="a"))
    whole = {code: f"{code}/a/" for code in CODES[:-1]}
    none: dict[str, dict[str, str]] = {"it/a/": {}, "it/b/": {}}
    assert sets(report) == {**dict.fromkeys(whole.values(), whole), **none}
    assert site.warnings(report) == ["hreflang-twice"]


def revised(site: Site, change: OnEntry) -> Report:
    pages = [Page(f"{lang}/a/", lang=lang, translation_key="a") for lang in ("de", "en", "fr")]
    settings = read_options({"x_default": "en"}, where="test", base_url=BASE)
    return build(pages, settings, site.folder, on_entry=change)


def test_a_version_that_a_handler_leaves_out_is_left_out_of_all_sets(site: Site) -> None:
    report = revised(site, lambda page, entry: None if page.lang == "en" else entry)
    both = {"de": "de/a/", "fr": "fr/a/"}
    assert sets(report) == {"de/a/": both, "fr/a/": both}


def test_a_page_whose_set_a_handler_removes_is_reported_and_left_out_of_sets(site: Site) -> None:
    def change(page: Page, entry: Entry) -> Entry:
        if page.lang == "en":
            entry.alternates = ()
        return entry

    report = revised(site, change)
    both = {"de": "de/a/", "fr": "fr/a/"}
    assert sets(report) == {"de/a/": both, "en/a/": {}, "fr/a/": both}
    assert site.warnings(report) == ["hreflang-not-reciprocal"]


PEERS_CASES = {
    "the language twice in the path": {"en": "en/guide/", "de": "de/guide/"},
    "a script": {"en": "a/", "zh-Hans": "zh-hans/a/", "zh-Hant": "zh-hant/a/"},
    "a language of three letters": {"en": "a/", "fil": "fil/a/"},
    "names that are not each other's": {"en": "about/", "de": "de/ueber-uns/"},
}


@pytest.mark.parametrize("versions", PEERS_CASES.values(), ids=PEERS_CASES)
def test_what_other_tools_lose_is_kept(site: Site, versions: dict[str, str]) -> None:
    """`/en/en`, lost x-default, lost self, dropped zh-Hans: defects of other tools."""
    pages = [Page(url, lang=lang, translation_key="key") for lang, url in versions.items()]
    report = site.build(*pages, x_default="en")
    whole = {**versions, "x-default": versions["en"]}
    assert sets(report) == dict.fromkeys(versions.values(), whole)


def test_hl2_a_set_with_versions_on_other_hosts_keeps_their_whole_addresses(site: Site) -> None:
    languages = {"en": BASE, "de": "https://example.de/", "pt_BR": "https://br.example/docs/"}
    report = site.build(Page("a b/"), languages=languages, x_default="en")
    assert sets(report)["a%20b/"] == {
        "de": "https://example.de/a%20b/",
        "en": "a%20b/",
        "pt-BR": "https://br.example/docs/a%20b/",
        "x-default": "a%20b/",
    }


def test_two_hundred_pages_in_ten_languages_are_paired_by_key(site: Site) -> None:
    langs = ["en", "de", "fr", "es", "it", "pt", "ja", "zh", "ko", "ru"]
    pages = [
        Page(f"{lang}/{n}/", lang=lang, translation_key=str(n))
        for n in range(200)
        for lang in langs
    ]
    assert {len(each) for each in sets(site.build(*pages)).values()} == {10}


@pytest.mark.parametrize(
    ("x_default", "told"),
    [
        ("de", []),
        ("en-GB", ["It is 'en-GB'; the pages are in 'de', 'en'."]),
        ("fr", ["It is 'fr'; the pages are in 'de', 'en'."]),
        ("", []),
    ],
)
def test_a_language_for_all_other_readers_that_no_page_has_is_named(
    site: Site, x_default: str, told: list[str]
) -> None:
    pages = [Page(f"{lang}/", lang=lang, translation_key="tea") for lang in ("en", "de")]
    report = site.build(*pages, Page("alone/"), x_default=x_default)
    found = [each for each in report.issues if each.rule.id == "x-default-unused"]
    assert [each.detail for each in found] == told
    assert {(each.where, each.severity) for each in found} <= {("test, x_default", "note")}


def test_a_site_without_translations_is_told_nothing_about_x_default(site: Site) -> None:
    report = site.build(Page("a/", lang="en"), x_default="fr")
    assert "x-default-unused" not in {each.rule.id for each in report.issues}
