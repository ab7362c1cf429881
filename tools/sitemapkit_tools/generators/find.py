"""Which project made a finished site, and which finished site a project has."""

from __future__ import annotations

import os
import re
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit import installed
from sitemapkit.errors import SitemapError
from sitemapkit.html import Stated, parse_head
from sitemapkit_tools.bounds import MAX_SMALL_FILE
from sitemapkit_tools.generators import handwritten
from sitemapkit_tools.generators.plugins import PLUGINS, Plugin
from sitemapkit_tools.generators.project import UnknownProject
from sitemapkit_tools.site.made import UNKNOWN
from sitemapkit_tools.site.output_dir import OutputDir
from textdates.bounds import is_inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit_tools.generators.project import BaseProject
    from sitemapkit_tools.site.made import MadeSite

NAMES = {
    "zensical": "zensical.Project",
    "myst": "myst.Project",
    "quarto": "quarto.Project",
    "mdbook": "mdbook.Project",
    "hugo": "hugo.Project",
    "jekyll": "jekyll.Project",
    "docusaurus": "scripted.Docusaurus",
    "starlight": "scripted.Starlight",
    "astro": "scripted.Astro",
    "vitepress": "vitepress.Project",
    "eleventy": "scripted.Eleventy",
    "nuxt": "scripted.Nuxt",
    "antora": "antora.Project",
}
"""The generators and their classes; where two could have made a site, the first is taken."""

HANDWRITTEN = "handwritten"
"""The name of sites that no generator has made."""

FOLDERS = ("", "docs", "doc", "source", "website", "nbs")
"""Folders of a project that the settings of a generator are often in."""

_MOST_FOLDERS = 200
"""Other folders of a repository that are looked into."""

_ABOVE = 3
"""How far above a finished site its project may be: at `.` for `docs/_build/html`."""

_FEW_PAGES = 20
"""Pages that are searched for the mark of a generator: the home page may only redirect."""


class Found(NamedTuple):
    """The project that made a site."""

    project: BaseProject | None = None
    unclear: str = ""
    """Why it is not known, if there are projects that could be it."""


@cache
def generator(name: str) -> type[BaseProject]:
    """Return the class of a generator: one of ours, or one that another package adds."""
    if name in NAMES:
        module, _, own = NAMES[name].partition(".")
        found: type[BaseProject] = getattr(import_module(f"{__package__}.{module}"), own)
        return found
    added: type[BaseProject] = installed.load(installed.GENERATORS, name).Project
    return added


def all_names() -> list[str]:
    """Return the names of all generators, also of those that other packages add."""
    return [*NAMES, *installed.names(installed.GENERATORS)]


def find_project(site: OutputDir, around: Sequence[Path] = (), name: str | None = None) -> Found:
    """Return the project that made a finished site, as far as that is certain.

    Its settings must be above the site, or in or below the folders `around` if it is known to be
    there. The site must have the mark of the generator or, if no generator has left one, be where
    the settings say. `name` is that of the generator, if the user knows it.

    Raises SitemapError if that generator has no settings there.
    """
    if name == HANDWRITTEN:
        return Found(handwritten.Project.of(site))
    if not name and plugin_of(site):
        return Found()
    for names in [[name]] if name else _name_lists():
        found = _made_by(names, site, around, is_sure=name is not None)
        if found.project or found.unclear:
            return found
    if name:
        settings = " or ".join(generator(name).settings_files)
        place = f"in {' or '.join(map(str, around))}" if around else f"above {site.root}"
        hint = "" if around else "; name the folder that has it with --repository"
        raise SitemapError(f"--generator {name}: there is no {settings} {place}{hint}")
    return Found(None if marks(site, all_names()) else handwritten.Project.of(site))


def _name_lists() -> Iterator[Sequence[str]]:
    """Yield our generators, and then those of other packages, which it takes time to look for."""
    yield [*NAMES]
    yield [*installed.names(installed.GENERATORS)]


def _made_by(
    names: Sequence[str], site: OutputDir, around: Sequence[Path], *, is_sure: bool
) -> Found:
    """Return the project of one of these generators that made a site, if it is certain."""
    folders = [*around] or _above(site.root.absolute())
    marked = names if is_sure else marks(site, names)
    projects = [*projects_in(_places(folders), marked or names)]
    if not marked:
        projects = [each for each in projects if not each.is_always_marked]
    root = site.root.resolve()
    here = [each for each in projects if each.output_dir().resolve() == root]
    if here or not (marked or around):
        return Found(here[0] if here else None)
    above = [each for each in projects if each.folder in folders]
    if above or len({each.folder for each in projects}) <= 1:
        return Found(next(iter(above or projects), None))
    files = ", ".join(str(each.file) for each in projects)
    return Found(None, f"{files} could have made {site.root}; name the folder with --repository")


def made_site(site: OutputDir, around: Sequence[Path] = ()) -> MadeSite:
    """Return what the project that made a finished site knows of its pages, if it is certain."""
    return UNKNOWN if plugin_of(site) else made_by(find_project(site, around).project, site, around)


def made_by(project: BaseProject | None, site: OutputDir, around: Sequence[Path] = ()) -> MadeSite:
    """Return what a project knows of the pages of a site; without one, a repository may do."""
    if not project and around:
        project = UnknownProject(around[0].absolute(), around[0].absolute())
    return project.made(site) if project else UNKNOWN


