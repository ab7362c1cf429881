"""A part of a file has the date of the commit that last changed it, whatever else changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemapkit import Part
from textdates import Rules, TextDates

from .conftest import Moved, day_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Repo


@dataclass(frozen=True)
class Between:
    """What stands between two markers."""

    start: str
    end: str

    def __call__(self, text: str) -> str | None:
        _, found, rest = text.partition(self.start)
        return rest.partition(self.end)[0] if found else None


@dataclass(frozen=True)
class Unreadable:
    """A cut that can read no text."""

    def __call__(self, text: str) -> str | None:
        raise ValueError(text)


ONE = Between("[one]", "[/one]")
TWO = Between("[two]", "[/two]")


def text(one: str, two: str) -> str:
    return f"Before.\n\n[one]\n{one}\n[/one]\n\n[two]\n{two}\n[/two]\n"


def days(repo: Repo, *parts: Path | Part, dates: TextDates | None = None) -> list[float | None]:
    """Return the day of each part, None where it has none."""
    repo.save()
    found = (dates or TextDates()).last_changed(parts)
    return [day_of(found[part]) if part in found else None for part in parts]


def test_each_part_has_a_date_of_its_own(repo: Repo) -> None:
    file = repo.folder / "a.md"
    repo.commit(1, {"a.md": text("A", "B")})
    repo.commit(2, {"a.md": text("A", "C")})
    repo.commit(3, {"a.md": text("D", "C")})
    repo.commit(4, {"a.md": "More. " + text("D", "C")})
    assert days(repo, Part(file, ONE), Part(file, TWO), file) == [3, 2, 4]


def test_the_commit_is_told_that_decided_the_date_of_a_file_or_part(
    repo: Repo, make_repo: Callable[..., Repo], tmp_path: Path
) -> None:
    other = make_repo("other")
    one, two, three = (
        repo.commit(1, {"a.md": text("A", "B"), "b.md": "b"}),
        repo.commit(2, {"a.md": text("A", "C")}),
        other.commit(3, {"a.md": "a"}),
    )
    file = repo.save().folder / "a.md"
    neighbour, outside = other.save().folder / "a.md", tmp_path / "a.md"
    dates = TextDates()
    given: list[Path | Part] = [Part(file, ONE), file, repo.folder / "b.md", neighbour, outside]
    assert len(dates.last_changed(given)) == 4
    decided = [repo.id(one), repo.id(two), repo.id(one), other.id(three), ""]
    assert [dates.commit(each) for each in given] == decided
    assert [dates.has_history(each) for each in given] == [True, True, True, False, True]


def test_a_part_is_followed_through_renames(repo: Repo) -> None:
    repo.commit(1, {"a.md": text("A", "B"), "b.md": "b"})
    repo.commit(2, {"a.md": text("A", "C")})
    repo.commit(3, {"docs/c.md": Moved("a.md")})
    repo.commit(4, {"docs/c.md": text("A", "D")})
    file = repo.folder / "docs/c.md"
    assert days(repo, Part(file, ONE), Part(file, TWO)) == [1, 4]


def test_words_that_were_there_before_their_markers_keep_their_date(repo: Repo) -> None:
    repo.commit(1, {"a.md": "Before.\n\nA few\nwords.\n"})
    repo.commit(2, {"a.md": text("A few words.", "New words.")})
    file = repo.folder / "a.md"
    assert days(repo, Part(file, ONE), Part(file, TWO)) == [1, 2]


def test_of_a_text_that_cannot_be_cut_every_change_counts(repo: Repo) -> None:
    repo.commit(1, {"a.md": "A"})
    repo.commit(2, {"a.md": "B"})
    assert days(repo, Part(repo.folder / "a.md", Unreadable())) == [2]


def test_white_space_counts_in_a_part_that_is_code(repo: Repo) -> None:
    repo.commit(1, {"a.py": text("if a:\n    b\nc", "")})
    repo.commit(2, {"a.py": text("if a:\n    b\n    c", "")})
    repo.commit(3, {"a.py": text("if a:\n    b  \n    c", "")})
    assert days(repo, Part(repo.folder / "a.py", ONE)) == [2]


def test_front_matter_counts_where_it_is_part_of_the_part(repo: Repo) -> None:
    repo.commit(1, {"a.md": "---\ntitle: A\n---\nText [one]"})
    repo.commit(2, {"a.md": "---\ntitle: B\n---\nText [one]"})
    file = repo.folder / "a.md"
    assert days(repo, file, Part(file, Between("---", "[one]"))) == [1, 2]


def test_an_edited_file_leaves_the_parts_dated_that_were_not_edited(repo: Repo) -> None:
    repo.commit(1, {"a.md": text("A", "B")})
    repo.commit(2, {"a.md": text("A", "C")})
    file = repo.save().folder / "a.md"
    file.write_text(text("A", "D"))
    dates = TextDates()
    assert days(repo, Part(file, ONE), Part(file, TWO), file, dates=dates) == [1, None, None]
    assert dates.why_unknown(Part(file, TWO)) == "changed since the last commit"
    assert [found.id for found in dates.diagnostics] == ["git-modified"]


def test_without_a_comparison_of_texts_a_part_has_the_date_of_its_file(repo: Repo) -> None:
    repo.commit(1, {"a.md": text("A", "B")})
    repo.commit(2, {"a.md": text("A", "C")})
    part = Part(repo.folder / "a.md", ONE)
    assert days(repo, part, dates=TextDates(Rules(bodies=False))) == [2]


def test_parts_of_a_file_outside_any_repository_have_no_date(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(text("A", "B"))
    dates = TextDates()
    assert dates.last_changed([Part(file, ONE), Part(file, TWO)]) == {}
    assert [(found.id, found.where) for found in dates.diagnostics] == [("git-none", str(tmp_path))]
