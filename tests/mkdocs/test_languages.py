"""Languages on real builds, judged by a checker that shares no code with the plugin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

CHECKER = Path(__file__).parents[1] / "conformance" / "hreflang.py"
BASE = "https://example.org/"
PAGES = {"docs/tea.md": "# Tea", "docs/cups.md": "# Cups"}


def mistakes(*files: Path) -> str:
    command = [sys.executable, str(CHECKER), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def test_builds_of_languages_are_translations_where_both_have_the_page(
    site: Callable[..., Site],
) -> None:
    made = site(PAGES)
    languages = {
        lang: {"base_url": f"{BASE}{lang}/", "pages": f"site/{lang}/sitemap.xml"}
        for lang in ("en", "de")
    }
    plugins = [{"sitemapkit": {"languages": languages}}]
    for lang, excluded in (("de", "cups.md"), ("en", ""), ("de", "cups.md")):
        folder = str(made.out / lang)
        made.configure(
            site_url=f"{BASE}{lang}/", site_dir=folder, exclude_docs=excluded, plugins=plugins
        )
        made.build()
    sitemaps = [made.out / lang / "sitemap.xml" for lang in ("en", "de")]
    assert [file.read_text().count("<url>") for file in sitemaps] == [3, 2]
    assert [file.read_text().count("hreflang=") for file in sitemaps] == [4, 4]
    assert mistakes(*sitemaps) == ""


def test_a_build_does_not_miss_its_own_list(site: Callable[..., Site]) -> None:
    own = {"base_url": BASE, "pages": "site/sitemap.xml"}
    languages = {"en": own, "fr": "https://example.fr/"}
    made = site(PAGES, plugins=[{"sitemapkit": {"languages": languages}}])
    assert not [line for line in made.build() if "hreflang-assumed" in line]


def test_a_menu_of_languages_names_no_translations(site: Callable[..., Site]) -> None:
    menu = [
        {"name": "English", "link": "/", "lang": "en"},
        {"name": "Deutsch", "link": "/de/", "lang": "de"},
    ]
    made = site({**PAGES, "site/de/sitemap.xml": ""}, extra={"alternate": menu})
    assert not [line for line in made.build() if "hreflang" in line]
    assert not any(made.alternates().values())


def test_the_sitemap_for_people_has_the_name_and_language_of_the_site(
    site: Callable[..., Site],
) -> None:
    theme = {"name": None, "custom_dir": "theme", "language": "pt-BR"}
    plugins = [{"sitemapkit": {"formats": ["xml", "html"]}}]
    made = site({"docs/tea.md": "# Tea &amp; `<water>`"}, theme=theme, plugins=plugins)
    made.build()
    page = (made.out / "sitemap.html").read_text()
    assert '<html lang="pt-BR" dir="ltr">' in page
    assert ">Tea &amp; &lt;water&gt;</a>" in page


@pytest.mark.environment
def test_the_sets_of_static_i18n_are_reciprocal(site: Callable[..., Site], material: Path) -> None:
    locales = [{"locale": "en", "name": "English", "default": True, "build": True}]
    locales += [{"locale": code, "name": code, "build": True} for code in ("de", "zh-Hans")]
    files = {
        "docs/index.de.md": "# Heim",
        "docs/index.zh-Hans.md": "# 首页",
        "docs/tea.md": "# Tea",
        "docs/tea.de.md": "# Tee",
        "docs/cups.md": "# Cups",
    }
    i18n = {"i18n": {"docs_structure": "suffix", "languages": locales}}
    made = site(files, plugins=[i18n, {"sitemapkit": {"x_default": "en"}}])
    made.python = material
    done = made.run("build")
    assert done.returncode == 0, done.stderr
    sitemap = made.out / "sitemap.xml"
    assert [len(versions) for versions in made.alternates().values()] == [4, 0, 4, 3, 3, 4]
    assert mistakes(sitemap) == ""
