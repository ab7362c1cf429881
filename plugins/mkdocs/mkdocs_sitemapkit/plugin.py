"""The events of a MkDocs build, and what the plugin does at each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from mkdocs_sitemapkit.config import SitemapConfig
from mkdocs_sitemapkit.pages import to_page
from sitemapkit import Page, build
from sitemapkit.html import parse_head

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage

log = get_plugin_logger("sitemapkit")

BUILT_IN = "sitemap.xml"
"""MkDocs' own sitemap, a static template that every theme inherits."""

LAST = -200
"""Event priority: mkdocstrings, gen-files and static-i18n run at -100."""


class SitemapPlugin(BasePlugin[SitemapConfig]):
    """Collects the pages of a build, and of the builds inside it, and writes the sitemap once."""

    def __init__(self) -> None:
        """Start outside of any build."""
        self._depth = 0  # static-i18n builds each further language inside its `on_post_build`
        self._pages: dict[str, Page] = {}
        self._unread = False  # `--dirty` reads no page that has not changed

    def on_config(self, config: MkDocsConfig) -> None:
        """Begin a build, maybe one inside another."""
        if self._depth == 0:
            self._pages, self._unread = {}, False
        self._depth += 1

    @event_priority(LAST)
    def on_env(self, env: jinja2.Environment, /, *, config: MkDocsConfig, files: Files) -> None:
        """Collect the pages: all of them are read by now, and those of other plugins are there."""
        if self._depth == 1:
            self._site_url, self._site_dir = config.site_url, config.site_dir
        for file in files.documentation_pages():
            self._pages[file.abs_dest_path] = to_page(file)
            self._unread |= file.page is not None and file.page.markdown is None
        self._replace_built_in(config, files)

    @event_priority(LAST)
    def on_post_page(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        """Read what the final HTML says to search engines."""
        if found := self._pages.get(page.file.abs_dest_path):
            found.head = parse_head(output)
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

    def _replace_built_in(self, config: MkDocsConfig, files: Files) -> None:
        """Take MkDocs' own sitemap.xml out of the build.

        MkDocs copies a template that is not in `static_templates` as a plain file, so in a build
        inside another it comes as a file.
        """
        config.theme.static_templates.discard(BUILT_IN)
        if file := files.get_file_from_path(BUILT_IN):
            files.remove(file)

    def _write(self) -> None:
        if self._unread:
            log.info("This build reads only changed pages: the sitemap stays as it was.")
            return
        options = self.config.options(base_url=self._site_url or "", formats=("xml", "gz"))
        if not options.base_url:
            log.warning(
                "No sitemap is written, because it needs absolute URLs:"
                " set `site_url` in mkdocs.yml, for example to https://example.org/docs/."
            )
            return
        report = build(self._pages.values(), options, Path(self._site_dir))
        for level, template, arguments in report.messages():
            log.log(level, template, *arguments)
