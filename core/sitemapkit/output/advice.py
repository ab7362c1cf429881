"""Warnings about entries that are right by the letter and yet hardly meant."""

from __future__ import annotations

from datetime import date
from html import unescape
from typing import TYPE_CHECKING

from sitemapkit.output.values import text_if_a_date
from sitemapkit.rules import and_more
from sitemapkit.urls import session_parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitemapkit.model import Entry
    from sitemapkit.report import Report

_SHORTEST = len("http://a.bc/")
_FIRST_YEAR = 1990
"""The web is not older."""


def advise(entries: Sequence[Entry], report: Report) -> None:
    """Add one issue for each rule that entries break, with the first of them."""
    locs = "\n".join([entry.loc for entry in entries])
    for rule, mark, concerns in _RULES:
        if mark in locs and (found := [entry.loc for entry in entries if concerns(entry)]):
            report.add(rule, found[0], and_more(len(found)))


def _is_short(entry: Entry) -> bool:
    """Rule L2: the schema of the protocol wants 12 characters."""
    return len(entry.loc) < _SHORTEST


def _has_session(entry: Entry) -> bool:
    """Rule L8."""
    return session_parameter(entry.loc) is not None


def _looks_escaped(entry: Entry) -> bool:
    """Rule L11: some readers undo HTML's escapes twice, and `&copy=` means a sign to them."""
    return unescape(entry.loc) != entry.loc


def _is_old(entry: Entry) -> bool:
    """Rule LM6."""
    if isinstance(entry.lastmod, date):
        return entry.lastmod.year < _FIRST_YEAR
    return "" < text_if_a_date(entry.lastmod) < str(_FIRST_YEAR)


# Each rule, what a URL must hold to be looked at, and the question.
_RULES: tuple[tuple[str, str, Callable[[Entry], bool]], ...] = (
    ("short-url", "", _is_short),
    ("session-id", "=", _has_session),
    ("entity-parameter", "&", _looks_escaped),
    ("old-date", "", _is_old),
)
