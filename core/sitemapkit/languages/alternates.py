"""Which pages are translations of each other: each names all of them, itself included (rule HL1).

They are only if one of these says so, never because their paths are alike:

    translation_key    the generator knows that they are translations of each other
    languages          the user sets the base URLs of builds that are made separately
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitemapkit.languages.builds import Builds
from sitemapkit.languages.codes import LanguageError, hreflang
from sitemapkit.rules import issue

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from sitemapkit.languages.builds import OtherBuild
    from sitemapkit.model import Entry, Issue, Listed

    Versions = dict[str, str]
    """The URL of each version of a page by its language code."""


def _wrong_language(lang: str, error: LanguageError) -> Issue:
    detail = f"{error}. Its pages are not linked to their translations."
    return issue("hreflang-code", f"language {lang!r}", detail)


class Codes:
    """The hreflang codes of languages; an invalid one is reported once, where it is first met."""

    def __init__(self, issues: list[Issue]) -> None:
        """Take the list that gets the issues."""
        self._issues = issues
        self._known: dict[str, str] = {}

    def of(
        self, lang: str | None, wrong: Callable[[str, LanguageError], Issue] = _wrong_language
    ) -> str:
        """Return the code of a language, "" for an invalid one; `wrong` makes the issue of that."""
        if not lang:
            return ""
        if lang not in self._known:
            try:
                self._known[lang] = hreflang(lang)
            except LanguageError as error:
                self._known[lang] = ""
                self._issues.append(wrong(lang, error))
        return self._known[lang]


class Translations:
    """The translations of the pages of one build."""

    def __init__(
        self, listed: Sequence[Listed], base_url: str, builds: Mapping[str, OtherBuild]
    ) -> None:
        """Find them; `builds` are those of the option `languages`. Raises OptionError for these."""
        self.issues: list[Issue] = []
        self._codes = Codes(self.issues)
        sets = by_key = self._by_key(listed)
        if builds:
            sets = self._with_other_builds(by_key, listed, Builds(builds, base_url), base_url)
        self.sets: dict[str, Versions] = {}
        """The versions of each page that has some, itself included, by its URL."""

        self.origins: dict[str, str] = {}
        """What says so, by the page's URL."""

        for loc, versions in sets.items():
            if _has_others(versions):
                self.sets[loc] = versions
                self.origins[loc] = "translation key" if loc in by_key else "option languages"

    def _by_key(self, listed: Sequence[Listed]) -> dict[str, Versions]:
        """Return the versions of pages that share a translation key."""
        groups: dict[str, list[Listed]] = defaultdict(list)
        for each in listed:
            if each.page.translation_key is not None and self._codes.of(each.page.lang):
                groups[each.page.translation_key].append(each)
        sets: dict[str, Versions] = {}
        for group in groups.values():
            if len(group) > 1:
                versions = self._versions(group)
                sets.update(dict.fromkeys(versions.values(), versions))
        return sets

    def _versions(self, group: Sequence[Listed]) -> Versions:
        """Return the page of each language; of a language that two pages have, neither."""
        versions: Versions = {}
        twice: set[str] = set()
        for each in group:
            code = self._codes.of(each.page.lang)
            first = versions.setdefault(code, each.loc)
            if first != each.loc:
                detail = f"{first} is also the {code!r} version."
                self.issues.append(issue("hreflang-twice", each.page.name, detail))
                twice.add(code)
        for code in twice:  # which of them readers of that language want is not known
            del versions[code]
        return versions

    def _with_other_builds(
        self,
        sets: Mapping[str, Versions],
        listed: Sequence[Listed],
        site: Builds,
        base_url: str,
    ) -> dict[str, Versions]:
        """Add to each set the same path in each other build, if that page exists or may exist."""
        self.issues += site.issues()
        complete = dict(sets)
        for each in listed:
            if not each.loc.startswith(base_url):
                continue
            versions = dict(sets.get(each.loc, {}))
            for code, url in site.versions_at(each.loc.removeprefix(base_url)):
                if code not in each.page.lacks:
                    versions.setdefault(code, url)
            complete[each.loc] = versions
        return complete


def _has_others(versions: Mapping[str, str]) -> bool:
    """Return whether there is more than one page: one in two languages is no translation."""
    return len({*versions.values()}) > 1


def drop_unlisted(entries: Sequence[Entry], base_url: str) -> list[Issue]:
    """Remove versions that are no longer listed, and sets that are no longer reciprocal.

    For entries that a handler has changed or left out.
    """
    issues: list[Issue] = []
    listed = {entry.loc for entry in entries}
    sets: dict[str, Versions] = {}
    for entry in entries:
        kept: Versions = {}
        for code, href in entry.alternates:
            if is_possible(href, base_url, listed):
                kept[code] = href
        if _has_others(kept):
            sets[entry.loc] = kept
    mutual = drop_one_sided(sets, listed, issues)
    for entry in entries:
        versions = mutual.get(entry.loc, {})
        entry.alternates = [*versions.items()] if _has_others(versions) else ()
    return issues


def is_possible(target: str, base_url: str, listed: Container[str]) -> bool:
    """Return whether a version is listed, or belongs to another site, which is not checked."""
    return target in listed or not target.startswith(base_url)


def drop_one_sided(
    sets: Mapping[str, Versions], listed: Container[str], issues: list[Issue]
) -> dict[str, Versions]:
    """Return each set with the pages that state just the same; add an issue for what is lost.

    So a page that states something else costs the links from and to itself alone.
    """
    mutual: dict[str, Versions] = {}
    one_sided: list[str] = []
    for loc, own in sets.items():
        kept: Versions = {}
        for code, target in own.items():
            if target not in listed or sets.get(target) == own:
                kept[code] = target
        if loc not in kept.values():  # HL1: a set that does not name its own page is none
            kept = {}
        mutual[loc] = kept
        if kept != own:
            one_sided.append(loc)
    if one_sided:
        count = len(one_sided)
        which = "this page" if count == 1 else f"{count:,} pages"
        detail = f"The links of {which} to others that name other pages are left out."
        issues.append(issue("hreflang-not-reciprocal", min(one_sided), detail))
    return mutual
