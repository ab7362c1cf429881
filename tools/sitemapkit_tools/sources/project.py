"""A project of one generator: where its site is, and which sources made which page.

A generator is a module of this package with a class `Project`, which says what differs from
`BaseProject`. Nothing of a project is run: its settings, records and texts are read.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from sitemapkit.metadata import read_value
from sitemapkit.model import Reason
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.made import Made, MadeSite, Spelling
from sitemapkit_tools.site.tracked import work_tree
from sitemapkit_tools.sources.cuts import Wording
from sitemapkit_tools.sources.markups import as_readers_see
from sitemapkit_tools.sources.page_sources import Texts, find_sources
from sitemapkit_tools.sources.settings import (
    Script,
    Settings,
    as_table,
    front_matter,
    read_table,
    read_text,
)
from sitemapkit_tools.sources.shown import ListPage, may_list, shown_names
from textdates import FileOrPart, Part, file_of
from textdates.bounds import is_inside, root_of
from textdates.parts import Draft, Published

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.settings import Table

_REFUSED = ".git/refused"
"""A path where nothing is."""

MOST_INCLUDED = 200
"""Files that a text may take in, and these in turn; real ones take in some 20."""

_NO_SOURCES = frozenset({"node_modules", "bower_components", "__pycache__"})


DRAFT = Draft("draft", ("true", "yes", "on"))
"""Front matter of a draft, in most generators."""


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


class BaseProject:
    """What is alike for all generators, and what most of them do."""

    name: ClassVar[str]
    """The generator, as people write it."""

    settings_files: ClassVar[tuple[str, ...]]
    """Paths of its settings below the project's folder; the first that exists counts."""

    mark: ClassVar[str] = ""
    """A pattern of how this generator's name begins in the `<meta>` element or comment by which it
    names itself in the head of a page; "" if it does not."""

    is_always_marked: ClassVar[bool] = True
    """Whether each of its sites has the mark."""

    is_record_complete: ClassVar[bool] = False
    """Whether the record of a build has all its pages, so that the rule of names can only err."""

    sitemap: ClassVar[str] = "sitemap.xml"
    """The sitemap that it writes and that its pages link to; ours takes its place."""

    default_output: ClassVar[str]
    """The folder of the site below the project's, unless a setting names another."""

    output_setting: ClassVar[str] = ""
    """The setting that names the folder of the site; "" if a command does."""

    drafts: ClassVar[tuple[Draft, ...]] = (DRAFT,)
    """Front matter that keeps a text from readers."""

    def __init__(self, folder: Path, file: Path) -> None:
        """Take a project: its folder, and the file of its settings."""
        self.folder, self.file = folder, file
        self.problems: list[str] = []
        """What cannot be read or makes no sense, in a sentence each."""
        self.root = root_of(folder, folder)
        """The folder that all it reads is in."""
        self._front_matter: dict[Path, Mapping[str, object]] = {}
        self._taken_in = cache(self._read_includes)

    @property
    def is_sure(self) -> bool:
        """Whether its settings are those of no other generator."""
        return True

    # What a generator answers

    def output_dir(self) -> Path:
        """Return the folder of the finished site."""
        stated = self.settings.get(self.output_setting, "") if self.output_setting else ""
        return self.folder / (stated or self.default_output)

    def base_url(self) -> str:
        """Return the URL of the site, or the path of it; "" if no setting states it."""
        return ""

    def spelling(self) -> Spelling:
        """Return how it links pages, an `index.html` most of all."""
        return "folder"

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield the file of each page as the rule of names says, below the site's root."""
        return iter(())

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:  # noqa: ARG002 - most have none
        """Return what the generator's record of this very build says, by the pages' files."""
        return {}

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:  # noqa: ARG002 - as above
        """Yield the files that a text names to be taken in, whether they exist or not."""
        return iter(())

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Return front matter with the generator's own words in ours."""
        return meta

    # What all have in common

    def made(self, site: OutputDir) -> MadeSite:
        """Return what is known of the pages of the finished site.

        Pages that neither the record of the build nor the rule of names knows are read: their edit
        links, paths and words tell.
        """
        pages = self._named(site)
        left = [page for page in site.pages() if page not in pages]
        if left and not (pages and self.is_record_complete):
            taken = {Path(file_of(file)) for made in pages.values() for file in made.sources}
            pages.update(self._read(site, left, taken))
        return self._site_of(pages, site)

    def _named(self, site: OutputDir) -> dict[str, Made]:
        """Return what the record of the build says and, without it, the rule of names.

        Where two sources could have made a page, none is taken.
        """
        found: dict[str, list[Made]] = defaultdict(list)
        for file, made in self.produced():
            if file in site.files and made not in found[file]:
                found[file].append(made)
        rule = {file: each[0] if len(each) == 1 else Made() for file, each in found.items()}
        record = self.recorded(site)
        return {**record} if record and self.is_record_complete else {**rule, **record}

    def _read(
        self, site: OutputDir, pages: Sequence[str], taken: Set[Path]
    ) -> Iterator[tuple[str, Made]]:
        """Yield the sources of pages that these themselves tell, but for those of other pages."""
        tree = work_tree(self.folder)
        root = tree.root if tree else self.folder
        files = tree.files if tree else [name for name, _ in self.sources(root, "")]
        built = f"{os.path.relpath(site.root.resolve(), root.resolve())}/"
        others = (file for file in files if not file.startswith(built))
        texts = Texts(
            root=root,
            text=self.text,
            files=frozenset(file for file in others if root / file not in taken),
            branches=tree.branches if tree else frozenset(),
            folder=os.path.relpath(self.folder.resolve(), root.resolve()),
        )
        for page, source in find_sources(site, pages, texts).items():
            reason = Reason.UNTRANSLATED if source.is_untranslated else None
            file = worded(root / source.file)
            yield page, Made([file], excluded=reason, is_likely=not source.is_named)

    def _site_of(self, pages: Mapping[str, Made], site: OutputDir | None = None) -> MadeSite:
        """Return what is known of the pages, which can be read if there is a `site`."""
        whole = {file: self._with_source(made, file, site) for file, made in pages.items()}
        for page, made in whole.items():
            is_text = made.sources and made.kind != "static"
            if site and is_text and may_list(Path(file_of(made.sources[0]))):
                shown = self._shown_by(ListPage(site, page), made, whole)
                whole[page] = replace(made, included=[*made.included, *shown])
        return MadeSite(whole, self.spelling(), self.name)

    def _shown_by(
        self, page: ListPage, made: Made, pages: Mapping[str, Made]
    ) -> Iterator[FileOrPart]:
        """Yield what a page shows of the texts of others."""
        own = self.text(Path(file_of(made.sources[0])))
        for other in filter(None, map(pages.get, page.linked)):
            file = Path(file_of(other.sources[0])) if other.sources else None
            if file and (shown := page.shown_of(self.text(file), own, self.drafts)):
                yield Part(file, shown)

    def _with_source(self, made: Made, page: str, site: OutputDir | None) -> Made:
        """Return the same with what its source says, if it has one in the repository."""
        if not self.are_inside(made.sources, "the source of a page"):
            return replace(made, sources=(), included=())
        if not made.sources or made.kind == "static":  # which is copied unread
            return made
        source = self.folder / file_of(made.sources[0])
        stated = self.front_matter(source)
        meta = self.stated(stated)
        excluded = made.excluded or hidden_by(stated)
        if made.is_likely:
            meta = {name: meta[name] for name in _DATES if name in meta}
            excluded = made.excluded
        own, *others = made.sources
        is_text = not isinstance(own, Part) and source.suffix != ".py"
        html = site.read(page, MAX_PAGE).decode("utf-8", "replace") if site and stated else ""
        cut = Published(self.drafts, shown_names(html, stated))
        shown = as_readers_see(Part(file_of(own), cut)) if is_text else own
        whole = replace(made, meta=meta, excluded=excluded)
        included = [*made.included, *self._included(source)]
        if len(included) > MOST_INCLUDED:
            self.problems.append(
                f"{source} takes in more than {MOST_INCLUDED} files, so git cannot date its page"
            )
            return replace(whole, sources=(), included=())
        is_known = self.are_inside(included, "what it takes in", source)
        return replace(
            whole,
            sources=[shown, *others] if is_known else (),
            included=included if is_known else (),
        )

    def _included(self, source: Path) -> Collection[FileOrPart]:
        """Return the files that a text takes in, and those that these take in, if not too many."""
        found: dict[FileOrPart, None] = {}
        waiting, seen = [str(source)], {str(source)}
        while waiting and len(found) <= MOST_INCLUDED:
            taken_in = self._taken_in(waiting.pop())
            found.update(dict.fromkeys(taken_in))
            files = dict.fromkeys(map(file_of, taken_in))
            waiting += [each for each in files if each not in seen and is_inside(each, self.root)]
            seen.update(files)
        return found

    def _read_includes(self, file: str) -> Sequence[FileOrPart]:
        """Return the files that a text itself takes in, as far as these may be too many."""
        path = Path(file)
        named = dict.fromkeys(map(_normal, self.includes(path, self.text(path))))
        there = (each for each in named if os.path.isfile(file_of(each)))  # noqa: PTH113
        return tuple(islice(there, MOST_INCLUDED + 1))

    @cached_property
    def settings(self) -> Settings:
        """The settings in TOML, YAML or JSON."""
        return Settings(self.file, self.table(self.file), self.problems)

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
        start, site = (os.path.normpath(each) for each in (folder, self.output_dir()))
        if not self.are_inside([folder], "a folder of texts"):
            return
        for top, folders, names in os.walk(start):
            folders[:] = sorted(
                each
                for each in folders
                if each[0] != "." and each not in _NO_SOURCES and f"{top}{os.sep}{each}" != site
            )
            for name in sorted(names):
                if name.endswith(suffixes) and name[0] != ".":
                    file = Path(top, name)
                    yield file.relative_to(start).as_posix(), file


