"""Every reader of what others wrote, on input that nobody would write.

Only our own errors come out. `make fuzz` gives each reader as many seconds as SITEMAPKIT_FUZZ says,
with other input each time, and also looks at how long input takes as it grows.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from sitemapkit import dates
from sitemapkit.errors import SitemapError
from sitemapkit.head import parse_head, stated_lang
from sitemapkit.metadata import publication_date, read_metadata
from sitemapkit.model import Entry, Page
from sitemapkit.options import read_options
from sitemapkit.output.write import write
from sitemapkit.parsing import parse_html
from sitemapkit.report import Report
from sitemapkit.selection import Selection
from sitemapkit.urls import absolute, normalize_or_none, resolve_or_none
from sitemapkit.xmltext import locs
from sitemapkit_extras.digest import digest_html
from sitemapkit_extras.ledger import read_ledger
from sitemapkit_tools.explain import read_report
from sitemapkit_tools.issues import read_baseline
from sitemapkit_tools.site.facts import page_facts
from sitemapkit_tools.sitemaps.read import read_sitemap
from sitemapkit_tools.sitemaps.robots import RobotsTxt
from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile
from sitemapkit_tools.sources.edit_links import edited_file
from sitemapkit_tools.submit.pending import still_to_deliver
from textdates.budget import MAX_LINES
from textdates.compare.same import is_same_text
from textdates.git.history import Change, parse
from textdates.parts import (
    Between,
    Headed,
    Headings,
    IncludeFinder,
    Published,
    PythonObjects,
    Shown,
    excerpt_in,
    phrases_of,
)

from .fuzz_tools import TOOL_OTHERS, TOOL_READ_BY, TOOL_READERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

pytestmark = pytest.mark.slow

SECONDS = float(os.environ.get("SITEMAPKIT_FUZZ", "0"))
EXAMPLES = 60
BASE = "https://example.org/"

SIZES = (500, 2_000, 8_000, 32_000, 128_000)
"""Bytes of an input as it grows, each four times those before."""

MOST_TIMES = 8
"""What four times the input may take: linear time is 4, quadratic 16."""

BOUNDS = {"page": 2.0, "source text": 0.5}
"""Seconds of the processor that a reader may take whatever it reads: a parser of HTML is given what
would make it look at 200 million elements, which is less than linear time only from there on, and a
text that is all front matter has nothing to compare until it is longer than front matter may be."""

SMALLEST = 0.02
"""Seconds that tell nothing, since they are the clock's and the memory's."""


# What is read, and of which words


def robots(data: bytes, _: Path) -> None:
    read = RobotsTxt(data)
    assert read.allows(f"{BASE}a/b?c", "Googlebot") in (True, False)
    read.crawl_delay("Googlebot")
    assert set(read.splitting_lines()) <= set(read.lines)
    assert all(normalize_or_none(url) == url for url in read.sitemap_urls)


def own_robots(data: bytes, folder: Path) -> None:
    (folder / "robots.txt").write_bytes(data)
    for _ in range(2):
        write([Entry(f"{BASE}a/")], read_options({}, where="", base_url=BASE), folder, Report())
        assert (folder / "robots.txt").read_bytes().startswith(data[:100].partition(b"#")[0])


def sitemap(data: bytes, _: Path) -> None:
    read = read_sitemap(data, SitemapFile())
    for element in read.elements:
        assert element.valid_lastmod is None or dates.w3c(element.valid_lastmod)
        assert element.valid_priority is None or 0 <= element.valid_priority <= 1
    locs(data.decode("utf-8", "replace"))


def ledger(data: bytes, folder: Path) -> None:
    (folder / "ledger.txt").write_bytes(data)
    with suppress(SitemapError):
        read = read_ledger(folder / "ledger.txt")
        read.recorded("/", "1decade0", {})
        assert len(read.lines) + len(read.damaged) <= len(data)


def page(data: bytes, _: Path) -> None:
    head = parse_head(data)
    assert page_facts(data).head == head or data.startswith((b"\xff\xfe", b"\xfe\xff"))
    stated_lang(data.decode("utf-8", "replace"))
    edited_file(parse_html(data), {"a/b"})
    digest_html(data)


def source_text(data: bytes, _: Path) -> None:
    for name in (b"a.md", b"a.rst", b"a.html", b"a.py"):
        is_text = b"\0" not in data and data.count(b"\n") <= MAX_LINES
        assert is_same_text(data, data, name) is is_text
        is_same_text(data, data[: len(data) // 2], name)


def included_text(data: bytes, folder: Path) -> None:
    (folder / "a.md").write_bytes(data)
    text = data.decode("utf-8", "replace")
    finder = IncludeFinder([str(folder)], str(folder / "output"))
    finder.find(text, [*text.split("\n"), "a word"], [str(folder / "a.md")], text)
    finder.find("Title", text.split("\n"), [str(folder / "a.md")])
    excerpt_in(text, phrases_of(text, "Title", text), 0)


def parts_of_texts(data: bytes, _: Path) -> None:
    text = data.decode("utf-8", "replace")
    cuts = (
        Shown(("date", "tags"), text=True, words=50),
        Shown(("date",), groups=("tags",), group="a", text=True, separator="<!-- more -->"),
        *(
            Published((), ("title",)),
            Headed("A"),
            Headings(3),
            Between("a", "b"),
            PythonObjects(("", "A", "A.b")),
        ),
    )
    for start in (
        "",
        "Title: A\n",
        ":title: A\n\n",
        "---\ntitle: A\n---\n",
        "<html><title>A</title>",
    ):
        for cut in cuts:
            with suppress(ValueError, SyntaxError):
                assert cut(start + text) == cut(start + text)


def other_kind(name: bytes) -> Callable[[bytes, Path], None]:
    def read(data: bytes, _: Path) -> None:
        if b"\0" not in data and data.count(b"\n") <= MAX_LINES:
            assert is_same_text(data, data, name)
        is_same_text(data, data[: len(data) // 2], name)

    return read


def notebook(data: bytes, _: Path) -> None:
    text = data.decode("utf-8", "replace")
    outputs = [{"data": {"text/html": text}}]
    cells = [
        {"cell_type": kind, "source": text, "outputs": outputs} for kind in ("markdown", "code")
    ]
    for read in (data, json.dumps({"cells": cells}).encode()):
        is_same_text(read, read + b" ", b"a.ipynb")
    header = b"# ---\n# jupyter:\n" + data + b"\n# ---\n" + data
    is_same_text(header, header + b"x", b"a.py")


def json_files(data: bytes, folder: Path) -> None:
    file = folder / "file.json"
    file.write_bytes(data)
    with suppress(SitemapError):
        read_report(file)
    with suppress(SitemapError):
        read_baseline(file)
    with suppress(SitemapError):
        still_to_deliver(file, [], [])


def texts(data: bytes, _: Path) -> None:
    text = data.decode("utf-8", "surrogateescape")
    for parse_date in (dates.parse, dates.parse_w3c):
        with suppress(ValueError):
            assert dates.w3c(parse_date(text))
    with suppress(SitemapError):
        assert absolute(text, BASE).isascii()
    resolve_or_none(text, BASE)


READERS: dict[str, Callable[[bytes, Path], None]] = {
    "robots.txt": robots,
    "our robots.txt": own_robots,
    "sitemap": sitemap,
    "index": sitemap,
    "feed": sitemap,
    "text sitemap": sitemap,
    "packed sitemap": sitemap,
    "ledger": ledger,
    "page": page,
    "source text": source_text,
    "included text": included_text,
    "parts of texts": parts_of_texts,
    "notebook": notebook,
    "HTML text": other_kind(b"a.html"),
    "catalog": other_kind(b"a.po"),
    "JSON files": json_files,
    "dates and URLs": texts,
    **TOOL_READERS,
}


WORDS = json.loads(Path(__file__).with_name("fuzz_words.json").read_text(encoding="utf-8"))


def words(name: str) -> st.SearchStrategy[bytes]:
    """Return input of the words that mean something to a reader, and of bytes that mean nothing."""
    encoding = "latin-1" if name == "packed sitemap" else "utf-8"
    known = st.sampled_from([word.encode(encoding) for word in WORDS[name]])
    number = st.integers(0, 10**20).map(lambda value: str(value).encode())
    long = known.map(lambda word: word.strip() * 300)  # as a name that no file system takes
    words = st.lists(known | st.binary(max_size=4) | number | long, max_size=40).map(b"".join)
    return words | values_of(WORDS[name]) if name in OF_VALUES else words


OF_VALUES = ("settings of generators", "projects", "files of users", "JSON files")
"""Readers of formats in which random words are rarely a value."""


def values_of(words: list[str]) -> st.SearchStrategy[bytes]:
    """Return values with the words as names and texts, as JSON, which is YAML, or as TOML."""
    texts = st.sampled_from(words).map(lambda word: word.strip('":'))
    leaves = texts | st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False)
    inner = st.recursive(
        leaves,
        lambda kind: st.lists(kind, max_size=4) | st.dictionaries(texts, kind, max_size=4),
        max_leaves=12,
    )
    table = st.dictionaries(texts, inner, max_size=6)
    shapes = st.one_of([like(shape, leaves) for shape in SHAPES])
    return (table | inner | shapes).map(lambda value: json.dumps(value).encode()) | (
        table.map(
            lambda held: "\n".join(f"{json.dumps(k)} = {toml(held[k])}" for k in held).encode()
        )
    )


def like(shape: object, leaves: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Return values in a shape, in which any part may be something else."""
    if isinstance(shape, dict):
        inner = {
            name: like(each, leaves) for name, each in cast("dict[str, object]", shape).items()
        }
        return st.fixed_dictionaries(inner) | leaves
    if isinstance(shape, list):
        items = (like(each, leaves) for each in cast("list[object]", shape))
        return st.tuples(*items).map(list) | leaves
    return st.just(shape) | leaves


