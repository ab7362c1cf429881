"""robots.txt as crawlers read it (RFC 9309, Google's specification; rules RB1-RB7)."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING, NamedTuple

from protego import Protego

from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.bounds import MAX_ROBOTS, require

if TYPE_CHECKING:
    from collections.abc import Iterator


CRAWLER = "Googlebot"
"""The crawler whose rules count in a check."""


_FEW_STARS = 2
"""The `*` of a rule that every Protego matches in time: it once took the power of their number."""


class RobotsLine(NamedTuple):
    """One line of a robots.txt."""

    number: int
    key: str
    """In lower case."""

    value: str


class RobotsTxt:
    """The robots.txt of one host; a missing one is the same as an empty one."""

    def __init__(self, data: bytes = b"") -> None:
        """Read the file; what is beyond the first 500 KiB does not count."""
        text = data[:MAX_ROBOTS].removeprefix(BOM_UTF8).decode("utf-8", "replace")
        self.unread = ""
        """The rule that it breaks if crawlers cannot read it, and nobody knows what it says."""

        if text.lstrip().startswith("<"):
            self.unread = "robots-html"
        elif "\0" in text:  # it is in UTF-16
            self.unread = "encoding"
        text = "" if self.unread else text
        self.lines = list(_lines(text))
        if any(line.value.count("*") > _FEW_STARS for line in self.lines):
            require("protego", "0.7", "may hang on a rule of robots.txt with many `*`")
        self._rules = Protego.parse(text)

    @property
    def sitemap_lines(self) -> list[RobotsLine]:
        """The Sitemap lines."""
        return [line for line in self.lines if line.key in ("sitemap", "site-map")]

    @property
    def sitemap_urls(self) -> list[str]:
        """The URLs of the Sitemap lines in normal form, without those that are not valid."""
        return [url for line in self.sitemap_lines if (url := normalize_or_none(line.value))]

    def allows(self, url: str, agent: str = CRAWLER) -> bool:
        """Return whether the agent may fetch the URL: the longest rule wins, allow on a tie."""
        return not self.lines or self._rules.can_fetch(url, agent)

    def crawl_delay(self, agent: str) -> float | None:
        """Return the seconds between two requests that the host asks for."""
        return self._rules.crawl_delay(agent)

    def splitting_lines(self) -> Iterator[RobotsLine]:
        """Yield the Sitemap lines between a User-agent line and the rest of its group (RB3)."""
        in_group = False
        held: list[RobotsLine] = []
        for line in self.lines:
            if line.key in ("sitemap", "site-map"):
                held += [line] if in_group else []
                continue
            if in_group:
                yield from held
            held.clear()
            in_group = line.key in ("user-agent", "useragent")


def _lines(text: str) -> Iterator[RobotsLine]:
    for number, line in enumerate(text.splitlines(), 1):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield RobotsLine(number, key.strip().lower(), value.strip())
