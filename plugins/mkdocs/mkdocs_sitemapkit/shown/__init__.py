"""What text each page shows: its own file, and what it includes, lists and documents.

Loaded only where dates depend on texts. The modules of this package are for what few sites have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mkdocs_sitemapkit.pages import front_matter_error
from textdates import Part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as MkDocsPage

    from mkdocs_sitemapkit.pages import MaterialList
    from mkdocs_sitemapkit.shown.includes import Includes
    from sitemapkit import Options, Page
    from textdates import TextDates
    from textdates.parts import Found

INCLUDES = "sitemapkit/includes"
"""The plugin that finds what pages include, which a build gets only if a page may include a file.
"""

CODE = {"mkdocstrings", "mkdocs-click", "markdown-exec"}
"""Plugins and a Markdown extension that document or run code."""

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
        from mkdocs_sitemapkit.shown.includes import Includes  # noqa: PLC0415 - most sites need none

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
    for file, page in pages.items():
        if file in found:
            page.included = found[file].included
        if file.page and page.sources == [file.abs_src_path] and _shows_front_matter(file.page):
            page.sources = [Part(str(file.abs_src_path), str)]  # `str` keeps all of it
    if lists:
        from mkdocs_sitemapkit.shown.lists import add_members  # noqa: PLC0415 - few sites have lists

        add_members(pages, lists, config)
    has_code = not CODE.isdisjoint([*plugins, *map(str, config.markdown_extensions)])
    if has_code and history:
        from mkdocs_sitemapkit.shown.api import add_objects  # noqa: PLC0415 - as few document code

        explained = add_objects(pages, config, history)
        found = {file: each for file, each in found.items() if file not in explained}
    return [page.name for file, page in pages.items() if file in found and found[file].unexplained]


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
