"""Remarks on hosts: repositories are told by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sitemapkit import Page, build
from sitemapkit.advice.addresses import repository_base_url
from sitemapkit.options import Options, read_options

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("repository", "published"),
    [
        ("https://github.com/Owner/tea/", "https://owner.github.io/tea/"),
        ("https://www.github.com/owner/owner.github.io.git/", "https://owner.github.io/"),
        ("http://gitlab.com/owner/tea/", "https://owner.gitlab.io/tea/"),
        ("https://codeberg.org/owner/tea/", "https://owner.codeberg.page/tea/"),
        (
            "https://gitlab.com/group/team/tea/-/tree/main/docs/",
            "https://group.gitlab.io/team/tea/",
        ),
        ("https://github.com/owner/tea/tree/main/", "https://owner.github.io/tea/"),
        ("https://github.com/owner/", ""),
        ("https://gitlab.com/owner/-/snippets/", ""),
        ("https://raw.githubusercontent.com/owner/tea/main/", ""),
        ("https://git.sr.ht/~owner/tea/", ""),
        ("https://bitbucket.org/owner/tea/", ""),
    ],
)
def test_a_repository_tells_where_its_site_is_published(repository: str, published: str) -> None:
    (told,) = repository_base_url(Options(base_url=repository))
    meant = f" Did you mean {published}?" if published else ""
    assert told.detail == f"It is {repository}.{meant}"


@pytest.mark.parametrize("generators", ["", "https://example.org/"])
def test_it_is_a_warning_that_names_the_setting_and_no_robots_txt_is_advised(
    generators: str, tmp_path: Path
) -> None:
    repository = "https://github.com/owner/tea/"
    (tmp_path / "index.html").write_text("<p>Tea</p>")
    given = {"base_url": repository} if generators else {}
    options = read_options(
        given,
        where="conf.py",
        prefix="sitemap_",
        base_url=generators or repository,
        base_setting="x",
    )
    issues = build([Page("", tmp_path / "index.html")], options, tmp_path).issues
    (told,) = [
        each for each in issues if each.rule.id in ("repository-base-url", "robots-not-at-root")
    ]
    assert told.severity == "warning"
    assert told.where == ("conf.py, sitemap_base_url" if generators else "x")


def test_a_site_below_two_folders_is_no_repository() -> None:
    assert [*repository_base_url(Options(base_url="https://example.org/owner/tea/"))] == []
