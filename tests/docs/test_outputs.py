"""The manual shows what builds say in four situations, of three generators."""

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
    well, failed = (
        [(program, code) for program in ("mkdocs", "pelican", "sphinx")] for code in "01"
    )
    assert codes == [*well, *2 * [("mkdocs", "0")], *failed]
