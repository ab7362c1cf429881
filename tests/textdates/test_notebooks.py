"""What of a notebook shows: texts, code and outputs, however its file states them."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from textdates import is_same_text
from textdates.parts import Headings

if TYPE_CHECKING:
    from collections.abc import Callable

Notebook = dict[str, Any]

NOTEBOOK: dict[str, Any] = {
    "cells": [
        {"cell_type": "markdown", "id": "a1", "metadata": {}, "source": ["# Tea\n", "Words."]},
        {
            "cell_type": "code",
            "id": "b1",
            "execution_count": 1,
            "metadata": {},
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
                {
                    "output_type": "execute_result",
                    "execution_count": 1,
                    "metadata": {},
                    "data": {
                        "text/html": ["<table class='x'><tr><td>two</td></tr></table>"],
                        "text/plain": ["  two"],
                    },
                },
                {"output_type": "error", "ename": "TeaError", "evalue": "cold", "traceback": []},
            ],
            "source": ["print(1)\n", "table"],
        },
        {"cell_type": "raw", "metadata": {}, "source": "Raw."},
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def code(notebook: dict[str, Any]) -> dict[str, Any]:
    cell: dict[str, Any] = notebook["cells"][1]
    return cell


UNSEEN: dict[str, Callable[[Notebook], object]] = {
    "the kernel": lambda n: n["metadata"].update(kernelspec={"name": "py311"}),
    "the version": lambda n: n["metadata"]["language_info"].update(version="3.11.9"),
    "ids of cells": lambda n: [cell.update(id=f"z{i}") for i, cell in enumerate(n["cells"])],
    "counts": lambda n: [code(n).update(execution_count=9)],
    "counts of outputs": lambda n: code(n)["outputs"][1].update(execution_count=9),
    "run times": lambda n: code(n)["metadata"].update(execution={"iopub.execute_input": "2023"}),
    "a source as a string": lambda n: n["cells"][0].update(source="# Tea\nWords."),
    "an output as a string": lambda n: code(n)["outputs"][0].update(text="1\n"),
    "a tag": lambda n: code(n)["metadata"].update(tags=["tea"]),
    "the plain form of HTML": lambda n: code(n)["outputs"][1]["data"].pop("text/plain"),
    "a format": lambda n: n.update(nbformat_minor=4),
    "Markdown in another style": lambda n: n["cells"][0].update(source="Tea\n===\nWords."),
}
SEEN: dict[str, Callable[[Notebook], object]] = {
    "a word": lambda n: n["cells"][0].update(source="# Tea\nOther words."),
    "code": lambda n: code(n).update(source=["print(2)\n", "table"]),
    "white space in code": lambda n: code(n).update(source=["print(1)\n", "  table"]),
    "a stream": lambda n: code(n)["outputs"][0].update(text=["2\n"]),
    "HTML": lambda n: code(n)["outputs"][1]["data"].update({"text/html": "<b>three</b>"}),
    "plain output": lambda n: code(n)["outputs"][1].update(data={"text/plain": "three"}),
    "an error": lambda n: code(n)["outputs"][2].update(evalue="hot"),
    "a picture": lambda n: (
        code(n)["outputs"][1]["data"].update({"image/png": "aaaa"})
        or code(n)["outputs"][1]["data"].pop("text/html")
    ),
    "a cell": lambda n: n["cells"].pop(),
    "a tag that hides": lambda n: code(n)["metadata"].update(tags=["hide-input"]),
}


def changed(change: Callable[[Notebook], object], indent: int = 1) -> bytes:
    notebook = copy.deepcopy(NOTEBOOK)
    change(notebook)
    return json.dumps(notebook, indent=indent).encode()


def unchanged(_: dict[str, Any]) -> None:
    """Leave a notebook as it is."""


@pytest.mark.parametrize("change", UNSEEN.values(), ids=list(UNSEEN))
def test_what_no_reader_sees_of_a_notebook_does_not_count(
    change: Callable[[Notebook], object],
) -> None:
    assert changed(change) != changed(unchanged)
    assert is_same_text(changed(unchanged), changed(change), b"a.ipynb")


@pytest.mark.parametrize("change", SEEN.values(), ids=list(SEEN))
def test_what_readers_see_of_a_notebook_counts(change: Callable[[Notebook], object]) -> None:
    assert not is_same_text(changed(unchanged), changed(change), b"a.ipynb")


def test_how_the_json_is_written_does_not_count() -> None:
    assert is_same_text(changed(unchanged), changed(unchanged, 4) + b"\n", b"a.ipynb")


def test_a_notebook_of_version_3_has_its_cells_in_a_sheet() -> None:
    def old(text: str, count: int) -> bytes:
        cell = {"cell_type": "code", "input": text, "prompt_number": count, "outputs": []}
        return json.dumps({"nbformat": 3, "worksheets": [{"cells": [cell]}]}).encode()

    assert is_same_text(old("print(1)", 1), old("print(1)", 2), b"a.ipynb")
    assert not is_same_text(old("print(1)", 1), old("print(2)", 1), b"a.ipynb")


def test_code_that_looks_like_the_end_of_code_is_code() -> None:
    old = changed(lambda n: code(n).update(source="~~~\n*a*"))
    new = changed(lambda n: code(n).update(source="~~~\na"))
    assert not is_same_text(old, new, b"a.ipynb")


@pytest.mark.parametrize("text", [b"no JSON", b'{"cells": 1}', b"[" * 100_000, b'"\xff"', b""])
def test_what_is_no_notebook_is_compared_by_its_words(text: bytes) -> None:
    assert is_same_text(text, text + b"\n", b"a.ipynb")
    assert not is_same_text(text, text + b" x", b"a.ipynb")
    assert not is_same_text(text, changed(unchanged), b"a.ipynb")


def test_a_part_of_a_notebook_is_cut_from_what_it_shows() -> None:
    other = changed(lambda n: n["cells"][0].update(source="# Tea\nOther."))
    renamed = changed(lambda n: n["cells"][0].update(source="# Pots\nWords."))
    assert is_same_text(changed(unchanged), other, b"a.ipynb", Headings(1))
    assert not is_same_text(changed(unchanged), renamed, b"a.ipynb", Headings(1))


PERCENT = """\
# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       jupytext_version: {version}
#   kernelspec:
#     name: {kernel}
# ---

# %% [markdown] id="{cell}"
# # Title
# Words here.

# %% id="{cell}"
print({code})
"""
MARKDOWN = """\
---
jupytext:
  text_representation:
    jupytext_version: {version}
kernelspec:
  name: {kernel}
---

# Title

```{{code-cell}}
print({code})
```
"""


@pytest.mark.parametrize(("name", "text"), [(b"a.py", PERCENT), (b"a.md", MARKDOWN)])
def test_what_jupytext_writes_for_itself_does_not_count(name: bytes, text: str) -> None:
    def written(
        version: str = "1.14", kernel: str = "a", cell: str = "a", code: str = "1"
    ) -> bytes:
        return text.format(version=version, kernel=kernel, cell=cell, code=code).encode()

    assert is_same_text(written(), written("1.16", "b", "c"), name)
    assert not is_same_text(written(), written(code="2"), name)


def test_another_comment_at_the_top_of_code_counts() -> None:
    old = b"# ---\n# Tea.\n# ---\n\nprint(1)\n"
    assert not is_same_text(old, old.replace(b"Tea", b"Pot"), b"a.py")
