"""How the extension refuses to build: it says what is wrong, and nothing else is said."""

from __future__ import annotations

import sys
from bdb import BdbQuit

from sphinx.errors import ConfigError

PREFIX = "sitemapkit: "
"""What each line of ours in Sphinx' log begins with."""


class RefusedError(ConfigError, BdbQuit):
    """The build stops, and the user has read why.

    Sphinx adds a traceback to any other error, also to that of a wrong option, and asks to report
    it to its own developers. Of BdbQuit, by which its debugger ends, it says nothing.
    """


def refused(message: str) -> RefusedError:
    """Say what is wrong, and return the error to raise.

    It goes where Sphinx writes its own errors: `-Q` turns off the log, and nobody would know.
    """
    sys.stderr.write(f"ERROR: {PREFIX}{message}\n")
    return RefusedError(message)
