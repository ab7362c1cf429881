"""`sitemapkit diff`: what changed between two sitemaps, and the alarm of a bad build."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from .conftest import Site, index, run, urlset
from .servers import running

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://example.org/"


def sitemap(file: Path, dates: dict[str, str]) -> Path:
    """Write a sitemap of these pages with these dates."""
    entries = (
        f"<loc>{HOME}{path}</loc>" + (f"<lastmod>{date}</lastmod>" if date else "")
        for path, date in dates.items()
    )
    file.write_text(urlset(*entries))
    return file


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two sitemaps with one page added, one changed, one removed and one as it was."""
    old = sitemap(tmp_path / "old.xml", {"": "2024-01-01", "a/": "2024-01-02", "gone/": ""})
    new = sitemap(tmp_path / "new.xml", {"": "2024-01-01", "a/": "2024-02-02", "new/": ""})
    return old, new


def test_people_see_what_was_added_changed_and_removed(two: tuple[Path, Path]) -> None:
    outcome = run("diff", *two)
    assert outcome.code == 0
    assert outcome.stdout.splitlines() == [
        f"~ {HOME}a/  2024-01-02 -> 2024-02-02",
        f"- {HOME}gone/",
        f"+ {HOME}new/",
        "1 added, 1 changed, 1 removed; 1 unchanged",
    ]


