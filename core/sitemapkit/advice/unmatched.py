"""Patterns in the options that match no page: mistakes that would otherwise go unnoticed."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from sitemapkit.patterns import PathPatterns
from sitemapkit.rules import issue
from sitemapkit.selection import loc_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapkit.model import Excluded, Issue, Listed
    from sitemapkit.options import Options


def unmatched(
    patterns: Iterable[tuple[str, str]],
    judged: Iterable[Listed | Excluded],
    options: Options,
) -> Iterator[Issue]:
    """Yield an issue for each pattern, given with the name of its option, that matches no page.

    `judged` are all pages, whether they are listed or not.
    """
    known: set[str] = set()
    for each in judged:
        loc = loc_of(each, options)
        if loc.startswith(options.base_url):
            known.add(options.path_of(loc))
    if not known:
        return
    paths = sorted(known)
    for option, line in patterns:
        pattern = line.removeprefix("!")
        alone = PathPatterns((pattern,))
        if any(map(alone.match, paths)):
            continue
        near = get_close_matches(pattern.lstrip("/"), paths, n=1)
        said = f"Did you mean {near[0]!r}?" if near else f"Paths look like {paths[-1]!r}."
        where = f"{options.spelling.where}, {options.spelling.prefix}{option} {line!r}"
        yield issue("unmatched-pattern", where, said)
