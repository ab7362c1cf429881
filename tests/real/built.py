"""The files of a built site, as a plain web server and a search engine see them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@dataclass
class Html:
    """What a file of the output says about itself."""

    path: str
    noindex: bool = False
    refresh: str = ""
    canonical: str = ""
    title: str = ""
    """The texts of its title and its first-level headings."""

    links: list[str] = field(default_factory=list[str])
    headed: list[str] = field(default_factory=list[str])
    """The links in its headings: what a listing lists."""


@dataclass(frozen=True)
class Built:
    """A built site and the address it will have, which ends in a slash."""

    root: Path
    base: str

    @cached_property
    def pages(self) -> Mapping[str, Html]:
        """The HTML files by their path below the root."""
        files = (file for file in self.root.rglob("*") if file.suffix in (".html", ".htm"))
        paths = sorted(file.relative_to(self.root).as_posix() for file in files)
        return {path: _read(self.root, path) for path in paths}

    def file_of(self, url: str) -> str | None:
        """Return the HTML file that a plain web server would send for `url`."""
        if not self.holds(url):
            return None
        below = _without_scheme(url)[len(_without_scheme(self.base)) :]
        path = unquote(re.split("[?#]", below)[0])
        candidates = (path, f"{path}index.html", f"{path}.html", f"{path}/index.html")
        return next((name for name in candidates if name in self.pages), None)

    def holds(self, url: str) -> bool:
        """Tell whether `url` lies below the base; http and https are one."""
        return _without_scheme(url).startswith(_without_scheme(self.base))

    def target(self, page: Html, link: str) -> str:
        """Return the absolute URL of a link in a page."""
        return urljoin(urljoin(self.base, quote(page.path)), link)

    def leads_elsewhere(self, page: Html, link: str) -> bool:
        """Tell whether a link leads to another page; a URL that no page has leads nowhere."""
        target = self.target(page, link)
        file = self.file_of(target)
        return file != page.path and not (file is None and self.holds(target))

    def linked_files(self, path: str, *, in_headings: bool = False) -> Sequence[str]:
        """Return the other HTML files that a file links to."""
        page = self.pages[path]
        links = page.headed if in_headings else page.links
        files = {self.file_of(self.target(page, link)) for link in links} - {None, path}
        return sorted(file for file in files if file)


_HEADINGS, _UNSEEN = ("h1", "h2", "h3"), ("template", "svg")


def _without_scheme(url: str) -> str:
    return url.partition("://")[2]


def digest(file: Path) -> bytes:
    """Return a digest of the bytes of a file."""
    return hashlib.sha256(file.read_bytes()).digest()


def forbids_indexing(content: str) -> bool:
    """Tell whether the words of a robots element forbid indexing."""
    return bool({"noindex", "none"} & {*re.split(r"[\s,]+", content.lower())})


def _read(root: Path, path: str) -> Html:
    page = Html(path)
    reader = _HtmlReader(page)
    reader.feed((root / path).read_text("utf-8", "replace"))
    reader.close()
    return page


class _HtmlReader(HTMLParser):
    """Fills in an `Html` from the elements of a page."""

    def __init__(self, page: Html) -> None:
        super().__init__()
        self.page = page
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag in (*_HEADINGS, *_UNSEEN, "title"):
            self.inside.append(tag)
        if {*_UNSEEN} & {*self.inside}:
            return
        if tag == "meta":
            self._read_meta(said)
        elif tag == "link" and "canonical" in said.get("rel", "").lower().split():
            self.page.canonical = self.page.canonical or said.get("href", "").strip()
        elif tag == "a" and "href" in said:
            self.page.links.append(said["href"])
            if {*_HEADINGS} & {*self.inside}:
                self.page.headed.append(said["href"])

    def _read_meta(self, said: Mapping[str, str]) -> None:
        name, content = said.get("name", "").lower(), said.get("content", "")
        if name in ("robots", "slurp", "yandex", "baiduspider") or name.endswith("bot"):
            self.page.noindex |= forbids_indexing(content)
        if said.get("http-equiv", "").lower() == "refresh" and ";" in content:
            target = re.sub(r"(?i)^\s*url\s*=\s*", "", content.split(";", 1)[1])
            self.page.refresh = target.strip(" '\"")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] in ("title", "h1"):
            self.page.title += f"{data} "
