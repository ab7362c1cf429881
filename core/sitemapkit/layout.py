"""What the files of a sitemap are called, and which of those on the disk are ours to remove.

Everything stands in one folder, since crawlers accept from a sitemap only URLs of its own folder
and those below (rules P2, P6):

    sitemap.xml          everything, or the index of sitemap-<label>.xml
    sitemap.xml.gz       everything, or the index of sitemap-<label>.xml.gz
    sitemap.txt          everything; sitemap.txt.xml is the index of sitemap-<label>.txt
    sitemap.txt.gz       everything; sitemap.txt.gz.xml is the index of sitemap-<label>.txt.gz
    sitemap-news.xml     fresh articles, beside any of these
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from sitemapkit.errors import OutputError
from sitemapkit.urls import absolute

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from sitemapkit.options import Options

TEXTS = ("txt", "txt.gz")
"""Formats that are lists of URLs."""

MARKER = "<!-- sitemapkit -->"
"""Stands in each entry file of ours, right behind the XML declaration."""

_SUFFIXES = {
    "xml": ".xml",
    "gz": ".xml.gz",
    "txt": ".txt",
    "txt.gz": ".txt.gz",
}
_STYLE = '<?xml-stylesheet type="text/css" href="{}"?>\n'
_BEGINNING = 4096
_LOC = re.compile(r"<loc>[^<]*/([^/<]+)</loc>")


class Layout:
    """The files of one sitemap."""

    def __init__(self, options: Options, output_dir: Path) -> None:
        """Lay out the sitemap `options.filename` below `output_dir`."""
        self.options = options
        self.output_dir = output_dir
        self._folder = (output_dir / options.filename).parent
        folder, slash, _ = options.filename.rpartition("/")
        self._folder_url = self._absolute(folder + slash, options.base_url)
        self._stem = options.filename.rpartition("/")[2].removesuffix(".xml")
        self.formats = tuple(form for form in _SUFFIXES if form in options.formats)
        """The formats that search engines read, of which there is at least one."""
        name = quote(options.filename).replace("--", "-%2D")  # no comment holds two hyphens
        self.mark = f"sitemapkit: part of {name}"
        """What a comment in each file of ours says that is not the entry file."""
        self._part_marker = f"<!-- {self.mark} -->"
        self._style = _STYLE.format(quote(f"{self._stem}.css")) if options.stylesheet else ""

    def file(self, label: str, form: str) -> Path:
        """Return the file that holds everything (label "") or the child of an index."""
        middle = f"-{label}" if label else ""
        return self._folder / f"{self._stem}{middle}{_SUFFIXES[form]}"

    def marker(self, label: str) -> str:
        """Return the comment that tells such a file as ours, and a child as one of this sitemap."""
        return self._style + (self._part_marker if label else MARKER)

    def place(self, label: str, form: str) -> Path:
        """Return the same file.

        Raises OutputError where a file that is not ours stands in the place of a child.
        """
        file = self.file(label, form)
        if label and self._is_foreign(file):
            raise OutputError(
                f"{file} is in the way of a part of the sitemap; remove it if an earlier tool wrote"
                " it, else choose another `filename`"
            )
        return file

    def entry_file(self, labels: Collection[str]) -> Path:
        """Return the file to start from: the one of label "", or the index of the others."""
        first = self.formats[0]
        return self.file("", first) if "" in labels else self.index(first)

    def beside(self, ending: str) -> Path:
        """Return the file beside the sitemap that is named as it is, with another ending."""
        return self._folder / f"{self._stem}{ending}"

    @property
    def news(self) -> Path:
        """The sitemap of fresh articles; no section is called so."""
        return self.beside("-news.xml")

    def index(self, form: str) -> Path:
        """Return the index of children in this format."""
        suffix = "" if form in ("xml", "gz") else ".xml"
        return self._folder / f"{self._stem}{_SUFFIXES[form]}{suffix}"

    def url(self, file: Path) -> str:
        """Return the URL of a file of this sitemap, in normal form."""
        return self._absolute(file.name, self._folder_url)

    def _absolute(self, path: str, base: str) -> str:
        """Return the URL of a path, in which these three mean nothing but themselves."""
        path = path.replace("%", "%25").replace("?", "%3F").replace("#", "%23")
        return absolute(path, base, encoding=self.options.url_encoding)

    def obsolete(self, wanted: Iterable[Path]) -> list[Path]:
        """Return the files of ours, of this sitemap, that are not wanted any longer."""
        if not self._folder.is_dir():
            return []
        return sorted({*self._marked(), *self._texts()} - set(wanted))

    def _is_foreign(self, file: Path) -> bool:
        """Tell whether an XML file stands in the place of a child, and is not a child of ours."""
        if ".xml" not in file.suffixes or not file.is_file():
            return False
        try:
            return self._part_marker not in _beginning(file)
        except FileNotFoundError:  # another build has removed it since
            return False

    def _marked(self) -> Iterator[Path]:
        """Yield the XML files that say they are ours."""
        entries = {file for form in _SUFFIXES for file in (self.file("", form), self.index(form))}
        for file in entries:
            if file.is_file() and MARKER in _beginning(file):
                yield file
        starts = (f"{self._stem}-", f"{self._stem}.")
        names = os.listdir(self._folder)  # noqa: PTH208 - there may be very many
        for file in [self._folder / name for name in names if name.startswith(starts)]:
            if file.is_file() and self.mark in _beginning(file):
                yield file

    def _texts(self) -> Iterator[Path]:
        """Yield the text files of ours; they carry no marker, so an index of ours must name them.

        One that holds everything is named by none; it is ours if the user asked for its format.
        """
        for form in TEXTS:
            if form in self.formats and self.file("", form).is_file():
                yield self.file("", form)
            index = self.index(form)
            if index.is_file() and MARKER in _beginning(index):
                encoding = self.options.url_encoding
                found = _LOC.findall(index.read_text("utf-8"))
                names = [unquote(unescape(name), encoding) for name in found]
                files = [self._folder / name for name in names if "/" not in name]
                yield from (f for f in files if f.name.startswith(f"{self._stem}-") and f.is_file())


def _beginning(file: Path) -> str:
    """Return the first lines of a file, "" for one that cannot be read as text."""
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
            return opened.read(_BEGINNING).decode("utf-8", "replace")
    except (gzip.BadGzipFile, EOFError, zlib.error, PermissionError):
        return ""
