"""Readers of llms.txt and of feeds find the pages of the sitemap, whatever they are called."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import threading
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sitemapkit import Entry, Report, read_options
from sitemapkit.model import About
from sitemapkit.output.write import write

from ..environments import python_with
from ..tools.examples import EXAMPLE_SITES, build_example, locs, moved
from .npm import programs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markdown_it.token import Token

BASE = "https://example.org/"
BESIDE = Path(__file__).with_name("beside.py")

AWKWARD = (
    *("a ] b", "[a](b)", "c) d", "(e", "*f*", "_g_ h_i", "\"j\" 'k' “l”", "`m`", "n\\", "\\[o"),
    *("<b>p</b>", "AT&T", "&copy; &amp;", "<!-- q -->", "# r", "s #", "- t", "1. u", "> v"),
    *("~~w~~", "|x|", "!", "***", "https://y.example/", "two\nlines", "\u200fתה ] ירק (1)"),
    *("😀", "z" * 200, "字" * 200, "word " * 39 + "last"),
)
"""Titles and descriptions that a careless writer or reader breaks."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The three example sites, built."""
    return {name: build_example(name, tmp_path_factory.mktemp(name)) for name in EXAMPLE_SITES}


def read(*files: Path) -> Any:
    """Return what readers in an environment of their own find in each file."""
    command = [str(python_with("consumers")), str(BESIDE), *map(str, files)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    return [found[str(file)] for file in files]


def links(found: Any) -> dict[str, tuple[str, str | None]]:
    """Return the name and the note of each link that a reader of llms.txt found, by its URL."""
    every = [link for section in found["sections"].values() for link in section]
    assert len({link["url"] for link in every}) == len(every)
    return {link["url"]: (html.unescape(link["title"]), unescaped(link["desc"])) for link in every}


def unescaped(text: str | None) -> str | None:
    return None if text is None else html.unescape(text)


def listed(text: str) -> dict[str, tuple[str, str | None]]:
    """Return the same of CommonMark, in which each item of a list is one link and a note."""
    items: dict[str, tuple[str, str | None]] = {}
    for token in inlines(text, "list_item"):
        first, name, last, *rest = token.children or []
        assert (first.type, name.type, last.type) == ("link_open", "text", "link_close")
        assert {each.type for each in rest} <= {"text"}
        note = "".join(each.content for each in rest)
        items[str(first.attrs["href"])] = (name.content, note.removeprefix(": ") or None)
    return items


def inlines(text: str, parent: str) -> Iterator[Token]:
    """Yield the lines inside elements of one kind."""
    level = 0
    for token in MarkdownIt().parse(text):
        level += token.nesting * (token.type in (f"{parent}_open", f"{parent}_close"))
        if token.type == "inline" and level:
            yield token


@pytest.mark.environment
def test_the_reference_reader_finds_the_pages_of_the_example_sites(
    built: Mapping[str, Path],
) -> None:
    files = [site / "llms.txt" for site in built.values()]
    for site, (strict, lenient) in zip(built.values(), read(*files), strict=True):
        text = (site / "llms.txt").read_text("utf-8")
        in_english = [loc for loc in locs(site / "sitemap.xml") if "/de/" not in loc]
        assert sorted(links(strict)) == in_english
        assert strict == lenient
        assert listed(text) == links(strict)
        assert all("<!-- sitemapkit" in found["info"] for found in (strict, lenient))
    assert read(files[0])[0][0]["summary"] == "A small field guide to tea"


@pytest.mark.environment
def test_awkward_titles_and_descriptions_survive_in_all_readers(tmp_path: Path) -> None:
    lines = [" ".join(text.split()) for text in AWKWARD]
    for number, text in enumerate(AWKWARD):
        write_site(tmp_path / str(number), text, [Entry(BASE, title=text, about=about(text))])
    write_site(tmp_path, "Tea", entries(AWKWARD))
    own = [tmp_path / str(number) / "llms.txt" for number in range(len(AWKWARD))]
    (*all_readers, feed), *alone = read_all(tmp_path, own)
    expected = {f"{BASE}{n}/a%28b%29": (line, line) for n, line in enumerate(lines)}
    assert [links(found) for found in all_readers] == [expected, expected]
    assert listed((tmp_path / "llms.txt").read_text("utf-8")) == expected
    for line, readers in zip(lines, alone, strict=True):
        for found in readers:
            said = html.unescape(found["title"]), html.unescape(found["summary"])
            assert (said, links(found)) == ((line, line), {BASE: (line, None)})
            assert [html.unescape(name) for name in found["sections"]] == [line]
    assert not feed["bozo"]
    found = {
        link: (" ".join(title.split()), html.unescape(said))
        for title, link, said in feed["entries"]
    }
    assert found == {f"{BASE}{n}/a(b)": (line, line) for n, line in enumerate(lines)}


def read_all(folder: Path, own: Sequence[Path]) -> Any:
    """Return what is in llms.txt and feed of a folder, and in the llms.txt of others."""
    first, feed, *rest = read(folder / "llms.txt", folder / "sitemap.atom", *own)
    return [[*first, feed], *rest]


def about(text: str) -> About:
    """Return what is read from a page with this description."""
    return About(description=" ".join(text.split()))


def entries(texts: Sequence[str]) -> list[Entry]:
    """Return an entry for each text, which is its title and its description."""
    changed = datetime(2024, 5, 6, tzinfo=UTC)
    return [
        Entry(f"{BASE}{n}/a(b)", changed, title=text, about=about(text))
        for n, text in enumerate(texts)
    ]


def write_site(folder: Path, title: str, pages: list[Entry]) -> str:
    """Write the files of a site; return its llms.txt."""
    given: dict[str, Any] = {"formats": ["xml", "atom", "llms"], "title": title}
    write(pages, read_options(given, where="test", base_url=BASE), folder, Report())
    return (folder / "llms.txt").read_text("utf-8")


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(words, st.lists(words, min_size=1, max_size=4), words)
def test_no_text_breaks_the_markdown(
    tmp_path_factory: pytest.TempPathFactory, title: str, titles: list[str], summary: str
) -> None:
    home = Entry(BASE, title=title, about=about(summary))
    text = write_site(tmp_path_factory.mktemp("site"), title, [home, *entries(titles)])
    found = listed(text)
    assert len(found) == len(titles) + 1
    for number, name in enumerate(titles):
        url = f"{BASE}{number}/a%28b%29"
        assert found[url][0] == (plain(name) or f"{BASE}{number}/a(b)")
    kinds = [token.type for token in MarkdownIt().parse(text) if token.nesting >= 0]
    assert set(kinds) <= {
        *("heading_open", "blockquote_open", "paragraph_open", "html_block", "inline"),
        *("bullet_list_open", "list_item_open"),
    }
    assert kinds.count("html_block") == 1
    headings = [rendered(token) for token in inlines(text, "heading")]
    assert headings[:2] == [plain(title) or BASE] * 2
    quoted = [rendered(token) for token in inlines(text, "blockquote")]
    assert quoted == ([plain(summary)] if plain(summary) else [])


def plain(text: str) -> str:
    """Return a text as it is shown: on one line, and without what XML cannot hold."""
    return " ".join(re.sub("[\ufffe\uffff]", "", text).split())


def rendered(token: Token) -> str:
    return "".join(each.content for each in token.children or ())


# afdocs, on loopback


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing of requests."""


@pytest.mark.node
@pytest.mark.parametrize("name", EXAMPLE_SITES)
def test_afdocs_finds_each_page_of_the_sitemap(
    name: str, built: Mapping[str, Path], tmp_path: Path
) -> None:
    node = Path(sys.executable).with_name("node")  # that of the system may be too old
    handler = partial(_QuietHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}/"
        moved(built[name], tmp_path, base)
        checks = ("exists", "valid", "size", "links-resolve", "coverage")
        command = [
            *(str(node), str(programs() / "node_modules/afdocs/bin/afdocs.mjs"), "check", base),
            *("--checks", ",".join(f"llms-txt-{each}" for each in checks)),
            *("--format", "json", "--quiet", "--max-links", "500", "--request-delay", "0"),
        ]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        server.shutdown()
    found = {each["id"]: each["status"] for each in json.loads(done.stdout)["results"]}
    has_summary = "\n> " in (tmp_path / "llms.txt").read_text("utf-8")
    assert found == {
        f"llms-txt-{each}": "warn" if each == "valid" and not has_summary else "pass"
        for each in checks
    }
