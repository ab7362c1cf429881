"""The metadata of a text, and the title by them above a text that has no heading.

A Markdown or reStructuredText file has front matter in YAML, lines of `Key: value` or a field list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.front_matter import front_matter
from textdates.parts.headings import headings_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FIELD = r"(?am)^:?([\w-]+)(?::|[ \t]*+=)(.*(?:\n(?:[ \t]+|-[ \t]).*)*)"
"""A name, and its value with the lines that go on with it; TOML has an equals sign."""

_TOP = ("#", "=")
"""Marks of headings of the first level in Markdown."""


class Draft(Struct, frozen=True):
    """Metadata that keeps a text from readers until its value is another one."""

    name: str
    values: tuple[str, ...]
    """The values that do, in lower case; a text must state one: settings of today may be new."""


class Headed(Struct, frozen=True):
    """A Markdown text with the title that its page shows if the text has no heading; as a cut."""

    default: str
    """The title of a text that states none; "" if pages show no title."""

    menu: str = ""
    """The title by which menus name the page, in place of a stated one."""

    drafts: tuple[Draft, ...] = ()
    """Metadata with which readers see nothing of it."""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return "title and text"

    def __call__(self, text: str) -> str:
        """Return everything except metadata, below a heading, or nothing of a draft."""
        _, end = front_matter(text, is_rest=False)
        body = text[end:]
        stated = _stated(text[:end])
        if is_draft(stated, self.drafts):
            return ""
        if not self.default or re.match(r"\s*#(?!#)", body) or "<h1" in body:  # as mostly
            return body
        for style, _ in headings_of(body):
            if style in _TOP:
                return body
        title = self.menu or stated_title(stated) or self.default
        return f"# {title}\n\n{body}"


def metadata_of(text: str) -> tuple[Mapping[str, str], tuple[int, int], bool]:
    """Return the metadata of a text that is no HTML, where it states them, and if that is reST."""
    start, end = front_matter(text, is_rest=False)
    is_rest = False
    if not end:
        start, end = front_matter(text, is_rest=True, below_title=True)
        is_rest = end > 0
    return _stated(text[start:end]), (start, end), is_rest


def _stated(metadata: str) -> Mapping[str, str]:
    stated: dict[str, str] = {}
    for name, value in re.findall(_FIELD, metadata):
        stated[name.lower()] = value
    return stated


def stated_title(stated: Mapping[str, str]) -> str:
    """Return the title that metadata state, or ""."""
    title = stated.get("title", "")
    return title.strip(" \t\"'")


def stated_in(text: str) -> Mapping[str, str]:
    """Return the metadata at the top of a text that is no HTML, by their names in lower case."""
    metadata, _, _ = metadata_of(text)
    return {name: value.strip() for name, value in metadata.items()}


def is_draft(stated: Mapping[str, str], drafts: Sequence[Draft]) -> bool:
    """Return whether metadata keep a text from readers."""
    for draft in drafts:
        value = stated.get(draft.name, "").partition("#")[0]
        if value.strip(" \t\n\"'").lower() in draft.values:
            return True
    return False
