"""The table of rules: what may be wrong, and how to fix it; the sentences are in `rules.toml`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import json

from sitemapkit.model import Issue, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit.model import Severity


def issue(rule: str, where: str, detail: str = "", *, severity: Severity | None = None) -> Issue:
    """Return an issue that a build meets; `severity` is given where it is not the usual one."""
    found = read_rules(__package__)[rule]
    return Issue(found, where, detail, severity or found.severity)


def grouped(
    rule: str, places: Sequence[str], detail: str = "", *, severity: Severity | None = None
) -> list[Issue]:
    """Return one issue for all places that break a rule, at the first of them, or no issue."""
    if not places:
        return []
    whole = f"{detail} {and_more(len(places))}".strip()
    return [issue(rule, places[0], whole, severity=severity)]


def and_more(count: int) -> str:
    """Return a sentence for an issue's detail: how many others there are besides that one."""
    return f"{count - 1:,} more like this." if count > 1 else ""


@cache
def read_rules(package: str) -> Mapping[str, Rule]:
    """Return the rules in a package's `rules.toml`, by their ids, in the order of the file.

    A table is named by the rule's group and id, such as `[dates.git-shallow]`.

    Each value is on one line and JSON as well, which takes a twentieth of the time to read.
    """
    text = Path(import_module(package).__path__[0], "rules.toml").read_text(encoding="utf-8")
    found: dict[str, Rule] = {}
    # What precedes the first table is a comment.
    for table in text.split("\n[")[1:]:
        heading, *lines = table.splitlines()
        group, _, rule = heading.removesuffix("]").partition(".")
        values: dict[str, Any] = {}
        for line in lines:
            field, is_value, value = line.partition(" = ")
            if is_value:
                values[field] = json.decode(value)
        found[rule] = Rule(rule, **values, group=group)
    return found
