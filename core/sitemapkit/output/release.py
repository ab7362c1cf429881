"""The last step: all files of a sitemap into place, and its entry files into robots.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.output.files import publication
from sitemapkit.output.robots import robots_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sitemapkit.output.files import Document
    from sitemapkit.output.layout import Layout
    from sitemapkit.report import Report


def release(
    documents: Iterable[Document],
    layout: Layout,
    report: Report,
    *,
    entry_files: Sequence[Path],
    kept: Iterable[Path] = (),
) -> None:
    """Put documents in place, children before the index that names them, and remove obsolete files.

    `entry_files` are what robots.txt names; `kept` are files of ours that are there already.
    Raises OutputError if a file cannot be written.
    """
    wanted = {*kept}
    with publication(layout.output_dir) as new:
        for document in documents:
            new.stage(document)
            wanted.add(document.path)
        urls = [layout.url(file) for file in entry_files]
        robots = robots_document(layout.options, layout.output_dir, urls, report)
        if robots:
            new.stage(robots)
        new.commit(layout.obsolete(wanted))
    report.entry_file = next(iter(entry_files), None)
    report.written += new.written
    report.unchanged += new.unchanged
    report.removed += new.removed
