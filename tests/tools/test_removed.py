"""What is gone is answered with what to use instead, and that is there."""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import TYPE_CHECKING

import click
import pytest

from sitemapkit import installed
from sitemapkit.options import OptionsSchema, is_option
from sitemapkit_tools import removed
from sitemapkit_tools.cli import COMMANDS
from sitemapkit_tools.commands.check import command as check
from sitemapkit_tools.issues import OURS

from .conftest import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FLAGS = {
    name: {flag for each in command.params for flag in [*each.opts, *each.secondary_opts]}
    for name in COMMANDS
    if isinstance(
        command := import_module(f"sitemapkit_tools.commands.{name}").command, click.Command
    )
}
"""The flags that each command has."""

FORMATS = {
    form
    for each in check.params
    if each.name == "style" and isinstance(each.type, click.Choice)
    for form in each.type.choices
}
"""The formats of a check."""


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield each command with what it once had, and what is said of that."""
    for flags, command in ((each, name) for name, each in removed.FLAGS.items()):
        for flag, instead in flags.items():
            yield command, flag, instead
    for form, instead in removed.FORMATS.items():
        yield "check", form, instead
    for rule, instead in removed.RULES.items():
        yield "check", rule, instead
    for name, instead in removed.COMMANDS.items():
        yield "", name, instead


def test_nothing_that_is_there_is_said_to_be_gone() -> None:
    assert removed.COMMANDS.keys().isdisjoint(COMMANDS)
    assert removed.FORMATS.keys().isdisjoint(FORMATS)
    assert removed.RULES.keys().isdisjoint(OURS)
    assert removed.FLAGS.keys() <= {*COMMANDS}
    for command, flags in removed.FLAGS.items():
        assert flags.keys().isdisjoint(FLAGS[command])


@pytest.mark.parametrize(("command", "name", "instead"), [*rows()])
def test_what_to_use_instead_is_there(command: str, name: str, instead: str) -> None:
    owner = command
    for words in re.findall(r"`(.+?)`", instead):
        stated = re.match(r"sitemapkit (\w+)", words)
        owner = stated[1] if stated else owner
        assert owner in COMMANDS, name
        assert set(re.findall(r"--[\w-]+", words)) <= FLAGS[owner], name
        if words.isalpha():
            assert words in FORMATS, name
        for option in re.findall(r"--set (\w+)=", words):
            assert is_option(option), name


@pytest.mark.parametrize("name", removed.COMMANDS)
def test_a_command_that_is_gone_is_an_error(name: str) -> None:
    outcome = run(name, "--whatever", "site")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert f"The command '{name}' is gone: {removed.COMMANDS[name]}." in outcome.stderr


@pytest.mark.parametrize(
    ("command", "flag"),
    [(command, flag) for command, flags in removed.FLAGS.items() for flag in flags],
)
@pytest.mark.parametrize("value", [" x", "=x", ""])
def test_a_flag_that_is_gone_is_an_error(command: str, flag: str, value: str) -> None:
    outcome = run(command, *f"{flag}{value}".split())
    assert (outcome.code, outcome.stdout) == (2, "")
    assert f"The flag {flag} is gone: {removed.FLAGS[command][flag]}." in outcome.stderr


@pytest.mark.parametrize("name", [*OptionsSchema.__struct_fields__, *installed.options()])
def test_each_option_of_build_has_a_flag_or_is_set(name: str) -> None:
    flag = "--" + name.replace("_", "-")
    if flag in FLAGS["build"]:
        return
    for given in (flag, f"{flag}=x", f"--no{flag[1:]}"):
        outcome = run("build", given)
        assert outcome.code == 2
        assert f"is gone: `--set {name}=VALUE` sets the option, and so does sitemapkit.toml." in (
            outcome.stderr
        )


@pytest.mark.parametrize("flag", ["--agents", "--max-urls", "-x"])
def test_a_flag_that_never_was_is_not_said_to_be_gone(flag: str) -> None:
    outcome = run("check", flag)
    assert outcome.code == 2
    assert "No such option" in outcome.stderr


@pytest.mark.parametrize("given", [("--format", "sarif"), ("--output", "sarif=x.sarif")])
def test_a_format_that_is_gone_is_an_error(given: tuple[str, str]) -> None:
    outcome = run("check", *given)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert f"The format 'sarif' is gone: {removed.FORMATS['sarif']}." in outcome.stderr


@pytest.mark.parametrize("rule", removed.RULES)
def test_a_baseline_that_names_a_rule_that_is_gone_is_an_error(tmp_path: Path, rule: str) -> None:
    site, baseline = tmp_path / "site", tmp_path / "baseline.json"
    site.mkdir()
    (site / "index.html").write_text("<!doctype html><title>Tea</title>")
    known = {"fingerprint": "0123456789abcdef", "id": rule, "where": "https://example.org/"}
    baseline.write_text(json.dumps({"issues": [known]}))
    checked = ("check", site, "--base-url", "https://example.org/")
    outcome = run(*checked, "--baseline", baseline)
    assert outcome.code == 2
    assert f"{baseline} names the rule '{rule}', which is gone: " in outcome.stderr
    assert run(*checked, "--write-baseline", baseline).code == 1
    assert run(*checked, "--baseline", baseline).code == 0
