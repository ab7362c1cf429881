"""The table of rules: what may be wrong, and how to fix it; the sentences are in `rules.toml`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from msgspec import convert

from sitemapkit.model import Issue, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit.model import Severity


def issue(rule: str, where: str, detail: str = "", *, severity: Severity | None = None) -> Issue:
    """Return an issue that a build meets; `severity` is given where it is not the usual one."""
    found = read_rules(__package__)[rule]
    return Issue(found, where, detail, severity or found.severity)


def and_more(count: int) -> str:
    """Say in an issue's detail how many others there are, beside the one that it is about."""
    return f"{count - 1:,} more like this." if count > 1 else ""


@cache
def read_rules(package: str) -> Mapping[str, Rule]:
    """Return the rules in a package's `rules.toml`, by their ids, in the order of the file."""
    import tomllib  # noqa: PLC0415 - most builds meet no issue

    table = tomllib.loads(files(package).joinpath("rules.toml").read_text(encoding="utf-8"))
    return {name: convert({"id": name, **row}, Rule) for name, row in table.items()}
