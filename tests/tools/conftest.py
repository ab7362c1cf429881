"""A small finished site on disk, in which defects are planted, and the commands run on it."""

from __future__ import annotations

import gzip
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit_tools.cli import cli

if TYPE_CHECKING:
    from pathlib import Path

NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)


@dataclass(frozen=True)
class Outcome:
    """What a command answered."""

    code: int
    stdout: str
    stderr: str


def run(*arguments: object) -> Outcome:
    """Run a command in this process, without a terminal."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
        cli.main([str(each) for each in arguments], prog_name="sitemapkit")
    return Outcome(int(left.value.code or 0), out.getvalue(), err.getvalue())


def urlset(*entries: str) -> str:
    """Return a sitemap of these `<url>` contents."""
    lines = "".join(f"<url>{entry}</url>\n" for entry in entries)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACES}>\n{lines}</urlset>\n'


def index(*locs: str, lastmod: str = "") -> str:
    """Return an index of these sitemaps."""
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    lines = "".join(f"<sitemap><loc>{loc}</loc>{date}</sitemap>\n" for loc in locs)
    return f"<sitemapindex {NAMESPACES}>\n{lines}</sitemapindex>\n"


@dataclass
class Site:
    """Pages and their sitemap as a generator would leave them, without a fault."""

    root: Path
    base: str = "https://example.org/"
    heads: dict[str, str] = field(default_factory=dict[str, str])
    """What stands in the head of each page, by its path below the base."""

    entries: dict[str, str] = field(default_factory=dict[str, str])
    """What stands after `<loc>`, by what stands in it."""

    robots: str | None = (
        "User-agent: *\nDisallow: /secret/\n\nSitemap: https://example.org/sitemap.xml\n"
    )

    sitemaps: bool = True
    """Whether a sitemap is written."""

    def page(self, path: str, head: str | None = None, *, listed: bool = True) -> None:
        """Add a page that is right in all respects, but for what `head` says."""
        url = self.base + path
        self.heads[path] = f'<link rel="canonical" href="{url}">' if head is None else head
        if listed:
            self.entries[url] = f"<lastmod>2024-05-{len(self.entries) + 1:02}</lastmod>"

    def file(self, path: str) -> Path:
        """Return the file of a page."""
        name = f"{path}index.html" if path.endswith("/") or not path else path
        return self.root / name

    def put(self, name: str, content: str | bytes) -> None:
        """Write a file, and the folders above it."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def index(self, *names: str, lastmod: str = "") -> None:
        """Write an index of these files in place of the sitemap."""
        self.replace_sitemap(index(*(self.base + name for name in names), lastmod=lastmod))

    def replace_sitemap(self, content: str | bytes) -> None:
        """Write something else in place of the sitemap, without a packed copy."""
        self.put("sitemap.xml", content)
        (self.root / "sitemap.xml.gz").unlink()

    def sitemap(self) -> str:
        """Return the sitemap as it is to be written."""
        return urlset(*(f"<loc>{escape(loc)}</loc>{rest}" for loc, rest in self.entries.items()))

    def write(self) -> None:
        """Write all pages, the sitemap, its packed copy and robots.txt."""
        for path, head in self.heads.items():
            html = (
                f'<!doctype html><html lang="en"><head><title>{path or "Home"}</title>{head}</head>'
                f"<body><main><h1>{path}</h1></main></body></html>"
            )
            self.put(self.file(path).relative_to(self.root).as_posix(), html)
        if self.sitemaps:
            self.put("sitemap.xml", self.sitemap())
            self.put("sitemap.xml.gz", gzip.compress(self.sitemap().encode()))
        if self.robots is not None:
            self.put("robots.txt", self.robots)

    def check(self, *arguments: object) -> list[dict[str, Any]]:
        """Return the issues of `sitemapkit check`."""
        outcome = run("check", self.root, "--json", *arguments)
        issues: list[dict[str, Any]] = json.loads(outcome.stdout)["issues"]
        return issues

    def run(self, command: str, *arguments: object) -> Outcome:
        """Run a command on the site."""
        return run(command, self.root, *arguments)

    def rules(self, *arguments: object) -> set[str]:
        """Return the rules that the site breaks."""
        return {issue["id"] for issue in self.check(*arguments)}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site of five pages without a fault, not yet written."""
    made = Site(tmp_path / "site")
    for path in ("", "about/", "guide/", "guide/first.html", "guide/second.html"):
        made.page(path)
    return made
