"""What text each page shows. Loaded only where dates from git are wanted.

While documents are read, it is noted which files they include and which Python objects they
document; when the build ends, the files and parts of files of each page are named by these notes.
"""

from __future__ import annotations

import os
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from sphinx_sitemapkit.shown import commands, includes, objects, substitutions
from sphinx_sitemapkit.shown.files import SourceFiles
from sphinx_sitemapkit.shown.titles import TocTitles
from textdates import Part, file_of
from textdates.parts import documented

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sitemapkit import Page
    from sphinx_sitemapkit.shown.includes import Include
    from sphinx_sitemapkit.shown.objects import Object
    from sphinx_sitemapkit.shown.substitutions import Substitutions
    from textdates import FileOrPart, TextDates

Noted = tuple[tuple["Include", ...], tuple["Object", ...], tuple["Substitutions", ...]]
"""What a document includes, which objects it documents, and which substitutions it uses.

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
        tuple(substitutions.used(doctree, app)),
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
        self._notes = defaultdict[str, Noted](lambda: ((), (), ()), notes)
        self._files = SourceFiles(app.env, app.config)
        self._made = self._made_documents(app.env, history)
        """Documents that this or another build made, as autosummary does, by their files."""

        code = {name: self._code([name]) for name in self._made.values()}
        self._titles = TocTitles(app.env, app.config, self._included, code)
        self._text = cache(_text)

    def added_to(self, page: Page, documents: Sequence[str]) -> Page:
        """Return a page with the files and parts of files that it shows of these documents."""
        included = self._included(documents)
        defined = [each for name in documents for each in self._notes[name][2]]
        others = self._files.dependencies(documents, included) if self._whole_files else ()
        own = list(self._files.sources(documents, self._unseen(defined, included)))
        written = [each for each in own if file_of(each) not in self._made]
        titles = list(self._titles.of(documents))
        shown = [*included, *self._code(documents), *(titles if written != own else ())]
        return replace(
            page,
            sources=written if shown else own,
            included=shown,
            dependencies=[*titles, *self._definitions(defined, included), *others],
        )

    def _made_documents(self, env: BuildEnvironment, history: TextDates) -> Mapping[str, str]:
        """Return the documents that are made from code and other files, by their own files."""
        if not any(files or code for files, code, _ in self._notes.values()):
            return {}
        documents = {str(env.doc2path(name)): name for name in env.all_docs}
        return {file: documents[file] for file in history.made(documents)}

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

    def _definitions(
        self, defined: Iterable[Substitutions], included: Sequence[FileOrPart]
    ) -> Iterator[Part]:
        """Yield the definitions that documents use, of files that are not shown whole.

        The settings may make them from something else; then they are not dated.
        """
        for file, names in defined:
            part = Part(file, substitutions.Definitions(names))
            if names and file not in included and part.cut(self._text(file)):
                yield part

    def _unseen(
        self, defined: Iterable[Substitutions], included: Sequence[FileOrPart]
    ) -> tuple[str, ...]:
        """Return the ends of the paths of files of which documents show definitions at most."""
        shown = {*map(file_of, included)}
        files = (Path(file) for file, _ in defined if file not in shown)
        return tuple(
            f"/{os.path.relpath(each, self._srcdir).replace(os.sep, '/')}" for each in files
        )


def _text(file: str) -> str:
    return Path(file).read_text("utf-8-sig", "replace")
