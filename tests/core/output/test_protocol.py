"""The rules of the sitemap protocol, each by its id, on files as they are written."""

from __future__ import annotations

import gzip
import locale
from datetime import UTC, date, datetime, timedelta, timezone
from inspect import signature
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from lxml import etree

from sitemapkit import OptionError
from sitemapkit.errors import OutputError
from sitemapkit.extensions.alternates import Alternate
from sitemapkit.formats.xml import Child, index_file
from sitemapkit.layout import Layout
from sitemapkit.model import Entry

from .conftest import BASE, issues

if TYPE_CHECKING:
    from .conftest import Output

IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
XHTML = "{http://www.w3.org/1999/xhtml}"


def test_the_signature_of_an_entry_can_be_asked_for() -> None:
    assert [*signature(Entry).parameters][:4] == ["loc", "lastmod", "changefreq", "priority"]


# The document


def test_d1_the_root_is_a_urlset_in_the_protocols_namespace(output: Output) -> None:
    output.write("a/")
    assert output.root().tag == "{http://www.sitemaps.org/schemas/sitemap/0.9}urlset"


def test_d2_each_page_has_one_url_with_one_loc(output: Output) -> None:
    output.write("a/", "b/", "c/")
    assert output.urls() == [{"loc": f"{BASE}{name}/"} for name in "abc"]


def test_d3_files_are_utf8_with_a_declaration_and_no_byte_order_mark(output: Output) -> None:
    output.write("ü/")
    assert output.bytes().startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n')


def test_d4_what_xml_needs_escaped_is_escaped(output: Output) -> None:
    url = f"{BASE}?a=1&b='2'"
    page = Entry(url, alternates=[Alternate("en", url)], images=[url])
    output.write(page)
    assert b"<loc>https://example.org/?a=1&amp;b=&apos;2&apos;</loc>" in output.bytes()
    [written] = output.root()
    assert output.locs() == [url]
    assert [link.get("href") for link in written.iter(XHTML + "link")] == [url]
    assert [loc.text for loc in written.iter(IMAGE + "loc")] == [url]


@pytest.mark.parametrize("bad", ["\x00", "\x1f", "\x7f", "\n", "\ud800"])
def test_d5_a_url_that_xml_cannot_hold_is_left_out_with_a_warning(output: Output, bad: str) -> None:
    report = output.write("good/", f"b{bad}d/")
    assert output.locs() == [f"{BASE}good/"]
    assert issues(report) == ["bad-url"]


@pytest.mark.parametrize("odd", ["\x80", "\u2028", "\ufffe", "\uffff", "\U0001f600", '<">'])
def test_d5_other_odd_characters_are_percent_encoded(output: Output, odd: str) -> None:
    output.write(f"a{odd}b/")
    assert output.locs() == [f"{BASE}a{''.join(f'%{b:02X}' for b in odd.encode())}b/"]


def test_d6_elements_stand_in_the_order_of_the_schema(output: Output) -> None:
    languages = [Alternate("en", f"{BASE}a/"), Alternate("de", f"{BASE}de/a/")]
    output.write(Entry(f"{BASE}a/", date(2024, 5, 6), "daily", 0.5, languages, [f"{BASE}a.png"]))
    [url] = output.root()
    tags = [etree.QName(child).localname for child in url]
    assert tags == ["loc", "lastmod", "changefreq", "priority", "image", "link", "link"]


def test_d7_the_protocols_elements_have_no_attributes(output: Output) -> None:
    output.write(Entry(f"{BASE}a/", date(2024, 5, 6), "daily", 0.5))
    assert not any(element.attrib for element in output.root().iter())


