"""Other spellings of one address: with or without `.html`, `index` and slash, in another case."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemapkit_tools.moved.similar import distance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_ENDING = re.compile(r"(?:(?:^|/)(?:index|readme))?(?:\.(?:x?html?|md|rst|php))?/?$")
_SEPARATORS = re.compile(r"[\s_.-]+")


def spelled(path: str) -> str:
    """Return what all spellings of a path below the base URL have in common."""
    plain = _ENDING.sub("", unquote(path).lower().strip("/"))
    return "/".join(_SEPARATORS.sub("-", part).strip("-") for part in plain.split("/"))


def by_spelling(paths: Iterable[str]) -> Mapping[str, list[str]]:
    """Return the paths that are there now, by what their spellings have in common."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[spelled(path)].append(path)
    return found


def twin_of(path: str, living: Mapping[str, list[str]]) -> str | None:
    """Return the other spelling of a path that is there now, if any."""
    others = [each for each in living.get(spelled(path), ()) if each != path]
    return min(others, key=partial(distance, path), default=None)
