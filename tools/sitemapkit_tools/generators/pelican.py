"""Pelican."""

from __future__ import annotations

import os
import re
import unicodedata
from contextlib import suppress
from datetime import date
from functools import cached_property
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sitemapkit.html import Stated
from sitemapkit.metadata import publication_date
from sitemapkit.model import Reason
from sitemapkit.options import is_option
from sitemapkit_tools.generators.project import BaseProject, with_lastmod
from sitemapkit_tools.generators.settings import Settings, as_list, as_table
from sitemapkit_tools.site.made import Made, MadeSite
from textdates import file_of
from textdates.parts import Draft, stated_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

    from sitemapkit_tools.generators.settings import Table
    from sitemapkit_tools.site.output_dir import OutputDir

_HOME = "index.html"
_TEXTS = (".md", ".markdown", ".mkd", ".mdown", ".rst", ".html", ".htm")
_GROUPS = {"TAG": "TAGS", "CATEGORY": "CATEGORIES", "AUTHOR": "AUTHORS"}
_SAVE_AS = {
    "DEFAULT_LANG": "en",
    **{
        f"{kind}{lang}_SAVE_AS": f"{folder}{{slug}}{end}.html"
        for kind, folder in (
            *(("ARTICLE", ""), ("PAGE", "pages/")),
            *(("DRAFT", "drafts/"), ("DRAFT_PAGE", "drafts/pages/")),
        )
        for lang, end in (("", ""), ("_LANG", "-{lang}"))
    },
    **{f"{one}_SAVE_AS": f"{one.lower()}/{{slug}}.html" for one in _GROUPS},
    **{f"{many}_SAVE_AS": f"{many.lower()}.html" for many in _GROUPS.values()},
}
"""Settings with text, and their default values."""

_FIELD = re.compile(r"\{(?P<name>\w+)(?::(?P<format>[^{}]*+))?\}")


