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
    rules = sorted(_rules(robots.decode("utf-8", "replace")), reverse=True)
    for loc in locs:
        path = "/" + loc.split("/", 3)[3]
        if not next((allows for _, allows, match in rules if re.match(match, path)), True):
            yield loc


def _rules(text: str) -> Iterator[tuple[int, bool, str]]:
    """Yield length, verdict and regular expression of each rule in the groups for `*`."""
    for_all = in_agents = False
    for line in text.splitlines():
        key, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        if key.lower() == "user-agent":
            for_all = value == "*" or (in_agents and for_all)
            in_agents = True
        elif key.lower() in ("allow", "disallow"):
            in_agents = False
            if for_all and value:
                match = re.escape(value).replace(r"\*", ".*")
                yield len(value), key.lower() == "allow", re.sub(r"\\\$$", "$", match)
