"""What text each page shows: its own file, and what it includes, lists and documents.

Loaded only where dates depend on texts. The modules of this package are for what few sites have.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, cast

from mkdocs_sitemapkit.pages import front_matter_error, post_of
from textdates import Part
from textdates.parts import Headed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as MkDocsPage

    from mkdocs_sitemapkit.pages import MaterialList
    from mkdocs_sitemapkit.texts.includes import Includes
    from sitemapkit import Options, Page
    from textdates import Cut, TextDates
    from textdates.parts import Draft, Found

INCLUDES = "sitemapkit/includes"
"""The plugin that finds what pages include, which a build gets only if a page may include a file.
"""

CODE = {"mkdocstrings", "mkdocs-click"}
"""A plugin and a Markdown extension that document code."""

_TITLE = re.compile(r"<h1[^>]*>\s*\{\{-?\s*page\.title")
"""Where a template shows the title of a page."""

PAGE_EVENTS = {"on_pre_page", "on_page_read_source", "on_page_markdown"}
"""Events at which hooks may add text to a page."""

HARMLESS = """abbr admonition attr_list autorefs awesome-nav codehilite def_list extra fenced_code
footnotes gen-files git-revision-date-localized i18n literate-nav markdown. material. material/
md_in_html meta mike minify <mkdocs_autorefs. mkdocstrings <mkdocstrings. monorepo nl2br pymdownx.
redirects sane_lists search section-index sitemapkit smarty tables toc wikilinks"""
"""Plugins and Markdown extensions that add no other text to a page, or how their names begin.

Snippets do; for hooks, events decide.
"""


def watch(config: MkDocsConfig, options: Options) -> None:
    """Begin to look what pages include, if git decides on dates and a page may include a file."""
    is_asked = "git" in options.date_sources and options.dependencies
    if is_asked and INCLUDES not in config.plugins and _may_include(config):
        from mkdocs_sitemapkit.texts.includes import Includes  # noqa: PLC0415 - most sites need none

        config.plugins[INCLUDES] = Includes(config)


def add_texts(
    pages: Mapping[File, Page],
    lists: Mapping[File, MaterialList],
    config: MkDocsConfig,
    history: TextDates | None,
) -> Sequence[str]:
    """Add to each page all that it shows; return the names of pages with text from elsewhere.

    `history` is that of the build, if dates from git are wanted.
    """
    plugins = cast("Mapping[str, object]", config.plugins)
    includes = cast("Includes | None", plugins.get(INCLUDES))
    found = includes.found if includes else dict["File", "Found"]()
    drafts: tuple[Draft, ...] = ()
    if lists:
        from mkdocs_sitemapkit.texts.lists import add_members, drafts_in  # noqa: PLC0415 - few sites have lists

        add_members(pages, lists, config)
        drafts = drafts_in(lists)
    has_titles = _shows_titles(config)
    for file, page in pages.items():
        if file in found:
            page.included = [*found[file].included, *page.included]
        if file.page and file.is_documentation_page() and page.sources == [file.abs_src_path]:
            cut = _own_text(file.page, drafts, has_titles=has_titles)
            page.sources = [Part(str(file.abs_src_path), cut)] if cut else page.sources
    has_code = not CODE.isdisjoint([*plugins, *map(str, config.markdown_extensions)])
    if has_code and history:
        from mkdocs_sitemapkit.texts.api import add_objects  # noqa: PLC0415 - as few document code

        explained = add_objects(pages, config, history)
        found = {file: each for file, each in found.items() if file not in explained}
    return [page.name for file, page in pages.items() if file in found and found[file].unexplained]


def _shows_titles(config: MkDocsConfig) -> bool:
    """Return whether the theme puts a title above a text without one: that of Material does."""
    files = (Path(folder, "partials/content.html") for folder in config.theme.dirs)
    template = next(filter(Path.is_file, files), None)
    return bool(template and _TITLE.search(template.read_text("utf-8", "replace")))


def _own_text(page: MkDocsPage, drafts: tuple[Draft, ...], *, has_titles: bool) -> Cut | None:
    """Return what a page shows of its own file; None if it is everything below front matter."""
    if _shows_front_matter(page):
        return str  # which keeps all of it
    drafts = drafts if post_of(page) else ()
    if not has_titles:
        return Headed("", drafts=drafts) if drafts else None
    name = page.file.name.replace("-", " ").replace("_", " ")  # as MkDocs does
    usual = name.capitalize() if name.islower() else name
    default = "Home" if page.is_homepage and page.parent is None else usual
    return Headed(default, str(vars(page).get("title", "")), drafts)


def _shows_front_matter(page: MkDocsPage) -> bool:
    """Return whether what looks like front matter is a part of the page's text.

    MkDocs reads none between plus signs.
    """
    is_unread = not page.meta and (page.markdown or "").startswith(("---", "+++"))
    return is_unread or front_matter_error(page) is not None


def _may_include(config: MkDocsConfig) -> bool:
    """Return whether a plugin, hook or Markdown extension may include other files in pages."""
    plugins = cast("Mapping[str, object]", config.plugins)
    hooks = (vars(each).keys() & PAGE_EVENTS for each in plugins.values())  # they are modules
    names = (*plugins, *map(str, config.markdown_extensions))
    return any(hooks) or not all(map(_is_harmless, names))


def _is_harmless(name: str) -> bool:
    starts = {name, *(name[: name.find(end) + 1] for end in "./")}
    is_known = "snippets" not in name and not starts.isdisjoint(HARMLESS.split())
    return is_known or name.endswith(".py")  # a hook
