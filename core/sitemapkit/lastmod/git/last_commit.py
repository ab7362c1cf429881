"""Exactly what `git log -1 -- file` gives, for many files at once.

At each commit git goes to the first parent that has the same version of the file; a commit that
differs from all of its parents is the result. So a file that was changed by a merge is followed
into the branch that was merged, along the first parents of that branch, and into what was merged
there.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitemapkit.lastmod.git.command import run_git
from sitemapkit.lastmod.git.history import Target, read_commits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapkit.lastmod.git.history import CommitDate, Log, Record
    from sitemapkit.lastmod.git.ignored import IgnoredCommits
    from sitemapkit.lastmod.git.repository import Repository

_Merged = list[tuple["Record", bytes]]
"""Merges that changed a file on the branch that they merged into, each with the file."""

_FIRST_STEPS = 4
_MAX_STEPS = 256


class LastCommitSearch:
    """Finds the commits that `git log -1` shows."""

    def __init__(self, repository: Repository, ignored: IgnoredCommits) -> None:
        """Start with nothing found."""
        self.found: dict[Target, CommitDate] = {}
        """The commit that last changed each file; there are no parts of files here."""
        self._repository = repository
        self._ignored = ignored.ids
        self._merged: _Merged = []

    def search(self, log: Log, targets: Iterable[Target]) -> None:
        """Follow the log from the checked-out commit, then the branches that were merged."""
        missing = {target.name for target in targets}
        for record in log.records:
            self._take_changed(record, missing)
            if not missing:
                break
        log.stop()
        while self._merged:
            self._follow_branches(self._choose_branches())

    def _take_changed(self, record: Record, missing: set[bytes]) -> None:
        """Take from `missing` the files for which the line of first parents ends here."""
        for name in missing.intersection(record.paths):
            if record.is_merge:
                self._merged.append((record, name))
            elif self._is_ignored(record, name):
                continue
            else:
                self.found[Target(name)] = record.date
            missing.remove(name)

    def _choose_branches(self) -> dict[bytes, set[bytes]]:
        """Return the parents of merges to continue from, and the files to follow there."""
        merged, self._merged = self._merged, []
        differences = self._compare(merged)
        starts: dict[bytes, set[bytes]] = defaultdict(set)
        for merge, name in merged:
            same = (p for p in merge.parents[1:] if name not in differences[merge.commit, p])
            if parent := next(same, None):
                starts[parent].add(name)
            elif self._is_ignored(merge, name):
                starts[merge.parents[0]].add(name)
            else:
                self.found[Target(name)] = merge.date
        return starts

    def _is_ignored(self, record: Record, name: bytes) -> bool:
        return record.commit in self._ignored and record.change(name).status != b"A"

    def _compare(self, merged: _Merged) -> dict[tuple[bytes, bytes], set[bytes]]:
        """Return the files that differ between each merge and each of its other parents."""
        pairs = dict.fromkeys((merge.commit, p) for merge, _ in merged for p in merge.parents[1:])
        scope = self._repository.scope({name for _, name in merged})
        output = run_git(
            self._repository.root,
            *("diff-tree", "--stdin", "--always", "-r", "-z", "--raw", "--no-renames", "--"),
            *([scope] if scope else []),
            lines=(b" ".join(pair) for pair in pairs),
        )
        differences: dict[tuple[bytes, bytes], set[bytes]] = {}
        next_pair, fields = iter(pairs), iter(output.split(b"\0")[:-1])
        paths = set[bytes]()
        for field in fields:
            if field.startswith(b":"):
                paths.add(next(fields))
            else:  # the id of the next merge
                paths = differences[next(next_pair)] = set[bytes]()
        return differences

    def _follow_branches(self, starts: dict[bytes, set[bytes]]) -> None:
        """Follow the first parents of all branches, a few commits of each at a time."""
        steps = _FIRST_STEPS
        while starts:
            commits = (b"%s~%d" % (start, step) for start in starts for step in range(steps))
            records = {r.commit: r for r in read_commits(self._repository.root, commits)}
            reached: dict[bytes, set[bytes]] = defaultdict(set)
            for start, names in starts.items():
                commit: bytes | None = start
                while commit and names and (record := records.get(commit)):
                    self._take_changed(record, names)
                    commit = next(iter(record.parents), None)
                if commit and names:
                    reached[commit] |= names
            starts, steps = reached, min(4 * steps, _MAX_STEPS)
