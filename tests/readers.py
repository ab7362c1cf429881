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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
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
        for function in _readers_in(ast.parse(file.read_text("utf-8")), ()):
            found.add(f"{module}: {function}")
    return found


def _readers_in(tree: ast.AST, within: tuple[str, ...]) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from _readers_in(node, (*within, node.name))
            continue
        if within and isinstance(node, ast.Call) and _reads(node):
            yield ".".join(within)
        yield from _readers_in(node, within)


def _reads(call: ast.Call) -> bool:
    called = ast.unparse(call.func)
    above, _, name = called.rpartition(".")
    is_pattern = name == "split" and above.isupper()
    return called in PARSERS or name in ASKS or is_pattern


@contextmanager
def reached() -> Iterator[set[str]]:
    """Yield a set that gets `module: function` of each function that is called meanwhile."""
    found: set[str] = set()

    def note(frame: FrameType, _event: str, _value: object) -> None:
        function = re.sub(r"\.?<\w+>", "", frame.f_code.co_qualname)  # what is within one is its own
        found.add(f"{frame.f_globals.get('__name__')}: {function}")

    sys.setprofile(note)
    threading.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
