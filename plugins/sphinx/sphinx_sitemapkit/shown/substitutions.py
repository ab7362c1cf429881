"""Which substitutions documents use that other files define, or the settings do."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.nodes import fully_normalize_name
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.application import Sphinx

Substitutions = tuple[str, tuple[str, ...]]
"""The full path of a file that defines substitutions, and the names of those that are used."""

_OF_SETTINGS = "<rst_"
"""How Sphinx calls the text that `conf.py` puts around each document: `<rst_prologue>`, and before
version 9 `<rst_prolog>`."""

_NAME = re.compile(r"\|([^|\n]++)\|")

_BUILT_IN = {"release", "version"}
"""Substitutions that Sphinx defines, of the settings with their names."""

_DEFINITION = re.compile(
    r"""(?x) ([ \t]*)
    (?: \.\.[ ] \| (?P<name> [^|]++) \|[ ]
    | (?P<setting> release | version) [ ]*= )"""
)

_HOW = re.compile(r"[ \t]+:(?!target:)[\w-]++:")
"""An option of an image that changes how it looks, or what is there instead of it."""


class Definitions(Struct, frozen=True):
    """The definitions of substitutions in a text; as a cut."""

    names: tuple[str, ...]
    """Their names as Docutils compares them."""

    def __str__(self) -> str:
        """Return their names, for messages."""
        return ", ".join(f"|{name}|" for name in self.names)

    def __call__(self, text: str) -> str | None:
        """Return the definitions with their text, or None if the text has none."""
        found, indent = list[str](), -1
        for line in text.splitlines():
            start = _DEFINITION.match(line)
            if start and fully_normalize_name(start["name"] or start["setting"]) in self.names:
                indent = len(start[1])
            elif line.strip() and len(line) - len(line.lstrip()) <= indent:
                indent = -1
            if indent >= 0 and not _HOW.match(line):
                found.append(line)
        return "\n".join(found) if found else None


def used(doctree: nodes.document, app: Sphinx) -> Iterator[Substitutions]:
    """Yield the other files that define substitutions for a document, and the names it uses."""
    defined: dict[str, nodes.substitution_definition] = doctree.substitution_defs
    own, settings = _full(doctree["source"]), str(Path(app.confdir, "conf.py"))
    files: dict[str, set[str]] = defaultdict(set)
    for name, definition in defined.items():
        source = definition.source or ""
        file = settings if source.startswith(_OF_SETTINGS) else _full(source)
        files[file].add(fully_normalize_name(name))
    files.pop(own, None)
    names = _with_those_inside(_named(map(_source_of, doctree.findall(_is_shown))), defined)
    if built_in := names & _BUILT_IN - defined.keys():
        files[settings] |= built_in
    for file in filter(os.path.isfile, sorted(files)):  # not a docstring, or what code makes
        yield file, tuple(sorted(names & files[file]))


def _full(path: str) -> str:
    return os.path.abspath(path)  # noqa: PTH100 - links stay, as in the notes on includes


def _is_shown(node: nodes.Node) -> bool:
    return isinstance(node, nodes.TextElement) and not isinstance(node, nodes.Invisible)


def _source_of(node: nodes.Node) -> str:
    return node.rawsource if isinstance(node, nodes.Element) else ""


def _with_those_inside(
    names: set[str], defined: Mapping[str, nodes.substitution_definition]
) -> set[str]:
    """Return names of substitutions with those that their own definitions use."""
    texts = {
        fully_normalize_name(name): definition.rawsource for name, definition in defined.items()
    }
    waiting = [*names]
    for name in waiting:  # it grows
        inner = _named([texts.get(name, "")]) - names
        names |= inner
        waiting += inner
    return names


def _named(texts: Iterable[str]) -> set[str]:
    """Return the names of the substitutions that texts use."""
    return {
        fully_normalize_name(name) for text in texts if "|" in text for name in _NAME.findall(text)
    }
