"""A build waits for another one that writes to the same folder, but not in silence nor for ever."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from typing import TYPE_CHECKING

import pytest

from sitemapkit.errors import OutputError
from sitemapkit.output.files import publication
from sitemapkit.report import Report

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@pytest.fixture
def held(tmp_path: Path) -> Generator[int]:
    """The lock of another build, as the descriptor that holds it."""
    other = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    yield other
    os.close(other)


def test_a_build_that_waits_for_another_says_so(
    tmp_path: Path,
    held: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("sitemapkit.output.files._WARN_AFTER", 0.1)
    threading.Timer(0.5, fcntl.flock, (held, fcntl.LOCK_UN)).start()
    with publication(tmp_path, Report()):
        pass
    assert caplog.messages == [f"Waiting for another build, which has a lock on {tmp_path}."]


def test_a_short_wait_is_not_worth_a_word(
    tmp_path: Path, held: int, caplog: pytest.LogCaptureFixture
) -> None:
    threading.Timer(0.1, fcntl.flock, (held, fcntl.LOCK_UN)).start()
    with publication(tmp_path, Report()):
        pass
    assert caplog.messages == []


@pytest.mark.usefixtures("held")
def test_a_build_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemapkit.output.files.LONGEST_WAIT", 0.3)
    start = time.monotonic()
    with pytest.raises(OutputError, match=f"a lock on {tmp_path}"), publication(tmp_path, Report()):
        pass
    assert time.monotonic() - start < 60
