"""The plugin: what it does at each event of a MkDocs build."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from mkdocs_sitemapkit.built_in import BUILT_IN, replace_built_in
from mkdocs_sitemapkit.material import material_lists
from mkdocs_sitemapkit.pages import is_about_us, is_unread, theme_pages, to_pages
from mkdocs_sitemapkit.settings import SitemapConfig, misnamed_settings, site_defaults
from mkdocs_sitemapkit.sources import front_matter_error
from sitemapkit import Build, Report, SitemapError
from sitemapkit.head import stated_lang
from sitemapkit.rules import grouped

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from datetime import date

    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.plugins import PrefixedLogger
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage

    from sitemapkit import Page
    from textdates import Known

log: PrefixedLogger = get_plugin_logger("sitemapkit")

LAST = -200
"""Event priority: after mkdocstrings, gen-files and static-i18n, which have -100."""

BY_TEXT = {"git", "ledger"}
"""Sources of dates that need to know what text each page shows."""


class SitemapPlugin(BasePlugin[SitemapConfig]):
    """Collects the pages of a build and of the builds inside it, and writes one sitemap."""

    _depth = 0  # static-i18n builds each further language inside its `on_post_build`
    _served = False
    _known: Known | None = None
    """What the builds of `mkdocs serve` know of texts that are as in the commit."""

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Remember whether this is `mkdocs serve`; a run before may have been interrupted."""
        self._depth = 0
        self._known = {}
        self._served = command == "serve"

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Begin a build, which may be inside another one."""
        self._depth += 1
        if self._depth > 1:
            return
        self.pages: dict[str, Page] = {}
        """All pages, by their output paths."""

        self._has_unread = False
        with _mkdocs_errors():
            options = self.config.options(
                base_url=config.site_url,
                published=filter(None, (config.site_dir, config.docs_dir, config.theme.custom_dir)),
                misnamed=misnamed_settings(config),
            )
        self._build = Build(options, known=self._known)
        self._build.read_history(Path(config.docs_dir))
        if "git" in options.date_sources and options.dependencies:
            from mkdocs_sitemapkit import texts  # noqa: PLC0415 - other builds need no texts

            texts.watch(config)

    @event_priority(LAST)
    def on_env(self, env: jinja2.Environment, /, *, config: MkDocsConfig, files: Files) -> None:
        """Collect the pages: all have been read by now, those of other plugins too."""
        if self._depth == 1:
            # Hooks and other plugins may have set `site_url` since the build began.
            options = self.config.options(served=self._served, **site_defaults(config))
            self._build = Build(options, history=self._build.history)
            self._site_dir = Path(config.site_dir)
        pages = self._collect(files, config)
        by_path = {file.abs_dest_path: page for file, page in pages.items()}
        build = self._build
        if self._depth == 1:
            by_path |= theme_pages(config, by_path)
        else:  # the pages of the builds around this one have their dates
            build = Build(build.options, history=build.history)
            build.add_all(by_path.values())
        self.pages |= by_path
        self._build.add_all(by_path.values())
        with _mkdocs_errors():
            lastmods = build.lastmods()
        for file, page in pages.items():
            if file.page and not page.excluded:
                self._finish_page(file.page, lastmods.get(page.url))
        is_ours = self._build.options.filename == BUILT_IN
        replaced = replace_built_in(config, files, is_ours=is_ours)
        if replaced and self._depth == 1:
            detail = "It is replaced by the sitemap of this plugin."
            self._build.report.issues += grouped("several-sitemaps", [str(replaced)], detail)

    def _collect(self, files: Files, config: MkDocsConfig) -> Mapping[File, Page]:
        """Return the pages of a build, with all text that they show if dates need it."""
        lists = material_lists(config)
        pages = to_pages(files, lists, config)
        if BY_TEXT.isdisjoint(self._build.options.date_sources):
            return pages
        from mkdocs_sitemapkit import texts  # noqa: PLC0415 - other builds need no texts

        sources = {file: page.sources for file, page in pages.items()}
        found = texts.find_texts(sources, lists, config, self._build.history)
        partly: list[str] = []
        for file, text in found.items():
            page = pages[file]
            page.sources = text.sources
            page.included = text.included
            if text.has_unknown:
                partly.append(page.name)
        if self._depth == 1 and "ledger" not in self._build.options.date_sources:
            self._build.report.issues += grouped("git-partly", partly)
        return pages

    def _finish_page(self, page: MkDocsPage, lastmod: date | None) -> None:
        """Set the date that themes show, and warn about front matter that is not valid."""
        self._has_unread |= is_unread(page)
        if lastmod:
            page.update_date = lastmod.isoformat()[: len("YYYY-MM-DD")]
        error = front_matter_error(page)
        if error:
            where = [page.file.abs_src_path or page.file.src_uri]
            severity: Literal["warning", "note"] = "warning" if is_about_us(page) else "note"
            issues = grouped("bad-front-matter", where, error, severity=severity)
            self._build.report.issues += issues

    @event_priority(LAST)
    def on_post_page(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        """Set the language that the final HTML states, if it is needed."""
        if self._build.options.needs_lang:
            ours = self.pages.get(page.file.abs_dest_path)
            if ours and not ours.lang:
                ours.lang = stated_lang(output)
        return output

    @event_priority(LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the sitemap when the outermost build ends."""
        self._depth -= 1
        if self._depth > 0:
            return
        if self._has_unread:
            log.warning(
                "Only changed pages were read, as this build is dirty, so no sitemap is written: "
                "one of an earlier build stays as it was. Build without --dirty to renew it."
            )
            report = Report(issues=self._build.report.issues)
        else:
            with _mkdocs_errors():
                report = self._build.write(self._site_dir)
        for message in report.messages(log.getEffectiveLevel()):
            log.log(message.level, message.text, *message.arguments)

    def on_build_error(self, *, error: Exception) -> None:
        """Leave all builds, so that the next one starts anew."""
        self._depth = 0


@contextmanager
def _mkdocs_errors() -> Generator[None]:
    """Turn our errors into one that MkDocs prints without a traceback."""
    try:
        yield
    except SitemapError as error:
        raise PluginError(f"sitemapkit: {error.explained}") from error
