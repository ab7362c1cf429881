"""Translations that pages name: links with `hreflang` in the heads of a finished site's pages.

They count where all pages that they lead to name the same ones (rule HL1).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from sitemapkit import Page, urls
from sitemapkit.errors import UrlError
from sitemapkit.extensions.alternates import in_order
from sitemapkit.languages import X_DEFAULT
from sitemapkit.languages.alternates import Codes, drop_one_sided, is_possible
from sitemapkit_tools.issues import issue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit.languages import LanguageError
    from sitemapkit.languages.alternates import Versions
    from sitemapkit.model import Entry, Issue
    from sitemapkit.options import Options
    from sitemapkit.report import Report


class HtmlPage(Page, gc=False):
    """A page of a finished site."""

    alternates: Mapping[str, str] = {}
    """URLs of its versions in other languages that its head names, as written, by language."""


class NamedVersions:
    """The translations that the pages to be listed name."""

    def __init__(self, pages: Sequence[HtmlPage], options: Options, report: Report) -> None:
        """Find them; the report gets issues of links that are left out."""
        self._options = options
        self._report = report
        self._codes = Codes(report.issues)
        locs = {options.loc_of(page.url): page for page in pages}
        stated: dict[str, Versions] = {}
        for loc, page in locs.items():
            if not page.alternates:
                continue
            named = self._named_by(page, loc)
            if not _is_menu(loc, named):
                stated[loc] = {
                    code: target
                    for code, target in named.items()
                    if is_possible(target, options.base_url, locs)
                }
        self._sets = drop_one_sided(stated, locs, report.issues)

    def add_to(self, entry: Entry) -> Entry:
        """Give an entry the versions that its page names, and return it."""
        own = self._sets.get(entry.loc)
        if own:
            versions = {**dict(entry.alternates), **own}
            if len({*versions.values()}) > 1:
                entry.alternates = in_order(versions, self._options)
                self._report.origins.setdefault(entry.loc, {})["alternates"] = "links of the page"
        return entry

    def _named_by(self, page: HtmlPage, loc: str) -> Versions:
        versions: Versions = {}
        for lang, reference in page.alternates.items():
            code = self._codes.of(lang, partial(wrong_code_in_page, page))
            try:
                target = urls.resolve(reference, loc, encoding=self._options.url_encoding)
            except UrlError as error:
                self._report.issues.append(issue("hreflang-url", page.name, f"{error}.", ""))
                continue
            if code:
                versions[code] = target
        own = self._codes.of(page.lang)
        in_a_language = [target for code, target in versions.items() if code != X_DEFAULT]
        if own and loc not in in_a_language:
            versions.setdefault(own, loc)
        return versions


def _is_menu(loc: str, named: Versions) -> bool:
    """Return whether a page names the home pages of languages, as a theme writes it in each page.

    These are not translations of the page: it is not among them, and one is above it.
    """
    homes = (target for target in named.values() if target.endswith("/"))
    return loc not in named.values() and any(map(loc.startswith, homes))


def wrong_code_in_page(page: Page, _: str, error: LanguageError) -> Issue:
    """Return the issue of a link in a page with a code that is none.

    It is a warning: search engines ignore the link, and the page is listed all the same.
    """
    found = issue("hreflang-code", page.name, f"{error}. The link is left out.", "")
    return structs.replace(found, severity="warning")