def test_a_pipe_is_named_and_not_waited_for(two: tuple[Path, Path], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.xml")
    outcome = run("diff", tmp_path / "pipe.xml", two[1])
    assert outcome.code == 2
    assert "pipe.xml" in outcome.stderr
    assert "pipe or device" in outcome.stderr
    (tmp_path / "sitemap.xml").write_text(index(f"{HOME}pipe.xml"))
    outcome = run("diff", tmp_path / "sitemap.xml", two[1])
    assert outcome.code == 2
    assert "pipe or device" in outcome.stderr


def changes(old: Path, new: Path, *arguments: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("diff", old, new, "--json", *arguments).stdout)[
        "changes"
    ]
    return found


def test_programs_see_it_as_json(two: tuple[Path, Path]) -> None:
    found = changes(*two)
    assert [(each["kind"], each["url"]) for each in found] == [
        ("changed", f"{HOME}a/"),
        ("removed", f"{HOME}gone/"),
        ("added", f"{HOME}new/"),
    ]
    assert found[0]["fields"] == ["lastmod"]
    assert (found[0]["old_lastmod"], found[0]["new_lastmod"]) == ("2024-01-02", "2024-02-02")


def test_two_equal_sitemaps_do_not_differ(two: tuple[Path, Path]) -> None:
    assert run("diff", two[0], two[0]).stdout == "0 added, 0 changed, 0 removed; 3 unchanged\n"


def test_urls_that_are_spelled_differently_are_one_page(tmp_path: Path) -> None:
    old, new = tmp_path / "old.xml", tmp_path / "new.txt"
    old.write_text(urlset("<loc>https://EXAMPLE.org:443/t%C3%A9</loc>"))
    new.write_text("https://example.org/té\n")
    assert changes(old, new) == []


def test_all_that_an_entry_says_is_compared(tmp_path: Path) -> None:
    old, new = tmp_path / "old.xml", tmp_path / "new.xml"
    link = '<xhtml:link rel="alternate" hreflang="de" href="https://example.org/de/"/>'
    image = "<image:image><image:loc>https://example.org/a.png</image:loc></image:image>"
    old.write_text(urlset(f"<loc>{HOME}</loc>"))
    new.write_text(urlset(f"<loc>{HOME}</loc><priority>0.1</priority>{image}{link}"))
    assert changes(old, new)[0]["fields"] == ["priority", "alternates", "images"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_is_an_index_has_its_children_beside_it(
    two: tuple[Path, Path], *, packed: bool
) -> None:
    old, new = two
    child = old.with_name("child.xml.gz" if packed else "child.xml")
    child.write_bytes(gzip.compress(new.read_bytes()) if packed else new.read_bytes())
    top = old.with_name("index.xml")
    top.write_text(index(f"https://cdn.example.net/maps/{child.name}"))
    assert changes(top, new) == []


def test_directories_are_compared_by_their_sitemaps(site: Site, tmp_path: Path) -> None:
    site.write()
    other = Site(tmp_path / "other", heads=dict(site.heads), entries=dict(site.entries))
    other.page("new/")
    other.write()
    assert [each["url"] for each in changes(site.root, other.root)] == [f"{HOME}new/"]


def test_a_page_that_is_a_redirect_now_has_moved_and_is_not_lost(
    site: Site, tmp_path: Path
) -> None:
    gone = ["old/", "file.html", "twice/", "rule", "away", "loop/", "nowhere/", "dead/"]
    urls = [f"<loc>{HOME}{each}</loc>" for each in ["", *gone]]
    (tmp_path / "old.xml").write_text(urlset(*urls))
    stubs = {
        "old/": "../guide/",
        "file.html": f"{HOME}guide/first.html",
        "twice/": "/between/",
        "between/": "/about/",
        "loop/": "/loop/2.html",
        "loop/2.html": "/loop/",
        "dead/": "/nothing/",
    }
    for path, target in stubs.items():
        site.page(path, f'<meta http-equiv="refresh" content="0; url={target}">', listed=False)
    site.write()
    site.put("_redirects", "/rule /guide/ 301\n/away https://example.com/ 302\n/x /y 301\n")
    found = changes(tmp_path / "old.xml", site.root)
    assert {
        each["url"].removeprefix(HOME): each["moved_to"] for each in found if each["moved_to"]
    } == {
        "old/": f"{HOME}guide/",
        "file.html": f"{HOME}guide/first.html",
        "twice/": f"{HOME}about/",
        "rule": f"{HOME}guide/",
        "away": "https://example.com/",
    }
    outcome = run("diff", tmp_path / "old.xml", site.root, "--fail-if-lost", "40%")
    assert f"> {HOME}rule  moved to {HOME}guide/  guide/\n" in outcome.stdout
    assert outcome.stdout.endswith("4 added, 1 changed, 3 removed, 5 moved; 0 unchanged\n")
    assert outcome.code == 0
    assert "3 of 9" in run("diff", tmp_path / "old.xml", site.root, "--fail-if-lost", "5%").stderr


def test_contents_of_pages_are_compared_if_that_is_asked_for(site: Site, tmp_path: Path) -> None:
    site.write()
    other = Site(tmp_path / "other", heads=dict(site.heads), entries=dict(site.entries))
    other.write()
    page = other.file("about/")
    page.write_text(page.read_text().replace("<main>", "<nav>menu</nav><main>"))
    page = other.file("guide/")
    page.write_text(page.read_text().replace("<main>", "<main><p>new text"))
    assert changes(site.root, other.root) == []
    found = changes(site.root, other.root, "--content")
    assert [(each["url"], each["fields"]) for each in found] == [(f"{HOME}guide/", ["content"])]


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        ("<title>", "<title>New: ", ["content"]),
        ("<head>", '<head><meta name="build" content="7">', []),
        ("</main>", "</main><footer>Build 7</footer>", []),
    ],
    ids=["title", "head", "theme"],
)
def test_the_title_and_the_text_are_contents_and_the_rest_is_not(
    site: Site, tmp_path: Path, old: str, new: str, fields: list[str]
) -> None:
    site.write()
    other = Site(tmp_path / "other", heads=dict(site.heads), entries=dict(site.entries))
    other.write()
    page = other.file("guide/")
    page.write_text(page.read_text().replace(old, new))
    found = changes(site.root, other.root, "--content")
    assert [each["fields"] for each in found] == [fields] * bool(fields)


def test_contents_of_mere_sitemaps_cannot_be_compared(two: tuple[Path, Path]) -> None:
    outcome = run("diff", *two, "--content")
    assert outcome.code == 2
    assert "old.xml is not a directory" in outcome.stderr


@pytest.mark.parametrize(("limit", "code"), [("5%", 1), ("9.9", 1), ("10%", 0), ("50", 0)])
def test_a_build_that_lost_pages_fails(tmp_path: Path, limit: str, code: int) -> None:
    pages = {f"{number}.html": "" for number in range(50)}
    old = sitemap(tmp_path / "old.xml", pages)
    new = sitemap(tmp_path / "new.xml", dict(list(pages.items())[5:]))
    outcome = run("diff", old, new, "--fail-if-lost", limit)
    assert outcome.code == code
    assert ("5 of 50 pages are missing (10.0 %)" in outcome.stderr) is bool(code)


