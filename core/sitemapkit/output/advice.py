"""Warnings about entries that are right by the letter and yet hardly meant."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from typing import TYPE_CHECKING

from sitemapkit.output.values import text_if_a_date

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitemapkit.entry import Entry
    from sitemapkit.report import Report

_SHORTEST = len("http://a.bc/")
_FIRST_YEAR = 1990
"""The web is not older."""

_SESSION = re.compile(r"[?&;](?:phpsessid|jsessionid|sessionid|sid)=", re.IGNORECASE)


def advise(entries: Sequence[Entry], report: Report) -> None:
    """Add one warning for each rule that entries touch, with the first of them."""
    locs = "\n".join([entry.loc for entry in entries])
    for rule, mark, concerns, message, fix in _RULES:
        if mark not in locs:
            continue
        found = [entry.loc for entry in entries if concerns(entry)]
        if found:
            more = f" So have {len(found) - 1:,} more." if len(found) > 1 else ""
            report.warn(rule, found[0], message + more, fix)


def warn_of_no_pages(report: Report, filename: str) -> None:
    """Rule D9: an empty sitemap is not valid."""
    report.warn(
        "empty-sitemap",
        f"filename: {filename}",
        "No page is listed, so no sitemap was written.",
        "Check the base URL, drafts and the exclude patterns.",
    )


def _is_short(entry: Entry) -> bool:
    """Rule L2: the schema of the protocol wants 12 characters."""
    return len(entry.loc) < _SHORTEST


def _has_session(entry: Entry) -> bool:
    """Rule L8."""
    return _SESSION.search(entry.loc) is not None


def _looks_escaped(entry: Entry) -> bool:
    """Rule L11: some readers undo HTML's escapes twice, and `&copy=` means a sign to them."""
    return unescape(entry.loc) != entry.loc


def _is_ancient(entry: Entry) -> bool:
    """Rule LM6."""
    if isinstance(entry.lastmod, date):
        return entry.lastmod.year < _FIRST_YEAR
    return "" < text_if_a_date(entry.lastmod) < str(_FIRST_YEAR)


# Each rule: its id, what a URL must hold to be looked at, the question, and the words.
_RULES: tuple[tuple[str, str, Callable[[Entry], bool], str, str], ...] = (
    (
        "short-url",
        "",
        _is_short,
        "has a URL of fewer than 12 characters, which some readers refuse.",
        "Use the full name of the host.",
    ),
    (
        "session-id",
        "=",
        _has_session,
        "has a visitor's session in its URL.",
        "Link the page without it.",
    ),
    (
        "entity-in-url",
        "&",
        _looks_escaped,
        "has a query parameter that some readers take for an HTML entity.",
        "Rename the parameter, or put it first.",
    ),
    (
        "ancient-lastmod",
        "",
        _is_ancient,
        "has a date before 1990.",
        "Correct it, or leave it out.",
    ),
)
