"""Which pages are listed, and the reason for each that is not.

A page is listed when it was written, is published, is indexable and is canonical. The cheap
checks come first; the rendered page is opened only if it passes all others.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from sitemapkit import urls
from sitemapkit.errors import UrlError
from sitemapkit.head import EMPTY, NOTHING, is_html, read_head
from sitemapkit.metadata import read_metadata
from sitemapkit.model import Excluded, Listed, Reason
from sitemapkit.patterns import PathPatterns
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sitemapkit.model import Head, Page
    from sitemapkit.options import Options


_ON_REQUEST = ("generated", "static")
"""Kinds of pages that are listed only where the option `include` names them."""


class Selected(Struct):
    """The pages of a site: those to list, the others with their reasons, and what was noticed."""

    judged: Collection[Listed | Excluded]
    """All pages, before their heads were read."""

    listed: list[Listed] = []
    excluded: list[Excluded] = []
    dead_links: list[tuple[Listed, str]] = []
    """Pages whose canonical links lead to URLs that no page has, and these URLs."""

    unread: list[tuple[Listed, str]] = []
    """Pages that were not read to their ends, and the limits that they exceed."""


class Selection:
    """Judges the pages of one build."""

    def __init__(self, options: Options) -> None:
        """Compile the patterns of the options."""
        self._exclude = PathPatterns(options.exclude)
        self._include = PathPatterns(options.include)
        self._rules = [(PathPatterns(rule.match), rule) for rule in options.rules]
        self._options = options

    def judge(self, page: Page) -> Listed | Excluded:
        """Decide what can be decided without opening the rendered page."""
        if page.excluded and page.excluded is not Reason.LEFT_OUT:
            return excluded(page, page.excluded, page.decided_by)
        options, base = self._options, self._options.base_url
        try:
            loc = options.loc_of(page.url)
        except UrlError as error:
            return excluded(page, Reason.BAD_URL, str(error))
        if not loc.startswith(base):
            is_on_host = urlsplit(loc).netloc == urlsplit(base).netloc
            reason = Reason.OUT_OF_SCOPE if is_on_host else Reason.OTHER_HOST
            return excluded(page, reason, loc)
        path = options.path_of(loc)
        # What a site's own sitemap leaves out, `include` brings back, and nothing else.
        if page.excluded and not self._include.match(path):
            return excluded(page, page.excluded, page.decided_by)
        found = Listed(page, loc, read_metadata(page.meta))
        return self._unwanted(found, path) or found

    def select(self, judged: Collection[Listed | Excluded]) -> Selected:
        """Keep the pages whose file was written, may be indexed and is the canonical one."""
        selected = Selected(judged)
        heads = _Heads(selected, self._options)
        for each in judged:
            final = heads.judge(each) if isinstance(each, Listed) else each
            if isinstance(final, Listed):
                selected.listed.append(final)
            else:
                selected.excluded.append(final)
        return selected

    def _unwanted(self, found: Listed, path: str) -> Excluded | None:
        page = found.page
        rule = self._apply_rules(found, path)
        metadata = found.metadata
        if metadata.exclude:
            key = metadata.origin("exclude").removeprefix("metadata ")
            return excluded(page, Reason.EXCLUDED_BY_PAGE, key)
        if metadata.noindex:
            return excluded(page, Reason.NOINDEX, metadata.origin("noindex"))
        if self._exclude.match(path):
            option = f"{self._options.spelling.prefix}exclude {self._exclude.deciding(path)!r}"
            return excluded(page, Reason.EXCLUDED_BY_OPTION, option)
        if rule and metadata.exclude is None:
            return excluded(page, Reason.EXCLUDED_BY_OPTION, rule)
        if page.kind in _ON_REQUEST and not self._include.match(path):
            reason = Reason.STATIC if page.kind == "static" else Reason.GENERATED
            return excluded(page, reason)
        return None

    def _apply_rules(self, found: Listed, path: str) -> str:
        """Fill in what the author left open; return the rule that excludes the page, or ""."""
        excluded_by = ""
        stated = found.metadata
        for patterns, rule in self._rules:
            if not patterns.match(path):
                continue
            name = f"rule {rule.match}"
            metadata = found.metadata = replace(found.metadata)  # many pages share one
            if rule.exclude is not None:
                excluded_by = name if rule.exclude else ""
            if stated.priority is None and rule.priority is not None:
                metadata.priority = rule.priority
                metadata.origins += (("priority", name),)
            if stated.changefreq is None and rule.changefreq is not None:
                metadata.changefreq = rule.changefreq
                metadata.origins += (("changefreq", name),)
            if stated.no_lastmod is None and stated.lastmod is None and rule.lastmod is not None:
                metadata.no_lastmod = not rule.lastmod
        return excluded_by


class _Heads:
    """What the heads of rendered pages say, compared with the URLs of all pages."""

    def __init__(self, selected: Selected, options: Options) -> None:
        """Take the record that gets what is noticed."""
        self._selected = selected
        self._options = options

    def judge(self, found: Listed) -> Listed | Excluded:
        head = rendered_head(found.page)
        if head is None:
            return excluded(found.page, Reason.MISSING)
        if head is EMPTY:
            return excluded(found.page, Reason.EMPTY)
        forbidden = self._forbidden_by(head, found)
        if forbidden:
            return forbidden
        if head.unread:
            self._selected.unread.append((found, head.unread))
        return found

    def _forbidden_by(self, head: Head, found: Listed) -> Excluded | None:
        if head.refresh and self._target(head.refresh, found) != found.loc:
            return excluded(found.page, Reason.REDIRECT, head.refresh)
        if head.noindex:
            return excluded(found.page, Reason.NOINDEX, "the page's robots element")
        if not head.canonical or head.canonical == found.loc:  # as nearly always
            return None
        canonical = self._target(head.canonical, found) or found.loc
        meant = ""
        for file in urls.files_of_canonical(canonical):  # however the link is spelled
            meant = meant or self._locs_by_file.get(file, "")
        if meant == found.loc:
            # A host may serve it with and without its suffix.
            if canonical.removesuffix(".html") == found.loc.removesuffix(".html"):
                found.loc = canonical
        elif meant or not canonical.startswith(self._options.base_url):
            return excluded(found.page, Reason.CANONICAL, canonical)
        else:
            # Engines find nothing there: so the page is listed, and the link is remarked.
            self._selected.dead_links.append((found, canonical))
        return None

    def _target(self, reference: str, found: Listed) -> str | None:
        return urls.resolve_or_none(reference, found.loc, encoding=self._options.url_encoding)

    @cached_property
    def _locs_by_file(self) -> Mapping[str, str]:
        """URLs of all pages by the names that their files may have."""
        locs = {loc_of(each, self._options) for each in self._selected.judged}
        locs.discard("")
        found: dict[str, str] = {}
        # `a/` and `a.html` have one file each, `a` may be either: whoever surely has it comes last.
        exact = ("/", *urls.HTML_SUFFIXES)
        for loc in sorted(locs, key=lambda loc: (loc.endswith(exact), loc)):
            for name in urls.files_of(loc):
                found[name] = loc
        return found


def loc_of(judged: Listed | Excluded, options: Options) -> str:
    """Return the URL of a page, whether it is listed or not; "" if it is not valid."""
    if isinstance(judged, Listed):
        return judged.loc
    try:
        return options.loc_of(judged.url)
    except UrlError:
        return ""


def excluded(page: Page, reason: Reason, decided_by: str = "") -> Excluded:
    """Return the record of a page that is not listed, and what decided that."""
    return Excluded(page.name, page.url, reason, decided_by)


def rendered_head(page: Page) -> Head | None:
    """Return what the rendered page says, or None if the generator never wrote it."""
    file, known = page.output, page.head or NOTHING
    if file is None:  # its generator says that it is there
        return known
    if not is_file(file):
        return None
    if page.head is not None or (page.kind == "static" and not is_html(file)):
        return known
    return read_head(file)
