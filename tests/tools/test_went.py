"""`sitemapkit diff`: where the page of an address is that the new site does not list any more."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit_tools.site.judgement import SPHINX_OPTIONS

from .conftest import Site, run, urlset

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://example.org/"
TEXT = (
    "Pour water that has stopped boiling over the leaves and wait three minutes before you serve it"
    " hot, without milk or sugar, in a cup that was warmed before."
)
OTHER = (
    "Green leaves need less heat than dark ones, and taste bitter if they are left for long. Keep"
    " the rest in a tin, away from light and from whatever smells."
)
PAGES: dict[str, tuple[str, str]] = {
    "": ("Tea", f"All about it. {OTHER}"),
    "about/": ("About", f"Who we are. {OTHER}"),
}
"""The title and the text of pages, by path."""


class Build:
    """A finished site of some pages, in a folder."""

    def __init__(self, root: Path, pages: dict[str, tuple[str, str]], base: str = HOME) -> None:
        """Write the pages and the sitemap that lists them all."""
        self.root, self.base = root, base
        for path, (title, text) in pages.items():
            self.put(path, title, text)
        self.list(*pages)

    def put(self, path: str, title: str, text: str, *, head: str = "", lang: str = "en") -> None:
        """Write one page, which is not listed by that."""
        name = f"{path}index.html" if path.endswith("/") or not path else path
        html = (
            f'<!doctype html><html lang="{lang}"><head><title>{title} - Tea</title>{head}</head>'
            f"<body><nav>menu</nav><main><h1>{title}</h1><p>{text}</p></main></body></html>"
        )
        self.write(name if "." in name.rpartition("/")[2] else f"{name}.html", html)

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def list(self, *paths: str) -> None:
        """Write the sitemap."""
        self.write("sitemap.xml", urlset(*(f"<loc>{self.base}{path}</loc>" for path in paths)))


class Two:
    """A site before and after a change."""

    def __init__(self, folder: Path) -> None:
        """Begin with a site of two pages that stay."""
        self.folder = folder
        self.new = Build(folder / "new", PAGES)
        self.old = Build(folder / "old", PAGES)

    def before(self, **pages: tuple[str, str]) -> None:
        """Let the old site have these pages, too."""
        self.old = Build(self.folder / "old", PAGES | _paths(pages))

    def after(self, **pages: tuple[str, str]) -> None:
        """Let the new site have these pages, too."""
        self.new = Build(self.folder / "new", PAGES | _paths(pages))

    def diff(self, *arguments: object, old: Path | None = None) -> str:
        """Return what the command writes."""
        outcome = run("diff", old or self.old.root, self.new.root, *arguments)
        assert (outcome.code, outcome.stderr) == (0, "")
        return outcome.stdout

    def said(self, path: str, old: Path | None = None) -> dict[str, Any]:
        """Return what is said of a page that is not listed any more."""
        changes = json.loads(self.diff("--json", old=old))["changes"]
        (change,) = (each for each in changes if each["url"] == HOME + path)
        return {name: change[name] for name in ("kind", "moved_to", "now_at", "found_by", "dead")}

    def dies(self) -> bool:
        """Whether the alarm about dead addresses goes off."""
        outcome = run("diff", self.old.root, self.new.root, "--fail-if-dead")
        assert outcome.code in (0, 1)
        assert (" dead: " in outcome.stderr) is (outcome.code == 1)
        return outcome.code == 1


def _paths(pages: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Return pages by their paths; in names, two underlines stand for a slash."""
    return {path.replace("__", "/"): page for path, page in pages.items()}


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


DEAD = {"kind": "removed", "moved_to": None, "now_at": None, "found_by": None, "dead": True}


def moved(path: str) -> dict[str, Any]:
    """Return what is said of a page whose address is a redirect to another one."""
    return DEAD | {"kind": "moved", "moved_to": HOME + path, "found_by": "redirect", "dead": False}


