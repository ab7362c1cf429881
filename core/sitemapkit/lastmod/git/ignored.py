"""Commits that the user says do not count: reformatting, licence years, a moved folder."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sitemapkit.lastmod.git.command import OBJECT_ID, ask
from sitemapkit.lastmod.git.history import pick

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from sitemapkit.lastmod.git.history import Change

DEFAULT_FILE = ".git-blame-ignore-revs"
"""What `git blame`'s users and GitHub call the list of such commits."""


class Ignored:
    """The commits of one repository that do not count."""

    def __init__(self, root: str, commits: Iterable[bytes] = ()) -> None:
        """Remember the ids of the commits."""
        self._root = root
        self.commits = frozenset(commits)

    def is_their_work(self, change: Change) -> bool:
        """Tell whether ignored commits did just this to a text, one after the other.

        That is how a merge lands them: its own change, from the branch's old text to the new one,
        is then theirs. If the branch or the merge changed the text as well, it is not.
        """
        seen, reached = {change.old}, [change.old]
        while reached:
            text = reached.pop()
            if text == change.new:
                return True
            fresh = self._steps.get(text, set[bytes]()) - seen
            seen |= fresh
            reached.extend(fresh)
        return False

    @cached_property
    def _steps(self) -> Mapping[bytes, set[bytes]]:
        steps: dict[bytes, set[bytes]] = {}
        for record in pick(self._root, self.commits) if self.commits else ():
            for change in map(record.change, record.paths):
                steps.setdefault(change.old, set()).add(change.new)
        return steps


def read_list(path: Path) -> list[bytes]:
    """Return the commit ids in a file: one a line, `#` begins a comment, as git blame reads it.

    Raises OSError if it cannot be read, ValueError with the line that holds no full id.
    """
    lines = (line.partition(b"#")[0].strip() for line in path.read_bytes().splitlines())
    ids = [line.lower() for line in lines if line]
    for line in ids:
        if not OBJECT_ID.fullmatch(line):
            raise ValueError(line.decode("utf-8", "replace"))
    return ids


def find_by_message(root: str, head: bytes, pattern: re.Pattern[str]) -> list[bytes]:
    """Return the commits in the history of `head` whose message the pattern is found in."""
    log = ask(root, "log", "-z", "--format=%H%x00%B", head.decode())
    fields = log.split(b"\0")
    pairs = zip(fields[::2], fields[1::2], strict=False)
    return [commit for commit, text in pairs if pattern.search(text.decode("utf-8", "replace"))]
