"""What text each page shows. Loaded only where dates from git are wanted.

While documents are read, it is noted which files they include and which Python objects they
document; when the build ends, the files and parts of files of each page are named by these notes.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from sphinx_sitemapkit.texts import commands, includes, objects
from sphinx_sitemapkit.texts.files import SourceFiles
from textdates import file_of
from textdates.parts import documented

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sitemapkit import Page
    from sphinx_sitemapkit.texts.includes import Include
    from sphinx_sitemapkit.texts.objects import Object
    from textdates import FileOrPart, Part, TextDates

Noted = tuple[tuple["Include", ...], tuple["Object", ...]]
"""What a document includes, and which objects it documents.

These are tuples of plain values, so that Sphinx can load its environment without this package.
"""


def begin(app: Sphinx) -> None:
    """Make directives and autodoc note what they show, from now on."""
    includes.wrap_directives()
    objects.connect(app)


def noted(app: Sphinx, doctree: nodes.document) -> Noted:
    """Return what was noted of the document that was just read."""
    files, functions = commands.shown(app)
    return (
        (*includes.seen(doctree, app.env), *files),
        (*objects.documented(doctree, app.env), *functions),
    )


class ShownTexts:
    """The texts of the pages of one build."""

    def __init__(
        self, app: Sphinx, notes: Mapping[str, Noted], history: TextDates, *, whole_files: bool
    ) -> None:
        """Take the notes on each document; `whole_files`: all dependencies count, not only parts.

        Documents that Sphinx read without this package have no notes.
        """
        self._srcdir, self._whole_files = Path(app.srcdir), whole_files
        self._notes = defaultdict[str, Noted](lambda: ((), ()), notes)
        self._files = SourceFiles(app.env, app.config)
        self._made = self._made_documents(app.env, history)
        """Documents that this or another build made, as autosummary does: their files."""

    def added_to(self, page: Page, documents: Sequence[str]) -> Page:
        """Return a page with the files and parts of files that it shows of these documents."""
        included = self._included(documents)
        others = self._files.dependencies(documents, included) if self._whole_files else ()
        own = list(self._files.sources(documents))
        written = [each for each in own if file_of(each) not in self._made]
        shown = [*included, *self._code(documents)]
        return replace(
            page,
            sources=written if shown else own,
            included=shown,
            dependencies=[*others],
        )

    def _made_documents(self, env: BuildEnvironment, history: TextDates) -> Collection[str]:
        if not any(files or code for files, code in self._notes.values()):
            return ()
        return history.made({str(env.doc2path(name)) for name in env.all_docs})

    def _code(self, documents: Sequence[str]) -> list[Part]:
        found: list[Part] = []
        for objects_shown in (self._notes[name][1] for name in documents):
            extents: list[Literal["whole", "row"]] = [each[2] for each in objects_shown]
            for extent in dict.fromkeys(extents):
                some = (each[:2] for each in objects_shown if each[2] == extent)
                found += documented(some, self._srcdir, extent=extent)
        return found

    def _included(self, documents: Sequence[str]) -> list[FileOrPart]:
        return [includes.as_shown(each) for name in documents for each in self._notes[name][0]]
