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
def test_a_document_in_whose_place_ablog_lists_posts_is_listed_without_its_date(
    site: Callable[..., Site], builder: str, end: str
) -> None:
    project = site(extensions=["ablog", "sphinx_sitemapkit"], post_date_format="%Y-%m-%d")
    project.document("blog", body="All posts.\n")
    project.document("first", body=".. post:: 2019-05-06\n\nTea.\n")
    commit(project.root)
    build(project, builder)
    lists = ["blog", "blog/2019", "blog/archive"]
    pages = [f"{name}{end}" for name in (*lists, "first")]
    home = "index.html" if end == ".html" else ""
    assert sorted(project.paths(builder)) == sorted([*pages, home])
    sitemap = (project.out(builder) / "sitemap.xml").read_text()
    assert sitemap.count("<lastmod>2020-01-01T00:00:00Z") == 2  # not of the lists


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
