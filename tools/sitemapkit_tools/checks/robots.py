"""Rules about robots.txt and how it names the sitemap."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.snapshot import normal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import Survey
    from sitemapkit_tools.sitemaps.robots import Line, Robots


def check_robots(survey: Survey) -> Iterator[Issue]:
    """Check the robots.txt at the root of the host; below the root nobody reads one."""
    place = survey.robots_place
    if survey.robots:
        yield from _lines(survey.robots, place, survey)
        for document in survey.documents:
            if not survey.robots.allows(document.url, survey.agent):
                detail = f"{place} forbids it to {survey.agent}."
                yield issue("sitemap-disallowed", document.url, detail, place)
    ours = [each.url for each in survey.documents if each.sitemap]
    named = {normal(line.value) for line in (survey.robots.sitemaps if survey.robots else [])}
    at_root = urlsplit(survey.base_url).path == "/"
    if at_root and ours and named.isdisjoint(ours):
        yield issue("robots-no-sitemap", "robots.txt", f"The line is Sitemap: {ours[0]}", place)


def _lines(robots: Robots, place: str, survey: Survey) -> Iterator[Issue]:
    dead = {each.url for each in survey.documents if each.error and each.error.missing}
    for line in robots.sitemaps:
        url = normal(line.value)
        if url is None:
            yield _about(line, "robots-relative", f"It is {line.value[:200]!r}.", place)
        elif url in dead:
            yield _about(line, "robots-dead-sitemap", "There is no such file.", place)
    for line in robots.splitting_lines():
        yield _about(line, "robots-group-split", "The rules after it may be lost.", place)


def _about(line: Line, rule: str, detail: str, place: str) -> Issue:
    return issue(rule, line.value, detail, place, line.number)
