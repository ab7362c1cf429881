"""`sitemapkit check` of what Pelican built a moment ago, as the manual runs it: without a flag."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ..mkdocs.test_check import found
from ..repository import git
from ..tools.conftest import run
from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site


def test_nothing_is_said_of_hidden_texts_and_drafts(site: Callable[..., Site]) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02"),
            "content/b.md": md("B", date="2024-01-02", status="hidden"),
            "content/c.md": md("C", date="2024-01-02", status="draft"),
        }
    )
    made.build()
    assert found(made.out) == []


def test_plugin_and_check_know_the_same_address_of_each_file(site: Callable[..., Site]) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", tags="c#,Tea Pot", author="Ü"),
            "content/pages/b.md": md("B", url="b", save_as="b/index.htm"),
            "content/pages/c.md": md("C", url="c/d", save_as="c/d.html"),
        },
        THEME="simple",
        ARTICLE_URL="blog/{slug}",
        ARTICLE_SAVE_AS="blog/{slug}/index.html",
        TAG_URL="tag/{name}",
        TAG_SAVE_AS="tag/{name}",
        AUTHOR_URL="by/{name}",
        AUTHOR_SAVE_AS="by/{name}/index.html",
        ARCHIVES_URL="all",
        ARCHIVES_SAVE_AS="all.html",
    )
    made.build()
    assert {rule for _, rule, _ in found(made.out)} == {"not-linked"}
    assert {"blog/a/", "tag/c%23", "tag/Tea%20Pot", "by/%C3%9C/"} <= {*made.paths()}
    assert {"b/", "c/d", "all"} <= {*made.paths()}


def test_with_the_report_of_the_build_neither(site: Callable[..., Site], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    texts = {
        f"content/pages/{number}.md": md(f"Hidden {number}", status="hidden") for number in range(9)
    }
    made = site(
        {
            **texts,
            "content/old/a.html": "<title>Old</title>",
            "content/a.md": md("A", date="2024-01-02", tags="tea", author="Ann"),
        },
        SITEMAP={"report": str(report)},
        STATIC_PATHS=["old"],
        READERS={"html": None},
    )
    made.build()
    assert found(made.out) == []
    assert found(made.out, "--build-report", report) == []


@pytest.mark.parametrize(
    "settings",
    [
        {"THEME": "simple"},
        {"THEME": "notmyidea"},
        {"THEME": "simple", "ARCHIVES_SAVE_AS": "all.html"},
    ],
)
def test_drafts_and_lists_without_a_member_are_nothing_to_plugin_and_check(
    site: Callable[..., Site], settings: dict[str, object]
) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02"),
            "content/b.md": md("B", date="2024-01-02", status="draft"),
            "content/pages/c.md": md("C", status="draft"),
            "content/pages/d.md": md("D"),
        },
        **settings,
    )
    made.build()
    assert {path.name for path in made.out.glob("drafts/**/*.html")} == {"b.html", "c.html"}
    assert not {"tags.html", "authors.html"} & {*made.paths()}
    assert [where for _, rule, where in found(made.out) if rule == "not-listed"] == []


def test_an_authors_page_with_text_is_no_empty_list(tmp_path: Path) -> None:
    pages = {
        "index.html": "<title>Home</title><main><h1>Home</h1></main>",
        "authors.html": "<title>Authors</title><main><h1>Authors</h1><p>Ann and Bob.</p></main>",
        "tags/index.html": "<title>Tags</title><main><h1>Tags</h1><ul></ul></main>",
        "drafts/index.html": "<title>Drafts</title><main><h1>Beers on tap</h1></main>",
    }
    for name, html in pages.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(html)
    run("build", tmp_path, "--base-url", "https://example.org/")
    text = (tmp_path / "sitemap.xml").read_text()
    assert "https://example.org/authors.html" in text
    assert "https://example.org/drafts/" in text
    assert "https://example.org/tags/" not in text


def test_hidden_pages_of_subsites_are_nothing_either(site: Callable[..., Site]) -> None:
    made = site(
        {
            "content/pages/a.md": md("A", slug="a", lang="en"),
            "content/pages/a.de.md": md("Ä", slug="a", lang="de"),
        },
        PLUGINS=["i18n_subsites", "pelican_sitemapkit"],
        I18N_SUBSITES={"de": {}, "fr": {}},
        SITEMAP={"report": "report.json"},
    )
    made.run()
    assert (made.out / "fr/pages/a-de.html").is_file()
    assert found(made.out, "--build-report", made.root / "report.json") == []


def test_a_page_without_a_name_is_there(site: Callable[..., Site]) -> None:
    made = site({"content/a.md": md("A", date="2024-01-02", author="«»")})
    made.build()
    assert "author/.html" in made.paths()
    assert [each for each in found(made.out) if each[0] != "note"] == []


def test_patterns_that_match_nothing_are_told(site: Callable[..., Site]) -> None:
    text = {"content/blog/a.md": md("A", date="2024-01-02")}
    (line,) = told(site(text, SITEMAP={"exclude": "content/blog/a.md"}))
    assert line.startswith("WARNING ")
    assert "It is the name of a source file" in line
    (line,) = told(site(text, SITEMAP={"exclude": [r"^/nothing/", r"^a\.html$"]}))
    assert line.startswith("INFO ")
    assert "It is the regular expression '^/nothing/'." in line


def told(made: Site) -> list[str]:
    return [line for line in made.build() if "matches no page" in line]


def test_at_the_usual_level_a_few_lines_say_what_was_written_and_what_is_to_be_done(
    site: Callable[..., Site], tmp_path: Path
) -> None:
    made = site({"content/pages/about.md": md("About")}, SITEURL="https://example.org/blog")
    made.commit("2024-01-02T00:00:00Z")
    made.write({"content/second.md": md("Second", date="2024-01-03")})
    made.commit("2024-01-03T00:00:00Z")
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{made.root}", str(shallow))
    made.root = shallow
    log = made.run("--fatal", "warnings").stdout
    assert "pages listed in " in log
    assert "[robots-not-at-root]" in log
    assert "[git-shallow]" in log
    assert "sitemapkit" not in made.run("--quiet").stdout


def test_an_address_that_leads_to_no_file_is_said(site: Callable[..., Site]) -> None:
    made = site({"content/a.md": md("A", date="2024-01-02", url="tea/")})
    (line,) = [line for line in made.build() if "dead-url" in line]
    assert line.startswith("WARNING ")
    assert "https://example.org/tea/ leads to no file." in line
    moved = site({"content/a.md": md("A", date="2024-01-02", url="tea/", save_as="tea/index.html")})
    assert not [line for line in moved.build() if "dead-url" in line]


def test_without_an_address_nothing_of_an_earlier_build_is_left(
    site: Callable[..., Site],
) -> None:
    made = site(SITEMAP={"formats": ["xml", "gz", "txt"]})
    made.build()
    names = {"sitemap.xml", "sitemap.xml.gz", "sitemap.txt"}
    assert names <= {file.name for file in made.out.iterdir()}
    made.build(SITEURL="")
    assert not names & {file.name for file in made.out.iterdir()}
    assert (made.out / "robots.txt").read_text() == "User-agent: *\nAllow: /\n"


def test_a_format_that_is_not_wanted_any_more_is_removed(site: Callable[..., Site]) -> None:
    made = site(SITEMAP={"formats": ["xml", "gz", "llms"]})
    made.build()
    (made.out / "sitemap-mine.txt").write_text("https://example.org/\n")
    made.build(SITEMAP={})
    assert [file.name for file in sorted(made.out.glob("sitemap*"))] == [
        "sitemap-mine.txt",
        "sitemap.xml",
    ]
    assert not (made.out / "llms.txt").exists()


def test_a_sitemap_of_an_earlier_name_is_said(site: Callable[..., Site]) -> None:
    made = site()
    made.build()
    lines = made.build(SITEMAP={"filename": "map.xml"})
    (line,) = [line for line in lines if "other-sitemap" in line]
    assert f"{made.out}/sitemap.xml: " in line


def test_pages_without_dates_fail_a_build_that_needs_them(site: Callable[..., Site]) -> None:
    made = site({"content/pages/tea.md": md("Tea")}, SITEMAP={"fail_undated": True})
    done = made.run()
    assert done.returncode != 0
    said = done.stdout
    assert "no date, which the option `fail_undated` forbids" in said
    assert "tea.md" in said
    assert "Traceback" not in said
    assert not (made.out / "sitemap.xml").exists()