def test_a_page_without_a_successor_is_dead_in_each_format(two: Two) -> None:
    two.before(cup__=("The cup", TEXT))
    assert two.said("cup/") == DEAD
    assert f"- {HOME}cup/  dead: nothing answers this address  The cup\n" in two.diff()
    assert "- The cup `/cup/` (**its address is dead**)\n" in two.diff("--format", "markdown")
    assert two.diff("--format", "_redirects") == ""
    assert two.dies()


@pytest.mark.parametrize("stub", ["refresh", "link", "rule"])
def test_a_redirect_is_where_a_page_is_now(two: Two, stub: str) -> None:
    two.before(cup__=("The cup", TEXT))
    two.after(pots__cup__=("A cup", OTHER))
    if stub == "refresh":
        head = '<meta http-equiv="refresh" content="0; url=../pots/cup/">'
        two.new.put("cup/", "Redirecting", "", head=head)
    elif stub == "link":
        two.new.put("cup/", "Moved", '<a href="../pots/cup/">This page has moved.</a>')
    else:
        two.new.write("_redirects", "/cup /pots/cup/ 301\n")
    assert two.said("cup/") == moved("pots/cup/")
    assert f"> {HOME}cup/  moved to {HOME}pots/cup/  A cup\n" in two.diff()
    assert "→ `/pots/cup/` (redirect)\n" in two.diff("--format", "markdown")
    assert two.diff("--format", "_redirects") == ""
    assert not two.dies()
    assert two.said("cup/", old=two.old.root / "sitemap.xml") == moved("pots/cup/")


def test_a_redirect_that_leads_to_nothing_leaves_its_address_dead(two: Two) -> None:
    two.before(cup__=("The cup", TEXT))
    two.new.write("_redirects", "/cup /pots/cup/ 301\n")
    assert two.said("cup/") == DEAD
    assert two.dies()


def test_a_page_with_the_same_text_is_where_the_page_is_now(two: Two) -> None:
    two.before(cup__=("The cup", TEXT))
    two.after(pots__cup__=("The cup", TEXT))
    now = DEAD | {"now_at": f"{HOME}pots/cup/", "found_by": "text"}
    assert two.said("cup/") == now
    line = f"- {HOME}cup/  dead: the page is at {HOME}pots/cup/ now, without a redirect"
    line += "  (same text)  The cup\n"
    assert line in two.diff()
    markdown = two.diff("--format", "markdown")
    assert "**1 page moved**" in markdown
    assert (
        "`/cup/` → `/pots/cup/` (**its old address is dead: no redirect**, same text)\n" in markdown
    )
    assert two.diff("--format", "_redirects") == "/cup/ /pots/cup/ 301\n"
    assert two.dies()
    assert two.said("cup/", old=two.old.root / "sitemap.xml") == DEAD, "its text is not known"


def test_a_page_with_the_same_title_alone_is_told_as_such(two: Two) -> None:
    two.before(cup__=("The cup", TEXT))
    two.after(pots__cup__=("The cup", OTHER))
    assert two.said("cup/") == DEAD | {"now_at": f"{HOME}pots/cup/", "found_by": "title"}
    assert f"the page is at {HOME}pots/cup/ now, without a redirect  (same title)" in two.diff()
    assert "(**its old address is dead: no redirect**, same title)" in two.diff(
        "--format", "markdown"
    )
    lines = "# only the title is the same:\n/cup/ /pots/cup/ 301\n"
    assert two.diff("--format", "_redirects") == lines


HEADINGS = (
    'The <code>cup</code>s<a class="headerlink" href="#">#</a>',
    "<span>The</span>\n cups",
    '<a href="#">The</a> <em>cu</em>ps<a class="headerlink" href="#"><svg></svg></a>',
    "The cups<h1>",
    f"The <i {'class ' * 300}>cups</i>",
)


