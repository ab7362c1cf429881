"""Patterns in the options that match no page: mistakes that would otherwise go unnoticed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit.patterns import PathPatterns, is_regex
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
            kind, meant = _meant(pattern, options.base_url)
            detail = _hint(meant, paths)
            if kind:
                is_of = f"It is {kind}, and patterns are on paths such as {max(paths)!r}."
                detail = f"{is_of} {detail}" if detail.startswith("Did") else is_of
            yield issue("unmatched-pattern", where, detail, severity="warning" if kind else None)


def _meant(pattern: str, base_url: str) -> tuple[str, str]:
    """Return what a pattern was taken for that can match no path, or "", and what was meant."""
    _, _, base = base_url.partition("://")
    _, scheme, rest = pattern.rpartition("://")
    if scheme or rest.startswith(base):
        return "a URL", rest.removeprefix(base)
    if is_regex(pattern) or ".*" in pattern:
        plain = re.sub(r"\.[*+]", "*", pattern.strip("^$\\"))
        return "a regular expression", re.sub(r"\\([./-])", r"\1", plain)
    stem = re.sub(_SOURCE, "", pattern)
    return "the name of a source file" if stem != pattern else "", stem


_SOURCE = r"(?:(?:index|README)(?=\.))?\.(?:md|markdown|mdx|rst|ipynb|adoc|org|qmd)$"


def _hint(pattern: str, paths: Collection[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only for a mistake

    if pattern.strip("*/") and any(map(PathPatterns((pattern,)).match, paths)):
        return f"Did you mean {pattern!r}?"
    near = get_close_matches(pattern.lstrip("/"), sorted(paths), n=1)
    return f"Did you mean {near[0]!r}?" if near else f"Paths look like {max(paths)!r}."
