"""`sitemapkit explain` of what MkDocs built, without the report of the build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tools.conftest import run
from .test_check import ON_PURPOSE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

UNSAID = "its metadata, an option or the generator; the option `report` records what"
SETTINGS = """
site_name: Tea
site_url: https://example.org/
theme: {{name: null, custom_dir: theme}}
site_description: !ENV [DESCRIPTION, Tea]
extra:
  separator: !!python/name:os.sep
plugins:
{plugins}
"""


def explained(path: str, folder: Path, *flags: object) -> list[str]:
    """Return what is said of a page of a finished site."""
    return run("explain", path, "--site", folder, *flags).stdout.splitlines()


def test_an_option_in_mkdocs_yml_is_named_with_its_pattern(site: Callable[..., Site]) -> None:
    made = site(ON_PURPOSE)
    for plugins in (
        "  - search\n  - sitemapkit:\n      exclude: [drafts/]\n",
        "  sitemapkit:\n    rules:\n      - {match: drafts/, exclude: true}\n",
    ):
        made.write({"mkdocs.yml": SETTINGS.format(plugins=plugins)})
        assert made.run("build", "-q").returncode == 0
        first, _, decided = explained("drafts/idea/", made.out)
        assert first.endswith("is not listed: excluded by an option.")
        assert decided.startswith("    decided by  ")
        assert "drafts/" in decided


def test_a_page_that_is_not_in_the_sitemap_is_not_called_listed(site: Callable[..., Site]) -> None:
    made = site(ON_PURPOSE)
    made.build()
    assert explained("private/", made.out) == [
        "https://example.org/private/ is not listed: excluded by its metadata.",
        f"    page        {made.root}/docs/private.md",
        "    decided by  sitemap",
        f"                {made.root}/docs/private.md:2: sitemap: false",
    ]
    assert explained("tea/", made.out)[0] == "https://example.org/tea/ is listed."
    (made.out / "sitemap.xml").unlink()
    (made.out / "sitemap.xml.gz").unlink()
    assert explained("private/", made.out, "--base-url", "https://example.org/")[0].endswith(
        "is not listed: excluded by its metadata."
    )


def test_the_date_in_the_sitemap_is_explained(site: Callable[..., Site]) -> None:
    made = site({"docs/dated.md": "---\nlastmod: 2023-04-05\n---\n# Dated", "docs/tea.md": "# Tea"})
    made.commit("2024-05-06T09:08:09+02:00")
    made.build()
    _, page, lastmod, *_ = explained("dated/", made.out)
    assert page == f"    page        {made.root}/docs/dated.md"
    assert lastmod == "    lastmod     2023-04-05, from metadata"
    _, _, lastmod, commit, *_ = explained("tea/", made.out)
    tea = f"{made.root}/docs/tea.md"
    assert lastmod.startswith(
        f"    lastmod     2024-05-06T07:08:09Z, from git: text of {tea}, commit"
    )
    assert commit.endswith(", 2024-05-06T09:08:09+02:00: Change")


def test_settings_that_cannot_be_read_leave_the_pages_and_the_sitemap(
    site: Callable[..., Site],
) -> None:
    made = site(ON_PURPOSE, plugins=[{"sitemapkit": {"exclude": ["drafts/"]}}])
    made.build()
    assert "excluded by an option" in explained("drafts/idea/", made.out)[0]
    unsure = "not in the sitemap that the build wrote"
    for text in ("plugins: [", "[" * 9_999, "plugins: sitemapkit", ""):
        made.write({"mkdocs.yml": text})
        first, _, decided = explained("drafts/idea/", made.out)
        assert unsure in first
        assert decided == f"    decided by  {UNSAID}"
