"""Which of the files read for a page are included in it, if its generator does not say."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from functools import cache
from itertools import chain
from pathlib import Path
from sysconfig import get_path
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit.lastmod.cuts import Between
from sitemapkit.model import Part

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sitemapkit.model import FileOrPart

INSTALLED = tuple(f"{path}{os.sep}" for path in map(get_path, ("stdlib", "purelib", "platlib")))
"""Folders of installed packages: their files are not texts of the site."""

_MAX_BYTES = 2 * 1024 * 1024
"""How much of a file to compare with the page."""

_MANY_WORDS = 20
"""Minimum number of different unexplained words to report."""

_CODE = (".py", ".pyi", ".pyc")

_DEFINITION = re.compile(r"\[[^]^][^]]*\]:|\*\[[^]]+\]:")
"""A link target or an abbreviation in Markdown, not text of the page."""

_MENTION = re.compile(
    r"""(?:(?<![;-])-+8<-+|\{%-?\s*include(?:-markdown)?)\s+["']
        (https?:[^"'\n]++|[^"'\n:]++) (?::([a-zA-Z][\w-]*+))? [^"'\n]*+["']
        (?:([^{%]{0,500})%\})?""",
    re.VERBOSE,
)
"""A file or URL with a section (pymdownx.snippets) or options (include-markdown)."""

_MARKER = re.compile(r"""\b(start|end)=(["'])(.+?)\2""")


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

    def find(self, own: str, whole: Sequence[str], read: Iterable[str], made: str = "") -> Found:
        """Return what a page includes of the files that were `read` for it.

        `own` is the text of the page's own source, and `whole` are its lines with all inserted
        text. `made` is what plugins such as macros made of it, which may name more files. A file
        counts if one of its lines was inserted. If words remain that no file has, data such as
        tables count too, since they may look different on a page, and URLs, which have no date.
        """
        own_lines = set(own.split("\n"))
        inserted = [line for line in whole if line not in own_lines]
        if not (inserted and (foreign := _lines("\n".join(inserted)) - _lines(own))):
            return Found()
        named = "\n".join((own, made, *self._definitions))
        texts: dict[str, frozenset[str]] = {}
        for path in read:
            if self._is_source(path, chain([named], *texts.values())):
                texts[path] = self._lines_of(path)
        rest = foreign.difference(*texts.values())
        words = _words(rest) - _words([own]) if rest else set[str]()
        paths = [path for path in texts if not path.endswith(self._definitions)]
        files = [path for path in paths if _has_text(texts[path] & foreign)]
        data = [path for path in paths if words and path not in files and self._is_data(path)]
        data += [name for name, *_ in _MENTION.findall(named) if words and "://" in name]
        return Found(_parts([*files, *data], named), len(words) >= _MANY_WORDS and not data)

    def _is_data(self, path: str) -> bool:
        """Return whether it is a file of the site that may look different on a page."""
        is_shown = path.startswith(self._folders) and not path.endswith(_CODE)
        return is_shown and _has_text(self._lines_of(path))

    def _is_source(self, path: str, texts: Iterable[str]) -> bool:
        """Return whether a page may include a file: a hidden one if `texts` name it, no cache."""
        root = next(filter(path.startswith, self._folders), "")
        is_visible = f"{os.sep}." not in path[len(root) - 1 :]
        is_shown = is_visible or any(Path(path).name in text for text in texts)
        return is_shown and not path.startswith(self._outside)


def _lines_of(path: str) -> frozenset[str]:
    try:
        with Path(path).open("rb") as file:
            return _lines(file.read(_MAX_BYTES).decode(errors="replace"))
    except OSError:  # a deleted temporary file
        return frozenset()


def _lines(text: str) -> frozenset[str]:
    """Return the lines with content, without comments; white space does not matter."""
    text = re.sub("<!--.*?-->", "", text, flags=re.DOTALL) if "-->" in text else text
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return frozenset(line for line in lines if len(line) > 3)  # noqa: PLR2004 - too little to tell


def _words(lines: Iterable[str]) -> set[str]:
    return set(re.findall(r"\w+", " ".join(lines)))


def _has_text(lines: Collection[str]) -> bool:
    return not all(map(_DEFINITION.match, lines))


def _parts(files: Iterable[str], text: str) -> Sequence[FileOrPart]:
    """Return the files, or the parts of them that the text of a page names."""
    cuts: dict[str, list[Between]] = defaultdict(list)
    for name, section, options in _MENTION.findall(text):
        markers = {key: marker for key, _, marker in _MARKER.findall(options)}
        if section:
            markers = {key: f"[{key}:{section}]" for key in ("start", "end")}
        cuts[Path(name).name].append(Between(**markers))
    parts = ((file, cut) for file in files for cut in cuts[Path(file).name] or [Between()])
    found = (Part(file, cut) if cut.start or cut.end else file for file, cut in parts)
    return list(dict.fromkeys(found))
