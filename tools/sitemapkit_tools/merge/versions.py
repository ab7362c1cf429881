"""Pages that builds state to be translations of one another, joined to complete sets.

A build knows its own pages and some of the others. If any page states that it has a German version
at some URL, the two are linked; all pages that are linked form one set, in which every page gets
every version. If two pages of a set claim the same language, those that others name are joined.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitemapkit.languages import X_DEFAULT, LanguageError, hreflang
from sitemapkit_tools.console import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit.report import Report

    Translations = Mapping[str, str]
    """The URL of each version by its language code."""


def joined_versions(
    stated: Mapping[str, Translations], langs: Mapping[str, str], report: Report
) -> Mapping[str, Translations]:
    """Return the complete set of each page that has versions in other languages.

    `stated` is what each page states, by its URL; `langs` the language that a page says it is in,
    used if no statement names it. A set with two pages for one language is reported, and stays as
    its pages state it.
    """
    statements = {url: _with_known_codes(versions) for url, versions in stated.items()}
    sets: dict[str, Translations] = {}
    for linked in _groups(statements):
        group = linked
        versions = _union(group, statements, langs)
        if versions is None and (alone := _named_by_none(group, statements)):
            group = [url for url in linked if url not in alone]
            versions = _union(group, statements, langs)
            report.add("hreflang-twice", min(alone), "No other page names it; it is not joined.")
        if versions is None:
            others = counted(len(group) - 1, "other page")
            detail = f"It and {others} name each other; they are not joined."
            report.add("hreflang-twice", group[0], detail)
            versions_of = {url: statements[url] for url in group if statements.get(url)}
            sets.update(versions_of)
        elif len(set(versions.values())) > 1:
            sets.update(dict.fromkeys(group, versions))
    return sets


def _with_known_codes(versions: Translations) -> Translations:
    """Return the versions whose language codes search engines know, under the standard codes."""
    known: dict[str, str] = {}
    for code, url in versions.items():
        try:
            known[hreflang(code)] = url
        except LanguageError:
            continue
    return known


def _groups(statements: Mapping[str, Translations]) -> Iterable[Sequence[str]]:
    """Yield the groups of pages that are linked to one another by statements, each sorted."""
    links: dict[str, set[str]] = defaultdict(set)
    for url, versions in statements.items():
        for target in versions.values():
            if target in statements and target != url:
                links[url].add(target)
                links[target].add(url)
    seen: set[str] = set()
    for start in sorted(statements):
        if start not in seen and statements[start]:
            group = _reached(start, links)
            seen |= group
            yield sorted(group)


def _reached(start: str, links: Mapping[str, set[str]]) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        more = links.get(waiting.pop(), set()) - reached
        reached |= more
        waiting += more
    return reached


def _named_by_none(group: Iterable[str], statements: Mapping[str, Translations]) -> set[str]:
    """Return the pages of a group that no other page of it names as its version."""
    named = {target for url in group for target in statements[url].values() if target != url}
    return {*group} - named


def _union(
    group: Sequence[str], statements: Mapping[str, Translations], langs: Mapping[str, str]
) -> Translations | None:
    """Return all versions that the pages of a group state, or None if they disagree."""
    versions: dict[str, str] = {}
    for url in group:
        for code, target in statements[url].items():
            if versions.setdefault(code, target) != target:
                return None
    named = {target for code, target in versions.items() if code != X_DEFAULT}
    for url in group:
        if url not in named and url in langs:
            for code in _with_known_codes({langs[url]: url}):
                if versions.setdefault(code, url) != url:
                    return None
    return dict(sorted(versions.items()))
