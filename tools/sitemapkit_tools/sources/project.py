"""A project of one generator: where its site is, and which sources made which page.

What differs between generators is in `table`. Nothing of a project is run: its settings, records
and texts are read.
"""

from __future__ import annotations

import os
import re
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit.metadata import read_value
from sitemapkit.model import Reason
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.made import Made, MadeSite
from sitemapkit_tools.site.tracked import WorkTree, work_tree
from sitemapkit_tools.sources.includes import Folders, taken_in, worded
from sitemapkit_tools.sources.markups import as_readers_see
from sitemapkit_tools.sources.names import named_sources
from sitemapkit_tools.sources.page_sources import Texts, find_sources
from sitemapkit_tools.sources.settings import (
    Script,
    Settings,
    as_list,
    as_table,
    front_matter,
    read_table,
    read_text,
)
from sitemapkit_tools.sources.shown import ListPage, may_list, shown_names
from sitemapkit_tools.sources.table import SCRIPTS, Generator
from textdates import FileOrPart, Part, file_of
from textdates.bounds import is_file, is_folder, is_inside, real_path, root_of
from textdates.parts import Published

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.settings import Table

_REFUSED = ".git/refused"
"""A path where nothing is."""

MOST_INCLUDED = 200
"""Files that a text may take in, and these in turn; real ones take in some 20."""

_NO_SOURCES = frozenset({"node_modules", "bower_components", "__pycache__"})

_ATTRIBUTE = re.compile(r"(?m)^:(?:page-)?([\w-]++):[ \t]*+(.*)$")

_DATES = ("lastmod", "date")
"""The metadata of a page whose source only the likeness of words told."""


def hidden_by(meta: Mapping[str, object]) -> Reason | None:
    """Return why front matter keeps a page out of sitemaps, beside what it says in our words.

    That is what generators, and the usual plugins of them, read in it.
    """
    if meta.get("draft") is True:
        return Reason.DRAFT
    sitemap = as_table(meta.get("sitemap"))
    words = [sitemap.get(name) for name in ("ignore", "disable", "exclude")]
    if True in (*words, meta.get("eleventyexcludefromcollections")):
        return Reason.EXCLUDED_BY_PAGE
    return None


