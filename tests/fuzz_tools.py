"""What the commands read of others: the readers that fuzzers try besides those of a build."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from urllib3 import HTTPHeaderDict

from sitemapkit.errors import SitemapError
from sitemapkit.model import Reason
from sitemapkit_tools.console import plain
from sitemapkit_tools.hosting.headers import HostHeaders
from sitemapkit_tools.hosting.redirects import HostRules
from sitemapkit_tools.hosting.robots_tag import forbids_indexing
from sitemapkit_tools.site.lines import head_line, metadata_line
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.site.source_map import read_source_map
from sitemapkit_tools.site.versions import find_versions
from sitemapkit_tools.sources.cuts import Region, Wording
from sitemapkit_tools.sources.marks import marks
from sitemapkit_tools.sources.markups import as_readers_see
from sitemapkit_tools.sources.project import Project
from sitemapkit_tools.sources.settings import as_table, front_matter, read_table
from sitemapkit_tools.sources.table import GENERATORS
from sitemapkit_tools.web.client import Client, Response
from sitemapkit_tools.web.pages import PageFetcher
from textdates import Part

from .tools.conftest import run, urlset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

BASE = "https://example.org/"

PAGES = ("index.html", "a/index.html", "a.html", "docs/a/index.html")
TEXTS = ("a.md", "docs/a.md", "content/a.md", "src/SUMMARY.md", "src/a.md", "pages/a.mdx", "a.adoc")
RECORDS = (
    *("versions.json", "_toc.yml", ".astro/data-store.json", ".cache/1", "antora.yml"),
    ".docusaurus/docusaurus-plugin-content-docs/default/a.json",
)
"""What projects have besides their settings, of any generator."""


def put(folder: Path, name: str, data: bytes) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def settings_of(data: bytes, folder: Path) -> None:
    """Read settings of each kind, and front matter."""
    for suffix in ("yml", "toml", "json"):
        with suppress(ValueError):
            assert as_table(read_table(put(folder, f"a.{suffix}", data))) is not None
    for start, end in ((b"---\n", b"\n---\n"), (b"+++\n", b"\n+++\n"), (b"{", b"}\n"), (b"", b"")):
        with suppress(ValueError):
            front_matter(put(folder, "a.md", start + data + end))
    cells = {"cells": [{"source": data.decode("utf-8", "replace")}]}
    for notebook in (data, json.dumps(cells).encode()):
        with suppress(ValueError):
            front_matter(put(folder, "a.ipynb", notebook))


def projects(data: bytes, folder: Path) -> None:
    """Read a project of each generator in which everything is the same."""
    for name in (*PAGES, "page.md.x.lean.js", "myst.xref.json", "objects.inv"):
        put(folder, f"site/{name}", data)
    for name in (*TEXTS, *RECORDS, "modules/ROOT/pages/a.adoc", "_posts/2024-05-06-a.md"):
        put(folder, name, data)
    site = OutputDir.walk(folder / "site", BASE)
    marks(site, GENERATORS)
    for row in GENERATORS.values():
        for file in {Path(name).suffix: name for name in row.settings}.values():
            project = Project(row, folder, put(folder, file, data))
            project.output_dir()
            project.base_url()
            for made in project.made(site).pages.values():
                assert all(Path(str(source)).name != "" for source in made.sources)
            for text in TEXTS:
                for _ in project.includes(folder / text, data.decode("utf-8", "replace")):
                    pass
            (folder / file).unlink()


def cuts_of_sources(data: bytes, folder: Path) -> None:
    text = data.decode("utf-8", "replace")
    Wording()(text)
    Region("a", "#region", "#endregion")(text)
    for name in ("a.adoc", "a.org", "a.qmd"):
        seen = as_readers_see(name)
        assert isinstance(seen, Part)
        seen.cut(text)
    file = put(folder, "a.md", data)
    metadata_line(file, "sitemap|lastmod")
    for reason in (Reason.NOINDEX, Reason.REDIRECT, Reason.CANONICAL):
        head_line(file, reason)


def host_files(data: bytes, _: Path) -> None:
    text = data.decode("utf-8-sig", "replace")
    rules, headers = HostRules(text, BASE), HostHeaders(text, BASE)
    for url in (BASE, f"{BASE}a/b/c", f"{BASE}{'a/' * 500}", f"{BASE}{'*' * 1_000}"):
        for has_file in (True, False):
            rules.answer(url, has_file=has_file)
        headers.noindex(url)
    assert forbids_indexing([text]) in (True, False)


class Answering(Client):
    """A client of a server that says the same in every header."""

    def __init__(self, text: str) -> None:
        super().__init__()
        names = ("Location", "Link", "Content-Type", "X-Robots-Tag", "ETag", "Last-Modified")
        self.said = HTTPHeaderDict(dict.fromkeys(names, text))
        self.text = text

    def request(self, *_: object, **__: object) -> Response:
        """Answer as the length of the text says."""
        status = (200, 301, 404)[len(self.text) % 3]
        return Response(status, self.said, self.text.encode("utf-8", "replace"))


def headers_of_answers(data: bytes, _: Path) -> None:
    text = data.decode("latin-1").replace("\r", " ").replace("\n", " ")
    status = PageFetcher(Answering(text)).fetch(BASE)
    assert status.code in (200, 301, 404)
    pause = Response(503, HTTPHeaderDict({"Retry-After": text})).retry_after
    assert pause is None or pause >= 0


def site_files(data: bytes, folder: Path) -> None:
    """Run commands on a site in which each file is the same but for one sitemap."""
    root = folder / "site"
    for name in (*PAGES, "robots.txt", "_redirects", "_headers", "CNAME", "llms.txt", "feed.xml"):
        put(root, name, data)
    for name in ("versions.json", "search/search_index.json", "b/sitemap.xml", "sitemap.html"):
        put(root, name, data)
    put(root, "b.html", b"<html><title>b</title><body>" + data)
    for place in ("", "c/", "d/"):
        put(root, f"{place}index.html", data)
        put(root, f"{place}sitemap.xml", urlset(f"<loc>{BASE}{place}</loc>").encode())
    find_versions(OutputDir.walk(root, BASE), (), "latest")
    at = ("--base-url", BASE)
    commands = [
        ("check", root, *at, "--json", "--jobs", 1),
        ("check", root, *at, "--format", "markdown", "--jobs", 1),
        ("check", root / "b/sitemap.xml", "--json"),
        ("diff", root, root),
        ("diff", root, root / "c"),
        ("merge", root / "c", root / "d", "--out", root, "--policy", "all", *at),
    ]
    for command in commands:
        outcome = run(*command)
        assert outcome.code in (0, 1, 2), outcome.stderr
        assert plain(outcome.stdout) == outcome.stdout


def files_of_users(data: bytes, folder: Path) -> None:
    """Read what users name: a map, options, and a report."""
    file = put(folder, "file.json", data)
    for name in ("map.json", "map.toml"):
        with suppress(SitemapError):
            read_source_map(put(folder, name, data))
    put(folder, "site/index.html", b"<html>")
    for name in ("sitemapkit.toml", "pyproject.toml"):
        given = ("--config", put(folder, name, data), "--base-url", BASE)
        assert run("check", folder / "site", *given).code in (0, 1, 2)
    assert run("submit", file, file, "--state", file, "--key-file", file, "--dry-run").code in (
        0,
        1,
        2,
    )


TOOL_READERS: Mapping[str, Callable[[bytes, Path], None]] = {
    "settings of generators": settings_of,
    "projects": projects,
    "cuts of sources": cuts_of_sources,
    "files of hosts": host_files,
    "headers of answers": headers_of_answers,
    "files of a site": site_files,
    "files of users": files_of_users,
}

TOOL_READ_BY: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("bounds", "checks.dates", "checks.entries", "checks.leads", "checks.robots"),
            *("console", "diff.formats", "sources.marks", "merge.files", "site.alone"),
            *("site.base_url", "site.bodies", "site.facts", "site.judgement", "site.known_hosts"),
            *("site.links", "site.output_dir", "site.page_names", "site.scan", "site.titles"),
            *(
                "site.versions",
                "site.words",
                "sitemaps.read",
                "sitemaps.robots",
            ),
        ),
        "files of a site",
    ),
    **dict.fromkeys(
        (
            *("sources.alike_paths", "sources.edit_links", "sources.includes", "sources.mdbook"),
            *("sources.myst", "sources.project", "sources.quarto", "sources.shared_words"),
            *("sources.names", "sources.shown"),
        ),
        "projects",
    ),
    **dict.fromkeys(("sources.settings", "tables"), "settings of generators"),
    **dict.fromkeys(("sources.cuts", "sources.markups", "site.lines"), "cuts of sources"),
    **dict.fromkeys(
        ("hosting.headers", "hosting.redirects", "hosting.robots_tag"), "files of hosts"
    ),
    "web.pages": "headers of answers",
    **dict.fromkeys(
        (
            *("commands.settings", "commands.submit", "site.source_map"),
            "sitemaps.sitemap_file",
        ),
        "files of users",
    ),
    **dict.fromkeys(("explain", "issues", "submit.pending"), "JSON files"),
}
"""Modules of the tools that read what others wrote, and who tries them."""

TOOL_OTHERS = {
    "bulk": "names of the parts that it wrote itself",
    "commands.build": "what it writes itself",
    "commands.check": "what a user types, in tests of its own",
    "commands.merge": "what it writes itself",
    "hosting.__init__": "opens the two files of a host",
    "site.source_dates": "tests of its own, since it needs pages with sources",
    "site.persons_files": "tests of its own, since it needs a repository",
    "site.their_selection": "a word in a comment of ours",
    "sitemaps.values": "values of a sitemap that was read, in tests of its own",
    "web.home": "where an address leads, in tests of its own",
    "submit.push": "the answer of an engine, in tests of its own",
}
"""Other modules of the tools, and why nobody tries them here."""
