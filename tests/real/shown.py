"""What a page shows of its own: the text of its main content, its links and its images."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)
_UNSHOWN = frozenset(["footer", "head", "header", "nav", "noscript", "script", "style", "template"])
_PERMALINK = re.compile(r"\b(headerlink|permalink|toclink-perma)\b")


class Shown(NamedTuple):
    """The words, with the white space of preformatted text, and where links and images lead."""

    text: str
    links: frozenset[str]


def shown_by(file: Path, url: str) -> Shown:
    """Return what a page shows in `main`, else in `article`, else in its body."""
    reader = _Reader(url)
    reader.feed(file.read_text("utf-8", "replace"))
    reader.close()
    place = next((p for p in ("main", "article", "body") if reader.texts[p]), "body")
    return Shown(" ".join("".join(reader.texts[place]).split()), frozenset(reader.links[place]))


class _Reader(HTMLParser):
    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self.open: list[tuple[str, str]] = []
        """The open elements, each with what it makes of its content: a place, `pre`, `unshown`."""

        self.texts: Mapping[str, list[str]] = {"main": [], "article": [], "body": []}
        self.links: Mapping[str, set[str]] = {"main": set(), "article": set(), "body": set()}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        is_unshown = tag in _UNSHOWN or _PERMALINK.search(said.get("class", ""))
        place = "main" if said.get("role") == "main" else tag
        if tag not in _VOID:
            self.open.append((tag, "unshown" if is_unshown else place))
        link = said.get("href" if tag == "a" else "src", "").partition("#")[0]
        if link and not is_unshown:
            for where in self._places():
                target = urljoin(self.url, link)
                self.links[where].add(re.sub("^http:", "https:", target))  # the same page
        self._add(" ")

    def handle_endtag(self, tag: str) -> None:
        self._add(" ")
        names = [name for name, _ in self.open]
        if tag in names:
            del self.open[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if any(what == "pre" for _, what in self.open):
            data = data.rstrip().replace(" ", "\0").replace("\n", "\1")
        self._add(data)

    def _add(self, text: str) -> None:
        for place in self._places():
            self.texts[place].append(text)

    def _places(self) -> list[str]:
        """Return the places that what comes now is shown in."""
        inside = {what for _, what in self.open}
        return [] if "unshown" in inside else [p for p in self.texts if p in {*inside, "body"}]
