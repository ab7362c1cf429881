"""The links and images of a text: what they show in it, and where they lead."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.rendered import target

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    (?: \s+ ["'(] [^)]{{0,100}} )?  # a title
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

_MARKDOWN_LINKS = (
    ("<", _TAG_WITH_ADDRESS),
    # an image, whose alternative text is not shown
    ("![", rf"!\[[^\[\]]*\](?:{_IN_BRACKETS}|\[(?P<ref>[^\[\]]+)\])"),
    # a link, whose text may have brackets
    ("](", rf"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]{_IN_BRACKETS}"),
    # the definition of a target, but not of a footnote
    ("]:", r"^\[(?!\^)(?P<name>[^\]]+)\]:\s*<?(?P<target>[^\s>]+).*"),
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
    # a role, or a link that ends in an underscore or two
    (">`", rf"({_ROLE})?{_ROLE_WITH_TARGET}(?(1)|_{{1,2}})"),
    (":", _PICTURE),
    # the definition of a target, with a name or without one
    ("_", r"^(?:\.\. _(?:_|`?(?P<name>[^:`]*)`?):|__) (?P<target>\S+)"),
    # a reference to one: text in backquotes, or a word, before an underscore
    (
        "_",
        r"""(?x) `? (?<![\w.-])
        (?P<text> (?<=`)[^`<>]+(?=`) | [^\W_](?:[\w.-]*[^\W_])? )
        `?_ (?P<ref>) (?!\w)""",
    ),
)


class Target(Struct, frozen=True, gc=False):
    """Where a link or an image leads."""

    at: int
    """Its place in the text, in which each link is only what it shows."""

    address: str
    """The address, or `[` and the name that a definition gives to one."""


class Linked(Struct):
    """A text without the markup of links, and what is known of these."""

    text: str
    targets: Sequence[Target] = ()
    """In the order in which they are in the text."""

    defined: dict[str, str] = {}
    """The addresses that it defines, by `[` and their names."""


def read_links(text: str, *, is_rest: bool) -> Linked:
    """Replace links and images by what they show, one kind after the other.

    The order of the kinds counts: what one leaves in the text may be in a link of the next.
    """
    linked = Linked(text)
    kinds = _REST_LINKS if is_rest else _MARKDOWN_LINKS
    for sign, pattern in kinds:
        if sign in linked.text:
            _read_kind(linked, pattern)
    return linked


def _read_kind(linked: Linked, pattern: str) -> None:
    """Replace the links of one kind, and move the targets that are known with the text."""
    text, known = linked.text, deque(linked.targets)
    parts, targets = list[str](), list[Target]()
    read, length = 0, 0  # how much of the text is read, and what is left of that
    for link in re.finditer(pattern, text):
        start, end = link.span()
        while known and known[0].at <= start:
            each = known.popleft()
            targets.append(Target(length + each.at - read, each.address))
        parts.append(text[read:start])
        length += start - read
        read = end
        groups = link.groupdict("")
        shown, address = groups.get("text", "").rstrip(), groups.get("target", "")
        if name := groups.get("name"):
            linked.defined[f"[{name.lower()}"] = target(address)
        elif address and ("ref" in groups or not address.startswith("#")):
            targets.append(Target(length, target(address)))
        elif "ref" in groups:
            name = groups["ref"] or shown
            targets.append(Target(length, f"[{name.lower()}"))
        while known and known[0].at < end:
            each = known.popleft()
            # What the link has beside the text that it shows, such as a title, is not shown.
            if "text" in groups and link.start("text") <= each.at <= link.end("text"):
                place = min(each.at - link.start("text"), len(shown))
                targets.append(Target(length + place, each.address))
        parts.append(shown)
        length += len(shown)
    if not read:
        return
    for each in known:
        targets.append(Target(length + each.at - read, each.address))
    parts.append(text[read:])
    linked.text, linked.targets = "".join(parts), targets
