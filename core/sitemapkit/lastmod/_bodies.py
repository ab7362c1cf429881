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
from hashlib import blake2b
from typing import TYPE_CHECKING

from sitemapkit.lastmod._command import GitError, complaint, spawn, stop

if TYPE_CHECKING:
    from sitemapkit.lastmod._history import Change

_FILE = b"100"
"""What the modes of regular files begin with."""

_FRONT_MATTER = re.compile(
    rb"""
    \A (?:\xef\xbb\xbf)? \s*
    (?:
        ---[ \t]*\n  (?:.*\n)*?  (?:---|\.\.\.)[ \t]*(?:\n|\Z)                  # YAML
      | \+\+\+[ \t]*\n  (?:.*\n)*?  \+\+\+[ \t]*(?:\n|\Z)                        # TOML
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
    (?: [ \t]*\n | \Z )
    """,
    re.VERBOSE,
)
"""Lines of `Key: value` up to the first empty line: MultiMarkdown, Pelican, MkDocs."""

_FIELDS = re.compile(
    rb"""
    \A (?:\xef\xbb\xbf)? \s*
    (?P<title> (?: ([^\w\s])\2+[ \t]*\n )?  \S.*\n  ([^\w\s])\3+[ \t]*\n  \s*\n )?
    (?: :[^:\n]+:(?:[ ].*)?\n (?: [ \t]+\S.*\n )* )+
    (?: [ \t]*\n | \Z )
    """,
    re.VERBOSE,
)
"""A field list at the top of reStructuredText, or right below the title (kept)."""


def words(text: bytes, name: bytes) -> bytes:
    """Return the words of a version of the file `name`, without its front matter."""
    if b"\0" in text:
        return text
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if name.lower().endswith((b".rst", b".rest")):
        text = _FIELDS.sub(rb"\g<title>", text, count=1)
    elif _FRONT_MATTER.match(text):
        text = _FRONT_MATTER.sub(b"", text, count=1)
    else:
        text = _HEADER.sub(b"", text, count=1)
    return b" ".join(text.split())


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
        self._digests: dict[tuple[bytes, bytes], bytes] = {}

    def are_alike(self, name: bytes, change: Change) -> bool:
        """Tell whether a modified file says the same as before; raises GitError if git fails."""
        if not (change.old_mode.startswith(_FILE) and change.mode.startswith(_FILE)):
            return False
        ids = [change.old, change.new]
        self._read(name, [i for i in ids if (name, i) not in self._digests])
        old, new = (self._digests.get((name, i)) for i in ids)
        return old is not None and old == new

    def _read(self, name: bytes, ids: list[bytes]) -> None:
        answers, questions = self._git.stdout, self._git.stdin
        if not (answers and questions and ids):
            return
        with suppress(BrokenPipeError):  # then there is no answer either, which is an error below
            os.write(questions.fileno(), b"".join(i + b"\n" for i in ids))
        for i in ids:
            _, _, size = answers.readline().strip().rpartition(b" ")
            if size.isdigit():
                text = answers.read(int(size) + 1)[:-1]
                self._digests[name, i] = blake2b(words(text, name), digest_size=16).digest()
            elif size != b"missing":
                raise GitError(complaint(self._errors))