@pytest.mark.parametrize("heading", HEADINGS, ids=range(len(HEADINGS)))
def test_a_title_is_known_however_its_heading_is_marked_up(two: Two, heading: str) -> None:
    two.before(cups__=("The cups", TEXT))
    two.after(pots__cups__=("X", OTHER))
    page = two.new.root / "pots" / "cups" / "index.html"
    page.write_text(page.read_text().replace("<h1>X", f"<h1>{heading}"))
    assert two.said("cups/") == DEAD | {"now_at": f"{HOME}pots/cups/", "found_by": "title"}


def test_lines_of_redirects_bring_the_addresses_back(two: Two) -> None:
    two.before(cup__=("The cup", TEXT), tin__=("The tin", TEXT[10:]))
    two.after(pots__cup__=("The cup", TEXT), pots__tin__=("The tin", OTHER))
    assert two.dies()
    two.new.write("_redirects", two.diff("--format", "_redirects"))
    assert not two.dies()
    assert two.said("cup/") == moved("pots/cup/")
    assert two.said("tin/") == moved("pots/tin/")
    assert two.diff("--format", "_redirects") == ""


@pytest.mark.parametrize("text", [TEXT, OTHER], ids=["text", "title"])
def test_of_two_candidates_none_is_claimed(two: Two, text: str) -> None:
    two.before(cup__=("The cup", TEXT))
    two.after(pots__cup__=("The cup", text), more__cup__=("The cup", text))
    assert two.said("cup/") == DEAD
    assert two.diff("--format", "_redirects") == ""


def test_a_title_that_two_dead_pages_had_tells_nothing(two: Two) -> None:
    two.before(cup__=("Overview", TEXT), tin__=("Overview", TEXT[10:]))
    two.after(pots__=("Overview", OTHER))
    assert two.said("cup/") == two.said("tin/") == DEAD


def test_a_title_that_another_page_has_all_along_tells_nothing(two: Two) -> None:
    two.before(cup__=("About", TEXT))
    two.after(pots__=("About", OTHER))
    assert two.said("cup/") == DEAD


def test_a_page_that_was_there_before_is_another_page(two: Two) -> None:
    two.before(cup__=("The cup", TEXT), copy__=("The cup", TEXT))
    two.after(copy__=("The cup", TEXT))
    assert two.said("cup/") == DEAD


def test_a_page_and_its_redirect_that_change_places_are_found(two: Two) -> None:
    two.before(cup__=("The cup", TEXT))
    head = '<meta http-equiv="refresh" content="0; url=../cup/">'
    two.old.put("pots/cup/", "Redirecting", "", head=head)
    two.after(pots__cup__=("The cup", TEXT))
    assert two.said("cup/") == DEAD | {"now_at": f"{HOME}pots/cup/", "found_by": "text"}


def test_a_few_words_are_no_text_to_know_a_page_by(two: Two) -> None:
    two.before(cup__=("The cup", "Soon."))
    two.after(pots__=("The cup", "Soon."), tins__=("The cup", "Later."))
    assert two.said("cup/") == DEAD


def test_a_page_in_another_language_is_another_page(two: Two) -> None:
    two.before(cup__=("Tee", TEXT))
    two.after(de__tee__=("Tee", TEXT))
    two.new.put("de/tee/", "Tee", TEXT, lang="de-AT")
    assert two.said("cup/") == DEAD
    two.old.put("cup/", "Tee", TEXT, lang="de")
    assert two.said("cup/")["now_at"] == f"{HOME}de/tee/"


def test_pages_without_words_are_not_alike(two: Two) -> None:
    two.before(cup__=("", ""))
    two.after(pots__=("", ""))
    for build in (two.old, two.new):
        for name in ("cup", "pots"):
            if (build.root / name).exists():
                build.write(f"{name}/index.html", "<html lang=en><title></title><body></body>")
    assert two.said("cup/") == DEAD


