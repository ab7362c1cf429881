"""sitemapkit: sitemaps that tell the truth, for MkDocs, Pelican, Sphinx and any finished site."""

from sitemapkit.build import build
from sitemapkit.entry import Alternate, Entry
from sitemapkit.errors import OptionError, OutputError, SitemapError, UrlError
from sitemapkit.lastmod import early_dates, start_dates
from sitemapkit.options import Options, read_options
from sitemapkit.output import write_index, write_part
from sitemapkit.page import Page
from sitemapkit.report import Problem, Reason, Report

__version__ = "0.1.0"

__all__ = [
    "Alternate",
    "Entry",
    "OptionError",
    "Options",
    "OutputError",
    "Page",
    "Problem",
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
