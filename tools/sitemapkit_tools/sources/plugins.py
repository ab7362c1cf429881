"""The generators that a plugin of ours is for, and how their finished sites are known.

Which pages such a site is to list, and when their texts changed, only the plugin knows: nothing of
the project is read, only whether its settings are there.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from sitemapkit.head import parse_head
from sitemapkit.layout import beginning, word_in
from sitemapkit_tools.bounds import MAX_SMALL_FILE
from sitemapkit_tools.site.judgement import SEARCH_INDEX, SPHINX_OPTIONS, roots_of
from sitemapkit_tools.site.output_dir import OutputDir, is_page
from sitemapkit_tools.site.versions import LATEST, of_mike
from sitemapkit_tools.sources.marks import all_names, generator, is_named, named_in
from textdates.bounds import is_file, is_folder, is_there

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Maker(NamedTuple):
    """A generator, and how the plugin is added to it."""

    name: str
    mark: str
    """A pattern of how it begins to name itself in the home page; "" if it never does."""

    settings: tuple[str, ...]
    """Names of its settings, as patterns."""

    line: str
    """The whole line of the settings that adds the plugin."""

    needs: str
    """What the plugin needs."""

    beside: str = ""
    """A file that is beside the settings, if their name is that of others, too."""

    def settings_in(self, folder: Path) -> Path | None:
        """Return its settings in a folder, if they are there."""
        if self.beside and not is_file(folder / self.beside):
            return None
        for name in self.settings:
            found = [file for file in sorted(folder.glob(name)) if is_file(file)]
            if found:
                return found[0]
        return None


class Plugin(NamedTuple):
    """A plugin of ours, and how to know the sites that it is for."""

    name: str
    """The word in its sitemaps."""

    makers: tuple[Maker, ...]
    """The generators that it is for; the first is the one that is meant where nothing tells."""

    landmark: str
    """A file of each of its sites that no other generator writes; "" if there is none."""

    beside: str
    """A file beside its sites that is of no other generator; "" if there is none."""

    sites: tuple[str, ...]
    """Where its sites usually are, from the settings or from the folder above."""


_SPHINX_FOLDERS = tuple(
    f"{place}{name}"
    for place in ("_build/", "docs/_build/", "doc/_build/", "build/", "docs/build/", "doc/build/")
    for name in ("html", "dirhtml")
)
_IN_LIST = "plugins: [search, sitemapkit]"

PLUGINS = (
    Plugin(
        "MkDocs",
        makers=(
            Maker(
                "MkDocs",
                "mkdocs-|MkDocs version",  # the themes of MkDocs end the home page with the latter
                ("mkdocs.yml", "mkdocs.yaml", "mkdocs[._-]*.yml"),
                _IN_LIST,
                "MkDocs 1.6 or newer, before 2",
            ),
            Maker(
                "ProperDocs",
                "properdocs-|ProperDocs version",
                ("properdocs.yml", "properdocs.yaml"),
                _IN_LIST,
                "ProperDocs 1.6.5 or newer",
            ),
        ),
        landmark=SEARCH_INDEX,
        beside="",
        sites=("site",),
    ),
    Plugin(
        "Sphinx",
        makers=(
            Maker(
                "Sphinx",
                "(?:Generated with )?Sphinx ",
                ("conf.py",),
                'extensions = ["sphinx_sitemapkit"]',
                "Sphinx 7.3 or newer",
            ),
            Maker(
                "Jupyter Book 1",
                "",
                ("_config.yml",),
                "sphinx: {extra_extensions: [sphinx_sitemapkit]}",
                "Sphinx 7.3 or newer",
                beside="_toc.yml",
            ),
        ),
        landmark=SPHINX_OPTIONS,
        beside="",
        sites=_SPHINX_FOLDERS,
    ),
    Plugin(
        "Pelican",
        makers=(
            Maker(
                "Pelican",
                "Pelican",
                ("pelicanconf.py", "publishconf.py", "pelican*conf*.py"),
                'PLUGINS = ["sitemapkit"]',
                "Pelican 4.9 or newer",
            ),
        ),
        landmark="",
        beside="pelicanconf.py",  # ten of fourteen themes do not name Pelican
        sites=("output",),
    ),
)

WORDS = frozenset(each.name for each in PLUGINS)
"""The words of plugins in their sitemaps."""

USUAL_FOLDERS = (
    *("site", "output", "public", "_site", "build", "dist", "book", "_book", "build/site"),
    *_SPHINX_FOLDERS,
)
"""Where generators usually write sites, below the folder that they are run in."""

PLACES = ("", "docs", "doc", "source", "docs/source", "doc/source")
"""Folders that the settings may be in, below one that is above the site."""

_LEVELS = 3
"""How far above a finished site its project may be: at `.` for `docs/_build/html`."""


class PluginSite(Struct, frozen=True):
    """A finished site of a generator that a plugin of ours is for."""

    plugin: Plugin
    maker: Maker
    settings: Path | None
    """The settings of its project, if they are at hand."""

    is_marked: bool
    """Whether the site names its generator."""


def plugin_of(site: OutputDir, around: Sequence[Path] = ()) -> PluginSite | None:
    """Return which plugin a site is for: by a generator's name in it, a file in it, or beside it.

    What names another generator is never such a site. `around` are folders of its project.
    """
    named = named_in(site)
    marked = _marked(named)
    plugin = marked[0] if marked else _by_landmark(site) or _by_settings_beside(site)
    if not plugin or any(is_named(generator(name).mark, named) for name in all_names()):
        return None
    found = _settings_of(plugin, site, around)
    maker = plugin.makers[0]
    if found:
        maker = found[0]
    if marked and maker.mark:
        maker = marked[1]
    return PluginSite(plugin, maker, found[1] if found else None, bool(marked))


def _marked(named: Sequence[str]) -> tuple[Plugin, Maker] | None:
    for plugin in PLUGINS:
        for maker in plugin.makers:
            if is_named(maker.mark, named):
                return plugin, maker
    return None


def _by_landmark(site: OutputDir) -> Plugin | None:
    return next((each for each in PLUGINS if each.landmark in site.files), None)


def _by_settings_beside(site: OutputDir) -> Plugin | None:
    """Return the plugin whose settings are beside a site, if those of no other generator are."""
    beside = site.root.absolute().parent
    found = [each for each in PLUGINS if each.beside and is_file(beside / each.beside)]
    if not found:
        return None
    others = [maker for each in PLUGINS if each not in found for maker in each.makers]
    if any(maker.settings_in(beside) for maker in others):
        return None
    for name in all_names():
        if any(is_file(beside / file) for file in generator(name).settings):
            return None
    return found[0]


def _settings_of(
    plugin: Plugin, site: OutputDir, around: Sequence[Path]
) -> tuple[Maker, Path] | None:
    """Return the settings in, beside or above a site, in the same repository."""
    root = site.root.absolute()
    is_repository = is_folder(root / ".git")
    above = [] if is_repository else folders_above(root)
    for folder in (root, *above, *around):
        if found := _settings_in(plugin, folder):
            return found
    return None


def _settings_in(plugin: Plugin, folder: Path) -> tuple[Maker, Path] | None:
    """Return the settings in a folder, or in one below it where they often are."""
    for place in PLACES:
        for maker in plugin.makers:
            if file := maker.settings_in(folder / place):
                return maker, file
    return None


def folders_above(site: Path) -> list[Path]:
    """Return the folders above a site up to the root of its repository, the nearest first."""
    above = list(site.parents)
    roots = (number for number, each in enumerate(above) if is_there(each / ".git"))
    return above[: next(roots, _LEVELS - 1) + 1]


def usual_sites(folder: Path) -> list[Path]:
    """Return the finished sites of the projects in a folder, where they usually are."""
    names: list[str] = []
    for plugin in PLUGINS:
        if _settings_in(plugin, folder):
            names += plugin.sites
    return [folder / name for name in names if is_site(folder / name)]


def finished_sites(folder: Path) -> list[Path]:
    """Return the finished sites in a folder, where generators usually write them."""
    return [folder / name for name in USUAL_FOLDERS if is_site(folder / name)]


def is_site(folder: Path) -> bool:
    """Return whether a folder has a home page, or versions of a site that mike has put there."""
    return is_file(folder / "index.html") or is_file(folder / "versions.json")


def unfinished(folder: Path) -> str:
    """Return whose settings are in a folder without a finished site, "" if nobody's are."""
    for plugin in PLUGINS:
        if found := _settings_in(plugin, folder):
            maker, file = found
            where = " or ".join(str(folder / name) for name in plugin.sites[:2])
            return (
                f"{file} is of {maker.name}, but no site is in {where}; build it first, or name the"
                " folder of the finished site"
            )
    return ""


