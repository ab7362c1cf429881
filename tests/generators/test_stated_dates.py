"""Dates that pages state: an author's counts; for one from git or of the build, git is asked."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
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
    # Hugo's GitInfo, as the author's clock; VitePress; the last is of themes with one date alone
    MODIFIED.format("2025-09-06T01:30:45+05:30"),
    SCRIPT.format("2025-09-05T20:00:45.000Z"),
    MODIFIED.format("2025-09-05") + PUBLISHED.format("2025-09-05"),
    PUBLISHED.format("2025-09-05T20:00:45Z"),
)


@pytest.mark.parametrize("head", FROM_GIT)
def test_git_is_asked_where_a_page_states_a_day_that_its_source_does_not(
    project: Path, head: str
) -> None:
    state(project, a=head, b=MODIFIED.format("2024-05-06"))
    run("build", "--report", "report.json")
    assert listed(project / "public") == {"": "", "a/": TEXT, "b/": TEXT, "c/": TEXT}
    if "published" not in head:
        skipped = json.loads((project / "report.json").read_bytes())["dates"][f"{BASE}a/"][
            "skipped"
        ]
        assert "it states a day that its source does not" in str(skipped)


AUTHORS = ("lastmod: 2025-09-05", "lastUpdated: 2025-09-06", "last_update:\n  date: 2025-09-06")


@pytest.mark.parametrize("line", AUTHORS)
def test_a_date_in_the_front_matter_is_the_authors(project: Path, line: str) -> None:
    write(project / "content" / "a.md", f"---\ntitle: a\n{line}\n---\nThe text of a.\n")
    commit(project, f"{RENAMED}T02:00:00+05:30", "content")
    stated = line[-10:]
    state(project, a=MODIFIED.format(stated), b=MODIFIED.format("2024-05-06"))
    run("build")
    assert listed(project / "public")["a/"] == stated


def test_a_list_without_a_source_states_the_day_of_a_page(project: Path) -> None:
    head = MODIFIED.format("2025-09-05T20:00:45Z")
    page(project / "public" / "index.html", HUGO + head, "Home")
    state(project, a=head, b=MODIFIED.format("2024-05-06"))
    run("build")
    assert listed(project / "public")[""] == ""


PLACES = (
    MODIFIED,
    PUBLISHED,
    MODIFIED + PUBLISHED,
    '<meta property="og:updated_time" content="{}">',
    '<meta itemprop="dateModified" content="{}">',
    '<time itemprop="dateModified" datetime="{}"></time>',
    SCRIPT,
    SCRIPT.replace("dateModified", "datePublished"),
    # jekyll-seo-tag, of a document without a date
    '<script type="application/ld+json">{{"dateModified":"{0}","datePublished":"{0}"}}</script>',
)
"""Where a page says when it was built."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "moments",
    [
        ["2025-09-06T09:10:11+05:30"],  # the day of the last commit, some hours later
        ["2025-10-08T04:05:06Z", "2025-11-09", "2025-12-10"],
    ],
)
def test_a_day_after_the_last_commit_of_the_source_is_of_the_build(
    project: Path, place: str, moments: list[str]
) -> None:
    for name, moment in zip("abc", moments, strict=False):
        state(project, **{name: place.format(moment, moment)})
    run("build")
    assert listed(project / "public") == {"": ""} | dict.fromkeys(("a/", "b/", "c/"), TEXT)


def test_a_page_was_not_published_after_its_text_unless_its_source_says_so(project: Path) -> None:
    """The folder was renamed after that build, so the day is before the last commit."""
    day = "2024-11-12"
    write(project / "content" / "b.md", f"---\ntitle: b\ndate: {day}\n---\nThe text of b.\n")
    commit(project, "2025-10-01T10:11:12Z", "content")
    state(project, a=PUBLISHED.format(day), b=PUBLISHED.format(day))
    run("build")
    dates = listed(project / "public")
    assert (dates["a/"], dates["b/"]) == (TEXT, day)


def test_a_publication_in_front_matter_is_kept_where_the_page_states_that_of_the_build(
    project: Path,
) -> None:
    text = "---\ntitle: a\ndate: 2024-11-12\n---\nThe text of a.\n"
    write(project / "content" / "a.md", text)
    commit(project, "2025-10-01T10:11:12Z", "content")
    state(project, a=PUBLISHED.format("2025-11-12T10:00:00Z"))
    run("build")
    assert listed(project / "public")["a/"] == "2024-11-12"


