"""sitemapkit: sitemaps that tell the truth, for MkDocs, Pelican, Sphinx and any finished site."""

from sitemapkit.build import build
from sitemapkit.bulk import write_index, write_part
from sitemapkit.errors import OptionError, OutputError, SitemapError, UrlError
from sitemapkit.lastmod import early_dates, start_dates
from sitemapkit.model import Alternate, Entry, Issue, Page, Reason
from sitemapkit.options import Options, read_options
from sitemapkit.report import Report

__version__ = "0.1.0"

__all__ = [
    "Alternate",
    "Entry",
    "Issue",
    "OptionError",
    "Options",
    "OutputError",
    "Page",
    "Reason",
    "Report",
    "SitemapError",
    "UrlError",
    "build",
    "early_dates",
    "read_options",
    "start_dates",
    "write_index",
    "write_part",
]
