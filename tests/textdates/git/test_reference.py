"""Random histories, dated all at once by us and file by file by git itself."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textdates import Rules, TextDates

from .conftest import Content, Program, Repo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

pytestmark = pytest.mark.slow

NAMES = ["a", "b", "x/a", "x/b", "x/y/c"]


class File(NamedTuple):
    content: str
    executable: bool = False

    @property
    def written(self) -> Content:
        return Program(self.content) if self.executable else self.content


Action = Literal["keep", "merge", "delete", "set"]


class Step(NamedTuple):
    """A commit: how far back its parents lie, and what becomes of each file."""

    day: int
    parents: tuple[int, ...]
    actions: list[tuple[Action, File]]


actions = st.sampled_from(["keep", "keep", "keep", "merge", "merge", "delete", "set"])
back = st.integers(1, 4)
parents = st.one_of(st.tuples(back), st.tuples(back, back), st.tuples(back, back, back))


def histories(files: st.SearchStrategy[File]) -> st.SearchStrategy[list[Step]]:
    of_files = st.tuples(*[st.tuples(actions, files)] * len(NAMES)).map(list)
    steps = st.builds(Step, st.integers(1, 30), parents, of_files)
    return st.lists(steps, min_size=2, max_size=14)


def write(history: Sequence[Step], folder: Path) -> Repo:
    """Make the repository of a history; its first commit has all files."""
    repo = Repo(folder)
    trees: list[Mapping[str, File]] = [{name: File(f"first {name}") for name in NAMES}]
    repo.commit(1, {name: file.content for name, file in trees[0].items()})
    for step in history:
        numbers = tuple(dict.fromkeys(max(0, len(trees) - far) for far in step.parents))
        old = trees[numbers[0]]
        new = dict(apply(step, [trees[number] for number in numbers]))
        trees.append(new)
        changes: dict[str, Content] = {name: None for name in old if name not in new}
        changes |= {name: file.written for name, file in new.items() if old.get(name) != file}
        repo.commit(step.day, changes, after=tuple(number + 1 for number in numbers))
    return repo.save(check_out=False)


def apply(step: Step, sides: Sequence[Mapping[str, File]]) -> Iterator[tuple[str, File]]:
    for name, (action, file) in zip(NAMES, step.actions, strict=True):
        if action == "set":
            yield name, File(file.content.replace("NAME", name), file.executable)
        elif action != "delete":
            side = sides[-1] if action == "merge" else sides[0]
            if name in side:
                yield name, side[name]


def ask_git(repo: Repo, name: str, *how: str) -> int:
    return int(repo.git("log", "-1", "--format=%ct", *how, "--", name))


def ask_us(repo: Repo, names: Sequence[str]) -> dict[str, int]:
    dates = TextDates(Rules(bodies=False))
    found = dates.last_changed([repo.folder / name for name in names])
    assert not dates.diagnostics
    return {name: int(found[repo.folder / name].timestamp()) for name in names}


def tracked(repo: Repo) -> list[str]:
    return repo.git("ls-tree", "-r", "--name-only", "HEAD").split()


own_contents = st.sampled_from(["NAME 1", "NAME 2", "NAME 3"]).map(File)
shared = st.builds(File, st.sampled_from(["one", "two", "three", "NAME"]), st.booleans())


@given(histories(own_contents))
@settings(max_examples=40, deadline=None)
def test_landed_is_what_git_says_of_the_line_of_first_parents(history: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = write(history, Path(folder, "repo"))
        names = tracked(repo)
        how = "--first-parent", "-m", "--no-renames"
        assert ask_us(repo, names) == {name: ask_git(repo, name, *how) for name in names}


@given(histories(shared))
@settings(max_examples=40, deadline=None)
def test_renames_and_modes_are_seen_through(history: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = write(history, Path(folder, "repo"))
        names = tracked(repo)
        found = ask_us(repo, names)
        for name in names:
            assert found[name] in set(possible(repo, "HEAD", name)), name
            assert ask_us(repo, [name])[name] == found[name], name


def possible(repo: Repo, start: str, name: str) -> Iterator[int]:
    """Yield the dates that the content of a file may have, one for each file it may stem from."""
    how = ("--first-parent", "-m", "--no-renames", "--raw", "--no-abbrev", "--root")
    shown = repo.git("log", "-1", "--format=%H %ct", *how, start, "--", name).splitlines()
    commit, when = shown[0].split()
    old_mode, _, old, new, status = shown[-1].partition("\t")[0].split()
    if status == "M" and old == new:
        yield from possible(repo, f"{commit}^", name)
        return
    origins = deleted_with(repo, commit, new) if old_mode == ":000000" else []
    for origin in origins:
        yield from possible(repo, f"{commit}^", origin)
    if not origins:
        yield int(when)


def deleted_with(repo: Repo, commit: str, content: str) -> list[str]:
    parents = repo.git("rev-list", "--parents", "-1", commit).split()[1:]
    if not parents:
        return []
    how = ("-r", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=D")
    shown = repo.git("diff-tree", *how, parents[0], commit).splitlines()
    return [line.partition("\t")[2] for line in shown if line.split()[2] == content]
