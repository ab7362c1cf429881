"""Patterns in the options that match no page: mistakes that would otherwise go unnoticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.patterns import PathPatterns
from sitemapkit.rules import issue
from sitemapkit.selection import loc_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from sitemapkit.model import Excluded, Issue, Listed
    from sitemapkit.options import Options


def unmatched(
    stated: Mapping[str, str | tuple[str, ...]],
    judged: Iterable[Listed | Excluded],
    options: Options,
) -> Iterator[Issue]:
    """Yield an issue for each pattern, stated for an option, that matches no page.

    `judged` are all pages, whether they are listed or not.
    """
    paths: set[str] = set()
    for each in judged:
        loc = loc_of(each, options)
        if loc.startswith(options.base_url):
            paths.add(options.path_of(loc))
    for option, patterns in stated.items():
        for line in PathPatterns(patterns).lines:
            pattern = line.removeprefix("!")
            alone = PathPatterns((pattern,))
            if not paths or any(map(alone.match, paths)):
                continue
            where = f"{options.spelling.where}, {options.spelling.prefix}{option} {line!r}"
            yield issue("unmatched-pattern", where, _hint(pattern, paths))


def _hint(pattern: str, paths: Collection[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only for a mistake

    near = get_close_matches(pattern.lstrip("/"), sorted(paths), n=1)
    return f"Did you mean {near[0]!r}?" if near else f"Paths look like {max(paths)!r}."
