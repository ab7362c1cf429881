"""Which project made a site: what `build` and `check` find without a word, and what they say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sitemapkit_tools.site.base_url import find_base
from sitemapkit_tools.site.output_dir import OutputDir

from ..repository import commit
from ..tools.conftest import run, urlset

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.org/"
HUGO = '<meta name="generator" content="Hugo 0.168.0">'


def page(file: Path, head: str = "", title: str = "Tea") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<title>{title}</title>{head}<body><main>{title}</main></body>")


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of Hugo in a repository, which is the current folder, with its site."""
    folder = tmp_path / "project"
    write(folder / "hugo.toml", f'baseURL = "{BASE}"\n')
    write(folder / "content" / "about.md", "About.\n")
    commit(folder, "2022-01-01T12:00:00Z")
    page(folder / "public" / "index.html", HUGO)
    page(folder / "public" / "about" / "index.html")
    monkeypatch.chdir(folder)
    return folder


def listed(site: Path) -> dict[str, str]:
    """Return the date of each page in the sitemap, by its path."""
    pattern = r"<loc>(.*?)</loc>(?:<lastmod>(.*?)</lastmod>)?"
    pairs = re.findall(pattern, (site / "sitemap.xml").read_text())
    return {loc.removeprefix(BASE): date[:10] for loc, date in pairs}


def test_a_project_needs_no_word(project: Path) -> None:
    outcome = run("build")
    assert outcome.code == 0
    said = outcome.stderr.splitlines()[0]
    assert said == f"Hugo site in public (settings: hugo.toml), at {BASE}"
    assert outcome.stdout.startswith("2 pages listed in public/sitemap.xml; ")
    assert listed(project / "public") == {"": "", "about/": "2022-01-01"}
    assert "Hugo site in public" in run("check").stderr


@pytest.mark.parametrize("program", ["build", "check"])
def test_the_folder_of_a_project_may_be_named(project: Path, program: str) -> None:
    os.chdir(project.parent)
    outcome = run(program, "project")
    said = f"Hugo site in project/public (settings: project/hugo.toml), at {BASE}"
    assert outcome.stderr.splitlines()[0] == said


@pytest.mark.parametrize("site", [["public"], ["."], []])
def test_explain_knows_the_source_too(project: Path, site: list[str]) -> None:
    report = project / "report.json"
    run("build", *site, "--base-url", BASE, "--report", report)
    outcome = run("explain", "about/", "--report", report)
    assert f"page        {project}/content/about.md" in outcome.stdout
    assert "2022-01-01T12:00:00Z, from git" in outcome.stdout


def test_an_issue_of_a_check_is_at_the_source(project: Path) -> None:
    page(project / "public" / "about" / "index.html", '<link rel="canonical" href="/x/">')
    write(project / "public" / "sitemap.xml", urlset(f"<loc>{BASE}about/</loc>"))
    outcome = run("check", "--format", "github")
    assert "file=content/about.md" in outcome.stdout


def test_the_generator_may_be_named(project: Path) -> None:
    page(project / "public" / "index.html", title="A theme that leaves no mark")
    write(project / "_config.yml", "destination: public\n")
    write(project / "about.md", "---\n---\n")
    outcome = run("build", "--generator", "jekyll", "--base-url", BASE)
    assert outcome.stderr.startswith("Jekyll site in public (settings: _config.yml)")
    outcome = run("build", "--generator", "hugo")
    assert outcome.stderr.startswith("Hugo site in public (settings: hugo.toml)")


def test_no_project_is_asked_if_that_is_wanted(project: Path) -> None:
    outcome = run("build", "public", "--generator", "none", "--base-url", BASE)
    assert "Hugo" not in outcome.stderr
    assert listed(project / "public") == {"": "", "about/": ""}


@pytest.mark.usefixtures("project")
def test_a_generator_that_is_not_there_is_an_error() -> None:
    outcome = run("build", "public", "--generator", "mdbook")
    assert outcome.code == 2
    assert (
        "--generator mdbook: there is no book.toml above public; name the folder" in outcome.stderr
    )


@pytest.mark.parametrize("program", ["build", "check"])
def test_a_project_without_its_site_says_where_that_should_be(project: Path, program: str) -> None:
    (project / "public").rename(project / "elsewhere")
    outcome = run(program)
    assert outcome.code == 2
    assert f"{project}/hugo.toml may be of Hugo, but {project}/public has no site" in outcome.stderr
    assert "build it first, or name the folder of the finished site" in outcome.stderr


