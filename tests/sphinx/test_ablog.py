"""Sites with ablog, in an environment of their own."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from ..environments import python_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

pytestmark = pytest.mark.environment


def build(project: Site, builder: str) -> None:
    command = ("-m", "sphinx", "-q", "-b", builder)
    folders = (str(project.docs), str(project.out(builder)))
    subprocess.run([str(python_with("extensions")), *command, *folders], check=True)


def test_a_document_in_whose_place_ablog_lists_posts_is_listed(site: Callable[..., Site]) -> None:
    project = site(extensions=["ablog", "sphinx_sitemapkit"], post_date_format="%Y-%m-%d")
    project.document("blog", body="All posts.\n")
    project.document("first", body=".. post:: 2024-05-06\n\nTea.\n")
    build(project, "html")
    assert "first.html" in (project.out("html") / "blog.html").read_text()
    assert project.paths() == ["blog.html", "first.html", "index.html"]


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
