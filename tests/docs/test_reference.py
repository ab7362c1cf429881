"""The reference pages say what the code does today."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
WRITTEN = runpy.run_path(str(DOCS / "reference.py"))["WRITTEN"]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_page_that_follows_from_the_code_is_up_to_date(name: str) -> None:
    written = (DOCS / "pages" / name).read_text(encoding="utf-8")
    assert written == WRITTEN[name](), "run `python docs/reference.py`"
