"""What text each page shows. Loaded only where dates from git are wanted.

While documents are read, it is noted which files they include and which Python objects they
document; when the build ends, the files and parts of files of each page are named by these notes.
Nothing here knows what a sitemap is.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sphinx_sitemapkit.texts import commands, includes, objects
from sphinx_sitemapkit.texts.sources import Sources
from textdates import file_of
from textdates.parts import documented

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from docutils import nodes
    from sphinx.application import Sphinx

    from sphinx_sitemapkit.texts.includes import Include
    from sphinx_sitemapkit.texts.objects import Extent, Object
    from textdates import FileOrPart, FilePath, TextDates

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
    included = (*includes.seen(doctree, app.env), *files)
    return included, (*objects.documented(doctree, app.env), *functions)


class Text(NamedTuple):
    """The text of a page: files, and parts of files."""

    sources: Sequence[FileOrPart]
    """What the page was made from."""

    included: Sequence[FileOrPart]
    """What it shows of other files."""

    dependencies: Sequence[FilePath]
    """What else it depends on."""


class DocumentTexts:
    """The texts of the documents of one build."""

    def __init__(
        self, app: Sphinx, notes: Mapping[str, Noted], history: TextDates, *, whole_files: bool
    ) -> None:
        """Take the notes on each document; `whole_files`: all dependencies count, not only parts.

        Documents that Sphinx read without this package have no notes.
        """
        self._srcdir = Path(app.srcdir)
        self._whole_files = whole_files
        self._notes = notes
        self._sources = Sources(app.env, app.config)
        self._made: Collection[str] = ()
        """Documents that this or another build made, as autosummary does: their files."""

        if any(files or code for files, code in notes.values()):
            paths = {str(app.env.doc2path(name)) for name in app.env.all_docs}
            self._made = history.made(paths)

    def of(self, documents: Sequence[str]) -> Text:
        """Return the text of a page that shows these documents."""
        included: list[FileOrPart] = []
        code: list[FileOrPart] = []
        for name in documents:
            if name in self._notes:
                files, shown_objects = self._notes[name]
                included += map(includes.as_shown, files)
                code += self._code(shown_objects)
        dependencies: list[Path] = []
        if self._whole_files:
            dependencies += self._sources.dependencies(documents, included)
        sources = list(self._sources.of(documents))
        if included or code:  # without these, nothing tells what a document was made of
            sources = [each for each in sources if file_of(each) not in self._made]
        return Text(sources, [*included, *code], dependencies)

    def _code(self, shown_objects: Sequence[Object]) -> list[FileOrPart]:
        """Return the parts of Python files that show objects, all those of one extent together."""
        by_extent: defaultdict[Extent, list[tuple[str, str]]] = defaultdict(list)
        for file, name, extent in shown_objects:
            by_extent[extent].append((file, name))
        parts: list[FileOrPart] = []
        for extent, some in by_extent.items():
            parts += documented(some, self._srcdir, extent=extent)
        return parts
