"""Facts read from the head of a rendered page."""

import sys
import time
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitemapkit.content import main_content
from sitemapkit.html import (
    facts,
    parse_head,
    parse_html,
    read_head,
    stated_lang,
)
from sitemapkit.model import Head
from sitemapkit.xmltext import locs, unescaped


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
        ("0 url=/other/", "/other/"),
        (" .5 ,\n 'a;b' c", "a;b"),
        ("30", None),
        ("5s; url=/a/", None),
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
    assert parse_head(html).noindex


def test_a_page_without_head_or_end_says_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>bare")
    assert read_head(page) == Head()


@pytest.mark.parametrize(
    "nonsense",
    [
        *("<div>", "<!-- ", "<", '<meta a="', "<SCRIPT>", "<style>", "<img ' ", "</", "<a><b>"),
        *("<a", "<meta a", "<link canonical =", "<title ", "<!--<!", "<template>", "refresh<x ="),
        *("> ", ">\n<", "canonical<link ", "&#x41;<meta content='&#", "<link canonical=&#9"),
    ],
)
def test_nonsense_of_ten_megabytes_is_read_within_bounds(nonsense: str) -> None:
    assert parse_head(nonsense * (10_000_000 // len(nonsense))) == Head()


@pytest.mark.parametrize(
    "plain", ["<meta>", '<meta a="b">', "<title></title>", "<!-- - -->", "x<base>", '<link a="b" ']
)
def test_a_canonical_link_after_60_kilobytes_of_plain_markup_is_read_in_linear_time(
    plain: str,
) -> None:
    head = plain * (60_000 // len(plain))
    start = time.process_time()
    assert parse_head(f"{head}><link rel='canonical' href='/a/'>") == Head(canonical="/a/")
    assert parse_head(f'{head}><link rel="canonical" href="/a/">') == Head(canonical="/a/")
    assert time.process_time() - start < 5


def test_a_tag_of_many_attributes_is_read_within_bounds() -> None:
    attributes = " ".join(f"a{number}=x" for number in range(200_000))
    assert parse_head(f"<html><head><meta {attributes} name=robots content=none>") == Head()


LINK = '<link rel="canonical" href="/a/">'
ROBOTS = '<meta name="robots" content="noindex">'


@pytest.mark.parametrize(
    "before",
    [
        '<noscript><img src="/pixel"></noscript>',
        '<noscript><iframe src="/tag"></iframe></noscript>',
        "<div>Menu</div>",
        "Bare text",
        "<title>a < b</title> & text",
        "<p><table><tr><td>",
        "<template><template></template></template>",
        "<!-- > --><!--><!--->",
        "<![CDATA[ ]]>",
        "<link-card canonical><metadata>",
        "< meta></ ></p>",
        '<meta name="description" content="A "quoted" <word>">',
        "<meta name=description content=Don't>",
        "<script>a < b</script >",
    ],
)
def test_what_comes_before_changes_nothing(before: str) -> None:
    assert head_of(before, LINK, ROBOTS) == head_of(LINK, ROBOTS, before) == Head(True, "/a/")
    assert head_of(before, LINK) == Head(canonical="/a/")


@pytest.mark.parametrize(
    "around",
    [
        *("<!--{}-->", "<!-- {}", "<!-- -- > {} --!>", "<!bogus '{}", "</ {}", "<?pi {}"),
        *("<script>{}</script>", "<style>{}</style>", "<script>{}", "<SCRIPT>'</script'{}"),
        *("<title>{}</title>", "<textarea>{}</textarea>", "<noscript>{}</noscript>"),
        "<noscript><img></p>{}</noscript>",
        "<template>{}</template>",
        "<template><template></template>{}</template>",
        "<template>{}",
        "<meta content='{}'>",
        '<div title="a>',
    ],
)
def test_what_stands_in_other_elements_or_in_comments_does_not_count(around: str) -> None:
    for element in ('<link rel=canonical href="/a/">', ROBOTS.replace('"', "")):
        assert head_of(around.format(element)) == Head()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("?a=1&amp;b=2", "?a=1&b=2"),
        ("?a=1&copy=2&region=3&amp=4", "?a=1&copy=2&region=3&amp=4"),
        ("&#x2F;&#97;&sol;&eacute", "/a/é"),
        ("&unknown;&", "&unknown;&"),
        ("&#0;&#" + "9" * 5_000, "\ufffd\ufffd" + "9" * 4_901),
    ],
)
def test_references_in_addresses_are_read_as_browsers_do(written: str, meant: str) -> None:
    assert head_of(f'<link rel="canonical" href="{written}">').canonical == meant


def test_the_first_canonical_link_with_an_address_counts() -> None:
    assert head_of("<link rel=canonical>", "<link rel=canonical href=/b/>", LINK) == Head(
        canonical="/b/"
    )


@pytest.mark.parametrize("end", ["</head>", "</HEAD\n>", "<body class=a>", "<BODY>"])
def test_a_head_ends_where_its_end_follows_a_tag(end: str) -> None:
    html = f"<html><head><title>The </head> and the <body> tag</title>{LINK}\n {end}{ROBOTS}"
    assert parse_head(html) == parse_head(html.encode()) == Head(canonical="/a/")


def test_a_word_that_begins_like_its_end_does_not_end_a_head(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    begin = "<html><head><title>x</title><!--"
    for cut in range(12):  # the first read ends within the word
        filling = "x" * (8192 - len(begin) - len("-->") - cut)
        file.write_text(f"{begin}{filling}--></header>{ROBOTS}</head><body>")
        assert read_head(file) == parse_head(file.read_bytes()) == Head(noindex=True)


@pytest.mark.parametrize(
    ("html", "lang"),
    [
        ("<html lang=en-GB>", "en-GB"),
        ("<!-- <html lang=de> --><HTML XML:LANG=' fr '>", "fr"),
        ("<html data-lang=de><head lang=de><link hreflang=de>", None),
        ("<html lang=''>", None),
    ],
)
def test_the_language_is_that_of_the_html_element(html: str, lang: str | None) -> None:
    assert stated_lang(html) == lang


PIECES = [
    *('<link rel="canonical" href="/a/">', '<link rel="canonical" href="/b/" />'),
    *(
        '<link rel="canonical" href="/a/?b=1&amp;c=2&copy=3">',
        "<link href=/minified/ rel=canonical>",
    ),
    *("<LINK REL='canonical' HREF='/c/'>", '<meta name="robots" content="noindex">'),
    *("<meta name=robots name=x content=&#110;one>", "<meta\nname = googlebot\tcontent=none/>"),
    *('<meta http-equiv="refresh" content="0; url=/new/">', "<meta http-equiv=X content=IE=edge>"),
    *("<title>Title</title>", "<title>", "<textarea>", "</title>", "</textarea>", "text ", "<div>"),
    *(
        "<!-- ",
        " -->",
        "<!-->",
        "<!--->",
        "--!>",
        "<![CDATA[",
        "]]>",
        "<?x ",
        "</ ",
        "</>",
        "<",
        ">",
    ),
    *("<script>'<meta name=robots content=none>'</script>", "<style>", "</style>", "<link-card x>"),
    *(
        '<meta content="',
        "<meta content='",
        '<div title="',
        "'",
        '"',
        "=",
        "&",
        "<iframe>",
        "</iframe>",
    ),
]


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_a_head_says_what_a_browser_reads_in_it(pieces: list[str]) -> None:
    html = "".join(pieces)
    found = LexborHTMLParser(html).css("meta, link")
    expected = facts(
        (each.tag or "", {name: value or "" for name, value in each.attributes.items()}, "")
        for each in found
    )
    assert parse_head(html) == parse_head(html.encode()) == expected


BOMBS = {
    "nested elements": "<div>" * 200_000,
    "nested lists": "<ul><li>" * 100_000,
    "end tags that are ignored": "<div></x>" * 100_000,
    "end tags in comments": "<div><!--</div>-->" * 60_000,
    "end tags out of scope": "<div><object></div></object>" * 40_000,
    "elements that are not closed": "<x/>" * 250_000,
    "elements in noscript": "<noscript>" + "<div>" * 200_000,
    "elements in a title of SVG": "<svg><title>" + "<div>" * 200_000,
    "attributes": "<a " + " ".join(f"b{number}" for number in range(150_000)) + ">",
    "attributes of bodies": "".join(f"<body a{number}>" for number in range(60_000)),
    "attributes of roots": "".join(f"<html a{number} b>" for number in range(60_000)),
    "formatting that is made anew": "<p>"
    + "".join(f"<b a={number}>" for number in range(2_500))
    + "<p>x" * 4_000,
    "some formatting, many paragraphs": "<p>"
    + "".join(f"<b a={number}>" for number in range(60))
    + "<p>x" * 200_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_parsed_as_text(name: str) -> None:
    start = time.process_time()
    tree = parse_html(f"<title>T</title><main>tea {BOMBS[name]} milk</main>")
    assert time.process_time() - start < 10
    text = tree.root.text() if tree.root else ""
    assert "tea" in text
    assert tree.css_first("main") is None


@pytest.mark.slow
@pytest.mark.parametrize("nested", ["<aside>" * 900, "<a><object>" * 450])
def test_the_main_content_is_found_as_fast_as_a_page_is_parsed(nested: str) -> None:
    start = time.process_time()
    assert main_content(f"<body>{nested}{'<p>x' * 200_000}")
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "part",
    [
        "<p>one<li>two<br><td>three",
        "<p><b>a</b> <i>b</i> <code class='x'>c</code></p>",
        '<span class="icon"><svg><path d="M0 0"/></svg></span>',
        "<script>if (a < b) { c = '<div>' }</script>",
        '<img src="data:image/png;base64,' + "A/" * 50 + '">',
        "<details><summary>a</summary><table><tr><td>b</table></details>",
    ],
)
def test_a_large_page_is_parsed_as_it_is(part: str) -> None:
    html = f"<title>T</title><main>{part * (300_000 // len(part))}</main>"
    tree = parse_html(html)
    main = tree.css_first("main")
    assert main is not None
    assert len(main.css("*")) > 1_000


@pytest.mark.parametrize(("place", "noindex"), [(512 * 1024, True), (512 * 1024 + 1, False)])
def test_a_head_is_read_to_512_kib(tmp_path: Path, place: int, noindex: bool) -> None:
    element, file = "<meta name=robots content=noindex>", tmp_path / "a.html"
    icon = f'<head><link rel=icon href="data:,{"x" * (place - len(element) - 35)}">'
    file.write_text(f"{icon}{element}<p></head>")
    assert file.read_text().index("<p>") == place
    assert read_head(file).noindex == parse_head(file.read_text()).noindex == noindex


def test_a_long_script_in_a_head_hides_nothing() -> None:
    script = "<script>" + "x" * 100_000 + "</script>"
    assert parse_head(f"<head>{script}<meta name=robots content=noindex><p></head>").noindex


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_names_the_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "a.html"
    mark = "" if encoding == "utf-8-sig" else "\ufeff"
    file.write_bytes(f"{mark}<head>{ROBOTS}{LINK}</head>".encode(encoding))
    assert read_head(file) == Head(noindex=True, canonical="/a/")


@pytest.mark.parametrize("zeros", [0, 1, 8, 9, 6_000])
@pytest.mark.parametrize("digits", ["", "0", "38", "1114111", "1114112", "12345678", "9" * 6_000])
@pytest.mark.parametrize("end", ["", ";", "a", ";9", "&#65;"])
def test_a_number_of_a_character_may_have_any_length(zeros: int, digits: str, end: str) -> None:
    """Python reads no number of so many digits, unless it is told to."""
    text = f"a&amp;#1&#{'0' * zeros}{digits}{end}"
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        wanted = unescape(text)
    finally:
        sys.set_int_max_str_digits(limit)
    assert unescaped(text) == wanted
    assert locs(f"<loc>{text}</loc>") == [wanted]
