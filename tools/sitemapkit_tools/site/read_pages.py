"""All that is read of the HTML files of a site; where there are many, by all cores."""

from __future__ import annotations

import os
import signal
from hashlib import blake2b
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from sitemapkit.head import Stated
from sitemapkit.parsing import as_utf8
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.bodies import body_digest
from sitemapkit_tools.site.facts import NO_FACTS, Facts, page_facts
from sitemapkit_tools.site.links import Links, note_links
from textdates.rendered import MAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitemapkit_tools.site.links import Written
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.words import PageWords

    OnProgress = Callable[[int], object]
    """Is called with the number of files that were read since the last call."""

_FEW = 10_000
"""Files up to which starting processes takes longer than reading heads."""

_FEW_TO_DIGEST = 500
"""The same for digests, which take parsing."""

_BATCH = 200
_SMALL_BATCH = 10
"""Without processes; the time limit of a command is looked at after each batch."""


class ReadOptions(Struct, frozen=True):
    """What is read of a page besides the facts of its head."""

    digest: bool = False
    """The digest of the main content, for a ledger or a comparison."""

    title_only: bool = False
    """Of the head only its title is read: the rest is known."""

    below_head: bool = False
    """A digest of all that follows the head, which is quick to make: what is the same there shows
    the same."""

    words: bool = False
    """What it says, to be compared with other pages."""

    body: bool = False
    """The digest of what its body shows, if it names no canonical page."""

    links: bool = False
    """What it links to, by `read_site`."""


FACTS_ONLY = ReadOptions()


def no_progress(_: int) -> None:
    """Report no progress."""


class PageRead(Struct, frozen=True):
    """What was read of one file."""

    file: str
    """Path below the site's root, with slashes."""

    facts: Facts = NO_FACTS
    digest: str | None = None
    below_head: bytes = b""
    words: PageWords | None = None
    body: bytes = b""
    """The same for pages that show the same; b"" if there is hardly any text, or nobody asked."""

    error: str = ""
    """Why the file could not be read; "" if it could."""


def read_pages(
    tree: OutputDir,
    files: Sequence[str],
    options: ReadOptions = FACTS_ONLY,
    *,
    jobs: int | None = None,
    on_progress: OnProgress = no_progress,
) -> Iterator[PageRead]:
    """Yield what is read of each file, in the order given.

    `jobs` is the number of processes. None: one for each core, if there are enough files.
    """
    for batch in _read_batches(tree, files, options, jobs):
        yield from batch.reads
        on_progress(len(batch.reads))


def read_site(
    tree: OutputDir,
    files: Sequence[str],
    options: ReadOptions,
    *,
    jobs: int | None = None,
    on_progress: OnProgress = no_progress,
) -> tuple[list[PageRead], Links]:
    """Return what is read of each file, and where all of them link to; see `read_pages`."""
    reads: list[PageRead] = []
    links = Links(tree)
    for batch in _read_batches(tree, files, options, jobs):
        reads += batch.reads
        links.add(batch.written)
        on_progress(len(batch.reads))
    return reads, links


class _Batch(NamedTuple):
    reads: list[PageRead]
    written: Written


def _read_batches(
    tree: OutputDir, files: Sequence[str], options: ReadOptions, jobs: int | None
) -> Iterator[_Batch]:
    reader = _Reader(replace(tree, files=frozenset()), options)  # names take long to be sent
    few = _FEW_TO_DIGEST if options.digest or options.words else _FEW
    batches = _batches(files, _BATCH)
    jobs = min(jobs or (_cores() if len(files) > few else 1), len(batches))
    if jobs <= 1:
        yield from map(reader.read, _batches(files, _SMALL_BATCH))
        return
    # It takes 15 ms to import, and few sites have enough files.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    with ProcessPoolExecutor(jobs, initializer=_begin_worker) as pool:
        yield from pool.map(reader.read, batches)


def _batches(files: Sequence[str], size: int) -> list[Sequence[str]]:
    return [files[start : start + size] for start in range(0, len(files), size)]


def _begin_worker() -> None:
    """Leave Ctrl-C to the parent process: a worker that is killed may keep a lock."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the parent process, which may be killed, and end at once."""
    from multiprocessing import parent_process  # noqa: PLC0415 - workers have it
    from multiprocessing.connection import wait  # noqa: PLC0415

    if parent := parent_process():
        wait([parent.sentinel])
        os._exit(1)


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)  # the cores that we may use
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class _Reader(Struct, frozen=True):
    """Reads files, in a process of its own if there are many."""

    tree: OutputDir
    options: ReadOptions

    def read(self, files: Sequence[str]) -> _Batch:
        """Return what is read of some files."""
        written: Written = {}
        return _Batch([self._read(file, written) for file in files], written)

    def _read(self, file: str, written: Written) -> PageRead:
        try:
            html = as_utf8(self.tree.read(file, MAX_PAGE))
        except OSError as error:
            return PageRead(file, error=error.strerror or str(error))
        options = self.options
        facts = Facts(title=Stated(html).title) if options.title_only else page_facts(html)
        may_be_copy = options.body and not facts.head.canonical
        if options.links:
            note_links(html, facts.head.refresh, file, written)
        return PageRead(
            file,
            facts,
            digest=self._digest(html, facts.title) if options.digest else None,
            below_head=_below_head(html) if options.below_head else b"",
            words=self._words(html, file, facts) if options.words else None,
            body=body_digest(html) if may_be_copy else b"",
        )

    def _digest(self, html: bytes, title: str) -> str:
        from sitemapkit_extras.digest import digest_html  # noqa: PLC0415 - few builds need it

        return digest_html(html, title=title, main=MAIN, base=self.tree.base_url)

    def _words(self, html: bytes, file: str, facts: Facts) -> PageWords:
        from sitemapkit_tools.site.words import read_words  # noqa: PLC0415 - one command needs it

        return read_words(html, self.tree.url_of(file), facts)


def _below_head(html: bytes) -> bytes:
    shown = html[max(html.find(b"</head"), 0) :]
    return blake2b(shown, digest_size=16).digest()
