"""`mkdocs serve`: built again after each change, also after a build that failed."""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from .conftest import Site

PATIENCE = 300

HOOK = """
def on_page_markdown(markdown, page, config, files):
    if "broken" in markdown:
        raise RuntimeError("broken")
"""


@contextmanager
def served(made: Site, *options: str) -> Generator[str, None, None]:
    """Run `mkdocs serve`; yields the address of the sitemap."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with (made.root / "log").open("w") as log:
        command = [str(made.program), "serve", "--dev-addr", address, *options]
        server = subprocess.Popen(command, cwd=made.root, stdout=log, stderr=log)
        try:
            yield f"http://{address}/sitemap.xml"
        finally:
            server.terminate()
            server.wait()


def wait_for(answer: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not answer():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def text_at(url: str) -> str:
    try:
        with urllib.request.urlopen(url) as answer:  # noqa: S310 - our own server
            return str(answer.read(), "utf-8")
    except urllib.error.URLError:
        return ""


def test_serve_gives_a_complete_sitemap_after_a_build_that_failed(
    site: Callable[..., Site],
) -> None:
    made = site({"hook.py": HOOK, "docs/tea.md": "# Tea"}, hooks=["hook.py"])
    with served(made) as url:
        home = url.removesuffix("sitemap.xml")
        wait_for(lambda: f"<loc>{home}tea/</loc>" in text_at(url))
        made.write({"docs/tea.md": "broken"})
        wait_for(lambda: "RuntimeError: broken" in (made.root / "log").read_text())
        made.write({"docs/tea.md": "# Tea", "docs/cup.md": "# Cup"})
        wait_for(lambda: f"<loc>{home}cup/</loc>" in text_at(url))
        assert text_at(url).count("<url>") == 3


def test_a_dirty_serve_begins_with_a_complete_sitemap_and_says_that_it_keeps_it(
    site: Callable[..., Site],
) -> None:
    files = {"docs/tea.md": "# Tea", "docs/demo.html": "<title>Demo</title>"}
    made = site(files, nav=["index.md", "tea.md", {"Demo": "demo.html"}])
    with served(made, "--dirty") as url:
        wait_for(lambda: "demo.html</loc>" in text_at(url))
        before = text_at(url)
        log = made.root / "log"
        assert "so no sitemap is written" not in log.read_text()
        made.write({"docs/tea.md": "# Tea, changed"})
        wait_for(lambda: "so no sitemap is written" in log.read_text())
        assert before.count("<url>") == 3
        assert text_at(url) == before
