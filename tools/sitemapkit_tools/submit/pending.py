"""The URLs that are still to be delivered, kept in a file between runs."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from sitemapkit.errors import SitemapError
from sitemapkit.model import OutputFile
from sitemapkit.output.files import write_file
from sitemapkit.report import Report
from sitemapkit_tools.bounds import read_json
from textdates.bounds import is_there

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sitemapkit_tools.diff.compare import UrlChange


_HINTS = frozenset({"changefreq", "priority"})
"""Fields of an entry that say nothing about the page."""


class Pending(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"urls": "pending"}):
    """What this comparison and earlier ones left to deliver."""

    changes: str
    """Digest of the comparison."""

    urls: frozenset[str]


def changed_urls(changes: Sequence[UrlChange], *, removed: bool = True) -> list[str]:
    """Return the URLs to announce: added, changed (not only in hints), and removed ones."""
    return [
        change.url
        for change in changes
        if (change.kind != "changed" or set(change.fields) - _HINTS)
        and (removed or change.kind in ("added", "changed"))
    ]


def still_to_deliver(
    file: Path | None, changes: Sequence[UrlChange], urls: Iterable[str]
) -> Pending:
    """Return what is to be delivered: the URLs that changed, and those that earlier runs left.

    A file of the same comparison says what is left of it; one of another comparison adds to it.
    Raises SitemapError if it is not such a file.
    """
    digest = _digest(changes)
    earlier = _read(file) if file and is_there(file) else Pending("", frozenset())
    if earlier.changes == digest:
        return earlier
    return Pending(digest, frozenset(urls) | earlier.urls)


def keep_pending(file: Path, pending: Pending, delivered: Iterable[str]) -> None:
    """Write what is left, also of what another process has written meanwhile."""

    def left() -> Iterator[bytes]:
        urls = pending.urls | (_read(file).urls if is_there(file) else frozenset[str]())
        held = {"changes": pending.changes, "pending": sorted(urls.difference(delivered))}
        yield msgspec.json.format(msgspec.json.encode(held), indent=1) + b"\n"

    write_file(OutputFile(file, left(), known=r'\A\{\s*"changes":'), Report())


def _read(file: Path) -> Pending:
    try:
        return read_json(file, Pending)
    except (OSError, ValueError) as error:
        raise SitemapError(
            f"{file} does not hold what `submit` left to do ({error}); choose another file, or"
            " remove it to start again"
        ) from error


def _digest(changes: Sequence[UrlChange]) -> str:
    digest = blake2b(digest_size=16)
    for change in changes:
        digest.update(f"{change.kind} {change.url} {change.old_date} {change.new_date}\n".encode())
    return digest.hexdigest()
