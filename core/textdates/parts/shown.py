"""What pages show of a text: its title and metadata, its beginning; and nothing of a draft.

These are cuts of a `Part` of a Markdown or reStructuredText file, with front matter in YAML, lines
of `Key: value` or a field list; or of an HTML file with `<title>` and `<meta>` elements.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from textdates.compare.blocks import pieces_of
from textdates.compare.links import definitions
from textdates.compare.words import shown_words
from textdates.parts.headed import Draft, is_draft, metadata_of, stated_title
from textdates.parts.headings import headings_of
from textdates.rendered import head_and_body, is_document, words_of_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    _Kind = Literal["markdown", "rest", "html"]

_NOT_SHOWN = r"""(?mx)
    \bupdated:[^,}\n]* | \bcreated:  # of a post's dates only its creation is shown
    | ^[^\S\n]*-\s | [][{}"',|>]  # YAML syntax
    """
"""What of a value lists do not show."""

_DAY = re.compile(
    r"""(?i)\b (?:
        (?P<year>\d{4}) (?P<sign>[-/.]?) (?P<month>\d\d?) (?P=sign) (?P<day>\d\d?)
        | (?P<day2>\d\d?)(?:st|nd|rd|th)? [ ] (?P<name>[a-z]{3})[a-z]*[.]? [ ] (?P<year2>\d{4})
        | (?P<name2>[a-z]{3})[a-z]*[.]? [ ] (?P<day3>\d\d?)(?:st|nd|rd|th)? [ ] (?P<year3>\d{4})
    ) (?: \b | (?=T\d) )  # before a time""",
    re.VERBOSE,
)
"""A day in one of its spellings; commas are already gone."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_COUNTED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w[\w'-]*")
"""What generators count as a word: each sign of a script without spaces is one."""


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
    """Number of visible words of the beginning if the text has no separator; 0: all."""

    drafts: tuple[Draft, ...] = ()
    """Metadata with which the list does not show the text."""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        shown = [*self.names, *self.groups]
        if self.title:
            shown.insert(0, "title")
        if self.text:
            shown.append("summary")
        return ", ".join(dict.fromkeys(shown))

    def __call__(self, text: str) -> str:
        """Return the visible part, without metadata that the text does not have.

        Raises ValueError for a text without title and metadata: its format is unknown.
        """
        stated, title, body, kind = _parsed(text)
        if not stated and not title:
            raise ValueError("it has no title and no metadata")
        if is_draft(stated, self.drafts):
            return ""
        shown: list[str] = []
        if self.title:
            shown.append(title)
        for name in self.names:
            value = _value(stated.get(name, ""), is_day=name == "date")
            shown.append(value)
        if self._is_in_group(stated):
            shown.append(self.group)
        if self.text:
            summary = stated.get("summary", "")
            shown.append(summary or _beginning(body, self.separator, self.words, kind))
        return "\n\n".join(filter(None, shown))

    def _is_in_group(self, stated: Mapping[str, str]) -> bool:
        group = f" {self.group} ".lower()
        for name in self.groups:
            value = _value(stated.get(name, ""))
            if group in f" {value} ".lower():
                return True
        return False


@lru_cache(maxsize=4)  # most lists show the same of it
def _beginning(body: str, separator: str, words: int, kind: _Kind) -> str:
    """Return the text up to the separator, or its first words without what nobody sees.

    The lines that say where links in it lead may be anywhere below.
    """
    if separator and separator in body:
        shown, _, rest = body.partition(separator)
        return "\n\n".join([shown, *definitions(rest, is_rest=kind == "rest").values()])
    if words:
        return _first_words(body, words, kind)
    return body


def _first_words(body: str, most: int, kind: _Kind) -> str:
    """Return the first visible words of a text, and the link targets of their paragraphs."""
    lines = definitions(body, is_rest=kind == "rest")
    shown, count = list[str](), 0
    for words, targets in _words_of(body, kind):
        for word in words:
            if count >= most:
                break
            count += len(_COUNTED.findall(word))
            shown.append(word)
        shown += [lines.get(each, each) for each in targets]
        if count >= most:
            break
    return " ".join(shown)


def _words_of(body: str, kind: _Kind) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the words of each text, and the link and image targets in it."""
    if kind == "html":
        yield words_of_html(body), ()
        return
    is_rest = kind == "rest"
    pieces = pieces_of(body, is_rest=is_rest)
    for words, targets, _ in shown_words(pieces, is_rest=is_rest):
        yield words, targets


@lru_cache(maxsize=4)  # lists show a text in several ways
def _parsed(text: str) -> tuple[Mapping[str, str], str, str, _Kind]:
    """Return the metadata of a text, its title there or else its first heading, and its body.

    The last is its kind, which the way tells in which it states its metadata.
    """
    if is_document(text):
        stated, body = head_and_body(text)
        return stated, stated.get("title", ""), body, "html"
    stated, (start, end), is_rest = metadata_of(text)
    body = text[end:]
    title = stated_title(stated)
    if not title:
        headings = headings_of(text[:start] + body)
        title = headings[0][1] if headings else ""
    return stated, title, body, "rest" if is_rest else "markdown"


@lru_cache(maxsize=64)
def _value(value: str, *, is_day: bool = False) -> str:
    """Return a value as a list shows it; a date is a day, however it is spelled, without a time."""
    words = re.sub(_NOT_SHOWN, " ", value).split()
    shown = " ".join(words)
    day = _DAY.search(shown) if is_day else None
    return _day(day) if day else shown


def _day(found: re.Match[str]) -> str:
    year = found["year"] or found["year2"] or found["year3"]
    day = found["day"] or found["day2"] or found["day3"]
    month = found["month"]
    if not month:
        name = found["name"] or found["name2"]
        if name.lower() not in _MONTHS:
            return found[0]
        month = _MONTHS.index(name.lower()) + 1
    return f"{year}-{int(month):02}-{int(day):02}" if int(month) else found[0]


class Published(Struct, frozen=True):
    """A whole text, unless it is a draft; as a cut."""

    drafts: tuple[Draft, ...]
    """Metadata with which readers see nothing of it."""

    names: tuple[str, ...] = ()
    """Names of visible metadata, in lower case."""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return ", ".join((*self.names, "text"))

    def __call__(self, text: str) -> str:
        """Return visible metadata, then everything except metadata; nothing of a draft."""
        if is_document(text):
            stated, body = head_and_body(text)
        else:
            stated, (start, end), _ = metadata_of(text)
            body = text[:start] + text[end:]
        if is_draft(stated, self.drafts):
            return ""
        shown: list[str] = []
        for name in self.names:
            if value := _value(stated.get(name, "")):
                shown.append(value)
        return "\n\n".join([*shown, body])