def test_a_home_page_that_is_gone_is_dead_or_where_its_text_is(two: Two) -> None:
    (two.new.root / "index.html").unlink()
    two.new.list("about/")
    assert two.said("") == DEAD
    assert two.dies()
    two.new.put("home/", *PAGES[""])
    two.new.list("about/", "home/")
    assert two.said("") == DEAD | {"now_at": f"{HOME}home/", "found_by": "text"}
    assert two.diff("--format", "_redirects") == "/ /home/ 301\n"
    two.new.write("_redirects", "/ /home/ 302\n")
    assert two.said("") == moved("home/")


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("cup", "cup/", moved("cup/")),  # servers add the slash
        ("cup/", "cup", DEAD | {"now_at": f"{HOME}cup", "found_by": "text"}),
        ("cup.html", "cup/", DEAD | {"now_at": f"{HOME}cup/", "found_by": "text"}),
        ("cup/", "cup.html", DEAD | {"now_at": f"{HOME}cup.html", "found_by": "text"}),
        ("cup/index.html", "cup/", DEAD | {"now_at": f"{HOME}cup/", "dead": False}),
        ("cup/", "cup/index.html", DEAD | {"now_at": f"{HOME}cup/index.html", "dead": False}),
        ("cup.html", "cup", DEAD | {"now_at": f"{HOME}cup", "dead": False}),
        ("cup", "cup.html", DEAD | {"now_at": f"{HOME}cup.html", "dead": False}),
    ],
)
def test_another_spelling_of_an_address_is_dead_only_where_no_file_answers(
    two: Two, old: str, new: str, wanted: dict[str, Any]
) -> None:
    two.before(**{old: ("The cup", TEXT)})
    two.after(**{new: ("The cup", TEXT)})
    assert two.said(old) == wanted
    assert two.dies() is wanted["dead"]
    if not wanted["dead"] and wanted["now_at"]:
        assert f"- {HOME}{old}  still there, listed as {HOME}{new}  " in two.diff()
        assert f"→ `/{new}` (both answer)\n" in two.diff("--format", "markdown")


def test_no_line_redirects_an_address_to_itself_with_another_slash(two: Two) -> None:
    two.before(cup__=("The cup", TEXT))
    two.after(cup=("The cup", TEXT))
    assert two.diff("--format", "_redirects") == ""


@pytest.mark.parametrize("path", ["a*/", ":name/", "a:b/"])
def test_a_line_that_means_more_than_one_page_is_only_a_remark(two: Two, path: str) -> None:
    two.before(**{path: ("The cup", TEXT)})
    two.after(cup__=("The cup", TEXT))
    (line,) = two.diff("--format", "_redirects").splitlines()
    assert line.startswith(f"# /{path} /cup/ 301 - to be written by hand")


def test_lines_have_the_path_from_the_root_of_the_host_escaped(tmp_path: Path) -> None:
    base = f"{HOME}docs/"
    old = Build(tmp_path / "old", PAGES | {"thé vert/": ("The cup", TEXT)}, base)
    old.list("", "about/", "th%C3%A9%20vert/")
    new = Build(tmp_path / "new", PAGES | {"cup/": ("The cup", TEXT)}, base)
    written = run("diff", old.root, new.root, "--format", "_redirects").stdout
    assert written == "/docs/th%C3%A9%20vert/ /docs/cup/ 301\n"


def test_addresses_that_were_not_listed_die_too_but_no_error_or_search_page(two: Two) -> None:
    for name in ("404.html", "search.html", "print_page/index.html", SPHINX_OPTIONS):
        two.old.write(name, "<title>Not found</title>")
    two.old.write("google123.html", "google-site-verification: google123.html")
    assert not two.dies()
    head = '<meta http-equiv="refresh" content="0; url=../about/">'
    two.old.put("who/", "Redirecting", "", head=head)
    assert json.loads(two.diff("--json"))["gone"] == [f"{HOME}who/"]
    assert f"x {HOME}who/  dead: nothing answers this address\n" in two.diff()
    assert two.dies()
    two.new.write("_redirects", "/who /about/ 301\n")
    assert not two.dies()


def test_a_page_that_is_only_left_out_of_the_sitemap_is_not_dead(two: Two) -> None:
    two.new.list("")
    assert two.said("about/") == DEAD | {"now_at": f"{HOME}about/", "dead": False}
    assert not two.dies()


