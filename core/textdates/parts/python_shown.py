"""What a page of API documentation shows of the definitions in Python code."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache, partial
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from textdates.compare.blocks import pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_SMALL = 10_000
"""Maximum size of code of which much is kept: of blocks of 2 MiB it would fill the memory."""

Source = Literal["none", "functions", "all"]
"""Of what a page shows the source: functions only, or classes, too."""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

_Place = tuple[int, int]
"""A line, counted from 1, and an offset in it in bytes."""


class Object(NamedTuple):
    """What a page may show: a module's docstring, a class, a function or a variable."""

    name: str
    """Its name in the module, as in `Class.method`; "" is the module itself."""

    is_documented: bool
    """Whether a page of all that a module has shows it: it is public, with a docstring."""

    shown: Callable[[], str]
    """Says what is shown. Pages show few objects, so it is worked out when it is asked for."""


def objects_in(prefix: str, code: str, *, source: Source) -> Sequence[Object]:
    """Return what part of a module defines; names begin with `prefix`.

    Raises SyntaxError or ValueError if the part is not Python.
    """
    if len(code) < _SMALL:
        return _read_small(prefix, code, source)
    return _read_large(prefix, code, source)


def row(name: str, shown: str) -> str:
    """Return what a table shows of an object, as autosummary's do, whose names have 50 characters.

    It writes as many parameters as there is room for beside a name of a module.
    """
    head, is_definition, docstring = shown.partition("\n    pass\n")
    if not is_definition:
        return shown
    first_line = docstring.partition("\n")[0]
    sentence = re.split(r"(?<=\.)\s", first_line, maxsplit=1)[0]
    node = _parsed(f"{head}\n    pass").body[0]
    if isinstance(node, ast.ClassDef):
        return sentence
    of_module = re.sub(r"\.__\w+__$", "", name)
    room = max(10, 44 - len(of_module)) - 4
    parameters = _shortened(_parameters_of(cast("ast.FunctionDef", node)), room)
    return f"{', '.join(parameters)} {sentence}"


def _parameters_of(node: ast.FunctionDef) -> list[str]:
    stated = node.args
    names = list[str]()
    for each in (*stated.posonlyargs, *stated.args, *stated.kwonlyargs):
        if each.arg not in ("self", "cls"):
            names.append(each.arg)
    return names


def _shortened(names: list[str], room: int) -> Sequence[str]:
    """Return as many of the first names as there is room for, at least one, and dots for others."""
    while len(", ".join(names)) >= room:
        if names[-1] == "...":
            names.pop()
        names[-1] = "..."
        if len(names) == 1:
            break
    return names


def _read(prefix: str, code: str, source: Source) -> Sequence[Object]:
    """Return the definitions in part of a module.

    What is kept is made of texts: to free syntax trees when Python ends takes longer than to date
    the pages.
    """
    module = _parsed(code)
    lines = re.split(r"\r\n?|\n", code)
    objects = list[Object]()
    if docstring := ast.get_docstring(module, clean=False):
        of_module = partial(_unwrapped, docstring)
        objects.append(Object("", is_documented=False, shown=of_module))
    for name, node in _defined(module.body, prefix):
        is_documented = _is_documented(name, node)
        shown = _shown(node, lines, source)
        objects.append(Object(name, is_documented, shown))
    return objects


_read_small = lru_cache(maxsize=512)(_read)
_read_large = lru_cache(maxsize=32)(_read)


def _parsed(code: str) -> ast.Module:
    with warnings.catch_warnings(action="ignore"):  # of old code
        return ast.parse(code)


