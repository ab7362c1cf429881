"""The signals of Pelican: start a run, collect its pages, write the sitemap at the end, log."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

# This import sets Pelican's logger class, which knows --fatal and drops repeated messages.
from pelican import signals

from pelican_sitemapkit.run import Run
from pelican_sitemapkit.settings import read_settings
from sitemapkit import OptionError, OutputError, SitemapError, UndatedError

if TYPE_CHECKING:
    from pelican_sitemapkit.pelican_types import Context, Site, StaticGenerator
    from sitemapkit import Message, Report
    from textdates import Known

logger: logging.Logger = logging.getLogger(__name__)

PREFIX = "sitemapkit: "
"""What each line of ours in Pelican's log begins with."""

runs: dict[str, Run] = {}
"""Runs in progress, and finished inner runs that an outer one will list, by output directory.

Pelican's signals carry no data of plugins, so a run is kept here from one signal to the next.
"""

known: Known = {}
"""What the runs of `pelican --autoreload` know of texts that are as in the commit."""

refused: WeakSet[Site] = WeakSet()
"""Pelican objects of which a run has failed because of what pages state or do not; it exits with 1.

If one runs again, it watches the sources for changes, and waits for the next one.
"""


def connect() -> None:
    """Connect to Pelican. It is called for each Pelican object; further calls change nothing."""
    logging.getLogger("pelican").addFilter(shorten_option_error)
    signals.initialized.connect(check_settings)
    signals.get_generators.connect(start)
    signals.static_generator_finalized.connect(keep_static_files)
    signals.content_written.connect(collect)
    signals.finalized.connect(finish)


def check_settings(pelican: Site) -> None:
    """Stop before the build if the settings are wrong. Raises OptionError."""
    read_settings(pelican.settings)


def shorten_option_error(record: logging.LogRecord) -> bool:
    """Reduce what Pelican logs about an OptionError to its message, without a traceback."""
    for argument in record.args or ():
        if isinstance(argument, OptionError | UndatedError):
            record.msg = PREFIX + "%s"
            record.args = (argument.explained,)
            record.exc_info = None
    return True


def start(pelican: Site) -> None:
    """Begin a run. Outer runs start before inner ones: any below this one have failed."""
    run = Run(pelican.settings, read_settings(pelican.settings), known)
    for path, other in [*runs.items()]:
        if run.contains(other):
            del runs[path]
        elif not run.outer and other.includes(run):
            run.outer = other
    runs[pelican.output_path] = run
    if not run.outer:
        run.build.read_history(Path(pelican.settings["PATH"]))


def keep_static_files(generator: StaticGenerator) -> None:
    """Keep what Pelican will copy. The URLs must not be read before all files are written."""
    run = runs.get(generator.output_path)
    if run:
        run.static = generator.staticfiles


def collect(path: str, context: Context) -> None:
    """Keep the page that was written to `path`."""
    run = runs.get(context["OUTPUT_PATH"])
    if run:
        run.pages.add(path, context)


def finish(pelican: Site) -> None:
    """Write the sitemap of a run and its inner runs, unless an outer run will list its pages."""
    run = runs.get(pelican.output_path)
    if run is None or run.outer in runs.values():
        return
    del runs[pelican.output_path]
    inner: list[Run] = []
    for path, other in [*runs.items()]:
        if other.outer is run:
            inner.append(runs.pop(path))
    try:
        report = run.write(inner)
    except SitemapError as error:
        if not isinstance(error, OutputError) and pelican not in refused:
            refused.add(pelican)
            raise
        # After an exception `pelican --autoreload` would build again and again without a pause.
        logger.error(PREFIX + "%s", error)  # noqa: TRY400
    else:
        _log(report)


def _log(report: Report) -> None:
    """Log all messages, though with --fatal Pelican's logger raises at the first of them."""
    if logger.getEffectiveLevel() == logging.WARNING:  # Pelican's usual level, but not `--quiet`
        logger.setLevel(logging.INFO)  # our few lines should be seen
    fatal: RuntimeError | None = None
    for message in report.messages(logger.getEffectiveLevel(), PREFIX):
        try:
            _log_message(message)
        except RuntimeError as error:
            fatal = fatal or error
    if fatal:
        raise fatal


def _log_message(message: Message) -> None:
    """Log warnings with `logger.warning`, because in Pelican 4.9 --fatal ignores `logger.log`.

    Pelican shows only a few warnings with the same `limit_msg`, so it names the rule. A build
    without pages is an error: it has failed, and `--fatal errors` should say so too.
    """
    if message.id == "empty-sitemap":
        logger.error(message.text, *message.arguments)
    elif message.level >= logging.WARNING:
        more = {"limit_msg": f"{PREFIX}There are more issues of this kind. [{message.id}]"}
        logger.warning(message.text, *message.arguments, extra=more)
    else:
        logger.log(message.level, message.text, *message.arguments)
