"""From entries to files: sort, merge duplicates, split, render, and publish all at once."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sitemapkit.output.files import Document, publish
from sitemapkit.output.robots import robots_document
from sitemapkit.output.shards import Item, Limits, split
from sitemapkit.output.xml import (
    MARKER,
    URLSET_FOOT,
    lastmod_text,
    render_index,
    render_url,
    urlset_head,
)
from sitemapkit.urls import absolute

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sitemapkit.entry import Entry
    from sitemapkit.options import Options
    from sitemapkit.report import Report

__all__ = ["write"]

_LONGEST_HEAD = len(urlset_head(images=True, alternates=True))


def write(entries: Sequence[Entry], options: Options, output_dir: Path, report: Report) -> None:
    """Write the sitemap files of `entries` and the robots line into `output_dir`.

    Entries are sorted by URL and duplicates merged to the newest date. All files are replaced
    together, and only those whose bytes changed. Fills `report.listed`, `.written`, `.unchanged`
    and `.removed`. Raises OutputError if a file cannot be written; the files of the last build
    are then left whole.
    """
    report.listed = _merged(entries, report)
    if "/" in options.filename:
        report.warn(
            "scope",
            options.filename,
            "lies in a folder, and crawlers accept only URLs of that folder from it.",
            "Set `filename` to a name without a folder.",
        )
    documents = _documents(report.listed, options, output_dir) if report.listed else []
    if not documents:
        report.warn("empty", options.filename, "would list no page.", "Check `exclude` and drafts.")
    obsolete = _obsolete(documents, options, output_dir)
    if documents:
        suffix = "" if "xml" in options.formats else ".gz"
        sitemap_url = absolute(options.filename + suffix, options.base_url)
        robots = robots_document(options, sitemap_url, output_dir, report)
        documents += [robots] if robots else []
    publish(documents, obsolete, output_dir, report)


def _merged(entries: Sequence[Entry], report: Report) -> list[Entry]:
    kept: dict[str, Entry] = {}
    for entry in entries:
        other = kept.setdefault(entry.loc, entry)
        if other is entry:
            continue
        report.warn("duplicate", entry.loc, "is listed twice.", "Give each page a URL of its own.")
        if _moment(entry) > _moment(other):
            kept[entry.loc] = entry
    return sorted(kept.values(), key=lambda entry: entry.loc)


def _moment(entry: Entry) -> float:
    value = entry.lastmod
    if value is None:
        return float("-inf")
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    return value.replace(tzinfo=value.tzinfo or UTC).timestamp()


def _documents(entries: list[Entry], options: Options, output_dir: Path) -> list[Document]:
    """Return all files, children before the entry file that names them."""
    rendered = [render_url(entry) for entry in entries]
    base = len(options.base_url)
    items = [
        Item(entry.loc[base:], len(text.encode()))
        for entry, text in zip(entries, rendered, strict=True)
    ]
    limits = Limits(options.max_urls, options.max_bytes - _LONGEST_HEAD - len(URLSET_FOOT))
    shards = split(items, limits)
    entry_file = output_dir / options.filename
    bodies = {
        name: _urlset([entries[i] for i in members], [rendered[i] for i in members])
        for name, members in shards.items()
    }
    suffixes = [{"xml": ".xml", "gz": ".xml.gz"}[name] for name in dict.fromkeys(options.formats)]
    if set(bodies) == {""}:
        return [Document(entry_file.with_suffix(suffix), bodies[""]) for suffix in suffixes]
    newest = {name: _newest([entries[i] for i in members]) for name, members in shards.items()}
    stem = options.filename.removesuffix(".xml")
    documents = [
        Document(entry_file.with_name(f"{entry_file.stem}-{name}{suffix}"), body)
        for suffix in suffixes
        for name, body in bodies.items()
    ]
    for suffix in suffixes:
        index = render_index(
            (absolute(f"{stem}-{name}{suffix}", options.base_url), newest[name]) for name in bodies
        )
        documents.append(Document(entry_file.with_suffix(suffix), index.encode()))
    return documents


def _urlset(entries: list[Entry], rendered: list[str]) -> bytes:
    head = urlset_head(
        images=any(entry.images for entry in entries),
        alternates=any(entry.alternates for entry in entries),
    )
    return f"{head}{''.join(rendered)}{URLSET_FOOT}".encode()


def _newest(entries: list[Entry]) -> str | None:
    newest = max(entries, key=_moment).lastmod
    return None if newest is None else lastmod_text(newest)


def _obsolete(documents: list[Document], options: Options, output_dir: Path) -> list[Path]:
    """Return files of ours beside the entry file that are not among the new ones."""
    entry_file = output_dir / options.filename
    ours = re.compile(rf"{re.escape(entry_file.stem)}(?:-.+)?\.xml(?:\.gz)?")
    wanted = {document.path for document in documents}
    if not entry_file.parent.is_dir():
        return []
    return [
        path
        for path in sorted(entry_file.parent.iterdir())
        if ours.fullmatch(path.name) and path not in wanted and path.is_file() and _marked(path)
    ]


def _marked(path: Path) -> bool:
    try:
        opened = gzip.open(path) if path.suffix == ".gz" else path.open("rb")
        with opened as file:
            return MARKER.encode() in file.read(200)
    except (OSError, EOFError):
        return False
