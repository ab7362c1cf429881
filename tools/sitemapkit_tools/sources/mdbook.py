"""mdBook."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin

from sitemapkit_tools.site.made import Made
from sitemapkit_tools.sources.cuts import Region
from sitemapkit_tools.sources.project import BaseProject
from textdates import FileOrPart, Part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_CHAPTER = re.compile(r"\]\(\s*+<?([^()<>\s]++)>?\s*+\)")
_COMMENT = re.compile(r"(?s)<!--.*?(?:-->|\Z)")
_README = re.compile(r"(?i)(^|/)readme\.html$")
_INCLUDE = re.compile(
    r"(?<!\\)\{\{\s*+#(?:include|rustdoc_include|playground|playpen|template)\s++"
    r"(?P<file>[^\s:{}]++)(?::(?P<part>[^\s{}]*+))?"
)


class Project(BaseProject):
    """Each chapter in SUMMARY.md makes a page; `index.html` is the first once more."""

    name = "mdBook"
    settings_files = ("book.toml",)
    mark = "Book generated using mdBook"
    default_output = "book"
    output_setting = "build.build-dir"

    def output_dir(self) -> Path:
        """Return `build.build-dir`, or the folder in it if there are several formats."""
        folder = self.folder / self.settings.get(self.output_setting, self.default_output)
        several = len(self.settings.get("output", dict[str, Any]())) > 1
        return folder / "html" if several and (folder / "html").is_dir() else folder

    def base_url(self) -> str:
        """Return `site-url`, which may be a path alone, on the host in `cname`."""
        cname, path = (
            self.settings.get(f"output.html.{name}", "") for name in ("cname", "site-url")
        )
        return urljoin(f"https://{cname}/", path) if cname else path

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield the chapters; the first is listed as `index.html` alone."""
        src = self.named("book.src", self.settings.get("book.src", "src"))
        summary = _COMMENT.sub("", self.text(src / "SUMMARY.md"))
        chapters = (posixpath.normpath(unquote(name)) for name in _CHAPTER.findall(summary))
        pages = {_page(name): src / name for name in chapters if (src / name).is_file()}
        first = next(iter(pages), None)
        for page, source in pages.items():
            is_twin = page == first and "index.html" not in pages
            yield page, Made([source], same_as="index.html" if is_twin else "")
        if first and "index.html" not in pages:
            yield "index.html", Made([pages[first]])
        for page in ("print.html", "toc.html"):
            yield page, Made(kind="generated")

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield what `{{#include}}` and the like name."""
        for found in _INCLUDE.finditer(text):
            named, part = file.parent / found["file"], found["part"] or ""
            is_anchor = part and not part[0].isdigit() and part[0] != ":"
            yield Part(named, Region(part, "ANCHOR:", "ANCHOR_END:")) if is_anchor else named


def _page(name: str) -> str:
    return _README.sub(r"\1index.html", f"{name.removesuffix('.md')}.html")
