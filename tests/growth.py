"""Inputs of some structure, as they grow: chains, nests, products, equal and colliding names.

`python -m tests.growth` prints a table of readers, cases and exponents: with four times the input,
linear time is four times as long, which is an exponent of 1. With the name of a case it measures
this one.
"""

from __future__ import annotations

import gc
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from docutils import nodes
from docutils.utils import new_document
from urllib3 import HTTPHeaderDict

from sitemapkit.build import build
from sitemapkit.errors import OptionError, SitemapError
from sitemapkit.head import Stated
from sitemapkit.metadata import read_metadata
from sitemapkit.model import Page
from sitemapkit.options import read_options
from sitemapkit.options.schema import Spelling
from sitemapkit.output.splitting import section_label
from sitemapkit.parsing import parse_html
from sitemapkit.patterns import PathPatterns
from sitemapkit.urls import is_error_page as is_not_found
from sitemapkit_extras.ledger import HEADER
from sitemapkit_tools.checks.robots import is_preview_host
from sitemapkit_tools.hosting.headers import HostHeaders
from sitemapkit_tools.hosting.redirects import HostRules
from sitemapkit_tools.site.links import Links, named_in_scripts, note_links
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.site.page_names import error_pages_below, is_error_page, is_tool_page
from sitemapkit_tools.sources.edit_links import edited_file
from sitemapkit_tools.sources.handwritten import MainContent
from sitemapkit_tools.sources.marks import generator
from sitemapkit_tools.sources.page_sources import Texts, find_sources
from sitemapkit_tools.sources.project import Project
from sitemapkit_tools.submit.push import Baidu, IndexNow
from sitemapkit_tools.web.client import Response
from sitemapkit_tools.web.home import find_home
from sitemapkit_tools.web.pages import WebSource
from sphinx_sitemapkit.ablog import lists_in
from sphinx_sitemapkit.texts.includes import SelectedPart
from textdates import Rules, TextDates, is_same_text
from textdates.parts import PythonObjects
from textdates.rendered import main_of

from .fuzz_tools import Answering
from .growth_generators import GENERATORS
from .growth_sites import SITES
from .patterns import Used
from .programs import peak, run_python
from .readers import READERS, Reached, reached
from .repository import commit as committed
from .repository import git
from .test_fuzz import READERS as FUZZED
from .tools.conftest import index, run, urlset

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
    return lambda: [rules.answer(BASE + path, has_file=False) for _ in range(2_000)]


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


def links_and_sources(size: int, _: Path) -> Run:
    """A text that shows the same, in which as many links have got the suffix of a source."""
    text = "".join(f"[a](b{number}.md) *c*\n" for number in range(size)).encode()
    return lambda: is_same_text(text, text.replace(b"*", b"_"), b"a.md")


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


# What fuzzers try as well: here, much of one thing and as much of another

PRODUCTS: Mapping[str, tuple[str, Callable[[int], str]]] = {
    "robots.txt: agents x rules": (
        "robots.txt",
        lambda n: "".join(f"User-agent: a{k}\nDisallow: /{k}*$\n" for k in range(n)),
    ),
    "robots.txt: stars x a path": ("robots.txt", lambda n: f"User-agent: *\nDisallow: /{'*a' * n}"),
    "robots.txt of ours: sitemaps x lines": (
        "our robots.txt",
        lambda n: "Sitemap: a\n" * n + "# written by sitemapkit\n" * n + "User-agent: a\n" * n,
    ),
    "sitemap: URLs x links": (
        "sitemap",
        lambda n: urlset(*(f"<loc>{BASE}{k}</loc>{'<xhtml:link/>' * 9}" for k in range(n))),
    ),
    "sitemap: entities": ("sitemap", lambda n: urlset(f"<loc>{'&amp;&#11111111111;' * n}</loc>")),
    "text sitemap": ("text sitemap", lambda n: f"{BASE}a\n" * n + "\n" * n + " " * n),
    "ledger: lines x lines": (
        "ledger",
        lambda n: f"{HEADER}\n" + "/a 2024-05-06 1decade0\n" * n + "/" * n,
    ),
    "catalog: messages": (
        "catalog",
        lambda n: "".join(f'msgid "a{k}"\nmsgstr "b"\n"c"\n\n' for k in range(n)) + '"\n' * n,
    ),
    "notebook: fences": ("notebook", lambda n: "```\n" * n + "~~~~\n" * n + "# %% a\n" * n),
    "included text: markers x names": (
        "included text",
        lambda n: "".join(f"--8<-- 'a{k}'\n{{% include 'b{k}' %}}\n" for k in range(n)) + " \n" * n,
    ),
    "parts of texts: blank lines": (
        "parts of texts",
        lambda n: "a: \n" + "\n" * n + "  - b\n" * n + "# A\n" * n + "<!-- more -->" * n,
    ),
    "parts of texts: classes x methods": (
        "parts of texts",
        lambda n: "".join(
            f"class A{k}:\n    b: int  #: c\n    def b(self): ...\n" for k in range(n)
        ),
    ),
    "dates and URLs": ("dates and URLs", lambda n: f"{BASE}{'%aa' * n}{'a/../' * n}{'?' * n}"),
    "JSON files: findings": ("JSON files", lambda n: f'{{"issues": [{"{}," * n}{{}}]}}'),
    "settings: blank lines x names": (
        "settings of generators",
        lambda n: "\n" * n + "".join(f"a{k}: 'b' # c\n" for k in range(n)) + " " * n,
    ),
    "projects: mounts x texts": (
        "projects",
        lambda n: "".join(f"# [a{k}](a{k}.md)\n" for k in range(n)),
    ),
    "cuts: regions x words": (
        "cuts of sources",
        lambda n: (
            "#region a\n" * n + "<p>a</p>'b'\n" * n + "::: {a='b'}\n" * n + "#endregion\n" * n
        ),
    ),
    "hosts: stars x names": ("files of hosts", lambda n: "/*/:a /b/:a 301\n" * n + "/" + ":a" * n),
    "headers of answers": ("headers of answers", lambda n: "<a>; rel=canonical, " * n + "; " * n),
}


