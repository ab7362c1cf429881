"""The events of a Sphinx build, and what the extension does at each."""

from __future__ import annotations

import logging as levels
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import SphinxError
from sphinx.util import logging

from sitemapkit import Entry, Page, Report, SitemapError, build, start_dates
from sphinx_sitemapkit import peer
from sphinx_sitemapkit.notes import NoteCollector
from sphinx_sitemapkit.pages import collect_pages, remember_generated
from sphinx_sitemapkit.settings import Settings, add_config_values, given_by_user, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config

    from sitemapkit.lastmod.git import GitDates

logger = logging.getLogger(__name__)

ENTRY = "sitemap-entry"
"""Event: emitted for each entry with the page's name and the Entry.

A handler may change the entry, or return False to leave the page out.
"""

LATE = 700
"""Event priority: after the extensions that set `html_baseurl` or finish the pages."""


class SitemapExtension:
    """What one application knows between its events; forked readers and writers add nothing."""

    def __init__(self) -> None:
        """Start before the configuration is read."""
        self._settings: Settings
        self._generated: set[str] = set()
        self._git: GitDates | None = None

    def connect(self, app: Sphinx) -> None:
        """Register the options, the event `sitemap-entry` and the handlers."""
        add_config_values(app)
        app.add_event(ENTRY)
        app.add_env_collector(NoteCollector)
        app.connect("config-inited", self.on_config_inited, LATE)
        app.connect("builder-inited", self.on_builder_inited)
        app.connect("html-page-context", self.on_html_page_context)
        app.connect("build-finished", self.on_build_finished, LATE)

    def on_config_inited(self, app: Sphinx, config: Config) -> None:
        """Check all options before anything is read. Raises ConfigError for a wrong one."""
        self._settings = read_settings(app, config)
        for remark in peer.remarks(given_by_user(config)):
            logger.info("%s", remark)

    def on_builder_inited(self, app: Sphinx) -> None:
        """Let git read the history while Sphinx builds."""
        if _writes_a_site(app.builder) and self._settings.options.base_url:
            self._git = start_dates(self._settings.options, Path(app.srcdir))

    def on_html_page_context(
        self, _app: Sphinx, name: str, _template: str, _context: dict[str, Any], doctree: object
    ) -> None:
        """Note a page that has no document; Sphinx makes these in its main process."""
        if doctree is None:
            self._generated.add(name)

    def on_build_finished(self, app: Sphinx, exception: Exception | None) -> None:
        """Write the sitemap of a build that succeeded, and log what there is to say.

        Nothing is raised but what `-W` makes of a warning: after an error here Sphinx would throw
        its environment away and emit `build-finished` once more.
        """
        generated, self._generated = self._generated, set()
        if exception or not _writes_a_site(app.builder):
            return
        if not self._settings.options.base_url:
            _miss_base_url(self._settings)
        elif report := self._write(app, app.builder, generated):
            _log(report, reasons=app.verbosity > 0)

    def _write(
        self, app: Sphinx, builder: StandaloneHTMLBuilder, generated: set[str]
    ) -> Report | None:
        try:
            generated = remember_generated(app, builder, generated)
            pages = collect_pages(app, builder, generated, self._settings)
            git, self._git = self._git, None
            return build(
                pages.values(),
                self._settings.options,
                Path(app.outdir),
                git=git,
                on_entry=_handlers(app, pages),
            )
        except (SitemapError, SphinxError, OSError) as error:
            what, trace = f"no sitemap was written: {error}", None
        except Exception as error:  # noqa: BLE001
            what, trace = "no sitemap was written; this is a mistake of sitemapkit", error
        app.statuscode = 1
        logger.error("%s", what, exc_info=trace)
        return None


def _writes_a_site(builder: Builder) -> TypeGuard[StandaloneHTMLBuilder]:
    """Tell whether the builder writes pages for a web server, not a book, help or data."""
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and not builder.embedded
        and builder.name not in {"json", "pickle"}
    )


def _miss_base_url(settings: Settings) -> None:
    """Say that no sitemap is written; a warning, unless conf.py itself leaves the URL empty."""
    level = levels.INFO if settings.silent_without_base else levels.WARNING
    template = (
        "no sitemap was written, because `html_baseurl` is empty; set it to the site's URL, %s"
    )
    example = "such as https://example.org/docs/"
    logger.log(level, template, example, type="sitemap", subtype="no-base-url")


def _handlers(
    app: Sphinx, pages: Mapping[str, Page]
) -> Callable[[Page, Entry], Entry | None] | None:
    """Return what asks the handlers of `sitemap-entry`, if there are any."""
    if not app.events.listeners.get(ENTRY):
        return None
    names = {page.url: name for name, page in pages.items()}

    def on_entry(page: Page, entry: Entry) -> Entry | None:
        answers = app.emit(ENTRY, names[page.url], entry)
        return None if any(answer is False for answer in answers) else entry

    return on_entry


def _log(report: Report, *, reasons: bool) -> None:
    """Log through Sphinx: `-W` counts the warnings, `suppress_warnings` knows their rules."""
    for level, text, arguments, rule in report.messages(levels.DEBUG if reasons else levels.INFO):
        shown = "VERBOSE" if level == levels.DEBUG else level  # `-v` shows the reasons
        template = "sitemap: %s" if text == "%s" else text.removesuffix(f" [{rule}]")
        logger.log(shown, template, *arguments, type="sitemap", subtype=rule)  # shows the rule
