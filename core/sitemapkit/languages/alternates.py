"""Which pages are translations of each other: each names all of them, itself included (rule HL1).

They are only if one of these says so, never because their paths are alike:

    translation_key    the generator knows that they are translations of each other
    languages          the user sets the base URLs of builds that are made separately
    alternates         the page names its versions, in its metadata or its rendered head
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from sitemapkit import urls
from sitemapkit.errors import UrlError
from sitemapkit.languages.builds import Builds
from sitemapkit.languages.codes import LanguageError, hreflang
from sitemapkit.rules import issue
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit.languages.builds import OtherBuild
    from sitemapkit.model import Candidate, Entry, Issue, Page

    Versions = dict[str, str]
    """The URL of each version of a page by its language code."""

_SEARCHED = 1024 * 1024
"""Bytes of a page in which the line of a language code is looked for."""


class Translations:
    """The translations of the pages of one build."""

    def __init__(
        self,
        listed: Sequence[Candidate],
        base_url: str,
        *,
        encoding: str,
        builds: Mapping[str, OtherBuild],
    ) -> None:
        """Find them; `builds` are those of the option `languages`. Raises OptionError for these."""
        self.issues: list[Issue] = []
        self._listed = listed
        self._base_url = base_url
        self._encoding = encoding
        self._codes: dict[str, str | None] = {}
        declared = self._declared()
        by_key = self._by_key()
        sets = {**declared, **by_key}
        if builds:
            sets = self._with_other_builds(sets, builds)
        self.sets = {loc: own for loc, own in sets.items() if len({*own.values()}) > 1}
        """The versions of each page that has some, itself included, by its URL."""

        self.origins = {
            loc: "translation key"
            if loc in by_key
            else "links of the page"
            if loc in declared
            else "option languages"
            for loc in self.sets
        }
        """What says so, by the page's URL."""

    def _by_key(self) -> dict[str, Versions]:
        """Return the versions of pages that share a translation key."""
        groups: dict[str, list[Candidate]] = defaultdict(list)
        for each in self._listed:
            if each.page.translation_key is not None and self._code(each.page.lang):
                groups[each.page.translation_key].append(each)
        sets: dict[str, Versions] = {}
        for group in groups.values():
            versions = self._versions(group) if len(group) > 1 else {}
            sets.update(dict.fromkeys(versions.values(), versions))
        return sets

    def _versions(self, group: Sequence[Candidate]) -> Versions:
        """Return the page of each language; of a language that two pages have, neither."""
        versions: Versions = {}
        twice: set[str] = set()
        for each in group:
            code = self._code(each.page.lang) or ""
            if versions.setdefault(code, each.loc) != each.loc:
                detail = f"{versions[code]} is also the {code!r} version."
                self.issues.append(issue("hreflang-twice", each.page.name, detail))
                twice.add(code)
        return {code: loc for code, loc in versions.items() if code not in twice}

    def _declared(self) -> dict[str, Versions]:
        """Return the versions that pages name themselves, if they are reciprocal in this build."""
        listed = {each.loc for each in self._listed}
        sets: dict[str, Versions] = {}
        for each in self._listed:
            named = self._declaration(each) if each.page.alternates else {}
            if named and not _is_menu(each.loc, named):
                sets[each.loc] = {
                    code: target
                    for code, target in named.items()
                    if _is_possible(target, self._base_url, listed)
                }
        return _mutual(sets, listed, self.issues)

    def _declaration(self, each: Candidate) -> Versions:
        versions: Versions = {}
        for lang, reference in each.page.alternates.items():
            code = self._code(lang, each)
            try:
                target = urls.resolve(reference, each.loc, encoding=self._encoding)
            except UrlError as error:
                self.issues.append(issue("hreflang-url", each.page.name, f"{error}."))
                continue
            if code:
                versions[code] = target
        own = self._code(each.page.lang)
        if own and each.loc not in versions.values():
            versions.setdefault(own, each.loc)
        return versions

    def _code(self, lang: str | None, named_by: Candidate | None = None) -> str | None:
        """Return the hreflang code of a language; an invalid one is reported once.

        If a link in a page names it, search engines ignore that link alone.
        """
        if not lang:
            return None
        if lang not in self._codes:
            try:
                self._codes[lang] = hreflang(lang)
            except LanguageError as error:
                self._codes[lang] = None
                if named_by:
                    self.issues.append(wrong_code_in_page(named_by.page, lang, str(error)))
                else:
                    detail = f"{error}. Its pages are not linked to their translations."
                    self.issues.append(issue("hreflang-code", f"language {lang!r}", detail))
        return self._codes[lang]

    def _with_other_builds(
        self, sets: Mapping[str, Versions], builds: Mapping[str, OtherBuild]
    ) -> dict[str, Versions]:
        """Add to each set the same path in each other build, if that page exists or may exist."""
        site = Builds(builds, self._base_url)
        self.issues += site.issues()
        complete = dict(sets)
        for loc in (each.loc for each in self._listed if each.loc.startswith(self._base_url)):
            versions = dict(sets.get(loc, {}))
            for code, url in site.versions_at(loc.removeprefix(self._base_url)):
                versions.setdefault(code, url)
            complete[loc] = versions
        return complete


