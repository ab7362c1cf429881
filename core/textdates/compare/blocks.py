"""The pieces of a Markdown or reStructuredText source, as separated by white space.

A piece is a line of code, lines that flow together, or a layout marker.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Line = tuple[Literal["text", "more", "code", "item", "break"], int, str]
    """The kind, the indent and the text of a line: `more` flows into the text above."""

_Fence = tuple[str, int, bool]
"""The marker of an open fence, its indent, and whether it is of code, not of a MyST directive."""

_CODE = r"(?:\w*code|code-\w+|parsed-literal|literalinclude|math|raw|test\w+|doctest|mermaid)"
"""A directive whose content is code."""

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,}|:{3,}(?=\{[\w:+.-]+\}|$))[ \t]*(.*)")
"""The marker of a fence, and what follows it: colons are one only before a directive, or alone."""

_OPENING = ("```", "~~~", ":::", "--")
"""What the lines have that open or close a fence or a comment."""

_MYST_DIRECTIVE = re.compile(rf"\{{(?!{_CODE}\}})([\w:+.-]+)\}}(.*)")
MYST_MARKER = r"\s*:(?:start|end)-[a-z]+: .*"
"""An option of MyST's `include`, which may name a comment's mark that opens no comment."""

_CODE_ARGUMENT = re.compile(r"\{(?:literalinclude|math)\}(.*)")
_CODE_TITLE = r"""\btitle=(["'])(.+?)\1"""
OBJECT = r"""(?x: \.\.\ (?:
    \w+:\w+  # of a domain
    | (?:auto)? (?: function | \w*method | class | data | attribute | exception )
    | cmdoption | confval | decorator | describe | envvar | object | option | property | setting
    )\ ?:: )"""
"""A directive that shows its argument as it is."""

_NOTE = r"""(?mx)
    ^ (?P<indent>[ ]*+)
    (?P<directive> \.\.[ ] (?:
        (?: note | tip | hint | important | warning | caution | danger | attention | error
          | seealso ) ::
        | (?P<version> version\w+ | deprecated ) ::[ ]\S++
    ) )
    [ ]++ (?P<text>\S.*) $
    (?! \n [ ]*+ :[\w-]+: )  # an option of it
    (?= \n? (?P<below>[ ]*+) )
    """
"""A directive with text on its line, and the indent of the next one."""

_REST_CODE = rf"""(?x) [ \t]*+ (?:
    \.\.\ {_CODE}\ ?::  # a directive
    | (?!\.\.\ ) .* ::$  # text that ends in two colons
    | (?P<object>{OBJECT})
    )"""
"""What code is below, or more lines of an argument, up to the first empty line."""

_REST_OWN_LINE = re.compile(r"[ ]*(?:\.\.[ ]|__[ ]|:[\w -]+:(?:[ ]|$)|--?\w)")
"""A line of reStructuredText that does not join the one above: a field or an option among it."""

_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)]|#\.)(?:[ \t]+|$)")
_IN_ITEM = 4
"""What is indented by so much is in the item above."""

_QUOTE = re.compile(r"^[ \t]*>[ \t>]*")
_WHOLE_LINE = re.compile(
    r"""[ \t]* (?:
        \#{1,6}\s  # a heading
        | \[[^\]\n]+\]:\s  # the definition of a target
        | :[\w-]+:(?:\s|$)  # an option
        | !!! | [?]{3} | ===  # an admonition, a tab
    )""",
    re.VERBOSE,
)
"""A line of Markdown that joins neither the line above nor the one below."""

_OWN_LINE = re.compile(
    r"""[ ]* (?:
        </?[a-zA-Z!]  # HTML
        | [=\-~^"'+*\#]{2,}$  # a ruler
        | ::: | ///  # a block
    | :[ ]  # a definition of a term
        | \[[^]]+]:$  # the definition of a target whose address is on the next line
    )""",
    re.VERBOSE,
)
"""A line of Markdown that does not join the line above."""

_ROW = re.compile(r"[ ]*\||(?=[^`]*$).*?[ ]\|[ ]")
"""A row of a table, perhaps without a bar at its start; code may have bars, too."""

_MYST_UNSEEN = r" {0,3}(?:%|\+\+\+)"
"""A line of MyST that is a comment, or parts two cells of a notebook."""

