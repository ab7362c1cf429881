"""Patterns in the options that match no page: mistakes that would otherwise go unnoticed."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import PurePath
from typing import TYPE_CHECKING

from sitemapkit.model import Excluded
from sitemapkit.patterns import PathPatterns
from sitemapkit.rules import issue
from sitemapkit.selection import loc_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sitemapkit.model import Candidate, Issue, Severity
    from sitemapkit.options import Options


def unmatched(
    patterns: Iterable[tuple[str, str]],
    judged: Iterable[Candidate | Excluded],
    options: Options,
) -> Iterator[Issue]:
    """Yield an issue for each pattern, given with the name of its option, that matches no page.

    `judged` are all pages, whether they are listed or not. A pattern that matches sources of pages
    instead is certainly a mistake, and a warning where the sitemap is wrong by it: it lists what it
    should not list, or leaves out what it should. Any other may be meant for pages to come.
    """
    located = ((loc_of(each, options), each) for each in judged)
    below = ((loc, each) for loc, each in located if loc.startswith(options.base_url))
    pages = {options.path_of(loc): each for loc, each in below}
    listed = {path: each for path, each in pages.items() if not isinstance(each, Excluded)}
    for option, line in patterns if pages else ():
        pattern = line.removeprefix("!")
        if _matches_any(pattern, pages):
            continue
        concerned = listed if option == "exclude" else pages
        source = next((p for p in concerned if _matches_source(pattern, concerned[p])), None)
        is_file = source and _source(concerned[source]).as_posix().endswith(pattern)
        meant = source if is_file else _meant(pattern, pages) or source
        parts = [part.strip() for part in pattern.split(",") if part.strip()]
        if len(parts) > 1 and any(_matches_any(part, pages) for part in parts):
            said = f"It is one pattern with a comma in it: write a list, {parts}."
        elif source is not None:
            said = f"Patterns are URL paths, not files: write {meant!r}."
        else:
            said = f"Did you mean {meant!r}?" if meant else f"Paths look like {max(pages)!r}."
        where = f"{options.spelling.where}, {options.spelling.prefix}{option} {line!r}"
        severity: Severity | None = None if source is None else "warning"
        yield issue("unmatched-pattern", where, said, severity=severity)


def _matches_any(pattern: str, paths: Iterable[str]) -> bool:
    return any(map(PathPatterns((pattern,)).match, paths))  # the home page is ""


def _matches_source(pattern: str, page: Candidate | Excluded) -> bool:
    """Return whether a pattern with a name matches the path of a source, or the end of it."""
    source = _source(page)
    tails = ["/".join(source.parts[n:]) for n in range(1, len(source.parts))]
    return source.is_absolute() and bool(pattern.strip("*/")) and _matches_any(pattern, tails)


def _source(page: Candidate | Excluded) -> PurePath:
    return PurePath(page.page if isinstance(page, Excluded) else page.page.name)


def _meant(pattern: str, paths: Collection[str]) -> str | None:
    """Return the pattern without folders, the name of an index or a suffix, or a path like it."""
    path = pattern.lstrip("/")
    for text in (re.sub(r"\bindex\.\w+$", "", path), path, re.sub(r"\.\w+$", "", path)):
        for count in range(text.count("/") + 1):
            candidate = text.split("/", count)[-1]
            if candidate.strip("*/") and candidate != pattern and _matches_any(candidate, paths):
                return candidate
    folders = {path.rpartition("/")[0] + "/" for path in paths if "/" in path}
    return next(iter(get_close_matches(pattern, sorted({*folders, *paths}), n=1)), None)
