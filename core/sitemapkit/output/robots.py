"""The Sitemap line in robots.txt, without losing a byte that the user wrote (rules RB1-RB8).

Our line stands behind a comment of its own at the end of the file, never between lines that
belong together (RB3). By that comment the next run knows it, and mends it when the URL changes.
"""

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

_OURS = re.compile(
    rb"(?P<gap>(?<=[\r\n])(?:\r\n|\r|\n))?"
    rb"(?<![^\r\n])# sitemapkit(?:\r\n|\r|\n)Sitemap: (?P<url>[^\r\n]*)(?:\r\n|\r|\n)?"
)
_EVERYTHING_ALLOWED = b"User-agent: *\nAllow: /\n"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_READ_BY_CRAWLERS = 500 * 1024


def robots_document(
    options: Options, output_dir: Path, sitemap_url: str, report: Report
) -> Document | None:
    """Return robots.txt with a line that names `sitemap_url`, or None where it is left alone.

    Without a URL ("") a line of ours is taken out. The report gets what the user should know.
    """
    path = output_dir / "robots.txt"
    if options.robots is False:
        return None
    if not path.is_file():
        wanted = sitemap_url and _may_create(path, options, sitemap_url, report)
        return _document(path, _EVERYTHING_ALLOWED, sitemap_url, report) if wanted else None
    content = path.read_bytes()
    if content.startswith(_UTF_16):
        report.warn(
            "robots-encoding",
            str(path),
            "is UTF-16, which crawlers do not read; it was left alone.",
            "Save it as UTF-8.",
        )
        return None
    if options.robots == "auto" and _is_below_root(options) and sitemap_url:
        _inform_not_at_root(path, sitemap_url, report)
    return _document(path, content, sitemap_url, report)


def _may_create(path: Path, options: Options, sitemap_url: str, report: Report) -> bool:
    if options.robots == "write":
        return True
    if options.robots == "append":
        report.inform(
            "robots-missing",
            str(path),
            "does not exist, so it has no Sitemap line.",
            "Add the file to your site, or set `robots` to `write`.",
        )
    elif _is_below_root(options):
        _inform_not_at_root(path, sitemap_url, report)
    elif _is_on_read_the_docs():
        report.inform(
            "robots-read-the-docs",
            str(path),
            "was not written, since Read the Docs serves a robots.txt of its own.",
            f"Add one with the line 'Sitemap: {sitemap_url}' to your site, or set `robots` to"
            " `write`.",
        )
    else:
        return True
    return False


def _is_below_root(options: Options) -> bool:
    """Tell whether crawlers look elsewhere; Read the Docs serves our file at its host's root."""
    return urlsplit(options.base_url).path != "/" and not _is_on_read_the_docs()


def _is_on_read_the_docs() -> bool:
    return os.environ.get("READTHEDOCS") == "True"


def _inform_not_at_root(path: Path, sitemap_url: str, report: Report) -> None:
    report.inform(
        "robots-not-at-root",
        str(path),
        "is below the root of the host, where crawlers do not look for it (RFC 9309).",
        f"Add the line 'Sitemap: {sitemap_url}' to the robots.txt at the root, or submit the"
        " sitemap in the search engines' consoles.",
    )


def _document(path: Path, content: bytes, sitemap_url: str, report: Report) -> Document:
    changed = _with_line(content, sitemap_url.encode())
    if len(changed) > _READ_BY_CRAWLERS:
        report.warn(
            "robots-size",
            str(path),
            f"has {len(changed):,} bytes, and crawlers may stop reading after 500 KiB.",
            "Shorten it.",
        )
    return Document(path, [changed], replaces_link=True)


def _with_line(content: bytes, url: bytes) -> bytes:
    """Return the content with one line that names `url`; what is not ours stays as it is."""
    ours = _OURS.search(content)
    theirs = content[: ours.start()] + content[ours.end() :] if ours else content
    if not url or url in _sitemaps(theirs):
        return theirs
    if ours:
        return content[: ours.start("url")] + url + content[ours.end("url") :]
    eol = b"\r\n" if b"\r\n" in content else b"\r" if b"\r" in content else b"\n"
    if content and not content.endswith((b"\r", b"\n")):
        content += eol
    if content and not content.endswith(2 * eol):
        content += eol
    return b"%b# sitemapkit%bSitemap: %b%b" % (content, eol, url, eol)


def _sitemaps(content: bytes) -> set[bytes]:
    """Return the URLs that the file names: keys in any case, without comments."""
    pairs = (line.partition(b":") for line in re.split(rb"[\r\n]+", content))
    return {
        value.partition(b"#")[0].strip()
        for key, _, value in pairs
        if key.removeprefix(b"\xef\xbb\xbf").strip().lower() in (b"sitemap", b"site-map")
    }
