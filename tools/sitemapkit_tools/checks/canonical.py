"""Rules about canonical links, of all pages that may be indexed: those of old versions above all.

A listed page with a canonical link elsewhere is an issue of the sitemap, in `checks.pages`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from msgspec import structs

from sitemapkit.model import Issue, Reason
from sitemapkit.urls import below, normalize_or_none, resolve_or_none
from sitemapkit_tools.issues import as_note, issue
from sitemapkit_tools.site.canonical import OWN, CanonicalLink, canonical_link, end_of, second_link

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from sitemapkit_tools.site.scan import SitePage
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.site.versions import Versions


ONE_CAUSE = frozenset(
    {
        *("canonical-disallowed", "canonical-other-host"),
        *("hreflang-not-canonical", "version-copies"),
    }
)
"""Rules that the pages of a version break together, for one reason."""

_NO_PAGE = (Reason.REDIRECT, Reason.NOINDEX)
"""Why the host sends no page that may be indexed, as its own files say."""


def check_canonicals(
    pages: Iterable[SitePage], site: SiteSnapshot, versions: Versions, listed: Container[str]
) -> Iterator[Issue]:
    """Check the canonical link of each page that may be indexed; `listed` has locations.

    What is wrong with the link of a listed page is said where that is checked.
    """
    translations = _Translations(site, versions)
    for each in pages:
        head = each.page.head
        if each.page.kind != "page" or not head or head.refresh or each.page.excluded in _NO_PAGE:
            continue
        link = OWN  # as nearly always
        if head.canonical not in (None, each.page.url):
            link = canonical_link(each.page.url, site.answer)
        if head.noindex:
            if link.kind not in ("own", "unknown"):
                yield _issue(
                    "canonical-noindex", each, f"It is marked noindex, and names {link.url}."
                )
            continue
        if second := second_link(head, each.page.url):
            yield _issue("canonical-twice", each, f"It names {head.canonical} and {second}.")
        elif link.kind == "own":
            yield from _copies(each, site, versions)
        elif each.location not in listed:
            yield from _link(each, link, site, versions)
        yield from translations.check(each, link)


def joined(
    issues: Iterable[Issue], rules: Container[str], url_of: Callable[[str], str], base_url: str
) -> Iterator[Issue]:
    """Join the issues of one of `rules` whose files have one URL, such as a version's, to one."""
    first: dict[tuple[str, str, str], tuple[Issue, int]] = {}
    for each in issues:
        if each.rule.id not in rules:
            yield each
            continue
        key = (each.rule.id, each.severity, url_of(each.file))
        found, count = first.get(key, (each, 0))
        first[key] = (min(found, each, key=lambda issue: issue.where), count + 1)
    for (_, _, url), (found, count) in first.items():
        pages = "1 page," if count == 1 else f"{count:,} pages, such as"
        detail = f"{pages} /{below(base_url, found.where)}. {found.detail}".rstrip()
        yield structs.replace(found, where=url, detail=detail)


def _issue(rule: str, page: SitePage, detail: str) -> Issue:
    return issue(rule, page.page.url, detail, page.location)


def _link(
    page: SitePage, link: CanonicalLink, site: SiteSnapshot, versions: Versions
) -> Iterator[Issue]:
    """Check a link that does not lead to the page itself."""
    names = f"It names {link.url}"
    if link.kind == "dead":
        yield _dead(page, link, site, versions)
        return
    if link.kind == "back":
        yield _issue("canonical-redirect", page, f"{names}, which leads back to it.")
    elif link.kind == "redirect":
        yield as_note(_issue("canonical-redirect", page, f"{names}, which leads to {link.then}."))
    elif link.kind == "chain":
        yield _issue("canonical-chain", page, f"{names}, which names {link.then}.")
    elif link.kind == "noindex":
        yield _issue("canonical-noindex", page, f"{names}, which is marked noindex.")
    elif urlsplit(link.url).netloc != urlsplit(site.base_url).netloc:
        yield _issue("canonical-other-host", page, f"{names}.")
    if not site.robots.allows(page.page.url):
        yield _issue("canonical-disallowed", page, f"{names}.")


def _dead(page: SitePage, link: CanonicalLink, site: SiteSnapshot, versions: Versions) -> Issue:
    """Return the issue of a link to nothing, which in an old version has its usual reasons."""
    names = f"It names {link.url}{f', which leads to {link.then}' if link.then else ''}."
    place = versions.of(page.location)
    others = _in(versions.others(place.folder), place.folder, page, site) if place else ()
    if place and all(_is_redirect(url, site) for url in others):
        names += f" Only {place.folder.rstrip('/')} has the page."
    return _issue("canonical-dead", page, names)


def _copies(page: SitePage, site: SiteSnapshot, versions: Versions) -> Iterator[Issue]:
    """Check whether the version that should be found has a page that names itself as canonical."""
    place = versions.of(page.location)
    for url in _in(versions.to_be_found(place.folder), place.folder, page, site) if place else ():
        end = end_of(url, site.answer)
        if end and not (end.is_gone or end.is_noindex or end.location == page.location):
            yield _issue("version-copies", page, f"{url} is the same page.")
            return


def _in(folders: Iterable[str], own: str, page: SitePage, site: SiteSnapshot) -> Iterator[str]:
    """Yield the URLs under which other versions have a page."""
    path = page.page.url[len(site.base_url + quote(own)) :]
    for folder in folders:
        url = site.base_url + quote(folder) + path
        if (status := site.answer(url)) and not status.is_gone:
            yield url


def _is_redirect(url: str, site: SiteSnapshot) -> bool:
    status = site.answer(url)
    return bool(status and status.facts and status.facts.head.refresh)


class _Translations:
    """Checks the pages that others name as translations; each of them is looked at once."""

    def __init__(self, site: SiteSnapshot, versions: Versions) -> None:
        self._site, self._versions = site, versions
        self._known: dict[str, tuple[str, str]] = {}

    def check(self, page: SitePage, link: CanonicalLink) -> Iterator[Issue]:
        """Yield an issue if a page that it names, maybe itself, is not canonical."""
        own = self._version(page.location)
        for href in page.page.alternates.values():
            url = resolve_or_none(href, page.page.url) if "://" not in href else href
            if not url:
                continue
            if url not in self._known:
                self._known[url] = self._look(url)
            wrong, version = self._known[url]
            if not wrong and link.kind == "own" and version and own and version != own:
                wrong = f"which is in {version}"
            if wrong:
                yield _issue("hreflang-not-canonical", page, f"It names {url}, {wrong}.")
                return

    def _look(self, href: str) -> tuple[str, str]:
        """Return why the page at a URL is not canonical, or "", and the version that it is in."""
        url = normalize_or_none(href)
        status = self._site.answer(url) if url else None
        if not url or not status or status.is_gone:
            return "", ""
        end = end_of(url, self._site.answer)
        if end and end.is_noindex:
            return "which is marked noindex", ""
        if end and end.location != status.location:
            return f"which leads to {end.location}", ""
        return "", self._version(status.location)

    def _version(self, location: str) -> str:
        place = self._versions.of(location)
        return place.folder.rstrip("/").rpartition("/")[2] if place else ""
