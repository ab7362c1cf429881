"""Sites as they grow: what commands and generators read, in which everything names everything."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .repository import commit
from .tools.conftest import run, urlset

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Prepare = Callable[[int, Path], Callable[[], object]]

BASE = "https://example.org/"
AT = ("--base-url", BASE)


def put(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def page(number: int, size: int, word: str = "tea") -> str:
    """Return a page that has something for each reader, and links two others and one of none."""
    after = (number + 1) % size
    return (
        f'<!doctype html><html lang="en"><head><title>{word} {number}</title>'
        f'<link rel="canonical" href="{BASE}p{number}.html">'
        f'<link rel="alternate" hreflang="de" href="{BASE}de/p{number}.html">'
        f'<meta name="description" content="of {word} {number}">'
        '<meta property="article:modified_time" content="2024-05-06T07:08:09+00:00">'
        f"</head><body><nav><a href='p0.html'>home</a></nav><main><h1>{word} {number}</h1>"
        f'<p>Words of {word} {number}. <a href="p{after}.html">next</a> <a href="q{number}.html">'
        f'<img src="i{number}.png" srcset="i.png 1x, j{number}.png 2x" style="width: 9px">'
        f'<video poster="a.png"><source src="v{number}.mp4"></video></main></body></html>'
    )


def entry(number: int, place: str = "") -> str:
    return (
        f"<loc>{BASE}{place}p{number}.html</loc><lastmod>2024-05-06</lastmod>"
        "<priority>0.5</priority>"
        f'<xhtml:link rel="alternate" hreflang="en" href="{BASE}p{number}.html"/>'
    )


def site(size: int, folder: Path, word: str = "tea") -> Path:
    """Write a site of pages, files of hosts, and a sitemap of each."""
    for number in range(size):
        put(folder, f"p{number}.html", page(number, size, word))
    put(folder, "index.html", page(0, size, word).replace(f"{BASE}p0.html", BASE))
    put(folder, "sitemap.xml", urlset(*map(entry, range(size))))
    put(folder, "robots.txt", "User-agent: *\n" + "".join(f"Disallow: /q{n}\n" for n in range(9)))
    put(folder, "_redirects", "".join(f"/q{n}.html /p{n}.html 301\n" for n in range(size)))
    put(folder, "_headers", "".join(f"/q{n}\n  X-Robots-Tag: noindex\n" for n in range(size)))
    put(folder, "llms.txt", "# A\n" + "".join(f"- [a]({BASE}p{n}.html)\n" for n in range(size)))
    put(folder, "vercel.json", '{"redirects": []}')
    return folder


def built(*options: str) -> Prepare:
    """Return the build of a site whose pages have texts, in each of which a front matter is."""

    def prepare(size: int, folder: Path) -> Callable[[], object]:
        out = site(size, folder / "out")
        for number in range(size):
            top = "---\ntitle: tea\nsitemap: {priority: 0.5}\n---\n"
            put(folder, f"docs/p{number}.md", f"{top}Words of tea {number}.\n")
        commit(folder)
        return lambda: run("build", out, *AT, "--jobs", 1, *options)

    return prepare


EXTRAS = (
    *("--set", "formats=['xml', 'txt', 'html', 'atom', 'llms']", "--set", "images=true"),
    *("--set", "videos=true", "--set", "news={name='A', language='en', match=['*']}"),
)


def checked(size: int, folder: Path) -> Callable[[], object]:
    """Check a site that also has as many pages without a title."""
    out = site(size, folder)
    for number in range(size):
        put(folder, f"part{number}.html", f"<p>words {number} <a href=p{number}.html>a</a>")
    return lambda: run("check", out, *AT, "--jobs", 1, "--format", "markdown")


def compared(size: int, folder: Path) -> Callable[[], object]:
    """Compare sites in which each page has gone, and another one has its words."""
    old, new = site(size, folder / "old"), site(size, folder / "new", "tee")
    for number in range(size):
        (new / f"p{number}.html").rename(new / f"r{number}.html")
    put(new, "sitemap.xml", urlset(*(f"<loc>{BASE}r{n}.html</loc>" for n in range(size))))

    def work() -> None:
        for form in ("_redirects", "markdown"):
            run("diff", old, new, "--content", "--jobs", 1, "--format", form)

    return work


def merged(size: int, folder: Path) -> Callable[[], object]:
    """Merge as many builds as each has pages."""
    builds = max(2, int(size**0.5))
    for build in range(builds):
        place = f"b{build}/"
        for number in range(builds):
            html = page(number, builds).replace(f"{BASE}p", f"{BASE}{place}p")
            put(folder, f"{place}p{number}.html", html)
        put(folder, f"{place}sitemap.xml", urlset(*(entry(n, place) for n in range(builds))))
    folders = [folder / f"b{build}" for build in range(builds)]
    return lambda: run("merge", *folders, "--out", folder, "--policy", "all", *AT, "--jobs", 1)


def explained(size: int, folder: Path) -> Callable[[], object]:
    """Explain pages by a report of many, with an origin of a date that is long."""
    out = site(3, folder / "out")
    put(out, "p0.html", page(0, 3).replace("<title>", "<meta name=robots content=noindex><title>"))
    file = folder / "report.json"
    run("build", out, *AT, "--report", file, "--jobs", 1)
    report = json.loads(file.read_text("utf-8"))
    report["listed"] *= size
    report["origins"] = {f"{BASE}p2.html": {"lastmod": " of /, commit" * size}}
    file.write_text(json.dumps(report), "utf-8")

    def work() -> None:
        for name in ("p0.html", "p2.html"):
            run("explain", BASE + name, "--report", file)

    return work


def submitted(size: int, folder: Path) -> Callable[[], object]:
    put(folder, "old.xml", urlset(*map(entry, range(size))))
    put(folder, "new.xml", urlset(*map(entry, range(size, 2 * size))))
    put(folder, "key", "a" * 32)
    pending = {"pending": [f"{BASE}p{n}.html" for n in range(size)]}
    put(folder, "state.json", json.dumps(pending))
    given = ("--key-file", folder / "key", "--dry-run")
    return lambda: run("submit", folder / "old.xml", folder / "new.xml", *given)


SITES = {
    "build": built(),
    "build: all formats": built(*EXTRAS),
    "check": checked,
    "diff": compared,
    "merge": merged,
    "explain": explained,
    "submit": submitted,
}
