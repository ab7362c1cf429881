"""The first deploy of a site: there is nothing yet that it could be compared with."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sitemapkit.errors import SitemapError
from sitemapkit_tools.console import echo

if TYPE_CHECKING:
    from collections.abc import Generator


class NothingYetError(SitemapError):
    """The old sitemap or branch is not there."""


@contextmanager
def what_was_before(*, is_first: bool) -> Generator[None]:
    """Go on behind the block if nothing is there, as `is_first` allows, and say so.

    Raises SitemapError otherwise, which names the flag.
    """
    try:
        yield
    except NothingYetError as error:
        what = str(error).rstrip(".")
        if not is_first:
            raise SitemapError(f"{what}. If nothing was deployed before, add --first") from error
        echo(f"{what}: taken for the first deploy, so that all is new.", err=True)
