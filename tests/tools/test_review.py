"""`sitemapkit diff --format markdown`: what a reviewer sees of a change."""

from __future__ import annotations

import json
import re
import shutil
from html import escape
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html
from markdown_it import MarkdownIt

from sitemapkit_tools.diff.compare import Difference, UrlChange
from sitemapkit_tools.diff.formats import Review, as_markdown

from ..repository import commit, git
from .conftest import Site, run

if TYPE_CHECKING:
    from pathlib import Path

PREVIEW = "https://preview-7.example.net/docs/"
TEXT = (
    "Pour water that has stopped boiling over the leaves and wait three minutes before you serve it"
    " hot, without milk or sugar, in a cup that was warmed. Green leaves need less heat than dark"
    " ones, and taste bitter if they are left for long. Keep the rest in a tin, away from light."
)


def say(site: Site, path: str, title: str, text: str = "") -> None:
    """Give a page of a written site a title and a text."""
    page = site.file(path)
    page.write_text(
        re.sub(r"<title>.*?</title>", f"<title>{escape(title)}</title>", page.read_text()).replace(
            "</main>", f"<p>{text}</p></main>"
        )
    )


@pytest.fixture
def two(site: Site, tmp_path: Path) -> tuple[Path, Path]:
    """A site before and after a change of each kind."""
    for path in ("blog/first/", "gone/", "old/"):
        site.page(path)
    site.write()
    say(site, "", "Tea")
    say(site, "blog/first/", "First cup - Tea", TEXT)
    new = Site(tmp_path / "new")
    for path in ("", "about/", "guide/", "guide/first.html", "guide/second.html"):
        new.page(path)
    new.entries[f"{new.base}about/"] = "<lastmod>2024-06-09</lastmod>"
    for path in ("guide/first-cup/", "new/"):
        new.page(path)
    new.page("old/", '<meta http-equiv="refresh" content="0; url=../about/">', listed=False)
    new.heads["guide/second.html"] = '<meta name="robots" content="noindex">'
    new.write()
    say(new, "", "Tea")
    say(new, "guide/first-cup/", "First cup - Tea", TEXT)
    say(new, "guide/", "Guide - Tea", "New words")
    say(new, "new/", "New - Tea")
    return site.root, new.root


COMMENT = """\
## What changes in the site

**1 page added, 1 page changed, 2 pages moved, 1 page removed, 1 page with another date or entry, \
1 new finding of the check**; 3 unchanged

[Preview](https://preview-7.example.net/docs/)

### 1 page added

- [New](https://preview-7.example.net/docs/new/) `/new/`

### 1 page changed

- [Guide](https://preview-7.example.net/docs/guide/) `/guide/`

### 2 pages moved

- [First cup](https://preview-7.example.net/docs/guide/first-cup/) `/blog/first/` → \
`/guide/first-cup/` (**its old address is dead: no redirect**, same title)
- [about/](https://preview-7.example.net/docs/about/) `/old/` → `/about/` (redirect)

### 1 page removed

- gone/ `/gone/` (**its address is dead**)

### 1 page with another date or entry

- [about/](https://preview-7.example.net/docs/about/) `/about/` 2024-05-02 → 2024-06-09

### 1 new finding of the check

- error `noindex` `/guide/second.html`: The listed page is marked noindex. The robots element \
in guide/second.html says so.
"""


def test_a_reviewer_sees_what_a_change_does(two: tuple[Path, Path]) -> None:
    outcome = run("diff", *two, "--content", "--format", "markdown", "--preview", PREVIEW)
    assert outcome.code == 0
    assert outcome.stdout == COMMENT


def test_a_first_sitemap_is_one_line(two: tuple[Path, Path]) -> None:
    for file in two[0].glob("*sitemap*"):
        file.unlink()
    outcome = run("diff", *two, "--first", "--format", "markdown", "--preview", PREVIEW)
    heading, figures, preview, *_ = outcome.stdout.strip().split("\n\n")
    assert heading == "## What changes in the site"
    assert figures.startswith("**the first sitemap, of 7 pages")
    assert "### 7 pages added" not in outcome.stdout
    assert preview == f"[Preview]({PREVIEW})"