@pytest.mark.parametrize(
    ("entry", "declared"),
    [
        (Entry(f"{BASE}a/"), set[str]()),
        (Entry(f"{BASE}a/", images=[f"{BASE}a.png"]), {"image"}),
        (Entry(f"{BASE}a/", alternates=[Alternate("en", f"{BASE}a/")]), {"xhtml"}),
        (Entry(f"{BASE}a/", images=["ftp://example.org/a.png"]), set[str]()),
    ],
)
def test_d8_only_namespaces_in_use_are_declared(
    output: Output, entry: Entry, declared: set[str]
) -> None:
    output.write(entry, "b/")
    assert {prefix for prefix in output.root().nsmap if prefix} == declared


def test_d8_each_child_declares_what_it_uses_itself(output: Output) -> None:
    output.write(Entry(f"{BASE}a/1/", images=[f"{BASE}a.png"]), "b/1/", "b/2/", max_urls=2)
    assert set(output.root("sitemap-a.xml").nsmap) == {None, "image"}
    assert set(output.root("sitemap-b.xml").nsmap) == {None}


def test_a_page_has_at_most_1000_images_and_a_warning_names_it(output: Output) -> None:
    images = [f"{BASE}{number}.png" for number in range(1001)]
    report = output.write(Entry(f"{BASE}a/", images=images), Entry(f"{BASE}b/", images=images[:9]))
    first, second = output.root()
    assert [loc.text for loc in first.iter(IMAGE + "loc")] == images[:1000]
    assert len([*second.iter(IMAGE + "loc")]) == 9
    assert [(issue.rule.id, issue.where) for issue in report.issues] == [
        ("too-many-images", f"{BASE}a/")
    ]


def test_of_images_and_versions_only_what_is_invalid_is_left_out(output: Output) -> None:
    versions = [("en", f"{BASE}a/"), ("d e", f"{BASE}de/a/"), ("fr", "ftp://a.b/"), ("es", BASE)]
    images = [f"{BASE}1.png", "ftp://example.org/2.png", f"{BASE}3.png"]
    output.write(
        Entry(f"{BASE}a/", images=images, alternates=versions),
        Entry(f"{BASE}b/", images=images[:1], alternates=versions[2:]),
        "c/",
    )
    assert [[loc.text for loc in url.iter(IMAGE + "loc")] for url in output.root()] == [
        [images[0], images[2]],
        [images[0]],
        [],
    ]
    links = [[*url.iter(XHTML + "link")] for url in output.root()]
    assert [[(link.get("hreflang"), link.get("href")) for link in each] for each in links] == [
        [versions[0], versions[3]],
        [versions[3]],
        [],
    ]
    assert not "".join(child.tail or "" for child in output.root().iter()).strip()


def test_d9_without_a_page_no_file_is_written_and_a_warning_says_so(output: Output) -> None:
    report = output.write(robots="write")
    assert output.names() == []
    assert issues(report) == ["empty-sitemap"]


@pytest.mark.parametrize("news", [None, {"name": "Tea", "language": "en", "match": "news/"}])
def test_d9_a_site_that_lost_all_its_pages_keeps_its_files(
    output: Output, news: dict[str, str] | None
) -> None:
    given = {"max_urls": 1, "formats": ["xml", "gz", "txt", "html"], "robots": "write"}
    output.write("a/1/", "b/1/", **given, news=news)
    before = {name: output.bytes(name) for name in output.names()}
    report = output.write(**given, news=news)
    assert {name: output.bytes(name) for name in output.names()} == before
    assert len(before) > 3
    assert issues(report) == ["empty-sitemap"]
    assert (report.written, report.removed, report.entry_file) == ([], [], None)


def test_d10_a_file_holds_max_urls_and_not_one_more(output: Output) -> None:
    output.write("a/1/", "a/2/", "b/1/", max_urls=3)
    assert output.names() == ["sitemap.xml"]
    output.write("a/1/", "a/2/", "b/1/", "b/2/", max_urls=3)
    assert output.names() == ["sitemap-a.xml", "sitemap-b.xml", "sitemap.xml"]


