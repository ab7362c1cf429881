"""One walk, whatever the number of files and wherever git's output happens to be cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from textdates.git.history import Change, parse

from .conftest import Moved

if TYPE_CHECKING:
    from .conftest import Repo


@pytest.mark.slow
def test_100_000_files(repo: Repo) -> None:
    names = [f"{number // 1000}/{number}.md" for number in range(100_000)]
    repo.commit(1, dict.fromkeys(names, "text\n"))
    repo.commit(2, dict.fromkeys(names[::2], "other\n"))
    repo.commit(3, dict.fromkeys(names[::40], "other  \n\n"))  # the same words
    repo.commit(4, {"moved/7": Moved("7")})
    names = [f"moved/{name}" if name.startswith("7/") else name for name in names]
    repo.save(check_out=False)
    wanted = {name: 1 + (number % 2 == 0) for number, name in enumerate(names)}
    assert repo.days(*names) == wanted
    assert repo.days(*names[:1]) == {names[0]: 2}


def test_a_file_among_100_commits_that_do_not_touch_it(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    for number in range(100):
        repo.commit(2, {f"b/{number}.md": "b"})
    assert repo.days("a.md", "b/99.md") == {"a.md": 1, "b/99.md": 2}


class Written(NamedTuple):
    """A record as git writes it."""

    commit: bytes
    parents: list[bytes]
    when: int
    changes: dict[bytes, Change]

    @property
    def output(self) -> bytes:
        raw = [
            b":" + b" ".join(astuple(change)) + b"\0" + name
            for name, change in self.changes.items()
        ]
        head = [b"/" + self.commit, b" ".join(self.parents), b"%d" % self.when]
        return b"\0".join([*head, *([b"\n" + raw[0], *raw[1:]] if raw else []), b""])


ids = st.text("0123456789abcdef", min_size=40, max_size=40).map(str.encode)
modes = st.sampled_from([b"100644", b"120000", b"000000"])
names = st.binary(min_size=1, max_size=8).filter(lambda name: b"\0" not in name and name[0] != 47)
changes = st.builds(Change, modes, modes, ids, ids, st.sampled_from([b"A", b"D", b"M", b"T"]))
records = st.builds(
    Written,
    ids,
    st.lists(ids, max_size=3),
    st.integers(0, 2**40),
    st.dictionaries(names, changes, max_size=4),
)


@given(st.lists(records, min_size=1, max_size=6), st.sampled_from([1, 2, 3, 7, 64, 4096]))
def test_the_output_of_git_may_be_cut_anywhere(written: list[Written], size: int) -> None:
    output = b"".join(record.output for record in written)
    read = parse(output[start : start + size] for start in range(0, len(output), size))
    assert written == [
        Written(
            record.commit,
            [*record.parents],
            record.date.timestamp,
            {path: record.change(path) for path in record.paths},
        )
        for record in read
    ]


@pytest.mark.parametrize("chunks", [[], [b""]])
def test_no_output_is_no_record(chunks: list[bytes]) -> None:
    assert not list(parse(chunks))