SHAPES: list[object] = [
    {"source": "@site/docs/a.md", "permalink": "/a/"},
    {
        "data": {
            "origin": ["Source"],
            "route": {"source": "a.md", "destination": "a/index.html"},
            "markdown": {"meta": {"template": "blog.html"}},
        }
    },
    [["Map", 1, 2], "docs", ["Map", 3, 4], "a", {"filePath": 5}, "docs/a.md"],
    {
        "references": [{"kind": "page", "url": "/a/", "data": "/myst.xref.json"}],
        "location": "/a.md",
    },
    {"location": "/a.md", "mdast": {"children": [{"type": "include", "file": "docs/a.md"}]}},
    [{"version": "a", "aliases": ["latest"]}],
    {"project": {"toc": [{"file": "a.md", "children": [{"file": "docs/a.md"}]}], "type": "book"}},
    {"content": {"sources": [{"url": ".", "start_paths": ["."]}]}, "name": "a", "version": 1},
    {"languages": {"en": {"contentdir": "docs"}}, "permalinks": {"posts": "/:year/:slug"}},
    {"module": {"mounts": [{"source": "docs", "target": "content", "lang": "en"}]}, "slug": "a"},
    {
        "defaults": [{"scope": {"path": "a"}, "values": {"permalink": "/:title/"}}],
        "date": "2024-05-06",
    },
    {"collections": {"docs": {"output": True, "permalink": "/:path/"}}, "plugins": ["a"]},
    {
        "plugins": [{"mkdocstrings": {"handlers": {"python": {"paths": ["src"]}}}}],
        "docs_dir": "docs",
    },
    {"plugins": [{"sitemapkit": {"exclude": ["a"]}}], "sitemap": {"disable": True, "priority": 1}},
    {"book": {"src": "src"}, "output": {"html": {"cname": "a.b", "site-url": "/a/"}, "b": {}}},
    {"tool": {"sitemapkit": {"exclude": ["a"]}}},
]
"""Settings and records of generators, and files of ours."""


