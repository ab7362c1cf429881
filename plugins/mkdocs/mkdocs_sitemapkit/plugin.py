"""The events of a MkDocs build, and what the plugin does at each."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from mkdocs_sitemapkit.config import SitemapConfig
from mkdocs_sitemapkit.defaults import site_defaults
from mkdocs_sitemapkit.hosts import by_host
from mkdocs_sitemapkit.pages import front_matter_error, theme_pages, to_pages
from sitemapkit import Build, SitemapError
from sitemapkit.html import head_text, parse_head, stated_lang

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
"""MkDocs' own sitemap, a static template that every theme inherits."""

AT_ONCE = 500
"""Heads of pages that are held until they are read."""

LAST = -200
"""Event priority: mkdocstrings, gen-files and static-i18n run at -100."""


class SitemapPlugin(BasePlugin[SitemapConfig]):
    """Collects the pages of a build, and of the builds inside it, and writes the sitemap once."""

    def __init__(self) -> None:
        """Start outside of any build."""
        self._depth = 0  # static-i18n builds each further language inside its `on_post_build`
        self._served = False

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Note whether this is `mkdocs serve`."""
        self._served = command == "serve"

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Begin a build, maybe one inside another."""
        self._depth += 1
        if self._depth > 1:
            return
        self.pages: dict[str, Page] = {}
        """All pages, by the path of the file that is written."""

        self._heads: dict[str, str] = {}
        self._unread = False  # `--dirty` reads no page that has not changed
        self._build = Build(self.config.options(base_url=config.site_url))
        self._build.read_history(Path(config.docs_dir))

    @event_priority(LAST)
    def on_env(self, env: jinja2.Environment, /, *, config: MkDocsConfig, files: Files) -> None:
        """Collect the pages: all of them are read by now, and those of other plugins are there."""
        options = self.config.options(served=self._served, **site_defaults(config))
        build = Build(options, history=self._build.history)
        pages = to_pages(files, config)
        if self._depth == 1:
            self._build, self._site_dir = build, Path(config.site_dir)
        self._add(build, {file.abs_dest_path: page for file, page in pages.items()})
        if self._depth == 1:
            self._add(build, theme_pages(config, self.pages))
        with _mkdocs_errors():
            lastmods = build.lastmods()
        if build is not self._build:
            self._add(self._build, {file.abs_dest_path: page for file, page in pages.items()})
        for file, page in pages.items():
            if file.page and not page.excluded:
                self._finish(file.page, lastmods.get(page.url))
        self._replace_built_in(config, files)

    @event_priority(LAST)
    def on_post_page(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        """Read what the final HTML says to search engines."""
        self._heads[page.file.abs_dest_path] = head_text(output)
        if len(self._heads) == AT_ONCE:
            self._read_heads()
        return output

    @event_priority(LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the sitemap when the outermost build ends."""
        self._depth -= 1
        if self._depth == 0:
            self._write()

    def on_build_error(self, *, error: Exception) -> None:
        """Leave all builds, so that the next one begins afresh."""
        self._depth = 0

    def _add(self, build: Build, pages: Mapping[str, Page]) -> None:
        self.pages |= pages
        for page in pages.values():
            build.add(page)

    def _finish(self, page: MkDocsPage, lastmod: date | None) -> None:
        """Give a page the date that themes show, and look at what MkDocs says nothing about."""
        self._unread |= page.markdown is None
        if lastmod:
            page.update_date = lastmod.isoformat()[: len("YYYY-MM-DD")]
        if error := front_matter_error(page):
            log.warning(
                "%s: its front matter is shown as text: %s. Correct it.",
                page.file.abs_src_path,
                error,
            )

    def _read_heads(self) -> None:
        """Read the heads of many pages: one by one, between others' work, takes twice as long."""
        for path, html in self._heads.items():
            if page := self.pages.get(path):
                page.head, page.lang = parse_head(html), page.lang or stated_lang(html)
        self._heads.clear()

    def _replace_built_in(self, config: MkDocsConfig, files: Files) -> None:
        """Take MkDocs' own sitemap.xml out of the build, and what users put in its place."""
        ours = self._build.options.filename == BUILT_IN
        file, template = files.get_file_from_path(BUILT_IN), _own_template(config)
        own = template or _own_file(file, config)
        if own and ours and self._depth == 1:
            log.warning("%s is replaced by the sitemap of this plugin: remove it.", own)
        if template and not ours:
            return
        # What is no static template any more, MkDocs takes for a plain file: in a build inside
        # another the template comes as one.
        config.theme.static_templates.discard(BUILT_IN)
        if file and (ours or not own):
            files.remove(file)

    def _write(self) -> None:
        if self._unread:
            log.info("This build reads only changed pages: the sitemap stays as it was.")
            return
        self._read_heads()
        for build, folder in by_host(self._build, self.pages.values(), self._site_dir):
            with _mkdocs_errors():
                report = build.write(folder)
            for message in report.messages(log.getEffectiveLevel()):
                log.log(message.level, message.text, *message.arguments)


@contextmanager
def _mkdocs_errors() -> Generator[None]:
    """Say what is wrong as MkDocs says it, without a traceback."""
    try:
        yield
    except SitemapError as error:
        raise PluginError(f"sitemapkit: {error}") from error


def _own_template(config: MkDocsConfig) -> Path | None:
    """Return the template of a sitemap that the user, not MkDocs or a theme, wrote."""
    template = Path(config.theme.custom_dir or "", BUILT_IN)
    return template if config.theme.custom_dir and template.is_file() else None


def _own_file(file: File | None, config: MkDocsConfig) -> Path | None:
    """Return the sitemap that the user put among the pages."""
    if not (file and file.inclusion.is_included()) or file.src_dir in config.theme.dirs:
        return None
    return Path(file.abs_src_path or file.src_uri)
