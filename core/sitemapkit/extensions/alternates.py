"""hreflang sets: every language version of a page lists all versions and itself (rule HL1)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit.entry_urls import url_as_xml
from sitemapkit.languages.alternates import Translations
from sitemapkit.languages.codes import X_DEFAULT, hreflang
from sitemapkit.xmltext import Namespace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapkit.model import Entry, Listed
    from sitemapkit.options import Options
    from sitemapkit.report import Report

NAMESPACE = Namespace("xhtml", "http://www.w3.org/1999/xhtml")

_LANGUAGE = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")


class Alternate(NamedTuple):
    """One language version of a page (rule HL1); a complete set names every version and itself."""

    hreflang: str
    """A language tag such as `pt-BR`, or `x-default`."""

    href: str
    """Absolute URL of that version."""


def find(
    listed: Sequence[Listed], options: Options, report: Report
) -> Iterator[Sequence[Alternate]]:
    """Yield the hreflang set of each page, which is empty for a page without translations."""
    found = Translations(listed, report.base_url, options.other_builds)
    report.issues += found.issues
    for loc, origin in found.origins.items():
        report.origins.setdefault(loc, {})["alternates"] = origin
    known: dict[int, Sequence[Alternate]] = {}  # all versions of a page share one set
    for each in listed:
        versions = found.sets.get(each.loc)
        if versions is None:
            yield ()
            continue
        if id(versions) not in known:
            known[id(versions)] = in_order(versions, options)
        yield known[id(versions)]


def in_order(versions: Mapping[str, str], options: Options) -> Sequence[Alternate]:
    """Return the versions of a page by their codes, and the one for all other readers."""
    found = [Alternate(code, href) for code, href in sorted(versions.items())]
    if options.x_default and X_DEFAULT not in versions:
        default = versions.get(hreflang(options.x_default))
        if default:
            found.append(Alternate(X_DEFAULT, default))
    return found


def xml(entry: Entry, options: Options, report: Report) -> str:
    """Return the `<xhtml:link>` elements of an entry."""
    links: list[str] = []
    for language, href in entry.alternates:
        if not _is_language(language):
            detail = f"It is {language!r}; its links are left out."
            report.add("hreflang-code", "alternates", detail)
            continue
        url = url_as_xml(href, "alternate", options, report)
        if url:
            links.append(f'<xhtml:link rel="alternate" hreflang="{language}" href="{url}"/>')
    return "".join(links)


@lru_cache
def _is_language(code: str) -> bool:
    return bool(_LANGUAGE.fullmatch(code))
