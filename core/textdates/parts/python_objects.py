"""Cuts the objects that a page documents out of Python modules, and tells old versions apart."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from textdates.parts.python_shown import Object, Source, objects_in, row

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

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

_DEFINED = re.compile(r"""(?x)
    \b (?:class|def) [\s\\]+ (\w++)
    |
    \b (\w++) [\s\\)\]]*+ [,:=#]  # perhaps one of several values
    """)
"""What code defines, and little that it only uses."""

_PUBLIC = re.compile(r"(?m)^[ \t]*(?:async[ ]+)?(?:def|class)[ ]+([a-zA-Z]\w*)")
"""Definitions that are no private ones."""

Extent = Literal["whole", "row"]
"""How much a page shows of an object: a row of a table has parameters and the first sentence."""

_Unit = tuple[str, str]
"""The start of the names that code defines, and the code, which is valid alone."""


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
        own = [name for name in self.names if not name.endswith(("__init__", "__new__"))]
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
        old_blocks, new_blocks = _blocks(old), _blocks(new)
        same_blocks = frozenset(old_blocks).intersection(new_blocks)
        old_units = self._units(_without(same_blocks, old_blocks))
        new_units = self._units(_without(same_blocks, new_blocks))
        same_units = frozenset(old_units).intersection(new_units)
        old_units = _without(same_units, old_units)
        new_units = _without(same_units, new_units)
        try:
            gone = self._unlisted(old_units)
            if gone and not self._unlisted(new_blocks):  # of a page of all that there is
                return "\n".join(sorted(gone)), ""
            before = self._shown(self._decisive(old_units))
            after = self._shown(self._decisive(new_units))
        except SyntaxError:
            return self(old), self(new)
        if before is None or after is None:
            # One that is not in what differs may still be in what does not.
            is_in_both = any(self._decisive([*same_units, *same_blocks]))
            if not is_in_both:
                return before, after
        return before or "", after or ""

    def _units(self, blocks: Sequence[_Unit]) -> Sequence[_Unit]:
        if self.source == "all":  # with which a class shows whole
            return blocks
        units = list[_Unit]()
        for _, block in blocks:
            units += _split(block)
        return units

    def _decisive(self, units: Iterable[_Unit]) -> Iterator[_Unit]:
        """Yield the units of a module that may define the objects, without parsing them."""
        inside = _by_prefix(self.names)
        for unit in units:
            prefix, code = unit
            names = inside.get(prefix, frozenset())
            if prefix:
                is_decisive = not names.isdisjoint(_METHOD.findall(code))
            elif "" in self.names and not _BLOCKS.match(f"\n{code}"):
                is_decisive = True
            else:
                is_named = any(name in code for name in names)  # mostly few are
                is_decisive = is_named and _may_define(code, names)
            if is_decisive:
                yield unit

    @_limited()
    def _unlisted(self, units: Iterable[_Unit]) -> set[str]:
        """Return what units document beside the objects, in a module or class that has some."""
        names = frozenset(self.names)
        owners, known = set[str](), set[str]()
        for name in names:
            owner, _, own = name.rpartition(".")
            known.add(own)
            if owner in names and name and not name.endswith("__"):
                owners.add(owner)
        unlisted = set[str]()
        if not owners:
            return unlisted
        for unit in units:
            _, code = unit
            has_string = '"""' in code or "'''" in code
            if not has_string or known.issuperset(_PUBLIC.findall(code)):
                continue
            for each in self._objects(unit):
                owner = each.name.rpartition(".")[0]
                if each.is_documented and each.name not in names and owner in owners:
                    unlisted.add(each.name)
        return unlisted

    @_limited()
    def _shown(self, units: Iterable[_Unit]) -> str | None:
        """Return what is shown of the objects that units define; None if there are none."""
        found: dict[str, list[str]] = {name: [] for name in self.names}
        for unit in units:
            for each in self._objects(unit):
                if each.name in found:
                    found[each.name].append(self._extract(each))
        texts = list[str]()
        for name in self.names:
            texts += found[name]
        # A page of a module shows it, whether or not it has a docstring.
        return "\n".join(texts) if texts or "" in found else None

    def _objects(self, unit: _Unit) -> Sequence[Object]:
        prefix, code = unit
        return objects_in(prefix, code, source=self.source)

    def _extract(self, each: Object) -> str:
        shown = each.shown()
        if self.extent == "row":
            return row(each.name, shown)
        return shown


def _without(same: frozenset[_Unit], units: Sequence[_Unit]) -> Sequence[_Unit]:
    """Return the units that are not in both texts."""
    return [unit for unit in units if unit not in same]


@lru_cache(maxsize=256)
def _by_prefix(names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """Return the names of a module's own objects, and of those of each class by its prefix."""
    found: dict[str, set[str]] = {}
    for name in names:
        top, dot, rest = name.partition(".")
        if top:
            found.setdefault("", set()).add(top)
        if dot:
            found.setdefault(f"{top}.", set()).add(rest.partition(".")[0])
    return {prefix: frozenset(own) for prefix, own in found.items()}


def _may_define(code: str, names: frozenset[str]) -> bool:
    """Return whether code may define one of the names; little does that only uses it."""
    return any((found[1] or found[2]) in names for found in _DEFINED.finditer(code))


@lru_cache(maxsize=16)  # each version is compared with two others, for each page
def _blocks(text: str) -> Sequence[_Unit]:
    """Return the parts of a module, most of which stay the same in the next version."""
    blocks = _BLOCKS.split(text)
    if any(map(_is_cut_off, blocks)):
        blocks = [text]
    return [("", block) for block in blocks]


@lru_cache(maxsize=16)  # of a class, each method may have a page
def _split(block: str) -> Sequence[_Unit]:
    """Return the units of a block: of a class what says what it is, and each method."""
    whole = [("", block)]
    start = _CLASS.match(block)
    if not start or _AT_MARGIN.search(block, start.end()):
        return whole
    head, *methods = parts = _METHODS.split(block)
    if not methods or any(map(_is_cut_off, parts)):
        return whole
    # All that has one name, as a property and its setter, stays together in its order.
    own = set[str]()
    for method in methods:
        if _OF_CLASS.search(method):
            own.update(_METHOD.findall(method))
    of_class, others = [head], list[_Unit]()
    for method in methods:
        if own.isdisjoint(_METHOD.findall(method)):
            others.append((f"{start[1]}.", f"if 1:\n{method}"))
        else:
            of_class.append(method)
    of_class.append("    pass")
    return [("", "\n".join(of_class)), *others]


def _is_cut_off(block: str) -> bool:
    """Return whether a block ends in a string, or with a decorator."""
    if block.count('"""') % 2 or block.count("'''") % 2:
        return True
    if "@" not in block:
        return False
    text = f"\n{block}"
    last = max(text.rfind("\n@"), text.rfind("\n    @"))
    return last >= 0 and not re.search(_DEFINITION, text[last:])
