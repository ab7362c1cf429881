"""The Sitemap lines in robots.txt; all other bytes of the file are preserved (rules RB1-RB8).

Each of our lines follows a comment at the end of the file, never inside a group of lines (RB3). The
comment names the option `filename`: by it, the next run for the same sitemap recognizes the line,
and corrects it if the URL has changed.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from sitemapkit.model import OutputFile
from sitemapkit.output.files import reraise_os_errors
from sitemapkit.rules import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sitemapkit.model import Severity
    from sitemapkit.options import Options
    from sitemapkit.report import Report

_OURS = (
    rb"(?P<gap>(?<=[\r\n])(?:\r\n|\r|(?<!\r)\n))?"
    rb"(?<![^\r\n])%b(?:\r\n|\r|\n)Sitemap: (?P<url>[^\r\n]*)(?:\r\n|\r|\n)?"
)
_EVERYTHING_ALLOWED = b"User-agent: *\nAllow: /\n"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_READ_BY_CRAWLERS = 500 * 1024


def robots_file(
    options: Options, output_dir: Path, sitemap_urls: Sequence[str], report: Report
) -> OutputFile | None:
    """Return robots.txt with a line for each of `sitemap_urls`, or None if it stays as it is.

    Lines that we wrote for other URLs are removed. A file that we made and would not make now is
    returned without content, to be removed. The report gets issues.
    """
    path = output_dir / "robots.txt"
    if options.robots is False:
        return None
    content = _EVERYTHING_ALLOWED
    comment = f"# sitemapkit: {quote(options.filename)}".encode()
    if path.is_file():
        with reraise_os_errors(path):
            content = path.read_bytes()
        if content.startswith(_UTF_16):
            report.add("robots-encoding", str(path))
            return None
        if options.robots == "auto" and _is_below_root(options) and sitemap_urls:
            _note_not_at_root(options, sitemap_urls, report)
        _note_disallowed(content, options, report)
        unwanted = not sitemap_urls or _is_below_root(options) or _is_on_read_the_docs()
        if options.robots == "auto" and unwanted and _is_made_by_us(content, comment):
            return OutputFile(path, [])
    elif not sitemap_urls or not _may_create(path, options, sitemap_urls, report):
        return None
    changed = _with_lines(content, [url.encode() for url in sitemap_urls], comment)
    if len(changed) > _READ_BY_CRAWLERS:
        report.add("robots-size", str(path), f"It has {len(changed):,} bytes.")
    return OutputFile(path, [changed], known="", replaces_link=True)


def _note_disallowed(content: bytes, options: Options, report: Report) -> None:
    """Add an issue if pages are listed that the file forbids; a note where it forbids them all."""
    if b"disallow" in content.lower() and not _is_below_root(options):
        from sitemapkit.output.disallowed import disallowed  # noqa: PLC0415 - few sites need it

        found = [*disallowed(content, (entry.loc for entry in report.listed))]
        # A site that forbids all of its pages does so on purpose.
        severity: Severity = "note" if len(found) == len(report.listed) else "error"
        report.issues += grouped("robots-disallowed", found, severity=severity)


def _may_create(path: Path, options: Options, sitemap_urls: Sequence[str], report: Report) -> bool:
    if options.robots == "write":
        return True
    if options.robots == "append":
        report.add("robots-missing", str(path))
    elif _is_below_root(options):
        _note_not_at_root(options, sitemap_urls, report)
    else:
        return not _is_on_read_the_docs()  # which serves its own, with the sitemap
    return False


def _is_below_root(options: Options) -> bool:
    """Return whether crawlers look elsewhere; Read the Docs serves the file at the host's root."""
    return urlsplit(options.base_url).path != "/" and not _is_on_read_the_docs()


def _is_on_read_the_docs() -> bool:
    return os.environ.get("READTHEDOCS") == "True"


def _note_not_at_root(options: Options, sitemap_urls: Sequence[str], report: Report) -> None:
    """Say which line belongs where; not for each version of mike, whose robots.txt is one."""
    if "MIKE_DOCS_VERSION" not in os.environ:
        needed = f"Needed: {' and '.join(f'`Sitemap: {url}`' for url in sitemap_urls)}."
        report.add("robots-not-at-root", urljoin(options.base_url, "/robots.txt"), needed)


def _is_made_by_us(content: bytes, comment: bytes) -> bool:
    """Return whether the file has nothing but our lines and what we write above them."""
    without_ours = _with_lines(content, [], comment)
    return without_ours == _EVERYTHING_ALLOWED and content != _EVERYTHING_ALLOWED


def _with_lines(content: bytes, urls: Sequence[bytes], comment: bytes) -> bytes:
    """Return the content with one line for each URL; all other lines are unchanged."""
    line_of_ours = _OURS % re.escape(comment)
    ours = [*re.finditer(line_of_ours, content)] if comment in content else []
    theirs = re.sub(line_of_ours, b"", content) if ours else content
    known = _sitemaps(theirs)
    missing = [url for url in urls if url not in known]
    if [line["url"] for line in ours] == missing:
        return content
    if not missing:
        return theirs
    eol = b"\r\n" if b"\r\n" in content else b"\r" if b"\r" in content else b"\n"
    lines = b"".join(b"%b%bSitemap: %b%b" % (comment, eol, url, eol) for url in missing)
    if ours:
        first = ours[0]
        return theirs[: first.start()] + (first["gap"] or b"") + lines + theirs[first.start() :]
    if content and not content.endswith((b"\r", b"\n")):
        content += eol
    gap = eol if content else b""  # always added, so that it can be removed with the line
    return content + gap + lines


def _sitemaps(content: bytes) -> set[bytes]:
    """Return the URLs in the file's Sitemap lines: keys in any case, without comments."""
    pairs = (line.partition(b":") for line in content.splitlines())
    return {
        value.partition(b"#")[0].strip()
        for key, _, value in pairs
        if key.removeprefix(b"\xef\xbb\xbf").strip().lower() in (b"sitemap", b"site-map")
    }
