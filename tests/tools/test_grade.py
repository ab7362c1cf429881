"""`check --dates`: the grade of a sitemap, by the sources of its pages and their history."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import pytest

from .conftest import run, urlset
from .examples import EXAMPLE_SITES, build_example, serve
from .servers import Website, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

HOME = "https://example.org/"
BUILT = "2024-09-30"
"""The day on which nothing changed but the site was built."""


@dataclass
class Project:
    """A project of MkDocs, with the finished site in it."""

    root: Path
    commits: int = 0

    def git(self, *arguments: str) -> str:
        day = f"2024-05-{1 + self.commits:02}T12:00:00+00:00"
        env = os.environ | {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        command = ["git", "-C", str(self.root), *who, *arguments]
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout

    def commit(self, **pages: str) -> str:
        """Commit the sources of pages, on the next day; return the commit."""
        (self.root / "docs").mkdir(parents=True, exist_ok=True)
        for name, content in pages.items():
            (self.root / "docs" / f"{name}.md").write_text(content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Write")
        self.commits += 1
        return self.git("rev-parse", "HEAD").strip()

    @property
    def site(self) -> Path:
        return self.root / "site"

    def build(self, **dates: str) -> None:
        """Write the site and its sitemap, with these dates; "" leaves one out."""
        self.site.mkdir(exist_ok=True)
        entries: list[str] = []
        for name, day in dates.items():
            path = "" if name == "index" else f"{name}/"
            file = self.site / path / "index.html"
            file.parent.mkdir(exist_ok=True)
            link = f'<link rel="canonical" href="{HOME}{path}">'
            file.write_text(f"<html><head><title>{name}</title>{link}</head><body>x</body></html>")
            stated = f"<lastmod>{day}</lastmod>" if day else ""
            entries.append(f"<loc>{HOME}{path}</loc>{stated}")
        (self.site / "sitemap.xml").write_text(urlset(*entries))
        (self.site / "robots.txt").write_text(f"Sitemap: {HOME}sitemap.xml\n")

    def graded(self, *arguments: object) -> dict[str, Any]:
        """Return the grade."""
        outcome = run("check", self.site, "--dates", "--json", "--fail-on", "never", *arguments)
        found: dict[str, Any] = json.loads(outcome.stdout)["dates"]
        return found

    def verdicts(self, *arguments: object) -> dict[str, tuple[str, int]]:
        """Return the verdict on each page, and by how many days it is wrong."""
        dates = self.graded(*arguments)["dates"]
        return {
            each["url"].removeprefix(HOME).rstrip("/") or "index": (each["verdict"], each["days"])
            for each in dates
        }


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with three pages, written on the first of May and the two days after it."""
    made = Project(tmp_path / "project")
    made.root.mkdir()
    (made.root / "mkdocs.yml").write_text("site_name: Tea\n")
    made.git("init", "--quiet")
    made.commit(index="# Tea\n\nHot.\n")
    made.commit(brewing="# Brewing\n\nSteep.\n")
    made.commit(storing="# Storing\n\nDry.\n")
    return made


def test_dates_that_are_right_are_all_right(project: Project) -> None:
    project.build(index="2024-05-01", brewing="2024-05-02T12:00:00Z", storing="2024-05-03")
    assert set(project.verdicts().values()) == {("right", 0)}
    assert project.graded()["summary"] == "All is right: 3 dates."
    assert project.graded()["percent"] == 100


def test_planted_errors_are_found_and_no_others(project: Project) -> None:
    project.build(index="2024-05-01", brewing="2024-06-01", storing="2024-04-23")
    assert project.verdicts() == {
        "index": ("right", 0),
        "brewing": ("too new", 30),
        "storing": ("too old", 10),
    }
    outcome = run("check", project.site, "--dates")
    assert outcome.code == 0  # notes
    assert "note date-too-new" in outcome.stdout
    assert "too new by 30 days." in outcome.stdout
    assert " of brewing.md: too new" in outcome.stdout
    said = (
        "2 of 3 dates are wrong: 1 is newer than the last change, 1 is older than the last change."
    )
    assert said in outcome.stdout


def test_the_day_of_the_build_is_called_that(project: Project) -> None:
    project.build(index=BUILT, brewing=BUILT, storing="2024-04-20")
    assert project.graded()["summary"] == (
        "3 of 3 dates are wrong: 2 have the day of the build, 1 is older than the last change."
    )


