"""What lists of pages show of a text: its title and metadata, and perhaps its beginning.

They are cuts of a `Part`: of the text's file in Markdown or reStructuredText, with front matter in
YAML, lines of `Key: value` or a field list.
"""

from __future__ import annotations

import re

from msgspec import Struct

from sitemapkit.lastmod.front_matter import front_matter

_FIELD = re.compile(r"^:?([\w-]+):(.*(?:\n(?:[ \t]+|-[ \t]).*)*)", re.MULTILINE | re.ASCII)
_NOT_SHOWN = re.compile(r"\bupdated:[^,}\n]*|\bcreated:|^[ \t]*-[ \t]|[][{}\"',|>]", re.MULTILINE)
"""In a value: when a post was updated, and the marks of a list or a text in YAML."""

_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(
    r"^\#[ \t]+(.+?)[ \t#]*$ | ^(\w.*)\n([=#*~^\"'+-])\3{2,}[ \t]*$",
    re.MULTILINE | re.VERBOSE,
)


class Shown(Struct, frozen=True):
    """What a list shows of a text, as the cut of a `Part`."""

    names: tuple[str, ...] = ()
    """Names of metadata that show, in lower case; `date` is the day of publication."""

    title: bool = True
    """Whether the title shows: the one in the metadata, else the first heading."""

    text: bool = False
    """Whether a summary shows: the one in the metadata, else the beginning of the text."""

    separator: str = ""
    """The mark at which the beginning ends, where the text has it."""

    words: int = 0
    """How many words the beginning has where the text has no separator; 0: all."""

    def __call__(self, text: str) -> str:
        """Return what shows; metadata that the text does not state are left out.

        Raises ValueError for a text without a title and metadata, whose format is not known.
        """
        start, end = front_matter(text, is_rest=False)
        if not end:
            start, end = front_matter(text, is_rest=True)
        stated = {name.lower(): value for name, value in _FIELD.findall(text[start:end])}
        heading = _HEADING.search(_FENCED.sub("", text[:start] + text[end:]))
        if not (stated or heading):
            raise ValueError("it has no title and no metadata")
        shown = [" ".join(_NOT_SHOWN.sub(" ", stated.get(name, "")).split()) for name in self.names]
        if self.title:
            title = stated.get("title", "").strip(" \t\"'")
            shown.insert(0, title or ((heading[1] or heading[2]) if heading else ""))
        if self.text:
            shown.append(stated.get("summary") or self._beginning(text[end:]))
        return "\n\n".join(filter(None, shown))

    def _beginning(self, body: str) -> str:
        if self.separator and self.separator in body:
            return body.partition(self.separator)[0]
        beginning = re.match(rf"(?:\W*\w\S*){{0,{self.words}}}", body) if self.words else None
        return beginning[0] if beginning else body
