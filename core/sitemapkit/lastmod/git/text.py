"""Whether two versions of a file have the same text, apart from front matter and white space.

Changes to front matter, white space and line endings do not change what readers of a page see.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from subprocess import PIPE
from typing import TYPE_CHECKING

from sitemapkit.lastmod.git.command import GitProcess, start_git

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapkit.lastmod.git.history import Change

_REGULAR_FILE = b"100"
"""Prefix of the modes of regular files."""

_WHITE_SPACE = b" \t\r\n\v\f"

_BATCH = 31
"""Files requested before the answers are read. The requests of a batch, two SHA-256 ids per file,
fit into a pipe of 4 KiB, which is its size on Windows and where the user's limit of pipe memory is
reached. Larger ones could deadlock: git would wait for us to read an answer, and we for git to read
a request."""

# A dot matches a carriage return, too. An optional one beside it would give two ways to match each
# line, and so exponentially many ways to match all of them.
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
"""A field list at the top of reStructuredText, or right below the title, which is kept."""


def start_reader(root: str) -> GitProcess:
    """Start the process that reads all old texts; raise GitMissingError if git cannot be run."""
    return start_git(root, "cat-file", "--batch", stdin=PIPE)


def unchanged_texts(reader: GitProcess, changes: Mapping[bytes, Change]) -> set[bytes]:
    """Return which files have the same text after a commit; raise GitError if git fails."""
    names = [n for n, c in changes.items() if c.status == b"M" and c.mode.startswith(_REGULAR_FILE)]
    unchanged = set[bytes]()
    for start in range(0, len(names), _BATCH):
        batch = names[start : start + _BATCH]
        texts = _read(reader, [i for name in batch for i in (changes[name].old, changes[name].new)])
        for name, old, new in zip(batch, texts, texts, strict=True):
            if old is not None and new is not None and is_same_text(old, new, name):
                unchanged.add(name)
    return unchanged


def is_same_text(old: bytes, new: bytes, name: bytes) -> bool:
    """Return whether two versions of the file `name` have the same words below the front matter."""
    old, new = _without_front_matter(old, name), _without_front_matter(new, name)
    if old.translate(None, _WHITE_SPACE) != new.translate(None, _WHITE_SPACE):
        return False  # decides most cases, and faster than splitting
    return old.split() == new.split() and b"\0" not in old


def _without_front_matter(text: bytes, name: bytes) -> bytes:
    if name.lower().endswith((b".rst", b".rest")):
        fields = _FIELDS.match(text)
        return (fields["title"] or b"") + text[fields.end() :] if fields else text
    header = _FRONT_MATTER.match(text) or _HEADER.match(text)
    return text[header.end() :] if header else text


def _read(reader: GitProcess, ids: Sequence[bytes]) -> Iterator[bytes | None]:
    """Yield the texts; None for a text that the repository lacks."""
    answers, requests = reader.process.stdout, reader.process.stdin
    if not (answers and requests):
        return
    with suppress(BrokenPipeError):  # then there is no answer either, which raises below
        os.write(requests.fileno(), b"".join(i + b"\n" for i in ids))
    for _ in ids:
        _, _, size = answers.readline().strip().rpartition(b" ")
        if size.isdigit():
            yield answers.read(int(size) + 1)[:-1]
        elif size == b"missing":
            yield None
        else:
            raise reader.error()
