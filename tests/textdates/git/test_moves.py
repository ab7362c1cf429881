"""Files that were renamed or moved together with changes that no reader sees keep their dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from textdates import Part, TextDates, dates
from textdates.budget import LIMITS, Budget
from textdates.parts import Headings

from .conftest import Moved

if TYPE_CHECKING:
    from .conftest import Repo

YAML = "---\ntitle: A\ntags: [b]\n---\n"
TEXT = """# Tea

Green tea is steeped for two minutes in water that does not boil.
A pot is warmed before.

Black tea takes four minutes. What was steeped for longer is bitter,
and milk does not help.

- Leaves keep for a year in a dark place.
- A spoon of them is enough for a cup.
"""
COFFEE = """# Coffee

Ground beans are brewed under pressure, and served in a small cup.

A finer ground takes longer, and less of it.
"""
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


def test_of_deleted_files_of_one_content_that_of_the_same_name_is_the_old_one(repo: Repo) -> None:
    repo.commit(1, {"a/tea.md": TEXT})
    repo.commit(2, {"a/zen.md": TEXT})
    repo.commit(3, {"a/tea.md": None, "a/zen.md": None, "b/tea.md": TEXT, "b/zen.md": TEXT})
    assert repo.days("b/tea.md", "b/zen.md") == {"b/tea.md": 1, "b/zen.md": 2}


def test_many_files_renamed_at_once_are_each_followed_to_their_own(repo: Repo) -> None:
    subjects = [f"subject{number}" for number in range(40)]
    texts = [
        f"# {x}\n\nAll that there is to say of {x}: part{x}, whole{x}.\n\n{x} is one of many.\n"
        for x in subjects
    ]
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


def test_many_files_of_other_names_are_each_followed_to_their_own(repo: Repo) -> None:
    texts = [f"# {n}\n\n{' '.join(f'w{n}x{word}' for word in range(30))}\n" for n in range(40)]
    repo.commit(1, {f"old/{n}.md": text for n, text in enumerate(texts)})
    texts[7] += "More.\n"
    repo.commit(2, {"old/7.md": texts[7]})
    added = {f"new/{99 - n}.md": f"{YAML}{text}" for n, text in enumerate(texts)}
    repo.commit(3, {**{f"old/{n}.md": None for n in range(40)}, **added})
    assert repo.days(*added) == dict.fromkeys(added, 1) | {"new/92.md": 2}


def test_a_file_of_another_kind_is_not_followed(repo: Repo) -> None:
    repo.commit(1, {"docs/tea.py": TEXT})
    repo.commit(2, {"docs/tea.py": None, "docs/tea.md": f"{TEXT}\n"})
    assert repo.day("docs/tea.md") == 2


def test_a_part_alone_that_says_the_same_does_not_make_a_move(repo: Repo) -> None:
    repo.commit(1, {"docs/old.md": TEXT.replace("Tea", "Notes", 1)})
    repo.commit(2, {"docs/old.md": None, "docs/new.md": COFFEE.replace("Coffee", "Notes", 1)})
    part = Part(repo.save().folder / "docs/new.md", Headings(levels=1))
    assert [date.day for date in TextDates().last_changed([part]).values()] == [2]


def test_a_move_is_followed_more_than_once(repo: Repo) -> None:
    repo.commit(1, {"a.md": TEXT})
    repo.commit(2, {"a.md": None, "b/c.md": YAML + TEXT})
    repo.commit(3, {"d.md": Moved("b/c.md")})
    repo.commit(4, {"d.md": None, "d/index.md": TEXT})
    assert repo.day("d/index.md") == 1


def test_only_among_so_many_files_is_searched_for_renames(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Budget({**LIMITS, "renamed": LIMITS["renamed"]._replace(build=5)})
    monkeypatch.setattr(dates, "Budget", lambda: few)
    repo.commit(1, {"a.md": TEXT, "b.md": COFFEE})
    repo.commit(2, {"a.md": None, "c.md": YAML + TEXT})
    repo.commit(3, {"b.md": None, "d.md": YAML + COFFEE, "e.md": MILK, "f.md": "", "x.py": ""})
    assert repo.days("c.md", "d.md") == {"c.md": 2, "d.md": 1}
    assert "more than 20,000 files that may be renamed at once, or 5 in all." in str(few)


def test_no_setting_of_git_changes_what_is_a_rename(repo: Repo) -> None:
    texts = {"a.md": TEXT, "b.md": COFFEE, "c.md": MILK}
    repo.commit(1, texts)
    repo.commit(2, dict.fromkeys(texts) | {f"x/1{name}": YAML + texts[name] for name in texts})
    repo.save()
    for setting in ("diff.renames=false", "diff.renameLimit=1", "core.ignoreCase=true"):
        repo.git("config", *setting.split("="))
    assert repo.days(*(f"x/1{name}" for name in texts)) == {f"x/1{name}": 1 for name in texts}


@pytest.mark.parametrize(
    ("first", "second", "folder"),
    [
        ("version-1.0", "version-2.0", None),
        ("version-tea", "version-milk", ""),
        ("v1", "v2", "docs"),
        ("1.x", "release-2.0", "docs/versions"),
    ],
)
def test_a_version_that_was_cut_has_the_dates_of_the_texts_that_were_copied(
    repo: Repo, first: str, second: str, folder: str | None
) -> None:
    texts = {"a.md": "a", "guide/b.md": "b", "c.md": "c", "d.md": "d"}
    repo.commit(1, {f"next/{name}": text for name, text in texts.items()})
    texts["c.md"] = "c, better"
    repo.commit(2, {"next/c.md": texts["c.md"]})
    repo.commit(3, {f"docs/versions/{first}/{name}": text for name, text in texts.items()})
    repo.commit(4, {"next/a.md": "a of next", f"docs/versions/{first}/c.md": "c, corrected"})
    cut = {f"docs/versions/{second}/{name}": text for name, text in texts.items()}
    cut[f"docs/versions/{second}/a.md"] = "a of next"
    cut[f"docs/versions/{second}/new.md"] = "new"
    repo.commit(5, {**cut, "next/guide/b.md": "b of what comes then", "next/d.md": None})
    dates = TextDates()
    root = repo.save().folder
    if folder is not None:
        dates.start(root / folder)
    names = [f"docs/versions/{first}/{name}" for name in texts]
    names += [*cut, "next/a.md", "next/guide/b.md"]
    found = dates.last_changed([root / name for name in names])
    days = [found[root / name].day for name in names]
    assert days == [*(1, 1, 4, 1), *(4, 1, 2, 1, 5), *(4, 5)]


def test_a_copy_that_is_no_version_is_new(repo: Repo) -> None:
    repo.commit(1, {"docs/index.md": "To come.", "docs/tea/v1/index.md": "To come."})
    repo.commit(2, {"docs/tea/index.md": "To come.", "docs/v2/milk/index.md": "To come."})
    assert set(repo.days("docs/tea/index.md", "docs/v2/milk/index.md").values()) == {2}
