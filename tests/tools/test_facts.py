"""What a page says of itself, found without parsing it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sitemapkit.extensions.alternates import Alternate
from sitemapkit_tools.site.facts import page_facts

NOINDEX = '<meta name="robots" content="noindex">'


def page(head: str, lang: str = "en") -> bytes:
    html = f'<!doctype html><html lang="{lang}"><head>{head}</head><body><p>Text</body></html>'
    return html.encode()


def test_a_page_says_many_things() -> None:
    said = page_facts(
        page(
            "<title>\n Tea &amp; <b>more</b> </title>"
            '<link rel="canonical" href="/tea/?a=1&amp;b=2">'
            '<link rel="alternate" hreflang="de" href="/de/tee/">'
            '<link rel="alternate" type="application/atom+xml" href="/feed">'
            '<meta property="article:modified_time" content="2024-05-06T07:08:09Z">'
            '<meta property="article:published_time" content="2024-05-01">' + NOINDEX,
            lang="en-GB",
        )
    )
    assert said.title == "Tea & <b>more</b>"
    assert said.lang == "en-GB"
    assert said.alternates == (Alternate("de", "/de/tee/"),)
    assert said.head.canonical == "/tea/?a=1&b=2"
    assert said.head.noindex
    assert said.modified == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert said.published == date(2024, 5, 1)


@pytest.mark.parametrize(
    "head",
    [
        NOINDEX.upper(),
        "<meta name=robots content=noindex>",
        "<meta content='noindex' name='robots'/>",
        '<meta\nname = "robots"\n\tcontent\n=\n"noindex"\n>',
        '<meta name="robots" name="other" content="noindex" content="index">',
        '<meta data-x="a > b < c" name="robots" content="noindex">',
        '<meta data-x="<title>" name="robots" content="noindex">',
        f"<!-- comment --->{NOINDEX}",
        f"<!-->{NOINDEX}",
        f"<!--\n<meta>\n-->{NOINDEX}",
        f"<script>if (a < b) {{ '</p>' }}</script>{NOINDEX}",
        f"<SCRIPT>x</Script >{NOINDEX}",
        f"<style>a<b{{}}</style>{NOINDEX}",
        f"<title>a < b</title>{NOINDEX}",
        f"<noscript><img></noscript>{NOINDEX}",
        f"< meta>{NOINDEX}",
        f"<link-card canonical>{NOINDEX}",
        f"<template><title>no</title></template>{NOINDEX}",
    ],
)
def test_what_a_browser_takes_for_an_element_is_one(head: str) -> None:
    assert page_facts(page(head)).head.noindex


@pytest.mark.parametrize(
    "head",
    [
        f"<!-- {NOINDEX} -->",
        f"<!-- {NOINDEX}",
        f"<script>'{NOINDEX}'</script>",
        f"<style>{NOINDEX}</style>",
        f"<title>{NOINDEX}</title>",
        f"<template>{NOINDEX}</template>",
        f"<noscript>{NOINDEX}</noscript>",
        f"<script>{NOINDEX}",
        f"<meta name=description content='{NOINDEX}'>",
        "</meta name=robots content=noindex>",
        "<metal name=robots content=noindex>",
        '<meta name="robots" content="noindex',
    ],
)
def test_what_a_browser_takes_for_no_element_is_none(head: str) -> None:
    assert not page_facts(page(head)).head.noindex


def test_the_first_title_counts() -> None:
    head = "<title>One</title><svg><title>Two</title></svg>"
    assert page_facts(page(head)).title == "One"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<time itemprop="dateModified" datetime="2024-05-06">', date(2024, 5, 6)),
        ('{"dateModified":"2024-05-06T07:08:09Z"}', datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ('{"dateModified" : "2024-05-06"} {"dateModified": "2024-05-06"}', date(2024, 5, 6)),
        ('{"dateModified": "2024-05-06"} {"dateModified": "2024-05-07"}', None),
        ('{"dateModified": "last week"}', None),
        ('{"dateModified": "2024-02-30"}', None),
        ("dateModified", None),
    ],
)
def test_a_date_in_the_body_counts_if_it_is_the_only_one(html: str, expected: date | None) -> None:
    assert page_facts(page("") + html.encode()).modified == expected