def test_a_build_that_moved_all_dates_at_once_fails(tmp_path: Path) -> None:
    old = sitemap(tmp_path / "old.xml", {f"{n}.html": f"2024-01-{n:02}" for n in range(1, 31)})
    new = sitemap(tmp_path / "new.xml", {f"{n}.html": "2024-05-06" for n in range(1, 31)})
    outcome = run("diff", old, new, "--fail-if-lost", "5%", "--json")
    assert outcome.code == 1
    (alarm,) = json.loads(outcome.stdout)["alarms"]
    assert "100.0 % of 30 dates changed or are gone" in alarm
    assert "of a build or of a shallow clone" in alarm
    assert run("diff", old, new).code == 0


@pytest.mark.parametrize(
    ("flags", "gone", "alarm"),
    [
        (
            ["--fail-if-lost", "5%"],
            30,
            "100.0 % of 30 dates changed or are gone; the limit is 90 %.",
        ),
        (["--fail-if-lost", "5%"], 27, ""),
    ],
)
def test_a_date_that_is_gone_has_moved(
    tmp_path: Path, flags: list[str], gone: int, alarm: str
) -> None:
    dates = {f"{n}.html": f"2024-01-{n:02}" for n in range(1, 31)}
    old = sitemap(tmp_path / "old.xml", dates)
    new = sitemap(tmp_path / "new.xml", dates | dict.fromkeys([*dates][:gone], ""))
    outcome = run("diff", old, new, *flags)
    assert outcome.code == bool(alarm)
    assert alarm in outcome.stderr
    assert ("Most are gone: the build may lack its ledger" in outcome.stderr) is bool(alarm)


@pytest.mark.parametrize("pages", [19, 20])
def test_dates_that_are_all_gone_tell_nothing_where_they_are_few(
    tmp_path: Path, pages: int
) -> None:
    old = sitemap(tmp_path / "old.xml", {f"{n}.html": "2024-01-01" for n in range(pages)})
    new = sitemap(tmp_path / "new.xml", {f"{n}.html": "" for n in range(pages)})
    assert run("diff", old, new, "--fail-if-lost", "5%").code == (pages == 20)


def test_dates_that_are_new_or_of_removed_pages_have_not_moved(tmp_path: Path) -> None:
    kept = {f"{number}/": "2024-01-01" for number in range(20)}
    moved = dict.fromkeys([*kept][:18], "2024-02-02")  # as many as may
    old = sitemap(tmp_path / "old.xml", {**kept, "b/": "", "gone/": "2024-01-01"})
    new = sitemap(tmp_path / "new.xml", {**kept, **moved, "b/": "2024-02-02", "new/": ""})
    assert run("diff", old, new, "--fail-if-lost", "50%").code == 0


def test_a_few_pages_may_all_be_edited(two: tuple[Path, Path]) -> None:
    old, new = two
    sitemap(old, {"": "2024-01-01"})
    sitemap(new, {"": "2024-02-01"})
    assert run("diff", old, new, "--fail-if-lost", "5%").code == 0


@pytest.mark.parametrize("limit", ["-1", "101%", "few", "nan"])
def test_what_is_no_percentage_is_wrong_use(two: tuple[Path, Path], limit: str) -> None:
    outcome = run("diff", *two, f"--fail-if-lost={limit}")
    assert (outcome.code, outcome.stdout) == (2, "")


def test_half_a_sitemap_is_not_compared(two: tuple[Path, Path]) -> None:
    old, new = two
    new.write_text(new.read_text()[:-100])
    outcome = run("diff", old, new, "--fail-if-lost", "5%")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "new.xml cannot be read whole: The file ends too early." in outcome.stderr


def test_a_file_that_is_missing_is_named_once(two: tuple[Path, Path]) -> None:
    outcome = run("diff", two[0], "gone.xml")
    assert outcome.stderr == "Error: gone.xml cannot be read: No such file or directory\n"


def test_an_index_that_names_a_missing_file_is_not_compared(two: tuple[Path, Path]) -> None:
    old, new = two
    old.write_text(index(f"{HOME}gone.xml"))
    outcome = run("diff", old, new)
    assert outcome.code == 2
    assert "gone.xml cannot be read" in outcome.stderr


