"""Only our own files are replaced, through no link, and they keep their mode and owner."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from sitemapkit import Page, build, read_options
from sitemapkit.build import write_entries
from sitemapkit.errors import OptionError, OutputError, SitemapError
from sitemapkit.layout import beginning, is_ours, word_in
from sitemapkit.model import Entry, OutputFile
from sitemapkit.output.files import publication, write_file
from sitemapkit.report import Report

from .conftest import BASE, NOBODY, Output, folder_of_an_ordinary_user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")


# Told by the content


def test_a_list_of_urls_beside_the_sitemap_of_another_tool_stays(output: Output) -> None:
    (output.folder / "sitemap.txt").write_text(f"{BASE}a/\n")
    theirs = f"<urlset><url><loc>{BASE}a/</loc></url></urlset>"
    (output.folder / "sitemap.xml").write_text(theirs)
    output.write("a/", formats=["gz"])
    assert output.names() == ["sitemap.txt", "sitemap.xml", "sitemap.xml.gz"]


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("feed.xml", "<rss><channel/></rss>", {"filename": "feed.xml"}),
        ("sitemap.xml.gz", "my notes", {"formats": ["gz"]}),
        ("sitemap.txt", "https://example.org/ is our site\n", {"formats": ["txt"]}),
        ("sitemap.txt", "Buy milk.\n", {"formats": ["txt"]}),
        ("sitemap.txt.xml", "<table/>", {"formats": ["txt"], "max_urls": 1}),
        ("sitemap-a.txt", "Buy milk.\n", {"formats": ["txt"], "max_urls": 1}),
        ("sitemap.html", "<h1>Where things are</h1>", {"formats": ["xml", "html"]}),
        ("sitemap.css", "p { color: red }", {"stylesheet": True}),
        ("sitemap.atom", "<feed>mine</feed>", {"formats": ["xml", "atom"]}),
        ("llms.txt", "# Mine\n\n> All of it.\n", {"formats": ["xml", "llms"]}),
        (
            "sitemap-news.xml",
            "<urlset/>",
            {"news": {"name": "Tea", "language": "en", "match": "a/"}},
        ),
        ("abcdefgh.txt", "the fox", {"indexnow_key": "abcdefgh"}),
    ],
)
def test_a_file_with_other_content_is_refused_with_its_path_and_nothing_is_written(
    output: Output, name: str, content: str, options: dict[str, object]
) -> None:
    (output.folder / name).write_text(content)
    with pytest.raises(OutputError, match=rf"/{name} is not a file that sitemapkit wrote; move it"):
        output.write(Entry(f"{BASE}a/1/", "2024-05-06"), "b/1/", **options)
    assert output.names() == [name]
    assert (output.folder / name).read_text() == content


@pytest.mark.parametrize("options", [{"max_urls": 1}, {"base_url": ""}], ids=["split", "no base"])
def test_notes_under_the_name_of_a_list_of_urls_stay(
    output: Output, options: dict[str, object]
) -> None:
    (output.folder / "sitemap.txt").write_text("my own notes, no list\n")
    given = {"base_url": BASE, "formats": ["xml", "txt"], **options}
    found = read_options({**given}, where="test")
    build([Page("a/"), Page("b/")], found, output.folder)
    assert (output.folder / "sitemap.txt").read_text() == "my own notes, no list\n"


def test_a_name_that_no_option_changes_is_not_said_to_be_a_choice(output: Output) -> None:
    (output.folder / "llms.txt").write_text("# Mine\n")
    with pytest.raises(OutputError, match=r"move it, or leave llms out of the formats"):
        output.write("a/", formats=["xml", "llms"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("sitemap.xml", b"<urlset/>"),
        ("sitemap.xml", b'<?xml version="1.0"?>\n<sm:sitemapindex xmlns:sm="x"/>'),
        ("sitemap.xml.gz", gzip.compress(b"<urlset>", mtime=0)),
        ("sitemap.txt", b"https://example.org/\r\nhttps://example.org/b/"),
        ("sitemap.txt", b"https://example.org/\n" * 1_000),
    ],
)
def test_a_sitemap_of_another_tool_gives_way(output: Output, name: str, content: bytes) -> None:
    (output.folder / name).write_bytes(content)
    output.write("a/", formats=["xml", "gz", "txt"])
    assert b"https://example.org/a/" in output.bytes(name)


def test_an_empty_file_gives_way(output: Output) -> None:
    (output.folder / "sitemap.html").touch()
    output.write("a/", formats=["xml", "html"])
    assert "sitemapkit: part of" in (output.folder / "sitemap.html").read_text()


def test_a_page_from_the_users_own_template_is_ours(output: Output, tmp_path: Path) -> None:
    (tmp_path / "sitemap.html").write_text("<!doctype html><title>Map</title>{{ total }}")
    for paths in (["a/"], ["a/", "b/"]):
        output.write(*paths, formats=["xml", "html"], templates=str(tmp_path))
    assert output.bytes("sitemap.html").endswith(b"</title>2")
    output.write("a/", formats=["xml"])
    assert output.names() == ["sitemap.xml"]


# Mode and owner


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
@pytest.mark.parametrize("name", ["robots.txt", "sitemap.xml", "sitemap.xml.gz"])
def test_a_file_that_is_replaced_keeps_its_mode(output: Output, name: str, mode: int) -> None:
    file = output.folder / name
    file.write_bytes(gzip.compress(b"<urlset/>") if name.endswith(".gz") else b"# <urlset/>\n")
    file.chmod(mode)
    assert file in output.write("a/", formats=["xml", "gz"], robots="auto").written
    assert file.stat().st_mode & 0o777 == mode


@as_root
def test_a_file_that_is_replaced_keeps_its_owner_and_group(output: Output) -> None:
    (output.folder / "robots.txt").write_text("User-agent: *\n")
    os.chown(output.folder / "robots.txt", NOBODY, 12345)
    output.write("a/", robots="auto")
    found = (output.folder / "robots.txt").stat()
    assert (found.st_uid, found.st_gid) == (NOBODY, 12345)
    assert b"Sitemap" in output.bytes("robots.txt")


@as_root
def test_who_may_not_give_files_away_gives_no_other_group_more_than_everybody() -> None:
    with folder_of_an_ordinary_user() as output:
        os.seteuid(0)
        robots = output.folder / "robots.txt"
        robots.write_text("User-agent: *\n")
        os.chown(robots, 0, 12345)
        robots.chmod(0o664)
        os.seteuid(NOBODY)
        output.write("a/", robots="auto")
        assert robots.stat().st_uid == NOBODY
        assert robots.stat().st_mode & 0o777 == 0o644


def test_what_is_private_is_private_before_it_is_in_place(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_bytes(b"old")
    target.chmod(0o600)
    with publication(tmp_path, Report()) as new:
        new.stage(OutputFile(target, [b"new"], known=""))
        [temporary] = {*tmp_path.iterdir()} - {target}
        assert temporary.stat().st_mode & 0o777 == 0o600


# Links


def test_a_private_file_behind_a_link_is_not_published(output: Output, tmp_path: Path) -> None:
    private = tmp_path / "secret"
    private.write_text("password: tea\n")
    private.chmod(0o640)
    (output.folder / "robots.txt").symlink_to(private)
    with pytest.raises(OutputError, match=r"robots\.txt is a link to a private file; remove"):
        output.write("a/", robots="auto")
    assert output.names() == ["robots.txt"]
    private.chmod(0o644)
    output.write("a/", robots="auto")
    assert private.read_text() == "password: tea\n"


def test_a_link_to_itself_gives_way(output: Output) -> None:
    (output.folder / "sitemap.xml").symlink_to("sitemap.xml")
    output.write("a/")
    assert output.locs() == [f"{BASE}a/"]


def test_no_folder_is_made_behind_a_link_out_of_the_output(output: Output, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (output.folder / "maps").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="because of a symbolic link; remove the link"):
        output.write("a/", filename="maps/new/sitemap.xml")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_neighbour_with_a_longer_name_is_outside(output: Output, tmp_path: Path) -> None:
    neighbour = tmp_path / f"{output.folder.name}-2"
    neighbour.mkdir()
    (output.folder / "maps").symlink_to(neighbour)
    with pytest.raises(OutputError, match="because of a symbolic link"):
        output.write("a/", filename="maps/sitemap.xml")


# Who selected the pages


@pytest.mark.parametrize("filename", ["sitemap.xml", "s.xml"])
@pytest.mark.parametrize("is_split", [False, True])
def test_the_file_to_start_from_says_whose_selection_it_is(
    output: Output, filename: str, *, is_split: bool
) -> None:
    options = structs.replace(
        output.options(filename=filename, formats=["xml", "gz"], max_urls=1 if is_split else 2),
        selected_by="Pelican",
    )
    write_entries([Entry(f"{BASE}{name}/") for name in "ab"], options, output.folder, Report())
    plain, packed = output.folder / filename, output.folder / f"{filename}.gz"
    lines = plain.read_text().splitlines()
    assert lines[1] == "<!-- sitemapkit for Pelican -->"
    assert lines[2].startswith("<sitemapindex" if is_split else "<urlset")
    assert word_in(beginning(plain)) == word_in(beginning(packed)) == "Pelican"
    assert is_ours(plain)


def test_a_file_may_be_ours_and_name_nobody(output: Output) -> None:
    output.write("a/")
    assert word_in(beginning(output.folder / "sitemap.xml")) == ""
    assert word_in("<urlset>") is None
    assert word_in("<!-- sitemapkit for -->") is None


def test_a_child_is_as_large_as_the_option_says_with_a_long_word(output: Output) -> None:
    options = output.options(filename="s.xml", max_bytes=4096)
    options = structs.replace(options, selected_by="a generator with a long name" * 3)
    entries = [Entry(f"{BASE}{number}/") for number in range(100)]
    write_entries(entries, options, output.folder, Report())
    sizes = [file.stat().st_size for file in output.folder.glob("*.xml")]
    assert len(sizes) > 1
    assert max(sizes) <= 4096


# The report and the ledger


RECORDS = {"report": '{"base_url": "x", "pages": []}', "ledger": "# a diary\n/ 2024-05-06\n"}


def write_record(output: Output, record: str, file: Path) -> Report:
    page = output.folder / "index.html"
    page.write_text("<p>Tea")
    options = output.options(**{record: str(file), "lastmod": ["ledger"]})
    return build([Page("", page)], options, output.folder)


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_is_replaced_by_the_next(output: Output, tmp_path: Path, record: str) -> None:
    for _ in range(2):
        write_record(output, record, tmp_path / "new" / "record")
    assert (tmp_path / "new" / "record").read_text().startswith(("{", "# sitemapkit"))


def test_a_report_in_other_white_space_is_still_one(output: Output, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    write_record(output, "report", file)
    file.write_text(json.dumps(json.loads(file.read_text()), indent=8).replace("\n", "\r\n"))
    assert file in write_record(output, "report", file).written


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("content", ["alias ll='ls -l'\n", "{}", None])
def test_a_record_does_not_overwrite_what_is_not_one(
    output: Output, tmp_path: Path, record: str, content: str | None
) -> None:
    file = tmp_path / ".bashrc"
    file.write_text(RECORDS[record] if content is None else content)
    before = file.read_text()
    with pytest.raises(Exception, match=r"\.bashrc is not a (file|sitemapkit)"):
        write_record(output, record, file)
    assert file.read_text() == before


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_is_not_written_through_a_link(
    output: Output, tmp_path: Path, record: str
) -> None:
    (tmp_path / "home").mkdir()
    link = tmp_path / "record"
    link.symlink_to("home/.profile")
    with pytest.raises(SitemapError, match="record is a symbolic link; name the file itself"):
        write_record(output, record, link)
    assert list((tmp_path / "home").iterdir()) == []


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [pipe, folder])
def test_a_report_over_a_pipe_or_folder_is_refused(
    output: Output, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "report")
    what = "a folder; choose" if make is folder else "a pipe or device; remove it"
    with pytest.raises((OptionError, OutputError), match=what):
        write_record(output, "report", tmp_path / "report")


def test_a_file_is_ours_only_if_it_says_so_at_its_beginning(tmp_path: Path) -> None:
    file = OutputFile(tmp_path / "a.txt", [b"new"], known="mark")
    file.path.write_text("x" * 4096 + "mark")
    with pytest.raises(OutputError, match="not a file that sitemapkit wrote"):
        write_file(file, Report())
    file.path.write_text("x" * 4092 + "mark")
    write_file(file, Report())
    assert file.path.read_text() == "new"


def test_what_another_build_removes_meanwhile_is_written(tmp_path: Path) -> None:
    with publication(tmp_path, Report()) as new:
        new.stage(OutputFile(tmp_path / "a.txt", [b"new"], known="mark"))
        new.commit()
    assert (tmp_path / "a.txt").read_text() == "new"