class Project:
    """What a project of a generator says, as its row of the table tells how to read it."""

    def __init__(self, generator: Generator, folder: Path, file: Path) -> None:
        """Take a project: its folder, and the file of its settings."""
        self.generator, self.folder, self.file = generator, folder, file
        self.name, self.sitemap = generator.name, generator.sitemap
        self.problems: list[str] = []
        """What cannot be read or makes no sense, in a sentence each."""
        self.root = root_of(folder, folder)
        """The folder that all it reads is in."""
        self._front_matter: dict[Path, Mapping[str, object]] = {}
        self._taken_in = cache(self._read_includes)

    @property
    def is_sure(self) -> bool:
        """Whether its settings are those of no other generator."""
        is_anothers = any(is_file(self.folder / name) for name in self.generator.not_beside)
        return not is_anothers and self.file.name not in self.generator.settings_of_others

    @property
    def is_always_marked(self) -> bool:
        """Whether the settings alone say nothing of who made a site."""
        return self.generator.is_always_marked or not self.is_sure

    def output_dir(self) -> Path:
        """Return the folder of the finished site: the first that exists."""
        stated = self._first_of(self.generator.output_settings)
        names = (stated,) if stated else self.generator.output
        folders = [Path(os.path.normpath(self.folder / name)) for name in names]
        there = [folder for folder in folders if is_folder(folder)]
        folder = (there or folders)[0]
        inside = folder / self.generator.output_inside
        return inside if is_file(inside / "index.html") else folder

    def base_url(self) -> str:
        """Return the URL of the site, or the path of it; "" if no setting states it."""
        host = self._first_of(self.generator.url)
        path = self.setting(self.generator.url_path).strip("/")
        if "://" in path:  # as the URL of a book is often written
            host, path = path, ""
        if not host:
            return f"/{path}/" if path else ""
        if "://" not in host:
            host = f"https://{host}"
        return f"{host.rstrip('/')}/{path}".rstrip("/") + "/"

    @cached_property
    def texts(self) -> Path:
        """The folder of the texts."""
        name = self.generator.texts_setting
        return self.named(name, self.setting(name) or self.generator.texts)

    def setting(self, name: str) -> str:
        """Return a setting that is text, as `book.src`; "" if it has no name or no value."""
        if not name:
            return ""
        if self.file.suffix[1:] in SCRIPTS:
            return self.script.get(name)
        return self.settings.get(name, "")

    def _first_of(self, names: Iterable[str]) -> str:
        """Return the first of some settings that has a value."""
        for name in names:
            if stated := self.setting(name):
                return stated
        return ""

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Return front matter with the words of generators in ours."""
        stated = dict(meta)
        for name in self.generator.lastmod:
            value: object = meta
            for part in name.split("."):
                value = as_table(value).get(part)
            if found := read_value("lastmod", value)[0]:
                stated.setdefault("lastmod", found)
        if sitemap := as_table(meta.get("sitemap")):
            others = ("filename", "disable", "ignore")
            own = {key: sitemap[key] for key in sitemap if str(key).lower() not in others}
            stated["sitemap"] = own if own.get("priority") != -1 else {}
        if "publishdate" in meta:
            stated["date"] = meta["publishdate"]
        return stated

    def made(self, site: OutputDir) -> MadeSite:
        """Return what is known of the pages of the finished site.

        Pages whose sources no name tells are read: their edit links, paths and words do.
        """
        generator = self.generator
        pages: dict[str, Made] = {}
        if generator.texts:
            pages.update(named_sources(site, self.texts, generator.suffixes, generator.index))
        if generator.own:
            for page, made in generator.own(self, site).items():
                if page in site.files:
                    pages[page] = made
        left = [page for page in site.pages() if page not in pages]
        if left and not generator.is_own_all:
            taken = {Path(file_of(file)) for made in pages.values() for file in made.sources}
            pages.update(self._read(site, left, taken))

        whole = {page: self._with_source(made, page, site) for page, made in pages.items()}
        for page, made in whole.items():
            if not made.sources or made.kind == "static":
                continue
            source = self.folder / file_of(made.sources[0])
            if may_list(source, self.front_matter(source)):
                shown = self._shown_by(ListPage(site, page), made, whole)
                whole[page] = replace(made, included=[*made.included, *shown])
        is_bare = self.setting(generator.bare_setting) == "true"
        return MadeSite(whole, "bare" if is_bare else generator.spelling, self.name)

    def _read(
        self, site: OutputDir, pages: Sequence[str], taken: Set[Path]
    ) -> Iterator[tuple[str, Made]]:
        """Yield the sources of pages that these themselves tell, but for those of other pages."""
        tree = work_tree(self.folder)
        if not tree:
            names = frozenset(name for name, _ in self.sources(self.folder, ""))
            tree = WorkTree(self.folder, names, frozenset())
        root = tree.root
        built = f"{os.path.relpath(real_path(site.root), real_path(root))}/"
        files: set[str] = set()
        for file in tree.files:
            if not file.startswith(built) and root / file not in taken:
                files.add(file)
        texts = Texts(
            root=root,
            text=self.text,
            files=files,
            branches=tree.branches,
            folder=os.path.relpath(real_path(self.folder), real_path(root)),
        )
        for page, source in find_sources(site, pages, texts).items():
            reason = Reason.UNTRANSLATED if source.is_untranslated else None
            text = worded(root / source.file)
            yield page, Made([text], excluded=reason, is_likely=not source.is_named)

    def _shown_by(
        self, page: ListPage, made: Made, pages: Mapping[str, Made]
    ) -> Iterator[FileOrPart]:
        """Yield what a page shows of the texts of others."""
        own = self.text(Path(file_of(made.sources[0])))
        for name in page.linked:
            other = pages.get(name)
            if not other or not other.sources:
                continue
            file = Path(file_of(other.sources[0]))
            if shown := page.shown_of(self.text(file), own, self.generator.drafts):
                yield Part(file, shown)

    def _with_source(self, made: Made, page: str, site: OutputDir) -> Made:
        """Return the same with what its source says, if it has one in the repository."""
        if not self.are_inside(made.sources, "the source of a page"):
            return replace(made, sources=(), included=())
        if not made.sources or made.kind == "static":  # which is copied unread
            return made
        own, *others = made.sources
        source = self.folder / file_of(own)
        stated = self.front_matter(source)
        meta = self.stated(stated)
        excluded = made.excluded
        if made.is_likely:
            meta = {name: meta[name] for name in _DATES if name in meta}
        else:
            excluded = excluded or hidden_by(stated)
        known = replace(made, meta=meta, excluded=excluded, sources=(), included=())

        included = [*made.included, *self._included(source)]
        if len(included) > MOST_INCLUDED:
            self.problems.append(
                f"{source} takes in more than {MOST_INCLUDED} files, so git cannot date its page"
            )
            return known
        if not self.are_inside(included, "what it takes in", source):
            return known
        if not isinstance(own, Part) and source.suffix != ".py":
            html = site.read(page, MAX_PAGE).decode("utf-8", "replace") if stated else ""
            cut = Published(self.generator.drafts, shown_names(html, stated))
            own = as_readers_see(Part(file_of(own), cut))
        return replace(known, sources=[own, *others], included=included)

    def _included(self, source: Path) -> Collection[FileOrPart]:
        """Return the files that a text takes in, and those that these take in, if not too many."""
        found: dict[FileOrPart, None] = {}
        waiting = [str(source)]
        seen = {*waiting}
        while waiting and len(found) <= MOST_INCLUDED:
            for each in self._taken_in(waiting.pop()):
                found[each] = None
                file = file_of(each)
                if file not in seen and is_inside(file, self.root):
                    waiting.append(file)
                seen.add(file)
        return found

    def _read_includes(self, file: str) -> Sequence[FileOrPart]:
        """Return the files that a text itself takes in, as far as these may be too many."""
        path = Path(file)
        named = dict.fromkeys(map(as_readers_see, self.includes(path, self.text(path))))
        return tuple(islice(named, MOST_INCLUDED + 1))

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield the files, and parts of them, that a text takes in."""
        return taken_in(file, text, self.generator.includes, self._folders)

    @cached_property
    def _folders(self) -> Folders:
        """Where the names in texts start."""
        others: list[Path] = []
        name = self.generator.includes_setting
        if name and self.file.suffix[1:] not in SCRIPTS:
            held = self.settings.find(name)
            for each in as_list(held) or [held]:
                if isinstance(each, str):
                    others.append(self.named(name, each))
        return Folders(self.folder, self.texts, others)

    @cached_property
    def settings(self) -> Settings:
        """The settings in TOML, YAML or JSON; those of another generator are not read."""
        is_anothers = self.file.name in self.generator.settings_of_others
        table: Table = {}
        if self.generator.settings and not is_anothers:
            table = self.table(self.file)
        return Settings(self.file, table, self.problems)

    @cached_property
    def script(self) -> Script:
        """The settings in JavaScript or TypeScript."""
        return Script(self.text(self.file))

    def table(self, file: Path) -> Table:
        """Return what a settings file says; nothing if it cannot be read, which is a problem."""
        try:
            return read_table(file, self.root)
        except (OSError, ValueError) as error:
            self.cannot_read(file, error)
            return {}

    def text(self, file: Path) -> str:
        """Return the text of a file; "" if it cannot be read, which is a problem."""
        try:
            return read_text(file, self.root)
        except OSError as error:
            self.cannot_read(file, error)
            return ""

    def front_matter(self, source: Path) -> Mapping[str, object]:
        """Return the front matter of a source, its keys in lower case."""
        if source not in self._front_matter:
            try:
                self._front_matter[source] = self.read_front_matter(source)
            except (OSError, ValueError) as error:
                self.cannot_read(source, error)
                self._front_matter[source] = {}
        return self._front_matter[source]

    def read_front_matter(self, source: Path) -> Mapping[str, object]:
        """Return the same. Raises OSError, or ValueError if it is none."""
        if source.suffix == ".adoc":  # attributes, those for pages without `page-`
            header = self.text(source).partition("\n\n")[0]
            attributes = _ATTRIBUTE.findall(header)
            if attributes:
                return {key.lower(): value.strip() for key, value in attributes}
        stated = front_matter(source, self.root)
        return {str(key).lower(): value for key, value in stated.items()}

    def named(self, setting: str, stated: str) -> Path:
        """Return the path that a setting names; one that leads out of the repository is refused."""
        path = self.folder / stated
        is_read = self.are_inside([path], f"the setting {setting}")
        return path if is_read else self.folder / _REFUSED

    def are_inside(self, paths: Iterable[FileOrPart], name: str, by: Path | None = None) -> bool:
        """Return whether paths lead into the repository; if one does not, that is a problem.

        The problem says what names the path, and not where that leads.
        """
        files = {self.folder / file_of(each) for each in paths}
        if all(is_inside(file, self.root) for file in files):
            return True
        self.problems.append(f"{by or self.file}: {name} leads out of {self.root}: it is not read")
        return False

    def cannot_read(self, file: Path, error: Exception) -> None:
        """Remember a file that cannot be read."""
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        self.problems.append(f"{file} cannot be read: {' '.join(why.split()):.300}")

    def sources(self, folder: Path, *suffixes: str) -> Iterator[tuple[str, Path]]:
        """Yield the files below a folder with these suffixes, by their path in it, sorted.

        Hidden folders, installed packages and the finished site are not looked into.
        """
        if not self.are_inside([folder], "a folder of texts"):
            return
        start = os.path.normpath(folder)
        site = str(self.output_dir())
        for top, folders, names in os.walk(start):
            inner: list[str] = []
            for name in sorted(folders):
                is_skipped = name[0] == "." or name in _NO_SOURCES
                if not is_skipped and f"{top}{os.sep}{name}" != site:
                    inner.append(name)
            folders[:] = inner
            for name in sorted(names):
                if name.endswith(suffixes) and name[0] != ".":
                    file = Path(top, name)
                    yield file.relative_to(start).as_posix(), file
