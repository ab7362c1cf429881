"""hreflang sets: every language version of a page lists all versions and itself (rule HL1).

Pages are versions of each other only if one of these says so, never because their paths are alike:

    translation_key    the generator knows that they are translations of each other
    languages          the user sets the base URLs of builds that are made separately
    alternates         the page names its versions, in its metadata or its rendered head
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import chain, starmap
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from sitemapkit import urls
from sitemapkit.errors import OptionError, UrlError
from sitemapkit.languages import X_DEFAULT, LanguageError, hreflang
from sitemapkit.normalizer import Normalizer
from sitemapkit.rules import issue
from sitemapkit.xmltext import Namespace, framed, locs, shared_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitemapkit.model import Candidate, Entry, Issue
    from sitemapkit.options import Options, OtherBuild
    from sitemapkit.report import Report

    Versions = dict[str, str]
    """The URL of each version of a page by its language code."""

NAMESPACE = Namespace("xhtml", "http://www.w3.org/1999/xhtml")

_LANGUAGE = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_PAIR = 2


class Alternate(NamedTuple):
    """One language version of a page (rule HL1); a complete set names every version and itself."""

    hreflang: str
    """A language tag such as `pt-BR`, or `x-default`."""

    href: str
    """Absolute URL of that version."""


def find(
    listed: Sequence[Candidate], options: Options, report: Report
) -> Iterator[Sequence[Alternate]]:
    """Yield the hreflang set of each page, which is empty for a page without translations."""
    known = _Sets(listed, options, report)
    declared, by_key = known.declared(), known.by_key()
    sets = {**declared, **by_key}
    if options.languages:
        sets = _with_other_builds(sets, listed, options, report)
    sets = {loc: versions for loc, versions in sets.items() if len(versions) > 1}
    for loc in sets:
        own = "links of the page" if loc in declared else "option languages"
        origin = "translation key" if loc in by_key else own
        report.origins.setdefault(loc, {})["alternates"] = origin
    default = hreflang(options.x_default) if options.x_default else ""
    rows = {id(versions): _row(versions, default) for versions in sets.values()}
    return (rows[id(sets[candidate.loc])] if candidate.loc in sets else () for candidate in listed)


class Writer:
    """Writes `<xhtml:link>` elements."""

    def __init__(self, on_issue: Callable[[Issue], None], encoding: str) -> None:
        """Report invalid values to `on_issue`; `encoding` is the charset of new percent-escapes."""
        self._on_issue = on_issue
        self._urls = Normalizer("alternate", on_issue, encoding=encoding)
        self._starts: dict[str, str] = {}

    def pieces(self, entries: Sequence[Entry]) -> Iterable[Sequence[str]]:
        """Return the elements of each entry, in pieces."""
        links = [entry.alternates for entry in entries]
        flat = [*chain.from_iterable(chain.from_iterable(links))]
        languages, texts = flat[::_PAIR], self._urls.escaped(flat[1::_PAIR])
        for language in set(languages) - self._starts.keys():
            self._starts[language] = self._start(language)
        return shared_out(framed([*map(self._starts.__getitem__, languages)], texts, '"/>'), links)

    def _start(self, language: str) -> str:
        if _LANGUAGE.fullmatch(language):
            return f'<xhtml:link rel="alternate" hreflang="{language}" href="'
        detail = f"It is {language!r}; its links are left out."
        self._on_issue(issue("hreflang-code", "alternates", detail))
        return ""


def recheck(entries: Sequence[Entry], report: Report) -> None:
    """Remove versions that are no longer listed, and sets that are no longer reciprocal.

    For entries that a handler has changed or left out.
    """
    listed = {entry.loc for entry in entries}
    for entry in entries:
        kept = [pair for pair in entry.alternates if _is_possible(pair[1], report.base_url, listed)]
        entry.alternates = kept if len({href for _, href in kept}) > 1 else ()
    sets = {entry.loc: dict(entry.alternates) for entry in entries if entry.alternates}
    mutual = _mutual(sets, listed, report)
    for entry in entries:
        if entry.loc not in mutual:
            entry.alternates = ()


class _Sets:
    """The hreflang sets of the pages of one build."""

    def __init__(self, listed: Sequence[Candidate], options: Options, report: Report) -> None:
        self.listed = listed
        self.encoding = options.url_encoding
        self.report = report
        self.codes: dict[str, str | None] = {}

    def by_key(self) -> dict[str, Versions]:
        """Return the versions of pages that share a translation key."""
        groups: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in self.listed:
            if candidate.page.translation_key is not None and self.code(candidate.page.lang):
                groups[candidate.page.translation_key].append(candidate)
        sets: dict[str, Versions] = {}
        for group in groups.values():
            versions = self._versions(group) if len(group) > 1 else {}
            sets.update(dict.fromkeys(versions.values(), versions))
        return sets

    def declared(self) -> dict[str, Versions]:
        """Return the versions that pages name themselves, if they are reciprocal in this build."""
        listed = {candidate.loc for candidate in self.listed}
        sets = {
            candidate.loc: {
                code: target
                for code, target in self._declaration(candidate).items()
                if _is_possible(target, self.report.base_url, listed)
            }
            for candidate in self.listed
            if candidate.page.alternates
        }
        return _mutual(sets, listed, self.report)

    def code(self, lang: str | None) -> str | None:
        """Return the hreflang code of a language; an invalid one is reported once."""
        if not lang:
            return None
        if lang not in self.codes:
            try:
                self.codes[lang] = hreflang(lang)
            except LanguageError as error:
                self.codes[lang] = None
                detail = f"{error}. Its pages are not linked to their translations."
                self.report.add("hreflang-code", f"language {lang!r}", detail)
        return self.codes[lang]

    def _versions(self, group: Sequence[Candidate]) -> Versions:
        """Return one page per language, or nothing if two pages have the same language."""
        versions: Versions = {}
        for candidate in group:
            code = self.code(candidate.page.lang) or ""
            if versions.setdefault(code, candidate.loc) != candidate.loc:
                detail = f"{versions[code]} is also the {code!r} version."
                self.report.add("hreflang-twice", candidate.page.name, detail)
                return {}
        return versions

    def _declaration(self, candidate: Candidate) -> Versions:
        versions: Versions = {}
        for lang, reference in candidate.page.alternates.items():
            code = self.code(lang)
            try:
                target = urls.resolve(reference, candidate.loc, encoding=self.encoding)
            except UrlError as error:
                self.report.add("hreflang-url", candidate.page.name, f"{error}.")
                continue
            if code:
                versions[code] = target
        own = self.code(candidate.page.lang)
        if own and candidate.loc not in versions.values():
            versions.setdefault(own, candidate.loc)
        return versions


def _is_possible(target: str, base_url: str, listed: set[str]) -> bool:
    """Return whether a version is listed, or belongs to another site, which is not checked."""
    return target in listed or not target.startswith(base_url)


def _mutual(sets: Mapping[str, Versions], listed: set[str], report: Report) -> dict[str, Versions]:
    """Return the sets that all their versions name, and report the pages of others."""
    mutual = {loc: own for loc, own in sets.items() if _is_mutual(loc, sets, listed)}
    if one_sided := sets.keys() - mutual.keys():
        detail = f"The links of {len(one_sided)} pages are left out."
        report.add("hreflang-not-reciprocal", min(one_sided), detail)
    return mutual


def _is_mutual(loc: str, sets: Mapping[str, Versions], listed: set[str]) -> bool:
    """Return whether a page names itself, and every version in this build names the same set."""
    mine = sets[loc]
    others = [target for target in mine.values() if target in listed]
    return loc in others and all(sets.get(target) == mine for target in others)


def _with_other_builds(
    sets: Mapping[str, Versions], listed: Sequence[Candidate], options: Options, report: Report
) -> dict[str, Versions]:
    """Add to each set the same path in each other build, if that page exists or may exist."""
    others = options.other_builds
    builds = [(hreflang(lang), build.base_url, _urls(build)) for lang, build in others.items()]
    _report_missing(others, report)
    own = next((code for code, base, _ in builds if base == options.base_url), None)
    if own is None:
        raise OptionError(
            f"languages: none of them has the base URL of this build, {options.base_url}; add it."
        )
    complete = dict(sets)
    for loc in (each.loc for each in listed if each.loc.startswith(options.base_url)):
        versions, path = dict(sets.get(loc, {})), loc[len(options.base_url) :]
        for code, base, known in builds:
            if code == own or known is None or base + path in known:
                versions.setdefault(code, base + path)
        complete[loc] = versions
    return complete


def _urls(build: OtherBuild) -> set[str] | None:
    """Return the URLs of the other build, or None if no file lists them."""
    file = Path(build.pages)
    if not build.pages or not file.exists():
        return None
    try:
        return set(_listed_in(file))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OptionError(f"languages: cannot read the pages listed in {file}: {error}") from error


def _report_missing(builds: Mapping[str, OtherBuild], report: Report) -> None:
    others = [(lang, Path(b.pages)) for lang, b in builds.items() if b.base_url != report.base_url]
    missing = {lang: file for lang, file in others if not file.exists()}
    if missing:
        detail = f"The file is {next(iter(missing.values()))}."
        report.add("hreflang-assumed", f"languages: {', '.join(missing)}", detail)


def _listed_in(file: Path) -> Iterable[str]:
    """Read URLs from a sitemap, from the sitemaps in the folder of an index, or a JSON report."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        return [entry["loc"] for entry in json.loads(text)["listed"]]
    if "<sitemapindex" not in text:
        return locs(text)
    children = [file.with_name(unquote(loc.rpartition("/")[2])) for loc in locs(text)]
    return [loc for child in children for loc in locs(child.read_text(encoding="utf-8"))]


def _row(versions: Versions, x_default: str) -> Sequence[Alternate]:
    row = [*starmap(Alternate, sorted(versions.items()))]
    default = None if X_DEFAULT in versions else versions.get(x_default)
    return [*row, Alternate(X_DEFAULT, default)] if default else row
