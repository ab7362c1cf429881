"""Files that name the addresses of an earlier build, without their texts."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitemapkit import Reason
from sitemapkit.lastmod.digest import VERSION
from sitemapkit.lastmod.ledger import read_ledger
from sitemapkit_tools.diff.load import load_old
from sitemapkit_tools.explain import read_report
from sitemapkit_tools.moved.past import Past
from sitemapkit_tools.site.scan import RENDERED

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.moved.present import Present

_NOT_SERVED = frozenset(
    {Reason.DRAFT, Reason.HIDDEN, Reason.FUTURE, Reason.MISSING, Reason.EMPTY, Reason.BAD_URL}
)
"""Why a page that a report excludes had no address."""


def past_of_sitemap(place: str, budget: Budget, *, is_first: bool) -> Past:
    """Return the addresses in an old sitemap, a file or a URL; `is_first`: it may be missing.

    Raises SitemapError if it cannot be read.
    """
    return Past(place, load_old(place, budget, is_first=is_first).elements, {})


def past_of_report(file: Path) -> Past:
    """Return the addresses in the report of an earlier build. Raises SitemapError if it is none."""
    report = read_report(file)
    excluded = (url for url, each in report.excluded.items() if each.reason not in _NOT_SERVED)
    return Past(str(file), [*report.listed, *excluded], {})


def past_of_ledger(file: Path, present: Present) -> Past:
    """Return the addresses in a ledger, and which pages now have the content of each.

    Raises OptionError if it is not a ledger.
    """
    now: dict[str, list[str]] = defaultdict(list)
    for url, read in present.pages.items():
        if read.digest:
            now[f"{VERSION}{RENDERED}{read.digest}"].append(url)
    lines = read_ledger(file).lines
    by_url = {present.base_url + line.path[1:]: now.get(line.digest, []) for line in lines}
    return Past(str(file), by_url, by_url)
