"""Material for MkDocs in a real browser, which loads sitemap.xml to load pages instantly."""

from __future__ import annotations

import shutil
import subprocess
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from .conftest import Site

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), "")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed"),
]

# Follows a link and says how the page came: instantly, in the document that is open, or as a new
# document, in which this script runs again.
FOLLOW = """
if (sessionStorage.getItem("followed")) {
  fetch("/said/new-document")
} else {
  sessionStorage.setItem("followed", "yes")
  window.addEventListener("load", () => setTimeout(() => {
    document.querySelector(".md-content a[href*='PAGE']").click()
    setInterval(() => {
      if (document.querySelector("h1#PAGE")) fetch("/said/instantly")
    }, 100)
  }, 1000))
}
"""


class Handler(SimpleHTTPRequestHandler):
    """Serves files, and hears what the page says."""

    def __init__(self, *arguments: object, said: Queue[str], directory: str) -> None:
        self.said = said
        super().__init__(*arguments, directory=directory)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

    def do_GET(self) -> None:
        _, heard, what = self.path.partition("/said/")
        if heard:
            self.said.put(what)
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002


@contextmanager
def served(folder: Path, said: Queue[str]) -> Generator[str, None, None]:
    """Serve a folder; yields its address."""
    handler = partial(Handler, directory=str(folder), said=said)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def opened(url: str, profile: Path) -> Generator[None, None, None]:
    """Open a page in a browser that nobody sees."""
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
    browser = subprocess.Popen(
        [CHROMIUM, *flags, f"--user-data-dir={profile}", url],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        browser.terminate()
        browser.wait()


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
