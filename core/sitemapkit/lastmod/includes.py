"""Which of the files that were read for a page stand on it, where its generator does not say."""

from __future__ import annotations

import os
import re
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from sitemapkit.model import Part

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sitemapkit.model import FileOrPart

INSTALLED = tuple(
    f"{sysconfig.get_path(name)}{os.sep}" for name in ("stdlib", "purelib", "platlib")
)
"""Folders of installed packages: no file in them is a text of the site."""

_MAX_BYTES = 2 * 1024 * 1024
"""How much of a file is compared with the page."""

_MANY_WORDS = 20
"""How many different words that no file explains are worth a remark."""

_CODE = (".py", ".pyi", ".pyc")

_DEFINITION = re.compile(r"\[[^]^][^]]*\]:|\*\[[^]]+\]:")
"""A link target or an abbreviation in Markdown, which is no text on the page."""

_SNIPPET = re.compile(r'-8<-+[ \t]+"([^"\n:]+)(?::([a-z][\w-]*))?[^"\n]*"', re.IGNORECASE)
"""A file and its section in the syntax of pymdownx.snippets."""

_INCLUDE = re.compile(r"""\{%-?\s*include(?:-markdown)?\s+["']([^"']+)["']([^%]*)%\}""")
"""A file and the options in the syntax of the MkDocs plugin include-markdown, and of Jinja."""

_MARKER = re.compile(r"""\b(start|end)=(["'])(.*?)\2""")

_URL = re.compile(r"""(?:-8<-+|\{%-?\s*include(?:-markdown)?)\s+["'](https?://[^"']+)""")


class Found(NamedTuple):
    """What a page takes in."""

    included: Sequence[FileOrPart] = ()
    """Files and parts of them; also URLs, which git does not know."""

    unexplained: bool = False
    """Whether many different words of the page are neither its own nor in a file that was read."""


class Between(Struct, frozen=True):
    """Cuts what is between two markers out of a text, each time that they are there."""

    start: str
    end: str

    def __call__(self, text: str) -> str | None:
        """Return it: without a start from the beginning, without an end to the end."""
        _, *sections = text.split(self.start) if self.start else ("", text)
        shown = [section.partition(self.end)[0] if self.end else section for section in sections]
        return "".join(shown) if shown else None


class IncludeFinder:
    """Finds the files whose text pages take in; each file is read once for all pages."""

    def __init__(
        self, folders: Iterable[str], output: str, definitions: Sequence[str] = ()
    ) -> None:
        """Take the folders of the site's sources, and its output, whose files are none.

        Files whose names end in one of `definitions` are put on each page, and do not count.
        """
        self._folders = [f"{folder}{os.sep}" for folder in folders]
        self._outside = (*INSTALLED, f"{output}{os.sep}")
        self._definitions = tuple(name.lstrip("./") for name in definitions)
        self._texts: dict[str, frozenset[str]] = {}

    def find(self, own: str, whole: Sequence[str], read: Iterable[str]) -> Found:
        """Return what a page takes in of the files that were `read` for it.

        `own` is the text of the page's own source, and `whole` are the lines with all that was
        inserted. A file counts if a line of it was inserted. Where words remain that no file has,
        data such as tables count as well, since they may look different on a page.
        """
        own_lines = set(own.split("\n"))
        inserted = [line for line in whole if line not in own_lines]
        if not (inserted and (foreign := _lines("\n".join(inserted)) - _lines(own))):
            return Found()
        paths = [path for path in read if not path.startswith(self._outside)]
        known = [self._lines_of(path) for path in paths if path.endswith(self._definitions)]
        paths = [path for path in paths if not path.endswith(self._definitions)]
        texts = {path: self._lines_of(path) for path in paths}
        files = [path for path, lines in texts.items() if _has_text(lines & foreign)]
        rest = foreign.difference(*texts.values(), *known)
        words = _words(rest) - _words([own]) if rest else set[str]()
        data = [path for path in texts if words and path not in files and self._is_data(path)]
        files += data or (_URL.findall(own) if words else [])
        if len(words) >= _MANY_WORDS and not data:
            words -= _words(line for lines in texts.values() for line in lines)
        return Found(_parts(files, own), len(words) >= _MANY_WORDS and not data)

    def _is_data(self, path: str) -> bool:
        """Return whether it is a file of the site whose text may look different on a page."""
        lines, roots = self._texts[path], [root for root in self._folders if path.startswith(root)]
        is_hidden = any("/." in path[len(root) - 1 :] for root in roots)
        is_text = _has_text(lines) if lines else Path(path).is_file()
        return bool(roots) and not is_hidden and is_text and not path.endswith(_CODE)

    def _lines_of(self, path: str) -> frozenset[str]:
        if path not in self._texts:
            try:
                with Path(path).open("rb") as file:
                    size = min(os.fstat(file.fileno()).st_size, _MAX_BYTES)
                    text = file.read(size).decode(errors="replace")
            except OSError:  # a temporary file, which is gone
                text = ""
            self._texts[path] = _lines(text)
        return self._texts[path]


def _lines(text: str) -> frozenset[str]:
    """Return the lines that say something, without comments; white space does not matter."""
    if "<!--" in text:
        start, *others = text.split("<!--")
        halves = [part.partition("-->") for part in others]
        text = "".join([start, *(after if found else before for before, found, after in halves)])
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return frozenset(line for line in lines if len(line) > 3)  # noqa: PLR2004 - too little to tell


def _words(lines: Iterable[str]) -> set[str]:
    return set(re.findall(r"\w+", " ".join(lines)))


def _has_text(lines: Collection[str]) -> bool:
    return not all(map(_DEFINITION.match, lines))


def _parts(files: Iterable[str], own: str) -> Sequence[FileOrPart]:
    """Return the parts of files that a page takes in, or the files where they are not known."""
    cuts: dict[str, dict[Between | None, None]] = {}
    for name, cut in _mentioned(own):
        cuts.setdefault(Path(name).name, {})[cut] = None
    parts: list[FileOrPart] = []
    for file in files:
        known = cuts.get(Path(file).name, {None: None})
        parts += [file] if None in known else [Part(file, cut) for cut in known if cut]
    return parts


def _mentioned(own: str) -> Iterator[tuple[str, Between | None]]:
    """Yield each file that a page itself includes, with the cut if it is not the whole file."""
    for name, section in _SNIPPET.findall(own):
        yield name, Between(f"[start:{section}]", f"[end:{section}]") if section else None
    for name, options in _INCLUDE.findall(own):
        markers = {key: marker for key, _, marker in _MARKER.findall(options)}
        yield name, Between(markers.get("start", ""), markers.get("end", "")) if markers else None