def test_d10_the_limits_of_the_protocol_are_the_largest_one_can_ask_for(output: Output) -> None:
    assert output.options().max_urls == 50_000
    assert output.options().max_bytes == 52_428_800
    for wrong in ({"max_urls": 50_001}, {"max_bytes": 52_428_801}):
        with pytest.raises(OptionError, match=next(iter(wrong))):
            output.options(**wrong)


def test_d10_hl6_extensions_count_as_bytes(output: Output) -> None:
    images = [f"{BASE}{number}.png" for number in range(30)]
    output.write(*(Entry(f"{BASE}{s}/1/", images=images) for s in "abc"), max_bytes=4096)
    assert output.children() == [f"sitemap-{s}.xml" for s in "abc"]
    assert all(len(output.bytes(name)) <= 4096 for name in output.names())


def test_d11_a_gz_file_is_gzip_of_the_same_document(output: Output) -> None:
    output.write("a/", formats=["xml", "gz"])
    compressed = (output.folder / "sitemap.xml.gz").read_bytes()
    assert gzip.decompress(compressed) == output.bytes()


def test_d12_pages_are_sorted_by_url_whatever_their_order(output: Output) -> None:
    output.write("c/", "a/", "b/")
    assert output.locs() == [f"{BASE}{name}/" for name in "abc"]


def test_d13_no_doctype_no_date_in_a_comment_no_processing_instruction(output: Output) -> None:
    output.write("a/")
    head = output.bytes().partition(b"<urlset")[0].decode()
    assert head == '<?xml version="1.0" encoding="UTF-8"?>\n<!-- sitemapkit -->\n'


# loc


@pytest.mark.parametrize("url", ["/a/", "a/", "ftp://example.org/a/", "mailto:a@example.org", ""])
def test_l1_only_absolute_http_urls_are_listed(output: Output, url: str) -> None:
    report = output.write(Entry(url), "good/")
    assert output.locs() == [f"{BASE}good/"]
    assert issues(report) == ["bad-url"]


def test_l2_the_longest_url_has_2047_characters(output: Output) -> None:
    fits = "x" * (2047 - len(BASE))
    report = output.write(fits, fits + "x")
    assert output.locs() == [BASE + fits]
    assert issues(report) == ["bad-url"]


def test_l2_length_is_that_of_the_encoded_url_and_not_of_its_xml(output: Output) -> None:
    encoded = "é" * 337 + "x" * (2047 - len(BASE) - 337 * 6)
    unescaped = "?" + "&" * (2046 - len(BASE))
    report = output.write(encoded, encoded + "x", unescaped)
    assert [len(loc) for loc in output.locs()] == [2047, 2047]
    assert issues(report) == ["bad-url"]


def test_l2_a_url_below_12_characters_gets_a_warning(output: Output) -> None:
    report = output.write(Entry("http://a.b/"), base_url="http://a.b/")
    assert issues(report) == ["short-url"]


def test_l3_urls_are_ascii_with_utf8_escapes(output: Output) -> None:
    output.write('größe/a b"c<d>e\\f^g{h|i}j`k/')
    assert output.locs() == [f"{BASE}gr%C3%B6%C3%9Fe/a%20b%22c%3Cd%3Ee%5Cf%5Eg%7Bh%7Ci%7Dj%60k/"]


@pytest.mark.parametrize(
    ("encoding", "query"),
    [
        ("utf-8", "%E3%82%B5%E3%82%A4%E3%83%88%E3%83%9E%E3%83%83%E3%83%97"),
        ("euc-jp", "%A5%B5%A5%A4%A5%C8%A5%DE%A5%C3%A5%D7"),
    ],
)
def test_l3_escapes_are_those_of_the_servers_character_set(
    output: Output, encoding: str, query: str
) -> None:
    output.write("search?サイトマップ", url_encoding=encoding)
    assert output.locs() == [f"{BASE}search?{query}"]


def test_l3_what_the_servers_character_set_lacks_is_left_out(output: Output) -> None:
    report = output.write("plain/", "größe/", url_encoding="euc-kr")
    assert output.locs() == [f"{BASE}plain/"]
    assert issues(report) == ["bad-url"]


