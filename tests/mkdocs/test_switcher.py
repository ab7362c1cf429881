"""Material's language switcher and instant navigation, which read the sitemaps of all languages."""

from __future__ import annotations

from queue import Queue
from typing import TYPE_CHECKING, Any

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

# Follows a link, then switches the language there; says of each step how the page came, and where.
# Material reads the sitemaps of all languages first: it is given the time.
FOLLOW = """
const steps = ["en/home", "en/tea", "de/tee"]
const clicks = [".md-content a[href*='tea']", ".md-header .md-select__link[hreflang='de']"]
const begun = Number(sessionStorage.getItem("begun") ?? 0)
let at = begun
const read = ({ name, responseEnd }) => name.endsWith("/de/sitemap.xml") && responseEnd > 0
const look = () => {
  const heading = document.querySelector("h1[id]")?.id
  if (`${document.documentElement.lang}/${heading}` !== steps[at]) return
  if (!performance.getEntriesByType("resource").some(read)) return
  const how = at === begun && at > 0 ? "new-document" : "instantly"
  fetch("/", { method: "POST", body: JSON.stringify(`${how} ${location.pathname}`) })
  const selector = clicks[at]
  at += 1
  sessionStorage.setItem("begun", at)
  if (selector) setTimeout(() => document.querySelector(selector).click(), 1000)
}
window.addEventListener("load", () => setInterval(look, 100))
"""

SWITCHER = [
    {"name": "English", "link": "/en/", "lang": "en"},
    {"name": "Deutsch", "link": "/de/", "lang": "de"},
]


def test_pages_load_instantly_and_the_switcher_leads_to_the_translation(
    site: Callable[..., Site], material: Path, tmp_path: Path
) -> None:
    files = {
        "docs/index.md": "# Home\n\n[tea](tea.md)",
        "docs/tea.md": "# Tea",
        "docs/follow.js": FOLLOW,
        "de/index.md": "# Heim",
        "de/tea.md": "# Tee",
        "de/follow.js": FOLLOW,
    }
    theme: dict[str, Any] = {"name": "material", "font": False, "features": ["navigation.instant"]}
    german: dict[str, Any] = {"theme": {**theme, "language": "de"}, "docs_dir": "de"}
    made = site(files, extra={"alternate": SWITCHER}, extra_javascript=["follow.js"])
    made.python = material
    said: Queue[str] = Queue()
    with served(made.out, said) as url:
        english = {"theme": theme, "docs_dir": "docs"}
        languages = {lang: f"{url}{lang}/" for lang in ("en", "de")}
        made.configure(plugins=[{"sitemapkit": {"languages": languages}}])
        for lang, settings in (("en", english), ("de", german)):
            made.configure(site_url=f"{url}{lang}/", site_dir=f"site/{lang}", **settings)
            done = made.run("build")
            assert done.returncode == 0, done.stderr
        named = {"en": "en/tea/", "de": "de/tea/"}
        assert made.alternates("en/sitemap.xml", base=url)["en/tea/"] == named
        with opened(f"{url}en/", tmp_path / "profile"):
            steps = [said.get(timeout=300) for _ in range(3)]
    # To another language Material goes by a new document, as its head is another one, too.
    assert steps == ["instantly /en/", "instantly /en/tea/", "new-document /de/tea/"]