def find_site(folder: Path, name: str | None = None) -> tuple[BaseProject, OutputDir] | None:
    """Return the project in a folder and its finished site; None: the folder may be the site.

    Raises SitemapError if no site is finished, or more than one is.
    """
    if name == HANDWRITTEN:
        return None
    unfinished: list[BaseProject] = []
    has_home = (folder / "index.html").is_file()
    near = [[folder]] if has_home else [[folder], [*_places([folder])]]
    for names in [[name]] if name else _name_lists():
        for places in near:
            projects = [*projects_in(places, names)]
            sites = ((each, _finished_site(each, is_sure=bool(name))) for each in projects)
            finished = [(each, site) for each, site in sites if site]
            if len({site.root.resolve() for _, site in finished}) > 1:
                said = ", ".join(f"{site.root} ({each.name})" for each, site in finished)
                message = f"there are several finished sites, {said}: name the folder of one"
                raise SitemapError(message)
            if finished:
                return finished[0]
            unfinished += projects
    if unfinished and not has_home:
        first = unfinished[0]
        raise SitemapError(
            f"{first.file} is of {first.name}, but {first.output_dir()} has no site made by it;"
            " build it first, or name the folder of the finished site"
        )
    return None


def _finished_site(project: BaseProject, *, is_sure: bool) -> OutputDir | None:
    """Return a project's site if it is there, and no other generator has made it."""
    folder = project.output_dir()
    if not folder.is_dir():
        return None
    _refuse_outside(project, folder)
    site = OutputDir.walk(folder)
    if is_sure or not site.pages():
        return site if site.pages() else None
    marked = marks(site, all_names())
    is_own = any(isinstance(project, generator(name)) for name in marked)
    return site if is_own or not (marked or project.is_always_marked) else None


def _refuse_outside(project: BaseProject, site: Path) -> None:
    """Raise SitemapError if the site is outside the project: it would be walked, and written to."""
    if is_inside(site, project.root):
        return
    is_linked = Path(os.path.normpath(site)).is_relative_to(project.folder)
    setting = f"the setting {project.output_setting}" if project.output_setting else "a setting"
    raise SitemapError(
        f"{project.file}: {'a link' if is_linked else setting} leads to {site.resolve()}, which is"
        f" outside {project.root}; if that is the finished site, name its folder instead of the"
        " project"
    )


def projects_in(places: Iterable[Path], names: Iterable[str] = NAMES) -> Iterator[BaseProject]:
    """Yield the projects in folders."""
    classes = [generator(name) for name in names]
    for place in dict.fromkeys(places):
        for each in classes:
            file = next((f for name in each.settings_files if (f := place / name).is_file()), None)
            if file:
                yield each(place.absolute(), file.absolute())


def _above(site: Path) -> list[Path]:
    """Return the folders above a site up to the root of its repository, the nearest first."""
    above = list(site.parents)
    roots = (number for number, each in enumerate(above) if (each / ".git").exists())
    return above[: next(roots, _ABOVE - 1) + 1]


def _places(folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the folders that settings may be in; in a repository, each folder at its top too."""
    for folder in folders:
        yield from (folder / name for name in FOLDERS)
        if (folder / ".git").exists():
            inner = (each for each in sorted(folder.iterdir()) if each.name[0] != ".")
            yield from islice((each for each in inner if each.is_dir()), _MOST_FOLDERS)


def marks(site: OutputDir, names: Iterable[str]) -> list[str]:
    """Return those of the generators whose marks a site has."""
    named = _named_in(site)
    return [name for name in names if _is_named(generator(name).mark, named)]


def plugin_of(site: OutputDir) -> Plugin | None:
    """Return the plugin that knows a site, by the mark of its generator."""
    named = _named_in(site)
    if any(_is_named(generator(name).mark, named) for name in NAMES):
        return None
    beside = site.root.absolute().parent
    for each in PLUGINS:
        is_named = _is_named(each.mark, named)
        is_beside = each.beside and (beside / each.beside).is_file()
        if is_named or is_beside or not site.files.isdisjoint(each.landmarks):
            return each
    return None


def _is_named(mark: str, named: Sequence[str]) -> bool:
    return bool(mark) and any(re.match(mark, each) for each in named)


def generator_of(site: OutputDir) -> str:
    """Return the generator whose mark a site has, as people write it; "" if it has none."""
    return next((generator(name).name for name in marks(site, all_names())), "")


def _named_in(site: OutputDir) -> Sequence[str]:
    """Return the generators that the home page names or, if that only leads on, pages near it."""
    home = [site.read(name, MAX_SMALL_FILE) for name in ("index.html",) if name in site.files]
    if not home or parse_head(home[0]).refresh:
        near = sorted(site.pages(), key=lambda name: (name.count("/"), name))
        home += [site.read(name, MAX_SMALL_FILE) for name in near[:_FEW_PAGES]]
    return [stated for html in home for stated in _stated_in(html)]


def _stated_in(html: bytes) -> Iterator[str]:
    """Yield the generators that `<meta>` elements and comments name."""
    for meta in Stated(html).metas:
        if meta.get("name", "").strip().lower() == "generator":
            yield meta.get("content", "").strip()
    yield from _COMMENT.findall(html.partition(b"<body")[0].decode("utf-8", "replace"))


_COMMENT = re.compile(r"<!--\s*+([^<>]*+)")
