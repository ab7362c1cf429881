"""One page more or less changes one file and moves no URL."""

from __future__ import annotations

import string
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from sitemapkit.errors import OutputError
from sitemapkit.model import Entry
from sitemapkit.output.splitting import MAX_SECTIONS, section_label, split
from sitemapkit.urls import section_of

from .conftest import BASE, issues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .conftest import Output


@dataclass(frozen=True)
class Limits:
    """How many URLs, and how many bytes of them, a file may contain."""

    urls: int
    size: int


def split_by(paths: Sequence[str], sizes: Sequence[int], most: Limits) -> dict[str, list[int]]:
    """Return the positions of the paths in each file, by its label."""

    def fitting(members: Sequence[int]) -> Sequence[int] | None:
        fits = len(members) <= most.urls and sum(sizes[i] for i in members) <= most.size
        return members if fits else None

    return {label: [*own] for label, own in split(range(len(paths)), paths.__getitem__, fitting)}


def files_of(paths: Sequence[str], limits: Limits, size: int = 100) -> dict[str, str]:
    """Return the label of the file of each path; every entry has `size` bytes."""
    paths = sorted(paths)
    files = split_by(paths, [size] * len(paths), limits)
    return {paths[i]: label for label, members in files.items() for i in members}


names = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=3)
sites = st.sets(
    st.builds("{}/{}/".format, st.sampled_from(["api", "blog", "a-0", "Ümlaut"]), names) | names,
    min_size=2,
    max_size=200,
)
limits = st.builds(Limits, st.integers(1, 40), st.integers(100, 4_000))


@given(sites, limits)
def test_each_file_keeps_both_limits_and_every_path_is_in_one(site: set[str], most: Limits) -> None:
    paths = sorted(site)
    sizes = [100 + len(path) % 7 for path in paths]
    assume(max(sizes) <= most.size)
    shards = split_by(paths, sizes, most)
    assert sorted(i for members in shards.values() for i in members) == list(range(len(paths)))
    for members in shards.values():
        assert 0 < len(members) <= most.urls
        assert sum(sizes[i] for i in members) <= most.size


@given(sites, limits, st.data())
def test_a_page_that_goes_changes_one_file_unless_two_halves_fit_one_again(
    site: set[str], most: Limits, data: st.DataObject
) -> None:
    gone = data.draw(st.sampled_from(sorted(site)))
    before = files_of([*site], most)
    after = files_of([*(site - {gone})], most)
    moved = {path for path in after if after[path] != before[path]}
    sections = {section_of(path) for path in moved}
    assert sections <= {section_of(gone)}
    # Where something moved, it came together with the rest of a half that has room again.
    for path in moved:
        assert before[path].startswith(after[path])
        together = [other for other in before if before[other].startswith(after[path])]
        assert gone in together or before[gone].startswith(after[path])


def test_each_page_is_in_the_file_of_its_section() -> None:
    paths = ["".join(path) for length in range(5) for path in product("ab/?-0A", repeat=length)]
    for path, label in files_of(paths, Limits(50_000, 10**9)).items():
        assert label == section_label(section_of(path.partition("?")[0]))


@pytest.mark.slow
@settings(max_examples=3, phases=[Phase.generate])
@given(st.integers(0, 10**9), st.integers(150_000, 200_000))
def test_a_site_of_200000_pages_stays_put(seed: int, count: int) -> None:
    paths = [f"s{(seed + n) % 7}/{seed}-{n}/" for n in range(count)]
    most = Limits(20_000, 150_000_000)
    before = files_of(paths, most)
    assert len(set(before.values())) >= 14
    sections = {section_of(path) for path in paths}
    for more in (f"s3/new-{seed}/", f"{min(sections)}/another-{seed}/"):
        after = files_of([*paths, more], most)
        assert {path for path in paths if after[path] != before[path]} == set()


def test_a_section_that_overflows_by_bytes_splits_as_one_that_overflows_by_count() -> None:
    paths = [f"api/{number}/" for number in range(1_000)]
    by_bytes = files_of(paths, Limits(50_000, 30_000), size=100)
    by_count = files_of(paths, Limits(300, 10**9), size=100)
    assert by_bytes == by_count
    assert set(by_bytes.values()) == {"api-00", "api-01", "api-10", "api-11"}


def test_only_the_half_that_overflows_is_halved_again() -> None:
    paths = [f"api/{number}/" for number in range(100)]
    labels = set(files_of(paths, Limits(52, 10**9)).values())
    assert len({len(label) for label in labels}) == 2


