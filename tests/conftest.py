"""All tests: what Pelican does to a process is kept from them; the longest files start first.

The templates of generators are compiled once.
"""

from __future__ import annotations

import importlib
import importlib.util
import locale
import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .programs import kept_templates
from .templates import keep

if TYPE_CHECKING:
    from collections.abc import Generator

# Pelican replaces the class of loggers made after it, and its own drops repetitions. Our plugin's
# logger is to be of that class; those of the other generators, made later, are not.
# The package `pelican` may be there without Pelican: our wheel puts its plugin into it.
if importlib.util.find_spec("pelican") and importlib.util.find_spec("pelican.log"):
    importlib.import_module("pelican_sitemapkit.plugin")
    logging.setLoggerClass(logging.Logger)

os.environ["PIP_COMPILE"] = "0"  # most of what tests install is never loaded

keep(Path(kept_templates()))

TESTS = Path(__file__).parent

NEED_POSIX = {
    "test_a_folder_that_is_read_only_is_named_with_the_cure": "permissions of POSIX",
    "test_a_robots_txt_that_cannot_be_read_is_named": "permissions of POSIX",
    "test_a_quota_that_is_used_up_leaves_the_old_files_and_says_so": "limits of processes",
    "test_a_git_that_is_too_old": "a shell script in place of git",
    "test_a_pipe_is_no_page": "named pipes",
    "test_a_process_that_is_killed_leaves_every_file_whole": "signals",
    "test_a_target_that_is_a_pipe_is_named_and_not_waited_for": "named pipes",
    "test_an_interrupt_is_for_the_process_that_waits_and_not_for_those_that_read": "signals",
}
"""Tests that cannot run on Windows, and what they need."""

FILES_THAT_NEED_POSIX = [
    "core/output/test_lock.py",
    "tools/test_bounds.py",
    "tools/test_terminal.py",
]
"""They cannot be loaded on Windows: it has no locks, limits and terminals such as they use."""

if sys.platform == "win32":
    collect_ignore = FILES_THAT_NEED_POSIX


STARTED_FIRST = [
    "generators/test_builds.py",
    "docs/test_tutorials.py",
    "docs/test_blocks.py",
    "docs/test_manual.py",
    "mkdocs/test_plugins.py",
    "docs/test_dates.py",
    "sphinx/test_builds.py",
    "test_fuzz.py",
    "pelican/test_url_settings.py",
    "conformance/test_beside.py",
    "test_demo.py",
    "tools/test_examples.py",
    "sphinx/test_example_site.py",
    "services/test_gitlab.py",
]
"""The files that take longest; started last, one would keep a worker busy and the others idle."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start long files first. Skip on Windows what cannot run there: the manual needs bash."""
    places = {TESTS / file: place for place, file in enumerate(STARTED_FIRST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
    for item in items if sys.platform == "win32" else ():
        missing = NEED_POSIX.get(item.name.partition("[")[0])
        if "docs" in item.path.parts:
            missing = "a shell with the commands of the manual"
        if missing:
            item.add_marker(pytest.mark.skip(reason=f"needs {missing}"))


LOCALE = locale.setlocale(locale.LC_ALL)


@pytest.fixture(autouse=True)
def own_locale() -> Generator[None]:
    """Take back the locale that Pelican sets for the process."""
    yield
    locale.setlocale(locale.LC_ALL, LOCALE)
