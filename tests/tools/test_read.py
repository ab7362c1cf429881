"""A sitemap is read to its exact limits, and the same in whatever pieces and packing it comes."""

from __future__ import annotations

import gzip
import random
import re
from typing import TYPE_CHECKING

import pytest

from sitemapkit.errors import SitemapError
from sitemapkit.extensions.alternates import Alternate
from sitemapkit.xmltext import SITEMAP
from sitemapkit_tools.bounds import MAX_ROBOTS, MAX_TEXT, Budget, OverBudgetError
from sitemapkit_tools.sitemaps.collect import collect, elements_by_url
from sitemapkit_tools.sitemaps.read import gunzip, read_sitemap
from sitemapkit_tools.sitemaps.robots import RobotsTxt
from sitemapkit_tools.sitemaps.sitemap_file import (
    SitemapFile,
    UnreadableError,
    UrlElement,
    listed_urls,
)

from .conftest import NAMESPACES, index, urlset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitemapkit.model import Issue

HOME = "https://example.org/"
READ, XML = "sitemapkit_tools.sitemaps.read", "sitemapkit_tools.sitemaps.xml"


def read(data: bytes) -> SitemapFile:
    return read_sitemap(data, SitemapFile())


def told(issues: Sequence[Issue]) -> list[tuple[str, str, str, int | None]]:
    return [(each.rule.id, each.where, each.detail, each.line) for each in issues]


def as_xml(count: int) -> str:
    return urlset(*(f"<loc>{HOME}{number}</loc>" for number in range(count)))


def as_index(count: int) -> str:
    entries = "".join(f"<sitemap><loc>{HOME}{number}</loc></sitemap>" for number in range(count))
    return f"<sitemapindex {NAMESPACES}>{entries}</sitemapindex>"


def as_text(count: int) -> str:
    return "".join(f"{HOME}{number}\n" for number in range(count))


def as_feed(count: int) -> str:
    items = (f"<item><link>{HOME}{number}</link></item>" for number in range(count))
    return f"<rss>{''.join(items)}</rss>"


FORMATS = {"urlset": as_xml, "index": as_index, "text": as_text, "feed": as_feed}


# In whatever pieces


def one_piece(text: bytes) -> bytes:
    return text


def packed_in_members(text: bytes) -> bytes:
    return b"".join(gzip.compress(text[at : at + 6_000]) for at in range(0, len(text), 6_000))


