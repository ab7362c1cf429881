"""Dates that pages state: an author's counts; for one from git or of the build, git is asked."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from ..repository import commit, git
from ..tools.conftest import run
from .test_find import BASE, HUGO, listed, page, write

if TYPE_CHECKING:
    from pathlib import Path

MODIFIED = '<meta property="article:modified_time" content="{}">'
PUBLISHED = '<meta property="article:published_time" content="{}">'
UPDATED = '<meta name="{}" content="{}">'
SCRIPT = '<script type="application/ld+json">{{"dateModified": "{}"}}</script>'
TEXT, RENAMED = "2023-08-27", "2025-09-06"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of Hugo whose folder of texts was renamed by an author east of Greenwich."""
    folder = tmp_path / "project"
    write(folder / "hugo.toml", f'baseURL = "{BASE}"\n')
    for name in ("a", "b", "c"):
        write(folder / "old" / f"{name}.md", f"---\ntitle: {name}\n---\nThe text of {name}.\n")
    commit(folder, f"{TEXT}T15:00:00Z")
    git(folder, "mv", "old", "content")
    commit(folder, f"{RENAMED}T01:30:45+05:30", "content")
    for name in ("", "a/", "b/", "c/"):
        page(folder / "public" / name / "index.html", HUGO, name or "Home")
    monkeypatch.chdir(folder)
    return folder


def state(project: Path, **heads: str) -> None:
    for name, head in heads.items():
        page(project / "public" / name / "index.html", head, name)


FROM_GIT = (
    # Hugo's GitInfo: as the author's clock, in UTC, by the day of either
    MODIFIED.format("2025-09-06T01:30:45+05:30"),
    MODIFIED.format("2025-09-05T20:00:45Z"),
    MODIFIED.format("2025-09-06"),
    MODIFIED.format("2025-09-05"),
    # without the zone, as if it were UTC, and without the seconds
    MODIFIED.format("2025-09-06T01:30:45"),
    MODIFIED.format("2025-09-06T01:30:45Z"),
    MODIFIED.format("2025-09-05T20:00Z"),
    MODIFIED.format("2025-09-06T00:00:00Z"),
    # VitePress, Docusaurus, Starlight: in milliseconds, or for the readers of JSON-LD
    MODIFIED.format("2025-09-05T20:00:45.000Z"),
    SCRIPT.format("2025-09-05T20:00:45.000Z"),
    # sphinx-last-updated-by-git, git-revision-date-localized
    MODIFIED.replace("article:modified_time", "og:updated_time").format(
        "2025-09-05T20:00:45+00:00"
    ),
    MODIFIED.replace("property", "name")
    .replace("article:modified_time", "lastmod")
    .format(RENAMED),
    # themes that have one date alone
    MODIFIED.format("2025-09-05T20:00:45Z") + PUBLISHED.format("2025-09-05T20:00:45Z"),
    PUBLISHED.format("2025-09-05T20:00:45Z"),
)


@pytest.mark.parametrize("head", FROM_GIT)
def test_git_is_asked_where_a_page_states_the_last_commit_of_its_source(
    project: Path, head: str
) -> None:
    state(project, a=head, b=MODIFIED.format("2024-05-06"))
    run("build", "--report", "report.json")
    dates = {"a/": TEXT, "b/": "2024-05-06", "c/": TEXT, "": ""}
    assert listed(project / "public") == dates
    if "published" not in head:
        skipped = json.loads((project / "report.json").read_bytes())["dates"][f"{BASE}a/"][
            "skipped"
        ]
        assert "it states the last commit of its source" in str(skipped)


