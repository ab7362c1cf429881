"""The one way through: pages -> listed pages -> entries -> files -> Report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit import lastmod, output
from sitemapkit.alternates import alternates
from sitemapkit.entry import Entry
from sitemapkit.errors import OptionError
from sitemapkit.report import Report
from sitemapkit.select import select

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sitemapkit.options import Options
    from sitemapkit.page import Page


def build(pages: Iterable[Page], options: Options, output_dir: Path) -> Report:
    """Write the sitemap of `pages` and the robots.txt lines into `output_dir`.

    This is the whole core from an adapter's side. The report says which pages are listed, why
    others are not, what to mend, and which files were touched.

    Raises OptionError without a base URL, and OutputError if a file cannot be written; the files
    of the last build are then left whole.
    """
    if not options.base_url:
        raise OptionError("base_url: a sitemap needs the absolute URL of the site; set it.")
    report = Report()
    listed = select(pages, options, report)
    dated = lastmod.resolve(listed, options, report)
    translations = alternates(listed, report)
    entries = [
        Entry(
            found.loc,
            dated[found.loc].value if found.loc in dated else None,
            found.wanted.changefreq,
            found.wanted.priority,
            translations.get(found.loc, ()),
        )
        for found in listed
    ]
    report.date_sources.update(value.source for value in dated.values())
    output.write(entries, options, output_dir, report)
    return report