def sites_below(site: OutputDir) -> Mapping[str, PluginSite]:
    """Return the sites of plugins in folders of another site, by the folder with its slash."""
    folders = {*_folders_with_landmarks(site), *_folders_with_homes(site)}
    found: dict[str, PluginSite] = {}
    for folder in sorted(folders):
        is_in_one = folder.startswith(tuple(found))
        if is_in_one or f"{folder}index.html" not in site.files:
            continue
        landmarks = [each.landmark for each in PLUGINS if each.landmark]
        if known := plugin_of(OutputDir.top(site.root / folder, *landmarks)):
            found[folder] = known
    return found


def _folders_with_landmarks(site: OutputDir) -> Iterator[str]:
    for each in PLUGINS:
        if each.landmark:
            yield from filter(None, roots_of(site, each.landmark))


def _folders_with_homes(site: OutputDir) -> Iterator[str]:
    """Yield the versions of mike, and the folders at the top that have more than pages.

    Where the home page only leads on, the latter may be its own pages.
    """
    for above, names, _ in of_mike(site, LATEST):
        yield from (f"{above}{name}/" for name in names)
    if not _leads_on(site):
        others = (file for file in site.files if "/" in file and not is_page(file))
        yield from {f"{file.partition('/')[0]}/" for file in others}


def _leads_on(site: OutputDir) -> bool:
    """Return whether a site has no home page of its own: it leads to another, or is not there."""
    home = "index.html"
    return home not in site.files or bool(parse_head(site.read(home, MAX_SMALL_FILE)).refresh)


def holds_only_versions(site: OutputDir, below: Mapping[str, PluginSite]) -> bool:
    """Return whether a site is a root that only leads to the sites below it."""
    versions = {f"{above}{name}/" for above, names, _ in of_mike(site, LATEST) for name in names}
    return bool(below) and (_leads_on(site) or not versions.isdisjoint(below))


def plugins_sitemap(site: OutputDir) -> tuple[str, str] | None:
    """Return the sitemap at the root of a site that a plugin wrote, and the word in it."""
    for file in sorted(site.files):
        if "/" not in file and file.endswith((".xml", ".xml.gz")):
            word = word_in(beginning(Path(site.path(file))))
            if word and word in WORDS:
                return file, word
    return None
