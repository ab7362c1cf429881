"""Facts read from the head of a rendered page."""

import random
import re
import sys
import time
from html import escape, unescape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitemapkit.head import (
    ENGINES,
    LONGEST_PAGE,
    Stated,
    parse_head,
    read_head,
    says_noindex,
    stated_lang,
)
from sitemapkit.model import Head
from sitemapkit.parsing import parse_html
from sitemapkit.xmltext import locs, unescaped
from sitemapkit_extras.content import main_content


def head_of(*elements: str) -> Head:
    return parse_head(f"<!doctype html><html><head>{''.join(elements)}</head><body></body></html>")


@pytest.mark.parametrize(
    ("content", "hides"),
    [
        ("unavailable_after: 2020-01-01", True),
        ("index, Unavailable_After: 25 Jun 2010 15:00:00 PST", True),
        ("unavailable_after:Friday, 31-Dec-21 23:59:59 GMT", True),
        ("unavailable_after: 2024-05-07", False),  # that day
        ("unavailable_after: 2024-05-06T10:00:00Z, follow", True),
        ("unavailable_after: Fri, 31 Dec 2027 23:59:59 GMT", False),
        ("unavailable_after: 25 June 2010 15:00:00 GMT", True),
        ("unavailable_after: June 25, 2010", True),
        ("unavailable_after: Fri Jun  5 15:00:00 2010", True),
        ("unavailable_after: June 25, 2090", False),
        ("unavailable_after: soon", False),
    ],
)
def test_a_day_after_which_a_page_is_unavailable_hides_it(
    monkeypatch: pytest.MonkeyPatch, content: str, *, hides: bool
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1715083200")  # 7 May 2024
    assert head_of(f'<meta name="robots" content="{content}">').noindex == hides


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


LEADS = '<meta http-equiv="refresh" content="0; url=../b/?c&amp;d">'
SCRIPT = 'var target = "../b/?c&d"; window.location.replace(target + window.location.hash)'
IN_HEAD = "<html><head>{}<title>Tea</title></head><body><p>Tea</p></body></html>"
BY_SCRIPT = {
    "both in the head": IN_HEAD.format(f"<noscript>{LEADS}</noscript><script>{SCRIPT}</script>"),
    "the script first": IN_HEAD.format(f"<script>{SCRIPT}</script><noscript>{LEADS}</noscript>"),
    "the script in the body": f"<head><noscript>{LEADS}</noscript></head>"
    f"<body><script>{SCRIPT}</script><a href='../b/'>b</a></body>",
    "both in the body": f"<body><noscript> <p>On</p> {LEADS}</noscript><script>{SCRIPT}</script>",
    "neither head nor body": f"<noscript>{LEADS}</noscript><script>{SCRIPT}</script>",
    "in capitals": f"<NOSCRIPT>{LEADS.upper().replace('../B/?C&AMP;D', '../b/?c&d')}</NOSCRIPT>"
    f"<SCRIPT>{SCRIPT}</SCRIPT>",
    "in single quotes": "<noscript><meta content='0;URL=../b/?c&d' http-equiv='Refresh'/>"
    f"</noscript><script>{SCRIPT}</script>".replace('"', "'"),
    "without quotes": "<noscript><meta http-equiv=refresh content=0;url=../b/?c&d></noscript>"
    f"<script>{SCRIPT}</script>",
    "escaped by a template": f"<noscript>{LEADS}</noscript>"
    f"<script>{SCRIPT.replace('&', '&amp;')}</script>",
    "after a counter's": f"<noscript><img src='/x'></noscript><noscript>{LEADS}</noscript>"
    f"<script>count()</script><script>{SCRIPT}</script>",
}


@pytest.mark.parametrize("html", BY_SCRIPT.values(), ids=BY_SCRIPT)
def test_a_script_leads_elsewhere_if_a_refresh_for_browsers_without_leads_there(html: str) -> None:
    assert parse_head(html).refresh == "../b/?c&d"


@pytest.mark.parametrize(
    "beside",
    [
        "",
        "<script>window.location.replace('../')</script>",
        "<script>print('../b/?c&d')</script>",
        '<p data-x="../b/?c&d">location</p>',
    ],
)
def test_a_refresh_for_browsers_without_scripts_alone_leads_nobody_else_away(beside: str) -> None:
    for html in (
        f"<head><noscript>{LEADS}</noscript></head>",
        f"<body><noscript>{LEADS}</noscript>",
    ):
        assert parse_head(html + beside).refresh is None


@pytest.mark.parametrize(
    "html",
    [
        "<head></head>{}<body>",
        "<head></head><body><p>Text</p>{}</body>",
        "<head><div>Menu</div>{}</head><body>",
        "<head><title>A</title></head><body><header>B</header></body></html>{}",
        "<p>Text</p>{}",
        "<p>Text</p><head></head>{}",
        "<table><tr>{}<td>",
    ],
)
def test_what_hides_a_page_or_leads_away_counts_wherever_it_is(html: str) -> None:
    """Browsers follow a refresh in a body, and an author who writes noindex there means it."""
    assert parse_head(html.format(ROBOTS)) == Head(noindex=True)
    assert parse_head(html.format("<META HTTP-EQUIV='refresh' CONTENT=0;/a/>")) == Head(
        refresh="/a/"
    )


@pytest.mark.parametrize(
    "before",
    [
        *("<div>Menu</div>", "Bare text", "<title>a < b</title> & text", "<p><table><tr><td>"),
        *("<link-card canonical>", "</head><body>", "</HEAD\n><BODY class=a>", "<img>"),
        '<meta name="description" content="A "quoted" <word>">',
    ],
)
def test_a_canonical_link_counts_only_in_the_head(before: str) -> None:
    """What may not be in a head ends it, in browsers and search engines (HTML, 13.2.6.4.4)."""
    assert head_of(before, LINK, ROBOTS) == Head(noindex=True)
    assert head_of(LINK, before, ROBOTS) == Head(noindex=True, canonical="/a/")


PRINTS = """
    <script>w.document.write("<html><head><style>p{}</style></head><body>")</script>
    <script>'>\n<body>'</script>
    <script><!-- <script> </script> > </head><body> --></script>
    <script type="application/ld+json">{"description": "Use <b> before </head>, <body>"}</script>
    <!-- <p></head><body class=x> -->
    <style>/* <a></head> <body> */</style>
    <template><p></p></head><body></body></template>
    <noscript><img></head><body></noscript>
    <noscript><iframe src="/tag"></iframe></noscript>
    <meta name="description" content="a <b></head><body> b">
    <meta content='> <body>' name=description>
    <title><a></head><body></title>
    <html lang=de><head></head><head>
    <meta itemprop=a content=" <body> ">
    <meta ="a="b c>" <body>
"""


@pytest.mark.parametrize("filling", [0, 10_000, 600_000])
@pytest.mark.parametrize("naming", PRINTS.strip().split("\n    "))
def test_what_only_looks_like_the_end_of_a_head_hides_nothing(
    tmp_path: Path, naming: str, filling: int
) -> None:
    file = tmp_path / "a.html"
    code = f"<script>{'x' * filling}</script>"
    refresh = "<meta http-equiv=refresh content=0;/b/>"
    file.write_text(f"<head>{naming}{code}{ROBOTS}{LINK}{refresh}\n </head><body><p>Text</body>")
    assert read_head(file) == Head(noindex=True, canonical="/a/", refresh="/b/")


@pytest.mark.parametrize(
    ("base", "target", "meant"),
    [
        ("/docs/", "a/", "/docs/a/"),
        ("https://example.org/docs/x", "a/", "https://example.org/docs/a/"),
        ("https://example.org/docs/", "/a/", "https://example.org/a/"),
        ("../", "../a/", "../../a/"),
        ("x", "a/", "a/"),
        ("/docs/", "https://example.org/a/", "https://example.org/a/"),
        ("/docs/", "http://[a/", "http://[a/"),
    ],
)
def test_a_base_changes_where_a_page_leads(base: str, target: str, meant: str) -> None:
    elements = f"<link rel=canonical href={target}><meta http-equiv=refresh content=0;{target}>"
    found = head_of(f"<base target=x><base href={base}><base href=/no/>", elements)
    assert found == Head(canonical=meant, refresh=meant)


def test_a_head_longer_than_one_read_is_read_to_its_end(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    filler = "<style>p { color: red }</style>" * 3000
    page.write_text(f"<html><head>{filler}<meta name=robots content=none></head><body>")
    assert read_head(page).noindex


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
    found = parse_head(nonsense * (10_000_000 // len(nonsense)))
    assert found == Head(unread=found.unread) != Head()


@pytest.mark.parametrize("attributes", [5_000, 200_000])
def test_a_tag_of_many_attributes_is_read_or_said(attributes: int) -> None:
    many = " ".join(f"a{number}=x" for number in range(attributes))
    found = parse_head(f"<html><head><meta {many} name=robots content=none>")
    assert found.noindex != bool(found.unread)


LINK = '<link rel="canonical" href="/a/">'
ROBOTS = '<meta name="robots" content="noindex">'


@pytest.mark.parametrize(
    "before",
    [
        '<noscript><img src="/pixel"></noscript>',
        '<noscript><iframe src="/tag"></iframe></noscript>',
        "<template><template></template></template>",
        "<!-- > --><!--><!--->",
        "<![CDATA[ ]]>",
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
        ("&#0;&#" + "9" * 5_000, "\ufffd\ufffd"),
    ],
)
def test_references_in_addresses_are_read_as_browsers_do(written: str, meant: str) -> None:
    assert head_of(f'<link rel="canonical" href="{written}">').canonical == meant


def test_the_first_canonical_link_with_an_address_counts() -> None:
    assert head_of("<link rel=canonical>", "<link rel=canonical href=/b/>", LINK) == Head(
        canonical="/b/", second_canonical="/a/"
    )


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


ORDINARY = """
    <!doctype_html> <html_lang=en> <html_lang="en"_class="x"> <head> <meta_charset="utf-8">
    <base_target=x> <!--_Made_by_-_somebody_--> <title>A</title> <script_src='x'></script>
    <style>a{}</style> <link_rel="canonical"_href="/a/"> <link_rel=icon_href=x> </head> <body>
    <meta_name="description"_content="It's_a_"quoted"_word"> <meta_itemprop=position_content=1>
"""
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
    <script>w("<html><head></head><body>")</script> <script>'<body>' <script><!--<script>
    <!--_</head><body> <template></head><body> <noscript></head><body> <noscript><meta_name=robots
    <meta_content="<body>"_name=robots <meta_itemprop=a_content="_content=none> <select> <table>
    <svg><title> <svg><meta_name=bingbot_content=noindex> <math> <plaintext> <frameset> <object>
    <meta_name=yeti_content=none> <sitemapkit-9> <body><link_rel=canonical_href=/i/>
    text & &#39; canonical noindex robots refresh \0 \xa0 İK
"""


def pieces_of(text: str) -> list[str]:
    return ["\n", *(piece.replace("_", " ") for piece in text.split())]


def parsed(html: str) -> tuple[Head, str | None, str]:
    """Return what the parser finds in a whole page; to it, `noframes` is what `noscript` is."""

    def elements(selector: str) -> list[dict[str, str]]:
        return [
            {name: (value or "").replace("NOFRAMES", "noscript") for name, value in found.items()}
            for found in (each.attributes for each in tree.css(selector))
        ]

    tree = LexborHTMLParser(re.sub(r"(?i)<(/?)noscript(?=[\s/>])", r"<\1NOFRAMES", html))
    metas, root, title = elements("meta"), elements("html")[0], tree.css_first("title:not(svg *)")
    robots = [each for each in metas if each.get("name", "").strip().lower() in ENGINES]
    refresh = [
        head_of(f'<meta http-equiv=refresh content="{escape(each.get("content", ""))}">').refresh
        for each in metas
        if each.get("http-equiv", "").strip().lower() == "refresh"
    ]
    links = [*filter(None, (each.get("href") for each in elements("head link[rel~=canonical i]")))]
    head = Head(
        noindex=any(says_noindex(each.get("content", "")) for each in robots),
        canonical=next(iter(links), None),
        refresh=next(filter(None, refresh), None),
        second_canonical=next((each for each in links if each != links[0]), None),
    )
    lang = (root.get("lang") or root.get("xml:lang") or "").strip()
    text = title.text().replace("NOFRAMES", "noscript") if title else ""
    return head, lang or None, " ".join(text.split())


def assert_as_parsed(html: str, encoding: str = "utf-8") -> None:
    """Compare what is read of a page, most of which may not be looked at, with all of it."""
    stated = Stated(html.encode(encoding, "replace"))
    head, lang, title = parsed(html)
    assert (stated.to_engines(), stated.lang) == (head, lang), html
    assert stated.title == title, html


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(pieces_of(ORDINARY + AWKWARD)),
            st.text("ab <>&;=/'\"!-\n", max_size=8),
            st.integers(1, 20_000).map(lambda size: f"<!--{'x' * size}-->"),
        ),
        max_size=12,
    ),
    st.sampled_from(["utf-8", "utf-16"]),
)
def test_a_page_says_what_the_parser_finds_in_it(pieces: list[str], encoding: str) -> None:
    assert_as_parsed("".join(pieces), encoding)


@pytest.mark.slow
def test_20_000_pages_say_what_the_parser_finds_in_them() -> None:
    chance = random.Random(0)  # noqa: S311 - no secret
    for _ in range(20_000):
        few = [*pieces_of(ORDINARY) * 2, *chance.sample(pieces_of(AWKWARD), 5)]
        assert_as_parsed("".join(chance.choices(few, k=chance.randint(1, 16))))


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


@pytest.mark.parametrize(("over", "noindex"), [(-1, True), (1, False)])
def test_what_is_cut_off_at_the_limit_is_said(tmp_path: Path, over: int, noindex: bool) -> None:
    file = tmp_path / "a.html"
    html = "<head><script>{}</script><meta name=robots content=noindex>"
    file.write_text(html.format("x" * (LONGEST_PAGE + over - len(html) + 2)))
    found = read_head(file)
    assert found.noindex == noindex
    assert ("2,097,151 bytes" in found.unread) != noindex
    file.write_text(f"<head>{LINK}</head><body>{'x' * LONGEST_PAGE}")
    assert read_head(file) == Head(canonical="/a/")


@pytest.mark.parametrize("mark", ["\ufeff", "", "\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_page_in_utf_16_is_read(tmp_path: Path, encoding: str, mark: str) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(f"{mark}<head>{ROBOTS}{LINK}</head>".encode(encoding))
    assert read_head(file) == Head(noindex=True, canonical="/a/")


CHARSETS = {
    "windows-1251": "Заварка чая",
    "koi8-r": "Заварка чая",
    "iso-8859-1": "Thé à la menthe",
    "gb2312": "茶的冲泡",
    "big5": "茶的沖泡",
    "shift_jis": "お茶の入れ方",
    "euc-jp": "お茶の入れ方",
    "iso-2022-jp": "お茶の入れ方",
    "euc-kr": "차 우리기",
}
META = '<meta charset="{}">'
EQUIV = "<META content='text/html; charset={}' http-equiv=Content-Type>"


@pytest.mark.parametrize("meta", [META, EQUIV, f"<!-- {META.format('utf-8')} -->{META}"])
@pytest.mark.parametrize("charset", CHARSETS)
def test_a_page_is_read_in_the_character_set_that_it_names(charset: str, meta: str) -> None:
    text = CHARSETS[charset]
    link = f'<link rel="canonical" href="/{text}/">'
    html = f"<html><head>{meta.format(charset.upper())}<title>{text}</title>{link}</head><body>"
    stated = Stated(html.encode(charset))
    assert (stated.title, stated.to_engines().canonical) == (text, f"/{text}/")


@pytest.mark.parametrize("meta", ["", META.format("utf-7"), META.format("x-unknown")])
def test_a_page_that_names_no_known_character_set_is_read_as_browsers_read_it(meta: str) -> None:
    html = f"<head>{meta}<title>“Thé” à 5 €</title></head>"
    assert Stated(html.encode("cp1252")).title == "“Thé” à 5 €"
    assert Stated(html.encode()).title == "“Thé” à 5 €"


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_counts_more_than_what_a_page_names(mark: str) -> None:
    html = f"<head>{META.format('windows-1251')}<title>Thé</title>{LINK}</head>"
    stated = Stated(html.encode(mark))
    assert (stated.title, stated.to_engines().canonical) == ("Thé", parse_head(LINK).canonical)


@pytest.mark.parametrize(
    "charset",
    ["", "utf-8", "utf-7", "utf-16", "hex", "idna", "punycode", "undefined", "cp037", "x" * 999],
)
def test_what_is_no_character_set_of_a_browser_is_read_as_utf_8(charset: str) -> None:
    html = f"<head>{META.format(charset)}<title>Thé</title>{LINK}</head>".encode()
    stated = Stated(html + b"<body>\xff")
    assert (stated.title, stated.to_engines().canonical) == ("Thé", parse_head(LINK).canonical)


def test_a_character_that_is_cut_off_at_the_limit_is_no_sign_of_another_set() -> None:
    html = f"<head>{META.format('windows-1251')}<title>Thé</title></head><body>".encode()
    for over in range(3):
        cut = html + b"x" * (LONGEST_PAGE - len(html) - over) + "茶".encode()
        assert Stated(cut).title == "Thé"


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
