"""The Sitemap line in robots.txt, without losing a byte that the user wrote (rules RB3-RB6)."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit.output.files import Document

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapkit.options import Options
    from sitemapkit.report import Report

_MARKER = b"# sitemapkit"
_OURS = re.compile(rb"^# sitemapkit(?P<eol>\r\n|\n|\r)Sitemap: (?P<url>[^\r\n]*)", re.MULTILINE)
_LINE = re.compile(
    rb"^[ \t]*sitemap[ \t]*:[ \t]*(?P<url>[^\r\n#]*?)[ \t]*(?:#|\r|\n|\Z)", re.I | re.M
)


def robots_document(
    options: Options, sitemap_url: str, output_dir: Path, report: Report
) -> Document | None:
    """Return robots.txt as it should be, or None where it is left alone."""
    if options.robots is False:
        return None
    path = output_dir / "robots.txt"
    # Read the Docs serves the default version's file at the root of the host.
    on_read_the_docs = os.environ.get("READTHEDOCS") == "True"
    below_root = urlsplit(options.base_url).path != "/" and not on_read_the_docs
    if path.is_file():
        if below_root:
            _inform_unread(path, sitemap_url, report)
        return Document(path, _with_line(path.read_bytes(), sitemap_url.encode()))
    if options.robots == "append":
        return None
    if options.robots == "auto" and below_root:
        _inform_unread(path, sitemap_url, report)
        return None
    if options.robots == "auto" and on_read_the_docs:
        report.inform(
            "robots-read-the-docs",
            str(path),
            "is not written, because Read the Docs serves one of its own.",
            f"To change it, add a robots.txt to your documentation with the line"
            f" 'Sitemap: {sitemap_url}', or set robots: write.",
        )
        return None
    return Document(path, _with_line(b"User-agent: *\nAllow: /\n", sitemap_url.encode()))


def _inform_unread(path: Path, sitemap_url: str, report: Report) -> None:
    report.inform(
        "robots-not-at-root",
        str(path),
        "is not read by crawlers, which look only at the root of the host.",
        f"Add the line 'Sitemap: {sitemap_url}' to the robots.txt there, or submit the sitemap"
        " in the search engines' consoles.",
    )


def _with_line(content: bytes, url: bytes) -> bytes:
    """Return the content with one line that names `url`; all other bytes stay as they are."""
    if ours := _OURS.search(content):
        return content[: ours.start("url")] + url + content[ours.end("url") :]
    if any(found["url"] == url for found in _LINE.finditer(content)):
        return content
    eol = b"\r\n" if b"\r\n" in content else b"\r" if b"\r" in content else b"\n"
    if content and not content.endswith((b"\r", b"\n")):
        content += eol
    gap = eol if content else b""
    return content + gap + _MARKER + eol + b"Sitemap: " + url + eol
