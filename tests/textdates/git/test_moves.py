"""Files that were renamed or moved together with changes that no reader sees keep their dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textdates import Part, TextDates, dates
from textdates.budget import LIMITS, Budget
from textdates.git.deletions import Deletions
from textdates.parts import Headings

from .conftest import Moved

if TYPE_CHECKING:
    from .conftest import Repo

YAML = "---\ntitle: A\ntags: [b]\n---\n"
TEXT = "# Tea\n\nGreen tea is steeped for two minutes in water that does not boil.\n"
COFFEE = "# Coffee\n\nGround beans are brewed under pressure, and served in a small cup.\n"
MILK = "# Milk\n\nWarm milk is frothed until its volume has doubled, then poured slowly.\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("docs/tea.md", "docs/how-to-make-tea.md"),
        ("docs/tea.markdown", "docs/tea.md"),
        ("docs/about.md", "docs/about/index.md"),
        ("docs/about.md", "docs/about/README.md"),
        ("docs/about/index.md", "docs/about.md"),
        ("docs/2020-01-01-tea.md", "posts/tea/index.md"),
        ("docs/tea.md", "elsewhere/green.md"),
        ("tea.rst", "docs/other.rst"),
        ("notes.txt", "docs/other.txt"),
    ],
)
@pytest.mark.parametrize("folder", ["", "docs", None])
def test_a_new_name_and_what_no_reader_sees_move_no_date(
    repo: Repo, old: str, new: str, folder: str | None
) -> None:
    repo.commit(1, {old: TEXT, "x/coffee.md": COFFEE, "docs/z.md": "z"})
    repo.commit(2, {old: None, new: TEXT.replace("two minutes", "two\nminutes")})
    dates = TextDates()
    repo.save()
    if folder is not None:
        dates.start(repo.folder / folder)
    assert [date.day for date in dates.last_changed([repo.folder / new]).values()] == [1]


@pytest.mark.parametrize(
    ("old", "new"), [("docs/about.md", "docs/about/index.md"), ("a.md", "b.md"), ("a.md", "d/b.md")]
)
def test_a_rename_together_with_other_words_is_a_change(repo: Repo, old: str, new: str) -> None:
    repo.commit(1, {old: TEXT})
    repo.commit(2, {old: None, new: TEXT.replace("two", "three")})
    assert repo.day(new) == 2


def test_a_short_page_is_followed_by_its_words(repo: Repo) -> None:
    repo.commit(1, {"docs/about.md": "Us.\n", "x/y.md": "You.\n"})
    repo.commit(2, {"docs/about.md": None, "docs/about/index.md": f"{YAML}Us.\n"})
    repo.commit(3, {"x/y.md": None, "x/z.md": f"{YAML}You.\n"})
    assert repo.days("docs/about/index.md", "x/z.md") == {"docs/about/index.md": 1, "x/z.md": 1}


def test_many_files_renamed_at_once_are_each_followed_to_their_own(repo: Repo) -> None:
    subjects = [f"subject{number}" for number in range(40)]
    texts = [f"# {x}\n\nAll that there is to say of {x}: part{x}, whole{x}.\n" for x in subjects]
    repo.commit(1, {f"posts/2020-{n:02}-{x}.md": texts[n] for n, x in enumerate(subjects)})
    repo.commit(2, {f"posts/2020-07-{subjects[7]}.md": texts[7].replace("All", "Everything")})
    texts[7] = texts[7].replace("All", "Everything")
    deleted: dict[str, str | None] = {
        f"posts/2020-{n:02}-{x}.md": None for n, x in enumerate(subjects)
    }
    added = {f"pages/{x}/index.md": f"{YAML}{texts[n]}" for n, x in enumerate(subjects)}
    repo.commit(3, {**deleted, **added})
    days = repo.days(*added)
    assert days == dict.fromkeys(added, 1) | {f"pages/{subjects[7]}/index.md": 2}


def test_a_text_that_becomes_two_files_is_not_new_in_either(repo: Repo) -> None:
    repo.commit(1, {"docs/tea.md": TEXT})
    repo.commit(2, {"docs/tea.md": None, "docs/one.md": YAML + TEXT, "docs/two.md": f"{TEXT}\n"})
    assert repo.days("docs/one.md", "docs/two.md") == {"docs/one.md": 1, "docs/two.md": 1}


def test_a_file_of_another_kind_is_not_followed(repo: Repo) -> None:
    repo.commit(1, {"docs/tea.py": TEXT})
    repo.commit(2, {"docs/tea.py": None, "docs/tea.md": f"{TEXT}\n"})
    assert repo.day("docs/tea.md") == 2


def test_a_part_alone_that_says_the_same_does_not_make_a_move(repo: Repo) -> None:
    repo.commit(1, {"docs/old.md": f"# Notes\n\n{TEXT[8:]}"})
    repo.commit(2, {"docs/old.md": None, "docs/new.md": f"# Notes\n\n{COFFEE[10:]}"})
    part = Part(repo.save().folder / "docs/new.md", Headings(levels=1))
    assert [date.day for date in TextDates().last_changed([part]).values()] == [2]


def test_a_move_is_followed_more_than_once(repo: Repo) -> None:
    repo.commit(1, {"a.md": TEXT})
    repo.commit(2, {"a.md": None, "b/c.md": YAML + TEXT})
    repo.commit(3, {"d.md": Moved("b/c.md")})
    repo.commit(4, {"d.md": None, "d/index.md": TEXT})
    assert repo.day("d/index.md") == 1


def test_only_so_much_text_is_read_to_find_moves(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Budget({**LIMITS, "moved": LIMITS["moved"]._replace(build=100)})
    monkeypatch.setattr(dates, "Budget", lambda: few)
    texts = {"a.md": TEXT, "b.md": COFFEE, "c.md": MILK}
    repo.commit(1, texts)
    repo.commit(
        2, dict.fromkeys(texts) | {f"new/1{name}": f"{YAML}{texts[name]}" for name in texts}
    )
    days = repo.days(*(f"new/1{name}" for name in texts))
    assert {*days.values()} <= {1, 2}
    assert 2 in days.values()
    assert "bytes of files that may have moved at once, or 100 in all." in str(few)


paths = st.lists(st.sampled_from(["a", "b", "ab", "ba"]), min_size=1, max_size=4)
names = paths.map(lambda parts: "/".join(parts).encode())


@given(st.dictionaries(names, st.sampled_from([b"1", b"2"]), max_size=12), names)
def test_the_likeliest_origin_is_that_of_the_longest_common_end(
    deleted: dict[bytes, bytes], name: bytes
) -> None:
    found = Deletions(dict(sorted(deleted.items())))
    best = max((common_end(path, name) for path in deleted), default=0)
    closest = [path for path in deleted if common_end(path, name) == best]
    if best and len(closest) == 1:
        assert found.likely(name) == closest[0]
    for content in (b"1", b"2"):
        same = [path for path in deleted if deleted[path] == content]
        renamed = found.renamed(name, content)
        assert (renamed in same) if same else renamed is None
        if renamed:
            assert common_end(renamed, name) == max(common_end(path, name) for path in same)


def common_end(one: bytes, other: bytes) -> int:
    """Return how many of their last parts two paths have in common."""
    parts = zip(reversed(one.split(b"/")), reversed(other.split(b"/")), strict=False)
    return next(
        (n for n, (a, b) in enumerate(parts) if a != b),
        min(map(len, (one.split(b"/"), other.split(b"/")))),
    )
