"""Translations on real builds, judged by a checker that shares no code with the plugin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

CHECKER = Path(__file__).parents[1] / "conformance" / "hreflang.py"
ARTICLES = {
    "content/tea.md": md("Tea", date="2024-01-02", slug="tea", lang="en"),
    "content/tea-de.md": md("Tee", date="2024-01-03", slug="tea", lang="de"),
    "content/alone.md": md("Alone", date="2024-01-02", lang="en"),
    "content/pages/about.md": md("About", slug="about", lang="en"),
    "content/pages/about-de.md": md("Impressum", slug="about", lang="de"),
}
SUBSITES = {
    "PLUGINS": ["i18n_subsites", "pelican_sitemapkit"],
    "I18N_SUBSITES": {"de": {}},
}


@pytest.mark.parametrize("settings", [{}, SUBSITES], ids=["translations", "i18n_subsites"])
def test_all_sets_are_reciprocal(settings: dict[str, object], site: Callable[..., Site]) -> None:
    made = site(ARTICLES, SITEMAP={"x_default": "en"}, **settings)
    assert made.run().returncode == 0
    sets = [versions for versions in made.alternates().values() if versions]
    assert [sorted(versions) for versions in sets] == 4 * [["de", "en", "x-default"]]
    command = [sys.executable, str(CHECKER), str(made.out / "sitemap.xml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