def product(name: str, text: Callable[[int], str]) -> Callable[[int, Path], Run]:
    def prepare(size: int, folder: Path) -> Run:
        data = text(size).encode()
        return lambda: FUZZED[name](data, folder)

    return prepare


# What a page's author states


def metadata_of_a_page(size: int, _: Path) -> Run:
    stated: dict[str, object] = {
        "sitemap": {"priority": "1" * size + "x", "lastmod": " " * size, "videos": [{}] * size},
        "sitemap_priority": "." * size,
        **{f"sitemap_a{number}": number for number in range(size)},
    }
    nested = {"sitemap": '{"a": ' * size}
    return lambda: (read_metadata(stated), read_metadata(nested))


def wrong_options(size: int, _: Path) -> Run:
    given = {f"a{number}": " " * number for number in range(size)}

    def run() -> None:
        with suppress(OptionError):
            read_options(given, where="a", prefix="sitemap_", base_url=BASE)

    return run


def patterns_and_paths(size: int, _: Path) -> Run:
    """A pattern of many stars, some of folders, and a path with as many of both.

    A pattern of folders may be tried at each folder of a path, so those of pages have a bound.
    """
    patterns = PathPatterns((f"{'*a' * size}b", f"**/{'a/' * 9}**/b", f"a{'/**/a' * 9}/b"))
    path = "a" * size + "/a" * size
    return lambda: patterns.match(path)


def pictures(size: int, folder: Path) -> Run:
    """A page of pictures, whose sources, sizes and classes are long."""
    long = f'<img srcset="a {"1" * size}, {"b 1.5x, " * size}" style="{"width: " * size}">'
    nest = '<picture><source srcset="a 1x"><img src="badge/a" class="a b"><video><p>' * size
    html = f"{long}{nest}<picture>{'<source>' * size}{'<img>' * size}"
    options = read_options({"images": True, "videos": True}, where="", base_url=BASE)
    page = Page("a/", content=f"<main>{html}</main>", title="a", meta={"description": "a"})
    return lambda: build([page], options, folder)


def names_of_pages(size: int, _: Path) -> Run:
    """Paths that are names of folders for versions and languages again and again."""
    paths = [f"{'dev/' * size}{name}" for name in ("x40.html", "print_page-", "404.html")]
    paths += [f"{'v1.' * size}/500", "/4040" * size]

    def run() -> None:
        for path in paths:
            is_error_page(path)
            is_tool_page(path)
            is_not_found(path)
        error_pages_below(paths)
        section_label("-" * size)
        is_preview_host("a--" * size)

    return run


