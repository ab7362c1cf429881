"""Which of the files read for a page are included in it, if its generator does not say."""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from functools import cache
from itertools import chain
from pathlib import Path
from sysconfig import get_path
from typing import TYPE_CHECKING, NamedTuple

from textdates.bounds import read_file
from textdates.budget import MAX_TEXT
from textdates.git.worktrees import PACKAGES
from textdates.model import Part
from textdates.parts.between import Between

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from textdates.model import FileOrPart

_PACKAGES = [path for path in sys.path if path.endswith(PACKAGES)]
STANDARD = os.path.join(get_path("stdlib"), "")  # noqa: PTH118
"""Folder of the standard library."""

INSTALLED = (STANDARD, *(os.path.join(path, "") for path in _PACKAGES))  # noqa: PTH118
"""Folders of installed packages: their files are not texts of the site."""

_MANY_WORDS = 20
"""Minimum number of different unexplained words to report."""

_TELLING = 4
"""Minimum length of a line that is not everywhere."""

_CODE = (".py", ".pyi", ".pyc")

_DEFINITION = re.compile(r"\[[^]^][^]]*\]:|\*\[[^]]+\]:")
"""A link target or an abbreviation in Markdown, not text of the page."""

_SNIPPET = re.compile(
    r"""(?<![;-]) -+8<-+ \s+ ["']  # scissors, unless escaped
    ( https?:[^"'\n]++ | [^"'\n:]++ )
    (?: :([a-zA-Z][\w-]*+) )?  # the name of a section, not a range of lines
    [^"'\n]*+ ["']""",
    re.VERBOSE,
)
"""A file or URL of pymdownx.snippets, and the name of a section of it."""

_INCLUDE = re.compile(
    r"""\{%-? \s*include(?:-markdown)?\s+
    ["'] ([^"'\n]++) ["']
    (?: ([^{%]{0,500}) %\} )?""",
    re.VERBOSE,
)
"""A file or URL of Jinja or include-markdown, and the options of the latter."""

_WHOLE = Between()

_MARKER = re.compile(r"""\b(start|end)=(["'])(.+?)\2""")


def is_installed(file: str) -> bool:
    """Return whether a file is of an installed package or of the standard library."""
    return file.startswith(INSTALLED)


class Found(NamedTuple):
    """What a page includes."""

    included: Sequence[FileOrPart] = ()
    """Files, and sections of them."""

    unexplained: bool = False
    """Whether many different words of the page are neither its own nor in a file it read."""


class IncludeFinder:
    """Finds the files that pages include; reads each file once for all pages."""

    def __init__(
        self, folders: Iterable[str], output: str, definitions: Sequence[str] = ()
    ) -> None:
        """Set the folders of the site's sources, and its output, to ignore.

        Files with names ending in one of `definitions` are added to each page, and do not count.
        """
        self._folders = tuple(f"{folder}{os.sep}" for folder in folders)
        self._outside = (*INSTALLED, f"{output}{os.sep}")
        self._definitions = tuple(name.lstrip("./") for name in definitions)
        self._lines_of = cache(_lines_of)

    def find(
        self, source: str, lines: Sequence[str], files: Iterable[str], expanded: str = ""
    ) -> Found:
        """Return what a page includes of the `files` that were read while it was rendered.

        `source` is the text of the page's own file, `expanded` what plugins such as macros made of
        it, which may name more files, and `lines` are those of the final Markdown.

        A file counts if one of its lines was inserted. If words remain that no file has, data such
        as tables count too, since they may look different on a page, and URLs, which have no date.
        """
        inserted = _inserted(lines, source)
        foreign = _lines("\n".join(inserted))
        if foreign:
            foreign -= _lines(source)
        if not foreign:
            return Found()
        naming = "\n".join((source, expanded, *self._definitions))
        texts = self._texts(files, naming)
        included: list[str] = []
        others: list[str] = []
        for path, text in texts.items():
            if path.endswith(self._definitions):
                continue
            if _is_shown(text, foreign, inserted):
                included.append(path)
            else:
                others.append(path)
        unexplained = _words(foreign.difference(*texts.values()))
        if unexplained:
            unexplained -= _words([source])
            for path in included:
                unexplained -= _words(texts[path])
        if not unexplained:
            return Found(_parts(included, naming))
        data = [path for path in others if self._is_data(path)]
        data += [name for name, _ in mentions(naming) if "://" in name]
        is_unexplained = len(unexplained) >= _MANY_WORDS and not data
        return Found(_parts([*included, *data], naming), is_unexplained)

    def _texts(self, files: Iterable[str], naming: str) -> Mapping[str, frozenset[str]]:
        """Return the lines of the files that a page may include, by their paths.

        A hidden file, as in a cache, is one only if the page or a file before it names it.
        """
        texts: dict[str, frozenset[str]] = {}
        for path in files:
            if path.startswith(self._outside):
                continue
            root = next(filter(path.startswith, self._folders), "")
            below = path[len(root) - 1 :]
            is_hidden = f"{os.sep}." in below
            if not is_hidden or _is_named(Path(path).name, naming, texts):
                texts[path] = self._lines_of(path)
        return texts

    def _is_data(self, path: str) -> bool:
        """Return whether it is a file of the site that may look different on a page."""
        if not path.startswith(self._folders) or path.endswith(_CODE):
            return False
        return _has_text(self._lines_of(path))


