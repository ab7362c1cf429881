"""The words of a text without its markup, and where its links and images lead."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from string import punctuation
from typing import TYPE_CHECKING

from textdates.compare.blocks import MYST_MARKER, OBJECT, Piece
from textdates.compare.links import NAME, STYLES, Links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Words = tuple[Sequence[str], Sequence[str], Mapping[str, str]]
    """Words, link and image targets, and the addresses that definitions give to names."""

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

_ROLE_TEXT = r"(?<=[}:]`)(?<!:doc:`)(?<!:ref:`)(?<!{doc}`)[^`<]+`(?!`)"
_CODE = (
    rf"`(?:(?<![`}}:]`)(`?)(?!`)[^`]+`\1(?!`)|{_ROLE_TEXT})",
    rf"`(?:(?<!``)`(?!`)[^`]+``(?!`)|{_ROLE_TEXT})",
)
"""Inline code in Markdown and reStructuredText, or the text of a role."""

_LONG_NUMBER = re.compile("&#(?=[0-9]{9})0*+([0-9]{0,8})[0-9]*+")
"""The reference to a character by a number that Python may refuse to read, and its first digits."""

_ESCAPED = {ord(sign): f"&#{ord(sign)};" for sign in punctuation if sign != "`"}
"""What is markup in text and shown in code."""

_NAMED = (
    r"(?<=\[)[^\[\]]+(?=\](?!:))",
    r"(?<=`)[^`<>]+(?=`_)|[\w.-]+(?=_)",
)
"""The names of targets in links of Markdown and reStructuredText, not in their definitions."""

_TWO_COLONS = r"(?:(?:^|\s+):|(?<=:)):$"
"""What of `::` at the end of a text above code is not shown: one of them after a word."""

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
        (?: !!! | \?\?\?\+?  # of Python-Markdown
            | :{{3,}}  # of MyST
            | /{{3,}}  # of blocks of PyMdown
            | \.\.  # of a directive
        )
        \s* \{{? (?P<kind>[a-z]+) \}}? (?: \s?:: )?
        (?: (?: \s+" | \s*\|\s* )  # a title in quotes or after a bar
            (?P<title>[^"]*) "?
        )?
        # of GitHub
        | \[! (?P<alert>[a-z]+) \]
        # of plain text, such as **Note:**
        | [*_]{{0,2}} (?P<plain>{_KINDS}) [*_]{{0,2}} \s*::?[*_]{{0,2}}
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_OPTIONS = r"""(?x: align | alt | backlinks | class | emphasize-lines | figclass | figwidth
    | header-rows | height | linenos | name | no-?(?:contents-?entry|index(?:-?entry)?|wrap)
    | scale | stub-columns | titlesonly | widths? )"""
_ATTRIBUTES = re.compile(
    rf"""
    %?\{{ (?= :?\s*(?: [.\#][\w-] | [\w:-]+= ) ) [^{{}}]* \}}%?  # a list of attributes
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
    | (?<=[:{{]) (?:{NAME}:){{0,2}} (?: {STYLES}[:}}](?=`) | (?:func|meth)(?=[:}}]`) )
    )"""
"""Signs that readers do not see, once links are read."""

_RULER = re.compile(r"""[=~^"'`*#_+/-]{3,}|:-+:?|-+:|#+""")
"""Lines that separate or underline."""

_NOTHING = " \0"
"""A word in place of an empty cell."""

_NOWHERE = 1_000_000
"""An indent that is never reached."""


def shown_by(pieces: Iterable[Piece], whole: str, *, is_rest: bool) -> Iterator[Iterable[str]]:
    """Yield the words of each text, and the lines of code; then all link and image targets.

    `whole` is the text that the pieces are of: a target is shown if any link in it has its name.
    """
    targets, defined = list[str](), dict[str, str]()
    for shown, found, definitions in shown_words(pieces, is_rest=is_rest):
        yield shown
        targets += found
        defined.update(definitions)
    reached = [defined.get(each, each) for each in targets]
    unread = sorted(defined.keys() - targets)
    if unread:  # perhaps a link above or below names it
        named = set(re.findall(_NAMED[is_rest], whole.lower()))
        for name in unread:
            if name[1:] in named:
                reached.append(f"{name} {defined[name]}")
    yield ["\n", *reached]  # no word or line is "\n"


def shown_words(pieces: Iterable[Piece], *, is_rest: bool) -> Iterator[Words]:
    """Yield the words of each visible text, the link and image targets in it, and their names.

    Of code these are its lines.
    """
    for piece in _shown(pieces, is_rest=is_rest):
        if piece.kind == "code":
            lines = piece.text.split("\n")
            yield [line.rstrip() for line in lines], (), {}
        else:
            yield _words_and_targets(piece.text, is_rest=is_rest)


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
            continue
        if text.startswith("..") and re.match(_UNSHOWN[is_rest], text):
            hidden_below = indent
            continue
        if indent > directive_at and text.startswith(":") and ":hidden:" in text:
            hidden_below = directive_at
            continue
        if indent <= directive_at:
            directive_at = indent if text.startswith(".. ") else _NOWHERE
        text = _with_code_escaped(text, is_rest=is_rest)
        if not is_rest:
            may_open = "<" in text and not re.match(MYST_MARKER, text)
            if unseen_to or may_open:
                text, unseen_to = _without_comments(text, unseen_to)
        yield Piece("text", indent, text)


def _with_code_escaped(text: str, *, is_rest: bool) -> str:
    if text.startswith("..") and re.match(OBJECT, text):
        return text.translate(_ESCAPED)
    return re.sub(_CODE[is_rest], _escaped, text)


def _escaped(code: re.Match[str]) -> str:
    return code[0].translate(_ESCAPED)


def _without_comments(text: str, end: str) -> tuple[str, str]:
    """Return the visible part of a text, and the end marker of a comment or script left open.

    `end` is the end marker of the one open before it.
    """
    shown, start = "", 0
    for mark in re.finditer(_UNSEEN, text):
        name = (mark[1] or "-->").lower()
        closes = mark[0].startswith(("-", "</"))
        if closes and name == end:
            end, start = "", mark.end()
        elif not closes and not end:
            shown += text[start : mark.start()]
            end = name
    if not end:
        shown += text[start:]
    return shown, end


@lru_cache(maxsize=256)  # most of a text is the same in both versions
def _words_and_targets(text: str, *, is_rest: bool) -> Words:
    """Return the words of a text, link texts among them, the targets, and those it gives names to.

    In place of the target of a reference is its name.
    """
    links = Links(text)
    links.read(is_rest=is_rest)
    text = links.text if is_rest else _TAG.sub(" ", links.text)
    return _words(text, is_rest=is_rest), links.targets, links.defined


def _words(text: str, *, is_rest: bool) -> list[str]:
    """Return the words of a text without links, one kind of markup taken away after the other."""
    if not text[:1].isalpha():
        if re.match(_SILENT, text):
            return []
        text = _LEADING.sub("", text, count=1)
    if found := _ADMONITION.match(text):
        title = found["title"] or found["kind"] or found["alert"] or found["plain"]
        text = f"{title.lower()} {text[found.end() :]}"
    if is_rest:
        text = re.sub(r"(?<!\\)\\\s", "", text)  # a space that only ends the markup before it
        text = re.sub(_TWO_COLONS, "", text)
    text = _ATTRIBUTES.sub("", text)
    if not is_rest and text.count("*") == 1:  # which opens no emphasis
        text = re.sub(r"(?<!\\)\*", r"\\*", text)
    if "|" in text:
        text = text.replace("\\|", "&#124;")
        if not is_rest:
            text = re.sub(r"\| ?(?:&(?:nbsp|#160); ?)?(?=\||$)", _NOTHING, text)
        text = text.rstrip(f"| {_NOTHING}")  # empty cells may end a row
        text = text.replace("|", " ")
    text = text.replace(" * ", " &#42; ")
    text = re.sub(_MARKUP, r"\1" if "\\" in text else "", text)
    # References to characters come last, since what they show is no markup.
    text = unescape(_LONG_NUMBER.sub(r"&#0\1", text))  # eight digits name none either
    return [word for word in text.split() if word[0].isalpha() or not _RULER.fullmatch(word)]