def test_settings_of_hexo_are_not_read_as_jekylls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "_config.yml", f"url: {BASE}\n")
    write(tmp_path / "scaffolds" / "post.md", "---\ntitle: {{ title }}\n---\n")
    page(tmp_path / "public" / "index.html", '<meta name="generator" content="Hexo 8.1.2">')
    monkeypatch.chdir(tmp_path)
    for flags in ([], ["--repository", "."]):
        outcome = run("build", "--base-url", BASE, *flags)
        assert outcome.code == 0
        assert "Jekyll" not in outcome.stderr
        assert "unread-settings" not in outcome.stderr


@pytest.mark.parametrize("program", ["build", "check"])
def test_a_folder_with_nothing_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    page(tmp_path / "some" / "index.html")
    monkeypatch.chdir(tmp_path)
    outcome = run(program)
    assert outcome.code == 2
    assert "has no index.html, no settings of a generator that is known" in outcome.stderr


def test_of_two_finished_sites_none_is_taken(project: Path) -> None:
    write(project / "book.toml", "")
    page(project / "book" / "index.html", "<!-- Book generated using mdBook -->")
    outcome = run("build")
    assert outcome.code == 2
    assert "several finished sites" in outcome.stderr
    assert f"{project}/book (mdBook)" in outcome.stderr
    assert f"{project}/public (Hugo)" in outcome.stderr


def test_the_mark_of_another_generator_beats_settings(project: Path) -> None:
    page(project / "public" / "index.html", '<meta name="generator" content="Jekyll v4.3.1">')
    outcome = run("build", "public", "--base-url", BASE)
    assert "Hugo" not in outcome.stderr


def test_a_site_elsewhere_is_known_by_its_mark_and_the_checkout(
    project: Path, tmp_path: Path
) -> None:
    site = (project / "public").rename(tmp_path / "deployed")
    assert "Hugo site in" not in run("build", site, "--base-url", BASE).stderr
    outcome = run("build", site, "--repository", project, "--base-url", BASE)
    assert "Hugo site in" in outcome.stderr
    assert listed(site)["about/"] == "2022-01-01"


def test_between_two_projects_that_could_have_made_a_site_nobody_guesses(project: Path) -> None:
    for name in ("one", "two"):
        (project / name).mkdir()
        write(project / name / "hugo.toml", "")
    (project / "hugo.toml").unlink()
    (project / "public").rename(project / "site")
    outcome = run("build", "site", "--base-url", BASE)
    assert outcome.code == 0
    assert f"warning {project}/one/hugo.toml, {project}/two/hugo.toml could have" in outcome.stderr
    assert set(listed(project / "site").values()) == {""}
    outcome = run("build", "site", "--base-url", BASE, "--repository", project / "one")
    assert "settings: one/hugo.toml" in outcome.stderr


def test_a_site_that_is_a_part_of_another_does_not_speak_for_it(project: Path) -> None:
    page(project / "public" / "index.html", title="Made by nobody known")
    page(project / "public" / "book" / "index.html", "<!-- Book generated using mdBook -->")
    write(project / "book.toml", "")
    assert "mdBook" not in run("build", "public", "--base-url", BASE).stderr


def test_behind_a_home_page_that_leads_on_by_a_script_pages_say_what_made_them(
    tmp_path: Path,
) -> None:
    write(tmp_path / "mkdocs.yml", "site_name: Tea\n")
    onward = '<noscript><meta http-equiv="refresh" content="0; url=a/"></noscript>'
    script = "<script>window.location.replace(['a/'].join(''))</script>"
    write(tmp_path / "site/index.html", f"<html><head>{onward}{script}</head><body></body></html>")
    page(tmp_path / "site/a/index.html", '<meta name="generator" content="zensical-0.0.73">')
    said = run("build", tmp_path / "site", "--base-url", BASE).stderr
    assert said.startswith("Zensical site in ")


def test_urls_without_a_final_slash_are_right_where_the_generator_has_them_so(
    tmp_path: Path,
) -> None:
    write(tmp_path / "docusaurus.config.js", f"module.exports = {{ url: '{BASE}', baseUrl: '/' }}")
    mark = '<meta name="generator" content="Docusaurus v3.10.2">'
    for path in ("", "about", "news/"):
        link = f'<link rel="canonical" href="{BASE}{path}">'
        page(tmp_path / "build" / path / "index.html", mark + link, title=path or "Home")
    assert run("build", tmp_path).code == 0
    assert list(listed(tmp_path / "build")) == ["", "about", "news/"]
    outcome = run("check", tmp_path)
    assert outcome.code == 0, outcome.stdout
    assert "redirect" in run("check", tmp_path / "build", "--generator", "none").stdout