def _defined(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield names and nodes, including those in classes and conditions."""
    for number, node in enumerate(body):
        inner = prefix
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, node
            if node.name != "__init__":  # which defines attributes of its class
                continue
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            inner = f"{prefix}{node.name}."
            if parameters := _parameters(node):
                yield f"{inner}__init__", parameters
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            following = body[number + 1 : number + 2]
            for name in _targets(node):
                yield prefix + name, node
                if any(map(_is_text, following)):
                    yield prefix + name, following[0]
        for field in ("body", "handlers", "orelse", "finalbody"):
            yield from _defined(getattr(node, field, ()), inner)


def _parameters(node: ast.ClassDef) -> ast.Module | None:
    """Return the annotated attributes together if they may be those of a made `__init__`."""
    if not (node.bases or node.decorator_list):
        return None
    fields: list[ast.stmt] = []
    for each in node.body:
        if isinstance(each, ast.AnnAssign):
            fields.append(each)
        elif isinstance(each, _Definition) and each.name in ("__init__", "__new__"):
            return None
    return ast.Module(fields, []) if fields else None


def _targets(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    """Yield the names that an assignment sets: variables, and attributes of anything."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        for each in getattr(target, "elts", [target]):
            if isinstance(each, ast.Name):
                yield each.id
            elif isinstance(each, ast.Attribute):
                yield each.attr


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_documented(name: str, node: ast.AST) -> bool:
    if not isinstance(node, _Definition):
        return False
    if re.search(r"\b_", name):
        return False
    return bool(ast.get_docstring(node, clean=False))


def _shown(node: ast.AST, lines: Sequence[str], source: Source) -> Callable[[], str]:
    """Return what says what is shown of an object; `lines` are those of the text around it."""
    if isinstance(node, _Definition):
        return _shown_of_definition(node, lines, source)
    statements: list[Any] = node.body if isinstance(node, ast.Module) else [node]
    code = list[str]()
    for each in statements:
        start = each.lineno, each.col_offset
        end = each.end_lineno, each.end_col_offset
        code.append(_code(lines, start, end))
    comments = ""
    if source == "none" and isinstance(node, ast.Assign | ast.AnnAssign):
        comments = _comments(node, lines)
    return partial(_value, code, comments)


def _shown_of_definition(
    node: _Definition, lines: Sequence[str], source: Source
) -> Callable[[], str]:
    first = _first_line(node)
    is_function = not isinstance(node, ast.ClassDef)
    if source == "all" or (source == "functions" and is_function):
        code = lines[first - 1 : node.end_lineno]
        return partial("\n".join, code)
    body = node.body[0]
    end_of_head = _first_line(body), body.col_offset
    head = _code(lines, (first, 0), end_of_head)
    docstring = ast.get_docstring(node, clean=False) or ""
    types: Sequence[str] = ()
    if source == "functions":
        types = _types_in(docstring, node.body)
    return partial(_definition, head, docstring, types)


def _first_line(node: ast.stmt) -> int:
    """Return the line where a statement begins, which may be that of a decorator."""
    first = node.lineno
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    for decorator in decorators:
        first = min(first, decorator.lineno)
    return first


def _code(lines: Sequence[str], start: _Place, end: _Place) -> str:
    first, offset = start
    last, end_offset = end
    code = [line.encode() for line in lines[first - 1 : last]]
    # The end goes first: where both are on one line, it counts from where the line begins.
    code[-1] = code[-1][:end_offset]
    code[0] = code[0][offset:]
    return b"\n".join(code).decode()


def _types_in(docstring: str, body: Sequence[ast.stmt]) -> Sequence[str]:
    """Return the types of the attributes that a docstring describes, which it does not repeat."""
    fields = [node for node in body if isinstance(node, ast.AnnAssign)]
    if not fields:
        return ()
    described = set(re.findall(r"(?m)^[ \t]*(\w+) ?(?::|$)", docstring))
    types = list[str]()
    for field in fields:
        if not described.isdisjoint(_targets(field)):
            annotation = _ShortNames().visit(field.annotation)
            types.append(ast.unparse(annotation))
    return types


def _comments(node: ast.stmt, lines: Sequence[str]) -> str:
    """Return the text of the `#:` comments of an assignment: those above it, and one at its end."""
    first = node.lineno - 1
    last = lines[(node.end_lineno or 1) - 1]
    _, mark, beside = last.partition("#:")
    found = [mark + beside]
    for above in reversed(lines[:first]):
        comment = above.strip()
        if not comment.startswith("#:"):
            break
        found.insert(0, comment)
    return re.sub(r"(?m)^#: ?", "", "\n".join(found))


def _definition(head: str, docstring: str, types: Sequence[str]) -> str:
    """Return decorators, signature, docstring and types; `head` is the code above the body."""
    signature = _in_one_format(f"{head}pass")
    shown = _unwrapped(docstring)
    return "\n".join([signature, shown, *types])


def _value(code: Sequence[str], comments: str) -> str:
    parts = [_in_one_format(each) for each in code]
    parts.append(_unwrapped(comments))
    return "\n".join(parts).rstrip()


def _in_one_format(code: str) -> str:
    """Return code without its formatting; most of it is the same in the next version."""
    if len(code) < _SMALL:
        return _formatted_small(code)
    return _formatted(code)


def _formatted(code: str) -> str:
    is_indented = code[:1].isspace()
    if is_indented:
        code = f"if 1:\n{code}"
    node: Any = _parsed(code).body[0]
    for each in ast.walk(node):
        for field in ("annotation", "returns"):
            if stated := getattr(each, field, None):
                short = _ShortNames().visit(stated)
                setattr(each, field, short)
    if is_indented:
        node = node.body[0]
    return ast.unparse(node)


_formatted_small = lru_cache(maxsize=4096)(_formatted)


class _ShortNames(ast.NodeTransformer):
    """Names types without their modules, as generators do unless told otherwise."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.Name:
        return ast.Name(node.attr)


@lru_cache(maxsize=2048)
def _unwrapped(docstring: str) -> str:
    """Return a docstring, in reStructuredText or Markdown, with each paragraph on one line."""
    text = cleandoc(docstring)
    pieces = pieces_of(text, is_rest="```" not in text)
    return "\n".join(piece.text for piece in pieces)
