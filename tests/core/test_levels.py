"""Levels and words of messages: warnings are for what users must act on, in their own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit import OptionError, Page, Reason, build, read_options
from sitemapkit.model import Head

if TYPE_CHECKING:
    from .conftest import Site

BASE = "https://example.org/docs/"
NOINDEX = '<meta name="robots" content="noindex">'


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:80", "0.0.0.0:8000"])
def test_addresses_of_this_machine_are_said(site: Site, host: str) -> None:
    settings = read_options({}, where="x", base_setting="SITEURL", base_url=f"http://{host}/")
    (issue,) = build([Page("a/")], settings, site.folder).issues
    assert (issue.rule.id, issue.severity, issue.where) == ("local-base-url", "note", "SITEURL")


def test_a_preview_may_have_addresses_of_this_machine(site: Site) -> None:
    settings = read_options({"robots": False}, where="x", base_url="http://127.0.0.1:8000/")
    assert build([Page("a/")], settings, site.folder).issues == []


REPOSITORIES = {
    "https://github.com/Ann/tea/": "https://ann.github.io/tea/",
    "http://www.github.com/ann/tea.git/docs/": "https://ann.github.io/tea/",
    "https://github.com/ann/ann.github.io/": "https://ann.github.io/",
    "https://gitlab.com/ann/tea/": "https://ann.gitlab.io/tea/",
    "https://codeberg.org/ann/tea/": "https://ann.codeberg.page/tea/",
    "https://bitbucket.org/ann/tea/": "",
}


@pytest.mark.parametrize("base", REPOSITORIES)
def test_the_address_of_a_repository_is_said_with_that_of_its_site(site: Site, base: str) -> None:
    settings = read_options({}, where="x", base_setting="site_url in mkdocs.yml", base_url=base)
    issues = build([Page("a/")], settings, site.folder).issues
    (issue,) = [each for each in issues if each.rule.id == "repository-base-url"]
    assert (issue.severity, issue.where) == ("warning", "site_url in mkdocs.yml")
    right = REPOSITORIES[base]
    assert issue.detail == f"It is {base}." + (f" Did you mean {right}?" if right else "")


@pytest.mark.parametrize(
    "base",
    [
        *("https://ann.github.io/tea/", "https://github.com/", "https://docs.github.com/en/rest/"),
        *("https://example.org/github.com/ann/tea/", "https://github.com.example/ann/tea/"),
    ],
)
def test_other_addresses_are_not_those_of_repositories(site: Site, base: str) -> None:
    issues = build([Page("a/")], read_options({}, where="x", base_url=base), site.folder).issues
    assert not [each for each in issues if each.rule.id == "repository-base-url"]


def home_said(site: Site, *pages: Page, **options: Any) -> tuple[str, str, str] | None:
    report = site.build(*pages, lastmod=False, **options)
    found = [each for each in report.issues if each.rule.id == "home-not-listed"]
    if not found:
        return None
    assert found[0].detail.startswith("Reason: ")
    return found[0].severity, found[0].where, found[0].detail.removeprefix("Reason: ")


@pytest.mark.parametrize("home", ["", "index.html"])
def test_a_home_page_that_is_left_out_is_said(site: Site, home: str) -> None:
    other, name = site.page("a/"), home or "/"
    hidden = site.page(home, excluded=Reason.HIDDEN)
    assert home_said(site, other, hidden) == ("note", name, "hidden.")
    by_page = site.page(home, meta={"sitemap": False})
    assert home_said(site, other, by_page) == ("note", name, "excluded by its metadata: sitemap.")
    assert home_said(site, other, site.page(home, kind="static")) == ("note", name, "static file.")


@pytest.mark.parametrize("pattern", ["*.html", "i*", "**/*.html", "inde?.htm[l]", "/*.htm*"])
def test_a_pattern_that_leaves_out_the_home_page_by_chance_is_a_warning(
    site: Site, pattern: str
) -> None:
    pages = (site.page(""), site.page("a/"), site.page("blog/a/"))
    why = f"excluded by an option: exclude {pattern!r}."
    assert home_said(site, *pages, exclude=[pattern]) == ("warning", "/", why)
    rule = [{"match": pattern, "exclude": True}]
    why = f"excluded by an option: rule {pattern}."
    assert home_said(site, *pages, rules=rule) == ("warning", "/", why)


@pytest.mark.parametrize("patterns", [["/"], ["index.html"], ["*", "!blog/**"], ["/*", "!/blog/"]])
def test_patterns_that_mean_the_home_page_leave_a_note(site: Site, patterns: list[str]) -> None:
    pages = (site.page(""), site.page("blog/a/"))
    found = home_said(site, *pages, exclude=patterns)
    assert found
    assert found[0] == "note"
    assert repr(patterns[0]) in found[2]


def test_a_home_page_that_leads_elsewhere_or_is_listed_is_not_said(site: Site) -> None:
    refresh = '<meta http-equiv="refresh" content="0; url=en/">'
    assert home_said(site, site.page("", refresh), site.page("en/")) is None
    canonical = f'<link rel="canonical" href="{BASE}en/">'
    assert home_said(site, site.page("", canonical), site.page("en/")) is None
    assert home_said(site, site.page(""), site.page("a/"), exclude="a/") is None
    assert home_said(site, site.page("index.html"), site.page("a/", NOINDEX)) is None
    assert home_said(site, site.page("", NOINDEX)) is None  # no page at all is another remark


def test_a_page_that_only_its_metadata_hides_is_said(site: Site) -> None:
    hidden = {"robots": "noindex"}
    report = site.build(
        site.page("a/"),
        site.page("b/", meta=hidden),
        site.page("c/", NOINDEX, meta=hidden),
        site.page("d/", meta={"sitemap": False}),
        Page("e/", meta=hidden, head=Head()),
        lastmod=False,
    )
    (issue,) = [each for each in report.issues if each.rule.id == "noindex-not-rendered"]
    assert (issue.severity, issue.where, issue.detail) == ("note", "b/", "")


def test_the_summary_counts_the_reasons(site: Site) -> None:
    report = site.build(
        site.page("a/"),
        site.page("b/", NOINDEX),
        site.page("c/", meta={"sitemap": False}),
        site.page("d/", NOINDEX),
        site.page("e/", excluded=Reason.PAGINATION),
        exclude="f/",
    )
    file = site.folder / "sitemap.xml"
    assert report.summary() == (
        f"1 page listed in {file}, 4 not listed (2 noindex, 1 excluded, 1 pagination); no dates"
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rules": {"a": 1}}, "'sitemap_rules' is {'a': 1}. Allowed: a list of {match"),
        ({"exclude": 3}, "'sitemap_exclude' is 3. Allowed: gitignore-style patterns"),
        ({"stylesheet": "yes"}, "'sitemap_stylesheet' is 'yes'; it must be true or false."),
        (
            {"robots": True},
            "'sitemap_robots' is True: write auto, or leave it out. Allowed: auto, append (only",
        ),
    ],
)
def test_types_and_options_are_named_in_the_words_of_the_user(
    given: dict[str, Any], said: str
) -> None:
    with pytest.raises(OptionError) as caught:
        read_options(given, where="conf.py", prefix="sitemap_")
    assert said in str(caught.value)


def test_one_value_stands_for_a_list_of_it() -> None:
    options = read_options({"formats": "gz", "lastmod": "git"}, where="x")
    assert (options.formats, options.lastmod) == (("gz",), ("git",))
    assert read_options({"lastmod": "auto"}, where="x").lastmod == "auto"
