"""Remarks on what is written: the entries, the files, and robots.txt beside them."""

from __future__ import annotations

import os
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from msgspec import structs

from sitemapkit.dates import FIRST_YEAR, lastmod_text
from sitemapkit.languages import X_DEFAULT
from sitemapkit.normalizer import URLS, batches
from sitemapkit.rules import grouped, issue
from sitemapkit.urls import (
    is_local_host,
    is_preview_host,
    is_repository,
    normalize_or_none,
    pages_of_repository,
    session_parameter,
)
from sitemapkit.xmltext import unescaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sitemapkit.layout import Layout
    from sitemapkit.model import Entry, Issue, Listed, Severity
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
    if not report.listed:
        yield issue("empty-sitemap", options.filename, report.why_empty())


def on_files(
    layout: Layout, sitemaps: Sequence[str], robots: bytes | None, listed: Sequence[Entry]
) -> Iterator[Issue]:
    """Yield the remarks on the files that are there now.

    `sitemaps` are the URLs that robots.txt should have, `robots` is its content. None: there is no
    such file, or it is of no concern.
    """
    yield from (
        [issue("robots-encoding", str(layout.output_dir / "robots.txt"))]
        if is_in_utf_16(robots)
        else _on_robots(layout, sitemaps, robots, listed)
    )
    for other in layout.others():
        yield issue("other-sitemap", str(other))


def _on_robots(
    layout: Layout, sitemaps: Sequence[str], robots: bytes | None, listed: Sequence[Entry]
) -> Iterator[Issue]:
    file = str(layout.output_dir / "robots.txt")
    if sitemaps and layout.options.robots == "auto":
        yield from robots_not_at_root(layout, sitemaps)
    if robots is None:
        if sitemaps and layout.options.robots == "append":
            yield issue("robots-missing", file)
        return
    if not layout.is_below_root:
        yield from robots_disallowed(robots, listed)
        lines = sitemap_lines(robots)
        for number, url in foreign_sitemaps(lines, layout.options.base_url):
            detail = f"Line {number} names {url}"
            yield issue("robots-other-host", file, detail, severity=other_host_severity(url))
    if len(robots) > _READ_BY_CRAWLERS:
        yield issue("robots-size", file, f"It has {len(robots):,} bytes.")


def sitemap_lines(robots: bytes) -> list[tuple[int, str]]:
    """Return the numbers and values of the Sitemap lines: keys in any case, without comments."""
    lines = robots.removeprefix(BOM_UTF8).decode("utf-8", "replace").splitlines()
    pairs = [
        (number, *line.partition("#")[0].partition(":")) for number, line in enumerate(lines, 1)
    ]
    return [
        (number, value.strip())
        for number, key, _, value in pairs
        if key.strip().lower() in ("sitemap", "site-map")
    ]


def foreign_sitemaps(lines: Iterable[tuple[int, str]], base_url: str) -> Iterator[tuple[int, str]]:
    """Yield the Sitemap lines of a robots.txt, with numbers, that name one on another host."""
    own = urlsplit(base_url).hostname
    for number, value in lines:
        url = normalize_or_none(value)
        if url and urlsplit(url).hostname != own:
            yield number, url


def other_host_severity(url: str) -> Severity:
    """Another host may keep sitemaps, but not this machine, its network, or a preview."""
    host = urlsplit(url).hostname or ""
    return "warning" if is_local_host(host) or is_preview_host(host) else "note"


def broken_rules(listed: Sequence[Entry]) -> Iterator[Issue]:
    """Rules that a valid entry may break: each is reported once, with the first such entry."""
    found: set[str] = set()
    for batch in batches(listed, URLS):
        text = "\n".join([entry.loc for entry in batch])
        found |= {rule for rule, sign, breaks in _RULES if sign in text and any(map(breaks, batch))}
    for rule, _, breaks in _RULES:
        if rule in found:
            yield from grouped(rule, [entry.loc for entry in listed if breaks(entry)])


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


def local_base_url(options: Options) -> Iterator[Issue]:
    """The base URL leads to this machine; without a robots.txt it is only a preview."""
    host = urlsplit(options.base_url).hostname or ""
    if is_local_host(host) and options.robots is not False:
        yield issue("local-base-url", options.spelling.base_url, f"It is {options.base_url}")


def repository_base_url(options: Options) -> Iterator[Issue]:
    """The base URL is that of the repository, where none of the pages are."""
    if is_repository(base := options.base_url):
        pages = pages_of_repository(base)
        hint = f" Did you mean {pages}?" if pages else ""
        yield issue("repository-base-url", options.spelling.base_url, f"It is {base}.{hint}")


def is_in_utf_16(robots: bytes | None) -> bool:
    """Return whether a robots.txt is in an encoding that crawlers do not read."""
    return robots is not None and robots.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def robots_not_at_root(layout: Layout, sitemaps: Sequence[str]) -> Iterator[Issue]:
    """Crawlers look for robots.txt elsewhere; all versions of mike have one, so none says it."""
    if layout.is_below_root and "MIKE_DOCS_VERSION" not in os.environ:
        needed = f"Needed: {' and '.join(f'`Sitemap: {url}`' for url in sitemaps)}."
        yield issue("robots-not-at-root", urljoin(layout.options.base_url, "/robots.txt"), needed)


def robots_disallowed(robots: bytes, listed: Sequence[Entry]) -> list[Issue]:
    """Pages are listed that robots.txt forbids; if it forbids all, that is on purpose."""
    if b"disallow" not in robots.lower():
        return []
    from sitemapkit.advice.disallowed import disallowed  # noqa: PLC0415 - few sites need it

    found = [*disallowed(robots, (entry.loc for entry in listed))]
    if len(found) == len(listed):
        detail = "It allows none of the listed pages, so search engines read none."
        return grouped("robots-disallowed", found, detail, severity="note")
    return grouped("robots-disallowed", found)


def name_sources(issues: list[Issue], listed: Sequence[Listed]) -> None:
    """Add the sources of pages to the issues that name the pages' URLs."""
    names: dict[str, list[str]] = {each.where: [] for each in issues}
    for page in listed if names else ():
        if page.loc in names and page.page.sources:
            names[page.loc].append(page.page.name)
    for n, each in enumerate(issues):
        if found := ", ".join(names[each.where]):
            detail = f"Its source is {found}. {each.detail}".rstrip()
            issues[n] = structs.replace(each, detail=detail)
