"""The header X-Robots-Tag, which says of any file what a robots element says of a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit.head import ENGINES, says_noindex

if TYPE_CHECKING:
    from collections.abc import Iterable

_ALL_ENGINES = "robots"
_RULE = re.compile(
    r"(?a)(?:^|,)\s*+(?:(?P<name>(?!max-|unavailable_after)[\w-]++)\s*+:)?"
    r"(?P<rule>\s*+unavailable_after\s*+:\s*+(?:[a-z]++(?:\s++[0-9]++)?+,)?[^,]*+|[^:,]*+)"
)
"""A rule, and the name of the crawler that it is for; some rules have values, after a colon."""


def forbids_indexing(values: Iterable[str]) -> bool:
    """Return whether a header says `noindex`, or `googlebot: nofollow, noindex`, or the like.

    In each header, a name counts for all rules up to the next name.
    """
    for value in values:
        name = _ALL_ENGINES
        for rule in _RULE.finditer(value.lower()):
            name = rule["name"] or name
            if name in ENGINES and says_noindex(rule["rule"]):
                return True
    return False
