"""What a page of API documentation shows of Python code."""

from __future__ import annotations

import ast
import copy
import re
import warnings
from functools import lru_cache
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.compare.blocks import pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_BLOCKS = re.compile(r"\n(?=\n(?:@|class |def |async ))")
"""Where a module can be split: each part must be valid Python, or else it is in a string."""

_SMALL = 10_000
"""Maximum size of a cached block: several of 2 MiB would fill the memory."""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class PythonObjects(Struct, frozen=True):
    """Cuts objects out of a module, as a page shows them.

    A module has its docstring; a class or function its docstring, decorators and signature, in any
    format; a variable its assignment, the docstring after it and its `#:` comments. Annotated
    attributes of a class are parameters if its bases or decorators may make its `__init__`.
    """

    names: tuple[str, ...]
    """Their names in the module, as in `Class.method`; "" is the module itself."""

    source: bool = False
    """Whether the page shows the source of classes and functions as it is written.

    Such pages are those of mkdocstrings, which shows no `#:` comments.
    """

    def __str__(self) -> str:
        """Return the names, for messages."""
        own = (n for n in self.names if not n.endswith(("__init__", "__new__")))
        return ", ".join(own) or "docstring"

    def __call__(self, text: str) -> str | None:
        """Return the objects one after another, or None if the text has none.

        Raises SyntaxError or ValueError if the text is not Python.
        """
        try:
            objects = _objects(text, source=self.source)
        except (MemoryError, RecursionError) as error:
            raise ValueError("nested too deeply") from error
        found = [objects[name] for name in self.names if name in objects]
        return "\n".join(chain.from_iterable(found)) if found else None


@lru_cache(maxsize=8)  # each version is compared with two others, for each page
def _objects(text: str, *, source: bool) -> Mapping[str, Sequence[str]]:
    """Return what is shown of each definition in a module, by name; names may repeat.

    This reads block by block, since most blocks stay the same in the next version.
    """
    try:
        blocks = [
            (_block if len(block) < _SMALL else _block.__wrapped__)(block, source=source)
            for block in _BLOCKS.split(text)
        ]
    except SyntaxError:  # the blank line is in a string or in brackets
        blocks = [_block.__wrapped__(text, source=source)]
    found: dict[str, list[str]] = {"": []}
    for name, shown in chain.from_iterable(blocks):
        found.setdefault(name, []).append(shown)
    return found


@lru_cache(maxsize=2048)
def _block(text: str, *, source: bool) -> Sequence[tuple[str, str]]:
    """Return the names, and what is shown, of the definitions in part of a module."""
    with warnings.catch_warnings(action="ignore"):  # of old code
        module = ast.parse(text)
    lines = re.split(r"\r\n?|\n", text)
    shown = [(name, _shown(node, lines, source=source)) for name, node in _defined(module.body, "")]
    docstring = ast.get_docstring(module)
    return [("", _unwrapped(docstring)), *shown] if docstring else shown


def _defined(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield names and nodes, including those in classes and conditions."""
    for number, node in enumerate(body):
        inner = prefix
        if isinstance(node, _Definition):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                inner = f"{prefix}{node.name}."
                yield from ((f"{inner}__init__", each) for each in _parameters(node))
            elif node.name != "__init__":  # which defines attributes of its class
                continue
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            nodes = [node, *filter(_is_text, body[number + 1 : number + 2])]
            yield from ((prefix + name, each) for name in _targets(node) for each in nodes)
        for field in ("body", "handlers", "orelse", "finalbody"):
            yield from _defined(getattr(node, field, ()), inner)


def _targets(node: ast.Assign | ast.AnnAssign) -> Iterable[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for each in (part for target in targets for part in getattr(target, "elts", [target])):
        if isinstance(each, ast.Name | ast.Attribute):
            yield each.id if isinstance(each, ast.Name) else each.attr


def _parameters(node: ast.ClassDef) -> Iterator[ast.AST]:
    """Yield the annotated attributes together if they may be those of a made `__init__`."""
    fields: list[ast.stmt] = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    own = {each.name for each in node.body if isinstance(each, _Definition)}
    if fields and (node.bases or node.decorator_list) and own.isdisjoint({"__init__", "__new__"}):
        yield ast.Module(fields, [])


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _shown(node: ast.AST, lines: Sequence[str], *, source: bool) -> str:
    """Return what is shown of an object; `lines` are those of the text around it."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and not source:
        return f"{ast.unparse(node)}\n{_comments(node, lines)}".rstrip()
    if not isinstance(node, _Definition):
        return ast.unparse(node)
    if source:
        first = min(each.lineno for each in (node, *node.decorator_list))
        return "\n".join(lines[first - 1 : node.end_lineno])
    bare = copy.copy(node)
    bare.body = [ast.Pass()]
    return f"{ast.unparse(bare)}\n{_unwrapped(ast.get_docstring(node) or '')}"


def _comments(node: ast.stmt, lines: Sequence[str]) -> str:
    """Return the text of the `#:` comments of an assignment: those above it, and one at its end."""
    beside = "".join(lines[(node.end_lineno or 1) - 1].partition("#:")[1:])
    above = (lines[number].strip() for number in range(node.lineno - 2, -1, -1))
    found = [beside, *takewhile(lambda line: line.startswith("#:"), above)]
    return _unwrapped(re.sub(r"(?m)^#: ?", "", "\n".join(reversed(found))))


def _unwrapped(docstring: str) -> str:
    """Return a docstring, in reStructuredText or Markdown, with each paragraph on one line."""
    return "\n".join(p.text for p in pieces_of(docstring, is_rest="```" not in docstring))
