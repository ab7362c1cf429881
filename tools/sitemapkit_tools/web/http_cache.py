"""Memory: what pages on the Web answered before, so that unchanged ones are not sent again.

One JSON line for each page, appended as it is seen. A file without a last line that says so is of a
run that was interrupted: what it saw is taken as it is. After a whole run pages are asked for with
the validators that they came with (RFC 9110, 13).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from sitemapkit import dates
from sitemapkit.errors import SitemapError
from sitemapkit.model import Head
from sitemapkit_tools.site.facts import Facts
from sitemapkit_tools.site.snapshot import View

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from pathlib import Path
    from typing import BinaryIO

_LASTING = frozenset({200, 301, 308, 404, 410})
"""Answers that are worth remembering; others may be different in a minute."""

_FINISHED = b'{"finished":true}'


class _Line(msgspec.Struct, omit_defaults=True):
    """What is remembered of one page."""

    url: str
    status: int = 200
    etag: str = ""
    last_modified: str = ""
    target: str | None = None
    noindex_header: bool = False
    is_html: bool = False
    noindex: bool = False
    canonical: str | None = None
    refresh: str | None = None
    modified: str | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a page answered before."""

    view: View
    validators: Mapping[str, str]
    """Headers of a request that the server may answer with 304 Not Modified."""

    resumed: bool
    """The run that saw it was interrupted: it need not be asked again."""


class Memory:
    """What earlier runs saw, and what this one sees; may be used by several threads."""

    def __init__(self, file: Path | None = None) -> None:
        """Read the file, if there is one. Raises SitemapError if it is none of ours."""
        self._file = file
        self._lock = threading.Lock()
        self._stream: BinaryIO | None = None
        self._lines, self._resumed = _read(file) if file and file.exists() else ({}, False)

    def __enter__(self) -> Memory:
        """Begin to write; what an interrupted run saw stays."""
        if self._file:
            self._stream = self._file.open("wb")
            for line in self._lines.values() if self._resumed else ():
                self._stream.write(msgspec.json.encode(line) + b"\n")
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """End; a run that ends without an error was whole."""
        if self._stream:
            if kind is None:
                self._stream.write(_FINISHED + b"\n")
            self._stream.close()

    def recall(self, url: str) -> Recalled | None:
        """Return what the page answered before, if that is known."""
        line = self._lines.get(url)
        if line is None:
            return None
        validators = {"If-None-Match": line.etag, "If-Modified-Since": line.last_modified}
        given = {name: value for name, value in validators.items() if value}
        return Recalled(_view(line), given, self._resumed)

    def keep(self, url: str, headers: Mapping[str, str], view: View) -> None:
        """Remember what the page answers now."""
        if self._stream is None or view.status not in _LASTING:
            return
        facts, before = view.facts or Facts(), self._lines.get(url, _Line(url))
        line = _Line(
            url,
            view.status,
            headers.get("ETag", before.etag),
            headers.get("Last-Modified", before.last_modified),
            view.target,
            view.noindex,
            view.facts is not None,
            facts.head.noindex,
            facts.head.canonical,
            facts.head.refresh,
            dates.w3c(facts.modified) if facts.modified else None,
        )
        with self._lock:
            self._stream.write(msgspec.json.encode(line) + b"\n")


def _view(line: _Line) -> View:
    facts = None
    if line.is_html:
        head = Head(line.noindex, line.canonical, line.refresh)
        facts = Facts(head=head, modified=_date(line.modified))
    return View(line.status, line.url, facts, line.target, line.noindex_header)


def _date(text: str | None) -> date | None:
    return dates.parse(text) if text else None


def _read(file: Path) -> tuple[dict[str, _Line], bool]:
    """Return the lines by URL, and whether the run was interrupted; half a line is forgotten."""
    lines: dict[str, _Line] = {}
    rows = file.read_bytes().split(b"\n")
    finished = _FINISHED in rows[-2:]
    decoder = msgspec.json.Decoder(_Line)
    for number, row in enumerate(rows[:-1], 1):
        if row == _FINISHED:
            continue
        try:
            line = decoder.decode(row)
            _date(line.modified)
        except (msgspec.MsgspecError, ValueError) as error:
            raise SitemapError(
                f"{file}:{number} is no line of a state file ({error}); remove it to begin afresh"
            ) from error
        lines[line.url] = line
    return lines, not finished and bool(lines)