@pytest.mark.parametrize("name", ["klingon", "utf-16", "rot13", "utf-8-sig"])
def test_l3_an_encoding_that_cannot_be_is_refused(output: Output, name: str) -> None:
    with pytest.raises(OptionError, match="url_encoding"):
        output.options(url_encoding=name)


def test_l4_what_is_escaped_stays_as_it_is(output: Output) -> None:
    output.write("gr%C3%B6%c3%9fe/?q=%a5%b5&r=%25", "100%/")
    assert output.locs() == [f"{BASE}100%25/", f"{BASE}gr%C3%B6%c3%9fe/?q=%a5%b5&r=%25"]


@pytest.mark.parametrize(
    ("host", "ascii_host"),
    [("bücher.example", "xn--bcher-kva.example"), ("faß.example", "xn--fa-hia.example")],
)
def test_l5_hosts_are_written_by_uts_46(output: Output, host: str, ascii_host: str) -> None:
    output.write(Entry(f"https://{host}/a/"), base_url=f"https://{host}/")
    assert output.locs() == [f"https://{ascii_host}/a/"]


def test_l6_scheme_and_host_are_lower_case_and_a_default_port_goes(output: Output) -> None:
    output.write(Entry("HTTPS://Example.ORG:443/Path/A/"))
    assert output.locs() == [f"{BASE}Path/A/"]


def test_l7_a_bare_host_gets_its_slash_and_deeper_paths_stay(output: Output) -> None:
    output.write(Entry("https://example.org"), "a", "b/")
    assert output.locs() == [BASE, f"{BASE}a", f"{BASE}b/"]


def test_l8_a_fragment_is_cut_off(output: Output) -> None:
    output.write("a/#top")
    assert output.locs() == [f"{BASE}a/"]


def test_l8_credentials_are_refused(output: Output) -> None:
    report = output.write("a/", Entry("https://user:secret@example.org/b/"))
    assert output.locs() == [f"{BASE}a/"]
    assert issues(report) == ["bad-url"]
    assert "secret" not in str(report.issues)


def test_l9_one_url_is_listed_once_with_the_newest_date_and_a_warning(output: Output) -> None:
    old, new = Entry(f"{BASE}ä/", date(2024, 1, 1)), Entry(f"{BASE}%C3%A4/", date(2024, 1, 2))
    for pages in ([old, new, Entry(f"{BASE}ä/")], [new, Entry(f"{BASE}ä/"), old]):
        report = output.write(*pages)
        assert output.urls() == [{"loc": f"{BASE}%C3%A4/", "lastmod": "2024-01-02"}]
        assert issues(report) == ["duplicate-url"]
        assert len(report.listed) == 1


# Place


def test_p1_p3_other_hosts_schemes_and_ports_are_left_out(output: Output) -> None:
    others = ["http://example.org/a/", "https://www.example.org/a/", "https://example.org:8443/a/"]
    report = output.write(*map(Entry, others), "a/")
    assert output.locs() == [f"{BASE}a/"]
    assert issues(report) == ["outside-base"] * 3


def test_p3_a_site_on_a_port_lists_urls_of_that_port(output: Output) -> None:
    base = "http://example.org:100/"
    output.write(Entry(f"{base}a/"), Entry("http://example.org/a/"), base_url=base)
    assert output.locs() == [f"{base}a/"]


def test_p2_urls_outside_the_base_path_are_left_out(output: Output) -> None:
    base = f"{BASE}catalog/"
    outside = [f"{BASE}a/", f"{BASE}catalog", f"{BASE}catalogue/", f"{BASE}catalog/../b/"]
    report = output.write(*map(Entry, outside), Entry(f"{base}a/"), base_url=base)
    assert output.locs() == [f"{base}a/"]
    assert issues(report) == ["outside-base"] * 4


