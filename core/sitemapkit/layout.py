"""The names of a sitemap's files, and which existing files are obsolete.

All but two are in one folder, since crawlers accept from a sitemap only URLs of its own folder and
those below (rules P2, P6):

    sitemap.xml          all entries, or the index of sitemap-<label>.xml
    sitemap.xml.gz       all entries, or the index of sitemap-<label>.xml.gz
    sitemap.txt          all entries; sitemap.txt.xml is the index of sitemap-<label>.txt
    sitemap.txt.gz       all entries; sitemap.txt.gz.xml is the index of sitemap-<label>.txt.gz
    sitemap-news.xml     recent articles, in addition to any of these

Only llms.txt and the key file of IndexNow have names of their own, where the site begins.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from sitemapkit.model import OutputFile
from sitemapkit.options import FOR_ENGINES, MAX_BYTES
from sitemapkit.urls import absolute, path_url
from sitemapkit.xmltext import locs
from textdates.bounds import is_file, is_folder, open_file, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sitemapkit.options import Options

TEXTS = ("txt", "txt.gz")
"""Formats that are lists of URLs."""

_MARK = re.compile(r"<!-- sitemapkit(?: for (?P<word>[^<>\n]+))? -->")
"""The comment after the XML declaration of each entry file that we write: see `word_in`."""

ANY_SITEMAP = r"<(?:\w+:)?(?:urlset|sitemapindex)\b"
"""A pattern found in every sitemap and index; an entry file also replaces that of another tool."""

_ONLY_URLS = r"\A(?=https?://)(?:https?://\S+\r?\n)*\S*\Z"
_GZIP_MAGIC = b"\x1f\x8b"

_STYLE = '<?xml-stylesheet type="text/css" href="{}"?>\n'
_BEGINNING = 4096


class Layout:
    """The files of one sitemap."""

    def __init__(self, options: Options, output_dir: Path) -> None:
        """Name the files of the sitemap `options.filename` below `output_dir`."""
        self.options = options
        self.output_dir = output_dir
        self._folder = (output_dir / options.filename).parent
        folder, slash, name = options.filename.rpartition("/")
        self._folder_url = self._absolute(folder + slash, options.base_url)
        self._stem = name.removesuffix(".xml")
        self.formats: tuple[str, ...] = tuple(
            form for form in FOR_ENGINES if form in options.formats
        )
        """The formats that search engines read; there is at least one."""
        path = quote(options.filename).replace("--", "-%2D")  # illegal in an XML comment
        self.mark: str = f"sitemapkit: part of {path}"
        """The comment in each file that we write apart from the entry file."""
        self._child_marker = f"<!-- {self.mark} -->"
        word = f" for {options.selected_by}" if options.selected_by else ""
        self._entry_marker = f"<!-- sitemapkit{word} -->"
        self._style = _STYLE.format(quote(f"{self._stem}.css")) if options.stylesheet else ""

    def file(self, label: str, form: str) -> Path:
        """Return the file of all entries (label "") or the child of an index."""
        suffix = FOR_ENGINES[form]
        return self.beside(f"-{label}{suffix}" if label else suffix)

    def marker(self, label: str) -> str:
        """Return the comment by which we recognize such a file, and a child of this sitemap."""
        marker = self._child_marker if label else self._entry_marker
        return self._style + marker

    def output_file(self, label: str, form: str, chunks: Iterable[bytes]) -> OutputFile:
        """Return the file of all entries or the child of an index, with its content."""
        if form in TEXTS:
            known = _ONLY_URLS
        elif label:
            known = re.escape(self._child_marker)
        else:
            known = ANY_SITEMAP
        return OutputFile(self.file(label, form), chunks, known)

    def entry_file(self, *, whole: bool) -> Path:
        """Return the file to start from: the one of all entries, or the index of several."""
        form = self.formats[0]
        return self.file("", form) if whole else self.index(form)

    def beside(self, ending: str) -> Path:
        """Return the file in the same folder with the same stem and another ending."""
        return self._folder / f"{self._stem}{ending}"

    @property
    def llms(self) -> Path:
        """The file for language models, where the site begins: its name is standardized."""
        return self.output_dir / "llms.txt"

    def index(self, form: str) -> Path:
        """Return the index of children in this format."""
        suffix = FOR_ENGINES[form]
        return self.beside(f"{suffix}.xml" if form in TEXTS else suffix)

    def url(self, file: Path) -> str:
        """Return the URL of a file of this sitemap, in normal form."""
        return self._absolute(file.name, self._folder_url)

    def _absolute(self, path: str, base: str) -> str:
        return absolute(path_url(path), base, encoding=self.options.url_encoding)

    def obsolete(self, current: Iterable[Path]) -> list[Path]:
        """Return the files that we wrote for this sitemap and that are not among the `current`."""
        if not is_folder(self._folder):
            return []
        ours = {*self._marked(), *self._texts()}
        return sorted(ours.difference(current))

    def others(self) -> list[Path]:
        """Return sitemaps of ours that have other names than those of this one."""
        own = {self.index(form) for form in FOR_ENGINES}
        found: list[Path] = []
        for folder in {self._folder, self.output_dir}:
            for file in folder.glob("*.xml"):
                if file not in own and is_ours(file):
                    found.append(file)
        return sorted(found)

    def _marked(self) -> Iterator[Path]:
        """Yield the files of this sitemap with our comment."""
        for form in FOR_ENGINES:
            index = self.index(form)
            if is_ours(index):
                yield index
        files = [self.llms]
        for name in os.listdir(self._folder):  # noqa: PTH208 - there may be very many
            if name.startswith((f"{self._stem}-", f"{self._stem}.")):
                files.append(self._folder / name)
        for file in files:
            if is_file(file) and self.mark in beginning(file):
                yield file

    def _texts(self) -> Iterator[Path]:
        """Yield the text files that we wrote, which have no comment: our index lists them."""
        for form in TEXTS:
            whole = self.file("", form)
            # What nobody asks us to write, somebody else may have written.
            if form in self.formats and re.search(_ONLY_URLS, beginning(whole)):
                yield whole
            index = self.index(form)
            if not is_ours(index):
                continue
            # It is at most as large as a sitemap may be.
            text = read_file(index, MAX_BYTES, cut=True).decode("utf-8", "replace")
            for loc in locs(text):
                # The index is a file that anybody may have changed: only our names count.
                name = unquote(loc.rpartition("/")[2], self.options.url_encoding)
                child = self._folder / name
                if name.startswith(f"{self._stem}-") and "/" not in name and is_file(child):
                    yield child


def is_ours(file: Path) -> bool:
    """Return whether a file exists and is an entry file that sitemapkit wrote."""
    return is_file(file) and word_in(beginning(file)) is not None


def word_in(beginning: str) -> str | None:
    """Return the word in an entry file that says who selected its pages: the plugin for Pelican.

    It is "" if the file names nobody, and None if sitemapkit did not write it.
    """
    found = _MARK.search(beginning)
    if not found:
        return None
    return found["word"] or ""


def beginning(file: Path) -> str:
    """Return the first lines of a file, compressed or not, or "" if it cannot be read."""
    try:
        with os.fdopen(open_file(file), "rb") as opened:
            is_compressed = opened.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC)
            with gzip.open(opened) if is_compressed else opened as text:
                return text.read(_BEGINNING).decode("utf-8", "replace")
    except (gzip.BadGzipFile, EOFError, zlib.error, PermissionError, FileNotFoundError):
        return ""
