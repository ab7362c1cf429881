"""All that is read of the HTML files of a site; where there are many, by all cores."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from sitemapkit.html import read_page
from sitemapkit_tools.site.facts import NO_FACTS, Facts, edit_link, page_facts
from sitemapkit_tools.site.output_dir import OutputDir
from textdates.html import MAIN, NOISE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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

    edit_link: bool = False
    """The link to the page's source."""

    main: tuple[str, ...] = MAIN
    """Selectors of the main content; the first that matches counts."""

    noise: tuple[str, ...] = NOISE
    """Selectors of what in the main content does not count."""

    words: bool = False
    """What it says, to be compared with other pages."""


FACTS_ONLY = ReadOptions()


def no_progress(_: int) -> None:
    """Report no progress."""


class PageRead(Struct, frozen=True):
    """What was read of one file."""

    file: str
    """Path below the site's root, with slashes."""

    facts: Facts = NO_FACTS
    digest: str | None = None
    edit_link: str | None = None
    words: PageWords | None = None
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
    read = partial(_read_batch, str(tree.root), base=tree.base_url, options=options)
    few = _FEW_TO_DIGEST if options.digest or options.words else _FEW
    batches = _batches(files, _BATCH)
    jobs = min(jobs or (_cores() if len(files) > few else 1), len(batches))
    if jobs <= 1:
        yield from _with_progress(map(read, _batches(files, _SMALL_BATCH)), on_progress)
        return
    # It takes 15 ms to import, and few sites have enough files.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    with ProcessPoolExecutor(jobs, initializer=_begin_worker) as pool:
        yield from _with_progress(pool.map(read, batches), on_progress)


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


def _with_progress(
    batches: Iterator[list[PageRead]], on_progress: OnProgress
) -> Iterator[PageRead]:
    for batch in batches:
        yield from batch
        on_progress(len(batch))


def _read_batch(
    root: str, files: Sequence[str], *, base: str, options: ReadOptions
) -> list[PageRead]:
    return [_read(root, file, base, options) for file in files]


def _read(root: str, file: str, base: str, options: ReadOptions) -> PageRead:
    try:
        html = read_page(f"{root}/{file}")
    except OSError as error:
        return PageRead(file, error=error.strerror or str(error))
    facts = page_facts(html)
    link = edit_link(html) if options.edit_link else None
    found = PageRead(file, facts, None, link)
    if options.digest:
        from sitemapkit.lastmod.digest import digest_html  # noqa: PLC0415 - few builds need it

        main, noise = options.main, options.noise
        digest = digest_html(html, title=facts.title, main=main, noise=noise, base=base)
        found = replace(found, digest=digest)
    if options.words:
        from sitemapkit_tools.site.words import read_words  # noqa: PLC0415 - one command needs it

        url = OutputDir(Path(root), base, frozenset()).url_of(file)
        found = replace(found, words=read_words(html, url))
    return found