def stated_by_pages(size: int, folder: Path) -> Run:
    """Pages that state languages, videos and news, each as many of them as there are pages."""
    given = {"images": True, "videos": True, "exclude": ["q*"], "ledger": str(folder / "ledger")}
    news = {"name": "A", "language": "en", "match": ["*"]}
    formats = ["xml", "html", "atom", "llms"]
    options = read_options(
        {**given, "news": news, "formats": formats, "max_urls": 3}, where="", base_url=BASE
    )
    video = {"thumbnail_loc": "a.png", "title": "A", "description": "b", "content_loc": "a.mp4"}
    video["publication_date"] = "2024-05-06"
    stated = {
        "alternates": {f"a{chr(97 + k % 26)}": f"{BASE}{k}" for k in range(size)},
        "videos": [video] * size,
        "images": [f"i{k}.png" for k in range(size)] + [f"!{k}*" for k in range(size)],
        "published": "2024-05-06",
    }
    days = ("2024-05-06", "2024-05-06T07:08:09Z")
    pages: list[Page] = []
    for number in range(9):
        output = folder / f"{number}.html"
        output.write_text(f"<title>a<main><h1>{'<b>a' * size}", encoding="utf-8")
        pages.append(
            Page(
                f"{number}.html",
                output=output,
                meta={"sitemap": {**stated, "lastmod": days[number % 2]}},
            )
        )
    return lambda: build(pages, options, folder)


def builds_and_pages(size: int, folder: Path) -> Run:
    """An index of sitemaps, and a report, of other languages."""
    names = [f"{number}.xml" for number in range(9)]
    put(folder, dict.fromkeys(names, urlset(*(f"<loc>{BASE}de/{n}</loc>" for n in range(size)))))
    put(folder, {"index.xml": index(*(BASE + name for name in names))})
    put(folder, {"report.json": json.dumps({"listed": [{"loc": f"{BASE}a"}] * size})})
    languages = {
        "en": {"base_url": BASE},
        "de": {"base_url": f"{BASE}de/", "pages": "index.xml"},
        "fr": {"base_url": f"{BASE}fr/", "pages": "report.json"},
    }
    options = read_options({"languages": languages}, where="", root=folder, base_url=BASE)
    pages = [Page(f"{number}", lang="en") for number in range(size)]
    return lambda: build(pages, options, folder)


def names_of_options(size: int, _: Path) -> Run:
    spelling = Spelling(prefix="sitemap_")
    return lambda: spelling.applied("`exclude.a` " * size + "`" * size)


def tags_of_a_page(size: int, _: Path) -> Run:
    """A page in another character set that has everything of which a parser may take too long."""
    tags = "<b a a=b><p><svg><title></svg><script><a></script><!--->" * size
    html = f"<meta charset=latin-1>\xe4{'<b >' * 99}{tags}".encode("latin-1")
    return lambda: parse_html(html)


def sitemap_alone(size: int, folder: Path) -> Run:
    news = (
        '<n:news xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"><n:publication><n:name>A'
        f"</n:name><n:language>{'zh-' * 9}</n:language></n:publication><n:title>a</n:title>"
        "<n:publication_date>2024-05-06</n:publication_date></n:news>"
    )
    long = "&amp;sessionid=" * (size % 100) + "a?" * (size % 500)
    entries = [f"<loc>{BASE}{number}?{long}[</loc>{news}" for number in range(size)]
    put(folder, {"a.xml": urlset(*entries)})
    return lambda: run("check", folder / "a.xml", "--format", "markdown")


def what_is_not_there(size: int, _: Path) -> Run:
    return lambda: run("check", "a." * size)


def copied_sitemaps(size: int, folder: Path) -> Run:
    """Sitemaps that may have been copied from as many in the sources."""
    text = urlset(f"<loc>{BASE}</loc>")
    for number in range(size):
        put(folder, {f"src/{number}/{number}/sitemap.xml": "---\na: b\n---\n" + text})
        put(folder, {f"out/{number}/sitemap.xml": text, f"out/{number}/index.html": "<title>a"})
    committed(folder, "2024-05-06T07:08:09Z", "src")
    return lambda: run("build", folder / "out", "--base-url", BASE, "--jobs", 1)


def left_out_and_bare(size: int, folder: Path) -> Run:
    """A site whose own sitemap leaves out half of its pages, whose folders list what is in them."""
    mark = '<meta name="generator" content="Hugo 0.150">'
    for number in range(size):
        links = "".join(f'<a href="p{k}/">' for k in range(9))
        html = f"<html><head><title>Tea {number}</title>{mark}</head><main>{WORDS} {number} {links}"
        top = f"---\ntitle: Tea {number}\ndate: 2024-05-06\n---\n"
        put(folder, {f"public/d/p{number}/index.html": html})
        put(folder, {f"content/d/p{number}/index.md": f"{top}{WORDS} {number}\n"})
    put(folder, {"content/d/_index.md": f"---\ntitle: Tea tea\n---\n{WORDS}\n", "hugo.toml": ""})
    put(folder, {"public/d/index.html": f"<title>Tea</title>{mark}<main><h1>Tea tea</h1>{WORDS}"})
    half = [f"<loc>{BASE}d/p{number}/</loc>" for number in range(0, size, 2)]
    put(folder, {"public/sitemap.xml": urlset(f"<loc>{BASE}d/</loc>", *half)})
    committed(folder)
    return lambda: run("build", folder / "public", "--base-url", BASE, "--jobs", 1)


