"""The manual shows what builds say: of three generators, each in four situations."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_builds_say_what_the_page_shows() -> None:
    made = runpy.run_path(str(DOCS / "outputs.py"))
    page: str = made["page"]()
    assert made["PAGE"].read_text(encoding="utf-8") == page, "run `python docs/outputs.py`"
    assert page.count("```text\n$ ") == 12
