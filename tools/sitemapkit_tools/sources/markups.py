"""Texts in AsciiDoc, Org and Quarto's Markdown, as what a reader sees of them.

`textdates` compares the lines of a file whose markup it does not know, and the words of Markdown.
So what is here returns lines that only differ where readers see it, and Markdown.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates import Part, file_of
from textdates.parts import Published

if TYPE_CHECKING:
    from textdates import Cut, FileOrPart

_ASCIIDOC = (".adoc", ".asciidoc", ".asc")
_ORG = (".org",)
_QUARTO = (".qmd", ".rmd")

_WITHOUT_FRONT_MATTER = Published(())

_BLOCK_OF_ASCIIDOC = r"(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})\w*$"
_BLOCK_OF_ORG = r"(?i)\s*#\+begin_(src|example|export|verse|comment)\b"
"""The first line of a block in which lines count, or of a comment."""

_COMMENT_OF_ASCIIDOC = r"//(?!/)"
_COMMENT_OF_ORG = r"\s*#(\s|$)"

_CHUNK = r"(?m)^([ \t>]*(?:`{3,}|~{3,}))[ \t]*\{[^{}\n]*\}"
"""The first line of code in Quarto and R Markdown, which may be run."""

_DIV = r"(?m)^[ \t]*:{3,}(.*)$"
_SHOWN_OF_DIV = r"""callout-\w+|(?<=title=)(?:"[^"\n]*"|'[^'\n]*')"""


def as_readers_see(source: FileOrPart) -> FileOrPart:
    """Return a source, or in one of these formats the part of it that readers see."""
    _, suffix = os.path.splitext(file_of(source))  # noqa: PTH122 - text
    suffix = suffix.lower()
    if suffix not in (*_ASCIIDOC, *_ORG, *_QUARTO):
        return source
    if isinstance(source, Part):
        return Part(source.file, InMarkup(suffix, source.cut))
    return Part(source, InMarkup(suffix))


class InMarkup(Struct, frozen=True, cache_hash=True):
    """A text in one of these formats, or a part of it, as the cut of a `Part`."""

    suffix: str
    cut: Cut = _WITHOUT_FRONT_MATTER

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return str(self.cut)

    def __call__(self, text: str) -> str | None:
        """Return what readers see; None if the text does not have this part."""
        part = self.cut(text)
        if part is None:
            return None
        if self.suffix in _QUARTO:
            return _as_markdown(part)
        return _lines(part, is_org=self.suffix in _ORG)


def _lines(text: str, *, is_org: bool) -> str:
    """Return each paragraph in one line, and the lines of code, without comments."""
    block = _BLOCK_OF_ORG if is_org else _BLOCK_OF_ASCIIDOC
    comment = _COMMENT_OF_ORG if is_org else _COMMENT_OF_ASCIIDOC
    shown, words = list[str](), list[str]()
    end, is_hidden = "", False
    for written in [*text.split("\n"), ""]:
        line = written.rstrip()
        if end:
            if line.strip().lower() == end:
                end = ""
            elif not is_hidden:
                shown.append(line)
            continue
        opened = re.match(block, line)
        if line and not opened:
            if not re.match(comment, line):
                words += line.split()
            continue
        if words:
            shown.append(" ".join(words))
            words = []
        if opened:
            mark = opened[1].lower()
            end = f"#+end_{mark}" if is_org else mark
            is_hidden = mark == "comment" or mark.startswith("/")
    return "\n".join(shown)


def _as_markdown(text: str) -> str:
    """Return a text of Quarto with what its blocks show, without how they look."""
    return re.sub(_DIV, _shown_of_div, re.sub(_CHUNK, r"\1", text))


def _shown_of_div(line: re.Match[str]) -> str:
    shown = " ".join(re.findall(_SHOWN_OF_DIV, line[1]))
    return f"\n{shown}\n"
