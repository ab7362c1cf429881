"""Which pages are listed, and the reason for each that is not.

A page is listed when it was written, is published, is indexable and is canonical. The cheap
questions come first; the rendered page is opened only when all others are answered.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from sitemapkit import urls
from sitemapkit.errors import UrlError
from sitemapkit.html import EMPTY, NOTHING, is_html, read_head
from sitemapkit.metadata import Metadata, read_metadata
from sitemapkit.patterns import PathPatterns
from sitemapkit.report import LeftOut, Reason, Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sitemapkit.html import Head
    from sitemapkit.options import Options
    from sitemapkit.page import Page


class Listed(Struct, eq=False, gc=False):
    """A page that is listed, its URL in normal form, and what its author and the rules want."""

    page: Page
    loc: str
    wanted: Metadata


def select(pages: Iterable[Page], options: Options, report: Report) -> list[Listed]:
    """Return the pages to list; the report gets the others with their reasons, and bad metadata."""
    selector = _Selector(options, report)
    candidates = [found for page in pages if (found := selector.candidate(page))]
    listed = selector.indexable(candidates)
    if candidates and not listed:
        _warn_of_nothing(report)
    return listed


def candidates(pages: Iterable[Page], options: Options) -> list[Listed]:
    """Return the pages that may be listed, as far as that is known before they are rendered."""
    selector = _Selector(options, Report())
    return [found for page in pages if (found := selector.candidate(page))]


class _Selector:
    def __init__(self, options: Options, report: Report) -> None:
        self.base = options.base_url
        self.encoding = options.url_encoding
        self.report = report
        self.excluded = PathPatterns(options.exclude)
        self.included = PathPatterns(options.include)
        self.rules = [(PathPatterns(rule.match), rule) for rule in options.rules]
        self.asks_for_paths = bool(options.exclude or options.rules)
        self.known: set[str] = set()
        self.withheld: list[Page] = []

    def candidate(self, page: Page) -> Listed | None:
        """Answer what can be answered without opening the rendered page."""
        verdict = self._verdict(page)
        if isinstance(verdict, Reason):
            self._leave_out(page, verdict)
            return None
        if verdict.wanted.bad_values:
            self._report_bad_values(verdict)
        return verdict

    def _verdict(self, page: Page) -> Listed | Reason:
        if page.withheld:
            self.withheld.append(page)
            return page.withheld
        try:
            loc = urls.absolute(page.url, self.base, encoding=self.encoding)
        except UrlError as error:
            self.report.warn("bad-url", page.name, f"{error}.", "Mend its URL or leave it out.")
            return Reason.BAD_URL
        self.known.add(loc)
        if not loc.startswith(self.base):
            return self._outside(loc)
        found = Listed(page, loc, read_metadata(page.meta))
        return self._unwanted(found) or found

    def indexable(self, candidates: list[Listed]) -> list[Listed]:
        """Keep the pages whose rendered file is there, may be indexed and is the real one."""
        listed: list[Listed] = []
        strays: list[Listed] = []
        for found in candidates:
            reason = self._forbidden(found, strays)
            if reason:
                self._leave_out(found.page, reason)
            else:
                listed.append(found)
        self._report_strays(strays)
        return listed

    def _unwanted(self, found: Listed) -> Reason | None:
        is_extra = found.page.kind in ("generated", "static")
        path = self._path(found.loc) if is_extra or self.asks_for_paths else ""
        page_says, rule_says = found.wanted.exclude, self._apply_rules(found.wanted, path)
        if page_says:
            return Reason.EXCLUDED_BY_PAGE
        if found.wanted.noindex:
            return Reason.NOINDEX
        if self.excluded.match(path) or (rule_says and page_says is None):
            return Reason.EXCLUDED_BY_OPTION
        if is_extra and not self.included.match(path):
            return Reason.GENERATED if found.page.kind == "generated" else Reason.STATIC
        return None

    def _path(self, loc: str) -> str:
        return urls.below(self.base, loc, encoding=self.encoding)

    def _apply_rules(self, wanted: Metadata, path: str) -> bool | None:
        """Fill in what the author left open; return what the rules say of `exclude`."""
        exclude = None
        own = (wanted.priority, wanted.changefreq, wanted.no_lastmod)
        for patterns, rule in self.rules:
            if not patterns.match(path):
                continue
            exclude = rule.exclude if rule.exclude is not None else exclude
            if own[0] is None and rule.priority is not None:
                wanted.priority = rule.priority
                wanted.origins += (("priority", f"rule {rule.match}"),)
            if own[1] is None and rule.changefreq is not None:
                wanted.changefreq = rule.changefreq
                wanted.origins += (("changefreq", f"rule {rule.match}"),)
            if own[2] is None and wanted.lastmod is None and rule.lastmod is not None:
                wanted.no_lastmod = not rule.lastmod
        return exclude

    def _forbidden(self, found: Listed, strays: list[Listed]) -> Reason | None:
        head = _head(found.page)
        if head is None:
            return Reason.MISSING
        if head is EMPTY:
            return Reason.EMPTY
        return None if head is NOTHING else self._forbidden_by(head, found, strays)

    def _forbidden_by(self, head: Head, found: Listed, strays: list[Listed]) -> Reason | None:
        if head.noindex:
            return Reason.NOINDEX
        if head.refresh and _resolved(head.refresh, found.loc, self.encoding) != found.loc:
            return Reason.REDIRECT
        if not head.canonical or head.canonical == found.loc:  # as nearly always
            return None
        canonical = _resolved(head.canonical, found.loc, self.encoding) or found.loc
        page = self._page_at(canonical)
        if page == found.loc:
            return None
        if page or not canonical.startswith(self.base):
            return Reason.CANONICAL
        strays.append(found)
        return None

    def _page_at(self, url: str) -> str | None:
        """Return the URL of the page that a canonical link leads to, however that is spelled."""
        return next(filter(None, map(self._pages_by_file.get, urls.file_names(url))), None)

    @cached_property
    def _pages_by_file(self) -> Mapping[str, str]:
        """URLs by the names that their files may have; where it can have only one, it is that."""
        for page in self.withheld:
            with suppress(UrlError):
                self.known.add(urls.absolute(page.url, self.base, encoding=self.encoding))
        vaguest_first = sorted(self.known, key=lambda loc: (loc.endswith(("/", ".html")), loc))
        return {name: loc for loc in vaguest_first for name in urls.file_names(loc)}

    def _report_strays(self, strays: list[Listed]) -> None:
        """A canonical link to a URL that no page has is the page's own, misspelled by a theme."""
        if not strays:
            return
        self.report.inform(
            "stray-canonical",
            strays[0].page.name,
            f"The canonical link of this page ({len(strays)} in all) leads to a URL that no page"
            f" has; {strays[0].loc} is listed.",
            "Make the theme write the page's own URL.",
        )

    def _report_bad_values(self, found: Listed) -> None:
        for bad in found.wanted.bad_values:
            self.report.warn(
                "bad-metadata",
                found.page.name,
                f"{bad.key!r} is {bad.value!r} and was left out.",
                f"Allowed: {bad.allowed}.",
            )

    def _leave_out(self, page: Page, reason: Reason) -> None:
        self.report.left_out.append(LeftOut(page.name, page.url, reason))

    def _outside(self, loc: str) -> Reason:
        same_host = urlsplit(loc).netloc == urlsplit(self.base).netloc
        return Reason.OUT_OF_SCOPE if same_host else Reason.OTHER_HOST


def _head(page: Page) -> Head | None:
    """Return what the rendered page says, or None if the generator never wrote it."""
    file = page.output
    if file is None:
        return page.head or NOTHING
    if page.head is not None or not is_html(file):
        return (page.head or NOTHING) if os.path.isfile(file) else None  # noqa: PTH113 - it is text
    try:
        return read_head(file)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None


def _resolved(reference: str, loc: str, encoding: str) -> str | None:
    """Return the target of a link in the page, or None if it is no web address."""
    try:
        return urls.resolve(reference, loc, encoding=encoding)
    except UrlError:
        return None


def _warn_of_nothing(report: Report) -> None:
    (reason, count), *_ = Counter(left.reason for left in report.left_out).most_common(1)
    report.warn(
        "nothing-listed",
        "sitemap",
        f"No page is listed; {count} were left out because: {reason.value}.",
        "Check the base URL, the exclude patterns and the theme's canonical and robots elements.",
    )
