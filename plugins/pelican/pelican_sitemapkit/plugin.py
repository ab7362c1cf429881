"""The signals of Pelican: start a run, collect its pages, write the sitemap when all is written.

Runs can lie in one another: i18n_subsites builds each language in a run of its own, in the midst
of the main one and below its output directory. The outermost run lists the pages of all.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

# Pelican's logger class comes with this import: it counts for --fatal and drops repetitions.
from pelican import signals

from pelican_sitemapkit.run import Run
from pelican_sitemapkit.settings import read_settings
from sitemapkit import Build, OutputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pelican_sitemapkit.objects import Context, Site, StaticGenerator
    from sitemapkit import Report

logger = logging.getLogger(__name__)

runs: dict[str, Run] = {}
"""Runs under way, and inner ones that an outer one will list, by output directory.

Pelican's signals hand on nothing of ours, so what is known of a run has to wait here.
"""


def connect() -> None:
    """Connect to Pelican; called once for each Pelican object, and connects but once."""
    signals.initialized.connect(check_settings)
    signals.get_generators.connect(start)
    signals.static_generator_finalized.connect(note_static_files)
    signals.content_written.connect(collect)
    signals.finalized.connect(finish)


def check_settings(pelican: Site) -> None:
    """Stop before the build if the settings are wrong. Raises OptionError."""
    read_settings(pelican.settings)


def start(pelican: Site) -> None:
    """Begin a run. Outer runs start before inner ones: any below are left over from a failure."""
    run = Run(pelican.settings, read_settings(pelican.settings))
    for left_over in [path for path, other in runs.items() if run.contains(other)]:
        del runs[left_over]
    run.outer = next((other for other in runs.values() if other.is_around(run)), None)
    runs[pelican.output_path] = run


def note_static_files(generator: StaticGenerator) -> None:
    """Remember what Pelican will copy. Its URLs may be read only when all is written."""
    if run := runs.get(generator.output_path):
        run.static = generator.staticfiles


def collect(path: str, context: Context) -> None:
    """Remember a file that was written."""
    run = runs.get(context["OUTPUT_PATH"])
    if run is None:
        return
    if context["output_file"] == run.ours.options.filename:
        run.template_writes_sitemap = True
    else:
        run.pages.add(path, context)


def finish(pelican: Site) -> None:
    """Write the sitemap of a run and those within it, unless an outer run will list its pages."""
    run = runs.get(pelican.output_path)
    if run is None or run.outer in runs.values():
        return
    del runs[pelican.output_path]
    within = [runs.pop(path) for path, other in [*runs.items()] if other.outer is run]
    try:
        report = _write(run, within)
    except OutputError as error:
        # Raising would make `pelican --autoreload` build again and again without a pause.
        logger.error("%s", error)  # noqa: TRY400
    else:
        _log(report)


def _write(run: Run, within: Sequence[Run]) -> Report:
    build = Build(run.ours.options)
    for page in run.all_pages():
        build.add(page)
    for page in (page for inner in within for page in run.pages_of(inner)):
        build.add(page)
    if run.base:
        build.report.issues += run.ours.issues
        for other in dict.fromkeys(run.other_writers()):
            build.report.add("several-sitemaps", run.ours.options.filename, f"It is {other}.")
    return build.write(run.output)


def _log(report: Report) -> None:
    """Log all messages; with --fatal, Pelican raises on the first, which must not hide the rest."""
    fatal: RuntimeError | None = None
    for message in report.messages(logger.getEffectiveLevel()):
        try:
            _say(message.level, message.text, *message.arguments)
        except RuntimeError as error:
            fatal = fatal or error
    if fatal:
        raise fatal


def _say(level: int, template: str, *arguments: object) -> None:
    """Log by the method named after the level: in Pelican 4.9 only these count for --fatal.

    Pelican shows but a few warnings with one `limit_msg`; the rule in it keeps them apart.
    """
    if level >= logging.WARNING:
        rule = template.rpartition(" ")[2]
        more = {"limit_msg": f"There are more issues of this kind. {rule}"}
        logger.warning(template, *arguments, extra=more)
    else:
        logger.log(level, template, *arguments)
