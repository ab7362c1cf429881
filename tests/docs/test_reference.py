"""The reference pages say what the code does today."""

from __future__ import annotations

import ast
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml

from sitemapkit import OptionsSchema, read_options

DOCS = Path(__file__).parents[2] / "docs"
WRITTEN = runpy.run_path(str(DOCS / "reference.py"))["WRITTEN"]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_page_that_follows_from_the_code_is_up_to_date(name: str) -> None:
    written = (DOCS / "pages" / name).read_text(encoding="utf-8")
    assert read(name, written) == read(name, WRITTEN[name]()), "run `python docs/reference.py`"


def test_each_option_has_an_example_that_each_generator_understands(tmp_path: Path) -> None:
    (tmp_path / "theme" / "sitemap").mkdir(parents=True)
    page = (DOCS / "pages" / "options.md").read_text(encoding="utf-8")
    names = [name for name in OptionsSchema.__struct_fields__ if name != "enabled"]
    for name in names:
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        spelled = re.findall(r"^\| .* \| `(.*)` \|$", section, re.MULTILINE)
        mkdocs, pelican, sphinx = spelled
        value = yaml.safe_load(mkdocs)[name]
        assert ast.literal_eval(pelican.removeprefix("SITEMAP = ")) == {name: value}
        assert ast.literal_eval(sphinx.removeprefix(f"sitemap_{name} = ")) == value
        read_options({name: value}, where="the manual", root=tmp_path)


def read(name: str, text: str) -> Any:
    """Return what a page says: versions of msgspec order the kinds of a value in their own ways."""
    return settled(json.loads(text)) if name.endswith(".json") else text


def settled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: settled(inner) for key, inner in value.items()}
    return sorted(map(settled, value), key=repr) if isinstance(value, list) else value
