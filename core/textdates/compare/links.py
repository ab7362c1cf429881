"""The links and images of a text: what they show in it, and where they lead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from textdates.rendered import target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAME = r"[\w+.-]{1,40}"
"""The name of a domain or a role."""

STYLES = r"""(?x: any | attr | class | code | const | data | dfn | doc | download | emphasis
    | envvar | exc | file | guilabel | kbd | literal | macro | member | mod | obj | option
    | program | ref | strong | struct | su[bp] | term | type | var )"""
"""Roles that show their text; the names of all others count, since they may add to it."""

_ROLE = rf"""(?x:
    [:{{] (?:{NAME}:){{0,2}} (?: {STYLES} | func | meth ) [:}}]
    | (?<=[:}}])  # of another role its end
    )"""
_ADDRESS = r"""(?x: <? (?P<target>
    [^\s<>()]* (?: \( [^\s()]* \) [^\s<>()]* )*  # it may have parentheses, in pairs
    ) >? )"""
_IN_BRACKETS = rf"""(?x: \( \s* {_ADDRESS}
    (?: \s+ (?: "[^"]*+" | '[^']*+' | \([^()]*+\) ) )?  # a title
    \s* \) )"""
_TAG_WITH_ADDRESS = r"""(?x)
    < [a-zA-Z] (?=[^<>]*>)  # once, since there may be many of these
    [^<>]*? \b(?:href|src) \s*=\s* ["']? (?P<target> [^\s"'<>]+ ) [^<>]* >"""
_PICTURE = r"""(?x) [.:] (?:
    (?<=^.) \.\ (?: \|(?P<name>.*?)\|\ )? (?: image | figure )\ ?::  # perhaps of a substitution
    | (?<=\B:) target:  # where it leads
    ) \ * (?P<target>\S+)"""
_DOCUMENT = r"`(?:[^`<>]*/(?!index`))?(?P<text>[^`<>/]+(?:/index)?)`"
"""A document that shows its title: its name without folders, except that of an index."""

_ROLE_WITH_TARGET = r"`(?P<text>[^`<]*)<(?P<target>[^`<>]+)>`"

_DEFINITION = {
    False: r"^\[(?!\^)(?P<name>[^\]\n]+)\]:\s*<?(?P<target>[^\s>]+).*",
    True: r"^(?:\.\. +_(?:_|`?(?P<name>[^:`\n]*)`?):|__) (?P<target>\S+)",
}
"""A line that gives a name to an address; whether it is reStructuredText."""

_MARKDOWN_LINKS = (
    # the definition of a target, but not of a footnote
    ("]:", _DEFINITION[False]),
    ("<", _TAG_WITH_ADDRESS),
    # an image, whose alternative text is not shown
    ("![", rf"!\[[^\[\]]*\](?:{_IN_BRACKETS}|\[(?P<ref>[^\[\]]+)\])"),
    # a link, whose text may have brackets
    ("](", rf"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]{_IN_BRACKETS}"),
    # a reference to one, by its own text or by a name; its text is empty where it was an image
    (
        "[",
        r"""(?x) \[ (?![!^]) (?P<text> [^\[\]]+ | (?=\]\[[^\[\]]) ) \]
        (?: \[ (?P<ref>[^\[\]]*) \] )?""",
    ),
    # an address that is its own text: of the web, or of e-mail
    ("<", r"<(?P<text>(?P<target>[a-zA-Z][a-zA-Z0-9+.-]*:[^\s<>]+|[^\s<>@]+@[^\s<>@]+))>"),
    # elements that belong to the words, not to the layout
    ("<", r"</?(?:a|abbr|b|code|del|em|i|ins|kbd|mark|s|small|span|strong|su[bp]|u)\b[^<>]*>"),
    (">`", _ROLE + _ROLE_WITH_TARGET),
    (":", _PICTURE),
)
"""Links and images, each with a part that is quickly found."""

_REST_LINKS = (
    (":doc:", f":doc:{_DOCUMENT}"),
    (":ref:", r":ref:`(?P<target>[^`<>]+)`"),
    # a role, or a link that ends in an underscore or two
    (">`", rf"({_ROLE})?{_ROLE_WITH_TARGET}(?(1)|_{{1,2}})"),
    (":", _PICTURE),
    # the definition of a target, with a name or without one
    ("_", _DEFINITION[True]),
    # a reference to one: text in backquotes, or a word, before an underscore
    (
        "_",
        r"""(?x) `? (?<![\w.-])
        (?P<text> (?<=`)[^`<>]+(?=`) | [^\W_](?:[\w.-]*[^\W_])? )
        `?_ (?P<ref>) (?!\w)""",
    ),
)


def definitions(text: str, *, is_rest: bool) -> Mapping[str, str]:
    """Return the lines that give names to addresses, by `[` and the name."""
    lines: dict[str, str] = {}
    for line in re.finditer(_DEFINITION[is_rest], text, re.MULTILINE):
        if name := line["name"]:
            lines[f"[{name.lower()}"] = line[0]
    return lines


class Links:
    """The links and images of one text."""

    def __init__(self, text: str) -> None:
        """Begin with none of them read."""
        self.text: str = text
        """The text, in which each link that was read is only what it shows."""
        self.defined: dict[str, str] = {}
        """The addresses that it gives names to, by `[` and the name."""
        self._places: Sequence[int] = range(len(text))
        """Where each character of the text was before any link was read."""
        self._targets: list[tuple[int, str]] = []

    @property
    def targets(self) -> Sequence[str]:
        """Where the links lead, in their order in the text.

        In place of an address there may be `[` and the name that a definition gives to it.
        """
        return [address for _, address in sorted(self._targets)]

    def read(self, *, is_rest: bool) -> None:
        """Replace links and images by what they show, one kind after the other.

        The order of the kinds counts: what one leaves in the text may be in a link of the next.
        """
        kinds = _REST_LINKS if is_rest else _MARKDOWN_LINKS
        for sign, pattern in kinds:
            if sign in self.text:
                self._read_kind(pattern)

    def _read_kind(self, pattern: str) -> None:
        text, places, read = "", list[int](), 0
        for link in re.finditer(pattern, self.text):
            start = link.start()
            place = self._places[start]
            found = link.groupdict("")
            shown = found.get("text", "").rstrip()
            address = found.get("target", "")
            if name := found.get("name"):
                self.defined[f"[{name.lower()}"] = target(address)
            elif address and ("ref" in found or not address.startswith("#")):
                self._targets.append((place, target(address)))
            elif "ref" in found:
                name = found["ref"] or shown
                self._targets.append((place, f"[{name.lower()}"))
            text += self.text[read:start] + shown
            places += self._places[read:start]
            if shown:
                at = link.start("text")
                places += self._places[at : at + len(shown)]
            read = link.end()
        if read:
            self.text = text + self.text[read:]
            self._places = [*places, *self._places[read:]]