def test_the_commit_of_a_branch_that_was_merged_is_one_too(project: Path) -> None:
    git(project, "switch", "-q", "-c", "topic")
    write(project / "content" / "a.md", "---\ntitle: a\n---\nThe new text of a.\n")
    commit(project, "2025-10-01T10:11:12Z", "content")
    git(project, "switch", "-q", "main")
    git(project, "merge", "-q", "--no-ff", "-m", "Merge", "topic", date="2025-10-20T10:00:00Z")
    state(project, a=MODIFIED.format("2025-10-01T10:11:12Z"), b=MODIFIED.format("2024-05-06"))
    run("build")
    assert listed(project / "public")["a/"] == "2025-10-20"


AUTHORS = ("lastmod: 2025-09-05", "lastUpdated: 2025-09-06", "last_update:\n  date: 2025-09-06")


@pytest.mark.parametrize("line", AUTHORS)
def test_a_date_in_the_front_matter_is_the_authors(project: Path, line: str) -> None:
    write(project / "content" / "a.md", f"---\ntitle: a\n{line}\n---\nThe text of a.\n")
    commit(project, f"{RENAMED}T02:00:00+05:30", "content")
    stated = line[-10:]
    state(project, a=MODIFIED.format(stated), b=MODIFIED.format("2024-05-06"))
    run("build")
    assert listed(project / "public")["a/"] == stated


def test_a_date_of_no_commit_of_its_own_source_is_the_authors(project: Path) -> None:
    write(project / "content" / "b.md", "---\ntitle: b\n---\nThe new text of b.\n")
    commit(project, "2025-10-01T10:11:12Z", "content")
    state(project, a=MODIFIED.format("2025-10-01"), b=MODIFIED.format("2025-10-02"))
    run("build")
    assert listed(project / "public") == {
        "": "",
        "a/": "2025-10-01",
        "b/": "2025-10-02",
        "c/": TEXT,
    }


def test_a_list_without_a_source_states_the_commit_of_a_page(project: Path) -> None:
    head = MODIFIED.format("2025-09-05T20:00:45Z")
    page(project / "public" / "index.html", HUGO + head, "Home")
    state(project, a=head, b=MODIFIED.format("2024-05-06"))
    run("build")
    assert listed(project / "public")[""] == ""


def test_the_day_of_all_pages_is_of_the_build_and_says_nothing(project: Path) -> None:
    heads = (MODIFIED.format(f"2026-02-03T04:05:{second:02}Z") for second in (6, 7, 7))
    state(project, **dict(zip("abc", heads, strict=True)))
    run("build", "--report", "report.json")
    assert listed(project / "public") == {"": ""} | dict.fromkeys(("a/", "b/", "c/"), TEXT)
    assert "is that of the build" in (project / "report.json").read_text()


def test_the_day_of_the_build_is_no_authors_unless_the_source_or_its_name_states_it(
    project: Path,
) -> None:
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    write(project / "content" / f"{today}-d.md", "---\ntitle: d\n---\nThe text of d.\n")
    commit(project, "2025-10-01T10:11:12Z", "content")
    clock = MODIFIED.format(today) + PUBLISHED.format(today)
    state(project, a=clock, b=MODIFIED.format("2024-05-06"), **{f"{today}-d": clock})
    run("build")
    dates = listed(project / "public")
    assert (dates["a/"], dates[f"{today}-d/"]) == (TEXT, today)


@pytest.mark.parametrize("is_today", [True, False])
def test_without_sources_the_day_of_all_pages_is_of_the_build_if_it_is_today(
    project: Path, is_today: bool
) -> None:
    shutil.rmtree(project / "content")
    day = f"{datetime.now(UTC):%Y-%m-%d}" if is_today else "2024-05-06"
    state(project, a=MODIFIED.format(day), b=MODIFIED.format(day))
    run("build")
    assert listed(project / "public")["a/"] == ("" if is_today else day)


def test_what_pages_state_counts_where_git_is_not_wanted(project: Path) -> None:
    state(project, a=MODIFIED.format(RENAMED), b=MODIFIED.format(RENAMED))
    run("build", "--set", "lastmod=generator")
    assert listed(project / "public")["a/"] == RENAMED