def toml(value: object) -> str:
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return f"{{{', '.join(f'{json.dumps(key)} = {toml(inner)}' for key, inner in pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, cast('list[object]', value)))}]"
    return json.dumps("" if value is None else value)


# Which reader tries what

READ_BY = {
    "sitemapkit.dates": "dates and URLs",
    "sitemapkit.head": "page",
    "sitemapkit_extras.ledger": "ledger",
    "sitemapkit.output.robots": "our robots.txt",
    "sitemapkit.parsing": "page",
    "sitemapkit.urls": "dates and URLs",
    "sitemapkit.xmltext": "sitemap",
    "textdates.compare.blocks": "source text",
    "textdates.compare.catalog": "catalog",
    "textdates.compare.links": "source text",
    "textdates.compare.markup": "source text",
    "textdates.compare.notebook": "notebook",
    "textdates.compare.same": "source text",
    "textdates.compare.words": "source text",
    "textdates.front_matter": "source text",
    "textdates.rendered": "HTML text",
    "textdates.parts.excerpts": "included text",
    "textdates.parts.headed": "parts of texts",
    "textdates.parts.headings": "parts of texts",
    "textdates.parts.includes": "included text",
    "textdates.parts.python_objects": "parts of texts",
    "textdates.parts.python_shown": "parts of texts",
    "textdates.parts.shown": "parts of texts",
}
"""Modules with patterns that texts of others reach, and who tries them."""

