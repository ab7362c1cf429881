"""An atomic file is the new file, or nothing where the old one is the same."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapkit.output.files import AtomicFile

if TYPE_CHECKING:
    from pathlib import Path

chunks = st.lists(st.binary(max_size=5), max_size=6)


def file_of(folder: Path, name: str, old: bytes | None, pieces: list[bytes]) -> AtomicFile:
    target = folder / name
    target.unlink(missing_ok=True)
    (folder / "new").unlink(missing_ok=True)
    if old is not None:
        target.write_bytes(gzip.compress(old) if name.endswith(".gz") else old)
    file = AtomicFile(target, folder / "new")
    for piece in pieces:
        file.write(piece)
    return file


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
    folder = tmp_path_factory.mktemp("files")
    whole = b"".join(pieces)
    for before in (old, whole, whole[:same], whole + b"x", whole[:same] + b"x" + whole[same:]):
        file = file_of(folder, name, before, pieces)
        file.finish()
        assert file.differs == (before != whole)
        assert file.differs == (folder / "new").exists()
        if file.differs:
            assert content(folder, name) == whole


PACKED = gzip.compress(b"abcdef" * 99, mtime=0)


@pytest.mark.parametrize("damage", [b"", b"no gzip", PACKED[:-12], PACKED[:10] + b"\xff" * 30])
def test_a_file_that_is_no_gzip_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "a.xml.gz").write_bytes(damage)
    file = AtomicFile(tmp_path / "a.xml.gz", tmp_path / "new")
    for _ in range(99):
        file.write(b"abcdef")
    file.finish()
    assert content(tmp_path, "a.xml.gz") == b"abcdef" * 99


def test_nothing_stays_of_a_file_that_is_discarded(tmp_path: Path) -> None:
    file = file_of(tmp_path, "a.xml", b"old", [b"new"])
    file.discard()
    assert [file.name for file in tmp_path.iterdir()] == ["a.xml"]
    assert (tmp_path / "a.xml").read_bytes() == b"old"
