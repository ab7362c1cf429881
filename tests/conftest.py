"""What Pelican does to a process is kept from the tests that run in the same one."""

from __future__ import annotations

import importlib
import importlib.util
import locale
import logging
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

# Pelican replaces the class of loggers made after it, and its own drops repetitions. Our plugin's
# logger is to be of that class; those of the other generators, made later, are not.
# The package `pelican` may be there without Pelican: our wheel puts its plugin into it.
if importlib.util.find_spec("pelican") and importlib.util.find_spec("pelican.log"):
    importlib.import_module("pelican_sitemapkit.plugin")
    logging.setLoggerClass(logging.Logger)

LOCALE = locale.setlocale(locale.LC_ALL)


@pytest.fixture(autouse=True)
def own_locale() -> Generator[None]:
    """Take back the locale that Pelican sets for the process."""
    yield
    locale.setlocale(locale.LC_ALL, LOCALE)
