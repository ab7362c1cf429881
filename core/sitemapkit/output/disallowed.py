"""What a robots.txt forbids to all crawlers (RFC 9309, 2.2; rule RB7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def disallowed(robots: bytes, locs: Iterable[str]) -> Iterator[str]:
    """Yield those of the URLs, in normal form, that the rules for all crawlers forbid.

    The longest rule that matches a URL decides.
    """
    text = robots.decode("utf-8", "replace")
    longest_first = sorted(_rules(text), key=lambda rule: rule[:2], reverse=True)
    rules = [(re.compile(_expression(value)), allows) for _, allows, value in longest_first]
    for loc in locs:
        path = "/" + loc.split("/", 3)[3]
        if not next((allows for pattern, allows in rules if pattern.match(path)), True):
            yield loc


def _rules(text: str) -> Iterator[tuple[int, bool, str]]:
    """Yield length, verdict and value of each rule in the groups for `*`."""
    for_all = in_agents = False
    for line in text.splitlines():
        key, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        if key.lower() == "user-agent":
            for_all = value == "*" or (in_agents and for_all)
            in_agents = True
        elif key.lower() in ("allow", "disallow"):
            in_agents = False
            if for_all and value:
                yield len(value), key.lower() == "allow", value


def _expression(value: str) -> str:
    """Return the regular expression of a rule: each `*` matches as little as it can.

    These groups are atomic, so many of them take no longer than a few. Only the `*` before a text
    that must end the URL may match more.
    """
    first, *parts = map(re.escape, value.removesuffix("$").split("*"))
    end = r"\Z" if value.endswith("$") else ""
    last = f".*{parts.pop()}" if parts and end else ""
    return first + "".join(f"(?>.*?{part})" for part in parts) + last + end
