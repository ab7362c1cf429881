"""What pages answered to earlier runs, so that unchanged ones are not sent again.

The file begins with a line that says what it is, and holds one JSON line for each page, appended as
it is fetched. Without the last line that says so, the run was interrupted, and what it fetched is
used as it is. After a complete run, pages are requested with the validators that they came with
(RFC 9110, 13).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import msgspec

from sitemapkit import dates
from sitemapkit.errors import SitemapError
from sitemapkit.model import Head, OutputFile
from sitemapkit.output.files import write_file
from sitemapkit.report import Report
from sitemapkit_tools.bounds import MAX_JSON, decode_json
from sitemapkit_tools.site.facts import Facts
from sitemapkit_tools.site.snapshot import UrlStatus
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

_LASTING = frozenset({200, 301, 308, 404, 410})
"""Statuses that are stored; others may be different in a minute."""

_HEADER = b'{"state of":"sitemapkit check"}'
_FINISHED = b'{"finished":true}'


class _CacheLine(msgspec.Struct, omit_defaults=True):
    """What is stored of one page."""

    url: str
    code: int = 200
    etag: str = ""
    last_modified: str = ""
    target: str | None = None
    noindex: bool = False
    head: Head | None = None
    """What the head says. None: it is not HTML."""

    modified: str | None = None


class CachedResponse(msgspec.Struct, frozen=True):
    """What a page answered before."""

    status: UrlStatus
    validators: Mapping[str, str]
    """Headers of a request that the server may answer with 304 Not Modified."""

    resumed: bool
    """Whether the run that fetched it was interrupted, so that it need not be fetched again."""


class HttpCache:
    """What earlier runs fetched, and what this one fetches; may be used by several threads."""

    def __init__(self, file: Path | None = None) -> None:
        """Keep the cache in a file; without one, nothing is stored."""
        self._file = file
        self._lock = threading.Lock()
        self._stream: BinaryIO | None = None
        self._lines: Mapping[str, _CacheLine] = {}
        self._resumed = False
        self.interrupted = False
        """Whether the run ends before all pages were fetched; then the next one goes on."""

    def __enter__(self) -> HttpCache:
        """Read the file, if it exists, and begin to write a new one.

        What an interrupted run fetched is kept. Raises SitemapError if it is not a cache.
        """
        if self._file:
            write_file(OutputFile(self._file, self._begun(self._file), known=""), Report())
            self._stream = self._file.open("ab")
        return self

    def _begun(self, file: Path) -> Iterator[bytes]:
        """Read the file, if it exists, and yield what is kept of it."""
        if file.is_file():
            self._lines, self._resumed = _read(file)
        kept = self._lines.values() if self._resumed else ()
        yield b"\n".join([_HEADER, *map(msgspec.json.encode, kept), b""])

    def __exit__(self, kind: object, *_: object) -> None:
        """Close the file; a run that ends without an error was complete."""
        if self._stream:
            if kind is None and not self.interrupted:
                self._stream.write(_FINISHED + b"\n")
            self._stream.close()

    def get(self, url: str) -> CachedResponse | None:
        """Return what the page answered before, if that is known."""
        line = self._lines.get(url)
        if line is None:
            return None
        validators = {"If-None-Match": line.etag, "If-Modified-Since": line.last_modified}
        given = {name: value for name, value in validators.items() if value}
        return CachedResponse(_status(line), given, self._resumed)

    def store(self, url: str, headers: Mapping[str, str], status: UrlStatus) -> None:
        """Store what the page answers now."""
        if self._stream is None or status.code not in _LASTING:
            return
        facts, before = status.facts, self._lines.get(url, _CacheLine(url))
        line = _CacheLine(
            url,
            status.code,
            headers.get("ETag", before.etag),
            headers.get("Last-Modified", before.last_modified),
            status.target,
            status.noindex,
            facts.head if facts else None,
            dates.w3c(facts.modified) if facts and facts.modified else None,
        )
        with self._lock:
            self._stream.write(msgspec.json.encode(line) + b"\n")


def _status(line: _CacheLine) -> UrlStatus:
    modified = dates.parse(line.modified) if line.modified else None
    facts = Facts(head=line.head, modified=modified) if line.head else None
    return UrlStatus(line.code, line.url, facts, line.target, line.noindex)


def _read(file: Path) -> tuple[dict[str, _CacheLine], bool]:
    """Return the lines by URL, and whether the run was interrupted; half a line is ignored."""
    lines: dict[str, _CacheLine] = {}
    data = read_file(file, MAX_JSON)
    header, *rows = data.split(b"\n")
    if data and header != _HEADER:
        raise SitemapError(f"{file} was not written by `check --state`; choose another file")
    finished = _FINISHED in rows[-2:]
    for number, row in enumerate(rows[:-1], 2):
        if row == _FINISHED:
            continue
        try:
            line = decode_json(row, _CacheLine)
            _status(line)  # the date may not be valid
        except ValueError as error:
            raise SitemapError(
                f"{file}:{number} is not a line of a state file ({error}); remove it to start again"
            ) from error
        lines[line.url] = line
    return lines, not finished and bool(lines)