class UnknownProject(BaseProject):
    """The project of a site that no generator which is known has made."""

    name = ""
    settings_files = ()
    default_output = "."


def _normal(named: FileOrPart) -> FileOrPart:
    """Return a file or a part of it without `..` in its path, as readers see it."""
    path = os.path.normpath(file_of(named))
    return as_readers_see(replace(named, file=path) if isinstance(named, Part) else path)


def first_file_in(folders: Iterable[Path], name: str) -> Path | None:
    """Return the file of this name in the first folder that has it."""
    return next((file for each in folders if (file := each / name).is_file()), None)


def with_lastmod(meta: Mapping[str, object], *names: str) -> Mapping[str, object]:
    """Return front matter where the first of these keys that has a date stands for `lastmod`."""
    dates = (date for name in names if (date := read_value("lastmod", meta.get(name))[0]))
    found = next(dates, None)
    return {"lastmod": found, **meta} if found else meta


_IMPORT = re.compile(
    r"(?m)^(?:import|export)\s[^'\"\n]{0,200}['\"](?P<name>(?:\.\.?|@site)/[^'\"\n]++)['\"]"
)
_PROGRAMS = (".js", ".jsx", ".ts", ".tsx", ".astro")
_IMPORTED = (".md", ".mdx", *_PROGRAMS)


def imported(file: Path, text: str, site: Path) -> Iterator[FileOrPart]:
    """Yield the texts and the words of programs that a text imports, from beside or `@site`."""
    for name in _IMPORT.findall(text):
        below = name.removeprefix("@site/")
        named = file.parent / name if below == name else site / below
        places = (
            named,
            *(Path(f"{named}{end}{suffix}") for end in ("", "/index") for suffix in _PROGRAMS),
        )
        found = next((each for each in places if each.suffix in _IMPORTED and each.is_file()), None)
        if found:
            yield worded(found)


def worded(file: Path) -> FileOrPart:
    """Return a text, or the words of a program."""
    return Part(file, Wording()) if file.suffix in _PROGRAMS else file


def as_index(path: str) -> str:
    """Return the file of a page whose URL is a folder, such as `a/b/` or "", below the root."""
    return f"{path.strip('/')}/index.html".lstrip("/")
