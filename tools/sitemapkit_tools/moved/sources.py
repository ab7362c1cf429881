"""Files that name the addresses of an earlier build, without their texts."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit import Reason
from sitemapkit.errors import SitemapError
from sitemapkit.lastmod.digest import VERSION
from sitemapkit.lastmod.ledger import read_ledger
from sitemapkit_tools.diff.load import load_path, load_url
from sitemapkit_tools.explain import read_report
from sitemapkit_tools.moved.past import AddressPast
from sitemapkit_tools.site.scan import RENDERED

if TYPE_CHECKING:
    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.moved.present import Present

_NOT_SERVED = frozenset(
    {Reason.DRAFT, Reason.HIDDEN, Reason.FUTURE, Reason.MISSING, Reason.EMPTY, Reason.BAD_URL}
)
"""Why a page that a report excludes had no address."""


def past_of_sitemap(place: str, budget: Budget) -> AddressPast:
    """Return the addresses in an old sitemap, a file or a URL.

    Raises SitemapError if it cannot be read.
    """
    if "://" not in place:
        if not Path(place).is_file():
            raise SitemapError(f"--old {place}: there is no such file or directory")
        return AddressPast(place, load_path(Path(place), budget).elements, {})
    from sitemapkit_tools.web.client import Client  # noqa: PLC0415 - 30 ms

    client = Client(budget=budget)
    try:
        return AddressPast(place, load_url(place, client).elements, {})
    finally:
        client.close()


def past_of_report(file: Path) -> AddressPast:
    """Return the addresses in the report of an earlier build. Raises SitemapError if it is none."""
    report = read_report(file)
    excluded = (url for url, each in report.excluded.items() if each.reason not in _NOT_SERVED)
    return AddressPast(str(file), [*report.listed, *excluded], {})


def past_of_ledger(file: Path, present: Present) -> AddressPast:
    """Return the addresses in a ledger, and which pages now have the content of each.

    Raises OptionError if it is not a ledger.
    """
    now: dict[str, list[str]] = defaultdict(list)
    for url, read in present.pages.items():
        if read.digest:
            now[f"{VERSION}{RENDERED}{read.digest}"].append(url)
    lines = read_ledger(file).lines
    by_url = {present.base_url + line.path[1:]: now.get(line.digest, []) for line in lines}
    return AddressPast(str(file), by_url, by_url)
