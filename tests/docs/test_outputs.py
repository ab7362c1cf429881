"""The manual shows what builds say in four situations, of three generators."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from sitemapkit.rules import read_rules

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.manual
def test_builds_say_what_the_page_shows() -> None:
    made = runpy.run_path(str(DOCS / "outputs.py"))
    said: dict[str, list[str]] = made["all_said"]()
    page: str = made["page"](said)
    assert made["PAGE"].read_text(encoding="utf-8") == page, "run `python docs/outputs.py`"
    codes = {name: [block.split("$ echo $?\n")[1][0] for block in said[name]] for name in said}
    assert codes == {"fine": [*"000"], "shallow": [*"000"], "below": [*"000"], "strict": [*"111"]}
    for situation, rule in RULES.items():
        title = read_rules("sitemapkit")[rule].title
        assert all(title in " ".join(block.split()) for block in said[situation])
    assert "[sitemap.bad-metadata]" in said["strict"][-1]
    assert "[git-shallow]" not in said["shallow"][-1]


RULES = {"shallow": "git-shallow", "below": "robots-not-at-root", "strict": "bad-metadata"}
"""What all generators say where the page shows one of them."""
