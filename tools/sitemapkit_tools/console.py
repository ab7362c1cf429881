"""All that is written to a terminal or a log of CI: nothing that others wrote reaches it raw.

Control characters are shown as escapes, so that no text moves the cursor, hides a line or forges
one, and no line is a command to the CI that runs us: to GitLab that takes control characters, to
GitHub a line that begins with `::` or holds `##[`, to others one with `##vso[` or `##teamcity[`.
Secrets are masked whatever text brings them.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from sitemapkit.model import printable

if TYPE_CHECKING:
    from collections.abc import Generator

_secrets: set[str] = set()

_ESCAPE = f"\0{os.urandom(8).hex()}"
"""Stands for the escape character in styles of ours; nobody else can know it."""


def echo(text: str, *, err: bool = False, commands: bool = False) -> None:
    """Write lines to stdout or stderr; `commands`: those that begin with `::` are ours."""
    click.echo(safe(text, commands=commands).replace(printable(_ESCAPE), "\x1b"), err=err)


def plain(text: str, *, commands: bool = False) -> str:
    """Return lines as `echo` writes them where there is no terminal."""
    return click.unstyle(safe(text, commands=commands).replace(printable(_ESCAPE), "\x1b"))


def echo_json(value: object) -> None:
    """Write JSON to stdout, in ASCII, so that it suits any terminal."""
    echo(json.dumps(value, indent=2))


def style(text: str, *, colour: str | None = None, bold: bool = False, dim: bool = False) -> str:
    """Return a text that stands out on a terminal, on one line."""
    styled = click.style(printable(text), fg=colour, bold=bold or None, dim=dim or None)
    return styled.replace("\x1b", _ESCAPE)


def cell(text: str) -> str:
    """Return a text that stands in a cell of a Markdown table as it is."""
    short = text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…"
    return _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", " ".join(printable(short).split()))


_LONGEST_CELL = 300
_ACTIVE = re.compile(r"[\\`*_\[\]<>|@#~&]")
"""What Markdown or HTML would read as more than a letter, or GitHub as the name of somebody."""


def counted(number: int, word: str, words: str = "") -> str:
    """Return the number and the word, in the plural (`words`, or with an s) unless it is one."""
    return f"{number:,} {word if number == 1 else words or f'{word}s'}"


def safe(text: str, *, commands: bool = False) -> str:
    """Return lines as they may be shown; `commands`: those that begin with `::` are ours."""
    for secret in _secrets:
        text = text.replace(secret, "***")
    if text.replace("\n", "").isprintable() and "::" not in text and "##" not in text:
        return text  # the usual case, and the text may be long
    lines = map(printable, text.split("\n"))
    return "\n".join(lines if commands else map(_no_command, lines))


def _no_command(line: str) -> str:
    """Escape the first colon of a line that GitHub would take for a command."""
    visible = click.unstyle(line.replace(printable(_ESCAPE), "\x1b"))
    is_command = visible.lstrip().startswith("::")
    return line.replace("::", r"\u003a:", 1) if is_command else line


@contextmanager
def hidden(secret: str) -> Generator[None]:
    """Show a secret nowhere."""
    spellings = {secret, quote(secret), quote(secret, safe="")} - _secrets
    _secrets.update(spellings)
    try:
        yield
    finally:
        _secrets.difference_update(spellings)
