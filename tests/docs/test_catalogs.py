"""Entries for catalogs and the schemas for editors are as those who take them want them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from .reader import PAGES, ROOT, blocks

if TYPE_CHECKING:
    from pathlib import Path

CATALOGS = ROOT / "docs" / "catalogs"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SCHEMAS = sorted(PAGES.glob("*.schema.json"))
CATEGORIES = {"site-management", "search-toc", "quality"}
"""Some of the categories of the catalogs of MkDocs and ProperDocs."""


def says_no(*arguments: object) -> str:
    """Return what check-jsonschema says against something."""
    command = [sys.executable, "-m", "check_jsonschema", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode else ""


def test_the_catalogs_of_mkdocs_and_properdocs_find_the_plugin() -> None:
    """Their checkers want a known category, and the label `plugin` for an entry point."""
    (entry,) = yaml.safe_load((CATALOGS / "projects.yaml").read_text(encoding="utf-8"))
    assert entry["pypi_id"] == entry["name"] == PROJECT["name"]
    assert entry["category"] in CATEGORIES
    assert entry["labels"] == ["plugin"]
    assert entry["mkdocs_plugin"] in PROJECT["entry-points"]["mkdocs.plugins"]
    assert entry["mkdocs_plugin"] in entry_points(group="mkdocs.plugins").names
    assert f"https://github.com/{entry['github_id']}" == PROJECT["urls"]["Source"]


def test_the_recipe_for_conda_forge_requires_what_the_wheel_does() -> None:
    recipe = yaml.safe_load((CATALOGS / "recipe.yaml").read_text(encoding="utf-8"))
    run = [each.replace(" ", "") for each in recipe["requirements"]["run"]]
    # A recipe for all Pythons takes of a package what the newest one needs.
    wanted = [each.partition(";")[0] for each in PROJECT["dependencies"] if "<'" not in each]
    assert run == ["python>=${{python_min}}", *wanted]
    (script,) = recipe["build"]["python"]["entry_points"]
    assert script == f"sitemapkit = {PROJECT['scripts']['sitemapkit']}"
    assert recipe["tests"][0]["python"]["pip_check"]


def test_each_schema_is_one_and_says_where_it_is() -> None:
    assert len(SCHEMAS) == 2
    assert says_no("--check-metaschema", *SCHEMAS) == ""
    for schema in SCHEMAS:
        held = json.loads(schema.read_text(encoding="utf-8"))
        assert held["$id"] == f"{PROJECT['urls']['Documentation']}{schema.name}"


def test_the_schema_store_is_told_of_the_schema_that_is_there() -> None:
    entry = json.loads((CATALOGS / "schemastore.json").read_text(encoding="utf-8"))
    assert entry.keys() == {"name", "description", "fileMatch", "url"}
    assert entry["fileMatch"] == ["sitemapkit.toml"]
    assert (PAGES / entry["url"].rpartition("/")[2]).exists()


def test_the_schema_takes_what_the_manual_shows_and_no_typing_errors(tmp_path: Path) -> None:
    shown = [
        block.text
        for page in PAGES.glob("*.md")
        for block in blocks(page)
        if block.name == "sitemapkit.toml"
    ]
    assert shown
    file = tmp_path / "sitemapkit.toml"
    for text in [*shown, 'formats = ["xml", "html"]\nlastmod = false\n']:
        file.write_text(text)
        assert says_no("--schemafile", PAGES / "sitemapkit.schema.json", file) == ""
    file.write_text('formats = ["xlm"]\n')
    assert "xlm" in says_no("--schemafile", PAGES / "sitemapkit.schema.json", file)


def test_texts_for_others_show_only_settings_that_the_manual_shows() -> None:
    """Each line of a block is in a block of the manual, of the same language or of a console."""
    lines = {
        (block.language, line.split("  # ")[0].strip())
        for page in PAGES.glob("*.md")
        for block in blocks(page)
        for line in block.text.splitlines()
    }
    shown = [
        (block.language, line.strip(), block.place)
        for block in blocks(CATALOGS / "texts.md")
        for line in block.text.splitlines()
    ]
    assert len(shown) > 15
    assert [each for each in shown if (each[0], each[1].split("  # ")[0]) not in lines] == []


def test_texts_for_others_lead_to_pages_of_the_manual() -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in CATALOGS.glob("*.md"))
    named = set(re.findall(rf"{re.escape(PROJECT['urls']['Documentation'])}([\w-]+)/", text))
    assert named
    assert {name for name in named if not (PAGES / f"{name}.md").exists()} == set()


@pytest.mark.parametrize(
    "name", ["README.md", "texts.md", "projects.yaml", "recipe.yaml", "schemastore.json"]
)
def test_no_entry_names_another_home(name: str) -> None:
    text = (CATALOGS / name).read_text(encoding="utf-8")
    assert PROJECT["urls"]["Source"].removeprefix("https://github.com/") in text or (
        PROJECT["urls"]["Documentation"] in text
    )
