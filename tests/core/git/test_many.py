"""One walk, whatever the number of files and wherever git's output happens to be cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapkit.lastmod._history import parse

from .conftest import Moved

if TYPE_CHECKING:
    from .conftest import Repo


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


hexes = st.text("0123456789abcdef", min_size=40, max_size=40).map(str.encode)
names = st.binary(min_size=1, max_size=8).filter(lambda name: b"\0" not in name and name[0] != 47)
lines = st.builds(
    b":%b %b %b %b %b".__mod__,
    st.tuples(st.just(b"100644"), st.just(b"000000"), hexes, hexes, st.sampled_from([b"A", b"M"])),
)
changes = st.lists(st.tuples(lines, names), max_size=4)
records = st.tuples(hexes, st.lists(hexes, max_size=3), st.integers(0, 2**40), changes)


def as_git_writes(record: tuple[bytes, list[bytes], int, list[tuple[bytes, bytes]]]) -> bytes:
    commit, parents, when, changed = record
    raw = b"".join(b"\0%b\0%b" % change for change in changed)
    return b"/%b\0%b\0%d" % (commit, b" ".join(parents), when) + (raw and b"\0\n" + raw[1:])


@given(st.lists(records, min_size=1, max_size=6), st.sampled_from([1, 2, 3, 7, 64, 4096]))
def test_the_output_of_git_may_be_cut_anywhere(
    written: list[tuple[bytes, list[bytes], int, list[tuple[bytes, bytes]]]], size: int
) -> None:
    output = b"".join(as_git_writes(record) + b"\0" for record in written)
    chunks = [output[start : start + size] for start in range(0, len(output), size)]
    read = list(parse(chunks))
    assert [(r.commit, r.parents, r.when) for r in read] == [record[:3] for record in written]
    assert [list(zip(r.lines, r.paths, strict=True)) for r in read] == [
        [(b"\n" * (at == 0) + line, name) for at, (line, name) in enumerate(record[3])]
        for record in written
    ]


@pytest.mark.parametrize("chunks", [[], [b""]])
def test_no_output_is_no_record(chunks: list[bytes]) -> None:
    assert not list(parse(chunks))