def test_p2_a_sitemap_in_a_folder_gets_a_warning_about_its_scope(output: Output) -> None:
    report = output.write("a/", filename="maps/main/site.xml")
    assert output.names() == ["maps/main/site.xml"]
    assert issues(report) == ["scope"]


def test_p5_p6_children_stand_beside_their_index_on_the_same_site(output: Output) -> None:
    output.write("a/1/", "b/1/", filename="maps/site.xml", max_urls=1)
    assert output.locs("maps/site.xml") == [f"{BASE}maps/site-a.xml", f"{BASE}maps/site-b.xml"]
    assert output.names() == ["maps/site-a.xml", "maps/site-b.xml", "maps/site.xml"]


def test_p6_a_site_below_a_path_has_its_sitemap_there(output: Output) -> None:
    base = "https://user.github.io/proj/"
    output.write(Entry(f"{base}a/1/"), Entry(f"{base}b/1/"), base_url=base, max_urls=1)
    assert output.locs() == [f"{base}sitemap-a.xml", f"{base}sitemap-b.xml"]


# lastmod

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2024, 5, 6), "2024-05-06"),
        (datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC), "2024-05-06T07:08:09Z"),
        (datetime(2024, 5, 6, 7, 8, 9, 999_999, tzinfo=UTC), "2024-05-06T07:08:09Z"),
        (datetime(2024, 5, 6, 7, 8, 9, tzinfo=BERLIN), "2024-05-06T07:08:09+02:00"),
        (datetime(1890, 1, 1, tzinfo=BERLIN), "1889-12-31T23:06:32Z"),
        (
            datetime(2024, 5, 6, tzinfo=timezone(timedelta(hours=14, minutes=1))),
            "2024-05-05T09:59:00Z",
        ),
        (1_714_979_289, "2024-05-06T07:08:09Z"),
        (-1, "1969-12-31T23:59:59Z"),
        ("2024-05-06", "2024-05-06"),
        ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"),
        ("2024-05-06T07:08Z", "2024-05-06T07:08:00Z"),
        ("2024-05-06T07:08:09.5+09:00", "2024-05-06T07:08:09+09:00"),
        ("2024-05-06T07:08:09-00:00", "2024-05-06T07:08:09Z"),
    ],
)
def test_lm1_dates_are_written_as_all_readers_take_them(
    output: Output, value: date | int | str, text: str
) -> None:
    output.write(Entry(f"{BASE}a/", value))
    assert output.urls() == [{"loc": f"{BASE}a/", "lastmod": text}]


@pytest.mark.parametrize(
    "value",
    [
        *("2024", "2024-05", "20240506", "2024-127", "2024-W19-1", "2024-02-30", "2024-5-6"),
        *("2024-05-06Z", "2024-05-06+09:00", "2024-05-06 07:08:09Z", "2024-05-06t07:08:09z"),
        *("2024-05-06T07:08:09", "2024-05-06T24:00:00Z", "2024-05-06T23:59:60Z"),
        *(
            "2024-05-06T07:08:09+0900",
            "-0044-03-15",
            "12024-01-01",
            "yesterday",
            "",
            "\u0662024-05-06",
        ),
        *(" 2024-05-06", "2024-05-06\n", True, 10**15, -(10**15)),
    ],
)
def test_lm1_what_is_no_date_is_left_out_with_a_warning(output: Output, value: str | int) -> None:
    report = output.write(Entry(f"{BASE}a/", value), Entry(f"{BASE}b/", date(2024, 5, 6)))
    assert output.urls() == [{"loc": f"{BASE}a/"}, {"loc": f"{BASE}b/", "lastmod": "2024-05-06"}]
    assert issues(report) == ["bad-date"]


def test_lm1_a_generators_own_datetime_class_is_a_datetime(output: Output) -> None:
    class SafeDatetime(datetime):
        """As Pelican has one."""

    output.write(Entry(f"{BASE}a/", SafeDatetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)))
    assert output.urls()[0]["lastmod"] == "2024-05-06T07:08:09Z"


