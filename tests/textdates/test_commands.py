"""Which functions say what commands print."""

from __future__ import annotations

import pytest

from textdates.parts import functions_behind


def test_a_command_that_cannot_be_imported_says_so() -> None:
    with pytest.raises(ModuleNotFoundError):
        list(functions_behind("no_such_module", "main"))