def test_bad_settings_are_said_and_the_build_goes_on(project: Path) -> None:
    write(project / "hugo.toml", "baseURL = \n")
    outcome = run("build")
    assert outcome.code == 2
    assert "hugo.toml cannot be read: Invalid value" in outcome.stderr, "it may state the base URL"
    outcome = run("build", "--base-url", BASE)
    assert outcome.code == 0
    assert "hugo.toml cannot be read: Invalid value" in outcome.stderr
    assert "[unread-settings]" in outcome.stderr
    assert list(listed(project / "public")) == ["", "about/"]
    assert run("build", "--base-url", BASE, "--strict").code == 1


def test_many_bad_files_are_counted(project: Path) -> None:
    for number in range(8):
        write(project / "content" / f"{number}.md", "---\na: [\n---\n")
        page(project / "public" / str(number) / "index.html")
    outcome = run("build")
    assert "and 3 more files" in outcome.stderr
    assert outcome.stderr.count("[unread-settings]") == 6


def test_a_base_url_that_nothing_states_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "myst.yml", "version: 1\n")
    site = tmp_path / "_build" / "html"
    page(site / "index.html", '<meta name="generator" content="mystmd">')
    write(site / "robots.txt", "Sitemap: http://localhost:3000/sitemap.xml\n")
    outcome = run("build", tmp_path)
    assert outcome.code == 2
    assert "give it with --base-url, as in --base-url https://example.org/" in outcome.stderr
    write(site / "CNAME", "tea.example\n")
    assert "at https://tea.example/" in run("build", tmp_path).stderr


def test_a_path_that_is_stated_may_be_a_url_or_is_on_the_host_of_the_site(tmp_path: Path) -> None:
    write(tmp_path / "book.toml", '[output.html]\nsite-url = "https://example.org/book/"\n')
    page(tmp_path / "book" / "index.html", "<!-- Book generated using mdBook -->")
    assert "at https://example.org/book/" in run("check", tmp_path).stderr
    write(tmp_path / "book.toml", '[output.html]\nsite-url = "/tea/"\n')
    assert "--base-url" in run("build", tmp_path).stderr
    write(tmp_path / "book" / "CNAME", "example.org")
    assert "at https://example.org/tea/" in run("build", tmp_path).stderr


def test_why_a_sitemap_with_dates_is_replaced_by_one_without_is_said_once(project: Path) -> None:
    (project / "hugo.toml").unlink()
    dated = (
        f"<loc>{BASE}{path}</loc><lastmod>2021-01-0{len(path)}</lastmod>" for path in ("a", "")
    )
    write(project / "public" / "sitemap.xml", urlset(*dated))
    outcome = run("build", "public", "--base-url", BASE)
    assert re.findall(r"\[([\w-]+)\]", outcome.stderr).count("no-sources") == 1
    assert "dated" not in outcome.stderr
    assert run("build", "public", "--base-url", BASE, "--strict").code == 0  # ours is replaced


def mapped(project: Path, *flags: object) -> dict[str, str]:
    """Return the dates of a build with a map for one page."""
    write(project / "sources.json", json.dumps({"about/": "content/about.md"}))
    run("build", "public", "--base-url", BASE, "--source-map", "sources.json", *flags)
    return listed(project / "public")


def test_a_page_with_the_source_of_a_listed_page_is_said_not_to_be_listed_by_its_address(
    project: Path,
) -> None:
    page(project / "public" / "copy" / "index.html", '<meta name="robots" content="noindex">')
    sources = {"about/": "content/about.md", "copy/": "content/about.md"}
    write(project / "sources.json", json.dumps(sources))
    flags = ("--base-url", BASE, "--source-map", "sources.json", "-v")
    assert f"not listed: {BASE}copy/ (noindex" in run("build", "public", *flags).stderr


STATED = '<meta property="article:{}_time" content="2020-05-06">'


def test_the_users_map_beats_what_a_page_states(project: Path) -> None:
    page(project / "public" / "about" / "index.html", STATED.format("modified"))
    assert mapped(project)["about/"] == "2022-01-01"


def test_what_a_page_states_beats_a_map_to_what_git_does_not_know(project: Path) -> None:
    page(project / "public" / "about" / "index.html", STATED.format("modified"))
    (project / ".git").rename(project / "git")
    assert mapped(project)["about/"] == "2020-05-06"