_TAG_LINE = re.compile(r"[ \t]*</?[a-zA-Z](?:(?!markdown)[^>])*>")
"""The first line of a block of HTML without Markdown in it, where no indent counts."""

_BLOCK = r"\n[^\S\n]*\n(?=\S)"
"""Ends where a line at the left margin follows a blank one."""

_CONTAINER = re.compile(r"[ \t]*(?:!!!|[?]{3}|===|\[\^|:\s)")
"""The first line of a block that includes the lines below it indented by four."""

_INSIDE = 1_000
"""The indent that a MyST directive adds to its content."""


class Piece(Struct, frozen=True, gc=False):
    """Code, text, or a layout marker: the start of a list item, or a line break."""

    kind: Literal["text", "code", "item", "break"]
    indent: int
    text: str = ""


def pieces_of(text: str, *, is_rest: bool, is_myst: bool = False) -> Iterator[Piece]:
    """Yield the pieces of a text; its first line is at the left margin and not in code."""
    text = text.expandtabs(8 if is_rest else 4)
    if is_rest:
        text = re.sub(_NOTE, _with_text_below, text)
    lines = text.split("\n")
    read = _rest_lines(lines) if is_rest else _markdown_lines(lines, is_myst=is_myst)
    flow, start = list[str](), 0
    for kind, indent, line in read:
        if kind == "more":
            flow.append(line)
            continue
        if flow and kind in ("text", "code"):
            yield _joined(flow, start)
            flow = []
        if kind == "text":
            flow, start = [line], indent
        else:
            yield Piece(kind, indent, line)
    if flow:
        yield _joined(flow, start)


def _joined(flow: Sequence[str], indent: int) -> Piece:
    words = " ".join(flow).split()
    return Piece("text", indent, " ".join(words))


def _with_text_below(note: re.Match[str]) -> str:
    """Return a directive whose text begins on the next line, as that of others does."""
    margin = note["indent"]
    below = note["below"]
    if len(below) <= len(margin):
        below = f"{margin}   "
    gap = "\n" if note["version"] else "\n\n"  # beside a version is a line of text, never a list
    return f"{margin}{note['directive']}{gap}{below}{note['text']}"


def changed_blocks(old: str, new: str, same: int, end: int, *, is_rest: bool) -> tuple[str, str]:
    """Return both texts without the blocks that they share at the start and the end.

    Their lines are the same in the first `same` characters and the last `end`.
    """
    start = _block_start(old[: same + 1], is_rest=is_rest)
    last = max(len(old) - end - 1, 0)
    following = re.compile(_BLOCK).search(old, last)
    rest = len(old) - following.end() if following else 0
    return old[start : len(old) - rest], new[start : len(new) - rest]


def _block_start(text: str, *, is_rest: bool) -> int:
    """Return the start of the last line to read pieces from: not in a block, fence or comment."""
    is_plain = is_rest or not any(mark in text for mark in _OPENING)
    if is_plain and (last := re.match(rf"(?s).*{_BLOCK}", text)):
        return last.end()
    start = above = 0
    fences, in_comment = list[_Fence](), False
    for block in re.finditer(_BLOCK, text):
        part = text[above : block.end()]
        above = block.end()
        if any(mark in part for mark in _OPENING):
            for line in part.split("\n"):
                if in_comment or not (_take_fence(line, fences) or _is_in_code(fences)):
                    in_comment = _is_comment_open_below(line, was_open=in_comment)
        if not fences and not in_comment:
            start = above
    return start


def _take_fence(line: str, fences: list[_Fence]) -> re.Match[str] | None:
    """Open or close a fence of code or a MyST directive, if the line is one."""
    found = _FENCE.match(line)
    if not found:
        return None
    mark, info = found.groups()
    if fences and mark == fences[-1][0] and not info:
        fences.pop()
        return found
    if _is_in_code(fences) or (mark[0] == ":" and not info):
        return None
    is_code = not _MYST_DIRECTIVE.match(info)
    fences.append((mark, _indent(line), is_code))
    return found


def _is_in_code(fences: list[_Fence]) -> bool:
    return bool(fences) and fences[-1][2]


def _is_comment_open_below(line: str, *, was_open: bool) -> bool:
    """Return whether a comment is open below a line; fences and indents in it do not count."""
    if "--" not in line:
        return was_open
    opened = re.sub(rf"`<!--|^{MYST_MARKER}", "", line)
    start = opened.rfind("<!--")
    end = line.rfind("-->")
    return start > end or (was_open and end < 0)


