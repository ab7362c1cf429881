"""What reads settings and front matter takes time in proportion to them, whatever their structure.

Beside what opens again and again, which fuzzers try: chains, where each thing names the one before;
nests; many equal and many colliding keys.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from sitemapkit_tools.bounds import decode_json
from sitemapkit_tools.sources.settings import Script
from sitemapkit_tools.tables import MAX_SETTINGS, read_toml, read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable

    Texts = dict[str, Callable[[int], str]]

COLLIDING = 2**61 - 1
"""Numbers that differ by this have the same hash."""


def lines(line: str, first: str = "") -> Callable[[int], str]:
    """Return what makes a text of as many lines as fit, in which `{n}` counts."""

    def text(size: int) -> str:
        made = (
            line.replace("{n}", str(n))
            .replace("{m}", str(n - 1))
            .replace("{c}", str(n * COLLIDING))
            for n in range(1, size // len(line))
        )
        return "\n".join((first, *made))[:size].rpartition("\n")[0]

    return text


def yaml_items(item: str) -> Callable[[int], str]:
    """Return the same of a list whose first item has an anchor."""
    return lines(item, "- &a0 {x: 1}")


def nest(opening: str, closing: str) -> Callable[[int], str]:
    def text(size: int) -> str:
        count = size // len(opening + closing)
        return opening * count + closing * count

    return text


YAML: Texts = {
    "a chain of merges": yaml_items("- &a{n} {<<: *a{m}, k{n}: 1}"),
    "a chain of merges of two": yaml_items("- &a{n} {<<: [*a{m}, *a{m}]}"),
    "a chain of aliases": yaml_items("- &a{n} [*a{m}]"),
    "a chain of aliases of two": yaml_items("- &a{n} [*a{m}, *a{m}]"),
    "a chain of keys": yaml_items("- &a{n} {b: *a{m}}"),
    "many aliases": yaml_items("- *a0"),
    "many merges": lambda size: "a: &a0 {x: 1}\nb:\n" + "  <<: *a0\n" * (size // 10),
    "lists of merges": lambda size: f"a: &a {{x: 1}}\nb: {{<<: [{'*a,' * (size // 3)}]}}",
    "many anchors": yaml_items("- &a{n} 1"),
    "one anchor": yaml_items("- &a0 1"),
    "a nest": nest("{a: ", "}"),
    "a nest of lines": lambda size: "".join(f"{' ' * n}a:\n" for n in range(int(size**0.5))),
    "a nest of merges": nest("{<<: {a: 1, <<: ", "}}"),
    "keys of keys": nest("? ", ""),
    "equal keys": lines("a: 1"),
    "keys": lines("a{n}: 1"),
    "colliding keys": lines("{c}: 1"),
    "colliding keys in exponents": lines("!!int {c}: 1"),
    "colliding members": lambda size: f"!!set {{{lines('{c},')(size)}}}",
    "numbers": lines("- 1:1:1:1:1"),
    "a long number": lambda size: "- 1" + ":1" * (size // 2),
    "a long text": lambda size: f'- "{"a " * (size // 2)}"',
    "tags": lines("- !a{n} b"),
    "days": lines("- 2024-05-06 07:08:09.1 +1"),
}

TOML: Texts = {
    "a nest": nest("a = {", "}"),
    "a nest of lists": lambda size: "a = " + nest("[", "]")(size),
    "a long key": nest("a.", ""),
    "a long quoted key": nest('"a b" . ', ""),
    "a long table": lambda size: f"[{'a.' * (size // 2)}a]",
    "keys of many parts": lines(f"{'a.' * 90}b{{n}} = 1"),
    "tables of many parts": lines(f"[{'a.' * 90}b{{n}}]"),
    "keys": lines("a{n} = 1"),
    "colliding keys": lines("{c} = 1"),
    "keys of one table": lines("a.b{n} = 1"),
    "tables": lines("[a{n}]"),
    "tables of tables": lines("[a.b{n}]"),
    "lists of tables": lines("[[a]]"),
    "tables in lists": lines("[[a.b{n}]]"),
    "one inline table": lambda size: f"a = {{{','.join(f'b{n}=1' for n in range(size // 8))}}}",
    "escapes": lambda size: "a = '" + r"\t" * (size // 2) + "'",
}

JSON: Texts = {
    "a nest": nest('{"a": ', "}"),
    "equal keys": lambda size: "{" + '"a": 1,' * (size // 7) + '"a": 1}',
    "colliding keys": lambda size: "{" + lines('"{c}": 1,')(size)[:-2] + "}",
    "a long number": lambda size: f'{{"a": {"1" * size}}}',
}

CODE: Texts = {
    "a nest": nest("dir: {", "}"),
    "an open nest": nest("dir: {", ""),
    "properties": lines("output: a{n},"),
    "strings": nest("'a", ""),
    "a chain": lines("const a{n} = {...a{n}}"),
}

PYTHON: Texts = {
    "a chain": lines("A{n} = A{n} + 1"),
    "a nest": lambda size: "A = " + nest("(", ")")(size),
    "colliding keys": lambda size: f"SITEMAP = {{{lines('{c}: 1,')(size)}}}",
    "a sum": lambda size: "A = 1" + " + 1" * (size // 4),
    "colliding members": lambda size: f"SITEMAP = [{{{lines('{c},')(size)}}}]",
    "options": lines("sitemap_a{n} = 1"),
    "tables": lambda size: "SITEMAP = {" + lines('"a{n}": 1,')(size) + "}",
    "names": lines("A{n} = 1"),
    "a path": lambda size: "A = 'a'" + " / 'a'" * (size // 8),
    "paths of paths": lambda size: "A = 'a'\n" + lines("A = join(A, A)")(size),
    "a list of paths": lambda size: "A = 'a'\nB = [" + lines("join(A, A),")(size) + "]",
}


def script(text: str) -> None:
    settings = Script(text)
    settings.get("dir.output")
    settings.get("setOutputDirectory()")


READERS: dict[str, tuple[Callable[[str], object], Texts]] = {
    "YAML": (read_yaml, YAML),
    "TOML": (read_toml, TOML),
    "JSON": (lambda text: decode_json(text.encode(), object), JSON),
    "JavaScript": (script, CODE),
}

SIZES = (MAX_SETTINGS // 8, MAX_SETTINGS // 4, MAX_SETTINGS // 2 - 512)
MOST_TIMES = 2.6
SMALLEST = 0.05
"""Seconds of processor time below which nothing counts."""

MOST_RUNS = 4
"""Runs of a structure, since a processor may have had other work during one."""

MOST_MEMORY = 400 * 1024
"""Kibibytes of a process."""


def seconds(name: str, structure: str, size: int) -> float:
    """Return a reader's processor time."""
    read, texts = READERS[name]
    text = texts[structure](size)
    start = time.process_time()
    with suppress(ValueError):
        read(text)
    return time.process_time() - start


def grown(name: str) -> list[str]:
    """Return the structures whose doubles take more than they may."""
    found: list[str] = []
    for structure in READERS[name][1]:
        runs = [[seconds(name, structure, size) for size in SIZES]]
        while is_more(runs[-1]) and len(runs) < MOST_RUNS:
            runs.append([seconds(name, structure, size) for size in SIZES])
        if is_more(runs[-1]):
            found.append(f"{structure}: {runs}")
    return found


def is_more(taken: list[float]) -> bool:
    return any(two > max(SMALLEST, MOST_TIMES * one) for one, two in pairwise(taken))


IN_CHILD = """
import json, sys
from tests.generators.test_growth import grown
from tests.programs import peak
found = grown(sys.argv[1])
print(json.dumps([found, peak()]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks for the memory as Linux states it")
@pytest.mark.parametrize("name", READERS)
def test_twice_the_settings_take_twice_the_time_and_little_memory(name: str) -> None:
    command = [sys.executable, "-c", IN_CHILD, name]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found, memory = json.loads(said)
    assert not found
    assert memory < MOST_MEMORY
