"""The manual shows what builds say: of three generators, each in four situations."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.manual
def test_builds_say_what_the_page_shows() -> None:
    made = runpy.run_path(str(DOCS / "outputs.py"))
    page: str = made["page"]()
    assert made["PAGE"].read_text(encoding="utf-8") == page, "run `python docs/outputs.py`"
    codes = re.findall(r"^\$ (\w+).*?^\$ echo \$\?\n(\d+)", page, re.MULTILINE | re.DOTALL)
    assert codes == [
        (program, code) for code in "0001" for program in ("mkdocs", "pelican", "sphinx")
    ]
