"""What a page of API documentation shows of Python code."""

from __future__ import annotations

import ast
import copy
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class PythonObjects(Struct, frozen=True):
    """Cuts objects out of the text of a module, as a page shows them.

    A module has its docstring; a class or a function its docstring, decorators and signature, in
    any format; a variable its assignment, and the docstring after that.
    """

    names: tuple[str, ...]
    """Their names in the module, as in `Class.method`; "" is the module itself."""

    source: bool = False
    """Whether the page shows the source of classes and functions as it is written."""

    def __call__(self, text: str) -> str | None:
        """Return the objects one after another, None if the text has none of them.

        Raises SyntaxError or ValueError if the text is not Python.
        """
        try:
            return _cut(self, text)
        except (MemoryError, RecursionError) as error:
            raise ValueError("nested too deeply") from error


@lru_cache(maxsize=256)  # each version is compared with two others
def _cut(cut: PythonObjects, text: str) -> str | None:
    objects = _objects(text)
    nodes = [node for name in cut.names for node in objects.get(name, ())]
    lines = text.split("\n") if cut.source else []
    return "\n".join(_shown(node, lines) for node in nodes) if nodes else None


@lru_cache(maxsize=8)
def _objects(text: str) -> Mapping[str, Sequence[ast.AST]]:
    """Return what a module defines, by name; a name may be defined several times."""
    with warnings.catch_warnings(action="ignore"):  # of old code
        module = ast.parse(text)
    found: dict[str, list[ast.AST]] = {"": [module]}
    for name, node in _defined(module.body, ""):
        found.setdefault(name, []).append(node)
    return found


def _defined(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield names and nodes, those in classes and under conditions too."""
    for number, node in enumerate(body):
        inner = prefix
        if isinstance(node, _Definition):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                inner = f"{prefix}{node.name}."
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


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _shown(node: ast.AST, lines: Sequence[str]) -> str:
    """Return what is shown of an object; `lines` are those of its module if it shows its source."""
    if isinstance(node, ast.Module):
        return ast.get_docstring(node) or ""
    if not isinstance(node, _Definition):
        return ast.unparse(node)
    if lines:
        first = min(each.lineno for each in (node, *node.decorator_list))
        return "\n".join(lines[first - 1 : node.end_lineno])
    bare = copy.copy(node)
    bare.body = [ast.Pass()]
    return f"{ast.unparse(bare)}\n{ast.get_docstring(node) or ''}"
