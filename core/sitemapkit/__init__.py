"""sitemapkit: sitemaps that tell the truth, for MkDocs, Pelican, Sphinx and any finished site."""

from sitemapkit.build import Build, build
from sitemapkit.bulk import write_index, write_part
from sitemapkit.errors import OptionError, OutputError, SitemapError, UrlError
from sitemapkit.model import CHANGEFREQS, Alternate, Entry, Head, Issue, Kind, Page, Part, Reason
from sitemapkit.options import Options, OptionsSchema, read_options, stated_base
from sitemapkit.report import Message, Report

__version__ = "0.1.0"

__all__ = [
    "CHANGEFREQS",
    "Alternate",
    "Build",
    "Entry",
    "Head",
    "Issue",
    "Kind",
    "Message",
    "OptionError",
    "Options",
    "OptionsSchema",
    "OutputError",
    "Page",
    "Part",
    "Reason",
    "Report",
    "SitemapError",
    "UrlError",
    "build",
    "read_options",
    "stated_base",
    "write_index",
    "write_part",
]