def test_the_two_commits_are_named(two: tuple[Path, Path], tmp_path: Path) -> None:
    ids: list[str] = []
    sites: list[Path] = []
    for number, folder in enumerate(two):
        project = tmp_path / f"checkout-{number}"
        project.mkdir()
        (project / "a.md").write_text(f"Cup {number}")
        commit(project, "2024-01-01T00:00:00Z")
        ids.append(git(project, "rev-parse", "--short", "HEAD"))
        sites.append(folder.rename(project / "public"))
    text = run("diff", *sites, "--format", "markdown").stdout
    assert f"\n\nfrom {ids[0]} to {ids[1]}\n" in text
    same = run("diff", sites[0], sites[0].parent / "public", "--format", "markdown").stdout
    assert same == ""


def test_the_source_of_a_page_is_named_where_the_report_knows_it(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    copy = shutil.copytree(two[1], tmp_path / "copy")
    run("build", copy, "--generator", "none", "--report", report)
    known = json.loads(report.read_text())
    known["names"] = {"https://example.org/new/": "docs/new.md"}
    report.write_text(json.dumps(known))
    text = run("diff", *two, "--format", "markdown", "--build-report", report).stdout
    assert "- New `/new/` from `docs/new.md`\n" in text


def test_programs_and_terminals_see_the_same(two: tuple[Path, Path]) -> None:
    given = ("diff", *two, "--content", "--preview", PREVIEW)
    found = json.loads(run(*given, "--format", "json").stdout)
    assert run(*given, "--json").stdout == run(*given, "--format", "json").stdout
    (moved,) = (each for each in found["changes"] if each["now_at"])
    assert (moved["kind"], moved["title"]) == ("removed", "First cup")
    assert (moved["dead"], moved["found_by"]) == (True, "title")
    assert moved["preview"] == f"{PREVIEW}guide/first-cup/"
    assert [each["id"] for each in found["findings"]] == ["noindex"]
    lines = run(*given).stdout.splitlines()
    base = "https://example.org/"
    line = f"- {base}blog/first/  dead: the page is at {base}guide/first-cup/ now,"
    line += " without a redirect  (same title)  First cup"
    assert f"{line}  {PREVIEW}guide/first-cup/" in lines
    assert any(line.startswith(f"- {base}gone/  dead: nothing answers") for line in lines)
    assert any(line.startswith(f"! error noindex  {base}guide/second.html: ") for line in lines)
    assert lines[-1] == "2 added, 2 changed, 2 removed, 1 moved, 1 new finding; 3 unchanged"


def test_nothing_is_said_where_nothing_changed(two: tuple[Path, Path]) -> None:
    outcome = run("diff", two[0], two[0], "--content", "--format", "markdown")
    assert (outcome.code, outcome.stdout, outcome.stderr) == (0, "", "")


def test_a_sitemap_that_was_online_has_no_titles_and_pages_are_linked_all_the_same(
    two: tuple[Path, Path],
) -> None:
    old = two[0] / "sitemap.xml"
    text = run("diff", old, two[1], "--format", "markdown", "--preview", PREVIEW).stdout
    assert f"- [New]({PREVIEW}new/) `/new/`\n" in text
    assert "- `/gone/` (**its address is dead**)\n" in text


def test_a_page_that_is_only_no_longer_listed_is_not_gone(site: Site, tmp_path: Path) -> None:
    site.write()
    new = Site(tmp_path / "new", heads=dict(site.heads), entries=dict(site.entries))
    del new.entries[f"{new.base}about/"]
    new.write()
    given = ("diff", site.root, new.root, "--preview", PREVIEW)
    assert "- https://example.org/about/  still there, but not listed  about/" in run(*given).stdout
    item = f"- [about/]({PREVIEW}about/) `/about/` (still there, but not listed)\n"
    assert f"### 1 page removed\n\n{item}" in run(*given, "--format", "markdown").stdout


def test_a_page_that_only_links_its_new_address_has_moved_as_readers_do(
    site: Site, tmp_path: Path
) -> None:
    """As sphinxext-rediraffe writes them: a refresh without scripts, and a link."""
    site.page("old/")
    site.write()
    new = Site(tmp_path / "new", heads=dict(site.heads), entries=dict(site.entries))
    del new.entries[f"{new.base}old/"]
    new.page("new/")
    new.write()
    refresh = '<noscript><meta http-equiv="refresh" content="0; url=../new/index.html"/></noscript>'
    link = (
        '<p>You should have been redirected.</p><a href="../new/index.html">If not, click here.</a>'
    )
    new.put("old/index.html", f"<html><head>{refresh}</head><body>{link}</body></html>")
    for old in (site.root, site.root / "sitemap.xml"):
        outcome = run("diff", old, new.root, "--fail-if-lost", "1%")
        assert outcome.code == 0
        assert "> https://example.org/old/  moved to https://example.org/new/" in outcome.stdout
    markdown = run("diff", site.root, new.root, "--format", "markdown").stdout
    assert "**1 page moved**; 5 unchanged" in markdown


def added(*titles: str, url: str = "https://example.org/{}/") -> str:
    """Return the comment on pages that are added."""
    changes = [
        UrlChange("added", url.format(number), title=title) for number, title in enumerate(titles)
    ]
    difference = Difference(changes, old_count=1, unchanged=1, dated=0)
    return as_markdown(Review(difference, [], [], "https://example.org/", PREVIEW))


def test_long_lists_are_folded_and_all_together_fit_into_a_comment() -> None:
    assert "<details>" not in added(*["x"] * 10)
    assert "\n<details><summary>11 pages added</summary>\n\n- [x](" in added(*["x"] * 11)
    long = added(*["<" * 400] * 5_000)
    assert len(long.encode()) < 10_000
    assert re.search(r"- and 4,99\d more\n\n</details>$", long)


HOSTILE = [
    *("</details>", "</summary><script>alert(1)</script>", "<!-- sitemapkit -->", "<img src=x>"),
    *("](https://evil.example) [x", "![](https://evil.example/x.png)", "[x]: https://evil.example"),
    *("https://evil.example/", "www.evil.example", "ftp://evil.example", "a@evil.example"),
    *("@maintainer", "@org/team", "#12", "owner/repo#12", "GH-12", "!12", "~label", "%1", "$1"),
    *("`code`", "**bold**", "# Heading", "- item", "1. item", "> quote", "| a | b |", "/close"),
    *("a\n\n# b", "\u202e\x1b[31m", "&lt;b&gt;", "\\", "***", "---", "```", "$$x$$", "$`x`$"),
]

CALLS = re.compile(r"[@#&~][\w/]|[!$%]\w|://|www\.|GH-\d|^/\w", re.IGNORECASE)
"""What a service makes a link of, or sends a message for, wherever it is shown."""


def assert_harmless(title: str) -> None:
    """Assert that a title is one item of the list, and nothing in it but a text."""
    tree = html.fromstring(f"<div>{MarkdownIt().enable('table').render(added(title))}</div>")
    (item,) = tree.iter("li")
    assert {str(each.tag) for each in tree.iter()} <= {
        "div",
        "h2",
        "p",
        "strong",
        "h3",
        "ul",
        "li",
        "a",
        "code",
    }
    assert [each.get("href") for each in tree.iter("a")] == [PREVIEW, f"{PREVIEW}0/"]
    path = item.find(".//code")
    assert path is not None
    assert path.text_content() == "/0/"
    path.text = ""
    assert not CALLS.search(item.text_content())


@pytest.mark.parametrize("title", HOSTILE)
def test_what_pages_say_is_only_text(title: str) -> None:
    assert_harmless(title)
    assert_harmless(f"{title} {title}")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([*HOSTILE, "a", " ", "\n", "(", ")", "/", ":", "&"])).map("".join))
def test_nothing_that_pages_say_is_more_than_text(title: str) -> None:
    assert_harmless(title)


@pytest.mark.parametrize(
    "path", ["a(b)", "a)b", "a[b]", "a*b*", "x@y", "a&amp;b=1", "a!b", "a'b", "%3Cb%3E", "a;b~c"]
)
def test_links_lead_to_the_page_whatever_is_in_its_address(path: str) -> None:
    tree = html.fromstring(MarkdownIt().render(added("Tea", url=f"https://example.org/{path}")))
    _, link = tree.iter("a")
    wanted = re.sub(r"[()!]", lambda found: f"%{ord(found[0]):02X}", path)
    assert link.get("href") in (
        f"{PREVIEW}{wanted}",
        f"{PREVIEW}{wanted}".replace("[", "%5B").replace("]", "%5D"),
    )


@pytest.mark.parametrize("preview", ["javascript:alert(1)", "preview", "https://a.example/?x=1"])
def test_a_preview_is_the_url_of_its_root(two: tuple[Path, Path], preview: str) -> None:
    outcome = run("diff", *two, "--preview", preview)
    assert outcome.code == 2
    assert "--preview" in outcome.stderr
    assert preview in outcome.stderr
