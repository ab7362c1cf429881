"""The two tables of rules hold what the code raises, and nothing else."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit.model import Rule
from sitemapkit.rules import read_rules
from sitemapkit_tools.issues import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parents[1]
BUILDS = (HERE / "core", HERE / "plugins")
TOOLS = HERE / "tools"
BUILD_RULES = read_rules("sitemapkit")
CHECK_RULES = read_rules("sitemapkit_tools")


def test_each_table_is_toml() -> None:
    """It is read as what it is besides: lines of JSON."""
    for folder, rules in (
        (BUILDS[0] / "sitemapkit", BUILD_RULES),
        (TOOLS / "sitemapkit_tools", CHECK_RULES),
    ):
        groups = tomllib.loads((folder / "rules.toml").read_text(encoding="utf-8"))
        assert [
            Rule(name, **row, group=group)
            for group, table in groups.items()
            for name, row in table.items()
        ] == [*rules.values()]


def nodes(*folders: Path) -> Iterator[ast.AST]:
    for folder in folders:
        for file in folder.rglob("*.py"):
            yield from ast.walk(ast.parse(file.read_text(encoding="utf-8")))


def texts(*folders: Path) -> set[str]:
    """Return all string constants in the code."""
    return {str(node.value) for node in nodes(*folders) if isinstance(node, ast.Constant)}


def passed(names: set[str], *folders: Path) -> set[str]:
    """Return the string constants that are passed first, before others, to these functions."""
    calls = [node for node in nodes(*folders) if isinstance(node, ast.Call) and len(node.args) > 1]
    return {
        str(call.args[0].value)
        for call in calls
        if getattr(call.func, "attr", getattr(call.func, "id", "")) in names
        if isinstance(call.args[0], ast.Constant)
    }


def remarks(*folders: Path) -> set[str]:
    """Return the rules whose functions in `advice` are imported: they have the rules' names."""
    froms = [node for node in nodes(*folders) if isinstance(node, ast.ImportFrom)]
    names = [each for node in froms if "advice" in str(node.module) for each in node.names]
    return {each.name.replace("_", "-") for each in names}


def faults() -> set[str]:
    """Return the string constants that stand before a detail in a pair."""
    pairs = [node for node in nodes(TOOLS / "sitemapkit_tools") if isinstance(node, ast.Tuple)]
    return {
        str(pair.elts[0].value)
        for pair in pairs
        if [type(element) for element in pair.elts] == [ast.Constant, ast.JoinedStr]
        if isinstance(pair.elts[0], ast.Constant)
    }


def test_what_a_build_raises_is_in_its_table() -> None:
    raised = passed({"add", "issue", "_refuse"}, *BUILDS) | passed({"add"}, TOOLS)
    assert len(raised) > 30
    assert raised <= BUILD_RULES.keys()


def test_what_a_check_raises_is_in_one_of_the_tables() -> None:
    raised = passed({"issue", "element_issue", "add_issue", "stop"}, TOOLS) | faults()
    assert len(raised) > 50
    assert raised <= RULES.keys()


def test_each_rule_is_raised_where_its_table_says() -> None:
    merged = passed({"add", "grouped"}, TOOLS)
    assert BUILD_RULES.keys() <= texts(*BUILDS) | merged
    assert CHECK_RULES.keys() <= texts(TOOLS)
    shared = {rule.id for rule in BUILD_RULES.values() if rule.checked}
    assert shared <= texts(TOOLS) | remarks(TOOLS)
    assert BUILD_RULES.keys() & texts(TOOLS) <= shared | merged


def test_the_tables_share_no_rule() -> None:
    assert not BUILD_RULES.keys() & CHECK_RULES.keys()


def test_no_two_rules_have_one_title() -> None:
    titles = [rule.title for rule in (*BUILD_RULES.values(), *CHECK_RULES.values())]
    assert len(set(titles)) == len(titles)
