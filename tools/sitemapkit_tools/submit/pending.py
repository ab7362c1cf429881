"""The URLs that are still to be delivered, kept in a file between runs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from sitemapkit.errors import SitemapError
from sitemapkit.output.files import write_file
from sitemapkit.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set
    from pathlib import Path

    from sitemapkit_tools.diff.compare import UrlChange


@dataclass(frozen=True, slots=True)
class Pending:
    """What this comparison and earlier ones left to deliver."""

    changes: str = ""
    """Digest of the comparison."""

    urls: Set[str] = field(default_factory=frozenset[str])


def still_to_deliver(
    file: Path | None, changes: Sequence[UrlChange], urls: Iterable[str]
) -> Pending:
    """Return what is to be delivered: the URLs that changed, and those that earlier runs left.

    A file of the same comparison says what is left of it; one of another comparison adds to it.
    Raises SitemapError if it is not such a file.
    """
    digest = _digest(changes)
    earlier = _read(file) if file and file.exists() else Pending()
    if earlier.changes == digest:
        return earlier
    return Pending(digest, frozenset(urls) | earlier.urls)


def keep_pending(file: Path, pending: Pending, delivered: Iterable[str]) -> None:
    """Write what is left, completely or not at all."""
    left = sorted(pending.urls - set(delivered))
    text = json.dumps({"changes": pending.changes, "pending": left}, indent=1) + "\n"
    write_file(file, text.encode(), Report())


def _read(file: Path) -> Pending:
    try:
        held: Any = json.loads(file.read_text(encoding="utf-8"))
        return Pending(str(held["changes"]), frozenset(map(str, held["pending"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SitemapError(
            f"{file} does not hold what `submit` left to do ({error}); remove it to begin afresh"
        ) from error


def _digest(changes: Sequence[UrlChange]) -> str:
    digest = blake2b(digest_size=16)
    for change in changes:
        digest.update(f"{change.kind} {change.url} {change.old_date} {change.new_date}\n".encode())
    return digest.hexdigest()
