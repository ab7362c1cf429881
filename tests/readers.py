"""Who reads what others wrote: found in the code, so that no list of them can be out of date.

A reader is a function that matches a pattern, asks a selector, or lets a parser read.
"""

from __future__ import annotations

import ast
import re
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Set
    from types import FrameType

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "tools", "plugins/mkdocs", "plugins/pelican", "plugins/sphinx")

ASKS = frozenset(
    {
        *("match", "fullmatch", "search", "findall", "finditer", "sub"),  # patterns
        *("css", "css_first", "parse_html", "LexborHTMLParser"),  # HTML
        *("splitlines", "parse", "decode_json", "literal_eval"),  # Python's own, and robots.txt
    }
)
"""What reads under whatever name."""

PARSERS = frozenset(
    {
        *("msgspec.json.decode", "json.loads", "json.decode", "tomllib.loads", "yaml.load"),
        *("expat.ParserCreate", "pickle.loads", "re.split"),
    }
)
"""What reads under this very name."""


def modules() -> Iterator[tuple[str, Path]]:
    """Yield the name and the file of each module of the product."""
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = file.relative_to(ROOT / folder).with_suffix("").parts
            yield ".".join(parts).removesuffix(".__init__"), file


def readers() -> set[str]:
    """Return `module: function` of each reader."""
    found: set[str] = set()
    for module, file in modules():
        text = file.read_text("utf-8")
        parsers = PARSERS | {f"{name}.split" for name in re.findall(r"(\w+) = re\.compile", text)}
        for function in _readers_in(ast.parse(text), (), parsers):
            found.add(f"{module}: {function}")
    return found


def _readers_in(tree: ast.AST, within: tuple[str, ...], parsers: Set[str]) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from _readers_in(node, (*within, node.name), parsers)
            continue
        if within and isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in parsers or called.rpartition(".")[2] in ASKS:
                yield ".".join(within)
        yield from _readers_in(node, within, parsers)


OURS = {module for module, _ in modules()}
READERS = readers()
"""Those of the product, as they are now."""


class Reached(NamedTuple):
    """What was called."""

    functions: set[str]
    """As `readers` writes them."""

    patterns: set[tuple[re.Pattern[Any], str]]
    """Patterns of the product, and by which methods they were asked."""


@contextmanager
def reached() -> Generator[Reached]:
    """Yield what has all that was called meanwhile, once that is over."""
    found = Reached(set(), set())
    called: set[tuple[object, str]] = set()

    def note(frame: FrameType, event: str, function: Any) -> None:
        if event == "call":
            called.add((frame.f_globals.get("__name__"), frame.f_code.co_qualname))
        elif event == "c_call":
            pattern = getattr(function, "__self__", None)
            if isinstance(pattern, re.Pattern) and _asks(frame) in OURS:
                found.patterns.add((pattern, function.__name__))

    sys.setprofile(note)
    threading.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    for module, name in called:
        function = re.sub(r"\.?<\w+>", "", name)  # one within it is a part of it
        found.functions.add(f"{module}: {function}")


def _asks(frame: FrameType) -> object:
    """Return the module that asks a pattern, which may do so by a function of `re`."""
    asks = frame.f_back if frame.f_globals.get("__name__") == "re" else frame
    return asks and asks.f_globals.get("__name__")
