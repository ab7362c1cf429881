"""Inputs of some structure, as they grow: chains, nests, products, equal and colliding names.

`python -m tests.growth` prints a table of readers, cases and exponents: with four times the input,
linear time is four times as long, which is an exponent of 1. With the name of a case it measures
this one.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit.head import Stated
from sitemapkit.parsing import parse_html
from sitemapkit_tools.hosting.headers import HostHeaders
from sitemapkit_tools.hosting.redirects import HostRules
from sitemapkit_tools.site.links import Links, named_in_scripts, note_links
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sources.edit_links import edited_file
from sitemapkit_tools.sources.marks import generator
from sitemapkit_tools.sources.page_sources import Texts, find_sources
from sitemapkit_tools.sources.project import Project
from textdates import TextDates, is_same_text
from textdates.parts import PythonObjects
from textdates.rendered import main_of

from .programs import run_python
from .readers import reached, readers
from .repository import git

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Run = Callable[[], object]

BASE = "https://example.org/"
WORDS = "brewing leaves kettle infusion steeping porcelain temperature fragrance minutes oolong"


class Case(NamedTuple):
    """What grows, from a size on."""

    size: int
    prepare: Callable[[int, Path], Run]


def put(folder: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def commit(folder: Path, commits: int, texts: Callable[[int], Mapping[str, str]]) -> Path:
    """Make a repository, and write the texts that each commit has."""
    stream: list[str] = []
    for number in range(commits):
        when = 1_600_000_000 + number * 60
        stream.append(f"commit refs/heads/main\ncommitter a <a@b> {when} +0000\ndata 0\n")
        for name, text in texts(number).items():
            stream.append(f"M 100644 inline {name}\ndata {len(text)}\n{text}\n")
    git(folder, "init", "-q", "-b", "main")
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=folder, input="".join(stream).encode(), check=True
    )
    git(folder, "checkout", "-q", "main")
    return folder


# Products


def rules_and_pages(size: int, _: Path) -> Run:
    text = "".join(f"/{n} /b 301!\n/a/{n} /c\n" for n in range(size))
    headers = "".join(f"/{n}\n  X-Robots-Tag: none\n" for n in range(size))
    headers += "/*\n  X-Robots-Tag: none\n  ! X-Robots-Tag\n" * size

    def run() -> None:
        rules, said = HostRules(text, BASE), HostHeaders(headers, BASE)
        for number in range(size):
            assert rules.answer(f"{BASE}{number}", has_file=True)
            assert not rules.answer(f"{BASE}b/{number}", has_file=False)
            assert not said.noindex(f"{BASE}{number}")

    return run


def quotes_and_names(size: int, folder: Path) -> Run:
    """Pages that nothing links, with names of many lengths, and a script with very many quotes."""
    names = [f"{'x' * (number % 200)}{number}.html" for number in range(size)]
    put(folder, dict.fromkeys(names, "a") | {"menu.js": '""' * 100 * size})
    tree = OutputDir.walk(folder, BASE)
    return lambda: named_in_scripts(tree, {name: BASE + name for name in names})


def contents_of_one_id(size: int, _: Path) -> Run:
    html = f"<body><p>{'<p id=content>a' * size}".encode()
    return lambda: main_of(parse_html(html))


def pieces_and_pages(size: int, _: Path) -> Run:
    """A path of a header with very many stars, and as many pages."""
    headers = HostHeaders(f"/*{'a*' * 100 * size}\n  X-Robots-Tag: none\n", BASE)
    return lambda: [headers.noindex(f"{BASE}p{number}") for number in range(size)]


def names_in_values(size: int, _: Path) -> Run:
    """A path whose first part is many times the second name, that many times the third."""
    rules = HostRules("/:aaaa/:aaa/:aa/:a /:aaaa 301", BASE)
    path = "/".join([":aaa." * size, ":aa." * size, ":a." * size, "b" * size])
    return lambda: [rules.answer(BASE + path, has_file=False) for _ in range(100)]


def book(texts: Callable[[int], str]) -> Callable[[int, Path], Run]:
    """Return a book of chapters, whose texts are given by their numbers."""

    def prepare(size: int, folder: Path) -> Run:
        chapters = {f"src/c{n}.md": texts(n).replace("SIZE", str(size)) for n in range(size)}
        pages = {f"book/c{n}.html": "<title>a</title>" for n in range(size)}
        summary = "".join(f"- [a](c{n}.md)\n" for n in range(size))
        put(folder, {**chapters, **pages, "src/SUMMARY.md": summary, "book.toml": "[book]\n"})
        project = Project(generator("mdbook"), folder, folder / "book.toml")
        site = OutputDir.walk(folder / "book", BASE)
        return lambda: project.made(site)

    return prepare


def many_in_one(size: int, folder: Path) -> Run:
    included = "".join(f"{{{{#include d{n}.md}}}}\n" for n in range(size))
    put(folder, {f"src/d{n}.md": "a" for n in range(size)} | {"src/all.md": included})
    return book(lambda _: "{{#include all.md}}")(size, folder)


def namesakes(size: int, folder: Path) -> Run:
    page = f"<html><title>a</title><main>{WORDS}</main>"
    pages = {f"site/a{n}/tea.html": page for n in range(size)}
    sources = {f"docs/b{n}/tea.md": WORDS for n in range(size)}
    put(folder, {**pages, **sources})
    site = OutputDir.walk(folder / "site", BASE)
    texts = Texts(folder, Path.read_text, frozenset(sources), frozenset())
    return lambda: find_sources(site, site.pages(), texts)


def objects_of_a_module(size: int, _: Path) -> Run:
    text = "".join(f'def a{n}(b=1):\n    """C."""\n\n\n' for n in range(size)).encode()
    cut = PythonObjects(tuple(f"a{n}" for n in range(size)))
    return lambda: is_same_text(text, text.replace(b"C.", b"D.", 1), b"a.py", cut)


def pages_and_links(size: int, folder: Path) -> Run:
    put(folder, {f"{n}.html": "a" for n in range(size)})
    menu = "".join(f'<a href="{n}.html">' for n in range(100))
    pages = {f"{n}.html": f'{menu}<a href="{n + 1}.html">'.encode() for n in range(size)}

    def run() -> None:
        links = Links(OutputDir.walk(folder, BASE))
        for file, html in pages.items():
            written: dict[str, dict[bytes, str]] = {}
            note_links(html, None, file, written)
            links.add(written)
        assert links.targets

    return run


def edit_links(size: int, _: Path) -> Run:
    links = "".join(f'<a href="https://a.b/c/edit/main/d{n}/e.md">edit</a>' for n in range(size))
    long = f"//a/{'b/' * size}{'/edit' * size}"
    tree = parse_html(f'<body>{links}<a href="{long}">')
    return lambda: edited_file(tree, {f"d{n}/e.md" for n in range(size)})


def pages_and_commits(size: int, folder: Path) -> Run:
    """A page for each commit, which changes white space in ten of them."""

    def texts(number: int) -> Mapping[str, str]:
        return {f"{n}.md": f"a *b*{' ' * (number + 1)}c {n}" for n in range(number, number + 10)}

    commit(folder, size, texts)
    return lambda: TextDates().last_changed([*folder.glob("*.md")])


# Texts


def compared(name: bytes, structure: Callable[[int], str]) -> Callable[[int, Path], Run]:
    """Return a text of some structure, of which something changes above and below."""

    def prepare(size: int, _: Path) -> Run:
        text = f"Tea\n\n{structure(size)}\n\nPot".encode()
        other = text.replace(b"Tea", b"Tea ", 1) + b"\n\n*pot*"
        return lambda: is_same_text(text, other, name)

    return prepare


def nested(n: int, opening: str) -> str:
    """Return lists, quotes or boxes in each other, again and again up to a depth of twenty."""
    return "".join(f"{'    ' * (number % 20)}{opening} a{number}\n\n" for number in range(n))


STRUCTURES: Mapping[str, Callable[[int], str]] = {
    "raw html": lambda n: "```{raw} html\n" + "<p>a\n" * n + "```\n",
    "raw html of rst": lambda n: ".. raw:: html\n\n" + "   <p>a\n" * n,
    "chain of definitions": lambda n: "".join(f"[a{k}]: a{k + 1}\n" for k in range(n)),
    "chain of targets": lambda n: "".join(f".. _a{k}: a{k + 1}_\n" for k in range(n)),
    "definitions and uses": lambda n: (
        "".join(f"[a{k}]: b{k}\n" for k in range(n)) + "".join(f"[a{k}] " for k in range(n))
    ),
    "roles and uses": lambda n: (
        "".join(f".. role:: a{k}\n" for k in range(n)) + "".join(f":a{k}:`b` " for k in range(n))
    ),
    "equal definitions": lambda n: "[a]: b\n" * n + "[a] " * n,
    "nested lists": lambda n: nested(n, "-"),
    "nested boxes": lambda n: nested(n, "!!! note"),
    "nested directives": lambda n: nested(n, ".. note::"),
    "nested quotes": lambda n: "".join(f"{'> ' * (k % 20)}a{k}\n" for k in range(n)),
    "nested fences": lambda n: ":::{note}\n" * (n // 100) + "a\n\n" * n + ":::\n" * (n // 100),
    "substitutions": lambda n: "".join(f".. |a{k}| replace:: |a{k + 1}|\n" for k in range(n)),
}

PAGES: Mapping[str, Callable[[int], str]] = {
    "nested elements": lambda n: "<div>" * 50 + "<div><p>a</div>" * n,
    "nested formatting": lambda n: "<b><i>" * 4 + "<p>a" * n,
    "equal attributes": lambda n: "<a b=c>d</a>" * n,
    "scripts": lambda n: "<script>if (a<b) c</script>" * n,
    "metas": lambda n: "<head>" + "".join(f"<meta name=a{k} content=b>" for k in range(n)),
}


def page(structure: Callable[[int], str]) -> Callable[[int, Path], Run]:
    def prepare(size: int, _: Path) -> Run:
        html = f"<!doctype html><title>a</title>{structure(size)}".encode()
        return lambda: (parse_html(html), Stated(html).to_engines())

    return prepare


CASES: Mapping[str, Case] = {
    "rules x pages": Case(4_000, rules_and_pages),
    "pieces of a header's path x pages": Case(2_000, pieces_and_pages),
    "quotes of a script x names of pages": Case(1_000, quotes_and_names),
    "elements of one id": Case(4_000, contents_of_one_id),
    "names in the values of a rule": Case(20, names_in_values),
    "includes: a chain": Case(220, book(lambda n: f"{{{{#include c{n + 1}.md}}}}")),
    "includes: each other": Case(
        220, book(lambda n: f"{{{{#include c{n + 1}.md}}}}{{{{#include c0.md}}}}")
    ),
    "includes: one of many": Case(220, many_in_one),
    "pages x sources of one name": Case(150, namesakes),
    "objects x code": Case(400, objects_of_a_module),
    "pages x links": Case(300, pages_and_links),
    "edit links x sources": Case(1_000, edit_links),
    "pages x commits": Case(100, pages_and_commits),
    **{f"md: {name}": Case(4_000, compared(b"a.md", each)) for name, each in STRUCTURES.items()},
    **{f"rst: {name}": Case(4_000, compared(b"a.rst", each)) for name, each in STRUCTURES.items()},
    **{f"page: {name}": Case(8_000, page(each)) for name, each in PAGES.items()},
}


ENOUGH = 0.02
"""Seconds of the smaller run; fewer tell nothing."""

MOST_EXPONENT = 1.3
"""Of linear time it is 1, of quadratic time 2; the rest is what other work on a processor does."""

SMALL = 3
"""A size at which to look at what a case reaches."""


class Grown(NamedTuple):
    """What came of a case."""

    exponent: float
    seconds: tuple[float, float]
    """What some input took, and what four times as much of it took."""

    memory: int
    """MiB, at most."""

    readers: list[str]
    """Those that it reaches."""


def grown(case: Case) -> Grown:
    """Run a case at a size that takes long enough to tell, and at four times that."""
    size, small, large = case.size, seconds(case, case.size), seconds(case, 4 * case.size)
    while small < ENOUGH and large < 4 * ENOUGH:
        size *= 4
        small, large = large, seconds(case, 4 * size)
    for _ in range(2):
        if exponent(small, large) <= MOST_EXPONENT:
            break
        small = min(small, seconds(case, size))
        large = min(large, seconds(case, 4 * size))
    found = exponent(small, large)
    return Grown(round(found, 2), (small, large), peak() // 1024, sorted(readers_of(case)))


def exponent(small: float, large: float) -> float:
    return math.log(max(large, ENOUGH) / max(small, ENOUGH / 4), 4)


def seconds(case: Case, size: int) -> float:
    """Return the processor time of a run."""
    with tempfile.TemporaryDirectory() as folder:
        run = case.prepare(size, Path(folder))
        start = time.process_time()
        run()
        return time.process_time() - start


def readers_of(case: Case) -> set[str]:
    """Return the readers that a case reaches."""
    with tempfile.TemporaryDirectory() as folder:
        run = case.prepare(SMALL, Path(folder))
        with reached() as functions:
            run()
    return functions & readers()


def peak() -> int:
    """Return the KiB that this process has held at most (Linux); what started it does not count."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0])


def measured(name: str) -> Grown:
    """Return what comes of a case in a process of its own."""
    program = ("-m", "tests.growth", name)
    done = run_python(*program, folder=Path(__file__).parents[1], loads=("tests.growth",))
    assert not done.returncode, done.stderr
    return Grown(*json.loads(done.stdout))


def table() -> None:
    """Write a line for each reader and case, with its exponent."""
    for name in CASES:
        found = measured(name)
        for reader in found.readers:
            sys.stdout.write(f"{reader:70} {name:40} {found.exponent}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.stdout.write(json.dumps(grown(CASES[sys.argv[1]])))
    else:
        table()
