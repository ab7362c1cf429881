"""A draft is the new file, or nothing where the old one is the same."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapkit.output.draft import Draft

if TYPE_CHECKING:
    from pathlib import Path

chunks = st.lists(st.binary(max_size=5), max_size=6)


def draft_of(folder: Path, name: str, old: bytes | None, pieces: list[bytes]) -> Draft:
    target = folder / name
    target.unlink(missing_ok=True)
    (folder / "new").unlink(missing_ok=True)
    if old is not None:
        target.write_bytes(gzip.compress(old) if name.endswith(".gz") else old)
    draft = Draft(target, folder / "new")
    for piece in pieces:
        draft.write(piece)
    return draft


def content(folder: Path, name: str) -> bytes:
    data = (folder / "new").read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


@pytest.mark.parametrize("name", ["a.xml", "a.xml.gz"])
@given(old=st.none() | st.binary(max_size=20), pieces=chunks, same=st.integers(0, 20))
def test_whatever_was_there_the_new_bytes_are_what_was_written(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    old: bytes | None,
    pieces: list[bytes],
    same: int,
) -> None:
    folder = tmp_path_factory.mktemp("drafts")
    whole = b"".join(pieces)
    for before in (old, whole, whole[:same], whole + b"x", whole[:same] + b"x" + whole[same:]):
        draft = draft_of(folder, name, before, pieces)
        draft.finish()
        assert draft.differs == (before != whole)
        assert draft.differs == (folder / "new").exists()
        if draft.differs:
            assert content(folder, name) == whole


@pytest.mark.parametrize("name", ["a.xml", "a.xml.gz"])
@given(pieces=chunks, start=st.integers(0, 10), changed=st.booleans())
def test_what_was_written_can_be_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    pieces: list[bytes],
    start: int,
    changed: bool,
) -> None:
    folder = tmp_path_factory.mktemp("drafts")
    whole = b"".join(pieces)
    draft = draft_of(folder, name, None if changed else whole, pieces)
    assert b"".join(draft.written(start)) == whole[start:]


@pytest.mark.parametrize("damage", [b"", b"no gzip", gzip.compress(b"abcdef" * 99, mtime=0)[:-12]])
def test_a_file_that_is_no_gzip_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "a.xml.gz").write_bytes(damage)
    draft = Draft(tmp_path / "a.xml.gz", tmp_path / "new")
    for _ in range(99):
        draft.write(b"abcdef")
    draft.finish()
    assert content(tmp_path, "a.xml.gz") == b"abcdef" * 99


def test_nothing_stays_of_a_draft_that_is_discarded(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a.xml", b"old", [b"new"])
    draft.discard()
    assert [file.name for file in tmp_path.iterdir()] == ["a.xml"]
    assert (tmp_path / "a.xml").read_bytes() == b"old"