def test_the_commit_that_decides_is_named(project: Project) -> None:
    changed = project.commit(brewing="# Brewing\n\nSteep for longer.\n")
    project.commit(brewing="---\ntags: [tea]\n---\n\n# Brewing\n\nSteep for longer.\n")
    project.build(brewing="2024-05-02")
    (found,) = project.graded()["dates"]
    assert found["commit"] == changed
    assert found["changed"] == "2024-05-04T12:00:00Z"
    assert found["source"].endswith("docs/brewing.md")
    assert (found["verdict"], found["days"]) == ("too old", 2)


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("2024-05-02", "right"),
        ("2024-05-01", "right"),  # it may be that of another time zone
        ("2024-05-03", "right"),
        ("2024-05-04", "too new"),
        ("2024-04-30", "too old"),
        ("2024-05-02T13:00:00+02:00", "right"),
        ("2024-05-03T11:59:00Z", "right"),
        ("2024-05-03T12:01:00Z", "too new"),
        ("2024-05-01T11:59:00Z", "too old"),
    ],
)
def test_a_date_without_a_time_may_be_a_day_off(
    project: Project, stated: str, verdict: str
) -> None:
    project.build(brewing=stated)
    assert project.verdicts()["brewing"][0] == verdict


def test_what_an_author_states_is_right(project: Project) -> None:
    project.commit(brewing="---\nlastmod: 2023-01-01\n---\n\n# Brewing\n\nSteep it.\n")
    project.build(brewing="2023-01-01")
    assert project.verdicts() == {"brewing": ("right", 0)}


@pytest.mark.parametrize("text", ['--8<-- "tips.md"', "::: tea.brewing", "{{ version }}"])
def test_a_page_that_shows_other_files_is_not_judged_unless_it_is_too_old(
    project: Project, text: str
) -> None:
    project.commit(brewing=f"# Brewing\n\n{text}\n")
    project.build(brewing="2024-06-01")
    assert project.verdicts() == {"brewing": ("unknown", 0)}
    project.build(brewing="2024-04-01")
    assert project.verdicts()["brewing"][0] == "too old"


def test_a_page_without_a_known_source_or_history_is_not_judged(project: Project) -> None:
    new = project.root / "docs" / "new.md"
    new.write_text("# New\n")
    project.build(index="2024-05-01", api=BUILT, new=BUILT, more=BUILT)
    for page in ("api", "new", "more"):
        assert project.verdicts()[page] == ("unknown", 0)
    start = "All is right: 1 date. 3 more dates could not be judged: "
    assert project.graded()["summary"] == f"{start}its source is not known (2 of them)."
    new.unlink()
    assert project.graded()["summary"] == f"{start}its source is not known."


def test_wrong_dates_are_errors_if_that_is_asked_for(project: Project) -> None:
    project.build(index="2024-05-01", brewing="2024-06-01")
    outcome = run("check", project.site, "--strict-dates", "--json")
    assert outcome.code == 1
    issues = json.loads(outcome.stdout)["issues"]
    assert [each["severity"] for each in issues if each["id"] == "date-too-new"] == ["error"]
    project.build(index="2024-05-01", brewing="2024-05-02")
    assert run("check", project.site, "--strict-dates", "--fail-on", "error").code == 0


def test_a_map_says_which_source_a_page_has(project: Project) -> None:
    (project.root / "map.json").write_text('{"elsewhere/index.html": "docs/brewing.md"}')
    project.build(elsewhere="2024-05-02")
    assert project.verdicts() == {"elsewhere": ("unknown", 0)}
    assert project.verdicts("--source-map", project.root / "map.json") == {
        "elsewhere": ("right", 0)
    }


def test_a_job_summary_has_the_sentence(project: Project) -> None:
    project.build(index=BUILT, brewing=BUILT)
    outcome = run("check", project.site, "--dates", "--format", "markdown")
    assert "**2 of 2 dates are wrong: 2 have the day of the build.**" in outcome.stdout


def test_a_site_online_is_graded_by_the_repository_beside_it(project: Project) -> None:
    website = Website()
    with running(website.answer) as server:
        base = f"{server.url}/"
        project.build(index="2024-05-01", brewing=BUILT)
        for file in (each for each in project.site.rglob("*.*") if each.is_file()):
            file.write_text(file.read_text().replace(HOME, base))
        serve(website, project.site)
        for path, name in (("/", "/index.html"), ("/brewing/", "/brewing/index.html")):
            website.replies[path] = website.replies[name]
        flags = ("--dates", "--repository", project.root, "--json", "--rate", "0")
        outcome = run("check", base, *flags)
    dates = json.loads(outcome.stdout)["dates"]["dates"]
    assert [(each["url"], each["verdict"]) for each in dates] == [
        (base, "right"),
        (f"{base}brewing/", "too new"),
    ]


def test_a_site_online_without_sources_cannot_be_graded() -> None:
    outcome = run("check", "https://example.invalid/", "--dates")
    assert outcome.code == 2
    assert "--repository" in outcome.stderr


# `diff`


