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
from sitemapkit_tools.generators.edit_links import HOW_TO_LINK
from sitemapkit_tools.generators.find import (
    HANDWRITTEN,
    NAMES,
    all_names,
    find_project,
    find_site,
    generator_of,
    made_by,
    plugin_of,
)
from sitemapkit_tools.generators.plugins import LANDMARKS, usual_site
from sitemapkit_tools.site.made import UNKNOWN
from sitemapkit_tools.site.output_dir import OutputDir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapkit_tools.generators.plugins import Plugin
    from sitemapkit_tools.generators.project import BaseProject
    from sitemapkit_tools.site.made import MadeSite


def _known(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse the name of a generator that is not known."""
    if value in (None, "none", HANDWRITTEN, *NAMES) or value in all_names():
        return value
    allowed = ", ".join([*all_names(), HANDWRITTEN])
    near = get_close_matches(str(value).lower(), [*all_names(), HANDWRITTEN], n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    message = f"{value!r} is not a generator that is known.{meant} Allowed: {allowed}, none."
    raise click.BadParameter(message, param=parameter)


generator_option = click.option(
    "--generator",
    metavar="NAME",
    callback=_known,
    help=f"What made the site, if that is not found: {', '.join(NAMES)}, handwritten; none: read"
    " only the site.",
)

_MOST_PROBLEMS = 5


class Located(Struct, frozen=True):
    """A finished site, and its project."""

    tree: OutputDir
    project: BaseProject | None = None
    unclear: str = ""
    """Why the project is not known, if there are some that could be it."""

    around: Sequence[Path] = ()
    """The folders that the user names as those of the project."""

    is_wanted: bool = True
    """Whether the project was looked for."""

    plugin: Plugin | None = None
    """The plugin that knows the site: its project is not read."""

    @property
    def origin(self) -> Path:
        """The settings that the site was made with, or else the site."""
        return self.project.file if self.project else self.tree.root

    def made(self, tree: OutputDir) -> MadeSite:
        """Return what the project knows of the pages of the site, served under its base URL."""
        return UNKNOWN if self.plugin else made_by(self.project, tree, self.around)

    def why_no_sources(self) -> str:
        """Return why the source of no page is known, and what a theme can do about it."""
        has_sources = self.project or self.around
        return " ".join([self._what_is_missing(), HOW_TO_LINK if has_sources else ""]).strip()

    def _what_is_missing(self) -> str:
        if self.project:
            folder = _short(self.project.folder)
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
            by = f" (settings: {_short(self.project.file)})" if has_file else ""
            echo(
                f"{self.project.name} site in {_short(self.tree.root)}{by}, at {base_url}", err=True
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
    if generator == "none":
        return Located(OutputDir.walk(folder), around=around, is_wanted=False)
    if not generator and (known := _of_plugin(folder)):
        return known
    found = find_site(folder, generator)
    if not (given or found or (folder / "index.html").is_file()):
        command = click.get_current_context().info_name
        hook = " or, in .pre-commit-config.yaml, `args: [public]`" if command == "check" else ""
        raise SitemapError(
            f"{folder.absolute()} has neither an index.html nor the settings of a generator that is"
            " known; name the folder of the finished site, as in"
            f" `sitemapkit {command} public`{hook}"
        )
    if found:
        project, tree = found
        return Located(structs.replace(tree, root=Path(_short(tree.root))), project)
    tree = OutputDir.walk(folder)
    plugin = None if generator else plugin_of(tree)
    return Located(tree, *find_project(tree, around, generator), around, plugin=plugin)


def _of_plugin(folder: Path) -> Located | None:
    """Return a site in a folder, or of the project in it, if a plugin of ours knows it."""
    root = folder if (folder / "index.html").is_file() else usual_site(folder)
    plugin = root and plugin_of(OutputDir.top(root, *LANDMARKS))
    return Located(OutputDir.walk(root), plugin=plugin) if root and plugin else None


def _short(path: Path) -> str:
    """Return a path from the current folder if it is below that."""
    whole, here = Path(os.path.normpath(path.absolute())), Path.cwd()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else whole)
