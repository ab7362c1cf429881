"""The rules for the code of the adapters: what they may import from the core."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

import sitemapkit

ROOT = Path(__file__).parents[1]
ADAPTERS = sorted((ROOT / "plugins").rglob("*.py"))


def documented() -> set[str]:
    """Return the names on the manual's page about the API; `build` is shown where it is defined."""
    page = (ROOT / "docs" / "pages" / "api.md").read_text(encoding="utf-8")
    names = set(re.findall(r"^::: ([\w.]+)$", page, re.MULTILINE))
    return names - {"sitemapkit.build.build"} | {"sitemapkit.build"}


def imports(file: Path) -> list[str]:
    """Return what a file imports: modules, and names with the modules that they are from."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    modules = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    names = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return [
        *(alias.name for node in modules for alias in node.names),
        *(f"{node.module}.{alias.name}" for node in names for alias in node.names),
    ]


@pytest.mark.parametrize("file", ADAPTERS, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_an_adapter_imports_only_documented_names_of_the_core_and_no_tools(file: Path) -> None:
    roots = {name: name.partition(".")[0] for name in imports(file)}
    assert "sitemapkit_tools" not in roots.values()
    names = {name for name, root in roots.items() if root in ("sitemapkit", "textdates")}
    assert names <= documented() | {
        "sitemapkit.__version__",
        "textdates.Part",
    }  # which is sitemapkit.Part


def test_each_documented_name_exists_and_all_public_names_are_documented() -> None:
    names = documented()
    assert {f"sitemapkit.{name}" for name in sitemapkit.__all__} <= names
    for name in names - {"sitemapkit.build"}:
        module, _, member = name.rpartition(".")
        assert not member.startswith("_")
        assert hasattr(importlib.import_module(module), member), name
