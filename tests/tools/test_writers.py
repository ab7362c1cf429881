"""Nothing that others wrote means more to the reader of what we write than a text or an address.

A table has each writer, how it is given hostile texts, and what its reader must find. Redirects
are judged below it: each means one old address and one page.
"""

from __future__ import annotations

import json
import re
from datetime import date
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from markdown import markdown
from selectolax.lexbor import LexborHTMLParser

from sitemapkit import OptionError, Page, build, read_options
from sitemapkit.options import FORMATS
from sitemapkit_tools.commands.check import command as check

from .conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HOME = "https://example.org/"
BASE = f"{HOME}docs/"
DAY = date(2024, 5, 6)
HOSTILE = [
    *("*", ":splat", ":name", "$uri", "..", '"', "'", "\\", "`", "|", "@all", "#", "?", "%", "~~"),
    *("\n::error::a", "\r::error::a", "##[error]a", "##vso[task.complete]a", "##teamcity[a]"),
    *("\x1b[2J", "\x9b31m", "\x07", "\0", "\x7f", "\x85", "\u2028", "\u202e", "\ufffe", "\ud800"),
    *("<script>alert(1)</script>", "<img src=x onerror=a>", "</title>", "]]>", "-->", "<!--", "<?"),
    *("&lt;b&gt;", "&#60;b&#62;", "&amp;", "<b", "{{ 7 * 7 }}", "{% raw %}", "<!DOCTYPE a>"),
    *("[a](javascript:a)", "](a)", "![a](b)", "javascript:a", "data:text/html,a", "//e.net/"),
    *("\n# a", "\n- [a](b)", "\n> a", "1. a", "---", "\nSitemap: https://e.net/", "\nDisallow: /"),
    *(
        "%0d%0a",
        "%2f",
        "%00",
        "%1b",
        "%3Cb%3E",
        "https://e.net/",
        " ",
        "\t",
        "é",
        "\U0001d4b3",
        "a" * 300,
    ),
]
texts = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=4), min_size=1, max_size=4)
texts = texts.map("".join)  # type: ignore[arg-type]


@st.composite
def sites(draw: st.DrawFn) -> dict[str, Any]:
    """Texts for all that is written: of two pages, and of the site."""
    names = ("title", "description", "address", "image", "code", "href", "video", "site")
    return {name: draw(texts) for name in names}


def pages_of(texts: Mapping[str, str], folder: Path) -> list[Page]:
    """Return pages whose addresses and texts are these, rendered as a theme would."""
    output = folder / "a.html"
    said = escape(texts["description"]).encode("utf-8", "replace").decode()
    output.write_text(f'<title>A</title><meta name="description" content="{said}"><p>a</p>')
    video = {
        "thumbnail_loc": texts["image"],
        "title": texts["video"][:100],
        "description": texts["video"],
        "player_loc": texts["href"],
    }
    states: dict[str, Any] = {
        "title": texts["title"],
        "images": [texts["image"], f"{HOME}{texts['image']}"],
        "meta": {"videos": [video], "changefreq": texts["code"], "date": "2024-05-06"},
        "lang": "en",
        "modified": DAY,
    }
    address = texts["address"]
    return [
        Page("a.html", output, **states),
        *(Page(url, **states) for url in (address, f"b/{quote(address, errors='replace')}")),
        Page(f"{BASE}{address}/c.html", **states),
        Page("", title=texts["title"]),
    ]


def written_files(texts: Mapping[str, str]) -> dict[str, bytes]:
    """Return all files of a site that is built of hostile texts."""
    with TemporaryDirectory() as folder:
        given_options = {
            "formats": [*FORMATS.built_in, *FORMATS.added()],
            "robots": "write",
            "title": texts["site"],
        }
        try:
            options = read_options(given_options, where="test", base_url=BASE)
        except OptionError:
            options = read_options({**given_options, "title": ""}, where="test", base_url=BASE)
        build(pages_of(texts, Path(folder)), options, Path(folder))
        return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


def address(url: str) -> None:
    """Judge an address of a page of ours."""
    assert re.fullmatch(r"https://example\.org/docs/[!-~]*", url), url
    assert not re.search(r"[<>\"\\^`{|}]", url), url


def xml_tree(data: bytes) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.fromstring(data, parser)
    names = {type(each).__name__ for each in root.iter()} - {"_Element"}
    assert not names, names
    assert root.getroottree().docinfo.internalDTD is None
    return root


