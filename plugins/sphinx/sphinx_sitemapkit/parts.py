"""Which parts of files documents include: noted when directives run, and cut from any text."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from sphinx.config import Config
from sphinx.directives.code import LiteralInclude, LiteralIncludeReader
from sphinx.directives.other import Include
from sphinx.errors import PycodeError
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.logging import suppress_logging

from sitemapkit import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitemapkit.model import Cut

NOTES = "sitemapkit_included"
"""Where Sphinx keeps, while it reads a document, what that includes: by files, with full paths."""

_LINES = {"start-line", "end-line", "lines", "pyobject", "dedent"}
_CUTTING = {*_LINES, "start-after", "start-at", "end-before", "end-at"}
"""Options of all these directives that say which part they take."""

_Options = tuple[tuple[str, Any], ...]
"""Options of a directive, sorted by their names."""


class IncludedPart(Struct, frozen=True):
    """What `include` takes of a text, by its options."""

    options: _Options

    def __call__(self, text: str) -> str | None:
        """Return the part; None where the text does not have it."""
        options = dict(self.options)
        text = "\n".join(text.splitlines()[options.get("start-line") : options.get("end-line")])
        for name, side in (("start-after", 2), ("end-before", 0)):
            if marker := options.get(name):
                if marker not in text:
                    return None
                text = text.partition(marker)[side]
        return text


class LiteralPart(Struct, frozen=True):
    """What `literalinclude` takes of a text, by its options."""

    options: _Options

    def __call__(self, text: str) -> str | None:
        """Return the part; None where the text does not have it."""
        options, lines = dict(self.options), text.splitlines(keepends=True)
        with suppress_logging(), suppress(KeyError, PycodeError, ValueError):
            if name := options.get("pyobject"):  # Sphinx itself reads the file for it
                _, first, last = ModuleAnalyzer.for_string(text, "").find_tags()[name]
                lines = lines[first - 1 : last]
            cut = LiteralIncludeReader("", options, Config())
            lines = cut.lines_filter(cut.end_filter(cut.start_filter(lines)))
            return "".join(cut.dedent_filter(lines))
        return None


def note_includes() -> None:
    """Let the directives that include files note what they take, in this process from now on.

    They are wrapped, not replaced, as other extensions replace them and MyST calls one of its own.
    """
    of_myst = getattr(sys.modules.get("myst_parser.mocking"), "MockIncludeDirective", None)
    directives: Sequence[Any] = (Include, LiteralInclude, of_myst)
    for directive in directives:
        if directive and not hasattr(directive.run, "__wrapped__"):
            cut = LiteralPart if directive is LiteralInclude else IncludedPart
            directive.run = _noting(directive.run, cut)


def _noting(run: Callable[..., Any], cut: Callable[[_Options], Cut]) -> Callable[..., Any]:
    """Return a method of a directive that notes what the directive takes before it runs."""

    @wraps(run)
    def noting(self: Any) -> Any:  # noqa: ANN401
        env, options = getattr(self, "env", None) or self.renderer.sphinx_env, self.options
        with suppress(RuntimeError):  # for a file that links to itself, of which `run` tells
            if env:
                cuts = tuple(sorted((name, options[name]) for name in options.keys() & _CUTTING))
                _, file = env.relfn2path(self.arguments[0])
                notes = env.temp_data.setdefault(NOTES, {}).setdefault(file, [])
                notes.append(Part(file, cut(cuts)) if cuts else file)
                notes += [env.relfn2path(options["diff"])[1]] if "diff" in options else []
        return run(self)

    return noting