def test_a_falling_grade_fails(project: Project, tmp_path: Path) -> None:
    project.build(index="2024-05-01", brewing="2024-05-02", storing="2024-05-03")
    old = tmp_path / "old.xml"
    old.write_text((project.site / "sitemap.xml").read_text())
    same = run("diff", old, project.site, "--fail-if-grade-falls", "0")
    assert same.code == 0, same.stderr
    project.build(index="2024-05-01", brewing=BUILT, storing=BUILT)
    worse = run("diff", old, project.site, "--fail-if-grade-falls", "0")
    assert worse.code == 1
    assert "33.3 % of the dates are right, before it were 100.0 %." in worse.stderr
    assert "2 of 3 dates are wrong: 2 have the day of the build." in worse.stderr
    assert run("diff", old, project.site, "--fail-if-grade-falls", "70%").code == 0


def test_a_change_after_the_old_sitemap_does_not_count_against_it(
    project: Project, tmp_path: Path
) -> None:
    project.build(index="2024-05-01", brewing="2024-05-02")
    old = tmp_path / "old.xml"
    old.write_text((project.site / "sitemap.xml").read_text())
    project.commit(brewing="# Brewing\n\nSteep for longer.\n")
    project.build(index="2024-05-01", brewing="2024-05-04")
    outcome = run("diff", old, project.site, "--fail-if-grade-falls", "0", "--json")
    assert outcome.code == 0
    grades = json.loads(outcome.stdout)["grades"]
    assert grades["old"]["percent"] == grades["new"]["percent"] == 100


# Our own sitemaps


SOURCES = {"mkdocs": (), "sphinx": (), "pelican": ("--source-map", "map.json")}
"""How the sources of an example's pages are known."""


@pytest.fixture(params=EXAMPLE_SITES)
def example(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, list[str]]:
    """A site that a real generator built, in a repository, and the flags of `check`."""
    name: str = request.param
    build_example(name, tmp_path)
    source = tmp_path / name
    day = "2024-05-01T12:00:00+00:00"
    env = os.environ | {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    (source / ".gitignore").write_text("site/\noutput/\n_build/\n")
    (source / "map.json").write_text(json.dumps(dict(articles(source)) if SOURCES[name] else {}))
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "x"]):
        subprocess.run(["git", "-C", str(source), *who, *command], env=env, check=True)
    built = EXAMPLE_SITES[name]
    subprocess.run([sys.executable, "-m", *built.command], cwd=source, check=True)
    flags = [str(source / each) if each == "map.json" else each for each in SOURCES[name]]
    return source / built.output, flags


def articles(source: Path) -> Iterator[tuple[str, str]]:
    """Yield the page and the source of each text whose name is the page's."""
    for file in sorted((source / "content").rglob("*.md")):
        for page in (source / "output").rglob(f"{file.stem}/index.html"):
            if page.parts[len(source.parts) + 1] != "de":
                yield page.relative_to(source / "output").as_posix(), f"{file.relative_to(source)}"


def grade_of(site: Path, flags: list[str]) -> dict[str, Any]:
    outcome = run("check", site, "--dates", "--json", "--fail-on", "never", *flags)
    found: dict[str, Any] = json.loads(outcome.stdout)["dates"]
    return found


def test_what_our_plugins_write_is_all_right(example: tuple[Path, list[str]]) -> None:
    found = grade_of(*example)
    assert found["summary"].startswith("All is right: ")
    assert found["counts"]["right"] > 0


def test_errors_planted_in_what_a_generator_wrote_are_all_found(
    example: tuple[Path, list[str]],
) -> None:
    site, flags = example
    right = [each for each in grade_of(site, flags)["dates"] if each["verdict"] == "right"]
    assert len(right) > 2
    planted: dict[str, str] = {}
    text = (site / "sitemap.xml").read_text("utf-8")
    for number, each in enumerate(right):
        day = ("2025-06-01", "2020-06-01", each["lastmod"])[number % 3]
        wanted = ("too new", "too old", "right")[number % 3]
        spaced = re.compile(
            rf"(<loc>{re.escape(escape(each['url']))}</loc>\s*<lastmod>)"
            rf"{re.escape(each['lastmod'])}"
        )
        text, count = spaced.subn(rf"\g<1>{day}", text)
        assert count == 1
        planted[each["url"]] = wanted
    (site / "sitemap.xml").write_text(text, "utf-8")
    (site / "sitemap.xml.gz").unlink(missing_ok=True)
    found = {each["url"]: each["verdict"] for each in grade_of(site, flags)["dates"]}
    wrong = {url for url, verdict in found.items() if verdict in ("too new", "too old")}
    assert wrong == {url for url, verdict in planted.items() if verdict != "right"}
    assert {url: found[url] for url in planted} == planted
