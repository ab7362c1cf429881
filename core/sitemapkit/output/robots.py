"""The Sitemap lines in robots.txt; all other bytes of the file are preserved (rules RB1-RB8).

Each of our lines follows a comment at the end of the file, never inside a group of lines (RB3). The
comment names the option `filename`: by it, the next run for the same sitemap recognizes the line,
and corrects it if the URL has changed.
"""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from sitemapkit.model import OutputFile
from sitemapkit.output.files import reraise_os_errors
from sitemapkit.rules import issue
from sitemapkit.urls import is_local_host, repository_in, resolve_or_none
from textdates.bounds import is_file, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.layout import Layout
    from sitemapkit.model import Issue

_OURS = (
    rb"(?P<gap>(?<=[\r\n])(?:\r\n|\r|(?<!\r)\n))?"  # the empty line that we wrote above it
    rb"(?<![^\r\n])%b(?:\r\n|\r|\n)"  # our comment, from the beginning of a line to its end
    rb"Sitemap: (?P<url>[^\r\n]*)(?:\r\n|\r|\n)?"
)
_LINE = (
    rb"(?<![^\r\n])(?:\xef\xbb\xbf)?[ \t]*(?i:site-?map)[ \t]*:"
    rb"(?P<named>[^#\r\n]*)[^\r\n]*(?:\r\n|\r|\n)?"
)
_THIS_MACHINE = "http://localhost/"
MAX_ROBOTS = 16 * 1024 * 1024
"""Bytes of a robots.txt that we add to; crawlers read 500 KiB of it."""

_EVERYTHING_ALLOWED = b"User-agent: *\nAllow: /\n"


def read_robots(layout: Layout) -> bytes | None:
    """Return the content of robots.txt; None if there is none, or it is of no concern."""
    path = layout.output_dir / "robots.txt"
    if layout.options.robots is False or not is_file(path):
        return None
    with reraise_os_errors(path):
        return read_file(path, MAX_ROBOTS)


def not_announced(
    layout: Layout, content: bytes | None, sitemap_urls: Sequence[str]
) -> Iterator[Issue]:
    """Yield why the lines for `sitemap_urls` are not in a robots.txt that crawlers read.

    All versions of mike have one address for theirs, so none says it.
    """
    if not sitemap_urls:
        return
    mode = layout.options.robots
    file = str(layout.output_dir / "robots.txt")
    if is_in_utf_16(content):
        yield issue("robots-encoding", file)
    elif mode == "append" and content is None:
        yield issue("robots-missing", file)
    elif mode == "auto" and not _is_at_root(layout) and not _one_for_all_versions():
        if repository_in(layout.options.base_url):
            return  # the pages are elsewhere
        lines = [f"`Sitemap: {url}`" for url in sitemap_urls]
        where = urljoin(layout.options.base_url, "/robots.txt")
        yield issue("robots-not-at-root", where, f"Needed: {' and '.join(lines)}.")


def _is_at_root(layout: Layout) -> bool:
    """Return whether the site begins where crawlers look for robots.txt."""
    return urlsplit(layout.options.base_url).path == "/"


def _is_on_read_the_docs() -> bool:
    """Return whether Read the Docs builds; it serves our robots.txt, or its own, at the root."""
    return os.environ.get("READTHEDOCS") == "True"


def _one_for_all_versions() -> bool:
    """Return whether a service cares for robots.txt, or mike, whose versions share one address."""
    return _is_on_read_the_docs() or "MIKE_DOCS_VERSION" in os.environ


def robots_file(
    layout: Layout, content: bytes | None, sitemap_urls: Sequence[str]
) -> OutputFile | None:
    """Return robots.txt with a line for each of `sitemap_urls`, or None if it stays as it is.

    `content` is what `read_robots` returns. Lines that we wrote for other URLs are removed; a file
    that is there stays, as nobody knows who wrote its other lines.
    """
    options = layout.options
    comment = f"# sitemapkit: {quote(options.filename)}".encode()
    if content is None:
        may_create = options.robots == "write"
        if options.robots == "auto":
            # Read the Docs serves its own, with the sitemap, if there is none.
            may_create = _is_at_root(layout) and not _is_on_read_the_docs()
        if not may_create or not sitemap_urls:
            return None
        content = _EVERYTHING_ALLOWED
    elif is_in_utf_16(content):
        return None
    changed = _with_lines(content, [url.encode() for url in sitemap_urls], comment)
    file = layout.output_dir / "robots.txt"
    return OutputFile(file, [changed], known="", replaces_link=True)


def is_in_utf_16(robots: bytes | None) -> bool:
    """Return whether a robots.txt is in an encoding that crawlers do not read."""
    return robots is not None and robots.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def _url_in(line: re.Match[bytes]) -> str | None:
    """Return the URL of a Sitemap line; one without a host is as if this machine served it."""
    return resolve_or_none(line["named"].decode("utf-8", "replace").strip(), _THIS_MACHINE)


def _with_lines(content: bytes, urls: Sequence[bytes], comment: bytes) -> bytes:
    """Return the content with one line for each URL; all other lines are unchanged.

    Lines of generators that name the same files on this machine, or on no host, go.
    """
    wanted = [url.decode() for url in urls]
    paths = {urlsplit(url).path for url in wanted}

    def clean(line: re.Match[bytes]) -> bytes:
        url = (line["named"] and _url_in(line)) or ""
        is_same_file = urlsplit(url).path in paths and url not in wanted
        is_here = is_same_file and is_local_host(urlsplit(url).hostname or "")
        return b"" if is_here else line[0]

    line_of_ours = _OURS % re.escape(comment)
    content = re.sub(line_of_ours + b"|" + _LINE, clean, content)
    ours = [*re.finditer(line_of_ours, content)]
    theirs = re.sub(line_of_ours, b"", content)
    known = {_url_in(line) for line in re.finditer(_LINE, theirs)}
    missing = [url for url in urls if url.decode() not in known]
    if [line["url"] for line in ours] == missing:
        return content
    if not missing:
        return theirs
    # The line ends of the file: the longest of these that is in it.
    eol = b"\n"
    for each in (b"\r", b"\r\n"):
        if each in content:
            eol = each
    lines = b""
    for url in missing:
        lines += b"%b%bSitemap: %b%b" % (comment, eol, url, eol)
    if ours:
        gap = ours[0]["gap"] or b""
        start = ours[0].start()
        return theirs[:start] + gap + lines + theirs[start:]
    if content and not content.endswith((b"\r", b"\n")):
        content += eol
    gap = eol if content else b""  # always added, so that it can be removed with the line
    return content + gap + lines
