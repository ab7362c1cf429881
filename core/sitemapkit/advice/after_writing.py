"""Remarks on what is written: the entries, the files, and robots.txt beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from sitemapkit.advice.addresses import local_base_url, repository_base_url
from sitemapkit.layout import Layout
from sitemapkit.output.robots import is_in_utf_16, read_robots
from sitemapkit.rules import grouped, issue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitemapkit.model import Entry, Issue, Listed
    from sitemapkit.options import Options
    from sitemapkit.report import Report

_SHORTEST = len("http://a.bc/")
"""Characters of a URL that the protocol's schema requires (L2)."""

_READ_BY_CRAWLERS = 500 * 1024
"""Bytes of a robots.txt."""


def on_entries(report: Report, options: Options) -> Iterator[Issue]:
    """Yield the remarks on the entries, `report.listed`, and on the sitemap as a whole."""
    too_short = [entry.loc for entry in report.listed if len(entry.loc) < _SHORTEST]
    yield from grouped("short-url", too_short)
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
    # Of one in UTF-16 crawlers read no line at all.
    if robots and not is_in_utf_16(robots) and len(robots) > _READ_BY_CRAWLERS:
        detail = f"It has {len(robots):,} bytes."
        yield issue("robots-size", str(output_dir / "robots.txt"), detail)
    for other in layout.others():
        yield issue("other-sitemap", str(other))


def x_default_unused(listed: Sequence[Entry], options: Options) -> Iterator[Issue]:
    """The language for all other readers, if pages have translations and none is in it."""
    if not options.x_default:
        return
    from sitemapkit.languages import X_DEFAULT  # noqa: PLC0415 - few sites have several

    codes: set[str] = set()
    for entry in listed:
        codes.update(dict(entry.alternates))
    if codes and X_DEFAULT not in codes:
        where = f"{options.spelling.where}, {options.spelling.prefix}x_default"
        known = ", ".join(map(repr, sorted(codes)))
        detail = f"It is {options.x_default!r}; the pages are in {known}."
        yield issue("x-default-unused", where, detail)


def name_sources(issues: list[Issue], listed: Sequence[Listed]) -> None:
    """Add the sources of pages to the issues that name the pages' URLs."""
    if not issues:
        return
    names: dict[str, list[str]] = {each.where: [] for each in issues}
    for each in listed:
        if each.loc in names and each.page.sources:
            names[each.loc].append(each.page.name)
    for n, found in enumerate(issues):
        sources = ", ".join(names[found.where])
        if sources:
            detail = f"Its source is {sources}. {found.detail}".rstrip()
            issues[n] = structs.replace(found, detail=detail)
