"""The titles that tables of contents show of other documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.addnodes import toctree

from sphinx_sitemapkit.shown.objects import listed
from textdates import Part
from textdates.parts import Headings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from textdates import FileOrPart


_UNLIMITED = 99
"""Default depth of a table of contents."""


class TocTitles:
    """The titles in the tables of contents of an environment."""

    def __init__(
        self,
        env: BuildEnvironment,
        config: Config,
        included: Callable[[Sequence[str]], Sequence[FileOrPart]],
        made: Mapping[str, Sequence[Part]],
    ) -> None:
        """Get the files that documents include by calling `included` with their names.

        `made` are the documents that builds make, with what each shows of code.
        """
        self._env, self._included, self._made = env, included, made
        self._texts = {"", ".txt", *config.source_suffix}

    def of(self, documents: Sequence[str]) -> Iterator[Part]:
        """Yield the titles of other documents in these documents' tables of contents.

        Each is followed by those of its sections and of the documents in its own tables, down to a
        depth. A title given in the table is text of the document itself.
        """
        waiting: list[tuple[str, toctree | None, int]] = [(name, None, 0) for name in documents]
        seen = {*documents}
        for document, outer, left in waiting:
            has_tables = document in self._env.toctree_includes
            for table in self._env.tocs[document].findall(toctree) if has_tables else ():
                depth = left or max(table.get("maxdepth", 0), 0) or _UNLIMITED
                for title, name in () if table.get("hidden") else table["entries"]:
                    if name not in self._env.all_docs or name in seen or (depth == 1 and title):
                        continue
                    seen.add(name)
                    levels = 1 if (outer or table).get("titlesonly") else depth
                    if levels > 1 or not title:
                        yield from self._headings(name, levels, own_title=not title)
                    if depth > 1:
                        waiting.append((name, outer or table, depth - 1))

    def _headings(self, name: str, levels: int, *, own_title: bool) -> Iterator[Part]:
        """Yield the headings in a document's file, and those below in the texts that it includes.

        Whole files are included without a title above them, or as sections below it.
        """
        if name in self._made:
            yield from listed(self._made[name], title_only=levels == 1)
            return
        file = Path(self._env.doc2path(name))
        yield Part(str(file), Headings(levels, own_title))
        for each in self._included([name]):
            if not isinstance(each, Part) and Path(each).suffix in self._texts:
                above = file.is_file() and bool(Headings(1)(file.read_text("utf-8-sig", "replace")))
                if levels > above:
                    yield Part(each, Headings(levels - above, own_title or above))
