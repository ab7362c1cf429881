"""Dates of pages by the history of what they are made from."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit import Build, Options, Page, Report, build, read_options
from sitemapkit.dates import w3c

from .conftest import Site

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


class Project:
    """A site whose sources are in a git repository; each commit is one day later."""

    def __init__(self, site: Site, *, clone: Path | None = None) -> None:
        self.site, self.root, self.day = site, site.folder / "project", 0
        if clone:
            command = ["git", "clone", "-q", "--depth=1", clone.as_uri(), str(self.root)]
            subprocess.run(command, check=True)
        else:
            self.root.mkdir()
            self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> None:
        when = f"2024-05-{self.day:02} 12:00:00 +0000"
        who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}
        who |= {"GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.org"}
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        command = ["git", "-C", str(self.root), *arguments]
        subprocess.run(command, check=True, env={**os.environ, **who, **dates})

    def commit(self, message: str = "Change", **files: str) -> None:
        self.day += 1
        for name, text in files.items():
            (self.root / f"{name}.md").write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def build(
        self,
        *names: str,
        included: Sequence[Path] = (),
        documented: Sequence[Path] = (),
        **options: Any,
    ) -> Report:
        pages = self.pages(*names, included=included, dependencies=documented)
        return self.begin(pages, **options).write(self.site.folder)

    def begin(self, pages: Iterable[Page], **options: Any) -> Build:
        """Begin a build as an adapter does: git reads the history while pages are added."""
        one = Build(self.options(**options))
        one.read_history(self.root)
        for page in pages:
            one.add(page)
        return one

    def options(self, **options: Any) -> Options:
        base = "https://example.org/docs/"
        return read_options(options, where="test", root=self.root, base_url=base)

    def pages(self, *names: str, **files: Any) -> list[Page]:
        return [
            self.site.page(f"{name}/", sources=[self.root / f"{name}.md"], **files)
            for name in names
        ]

    def days(self) -> dict[str, str]:
        return {
            url: said.get("lastmod", "-").removesuffix("T12:00:00Z")
            for url, said in self.site.entries().items()
        }


@pytest.fixture
def project(site: Site) -> Project:
    return Project(site)


def test_lm2_a_page_has_the_date_its_source_changed(project: Project) -> None:
    project.commit(a="A", b="B")
    project.commit(a="A again")
    project.build("a", "b")
    assert project.days() == {"a/": "2024-05-02", "b/": "2024-05-01"}


def test_a_page_that_git_does_not_track_has_no_date(project: Project) -> None:
    project.commit(a="A")
    (project.root / "new.md").write_text("New")
    report = project.build("a", "new")
    assert project.days() == {"a/": "2024-05-01", "new/": "-"}
    assert not project.site.warnings(report)


def test_files_that_the_user_names_count_as_sources(project: Project) -> None:
    project.commit(a="A", b="B")
    project.commit(data="D")
    project.build("a", "b", sources=[{"match": "a/", "files": "da*.md"}])
    assert project.days() == {"a/": "2024-05-02", "b/": "2024-05-01"}


def test_a_pattern_of_sources_without_a_file_is_a_warning(project: Project) -> None:
    project.commit(a="A")
    report = project.build("a", sources=[{"match": "a/", "files": "nothing-*.md"}])
    assert project.site.warnings(report) == ["sources-without-file"]


def test_dependencies_count_where_the_option_says_so(project: Project) -> None:
    project.commit(a="A")
    project.commit(module="M")
    documented = [project.root / "module.md", project.root.parent / "installed.py"]
    project.build("a", documented=documented)
    assert project.days() == {"a/": "2024-05-01"}
    project.build("a", documented=documented, dependencies=True)
    assert project.days() == {"a/": "2024-05-02"}


def test_included_text_counts_unless_the_option_says_otherwise(project: Project) -> None:
    project.commit(a="A")
    project.commit(hint="H")
    hint = [project.root / "hint.md"]
    project.build("a", included=hint)
    assert project.days() == {"a/": "2024-05-02"}
    project.build("a", included=hint, dependencies=False)
    assert project.days() == {"a/": "2024-05-01"}


def test_included_text_of_unknown_age_leaves_the_page_undated(project: Project) -> None:
    project.commit(a="A")
    project.build("a", included=[project.root / "untracked.md"])
    assert project.days() == {"a/": "-"}


def test_changed_front_matter_is_no_change_unless_the_option_says_so(project: Project) -> None:
    project.commit(a="---\ntitle: A\n---\nText\n")
    project.commit(a="---\ntitle: A\ntags: [x]\n---\nText\n")
    project.build("a")
    assert project.days() == {"a/": "2024-05-01"}
    project.build("a", git={"bodies": False})
    assert project.days() == {"a/": "2024-05-02"}


def test_lm7_the_date_of_a_lone_commit_is_left_out_for_many_pages(project: Project) -> None:
    names = [f"page-{n}" for n in range(20)]
    project.commit(**dict.fromkeys(names, "imported"))
    report = project.build(*names)
    assert set(project.days().values()) == {"-"}
    (issue,) = [p for p in report.issues if p.rule.id == "git-one-commit"]
    assert issue.severity == "note"
    assert "lastmod" in issue.rule.fix


def test_the_same_date_from_a_longer_history_is_believed(project: Project) -> None:
    names = [f"page-{n}" for n in range(20)]
    project.commit(other="first")
    project.commit(**dict.fromkeys(names, "written in one day"))
    project.build(*names)
    assert set(project.days().values()) == {"2024-05-02"}


def test_a_commit_of_many_files_is_named_only_for_the_dates_that_it_decides(
    project: Project,
) -> None:
    names = [f"p{number}" for number in range(30)]
    project.commit(**dict.fromkeys([*names, "more"], "A"))
    project.commit(**dict.fromkeys(names, "B"))
    project.commit(more="More")
    assert _sweep(project.build(*names)) == ["decides 30 of 30 dates."]
    assert _sweep(project.build(*names, included=[project.root / "more.md"])) == []
    published = date(2024, 5, 9)
    pages = project.pages(*names[:9], published=published) + project.pages(*names[9:])
    report = project.begin(pages).write(project.site.folder)
    assert _sweep(report) == ["decides 21 of 21 dates."]


def _sweep(report: Report) -> list[str]:
    said = (each.detail for each in report.issues if each.rule.id == "git-sweep")
    return [detail[detail.index("decides") :] for detail in said]


def test_few_pages_of_a_first_commit_are_believed(project: Project) -> None:
    project.commit(a="A", b="B")
    project.build("a", "b")
    assert set(project.days().values()) == {"2024-05-01"}


def test_with_a_ledger_unchanged_text_keeps_its_date_whatever_git_says(project: Project) -> None:
    project.commit(a="A")
    project.build("a", ledger="ledger.txt", git={"bodies": False})
    project.commit(a="A  ")
    project.build("a", ledger="ledger.txt", git={"bodies": False})
    assert project.days() == {"a/": "2024-05-01"}


def test_with_a_ledger_changed_text_has_the_date_of_its_commit(project: Project) -> None:
    project.commit(a="A")
    report = project.build("a", ledger="ledger.txt")
    ledger = project.root / "ledger.txt"
    ledger.write_text(f"{ledger.read_text().rstrip()[:-1]}_\n")  # another digest
    project.commit(a="A, changed")
    report = project.build("a", ledger="ledger.txt")
    assert project.days() == {"a/": "2024-05-02"}
    assert report.dates["https://example.org/docs/a/"].source == "git"


def test_with_a_ledger_a_change_that_is_not_in_git_has_the_day_of_the_build(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1717200000")
    project.commit(a="A")
    project.build("a", ledger="ledger.txt")
    ledger = project.root / "ledger.txt"
    ledger.write_text(f"{ledger.read_text().rstrip()[:-1]}_\n")
    report = project.build("a", ledger="ledger.txt")
    assert project.days() == {"a/": "2024-06-01"}
    said = report.dates["https://example.org/docs/a/"]
    assert said.source == "ledger"
    assert dict(said.skipped)["git"] == "it is older than the change that the ledger saw"


def test_with_a_ledger_a_shallow_clone_keeps_what_full_clones_knew(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.commit(a="A", b="B")
    project.commit(a="A, changed")
    project.build("a", "b", ledger="ledger.txt")
    project.commit(c="C")
    shallow = Project(Site(project.site.folder / "shallow"), clone=project.root)
    shutil.copy(project.root / "ledger.txt", shallow.root)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1717200000")
    report = shallow.build("a", "b", "c", ledger="ledger.txt")
    assert shallow.days() == {"a/": "2024-05-02", "b/": "2024-05-01", "c/": "2024-06-01"}
    assert {each.source for each in report.dates.values()} == {"ledger"}
    shallow.build("a", "b", "c")
    assert shallow.days() == {"a/": "-", "b/": "-", "c/": "-"}


def test_git_is_not_asked_where_dates_are_off(project: Project) -> None:
    assert Build(project.options(lastmod=False)).history is None


def test_git_is_not_asked_about_a_page_that_wants_no_date(project: Project) -> None:
    project.commit(a="text")
    outside = [project.site.folder / "elsewhere.md"]
    pages = [
        *project.pages("a"),
        project.site.page("b/", sources=outside, meta={"lastmod": False}),
    ]
    report = project.begin(pages).write(project.site.folder)
    assert not {"git-outside", "git-none"} & {issue.rule.id for issue in report.issues}
    assert [each.source for each in report.dates.values()] == ["git", None]


def test_a_page_of_which_nothing_is_known_has_the_date_of_its_rule(project: Project) -> None:
    project.commit(a="text")
    rule = {"match": "b/", "files": "a.md"}
    pages = [project.site.page("b/"), project.site.page("c/")]
    report = project.begin(pages, sources=[rule]).write(project.site.folder)
    assert [each.source for each in report.dates.values()] == ["git", None]


def test_dates_before_pages_are_rendered_are_those_of_the_sitemap(project: Project) -> None:
    project.commit(a="One", b="One")
    project.commit(b="Two")
    pages = project.pages("a", "b", "new")
    early = project.begin(pages).lastmods()
    build(pages, project.options(), project.site.folder)
    later = {url: said["lastmod"] for url, said in project.site.entries().items() if said}
    assert {url: w3c(date) for url, date in early.items()} == later


def test_git_is_asked_once_for_early_dates_and_the_sitemap(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.commit(a="One")
    pages, options = project.pages("a", "new"), project.options()
    one = project.begin(pages)
    one.lastmods()
    monkeypatch.setenv("PATH", str(tmp_path))  # without git
    one.write(project.site.folder)
    assert project.days() == {"a/": "2024-05-01", "new/": "-"}
    build(pages, options, project.site.folder)
    assert project.days() == {"a/": "-", "new/": "-"}


def test_paths_may_be_text_or_objects_in_one_site(project: Project) -> None:
    project.commit(a="One", b="One")
    pages = project.pages("a", "b")
    pages[1].sources = [str(file) for file in pages[1].sources]
    pages[1].output = str(pages[1].output)
    project.begin(pages).write(project.site.folder)
    assert project.days() == {"a/": "2024-05-01", "b/": "2024-05-01"}


def test_publication_stands_in_only_where_git_has_no_text(project: Project) -> None:
    project.commit(a="A", b="B")
    project.commit(b="B, edited")
    shallow = Project(Site(project.site.folder / "shallow"), clone=project.root)
    (shallow.root / "new.md").write_text("N")
    pages = list(shallow.pages("a", "b", "new"))
    for page in pages:
        page.published = date(2024, 1, 1)
    shallow.begin(pages).write(shallow.site.folder)
    assert shallow.days() == {"a/": "-", "b/": "-", "new/": "2024-01-01"}


@pytest.mark.parametrize(
    ("reference", "day"),
    [("ref: refs/heads/new", "2024-01-01"), ("0123456789" * 4, "-")],
    ids=["no commit", "lost commit"],
)
def test_publication_does_not_stand_in_where_git_fails(
    project: Project, reference: str, day: str
) -> None:
    project.commit(a="A")
    project.commit(a="A, edited")
    (project.root / ".git" / "HEAD").write_text(reference)
    pages = project.pages("a")
    for page in pages:
        page.published = date(2024, 1, 1)
    project.begin(pages).write(project.site.folder)
    assert project.days() == {"a/": day}


def test_a_publication_after_the_last_commit_is_the_generators_date(project: Project) -> None:
    project.commit(a="A", b="B")
    pages = project.pages("a", "b")
    for page, day in zip(pages, (1, 2), strict=True):
        page.published = datetime(2024, 5, day, 12, tzinfo=UTC)
    report = project.begin(pages, report=str(project.root / "report.json")).write(
        project.site.folder
    )
    a, b = (report.dates[f"https://example.org/docs/{name}/"] for name in "ab")
    assert (a.source, b.source) == ("git", "generator")
    assert b.skipped[-1] == ("git", "it is older than the publication")
    decided = json.loads((project.root / "report.json").read_text())["origins"]
    assert [url[-2] for url, origins in decided.items() if "lastmod" in origins] == ["a"]


def test_in_a_shallow_clone_the_newest_known_part_decides_where_others_must_be_older(
    project: Project, tmp_path: Path
) -> None:
    project.commit(old="Old", older="Older", a="A", b="B", part="Part", link="Link")
    (project.root / "linked.md").symlink_to("link.md")
    project.commit(old="Old 2")
    project.commit(x="The oldest commit of the clone")
    project.commit(a="A 2", part="Part 2", link="Link 2")
    clone = tmp_path / "clone"
    subprocess.run(
        ["git", "clone", "-q", "--depth=2", project.root.as_uri(), str(clone)], check=True
    )
    project.root = clone
    project.root.joinpath("new.md").write_text("N")
    old, part, new = (clone / f"{name}.md" for name in ("old", "part", "new"))
    pages = [
        *project.pages("a", included=[old]),
        *project.pages("b", included=[part, old]),
        *project.pages("old", included=[clone / "older.md"]),
        *project.pages("x", included=[old]),
        *project.pages("linked"),
        *project.pages("older", included=[part, new]),
    ]
    project.begin(pages).write(project.site.folder)
    assert project.days() == {
        "a/": "2024-05-04",
        "b/": "2024-05-04",
        "old/": "-",
        "x/": "-",  # the oldest commit is no date
        "linked/": "2024-05-04",
        "older/": "-",  # the new file may have any date
    }


def test_a_part_in_a_shallow_clone_may_be_newer_than_one_of_another_repository(
    project: Project, tmp_path: Path
) -> None:
    project.commit(a="A")
    for _ in range(3):
        project.commit(b="B" * project.day)
    clone = tmp_path / "clone"
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", project.root.as_uri(), str(clone)], check=True
    )
    project.begin(project.pages("a", included=[clone / "b.md"])).write(project.site.folder)
    assert project.days() == {"a/": "-"}
