"""The one way through: pages -> entries -> files -> Report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sitemapkit.options import Options
    from sitemapkit.page import Page


def build(pages: Iterable[Page], options: Options, output_dir: Path) -> Report:
    """Write the sitemap of `pages` and the robots lines into `output_dir`.

    The whole core from an adapter's side. Raises OutputError if a file cannot be written; the
    files of the last build are then left whole.
    """
    raise NotImplementedError