@pytest.mark.parametrize("kind", ["map", "rule", "link"])
def test_a_publication_does_not_stand_for_a_change_that_git_knows(project: Path, kind: str) -> None:
    link = '<a href="https://git.example/o/r/edit/main/content/x/../about.md">Edit</a>'
    about = project / "public" / "about" / "index.html"
    about.write_text(f"<title>A</title>{STATED.format('published')}<body>About. {link}</body>")
    if kind == "map":
        assert mapped(project)["about/"] == "2022-01-01"
        return
    if kind == "link":
        (project / "hugo.toml").unlink()
    run("build", "public", "--base-url", BASE, "--repository", ".")
    assert listed(project / "public")["about/"] == "2022-01-01"


def test_a_list_does_not_have_the_publication_of_a_page_in_it(project: Path) -> None:
    page(project / "public" / "tags" / "index.html", STATED.format("published"))
    run("build")
    assert listed(project / "public")["tags/"] == ""


def test_a_source_that_git_does_not_track_gives_no_date(project: Path) -> None:
    write(project / "content" / "api.md", "Written by a program.\n")
    page(project / "public" / "api" / "index.html")
    run("build")
    assert listed(project / "public")["api/"] == ""


def test_the_main_content_of_a_hand_written_page_dates_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(name: str, words: str, link: str = "") -> None:
        nav = f"<nav><a href='/'>Home</a>{link}</nav>"
        text = f"<title>Tea</title><body>{nav}<main><p>{words}</p></main></body>"
        write(tmp_path / name, text)

    for name in ("index.html", "about/index.html", "tea.html"):
        put(name, "Words.")
    commit(tmp_path, "2021-01-01T12:00:00Z")
    put("tea.html", "More words.")
    commit(tmp_path, "2022-01-01T12:00:00Z")
    for name, words in (("index.html", "Words."), ("tea.html", "More words.")):
        put(name, words, "<a href='/tea.html'>Tea</a>")
    commit(tmp_path, "2023-01-01T12:00:00Z")
    monkeypatch.chdir(tmp_path)
    outcome = run("build", "--base-url", BASE)
    assert outcome.stderr.startswith("hand-written HTML site in ., at")
    days = {"": "2021-01-01", "about/": "2021-01-01", "tea.html": "2022-01-01"}
    assert listed(tmp_path) == days
    (tmp_path / "sitemap.xml").unlink()
    run("build", "--base-url", BASE, "--generator", "handwritten")
    assert listed(tmp_path) == days


def test_hand_written_pages_without_a_home_page_are_dated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a" / "one.html", "<title>One</title><body><p>Some words.</p></body>")
    commit(tmp_path, "2022-01-01T00:00:00Z")
    monkeypatch.chdir(tmp_path)
    run("build", ".", "--base-url", BASE)
    assert listed(tmp_path) == {"a/one.html": "2022-01-01"}


