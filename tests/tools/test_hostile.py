"""What is read is hostile: a clear issue, bounded memory, and never a crash.

Time is bounded by counting, not by clocks: what would take quadratic time takes longer than any
test run on these inputs of ten megabytes and more.
"""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapkit import Reason
from sitemapkit.parsing import parse_html
from sitemapkit_tools.bounds import (
    MAX_ELEMENTS,
    MAX_FILE,
    MAX_ISSUES,
    MAX_NAMESPACE,
    MAX_ROBOTS,
    MAX_TEXT,
    Budget,
    OverBudgetError,
)
from sitemapkit_tools.site.facts import page_facts
from sitemapkit_tools.site.lines import head_line
from sitemapkit_tools.sitemaps.collect import collect
from sitemapkit_tools.sitemaps.read import read_sitemap
from sitemapkit_tools.sitemaps.robots import RobotsTxt
from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile
from sitemapkit_tools.sources.edit_links import edited_file

from .conftest import NAMESPACES, index, run, urlset

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

pytestmark = pytest.mark.slow

HOME = "https://example.org/"
MEGABYTE = 1_000_000
CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


def read(data: bytes) -> SitemapFile:
    return read_sitemap(data, SitemapFile())


def rules(data: bytes) -> list[str]:
    return [issue.rule.id for issue in read(data).issues]


LONG_NAMESPACE = f"<urlset xmlns:a='https://e.org/{'u' * 30_000}' "


