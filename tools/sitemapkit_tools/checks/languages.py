"""Rules about `<xhtml:link rel="alternate" hreflang>` in sitemaps."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING

from msgspec import structs

from sitemapkit.languages import X_DEFAULT, LanguageError, RegionError, hreflang, plain
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.issues import as_note
from sitemapkit_tools.site.translations import wrong_code_in_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.scan import SitePage
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl


def check_languages(site: SiteSnapshot) -> Iterator[Issue]:
    """Check the set of translations of each page."""
    if not any(listed.element.alternates for listed in site.listed):
        return
    normal = {listed.element.loc: listed.url for listed in site.listed}
    named: dict[str, set[str]] = {}
    for listed in site.listed:  # a list of URLs names no translations of what another file has
        others = named.setdefault(listed.url, set())
        for each in listed.element.alternates:
            others.add(normal.get(each.href) or normalize_or_none(each.href) or each.href)
    builds = _Builds(site, named)
    for listed in site.listed:
        if listed.element.alternates:
            yield from _codes(listed)
            yield from _targets(listed, named, builds)


def check_codes_in_pages(pages: Iterable[SitePage]) -> Iterator[Issue]:
    """Check the languages that links in the heads of listable pages name; each once, as a build."""
    seen: set[str] = set()
    for each in pages:
        page = each.page
        is_open = page.kind == "page" and not (page.excluded or (page.head and page.head.noindex))
        for lang in page.alternates if is_open else ():
            if lang in seen:
                continue
            seen.add(lang)
            try:
                hreflang(lang)
            except LanguageError as error:
                found = wrong_code_in_page(page, lang, error)
                yield structs.replace(found, where=page.url, file=each.location)


def _codes(listed: ListedUrl) -> Iterator[Issue]:
    alternates = set(listed.element.alternates)
    counts = Counter(each.hreflang.lower() for each in alternates)
    for code, count in counts.items():
        if count > 1:
            yield listed.issue("hreflang-twice", f"It has {count} for {code!r}.")
    for code in sorted({each.hreflang for each in alternates}):
        if wrong := _wrong_code(code):
            yield listed.issue(*wrong)


def _wrong_code(code: str) -> tuple[str, str] | None:
    """Return the rule that a language code breaks, and how."""
    try:
        right = hreflang(code)
    except RegionError as error:
        return "hreflang-region", f"{error}."
    except LanguageError as error:
        return "hreflang-code", f"{error}."
    if "_" in code:
        return "hreflang-code", f"{code!r} is written {right!r}."
    if right != X_DEFAULT and len(right.partition("-")[0]) > 2:  # noqa: PLR2004 - ISO 639-1
        return "hreflang-region", f"{code!r} has three letters; Google knows only codes of two."
    return None


def _targets(listed: ListedUrl, named: Mapping[str, set[str]], builds: _Builds) -> Iterator[Issue]:
    url = listed.url
    if url not in named[url]:
        yield listed.issue("hreflang-no-self", f"It names {len(listed.element.alternates)} others.")
    for href in sorted(named[url] - {url}):
        if normalize_or_none(href) is None:
            yield listed.issue("hreflang-url", f"It is {href[:200]!r}.")
        elif href in named:
            if url not in named[href]:
                yield listed.issue("hreflang-not-reciprocal", f"{href} does not name it.")
        elif builds.site.complete and href.startswith(builds.site.base_url):
            if folder := builds.elsewhere(listed, href):
                detail = f"It is {href}, and cannot be checked: nothing of {folder} is here."
                yield as_note(listed.issue("hreflang-not-listed", detail))
            else:
                yield listed.issue("hreflang-not-listed", f"It is {href}.")


class _Builds:
    """Which builds of the site, in folders named after their languages, are being checked."""

    def __init__(self, site: SiteSnapshot, named: Mapping[str, set[str]]) -> None:
        self.site = site
        self._listed = named.keys()
        self._here: dict[str, bool] = {}

    def elsewhere(self, listed: ListedUrl, href: str) -> str:
        """Return the folder of the build that a translation is in, if nothing of it is here.

        It is the first folder in the translation's URL that is not in the page's own URL, and is
        called as one of the languages that the page gives the translation.
        """
        own, other = listed.url.split("/")[:-1], href.split("/")[:-1]
        pairs = zip(own, other, strict=False)
        depth = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        codes = (a.hreflang for a in listed.element.alternates if normalize_or_none(a.href) == href)
        if depth == len(other) or _language(other[depth]) not in map(_language, codes):
            return ""
        if not self._is_gone(href):
            return ""
        folder = "/".join([*other[: depth + 1], ""])
        if folder not in self._here:
            is_listed = any(url.startswith(folder) for url in self._listed)
            self._here[folder] = is_listed or not self._is_gone(folder)
        return "" if self._here[folder] else folder

    def _is_gone(self, url: str) -> bool:
        answer = self.site.answer(url)
        return answer is not None and answer.is_gone


def _language(code: str) -> str:
    return plain(code).partition("-")[0]