def moved_pages(size: int, folder: Path) -> Run:
    """Pages of one link each, which say that they have moved, and whose addresses have changed."""
    for number in range(size):
        link = f"<a href=p{number + 1}.html>b</a>"
        html = f"<title>a{number}</title><main>This page has moved. {link}"
        put(folder, {f"old/p{number}.html": html, f"new/q{number}.html": html})
    for place, name in (("old", "p"), ("new", "q")):
        locs = [f"<loc>{BASE}{name}{number}.html</loc>" for number in range(size)]
        put(folder, {f"{place}/sitemap.xml": urlset(*locs)})

    def work() -> None:
        at = ("--format", "markdown", "--preview", BASE)
        run("diff", folder / "old", folder / "new", "--jobs", 1, *at)
        run("check", folder / "old", "--base-url", BASE, "--jobs", 1)

    return work


def answers_of_engines(size: int, _: Path) -> Run:
    bad = json.dumps({"success": 1, "remain": 2, "not_valid": [f"{BASE}{n}" for n in range(size)]})
    response = Response(200, HTTPHeaderDict(), bad.encode())
    urls = [f"{BASE}{n}" for n in range(size)]
    elsewhere = f"https://a.example/{'log-' * size}"
    elsewhere += "a" * ((1 - len(elsewhere)) % 3)  # which answers with a redirect

    def work() -> None:
        for _ in range(20):  # of what is longer it is the memory that is slow
            Baidu("a").result(response, urls)
        IndexNow("a" * 9).result(response, urls)
        with suppress(SitemapError):
            IndexNow("a" * size)
        find_home(BASE, Answering(elsewhere))
        with suppress(SitemapError):
            WebSource(Answering("a." * size), {BASE.rstrip("/")}).read(BASE)

    return work


class PostList(nodes.General, nodes.Element):
    """As ABlog calls a list of posts."""


def shown_parts(size: int, _: Path) -> Run:
    """What directives of Sphinx and settings of Eleventy show of a text."""
    text = "".join(f"def a{n}(): ...\n" for n in range(size))
    html = f"<title>a</title>{'<main>a' * size}"
    document = new_document("a")
    labels: dict[str, Any] = {
        kind: ["a"] * 9 for kind in ("tags", "author", "category", "location", "language")
    }
    document += [PostList(length=1, excerpts=True, **labels) for _ in range(size)]
    objects = PythonObjects(tuple(f"A{n}" for n in range(size)), extent="row")
    body = '    """A.\n\n    b: c\n    """\n    b: int = 1\n'
    classes = "".join(f"class A{n}:\n{body}" for n in range(size))

    def work() -> None:
        SelectedPart(False, (("start-after", f"a{size - 1}"),))(text)
        SelectedPart(True, (("pyobject", f"a{size - 1}"), ("lines", "1-9")))(text)
        MainContent()(html)
        lists_in(document)
        objects(classes)
        PythonObjects(objects.names, source="functions")(classes)

    return work


def ignored_commits(size: int, folder: Path) -> Run:
    commit(folder, size, lambda number: {"a.md": f"a {number}\n"})
    known = git(folder, "log", "--format=%H")
    put(folder, {".git-blame-ignore-revs": f"# a\n{known}\n"})
    rules = Rules(ignore_revs=(str(folder / ".git-blame-ignore-revs"),))
    return lambda: TextDates(rules).last_changed([folder / "a.md"])


