"""Which files documents include, and which parts of them: noted when the directives run."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any

from docutils import nodes
from msgspec import Struct
from sphinx.config import Config
from sphinx.directives.code import LiteralInclude, LiteralIncludeReader
from sphinx.directives.other import Include as IncludeDirective
from sphinx.errors import PycodeError
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.logging import suppress_logging

from textdates import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sphinx.environment import BuildEnvironment

    from textdates import FileOrPart


Options = tuple[tuple[str, Any], ...]
"""Options of a directive that select a part, sorted by name; none: the whole file."""

Include = tuple[str, bool, Options]
"""The full path of an included file, whether by `literalinclude`, and the part of it."""

_NOTES = "sitemapkit_included"
"""Where Sphinx stores the includes of the document being read: by file, with full paths."""

_CUTTING = {
    "dedent",
    "end-at",
    "end-before",
    "end-line",
    "lines",
    "pyobject",
    "start-after",
    "start-at",
    "start-line",
}
"""Options of these directives that select a part."""

_UNSEEN = nodes.Invisible
"""Comments, link targets, definitions of substitutions."""


class SelectedPart(Struct, frozen=True):
    """The part of a text that a directive selects by its options."""

    is_literal: bool
    options: Options

    def __str__(self) -> str:
        """Return the options, for messages."""
        return ", ".join(f"{name} {value}" for name, value in self.options)

    def __call__(self, text: str) -> str | None:
        """Return the part; None where the text does not have it."""
        cut = _by_literalinclude if self.is_literal else _by_include
        with suppress_logging(), suppress(KeyError, PycodeError, ValueError):
            return cut(text, dict(self.options))
        return None


def _by_include(text: str, options: dict[str, Any]) -> str:
    first = options.get("start-line")
    behind = options.get("end-line")
    shown = "\n".join(text.splitlines()[first:behind])
    start = options.get("start-after", "")
    shown = shown[shown.index(start) + len(start) :]
    end = options.get("end-before")
    return shown[: shown.index(end)] if end else shown


def _by_literalinclude(text: str, options: dict[str, Any]) -> str:
    lines = text.splitlines(keepends=True)
    name = options.get("pyobject")
    if name:  # Sphinx itself reads the file for it
        _, first, last = ModuleAnalyzer.for_string(text, "").find_tags()[name]
        lines = lines[first - 1 : last]
    cut = LiteralIncludeReader("", options, Config())
    lines = cut.start_filter(lines)
    lines = cut.end_filter(lines)
    lines = cut.lines_filter(lines)
    return "".join(cut.dedent_filter(lines))


def as_shown(include: Include) -> FileOrPart:
    """Return the included file, or the part of it."""
    file, is_literal, options = include
    if not options:
        return file
    return Part(file, SelectedPart(is_literal, options))


def wrap_directives() -> None:
    """Make the directives that include files note their parts, in this process from now on.

    They are wrapped, not replaced: other extensions replace them and MyST calls its own.
    """
    of_myst = getattr(sys.modules.get("myst_parser.mocking"), "MockIncludeDirective", None)
    directives: Sequence[Any] = (IncludeDirective, LiteralInclude, of_myst)
    for directive in directives:
        if directive and not hasattr(directive.run, "__wrapped__"):
            directive.run = _noting(directive.run, is_literal=directive is LiteralInclude)


def _noting(run: Callable[..., Any], *, is_literal: bool) -> Callable[..., Any]:
    """Return a directive's method that notes the selected part before it runs."""

    @wraps(run)
    def noting(self: Any) -> Any:  # noqa: ANN401
        with suppress(RuntimeError):  # for a link to itself, which `run` reports
            _note(self, is_literal=is_literal)
        return run(self)

    return noting


def _note(directive: Any, *, is_literal: bool) -> None:  # noqa: ANN401
    env = getattr(directive, "env", None) or directive.renderer.sphinx_env
    if not env:
        return
    options = directive.options
    selected = [(name, options[name]) for name in sorted(options.keys() & _CUTTING)]
    _, file = env.relfn2path(directive.arguments[0])
    by_file = env.temp_data.setdefault(_NOTES, {})
    notes: list[Include] = by_file.setdefault(file, [])
    notes.append((file, is_literal, tuple(selected)))
    if "diff" in options:
        _, other = env.relfn2path(options["diff"])
        notes.append((other, is_literal, ()))


def seen(doctree: nodes.document, env: BuildEnvironment) -> Iterator[Include]:
    """Yield the includes with text in the document that was just read.

    Many projects include a file of substitutions or link targets in each document; it adds no text.
    """
    notes: dict[str, list[Include]] = env.temp_data.get(_NOTES) or {}
    read = set(notes)
    for dependency in doctree.settings.record_dependencies.list:
        read.add(os.path.abspath(dependency))  # noqa: PTH100 - links stay
    if not read:
        return
    sources = set[str]()  # a few, of thousands of elements
    for element in _visible(doctree):
        for source in (element.source, element.get("source")):
            if isinstance(source, str):  # extensions set sources of other types
                sources.add(source)
    named = {os.path.abspath(each) for each in sources}  # noqa: PTH100
    for file in sorted(read & named):
        whole: Include = (file, False, ())
        found = notes.get(file, [whole])
        yield from dict.fromkeys(found)  # each once


def _visible(node: nodes.Element) -> Iterator[nodes.Element]:
    """Yield the elements below one, but nothing in the definition of a substitution.

    Where a substitution is used, its elements are inside a text of another file.
    """
    for child in node.children:
        if not isinstance(child, nodes.Element) or isinstance(child, _UNSEEN):
            continue
        is_in_text = isinstance(child, nodes.Inline) and isinstance(node, nodes.TextElement)
        if is_in_text and child.source and child.source != node.source:
            continue
        yield child
        yield from _visible(child)
