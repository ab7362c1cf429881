"""The reference pages say what the code does today."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
WRITTEN = runpy.run_path(str(DOCS / "reference.py"))["WRITTEN"]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_page_that_follows_from_the_code_is_up_to_date(name: str) -> None:
    written = (DOCS / "pages" / name).read_text(encoding="utf-8")
    assert read(name, written) == read(name, WRITTEN[name]()), "run `python docs/reference.py`"


def read(name: str, text: str) -> Any:
    """Return what a page says: versions of msgspec order the kinds of a value in their own ways."""
    return settled(json.loads(text)) if name.endswith(".json") else text


def settled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: settled(inner) for key, inner in value.items()}
    return sorted(map(settled, value), key=repr) if isinstance(value, list) else value
