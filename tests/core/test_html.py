"""Facts read from the head of a rendered page."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitemapkit.html import facts, head_text, parse_head, read_head
from sitemapkit.model import Head


def head_of(*elements: str) -> Head:
    return parse_head(f"<!doctype html><html><head>{''.join(elements)}</head><body></body></html>")


@pytest.mark.parametrize(
    "element",
    [
        '<meta name="robots" content="noindex">',
        "<META NAME=ROBOTS CONTENT=NOINDEX>",
        "<meta content='nofollow, NoIndex' name='Robots'>",
        '<meta name="robots" content="none"/>',
        '<meta name="googlebot" content="noindex">',
        '<meta name=" bingbot " content="follow noindex">',
        '<meta name="robots" content="no&#105;ndex">',
    ],
)
def test_noindex_is_seen_in_any_spelling(element: str) -> None:
    assert head_of(element).noindex


@pytest.mark.parametrize(
    "element",
    [
        '<meta name="robots" content="index, follow">',
        '<meta name="robots" content="max-snippet:-1, noimageindex">',
        '<meta name="description" content="About robots, noindex and canonical links">',
        '<!-- <meta name="robots" content="noindex"> -->',
        '<script>var x = \'<meta name="robots" content="noindex">\'</script>',
        "<title><meta name=robots content=noindex></title>",
        '<link name="robots" content="noindex">',
    ],
)
def test_what_only_looks_like_noindex_is_none(element: str) -> None:
    assert not head_of(element).noindex


def test_the_canonical_link_is_read_as_written() -> None:
    assert head_of('<link rel="Canonical" href="../x/?a=1&amp;b=2">').canonical == "../x/?a=1&b=2"


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=../new/", "../new/"),
        ("0;URL='https://example.org/'", "https://example.org/"),
        ("5, /there", "/there"),
        ("60;url=/a,b/?c;d", "/a,b/?c;d"),
        ("30", None),
    ],
)
def test_a_refresh_leads_somewhere_or_only_reloads(content: str, target: str | None) -> None:
    assert head_of(f'<meta http-equiv="Refresh" content="{content}">').refresh == target


def test_what_the_body_says_does_not_count() -> None:
    html = "<html><head></head><body><meta name=robots content=noindex></body></html>"
    assert parse_head(html) == Head()


def test_a_head_longer_than_one_read_is_read_to_its_end(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    filler = "<style>p { color: red }</style>" * 3000
    page.write_text(f"<html><head>{filler}<meta name=robots content=none></head><body>")
    assert read_head(page).noindex


@pytest.mark.parametrize("filling", [10, 10_000, 100_000])
@pytest.mark.parametrize(
    "naming",
    [
        '<meta name="description" content="Put it before the </head> tag, not after <body>">',
        '<script type="application/ld+json">{"description": "Before </head>!"}</script>',
        '<script>write("</HEAD>", "</head>")</script>',
    ],
)
def test_a_head_may_name_its_own_end(tmp_path: Path, naming: str, filling: int) -> None:
    file = tmp_path / "a.html"
    code = f"<script>{'x' * filling}</script>"
    robots = '<meta name="robots" content="noindex">'
    html = f"<html><head>{naming}{code}{robots}\n </head><body></body></html>"
    file.write_text(html)
    assert read_head(file).noindex
    assert parse_head(head_text(html)).noindex


def test_a_page_without_head_or_end_says_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>bare")
    assert read_head(page) == Head()


@pytest.mark.parametrize(
    "nonsense",
    ["<div>", "<!-- ", "<", '<meta a="', "<SCRIPT>", "<style>", "<img ' ", "</", "<a><b>"],
)
def test_nonsense_of_ten_megabytes_is_read_within_bounds(nonsense: str) -> None:
    assert parse_head(nonsense * (10_000_000 // len(nonsense))) == Head()


def test_a_tag_of_many_attributes_is_read_within_bounds() -> None:
    attributes = " ".join(f"a{number}=x" for number in range(200_000))
    assert parse_head(f"<html><head><meta {attributes} name=robots content=none>") == Head()


PIECES = [
    '<link rel="canonical" href="https://example.org/a/">',
    '<link rel="canonical" href="https://example.org/b/" />',
    '<link rel="canonical" href="/a/?b=1&amp;c=2">',
    "<link href=/minified/ rel=canonical>",
    '<meta name="robots" content="noindex">',
    '<meta http-equiv="refresh" content="0; url=/new/">',
    '<meta http-equiv="X-UA-Compatible" content="IE=edge">',
    "<title>Title</title>",
    "<!-- ",
    " -->",
    "<script>",
    "</script>",
    "<noscript>",
    "</noscript>",
    "<body>",
]


@given(st.lists(st.sampled_from(PIECES), max_size=6))
def test_a_plain_head_says_what_a_browser_reads_in_it(pieces: list[str]) -> None:
    head = "".join(pieces)
    before_the_body = head.partition("<body>")[0]
    elements = LexborHTMLParser(before_the_body).css("head meta, head link")
    expected = facts((element.tag or "", element.attributes) for element in elements)
    assert parse_head(head) == parse_head(head.encode()) == expected
