"""Where the canonical link of a page leads: the one answer for listed and other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from sitemapkit.urls import files_of, files_of_canonical, resolve_or_none

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitemapkit.model import Head
    from sitemapkit_tools.site.snapshot import UrlStatus

    Answer = Callable[[str], UrlStatus | None]
    """Returns what a URL answers; None: unknown."""

    _Step = tuple[Literal["redirect", "chain"], str]

LinkKind = Literal["own", "elsewhere", "noindex", "chain", "redirect", "back", "dead", "unknown"]
"""To the page itself; to another page that is canonical, or would be if it were not noindex; to a
page that names a third; to a redirect to another page; to what leads back to the page; to nothing;
out of what was read."""

_MOST_STEPS = 5
_MOST_REDIRECTS = 10


class CanonicalLink(NamedTuple):
    """Where the canonical link of a page leads."""

    kind: LinkKind
    url: str = ""
    """The URL that the page names; "" if it names none."""

    then: str = ""
    """Where that URL leads in turn, if it is not the end."""


OWN = CanonicalLink("own")


def canonical_link(url: str, answer: Answer) -> CanonicalLink:
    """Return where the canonical link of the page at a URL leads."""
    start = answer(url)
    named = start and start.facts and _named(start.facts.head.canonical, url)
    if not start or not named:
        return OWN
    at, status = _arrive(named, answer)
    if status and status.is_gone:
        return CanonicalLink("dead", named)
    if _is_same(named, url) or (status and _is_at(status, start, named, url)):
        return CanonicalLink("own", named)
    if status is None:
        return CanonicalLink("unknown", named)
    step = _step(at, status)
    end = _end(at, status, answer)
    if step and end and end.location == start.location:
        return CanonicalLink("back", named, step[1])
    return CanonicalLink(_kind(step, end), named, step[1] if step else "")


def _kind(step: _Step | None, end: UrlStatus | None) -> LinkKind:
    if end and end.is_gone:
        return "dead"
    if end and end.is_noindex:
        return "noindex"
    return step[0] if step else "elsewhere"


def second_link(head: Head, url: str) -> str | None:
    """Return where a second canonical link leads, if the two lead to different pages."""
    first, second = (resolve_or_none(each, url) for each in (head.canonical, head.second_canonical))
    return second if first and second and not _is_same(first, second) else None


def end_of(url: str, answer: Answer) -> UrlStatus | None:
    """Return what is at the end of the redirects and canonical links that a URL leads to.

    In a circle that is a page, not a redirect.
    """
    return _end(*_arrive(url, answer), answer)


def redirects(url: str, answer: Answer) -> list[str]:
    """Return a URL and where its redirects lead, step by step; canonical links do not count.

    A final slash that is added is no step. In a circle the last URL is there twice.
    """
    ways = [url]
    while len(ways) <= _MOST_REDIRECTS and ways[-1] not in ways[:-1]:
        status = answer(ways[-1])
        target = redirect_of(ways[-1], status) if status else None
        if not target:
            break
        if target == f"{ways[-1]}/":
            ways.pop()
        ways.append(target)
    return ways


def redirect_of(url: str, status: UrlStatus) -> str | None:
    """Return where the server or a refresh in the page sends readers on to, if one does."""
    refresh = resolve_or_none(status.facts.head.refresh, url) if status.facts else None
    return status.target or (refresh if refresh != url else None)


def _end(url: str, status: UrlStatus | None, answer: Answer) -> UrlStatus | None:
    seen: set[str] = set()
    for _ in range(_MOST_STEPS):
        step = status and _step(url, status)
        if not status or not step:
            return status
        seen.add(status.location)
        kind, target = step
        url, after = _arrive(target, answer)
        if after and after.location in seen:
            return status if kind == "chain" else after
        status = after
    return status


def _arrive(url: str, answer: Answer) -> tuple[str, UrlStatus | None]:
    """Return what a URL answers, with the final slash that servers add, and the URL with it."""
    status, slashed = answer(url), f"{url}/"
    if status and status.target == slashed:
        return slashed, answer(slashed)
    return url, status


def _step(url: str, status: UrlStatus) -> _Step | None:
    """Return where a page leads on to."""
    if target := redirect_of(url, status):
        return "redirect", target
    canonical = _named(status.facts.head.canonical, url) if status.facts else None
    return ("chain", canonical) if canonical and not _is_same(canonical, url) else None


def _named(canonical: str | None, url: str) -> str | None:
    """Return the URL that a page names as canonical, if it is not its own."""
    named = resolve_or_none(canonical, url)
    return named if named and unquote(named) != unquote(url) else None


def _is_same(named: str, url: str) -> bool:
    """Return whether a canonical link can lead to the file of a URL."""
    return not set(files_of_canonical(named)).isdisjoint(files_of(url))


def _is_at(status: UrlStatus, start: UrlStatus, named: str, url: str) -> bool:
    """Return whether two URLs lead to one file; if its own has a query, another asks for more."""
    same_query = urlsplit(url).query in ("", urlsplit(named).query)
    return status.location == start.location and same_query
