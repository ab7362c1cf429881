"""The finished site that a command is about, and the project that made it; both may be found."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct, structs

from sitemapkit.errors import SitemapError
from sitemapkit_tools.console import echo
from sitemapkit_tools.site.made import UNKNOWN
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sources import find, plugins
from sitemapkit_tools.sources.edit_links import HOW_TO_LINK
from sitemapkit_tools.sources.find import HANDWRITTEN, find_project, find_site, made_by
from sitemapkit_tools.sources.marks import all_names, generator_of
from sitemapkit_tools.sources.plugins import PLUGINS, USUAL_FOLDERS, is_site, plugin_of
from sitemapkit_tools.sources.table import GENERATORS
from sitemapkit_tools.sources.table import HANDWRITTEN as OF_HTML
from textdates.bounds import real_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapkit_tools.site.made import MadeSite
    from sitemapkit_tools.sources.plugins import PluginSite
    from sitemapkit_tools.sources.project import Project


def _known(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse the name of a generator that is not known."""
    if value in (None, "none", HANDWRITTEN, *GENERATORS) or value in all_names():
        return value
    for maker in (maker for plugin in PLUGINS for maker in plugin.makers):
        if str(value).lower().replace("-", " ") == maker.name.lower():
            message = (
                f"{value!r}: sites of {maker.name} are for its plugin, which `{maker.line}` adds"
            )
            raise click.BadParameter(message, param=parameter)
    allowed = ", ".join([*all_names(), HANDWRITTEN])
    near = get_close_matches(str(value).lower(), [*all_names(), HANDWRITTEN], n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    message = f"{value!r} is not a generator that is known.{meant} Allowed: {allowed}, none."
    raise click.BadParameter(message, param=parameter)


generator_option = click.option(
    "--generator",
    metavar="NAME",
    callback=_known,
    help=f"What made the site, if it is not found: {', '.join(GENERATORS)}, handwritten;"
    " none: read only the site.",
)

_MOST_PROBLEMS = 5


class Located(Struct, frozen=True):
    """A finished site, and its project."""

    tree: OutputDir
    project: Project | None = None
    unclear: str = ""
    """Why the project is not known, if there are some that could be it."""

    around: Sequence[Path] = ()
    """The folders that the user names as those of the project."""

    is_wanted: bool = True
    """Whether the project was looked for."""

    plugin: PluginSite | None = None
    """The plugin that knows the site: its project is not read."""

    @property
    def origin(self) -> Path:
        """The settings that the site was made with, or else the site."""
        return self.project.file if self.project else self.tree.root

    def made(self, tree: OutputDir) -> MadeSite:
        """Return what the project knows of the pages of the site, served under its base URL."""
        return UNKNOWN if self.plugin else made_by(self.project, tree, self.around)

    def maker(self) -> str:
        """Return the generator that made the site, "" if none did or it is not known."""
        if self.project and self.project.generator is OF_HTML:
            return ""
        return self.project.name if self.project else generator_of(self.tree)

    def why_no_sources(self) -> str:
        """Return why the source of no page is known, and what a theme can do about it."""
        has_sources = self.project or self.around
        return " ".join([self._what_is_missing(), HOW_TO_LINK if has_sources else ""]).strip()

    def _what_is_missing(self) -> str:
        if self.project:
            folder = shown(self.project.folder)
            return f"No file in {folder} belongs to a page, by the rules of {self.project.name}."
        if self.unclear or not self.is_wanted:  # which is said, or known
            return ""
        if maker := generator_of(self.tree):
            place = "not there" if self.around else "in no folder above the site"
            return f"The settings of {maker}, which built the site, are {place}."
        return "It is not known what built the site: --generator says it."

    def say(self, base_url: str) -> None:
        """Say on stderr what was found, in one line."""
        if self.project:
            has_file = self.project.file != self.project.folder
            by = f" (settings: {shown(self.project.file)})" if has_file else ""
            echo(
                f"{self.project.name} site in {shown(self.tree.root)}{by}, at {base_url}", err=True
            )
        if self.unclear:
            echo(f"warning {self.unclear}", err=True)

    def problems(self) -> Sequence[str]:
        """Return what cannot be read of the project, in a few sentences."""
        found = list(dict.fromkeys(self.project.problems)) if self.project else []
        more = len(found) - _MOST_PROBLEMS
        return [*found[:_MOST_PROBLEMS], *([f"and {more} more files"] if more > 0 else [])]


def locate(
    given: Path | None, generator: str | None = None, around: Sequence[Path] = ()
) -> Located:
    """Return the finished site in a folder, or that of the project in it.

    Without a folder it is the current one, if that has a home page. Raises SitemapError if there is
    no site, or more than one.
    """
    folder = given or Path()
    found = find_site(folder, generator) if generator != "none" else None
    tree = found[1] if found else OutputDir.walk(_root_of(folder, generator, is_given=bool(given)))
    _refuse_several(folder, tree.root, generator)
    tree = structs.replace(tree, root=Path(shown(tree.root)))
    plugin = plugin_of(tree, around)
    if plugin and not plugin.is_marked and _is_name(generator):
        plugin = None  # who names another generator knows better than a file in the site
    if found:
        return Located(tree, found[0], around=around, plugin=plugin)
    if plugin or generator == "none":
        return Located(tree, around=around, is_wanted=False, plugin=plugin)
    return Located(tree, *find_project(tree, around, generator), around)


def _is_name(generator: str | None) -> bool:
    """Return whether the user names a generator, and not only that none is to be looked for."""
    return generator not in (None, "none", HANDWRITTEN)


def _root_of(folder: Path, generator: str | None, *, is_given: bool) -> Path:
    """Return the finished site in a folder that has no project of a generator that is known.

    A folder that is given may be the site without a home page. In the current folder, the site may
    be wherever generators usually write one. Raises SitemapError if there is no site.
    """
    if is_site(folder):
        return folder
    if generator != "none" and (missing := find.unfinished(folder, generator)):
        raise SitemapError(missing)
    sites = [] if _is_name(generator) else plugins.usual_sites(folder)
    if not (sites or is_given):
        sites = plugins.finished_sites(folder)
    if len(sites) > 1:
        raise find.several(map(shown, sites))
    if sites:
        return sites[0]
    if missing := plugins.unfinished(folder):
        raise SitemapError(missing)
    if is_given:
        return folder
    command = click.get_current_context().info_name
    hook = " or, in .pre-commit-config.yaml, `args: [public]`" if command == "check" else ""
    raise SitemapError(
        f"{folder.absolute()} has no index.html, no settings of a generator that is known, and no"
        f" finished site in {', '.join(USUAL_FOLDERS[:5])} or the like; name the folder of the"
        f" finished site, as in `sitemapkit {command} public`{hook}"
    )


def _refuse_several(folder: Path, root: Path, generator: str | None) -> None:
    """Raise SitemapError if a project beside the one of a site has a finished site, too."""
    if is_site(folder) or _is_name(generator):
        return
    here = real_path(root)
    others = [each for each in plugins.usual_sites(folder) if real_path(each) != here]
    if others:
        raise find.several(map(shown, [root, *others]))


def shown(path: Path) -> str:
    """Return a path from the current folder if it is below that."""
    whole, here = Path(os.path.normpath(path.absolute())), Path.cwd()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else whole)
