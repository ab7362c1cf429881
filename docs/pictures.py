"""Take the manual's pictures: `python docs/pictures.py`, with Chromium on the PATH.

The MkDocs example site is built in a history that is the same each time, and looked at by a
browser without a window: what is in its sitemap and in MkDocs' own, the page for people, the XML
with its stylesheet, and what `sitemapkit diff` says of a change.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

import markdown

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pages" / "img"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {
    "people": (1100, 900),
    "stylesheet": (1100, 420),
    "sitemaps": (560, 330),
    "comment": (860, 330),
}
"""Width and height of each picture."""

START = datetime(2025, 12, 3, 12, tzinfo=UTC)
DAY_OF_THE_BUILD = START + timedelta(days=340)
SITEMAPS = """<!doctype html><meta charset="utf-8">
<style>
  body {{ margin: 0; padding: 16px; font: 17px/1.3 sans-serif; color: #1d2433; background: #fff }}
  table {{ border-collapse: collapse; width: 100% }}
  th, td {{ padding: 7px 8px; border-bottom: 1px solid #d5d9e2 }}
  th, td {{ text-align: left; white-space: nowrap }}
  td:nth-child(2) {{ color: #5a6272 }}
  th:nth-child(3), td:nth-child(3) {{ background: #e9f3ec }}
</style>
<table><tr><th>Page<th>MkDocs' own<th>sitemapkit{}</table>"""
COMMENT = """<!doctype html><meta charset="utf-8">
<body style="margin:0;padding:16px 28px;background:#fff;color:#1f2328;font:16px/1.5 sans-serif">
<style>
h2 {{ margin: 0; padding-bottom: 6px; border-bottom: 1px solid #d1d9e0 }} h3 {{ margin: 12px 0 0 }}
p, ul {{ margin: 8px 0 }} a {{ color: #0969da }} code {{ background: #eff1f3; padding: 2px 5px }}
</style>
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
        (site / "sitemaps.html").write_text(SITEMAPS.format("".join(rows(site.parent))))
        (site / "comment.html").write_text(COMMENT.format(markdown.markdown(changes(site))))
        pages = {"people": "sitemap.html", "stylesheet": "sitemap.xml"}
        look(site, pages | {name: f"{name}.html" for name in ("sitemaps", "comment")})


def build(folder: Path) -> Path:
    """Return the built example site, whose pages have changed one after the other."""
    built = shutil.ignore_patterns("site", "__pycache__")
    shutil.copytree(ROOT / "example-sites" / "mkdocs", folder, ignore=built)
    git(folder, "init", "--quiet")
    for number, page in enumerate(sorted(folder.rglob("*.md"))):
        git(folder, "add", str(page), when=START)
        git(folder, "commit", "--quiet", "-m", "x", when=START + timedelta(days=17 * number))
    config = folder / "mkdocs.yml"
    text = config.read_text()
    plugin = text[text.index("  - sitemapkit:\n") : text.index("draft_docs:")]
    config.write_text(text.replace(plugin, ""))
    mkdocs(folder, "theirs")
    more = f"{plugin.rstrip()}\n      stylesheet: true\n      report: report.json\n\n"
    config.write_text(text.replace(plugin, more))
    mkdocs(folder, "site")
    return folder / "site"


def mkdocs(folder: Path, site: str) -> None:
    """Build the site into a folder of this name, on a day that is the same each time."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", site]
    now = {"SOURCE_DATE_EPOCH": str(int(DAY_OF_THE_BUILD.timestamp()))}
    subprocess.run(command, cwd=folder, env={**os.environ, **now}, check=True)


def git(folder: Path, *arguments: str, when: datetime = START) -> None:
    """Run git as nobody in particular, at some time."""
    moment = when.isoformat()
    names = {f"GIT_{who}_NAME": "Nobody" for who in ("AUTHOR", "COMMITTER")}
    mails = {f"GIT_{who}_EMAIL": "nobody@example.org" for who in ("AUTHOR", "COMMITTER")}
    dates = {f"GIT_{who}_DATE": moment for who in ("AUTHOR", "COMMITTER")}
    environment = {**os.environ, **names, **mails, **dates}
    subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True)


def rows(folder: Path) -> Iterator[str]:
    """Yield a row for each page at the top of the site: its date in both sitemaps, or why none."""
    report: dict[str, Any] = json.loads((folder / "report.json").read_text())
    ours = {page["url"]: f"<i>no: {page['reason']}</i>" for page in report["excluded"]}
    ours |= {page["loc"]: str(page["lastmod"])[:10] for page in report["listed"]}
    base = re.escape(report["base_url"])
    theirs = (folder / "theirs" / "sitemap.xml").read_text()
    for loc, path, day in re.findall(rf"<loc>({base}([\w-]*/?))</loc>\s*<lastmod>(.+)<", theirs):
        yield f"<tr><td>/{path}<td>{day}<td>{ours[loc]}"


def changes(site: Path) -> str:
    """Change the sources, build them anew, and return what `sitemapkit diff` says of it."""
    before = site.parent / "before"
    shutil.copytree(site, before)
    (before / "sitemaps.html").unlink()
    docs = site.parent / "docs"
    (docs / "guide").mkdir()
    git(site.parent, "mv", "docs/leaves/dark.md", "docs/guide/dark.md")
    (docs / "guide" / "cups.md").write_text("# Cups and pots\n\nWarm the cup first.\n")
    with (docs / "leaves" / "green.md").open("a") as file:
        file.write("\nIt is never boiled.\n")
    git(site.parent, "add", "--all", "docs")
    git(site.parent, "commit", "--quiet", "-m", "x", when=START + timedelta(days=200))
    mkdocs(site.parent, "after")
    diff = [
        sys.executable,
        "-m",
        "sitemapkit_tools",
        "diff",
        str(before),
        str(site.parent / "after"),
    ]
    diff += ["--content", "--format", "markdown", "--preview", "https://preview.example.org/"]
    return subprocess.run(diff, capture_output=True, text=True, check=True).stdout


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
