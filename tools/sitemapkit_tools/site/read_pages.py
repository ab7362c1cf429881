"""Look: all that is read of one HTML file; many files are read by all cores."""

from __future__ import annotations

import os
import re
import signal
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sitemapkit.content import MAIN, NOISE, digest_html, digest_text
from sitemapkit.html import without_code
from sitemapkit_tools.site.facts import NO_FACTS, Facts, edit_link, page_facts, read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitemapkit_tools.site.output_dir import Tree

    Tick = Callable[[int], object]
    """Is told how many more files are done."""

_FEW = 10_000
"""Files up to which starting processes takes longer than looking at heads."""

_FEW_TO_DIGEST = 500
"""The same for digests, which take parsing."""

_BATCH = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is read beside the facts of the head."""

    digest: bool = False
    """The digest of the main content, for a ledger or a comparison."""

    edit_link: bool = False
    """The link to the page's source."""

    main: tuple[str, ...] = MAIN
    """Selectors of the main content; the first that matches counts."""

    noise: tuple[str, ...] = NOISE
    """Selectors of what stands in the main content and is none of it."""


FACTS_ONLY = Wanted()


def silent(_: int) -> None:
    """Tell nobody of progress."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was read of one file."""

    file: str
    """Path below the site's root, with slashes."""

    facts: Facts = NO_FACTS
    digest: str | None = None
    edit_link: str | None = None
    error: str = ""
    """Why the file could not be read; empty: it could."""


def looks(
    tree: Tree,
    files: Sequence[str],
    wanted: Wanted = FACTS_ONLY,
    *,
    jobs: int | None = None,
    tick: Tick = silent,
) -> Iterator[Look]:
    """Yield what is read of each file, in the order given.

    `jobs` is the number of processes; None: one for each core, if there are files enough.
    """
    batches = [files[start : start + _BATCH] for start in range(0, len(files), _BATCH)]
    read = partial(_read_batch, str(tree.root), wanted=wanted)
    few = _FEW_TO_DIGEST if wanted.digest else _FEW
    jobs = min(jobs or (_cores() if len(files) > few else 1), len(batches))
    if jobs <= 1:
        yield from _ticked(map(read, batches), tick)
        return
    # It takes 15 ms to import, and few sites have files enough.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    with ProcessPoolExecutor(jobs, initializer=_leave_interrupts) as pool:
        yield from _ticked(pool.map(read, batches), tick)


def _leave_interrupts() -> None:
    """Leave Ctrl-C to the process that waits: a worker that ends may take a lock with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)  # where it is known: the cores we may use
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _ticked(batches: Iterator[list[Look]], tick: Tick) -> Iterator[Look]:
    for batch in batches:
        yield from batch
        tick(len(batch))


def _read_batch(root: str, files: Sequence[str], *, wanted: Wanted) -> list[Look]:
    return [_read(root, file, wanted) for file in files]


def _read(root: str, file: str, wanted: Wanted) -> Look:
    try:
        html = read_page(f"{root}/{file}")
    except OSError as error:
        return Look(file, error=error.strerror or str(error))
    facts = page_facts(html)
    digest = _digest(html, facts.title, wanted) if wanted.digest else None
    return Look(file, facts, digest, edit_link(html) if wanted.edit_link else None)


_MOST_PARSED = 512 * 1024
"""Bytes up to which a page is parsed; a parser takes quadratic time for some kinds of nonsense."""

_MARKUP = re.compile(rb"<[^<>]*>")


def _digest(html: bytes, title: str, wanted: Wanted) -> str:
    if len(html) <= _MOST_PARSED:
        return digest_html(html, title=title, main=wanted.main, noise=wanted.noise)
    start, end = html.find(b"<main"), html.rfind(b"</main")
    main = without_code(html[start:end] if 0 <= start < end else html)
    return digest_text(title + "\n" + _MARKUP.sub(b" ", main).decode("utf-8", "replace"))
