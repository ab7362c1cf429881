"""Docusaurus."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sitemapkit.model import Reason
from sitemapkit_tools.bounds import read_json
from sitemapkit_tools.generators.project import (
    DRAFT,
    SCRIPTS,
    BaseProject,
    as_index,
    imported,
    with_lastmod,
    worded,
)
from sitemapkit_tools.generators.settings import as_table
from sitemapkit_tools.site.made import Made
from textdates.parts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.site.made import Spelling
    from sitemapkit_tools.site.output_dir import OutputDir
    from textdates import FileOrPart

_TEXTS = (".md", ".mdx")
_PROGRAMS = (".js", ".jsx", ".ts", ".tsx")
_NUMBER = re.compile(r"^[0-9]+\s*+[-_.]++\s*+(?![0-9])(?=.)")
_DATED = re.compile(r"(?P<date>[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2})[-/]?(?P<name>.*)")
_RECORDS = ".docusaurus/docusaurus-plugin-content-*/*/*.json"
_TRANSLATED = "docusaurus-plugin-content-"


class Project(BaseProject):
    """Records in `.docusaurus` name the source of each text; else the names of texts do."""

    name = "Docusaurus"
    settings_files = tuple(f"docusaurus.config.{suffix}" for suffix in SCRIPTS)
    mark = r'name="generator"\s+content="Docusaurus'
    default_output = "build"
    drafts = (DRAFT, Draft("unlisted", DRAFT.values))

    def base_url(self) -> str:
        """Return `url` with `baseUrl`."""
        url, path = self.script.get("url"), self.script.get("baseUrl", "/")
        return f"{url.rstrip('/')}/{path.strip('/')}".rstrip("/") + "/" if url else ""

    def spelling(self) -> Spelling:
        """Return that a setting and the host decide about final slashes."""
        return "canonical"

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the sources in the records, which have the language that was built last."""
        bases = [self.script.get("baseUrl", "/"), urlsplit(site.base_url).path]
        pages: dict[str, Made] = {}
        for file in sorted(self.folder.glob(_RECORDS)):
            try:
                entry = as_table(read_json(file, object))
            except (OSError, ValueError) as error:
                self.cannot_read(file, error)
                continue
            source, link = entry.get("source"), entry.get("permalink")
            if isinstance(source, str) and isinstance(link, str):  # others are of something else
                page = _page_of(unquote(link), bases, site)
                if page:
                    pages[page] = self._made(page, self.folder / source.removeprefix("@site/"))
        return pages

    def _made(self, page: str, source: Path) -> Made:
        """Return the source of a page; without a translation another language's stands there."""
        if not source.is_file():
            return Made(excluded=Reason.STALE)
        language = page.partition("/")[0]
        has_own = (self.folder / "i18n" / language) in source.parents
        is_other = language in self._languages() and not has_own
        if source.suffix in _PROGRAMS:  # whose words are translated elsewhere
            return Made()
        return Made([source], excluded=Reason.UNTRANSLATED if is_other else None)

    def _languages(self) -> list[str]:
        """Return the languages with folders of their own."""
        default = self.script.get("defaultLocale", "en")
        folders = sorted((self.folder / "i18n").glob("*/"))
        return [each.name for each in folders if each.name != default]

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield what each text makes, in each language."""
        for page, source, plugin, path in self._texts():
            yield page, Made([worded(source)])
            for language in self._languages():
                translated = self.folder / "i18n" / language / f"{_TRANSLATED}{plugin}" / path
                found = translated if translated.is_file() else source
                yield f"{language}/{page}", self._made(f"{language}/{page}", found)

    def _texts(self) -> Iterator[tuple[str, Path, str, str]]:
        """Yield for each text its page, itself, its plugin, and where its translation is."""
        docs = self.script.object("docs", "path", "routeBasePath")
        root, route = self.folder / docs.get("path", "docs"), docs.get("routeBasePath", "docs")
        for version, folder, prefix in self._versions(root):
            start = posixpath.join(route.strip("/"), prefix)
            for name, source in self._named(folder):
                page = self._doc(start, name, source)
                yield page, source, "docs", f"{version}/{name}"
        blog = self.script.object("blog", "path", "routeBasePath")
        root, route = self.folder / blog.get("path", "blog"), blog.get("routeBasePath", "blog")
        for name, source in self._named(root):
            yield self._post(route.strip("/"), name, source), source, "blog", name
        for name, source in self._named(self.folder / "src" / "pages", *_TEXTS, *_PROGRAMS):
            stem = name.removesuffix(source.suffix)
            yield as_index(stem.removesuffix("index")), source, "pages", name

    def _named(self, folder: Path, *suffixes: str) -> Iterator[tuple[str, Path]]:
        """Yield the texts below a folder that are no parts of others."""
        for name, source in self.sources(folder, *(suffixes or _TEXTS)):
            if not any(part[0] == "_" for part in name.split("/")):
                yield name, source

    def _versions(self, current: Path) -> Iterator[tuple[str, Path, str]]:
        """Yield each version of the texts: its name, its folder, and what its URLs begin with."""
        file = self.folder / "versions.json"
        try:
            names = read_json(file, list[str]) if file.is_file() else []
        except (OSError, ValueError) as error:
            self.cannot_read(file, error)
            names = []
        last = self.script.get("lastVersion", names[0] if names else "current")
        yield "current", current, "" if last == "current" else "next"
        for name in names:
            folder = self.folder / "versioned_docs" / f"version-{name}"
            yield f"version-{name}", folder, "" if name == last else name

    def _doc(self, start: str, name: str, source: Path) -> str:
        """Return the page of a document: its slug, its id or its name, without numbers."""
        meta = self.front_matter(source)
        parts = [_NUMBER.sub("", part) for part in name.removesuffix(source.suffix).split("/")]
        folder, last = "/".join(parts[:-1]), parts[-1]
        if isinstance(slug := meta.get("slug"), str):
            path = slug if slug.startswith("/") else posixpath.join(folder, slug)
            return as_index(re.sub("/+", "/", f"{start}/{path}"))
        if "id" not in meta and last.lower() in ("index", "readme", *parts[-2:-1]):
            return as_index(posixpath.join(start, folder))
        return as_index(posixpath.join(start, folder, str(meta.get("id", last))))

    def _post(self, route: str, name: str, source: Path) -> str:
        """Return the page of a blog post: its slug, or its date and name."""
        slug = self.front_matter(source).get("slug")
        if isinstance(slug, str):
            return as_index(f"{route}/{slug.strip('/')}")
        stem = re.sub(r"/index$", "", name.removesuffix(source.suffix))
        found = _DATED.fullmatch(stem)
        path = f"{found['date'].replace('-', '/')}/{found['name']}" if found else stem
        return as_index(posixpath.join(route, path))

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Take the date of `last_update` for that of the last change."""
        date = as_table(meta.get("last_update")).get("date")
        return with_lastmod({**meta, "last_update": date}, "last_update") if date else meta

    def unlisted(self, meta: Mapping[str, object]) -> Reason | None:
        """Return whether a page is a draft, or in no list."""
        return Reason.HIDDEN if meta.get("unlisted") is True else super().unlisted(meta)

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield the texts that a text imports."""
        return imported(file, text, self.folder)


def _page_of(link: str, bases: list[str], site: OutputDir) -> str | None:
    """Return the file of a link, which begins with the path of the site."""
    for base in bases:
        path = link.removeprefix(base).strip("/")
        for page in (as_index(path), f"{path}.html"):
            if page in site.files:
                return page
    return None