def bombs() -> dict[str, tuple[Callable[[], bytes], str]]:
    """Return what makes nasty files, and the rule that each breaks."""
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    external = '<!ENTITY x SYSTEM "file:///etc/passwd">'
    billion = (
        f'<!DOCTYPE urlset [<!ENTITY l0 "ha">{laughs}]><urlset><url><loc>&l9;</loc></url></urlset>'
    )
    attributes = "".join(f"a:b{n}='' " for n in range(40_000))
    return {
        "billion laughs": (billion.encode, "dtd"),
        "external entity": (
            f"<!DOCTYPE urlset [{external}]><urlset><url><loc>&x;</loc></url></urlset>".encode,
            "dtd",
        ),
        "external DTD": (
            lambda: b'<!DOCTYPE urlset SYSTEM "http://example.net/a.dtd"><urlset/>',
            "dtd",
        ),
        "parameter entity": (lambda: b'<!DOCTYPE a [<!ENTITY % b SYSTEM "c"> %b;]><a/>', "dtd"),
        "undefined entity": (lambda: urlset("<loc>&nbsp;</loc>").encode(), "broken-xml"),
        "deep elements": (lambda: b"<urlset>" + b"<a>" * 10 * MEGABYTE, "broken-xml"),
        "wide elements": (lambda: b"<urlset><url>" + b"<a/>" * 5 * MEGABYTE, "unknown-element"),
        "many attributes": (
            lambda: b"<urlset><url " + b" ".join(b'a%d=">"' % n for n in range(MEGABYTE)) + b"/>",
            "broken-xml",
        ),
        "long namespace": (
            lambda: urlset("<a:b/>" * MEGABYTE).replace("<urlset ", LONG_NAMESPACE, 1).encode(),
            "broken-xml",
        ),
        "long namespace of one element": (
            lambda: urlset(f"<b xmlns='{'u' * (MEGABYTE - 100)}'/>" * 50).encode(),
            "broken-xml",
        ),
        "long namespace of attributes": (
            lambda: urlset(f"<b xmlns:a='{'u' * 500_000}' {attributes}/>" * 20).encode(),
            "broken-xml",
        ),
        "long names": (lambda: urlset(f"<{'b' * 900_000}/>" * 50).encode(), "broken-xml"),
        "long comment": (lambda: b"<urlset><!-- " + b"- " * 10 * MEGABYTE, "broken-xml"),
        "long instruction": (lambda: b"<?a " + b"x" * 10 * MEGABYTE, "broken-xml"),
        "open comments": (lambda: b"<!-- " * 2 * MEGABYTE, "broken-xml"),
        "long loc": (lambda: urlset(f"<loc>{HOME}{'x' * 20 * MEGABYTE}</loc>").encode(), ""),
        "no end": (lambda: urlset(f"<loc>{HOME}</loc>").encode()[:-20], "broken-xml"),
        "zeros": (lambda: b"\0" * 10 * MEGABYTE, "not-a-sitemap"),
        "zip": (lambda: b"PK\3\4" + b"\0" * 100, "not-a-sitemap"),
        "nothing": (lambda: b"", "not-a-sitemap"),
        "a web page": (lambda: b"<!DOCTYPE html><title>Not found</title>", "not-a-sitemap"),
        "gzip bomb": (lambda: gzip.compress(b"\0" * 200 * MEGABYTE, 1), "too-large"),
        "many gzip members": (lambda: gzip.compress(b"") * MEGABYTE, "not-a-sitemap"),
        "gzip of gzip": (lambda: gzip.compress(gzip.compress(urlset().encode())), "not-a-sitemap"),
        "half a gzip": (lambda: gzip.compress(urlset().encode())[:-10], "gzip-broken"),
        "a gzip's head": (lambda: b"\x1f\x8b", "gzip-broken"),
        "UTF-16": (lambda: urlset(f"<loc>{HOME}</loc>").encode("utf-16"), "encoding"),
        "UTF-16 without mark": (
            lambda: urlset(f"<loc>{HOME}</loc>").encode("utf-16-be"),
            "encoding",
        ),
        "Latin-1": (lambda: urlset(f"<loc>{HOME}\xe9</loc>").encode("latin-1"), "encoding"),
        "UTF-7": (lambda: b'<?xml version="1.0" encoding="utf-7"?><urlset/>', "encoding"),
        "punycode": (
            lambda: b'<?xml version="1.0" encoding="punycode"?><urlset>' + b"a-b" * 5 * MEGABYTE,
            "encoding",
        ),
        "lone surrogate": (
            lambda: b"<urlset><url><loc>\xed\xa0\x80</loc></url></urlset>",
            "encoding",
        ),
        "overlong": (lambda: b"<urlset><url><loc>\xc0\xaf</loc></url></urlset>", "encoding"),
        "space before": (lambda: b" \n" + urlset(f"<loc>{HOME}</loc>").encode(), "broken-xml"),
        "many lines": (lambda: b"https://a\n" + b"a\n" * MEGABYTE, "too-many-urls"),
        "many links": (
            lambda: urlset(
                f"<loc>{HOME}</loc>"
                + '<xhtml:link rel="alternate" hreflang="" href=""/>' * (MEGABYTE // 10)
            ).encode(),
            "",
        ),
    }


BOMBS = bombs()


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_nasty_file_gives_a_clear_issue_and_takes_bounded_memory(name: str) -> None:
    make, rule = BOMBS[name]
    data = make()
    tracemalloc.start()
    try:
        sitemap = read(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (rule or "none") in ([issue.rule.id for issue in sitemap.issues] or ["none"])
    assert peak < 5 * MAX_FILE
    assert all(len(issue.detail) < 300 for issue in sitemap.issues)


READ_WITH_LITTLE_MEMORY = """
import resource, sys
from sitemapkit_tools.sitemaps.read import read_sitemap
from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile
resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
sys.exit(read_sitemap(sys.stdin.buffer.read(), SitemapFile()).complete)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of memory are those of POSIX")
@pytest.mark.parametrize("name", [name for name in BOMBS if "namespace" in name])
def test_what_the_parser_itself_keeps_of_namespaces_is_bounded(name: str) -> None:
    data = gzip.compress(BOMBS[name][0](), 1)
    command = [sys.executable, "-c", READ_WITH_LITTLE_MEMORY]
    assert subprocess.run(command, input=data, timeout=20, check=False).returncode == 0


@pytest.mark.parametrize("elements", [1, 10_000])
def test_the_address_of_a_namespace_costs_nothing_for_each_element(elements: int) -> None:
    long = urlset("<a:b/>" * elements).replace("<urlset ", LONG_NAMESPACE, 1)
    start = time.process_time()
    sitemap = read(gzip.compress(long.encode()))
    assert time.process_time() - start < 1
    assert [issue.detail for issue in sitemap.issues] == [
        f"The address of a namespace has over {MAX_NAMESPACE} characters."
    ]


def test_the_longest_address_of_a_namespace_is_read() -> None:
    for length, complete in ((MAX_NAMESPACE, True), (MAX_NAMESPACE + 1, False)):
        sitemap = read(urlset(f"<loc>{HOME}</loc><b xmlns='{'u' * length}'/>").encode())
        assert sitemap.complete == complete


class Short(Budget):
    """Time that is over when it is asked for the fourth time, on any machine."""

    asked = 0

    def check(self) -> None:
        self.asked += 1
        if self.asked == 4:
            raise OverBudgetError("time is over")


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
@pytest.mark.parametrize("content", ["<a xmlns='b'/>", "<!-- -->", "<?a b?>", "\n", "x"])
def test_the_time_of_a_command_ends_parsing(content: str, pack: Callable[[bytes], bytes]) -> None:
    text = urlset(f"<loc>{HOME}</loc>{content * (MEGABYTE // len(content))}")
    (file,) = collect("a", Files({"a": pack(text.encode())}), Short())
    assert file.issues[-1].detail == "It was not read to its end: time is over."
    assert 0 < file.size < MEGABYTE / 4


@pytest.mark.slow
def test_no_more_is_kept_than_the_bounds_allow() -> None:
    sitemap = read(urlset(f"<loc>{HOME}{'x' * MEGABYTE}</loc>").encode())
    assert len(sitemap.elements[0].loc) == MAX_TEXT
    many = "".join(f"<url><loc>{HOME}{n}</loc><b{n}/></url>" for n in range(MAX_ELEMENTS + 10))
    sitemap = read(f"<urlset {NAMESPACES}>{many}</urlset>".encode())
    assert len(sitemap.elements) <= MAX_ELEMENTS
    assert len(sitemap.issues) <= MAX_ISSUES + 1


@pytest.mark.parametrize(
    "text",
    [
        "https://a/{}",
        "<urlset><url><loc>https://a/{}</loc></url></urlset>",
        "<urlset><url><loc>https://a/</loc><lastmod>{}</lastmod></url></urlset>",
        urlset("<loc>https://a/</loc><image:image><image:loc>{}</image:loc></image:image>"),
        urlset('<loc>https://a/</loc><xhtml:link rel="alternate" hreflang="de" href="{}"/>'),
        "<rss><item><link>https://a/{}</link></item></rss>",
        "<feed><entry><link href='https://a/'/><updated>{}</updated></entry></feed>",
    ],
)
def test_each_character_that_is_kept_counts(text: str) -> None:
    less, more = (read(text.format("x" * count).encode()).kept for count in (100, 1_100))
    assert more - less == 1_000


def test_what_an_issue_says_counts() -> None:
    kept = [read(urlset(f"<loc>{HOME}</loc><{'b' * count}/>").encode()).kept for count in (10, 50)]
    assert kept[1] - kept[0] == 2 * 40  # in its subject and in its detail


def test_a_short_field_is_in_the_cost_of_its_entry() -> None:
    text = "<urlset><url><loc>https://a/</loc><lastmod>{}</lastmod></url></urlset>"
    kept = [read(text.format("x" * count).encode()).kept for count in (1, 64, 65)]
    assert kept[0] == kept[1] < kept[2]


def test_what_is_kept_of_all_sitemaps_together_is_bounded() -> None:
    source = Files(dict.fromkeys("abcd", urlset(f"<loc>{HOME}</loc>").encode()))
    files = collect("abcd", source, Budget(memory=1_000))
    assert [file.complete for file in files] == [True, True, False, False]


class Files(dict[str, bytes]):
    """The files of a site by their URLs."""

    def read(self, url: str) -> bytes:
        return self[url]

    def location(self, url: str) -> str:
        return url


def test_a_sitemap_packed_in_several_members_is_read_whole() -> None:
    text = urlset(*(f"<loc>{HOME}{number}</loc>" for number in range(9))).encode()
    packed = b"".join(gzip.compress(text[at : at + 100]) for at in range(0, len(text), 100))
    sitemap = read(packed)
    assert (len(sitemap.elements), sitemap.issues) == (9, [])


def test_what_was_read_before_a_fault_is_kept() -> None:
    entries = [f"<loc>{HOME}{number}</loc>" for number in range(1_000)]
    sitemap = read(urlset(*entries, "<loc>&broken</loc>").encode())
    assert len(sitemap.elements) == 1_000
    assert (sitemap.issues[-1].rule.id, sitemap.issues[-1].line) == ("broken-xml", 1_003)


@pytest.mark.parametrize(
    "spelling",
    [
        "<urlset><url><loc>{}</loc></url></urlset>",
        '<urlset xmlns="http://www.google.com/sitemap/0.84"><url><loc>{}</loc></url></urlset>',
        '<s:urlset xmlns:s="urn:sitemap"><s:url><s:loc> {} </s:loc></s:url></s:urlset>',
        "\ufeff<urlset><url><loc><![CDATA[{}]]></loc></url></urlset>",
        "<urlset>\n<url>\n<loc>\n{}\n</loc>\n</url>\n</urlset>",
        "<urlset><!-- c --><?p i?><url><loc>{}</loc><a><b><loc>no</loc></b></a></url></urlset>",
        '<rss version="2.0"><channel><link>no</link><item><link>{}</link></item></channel></rss>',
        '<feed><link href="no"/><entry><link rel="via" href="x"/><link href="{}"/></entry></feed>',
        "<r:RDF xmlns:r='urn:rdf' xmlns='urn:rss'><item><link>{}</link></item></r:RDF>",
        "\ufeff{}\r\n",
        "{}",
    ],
)
def test_a_sitemap_in_any_spelling_is_read(spelling: str) -> None:
    sitemap = read(spelling.format(f"{HOME}té").encode())
    assert [element.loc for element in sitemap.elements] == [f"{HOME}té"]


def test_an_entry_without_a_url_says_whether_the_element_is_missing_or_empty() -> None:
    wrong = ["<lastmod>2024-01-01</lastmod>", "<loc> </loc>", f"<loc>{HOME}a</loc><loc>b</loc>"]
    found = read(urlset(*wrong).encode()).issues
    told = [(each.where, each.detail, each.line) for each in found if each.rule.id == "no-loc"]
    assert told == [("", "It has 0.", 3), ("", "It is empty.", 4), (f"{HOME}a", "It has 2.", 5)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", [("It is empty.", 1)]),
        ("a list of pages", [("It is not XML.", 1)]),
        ("<html>", [("It is an HTML page.", 1)]),
        ("<pages/>", [("Its root element is <pages>.", 1)]),
        ("<urlset/>", [("It has none.", 1), ("It has no entry.", None)]),
        ("\n<urlset xmlns='urn:a'/>", [("It is 'urn:a'.", 2), ("It has no entry.", None)]),
        ("<!DOCTYPE urlset><urlset/>", [("Nothing after it was read.", 1)]),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_sentence(
    text: str, told: list[tuple[str, int | None]]
) -> None:
    found = read(text.encode())
    assert [(issue.detail, issue.line) for issue in found.issues] == told
    assert found.complete == (found.kind == "urlset")


def test_an_unknown_element_is_named_once_with_its_line() -> None:
    entry = f"<loc>{HOME}</loc>\n<changed>2024-01-01</changed>"
    found = read(urlset(entry, entry).encode()).issues
    (unknown,) = [issue for issue in found if issue.rule.id == "unknown-element"]
    assert unknown.where == "changed"
    assert unknown.detail == "It is the element 'changed'."
    assert unknown.line == 4


def test_a_byte_that_is_no_text_is_found_in_its_line() -> None:
    found = read(f"{HOME}a\n{HOME}b\n{HOME}\xe9\n".encode("latin-1")).issues
    assert [(issue.rule.id, issue.line) for issue in found] == [("encoding", 3)]


@pytest.mark.parametrize("declared", ["utf-8", "UTF8", "us-ascii"])
def test_names_of_utf_8_and_its_part_are_right(declared: str) -> None:
    found = read(urlset(f"<loc>{HOME}</loc>").replace("UTF-8", declared).encode())
    assert (found.issues, [element.loc for element in found.elements]) == ([], [HOME])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("root", ["<?xml version='1.0'?><urlset", "<urlset", "<sitemapindex"])
def test_utf_16_without_a_mark_is_told_by_how_a_sitemap_begins(root: str, encoding: str) -> None:
    text = f"{root} {NAMESPACES}></{root.rpartition('<')[2]}>"
    (issue, *_) = read(text.encode(encoding)).issues
    assert (issue.rule.id, issue.detail) == ("encoding", f"It is in {encoding}.")


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252", "utf-16", "utf-16-be"])
def test_a_sitemap_in_an_old_encoding_is_read_in_it(encoding: str) -> None:
    text = urlset(f"<loc>{HOME}té</loc>").replace("UTF-8", encoding)
    assert [each.loc for each in read(text.encode(encoding)).elements] == [f"{HOME}té"]


def test_white_space_before_the_declaration_is_told_with_its_line() -> None:
    (issue,) = read(f"\n{urlset(f'<loc>{HOME}</loc>')}".encode()).issues
    told = "There is white space before the XML declaration."
    assert (issue.where, issue.detail, issue.line) == ("", told, 1)


def test_a_file_in_an_encoding_that_is_not_read_is_read_as_utf_8() -> None:
    text = urlset(f"<loc>{HOME}t\ufffd</loc>").replace("UTF-8", "punycode").encode()
    found = read(text.replace("\ufffd".encode(), b"\xff"))
    assert [(issue.detail[:30], issue.line) for issue in found.issues] == [
        ("It is in punycode.", 1),
        ("It cannot be read as utf-8: in", 3),
    ]


def test_a_web_page_is_told_by_its_document_type_too() -> None:
    (issue,) = read(b"<!-- saved -->\n<!DOCTYPE html><title>Not found</title>").issues
    assert (issue.rule.id, issue.detail, issue.line) == ("not-a-sitemap", "It is an HTML page.", 2)


@pytest.mark.parametrize(("unknown", "complete"), [(3, True), (4, False)])
def test_as_many_unknown_elements_are_read_as_the_bound_says(
    unknown: int, complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitemapkit_tools.sitemaps.xml._MAX_UNKNOWN", 3)
    sitemap = read(urlset(f"<loc>{HOME}</loc>{'<changed/>' * unknown}").encode())
    assert sitemap.complete == complete


@pytest.mark.parametrize("levels", [10, 200])
def test_indexes_in_indexes_end(site: Site, levels: int) -> None:
    site.write()
    for level in range(levels):
        site.put(f"level-{level}.xml", index(f"{HOME}level-{level + 1}.xml"))
    site.put(f"level-{levels}.xml", site.sitemap())
    site.index("level-0.xml")
    assert "nested-index" in site.rules()


@pytest.mark.parametrize(("levels", "read"), [(4, True), (5, False)])
def test_indexes_in_indexes_are_read_to_the_fifth_level(
    site: Site, levels: int, read: bool
) -> None:
    site.write()
    for level in range(levels):
        site.put(f"level-{level}.xml", index(f"{HOME}level-{level + 1}.xml"))
    site.put(f"level-{levels}.xml", site.sitemap())
    site.index("level-0.xml")
    assert ("not-listed" not in site.rules()) == read


@pytest.mark.parametrize(("levels", "rule"), [(33, None), (34, "broken-xml")])
def test_elements_are_nested_at_most_32_deep_below_the_root(levels: int, rule: str | None) -> None:
    inner = "<a xmlns=''>" * (levels - 2) + "</a>" * (levels - 2)
    sitemap = read(urlset(f"<loc>{HOME}</loc>{inner}").encode())
    assert sitemap.complete == (rule is None)
    assert ("broken-xml" in [issue.rule.id for issue in sitemap.issues]) == (rule is not None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1", 1.0), ("1.0", 1.0), ("0", 0.0), ("0.51", 0.51)),
        *(("1.01", None), ("1.1", None), ("-0.01", None), ("nan", None), ("high", None)),
    ],
)
def test_a_priority_counts_from_0_to_1(text: str, value: float | None) -> None:
    sitemap = read(urlset(f"<loc>{HOME}</loc><priority>{text}</priority>").encode())
    assert sitemap.elements[0].valid_priority == value


def test_indexes_that_name_each_other_end(site: Site) -> None:
    site.write()
    site.put("a.xml", index(f"{HOME}b.xml", f"{HOME}sitemap.xml", f"{HOME}a.xml"))
    site.put("b.xml", index(f"{HOME}a.xml"))
    site.index("a.xml", "b.xml")
    assert site.rules() == {"nested-index", "not-listed"}


def test_an_index_of_itself_ends(site: Site) -> None:
    site.write()
    site.index("sitemap.xml")
    assert site.rules() == {"nested-index", "not-listed"}


def test_an_index_of_more_sitemaps_than_are_read_is_told(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitemapkit_tools.sitemaps.collect.MAX_FILES", 3)
    site.write()
    for name in ("1", "2", "3"):
        site.put(f"{name}.xml", site.sitemap())
    site.index("1.xml", "2.xml", "3.xml")
    assert site.rules() == {"duplicate-url", "not-checked"}


@pytest.mark.parametrize(
    ("day", "rule"),
    [("0001-01-01", "old-date"), ("9999-12-31", "future-date"), ("0000-12-31", "bad-date")],
)
@pytest.mark.parametrize("zone", ["", "Z", "+14:00", "-14:00", "+23:59", "-23:59"])
def test_dates_at_the_ends_of_time_are_read(site: Site, day: str, rule: str, zone: str) -> None:
    moment = f"{day}T{'00:00:00' if day < '9' else '23:59:59'}{zone}" if zone else day
    site.entries[f"{HOME}about/"] = f"<lastmod>{moment}</lastmod>"
    for path in ("about/", "guide/"):
        site.heads[path] += f'<meta property="article:modified_time" content="{moment}">'
    site.write()
    site.put("sitemap-1.xml", site.sitemap())
    site.index("sitemap-1.xml", lastmod=moment)
    found = site.rules()
    assert rule in found
    assert found <= {rule}
    assert site.run("build").code == 0


NONSENSE = [
    *("<!-- ", "<", "</", '<a href="', "<a ", "<a>", "<div>", "<script>", "<style>", "<title>"),
    *("<link rel=canonical href='", "dateModified", 'dateModified": "', "<svg><title>", "<b><p>"),
    *('<a rel="edit" href="//h/edit/a/b">', "<a " + "x" * 3_000, "\0", "<template>", "é", "]]>"),
    *(
        "<a =",
        "<meta x ",
        "<meta robots='&#",
        "<title>&#" + "9" * 5_000,
        "<link canonical href=&#1",
    ),
    *("<!DOCTYPE ", "<html lang=", '<meta name="robots" content="', "<head>", "<base href="),
]


@pytest.mark.slow
@pytest.mark.parametrize("nonsense", NONSENSE)
def test_ten_megabytes_of_nonsense_for_a_page_take_linear_time(nonsense: str) -> None:
    html = (nonsense * (10 * MEGABYTE // len(nonsense))).encode()
    facts = page_facts(html)
    assert len(facts.title) < 10 * MEGABYTE
    assert edited_file(parse_html(html), {"b"}) in (None, ("a", "b"))


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_a_site_of_nonsense_is_built_and_checked(site: Site, nonsense: str) -> None:
    site.write()
    site.put("about/index.html", nonsense * (2 * MEGABYTE // len(nonsense)))
    site.check("--exclude", "about/")


@pytest.mark.slow
@pytest.mark.parametrize("nonsense", [*NONSENSE, "<li>" * 50, "<div></x>", "<a b=1 "])
def test_nonsense_is_digested_in_bounded_time(site: Site, nonsense: str) -> None:
    site.write()
    site.put("about/index.html", "<title>A</title>" + nonsense * (2 * MEGABYTE // len(nonsense)))
    ledger = site.root.parent / "ledger"
    assert site.run("build", "--set", f"ledger={ledger}").code == 0


def test_pages_in_utf_16_are_read() -> None:
    html = '<html lang="de"><head><title>Tee</title><meta name="robots" content="noindex"></head>'
    for encoding in ("utf-16", "utf-8-sig"):
        facts = page_facts(html.encode(encoding))
        assert (facts.title, facts.lang, facts.head.noindex) == ("Tee", "de", True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "User-agent: *\nDisallow: /" + "*a" * 500 + "b\n",
        "User-agent: *\n" + "Disallow: /a\n" * 50_000,
        "User-agent: a\n" * 50_000,
        "Disallow" * MEGABYTE,
        "\0" * MEGABYTE,
        ":\n" * MEGABYTE,
        "Sitemap:" + " " * MEGABYTE,
    ],
)
def test_a_nasty_robots_txt_is_read_in_bounded_time(text: str) -> None:
    robots = RobotsTxt(text.encode())
    assert robots.allows(f"{HOME}{'a' * 2_000}", "Googlebot") in (True, False)
    assert len(robots.lines) < MAX_ROBOTS


def test_robots_beyond_what_crawlers_read_does_not_count() -> None:
    text = "#" * MAX_ROBOTS + "\nUser-agent: *\nDisallow: /\n"
    assert RobotsTxt(text.encode()).allows(HOME, "Googlebot")


@pytest.mark.parametrize("agent", ["User-agent", "useragent", "UserAgent"])
@pytest.mark.parametrize("sitemap", ["Sitemap", "site-map"])
def test_a_group_that_a_sitemap_line_splits_is_known_in_any_spelling(
    agent: str, sitemap: str
) -> None:
    text = f"{agent}: a\n{sitemap}: {HOME}sitemap.xml\nDisallow: /b\n"
    assert [line.number for line in RobotsTxt(text.encode()).splitting_lines()] == [2]


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.name)
def test_what_a_fuzzer_found_interesting_is_read(file: Path) -> None:
    data = file.read_bytes()
    sitemap = read(data)
    assert len(sitemap.elements) <= MAX_ELEMENTS
    page_facts(data)
    edited_file(parse_html(data), {"a/b"})
    RobotsTxt(data).allows(HOME, "Googlebot")


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(CORPUS), st.integers(0, 10_000))
def test_any_bytes_are_read(extra: bytes, file: Path, place: int) -> None:
    data = file.read_bytes()
    place %= len(data) + 1
    mixed = data[:place] + extra + data[place:]
    assert len(read(mixed).elements) <= MAX_ELEMENTS
    page_facts(mixed)


def test_a_sitemap_cut_off_at_any_byte_is_read() -> None:
    text = urlset(f"<loc>{HOME}té</loc><lastmod>2024-05-06</lastmod>", f"<loc>{HOME}b</loc>")
    for data in (text.encode(), gzip.compress(text.encode()), text.encode("utf-16")):
        for end in range(len(data)):
            assert not read(data[:end]).complete or not data[end:].strip(b"\0\r\n")


def test_a_sitemap_with_any_byte_changed_is_read() -> None:
    text = bytearray(urlset(f"<loc>{HOME}té</loc><lastmod>2024-05-06</lastmod>").encode())
    chance = random.Random(0)  # noqa: S311 - no secret
    for place in range(len(text)):
        changed = text.copy()
        changed[place] = chance.randrange(256)
        assert len(read(bytes(changed)).elements) <= len(text)


@pytest.mark.parametrize(
    ("start", "word", "reason"),
    [
        ("<meta ", "none ", Reason.NOINDEX),
        ("<meta ", "refresh ", Reason.REDIRECT),
        ("<link ", "canonical ", Reason.CANONICAL),
    ],
)
def test_an_element_without_an_end_gives_no_reason(
    tmp_path: Path, start: str, word: str, reason: Reason
) -> None:
    page = tmp_path / "index.html"
    page.write_text(start + word * MEGABYTE)
    assert head_line(page, reason) is None


PASSWORD = "s3cr3tpw"  # noqa: S105 - of nothing


def test_a_password_in_a_url_is_shown_nowhere(site: Site) -> None:
    url = f"https://user:{PASSWORD}@example.org/"
    site.heads[""] = f'<link rel="canonical" href="{url}">'
    site.heads["about/"] = f'<link rel="canonical" href="{url}about/">'
    site.entries[f"{url}guide/"] = ""
    site.robots = f"User-agent: *\nSitemap: {url}sitemap.xml\n"
    site.write()
    for arguments in (
        ("check", site.root),
        ("check", site.root, "--base-url", url),
        ("check", site.root, "--json"),
        ("check", url),
        ("build", site.root, "--base-url", url),
        ("build", site.root, "--generator", "none"),
    ):
        outcome = run(*arguments)
        assert PASSWORD not in outcome.stdout + outcome.stderr, arguments