def _is_named(name: str, naming: str, texts: Mapping[str, Iterable[str]]) -> bool:
    if name in naming:
        return True
    lines = chain.from_iterable(texts.values())
    return any(name in line for line in lines)


def _inserted(lines: Sequence[str], source: str) -> Sequence[str]:
    """Return the lines of a page that are not in its own file."""
    own = {line.strip() for line in source.split("\n")}
    inserted: list[str] = []
    for written in lines:
        line = written.strip()
        if line not in own:
            inserted.append(line)
    return inserted


def _lines_of(path: str) -> frozenset[str]:
    try:
        text = read_file(path, MAX_TEXT, cut=True)
    except OSError:  # a deleted temporary file
        return frozenset()
    return _lines(text.decode(errors="replace"))


def _lines(text: str) -> frozenset[str]:
    """Return the lines without comments; white space does not matter.

    Very short lines are everywhere, and count only where there are no others.
    """
    if "-->" in text:
        text = _without_comments(text)
    short, long = set[str](), set[str]()
    for written in text.split("\n"):
        line = " ".join(written.split())
        if len(line) >= _TELLING:
            long.add(line)
        elif re.search(r"\w", line):
            short.add(line)
    return frozenset(long or short)


def _without_comments(text: str) -> str:
    shown, at = "", 0
    while True:
        start = text.find("<!--", at)
        end = text.find("-->", start)
        if start < 0 or end < 0:
            return shown + text[at:]
        shown += text[at:start]
        at = end + len("-->")


def _is_shown(lines: frozenset[str], foreign: frozenset[str], inserted: Sequence[str]) -> bool:
    """Return whether a line of a file is among the `foreign` ones, or all are among `inserted`."""
    if _has_text(lines & foreign):
        return True
    return _has_text(lines) and lines.issubset(inserted)


def _words(lines: Iterable[str]) -> set[str]:
    text = " ".join(lines)
    return set(re.findall(r"\w+", text))


def _has_text(lines: Collection[str]) -> bool:
    return not all(map(_DEFINITION.match, lines))


def _parts(files: Iterable[str], text: str) -> Sequence[FileOrPart]:
    """Return the files, or the parts of them that the text of a page names."""
    cuts: dict[str, list[Between]] = defaultdict(list)
    for name, cut in mentions(text):
        cuts[Path(name).name].append(cut)
    parts: dict[FileOrPart, None] = {}
    for file in files:
        for cut in cuts[Path(file).name] or [_WHOLE]:
            part = file if cut == _WHOLE else Part(file, cut)
            parts[part] = None
    return list(parts)


def mentions(text: str) -> Iterator[tuple[str, Between]]:
    """Yield the files and URLs that a text names, and what is to be shown of each."""
    for name, section in _SNIPPET.findall(text):
        if section:
            yield name, Between(f"[start:{section}]", f"[end:{section}]")
        else:
            yield name, _WHOLE
    for name, options in _INCLUDE.findall(text):
        markers: dict[str, str] = {}
        for option, _, marker in _MARKER.findall(options):
            markers[option] = marker
        yield name, Between(**markers)
