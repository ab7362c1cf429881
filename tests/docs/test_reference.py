"""The reference pages say what the code does today."""

from __future__ import annotations

import ast
import json
import re
import runpy
import tomllib
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec
import pytest
import yaml

from sitemapkit import OptionError, read_options

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = runpy.run_path(str(DOCS / "reference.py"))
WRITTEN, SCHEMA = REFERENCE["WRITTEN"], REFERENCE["SCHEMA"]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_page_that_follows_from_the_code_is_up_to_date(name: str) -> None:
    written = (DOCS / "pages" / name).read_text(encoding="utf-8")
    assert read(name, written) == read(name, WRITTEN[name]()), "run `python docs/reference.py`"


def test_each_option_has_an_example_that_each_generator_understands(tmp_path: Path) -> None:
    (tmp_path / "theme" / "sitemap").mkdir(parents=True)
    page = (DOCS / "pages" / "options.md").read_text(encoding="utf-8")
    for name in SCHEMA.__struct_fields__:
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        if example := re.search(r"Example: `(.*)`\.", section):
            read_options(yaml.safe_load(example[1]), where="the manual", root=tmp_path)
            continue
        spelled = re.findall(r'    ```\w+ title="(.+)"\n((?: {4}.*\n)+?) {4}```', section)
        mkdocs, pelican, sphinx = (dedent(text).strip() for _, text in spelled)
        assert [file for file, _ in spelled] == ["mkdocs.yml", "pelicanconf.py", "conf.py"]
        value = yaml.safe_load(mkdocs)["plugins"][0]["sitemapkit"][name]
        assert ast.literal_eval(pelican.removeprefix("SITEMAP = ")) == {name: value}
        assert ast.literal_eval(sphinx.removeprefix(f"sitemap_{name} = ")) == value
        read_options({name: value}, where="the manual", root=tmp_path)


def test_each_option_is_explained_and_each_of_its_words_too() -> None:
    """Each word that an option may be has a row; nothing is explained that does not exist."""
    explained = tomllib.loads((DOCS / "options.toml").read_text(encoding="utf-8"))
    _, components = msgspec.json.schema_components((SCHEMA,))
    described = components["OptionsSchema"]["properties"]
    found = {name: {*about.get("values", {})} for name, about in explained.items()}
    assert found == {name: words(name, schema) for name, schema in described.items()}


def words(name: str, schema: dict[str, Any]) -> set[str]:
    """Return the words that an option may be, and true and false if it may be these too."""
    kinds = schema.get("anyOf", [schema])
    named = {
        word for kind in kinds for word in kind.get("enum", kind.get("items", {}).get("enum", ()))
    }
    is_bool = named and any(kind.get("type") == "boolean" for kind in kinds)
    return named | (
        {str(value).lower() for value in (True, False) if takes(name, value)} if is_bool else set()
    )


def takes(name: str, value: object) -> bool:
    """Return whether an option may have this value."""
    try:
        read_options({name: value}, where="the manual", root=DOCS)
    except OptionError:
        return False
    return True


def read(name: str, text: str) -> Any:
    """Return what a page says: versions of msgspec order the kinds of a value in their own ways."""
    return settled(json.loads(text)) if name.endswith(".json") else text


def settled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: settled(inner) for key, inner in value.items()}
    return sorted(map(settled, value), key=repr) if isinstance(value, list) else value
