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
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    cells = read.cells or [cell for sheet in read.worksheets for cell in sheet.cells]
    return "\n\n".join(shown for cell in cells for shown in _shown(cell))


def _shown(cell: _Cell) -> Iterator[str]:
    source = _joined(cell.source or cell.input)
    if cell.cell_type in ("markdown", "heading"):
        yield source
    elif source.strip():
        yield _fenced(source)
    for output in cell.outputs:
        yield from _of_output(output)
    yield from (_fenced(tag) for tag in cell.metadata.tags if tag.startswith(_HIDES))


def _of_output(output: _Output) -> Iterator[str]:
    """Yield the richest form of an output, as a page shows it."""
    kind = next((kind for kind in _RICHEST if kind in output.data), "text/plain")
    stated: object = output.data.get(kind, output.text)
    shown = _joined(cast("_Lines", stated)) if isinstance(stated, str | list) else ""
    if shown := "\n".join(filter(None, (shown.strip("\n"), output.ename, output.evalue))):
        yield _fenced(shown)


def _joined(text: _Lines | list[Any]) -> str:
    return text if isinstance(text, str) else "".join(map(str, text))


def _fenced(text: str) -> str:
    """Return a text as code of Markdown, in a fence that the text does not have."""
    fence = "~" * max((len(each) + 1 for each in _FENCE.findall(text)), default=3)
    return f"{fence}\n{text}\n{fence}"


def without_jupytext(code: str) -> str:
    """Return code without what jupytext writes for the notebook that it is, such as its kernel."""
    header = _HEADER.match(code)
    is_notebook = header and re.search(r"(?m)^# jupyter:$", header[1])
    return re.sub(_CELL, r"\1", code[header.end() :]) if header and is_notebook else code
