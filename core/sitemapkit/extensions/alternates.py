"""hreflang sets: every language version of a page lists all versions and itself (rule HL1)."""

from __future__ import annotations

import re
from itertools import chain, starmap
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit.languages.alternates import Translations, drop_unlisted
from sitemapkit.languages.codes import X_DEFAULT, hreflang
from sitemapkit.normalizer import Normalizer
from sitemapkit.rules import issue
from sitemapkit.xmltext import Namespace, framed, shared_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitemapkit.model import Candidate, Entry, Issue
    from sitemapkit.options import Options
    from sitemapkit.report import Report

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
    found = Translations(
        listed, report.base_url, encoding=options.url_encoding, builds=options.other_builds
    )
    report.issues += found.issues
    for loc, origin in found.origins.items():
        report.origins.setdefault(loc, {})["alternates"] = origin
    default = hreflang(options.x_default) if options.x_default else ""
    rows = {id(versions): _row(versions, default) for versions in found.sets.values()}
    sets = found.sets
    return (rows[id(sets[each.loc])] if each.loc in sets else () for each in listed)


def _row(versions: Mapping[str, str], x_default: str) -> Sequence[Alternate]:
    row = [*starmap(Alternate, sorted(versions.items()))]
    default = None if X_DEFAULT in versions else versions.get(x_default)
    return [*row, Alternate(X_DEFAULT, default)] if default else row


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
    report.issues += drop_unlisted(entries, report.base_url)
