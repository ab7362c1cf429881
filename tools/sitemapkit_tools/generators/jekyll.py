"""Jekyll."""

from __future__ import annotations

import posixpath
import re
from datetime import date, datetime
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sitemapkit.metadata import publication_date
from sitemapkit_tools.generators.project import BaseProject, as_index, with_lastmod
from sitemapkit_tools.generators.settings import as_list, as_table
from sitemapkit_tools.site.made import Made
from textdates.parts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from textdates import FileOrPart

_TEXTS = (".md", ".markdown", ".mkd", ".mkdn", ".mkdown", ".html", ".htm")
_POST = re.compile(r"(?P<day>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})-(?P<name>.+)")
_PATTERNS = {
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title:output_ext",
    "weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext",
    "none": "/:categories/:title:output_ext",
}
_TOKEN = re.compile(r":([a-z]+(?:_[a-z]+)?)")
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
    command = "jekyll build --quiet --destination {out}"
    drafts = (Draft("published", ("false", "no", "off")),)

    def base_url(self) -> str:
        """Return `url` with `baseurl`."""
        url, path = self.settings.get("url", ""), self.settings.get("baseurl", "").strip("/")
        return f"{url.rstrip('/')}/{path}".rstrip("/") + "/" if url else ""

    @cached_property
    def source(self) -> Path:
        """The folder of the sources."""
        return self.named("source", self.settings.get("source", "."))

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield what pages, posts and documents of collections make."""
        collections = self._collections()
        for name, file in self.sources(self.source, *_TEXTS):
            parts = name.split("/")
            folder = next((part for part in parts if part[0] == "_"), "")
            if not self.text(file).startswith("---"):
                continue
            meta = {**self.inherited(file), **self.front_matter(file)}
            link = meta.get("permalink")
            if isinstance(link, str) and ":" not in link:
                pages = [_file(link)]
            elif folder == "_posts":
                pages = [*self._post(parts, file, meta)]
            elif folder and folder == parts[0] and folder[1:] in collections:
                pages = [*self._document(folder[1:], name, file, meta, collections[folder[1:]])]
            elif not folder:
                pages = [self._page(name.removesuffix(file.suffix))]
            else:
                continue
            # The plugin jekyll-seo-tag says of a document without a date that it is of today.
            is_undated = bool(folder) and folder != "_posts" and "date" not in meta
            for page in dict.fromkeys(pages):
                yield page, Made([file], states_build_time=is_undated)

    def _collections(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the collections whose documents make pages, with their settings."""
        given = as_table(self.settings.table.get("collections"))
        tables = {name: as_table(each) for name, each in given.items()}
        return {name: each for name, each in tables.items() if each.get("output")}

    def inherited(self, source: Path) -> Mapping[str, object]:
        """Return the `defaults` that the settings have for a file."""
        if not source.is_relative_to(self.source):
            return {}
        name = source.relative_to(self.source).as_posix()
        folder = next((part for part in name.split("/") if part[0] == "_"), "_pages")
        values: dict[str, object] = {}
        for each in map(as_table, self.settings.get("defaults", list[Any]())):
            scope = as_table(each.get("scope"))
            path, of_type = str(scope.get("path") or "").strip("/"), scope.get("type")
            is_meant = not path or any(fnmatchcase(part, path) for part in (name, *_parents(name)))
            if scope and is_meant and of_type in (None, folder[1:]):
                values.update(as_table(each.get("values")))
        return values

    def _page(self, stem: str) -> str:
        """Return the file of a page; only `permalink: pretty` gives it a folder."""
        style = str(self.settings.table.get("permalink", "date"))
        is_pretty = style == "pretty" or (style not in _PATTERNS and style.endswith("/"))
        return f"{stem}.html" if not is_pretty or _is_whole(stem) else as_index(stem)

    def _post(self, parts: list[str], file: Path, meta: Mapping[str, object]) -> Iterator[str]:
        """Yield the files that a post may make: its time zone may decide its day."""
        found = _POST.fullmatch(file.stem)
        if not found:
            return
        given = meta.get("permalink", self.settings.table.get("permalink", "date"))
        pattern = _PATTERNS.get(str(given), str(given))
        above = parts[: parts.index("_posts")]
        categories = [*above, *_words(meta.get("categories", meta.get("category")))]
        of_name = datetime.strptime(found["day"], "%Y-%m-%d").date()  # noqa: DTZ007 - a day
        for day in dict.fromkeys((publication_date(meta) or of_name, of_name)):
            title = str(meta.get("slug") or found["name"])
            values = {
                "categories": "/".join(dict.fromkeys(each.lower() for each in categories)),
                "title": title,
                "slug": title,
                **_date_values(day),
            }
            yield _file(_filled(pattern, values))

    def _document(
        self,
        collection: str,
        name: str,
        file: Path,
        meta: Mapping[str, object],
        settings: Mapping[str, Any],
    ) -> Iterator[str]:
        """Yield the file of a document of a collection."""
        stem = name.removeprefix(f"_{collection}/").removesuffix(file.suffix)
        given = meta.get("permalink", settings.get("permalink"))
        folder, last = posixpath.split(stem)
        title = str(meta.get("slug") or last)
        values = {"collection": collection, "path": stem, "name": last, "title": title}
        if isinstance(given, str):
            yield _file(_filled(given, values))
        else:
            yield self._page(f"{collection}/{posixpath.join(folder, last)}")

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


def _parents(name: str) -> Iterator[str]:
    while name := posixpath.dirname(name):
        yield name


def _is_whole(stem: str) -> bool:
    return posixpath.basename(stem) in ("index", "404")


def _file(link: str) -> str:
    """Return the file of a permalink."""
    path = link.lstrip("/")
    if path.endswith("/") or not path:
        return as_index(path)
    return path if path.endswith((".html", ".htm")) else f"{path}.html"


def _filled(pattern: str, values: Mapping[str, str]) -> str:
    """Return a pattern with its names replaced; what is not known leaves nothing."""
    known = {**values, "output_ext": ".html"}
    return re.sub("/{2,}", "/", _TOKEN.sub(lambda found: known.get(found[1], ""), pattern))


def _words(value: object) -> list[str]:
    """Return categories, which are a list or text with spaces."""
    return value.split() if isinstance(value, str) else [*map(str, as_list(value))]


def _date_values(day: date) -> dict[str, str]:
    return {
        "year": f"{day:%Y}",
        "short_year": f"{day:%y}",
        "month": f"{day:%m}",
        "i_month": str(day.month),
        "day": f"{day:%d}",
        "i_day": str(day.day),
        "y_day": f"{day:%j}",
        "week": f"{day:%V}",
        "short_day": f"{day:%a}",
    }
