"""`sitemapkit explain` of what MkDocs built, by the report of the build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tools.conftest import run
from .test_check import ON_PURPOSE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site


def explained(path: str, made: Site) -> list[str]:
    """Return what is said of a page."""
    return run("explain", path, "--report", made.root / "report.json").stdout.splitlines()


def test_a_page_that_is_left_out_is_explained_with_its_source(site: Callable[..., Site]) -> None:
    settings = {"exclude": ["drafts/"], "report": "report.json"}
    made = site(ON_PURPOSE, plugins=[{"sitemapkit": settings}])
    made.build()
    assert explained("private/", made) == [
        "https://example.org/private/ is not listed: excluded by its metadata.",
        f"    page        {made.root}/docs/private.md",
        "    decided by  sitemap",
        f"                {made.root}/docs/private.md:2: sitemap: false",
    ]
    first, _, decided = explained("drafts/idea/", made)
    assert first.endswith("is not listed: excluded by an option.")
    assert decided.startswith("    decided by  ")
    assert "drafts/" in decided
    assert explained("tea/", made)[0] == "https://example.org/tea/ is listed."


def test_the_date_in_the_sitemap_is_explained(site: Callable[..., Site]) -> None:
    text = {"docs/dated.md": "---\nlastmod: 2023-04-05\n---\n# Dated", "docs/tea.md": "# Tea"}
    made = site(text, plugins=[{"sitemapkit": {"report": "report.json"}}])
    made.commit("2024-05-06T09:08:09+02:00")
    made.build()
    _, page, lastmod, *_ = explained("dated/", made)
    assert page == f"    page        {made.root}/docs/dated.md"
    assert lastmod == "    lastmod     2023-04-05, from metadata"
    _, _, lastmod, commit, *_ = explained("tea/", made)
    tea = f"{made.root}/docs/tea.md"
    assert lastmod.startswith(f"    lastmod     2024-05-06T07:08:09Z, from git: {tea}, commit")
    assert commit.endswith(", 2024-05-06T09:08:09+02:00: Change")
