"""An atomic file is the new file, or nothing where the old one is the same."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapkit.model import OutputFile
from sitemapkit.output.files import publication
from sitemapkit.report import Report

if TYPE_CHECKING:
    from pathlib import Path

chunks = st.lists(st.binary(max_size=5), max_size=6)


def written(target: Path, pieces: list[bytes]) -> bool:
    """Write a file; return whether it was replaced. No other file is left in its folder."""
    report = Report()
    with publication(target.parent, report) as new:
        new.stage(OutputFile(target, iter(pieces), known=""))
        new.commit()
    assert [*target.parent.iterdir()] == [target]
    assert [*report.written, *report.unchanged] == [target]
    return bool(report.written)


def content(file: Path) -> bytes:
    data = file.read_bytes()
    return gzip.decompress(data) if file.suffix == ".gz" else data


@pytest.mark.parametrize("name", ["a.xml", "a.xml.gz"])
@given(old=st.none() | st.binary(max_size=20), pieces=chunks, same=st.integers(0, 20))
def test_whatever_was_there_the_new_bytes_are_what_was_written(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    old: bytes | None,
    pieces: list[bytes],
    same: int,
) -> None:
    target = tmp_path_factory.mktemp("files") / name
    whole = b"".join(pieces)
    for before in (old, whole, whole[:same], whole + b"x", whole[:same] + b"x" + whole[same:]):
        if before is not None:
            target.write_bytes(gzip.compress(before) if name.endswith(".gz") else before)
        assert written(target, pieces) == (before != whole)
        assert content(target) == whole


PACKED = gzip.compress(b"abcdef" * 99, mtime=0)


@pytest.mark.parametrize("damage", [b"", b"no gzip", PACKED[:-12], PACKED[:10] + b"\xff" * 30])
def test_a_file_that_is_no_gzip_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    target = tmp_path / "a.xml.gz"
    target.write_bytes(damage)
    assert written(target, [b"abcdef"] * 99)
    assert content(target) == b"abcdef" * 99


def test_nothing_stays_of_a_file_that_is_not_put_in_place(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(b"old")
    with publication(tmp_path, Report()) as new:
        new.stage(OutputFile(tmp_path / "a.xml", [b"new"], known=""))
    assert [file.name for file in tmp_path.iterdir()] == ["a.xml"]
    assert (tmp_path / "a.xml").read_bytes() == b"old"
