"""Translations to hreflang sets: every version lists all versions and itself (rule HL1).

Pages belong together because somebody who knows says so, never because their paths look alike:

    translation_key    the generator made them from one another in this build
    languages          the user names the base URLs of builds that are made separately
    alternates         the page itself names its versions, in its metadata or its rendered head
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from html import unescape
from itertools import chain, starmap
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemapkit import urls
from sitemapkit.errors import OptionError, UrlError
from sitemapkit.languages import X_DEFAULT, LanguageError, hreflang
from sitemapkit.model import Alternate
from sitemapkit.normalizer import Normalizer
from sitemapkit.rules import issue
from sitemapkit.xmltext import Namespace, framed, shared_out

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
_LOC = re.compile(r"<loc>\s*([^<]+?)\s*</loc>")


def find(
    listed: Sequence[Candidate], options: Options, report: Report
) -> Iterator[Sequence[Alternate]]:
    """Yield the hreflang set of each page; nothing for one without translations."""
    sets = alternates(listed, options, report)
    return (sets.get(found.loc, ()) for found in listed)


class Writer:
    """Writes `<xhtml:link>` elements."""

    def __init__(self, on_issue: Callable[[Issue], None], encoding: str) -> None:
        """Report to `on_issue` what is left out; new percent-escapes are in `encoding`."""
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


def alternates(
    listed: Sequence[Candidate], options: Options, report: Report
) -> Mapping[str, Sequence[Alternate]]:
    """Return the hreflang set of each page that has translations, by the page's loc."""
    sets = _Sets(listed, options, report)
    declared, by_key = sets.declared(), sets.by_key()
    found = {**declared, **by_key}
    if options.languages:
        found = _with_other_builds(found, listed, options, report)
    found = {loc: each for loc, each in found.items() if len(each) > 1}
    for loc in found:
        origin = "translation key" if loc in by_key else "links of the page"
        known = loc in by_key or loc in declared
        report.origins.setdefault(loc, {})["alternates"] = origin if known else "option languages"
    default = hreflang(options.x_default) if options.x_default else ""
    sequences = {id(each): _sorted(each, default) for each in found.values()}
    return {loc: sequences[id(each)] for loc, each in found.items()}


def agreed(entries: Sequence[Entry], base_url: str, report: Report) -> None:
    """Take from the entries' sets what is not listed any longer, and report sets that disagree.

    For entries that somebody has changed or left out since.
    """
    listed = {entry.loc for entry in entries}
    for entry in entries:
        if entry.alternates:
            kept = [pair for pair in entry.alternates if _may_be(pair[1], base_url, listed)]
            entry.alternates = kept if len({href for _, href in kept}) > 1 else ()
    sets = {entry.loc: dict(entry.alternates) for entry in entries if entry.alternates}
    one_sided = _one_sided(sets, listed, report)
    for entry in entries:
        if entry.loc in one_sided:
            entry.alternates = ()


class _Sets:
    def __init__(self, listed: Sequence[Candidate], options: Options, report: Report) -> None:
        self.listed = listed
        self.base = options.base_url
        self.encoding = options.url_encoding
        self.report = report
        self.codes: dict[str, str | None] = {}

    def by_key(self) -> dict[str, Versions]:
        """Return the versions of pages that share a translation key."""
        groups: dict[str, list[Candidate]] = defaultdict(list)
        for found in self.listed:
            if found.page.translation_key is not None and self.code(found.page.lang):
                groups[found.page.translation_key].append(found)
        sets: dict[str, Versions] = {}
        for group in groups.values():
            versions = self._versions(group) if len(group) > 1 else {}
            sets.update(dict.fromkeys(versions.values(), versions))
        return sets

    def declared(self) -> dict[str, Versions]:
        """Return the versions that pages themselves name, where all that we see agree."""
        declaring = [found for found in self.listed if found.page.alternates]
        if not declaring:
            return {}
        listed = {found.loc for found in self.listed}
        sets = {
            found.loc: {
                code: target
                for code, target in self._declaration(found).items()
                if _may_be(target, self.base, listed)
            }
            for found in declaring
        }
        one_sided = _one_sided(sets, listed, self.report)
        return {loc: each for loc, each in sets.items() if loc not in one_sided}

    def code(self, lang: str | None) -> str | None:
        """Return the hreflang code of a language; a wrong one is reported once."""
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
        """Return one page a language; nothing where two pages are of one language."""
        versions: Versions = {}
        for found in group:
            code = self.code(found.page.lang) or ""
            if versions.setdefault(code, found.loc) != found.loc:
                detail = f"{versions[code]} is also the {code!r} version."
                self.report.add("hreflang-twice", found.page.name, detail)
                return {}
        return versions

    def _declaration(self, found: Candidate) -> Versions:
        versions: Versions = {}
        for lang, reference in found.page.alternates.items():
            code = self.code(lang)
            try:
                target = urls.resolve(reference, found.loc, encoding=self.encoding)
            except UrlError as error:
                self.report.add("hreflang-url", found.page.name, f"{error}.")
                continue
            if code:
                versions[code] = target
        own = self.code(found.page.lang)
        if own and found.loc not in versions.values():
            versions.setdefault(own, found.loc)
        return versions


