"""Which pages of a finished site have no date, told by kind: why, and in which folders."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitemapkit.lastmod.resolver import UNKNOWN
from sitemapkit_tools.console import counted

if TYPE_CHECKING:
    from sitemapkit.report import Report

_MOST_KINDS = 4
"""Kinds that are told apart; the rest is counted."""


def undated_by_kind(report: Report) -> str:
    """Return which pages have no date although git was asked, in a sentence; "" if all have one."""
    reasons: Counter[str] = Counter()
    folders: dict[str, Counter[str]] = {}
    for url, lastmod in report.dates.items():
        reason = dict(lastmod.skipped).get("git")
        if lastmod.value is None and reason:
            reasons[reason] += 1
            folder = url.removeprefix(report.base_url).rpartition("/")[0].partition("/")[0]
            folders.setdefault(reason, Counter())[folder] += 1
    if not reasons:
        return ""
    kinds: list[str] = []
    rest = reasons.total()
    for reason, count in reasons.most_common(_MOST_KINDS):
        kinds.append(f"of {count:,} {_in_words(reason)}{_mostly_in(folders[reason], count)}")
        rest -= count
    if rest:
        kinds.append(f"{rest:,} for other reasons")
    undated = counted(reasons.total(), "page has", "pages have")
    return f"{undated} none, of {len(report.dates):,}: {'; '.join(kinds)}."


def _in_words(reason: str) -> str:
    return "no source is known" if reason == UNKNOWN["git"] else f"git says: {reason}"


def _mostly_in(folders: Counter[str], count: int) -> str:
    """Return in which top folder most of these pages are, if that tells more than their number."""
    folder, inside = folders.most_common(1)[0]
    if not folder or count == 1:
        return ""
    return f" (all in {folder}/)" if inside == count else f" ({inside:,} of them in {folder}/)"