@pytest.mark.parametrize("piece", [4_096, 5_003])
@pytest.mark.parametrize("pack", [one_piece, gzip.compress, packed_in_members])
@pytest.mark.parametrize("write", [as_xml, as_text])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "iso-8859-1"])
def test_a_file_is_read_the_same_in_whatever_pieces_and_packing(
    write: Callable[[int], str],
    pack: Callable[[bytes], bytes],
    piece: int,
    encoding: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(0)  # noqa: S311 - no secret; it makes packed pieces, too
    text = write(300).replace("UTF-8", encoding)
    text = re.sub(HOME, lambda _: f"{HOME}té/{chance.getrandbits(200)} ", text)
    whole = read(text.encode(encoding))
    monkeypatch.setattr(f"{READ}._PIECE", piece)
    parts = read(pack(text.encode(encoding)))
    assert parts.elements == whole.elements
    assert told(parts.issues) == told(whole.issues)
    assert parts.size == len(text.encode(encoding))
    if encoding == "utf-8" or write is as_xml:
        first = 3 if write is as_xml else 1
        assert [each.line for each in parts.elements] == list(range(first, first + 300))


def test_a_space_in_a_url_stays_where_a_piece_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{READ}._PIECE", len(f"{HOME}a "))
    found = read(f"{HOME}a b \n {HOME}c\n".encode())
    assert [each.loc for each in found.elements] == [f"{HOME}a b", f"{HOME}c"]


@pytest.mark.parametrize("lines", [0, 1, 5_000])
@pytest.mark.parametrize("bad", [b"\xe9\n", b"\xc3"])
def test_a_byte_that_is_no_text_is_found_in_its_line_however_far_from_the_start(
    lines: int, bad: bytes
) -> None:
    found = read(as_text(lines).encode() + HOME.encode() + bad)
    (issue,) = found.issues
    assert (issue.rule.id, issue.where, issue.line) == ("encoding", "", lines + 1)
    assert issue.detail.startswith("It cannot be read as utf-8: ")
    assert found.elements[-1] == UrlElement(f"{HOME}\ufffd", lines + 1)


@pytest.mark.parametrize("name", ["iso-8859-99", "latin-none"])
def test_an_encoding_that_nobody_knows_is_read_as_utf_8(name: str) -> None:
    text = urlset(f"<loc>{HOME}té</loc>").replace("UTF-8", name).encode()
    found = read(text.replace("é".encode(), b"\xff"))
    assert [each.loc for each in found.elements] == [f"{HOME}t\ufffd"]
    assert told(found.issues) == [("encoding", "", f"It is in {name}.", 1)]


@pytest.mark.parametrize("name", ["utf-16", "UTF16", "utf-16-be"])
def test_a_sitemap_that_only_declares_utf_16_is_read_as_what_it_is(name: str) -> None:
    text = urlset(f"<loc>{HOME}té</loc>").replace("UTF-8", name)
    found = read(text.encode())
    assert [each.loc for each in found.elements] == [f"{HOME}té"]
    assert told(found.issues) == [
        ("encoding", "", f"It is in UTF-8, but declares {name.lower()}.", 1)
    ]


# Packed files


def test_what_is_unpacked_is_cut_one_byte_above_the_limit() -> None:
    data = gzip.compress(b"0123456789")
    assert [gunzip(data, limit) for limit in (8, 9, 10)] == [b"012345678", *[b"0123456789"] * 2]


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "it is not gzip"), (b"\x1f", "it is not gzip"), (b"plain", "it is not gzip")],
)
def test_what_is_not_packed_is_told(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        gunzip(data, 100)


@pytest.mark.parametrize(("cut", "detail"), [(1, "It ends too early."), (9, "It ends too early.")])
def test_what_was_unpacked_before_the_end_is_kept(cut: int, detail: str) -> None:
    found = read(gzip.compress(as_text(2).encode())[:-cut])
    assert len(found.elements) == 2
    assert (told(found.issues), found.complete) == ([("gzip-broken", "", detail, None)], False)


def test_what_a_packed_file_is_damaged_by_is_told() -> None:
    damaged = bytearray(gzip.compress(as_text(9).encode()))
    damaged[-8] ^= 1  # its checksum
    (issue,) = read(bytes(damaged)).issues
    assert issue.detail == "Error -3 while decompressing data: incorrect data check."


def test_what_follows_the_last_packed_member_is_ignored() -> None:
    assert gunzip(gzip.compress(b"a") + gzip.compress(b"b") + b"\0" * 9, 100) == b"ab"


@pytest.mark.parametrize(("members", "read"), [(1_000, 1_000), (1_001, 1_000)])
def test_a_thousand_packed_members_are_read(members: int, read: int) -> None:
    assert gunzip(gzip.compress(b"a") * members, 2_000) == b"a" * read


# To its exact limits


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_as_many_elements_are_read_as_the_bound_says(
    kind: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (READ, XML):
        monkeypatch.setattr(f"{module}.MAX_ELEMENTS", 3)
        monkeypatch.setattr(f"{module}.MAX_URLS", 2, raising=False)
    found = read(FORMATS[kind](count).encode())
    assert found.kind == kind
    line = {"urlset": 6, "text": 4}.get(kind, 1)
    issues = {4: [("too-many-urls", "", "Only 200,000 were read.", line)]}.get(count, [])
    assert len(found.elements) == min(count, 3)
    assert (told(found.issues), found.complete) == (issues, count < 4)


@pytest.mark.parametrize(
    ("count", "details"), [(2, []), (3, ["It lists 3."]), (4, ["It lists 4."])]
)
def test_more_urls_than_the_protocol_allows_are_counted(
    count: int, details: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{READ}.MAX_URLS", 2)
    issues = [("too-many-urls", "", detail, None) for detail in details]
    assert told(read(as_xml(count).encode()).issues) == issues


@pytest.mark.parametrize("pack", [one_piece, gzip.compress])
@pytest.mark.parametrize(
    ("extra", "detail"),
    [
        (0, None),
        (1, "It has 1,001 bytes."),
        (50, "It has 1,050 bytes."),
        (51, "It has 1,051 bytes or more."),
    ],
)
def test_the_bytes_of_a_file_count_when_it_is_unpacked(
    extra: int, detail: str | None, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{READ}.MAX_BYTES", 1_000)
    monkeypatch.setattr(f"{READ}.MAX_FILE", 1_050)
    data = pack(as_text(1).encode().ljust(1_000 + extra))
    assert told(read(data).issues) == ([("too-large", "", detail, None)] if detail else [])


@pytest.mark.parametrize("beginning", ["<html>", "nothing", f"<urlset>{'&' * 9}"])
def test_the_size_of_a_file_is_known_even_if_its_rest_is_not_read(beginning: str) -> None:
    found = read(gzip.compress(beginning.encode().ljust(300_000)))
    assert (found.size, found.complete) == (300_000, False)


KEPT = [
    as_text(3),
    as_xml(3),
    as_feed(3),
    urlset(f"<loc>{HOME}</loc><lastmod>{'x' * 99}</lastmod>"),
    urlset(f"<loc>{HOME}</loc><image:image><image:loc>{HOME}a.png</image:loc></image:image>"),
    urlset(f'<loc>{HOME}</loc><xhtml:link rel="alternate" hreflang="de" href="{HOME}de"/>'),
    urlset(f"<loc>{HOME}</loc><video xmlns='urn:video'/>"),
]


@pytest.mark.parametrize("text", KEPT)
def test_a_file_that_takes_exactly_the_room_there_is_is_read_whole(text: str) -> None:
    kept = read(text.encode()).kept
    just = read_sitemap(text.encode(), SitemapFile(room=kept))
    assert (just.complete, just.issues) == (True, [])
    less = read_sitemap(text.encode(), SitemapFile(room=kept - 1))
    assert (less.complete, [issue.rule.id for issue in less.issues]) == (False, ["not-checked"])
    assert less.issues[0].line


def test_an_extension_is_kept_once_for_each_entry() -> None:
    extension = "<video xmlns='urn:video'/>"
    kept = [
        read(urlset(f"<loc>{HOME}</loc>{extension * count}").encode()).kept for count in (0, 1, 2)
    ]
    assert kept[0] < kept[1] == kept[2]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "<urlset><url><loc>{}</loc></url></urlset>",
        "<rss><item><link>{}</link></item></rss>",
        "<feed><entry><link href='{}'/></entry></feed>",
    ],
)
@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_of_a_long_value_as_much_is_kept_as_the_bound_says(text: str, extra: int) -> None:
    url = HOME.ljust(MAX_TEXT + extra, "x")
    (element,) = read(text.format(url).encode()).elements
    assert element.loc == url[:MAX_TEXT]


def test_a_long_line_may_be_cut_within_a_character() -> None:
    (element,) = read(f"{HOME.ljust(MAX_TEXT - 1, 'x')}éé".encode()).elements
    assert element.loc == f"{HOME.ljust(MAX_TEXT - 1, 'x')}\ufffd"


def test_the_last_character_of_a_long_value_is_kept_that_follows_an_escape() -> None:
    url = f"{HOME.ljust(MAX_TEXT - 2, 'x')}&yz"
    text = urlset(f"<loc>{url.replace('&', '&amp;')}</loc>")
    assert read(text.encode()).elements[0].loc == url[:MAX_TEXT]


@pytest.mark.parametrize(("before", "ours"), [(4_096 - 19, True), (4_096 - 18, False)])
def test_a_file_is_ours_if_its_beginning_says_so(before: int, ours: bool) -> None:
    start = "<!--".ljust(before - 3) + "-->"
    text = f"{start}<!-- sitemapkit -->    {as_xml(1).partition(chr(10))[2]}"
    assert read(text.encode()).is_ours == ours


@pytest.mark.parametrize(("length", "complete"), [(101, True), (102, False)])
def test_a_tag_or_comment_is_as_long_as_the_bound_says(
    length: int, complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{XML}.MAX_TOKEN", 100)
    monkeypatch.setattr(f"{READ}._PIECE", 1)
    comment = "<!--".ljust(length - 3) + "-->"
    found = read(f"<urlset>{' ' * 300}{comment}</urlset>".encode())
    assert found.complete == complete


# What is read


def test_all_that_an_entry_says_is_read() -> None:
    entry = (
        f"<loc> {HOME} </loc><lastmod>2024-05-06</lastmod><changefreq>daily</changefreq>"
        f"<priority>0.5</priority><image:image><image:loc>{HOME}a.png</image:loc>"
        "<image:title>no</image:title></image:image>"
        f'<xhtml:link rel="Alternate" hreflang=" de " href=" {HOME}de "/>'
        f'<xhtml:link rel="alternate" hreflang="{"x" * 101}" href="{HOME}x"/>'
        '<xhtml:link hreflang="fr" href="no"/><xhtml:link rel="alternate" href="no"/>'
        '<xhtml:link rel="alternate" hreflang="es"/><news xmlns="urn:news"/><a xmlns="urn:a"/>'
    )
    assert read(urlset(f"<loc>{HOME}a</loc>", entry).encode()).elements == [
        UrlElement(f"{HOME}a", 3),
        UrlElement(
            HOME,
            4,
            "2024-05-06",
            "daily",
            "0.5",
            [Alternate("de", f"{HOME}de"), Alternate("x" * 100, f"{HOME}x"), Alternate("es", "")],
            [f"{HOME}a.png"],
            {"urn:news", "urn:a"},
        ),
    ]


def test_what_stands_in_no_entry_is_not_part_of_the_next() -> None:
    image = "<image:image><image:loc>no</image:loc></image:image>"
    link = '<xhtml:link rel="alternate" hreflang="no" href="no"/>'
    text = (
        f"<urlset {NAMESPACES}><a><loc>no</loc>{link}{image}</a>\n<url><loc>a</loc></url></urlset>"
    )
    assert read(text.encode()).elements == [UrlElement("a", 2)]


RSS = f"""<rss version="2.0"><channel><link>{HOME}</link><pubDate>no</pubDate>
<item><link> {HOME}a </link><link>no</link><pubDate>Mon, 06 May 2024 07:08:09 +0200</pubDate></item>
<item><title>no</title></item>
<item><link>{HOME}b</link><pubDate>soon</pubDate></item></channel></rss>"""
ATOM = f"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="{HOME}"/><updated>no</updated>
<entry><link rel="edit" href="no"/><link href=" {HOME}a "/><link rel="alternate" href="no"/>
<updated>2024-05-06T07:08:09+02:00</updated></entry>
<entry><updated>2024-05-06</updated><link/></entry>
<entry><link rel="alternate" href="{HOME}b"/></entry></feed>"""


@pytest.mark.parametrize(("feed", "lines"), [(RSS, (2, 4)), (ATOM, (2, 5))])
def test_of_a_feed_the_links_and_dates_of_its_entries_are_read(
    feed: str, lines: tuple[int, int]
) -> None:
    found = read(feed.encode())
    assert found.elements == [
        UrlElement(f"{HOME}a", lines[0], "2024-05-06T07:08:09+02:00"),
        UrlElement(f"{HOME}b", lines[1]),
    ]
    assert (found.kind, found.issues, found.complete) == ("feed", [], True)


@pytest.mark.parametrize(
    ("text", "detail", "line"),
    [
        ("<urlset>\n<url></b></urlset>", "Mismatched tag, column 8.", 2),
        ("<urlset>\n\n &nbsp;</urlset>", "Undefined entity, column 2.", 3),
        ("<urlset>\n<url", "The file ends too early.", 2),
        ("<urlset><!-- \n\n", "The file ends too early.", 1),
        ("<urlset><![CDATA[\n", "The file ends too early.", 2),
        (f"<urlset>\n{'<a>' * 33}", "Elements are nested more than 32 deep.", 2),
    ],
)
def test_broken_xml_is_told_with_its_place(text: str, detail: str, line: int) -> None:
    found = read(text.replace("<urlset>", f"<urlset {NAMESPACES}>").encode())
    broken = [each for each in told(found.issues) if each[0] == "broken-xml"]
    assert (broken, found.complete) == ([("broken-xml", "", detail, line)], False)


@pytest.mark.parametrize(
    ("entry", "where", "detail"),
    [
        ("<loc/><Loc/>", "Loc", "It is the element 'Loc'."),
        ("<loc/><url/>", "url", "It is the element 'url'."),
        ("<loc type='a'/>", "type", "It is the attribute 'type'."),
        (f"<loc/><{'b' * 61}/>", "b" * 60, f"It is the element '{'b' * 60}'."),
    ],
)
def test_what_the_protocol_does_not_know_is_named(entry: str, where: str, detail: str) -> None:
    issues = told(read(urlset(f"\n{entry}").encode()).issues)
    assert [each for each in issues if each[0] == "unknown-element"] == [
        ("unknown-element", where, detail, 4)
    ]


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("<urlset {}><loc/></urlset>", ["It is the element 'loc'."]),
        (
            "<sitemapindex {}><sitemap><priority/></sitemap></sitemapindex>",
            ["It is the element 'priority'."],
        ),
        ("<sitemapindex {}><sitemap><lastmod/></sitemap></sitemapindex>", []),
        ("<sitemapindex {}><url/></sitemapindex>", ["It is the element 'url'."]),
        (
            "<urlset {}><url xml:lang='de'><loc><loc/></loc></url></urlset>",
            ["It is the attribute 'http://www.w3.org/XML/1998/namespace lang'."],
        ),
        ("<urlset {}><a xmlns='urn:a' b='c'><d e='f'/></a></urlset>", []),
    ],
)
def test_each_element_is_known_where_the_protocol_has_it(text: str, details: list[str]) -> None:
    issues = read(text.format(NAMESPACES).encode()).issues
    assert [each.detail for each in issues if each.rule.id == "unknown-element"] == details


@pytest.mark.parametrize("root", ["urlset", "sitemapindex"])
@pytest.mark.parametrize(
    ("name", "is_empty"), [("sitemap.xml", True), ("SitemapNews.xml", False), ("news/a.xml", True)]
)
def test_only_a_sitemap_for_news_may_be_empty(root: str, name: str, is_empty: bool) -> None:
    data = f"<{root} {NAMESPACES}/>".encode()
    issues = read_sitemap(data, SitemapFile(f"{HOME}{name}")).issues
    assert [each.rule.id for each in issues] == ["empty-sitemap"] * is_empty


@pytest.mark.parametrize("empty", ["<rss/>", "<urlset {}><url></urlset>"])
def test_an_empty_feed_and_half_a_sitemap_are_not_called_empty(empty: str) -> None:
    issues = read(empty.format(NAMESPACES).encode()).issues
    assert "empty-sitemap" not in [each.rule.id for each in issues]


@pytest.mark.parametrize(
    ("moment", "is_valid"),
    [
        ("2024-05", False),
        ("2024-05-06", True),
        ("2024-02-30", False),
        ("soon", False),
        ("", False),
        ("2024-05-06T07:08:09Z", True),
        ("0000-12-31", False),
        ("0001-01-01", True),
        ("0001-01-01T00:00:00+23:59", True),
        ("9999-12-31", True),
        ("9999-12-31T23:59:59-23:59", True),
    ],
)
def test_a_date_is_valid_that_is_exact_and_in_the_calendar(moment: str, is_valid: bool) -> None:
    element = UrlElement(HOME, 1, lastmod=moment)
    assert (element.valid_lastmod is not None) == is_valid


def test_issues_are_kept_up_to_their_bound_and_one_that_ends_the_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sitemapkit_tools.sitemaps.sitemap_file.MAX_ISSUES", 2)
    issues = read(urlset(*["<loc/>"] * 5, "</urlset>").encode()).issues
    assert [each.rule.id for each in issues] == ["no-loc", "no-loc", "broken-xml"]


# robots.txt


@pytest.mark.parametrize(("extra", "allowed"), [(0, False), (1, True)])
def test_robots_txt_is_read_to_the_last_byte_of_its_bound(extra: int, allowed: bool) -> None:
    rule = b"User-agent: *\nDisallow: /"
    data = b"#".ljust(MAX_ROBOTS - len(rule) - 1 + extra, b"#") + b"\n" + rule
    assert RobotsTxt(data).allows(f"{HOME}a", "Googlebot") == allowed


def test_the_lines_of_robots_txt_are_numbered_and_known_in_any_spelling() -> None:
    text = f"\ufeffUser-Agent : a # b\n\nno colon\r\n SITEMAP: {HOME}é:1 #2\nSite-map: no"
    robots = RobotsTxt(text.encode())
    assert robots.lines == [
        (1, "user-agent", "a"),
        (4, "sitemap", f"{HOME}é:1"),
        (5, "site-map", "no"),
    ]
    assert robots.sitemap_lines == robots.lines[1:]
    assert robots.sitemap_urls == [f"{HOME}%C3%A9:1"]
    assert RobotsTxt(b"Sitemap: \xff").lines == [(1, "sitemap", "\ufffd")]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("User-agent: a\nSitemap: b\nSitemap: c\nDisallow: /\n", [2, 3]),
        ("User-agent: a\nSitemap: b\nUser-agent: c\nDisallow: /\n", [2]),
        ("User-agent: a\nDisallow: /\nSitemap: b\nDisallow: /c\n", []),
        ("User-agent: a\nSitemap: b\n", []),
        ("Sitemap: a\nUser-agent: b\nSitemap: c\nAllow: /\nSitemap: d\nAllow: /e\n", [3]),
    ],
)
def test_a_sitemap_line_that_splits_a_group_stands_before_its_rules(
    text: str, numbers: list[int]
) -> None:
    assert [line.number for line in RobotsTxt(text.encode()).splitting_lines()] == numbers


def test_rules_and_delays_are_those_of_the_agent() -> None:
    text = "User-agent: a\nCrawl-delay: 2.5\nDisallow: /x\n\n"
    robots = RobotsTxt(f"{text}User-agent: *\nDisallow: /y\nAllow: /y/z\n".encode())
    urls = [f"{HOME}{path}" for path in ("x", "y", "y/z")]
    assert [robots.allows(url, "a") for url in urls] == [False, True, True]
    assert [robots.allows(url, "b") for url in urls] == [True, False, True]
    assert (robots.crawl_delay("a"), robots.crawl_delay("b")) == (2.5, None)
    assert RobotsTxt().allows(HOME, "a")


# All sitemaps of a site


class Folder(dict[str, str]):
    """Files by their URLs, of which some cannot be read."""

    def read(self, url: str) -> bytes:
        if url not in self:
            raise UnreadableError("It answers 404.", missing=True)
        return self[url].encode()

    def location(self, url: str) -> str:
        return url.removeprefix(HOME)


def test_each_sitemap_knows_where_it_is_named() -> None:
    named = (f"{HOME}a.xml", "https://example.net/b.xml", f"{HOME}c.xml", f"{HOME}a.xml", "d.xml")
    source = Folder({HOME: index(*named), f"{HOME}a.xml": as_xml(2)})
    top, a, c = collect([HOME], source, Budget())
    assert (top.url, top.location, top.index, top.index_line) == (HOME, "", None, None)
    assert (a.url, a.location, a.index, a.index_line) == (f"{HOME}a.xml", "a.xml", top, 2)
    assert (c.location, c.index_line, c.is_missing, c.complete) == ("c.xml", 4, True, False)
    assert [each.url for each in listed_urls([a, top, c])] == [f"{HOME}0", f"{HOME}1"]


def test_the_indexes_of_a_site_share_its_room() -> None:
    source = Folder({f"{HOME}{name}": as_xml(2) for name in "abc"})
    room = Budget().room
    budget = Budget()
    first, second, _ = collect(source, source, budget)
    assert (first.room, second.room) == (room, room - first.kept)
    budget = Budget(memory=first.kept)
    files = collect([*source, f"{HOME}a"], source, budget)
    assert [file.complete for file in files] == [True, False]
    assert [issue.rule.id for issue in files[1].issues] == ["not-checked"]
    assert files[1].issues[0].detail.startswith("It and 1 more sitemap were not read: the 0 MiB")


def test_an_index_that_is_just_a_file_names_its_neighbours_on_any_host() -> None:
    source = Folder({"index.xml": index(f"{HOME}a.xml"), f"{HOME}a.xml": as_xml(1)})
    assert [file.url for file in collect(["index.xml"], source, Budget())] == [
        "index.xml",
        f"{HOME}a.xml",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "site: a.xml cannot be read: It answers 404."),
        ("<urlset>", "site: a.xml cannot be read whole: The file ends too early."),
    ],
)
def test_a_site_of_which_a_sitemap_is_missing_is_not_compared(
    text: str | None, message: str
) -> None:
    source = Folder({} if text is None else {f"{HOME}a.xml": text})
    files = collect([f"{HOME}a.xml"], source, Budget())
    with pytest.raises(SitemapError, match=f"^{re.escape(message)}$"):
        elements_by_url("site", files)


def test_of_a_url_that_is_listed_twice_the_first_element_counts() -> None:
    file = read(f"{HOME}b\n{HOME}a\n{HOME}b\n".encode())
    elements = elements_by_url("site", [file])
    assert {url: each.line for url, each in elements.items()} == {f"{HOME}a": 2, f"{HOME}b": 1}


# Time and memory


@pytest.mark.parametrize(("seconds", "said"), [(2.9, []), (3, ["Waiting 3 seconds: a."])])
def test_a_pause_that_people_notice_is_explained_once(seconds: float, said: list[str]) -> None:
    told: list[str] = []
    slept: list[float] = []
    budget = Budget(say=told.append, sleep=slept.append)
    budget.pause(seconds, "a")
    budget.pause(seconds, "a")
    assert (told, slept) == (said, [seconds, seconds])


def test_what_a_command_has_no_time_or_memory_for_says_which_option_to_raise() -> None:
    with pytest.raises(OverBudgetError, match=r"^the 0 seconds of --max-time are over$"):
        Budget(seconds=0).check()
    full = Budget(memory=2 * 1_048_576)
    full.room = 0
    with pytest.raises(OverBudgetError, match=r"^the 2 MiB of --max-memory are full$"):
        full.check()
    message = r"^the next pause would end after the 1,000 seconds of --max-time: a$"
    with pytest.raises(OverBudgetError, match=message):
        Budget(seconds=1_000, sleep=print).pause(1_001, "a")
    Budget(memory=1).check()


W3, SCHEMAS = "http://www.w3.org", "http://www.google.com/schemas"
LINK = '<{}link rel="alternate" hreflang="de" href="https://example.org/de/"/>'
IMAGE = "<{0}image><{0}loc>https://example.org/a.png</{0}loc></{0}image>"
VIDEO = (
    "<{0}video><{0}thumbnail_loc>t</{0}thumbnail_loc><{0}title>t</{0}title><{0}description>d"
    "</{0}description><{0}content_loc>c</{0}content_loc></{0}video>"
)
NEWS = (
    "<{0}news><{0}publication><{0}name>n</{0}name><{0}language>en</{0}language></{0}publication>"
    "<{0}publication_date>2024-01-02</{0}publication_date><{0}title>t</{0}title></{0}news>"
)


@pytest.mark.parametrize(
    ("prefix", "address", "element"),
    [
        ("xhtml", f"{W3}/TR/xhtml11/xhtml11_schema.html", LINK),
        ("xhtml", "https://www.w3.org/1999/xhtml", LINK),
        ("xhtml", f"{W3}/1999/xhtml/", LINK),
        ("x", f"{W3}/1999/XHTML", LINK),
        ("image", "https://www.google.com/schemas/sitemap-image/1.1", IMAGE),
        ("image", f"{SCHEMAS}/sitemap-image/0.9", IMAGE),
        ("image", f"{SCHEMAS}/sitemap-video/1.1", IMAGE),
        ("i", f"{SCHEMAS}/sitemap-image/1.1/", IMAGE),
        ("video", f"{SCHEMAS}/sitemap-video/1.0", VIDEO),
        ("video", "http://www.sitemaps.org/schemas/sitemap/0.9", VIDEO),
        ("news", f"{SCHEMAS}/sitemap-news/1.1", NEWS),
        ("news", "urn:anything", NEWS),
    ],
)
def test_an_extension_in_a_wrong_namespace_is_one_error(
    prefix: str, address: str, element: str
) -> None:
    entry = f"<url><loc>{HOME}</loc>{element.format(f'{prefix}:')}</url>"
    text = f'<urlset xmlns="{SITEMAP}" xmlns:{prefix}="{address}">{entry * 2}</urlset>'
    beside = ("unknown-element", "bad-extension")
    found = [each for each in read(text.encode()).issues if each.rule.id not in beside]
    assert [each.rule.id for each in found] == ["namespace"]
    assert found[0].detail.startswith(f"It is {address!r}, not http://www.")


@pytest.mark.parametrize("element", [LINK, IMAGE, VIDEO, NEWS, "<{}image/>"])
def test_a_namespace_of_its_own_or_one_that_is_right_is_no_error(element: str) -> None:
    own = 'xmlns:shop="urn:shop" xmlns:video="urn:unused"'
    entry = f"<url><loc>{HOME}</loc>{element.format('shop:')}</url>"
    assert read(f'<urlset xmlns="{SITEMAP}" {own}>{entry}</urlset>'.encode()).issues == []


def test_what_an_extension_in_a_wrong_namespace_says_is_read_as_it_is_meant() -> None:
    wrong = 'xmlns:xhtml="https://www.w3.org/1999/xhtml"'
    entry = f"<url><loc>{HOME}</loc>{LINK.format('xhtml:')}</url>"
    file = read(f'<urlset xmlns="{SITEMAP}" {wrong}>{entry}</urlset>'.encode())
    assert file.elements[0].alternates == [Alternate("de", f"{HOME}de/")]


@pytest.mark.parametrize(
    ("name", "element", "part", "missing"),
    [
        ("image", IMAGE, "loc", "Its image has no loc."),
        ("video", VIDEO, "thumbnail_loc", "Its video has no thumbnail_loc."),
        ("video", VIDEO, "title", "Its video has no title."),
        ("video", VIDEO, "description", "Its video has no description."),
        ("video", VIDEO, "content_loc", "Its video has no content_loc or player_loc."),
        ("news", NEWS, "name", "Its news has no name."),
        ("news", NEWS, "language", "Its news has no language."),
        ("news", NEWS, "publication_date", "Its news has no publication_date."),
        ("news", NEWS, "title", "Its news has no title."),
    ],
)
def test_an_image_a_video_or_news_has_all_that_it_must(
    name: str, element: str, part: str, missing: str
) -> None:
    version = "0.9" if name == "news" else "1.1"
    declared = f'xmlns:{name}="{SCHEMAS}/sitemap-{name}/{version}"'
    whole = element.format(f"{name}:")
    for text, details in (
        (whole, []),
        (re.sub(f"<{name}:{part}>.*?</{name}:{part}>", "", whole), [missing]),
        (re.sub(f"<{name}:{part}>.*?</", f"<{name}:{part}> </", whole), [missing]),
    ):
        entry = f"<url><loc>{HOME}</loc>{text}</url>"
        file = read(f'<urlset xmlns="{SITEMAP}" {declared}>{entry}</urlset>'.encode())
        found = [each for each in file.issues if each.rule.id == "incomplete-extension"]
        assert [each.detail for each in found] == details


def test_of_very_many_names_in_an_extension_few_are_kept() -> None:
    many = "".join(f"<video:a{number}>b</video:a{number}>" for number in range(1_000))
    video = VIDEO.format("video:").replace("<video:video>", f"<video:video>{many}")
    declared = f'xmlns:video="{SCHEMAS}/sitemap-video/1.1"'
    entry = f"<url><loc>{HOME}</loc>{video}</url>"
    file = read(f'<urlset xmlns="{SITEMAP}" {declared}>{entry}</urlset>'.encode())
    details = [each.detail for each in file.issues]
    assert sum(detail.startswith("Videos have no a") for detail in details) == 100
    assert not [each for each in file.issues if each.rule.id == "incomplete-extension"]


def test_what_two_sitemaps_say_alike_is_kept_once() -> None:
    class Files:
        def read(self, url: str) -> bytes:
            more = "<lastmod>2024-01-02</lastmod>" if "new" in url else ""
            return urlset(f"<loc>{HOME}a</loc>", f"<loc>{HOME}b</loc>{more}").encode()

        def location(self, url: str) -> str:
            return url

    old = elements_by_url("old", collect([f"{HOME}old.xml"], Files(), Budget()))
    new = elements_by_url("new", collect([f"{HOME}new.xml"], Files(), Budget(), old))
    assert new[f"{HOME}a"] is old[f"{HOME}a"]
    assert (old[f"{HOME}b"].lastmod, new[f"{HOME}b"].lastmod) == (None, "2024-01-02")
