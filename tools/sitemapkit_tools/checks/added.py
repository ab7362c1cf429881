"""Checks that other packages add, by entry points in the group `sitemapkit.checks`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from sitemapkit import installed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit.model import Issue, Rule
    from sitemapkit_tools.site.snapshot import SiteSnapshot


class Check(Protocol):
    """The interface of a module that adds a check."""

    RULES: Sequence[Rule]
    """The rules that it checks, with ids that no other rule has."""

    def check(self, site: SiteSnapshot) -> Iterable[Issue]:
        """Return what breaks these rules."""
        ...


def check_added(site: SiteSnapshot) -> Iterator[Issue]:
    """Check the rules that other packages add."""
    for name in installed.names(installed.CHECKS):
        yield from cast("Check", installed.load(installed.CHECKS, name)).check(site)
