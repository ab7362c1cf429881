"""What a page of API documentation shows of Python code."""

from __future__ import annotations

import ast
import copy
import re
import warnings
from functools import cache, lru_cache, partial
from itertools import takewhile
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.compare.blocks import pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_BLOCKS = re.compile(r"\n(?=\n(?:@|class |def |async ))")
"""Where a module can be split: each part must be valid Python, or else it is in a string."""

_DEFINITION = r"(?m)^(?:class|def|async)\b"

_SMALL = 10_000
"""Maximum size of blocks of which many are kept: of those of 2 MiB they would fill the memory."""

_MOST_SIGNATURES = 10_000
_signatures: dict[str, str] = {}
"""Signatures in one format, by the lines that state them."""

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
            found = self._found(self.decisive(text))
        except SyntaxError:  # a block ends in brackets
            found = self._found((text,))
        shown = [each for name in self.names for each in found.get(name, ())]
        return "\n".join(shown) if any(name in found for name in self.names) else None

    def decisive(self, text: str) -> Sequence[str]:
        """Return the blocks of a module that may define the objects, without parsing them."""
        tops = {name.partition(".")[0] for name in self.names}
        blocks = _blocks(text)
        first = blocks[:1] if "" in tops else ()
        tops.discard("")
        naming = (b for b in blocks[len(first) :] if any(top in b for top in tops))  # mostly few
        return *first, *filter(_definition_of(frozenset(tops)).search, naming)

    def _found(self, blocks: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Return what is shown of each object that the blocks define, by name."""
        found: dict[str, list[str]] = {"": []}
        wanted = frozenset(self.names)
        try:
            for block in blocks:
                read = _small_block if len(block) < _SMALL else _large_block
                for name, shown in read(block, source=self.source):
                    if name in wanted:
                        found.setdefault(name, []).append(shown())
        except (MemoryError, RecursionError) as error:
            raise ValueError("nested too deeply") from error
        return found


@lru_cache(maxsize=256)
def _definition_of(names: frozenset[str]) -> re.Pattern[str]:
    """Return what finds the code that may define one of the names, and little code that uses it."""
    one = "|".join(map(re.escape, sorted(names))) or "(?!)"
    return re.compile(
        rf"""
        \b (?:class|def) [\s\\]+ (?:{one}) \b
        |
        \b (?:{one}) \b [\s\\)\]]* [,:=#]  # perhaps one of several values
        """,
        re.VERBOSE,
    )


@lru_cache(maxsize=16)  # each version is compared with two others, for each page
def _blocks(text: str) -> Sequence[str]:
    """Return the parts of a module, most of which stay the same in the next version."""
    blocks = _BLOCKS.split(text)
    return (text,) if any(map(_is_cut_off, blocks)) else blocks


def _is_cut_off(block: str) -> bool:
    """Return whether a block ends in a string, or with a decorator."""
    last = f"\n{block}".rfind("\n@")
    is_in_string = any(block.count(quotes) % 2 for quotes in ('"""', "'''"))
    return is_in_string or (last >= 0 and not re.search(_DEFINITION, block[last:]))


def _block(text: str, *, source: bool) -> Sequence[tuple[str, Callable[[], str]]]:
    """Return the names, and what says what is shown, of the definitions in part of a module.

    Pages show few of them, so that each is worked out when it is first asked for.
    """
    with warnings.catch_warnings(action="ignore"):  # of old code
        module = ast.parse(text)
    lines = re.split(r"\r\n?|\n", text)
    docstring = ast.get_docstring(module)
    defined = [*_defined(module.body, "")]
    for _, node in defined:
        if isinstance(node, _Definition):
            del node.body[1:]  # which is not shown, and would be kept
    shown = [(name, cache(partial(_shown, node, lines, source=source))) for name, node in defined]
    return [("", partial(_unwrapped, docstring)), *shown] if docstring else shown


_small_block = lru_cache(maxsize=512)(_block)
_large_block = lru_cache(maxsize=32)(_block)


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
    docstring = ast.get_docstring(node)
    return f"{_signature(node, lines)}\n{_unwrapped(docstring) if docstring else ''}"


def _signature(node: _Definition, lines: Sequence[str]) -> str:
    """Return decorators and signature in one format; most are the same in the next version."""
    first = min(each.lineno for each in (node, *node.decorator_list))
    below = node.body[0]
    is_apart = not lines[below.lineno - 1].encode()[: below.col_offset].strip()
    written = "\n".join(lines[first - 1 : below.lineno - 1]) if is_apart else ""
    if written and (known := _signatures.get(written)):
        return known
    bare = copy.copy(node)
    bare.body = [ast.Pass()]
    shown = ast.unparse(bare)
    if written and len(_signatures) < _MOST_SIGNATURES and len(written) < _SMALL:
        _signatures[written] = shown
    return shown


def _comments(node: ast.stmt, lines: Sequence[str]) -> str:
    """Return the text of the `#:` comments of an assignment: those above it, and one at its end."""
    beside = "".join(lines[(node.end_lineno or 1) - 1].partition("#:")[1:])
    above = (lines[number].strip() for number in range(node.lineno - 2, -1, -1))
    found = [beside, *takewhile(lambda line: line.startswith("#:"), above)]
    return _unwrapped(re.sub(r"(?m)^#: ?", "", "\n".join(reversed(found))))


@lru_cache(maxsize=2048)
def _unwrapped(docstring: str) -> str:
    """Return a docstring, in reStructuredText or Markdown, with each paragraph on one line."""
    return "\n".join(p.text for p in pieces_of(docstring, is_rest="```" not in docstring))
