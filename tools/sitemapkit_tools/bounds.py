"""Limits on untrusted input, and the functions that decode JSON and pause within them.

Whatever comes from a server, a sitemap, a page or a file of JSON is read within these bounds. The
page on trust in the manual states them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

import msgspec

from sitemapkit.errors import SitemapError
from sitemapkit.head import LONGEST_PAGE
from sitemapkit.options import MAX_BYTES, MAX_URLS
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_T = TypeVar("_T")
MIB = 1_048_576

MAX_FILE = MAX_BYTES + MIB
"""Unpacked bytes that are read of a sitemap, a little more than the protocol allows."""

MAX_PAGE = LONGEST_PAGE
"""Bytes that are read of a page: what Googlebot reads of one."""

MAX_ROBOTS = 500 * 1024
"""Bytes that are read of a robots.txt, as crawlers do (RFC 9309, 2.5)."""

MAX_JSON = 256 * MIB
"""Bytes that are read of a file of JSON: the report of a build of a million pages has 200 MiB."""

MAX_ANSWER = MIB
"""Bytes that are read of an engine's answer."""

MAX_SMALL_FILE = 65_536
"""Bytes that are read of a file that holds a key."""

MAX_HEADERS = 65_536
"""Characters of all headers of a response; servers and proxies allow less."""

MAX_FILES = 10_000
"""Sitemaps that are read of one site."""

MAX_NESTING = 5
"""Levels of indexes in indexes, which the protocol does not allow at all."""

MAX_DEPTH = 32
"""Levels of elements in XML; a sitemap has four."""

MAX_ELEMENTS = 4 * MAX_URLS
"""Elements that are read of one sitemap, so that too many are counted and not lost."""

MAX_NAMESPACE = 256
"""Characters of the address of a namespace, which a parser repeats for each element in it."""

MAX_TEXT = 8_192
"""Characters that are kept of one value; no URL may be that long."""

MAX_ISSUES = 1_000
"""Issues that are kept of reading one file; more would not help to fix it."""

MAX_REPORTED = 12 * MIB
"""Characters of all issues of one check: some 20,000 issues."""

MAX_KEPT = 448 * MIB
"""Memory that what is kept of all sitemaps may take: some 1,100,000 URLs with nothing else."""

MAX_SECONDS = 3_600.0
"""Seconds that a command which waits for servers may take; `check` four times as many."""

_WORTH_SAYING = 3.0
"""Pauses of at least this many seconds are announced."""


class OverBudgetError(SitemapError):
    """A command would take more time or memory than it may."""


class Budget:
    """The time and memory that one command may take; may be used by several threads."""

    def __init__(
        self,
        *,
        seconds: float = MAX_SECONDS,
        memory: int = MAX_KEPT,
        say: Callable[[str], object] | None = None,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        """Start the clock. `say` is told what a long pause is for, once for each reason."""
        self.seconds = seconds
        self.memory = memory
        self.room = memory
        """Bytes that may still be kept."""

        self._until = time.monotonic() + seconds
        self._say = say
        self._sleep = sleep or time.sleep
        self._said: set[str] = set()

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self._until - time.monotonic()

    def check(self) -> None:
        """Raise OverBudgetError if no time or memory is left."""
        if self.left <= 0:
            raise OverBudgetError(f"the {self.seconds:,g} seconds of --max-time are over")
        if self.room <= 0:
            raise OverBudgetError(f"the {self.memory // MIB:,} MiB of --max-memory are full")

    def pause(self, seconds: float, why: str) -> None:
        """Sleep, and say what for. Raises OverBudgetError at once if not that much time is left."""
        if seconds > self.left:
            raise OverBudgetError(
                f"the next pause would end after the {self.seconds:,g} seconds of --max-time: {why}"
            )
        if self._say and seconds >= _WORTH_SAYING and why not in self._said:
            self._said.add(why)
            self._say(f"Waiting {seconds:,.0f} seconds: {why}.")
        self._sleep(seconds)


def require(package: str, oldest: str, why: str) -> None:
    """Raise SitemapError if the installed package is older than what is to be done with it needs.

    `why` says what the older ones do. Their numbers are compared up to the precision of `oldest`.
    """
    from importlib.metadata import version  # noqa: PLC0415 - builds of most sites need none

    wanted = [int(number) for number in oldest.split(".")]
    installed = version(package)
    numbers = installed.split(".")[: len(wanted)]
    if [int(number) for number in numbers] < wanted:
        remedy = f'Run `pip install -U "{package}>={oldest}"`.'
        raise SitemapError(f"{package} {installed} {why}. {remedy}")


def decode_json(data: bytes, kind: type[_T]) -> _T:
    """Return the value in JSON. Raises ValueError if it is no JSON or of another kind."""
    try:
        return msgspec.json.decode(data, type=kind)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except msgspec.DecodeError as error:
        raise ValueError(error) from error


def read_json(file: Path, kind: type[_T]) -> _T:
    """Return the value in a file of JSON. Raises OSError or ValueError."""
    return decode_json(read_file(file, MAX_JSON), kind)