IN_SOURCES = (
    # the file of the source, its front matter, what the page states
    ("a.md", "changed: 2025-11-12", "2025-11-12"),
    ("a.md", "changed: 2025-11-12", "2025-11-12T00:00:00+02:00"),
    ("a.md", "changed: 2025-11-12", "2025-11-11T22:00:00.000Z"),
    ("a.md", "changed: 2025/11/12 13:14", "2025-11-12T13:14:00Z"),
    ("a.md", "changed: 2025-11-12 23:30:00 -0500", "2025-11-13T04:30:00+00:00"),
    ("a.md", "changed: 2025-11-12T23:30:00-05:00", "2025-11-13"),
    ("a.md", "changed: 2025-11-12 23:30:00", "2025-11-13T04:30:00Z"),
    ("a.md", "params: {built: 2025-11-12, by: me}", "2025-11-12T13:14:15Z"),
    ("2025-11-12-a.md", "author: me", "2025-11-12T00:00:00+01:00"),
    ("2025-11-12-a.md", "author: me", "2025-11-11T23:00:00Z"),
    ("2025/11/12/a.md", "author: me", "2025-11-12"),
)


@pytest.mark.parametrize(("file", "line", "stated"), IN_SOURCES)
def test_a_day_that_the_source_states_is_the_authors_in_any_time_zone(
    project: Path, file: str, line: str, stated: str
) -> None:
    write(project / "content" / file, f"---\ntitle: a\n{line}\n---\nThe text of an author.\n")
    commit(project, "2025-10-01T10:11:12Z", "content")
    path = file.removesuffix(".md")
    state(project, **{path: MODIFIED.format(stated), "b": MODIFIED.format("2024-05-06")})
    run("build")
    assert listed(project / "public")[f"{path}/"] == stated[:10]


@pytest.mark.parametrize("line", ["changed: 2025-11-12 23:30:00 -0500", "changed: 2025-11-12"])
def test_a_day_that_follows_the_one_in_the_source_is_not_stated_by_it(
    project: Path, line: str
) -> None:
    write(project / "content" / "a.md", f"---\ntitle: a\n{line}\n---\nThe text of a.\n")
    commit(project, "2025-10-01T10:11:12Z", "content")
    state(project, a=MODIFIED.format("2025-11-13T10:00:00Z"))
    run("build")
    assert listed(project / "public")["a/"] == TEXT


def test_the_folder_of_a_checkout_states_no_day(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = "2025-10-08"
    checkout = project.parent / day / "project"
    checkout.parent.mkdir()
    project.rename(checkout)
    monkeypatch.chdir(checkout)
    state(checkout, a=MODIFIED.format(day))
    run("build")
    assert listed(checkout / "public")["a/"] == TEXT


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (["2024-05-06", "2024-05-06", "2024-05-06"], ["", "", ""]),
        (["2024-05-06", "2024-05-06", "2024-05-07"], ["2024-05-06", "2024-05-06", "2024-05-07"]),
        (["2024-05-06"], ["2024-05-06"]),
    ],
)
@pytest.mark.parametrize("place", [MODIFIED, SCRIPT])
def test_without_sources_the_day_of_all_pages_is_of_the_build(
    project: Path, place: str, days: list[str], expected: list[str]
) -> None:
    shutil.rmtree(project / "content")
    for name, day in zip("abc", days, strict=False):
        state(project, **{name: place.format(day)})
    run("build")
    dates = listed(project / "public")
    assert [dates[f"{name}/"] for name, _ in zip("abc", days, strict=False)] == expected


def test_what_pages_of_no_project_all_state_as_their_publication_is_of_the_build(
    tmp_path: Path,
) -> None:
    for name in ("a", "b"):
        page(tmp_path / name / "index.html", PUBLISHED.format("2024-05-06T10:00:00Z"), name)
    run("build", tmp_path, "--base-url", BASE)
    assert listed(tmp_path) == {"a/": "", "b/": ""}


@pytest.mark.parametrize("place", [MODIFIED, PUBLISHED, SCRIPT])
def test_a_page_that_is_its_own_source_states_its_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    page(tmp_path / "index.html", title="Home")
    page(tmp_path / "a" / "index.html", place.format("2024-05-06"), "a")
    commit(tmp_path, "2024-05-05T10:00:00Z")
    monkeypatch.chdir(tmp_path)
    run("build", "--base-url", BASE)
    assert listed(tmp_path)["a/"] == "2024-05-06"


