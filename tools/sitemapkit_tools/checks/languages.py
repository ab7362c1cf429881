"""Rules about `<xhtml:link rel="alternate" hreflang>` in sitemaps."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitemapkit.languages import X_DEFAULT, LanguageError, RegionError, hreflang
from sitemapkit.urls import normalize_or_none

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl


def check_languages(site: SiteSnapshot) -> Iterator[Issue]:
    """Check the set of translations of each page."""
    normal = {listed.element.loc: listed.url for listed in site.listed}
    named = {
        listed.url: {
            normal.get(each.href) or normalize_or_none(each.href) or each.href
            for each in listed.element.alternates
        }
        for listed in site.listed
    }
    for listed in site.listed:
        if listed.element.alternates:
            yield from _codes(listed)
            yield from _targets(listed, named, site.base_url)


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


def _targets(listed: ListedUrl, named: Mapping[str, set[str]], base_url: str) -> Iterator[Issue]:
    url = listed.url
    if url not in named[url]:
        yield listed.issue("hreflang-no-self", f"It names {len(listed.element.alternates)} others.")
    for href in sorted(named[url] - {url}):
        if normalize_or_none(href) is None:
            yield listed.issue("hreflang-url", f"It is {href[:200]!r}.")
        elif href in named:
            if url not in named[href]:
                yield listed.issue("hreflang-not-reciprocal", f"{href} does not name it.")
        elif href.startswith(base_url):
            yield listed.issue("hreflang-not-listed", f"It is {href}.")
