"""Quarto, and nbdev, which makes websites with it."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit.model import Reason
from sitemapkit_tools.bounds import MAX_SMALL_FILE
from sitemapkit_tools.site.made import Made, Spelling
from sitemapkit_tools.sources.project import BaseProject, with_lastmod

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from textdates import FileOrPart

_SUFFIXES = (".qmd", ".ipynb", ".md", ".Rmd", ".rmd", ".py")
_LANGUAGE = re.compile(r"(?P<name>.+)\.(?P<code>[a-z]{2}(?:-[A-Z]{2})?)")
_NUMBER = re.compile(r"^[0-9]+[a-z]?_")
"""What nbdev drops from the name of each folder and file."""

_TAKEN_IN = re.compile(r"(?<!\{)\{\{<\s++(?:include|embed)\s++[\"']?([^\s\"'#<>{}]++)")
_LEADS_ELSEWHERE = re.compile(rb"(?s)<title>Redirect.{0,2000}window\.location\.replace")
_FOLDERS = {"book": "_book", "manuscript": "_manuscript"}


class Project(BaseProject):
    """`a/b.qmd` (or a notebook, Markdown or a script) makes `a/b.html`."""

    name = "Quarto"
    settings_files = ("_quarto.yml", "_quarto.yaml")
    mark = "quarto-"
    default_output = "_site"
    output_setting = "project.output-dir"

    def output_dir(self) -> Path:
        """Return `output-dir`, or the folder of this type of project."""
        default = _FOLDERS.get(self.settings.get("project.type", ""), self.default_output)
        output = self.settings.get(self.output_setting, default)
        inside = self.folder / output
        if self._is_nbdev and not inside.is_dir():  # nbdev moves it up
            return self.folder.parent / output
        return Path(posixpath.normpath(inside))

    def base_url(self) -> str:
        """Return `site-url`."""
        urls = (self.settings.get(f"{kind}.site-url", "") for kind in ("website", "book"))
        return next(filter(None, urls), "")

    @property
    def _is_nbdev(self) -> bool:
        return (self.folder / "nbdev.yml").is_file()

    def spelling(self) -> Spelling:
        """Return that Quarto links `index.html` by its name."""
        return "file"

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield what each text makes; one in another language (`a.fr.qmd`) makes `fr/a.html`."""
        for name, source in self.sources(self.folder, *_SUFFIXES):
            if any(part[0] == "_" for part in name.split("/")):
                continue
            stem = name.removesuffix(source.suffix)
            if self._is_nbdev:
                stem = "/".join(_NUMBER.sub("", part) for part in stem.split("/"))
            made = Made([source])
            yield f"{stem}.html", made
            if found := _LANGUAGE.fullmatch(stem):
                yield f"{found['code']}/{found['name']}.html", made
            if other := self.front_matter(source).get("output-file"):
                file = f"{str(other).removesuffix('.html')}.html"
                yield posixpath.join(posixpath.dirname(stem), file), made

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the pages that only lead to others, which Quarto calls aliases."""
        known = {page for page, _ in self.produced()}
        others = (page for page in site.pages() if page not in known)
        return {
            page: Made(excluded=Reason.REDIRECT)
            for page in others
            if _LEADS_ELSEWHERE.search(site.read(page, MAX_SMALL_FILE))
        }

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Take `date-modified` for the date of the last change."""
        return with_lastmod(meta, "date-modified")

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield what the short codes `include` and `embed` name."""
        for name in _TAKEN_IN.findall(text):
            yield self.folder / name.lstrip("/") if name[0] == "/" else file.parent / name
