"""The words, links and images of a text without its markup."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from string import punctuation
from typing import TYPE_CHECKING

from textdates.compare.blocks import MYST_MARKER, OBJECT, Piece
from textdates.html import target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Patterns that many sites do not need are strings, compiled where they are first used.

_DIRECTIVE = r"""(?x) \.\.\ (?:
    # what only indexes, metadata, roles, authors and other builders use
    (?: index | highlight | meta | post | todo | (?:\w+-)?role | tabularcolumns
    # a module that later objects are in, an author
    | (?:\w+:)?(?:current)?module | (?:section|code|module)author
    )\ ?::
    )"""
_COMMENT = r"""
    \.\.(?: $
    | \ (?! [_|]  # no target, no substitution
          | \[ (?: [\w.:+-]+ | \#[\w.:+-]* | \* ) \]  # no footnote or citation
          | [\w:+.-]+\ ?:: )  # and no directive
    )"""
_UNSHOWN = (_DIRECTIVE, rf"{_DIRECTIVE}|{_COMMENT}")
"""Directives that show nothing, in Markdown and reStructuredText, and comments in the latter."""

_SILENT = r"""(?x) (?:
    \.\.\ _[^:]*:  # the label of a section in reStructuredText
    | \([^\s()]+\)=  # and in MyST
    | [\s|:=+*-]*  # the line below a table's header
    # directives that show their content, but nothing of their own
    | \.\.\ (?: code | code-block | sourcecode | rst-class | cssclass | container )\ ?::.*
    )$"""

_NAME = r"[\w+.-]{1,40}"
_STYLES = r"""(?x: any | attr | class | code | const | data | dfn | doc | download | emphasis
    | envvar | exc | file | guilabel | kbd | literal | macro | member | mod | obj | option
    | program | ref | strong | struct | su[bp] | term | type | var )"""
"""Roles that show their text; the names of all others count, since they may add to it."""

_ROLE = rf"""(?x:
    [:{{] (?:{_NAME}:){{0,2}} (?: {_STYLES} | func | meth ) [:}}]
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
    # a reference to one, by its own text or by a name
    ("[", r"\[(?![!^])(?P<text>[^\[\]]+)\](?:\[(?P<ref>[^\[\]]*)\])?"),
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

_ROLE_TEXT = r"(?<=[}:]`)(?<!:doc:`)(?<!{doc}`)[^`<]+`(?!`)"
_CODE = (
    rf"`(?:(?<![`}}:]`)(`?)(?!`)[^`]+`\1(?!`)|{_ROLE_TEXT})",
    rf"`(?:(?<!``)`(?!`)[^`]+``(?!`)|{_ROLE_TEXT})",
)
"""Inline code in Markdown and reStructuredText, or the text of a role."""

_LONG_NUMBER = re.compile("&#(?=[0-9]{9})0*+([0-9]{0,8})[0-9]*+")
"""The reference to a character by a number that Python may refuse to read, and its first digits."""

_ESCAPED = {ord(sign): f"&#{ord(sign)};" for sign in punctuation if sign != "`"}
"""What is markup in text and shown in code."""

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_UNSEEN = r"<!--|-->|</?(?i:(script|style))\b[^<>]*>?"
_BOX = r"\.\. (?:toctree|tabs?|group-tab|tab-set|tab-item|collapse|dropdown|card|grid[a-z-]*) ?::"
"""A directive that shows what is in it, but not its name."""

_LEADING = re.compile(
    rf"""[\s>]*  # of a quote
    (?: {_BOX.replace(" ", "[ ]")} | (?: [-*+:] | [0-9]{{1,9}}[.)] | \#\. ) \s+ )*  # of items
    (?: \#{{1,6}}\s+ )?  # of a heading
    """,
    re.VERBOSE,
)
"""What begins a line and is no word of it."""

_KINDS = r"note|tip|hint|info|important|warning|caution|danger|attention|error|example|seealso|todo"
_ADMONITION = re.compile(
    rf"""(?:
        # of Python-Markdown, of MyST, of a directive, with a title in quotes or after a bar
        (?: !!! | \?\?\?\+? | :{{3,}} | /{{3,}} | \.\. ) \s* \{{?([a-z]+)\}}? (?: \s?:: )?
        (?: (?: \s+" | \s*\|\s* ) ([^"]*) "? )?
        # of GitHub
        | \[!([a-z]+)\]
        # of plain text, such as **Note:**
        | [*_]{{0,2}} ({_KINDS}) [*_]{{0,2}} \s*::?[*_]{{0,2}}
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_OPTIONS = r"""(?x: align | alt | backlinks | class | emphasize-lines | figclass | figwidth
    | header-rows | height | linenos | name | no-?(?:contents-?entry|index(?:-?entry)?|wrap)
    | scale | stub-columns | widths? )"""
_ATTRIBUTES = re.compile(
    rf"""
    \{{ (?= :?\s*(?: [.\#][\w-] | [\w:-]+= ) ) [^{{}}]* \}}  # a list of attributes
    | (?<!\S) : (?:{_OPTIONS}) : (?: [ ][^:]* | $ )  # an option of a directive
    """,
    re.VERBOSE,
)
"""What sets how something looks."""

_MARKUP = rf"""(?x) [*`~_\\:{{]  # the set that it begins with lets `re` skip all else
    (?: (?<=[*`]) [*`]*  # of emphasis and code
    | (?<=~) ~+  # of what is struck out
    | (?<=\\) ([^\w\s]|_)  # an escaped sign, which is kept
    # an underscore around words, not in one
    | (?<=_) (?: (?<!\w_) _*+(?=\S) | (?<=[^\s_]_) _*+(?!\w) )
    # the name of a role that shows its text
    | (?<=[:{{]) (?:{_NAME}:){{0,2}} (?: {_STYLES}[:}}](?=`) | (?:func|meth)(?=[:}}]`) )
    )"""
"""Signs that readers do not see, once links are read."""

_RULER = re.compile(r"""[=~^"'`*#_+/-]{3,}|:-+:?|-+:|#+""")
"""Lines that separate or underline."""

_NOWHERE = 1_000_000
"""An indent that is never reached."""


def shown_by(pieces: Iterable[Piece], *, is_rest: bool) -> Iterator[Iterable[str]]:
    """Yield the words of each text, and the lines of code; then all link and image targets."""
    targets, defined = list[str](), dict[str, str]()
    for piece in _shown(pieces, is_rest=is_rest):
        if piece.kind == "code":
            yield map(str.rstrip, piece.text.split("\n"))
        else:
            words, found, definitions = _words_and_targets(piece.text, is_rest=is_rest)
            targets += found
            defined.update(definitions)
            yield words
    unused = sorted(f"{name} {defined[name]}" for name in defined.keys() - targets)
    yield "\n", *(defined.get(each, each) for each in targets), *unused  # no word or line is "\n"


def shown_words(
    pieces: Iterable[Piece], *, is_rest: bool
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the words of each visible text or code, and the link and image targets in it."""
    for piece in _shown(pieces, is_rest=is_rest):
        if piece.kind == "code":
            yield piece.text.split(), ()
        else:
            words, targets, _ = _words_and_targets(piece.text, is_rest=is_rest)
            yield words, targets


def _shown(pieces: Iterable[Piece], *, is_rest: bool) -> Iterator[Piece]:
    """Yield the visible code and text; inline code is escaped."""
    hidden_below, directive_at, unseen_to = _NOWHERE, _NOWHERE, ""
    for piece in pieces:
        text, indent = piece.text, piece.indent
        if indent > hidden_below or piece.kind not in ("text", "code"):
            continue
        hidden_below = _NOWHERE
        if piece.kind == "code":
            if not unseen_to:
                yield piece
        elif text.startswith("..") and re.match(_UNSHOWN[is_rest], text):
            hidden_below = indent
        elif indent > directive_at and text.startswith(":") and ":hidden:" in text:
            hidden_below = directive_at
        else:
            if indent <= directive_at:
                directive_at = indent if text.startswith(".. ") else _NOWHERE
            text = _with_code_escaped(text, is_rest=is_rest)
            if not is_rest and (unseen_to or ("<" in text and not re.match(MYST_MARKER, text))):
                text, unseen_to = _without_comments(text, unseen_to)
            yield piece if text is piece.text else Piece("text", indent, text)


def _with_code_escaped(text: str, *, is_rest: bool) -> str:
    if text.startswith("..") and re.match(OBJECT, text):
        return text.translate(_ESCAPED)
    return re.sub(_CODE[is_rest], lambda c: c[0].translate(_ESCAPED), text) if "`" in text else text


def _without_comments(text: str, end: str) -> tuple[str, str]:
    """Return the visible part of a text, and the end marker of a comment or script left open.

    `end` is the end marker of the one open before it.
    """
    shown, start = "", 0
    for mark in re.finditer(_UNSEEN, text):
        name, closes = (mark[1] or "-->").lower(), mark[0].startswith(("-", "</"))
        if closes and name == end:
            end, start = "", mark.end()
        elif not (closes or end):
            shown += text[start : mark.start()]
            end = name
    return shown if end else shown + text[start:], end


@lru_cache(maxsize=256)  # most of a text is the same in both versions
def _words_and_targets(text: str, *, is_rest: bool) -> tuple[list[str], list[str], dict[str, str]]:
    """Return the words of a text, link texts among them, the targets, and those it gives names to.

    In place of the target of a reference is its name.
    """
    targets, defined = list[str](), dict[str, str]()

    def named(link: re.Match[str]) -> str:
        found = link.groupdict("")
        shown, address = found.get("text", "").rstrip(), found.get("target", "")
        if name := found.get("name"):
            defined[f"[{name.lower()}"] = target(address)
        elif "ref" in found or address[:1] not in ("", "#"):
            targets.append(target(address) if address else f"[{(found['ref'] or shown).lower()}")
            shown = f"\ud800{len(targets) - 1};{shown}"  # which no text that was decoded has
        return shown

    for sign, link in _REST_LINKS if is_rest else _MARKDOWN_LINKS:
        if sign in text:
            text = re.sub(link, named, text)
    parts = re.split("\ud800([0-9]+);", text) if targets else [text]
    text = "".join(parts[::2])
    words = _words(text if is_rest else _TAG.sub(" ", text), is_rest=is_rest)
    return words, [targets[int(index)] for index in parts[1::2]], defined


def _words(text: str, *, is_rest: bool) -> list[str]:
    if not text[:1].isalpha():
        text = "" if re.match(_SILENT, text) else _LEADING.sub("", text, count=1)
    if found := _ADMONITION.match(text):
        title = next(filter(None, (found[2], *found.groups())))
        text = f"{title.lower()} {text[found.end() :]}"
    if is_rest:
        text = re.sub(r"(?<!\\)\\\s", "", text)  # a space that only ends the markup before it
        if text.endswith("::"):
            text = text[:-2].rstrip() + ":" * (text[-3:-2].strip() != "")
    text = _ATTRIBUTES.sub("", text)
    if text.count("*") == 1 and not is_rest:  # which opens no emphasis
        text = re.sub(r"(?<!\\)\*", r"\\*", text)
    if "|" in text or "*" in text:
        text = text.replace("\\|", "&#124;").rstrip("| ")  # empty cells may end a row
        text = text if is_rest else re.sub(r"\|(?= ?\|)", " \0", text)
        text = text.replace("|", " ").replace(" * ", " &#42; ") + " \0" * (text.count("*") % 2)
    text = re.sub(_MARKUP, r"\1" if "\\" in text else "", text)
    words = unescape(_LONG_NUMBER.sub(r"&#0\1", text)).split()  # eight digits name none either
    return [word for word in words if word[0].isalpha() or not _RULER.fullmatch(word)]