CASES: Mapping[str, Case] = {
    **{f"generator: {name}": Case(4, each) for name, each in GENERATORS.items()},
    "languages, videos and pictures that pages state": Case(40, stated_by_pages),
    "builds x pages": Case(40, builds_and_pages),
    "names of options": Case(100, names_of_options),
    "tags of a page": Case(100, tags_of_a_page),
    "sitemap alone": Case(40, sitemap_alone),
    "what is not there": Case(100, what_is_not_there),
    "sitemaps x sources of them": Case(12, copied_sitemaps),
    "pages that are left out x folders": Case(12, left_out_and_bare),
    "pages that have moved": Case(12, moved_pages),
    "answers of engines": Case(100, answers_of_engines),
    "parts of texts and code": Case(20, shown_parts),
    "links x sources": Case(100, links_and_sources),
    "ignored commits": Case(20, ignored_commits),
    **{name: Case(40, product(*each)) for name, each in PRODUCTS.items()},
    **{f"site: {name}": Case(12, each) for name, each in SITES.items()},
    "metadata of a page": Case(100, metadata_of_a_page),
    "wrong options": Case(10, wrong_options),
    "patterns x paths": Case(100, patterns_and_paths),
    "pictures x sizes": Case(100, pictures),
    "names of pages": Case(20, names_of_pages),
    "rules x pages": Case(4_000, rules_and_pages),
    "pieces of a header's path x pages": Case(2_000, pieces_and_pages),
    "quotes of a script x names of pages": Case(1_000, quotes_and_names),
    "elements of one id": Case(16_000, contents_of_one_id),
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
    **{f"md: {name}": Case(1_000, compared(b"a.md", each)) for name, each in STRUCTURES.items()},
    **{f"rst: {name}": Case(1_000, compared(b"a.rst", each)) for name, each in STRUCTURES.items()},
    **{f"page: {name}": Case(8_000, page(each)) for name, each in PAGES.items()},
}


SHORTEST = 0.01
"""Seconds; what takes fewer tells nothing."""

ENOUGH = 0.06
"""Seconds that tell enough."""

LONGEST = 0.5
"""Seconds of a case and its preparation after which its input grows no more."""

MOST_STEPS = 7
"""How often an input grows."""

MOST_RUNS = 3

MOST_EXPONENT = 1.4
"""Of linear time it is 1, of quadratic time 2; the rest is what other work on a processor does."""

SMALL = 3
"""A size at which to look at what a case reaches."""


OF_OURS = {
    "sitemapkit.rules: read_rules": "the table of rules, which is in the package",
}
"""Readers that read nothing of others, and what they read."""


class Grown(NamedTuple):
    """What came of a case."""

    exponent: float
    seconds: float
    """What the largest input took."""

    memory: int
    """MiB, at most."""

    readers: list[str]
    """Those that it reaches."""

    patterns: list[Used]


def grown(case: Case) -> Grown:
    """Run a case at a size, at four times that, and so on until it takes long enough to tell.

    What counts is the worst step, since from a bound on the input is not read at all.
    """
    found = reached_by(case)  # what is loaded when it is needed is loaded by now
    start = spent()
    size, large, worst = case.size, seconds(case, case.size), 0.0
    for _ in range(MOST_STEPS):
        small, large = large, seconds(case, 4 * size)
        worst = max(worst, exponent(small, large))
        size *= 4
        is_read_no_more = large < small > SHORTEST
        if large > ENOUGH or is_read_no_more or spent() - start > LONGEST:
            break
    patterns = sorted({Used.of(*each) for each in found.patterns})
    reaches = sorted(found.functions & READERS)
    return Grown(round(worst, 2), large, peak() // 1024, reaches, patterns)


def spent() -> float:
    """Return the processor time of this process and of those that it has started."""
    return sum(os.times()[:4])


def exponent(small: float, large: float) -> float:
    return math.log(max(large, SHORTEST) / max(small, SHORTEST), 4)


def seconds(case: Case, size: int) -> float:
    """Return the processor time of a run."""
    with tempfile.TemporaryDirectory() as folder:
        run = case.prepare(size, Path(folder))
        gc.collect()
        gc.disable()  # whenever it runs, it looks at all that was prepared
        start = time.process_time()
        run()
        taken = time.process_time() - start
        gc.enable()
        return taken


def reached_by(case: Case) -> Reached:
    """Return what a case reaches."""
    with tempfile.TemporaryDirectory() as folder:
        run = case.prepare(SMALL, Path(folder))
        with reached() as found:
            run()
    return found


def measured(name: str) -> Grown:
    """Return what comes of a case in a process of its own, which has no caches.

    The best of a few runs counts, since a processor may have had other work during one.
    """
    found: list[Grown] = []
    while not found or (found[-1].exponent > MOST_EXPONENT and len(found) < MOST_RUNS):
        program = ("-m", "tests.growth", name)
        done = run_python(*program, folder=Path(__file__).parents[1], loads=("tests.growth",))
        assert not done.returncode, done.stderr
        said = done.stdout.splitlines()[-1]  # Pelican says something before it
        found.append(Grown(*json.loads(said)))
    return min(found)


def table() -> None:
    """Write a line for each reader and case, with its exponent."""
    for name in CASES:
        found = measured(name)
        for reader in found.readers:
            sys.stdout.write(f"{reader:70} {name:40} {found.exponent}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.stdout.write(f"\n{json.dumps(grown(CASES[sys.argv[1]]))}\n")
    else:
        table()