def test_lm3_no_date_is_written_where_none_is_known(output: Output) -> None:
    output.write("a/")
    assert output.urls() == [{"loc": f"{BASE}a/"}]


def test_lm4_a_time_without_a_zone_is_written_as_a_day(output: Output) -> None:
    output.write(Entry(f"{BASE}a/", datetime(2024, 5, 6, 7, 8, 9)))  # noqa: DTZ001
    assert output.urls()[0]["lastmod"] == "2024-05-06"


# changefreq and priority


@pytest.mark.parametrize(
    "word", ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]
)
def test_cp1_each_word_of_the_protocol_is_written(output: Output, word: str) -> None:
    output.write(Entry(f"{BASE}a/", changefreq=word))  # type: ignore[arg-type]
    assert output.urls() == [{"loc": f"{BASE}a/", "changefreq": word}]


@pytest.mark.parametrize("word", ["Daily", " daily ", "sometimes", ""])
def test_cp1_any_other_word_is_left_out_with_a_warning_for_each_page(
    output: Output, word: str
) -> None:
    pages = [Entry(f"{BASE}{name}/", None, word, 0.5) for name in "ab"]  # type: ignore[arg-type]
    report = output.write(*pages)
    assert output.urls()[0] == {"loc": f"{BASE}a/", "priority": "0.5"}
    assert [issue.where for issue in report.issues] == [f"{BASE}a/", f"{BASE}b/"]


@pytest.mark.parametrize("value", [-0.1, -1e-9, 1.000001, 1.01, float("nan"), float("inf")])
def test_cp2_a_priority_beyond_0_to_1_is_left_out_with_a_warning(
    output: Output, value: float
) -> None:
    report = output.write(Entry(f"{BASE}a/", None, "daily", value))
    assert output.urls() == [{"loc": f"{BASE}a/", "changefreq": "daily"}]
    assert issues(report) == ["bad-priority"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0.0"), (-0.0, "0.0"), (1, "1.0"), (0.25, "0.25"), (0.5, "0.5"), (1 / 3, "0.33")],
)
def test_cp3_a_priority_has_a_dot_and_one_or_two_decimals(
    output: Output, value: float, text: str
) -> None:
    output.write(Entry(f"{BASE}a/", priority=value))
    assert output.urls() == [{"loc": f"{BASE}a/", "priority": text}]


def test_cp3_the_dot_does_not_depend_on_the_locale(output: Output) -> None:
    before = locale.setlocale(locale.LC_ALL)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:  # not installed here
            continue
        output.write(Entry(f"{BASE}{name}/", priority=0.3))
        assert output.urls()[0]["priority"] == "0.3"
    locale.setlocale(locale.LC_ALL, before)


def test_cp4_an_index_has_neither(output: Output) -> None:
    output.write(*(Entry(f"{BASE}{s}/1/", None, "daily", 0.5) for s in "ab"), max_urls=1)
    assert [sorted(child) for child in output.urls()] == [["loc"], ["loc"]]


def test_cp5_neither_is_written_unless_the_author_set_it(output: Output) -> None:
    output.write(Entry(f"{BASE}a/"))
    assert output.urls() == [{"loc": f"{BASE}a/"}]


# Index


def test_ix1_an_index_lists_its_children(output: Output) -> None:
    output.write("a/1/", "b/1/", "b/2/", max_urls=2)
    assert output.root().tag == "{http://www.sitemaps.org/schemas/sitemap/0.9}sitemapindex"
    assert output.children() == ["sitemap-a.xml", "sitemap-b.xml"]
    assert output.locs("sitemap-b.xml") == [f"{BASE}b/1/", f"{BASE}b/2/"]


