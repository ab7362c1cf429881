"""Sitemaps of any size: parts written one by one, anywhere, and an index of them all.

`write_part` takes any iterable of entries, or of plain URLs, and writes as many files as they
need, holding one at a time. Parts know nothing of each other: processes and machines can write
them side by side, each under a name of its own. What it returns is small and can be pickled.
`write_index` is called once, when all parts are there.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, cast

from sitemapkit.errors import SitemapError
from sitemapkit.output.advice import warn_of_no_pages
from sitemapkit.output.batch import batches
from sitemapkit.output.documents import fill, index_documents, limits_of
from sitemapkit.output.files import publication
from sitemapkit.output.layout import Layout
from sitemapkit.output.release import release
from sitemapkit.output.xml import Renderer
from sitemapkit.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from sitemapkit.entry import Entry
    from sitemapkit.options import Options
    from sitemapkit.output.documents import Part
    from sitemapkit.output.xml import Rendered
    from sitemapkit.report import Problem

_NAME = re.compile(r"[a-z0-9._-]+")


def write_part(
    entries: Iterable[Entry] | Iterable[str],
    options: Options,
    output_dir: Path,
    name: str,
    *,
    on_problem: Callable[[Problem], None] | None = None,
) -> list[Part]:
    """Write the files `sitemap-<name>-1.xml`, `-2` and so on; return what `write_index` needs.

    `entries` are Entry objects, or URLs as plain text, which are several times faster. They are
    written in their order, each as often as it comes. Memory stays flat: one file is held at a
    time. Of `options` these count: base_url, filename, formats, max_urls, max_bytes, url_encoding.

    `on_problem` gets what cannot be written and is left out, such as a URL outside the base URL.
    Without it the first such thing raises SitemapError. Raises OutputError if a file cannot be
    written, and ValueError for a bad name. The files of the last run are then left whole.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"a part cannot be called {name!r}: use a-z, 0-9, '.', '_' and '-'")
    layout = Layout(options, output_dir)
    renderer = Renderer(on_problem or _refuse, base=options.base_url, encoding=options.url_encoding)
    parts: list[Part] = []
    with publication(output_dir, shared=True) as new:
        for shard in fill(_rendered(entries, renderer), layout, limits_of(layout)):
            parts.append(shard.part(f"{name}-{len(parts) + 1}"))
            for document in shard.documents(layout, parts[-1].label):
                new.stage(document)
        new.commit()
    return parts


def write_index(parts: Iterable[Part], options: Options, output_dir: Path) -> Report:
    """Write the index of all parts, name it in robots.txt and remove parts of an earlier run.

    `parts` is what all calls of `write_part` returned, with the same options. The report says
    which files were written, unchanged and removed. Raises OutputError if a file cannot be written
    or there are more parts than an index may list, and ValueError if two have the same name.
    """
    listed = sorted(parts, key=lambda part: part.label)
    twice = [label for label, times in Counter(part.label for part in listed).items() if times > 1]
    if twice:
        raise ValueError(f"two parts are called {twice[0]!r}")
    layout = Layout(options, output_dir)
    report = Report()
    if not listed:
        warn_of_no_pages(report, options.filename)
    index = index_documents(listed, layout) if listed else []
    kept = [layout.file(part.label, form) for part in listed for form in layout.formats]
    release(index, layout, report, entry_files=[document.path for document in index[:1]], kept=kept)
    return report


def _rendered(entries: Iterable[Entry] | Iterable[str], renderer: Renderer) -> Iterator[Rendered]:
    for batch in batches(cast("Iterable[Entry | str]", entries)):
        if isinstance(batch[0], str):
            yield renderer.render_urls(cast("list[str]", batch))
        else:
            yield renderer.render(cast("list[Entry]", batch))


def _refuse(problem: Problem) -> None:
    raise SitemapError(f"{problem.where}: {problem.message} {problem.fix}")
