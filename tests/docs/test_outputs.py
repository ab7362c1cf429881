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
    said: dict[str, list[str]] = made["all_said"]()
    page: str = made["page"](said)
    assert made["PAGE"].read_text(encoding="utf-8") == page, "run `python docs/outputs.py`"
    codes = {name: [block.split("$ echo $?\n")[1][0] for block in said[name]] for name in said}
    assert codes == {"fine": [*"000"], "shallow": [*"000"], "below": [*"000"], "strict": [*"111"]}
    for name in ("shallow", "below", "strict"):
        assert len({issues(block) for block in said[name]}) == 1, said[name]


def issues(block: str) -> tuple[str, ...]:
    """Return the rules that a build names; Sphinx has a prefix for them."""
    return tuple(re.findall(r"\[(?:sitemap\.)?([a-z-]+)\]", block))
