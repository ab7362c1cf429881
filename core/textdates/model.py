"""What is dated, which commits count, and what limits the dates. A leaf."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

FilePath = str | os.PathLike[str]
"""A path as its owner has it: mostly text, since creating a Path for each takes time."""

Cut = Callable[[str], str | None]
"""Returns what a page shows of the text of a file; None if the text does not have it.

It is hashable and compared by its value: a frozen struct with `__call__`. It raises ValueError
or SyntaxError for a text that it cannot read; then the whole text counts.
"""


class Part(Struct, frozen=True, cache_hash=True, gc=False):
    """A part of a file, where a page does not show all of it."""

    file: FilePath
    cut: Cut


FileOrPart = FilePath | Part


def file_of(source: FileOrPart) -> str:
    """Return the path of the file itself."""
    if isinstance(source, Part):
        return os.fspath(source.file)
    return os.fspath(source)


class Rules(Struct, frozen=True, kw_only=True):
    """Which changes count."""

    bodies: bool = True
    """False also counts changes that no reader sees: of front matter, white space, markup."""

    ignore_revs: str | Sequence[str] | None = None
    """Files that list commits which do not count, in the format of `git blame`, relative to the
    root of each repository; None uses `.git-blame-ignore-revs` if there is one, () none.

    The commit that created a file always counts.
    """

    base: str = ""
    """The URL of the site: a link that begins with it leads to the same place as one without it."""

    is_myst: bool = False
    """Whether Markdown is MyST: lists need no blank line above, and `%` begins a comment."""


DiagnosticId = Literal[
    "git-shallow",
    "git-partial",
    "git-untracked",
    "git-modified",
    "git-outside",
    "git-none",
    "git-ignore-revs",
    "git-missing",
    "git-ownership",
    "git-empty",
    "git-old",
    "git-too-large",
    "git-budget",
    "git-sweep",
    "git-failed",
]


class Diagnostic(Struct, frozen=True):
    """What limits the dates of a repository: some files then have none, or an older one."""

    id: DiagnosticId
    where: str
    """The root of the work tree, or a file."""

    detail: str = ""
    """What was found there, in sentences."""

    count: int = 1
    """How many places there are; `where` or `detail` names one of them."""
