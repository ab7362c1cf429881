"""Patterns in the options that match no page: mistakes that would otherwise go unnoticed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit.patterns import PathPatterns, is_regex
from sitemapkit.rules import issue
from sitemapkit.selection import loc_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from sitemapkit.model import Excluded, Issue, Listed, Severity
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
            sure = _matching(meant, paths)
            detail = (
                f"It is {kind}, and patterns are on paths such as {max(paths)!r}." if kind else ""
            )
            if sure or not kind:
                detail += f" Did you mean {sure!r}?" if sure else _nearest(pattern, paths)
            severity: Severity | None = "warning" if kind or sure else None
            yield issue("unmatched-pattern", where, detail.strip(), severity=severity)


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


_SOURCE = r"(?:(?<![^/])(?:index|README))?\.(?:md|markdown|mdx|rst|ipynb|adoc|org|qmd)$"


def _matching(meant: str, paths: Collection[str]) -> str:
    """Return the spelling of a pattern that matches paths, "" if none does, or it would be all."""
    stem = meant.removesuffix("index.html").removesuffix(".html").rstrip("/")
    for pattern in (meant, f"{stem}/", f"{stem}.html"):
        if stem.strip("*/") and any(map(PathPatterns((pattern,)).match, paths)):
            return pattern
    return ""


def _nearest(pattern: str, paths: Collection[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only for a mistake

    near = get_close_matches(pattern.lstrip("/"), sorted(paths), n=1)
    return f"Did you mean {near[0]!r}?" if near else f"Paths look like {max(paths)!r}."
