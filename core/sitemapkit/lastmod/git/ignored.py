"""Commits that do not count because the user says so: reformatting, licence years, moves."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from sitemapkit.lastmod.git.command import is_object_id, run_git
from sitemapkit.lastmod.git.history import read_commits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from sitemapkit.lastmod.git.history import Change

DEFAULT_LIST = ".git-blame-ignore-revs"
"""The usual name, for users of `git blame` and on GitHub, of the file that lists such commits."""


class IgnoredCommits:
    """The commits of one repository that do not count."""

    def __init__(self, root: str, ids: Iterable[bytes]) -> None:
        """Take the ids of the commits."""
        self.ids = frozenset(ids)
        self._root = root

    def made(self, change: Change) -> bool:
        """Return whether ignored commits, one after the other, made exactly this change of content.

        If so, a merge that brings them to the branch changes the old text of the branch to the new
        one by their changes alone. If the branch or the merge changed the text too, it does not.
        """
        seen, reached = {change.old}, [change.old]
        while reached:
            text = reached.pop()
            if text == change.new:
                return True
            new = self._steps.get(text, set[bytes]()) - seen
            seen |= new
            reached.extend(new)
        return False

    @cached_property
    def _steps(self) -> Mapping[bytes, set[bytes]]:
        """The contents that the commits changed, each with what it became."""
        steps: dict[bytes, set[bytes]] = {}
        for record in read_commits(self._root, self.ids) if self.ids else ():
            for change in map(record.change, record.paths):
                steps.setdefault(change.old, set()).add(change.new)
        return steps


def read_list(path: Path) -> list[bytes]:
    """Return the commit ids in a file: one per line, `#` begins a comment, as in `git blame`.

    Raises OSError if it cannot be read, and ValueError for a line that is not a full id.
    """
    lines = (line.partition(b"#")[0].strip() for line in path.read_bytes().splitlines())
    ids = [line.lower() for line in lines if line]
    for line in ids:
        if not is_object_id(line):
            raise ValueError(f"{line.decode('utf-8', 'replace')} is not a full commit id")
    return ids


def find_by_message(root: str, head: bytes, pattern: str) -> list[bytes]:
    """Return the commits in the history of `head` whose message the pattern matches anywhere."""
    log = run_git(root, "log", "-z", "--format=%H%x00%B", head.decode())
    fields, search = log.split(b"\0"), re.compile(pattern, re.MULTILINE).search
    pairs = zip(fields[::2], fields[1::2], strict=False)
    return [commit for commit, text in pairs if search(text.decode("utf-8", "replace"))]
