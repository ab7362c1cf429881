"""What `git log -1 -- file` says, exactly, for many files at once.

At each commit git goes to the first parent that has the same file; the commit which differs from
all its parents is the answer. So a file that came by a merge is followed into the branch that was
merged, along the first parents of that branch, and into what was merged there.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.lastmod.git.command import ask
from sitemapkit.lastmod.git.history import pick

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sitemapkit.lastmod.git.history import Log, Record, Stamp
    from sitemapkit.lastmod.git.ignored import Ignored
    from sitemapkit.lastmod.git.repository import Repository

_FIRST_STEPS = 4
_MOST_STEPS = 256


class _Merged(Struct, frozen=True):
    """A file that a merge changed on the branch that it was merged into."""

    merge: Record
    name: bytes
    is_new: bool


class Committed:
    """Looks for the commits that `git log -1` names."""

    def __init__(self, repository: Repository, ignored: Ignored) -> None:
        """Begin with nothing found."""
        self.found: dict[bytes, Stamp] = {}
        """The commit that last changed each file."""
        self._repository = repository
        self._ignored = ignored.commits
        self._merged: list[_Merged] = []

    def look(self, log: Log, names: Iterable[bytes]) -> None:
        """Follow the log from the checked-out commit, then the branches that were merged."""
        wanted = set(names)
        for record in log:
            self._settle(record, wanted)
            if not wanted:
                break
        log.stop()
        while self._merged:
            self._descend(self._enter_branches())

    def _settle(self, record: Record, wanted: set[bytes]) -> None:
        """Take from `wanted` the files for which the first parents end here."""
        hits = wanted.intersection(record.paths)
        for name in hits:
            is_new = record.change(name).status == b"A"
            if record.is_merge:
                self._merged.append(_Merged(record, name, is_new))
            elif record.commit in self._ignored and not is_new:
                continue
            else:
                self.found[name] = record.stamp
            wanted.remove(name)

    def _enter_branches(self) -> dict[bytes, set[bytes]]:
        """Return which files to look for from which parents of the merges."""
        merged, self._merged = self._merged, []
        differing = self._compare(merged)
        starts: dict[bytes, set[bytes]] = defaultdict(set)
        for at in merged:
            merge, name = at.merge, at.name
            same = (p for p in merge.parents[1:] if name not in differing[merge.commit, p])
            if parent := next(same, None):
                starts[parent].add(name)
            elif merge.commit in self._ignored and not at.is_new:
                starts[merge.parents[0]].add(name)
            else:
                self.found[name] = merge.stamp
        return starts

    def _compare(self, merged: Collection[_Merged]) -> Mapping[tuple[bytes, bytes], set[bytes]]:
        """Return what differs between each merge and each of its further parents."""
        pairs = dict.fromkeys((at.merge.commit, p) for at in merged for p in at.merge.parents[1:])
        scope = self._repository.scope({at.name for at in merged})
        answer = ask(
            self._repository.root,
            *("diff-tree", "--stdin", "--always", "-r", "-z", "--raw", "--no-renames", "--"),
            *([scope] if scope else []),
            lines=(b" ".join(pair) for pair in pairs),
        )
        differing: dict[tuple[bytes, bytes], set[bytes]] = {}
        coming, fields = iter(pairs), iter(answer.split(b"\0")[:-1])
        paths = set[bytes]()
        for field in fields:
            if field.startswith(b":"):
                paths.add(next(fields))
            else:  # the id of the next merge
                paths = differing[next(coming)] = set[bytes]()
        return differing

    def _descend(self, starts: dict[bytes, set[bytes]]) -> None:
        """Follow the first parents of all branches, a few commits of each at a time."""
        steps = _FIRST_STEPS
        while starts:
            commits = (b"%s~%d" % (start, step) for start in starts for step in range(steps))
            records = {record.commit: record for record in pick(self._repository.root, commits)}
            reached: dict[bytes, set[bytes]] = defaultdict(set)
            for start, names in starts.items():
                commit: bytes | None = start
                while commit and names and (record := records.get(commit)):
                    self._settle(record, names)
                    commit = next(iter(record.parents), None)
                if commit and names:
                    reached[commit] |= names
            starts, steps = reached, min(4 * steps, _MOST_STEPS)