def test_dead_addresses_are_counted_and_the_first_are_named(two: Two) -> None:
    two.before(a__=("A", TEXT), b__=("B", TEXT), c__=("C", TEXT), d__=("D", TEXT))
    outcome = run("diff", two.old.root, two.new.root, "--fail-if-dead", "--json")
    assert outcome.code == 1
    (alarm,) = json.loads(outcome.stdout)["alarms"]
    assert alarm.startswith(f"4 addresses are dead: {HOME}a/, {HOME}b/, {HOME}c/ and 1 more. ")
    assert alarm in outcome.stderr
    assert run("diff", two.old.root, two.new.root).code == 0


def test_of_addresses_elsewhere_nothing_is_claimed(tmp_path: Path) -> None:
    old = Build(tmp_path / "old", PAGES, "https://old.example/")
    new = Build(tmp_path / "new", PAGES)
    found = json.loads(run("diff", old.root, new.root, "--json").stdout)
    removed = [each for each in found["changes"] if each["kind"] == "removed"]
    assert [(each["dead"], each["now_at"]) for each in removed] == [(None, None)] * 2
    assert found["gone"] == []
    outcome = run("diff", old.root, new.root, "--fail-if-dead")
    assert outcome.code == 2
    assert f"no page of {old.root} is below {HOME}; build both for one base URL" in outcome.stderr


@pytest.mark.parametrize("form", ["--fail-if-dead", "--format=_redirects"])
def test_what_looks_at_pages_needs_them(two: Two, form: str) -> None:
    sitemap = two.new.root / "sitemap.xml"
    outcome = run("diff", two.old.root, sitemap, form)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert f"{sitemap} is no directory of a finished site" in outcome.stderr
    from_sitemap = run("diff", two.old.root / "sitemap.xml", two.new.root, form)
    assert from_sitemap.code == (2 if "_redirects" in form else 0)


@pytest.mark.parametrize("form", ["--fail-if-dead", "--format=_redirects", "--content"])
@pytest.mark.parametrize("kind", ["missing", "empty", "without a sitemap"])
def test_before_the_first_deploy_no_address_is_dead(two: Two, form: str, kind: str) -> None:
    old = two.folder / "branch"
    if kind != "missing":
        old.mkdir()
    if kind == "without a sitemap":
        (old / "index.html").write_text("<title>Soon</title>")
    outcome = run("diff", old, two.new.root, form, "--first")
    assert outcome.code == 0, outcome.stderr


def test_a_branch_that_is_deployed_is_compared_as_a_worktree(site: Site, tmp_path: Path) -> None:
    site.write()
    host, clone = tmp_path / "host", tmp_path / "clone"
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")

    def git(folder: Path, *arguments: object) -> None:
        subprocess.run(["git", *who, *map(str, arguments)], cwd=folder, check=True)

    git(site.root, "init", "--quiet", "--initial-branch=gh-pages")
    git(site.root, "add", "--all")
    git(site.root, "commit", "--quiet", "--message", "Deploy")
    git(site.root, "commit", "--quiet", "--message", "Deploy", "--allow-empty")
    git(tmp_path, "clone", "--quiet", "--bare", site.root, host)
    clone.mkdir()
    git(clone, "init", "--quiet")
    git(clone, "remote", "add", "origin", f"file://{host}")
    git(clone, "fetch", "--quiet", "--depth", "1", "origin", "gh-pages")
    git(clone, "worktree", "add", "--quiet", "../before", "FETCH_HEAD")
    (site.root / "about" / "index.html").unlink()
    assert run("diff", tmp_path / "before", site.root, "--fail-if-dead").code == 1, "still listed"
    del site.heads["about/"], site.entries[f"{HOME}about/"]
    site.write()
    outcome = run("diff", tmp_path / "before", site.root, "--fail-if-dead")
    assert outcome.code == 1
    assert f"1 address is dead: {HOME}about/." in outcome.stderr
