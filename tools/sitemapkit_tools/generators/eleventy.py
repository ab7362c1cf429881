"""Eleventy."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from sitemapkit_tools.generators.project import BaseProject, as_index
from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SUFFIXES = (
    ".md",
    ".html",
    ".njk",
    ".liquid",
    ".webc",
    ".11ty.js",
    ".hbs",
    ".ejs",
    ".pug",
    ".haml",
)


class Project(BaseProject):
    """`a.md` makes `a/index.html`; code may decide otherwise, which nobody can read."""

    name = "Eleventy"
    settings_files = (
        *(f"eleventy.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts")),
        ".eleventy.js",
    )
    mark = r'name="generator"\s+content="Eleventy'
    is_always_marked = False
    default_output = "_site"

    def output_dir(self) -> Path:
        """Return `dir.output`."""
        return self.folder / self._directory("output", "setOutputDirectory", self.default_output)

    def _directory(self, name: str, function: str, default: str) -> str:
        """Return a folder that is stated in an object, or given to a function."""
        stated = self.script.object("dir").get(name)
        return stated or self.script.argument(function) or default

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield what each template makes that makes one page."""
        folder = self.folder / self._directory("input", "setInputDirectory", ".")
        for name, source in self.sources(folder, *_SUFFIXES):
            suffix = next(suffix for suffix in _SUFFIXES if name.endswith(suffix))
            meta = self.front_matter(source)
            link, stem = meta.get("permalink"), name.removesuffix(suffix)
            if any(part[0] == "_" for part in name.split("/")) or "pagination" in meta:
                continue
            if isinstance(link, str) and "{" not in link:
                path = link.lstrip("/")
                yield (path if posixpath.splitext(path)[1] else as_index(path)), Made([source])
            elif link is None:
                is_index = posixpath.basename(stem) == "index"
                yield as_index(posixpath.dirname(stem) if is_index else stem), Made([source])