def test_a_build_runs_and_imports_nothing_of_a_project(project: Path) -> None:
    write(project / "conf.py", "raise SystemExit('it was run')\n")
    write(project / "sitecustomize.py", "raise SystemExit('it was run')\n")
    program = """
import subprocess, sys
popen = subprocess.Popen
class Popen(popen):
    def __init__(self, arguments, *rest, **more):
        print("ran", arguments[0], file=sys.stderr)
        super().__init__(arguments, *rest, **more)
subprocess.Popen = Popen
from sitemapkit_tools.cli import cli
try:
    cli.main(["build"])
finally:
    print("loaded", *sys.modules, file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=False
    )
    assert "2 pages listed" in done.stdout
    ran = {line.split()[1] for line in done.stderr.splitlines() if line.startswith("ran ")}
    assert ran == {"git"}
    loaded = done.stderr.partition("loaded ")[2].split()
    assert not {"mkdocs", "sphinx", "pelican", "zensical", "hugo"} & {*loaded}


def published(folder: Path, source: str, before: str, after: str) -> None:
    """Commit a text, its last edit as a draft, and its publication."""
    for text, day in ((f"{before}Tea.", 1), (f"{before}Black tea.", 2), (f"{after}Black tea.", 3)):
        write(folder / source, text)
        commit(folder, f"2023-0{day}-01T12:00:00Z")


@pytest.mark.parametrize("line", ["draft: true", "draft: True # not yet", "draft: yes"])
def test_a_draft_has_the_day_of_its_publication(project: Path, line: str) -> None:
    published(project, "content/tea.md", f"---\ntitle: T\n{line}\n---\n", "---\ntitle: T\n---\n")
    page(project / "public" / "tea" / "index.html")
    assert run("build").code == 0
    assert listed(project / "public")["tea/"] == "2023-03-01"


def test_a_draft_may_be_one_in_toml(project: Path) -> None:
    before, after = (f"+++\ntitle = 'T'\ndraft = {value}\n+++\n" for value in ("true", "false"))
    published(project, "content/tea.md", before, after)
    page(project / "public" / "tea" / "index.html")
    assert run("build").code == 0
    assert listed(project / "public")["tea/"] == "2023-03-01"


def test_what_a_draft_says_later_counts(project: Path) -> None:
    published(project, "content/tea.md", "---\ndraft: true\n---\n", "---\ndraft: false\n---\n")
    write(project / "content" / "tea.md", "---\ndraft: false\ntags: [a]\n---\nBlack tea.\n")
    commit(project, "2023-04-01T12:00:00Z")
    page(project / "public" / "tea" / "index.html")
    assert run("build").code == 0
    assert listed(project / "public")["tea/"] == "2023-03-01"
    write(project / "content" / "tea.md", "---\ndraft: false\ntags: [a]\n---\nGreen tea.\n")
    commit(project, "2023-05-01T12:00:00Z")
    assert run("build").code == 0
    assert listed(project / "public")["tea/"] == "2023-05-01"


@pytest.mark.parametrize(
    ("before", "after"),
    [("_drafts/tea.md", "_posts/2023-03-01-tea.md"), ("_posts/2023-03-01-tea.md", None)],
)
def test_posts_of_jekyll_have_the_day_of_their_publication(
    project: Path, before: str, after: str | None
) -> None:
    (project / "hugo.toml").unlink()
    write(project / "_config.yml", f"url: {BASE}\ndestination: public\n")
    write(project / before, "---\ntitle: T\npublished: false\n---\nGreen.\n")
    commit(project, "2023-01-01T12:00:00Z")
    if after:
        write(project / before, "---\ntitle: T\n---\nGreen.\n")
        commit(project, "2023-02-01T12:00:00Z")
        (project / after).parent.mkdir()
        (project / before).rename(project / after)
    else:
        write(project / before, "---\ntitle: T\n---\nGreen.\n")
    commit(project, "2023-03-01T12:00:00Z")
    head = f'<link rel="edit" href="https://git.example/o/r/edit/main/{after or before}">'
    head += '<meta property="article:published_time" content="2023-03-01">'
    page(project / "public" / "2023" / "03" / "01" / "tea.html", head, "Green")
    assert run("build", "--generator", "jekyll").code == 0
    assert listed(project / "public")["2023/03/01/tea.html"] == "2023-03-01"


OUTSIDE = {
    "zensical.toml": ('[project]\nsite_dir = "{}"', "project.site_dir"),
    "hugo.toml": ('publishDir = "{}"', "publishDir"),
    "_config.yml": ("destination: {}", "destination"),
    "_quarto.yml": ("project:\n  output-dir: {}", "project.output-dir"),
    "book.toml": ('[build]\nbuild-dir = "{}"', "build.build-dir"),
    "antora-playbook.yml": ("output:\n  dir: {}", "output.dir"),
}


@pytest.mark.parametrize("spelling", ["../other", "{other}", "site/../../other", "link"])
@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize("file", OUTSIDE)
def test_no_setting_of_a_project_decides_where_on_a_machine_is_written(
    tmp_path: Path, file: str, command: str, spelling: str
) -> None:
    project, other = tmp_path / "project", tmp_path / "other"
    (project / "site").mkdir(parents=True)
    page(other / "index.html")
    (project / "link").symlink_to(other)
    text, setting = OUTSIDE[file]
    write(project / file, text.format(spelling.format(other=other)) + "\n")
    outcome = run(command, project, "--base-url", BASE)
    assert outcome.code == 2
    assert f"{file}: " in outcome.stderr
    assert ("a link" if spelling == "link" else f"the setting {setting}") in outcome.stderr
    assert str(other) in outcome.stderr
    assert [each.name for each in other.iterdir()] == ["index.html"]
    (project / ".git").mkdir()
    assert run(command, project, "--base-url", BASE).code == 2
    (project / ".git").rename(tmp_path / ".git")  # one repository has both
    assert "outside" not in run(command, project, "--base-url", BASE).stderr
    assert run(command, other, "--base-url", BASE).code in (0, 1)  # who names it means it


@pytest.mark.parametrize("is_stated", [True, False])
def test_settings_are_asked_for_the_url_only_where_the_site_states_none(
    tmp_path: Path, *, is_stated: bool
) -> None:
    link = f'<link rel="canonical" href="{BASE}">' if is_stated else ""
    write(tmp_path / "index.html", f"<title>Tea</title>{link}<p>Tea.")
    asked: list[str] = []

    def setting() -> str:
        asked.append("https://example.net/tea")
        return asked[0]

    found = find_base(OutputDir.walk(tmp_path), setting)
    assert found == (BASE if is_stated else "https://example.net/tea/")
    assert bool(asked) != is_stated