OTHER_PATTERNS = {
    # a URL, a code or a name each, of bounded length
    *("advice.unmatched", "extensions.alternates", "output.splitting"),
    # files of sitemapkit itself, and its own words
    *("errors", "layout", "output.files", "report", "advice.after_selection"),
    # metadata and options, which tests of their own try
    *("metadata", "model", "options.messages", "options.schema", "patterns"),
}
"""Modules of sitemapkit with other patterns."""

EXTRAS = {
    *("sitemapkit_extras.extensions.images", "sitemapkit_extras.formats.llms"),
    "textdates.git.renames",
}
"""Others in which URLs, paths and texts of one page each are looked into."""

CODE = Path(__file__).parents[1]


def modules_with(pattern: str, folder: str) -> set[str]:
    """Return the modules below a folder of the repository whose text has a pattern."""
    files = (CODE / folder).rglob("*.py")
    uses = [file for file in files if re.search(pattern, file.read_text("utf-8"))]
    return {".".join(file.relative_to(CODE / folder).with_suffix("").parts) for file in uses}


def test_who_adds_a_pattern_says_which_reader_tries_it() -> None:
    found = modules_with("(?m)^import re$", "core")
    assert found == READ_BY.keys() | {f"sitemapkit.{name}" for name in OTHER_PATTERNS} | EXTRAS


READS = r"""(?mx)
    ^import\ (?:re|ast|tomllib|yaml)$
    | json\.loads | \b(?:read_(?:file|json|text)|decode(?:_json)?)\(
"""
"""How a module of the tools reads, or takes apart, what others wrote."""


def test_who_adds_a_reader_to_the_tools_says_who_tries_it() -> None:
    found = modules_with(READS, "tools/sitemapkit_tools")
    assert found == TOOL_READ_BY.keys() | TOOL_OTHERS.keys()


TRIED = READ_BY | {f"sitemapkit_tools.{name}": reader for name, reader in TOOL_READ_BY.items()}


@pytest.mark.parametrize("module", TRIED)
def test_the_reader_that_tries_a_module_reaches_it(module: str, tmp_path: Path) -> None:
    name, reached = TRIED[module], set[str]()
    everything = "".join(WORDS[name]).encode()
    uncached = f"*{module}*\n\n*{module}*\n".encode()  # no other module was tried with it

    def note(frame: FrameType, _event: str, _value: object) -> None:
        reached.add(frame.f_globals.get("__name__", ""))

    sys.setprofile(note)
    try:
        for data in (everything, everything + b"\n" + everything, uncached):
            READERS[name](data, tmp_path)
    finally:
        sys.setprofile(None)
    assert module in reached


# The tests


def rounds(examples: int) -> Iterator[settings]:
    """Yield the settings of one short round, or of as many as the time allows."""
    short = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
    )
    yield short
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        yield short


def fuzz(strategy: st.SearchStrategy[Any], test: Callable[[Any], None]) -> None:
    for number, how in enumerate(rounds(EXAMPLES)):

        @seed(number)
        @how
        @given(strategy)
        def run(value: object) -> None:
            test(value)

        run()


