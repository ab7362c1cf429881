"""Which parts of files documents show: noted when directives run, and cut from any text."""

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
from sphinx.util.inspect import safe_getattr
from sphinx.util.logging import suppress_logging

from sitemapkit import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from textdates import Cut

NOTES = "sitemapkit_included"
"""Where Sphinx stores the includes of the document being read: by file, with full paths."""

_OBJECTS = "sitemapkit_objects"
"""The same for autodoc: modules and names in them, by names in the document."""

_LINES = {"start-line", "end-line", "lines", "pyobject", "dedent"}
_CUTTING = {*_LINES, "start-after", "start-at", "end-before", "end-at"}
"""Options of these directives that select a part."""

_Options = tuple[tuple[str, Any], ...]
"""Options of a directive, sorted by name."""


class _SelectedPart(Struct, frozen=True):
    """The part of a text that a directive selects by its options."""

    options: _Options

    def __str__(self) -> str:
        """Return the options, for messages."""
        return ", ".join(f"{name} {value}" for name, value in self.options)


class IncludedPart(_SelectedPart, frozen=True):
    """The part of a text that `include` selects by its options."""

    def __call__(self, text: str) -> str | None:
        """Return the part; None where the text does not have it."""
        options = dict(self.options)
        shown = "\n".join(text.splitlines()[options.get("start-line") : options.get("end-line")])
        for name, side in (("start-after", 2), ("end-before", 0)):
            if marker := options.get(name, ""):
                if marker not in shown:
                    return None
                shown = shown.partition(marker)[side]
        return shown


class LiteralPart(_SelectedPart, frozen=True):
    """The part of a text that `literalinclude` selects by its options."""

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
    """Make the directives that include files note their parts, in this process from now on.

    They are wrapped, not replaced: other extensions replace them and MyST calls its own.
    """
    of_myst = getattr(sys.modules.get("myst_parser.mocking"), "MockIncludeDirective", None)
    directives: Sequence[Any] = (Include, LiteralInclude, of_myst)
    for directive in directives:
        if directive and not hasattr(directive.run, "__wrapped__"):
            cut = LiteralPart if directive is LiteralInclude else IncludedPart
            directive.run = _noting(directive.run, cut)


def _noting(run: Callable[..., Any], cut: Callable[[_Options], Cut]) -> Callable[..., Any]:
    """Return a directive's method that notes the selected part before it runs."""

    @wraps(run)
    def noting(self: Any) -> Any:  # noqa: ANN401
        env, options = getattr(self, "env", None) or self.renderer.sphinx_env, self.options
        with suppress(RuntimeError):  # for a link to itself, which `run` reports
            if env:
                cuts = tuple(sorted((name, options[name]) for name in options.keys() & _CUTTING))
                _, file = env.relfn2path(self.arguments[0])
                notes = env.temp_data.setdefault(NOTES, {}).setdefault(file, [])
                notes.append(Part(file, cut(cuts)) if cuts else file)
                notes += [env.relfn2path(options["diff"])[1]] if "diff" in options else []
        return run(self)

    return noting


def note_object(app: Sphinx, what: str, name: str, obj: object, *_args: object) -> None:
    """Note which module defines an object that autodoc documents, and under which name."""
    temp_data: Any = app.env.temp_data
    noted: dict[str, tuple[str, str]] = temp_data.setdefault(_OBJECTS, {})
    defined: Any = safe_getattr(obj, "fget", obj)
    module, inner = (str(safe_getattr(defined, f"__{n}__", "")) for n in ("module", "qualname"))
    owner, _, last = name.rpartition(".")
    if what == "module":
        module, inner = name, ""
    elif what in ("attribute", "data") or not inner:  # a value does not know its name
        module, outer = noted.get(owner, (owner, ""))
        inner = f"{outer}.{last}".lstrip(".")
    noted[name] = module, inner


def documented_objects(env: BuildEnvironment) -> Sequence[Part]:
    """Return what autodoc documents in the document just read, as parts of Python files."""
    noted: dict[str, tuple[str, str]] = env.temp_data.get(_OBJECTS) or {}
    if not noted:
        return ()
    from textdates.parts import documented  # noqa: PLC0415 - loaded if used

    file_of = {m: str(getattr(sys.modules.get(m), "__file__", "")) for m, _ in noted.values()}
    # A class shows the parameters of these methods.
    found = ((file_of[m], n + i) for m, n in noted.values() for i in ("", ".__init__", ".__new__"))
    return documented((each for each in found if each[0].endswith(".py")), env.srcdir)
