"""What pages show of a text: its title and metadata, its beginning.

These are cuts of a `Part` of a Markdown or reStructuredText file, with front matter in YAML, lines
of `Key: value` or a field list.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.front_matter import front_matter
from textdates.parts.headings import headings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_FIELD = r"(?am)^:?([\w-]+):(.*(?:\n(?:[ \t]+|-[ \t]).*)*)"
"""A name, and its value with the lines that go on with it."""

_NOT_SHOWN = r"""(?mx)
    \bupdated:[^,}\n]* | \bcreated:  # of a post's dates only its creation is shown
    | [T ]\d+:\d\S*([ ][+-]\d+)?  # the time of day
    | ^\s*-\s | [][{}"',|>]  # YAML syntax
    """
"""What of a value lists do not show."""


class Shown(Struct, frozen=True, cache_hash=True):
    """What a list shows of a text, as the cut of a `Part`."""

    names: tuple[str, ...] = ()
    """Names of visible metadata, in lower case; `date` is the publication date."""

    groups: tuple[str, ...] = ()
    """The same, but only `group` is visible, if they have it: the listed pages share it."""

    group: str = ""

    title: bool = True
    """Whether the title is visible: that in the metadata, or else the first heading."""

    text: bool = False
    """Whether a summary is visible: that in the metadata, or else the start of the text."""

    separator: str = ""
    """The separator that ends the beginning, if the text has it."""

    words: int = 0
    """Number of words of the beginning if the text has no separator; 0: all."""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        shown = ("title",) * self.title + self.names + self.groups
        return ", ".join(dict.fromkeys(shown + ("summary",) * self.text))

    def __call__(self, text: str) -> str:
        """Return the visible part, without metadata that the text does not have.

        Raises ValueError for a text without title and metadata: its format is unknown.
        """
        stated, title, body = _parsed(text)
        if not (stated or title):
            raise ValueError("it has no title and no metadata")
        names = (_value(stated.get(name, "")) for name in self.names)
        groups = (f" {_value(stated.get(name, ''))} ".lower() for name in self.groups)
        group = self.group * any(f" {self.group} ".lower() in each for each in groups)
        summary = self.text * stated.get("summary", "")
        text = "" if summary or not self.text else _beginning(body, self.separator, self.words)
        return "\n\n".join(filter(None, (self.title * title, *names, group, summary, text)))


def _beginning(body: str, separator: str, words: int) -> str:
    body = re.sub(r"!\[[^][]*]", "![]", body)  # alternative text is not visible
    if separator and separator in body:
        return body.partition(separator)[0]
    beginning = re.match(rf"(?:\W*\w\S*){{0,{words}}}", body) if words else None
    return beginning[0] if beginning else body


@lru_cache(maxsize=4)  # lists show a text in several ways
def _parsed(text: str) -> tuple[Mapping[str, str], str, str]:
    """Return the metadata of a text, its title there or else its first heading, and its body."""
    start, end = front_matter(text, is_rest=False)
    if not end:
        start, end = front_matter(text, is_rest=True)
    stated = {name.lower(): value for name, value in re.findall(_FIELD, text[start:end])}
    title = stated.get("title", "").strip(" \t\"'")
    headings = () if title else headings_of(text[:start] + text[end:])
    return stated, headings[0][1] if headings else title, text[end:]


@lru_cache(maxsize=64)
def _value(value: str) -> str:
    return " ".join(re.sub(_NOT_SHOWN, " ", value).split())


class Titled(Struct, frozen=True):
    """A text with its title, for pages that show a title from metadata; as a cut."""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return "title and text"

    def __call__(self, text: str) -> str:
        """Return the title, then everything except metadata."""
        _, title, body = _parsed(text)
        return f"{title}\n\n{body}"
