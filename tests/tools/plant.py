"""Plants defects in copies of built sites and tells which ones `sitemapkit check` finds.

    python tests/tools/plant.py SITE ...

Each SITE is a directory with a site that has nothing to fix, and a sitemap.xml that is no index.
Exit code 1 says that a planted defect was not found, or something else was.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sitemapkit_tools.site.base_url import find_base
from sitemapkit_tools.site.output_dir import OutputDir

if TYPE_CHECKING:
    from collections.abc import Iterator

URL = re.compile(r"<url>.*?</url>", re.DOTALL)
LOC = re.compile(r"<loc>(.*?)</loc>")
CONSEQUENCES = {"hreflang-not-reciprocal", "slash-style"}
"""Rules that planted defects of others break as well, on some sites."""


@dataclass
class Planted:
    """A copy of a site, and the defects in it as (rule, part of the subject)."""

    root: Path
    base: str
    entries: list[str]
    defects: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    used: int = 0

    def victim(self) -> str:
        """Return the URL of a listed page that has no defect yet."""
        self.used += 1
        return self.loc(-self.used)

    def loc(self, number: int) -> str:
        """Return the URL of an entry."""
        found = LOC.search(self.entries[number])
        assert found
        return found[1]

    def file(self, url: str) -> Path:
        """Return the file of a page."""
        answer = OutputDir.walk(self.root, self.base).route(url)
        assert answer, url
        return self.root / answer.file

    def edit(self, url: str, old: str, new: str) -> None:
        """Change the entry of a page."""
        number = next(n for n in range(len(self.entries)) if f"<loc>{url}</loc>" in self.entries[n])
        self.entries[number] = re.sub(old, new, self.entries[number], count=1)

    def say(self, url: str, head: str) -> None:
        """Add to what the head of a page says; its canonical link goes."""
        file = self.file(url)
        html = re.sub(r"<link[^>]*canonical[^>]*>", "", file.read_text("utf-8", "replace"))
        file.write_text(html.replace("<title", f"{head}<title", 1), "utf-8")

    def write(self) -> None:
        """Write the sitemap."""
        file = self.root / "sitemap.xml"
        head = file.read_text("utf-8").partition("<url>")[0]
        namespace = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
        if "xmlns:xhtml" not in head:
            head = head.replace("<urlset", f"<urlset{namespace}")
        text = head + "\n".join(self.entries) + "\n</urlset>\n"
        file.write_text(text, "utf-8")
        for packed in self.root.glob("sitemap.xml.gz"):
            packed.write_bytes(gzip.compress(text.encode()))


def plant(site: Planted) -> None:
    """Plant thirty defects, one more where the site is at the root of its host."""
    in_pages(site)
    in_urls(site)
    in_values(site)
    in_files(site)


def in_pages(site: Planted) -> None:
    """Plant defects in pages."""
    other = site.loc(0)
    heads = {
        "noindex": '<meta name="robots" content="noindex">',
        "canonical-elsewhere": f'<link rel="canonical" href="{other}">',
        "canonical-dead": f'<link rel="canonical" href="{site.base}there/is/nothing/">',
        "redirect": f'<meta http-equiv="refresh" content="0; url={other}">',
    }
    for rule, head in heads.items():
        url = site.victim()
        site.say(url, head)
        site.defects.append((rule, url))
    for head in ("<META CONTENT=NONE NAME=GOOGLEBOT>", '<meta name="bingbot" content="NoIndex">'):
        url = site.victim()
        site.say(url, head)
        site.defects.append(("noindex", url))
    gone = site.victim()
    site.file(gone).unlink()
    site.defects.append(("missing-page", gone))
    dated = site.victim()
    site.say(dated, '<meta property="article:modified_time" content="2001-02-03T04:05:06Z">')
    site.edit(dated, r"</loc>(<lastmod>.*?</lastmod>)?", "</loc><lastmod>2024-05-06</lastmod>")
    site.defects.append(("date-differs", dated))


def in_urls(site: Planted) -> None:
    """Plant defects in addresses."""
    added = {
        "bad-url": "guide/index.html",
        "unescaped-url": f"{site.base}?q=a b",
        "fragment": f"{site.base}#top",
        "session-id": f"{site.base}?PHPSESSID=1",
        "entity-parameter": f"{site.base}?a=1&amp;copy=2",
        "url-too-long": f"{site.base}?{'x' * 2_048}",
        "wrong-host": "https://staging.example.net/guide/",
        "duplicate-url": site.loc(0),
    }
    for rule, url in added.items():
        site.entries.append(f"<url><loc>{url}</loc></url>")
        site.defects.append((rule, url.replace("&amp;", "&")))
    wrong = "http" if site.base.startswith("https") else "https"
    site.entries.append(f"<url><loc>{wrong}://{site.base.partition('://')[2]}</loc></url>")
    site.defects.append(("wrong-scheme", f"{wrong}://"))
    forgotten = site.loc(1)
    del site.entries[1]
    site.defects.append(("not-listed", forgotten))


def in_values(site: Planted) -> None:
    """Plant defects in what entries say."""
    soon = datetime.now(UTC) + timedelta(days=40)
    values = {
        "bad-priority": "<priority>1.5</priority>",
        "bad-changefreq": "<changefreq>sometimes</changefreq>",
        "unknown-element": "<title>A title</title>",
        "future-date": f"<lastmod>{soon:%Y-%m-%d}</lastmod>",
        "old-date": "<lastmod>1970-01-01</lastmod>",
        "bad-date": "<lastmod>2024-13-45</lastmod>",
        "hreflang-code": link("gr", site.base),
        "hreflang-no-self": link("en", site.base),
        "hreflang-url": link("de", "/de/"),
    }
    for number, (rule, value) in enumerate(values.items(), 1):
        url = site.loc(number)
        old = r"</loc>(<lastmod>.*?</lastmod>)?" if "lastmod" in value else r"</loc>"
        site.edit(url, old, f"</loc>{value}")
        site.defects.append((rule, "title" if rule == "unknown-element" else url))


def link(code: str, href: str) -> str:
    """Return a link to a version in another language."""
    return f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>'


def in_files(site: Planted) -> None:
    """Plant defects around the pages."""
    title = "<html><head><title>An orphan</title></head></html>"
    (site.root / "orphan-page.html").write_text(title)
    site.defects.append(("not-listed", "orphan-page.html"))
    if urlsplit(site.base).path == "/":
        forbidden = urlsplit(site.loc(2)).path
        (site.root / "robots.txt").write_text(f"User-agent: *\nDisallow: {forbidden}\n")
        site.defects += [("robots-disallowed", site.loc(2)), ("robots-no-sitemap", "robots.txt")]
    else:
        (site.root / "robots.txt").write_text("User-agent: *\nDisallow:\n")
        site.defects.append(("robots-not-at-root", "robots.txt"))


def issues(folder: Path, base: str) -> list[dict[str, Any]]:
    """Return what the command finds."""
    command = [sys.executable, "-m", "sitemapkit_tools", "check", str(folder), "--base-url", base]
    done = subprocess.run([*command, "--json"], check=False, stdout=subprocess.PIPE)
    found: list[dict[str, Any]] = json.loads(done.stdout)["issues"]
    return found


def missed(site: Planted, before: set[str]) -> Iterator[str]:
    """Yield the defects that are not found, and rules that are broken beside the planted ones."""
    found = issues(site.root, site.base)
    for rule, subject in site.defects:
        if not any(each["id"] == rule and subject in each["where"] for each in found):
            yield f"not found: {rule} {subject}"
    planted = {rule for rule, _ in site.defects}
    for rule in sorted({each["id"] for each in found} - planted - before - CONSEQUENCES):
        yield f"not planted: {rule}"


def main() -> int:
    """Try each site on the command line."""
    code = 0
    for place in map(Path, sys.argv[1:]):
        base = find_base(OutputDir.walk(place))
        before = {each["id"] for each in issues(place, base)}
        with tempfile.TemporaryDirectory() as folder:
            root = Path(shutil.copytree(place, Path(folder) / "site"))
            entries = URL.findall((root / "sitemap.xml").read_text("utf-8"))
            site = Planted(root, base, entries)
            plant(site)
            site.write()
            wrong = list(missed(site, before))
        code |= bool(wrong)
        found = len(site.defects) - sum(line.startswith("not found") for line in wrong)
        lines = [f"{place.name}: {found} of {len(site.defects)} planted defects found", *wrong]
        sys.stdout.write("\n    ".join(lines) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
