"""Pages that builds state to be versions of one another in other languages, joined to full sets.

Each build knows its own pages and what it was told of the others. Whoever states that a page has a
German version at some URL ties the two; all that are tied form one set, in which every page gets
every version. Where two pages of a set claim one language nothing is joined.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitemapkit.languages import X_DEFAULT, LanguageError, hreflang

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit.report import Report

    Versions = Mapping[str, str]
    """The URL of each version by its language code."""


def joined_versions(
    stated: Mapping[str, Versions], langs: Mapping[str, str], report: Report
) -> Mapping[str, Versions]:
    """Return the complete set of each page that has versions in other languages.

    `stated` is what each page states, by its URL; `langs` the language that a page says it is in,
    used where no statement names it. A set with two pages for one language is reported and left as
    its pages state it.
    """
    statements = {url: _spelled(versions) for url, versions in stated.items()}
    sets: dict[str, Versions] = {}
    for group in _groups(statements):
        versions = _union(group, statements, langs)
        if versions is None:
            detail = f"It and {len(group) - 1} other pages name one another; they are not joined."
            report.add("hreflang-twice", group[0], detail)
            versions_of = {url: statements[url] for url in group if statements.get(url)}
            sets.update(versions_of)
        elif len(set(versions.values())) > 1:
            sets.update(dict.fromkeys(group, versions))
    return sets


def _spelled(versions: Versions) -> Versions:
    """Return what is stated under codes that search engines know; others are dropped."""
    known: dict[str, str] = {}
    for code, url in versions.items():
        try:
            known[hreflang(code)] = url
        except LanguageError:
            continue
    return known


def _groups(statements: Mapping[str, Versions]) -> Iterable[Sequence[str]]:
    """Yield the pages that are tied to one another by statements, each group sorted."""
    ties: dict[str, set[str]] = defaultdict(set)
    for url, versions in statements.items():
        for target in versions.values():
            if target in statements and target != url:
                ties[url].add(target)
                ties[target].add(url)
    seen: set[str] = set()
    for start in sorted(statements):
        if start not in seen and statements[start]:
            group = _reached(start, ties)
            seen |= group
            yield sorted(group)


def _reached(start: str, ties: Mapping[str, set[str]]) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        more = ties.get(waiting.pop(), set()) - reached
        reached |= more
        waiting += more
    return reached


def _union(
    group: Sequence[str], statements: Mapping[str, Versions], langs: Mapping[str, str]
) -> Versions | None:
    """Return all versions that the pages of a group state, or None where they disagree."""
    versions: dict[str, str] = {}
    for url in group:
        for code, target in statements[url].items():
            if versions.setdefault(code, target) != target:
                return None
    named = {target for code, target in versions.items() if code != X_DEFAULT}
    for url in group:
        if url not in named and url in langs:
            for code in _spelled({langs[url]: url}):
                if versions.setdefault(code, url) != url:
                    return None
    return dict(sorted(versions.items()))
