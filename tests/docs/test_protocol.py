"""The manual's list of the protocol's rules: each one is held by a test that names it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GROUPS = tomllib.loads((ROOT / "docs" / "protocol.toml").read_text(encoding="utf-8"))
NAMES = [name for rules in GROUPS.values() for name in rules]
IDS = [name for name in NAMES if name.isalnum()]  # several names in one row: of no use in a test
TESTS = "\n".join(
    file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py")
).lower()


@pytest.mark.parametrize("rule", IDS)
def test_a_rule_of_the_protocol_is_held_by_a_test_that_names_it(rule: str) -> None:
    assert re.search(rf"def test_(?:[a-z]+[0-9]+_)*{rule.lower()}_", TESTS)


def test_the_list_is_read() -> None:
    assert {"D1", "L11", "P6", "LM10", "CP5", "IX7", "TX4", "HL6"} <= set(IDS)