class Project(BaseProject):
    """Settings in Python say where drafts and copied files are; pages tell their sources."""

    name = "Pelican"
    settings_files = ("pelicanconf.py", "publishconf.py")
    mark = "Pelican"
    is_always_marked = False
    default_output = "output"
    output_setting = "OUTPUT_PATH"
    drafts = (Draft("status", ("draft", "skip")),)

    @cached_property
    def settings(self) -> Settings:
        """The settings, where those for publishing come last, as far as they are literals."""
        table: dict[str, Any] = {}
        for file in map(self.folder.joinpath, self.settings_files):
            table |= self.table(file) if file.is_file() else {}
        return Settings(self.file, table, self.problems)

    def base_url(self) -> str:
        """Return `SITEURL`."""
        return self.settings.get("SITEURL", "")

    def stated_options(self) -> Table:
        """Return `SITEMAP`; with keys of other plugins, `exclude` has another meaning."""
        given = as_table(self.settings.table.get("SITEMAP"))
        return given if all(map(is_option, given)) else {}

    @cached_property
    def content(self) -> Path:
        """The folder of the texts, which a command may give instead of the settings."""
        is_usual = "ARTICLE_PATHS" not in self.settings.table or (self.folder / "content").is_dir()
        stated = self.settings.get("PATH", "content" if is_usual else ".")
        return Path(os.path.normpath(self.named("PATH", stated)))

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield what each text makes by its slug, also in the subsite of its language."""
        for name, source in self.sources(self.content, *_TEXTS):
            if not (of_kind := self._kind(source)):
                continue
            meta = {**self.inherited(source), **self.front_matter(source)}
            usual = self._setting("DEFAULT_LANG")
            lang = str(meta.get("lang") or usual)
            kind = f"{of_kind}{'_LANG' if lang != usual else ''}_SAVE_AS"
            values = {"lang": lang, **_values(name, meta)}
            stated = meta.get("save_as")
            page = str(stated) if stated else _filled(self._setting(kind), values)
            own = _filled(self._setting(kind.replace("_LANG", "")), values)
            subsites = [lang] if "lang" in meta else self._subsites
            for each in (page, *(f"{folder}/{own}" for folder in subsites)):
                yield each, Made([source])

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return drafts and lists of nothing, of subsites too: settings say where they are."""
        folders = ["", *(f"{name}/" for name in self._subsites)]
        drafts = {self._setting(name) for name in _SAVE_AS if name.startswith("DRAFT")}
        is_draft = _matcher(folder + each for folder in folders for each in drafts)
        found = {page: Made(excluded=Reason.DRAFT) for page in site.pages() if is_draft(page)}
        for folder in folders:
            for one, many in _GROUPS.items():
                members = folder + self._setting(f"{one}_SAVE_AS")
                if _has_folder(members) and not any(map(_matcher([members]), site.pages())):
                    empty = folder + self._setting(f"{many}_SAVE_AS")
                    found[empty] = Made(excluded=Reason.EMPTY_LIST)
        return found

    def _read(
        self, site: OutputDir, pages: Sequence[str], taken: Set[Path]
    ) -> Iterator[tuple[str, Made]]:
        """Yield what pages tell, but no templates: these make lists, which have no source."""
        for page, made in super()._read(site, pages, taken):
            if self._kind(Path(file_of(made.sources[0]))):
                yield page, made

    def _kind(self, source: Path) -> str:
        """Return whether a text is a page or an article to Pelican, by its path; "": neither."""
        below = source.is_relative_to(self.content)
        name = f"{source.relative_to(self.content).as_posix()}/" if below else ""
        for kind, usual in (("PAGE", "pages"), ("ARTICLE", "")):
            given = as_list(self.settings.table.get(f"{kind}_PATHS", [usual]))
            folders = (str(each).strip("./") for each in given)
            if below and any(name.startswith(each and f"{each}/") for each in folders):
                return kind
        return ""

    @property
    def _subsites(self) -> Sequence[str]:
        return [str(each) for each in as_table(self.settings.table.get("I18N_SUBSITES"))]

    def _setting(self, name: str) -> str:
        """Return a setting; False and None are no path, so that nothing is written."""
        is_off = not self.settings.table.get(name, True)
        return "" if is_off else self.settings.get(name, _SAVE_AS[name])

    def copied(self) -> Iterator[tuple[str, Path]]:
        """Yield the files in `STATIC_PATHS`, under the names that `EXTRA_PATH_METADATA` gives."""
        given = self.settings.table
        for path in as_list(given.get("STATIC_PATHS", ["images"])):
            yield str(path).strip("/."), self.content / str(path)
        for path, meta in as_table(given.get("EXTRA_PATH_METADATA")).items():
            if "path" in as_table(meta):
                yield str(meta["path"]), self.content / str(path)

    def made(self, site: OutputDir) -> MadeSite:
        """List a home page that is hidden, too: that keeps it out of the menu."""
        made = super().made(site)
        home = made.pages.get(_HOME, Made())
        if home.excluded is not Reason.HIDDEN:
            return made
        return replace(made, pages={**made.pages, _HOME: replace(home, excluded=None)})

    def inherited(self, source: Path) -> Mapping[str, object]:
        """Return what the settings state for all texts, for those in a folder, and for one."""
        given = self.settings.table
        by_path = as_table(given.get("EXTRA_PATH_METADATA"))
        meta = dict(as_table(given.get("DEFAULT_METADATA")))
        if source.is_relative_to(self.content):
            own = source.relative_to(self.content)
            for path in (*reversed(own.parents), own):
                meta |= as_table(by_path.get(path.as_posix()))
        return meta

    def read_front_matter(self, source: Path) -> Mapping[str, object]:
        """Return the metadata at the top of a text, in any of the formats that Pelican reads.

        Between dashes it is YAML where a plugin reads that, and else lines as those without dashes.
        """
        text = self.text(source)
        if source.suffix in (".html", ".htm"):
            html = Stated(text)
            metas = {each.get("name", "").lower(): each.get("content", "") for each in html.metas}
            return {"title": html.title, **metas}
        if text.lstrip().startswith("---"):
            with suppress(OSError, ValueError):
                return super().read_front_matter(source)
        return stated_in(text)

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Take the day of `modified` for the date of the last change."""
        return with_lastmod({**meta, "modified": str(meta.get("modified", ""))[:10]}, "modified")

    def unlisted(self, meta: Mapping[str, object]) -> Reason | None:
        """Return whether the status of a text keeps it from lists."""
        statuses = {"draft": Reason.DRAFT, "skip": Reason.DRAFT, "hidden": Reason.HIDDEN}
        return statuses.get(str(meta.get("status", "")).strip().lower())


def _matcher(patterns: Iterable[str]) -> Callable[[str], object]:
    """Return what tells whether a file has a path that a setting gives."""
    parts = (_FIELD.split(each)[::3] for each in patterns if _has_folder(each))
    return re.compile("|".join("[^/]+".join(map(re.escape, each)) for each in parts)).fullmatch


def _has_folder(pattern: str) -> bool:
    """Return whether a path has a folder of its own; else other files are there as well."""
    return "/" in pattern.partition("{")[0]


def _values(name: str, meta: Mapping[str, object]) -> Mapping[str, object]:
    """Return what fields in a setting of a path stand for in a text of this name."""
    folder, _, own = name.rpartition("/")
    first = str(meta.get("authors") or meta.get("author") or "").partition(",")[0]
    return {
        "slug": str(meta.get("slug") or _slug(str(meta.get("title") or own.partition(".")[0]))),
        "category": _slug(str(meta.get("category") or folder.rpartition("/")[2] or "misc")),
        "author": _slug(first),
        "date": publication_date(meta),
    }


def _slug(text: str) -> str:
    """Return words in small letters of ASCII with dashes between them."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip())


def _filled(pattern: str, values: Mapping[str, object]) -> str:
    """Return a path for these values, or "" if it takes others."""
    parts = list[str]()
    for found in _FIELD.finditer(pattern):
        value = values.get(found["name"])
        if isinstance(value, date):
            value = value.strftime(found["format"] or "%Y-%m-%d")
        if not value:
            return ""
        parts.append(str(value))
    return "".join(chain(*zip_longest(_FIELD.split(pattern)[::3], parts, fillvalue="")))