def wrong_code_in_page(page: Page, lang: str, error: str) -> Issue:
    """Return the issue of a link in a page with a code that is none, with its line if it has one.

    It is a warning: search engines ignore the link, and the page is listed all the same.
    """
    line = line_of_code(page, lang)
    where = f"{page.name}, line {line} of its HTML" if line else page.name
    return issue("hreflang-code", where, f"{error}. The link is left out.", severity="warning")


def line_of_code(page: Page, lang: str) -> int:
    """Return the first line of a rendered page that names a language in `hreflang`, or 0."""
    if page.output is None or not os.fspath(page.output).lower().endswith(urls.HTML_SUFFIXES):
        return 0
    try:
        html = read_file(page.output, _SEARCHED, cut=True)
    except OSError:
        return 0
    code = re.escape(lang.encode("utf-8", "replace"))
    found = re.search(
        rb"""(?i)\bhreflang\s{0,9}=\s{0,9}["']?\s{0,9}""" + code + rb"""(?![\w-])""", html
    )
    return html.count(b"\n", 0, found.start()) + 1 if found else 0


def drop_unlisted(entries: Sequence[Entry], base_url: str) -> list[Issue]:
    """Remove versions that are no longer listed, and sets that are no longer reciprocal.

    For entries that a handler has changed or left out.
    """
    issues: list[Issue] = []
    listed = {entry.loc for entry in entries}
    for entry in entries:
        kept = [pair for pair in entry.alternates if _is_possible(pair[1], base_url, listed)]
        entry.alternates = kept if len({href for _, href in kept}) > 1 else ()
    sets = {entry.loc: dict(entry.alternates) for entry in entries if entry.alternates}
    mutual = _mutual(sets, listed, issues)
    for entry in entries:
        versions = mutual.get(entry.loc, {})
        entry.alternates = [*versions.items()] if len({*versions.values()}) > 1 else ()
    return issues


def _is_menu(loc: str, named: Versions) -> bool:
    """Return whether a page names the home pages of languages, as a theme writes it in each page.

    These are not translations of the page: it is not among them, and one is above it.
    """
    homes = (target for target in named.values() if target.endswith("/"))
    return loc not in named.values() and any(map(loc.startswith, homes))


def _is_possible(target: str, base_url: str, listed: set[str]) -> bool:
    """Return whether a version is listed, or belongs to another site, which is not checked."""
    return target in listed or not target.startswith(base_url)


def _mutual(
    sets: Mapping[str, Versions], listed: set[str], issues: list[Issue]
) -> dict[str, Versions]:
    """Return each set with the pages that state just the same; add an issue for what is lost.

    So a page that states something else costs the links from and to itself alone.
    """
    mutual = {
        loc: {
            code: target
            for code, target in own.items()
            if target not in listed or sets.get(target) == own
        }
        for loc, own in sets.items()
    }
    mutual = {loc: own if loc in own.values() else {} for loc, own in mutual.items()}
    if one_sided := [loc for loc, own in sets.items() if mutual[loc] != own]:
        count = len(one_sided)
        which = "this page" if count == 1 else f"{count:,} pages"
        detail = f"The links of {which} to others that name other pages are left out."
        issues.append(issue("hreflang-not-reciprocal", min(one_sided), detail))
    return mutual
