"""Rules about what stands in one `<url>`, judged by itself and by where it stands."""

from __future__ import annotations

import re
from html import unescape
from string import printable
from typing import TYPE_CHECKING, get_args
from urllib.parse import quote, urlsplit

from sitemapkit import urls
from sitemapkit.errors import UrlError
from sitemapkit.model import ChangeFreq
from sitemapkit_tools.issues import issue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import Document, Listed, Survey
    from sitemapkit_tools.sitemaps.sitemap_file import Listing

    Fault = tuple[str, str]
    """The id of a rule, and what is wrong in this case."""

_ILLEGAL = re.compile(r"[^\x21-\x7e]|[\"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})")
_SESSION = re.compile(
    r"[?&;](?:sid|session_?id|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken)=", re.IGNORECASE
)
_PRIORITY = re.compile(r"\+?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_FREQUENCIES = get_args(ChangeFreq)


def check_entries(survey: Survey) -> Iterator[Issue]:
    """Check each `<url>` of each sitemap, and that none is listed twice."""
    for document in survey.documents:
        if document.sitemap and document.sitemap.kind != "index":
            for listing in document.sitemap.listings:
                for rule, detail in (*_spelling(listing.loc), *_hints(listing)):
                    yield issue(rule, listing.loc, detail, document.place, listing.line)
    for listed in survey.listed:
        for rule, detail in _standing(listed, survey.base_url):
            place = listed.document.place
            yield issue(rule, listed.listing.loc, detail, place, listed.listing.line)
    yield from _duplicates(survey)


def _spelling(loc: str) -> Iterator[Fault]:
    if len(quote(loc, safe=printable)) > urls.MAX_LENGTH:
        yield "url-too-long", f"It has {len(quote(loc, safe=printable)):,}."
        return
    try:
        urls.normalize(loc)
    except UrlError as error:
        yield "bad-url", f"{error}."
        return
    if illegal := _ILLEGAL.search(loc):
        yield "unescaped-url", f"It holds {illegal[0]!r}."
    if "#" in loc:
        yield "fragment", f"It is #{loc.partition('#')[2][:60]}."
    if session := _SESSION.search(loc):
        yield "session-id", f"The parameter is {session[0][1:-1]!r}."
    if unescape(loc) != loc:
        yield "entity-parameter", f"They read {unescape(loc)[:200]}."


def _hints(listing: Listing) -> Iterator[Fault]:
    if listing.priority is not None and stated_priority(listing.priority) is None:
        yield "bad-priority", f"It is {listing.priority[:40]!r}."
    if listing.changefreq is not None and listing.changefreq not in _FREQUENCIES:
        yield "bad-changefreq", f"It is {listing.changefreq[:40]!r}."


def stated_priority(text: str | None) -> float | None:
    """Return the number from 0.0 to 1.0 that a `<priority>` states, or None."""
    if text is None or not _PRIORITY.fullmatch(text) or float(text) > 1:
        return None
    return float(text)


def _standing(listed: Listed, base_url: str) -> Iterator[Fault]:
    """Judge a URL by the site it should belong to, and by the sitemap that lists it."""
    url, base = urlsplit(listed.url), urlsplit(base_url)
    if url.netloc != base.netloc:
        yield "wrong-host", f"It is on {url.netloc}, the site is on {base.netloc}."
    elif url.scheme != base.scheme:
        yield "wrong-scheme", f"It is {url.scheme}, the site is {base.scheme}."
    elif not listed.url.startswith(base_url):
        yield "outside-base", f"The site is at {base_url}."
    elif urlsplit(listed.document.url).netloc != base.netloc:
        return  # the site's own robots.txt has named it, which sets its scope aside (rule P4)
    elif not listed.url.startswith(_folder(listed.document)):
        yield "scope", f"The sitemap is in {_folder(listed.document)}."


def _folder(document: Document) -> str:
    return document.url.rpartition("/")[0] + "/"


def _kind(document: Document) -> str:
    if document.is_for_news:
        return "news"
    return document.sitemap.kind if document.sitemap else ""


def _duplicates(survey: Survey) -> Iterator[Issue]:
    """News, a list of URLs or a feed may repeat what a sitemap lists; in one kind it is waste."""
    first: dict[tuple[str, str], Listed] = {}
    for listed in survey.listed:
        other = first.setdefault((_kind(listed.document), listed.url), listed)
        if other is not listed:
            place, line = other.document.place, other.listing.line
            detail = f"It is in {place} already, line {line}."
            yield issue("duplicate", listed.url, detail, listed.document.place, listed.listing.line)
