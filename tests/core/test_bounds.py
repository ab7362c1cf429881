"""Files are read through one door: regular files only, and only so many bytes of them."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sitemapkit
import sitemapkit_extras
import sitemapkit_tools
import textdates
from sitemapkit import Build, read_options
from sitemapkit.errors import SitemapError
from sitemapkit.head import read_head
from sitemapkit.model import Page
from sitemapkit.output import robots
from sitemapkit_extras import ledger
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sitemapkit.report import Report

PACKAGES = [
    Path(package.__file__ or "").parent
    for package in (sitemapkit, sitemapkit_extras, textdates, sitemapkit_tools)
]

READS = {"open", "fdopen", "read_text", "read_bytes"}
"""Names of methods that read files, of whatever; `open` is a function as well."""

OTHERS = {
    "sitemapkit/rules.py": "reads a file of its package",
    "sitemapkit_extras/formats/html.py": "reads a file of its package",
    "sitemapkit/output/write.py": "reads a file of its package",
    "sitemapkit/output/files.py": "compares files with what it writes, piece by piece",
}
"""Modules that open files by themselves, and why."""

DOOR = "textdates/bounds.py"


def calls(file: Path) -> Iterator[str]:
    """Yield the calls in a module that open a file, but those of what the door has opened."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            is_opened = bool(node.args) and ast.unparse(node.args[0]).startswith("open_file(")
            is_packed = name == "gzip.open" and ast.unparse(node.args[0]) in ("file", "opened")
            is_read = name == "open" or (f".{name}".rpartition(".")[2] in READS and "." in name)
            if is_read and not is_opened and not is_packed:
                yield name


def test_whatever_is_read_is_read_through_the_door() -> None:
    found = {
        file.relative_to(package.parent).as_posix(): sorted(names)
        for package in PACKAGES
        for file in package.rglob("*.py")
        if (names := {*calls(file)})
    }
    others = found.keys() - {DOOR}
    assert others == OTHERS.keys(), {name: found.get(name) for name in others ^ OTHERS.keys()}


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_file(file, 5) == b"12345"
    assert read_file(file, 3, cut=True) == b"123"
    with pytest.raises(OSError, match="it has more than 4 bytes"):
        read_file(file, 4)
    file.write_bytes(b"")
    assert read_file(file, 5) == b""


def test_what_is_missing_or_a_folder_is_told_as_ever(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "no", 5)
    with pytest.raises((IsADirectoryError, PermissionError)):
        read_file(tmp_path, 5)


def pipe(file: Path) -> None:
    os.mkfifo(file)


def device(file: Path) -> None:
    file.symlink_to("/dev/zero")


unfit = pytest.mark.parametrize("make", [pipe, device])
posix = pytest.mark.skipif(sys.platform == "win32", reason="has no such files")


@posix
@unfit
def test_no_pipe_and_no_device_is_read(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "file")
    for cut in (True, False):
        with pytest.raises(OSError, match="it is a pipe or device, not a file"):
            read_file(tmp_path / "file", 5, cut=cut)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="has no /proc")
def test_what_a_system_says_of_itself_is_not_read() -> None:
    assert read_file(Path("/proc/self/environ"), 1000) == b""


@posix
@unfit
def test_no_reader_of_a_build_waits_for_what_is_no_file(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    for name in ("page.html", "ledger.txt", "other.xml", "source.md"):
        make(tmp_path / name)
    with pytest.raises(OSError, match="pipe or device"):
        read_head(tmp_path / "page.html")
    with pytest.raises(SitemapError, match=r"ledger.txt (cannot be read|is a symbolic link)"):
        ledger.read_ledger(tmp_path / "ledger.txt")
    report = built(tmp_path, {"images": True})
    assert [entry.loc for entry in report.listed] == ["https://example.org/b/"]
    other = {"base_url": "https://example.org/de/", "pages": str(tmp_path / "other.xml")}
    with pytest.raises(SitemapError, match=r"languages: cannot read .*pipe or device"):
        built(tmp_path, {"languages": {"de": other, "en": "https://example.org/"}})
    (tmp_path / "out" / "robots.txt").unlink()
    make(tmp_path / "out" / "robots.txt")
    with pytest.raises(SitemapError, match=r"robots.txt is a pipe or device"):
        built(tmp_path, {})


def built(folder: Path, given: Mapping[str, object]) -> Report:
    """Build a sitemap of a page that is no file, and one that is none of its own."""
    (folder / "out").mkdir(exist_ok=True)
    build = Build(read_options(given, where="", base_url="https://example.org/"))
    build.add(Page("a/", output=folder / "page.html", sources=(folder / "source.md",)))
    build.add(Page("b/", content="text"))
    return build.write(folder / "out")


def test_a_ledger_behind_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "private").write_text("secret\n")
    (tmp_path / "ledger.txt").symlink_to("private")
    with pytest.raises(SitemapError, match="is a symbolic link; name the file itself") as caught:
        ledger.read_ledger(tmp_path / "ledger.txt")
    assert "secret" not in str(caught.value)


def test_a_robots_txt_without_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "MAX_ROBOTS", 20)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "robots.txt").write_text("User-agent: *\nAllow: /\n")
    with pytest.raises(SitemapError, match=r"robots.txt: it has more than 20 bytes"):
        built(tmp_path, {})


def test_a_ledger_without_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "MAX_LEDGER", 20)
    (tmp_path / "ledger.txt").write_text(f"{ledger.HEADER}\n")
    with pytest.raises(SitemapError, match=r"ledger.txt cannot be read \(it has more than 20"):
        built(tmp_path, {"ledger": str(tmp_path / "ledger.txt")})
