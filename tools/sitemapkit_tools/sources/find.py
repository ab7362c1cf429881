"""Which project made a finished site, and which finished site a project has."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit import installed
from sitemapkit.errors import SitemapError
from sitemapkit_tools.site.made import UNKNOWN as NOTHING_KNOWN
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sources.handwritten import written_folder
from sitemapkit_tools.sources.marks import all_names, generator, marks
from sitemapkit_tools.sources.plugins import folders_above, plugin_of
from sitemapkit_tools.sources.project import Project
from sitemapkit_tools.sources.table import GENERATORS, UNKNOWN
from sitemapkit_tools.sources.table import HANDWRITTEN as OF_HTML
from textdates.bounds import is_file, is_folder, is_inside, is_there, real_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit_tools.site.made import MadeSite

HANDWRITTEN = "handwritten"
"""The name of sites that no generator has made."""

FOLDERS = ("", "docs", "doc", "source", "website", "nbs")
"""Folders of a project that the settings of a generator are often in."""

_MOST_FOLDERS = 200
"""Other folders of a repository that are looked into."""


class Found(NamedTuple):
    """The project that made a site."""

    project: Project | None = None
    unclear: str = ""
    """Why it is not known, if there are projects that could be it."""


def find_project(site: OutputDir, around: Sequence[Path] = (), name: str | None = None) -> Found:
    """Return the project that made a finished site, as far as that is certain.

    Its settings must be above the site, or in or below the folders `around` if it is known to be
    there. The site must have the mark of the generator or, if no generator has left one, be where
    the settings say. `name` is that of the generator, if the user knows it.

    Raises SitemapError if that generator has no settings there.
    """
    if name == HANDWRITTEN:
        return Found(_handwritten(site))
    if not name and plugin_of(site):
        return Found()
    for names in [[name]] if name else _name_lists():
        found = _made_by(names, site, around, is_sure=name is not None)
        if found.project or found.unclear:
            return found
    if name:
        settings = " or ".join(generator(name).settings)
        place = f"in {' or '.join(map(str, around))}" if around else f"above {site.root}"
        hint = "" if around else "; name the folder that has it with --repository"
        raise SitemapError(f"--generator {name}: there is no {settings} {place}{hint}")
    return Found(None if marks(site, all_names()) else _handwritten(site))


def _handwritten(site: OutputDir) -> Project | None:
    """Return the project of a site of HTML files that people write, if it is one."""
    folder = written_folder(site)
    return Project(OF_HTML, folder, folder) if folder else None


def _name_lists() -> Iterator[Sequence[str]]:
    """Yield our generators, and then those of other packages, which it takes time to look for."""
    yield [*GENERATORS]
    yield [*installed.names(installed.GENERATORS)]


def _made_by(
    names: Sequence[str], site: OutputDir, around: Sequence[Path], *, is_sure: bool
) -> Found:
    """Return the project of one of these generators that made a site, if it is certain."""
    folders = [*around] or folders_above(site.root.absolute())
    marked = names if is_sure else marks(site, names)
    projects = [*projects_in(_places(folders), marked or names)]
    if not marked:
        projects = [each for each in projects if not each.is_always_marked]
    root = real_path(site.root)
    here = [each for each in projects if real_path(each.output_dir()) == root]
    if here or not (marked or around):
        return Found(here[0] if here else None)
    above = [each for each in projects if each.folder in folders]
    if above or len({each.folder for each in projects}) <= 1:
        return Found(next(iter(above or projects), None))
    files = ", ".join(str(each.file) for each in projects)
    return Found(None, f"{files} could have made {site.root}; name the folder with --repository")


def made_by(project: Project | None, site: OutputDir, around: Sequence[Path] = ()) -> MadeSite:
    """Return what a project knows of the pages of a site; without one, a repository may do."""
    if not project and around:
        project = Project(UNKNOWN, around[0].absolute(), around[0].absolute())
    return project.made(site) if project else NOTHING_KNOWN


def find_site(folder: Path, name: str | None = None) -> tuple[Project, OutputDir] | None:
    """Return the project in a folder and its finished site, if there is one.

    Raises SitemapError if there are more.
    """
    for projects in _projects_near(folder, name):
        sites = ((each, _finished_site(each, is_sure=bool(name))) for each in projects)
        finished = [(each, site) for each, site in sites if site]
        if len({real_path(site.root) for _, site in finished}) > 1:
            raise several(f"{site.root} ({each.name})" for each, site in finished)
        if finished:
            return finished[0]
    return None


def several(sites: Iterable[str]) -> SitemapError:
    """Return the error that there are more finished sites than one."""
    return SitemapError(
        f"there are several finished sites, {', '.join(sites)}: name the folder of one"
    )


def unfinished(folder: Path, name: str | None = None) -> str:
    """Return which project in a folder has no finished site, "" if there is no project."""
    for projects in _projects_near(folder, name):
        for each in projects:
            if each.is_sure:
                place = f"{each.file} may be of {each.name}, but {each.output_dir()} has no site"
                return (
                    f"{place} made by it; build it first, or name the folder of the finished site"
                )
    return ""


def _projects_near(folder: Path, name: str | None) -> Iterator[list[Project]]:
    """Yield the projects in a folder, then those in others that settings are often in.

    A folder with a home page may be the site itself, so that only its own settings count.
    """
    if name == HANDWRITTEN:
        return
    has_home = is_file(folder / "index.html")
    near = [[folder]] if has_home else [[folder], [*_places([folder])]]
    for names in [[name]] if name else _name_lists():
        for places in near:
            yield [*projects_in(places, names)]


def _finished_site(project: Project, *, is_sure: bool) -> OutputDir | None:
    """Return a project's site if it is there, and no other generator has made it."""
    folder = project.output_dir()
    if not is_folder(folder):
        return None
    _refuse_outside(project, folder)
    site = OutputDir.walk(folder)
    if is_sure or not site.pages():
        return site if site.pages() else None
    if plugin_of(site):
        return None
    marked = marks(site, all_names())
    is_own = any(project.generator is generator(name) for name in marked)
    return site if is_own or not (marked or project.is_always_marked) else None


def _refuse_outside(project: Project, site: Path) -> None:
    """Raise SitemapError if the site is outside the project: it would be walked, and written to."""
    if is_inside(site, project.root):
        return
    is_linked = Path(os.path.normpath(site)).is_relative_to(project.folder)
    settings = project.generator.output_settings
    setting = f"the setting {settings[0]}" if settings else "a setting"
    raise SitemapError(
        f"{project.file}: {'a link' if is_linked else setting} leads to {real_path(site)}, which is"
        f" outside {project.root}; if that is the finished site, name its folder instead of the"
        " project"
    )


def projects_in(places: Iterable[Path], names: Iterable[str] = GENERATORS) -> Iterator[Project]:
    """Yield the projects in folders."""
    rows = [generator(name) for name in names]
    for place in dict.fromkeys(places):
        for row in rows:
            file = next((f for name in row.settings if is_file(f := place / name)), None)
            if file:
                yield Project(row, place.absolute(), file.absolute())


def _places(folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the folders that settings may be in; in a repository, each folder at its top too."""
    for folder in folders:
        yield from (folder / name for name in FOLDERS)
        if is_there(folder / ".git"):
            inner = (each for each in sorted(folder.iterdir()) if each.name[0] != ".")
            yield from islice((each for each in inner if is_folder(each)), _MOST_FOLDERS)
