"""Sites with ablog, in an environment of their own."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from ..environments import python_with
from ..repository import commit
from ..tools.conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

pytestmark = pytest.mark.environment


def build(project: Site, builder: str) -> None:
    command = ("-m", "sphinx", "-q", "-b", builder)
    folders = (str(project.docs), str(project.out(builder)))
    subprocess.run([str(python_with("extensions")), *command, *folders], check=True)


@pytest.mark.parametrize(("builder", "end"), [("html", ".html"), ("dirhtml", "/")])
def test_a_document_in_whose_place_ablog_lists_posts_is_listed_without_its_text(
    site: Callable[..., Site], builder: str, end: str
) -> None:
    project = site(extensions=["ablog", "sphinx_sitemapkit"], post_date_format="%Y-%m-%d")
    project.document("blog", body="All posts.\n")
    project.document("first", body=".. post:: 2019-05-06\n\nTea.\n")
    commit(project.root)
    project.document("blog", body="All posts, later.\n")
    commit(project.root, "2022-02-02T00:00:00Z")
    build(project, builder)
    lists = ["blog", "blog/2019", "blog/archive"]
    pages = [f"{name}{end}" for name in (*lists, "first")]
    home = "index.html" if end == ".html" else ""
    assert sorted(project.paths(builder)) == sorted([*pages, home])
    sitemap = (project.out(builder) / "sitemap.xml").read_text()
    assert sitemap.count("<lastmod>2020-01-01T00:00:00Z") == 5


@pytest.mark.parametrize(("builder", "end"), [("html", ".html"), ("dirhtml", "/")])
def test_lists_of_posts_are_listed_but_neither_drafts_nor_empty_ones(
    site: Callable[..., Site], builder: str, end: str
) -> None:
    project = site(
        extensions=["ablog", "sphinx_sitemapkit"], blog_path="news", post_date_format="%Y-%m-%d"
    )
    project.document("first", body=".. post:: 2024-05-06\n   :tags: tea\n\nTea.\n")
    project.document("idea", body=".. post::\n   :tags: pots\n\nPots.\n")
    build(project, builder)
    listed = {path.removesuffix(end) for path in project.paths(builder)}
    assert {"news", "news/archive", "news/2024", "news/tag", "news/tag/tea", "first"} <= listed
    assert not {"news/drafts", "news/tag/pots", "idea"} & listed
    assert run("check", project.out(builder)).stdout.count("not-listed") == 0


def test_where_all_posts_are_drafts_no_list_is_listed(site: Callable[..., Site]) -> None:
    project = site(extensions=["ablog", "sphinx_sitemapkit"])
    project.document("idea", body=".. post::\n\nPots.\n")
    build(project, "html")
    assert project.paths() == ["index.html"]


def test_a_post_that_ablog_takes_for_a_draft_is_not_listed(site: Callable[..., Site]) -> None:
    later = datetime.now(UTC) + timedelta(days=10)
    project = site(
        extensions=["ablog", "sphinx_sitemapkit"],
        sitemap_include=["blog/"],
        sitemap_exclude=["blog/drafts/"],
        post_date_format="%Y-%m-%d",
    )
    for name, directive in {
        "first": ".. post:: 2024-05-06",
        "undated": ".. post::",
        "later": f".. post:: {later:%Y-%m-%d}",
        "page": "",
    }.items():
        project.document(f"posts/{name}", body=f"{directive}\n\nTea.\n")
    build(project, "dirhtml")
    listed = project.paths("dirhtml")
    assert [path for path in listed if path.startswith("posts/")] == ["posts/first/", "posts/page/"]
    assert "blog/" in listed
    assert "blog/drafts/" not in listed


def test_lists_change_with_what_they_show_of_posts(site: Callable[..., Site]) -> None:
    project = site(extensions=["ablog", "sphinx_sitemapkit"], post_date_format="%Y-%m-%d")
    lists = {"titles": "", "two": " 2\n   :excerpts:", "tea": "\n   :tags: tea\n   :excerpts:"}
    for name, options in lists.items():
        project.document(name, head=":orphan:", body=f".. postlist::{options}\n")
    texts: dict[str, str] = dict.fromkeys(("black", "chai", "green"), "Words.\n\nMore.\n")
    posts = {
        "black": "2019-05-06\n   :tags: tea",
        "chai": "2019-06-07",
        "green": "2019-07-08",
        "draft": "",
    }

    def change(year: int, **changed: str) -> None:
        texts.update(changed)
        for name, text in texts.items():
            project.document(name, body=f".. post:: {posts[name]}\n\n{text}")
        commit(project.root, f"{year}-01-01T00:00:00Z")

    change(2020)
    change(2021, chai="Other words.\n\nMore.\n")
    change(2022, black="Newer words.\n\nMore.\n")
    change(2023, green="Words.\n\nMuch more.\n")
    change(2024, draft="A draft.\n")
    build(project, "html")
    years: dict[str, str] = {}
    for path, entry in project.entries().items():
        years[path.removesuffix(".html")] = entry["lastmod"][:4]
    assert years == {
        "black": "2022",
        "chai": "2021",
        "green": "2023",
        "index": "2020",
        "titles": "2020",
        "two": "2021",
        "tea": "2022",
        "blog": "2022",
        "blog/2019": "2022",
        "blog/archive": "2020",
        "blog/tag": "2020",
        "blog/tag/tea": "2022",
    }