def test_small_sections_share_no_file() -> None:
    paths = ["", "about/", "docs/a/", "docs/b/", "api/a.html", "docs?page=2/3"]
    assert files_of(paths, Limits(3, 10**9)) == {
        "": "top",
        "about/": "top",
        "docs?page=2/3": "top",
        "docs/a/": "docs",
        "docs/b/": "docs",
        "api/a.html": "api",
    }


def test_a_folder_for_each_post_is_no_section() -> None:
    few = [f"post-{number}/index.html" for number in range(MAX_SECTIONS)]
    assert len(set(files_of(few, Limits(100, 10**9)).values())) == MAX_SECTIONS
    many = [*few, "one-more/index.html"]
    assert len(set(files_of(many, Limits(100, 10**9)).values())) == 16


@pytest.mark.parametrize("others", [(), ("b/",), ("c/1/", "c/2/")])
def test_an_entry_that_fits_no_file_is_an_error_that_names_it(
    output: Output, others: tuple[str, ...]
) -> None:
    large = Entry(f"{BASE}a/", images=[f"{BASE}{number:0100}.png" for number in range(60)])
    with pytest.raises(OutputError, match=r"/a/' has 1\d,\d{3} bytes.*max_bytes"):
        output.write(large, *others, max_bytes=5_000)
    assert output.states() == {}


@pytest.mark.parametrize("section", ["api", "v1.2", "a_b-c", "x", "2024", "api-2", "x-1a", "a-x12"])
def test_a_plain_section_is_called_by_its_name(section: str) -> None:
    assert section_label(section) == section


@pytest.mark.parametrize(
    "section",
    [
        *("API", "top", "api-0", "api-101", "gr%C3%B6%C3%9Fe", "a b", "@me", "a" * 65, "~", "%2F"),
        section_label("API"),
    ],
)
def test_any_other_section_gets_a_name_that_no_section_and_no_half_has(section: str) -> None:
    label = section_label(section)
    assert label != section
    assert set(label) <= set(string.ascii_lowercase + string.digits + "-")
    assert section_label(label) != label
    assert not label.removesuffix("-0").removesuffix("-1").endswith(("-0", "-1"))


@pytest.mark.parametrize(
    ("section", "label"),
    [
        ("", "top"),
        ("API Reference", "api-reference-x4080f18f3"),
        ("-Xylophone-", "xylophone-xe10fb3da4"),
        ("~", "section-xe50419e2f"),
        ("a" * 39 + "%C3" + "a" * 30, "a" * 39 + "-x3ba0d53ba"),
    ],
)
def test_the_name_of_a_section_never_changes(section: str, label: str) -> None:
    assert section_label(section) == label


def test_the_names_of_halves_never_change() -> None:
    labels = files_of([f"api/{number}/" for number in range(4)], Limits(1, 10**9))
    names = {"api/0/": "api-111", "api/1/": "api-00", "api/2/": "api-01", "api/3/": "api-110"}
    assert labels == names


@given(
    st.sets(st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=8), max_size=50)
)
def test_no_two_sections_share_a_name_even_where_case_does_not_count(sections: set[str]) -> None:
    labels = [section_label(section) for section in sections]
    assert len({label.lower() for label in labels}) == len(sections)


# On files


def test_one_more_page_rewrites_one_child_and_the_index(output: Output) -> None:
    pages = [f"{section}/{number}/" for section in ("api", "blog") for number in range(200)]
    output.write(*pages, max_urls=80)
    before = output.states()
    assert len(before) == 9
    report = output.write(*pages, Entry(f"{BASE}api/new/", 1_700_000_000), max_urls=80)
    assert len(report.written) == 2
    assert report.written[-1].name == "sitemap.xml"
    after = output.states()
    assert {name for name in after if after[name] != before[name]} == {
        file.name for file in report.written
    }


def test_what_is_wrong_is_told_once_however_many_files_there_are(output: Output) -> None:
    wrong = Entry(f"{BASE}api/1/", "yesterday", priority=7)
    report = output.write(wrong, "blog/1/", max_urls=1, formats=["xml", "gz", "txt"])
    assert sorted(issues(report)) == ["bad-date", "bad-priority"]
    assert len(report.written) == 9  # two children and an index of each format


def test_a_page_without_a_date_does_not_even_touch_the_index(output: Output) -> None:
    pages = [f"{section}/{number}/" for section in ("api", "blog") for number in range(50)]
    output.write(*pages, max_urls=60)
    report = output.write(*pages[1:], max_urls=60)
    assert [file.name for file in report.written] == ["sitemap-api.xml"]
