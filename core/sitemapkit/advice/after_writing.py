"""Remarks on what is written: the entries, the files, and robots.txt beside them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from msgspec import structs

from sitemapkit.advice.addresses import (
    foreign_sitemaps,
    local_base_url,
    other_host_severity,
    repository_base_url,
)
from sitemapkit.dates import FIRST_YEAR, lastmod_text
from sitemapkit.languages import X_DEFAULT
from sitemapkit.layout import Layout
from sitemapkit.output.robots import is_in_utf_16, read_robots, sitemap_lines
from sitemapkit.rules import grouped, issue
from sitemapkit.urls import session_parameter
from sitemapkit.xmltext import unescaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sitemapkit.model import Candidate, Entry, Issue
    from sitemapkit.options import Options
    from sitemapkit.report import Report

_SHORTEST = len("http://a.bc/")
_READ_BY_CRAWLERS = 500 * 1024


def on_entries(report: Report, options: Options) -> Iterator[Issue]:
    """Yield the remarks on the entries, `report.listed`, and on the sitemap as a whole."""
    yield from broken_rules(report.listed)
    yield from local_base_url(options)
    yield from repository_base_url(options)
    yield from x_default_unused(report.listed, options)
    if "/" in options.filename:
        yield issue("scope", f"filename: {options.filename}")


def on_files(report: Report, options: Options, output_dir: Path) -> Iterator[Issue]:
    """Yield the remarks on the files that are there now, if a sitemap is among them."""
    if report.entry_file is None:
        return
    layout = Layout(options, output_dir)
    robots = read_robots(layout)
    if robots is not None and not is_in_utf_16(robots):
        yield from _on_robots(layout, robots)
    for other in layout.others():
        yield issue("other-sitemap", str(other))


def _on_robots(layout: Layout, robots: bytes) -> Iterator[Issue]:
    file = str(layout.output_dir / "robots.txt")
    if not layout.is_below_root:
        for number, url in foreign_sitemaps(sitemap_lines(robots), layout.options.base_url):
            detail = f"Line {number} names {url}"
            yield issue("robots-other-host", file, detail, severity=other_host_severity(url))
    if len(robots) > _READ_BY_CRAWLERS:
        yield issue("robots-size", file, f"It has {len(robots):,} bytes.")


def broken_rules(listed: Sequence[Entry]) -> Iterator[Issue]:
    """Rules that a valid entry may break: each is reported once, with the first such entry."""
    for rule, sign, breaks in _RULES:
        found = [entry.loc for entry in listed if sign in entry.loc and breaks(entry)]
        yield from grouped(rule, found)


def x_default_unused(listed: Sequence[Entry], options: Options) -> Iterator[Issue]:
    """The language for all other readers, if pages have translations and none is in it."""
    if not options.x_default:
        return
    codes = {code for entry in listed for code, _ in entry.alternates}
    if codes and X_DEFAULT not in codes:
        where = f"{options.spelling.where}, {options.spelling.prefix}x_default"
        known = ", ".join(map(repr, sorted(codes)))
        yield issue(
            "x-default-unused", where, f"It is {options.x_default!r}; the pages are in {known}."
        )


def _is_old(entry: Entry) -> bool:
    if isinstance(entry.lastmod, date):
        return entry.lastmod.year < FIRST_YEAR
    return entry.lastmod is not None and "" < lastmod_text(entry.lastmod) < str(FIRST_YEAR)


# Each rule, a character without which no URL can break it, and what breaks it.
_RULES: tuple[tuple[str, str, Callable[[Entry], bool]], ...] = (
    # L2: the protocol's schema requires 12 characters.
    ("short-url", "", lambda entry: len(entry.loc) < _SHORTEST),
    ("session-id", "=", lambda entry: session_parameter(entry.loc) is not None),  # L8
    # L11: some readers unescape HTML twice and read `&copy=` as a sign.
    ("entity-parameter", "&", lambda entry: unescaped(entry.loc) != entry.loc),
    ("old-date", "", _is_old),  # LM6
)


def name_sources(issues: list[Issue], listed: Sequence[Candidate]) -> None:
    """Add the sources of pages to the issues that name the pages' URLs."""
    names: dict[str, list[str]] = {each.where: [] for each in issues}
    for page in listed if names else ():
        if page.loc in names and page.page.sources:
            names[page.loc].append(page.page.name)
    for n, each in enumerate(issues):
        if found := ", ".join(names[each.where]):
            detail = f"Its source is {found}. {each.detail}".rstrip()
            issues[n] = structs.replace(each, detail=detail)
