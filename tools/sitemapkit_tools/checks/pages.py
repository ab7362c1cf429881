"""Rules about the pages that are listed, and those that are not."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemapkit import dates, urls
from sitemapkit_tools.checks.dates import stated_date
from sitemapkit_tools.finding import finding
from sitemapkit_tools.survey import resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit_tools.facts import Facts
    from sitemapkit_tools.finding import Finding
    from sitemapkit_tools.survey import Listed, Survey, View

    Fault = tuple[str, str]

_ONE_DAY = 86_400


def check_pages(survey: Survey) -> Iterator[Finding]:
    """Check what each listed URL answers; a URL that is listed twice is judged once."""
    for listed in {each.url: each for each in reversed(survey.listed)}.values():
        place, line = listed.document.place, listed.listing.line
        for rule, detail in _faults(listed, survey):
            yield finding(rule, listed.url, detail, place, line)


def _faults(listed: Listed, survey: Survey) -> Iterator[Fault]:
    if survey.robots and not survey.robots.allows(listed.url, survey.agent):
        yield "robots-disallowed", f"{survey.robots_place} forbids it to {survey.agent}."
    view = survey.views.get(listed.url)
    if view is None:
        return
    if answer := _no_page(view, listed.url):
        yield answer
        return
    yield from _forbidden(view)
    if view.facts:
        yield from _canonical(view.facts, listed.url, survey)
        yield from _date(listed.listing.lastmod, view.facts.modified)


def _no_page(view: View, url: str) -> Fault | None:
    """Judge a URL that answers with no page of its own."""
    if view.status in (404, 410):
        return "missing-page", view.detail or f"It answers {view.status}."
    if view.target:
        return "redirect", f"It leads to {view.target}."
    if view.status != 200:  # noqa: PLR2004 - HTTP's "OK"
        return "unreachable", view.detail or f"It answers {view.status}."
    refresh = view.facts and view.facts.head.refresh
    target = resolved(refresh, url) if refresh else None
    return ("redirect", f"Its refresh leads to {target}.") if target and target != url else None


def _forbidden(view: View) -> Iterator[Fault]:
    if view.noindex:
        yield "noindex", "The header X-Robots-Tag says so."
    elif view.facts and view.facts.head.noindex:
        yield "noindex", f"The robots element in {view.place} says so."


def _canonical(facts: Facts, url: str, survey: Survey) -> Iterator[Fault]:
    canonical = facts.head.canonical and resolved(facts.head.canonical, url)
    if not canonical or unquote(canonical) == unquote(url):
        return
    detail = f"Its canonical link is {canonical}."
    if survey.exists(canonical) is False:
        yield "canonical-dead", detail
    elif urls.same_page(canonical, url):
        yield "slash-style", detail
    else:
        yield "canonical-elsewhere", detail


def _date(lastmod: str | None, modified: date | None) -> Iterator[Fault]:
    """Compare days; the page may state its day in another zone than the sitemap."""
    value = stated_date(lastmod)
    if value and modified and abs(_seconds(value) - _seconds(modified)) > 2 * _ONE_DAY:
        yield "date-differs", f"The sitemap says {lastmod}, the page {dates.w3c(modified)}."


def _seconds(value: date) -> float:
    if isinstance(value, datetime):
        return value.timestamp()
    return datetime(value.year, value.month, value.day, tzinfo=UTC).timestamp()
