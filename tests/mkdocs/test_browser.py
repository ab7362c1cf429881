"""Material for MkDocs in a real browser, which loads sitemap.xml to load pages instantly."""

from __future__ import annotations

from queue import Queue
from typing import TYPE_CHECKING

import pytest

from ..browser import CHROMIUM, opened, served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed"),
]

# Follows a link and says how the page came: instantly, in the document that is open, or as a new
# document, in which this script runs again.
FOLLOW = """
const say = (how) => fetch("/", { method: "POST", body: JSON.stringify(how) })
if (sessionStorage.getItem("followed")) {
  say("new-document")
} else {
  sessionStorage.setItem("followed", "yes")
  window.addEventListener("load", () => setTimeout(() => {
    document.querySelector(".md-content a[href*='PAGE']").click()
    setInterval(() => {
      if (document.querySelector("h1#PAGE")) say("instantly")
    }, 100)
  }, 1000))
}
"""


@pytest.mark.parametrize(("page", "how"), [("listed", "instantly"), ("unlisted", "new-document")])
def test_pages_in_the_sitemap_load_instantly(
    page: str, how: str, site: Callable[..., Site], material: Path, tmp_path: Path
) -> None:
    files = {
        "docs/index.md": "# Home\n\n[one](listed.md) [two](unlisted.md)",
        "docs/listed.md": "# Listed",
        "docs/unlisted.md": "---\nsitemap: false\n---\n# Unlisted",
        "docs/follow.js": FOLLOW.replace("PAGE", page),
    }
    theme = {"name": "material", "font": False, "features": ["navigation.instant"]}
    made = site(files, theme=theme, extra_javascript=["follow.js"])
    made.python = material
    said: Queue[str] = Queue()
    with served(made.out, said) as url:
        made.configure(site_url=url)
        assert made.run("build").returncode == 0
        with opened(url, tmp_path / "profile"):
            assert said.get(timeout=300) == how
