"""What text each page shows. Loaded only where dates from git are wanted.

While documents are read, it is noted which files they include and which Python objects they
document; when the build ends, the files and parts of files of each page are named by these notes.
Nothing here knows what a sitemap is.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sphinx_sitemapkit.ablog import lists_in
from sphinx_sitemapkit.texts import commands, includes, objects
from sphinx_sitemapkit.texts.galleries import Galleries
from textdates import Part, file_of
from textdates.bounds import real_path
from textdates.parts import Shown, documented, is_installed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from docutils import nodes
    from sphinx.application import Sphinx

    from sphinx_sitemapkit.ablog import Blog, PostList, ShownPost
    from sphinx_sitemapkit.catalogs import Catalogs
    from sphinx_sitemapkit.texts.includes import Include
    from sphinx_sitemapkit.texts.objects import Extent, Object
    from textdates import FileOrPart, FilePath, TextDates

Noted = tuple[tuple["Include", ...], tuple["Object", ...], tuple["PostList", ...]]
"""What a document includes, which objects it documents, and its lists of posts.

These are tuples of plain values, so that Sphinx can load its environment without this package.
"""


def begin(app: Sphinx) -> None:
    """Make directives and autodoc note what they show, from now on."""
    includes.wrap_directives()
    objects.connect(app)


def noted(app: Sphinx, doctree: nodes.document) -> Noted:
    """Return what was noted of the document that was just read."""
    included, code = commands.shown(app)
    included += includes.seen(doctree, app.env)
    code += objects.documented(doctree, app.env)
    lists = lists_in(doctree) if "ablog" in app.extensions else ()
    return tuple(included), tuple(code), tuple(lists)


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
        self,
        app: Sphinx,
        notes: Mapping[str, Noted],
        catalogs: Catalogs,
        blog: Blog,
        history: TextDates,
    ) -> None:
        """Take the notes on each document; those that were read without this package have none."""
        self._env = app.env
        self._srcdir = Path(app.srcdir)
        self._notes = notes
        self._history = history
        self._catalogs = catalogs
        self._blog = blog
        self._galleries = Galleries(app)

    def of(
        self, documents: Sequence[str], listed: Sequence[ShownPost], *, whole_files: bool
    ) -> Text:
        """Return the text of a page that shows these documents, and lists these posts.

        `whole_files`: all dependencies count, not only parts.
        """
        sources: list[FileOrPart] = []
        included: list[FileOrPart] = []
        posts = [*listed]
        code: list[FileOrPart] = []
        for name in documents:
            file = Path(self._env.doc2path(name))
            sources += self._galleries.written(file)
            if not self._catalogs.is_shared(name):
                sources += self._catalogs.of(name)
            if name in self._notes:
                files, shown_objects, lists = self._notes[name]
                included += map(includes.as_shown, files)
                code += self._code(shown_objects)
                for each in lists:
                    posts += self._blog.shown_by(each, name)
        for name, words in posts:
            cut = Shown(text=words > 0, words=words)
            included.append(Part(str(self._env.doc2path(name)), cut))
        dependencies: list[FilePath] = []
        if whole_files:
            dependencies += self._dependencies(documents, included)
        if included or code:  # without these, nothing tells what a document was made of
            sources = [each for each in sources if file_of(each) not in self._made]
        return Text(sources, [*included, *code], dependencies)

    def _dependencies(
        self, documents: Sequence[str], included: Sequence[FileOrPart]
    ) -> Iterator[FilePath]:
        """Yield what else the documents show or document, and the catalogs that they share."""
        known = {real_path(file_of(each)) for each in included}
        for name in documents:
            for dependency in self._env.dependencies.get(name, ()):
                path = real_path(self._srcdir / dependency)
                # Compiled catalogs and Docutils settings are no texts.
                is_text = not path.endswith((".mo", "docutils.conf"))
                if is_text and path not in known and not is_installed(path):
                    yield path
            if self._catalogs.is_shared(name):
                yield from self._catalogs.of(name)

    @cached_property
    def _made(self) -> AbstractSet[str]:
        """The files of documents that this or another build made, as autosummary does."""
        paths = {str(self._env.doc2path(name)) for name in self._env.all_docs}
        return self._history.made(paths)

    def _code(self, shown_objects: Sequence[Object]) -> Sequence[FileOrPart]:
        """Return the parts of Python files that show objects."""
        parts: list[FileOrPart] = []
        extents: tuple[Extent, ...] = ("whole", "row")
        for extent in extents:
            some = [(file, name) for file, name, shown in shown_objects if shown == extent]
            parts += documented(some, self._srcdir, extent=extent)
        return parts
