"""The URLs of entries: in normal form (rules L1-L8), or reported and left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit.errors import UrlError
from sitemapkit.urls import normalize
from sitemapkit.xmltext import escaped_url

if TYPE_CHECKING:
    from sitemapkit.model import Entry
    from sitemapkit.options import Options
    from sitemapkit.report import Report


def with_valid_loc(entry: Entry, options: Options, report: Report) -> Entry | None:
    """Return an entry with its URL in normal form, or None if the sitemap may not list it (P6)."""
    loc = valid_url(entry.loc, "loc", options, report)
    if not loc:
        return None
    if not loc.startswith(options.base_url):
        report.add("outside-base", "loc", f"{loc} is not below {options.base_url}.")
        return None
    if loc == entry.loc:
        return entry
    return replace(entry, loc=loc)  # the caller's entry stays as it is


def valid_url(url: str, what: str, options: Options, report: Report) -> str:
    """Return a URL in normal form, or "" if it is invalid; `what` names it in the report."""
    try:
        return normalize(url, encoding=options.url_encoding)
    except UrlError as error:
        report.add("bad-url", what, f"{error}.")
        return ""


def url_as_xml(url: str, what: str, options: Options, report: Report) -> str:
    """Return the same as XML text."""
    return escaped_url(valid_url(url, what, options, report))
