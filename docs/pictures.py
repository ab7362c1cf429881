"""Take the manual's pictures: `python docs/pictures.py`, with Chromium on the PATH.

The MkDocs example site is built in a history that is the same each time, and looked at by a
browser without a window: the page for people, the XML with its stylesheet, and what
`sitemapkit check` says after some defects have been planted.
"""

from __future__ import annotations

import html
import os
import shutil
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pages" / "img"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"people": (1100, 900), "stylesheet": (1100, 420), "check": (560, 470)}
"""Width and height of each picture."""

START = datetime(2025, 12, 3, 12, tzinfo=UTC)
TERMINAL = """<!doctype html><meta charset="utf-8">
<body style="margin:0;padding:20px 24px;background:#1d2433;color:#e6e9f0;font:17px/1.45 monospace">
<style>p {{ margin: 0 0 0 4ch; min-height: 1lh; text-indent: -4ch; white-space: pre-wrap }}</style>
{}"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing about it."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


def main() -> None:
    """Build the site and take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        site = build(Path(folder) / "tea")
        lines = ["$ sitemapkit check site", *defects(site).splitlines()]
        shown = "".join(f"<p>{html.escape(line)}</p>" for line in lines)
        (site / "check.html").write_text(TERMINAL.format(shown))
        look(site, {"people": "sitemap.html", "stylesheet": "sitemap.xml", "check": "check.html"})


def build(folder: Path) -> Path:
    """Return the built example site, whose pages have changed one after the other."""
    built = shutil.ignore_patterns("site", "__pycache__")
    shutil.copytree(ROOT / "example-sites" / "mkdocs", folder, ignore=built)
    git(folder, "init", "--quiet")
    for number, page in enumerate(sorted(folder.rglob("*.md"))):
        git(folder, "add", str(page), when=START)
        git(folder, "commit", "--quiet", "-m", "x", when=START + timedelta(days=17 * number))
    config = folder / "mkdocs.yml"
    start = "  - sitemapkit:\n"
    text = config.read_text()
    if start not in text:
        raise SystemExit(f"{config} does not configure the plugin as expected")
    config.write_text(text.replace(start, f"{start}      stylesheet: true\n"))
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "site"


def git(folder: Path, *arguments: str, when: datetime = START) -> None:
    """Run git as nobody in particular, at some time."""
    moment = when.isoformat()
    names = {f"GIT_{who}_NAME": "Nobody" for who in ("AUTHOR", "COMMITTER")}
    mails = {f"GIT_{who}_EMAIL": "nobody@example.org" for who in ("AUTHOR", "COMMITTER")}
    dates = {f"GIT_{who}_DATE": moment for who in ("AUTHOR", "COMMITTER")}
    environment = {**os.environ, **names, **mails, **dates}
    subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True)


def defects(site: Path) -> str:
    """Plant some defects in a copy of the site; return what is found."""
    copy = site.parent / "site-with-defects"
    shutil.copytree(site, copy)
    shutil.rmtree(copy / "leaves" / "dark")
    page = copy / "leaves" / "green" / "index.html"
    noindex = '<head><meta name="robots" content="noindex">'
    page.write_text(page.read_text().replace("<head>", noindex))
    command = [sys.executable, "-m", "sitemapkit_tools", "check", str(copy)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def look(site: Path, pages: dict[str, str]) -> None:
    """Take a picture of each page of a site, as a server on this machine serves it."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise SystemExit(f"none of {', '.join(BROWSERS)} is on the PATH")
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, page in pages.items():
            width, height = SIZES[name]
            command = [
                *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                f"--screenshot={PICTURES / name}.png",
                f"--window-size={width},{height}",
                f"http://127.0.0.1:{server.server_port}/{page}",
            ]
            subprocess.run(command, check=True, capture_output=True)
            print(PICTURES / f"{name}.png")
        server.shutdown()


if __name__ == "__main__":
    main()
