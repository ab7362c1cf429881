"""Jekyll."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from sitemapkit_tools.site.made import Made
from sitemapkit_tools.sources.project import BaseProject, as_index, with_lastmod
from textdates.parts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from textdates import FileOrPart

_TEXTS = (".md", ".markdown", ".mkd", ".mkdn", ".mkdown", ".html", ".htm")
_TAG = re.compile(
    r"""\{%-? \s*+ (?P<tag>(?:end)?(?:raw|comment) | include(?:_relative)?) \b  # the tag
    (?: \s++ (?P<file>[^\s{}%]++) )?  # a file, if no variable names it""",
    re.VERBOSE,
)


class Project(BaseProject):
    """Files with front matter make pages; `permalink`, in the page or for all, says where."""

    name = "Jekyll"
    settings_files = ("_config.yml", "_config.yaml", "_config.toml")
    mark = "Jekyll "
    is_always_marked = False
    default_output = "_site"
    output_setting = "destination"
    drafts = (Draft("published", ("false", "no", "off")),)

    @property
    def is_sure(self) -> bool:
        """Whether its settings are not those of Jupyter Book 1."""
        return not (self.folder / "_toc.yml").is_file()

    def base_url(self) -> str:
        """Return `url` with `baseurl`."""
        url, path = self.settings.get("url", ""), self.settings.get("baseurl", "").strip("/")
        return f"{url.rstrip('/')}/{path}".rstrip("/") + "/" if url else ""

    @cached_property
    def source(self) -> Path:
        """The folder of the sources."""
        return self.named("source", self.settings.get("source", "."))

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield what pages make, and texts with a `permalink` of their own; others tell theirs."""
        for name, file in self.sources(self.source, *_TEXTS):
            if not self.text(file).startswith("---"):
                continue
            link = self.front_matter(file).get("permalink")
            stem = name.removesuffix(file.suffix)
            if isinstance(link, str) and ":" not in link:
                yield _file(link), Made([file])
            elif not any(part[0] == "_" for part in name.split("/")):
                yield f"{stem}.html", Made([file])
                yield as_index(stem), Made([file])

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Take `last_modified_at` for the date of the last change."""
        return with_lastmod(meta, "last_modified_at")

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield what the tags `include` and `include_relative` name, if they are no example."""
        open_tag = ""
        for found in _TAG.finditer(text):
            tag = found["tag"]
            if open_tag:
                open_tag = "" if tag == f"end{open_tag}" else open_tag
            elif tag in ("raw", "comment"):
                open_tag = tag
            elif found["file"] and tag.startswith("include"):
                is_beside = tag == "include_relative"
                yield (file.parent if is_beside else self.source / "_includes") / found["file"]


def _file(link: str) -> str:
    """Return the file of a permalink."""
    path = link.lstrip("/")
    if path.endswith("/") or not path:
        return as_index(path)
    return path if path.endswith((".html", ".htm")) else f"{path}.html"
