"""What a page of API documentation shows of Python code."""

from __future__ import annotations

import ast
import re
import warnings
from contextlib import contextmanager
from functools import lru_cache, partial
from inspect import cleandoc
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec import Struct

from textdates.compare.blocks import pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

_BLOCKS = re.compile(r"\n(?=\n(?:@|class |def |async ))")
"""Where a module can be split: each part must be valid Python, or else it is in a string."""

_DEFINITION = r"(?m)^ *(?:class|def|async)\b"

_CLASS = re.compile(r"(?:(?:[@ )].*)?\n)*+class[ ]+(\w+)")
"""The first line of a class, and its decorators above."""

_AT_MARGIN = re.compile(r"\n[^ )\n]")

_METHODS = re.compile(r"\n(?=\n    (?:@|class |def |async ))")
"""Where a class can be split."""

_METHOD = re.compile(r"(?m)^    (?:async[ ]+)?(?:def|class)[\s\\]+(\w+)")

_OF_CLASS = re.compile(r"(?m)^    (?:def __(?:init|new)__\b|(?!(?:def|async|class)\b)\w)")
"""What may say which parameters a class has, and what else of it is no method."""

_SMALL = 10_000
"""Maximum size of code of which much is kept: of blocks of 2 MiB it would fill the memory."""

_PUBLIC = re.compile(r"(?m)^[ \t]*(?:async[ ]+)?(?:def|class)[ ]+([a-zA-Z]\w*)")
"""Definitions that are no private ones."""

Source = Literal["none", "functions", "all"]
"""Of what a page shows the source: functions only, or classes, too."""

Extent = Literal["whole", "row", "name"]
"""How much a page shows of an object: a row of a table has parameters and the first sentence."""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

_Unit = tuple[str, str]
"""The start of the names that code defines, and the code, which is valid alone."""

_Object = tuple[str, bool, "Callable[[], str]"]
"""Its name, whether a page of all there is has it, and what says what is shown."""


@contextmanager
def _limited() -> Generator[None]:
    """Take code that is nested too deeply for none that can be read."""
    try:
        yield
    except (MemoryError, RecursionError) as error:
        raise ValueError("nested too deeply") from error


class PythonObjects(Struct, frozen=True):
    """Cuts objects out of a module, as a page shows them.

    A module has its docstring; a class or function its docstring, decorators and signature, in any
    format; a variable its assignment, the docstring after it and its `#:` comments. Annotated
    attributes of a class are parameters if its bases or decorators may make its `__init__`.
    """

    names: tuple[str, ...]
    """Their names in the module, as in `Class.method`; "" is the module itself."""

    source: Source = "none"
    """Of what the page shows the source, as it is written.

    Such pages are those of mkdocstrings, which shows no `#:` comments.
    """

    extent: Extent = "whole"
    """How much the page shows of each."""

    def __str__(self) -> str:
        """Return the names, for messages."""
        own = (n for n in self.names if not n.endswith(("__init__", "__new__")))
        return ", ".join(own) or "docstring"

    def __call__(self, text: str) -> str | None:
        """Return the objects one after another, or None if the text has none.

        Raises SyntaxError or ValueError if the text is not Python.
        """
        try:
            return self._shown(self._decisive(_blocks(text)))
        except SyntaxError:  # a block ends in brackets
            return self._shown([("", text)])

    def apart(self, old: str, new: str) -> tuple[str | None, str | None]:
        """Return the objects of two texts, without those in code that both have.

        So only code that differs is parsed. Raises what `__call__` does.
        """
        blocks = [_blocks(text) for text in (old, new)]
        same = frozenset(blocks[0]).intersection(blocks[1])
        units = [[b for b in each if b not in same] for each in blocks]
        if self.source != "all":  # with which a class shows whole
            units = [[unit for _, block in each for unit in _split(block)] for each in units]
        common = frozenset(units[0]).intersection(units[1])
        rest = [[u for u in each if u not in common] for each in units]
        try:
            if (gone := self._unlisted(rest[0])) and not self._unlisted(blocks[1]):
                return "\n".join(sorted(gone)), ""  # on a page of all that there is
            before, after = (self._shown(self._decisive(each)) for each in rest)
        except SyntaxError:
            return self(old), self(new)
        is_anywhere = None not in (before, after) or any(self._decisive([*common, *same]))
        return (before or "", after or "") if is_anywhere else (before, after)

    def _extract(self, name: str, shown: Callable[[], str]) -> str:
        if self.extent == "name":
            return name
        return shown() if self.extent == "whole" else _row(name, shown())

    def _decisive(self, units: Iterable[_Unit]) -> Iterator[_Unit]:
        """Yield the units of a module that may define the objects, without parsing them."""
        inside, has_first = _by_prefix(self.names), "" in self.names
        for prefix, code in units:
            names = inside.get(prefix, frozenset())
            if prefix:
                is_decisive = not names.isdisjoint(_METHOD.findall(code))
            elif has_first and not _BLOCKS.match(f"\n{code}"):
                is_decisive = True
            else:
                is_named = any(name in code for name in names)  # mostly few are
                is_decisive = is_named and bool(_definition_of(names).search(code))
            if is_decisive:
                yield prefix, code

    @_limited()
    def _unlisted(self, units: Iterable[_Unit]) -> set[str]:
        """Return what units document beside the objects, in a module or class that has some."""
        owners = {_owner(name) for name in self.names if name and not name.endswith("__")}
        owners &= {*self.names}
        known = {name.rpartition(".")[2] for name in self.names}
        may = (u for u in units if owners and not known.issuperset(_PUBLIC.findall(u[1])))
        quoted = (u for u in may if '"""' in u[1] or "'''" in u[1])
        names = {name for name, is_documented, _ in self._read(quoted) if is_documented}
        return {name for name in names.difference(self.names) if _owner(name) in owners}

    @_limited()
    def _shown(self, units: Iterable[_Unit]) -> str | None:
        """Return what is shown of the objects that units define; None if there are none."""
        found: dict[str, list[str]] = {"": []}
        wanted = frozenset(self.names)
        for name, _, shown in self._read(units):
            if name in wanted:
                found.setdefault(name, []).append(self._extract(name, shown))
        texts = [each for name in self.names for each in found.get(name, ())]
        return "\n".join(texts) if wanted & found.keys() else None

    def _read(self, units: Iterable[_Unit]) -> Iterator[_Object]:
        for prefix, code in units:
            read = _small_unit if len(code) < _SMALL else _large_unit
            yield from read(prefix, code, source=self.source)