def nothing_yet(tmp_path: Path) -> dict[str, Path]:
    """Return what may be where the sitemap of the last deploy is looked for."""
    empty, blank, folder = tmp_path / "empty.xml", tmp_path / "blank", tmp_path / "folder"
    empty.touch()
    blank.mkdir()
    (blank / "sitemap.xml").touch()
    folder.mkdir()
    (folder / "index.html").write_text("<title>x</title>")
    gone = tmp_path / "gone.xml"
    return {"missing": gone, "empty": empty, "in a folder": blank, "no sitemap": folder}


NOTHING = ["missing", "empty", "in a folder", "no sitemap"]


@pytest.mark.parametrize("kind", NOTHING)
def test_at_the_first_deploy_all_is_new_where_that_is_said(
    two: tuple[Path, Path], tmp_path: Path, kind: str
) -> None:
    old, given = nothing_yet(tmp_path)[kind], ("--fail-if-lost", "5%")
    refused = run("diff", old, two[1], *given)
    assert (refused.code, refused.stdout) == (2, "")
    assert refused.stderr.endswith("If nothing was deployed before, add --first\n")
    first = run("diff", old, two[1], *given, "--first")
    assert first.code == 0
    assert first.stdout.splitlines()[-1] == "3 added, 0 changed, 0 removed; 0 unchanged"
    assert "taken for the first deploy" in first.stderr


def test_at_the_first_deploy_the_new_sitemap_must_be_there(two: tuple[Path, Path]) -> None:
    outcome = run("diff", two[0], "gone.xml", "--first")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "--first" not in outcome.stderr


def test_a_broken_old_sitemap_is_no_first_deploy(two: tuple[Path, Path]) -> None:
    for broken in ("<urlset><url>", "<!doctype html><title>Not found</title>"):
        two[0].write_text(broken)
        outcome = run("diff", *two, "--first")
        assert outcome.code == 2
        assert "--first" not in outcome.stderr


@pytest.mark.parametrize(("status", "code"), [(404, 0), (410, 0), (403, 0), (503, 2)])
def test_online_nothing_is_there_yet_where_the_server_says_so(
    two: tuple[Path, Path], status: int, code: int
) -> None:
    with running(
        lambda request: request.reply(status)
    ) as server:  # storage answers 403 for what it lacks
        for address in (f"{server.url}/sitemap.xml", server.url):
            outcome = run("diff", address, two[1], "--fail-if-lost", "5%", "--first")
            assert outcome.code == code, outcome.stderr


@pytest.mark.parametrize("name", ["missing.xml", "missing"])
def test_what_is_not_there_is_wrong_use(two: tuple[Path, Path], name: str) -> None:
    outcome = run("diff", two[0].with_name(name), two[1])
    assert outcome.code == 2
    assert name in outcome.stderr


def test_a_directory_without_a_sitemap_is_wrong_use(tmp_path: Path) -> None:
    outcome = run("diff", tmp_path, tmp_path)
    assert outcome.code == 2
    assert "has no sitemap" in outcome.stderr


def test_a_directory_whose_sitemap_is_broken_is_told_so_whatever_else_it_lacks(
    tmp_path: Path,
) -> None:
    (tmp_path / "sitemap.xml").write_text("<urlset><url>")
    outcome = run("diff", tmp_path, tmp_path)
    assert outcome.code == 2
    assert "sitemap.xml cannot be read whole" in outcome.stderr
    assert "--base-url" not in outcome.stderr  # which this command does not have


WORDS = " ".join(f"word{n}" for n in range(60))


def html_of(title: str, text: str = "", head: str = "") -> str:
    return f"<html><head><title>{title}</title>{head}</head><body><main>{text}</main></body></html>"


@pytest.fixture
def before_and_after(tmp_path: Path) -> tuple[Site, Site]:
    """A site, and the same site without its page `old/`."""
    before, after = Site(tmp_path / "before"), Site(tmp_path / "after")
    for site in (before, after):
        site.put("index.html", html_of("Home", head=f'<link rel="canonical" href="{HOME}">'))
        site.entries[HOME] = ""
    before.put("old/index.html", html_of("Brewing", WORDS))
    before.entries[f"{HOME}old/"] = ""
    return before, after


