"""The extension: what it does at each event of a Sphinx build."""

from __future__ import annotations

import logging as levels
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import SphinxError
from sphinx.util import logging

from sitemapkit import Build, Entry, Page, Report, SitemapError
from sphinx_sitemapkit import compat
from sphinx_sitemapkit.doc_info import DocInfoCollector
from sphinx_sitemapkit.pages import Site, remember_generated
from sphinx_sitemapkit.refusal import PREFIX
from sphinx_sitemapkit.settings import SPELLING, add_config_values, given_by_user, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config

    from sphinx_sitemapkit.record import Record
    from textdates import TextDates

logger: logging.SphinxLoggerAdapter = logging.getLogger(__name__)

ENTRY = "sitemap-entry"
"""Event, emitted for each entry with the page's name and the Entry.

A handler may change the entry, or return False to leave the page out.
"""

LATE = 700
"""Event priority: after the extensions that set `html_baseurl` or finish the pages."""


class SitemapExtension:
    """What is kept between the events of an application; forked processes add nothing to it."""

    def __init__(self) -> None:
        """Start before the configuration is read."""
        self._documents = DocInfoCollector()
        self._generated: set[str] = set()
        self._history: TextDates | None = None
        self._record: Record | None = None

    def connect(self, app: Sphinx) -> None:
        """Register the options, the event `sitemap-entry` and the handlers."""
        add_config_values(app)
        app.add_event(ENTRY)
        self._documents.enable(app)
        app.connect("config-inited", self.on_config_inited, LATE)
        app.connect("builder-inited", self.on_builder_inited, LATE)
        app.connect("html-page-context", self.on_html_page_context)
        app.connect("build-finished", self.on_build_finished, LATE)

    def on_config_inited(self, app: Sphinx, config: Config) -> None:
        """Check all options before anything is read. Raises RefusedError for a wrong one."""
        read_settings(app, config)
        for hint in compat.hints(config, given_by_user(config)):
            logger.info(PREFIX + "%s", hint)

    def on_builder_inited(self, app: Sphinx) -> None:
        """Where dates from git are wanted, note what documents show, and let git begin."""
        options = read_settings(app, app.config).options
        if "git" in options.date_sources:
            from sphinx_sitemapkit import texts  # noqa: PLC0415 - other builds do without it
            from sphinx_sitemapkit.record import Record  # noqa: PLC0415 - likewise

            texts.begin(app)
            self._record = Record(app)
            self._documents.note_shown = texts.noted  # for all builders: they share what was read
        if _writes_a_site(app.builder):
            known = self._record.known if self._record else None
            build = Build(options, known=known, is_myst=True)
            build.read_history(Path(app.srcdir))
            self._history = build.history

    def on_html_page_context(
        self, _app: Sphinx, name: str, _template: str, _context: dict[str, Any], doctree: object
    ) -> None:
        """Remember a page without a document; Sphinx writes these in its main process."""
        if doctree is None:
            self._generated.add(name)

    def on_build_finished(self, app: Sphinx, exception: Exception | None) -> None:
        """Write the sitemap of a build that succeeded, and log the report.

        Raises nothing except for warnings with `-W`: after an exception here Sphinx would discard
        its environment and emit `build-finished` once more.
        """
        if not exception and _writes_a_site(app.builder):
            report = self._write(app, app.builder)
            if report:
                _log(report, reasons=app.verbosity > 0)
            if self._record:
                self._record.write()
        self._generated.clear()  # an application may build again
        self._history = None

    def _write(self, app: Sphinx, builder: StandaloneHTMLBuilder) -> Report | None:
        bug: Exception | None = None
        try:
            # Extensions may have set `html_baseurl` since the build began.
            settings = read_settings(app, app.config)
            build = Build(settings.options, history=self._history, excludes=[settings.excludes])
            generated = remember_generated(app, builder, self._generated)
            site = Site(app, builder, generated, settings, build)
            pages = site.pages()
            build.add_all(pages.values())
            on_entry = _handlers(app, pages)
            return build.write(Path(app.outdir), on_entry=on_entry)
        except (SitemapError, SphinxError, OSError) as error:
            message = f"no sitemap was written: {error}"
        except Exception as error:  # noqa: BLE001
            message = "no sitemap was written; this is a bug in sitemapkit"
            bug = error
        app.statuscode = 1
        logger.error(PREFIX + "%s", message, exc_info=bug)
        return None


def _writes_a_site(builder: Builder) -> TypeGuard[StandaloneHTMLBuilder]:
    """Return whether the builder writes pages for a web server, not a book, help or data."""
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and not builder.embedded
        and builder.name not in {"json", "pickle"}
    )


def _handlers(
    app: Sphinx, pages: Mapping[str, Page]
) -> Callable[[Page, Entry], Entry | None] | None:
    """Return a function that calls the handlers of `sitemap-entry`, if there are any."""
    if not app.events.listeners.get(ENTRY):
        return None
    names = {page.url: name for name, page in pages.items()}

    def on_entry(page: Page, entry: Entry) -> Entry | None:
        for result in app.emit(ENTRY, names[page.url], entry):
            if result is False:
                return None
        return entry

    return on_entry


def _log(report: Report, *, reasons: bool) -> None:
    """Log through Sphinx: `-W` counts the warnings, `suppress_warnings` filters by rule."""
    lowest = levels.DEBUG if reasons else levels.INFO
    for message in report.messages(lowest, PREFIX, with_ids=False):  # Sphinx adds them
        level: int | str = message.level
        if level == levels.DEBUG:
            level = "VERBOSE"  # what `-v` shows
        words = [SPELLING.applied(str(each)) for each in message.arguments]
        logger.log(level, message.text, *words, type="sitemap", subtype=message.id)
