"""Rules about what one `<url>` says, by itself and in the sitemap that lists it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from string import printable
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from sitemapkit import urls
from sitemapkit.errors import UrlError
from sitemapkit.rules import and_more
from sitemapkit.xmltext import unescaped
from sitemapkit_tools.issues import issue

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl, SitemapFile, UrlElement

_SESSION = r"(?i)[?&;](sid|session_?id|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken)="
_UNESCAPED = re.compile(r"[^\x21-\x7e]|[\"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})")


def check_entries(site: SiteSnapshot) -> Iterator[Issue]:
    """Check each `<url>` of each sitemap, and that none is listed twice.

    Feeds beside a sitemap are for readers of feeds; these, and lists of URLs, may repeat it.
    """
    is_beside = any(file.kind == "urlset" for file in site.files)
    feeds = ("feed",) if is_beside else ()
    lists = ("text", *feeds) if is_beside else ()
    faultless = re.compile(re.escape(site.base_url) + r"[A-Za-z0-9/._~-]{0,1000}")
    for file in site.files:
        if file.is_index or file.kind in feeds:
            continue
        for element in file.elements:
            if not (site.base_url and faultless.fullmatch(element.loc)):  # as nearly all are
                yield from _url(element, file)
            yield from _hints(element, file)
            yield from _images(element, file, site)
    for listed in site.listed:
        if listed.file.kind not in feeds and (wrong := _scope(listed, site.base_url)):
            rule, detail = wrong
            yield listed.file.element_issue(rule, listed.element, detail)
    yield from _duplicates(site, lists)
    yield from _same_file(site)


def _url(element: UrlElement, file: SitemapFile) -> Iterator[Issue]:
    loc = element.loc
    if (length := len(quote(loc, safe=printable))) > urls.MAX_LENGTH:
        yield file.element_issue("url-too-long", element, f"It has {length:,}.")
        return
    try:
        urls.normalize(loc)
    except UrlError as error:
        yield file.element_issue("bad-url", element, f"{error}.")
        return
    if sign := _UNESCAPED.search(loc):
        yield file.element_issue("unescaped-url", element, f"It holds {sign[0]!r}.")
    if "#" in loc:
        yield file.element_issue("fragment", element, f"It is #{loc.partition('#')[2][:60]}.")
    if session := session_parameter(loc):
        yield file.element_issue("session-id", element, f"The parameter is {session!r}.")
    if (read := unescaped(loc)) != loc:
        yield file.element_issue("entity-parameter", element, f"They read {read[:200]}.")


def session_parameter(url: str) -> str | None:
    """Return the name of the parameter with the ID of a visitor's session, if any (L8)."""
    match = re.search(_SESSION, url)
    return match[1] if match else None


def _hints(element: UrlElement, file: SitemapFile) -> Iterator[Issue]:
    if element.priority is not None and element.valid_priority is None:
        yield file.element_issue("bad-priority", element, f"It is {element.priority[:40]!r}.")
    if element.changefreq is not None and element.valid_changefreq is None:
        yield file.element_issue("bad-changefreq", element, f"It is {element.changefreq[:40]!r}.")


def _images(element: UrlElement, file: SitemapFile, site: SiteSnapshot) -> Iterator[Issue]:
    for image in element.images:
        url = urls.normalize_or_none(image)
        if url is None:
            detail = f"Its image is {image[:200]!r}, which is not an absolute URL."
            yield file.element_issue("bad-extension", element, detail)
        elif (status := site.answer(url)) and status.is_gone:
            yield file.element_issue("bad-extension", element, f"Its image {url} does not exist.")


def _scope(listed: ListedUrl, base_url: str) -> tuple[str, str] | None:
    """Return the rule that a URL outside the site or the scope of its sitemap breaks, and how."""
    folder = listed.file.url.rpartition("/")[0] + "/"
    if listed.url.startswith(base_url) and listed.url.startswith(folder):
        return None
    url, base = urlsplit(listed.url), urlsplit(base_url)
    if url.netloc != base.netloc:
        return "wrong-host", f"It is on {url.netloc}, the site is on {base.netloc}."
    if url.scheme != base.scheme:
        return "wrong-scheme", f"It is {url.scheme}, the site is {base.scheme}."
    if not listed.url.startswith(base_url):
        return "outside-base", f"The site is at {base_url}."
    # A sitemap on another host was named by the site's own robots.txt, which lifts scopes (P4).
    if urlsplit(folder).netloc == base.netloc and not listed.url.startswith(folder):
        return "scope", f"The sitemap is in {folder}."
    return None


def _duplicates(site: SiteSnapshot, may_repeat: Container[str]) -> Iterator[Issue]:
    """News may repeat what a sitemap lists.

    A sitemap that repeats another one is one mistake, not one for each of its URLs.
    """
    first: dict[str, dict[str, ListedUrl]] = defaultdict(dict)
    twice: dict[tuple[str, str], list[tuple[ListedUrl, ListedUrl]]] = defaultdict(list)
    for listed in site.listed:
        if listed.file.kind in may_repeat:
            continue
        other = first[_kind(listed)].setdefault(listed.url, listed)
        if other is not listed:
            tops = (_top(other.file).location, _top(listed.file).location)
            twice[tops].append((listed, other))
    sizes = Counter(_top(listed.file).location for listed in site.listed if twice)
    for (one, two), pairs in twice.items():
        if one != two and len(pairs) > 1 and 2 * len(pairs) >= sizes[two]:
            detail = f"{len(pairs):,} of its {sizes[two]:,} URLs are in {one}, too."
            yield issue("second-sitemap", two, detail, two)
            continue
        for listed, other in pairs:
            detail = f"It is in {other.file.location} already, line {other.element.line}."
            yield listed.issue("duplicate-url", detail)


def _kind(listed: ListedUrl) -> str:
    return "news" if listed.file.is_for_news else listed.file.kind


def _same_file(site: SiteSnapshot) -> Iterator[Issue]:
    """Find files that a sitemap lists by several URLs, such as `/` and `/index.html`."""
    first: dict[tuple[str, str], ListedUrl] = {}
    others: dict[tuple[str, str], dict[str, ListedUrl]] = defaultdict(dict)
    for listed in site.listed:
        status = site.statuses.get(listed.url)
        if status and status.code == 200:  # noqa: PLR2004 - HTTP's "OK"
            place = (_kind(listed), status.location)
            if first.setdefault(place, listed).url != listed.url:
                others[place].setdefault(listed.url, listed)
    for place, same in others.items():
        _, location = place
        detail = f"{first[place].url} is {location}, too. {and_more(len(same))}".rstrip()
        yield next(iter(same.values())).issue("same-file", detail)


def _top(file: SitemapFile) -> SitemapFile:
    """Return the index that names a sitemap, or else the sitemap."""
    return file.index or file
