"""What the commands share that compare an old site with a new one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from sitemapkit.content import MAIN, NOISE
from sitemapkit_tools.commands.terminal import jobs_option, progress, selector_option
from sitemapkit_tools.diff.compare import content_digests, diff
from sitemapkit_tools.diff.load import load_path, load_url
from sitemapkit_tools.site.read_pages import Wanted
from sitemapkit_tools.web.client import Client

if TYPE_CHECKING:
    from sitemapkit_tools.diff.compare import Difference
    from sitemapkit_tools.diff.load import Loaded


class ContentFlags(Protocol):
    """The flags that say whether and how contents are compared."""

    @property
    def content(self) -> bool:
        """Whether they are."""
        ...

    @property
    def main(self) -> tuple[str, ...]:
        """Selectors of the main content."""
        ...

    @property
    def noise(self) -> tuple[str, ...]:
        """Selectors of what in it does not count."""
        ...

    @property
    def jobs(self) -> int | None:
        """Processes that read."""
        ...


def content_flags(command: Any) -> Any:  # noqa: ANN401 - as click's own decorators
    """Give a command the flags of `ContentFlags`."""
    for flag in (
        jobs_option,
        selector_option("--noise", "What does not count."),
        selector_option("--main", "The main content."),
        click.option(
            "--content",
            is_flag=True,
            help="Compare the main content of the pages, too; OLD and NEW are directories.",
        ),
    ):
        command = flag(command)
    return command


def differ(old: str, new: str, flags: ContentFlags) -> Difference:
    """Load both sides and compare them. Raises SitemapError if one of them cannot be read."""
    sides = load(old), load(new)
    if not flags.content:
        return diff(*sides)
    wanted = Wanted(digest=True, main=flags.main or MAIN, noise=flags.noise or NOISE)
    before, after = (_digests(side, wanted, flags.jobs) for side in sides)
    return diff(*sides, contents=(before, after))


def load(place: str) -> Loaded:
    """Load a sitemap from a file, a directory or a URL."""
    if "://" not in place:
        return load_path(Path(place))
    client = Client()
    try:
        return load_url(place, client)
    finally:
        client.close()


def _digests(side: Loaded, wanted: Wanted, jobs: int | None) -> dict[str, str]:
    with progress(f"Reading {side.name}", len(side.listings)) as tick:
        return dict(content_digests(side, wanted, jobs=jobs, tick=tick))