def in_xml(data: bytes) -> None:
    for each in xml_tree(data).iter():
        kind, text = etree.QName(each).localname, each.text or ""
        allowed = "urlset url loc lastmod changefreq priority link image video thumbnail_loc title"
        assert kind in f"{allowed} description player_loc content_loc".split(), kind
        assert set(each.attrib) <= {"rel", "hreflang", "href"}
        if kind == "loc" and "sitemaps.org" in str(each.tag):
            address(text)
        elif kind.endswith("loc"):
            assert urlsplit(text).scheme in ("http", "https"), text
        if kind == "link":
            assert urlsplit(each.get("href") or "").scheme in ("http", "https")
            assert re.fullmatch("[A-Za-z0-9-]+", each.get("hreflang") or "")


def in_lines(data: bytes) -> None:
    for line in data.decode("ascii").removesuffix("\n").split("\n"):
        address(line)


def in_html(data: bytes) -> None:
    tree = LexborHTMLParser(data)
    plain = LexborHTMLParser(written_files(dict.fromkeys(HARMLESS, "a"))["sitemap.html"])
    for css in ("script", "style", "iframe", "object", "img", "form", "meta", "head *"):
        assert len(tree.css(css)) == len(plain.css(css)), css
    for each in tree.css("body *"):
        assert not [name for name in each.attributes if name.startswith("on")], each.html
        for name in ("href", "src"):
            target = each.attributes.get(name) or ""
            assert not target or target.startswith(("#", BASE)), target
    known = {each.tag for each in plain.css("*")}
    assert {each.tag for each in tree.css("*")} <= known


HARMLESS = ("title", "description", "address", "image", "code", "href", "video", "site")


