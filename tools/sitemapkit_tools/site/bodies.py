"""What the bodies of all pages tell together: which are linked, and which show the same text."""

from __future__ import annotations

import re
from collections import defaultdict
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import Struct, field

from sitemapkit.html import read_page
from sitemapkit.urls import resolve_or_none
from sitemapkit.xmltext import unescaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemapkit_tools.site.output_dir import OutputDir

_LINK = re.compile(
    rb"""(?ix) [\s"'] (?: href | src | action | data-href ) \s{0,9} = \s{0,9}
    (?: "([^"<>]{1,2000})" | '([^'<>]{1,2000})' | ([^\s"'<>]{1,2000}) )"""
)
_REFRESH = re.compile(rb"""(?i)\burl\s{0,9}=\s{0,9}["']?([^"'<>\s]{1,2000})""")
_MAIN = tuple(re.compile(rb"(?i)<%b\b" % name) for name in (b"main", b"article", b"body"))
_THEME = re.compile(rb"(?i)<(?P<closing>/?)(?P<name>script|style|nav|header|footer)\b")
_TITLE = re.compile(rb"(?i)<title\b[^<>]{0,200}>([^<]{0,2000})")
_IMAGE = re.compile(rb"(?i)<img\b[^<>]{0,2000}")
_TAG = re.compile(rb"<[^<>]*+>")
_WORD = re.compile(r"\w{2,}")
_FEWEST_WORDS = 3


class Bodies(Struct):
    """What was found in all pages."""

    linked: set[str] = field(default_factory=set[str])
    """The files that another page links to."""

    texts: dict[bytes, list[str]] = field(default_factory=dict[bytes, list[str]])
    """The files of pages by a digest of what they show; those that show no text are not here."""

    def copies(self, among: Iterable[str]) -> Iterator[list[str]]:
        """Yield the files that show the same text, if there are several among these."""
        wanted = set(among)
        for files in self.texts.values():
            found = [file for file in files if file in wanted]
            if len(found) > 1:
                yield found


def read_bodies(tree: OutputDir, files: Iterable[str]) -> Bodies:
    """Read the bodies of pages, each as far as search engines read it.

    A page that cannot be read is left out: that is an issue elsewhere.
    """
    found = Bodies()
    targets: dict[str, set[str]] = defaultdict(set)  # by folder, as most pages of one link the same
    for file in files:
        try:
            html = read_page(tree.path(file))
        except OSError:
            continue
        folder = file.rpartition("/")[0]
        known = targets[folder]
        for link in {*_links(html)}:
            if link in known:
                continue
            target = resolve_or_none(link, tree.url_of(file))
            route = tree.route(target) if target else None
            if route is None:
                known.add(link)
            elif route.file != file:  # else it may be to the page itself
                known.add(link)
                found.linked.add(route.file)
        if key := _text(html):
            found.texts.setdefault(key, []).append(file)
    return found


def _links(html: bytes) -> Iterator[str]:
    """Yield what the elements of a page lead to, without the place in a page."""
    for each in _LINK.finditer(html):
        yield from _target(each[1] or each[2] or each[3])
    if b"http-equiv" in html.lower():
        for each in _REFRESH.finditer(html):
            yield from _target(each[1])


def _target(raw: bytes) -> Iterator[str]:
    link = unescaped(raw.decode("utf-8", "replace")).strip().partition("#")[0]
    if link and not link.startswith(("mailto:", "javascript:", "data:", "tel:")):
        yield link


def _text(html: bytes) -> bytes:
    """Return a digest of the title and the main text of a page; b"" if it shows hardly any."""
    start = next((found.start() for each in _MAIN if (found := each.search(html))), 0)
    end = html.rfind(b"</main") if html[start : start + 5].lower() == b"<main" else -1
    body = _without_theme(html[start : end if end > start else len(html)])
    words = " ".join(unescaped(_TAG.sub(b" ", body).decode("utf-8", "replace")).split())
    if len(_WORD.findall(words[:2_000])) < _FEWEST_WORDS:
        return b""
    title = _TITLE.search(html)
    shown = [title[1] if title else b"", words.encode(), *_IMAGE.findall(body)]
    return blake2b(b"\0".join(shown), digest_size=16).digest()


def _without_theme(body: bytes) -> bytes:
    """Return the HTML without elements that no reader takes for content."""
    kept: list[bytes] = []
    position, skipped = 0, b""
    for tag in _THEME.finditer(body):
        name = tag["name"].lower()
        if not skipped and not tag["closing"]:
            kept.append(body[position : tag.start()])
            skipped = name
        elif tag["closing"] and name == skipped:
            position, skipped = tag.start(), b""
    return b"".join([*kept, b"" if skipped else body[position:]])


def named_in_scripts(tree: OutputDir, urls: Mapping[str, str]) -> set[str]:
    """Return which files of pages a script of the site names, as one that builds a menu does.

    `urls` has their URLs. Indexes of a search name all pages, and do not count.
    """
    names = {file: _names(file, url, tree) for file, url in urls.items()}
    found: set[str] = set()
    for script in sorted(tree.files) if names else ():
        if not script.endswith((".js", ".mjs", ".json")) or "search" in script.lower():
            continue
        text = unquote(tree.read(script, _LONGEST_SCRIPT).decode("utf-8", "replace"))
        found |= {file for file, own in names.items() if any(f"{end}" in text for end in own)}
    return found


_LONGEST_SCRIPT = 2_000_000


def _names(file: str, url: str, tree: OutputDir) -> list[str]:
    path = unquote(url.removeprefix(tree.base_url))
    return [f"{name}{quote}" for name in {file, path} if name for quote in "\"'`"]