NOW = {
    "nowhere": ({}, "dead: nothing answers this address", True, ""),
    "elsewhere with the same text": (
        {"new/index.html": html_of("Steeping", WORDS)},
        f"dead: the page is at {HOME}new/ now, without a redirect",
        True,
        "/old/ /new/ 301\n",
    ),
    "elsewhere with the same title": (
        {"new/index.html": html_of("Brewing", f"{WORDS[:120]} and other words " * 3)},
        f"dead: the page is at {HOME}new/ now, without a redirect  (same title)",
        True,
        "# only the title is the same:\n/old/ /new/ 301\n",
    ),
    "elsewhere in two pages with just its text": (
        {f"{name}/index.html": html_of("Brewing", WORDS) for name in ("a", "b")},
        "dead: nothing answers this address",
        True,
        "",
    ),
    "elsewhere in two pages alike": (
        {f"{name}/index.html": html_of("Tea", f"{WORDS} {name}") for name in ("a", "b")},
        "dead: nothing answers this address",
        True,
        "",
    ),
    "behind a redirect": (
        {
            "new/index.html": html_of("Brewing", WORDS),
            "old/index.html": html_of(
                "Moved", "", '<meta http-equiv="refresh" content="0; url=/new/">'
            ),
        },
        f"moved to {HOME}new/",
        False,
        "",
    ),
    "behind a rule of its host": (
        {"new/index.html": html_of("Brewing", WORDS), "_redirects": "/old/ /new/ 301\n"},
        f"moved to {HOME}new/",
        False,
        "",
    ),
    "there but not listed": (
        {"old/index.html": html_of("Brewing", WORDS)},
        "still there, but not listed",
        False,
        "",
    ),
    "there in another spelling": (
        {"old.html": html_of("Brewing", WORDS)},
        f"dead: the page is at {HOME}old.html now, without a redirect",
        True,
        "/old/ /old.html 301\n",
    ),
}


@pytest.mark.parametrize("where", NOW)
def test_of_a_page_that_is_gone_it_is_said_where_it_is_now_or_that_its_address_is_dead(
    before_and_after: tuple[Site, Site], where: str
) -> None:
    before, after = before_and_after
    files, said, is_dead, rules = NOW[where]
    for name, text in files.items():
        after.put(name, text)
        if name.endswith(".html") and name != "old/index.html":
            after.entries[HOME + name.removesuffix("index.html")] = ""
    before.write()
    after.write()
    flags = ("--fail-if-dead",)
    outcome = run("diff", before.root, after.root, *flags)
    (line,) = (each for each in outcome.stdout.splitlines() if f"{HOME}old/  " in each)
    assert said in line
    assert outcome.code == int(is_dead)
    assert (f"{HOME}old/" in outcome.stderr) == is_dead
    assert run("diff", before.root, after.root).code == 0
    assert run("diff", before.root, after.root, "--format", "_redirects").stdout == rules


BY_HAND = "- to be written by hand: for the host it means more than one page"


@pytest.mark.parametrize(
    ("old", "rule"),
    [
        ("a*b/", f"# /a*b/ /new/ 301 {BY_HAND}\n"),
        ("a:b/", f"# /a:b/ /new/ 301 {BY_HAND}\n"),
        ("%C3%A4/", "/%C3%A4/ /new/ 301\n"),
    ],
)
def test_a_rule_stands_for_one_address_alone(
    before_and_after: tuple[Site, Site], old: str, rule: str
) -> None:
    before, after = before_and_after
    before.put(f"{unquote(old)}index.html", html_of("Tea", f"{WORDS} tea"))
    del before.entries[f"{HOME}old/"]
    before.entries[HOME + old] = ""
    after.put("new/index.html", html_of("Tea", f"{WORDS} tea"))
    after.entries[f"{HOME}new/"] = ""
    before.write()
    after.write()
    assert run("diff", before.root, after.root, "--format", "_redirects").stdout == rule


def test_a_sitemap_alone_does_not_say_which_addresses_are_dead(
    before_and_after: tuple[Site, Site],
) -> None:
    before, after = before_and_after
    before.write()
    after.write()
    outcome = run("diff", before.root, after.root / "sitemap.xml", "--fail-if-dead")
    assert (outcome.code, "is no directory of a finished site" in outcome.stderr) == (2, True)


def test_at_the_first_deploy_contents_are_compared_with_nothing(
    before_and_after: tuple[Site, Site], tmp_path: Path
) -> None:
    after = before_and_after[1]
    after.write()
    (tmp_path / "empty").mkdir()
    outcome = run("diff", tmp_path / "empty", after.root, "--first", "--content", "--fail-if-dead")
    assert outcome.code == 0, outcome.stderr
