"""What an author says in field lists, MyST front matter and meta directives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

FIELDS = (
    ":priority: 0.8\n:changefreq: weekly\n:lastmod: 2024-05-06",
    ":sitemap-priority: 0.8\n:sitemap-changefreq: weekly\n:sitemap-lastmod: 2024-05-06",
    ":sitemap_priority: 0.8\n:sitemap_changefreq: weekly\n:sitemap_lastmod: 2024-05-06",
    ":sitemap.priority: 0.8\n:sitemap.changefreq: weekly\n:sitemap.lastmod: 2024-05-06",
)
MYST = (
    "priority: 0.8\nchangefreq: weekly\nlastmod: 2024-05-06",
    "sitemap:\n  priority: 0.8\n  changefreq: weekly\n  lastmod: '2024-05-06'",
    "sitemap: {priority: .8, changefreq: weekly, lastmod: '2024-05-06'}",
    "sitemap_priority: '0.8'\nsitemap_changefreq: Weekly\nsitemap_lastmod: 2024-05-06",
)
WANTED = {"priority": "0.8", "changefreq": "weekly", "lastmod": "2024-05-06"}


@pytest.mark.parametrize("fields", FIELDS)
def test_field_lists_may_be_bare_flat_or_dotted(site: Callable[..., Site], fields: str) -> None:
    project = site()
    project.document("page", head=f":orphan:\n{fields}")
    assert project.build().warnings == ""
    assert project.entries() == {"index.html": {}, "page.html": WANTED}


@pytest.mark.parametrize("front_matter", MYST)
def test_front_matter_of_myst_may_be_flat_or_nested(
    site: Callable[..., Site], front_matter: str
) -> None:
    pytest.importorskip("myst_parser")
    project = site(extensions=["myst_parser", "sphinx_sitemapkit"])
    project.write({"docs/page.md": f"---\norphan: true\n{front_matter}\n---\n\n# Page\n"})
    assert project.build().warnings == ""
    assert project.entries() == {"index.html": {}, "page.html": WANTED}


@pytest.mark.parametrize("wish", [":sitemap: false", ":sitemap.exclude: yes", ":robots: noindex"])
def test_a_field_leaves_the_page_out(site: Callable[..., Site], wish: str) -> None:
    project = site()
    project.document("page", head=f":orphan:\n{wish}")
    project.build()
    assert project.paths() == ["index.html"]


@pytest.mark.parametrize(
    "wish", ["sitemap: false", "sitemap: {exclude: true}", "myst: {html_meta: {robots: noindex}}"]
)
def test_front_matter_of_myst_leaves_the_page_out(site: Callable[..., Site], wish: str) -> None:
    pytest.importorskip("myst_parser")
    project = site(extensions=["myst_parser", "sphinx_sitemapkit"])
    project.write({"docs/page.md": f"---\norphan: true\n{wish}\n---\n\n# Page\n"})
    project.build()
    assert project.paths() == ["index.html"]


def test_empty_and_null_values_say_nothing(site: Callable[..., Site]) -> None:
    project = site()
    project.document("page", head=":orphan:\n:priority:\n:sitemap: null")
    assert project.build().warnings == ""
    assert project.entries()["page.html"] == {}


def test_what_other_tools_put_into_the_metadata_is_not_ours(site: Callable[..., Site]) -> None:
    project = site()
    project.document("page", head=":orphan:\n:og\\:title: x\n:date: 2020-01-01\n:author: Nobody")
    assert project.build().warnings == ""
    assert project.entries()["page.html"] == {}


def test_page_metadata_beats_rules(site: Callable[..., Site]) -> None:
    project = site("other", sitemap_rules=[{"match": "*", "priority": 0.2}])
    project.document("page", head=":orphan:\n:priority: 0.8")
    project.build()
    assert {path: entry["priority"] for path, entry in project.entries().items()} == {
        "index.html": "0.2",
        "other.html": "0.2",
        "page.html": "0.8",
    }


def test_metadata_is_remembered_for_documents_that_are_not_read_again(
    site: Callable[..., Site],
) -> None:
    project = site("other")
    project.document("page", head=":orphan:\n:priority: 0.8")
    project.build()
    project.document("other", head=":orphan:", body="More.")
    project.build()
    assert project.entries()["page.html"] == {"priority": "0.8"}


@pytest.mark.parametrize(
    ("suffix", "head"),
    [("rst", ":sitemapkit: false\n\n"), ("md", "---\nsitemapkit: {exclude: true}\n---\n\n")],
)
def test_our_own_name_as_a_key_stops_the_sitemap_with_the_right_one(
    site: Callable[..., Site], suffix: str, head: str
) -> None:
    pytest.importorskip("myst_parser")
    made = site(extensions=["myst_parser", "sphinx_sitemapkit"])
    made.write(
        {f"docs/cups.{suffix}": f"{head}# Cups\n" if suffix == "md" else f"{head}Cups\n===="}
    )
    done = made.run("-q")
    assert done.returncode == 1
    said = f"cups.{suffix}: Unknown key 'sitemapkit'; did you mean 'sitemap'?"
    assert said in done.stderr
    assert not made.sitemap().exists()