def test_a_shallow_clone_publishes_no_day_of_the_build(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state(project, a=MODIFIED.format("2025-10-08"), b=PUBLISHED.format("2025-10-08T01:02:03Z"))
    clone = project.parent / "clone"
    git(project, "clone", "--quiet", "--depth=1", f"file://{project}", str(clone))
    shutil.copytree(project / "public", clone / "public")
    monkeypatch.chdir(clone)
    run("build")
    assert listed(clone / "public") == dict.fromkeys(("", "a/", "b/", "c/"), "")


def test_the_same_site_has_the_same_sitemap_on_any_later_day(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pages were built today, which is not today any more."""
    now = datetime.now(UTC)
    today = f"{now:%Y-%m-%d}"
    write(project / "content" / f"{today}-d.md", "---\ntitle: d\n---\nThe text of d.\n")
    commit(project, "2025-10-01T10:11:12Z", "content")
    clock = MODIFIED.format(f"{now:%FT%TZ}") + PUBLISHED.format(f"{now:%FT%TZ}")
    alone = {"tags/x": MODIFIED.format(today), "tags/y": MODIFIED.format("2024-05-06")}
    state(project, a=clock, b=PUBLISHED.format(today), **{f"{today}-d": clock}, **alone)
    sitemaps: list[bytes] = []
    for days in (0, 1, 30, 800):
        moment = now + timedelta(days)
        monkeypatch.setenv("SOURCE_DATE_EPOCH", f"{moment.timestamp():.0f}")
        run("build")
        sitemaps.append((project / "public" / "sitemap.xml").read_bytes())
    assert sitemaps == [sitemaps[0]] * 4
    assert listed(project / "public") == {
        "": "",
        "a/": TEXT,
        "b/": TEXT,
        "c/": TEXT,
        f"{today}-d/": today,
        "tags/x/": "",
        "tags/y/": "",
    }


SEO = (
    "<!doctype html><title>{{ page.title }}</title>{% seo title=false %}"
    "<body><main>{{ content }}</main></body>"
)


@pytest.mark.environment
def test_jekylls_seo_tag_states_when_a_document_without_a_date_was_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which("jekyll"):
        pytest.skip("jekyll is not installed")
    settings = (
        f"url: {BASE[:-1]}\nplugins: [jekyll-seo-tag]\ntimezone: America/New_York\n"
        "permalink: /news/:title/\n"
        "collections: {teas: {output: true, permalink: /:name/}}\n"
        "defaults: [{scope: {path: ''}, values: {layout: all}}]\n"
    )
    write(tmp_path / "_config.yml", settings)
    write(tmp_path / "_layouts" / "all.html", SEO)
    texts = {
        "index.md": "",
        "about.md": "",
        "_teas/green.md": "",
        "_teas/black.md": "",
        "_teas/white.md": "date: 2025-11-12 23:30:00 +0530\n",
        "_posts/2025-10-12-first.md": "",
        "_posts/2025-10-13-second.md": "",
        "_posts/2025-10-14-third.md": "",
    }
    for name, line in texts.items():
        title = name.rpartition("/")[2]
        words = " ".join(f"{title}-{number}" for number in range(12))
        write(tmp_path / name, f"---\ntitle: {title}\n{line}---\nThe words are {words}.\n")
    commit(tmp_path, f"{TEXT}T15:00:00Z")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JEKYLL_NO_BUNDLER_REQUIRE", "true")
    done = subprocess.run(
        ["jekyll", "build", "--quiet"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    today = f"{datetime.now(UTC):%Y-}"
    assert f'"datePublished":"{today}' in (tmp_path / "_site/green/index.html").read_text()
    run("build")
    assert listed(tmp_path / "_site") == {
        "": TEXT,
        "about/": TEXT,
        "black/": TEXT,
        "green/": TEXT,
        "news/first/": "2025-10-12",
        "news/second/": "2025-10-13",
        "news/third/": "2025-10-14",
        "white/": "2025-11-12",
    }


def test_what_pages_state_counts_where_git_is_not_wanted(project: Path) -> None:
    state(project, a=MODIFIED.format(RENAMED), b=MODIFIED.format(RENAMED))
    run("build", "--set", "lastmod=generator")
    assert listed(project / "public")["a/"] == RENAMED
