"""Rules about `<xhtml:link rel="alternate" hreflang>` in sitemaps."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitemapkit.languages import X_DEFAULT, LanguageError, hreflang
from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.snapshot import normal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import Listed, Survey

    Fault = tuple[str, str]


def check_languages(survey: Survey) -> Iterator[Issue]:
    """Check the set of translations of each page."""
    spelled = {listed.listing.loc: listed.url for listed in survey.listed}
    named = {
        listed.url: {
            spelled.get(each.href) or normal(each.href) or each.href
            for each in listed.listing.alternates
        }
        for listed in survey.listed
    }
    for listed in survey.listed:
        place, line = listed.document.place, listed.listing.line
        for rule, detail in _faults(listed, named, survey.base_url):
            yield issue(rule, listed.url, detail, place, line)


def _faults(listed: Listed, named: Mapping[str, set[str]], base_url: str) -> Iterator[Fault]:
    alternates = listed.listing.alternates
    if not alternates:
        return
    counts = Counter(each.hreflang.lower() for each in set(alternates))
    yield from (
        ("hreflang-twice", f"It has {n} for {code!r}.") for code, n in counts.items() if n > 1
    )
    for code in sorted({each.hreflang for each in alternates}):
        yield from _code(code)
    if listed.url not in named[listed.url]:
        yield "hreflang-no-self", f"It names {len(alternates)} others."
    for href in sorted(named[listed.url] - {listed.url}):
        yield from _other(href, listed.url, named, base_url)


def _code(code: str) -> Iterator[Fault]:
    try:
        right = hreflang(code)
    except LanguageError as error:
        ignored = "no country of its own" in str(error) or "says more" in str(error)
        yield ("hreflang-region" if ignored else "hreflang-code"), f"{error}."
        return
    if "_" in code:
        yield "hreflang-code", f"{code!r} is written {right!r}."
    elif right != X_DEFAULT and len(right.partition("-")[0]) > 2:  # noqa: PLR2004 - ISO 639-1
        yield "hreflang-region", f"{code!r} has three letters; Google knows those of two."


def _other(href: str, url: str, named: Mapping[str, set[str]], base_url: str) -> Iterator[Fault]:
    if normal(href) is None:
        yield "hreflang-url", f"It is {href[:200]!r}."
    elif href in named:
        if url not in named[href]:
            yield "hreflang-not-reciprocal", f"{href} does not name it."
    elif href.startswith(base_url):
        yield "hreflang-not-listed", f"It is {href}."