@pytest.mark.slow
def test_ix2_more_children_than_an_index_may_list_is_an_error(output: Output) -> None:
    layout = Layout(output.options(), output.folder)
    parts = [Child(f"p-{number}", "") for number in range(50_000)]
    assert index_file(parts, layout, "xml").chunks
    with pytest.raises(OutputError, match=r"Raise `max_urls` and `max_bytes`"):
        index_file([*parts, Child("one-more", "")], layout, "xml")


@pytest.mark.slow
def test_ix2_more_bytes_than_an_index_may_have_is_an_error(output: Output) -> None:
    layout = Layout(output.options(), output.folder)
    parts = [Child(f"{'p' * 1950}-{number}", "") for number in range(27_000)]
    with pytest.raises(OutputError, match="may list 50,000 in 52,428,800"):
        index_file(parts, layout, "xml")


def test_ix2_an_index_may_be_compressed_and_then_lists_compressed_children(output: Output) -> None:
    output.write("a/1/", "b/1/", max_urls=1, formats=["gz"])
    assert output.children("sitemap.xml.gz") == ["sitemap-a.xml.gz", "sitemap-b.xml.gz"]
    assert output.names() == ["sitemap-a.xml.gz", "sitemap-b.xml.gz", "sitemap.xml.gz"]


def test_ix3_no_index_lists_an_index(output: Output) -> None:
    output.write(*(f"s{number}/1/" for number in range(300)), max_urls=1)
    kinds = {etree.QName(output.root(child)).localname for child in output.children()}
    assert kinds == {"urlset"}


def test_ix4_a_childs_date_is_the_newest_in_it_or_none(output: Output) -> None:
    output.write(
        Entry(f"{BASE}a/1/", date(2024, 5, 6)),
        Entry(f"{BASE}a/2/", datetime(2024, 5, 6, 1, tzinfo=BERLIN)),
        Entry(f"{BASE}a/3/", datetime(2024, 5, 5, 23, 30, tzinfo=UTC)),
        "b/1/",
        Entry(f"{BASE}c/1/", datetime(2024, 1, 1, tzinfo=UTC)),
        Entry(f"{BASE}c/2/", datetime(2024, 1, 2, tzinfo=UTC)),
        "c/3/",
        max_urls=3,
    )
    dates = [child.get("lastmod") for child in output.urls()]
    assert dates == ["2024-05-06", None, "2024-01-02T00:00:00Z"]


def test_ix5_there_is_no_empty_index(output: Output) -> None:
    output.write(max_urls=1)
    assert output.names() == []


def test_ix7_the_index_has_the_name_of_the_sitemap(output: Output) -> None:
    output.write("a/1/", "b/1/", max_urls=1, robots="write")
    assert "sitemap.xml" in output.names()
    assert b"Sitemap: https://example.org/sitemap.xml\n" in output.bytes("robots.txt")


# Text


def test_tx1_tx3_a_text_sitemap_is_one_encoded_unescaped_url_a_line(output: Output) -> None:
    output.write("b/?x=1&amp;='ö'", "a/", formats=["txt"])
    assert output.bytes("sitemap.txt") == (
        b"https://example.org/a/\nhttps://example.org/b/?x=1&amp;='%C3%B6'\n"
    )
    assert output.names() == ["sitemap.txt"]


def test_tx2_text_splits_as_xml_does_and_may_be_compressed(output: Output) -> None:
    output.write("a/1/", "b/1/", max_urls=1, formats=["xml", "txt.gz"])
    assert output.bytes("sitemap-b.txt.gz") == b"https://example.org/b/1/\n"
    assert output.children("sitemap.txt.gz.xml") == ["sitemap-a.txt.gz", "sitemap-b.txt.gz"]
    assert output.children() == ["sitemap-a.xml", "sitemap-b.xml"]


def test_tx4_the_name_of_a_text_sitemap_ends_in_txt(output: Output) -> None:
    output.write("a/", formats=["txt"], robots="write", filename="pages.xml")
    assert output.names() == ["pages.txt", "robots.txt"]
    assert b"Sitemap: https://example.org/pages.txt\n" in output.bytes("robots.txt")
