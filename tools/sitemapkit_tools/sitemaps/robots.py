"""robots.txt as crawlers read it (RFC 9309, Google's specification; rules RB1-RB7)."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING, NamedTuple

from protego import Protego

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ROBOTS = 500 * 1024
"""Bytes that crawlers read (RFC 9309, 2.5)."""


class Line(NamedTuple):
    """One directive."""

    number: int
    key: str
    """In lower case."""

    value: str


class Robots:
    """The rules of one host."""

    def __init__(self, data: bytes) -> None:
        """Read the file; what is beyond the first 500 KiB does not count."""
        text = data[:MAX_ROBOTS].removeprefix(BOM_UTF8).decode("utf-8", "replace")
        self.lines = list(_lines(text))
        self._rules = Protego.parse(text)

    @property
    def sitemaps(self) -> list[Line]:
        """The Sitemap lines."""
        return [line for line in self.lines if line.key in ("sitemap", "site-map")]

    def allows(self, url: str, agent: str) -> bool:
        """Tell whether the agent may fetch the URL: the longest rule wins, allow on a tie."""
        return self._rules.can_fetch(url, agent)

    def crawl_delay(self, agent: str) -> float | None:
        """Return the seconds between two requests that the host asks for."""
        return self._rules.crawl_delay(agent)

    def splitting_lines(self) -> Iterator[Line]:
        """Yield the Sitemap lines between a User-agent line and the rest of its group (RB3)."""
        group_opens = False
        held: list[Line] = []
        for line in self.lines:
            if line.key in ("sitemap", "site-map"):
                held += [line] if group_opens else []
                continue
            if group_opens:
                yield from held
            held.clear()
            group_opens = line.key in ("user-agent", "useragent")


def _lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines(), 1):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield Line(number, key.strip().lower(), value.strip())
