"""Reads the sitemap and its neighbours; what is wrong with the files themselves is a finding."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

from moments import read_moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from built import Built
    from verdict import Verdict

TAG = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
MAX_URLS, MAX_BYTES = 50_000, 52_428_800
W3C_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d))?")


@dataclass(frozen=True)
class Entry:
    """A `<url>` of the sitemap."""

    loc: str
    lastmod: str | None


def read_sitemap(built: Built, name: str, verdict: Verdict) -> list[Entry]:
    """Return the entries of the sitemap, of all its children if it is an index."""
    root = _read_xml(built, name, verdict)
    if root is None:
        return []
    if root.tag == f"{TAG}sitemapindex":
        return [entry for child in _children(built, root, verdict) for entry in child]
    return _read_urlset(name, root, verdict)


def check_entries(built: Built, entries: Sequence[Entry], verdict: Verdict) -> None:
    """Each entry is there once, and what it says can be true."""
    for loc, count in Counter(entry.loc for entry in entries).items():
        if count > 1:
            verdict.add("twice", loc, f"listed {count} times")
        if not loc.startswith(built.base):
            verdict.add("outside", loc, f"not below {built.base}")
        if not loc.isascii() or re.search(r"[\s\"<>\\^`{|}#]", loc):
            verdict.add("bad-url", loc, "not a percent-encoded URL")
    for entry in entries:
        if entry.lastmod is None:
            continue
        moment = read_moment(entry.lastmod) if W3C_DATE.fullmatch(entry.lastmod) else None
        if moment is None:
            verdict.add("bad-date", entry.loc, f"lastmod {entry.lastmod!r}")
        elif moment.is_future:
            verdict.add("future-date", entry.loc, f"lastmod {entry.lastmod}")


def check_robots(built: Built, name: str, verdict: Verdict) -> None:
    """A robots.txt names the sitemap once; at the top of a host there is one."""
    file = built.root / "robots.txt"
    if not file.exists():
        if urlsplit(built.base).path == "/":
            verdict.add("robots", "robots.txt", "missing, though the site is a host's top level")
        return
    lines = file.read_text("utf-8", "replace").splitlines()
    named = [found[1] for line in lines if (found := re.match(r"(?i)sitemap\s*:\s*(\S+)", line))]
    if named.count(built.base + name) != 1:
        times = named.count(built.base + name)
        verdict.add("robots", "robots.txt", f"names {built.base}{name} {times} times")


def _children(built: Built, index: ET.Element, verdict: Verdict) -> Iterator[list[Entry]]:
    for loc in (child.findtext(f"{TAG}loc", "") for child in index.iterfind(f"{TAG}sitemap")):
        name = unquote(loc.removeprefix(built.base)).removesuffix(".gz")
        if not loc.startswith(built.base) or "/" in name:
            verdict.add("index", loc, "a child lies beside its index")
            continue
        child = _read_xml(built, name, verdict)
        if child is not None:
            yield _read_urlset(name, child, verdict)


def _read_xml(built: Built, name: str, verdict: Verdict) -> ET.Element | None:
    """Return the root of a sitemap file; compare its packed copy, if there is one."""
    file = built.root / name
    try:
        data = file.read_bytes()
        root = ET.fromstring(data)
    except (OSError, ET.ParseError) as error:
        verdict.add("unreadable", name, str(error))
        return None
    if len(data) > MAX_BYTES:
        verdict.add("too-big", name, f"{len(data):,} bytes")
    packed = built.root / f"{name}.gz"
    if packed.exists() and gzip.decompress(packed.read_bytes()) not in (data, _of_packed(data)):
        verdict.add("gzip", packed.name, f"holds something else than {name}")
    return root


def _of_packed(index: bytes) -> bytes:
    """Return an index that names the packed copies of its children."""
    return re.sub(rb"(<sitemap><loc>[^<]+\.xml)</loc>", rb"\1.gz</loc>", index)


def _read_urlset(name: str, root: ET.Element, verdict: Verdict) -> list[Entry]:
    if root.tag != f"{TAG}urlset":
        verdict.add("unreadable", name, f"its root element is {root.tag}")
        return []
    urls = root.findall(f"{TAG}url")
    entries = [Entry(url.findtext(f"{TAG}loc", ""), url.findtext(f"{TAG}lastmod")) for url in urls]
    locs = [entry.loc for entry in entries]
    if locs != sorted(locs):
        verdict.add("order", name, "the entries are not sorted by URL")
    if len(locs) > MAX_URLS:
        verdict.add("too-big", name, f"{len(locs):,} URLs")
    return entries