@lru_cache(maxsize=256)
def _by_prefix(names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """Return the names of a module's own objects, and of those of each class by its prefix."""
    found: dict[str, set[str]] = {"": set()}
    for name in filter(None, names):
        top, _, rest = name.partition(".")
        found[""].add(top)
        found.setdefault(f"{top}.", set()).add(rest.partition(".")[0])
    return {prefix: frozenset(inside - {""}) for prefix, inside in found.items()}


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
def _blocks(text: str) -> Sequence[_Unit]:
    """Return the parts of a module, most of which stay the same in the next version."""
    blocks = _BLOCKS.split(text)
    return [("", b) for b in ([text] if any(map(_is_cut_off, blocks)) else blocks)]


@lru_cache(maxsize=16)  # of a class, each method may have a page
def _split(block: str) -> Sequence[_Unit]:
    """Return the units of a block: of a class what says what it is, and each method."""
    start = _CLASS.match(block)
    is_alone = start and not _AT_MARGIN.search(block, start.end())
    head, *methods = _METHODS.split(block) if is_alone else (block,)
    if not (start and methods) or any(map(_is_cut_off, (head, *methods))):
        return [("", block)]
    # All that has one name, as a property and its setter, stays together in its order.
    own = {name for m in methods if _OF_CLASS.search(m) for name in _METHOD.findall(m)}
    kept = [m for m in methods if not own.isdisjoint(_METHOD.findall(m))]
    others = [f"if 1:\n{m}" for m in methods if own.isdisjoint(_METHOD.findall(m))]
    return [("", "\n".join([head, *kept, "    pass"])), *((f"{start[1]}.", m) for m in others)]


def _is_cut_off(block: str) -> bool:
    """Return whether a block ends in a string, or with a decorator."""
    if block.count('"""') % 2 or block.count("'''") % 2:
        return True
    text = f"\n{block}" if "@" in block else ""
    last = max(text.rfind("\n@"), text.rfind("\n    @"))
    return last >= 0 and not re.search(_DEFINITION, text[last:])


def _unit(prefix: str, text: str, *, source: Source) -> Sequence[_Object]:
    """Return the definitions in part of a module.

    Pages show few of them, so that each is worked out when it is asked for. It is made of texts:
    to free syntax trees when Python ends takes longer than to date the pages.
    """
    module = _parsed(text)
    lines = re.split(r"\r\n?|\n", text)
    docstring = ast.get_docstring(module, clean=False)
    shown = [
        (name, _is_documented(name, node), _shown(node, lines, source=source))
        for name, node in _defined(module.body, prefix)
    ]
    return [("", False, partial(_unwrapped, docstring)), *shown] if docstring else shown


def _is_documented(name: str, node: ast.AST) -> bool:
    """Return whether a page of all of a module has an object: it is public, with a docstring."""
    if not isinstance(node, _Definition) or re.search(r"\b_", name):
        return False
    return bool(ast.get_docstring(node, clean=False))


def _owner(name: str) -> str:
    return name.rpartition(".")[0]


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings(action="ignore"):  # of old code
        return ast.parse(text)


_small_unit = lru_cache(maxsize=512)(_unit)
_large_unit = lru_cache(maxsize=32)(_unit)


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


def _shown(node: ast.AST, lines: Sequence[str], *, source: Source) -> Callable[[], str]:
    """Return what says what is shown of an object; `lines` are those of the text around it."""
    if isinstance(node, _Definition):
        first = _first_line(node)
        if source == "all" or (source == "functions" and not isinstance(node, ast.ClassDef)):
            return partial("\n".join, lines[first - 1 : node.end_lineno])
        body = node.body[0]
        head = _code(lines, (first, 0), (_first_line(body), body.col_offset))
        docstring = ast.get_docstring(node, clean=False) or ""
        types = _types_in(docstring, node.body) if source == "functions" else ()
        return partial(_definition, head, docstring, types)
    nodes = cast("Sequence[Any]", node.body if isinstance(node, ast.Module) else [node])
    ends = [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in nodes]
    code = [_code(lines, *each) for each in ends]
    if source != "none" or not isinstance(node, ast.Assign | ast.AnnAssign):
        return partial(_value, code, "")
    return partial(_value, code, _comments(node, lines))


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _code(lines: Sequence[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return what is between two places, each a line and an offset in bytes."""
    code = [*lines[start[0] - 1 : end[0]]]
    code[-1] = code[-1].encode()[: end[1]].decode()
    code[0] = code[0].encode()[start[1] :].decode()
    return "\n".join(code)


def _types_in(docstring: str, body: Sequence[ast.stmt]) -> Sequence[str]:
    """Return the types of the attributes that a docstring describes, which it does not repeat."""
    fields = [each for each in body if isinstance(each, ast.AnnAssign)]
    described = {*re.findall(r"(?m)^[ \t]*(\w+) ?(?::|$)", docstring if fields else "")}
    types = [f.annotation for f in fields if described.intersection(_targets(f))]
    return [ast.unparse(_ShortNames().visit(each)) for each in types]


def _definition(head: str, docstring: str, types: Sequence[str]) -> str:
    """Return decorators, signature, docstring and types; `head` is the code above the body."""
    return "\n".join([_in_one_format(f"{head}pass"), _unwrapped(docstring), *types])


def _row(name: str, shown: str) -> str:
    """Return what a table shows of an object, as autosummary's do, whose names have 50 characters.

    It writes as many parameters as there is room for beside a name of a module.
    """
    head, is_definition, docstring = shown.partition("\n    pass\n")
    if not is_definition:
        return shown
    sentence = re.split(r"(?<=\.)\s", docstring.partition("\n")[0], maxsplit=1)[0]
    node = _parsed(f"{head}\n    pass").body[0]
    if isinstance(node, ast.ClassDef):
        return sentence
    arguments = cast("ast.FunctionDef", node).args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    names = [each.arg for each in every if each.arg not in ("self", "cls")]
    room = max(10, 44 - len(re.sub(r"\.__\w+__$", "", name))) - 4
    while len(", ".join(names)) >= room:
        names = [*names[: -2 if names[-1] == "..." else -1], "..."]
        if len(names) == 1:
            break
    return f"{', '.join(names)} {sentence}"


def _value(code: Sequence[str], comments: str) -> str:
    return "\n".join([*map(_in_one_format, code), _unwrapped(comments)]).rstrip()


def _in_one_format(code: str) -> str:
    """Return code without its formatting; most of it is the same in the next version."""
    return (_small_code if len(code) < _SMALL else _formatted)(code)


def _formatted(code: str) -> str:
    is_indented = code[:1].isspace()
    node: Any = _parsed(f"if 1:\n{code}" if is_indented else code).body[0]
    for each in ast.walk(node):
        for field in ("annotation", "returns"):
            if stated := getattr(each, field, None):
                setattr(each, field, _ShortNames().visit(stated))
    return ast.unparse(node.body[0] if is_indented else node)


class _ShortNames(ast.NodeTransformer):
    """Names types without their modules, as generators do unless told otherwise."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.Name:
        return ast.Name(node.attr)


_small_code = lru_cache(maxsize=4096)(_formatted)


def _comments(node: ast.stmt, lines: Sequence[str]) -> str:
    """Return the text of the `#:` comments of an assignment: those above it, and one at its end."""
    beside = "".join(lines[(node.end_lineno or 1) - 1].partition("#:")[1:])
    above = (lines[number].strip() for number in range(node.lineno - 2, -1, -1))
    found = [beside, *takewhile(lambda line: line.startswith("#:"), above)]
    return re.sub(r"(?m)^#: ?", "", "\n".join(reversed(found)))


@lru_cache(maxsize=2048)
def _unwrapped(docstring: str) -> str:
    """Return a docstring, in reStructuredText or Markdown, with each paragraph on one line."""
    text = cleandoc(docstring)
    return "\n".join(p.text for p in pieces_of(text, is_rest="```" not in text))