@pytest.mark.parametrize("name", READERS)
def test_only_our_own_errors_come_out(name: str, tmp_path: Path) -> None:
    fuzz(words(name), lambda data: READERS[name](data, tmp_path))


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.datetimes()
KEYS = st.sampled_from(WORDS["metadata"])
VALUES = st.recursive(
    SCALARS | st.sampled_from(WORDS["values of metadata"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
FRONT_MATTER = st.dictionaries(KEYS, VALUES, max_size=5)


def test_no_metadata_stop_a_build() -> None:
    options = read_options({}, where="", base_url=BASE)

    def judge(meta: dict[str, object]) -> None:
        found = read_metadata(meta)
        assert found.priority is None or 0 <= found.priority <= 1
        publication_date(meta)
        Selection(options).judge(Page("a/", meta=meta))

    fuzz(FRONT_MATTER, judge)


HASH = st.binary(min_size=20, max_size=20).map(lambda raw: raw.hex().encode())
NAME = st.binary(max_size=9).map(lambda raw: b"x" + raw.replace(b"\0", b"/"))
CHANGES = st.dictionaries(NAME, st.tuples(HASH, HASH, st.sampled_from([b"M", b"A", b"D", b"T"])))
COMMITS = st.lists(
    st.tuples(HASH, st.lists(HASH, max_size=2), st.none() | st.integers(0, 2**40), CHANGES)
)


def test_the_log_of_git_is_read_as_git_wrote_it_wherever_it_is_cut() -> None:
    def check(drawn: tuple[list[Any], int]) -> None:
        commits, size = drawn
        log = b"\0".join(written(*commit) for commit in commits) + b"\0" if commits else b""
        chunks = [log[at : at + size] for at in range(0, len(log), size)]
        records = list(parse(chunks))
        assert [record.commit for record in records] == [commit[0] for commit in commits]
        for record, (commit, parents, moment, changes) in zip(records, commits, strict=True):
            assert list(record.parents) == parents
            assert record.date.commit == commit
            assert record.date.timestamp == (moment or 0)
            assert list(record.paths) == list(changes)
            for name, (old, new, status) in changes.items():
                assert record.change(name) == Change(b"100644", b"100755", old, new, status)

    fuzz(st.tuples(COMMITS, st.integers(1, 50)), check)


def written(
    commit: bytes, parents: list[bytes], moment: int | None, changes: dict[bytes, tuple[bytes, ...]]
) -> bytes:
    """Return a commit as `git log -z --raw` writes it."""
    head = b"/%b\0%b\0%b" % (commit, b" ".join(parents), b"" if moment is None else b"%d" % moment)
    raw = [b":100644 100755 %b %b %b\0%b" % (*what, name) for name, what in changes.items()]
    return b"\0\n".join([head, b"\0".join(raw)]) if raw else head


@pytest.mark.skipif(not SECONDS, reason="takes the time, which `make fuzz` does")
@pytest.mark.parametrize("name", READERS)
def test_no_input_takes_more_than_linear_time(name: str, tmp_path: Path) -> None:
    """Any part of an input may be what grows.

    What counts is what more of the same takes: a byte may take long where each is a line.
    """

    least = BOUNDS.get(name, SMALLEST)

    def check(parts: tuple[bytes, bytes, bytes]) -> None:
        last = seconds(name, parts, SIZES[0], tmp_path)
        for size in SIZES[1:]:
            taken = seconds(name, parts, size, tmp_path)
            if taken > max(MOST_TIMES * last, least):
                last = min(seconds(name, parts, size // 4, tmp_path) for _ in range(3))
                taken = min(seconds(name, parts, size, tmp_path) for _ in range(3))
                slow = f"{size:,} bytes take {taken:.3f} seconds"
                assert taken <= max(MOST_TIMES * last, least), slow
            last = taken

    fuzz(st.tuples(words(name), words(name).filter(bool), words(name)), check)


OPENINGS = [
    *(
        "<!--",
        "<!-- a",
        "<a ",
        "<a href=b ",
        "</a",
        "<body a{n}>",
        "<html a{n} b>",
        "<script>",
        "<b>",
    ),
    *(
        "<style",
        "<pre>",
        "<td>",
        "<![CDATA[",
        "<?a",
        "&#",
        "&a",
        "---\n",
        "+++\n",
        "```\n",
        "~~~\n",
    ),
    *(":::{a}\n", "```{a}\n", "# ", "#", "=====\n", "=", "\n\n", "a:\n", ":a: b\n", "a: b\n", " "),
    *("\t", "[", "![", "[a](", "[a][", "](", "(", "`", "``", "`a<", ":a:`b", "_", "a_ ", "*", "- "),
    *("1. ", "|", "|-|\n", "{", "{%", "{% include 'a' ", "-8<- ", "--8<-- '", "-", "'", '"', "\\"),
    *('"""', "@a\n", "class a{n}:\n", "(\n", "start='", "2024-1-", "1 jan ", "updated: ", "fuzzy "),
    *(
        'msgid "',
        '"\n"',
        "#| a\n",
        "# %% \n",
        ".. a::\n",
        ".. ",
        ".. |a| ",
        ".. _a: b\n",
        "a.",
        "1.",
    ),
    *(
        "at 0x",
        "1 s ",
        "Wall time: ",
        "::\n",
        ">>> a\n",
        "!!! a\n",
        "{n}\n",
        "a{n} ",
        "href=b ",
        "%",
    ),
    *(
        "docs: {",
        "sitemap: { ",
        "`\\",
        "'\\",
        "a: &a{n} [*a{n}]\n",
        "a: 1:1",
        ":1",
        "a.",
        "[a.a{n}]\n",
    ),
    *("@include: a ", "/a/* /b 301\n", "/a{n}\n  X-Robots-Tag: a\n", "noindex,", "; rel=", "<h1>"),
]
"""What opens something, to be repeated; `{n}` is another number each time."""

CLOSINGS = b"--> </script> </style> </pre> > ]] ``` ` ''' ' \" ) ] } %} :: -- \n"


@pytest.mark.parametrize("before", [b"", CLOSINGS], ids=["at the top", "below all closings"])
@pytest.mark.parametrize("name", READERS)
def test_what_opens_again_and_again_takes_linear_time(
    name: str, before: bytes, tmp_path: Path
) -> None:
    """To look for each closing from each opening would take quadratic time."""
    if name in OF_MANY_FILES and not SECONDS:
        pytest.skip("takes the time, which `make fuzz` does")
    for opening in OPENINGS:
        small, middle = (repeated(opening, size) for size in SIZES[1:3])
        first = time_of(name, before + middle, tmp_path)
        if first < SUSPICIOUS or first < GROWING * time_of(name, before + small, tmp_path):
            continue
        large = repeated(opening, SIZES[3])
        taken = [min(time_of(name, before + d, tmp_path) for _ in range(3)) for d in (small, large)]
        linear = MOST_TIMES**2 * max(taken[0], SMALLEST / 4)
        assert taken[1] < max(linear, BOUNDS.get(name, 0)), opening


OF_MANY_FILES = ("projects", "files of a site")
"""Readers that give an input to dozens of others, which takes minutes."""

SUSPICIOUS = 0.0125
"""Seconds from which on an input is looked at again: of quadratic time, 0.2 for the large one."""

GROWING = 6
"""The same in times of what a quarter of it takes. Time with a quadratic part that is too much in
sixteen times the input, 64 times as long, is 6.4 times as long in four times the input."""


def repeated(opening: str, size: int) -> bytes:
    count = size // len(opening) + 1
    if "{n}" not in opening:
        return (opening * count).encode()
    return "".join(opening.replace("{n}", str(number)) for number in range(count)).encode()


def time_of(name: str, data: bytes, folder: Path) -> float:
    start = time.process_time()
    READERS[name](data, folder)
    return time.process_time() - start


def seconds(name: str, parts: tuple[bytes, bytes, bytes], size: int, folder: Path) -> float:
    """Return a reader's processor time for input whose middle part is repeated up to a size."""
    before, middle, after = parts
    return time_of(name, before + middle * (size // len(middle) + 1) + after, folder)
