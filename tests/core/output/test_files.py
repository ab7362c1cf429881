"""Files are replaced whole or not at all, and only if their bytes change."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tracemalloc
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from sitemapkit.errors import OutputError
from sitemapkit.extensions.alternates import Alternate
from sitemapkit.layout import is_ours
from sitemapkit.model import Entry, OutputFile
from sitemapkit.output.files import Publication, publication, write_file
from sitemapkit.report import Report

from ...disks import small_disk as a_small_disk
from .conftest import BASE, SITEMAP, Output, folder_of_an_ordinary_user
from .rebuilding import ROBOTS, build, check

if TYPE_CHECKING:
    from collections.abc import Generator

REBUILDING = Path(__file__).with_name("rebuilding.py")
ALL = ["xml", "gz", "txt", "txt.gz"]


# Never needless


def test_unchanged_files_keep_inode_and_time(output: Output) -> None:
    output.write("a/1/", "b/1/", max_urls=1, formats=ALL, robots="write")
    before = output.states()
    report = output.write("b/1/", "a/1/", max_urls=1, formats=ALL, robots="write")
    assert output.states() == before
    assert report.written == []
    assert {file.name for file in report.unchanged} == set(before)


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "sitemap.txt"])
@pytest.mark.parametrize("damage", ["flipped", "shorter", "longer", "empty", "gone"])
def test_a_file_that_differs_is_written_again_and_no_other(
    output: Output, name: str, damage: str
) -> None:
    output.write("a/", formats=["xml", "gz", "txt"])
    right = {each: (output.folder / each).read_bytes() for each in output.names()}
    file = output.folder / name
    whole = file.read_bytes()
    changed = {
        "flipped": whole[:-12] + bytes([whole[-12] ^ 1]) + whole[-11:],
        "shorter": whole[:-3],
        "longer": whole + b"x",
        "empty": b"",
        "gone": b"",
    }
    file.write_bytes(changed[damage])
    if damage == "gone":
        file.unlink()
    report = output.write("a/", formats=["xml", "gz", "txt"])
    assert report.written == [file]
    assert {each: (output.folder / each).read_bytes() for each in output.names()} == right


def test_a_gz_file_packed_by_another_tool_is_left_if_its_content_is_right(output: Output) -> None:
    output.write("a/", formats=["gz"])
    packed = output.folder / "sitemap.xml.gz"
    packed.write_bytes(gzip.compress(output.bytes("sitemap.xml.gz"), 1))
    assert output.write("a/", formats=["gz"]).unchanged == [packed]


def test_a_new_file_has_the_usual_permissions(output: Output) -> None:
    output.write("a/")
    (output.folder / "other").write_text("")
    modes = {(output.folder / name).stat().st_mode for name in output.names()}
    assert len(modes) == 1


# Only ours


@pytest.mark.parametrize("stem", ["a#b", "a?b=c", "100%25", "a&b's"])
def test_a_name_that_would_mean_something_in_a_url_means_the_file(
    output: Output, stem: str
) -> None:
    names: dict[str, object] = {"filename": f"{stem}.xml", "formats": ["xml", "txt"]}
    output.write("a/1/", "b/1/", max_urls=1, **names)
    index = output.root(f"{stem}.xml")
    assert [unquote(str(loc.text)) for loc in index.iterfind(f"{SITEMAP}sitemap/{SITEMAP}loc")] == [
        f"{BASE}{stem}-{section}.xml" for section in "ab"
    ]
    output.write("a/1/", **names)
    assert output.names() == sorted([f"{stem}.txt", f"{stem}.xml"])


def test_other_files_are_never_removed(output: Output) -> None:
    others = ["sitemap-blog.xml", "sitemap-blog.xml.gz", "sitemap-a-extra.txt", "sitemap.txt.bak"]
    for name in others:
        (output.folder / name).write_bytes(gzip.compress(b"x") if name.endswith("gz") else b"x")
    output.write("a/1/", "c/1/", max_urls=1, formats=ALL)
    report = output.write("a/1/", formats=["xml"])
    assert set(output.names()) == {*others, "sitemap.xml"}
    assert not set(others) & {file.name for file in report.removed}


def test_of_the_files_that_our_index_lists_only_ours_are_removed(output: Output) -> None:
    output.write("a/1/", "b/1/", max_urls=1, formats=["txt"])
    index = output.folder / "sitemap.txt.xml"
    text = index.read_text().replace("sitemap-a.txt", "notes.txt")
    index.write_text(text.replace("sitemap-b.txt", "sitemap-b%2Fnotes.txt"))
    mine = ["notes.txt", "sitemap-a.txt", "sitemap-b.txt", "sitemap-b/notes.txt"]
    (output.folder / "sitemap-b").mkdir()
    for name in mine:
        (output.folder / name).write_text("mine")
    output.write("a/1/", formats=["xml"])
    assert output.names() == [*mine, "sitemap.xml"]


@pytest.mark.parametrize("folder", ["", "maps/"])
def test_a_sitemap_of_ours_with_another_name_is_told(output: Output, folder: str) -> None:
    for name in ("old.xml", "maps/new.xml", "theirs/older.xml"):
        output.write("a/", filename=name)
    (output.folder / f"{folder}foreign.xml").write_text("<urlset/>")
    (output.folder / f"{folder}notes.txt").write_text("<!-- sitemapkit -->")
    report = output.write("a/1/", "b/1/", max_urls=1, filename=f"{folder}new.xml", formats=ALL)
    others = {"old.xml"} | ({"maps/new.xml"} - {f"{folder}new.xml"} if folder else set())
    told = [issue.where for issue in report.issues if issue.rule.id == "other-sitemap"]
    assert told == [str(output.folder / name) for name in sorted(others)]


def test_the_parts_of_another_sitemap_of_ours_stay(output: Output) -> None:
    output.write("x/1/", "y/1/", max_urls=1, filename="sitemap-old.xml")
    output.write("a/1/", "b/1/", max_urls=1)
    output.write("a/1/")
    assert output.names() == [
        *("sitemap-old-x.xml", "sitemap-old-y.xml", "sitemap-old.xml", "sitemap.xml")
    ]


def test_children_go_when_one_file_is_enough_again(output: Output) -> None:
    output.write("a/1/", "b/1/", max_urls=1, formats=ALL)
    report = output.write("a/1/", "b/1/", formats=ALL)
    assert output.names() == ["sitemap.txt", "sitemap.txt.gz", "sitemap.xml", "sitemap.xml.gz"]
    assert len(report.removed) == 10


def test_one_text_file_goes_when_it_is_no_longer_enough(output: Output) -> None:
    output.write("a/1/", "b/1/", formats=["txt"])
    output.write("a/1/", "b/1/", max_urls=1, formats=["txt"])
    assert output.names() == ["sitemap-a.txt", "sitemap-b.txt", "sitemap.txt.xml"]


def test_a_format_that_is_no_longer_wanted_goes_if_it_is_ours(output: Output) -> None:
    output.write("a/", formats=["xml", "gz"])
    output.write("a/", formats=["xml"])
    assert output.names() == ["sitemap.xml"]


def test_a_packed_list_that_unpacks_to_more_than_a_sitemap_takes_little_memory(
    output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    output.write("a/", formats=["xml"])
    (output.folder / "sitemap.txt.gz").write_bytes(gzip.compress(b"a" * 20_000_000))
    monkeypatch.setattr("sitemapkit.layout.MAX_BYTES", 10_000)
    tracemalloc.start()
    output.write("a/", formats=["xml"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000
    assert output.names() == ["sitemap.txt.gz", "sitemap.xml"]


def test_a_folder_that_cannot_be_made_is_named(output: Output) -> None:
    (output.folder / "maps").write_text("mine")
    with pytest.raises(OutputError, match=r"cannot write .*maps.sitemap\.xml: "):
        output.write("a/", filename="maps/sitemap.xml")


def test_a_format_that_another_tool_wrote_stays(output: Output) -> None:
    (output.folder / "sitemap.xml.gz").write_bytes(gzip.compress(b"<urlset/>"))
    output.write("a/", formats=["xml"])
    assert output.names() == ["sitemap.xml", "sitemap.xml.gz"]


def test_a_file_of_another_tool_in_the_place_of_a_child_is_an_error(output: Output) -> None:
    (output.folder / "sitemap-a.xml").write_text("<urlset/>")
    with pytest.raises(OutputError, match=r"sitemap-a\.xml is not a file that sitemapkit wrote"):
        output.write("a/1/", "b/1/", max_urls=1)
    assert output.names() == ["sitemap-a.xml"]


def test_a_name_with_hyphens_makes_no_broken_comment(output: Output) -> None:
    for _ in range(2):
        output.write("a/1/", "b/1/", max_urls=1, filename="my---site--.xml")
    assert output.locs("my---site---a.xml") == [f"{BASE}a/1/"]


# Deterministic


def test_the_order_of_the_input_does_not_count(output: Output) -> None:
    pages = [
        Entry(f"{BASE}a/", 1, "daily", 0.5, [Alternate("en", f"{BASE}a/")], [f"{BASE}a.png"]),
        Entry(f"{BASE}a/", 1, "weekly"),
        Entry(f"{BASE}b/1/", "2024-05-06"),
        Entry(f"{BASE}c/1/"),
    ]
    results = set()
    for order in permutations(pages):
        output.write(*order, max_urls=2, formats=ALL)
        results.add(tuple((output.folder / name).read_bytes() for name in output.names()))
    assert len(results) == 1


def test_neither_the_hash_seed_nor_the_clock_counts(tmp_path: Path) -> None:
    results = set()
    for seed in ("0", "1", "12345"):
        folder = tmp_path / seed
        command = [sys.executable, str(REBUILDING), "build", str(folder), "3", "1"]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        results.add(tuple((f.name, f.read_bytes()) for f in sorted(folder.iterdir())))
    assert len(results) == 1


def test_gzip_holds_neither_name_nor_time(output: Output) -> None:
    output.write("a/", formats=["gz"])
    head = (output.folder / "sitemap.xml.gz").read_bytes()[:10]
    assert head == bytes.fromhex("1f8b0800 00000000 00ff")


# Never torn


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_every_file_whole(tmp_path: Path) -> None:
    """`python tests/core/output/rebuilding.py kill FOLDER 500` does it 500 times."""
    command = [sys.executable, str(REBUILDING), "kill", str(tmp_path), "30"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("30 kills")


@pytest.mark.slow
def test_builds_at_the_same_time_end_in_one_complete_set(output: Output) -> None:
    (output.folder / "robots.txt").write_bytes(ROBOTS)
    commands = [
        [sys.executable, str(REBUILDING), "build", str(output.folder), first, "20"]
        for first in ("0", "100", "200")
    ]
    builds = [subprocess.Popen(command) for command in commands]
    assert [build.wait() for build in builds] == [0, 0, 0]
    assert len(check(output.folder)) == 1
    complete = output.states()
    [version] = check(output.folder)
    build(output.folder, int(version))
    assert output.states() == complete


def test_what_a_killed_process_left_is_tidied_up(output: Output) -> None:
    (output.folder / ".0123456789abcdef.sitemapkit-tmp").write_bytes(b"half")
    output.write("a/")
    assert output.names() == ["sitemap.xml"]


def test_an_error_before_all_is_known_leaves_everything_as_it_was(output: Output) -> None:
    output.write("a/", formats=ALL)
    before = output.states()
    with pytest.raises(KeyboardInterrupt):
        _interrupted(output.folder)
    assert output.states() == before


def _interrupted(folder: Path) -> None:
    with publication(folder, Report()) as new:
        new.stage(OutputFile(folder / "sitemap.xml", [b"new"], known=""))
        raise KeyboardInterrupt


# Mistakes


def test_a_disk_that_is_full_leaves_the_old_files_and_says_so(small_disk: Output) -> None:
    small_disk.write("a/", formats=ALL)
    before = small_disk.states()
    many = [f"{section}/{'x' * 900}{n}/" for section in "ab" for n in range(300)]
    with pytest.raises(OutputError, match=r"cannot write .*No space left.* Free space"):
        small_disk.write(*many, max_urls=400, formats=ALL)
    assert small_disk.states() == before
    small_disk.write("b/", formats=ALL)
    assert small_disk.locs() == [f"{BASE}b/"]


def test_a_quota_that_is_used_up_leaves_the_old_files_and_says_so(output: Output) -> None:
    output.write("a/")
    before = output.states()
    with _file_size_limit(2_000), pytest.raises(OutputError, match=r"cannot write .*too large"):
        output.write(*(f"{n}/" for n in range(100)))
    assert output.states() == before


def test_a_folder_that_is_read_only_is_named_with_the_cure() -> None:
    with folder_of_an_ordinary_user() as output:
        output.write("a/")
        before = output.states()
        output.folder.chmod(0o555)
        with pytest.raises(
            OutputError, match=r"cannot write .*/sitemap.xml: Permission denied.* to its folder"
        ):
            output.write("b/")
        assert output.states() == before
        assert output.write("a/").unchanged == [output.folder / "sitemap.xml"]
        output.folder.chmod(0o755)


def test_a_file_that_cannot_be_replaced_or_removed_is_named(tmp_path: Path) -> None:
    with publication(tmp_path, Report()) as new:
        new.stage(OutputFile(tmp_path / "a.txt", [b"new"], known=""))
        (tmp_path / "a.txt").mkdir()
        with pytest.raises(OutputError, match=rf"^cannot write {tmp_path}/a\.txt: Is a directory"):
            new.commit()
        with pytest.raises(OutputError, match=rf"^cannot write {tmp_path}/b\.txt: No such file"):
            Publication(tmp_path, Report(), alone=True).commit([tmp_path / "b.txt"])
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_robots_txt_that_cannot_be_read_is_named() -> None:
    with folder_of_an_ordinary_user() as output:
        (output.folder / "robots.txt").touch(0)
        with pytest.raises(OutputError, match=r"robots\.txt: Permission denied\. Give the user"):
            output.write("a/", robots="auto")
        assert output.names() == ["robots.txt"]


def test_an_output_folder_that_cannot_be_made_is_named(output: Output) -> None:
    (output.folder / "file").write_text("")
    with pytest.raises(OutputError, match=r"cannot write .*file/site"):
        Output(output.folder / "file" / "site").write("a/")


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-b.xml"])
def test_a_target_that_is_a_folder_is_named(output: Output, name: str) -> None:
    (output.folder / name).mkdir()
    with pytest.raises(
        OutputError, match=rf"{name} is a folder; rename it, or choose another name"
    ):
        output.write("a/1/", "b/1/", max_urls=1)
    assert output.names() == []


def test_a_target_that_is_a_pipe_is_named_and_not_waited_for(output: Output) -> None:
    os.mkfifo(output.folder / "sitemap.xml")
    with pytest.raises(OutputError, match="is a pipe or device; remove it"):
        output.write("a/")


def test_a_link_out_of_the_output_is_refused(output: Output, tmp_path: Path) -> None:
    outside = tmp_path / "precious.xml"
    outside.write_text("precious")
    (output.folder / "sitemap.xml").symlink_to(outside)
    with pytest.raises(OutputError, match=r"sitemap\.xml is outside .* because of a symbolic link"):
        output.write("a/")
    assert outside.read_text() == "precious"


def test_a_folder_that_links_out_of_the_output_is_refused(output: Output, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (output.folder / "maps").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="symbolic link"):
        output.write("a/", filename="maps/sitemap.xml")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_output_folder_that_is_a_link_is_fine(output: Output, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(output.folder)
    Output(link).write("a/1/", "b/1/", max_urls=1)
    assert output.children() == ["sitemap-a.xml", "sitemap-b.xml"]


def test_a_link_within_the_output_gives_way_to_the_file(output: Output) -> None:
    (output.folder / "other.xml").write_text("other")
    (output.folder / "sitemap.xml").symlink_to("other.xml")
    output.write("a/")
    assert output.locs() == [f"{BASE}a/"]
    assert output.bytes("other.xml") == b"other"


def test_a_hard_link_to_a_source_is_cut_and_not_written_through(
    output: Output, tmp_path: Path
) -> None:
    source = tmp_path / "sitemap.xml"
    source.write_text("<urlset/>")
    (output.folder / "sitemap.xml").hardlink_to(source)
    output.write("a/")
    assert source.read_text() == "<urlset/>"


def test_one_file_can_be_written_as_safely(tmp_path: Path) -> None:
    report = Report()
    file = OutputFile(tmp_path / "new" / "ledger.txt", [b"one"], known="one")
    write_file(file, report)
    write_file(file, report)
    assert (report.written, report.unchanged) == ([file.path], [file.path])


@contextmanager
def _file_size_limit(size: int) -> Generator[None]:
    import resource  # noqa: PLC0415 - Windows has none

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Output]:
    with a_small_disk(tmp_path / "disk", "256k") as folder:
        yield Output(folder)


def test_a_writer_that_is_not_alone_leaves_the_temporary_files_of_others(tmp_path: Path) -> None:
    with publication(tmp_path, Report(), shared=True) as one:
        one.stage(OutputFile(tmp_path / "a.xml", [b"whole"], known=""))
        with publication(tmp_path, Report(), shared=True) as other:
            other.stage(OutputFile(tmp_path / "b.xml", [b"other"], known=""))
        one.commit()
    assert (tmp_path / "a.xml").read_bytes() == b"whole"


def test_a_packed_file_with_damaged_content_is_not_ours_and_stays(tmp_path: Path) -> None:
    damaged = gzip.compress(b"a" * 99, mtime=0)[:10] + b"\xff" * 30
    (tmp_path / "sitemap.xml.gz").write_bytes(damaged)
    assert not is_ours(tmp_path / "sitemap.xml.gz")
