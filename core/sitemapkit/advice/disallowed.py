"""What a robots.txt forbids to all crawlers (RFC 9309, 2.2; rule RB7)."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from string import ascii_letters, digits, punctuation
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_UNRESERVED = {f"%{ord(sign):02X}": sign for sign in f"{ascii_letters}{digits}-._~"}


def disallowed(robots: bytes, locs: Iterable[str]) -> Iterator[str]:
    """Yield those of the URLs, in normal form, that the rules for all crawlers forbid.

    The longest rule that matches a URL decides.
    """
    longest_first = sorted(_rules(robots), key=lambda rule: rule[:2], reverse=True)
    rules = [(re.compile(_expression(value)), allows) for _, allows, value in longest_first]
    for loc in locs:
        path = _normal("/" + loc.split("/", 3)[3])
        if not next((allows for pattern, allows in rules if pattern.match(path)), True):
            yield loc


def _rules(robots: bytes) -> Iterator[tuple[int, bool, str]]:
    """Yield length, verdict and value of each rule in the groups for `*`."""
    for_all = in_agents = False
    for line in robots.removeprefix(BOM_UTF8).splitlines():
        text = line.decode("latin-1").partition("#")[0]  # one character a byte
        key, _, value = (part.strip() for part in text.partition(":"))
        if key.lower() == "user-agent":
            for_all = value == "*" or (in_agents and for_all)
            in_agents = True
        elif key.lower() in ("allow", "disallow"):
            in_agents = False
            if for_all and value:
                yield len(value), key.lower() == "allow", _normal(value)


def _normal(path: str) -> str:
    """Return a path with escapes only where they are needed, in capitals (RFC 9309, 2.2.2)."""
    escaped = quote(path, safe=punctuation, encoding="latin-1")
    return re.sub("%[0-9A-Fa-f]{2}", _unescaped, escaped) if "%" in escaped else escaped


def _unescaped(escape: re.Match[str]) -> str:
    return _UNRESERVED.get(escape[0].upper(), escape[0].upper())


def _expression(value: str) -> str:
    """Return the regular expression of a rule: each `*` matches as little as it can.

    These groups are atomic, so many of them take no longer than a few. Only the `*` before a text
    that must end the URL may match more.
    """
    first, *parts = map(re.escape, value.removesuffix("$").split("*"))
    end = r"\Z" if value.endswith("$") else ""
    last = f".*{parts.pop()}" if parts and end else ""
    return first + "".join(f"(?>.*?{part})" for part in parts) + last + end
