"""What a page says of itself, found without parsing it."""

from __future__ import annotations

import random
import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitemapkit.extensions.alternates import Alternate
from sitemapkit.html import elements as all_elements
from sitemapkit.html import facts, head_of, parse_head, read_head
from sitemapkit_tools.site.facts import page_facts

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapkit.model import Head

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


TEXT = st.text("ab <>&;=/'\"!-\n", max_size=8)
NAMES = st.sampled_from(["name", "content", "rel", "href", "hreflang", "property", "http-equiv"])
VALUES = st.sampled_from(
    ["robots", "noindex", "canonical", "/a/?b=1&amp;c=2", "alternate", "de", "refresh", "0;url=/x"]
)


@st.composite
def elements(draw: st.DrawFn) -> str:
    """Markup as generators write it, in all its spellings."""
    name = draw(st.sampled_from(["meta", "META", "link", "Link"]))
    attributes = draw(st.lists(st.tuples(NAMES, VALUES), max_size=4))
    quote = draw(st.sampled_from(['"', "'"]))
    space = draw(st.sampled_from([" ", "\n", "  "]))
    text = "".join(f"{space}{key}={quote}{value}{quote}" for key, value in attributes)
    return f"<{name}{text}{draw(st.sampled_from(['', '/', ' /']))}>"


@st.composite
def others(draw: st.DrawFn) -> str:
    """What stands between them."""
    text = draw(TEXT).replace("<", "").replace("-", "")
    return draw(
        st.sampled_from(
            [
                "\n",
                f"<!--{text}-->",
                f"<script>{text}</script>",
                f"<style>{text}</style>",
                f"<title>{text}</title>",
                "<base>",
            ]
        )
    )


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(st.lists(st.one_of(elements(), others()), max_size=8))
def test_a_head_is_read_as_a_browser_reads_it(parts: list[str]) -> None:
    head = f"<html><head>{''.join(parts)}".encode()
    tree = LexborHTMLParser(head)
    parsed = [
        (node.tag or "", {name: value or "" for name, value in node.attributes.items()}, "")
        for node in tree.css("meta, link")
    ]
    title = tree.css_first("title")
    found = page_facts(head)
    assert found.head == facts(parsed)
    assert found.title == (" ".join(title.text().split()) if title else "")


LINK = '<link rel="canonical" href="/a/">'
ORDINARY = [
    *(
        "<!doctype html>",
        "<html lang=en>",
        '<html lang="en" class="x">',
        "<head>",
        "\n",
        '<meta charset="utf-8">',
        "<base href=x>",
        "<!-- Made by - somebody -->",
    ),
    *("<title>A</title>", "<script src='x'></script>", "<style>a{}</style>", LINK, LINK, LINK),
    *('<meta name="description" content="It\'s a "quoted" word">', "<link rel=icon href=x>"),
]
AWKWARD = """
    <link_rel='canonical'_href='/a/'> <link_rel="canonical"_href="/b/?c&copy=1&amp;d"_/>
    <LINK_REL="CANONICAL"_HREF="/c/"> <link_rel="can&#111;nical"_href="/d/">
    <link_rel="canonical"_rel="icon"_href="/e/"_href> <link_rel="canonical_icon"_href="_/f_">
    <link_rel="canonical"_href="/é&#xD8;/"> <link_rel="canonical"_href="/g>/"> <link_rel=canonical>
    <meta_name="robots"_content="noindex"> <meta_content=NONE_name=GoogleBot>
    <meta_name="r&#x6F;bots"_content="n&#111ne"> <meta_name='robots'_content='noindex_'/>
    <meta_name="robots"_content="index"> <meta_http-equiv="refresh"_content="0;_url=/g/">
    <meta_http-equiv=Refresh_content="9"> <meta_content="</head>"> <link-card> <metadata> <link/>
    </head> </HEAD_> <body> <body_class=' </body> <header> </header> <html> <html_lang=de>
    <html_lang="d-E"_class="_><meta_x="> <html_lang="de> <html_lang=""> <html_lang="&#100;e">
    <title> </title> <title>A_</head></title> <title-card> <textarea> </textarea> <script> </script>
    <script>'<_b'</script> <style> </style> <noscript> </noscript> <noscript><img></noscript>
    <template> </template> <template><template> <iframe> <svg> </svg> <div> <div_title=' content="
    <!-- --> <!--> <!---> ---> --!> <!--_canonical_--> <!--_<link_rel="canonical"_href="/h/">_-->
    <!DOCTYPE_html_PUBLIC_"-//W3C"> <!doctype_'> <![CDATA[ ]]> <? </_ =' ="a=" = ' " > < / _
    <meta_="a="b_c> <meta_a="=_b> <meta_a=b="c> <meta_a_=_'b>'> <meta_"x"_y="z"w> <meta_a="b>
    <meta_a='b>'>
    text & &#39; canonical noindex robots refresh \0 \xa0 İK
"""
PIECES = ["\n", *(piece.replace("_", " ") for piece in re.split("[ \n]+", AWKWARD))]


def assert_all_agree(html: str) -> Head:
    """Compare what builds read, what tools read, and all elements without any short cut."""
    data = html.encode()
    whole = facts(all_elements(head_of(data).decode("utf-8", "replace"), ""))
    assert parse_head(data) == whole, html
    assert parse_head(html) == whole, html
    assert page_facts(data).head == whole, html
    end = re.search(rb"(?i)>\s*(?=<(?:/head|body)[\s/>])", data)
    if len(data) < 64 * 1024:
        assert head_of(html) == head_of(data) == data[: end and end.end()], html
    return whole


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(st.lists(st.one_of(st.sampled_from([*ORDINARY, *PIECES]), TEXT), max_size=12))
def test_builds_and_tools_agree_about_any_head(pieces: list[str]) -> None:
    assert_all_agree("".join(pieces))


@pytest.mark.slow
def test_builds_and_tools_agree_about_20_000_heads() -> None:
    chance = random.Random(0)  # noqa: S311 - no secret
    for _ in range(20_000):
        few = [*ORDINARY, *chance.sample(PIECES, 5)]
        assert_all_agree("".join(chance.choices(few, k=chance.randint(1, 16))))


@pytest.mark.parametrize("size", [8_000, 70_000, 600_000])
@pytest.mark.parametrize("filling", ["<!-- {} -->", "<style>{}</style>", "<p>{}</p>", "é{}"])
def test_builds_and_tools_agree_about_long_heads(filling: str, size: int, tmp_path: Path) -> None:
    file, filler = tmp_path / "page.html", filling.format("x" * size)
    for parts in (
        ("<head>", filler, NOINDEX),
        ("<head>", NOINDEX, filler),
        (filler, "<p>", NOINDEX),
    ):
        for end in ("</head><body>", "<BODY></head>"):
            file.write_text("".join(parts) + end, "utf-8")
            assert read_head(file) == assert_all_agree("".join(parts) + end)
