"""The reference pages say what the code does today."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_on_options_follows_the_schema() -> None:
    reference = runpy.run_path(str(DOCS / "reference.py"))
    written = (DOCS / "pages" / "options.md").read_text(encoding="utf-8")
    assert written == reference["options_page"](), "run `python docs/reference.py`"
