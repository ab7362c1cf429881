"""Notebooks: their texts, code and outputs are shown, but neither kernels nor run times.

They are read as Markdown, so that a text that becomes a notebook, or part of one, is compared too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterator

_Lines = str | list[str]
"""Text in one piece or in several, as a notebook may state any."""

_HIDES = ("hide", "remove")
"""How tags begin that hide a cell or a part of it."""

_RICHEST = ("text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/latex")
"""The forms of an output in the order in which pages prefer them to plain text."""

_FENCE = re.compile("~{3,}")

_HEADER = re.compile(r"# ---\n((?:#(?! ---$).*\n)*)# ---\n", re.MULTILINE)
"""The header that jupytext writes above code, in comments."""

_CELL = r"(?m)^(# ?(?:%%|\+)(?: \[\w+\])?).*$"
"""The comment that begins a cell, and its metadata."""


class _Metadata(Struct):
    tags: list[str] = field(default_factory=list[str])


class _Output(Struct):
    """What a cell printed, showed or raised; as in version 3 the forms may stand in itself."""

    text: _Lines = ""
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    ename: str = ""
    evalue: str = ""


class _Cell(Struct):
    cell_type: str
    source: _Lines = ""
    input: _Lines = ""
    outputs: list[_Output] = field(default_factory=list[_Output])
    metadata: _Metadata = field(default_factory=_Metadata)


class _Sheet(Struct):
    cells: list[_Cell] = field(default_factory=list[_Cell])


class _Notebook(Struct):
    cells: list[_Cell] = field(default_factory=list[_Cell])
    worksheets: list[_Sheet] = field(default_factory=list[_Sheet])
    """Where version 3 has its cells, which blogs such as jakevdp.github.io converted later."""


def as_markdown(notebook: str) -> str:
    """Return what a notebook shows; raises ValueError for a text that is no notebook."""
    try:
        read = msgspec.json.decode(notebook.encode("utf-8", "replace"), type=_Notebook)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError("no notebook, or nested too deeply") from error
    cells = read.cells
    for sheet in read.worksheets:
        cells += sheet.cells
    shown: list[str] = []
    for cell in cells:
        shown += _shown(cell)
    return "\n\n".join(shown)


def _shown(cell: _Cell) -> Iterator[str]:
    source = _joined(cell.source or cell.input)
    if cell.cell_type in ("markdown", "heading"):
        yield source
    elif source.strip():
        yield _fenced(source)
    for output in cell.outputs:
        if shown := _of_output(output):
            yield _fenced(shown)
    for tag in cell.metadata.tags:
        if tag.startswith(_HIDES):
            yield _fenced(tag)


def _of_output(output: _Output) -> str:
    """Return the richest form of an output, as a page shows it."""
    stated: object = output.data.get("text/plain", output.text)
    for kind in _RICHEST:
        if kind in output.data:
            stated = output.data[kind]
            break
    shown = ""
    if isinstance(stated, str | list):
        shown = _joined(cast("_Lines", stated)).strip("\n")
    return "\n".join(filter(None, (shown, output.ename, output.evalue)))


def _joined(text: _Lines | list[Any]) -> str:
    if isinstance(text, str):
        return text
    return "".join(map(str, text))


def _fenced(text: str) -> str:
    """Return a text as code of Markdown, in a fence that the text does not have."""
    longest = max(map(len, _FENCE.findall(text)), default=2)
    fence = "~" * (longest + 1)
    return f"{fence}\n{text}\n{fence}"


def without_jupytext(code: str) -> str:
    """Return code without what jupytext writes for the notebook that it is, such as its kernel."""
    header = _HEADER.match(code)
    if not header or not re.search(r"(?m)^# jupyter:$", header[1]):
        return code
    return re.sub(_CELL, r"\1", code[header.end() :])