def _shown_above(info: str) -> str:
    """Return what the first line of a fence shows: a directive, an argument, the title of code."""
    if directive := _MYST_DIRECTIVE.match(info):
        return f".. {directive[1]}::{directive[2]}"
    if argument := _CODE_ARGUMENT.match(info):
        return argument[1]
    return f"`{title[2]}`" if (title := re.search(_CODE_TITLE, info)) else ""


def _markdown_lines(lines: Sequence[str], *, is_myst: bool) -> Iterator[Line]:
    fences = list[_Fence]()
    base = opened = block_at = 0
    after_blank = True
    breaks = in_comment = in_html = in_table = False
    in_list = is_myst
    for written in lines:
        line = written.rstrip()
        indent = _indent(line)
        inside = _INSIDE * len(fences)
        if not in_comment and (fence := _take_fence(line, fences)):
            if shown := _shown_above(fence[2]):
                yield "text", inside + indent, shown
            after_blank = breaks = False
            continue
        if _is_in_code(fences):
            margin = fences[-1][1]
            yield "code", inside + margin // _IN_ITEM, line[min(margin, indent) :]
            continue
        if after_blank and indent >= base + 4 and not in_comment:
            yield "code", inside, line[base + 4 :]
            continue
        if not line or (is_myst and re.match(_MYST_UNSEEN, line)):
            after_blank = True
            continue
        in_html = _TAG_LINE.match(line) is not None if after_blank else in_html
        block_at = indent if after_blank and not is_myst else block_at
        may_be_row = in_table or after_blank or is_myst
        in_table = may_be_row and _ROW.match(line) is not None
        item = _ITEM.match(line)
        whole = _WHOLE_LINE.match(line)
        is_own = whole or in_table or _OWN_LINE.match(line) or (opened and indent < base)
        starts = item or is_own or after_blank
        if item:
            # Where no list goes on it is an item only because of the blank line. Below what is
            # further in it is a part of that, however little it is indented itself.
            why = "after a blank line" if after_blank and not in_list else ""
            yield "item", max(indent, block_at - 3), why
            in_list = in_list or after_blank
            base = len(item[0])
            line = line[base:]
        elif starts:
            base = min(indent, base + 3)
            in_list = is_myst or (in_list and indent >= _IN_ITEM)
        elif breaks:
            yield "break", 0, ""
        at = inside if in_html else inside + indent
        yield "text" if starts else "more", at, _QUOTE.sub("", line)
        in_comment = _is_comment_open_below(line, was_open=in_comment)
        opened = 4 if _CONTAINER.match(line) else 0
        base += opened
        after_blank = whole is not None
        breaks = written.endswith("  ")


def _rest_lines(lines: Sequence[str]) -> Iterator[Line]:
    code_below = code_indent = text_indent = doctest = -1
    in_list = in_head = False
    after_blank = True
    margins = [0]  # how deep a block is counts
    for written in lines:
        line = written.rstrip()
        indent = _indent(line)
        if line and (indent <= code_below or (after_blank and in_head)):
            code_below = -1
        if after_blank or not line:
            is_prompt = code_below < 0 and line.startswith(">>> ", indent)
            doctest = indent if is_prompt else -1
        if doctest >= 0:
            yield "code", len(margins) + 1, line[min(indent, doctest) :]
        elif line and code_below >= 0:
            is_first = code_indent < 0
            if line.startswith(":", indent) and not after_blank and (is_first or in_head):
                yield "text", len(margins) + 1, line  # an option
            else:
                code_indent = indent if is_first else code_indent
                blank = "\n" if after_blank and not is_first else ""
                yield "code", len(margins) + 1, blank + line[min(indent, code_indent) :]
        elif line:
            margins = [each for each in margins if each < indent]
            margins.append(indent)
            item = _ITEM.match(line) if after_blank or in_list else None
            if item:
                yield "item", len(margins), ""
            in_list = bool(item) or (in_list and not after_blank)
            starts = item or after_blank or _REST_OWN_LINE.match(line)
            joins = not starts and indent == text_indent
            yield "more" if joins else "text", len(margins), line
            text_indent = len(item[0]) if item else indent
            if "::" in line and (found := re.match(_REST_CODE, line)):
                code_below, code_indent = indent, -1
                in_head = found["object"] is not None
        after_blank = not line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
