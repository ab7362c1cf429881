"""Remarks of a build of a finished site that a check of it makes, too."""

from __future__ import annotations

from datetime import date

import pytest

from sitemapkit import Entry
from sitemapkit_tools.checks.robots import is_preview_host
from sitemapkit_tools.checks.written import check_listed

BASE = "https://example.org/"


def said(*entries: Entry) -> list[tuple[str, str, str]]:
    return [(each.rule.id, each.where, each.detail) for each in check_listed(entries)]


def test_a_visitors_session_in_a_url_is_told_once() -> None:
    urls = [f"{BASE}a/?x=1&PHPSESSID=1", f"{BASE}b/?sid=2", f"{BASE}c/?side=3"]
    assert said(*map(Entry, urls)) == [("session-id", urls[0], "1 more like this.")]


def test_l11_a_parameter_that_looks_like_an_html_entity_is_told() -> None:
    url = f"{BASE}?a=1&copy=2"
    assert said(Entry(url), Entry(f"{BASE}?a=1&b=2")) == [("entity-parameter", url, "")]


def test_lm6_a_date_before_the_web_is_told() -> None:
    old, first = Entry(f"{BASE}a/", date(1989, 12, 31)), Entry(f"{BASE}b/", date(1990, 1, 1))
    assert said(old, first, Entry(f"{BASE}c/")) == [("old-date", f"{BASE}a/", "")]


@pytest.mark.parametrize(
    ("host", "is_preview"),
    [
        ("Branch--Tea.netlify.app", True),
        ("1.tea.pages.dev", True),
        ("tea-git-main-a.vercel.app", True),
        ("tea.netlify.app", False),
        ("tea.pages.dev", False),
    ],
)
def test_a_host_is_a_preview_by_its_name(host: str, is_preview: bool) -> None:
    assert is_preview_host(host) is is_preview
