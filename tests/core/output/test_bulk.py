"""Parts of a sitemap, written one by one from any iterable, and the index of them all."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tracemalloc
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapkit.errors import OutputError, SitemapError
from sitemapkit.extensions.alternates import Alternate
from sitemapkit.formats.xml import Child
from sitemapkit.model import Entry
from sitemapkit_tools import write_index, write_part

from .conftest import BASE, Output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit.model import Issue


def pages(count: int) -> Iterator[Entry]:
    for number in range(count):
        yield Entry(f"{BASE}s{number % 7}/page {number}/?a=1&b={number}", 1_700_000_000 + number)


def entries_of(output: Output, parts: list[Child]) -> list[str]:
    return [loc for part in parts for loc in output.locs(f"sitemap-{part.label}.xml")]


def test_a_part_has_as_many_files_as_it_needs(output: Output) -> None:
    parts = write_part(pages(250), output.options(max_urls=100), output.folder, "eu")
    assert parts == [
        Child("eu-1", "2023-11-14T22:14:59Z"),
        Child("eu-2", "2023-11-14T22:16:39Z"),
        Child("eu-3", "2023-11-14T22:17:29Z"),
    ]
    assert output.names() == ["sitemap-eu-1.xml", "sitemap-eu-2.xml", "sitemap-eu-3.xml"]


def test_the_index_lists_all_parts_and_robots_names_it(output: Output) -> None:
    options = output.options(max_urls=100, robots="write")
    parts = [
        part for name in ("b", "a") for part in write_part(pages(150), options, output.folder, name)
    ]
    report = write_index(parts, options, output.folder)
    assert output.children() == [f"sitemap-{label}.xml" for label in ("a-1", "a-2", "b-1", "b-2")]
    assert output.urls()[0]["lastmod"] == "2023-11-14T22:14:59Z"
    assert [file.name for file in report.written] == ["sitemap.xml", "robots.txt"]


def test_urls_as_plain_text_give_the_same_as_entries(output: Output) -> None:
    urls = [f"{BASE}ü/{number}/?a&b='c'" for number in range(1000)]
    options = output.options(max_urls=300, formats=["xml", "txt"])
    write_part(urls, options, output.folder, "a")
    write_part(map(Entry, urls), options, output.folder, "b")
    for number in (1, 2, 3, 4):
        for suffix in ("xml", "txt"):
            plain, entries = (output.bytes(f"sitemap-{n}-{number}.{suffix}") for n in "ab")
            assert plain == entries


@settings(max_examples=15)
@given(
    count=st.integers(0, 600),
    max_urls=st.integers(1, 400),
    max_bytes=st.integers(4096, 40_000),
    images=st.integers(0, 3),
)
def test_each_file_is_as_full_as_the_limits_allow(
    tmp_path_factory: pytest.TempPathFactory,
    count: int,
    max_urls: int,
    max_bytes: int,
    images: int,
) -> None:
    output = Output(tmp_path_factory.mktemp("parts"))
    given = [
        Entry(
            f"{BASE}{number}/",
            images=[f"{BASE}{number}-{image}.png" for image in range(number % (images + 1))],
            alternates=[Alternate("de", f"{BASE}de/{number}/")] if number % 3 else (),
        )
        for number in range(count)
    ]
    options = output.options(max_urls=max_urls, max_bytes=max_bytes)
    parts = write_part(given, options, output.folder, "a")
    files = [output.bytes(f"sitemap-{part.label}.xml") for part in parts]
    assert entries_of(output, parts) == [entry.loc for entry in given]
    assert sum(data.count(b"<image:loc>") for data in files) == sum(len(e.images) for e in given)
    assert all(len(data) <= max_bytes for data in files)
    for data, following in pairwise(files):
        first = following[following.index(b"<url>") : following.index(b"</url>\n") + 7]
        namespaces = 150  # room is kept for a namespace that the next entry may need
        assert data.count(b"<url>") == max_urls or len(data) + len(first) + namespaces > max_bytes


def test_d8_a_file_declares_what_its_entries_use(output: Output) -> None:
    given = [Entry(f"{BASE}{number}/") for number in range(300)]
    given[99].images = [f"{BASE}a.png"]
    options = output.options(max_urls=100, formats=["xml", "gz", "txt"])
    write_part(given, options, output.folder, "a")
    assert [set(output.root(f"sitemap-a-{n}.xml").nsmap) for n in (1, 2, 3)] == [
        {None, "image"},
        {None},
        {None},
    ]
    assert output.bytes("sitemap-a-1.xml") == output.bytes("sitemap-a-1.xml.gz")


def test_parts_of_many_processes_come_together(output: Output) -> None:
    options = output.options(max_urls=100)
    script = (
        "import pickle, sys; from pathlib import Path\n"
        "from sitemapkit import Entry\n"
        "from sitemapkit_tools import write_part\n"
        "options, name = pickle.load(sys.stdin.buffer)\n"
        "entries = (Entry(f'https://example.org/{name}/{n}/') for n in range(150))\n"
        "parts = write_part(entries, options, Path(sys.argv[1]), name)\n"
        "sys.stdout.buffer.write(pickle.dumps(parts))\n"
    )
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(output.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    parts = []
    for number, worker in enumerate(workers):
        answer, _ = worker.communicate(pickle.dumps((options, f"w{number}")))
        parts += pickle.loads(answer)  # noqa: S301
    write_index(parts, options, output.folder)
    assert len(output.children()) == 6
    assert len(entries_of(output, parts)) == 450


def test_a_second_run_touches_nothing_and_removes_parts_that_are_gone(output: Output) -> None:
    options = output.options(max_urls=100, formats=["xml", "gz", "txt"])
    for count in (250, 250, 150):
        before = output.states()
        parts = write_part(pages(count), options, output.folder, "a")
        report = write_index(parts, options, output.folder)
    assert [file.name for file in report.removed] == [
        *("sitemap-a-3.txt", "sitemap-a-3.xml", "sitemap-a-3.xml.gz")
    ]
    assert output.states()["sitemap-a-1.xml"] == before["sitemap-a-1.xml"]


def test_what_cannot_be_written_stops_a_part_unless_someone_hears_of_it(output: Output) -> None:
    given = [Entry(f"{BASE}a/"), Entry("https://elsewhere.example/b/"), Entry(f"{BASE}c/", "soon")]
    with pytest.raises(SitemapError, match=r"elsewhere\.example/b/ is not below"):
        write_part(given, output.options(), output.folder, "a")
    assert output.names() == []
    heard: list[Issue] = []
    [part] = write_part(given, output.options(), output.folder, "a", on_issue=heard.append)
    assert entries_of(output, [part]) == [f"{BASE}a/", f"{BASE}c/"]
    assert [issue.rule.id for issue in heard] == ["outside-base", "bad-date"]


def test_an_iterable_that_fails_leaves_the_old_files(output: Output) -> None:
    write_part(pages(250), output.options(max_urls=100), output.folder, "a")
    before = output.states()

    def failing() -> Iterator[Entry]:
        yield from islice((Entry(f"{BASE}new/{n}/") for n in range(1000)), 333)
        raise ConnectionError

    with pytest.raises(ConnectionError):
        write_part(failing(), output.options(max_urls=100), output.folder, "a")
    assert output.states() == before


def test_nothing_gives_no_part_and_no_file(output: Output) -> None:
    heard: list[Issue] = []
    options = output.options()
    assert write_part(iter(()), options, output.folder, "a") == []
    assert write_part(["ftp://a/"], options, output.folder, "a", on_issue=heard.append) == []
    assert output.names() == []


def test_no_part_at_all_is_no_index(output: Output) -> None:
    options = output.options()
    assert write_index([], options, output.folder).written == []
    assert output.names() == []
    write_index(write_part(pages(3), options, output.folder, "a"), options, output.folder)
    before = output.names()
    report = write_index([], options, output.folder)
    assert output.names() == before != []
    assert [issue.rule.id for issue in report.issues] == ["empty-sitemap"]


@pytest.mark.parametrize("name", ["", "A", "a/b", "../a", "ü", "a b"])
def test_a_name_that_makes_no_file_name_is_refused(output: Output, name: str) -> None:
    with pytest.raises(ValueError, match="invalid name of a part: "):
        write_part(pages(1), output.options(), output.folder, name)


def test_two_parts_of_one_name_are_refused(output: Output) -> None:
    parts = write_part(pages(1), output.options(), output.folder, "a")
    with pytest.raises(ValueError, match="2 parts have the name 'a-1'"):
        write_index(parts * 2, output.options(), output.folder)


def test_an_entry_that_fits_no_file_is_named(output: Output) -> None:
    big = Entry(f"{BASE}big/", images=[f"{BASE}{number}.png" for number in range(500)])
    options = output.options(max_bytes=4096)
    with pytest.raises(
        OutputError,
        match=r"https://example\.org/big/' has [0-9,]+ bytes and does not fit into a file",
    ):
        write_part([*pages(10), big], options, output.folder, "a")
    assert output.names() == []


def test_memory_stays_flat(output: Output) -> None:
    options = output.options(max_urls=5_000, formats=["xml", "gz", "txt"])
    peaks = []
    for count in (10_000, 40_000):
        tracemalloc.start()
        write_part(pages(count), options, output.folder, f"n{count}")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


def test_no_file_is_held_twice_and_no_two_at_once(output: Output) -> None:
    links = [(code, f"{BASE}{code}/{'x' * 400}/") for code in ("de", "en", "fr")]
    entries = [Entry(f"{BASE}s/{number}/", alternates=links) for number in range(3_000)]
    options = output.options(max_urls=1_000, formats=["xml", "gz"])
    tracemalloc.start()
    write_part(iter(entries), options, output.folder, "a")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.4 * len(output.bytes("sitemap-a-1.xml"))