def _may_be(target: str, base_url: str, listed: set[str]) -> bool:
    """Tell whether a version is listed, or lies where we cannot see."""
    return target in listed or not target.startswith(base_url)


def _one_sided(sets: Mapping[str, Versions], listed: set[str], report: Report) -> set[str]:
    """Return the pages whose versions do not all name the same versions, and report them."""
    one_sided = {loc for loc in sets if not _is_mutual(loc, sets, listed)}
    if one_sided:
        detail = f"The links of {len(one_sided)} pages are left out."
        report.add("hreflang-not-reciprocal", min(one_sided), detail)
    return one_sided


def _is_mutual(loc: str, sets: Mapping[str, Versions], listed: set[str]) -> bool:
    """Tell whether a page names itself, and every version in this site names the same set."""
    mine = sets[loc]
    others = [target for target in mine.values() if target in listed]
    return loc in others and all(sets.get(target) == mine for target in others)


def _with_other_builds(
    sets: Mapping[str, Versions], listed: Sequence[Candidate], options: Options, report: Report
) -> dict[str, Versions]:
    """Return the sets with the same path in each build made separately, where that page exists."""
    builds = [
        (hreflang(lang), _base(build), _known(build)) for lang, build in options.languages.items()
    ]
    _report_assumed(options, report)
    own = next((code for code, base, _ in builds if base == options.base_url), None)
    if own is None:
        raise OptionError(
            f"languages: none of them has the base URL of this build, {options.base_url}; add it."
        )
    found = dict(sets)
    for loc in (each.loc for each in listed if each.loc.startswith(options.base_url)):
        versions, path = dict(sets.get(loc, {})), loc[len(options.base_url) :]
        for code, base, known in builds:
            target = base + path
            if code == own or known is None or target in known:
                versions.setdefault(code, target)
        found[loc] = versions
    return found


def _base(build: OtherBuild | str) -> str:
    return urls.normalize_base(build if isinstance(build, str) else build.base_url)


def _known(build: OtherBuild | str) -> set[str] | None:
    """Return the URLs of the other build, or None where nothing at hand tells."""
    file = _pages(build)
    if file is None or not file.exists():
        return None
    try:
        return set(_listed_in(file))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OptionError(f"languages: {file} lists no pages that can be read: {error}") from error


def _pages(build: OtherBuild | str) -> Path | None:
    """Return the file that is to tell what pages the other build has, if one is named."""
    return None if isinstance(build, str) or not build.pages else Path(build.pages)


def _report_assumed(options: Options, report: Report) -> None:
    files = {code: _pages(build) for code, build in options.languages.items()}
    missing = {code: file for code, file in files.items() if file and not file.exists()}
    if missing:
        detail = f"The file is {next(iter(missing.values()))}."
        report.add("hreflang-assumed", f"languages: {', '.join(missing)}", detail)


def _listed_in(file: Path) -> Iterable[str]:
    """Read URLs from a sitemap, from the sitemaps beside an index, or from a JSON report."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        return [entry["loc"] for entry in json.loads(text)["listed"]]
    if "<sitemapindex" not in text:
        return _locs(text)
    children = [file.with_name(unquote(loc.rpartition("/")[2])) for loc in _locs(text)]
    return [loc for child in children for loc in _locs(child.read_text(encoding="utf-8"))]


def _locs(text: str) -> list[str]:
    return [unescape(loc) for loc in _LOC.findall(text)]


def _sorted(versions: Versions, x_default: str) -> Sequence[Alternate]:
    found = [*starmap(Alternate, sorted(versions.items()))]
    default = None if X_DEFAULT in versions else versions.get(x_default)
    return [*found, Alternate(X_DEFAULT, default)] if default else found
