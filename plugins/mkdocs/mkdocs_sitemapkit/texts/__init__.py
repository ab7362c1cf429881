"""What text each page shows: its own file, and what it includes, lists and documents.

Loaded only where dates depend on texts. The modules of this package are for what few sites have.
Nothing here knows what a sitemap is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from mkdocs_sitemapkit.material import post_of
from mkdocs_sitemapkit.sources import front_matter_error
from textdates import Part
from textdates.bounds import is_file
from textdates.parts import Draft, Headed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as MkDocsPage

    from mkdocs_sitemapkit.material import MaterialList
    from mkdocs_sitemapkit.texts.includes import Includes
    from textdates import Cut, FileOrPart, TextDates

INCLUDES = "sitemapkit/includes"
"""The plugin that finds what pages include, which a build gets only if a page may include a file.
"""

DOCUMENTING = {"mkdocstrings", "mkdocs-click"}
"""A plugin and a Markdown extension that document code."""

_TITLE = re.compile(r"<h1[^<>]*>\s*\{\{-?\s*page\.title")
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


DRAFTS = (Draft("draft", ("true", "yes", "on")),)
"""Metadata of posts that Material does not publish."""


@dataclass
class Text:
    """The text of one page: files, and parts of files."""

    sources: Sequence[FileOrPart]
    """What the page was made from."""

    included: list[FileOrPart] = field(default_factory=list["FileOrPart"])
    """What it shows of other files."""

    has_unknown: bool = False
    """Whether some of its words are in none of these."""


def watch(config: MkDocsConfig) -> None:
    """Begin to look what pages include, if a page may include a file."""
    if INCLUDES not in config.plugins and _may_include(config):
        from mkdocs_sitemapkit.texts.includes import Includes  # noqa: PLC0415 - most sites need none

        config.plugins[INCLUDES] = Includes(config)


def _may_include(config: MkDocsConfig) -> bool:
    """Return whether a plugin, hook or Markdown extension may include other files in pages."""
    plugins = cast("Mapping[str, object]", config.plugins)
    for plugin in plugins.values():
        if vars(plugin).keys() & PAGE_EVENTS:  # a module of hooks
            return True
    names = [*plugins, *map(str, config.markdown_extensions)]
    return not all(map(_is_harmless, names))


def _is_harmless(name: str) -> bool:
    if name.endswith(".py"):  # a hook
        return True
    if "snippets" in name:
        return False
    # As in `material/` and `pymdownx.`: whatever a package has behind its name.
    package, dot, _ = name.partition(".")
    group, slash, _ = name.partition("/")
    starts = {name, package + dot, group + slash}
    return not starts.isdisjoint(HARMLESS.split())


def find_texts(
    sources: Mapping[File, Sequence[FileOrPart]],
    lists: Mapping[File, MaterialList],
    config: MkDocsConfig,
    history: TextDates | None,
) -> dict[File, Text]:
    """Return the text of each page; `sources` are the files that the pages were made from.

    `history` is that of the build, if dates from git are wanted.
    """
    plugins = cast("Mapping[str, object]", config.plugins)
    includes = cast("Includes | None", plugins.get(INCLUDES))
    drafts = _drafts_in(lists)
    has_titles = _shows_titles(config)
    texts: dict[File, Text] = {}
    for file, own in sources.items():
        text = texts[file] = Text(own)
        if includes and file in includes.found:
            found = includes.found[file]
            text.included += found.included
            text.has_unknown = found.unexplained
        if file.page and file.is_documentation_page() and own == [file.abs_src_path]:
            cut = _own_text(file.page, drafts, has_titles=has_titles)
            if cut:
                text.sources = [Part(str(file.abs_src_path), cut)]
    if lists:
        from mkdocs_sitemapkit.texts.lists import add_members  # noqa: PLC0415 - few sites have lists

        add_members(texts, lists, config, drafts)
    extensions = map(str, config.markdown_extensions)
    if history and not DOCUMENTING.isdisjoint([*plugins, *extensions]):
        from mkdocs_sitemapkit.texts.objects import add_objects  # noqa: PLC0415 - few document code

        add_objects(texts, config, history)
    return texts


def _drafts_in(lists: Mapping[File, MaterialList]) -> tuple[Draft, ...]:
    """Return with which metadata posts are not published.

    A post that was a draft is new to its readers from the day on which it is none.
    """
    for _, blog in lists.values():
        if blog and blog.draft:  # it shows drafts
            return ()
    return DRAFTS


def _shows_titles(config: MkDocsConfig) -> bool:
    """Return whether the theme puts a title above a text without one: that of Material does."""
    for folder in config.theme.dirs:
        template = Path(folder, "partials/content.html")
        if is_file(template):  # the first replaces the others
            return bool(_TITLE.search(template.read_text("utf-8", "replace")))
    return False


def _own_text(page: MkDocsPage, drafts: tuple[Draft, ...], *, has_titles: bool) -> Cut | None:
    """Return what a page shows of its own file; None if it is everything below front matter."""
    if _shows_front_matter(page):
        return str  # which keeps all of it
    if not post_of(page):
        drafts = ()
    if not has_titles:
        return Headed("", drafts=drafts) if drafts else None
    # As MkDocs makes titles of names.
    default = page.file.name.replace("-", " ").replace("_", " ")
    if page.is_homepage and page.parent is None:
        default = "Home"
    elif page.file.name.islower():
        default = default.capitalize()
    return Headed(default, str(vars(page).get("title", "")), drafts)


def _shows_front_matter(page: MkDocsPage) -> bool:
    """Return whether what looks like front matter is a part of the page's text.

    MkDocs reads none between plus signs.
    """
    if not page.meta and (page.markdown or "").startswith(("---", "+++")):
        return True
    return front_matter_error(page) is not None
