"""Levels and words of messages: warnings are for what users must act on, in their own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit import OptionError, Page, Reason, build, read_options
from sitemapkit.model import Head

if TYPE_CHECKING:
    from .conftest import Site

NOINDEX = '<meta name="robots" content="noindex">'


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:80", "0.0.0.0:8000"])
def test_addresses_of_this_machine_are_said(site: Site, host: str) -> None:
    settings = read_options({}, where="x", base_setting="SITEURL", base_url=f"http://{host}/")
    (issue,) = build([Page("a/")], settings, site.folder).issues
    assert (issue.rule.id, issue.severity, issue.where) == ("local-base-url", "note", "SITEURL")


def test_a_preview_may_have_addresses_of_this_machine(site: Site) -> None:
    settings = read_options({"robots": False}, where="x", base_url="http://127.0.0.1:8000/")
    assert build([Page("a/")], settings, site.folder).issues == []


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
        ({"robots": True}, "'sitemap_robots' is True. Allowed: auto, append, write"),
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
