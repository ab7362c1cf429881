"""Whether two versions of a page say the same: their words, without the front matter.

Front matter, white space and line ends are what a page's readers do not see change.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import weakref
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from sitemapkit.lastmod.git.command import GitError, complaint, spawn, stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapkit.lastmod.git.history import Change

_FILE = b"100"
"""What the modes of regular files begin with."""

_SPACE = b" \t\r\n\v\f"

_AT_ONCE = 31
"""Files asked for before the answers are read: so few that their questions, two ids of SHA-256 for
each, fit a pipe of 4 KiB, as on Windows, and where a user's share of pipe memory is spent. Git
might wait with an answer for us, and we with a question for git."""

# A dot matches a carriage return, too: were one allowed for beside it, each line could be read in
# two ways, and all lines together in more ways than anybody can wait for.
_FRONT_MATTER = re.compile(
    rb"""
    \A (?:\xef\xbb\xbf)? \s*
    (?:
        ---[ \t]*\r?\n  (?:.*\n)*?  (?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)  # YAML
      | \+\+\+[ \t]*\r?\n  (?:.*\n)*?  \+\+\+[ \t]*(?:\r?\n|\Z)        # TOML
    )
    """,
    re.VERBOSE,
)

_HEADER = re.compile(
    rb"""
    \A (?:\xef\xbb\xbf)? \s*
    (?i:title|date|modified|category|tags|keywords|slug|authors?|summary|description|lang|status
       |template|url|save_as|translation)
    :.*\n
    (?: [\w-]+:.*\n | [ \t]+\S.*\n )*
    (?: [ \t]*\r?\n | \Z )
    """,
    re.VERBOSE,
)
"""Lines of `Key: value` up to the first empty line: MultiMarkdown, Pelican, MkDocs."""

_FIELDS = re.compile(
    rb"""
    \A (?:\xef\xbb\xbf)? \s*
    (?P<title> (?: ([^\w\s])\2+[ \t]*\r?\n )?  \S.*\n  ([^\w\s])\3+[ \t]*\r?\n  \s*\r?\n )?
    (?: :[^:\n]+:(?:[ ].*|\r)?\n (?: [ \t]+\S.*\n )* )+
    (?: [ \t]*\r?\n | \Z )
    """,
    re.VERBOSE,
)
"""A field list at the top of reStructuredText, or right below the title (kept)."""


def say_the_same(old: bytes, new: bytes, name: bytes) -> bool:
    """Tell whether two versions of the file `name` have the same words below the front matter."""
    without = _without_fields if _is_rest(name) else _without_header
    old, new = without(old), without(new)
    if old.translate(None, _SPACE) != new.translate(None, _SPACE):
        return False  # most end here, and splitting takes longer
    return old.split() == new.split() and b"\0" not in old


def _is_rest(name: bytes) -> bool:
    return name.lower().endswith((b".rst", b".rest"))


def _without_fields(text: bytes) -> bytes:
    fields = _FIELDS.match(text)
    return (fields["title"] or b"") + text[fields.end() :] if fields else text


def _without_header(text: bytes) -> bytes:
    header = _FRONT_MATTER.match(text) or _HEADER.match(text)
    return text[header.end() :] if header else text


class Bodies:
    """Texts of one repository, read through one `git cat-file --batch`."""

    def __init__(self, root: str) -> None:
        """Start git; raises GitError if there is none."""
        with ExitStack() as stack:
            self._errors = stack.enter_context(tempfile.TemporaryFile())
            self._git = spawn(
                root,
                ["cat-file", "--batch"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
            stack.callback(stop, self._git)
            self.stop = weakref.finalize(self, stack.pop_all().close)

    def alike(self, changes: Mapping[bytes, Change]) -> set[bytes]:
        """Return which of the files say the same after a commit; raises GitError if git fails."""
        files = [name for name, change in changes.items() if _is_modified_file(change)]
        alike = set[bytes]()
        for start in range(0, len(files), _AT_ONCE):
            some = files[start : start + _AT_ONCE]
            texts = self._read([i for name in some for i in (changes[name].old, changes[name].new)])
            for name, old, new in zip(some, texts, texts, strict=True):
                if old is not None and new is not None and say_the_same(old, new, name):
                    alike.add(name)
        return alike

    def _read(self, ids: Sequence[bytes]) -> Iterator[bytes | None]:
        """Yield the texts; None is a text that the repository does not have."""
        answers, questions = self._git.stdout, self._git.stdin
        if not (answers and questions):
            return
        with suppress(BrokenPipeError):  # then there is no answer either, which is an error below
            os.write(questions.fileno(), b"".join(i + b"\n" for i in ids))
        for _ in ids:
            _, _, size = answers.readline().strip().rpartition(b" ")
            if size.isdigit():
                yield answers.read(int(size) + 1)[:-1]
            elif size == b"missing":
                yield None
            else:
                raise GitError(complaint(self._errors))


def _is_modified_file(change: Change) -> bool:
    return change.status == b"M" and change.mode.startswith(_FILE)