_ATOM = {*("feed", "title", "link", "id", "updated", "author", "name", "entry", "summary")}
_PLAIN = {
    *("h2", "h3", "p", "strong", "code", "ul", "li"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}


def in_atom(data: bytes) -> None:
    for each in xml_tree(data).iter():
        kind = etree.QName(each).localname
        assert kind in _ATOM, kind
        if kind == "link":
            address(each.get("href") or "")
        if kind == "summary":
            assert each.get("type") == "html"
            assert not LexborHTMLParser(each.text or "a").css("body *")


def in_llms(data: bytes) -> None:
    plain = r"(?:[^\[\]<>`*_\\&\n\r\x00-\x1f]|&#\d+;)*"
    link = rf"- \[{plain}\]\(https://example\.org/docs/[^\s()<>]*\)(?:: {plain})?"
    allowed = rf"##? {plain}|> {plain}|<!-- sitemapkit: part of sitemap\.xml -->|{link}|"
    for line in data.decode().split("\n"):
        assert re.fullmatch(allowed, line), line


def in_robots(data: bytes) -> None:
    for line in data.decode("ascii").split("\n"):
        ours = ("User-agent: *", "Allow: /", "Disallow:", f"Sitemap: {BASE}sitemap.xml", "")
        assert line in ours or line.startswith("#"), line


FILES: dict[str, Callable[[bytes], None]] = {
    "sitemap.xml": in_xml,
    "sitemap.txt": in_lines,
    "sitemap.html": in_html,
    "sitemap.atom": in_atom,
    "llms.txt": in_llms,
    "robots.txt": in_robots,
}


def in_log(text: str) -> None:
    """Judge what a terminal or a log of CI shows."""
    for line in text.split("\n"):
        assert line.isprintable(), line
        assert not line.lstrip().startswith("::"), line
        assert "##[" not in line, line
        assert "##vso[" not in line, line
        assert "##teamcity[" not in line, line


def as_json(text: str) -> None:
    in_log(text)
    assert text.isascii()
    json.loads(text)


def as_annotations(text: str) -> None:
    for line in text.removesuffix("\n").split("\n"):
        found = re.fullmatch(r"::(?:error|warning|notice) ([^:]*)::(.*)", line)
        assert found, line
        keys = [part.partition("=")[0] for part in found[1].split(",")]
        assert set(keys) <= {"file", "line", "title"}, line
        assert len(keys) == len({*keys}), line
        assert line.isprintable(), line
        assert "##[" not in line, line


def as_summary(text: str) -> None:
    in_log(text)
    tree = LexborHTMLParser(markdown(text, extensions=["tables"]))
    assert {each.tag for each in tree.css("body *")} <= _PLAIN
    for table in tree.css("table"):
        assert len({len(row.css("td, th")) for row in table.css("tr")}) == 1
    assert "@" not in text
    assert not re.search(r"(?<!&)#\d", text)


FORMS: dict[str, Callable[[str], None]] = {
    "text": in_log,
    "json": as_json,
    "gitlab": as_json,
    "github": as_annotations,
    "markdown": as_summary,
}
"""The formats of `check`."""


def hostile_site(texts: Mapping[str, str], root: Path) -> None:
    """Write a finished site with these texts in its pages, sitemap, robots.txt and names."""

    def fit(text: str) -> str:
        return (
            "".join(each for each in text if each in "\t\n\r" or (each >= " " and each != "\ufffe"))
            .encode("utf-8", "ignore")
            .decode()
        )

    said = {name: fit(text) for name, text in texts.items()}
    locs = [HOME, f"{HOME}a.html", said["address"], f"{HOME}{said['address']}", said["href"]]
    rows = "".join(
        f"<url><loc>{escape(each)}</loc><lastmod>{escape(said['code'])}</lastmod>"
        f'<x:link rel="alternate" hreflang="{escape(said["code"])}" href="{escape(each)}"/></url>'
        for each in locs
    )
    spaces = (
        'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://www.w3.org/1999/xhtml"'
    )
    files = {
        "index.html": f"<title>{said['title']}</title>{texts['description']}"
        f"<a href='{said['href']}'>",
        "a.html": f"<title>{escape(said['title'])}</title>"
        f'<link rel="canonical" href="{escape(said["href"])}">'
        f'<link rel="canonical" href="{escape(said["image"])}">'
        f'<meta http-equiv="refresh" content="0; {escape(said["address"])}">',
        "robots.txt": f"Sitemap: {texts['site']}\n{texts['code']}: {texts['href']}\n",
        "_redirects": f"/{texts['address']} {texts['href']} 301\n",
        "llms.txt": f"- [{texts['title']}]({texts['href']})\n",
        "sitemap.xml": f"<urlset {spaces}>{rows}</urlset>",
    }
    name = texts["title"].replace("/", "").replace("\0", "").encode("utf-8", "ignore")[:200]
    root.mkdir()
    for file, text in files.items():
        (root / file).write_text(text, "utf-8", "replace", newline="")
    if name.strip(b"."):
        (root / f"{name.decode('utf-8', 'ignore')}.html").write_text("<title>a</title>a")


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60, deadline=None)
@given(texts=sites())
def test_no_file_means_more_to_its_reader_than_its_addresses_and_texts(
    name: str, texts: dict[str, str]
) -> None:
    found = written_files(texts)
    FILES[name](found[name])


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25, deadline=None)
@given(texts=sites())
def test_no_result_of_a_check_means_more_to_its_reader(form: str, texts: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder) / "site"
        hostile_site(texts, root)
        found = run("check", root, "--base-url", HOME, "--format", form, "--all")
    assert found.code in (0, 1), found.stderr
    in_log(found.stderr)
    FORMS[form](found.stdout)


@settings(max_examples=25, deadline=None)
@given(texts=sites())
def test_no_command_shows_a_terminal_more_than_texts(texts: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder) / "site"
        hostile_site(texts, root)
        old = Path(folder) / "old.xml"
        old.write_text(
            f"<urlset><url><loc>{HOME}{quote(texts['site'], errors='replace')}</loc></url></urlset>"
        )
        for arguments in (
            ("diff", old, root / "sitemap.xml"),
            ("build", root, "--base-url", HOME, "--dry-run"),
            ("explain", texts["href"] or "a", root, "--base-url", HOME),
            ("merge", root, "--out", root, "--base-url", HOME, "--as", "set"),
        ):
            found = run(*arguments)
            assert found.code in (0, 1, 2), found.stderr
            in_log(found.stdout)
            in_log(found.stderr)


def test_the_tables_have_each_format() -> None:
    formats = next(each.type for each in check.params if "--format" in each.opts)
    assert {*FORMS} == {*getattr(formats, "choices", ())}
    assert {"xml", "txt", "html", "atom", "llms"} == {
        name.rpartition(".")[2] if name != "llms.txt" else "llms" for name in FILES
    } - {"robots"}
