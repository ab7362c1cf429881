"""The plugin: what it does at each event of a MkDocs build."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from mkdocs_sitemapkit.config import SitemapConfig, site_defaults
from mkdocs_sitemapkit.pages import front_matter_error, is_about_us, theme_pages, to_pages
from sitemapkit import Build, SitemapError
from sitemapkit.hosts import write_by_host
from sitemapkit.html import stated_lang
from sitemapkit.rules import grouped

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from datetime import date

    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage

    from sitemapkit import Page

log = get_plugin_logger("sitemapkit")

BUILT_IN = "sitemap.xml"
"""MkDocs' own sitemap: a static template that every theme inherits."""

LAST = -200
"""Event priority: after mkdocstrings, gen-files and static-i18n, which have -100."""

INCLUDES = "sitemapkit/includes"
"""The plugin that finds what pages include, and stores it with their files, if needed."""

CODE = {"mkdocstrings", "mkdocs-click"}
"""A plugin and a Markdown extension that document code."""

PAGE_EVENTS = {"on_pre_page", "on_page_read_source", "on_page_markdown"}
"""Events at which hooks may add text to a page."""

HARMLESS = """abbr admonition attr_list autorefs awesome-nav codehilite def_list extra fenced_code
footnotes gen-files git-revision-date-localized i18n literate-nav markdown. material. material/
md_in_html meta mike minify <mkdocs_autorefs. mkdocstrings <mkdocstrings. monorepo nl2br pymdownx.
redirects sane_lists search section-index sitemapkit smarty tables toc wikilinks"""
"""Plugins and Markdown extensions that add no other text to a page, or how their names begin.

Snippets do; for hooks, events decide.
"""


class SitemapPlugin(BasePlugin[SitemapConfig]):
    """Collects the pages of a build and of the builds inside it, and writes one sitemap."""

    _depth = 0  # static-i18n builds each further language inside its `on_post_build`
    _served = False

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Remember whether this is `mkdocs serve`; a run before may have been interrupted."""
        self._depth, self._served = 0, command == "serve"

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Begin a build, which may be inside another one."""
        self._depth += 1
        if self._depth > 1:
            return
        self.pages: dict[str, Page] = {}
        """All pages, by their output paths."""

        self._unread = False  # `--dirty` skips unchanged pages
        self._build = Build(self.config.options(base_url=config.site_url))
        self._build.read_history(Path(config.docs_dir))
        is_needed = self._build.history and self._build.options.dependencies
        if is_needed and INCLUDES not in config.plugins and _may_include(config):
            from mkdocs_sitemapkit.includes import Includes  # noqa: PLC0415 - most sites need none

            config.plugins[INCLUDES] = Includes(config)

    @event_priority(LAST)
    def on_env(self, env: jinja2.Environment, /, *, config: MkDocsConfig, files: Files) -> None:
        """Collect the pages: all have been read by now, those of other plugins too."""
        options = self.config.options(served=self._served, **site_defaults(config))
        build = Build(options, history=self._build.history)
        pages = to_pages(files, config)
        by_path = {file.abs_dest_path: page for file, page in pages.items()}
        if self._depth == 1:
            self._build, self._site_dir = build, Path(config.site_dir)
            by_path |= theme_pages(config, by_path)
        self._examine_sources(pages, config)
        self.pages |= by_path
        build.add_all(by_path.values())
        with _mkdocs_errors():
            lastmods = build.lastmods()
        if build is not self._build:
            self._build.add_all(by_path.values())
        for file, page in pages.items():
            if file.page and not page.excluded:
                self._finish_page(file.page, lastmods.get(page.url))
        self._replace_built_in(config, files)

    @event_priority(LAST)
    def on_post_page(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        """Set the language that the final HTML states, if it is needed."""
        if self._build.options.needs_lang and (ours := self.pages.get(page.file.abs_dest_path)):
            ours.lang = ours.lang or stated_lang(output)
        return output

    @event_priority(LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the sitemap when the outermost build ends."""
        self._depth -= 1
        if self._depth == 0:
            self._write()

    def on_build_error(self, *, error: Exception) -> None:
        """Leave all builds, so that the next one starts anew."""
        self._depth = 0

    def _examine_sources(self, pages: Mapping[File, Page], config: MkDocsConfig) -> None:
        """Add documented code to pages; report pages with text from elsewhere."""
        if self._build.history and CODE & {*config.plugins, *map(str, config.markdown_extensions)}:
            from mkdocs_sitemapkit.api import add_objects  # noqa: PLC0415 - most sites need none

            add_objects(pages, config)
        partly = [page.name for file, page in pages.items() if getattr(file, "unexplained", False)]
        if self._depth == 1 and not self._build.options.ledger:
            self._build.report.issues += grouped("git-partly", partly)

    def _finish_page(self, page: MkDocsPage, lastmod: date | None) -> None:
        """Set the date that themes show, and warn about front matter that is not valid."""
        self._unread |= page.markdown is None
        if lastmod:
            page.update_date = lastmod.isoformat()[: len("YYYY-MM-DD")]
        if error := front_matter_error(page):
            level = logging.WARNING if is_about_us(page) else logging.INFO
            text = "%s: its front matter is shown as text: %s."
            log.log(level, text, page.file.abs_src_path, error)

    def _replace_built_in(self, config: MkDocsConfig, files: Files) -> None:
        """Remove MkDocs' own sitemap.xml from the build, and one that users put in its place."""
        is_replaced = self._build.options.filename == BUILT_IN
        file, template = files.get_file_from_path(BUILT_IN), _custom_template(config)
        custom = template or _custom_file(file, config)
        if custom and is_replaced and self._depth == 1:
            log.warning("%s is replaced by the sitemap of this plugin: remove it.", custom)
        if template and not is_replaced:
            return
        # A template that is not static any more is a plain file to MkDocs; so in a build inside
        # another one it is among the files.
        config.theme.static_templates.discard(BUILT_IN)
        if file and (is_replaced or not custom):
            files.remove(file)

    def _write(self) -> None:
        if self._unread:
            log.info("This build reads only changed pages: the sitemap stays as it was.")
            return
        with _mkdocs_errors():
            reports = write_by_host(self._build, self.pages.values(), self._site_dir)
        for report in reports:
            for message in report.messages(log.getEffectiveLevel()):
                log.log(message.level, message.text, *message.arguments)


@contextmanager
def _mkdocs_errors() -> Generator[None]:
    """Turn our errors into one that MkDocs prints without a traceback."""
    try:
        yield
    except SitemapError as error:
        raise PluginError(f"sitemapkit: {error}") from error


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


def _custom_template(config: MkDocsConfig) -> Path | None:
    """Return a template of the sitemap that is the user's own, not that of MkDocs or a theme."""
    template = Path(config.theme.custom_dir or "", BUILT_IN)
    return template if config.theme.custom_dir and template.is_file() else None


def _custom_file(file: File | None, config: MkDocsConfig) -> Path | None:
    """Return a sitemap that the user put among the pages."""
    is_own = file and file.inclusion.is_included() and file.src_dir not in config.theme.dirs
    return Path(file.abs_src_path or file.src_uri) if file and is_own else None
