"""URLs of entries: in normal form, however they are spelled, or reported and left out."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemapkit.entry_urls import with_valid_loc
from sitemapkit.errors import UrlError
from sitemapkit.model import Entry
from sitemapkit.options import read_options
from sitemapkit.report import Report
from sitemapkit.urls import normalize
from sitemapkit.xmltext import escaped_url

BASE = "https://example.org/docs/"

characters = st.one_of(
    st.sampled_from("az09-._~!$&'()*+,;=:@/?%#[]{}|\\^`\"<> \n\r\t\x00\x7f\x80é日\ud800\ufffe🌞"),
    st.sampled_from(["/../", "/./", "/..", "%20", "%zz", "%e", "%C3%A9", "&amp;", "http://"]),
)
tails = st.lists(characters, max_size=12).map("".join)
starts = st.sampled_from(
    [
        *(BASE, BASE, BASE, BASE, "https://example.org/", "https://example.org"),
        *("HTTPS://EXAMPLE.org/", "//example.org/", "ftp://example.org/", "", "https:"),
        *("https://example.org:443/", "http://example.org:99999/", "https://u:p@example.org/"),
        *("https://bücher.example/", "https://example.org?", "https://[::1]:8080/"),
        *("https://exa mple.org/", " " + BASE, "https://a..b/", "https://a-_b.c./", "https://.a/"),
    ]
)
urls = st.builds(str.__add__, starts, tails)


def normal(url: str, encoding: str) -> str:
    try:
        return normalize(url, encoding=encoding)
    except UrlError:
        return ""


def loc(url: str) -> tuple[str, list[tuple[str, str, str]]]:
    report = Report()
    entry = Entry(url, priority=0.5)
    valid = with_valid_loc(entry, read_options({}, where="test", base_url=BASE), report)
    assert valid in (None, Entry(valid.loc if valid else "", priority=0.5))
    return valid.loc if valid else "", [
        (each.rule.id, each.where, each.detail) for each in report.issues
    ]


@given(urls, st.sampled_from(["utf-8", "euc-jp", "latin-1", "gb18030"]))
@example(f"{BASE}a.b/c..d/?e=/../.f", "utf-8")
def test_a_url_that_is_taken_as_it_is_is_one_that_nothing_would_change(
    url: str, encoding: str
) -> None:
    examined = f" {url}"  # a space before it is no part of a URL, and keeps it from the short way
    assert normal(url, encoding) == normal(examined, encoding)


@given(st.integers(2030, 2060), st.booleans())
def test_a_url_has_at_most_2047_characters_whichever_way_it_goes(
    length: int, encoded: bool
) -> None:
    url = BASE + ("é" if encoded else "e").ljust(length - len(BASE), "x")
    escaped = url.replace("é", "%C3%A9")
    assert normal(url, "utf-8") == (escaped if len(escaped) <= 2047 else "")


@given(urls)
def test_a_url_in_xml_is_the_same_url_escaped(url: str) -> None:
    valid = normal(url, "utf-8")
    text = escaped_url(valid)
    assert text.replace("&apos;", "'").replace("&amp;", "&") == valid
    assert not set(text) & set("<>\"'\n")


@pytest.mark.parametrize(
    ("url", "valid", "issues"),
    [
        (f"{BASE}a/", f"{BASE}a/", []),
        ("HTTPS://example.org:443/docs/é", f"{BASE}%C3%A9", []),
        (
            "ftp://a/",
            "",
            [("bad-url", "loc", "'ftp://a/' is not an absolute http or https URL.")],
        ),
        (
            "https://example.com/c/",
            "",
            [("outside-base", "loc", f"https://example.com/c/ is not below {BASE}.")],
        ),
    ],
)
def test_a_page_is_listed_below_the_base_url_or_reported(
    url: str, valid: str, issues: list[tuple[str, str, str]]
) -> None:
    assert loc(url) == (valid, issues)
