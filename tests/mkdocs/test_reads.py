"""The files that are read while something runs: noted, and everything put back afterwards."""

from __future__ import annotations

import builtins
import io
import os
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

import jinja2
import pytest

from mkdocs_sitemapkit.texts.reads import watched_reads

from .conftest import PLAIN, replaceable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("nothing_is_replaced_afterwards")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tea.md"
    path.write_text("Tea.", encoding="utf-8")
    return path


def test_files_that_are_opened_to_read_are_noted_however_they_are_opened(file: Path) -> None:
    noted: list[str] = []
    with watched_reads(noted.append):
        open(file, encoding="utf-8").close()  # noqa: PTH123
        open(os.fsencode(file), "rb").close()  # noqa: PTH123
        open(os.path.relpath(file), encoding="utf-8").close()  # noqa: PTH123
        assert file.read_text(encoding="utf-8") == "Tea."
    assert noted == [str(file)] * 4


def test_files_that_are_written_and_descriptors_are_not_noted(file: Path) -> None:
    noted: list[str] = []
    with watched_reads(noted.append):
        for mode in ("a", "r+", "w", "wb"):
            open(file, mode).close()  # noqa: PTH123
        os.fdopen(os.open(file, os.O_RDONLY)).close()
    assert noted == []


def test_a_file_that_cannot_be_opened_is_not_noted(tmp_path: Path) -> None:
    noted: list[str] = []
    with watched_reads(noted.append), pytest.raises(FileNotFoundError):
        (tmp_path / "none").read_text(encoding="utf-8")
    assert noted == []


def test_templates_are_noted_each_time_although_jinja_keeps_them(file: Path) -> None:
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(file.parent), autoescape=True)
    page = environment.from_string("{% include 'tea.md' %} {% include ['none', 'tea.md'] %}")
    for _ in range(2):
        noted: list[str] = []
        with watched_reads(noted.append):
            assert page.render() == "Tea. Tea."
        assert set(noted) == {str(file)}


def test_a_template_without_a_file_is_not_noted() -> None:
    environment = jinja2.Environment(loader=jinja2.DictLoader({"a": "Tea."}), autoescape=True)
    noted: list[str] = []
    with watched_reads(noted.append):
        assert environment.get_template("a").render() == "Tea."
    assert noted == []


def run_in_thread(work: Callable[[], object]) -> None:
    thread = Thread(target=work)
    thread.start()
    thread.join()


def test_what_other_threads_read_is_not_noted(file: Path) -> None:
    noted: list[str] = []
    with watched_reads(noted.append):
        run_in_thread(lambda: file.read_text(encoding="utf-8"))
    assert noted == []


def test_on_another_thread_nothing_is_replaced(file: Path) -> None:
    noted: list[str] = []
    seen: list[list[object]] = []

    def work() -> None:
        with watched_reads(noted.append):
            seen.append(replaceable())
            file.read_text(encoding="utf-8")

    run_in_thread(work)
    assert seen == [PLAIN]
    assert noted == []


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_everything_is_put_back_after_an_error(error: type[BaseException]) -> None:
    def fail() -> None:
        assert not set(replaceable()) & set(PLAIN)
        raise error

    with pytest.raises(error), watched_reads(print):
        fail()


def test_who_has_kept_the_replacement_has_a_plain_function_afterwards(file: Path) -> None:
    noted: list[str] = []
    with watched_reads(noted.append):
        kept = builtins.open
    kept(file, encoding="utf-8").close()
    assert noted == []


def test_a_replacement_that_something_else_made_meanwhile_stays() -> None:
    original, theirs = io.open, partial(io.open)
    try:
        with watched_reads(print):
            setattr(io, "open", theirs)  # noqa: B010 - as a library would do
        assert io.open is theirs
    finally:
        setattr(io, "open", original)  # noqa: B010
