"""The files that a page reads while it renders.

Plugins and Markdown extensions do not report which snippets, tables or templates they insert. So
the functions that open files and load Jinja templates are replaced while one page renders.
"""

from __future__ import annotations

import builtins
import io
import os
from contextlib import ExitStack, contextmanager
from functools import wraps
from threading import current_thread, get_ident, main_thread
from typing import TYPE_CHECKING, Any

import jinja2

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_WATCHED: tuple[tuple[Any, str], ...] = (
    (builtins, "open"),
    (io, "open"),  # what pathlib calls
    (jinja2.Environment, "get_template"),  # opens no file that is in its cache
    (jinja2.Environment, "select_template"),
)


@contextmanager
def watched_reads(note: Callable[[str], object]) -> Generator[None]:
    """Call `note` with the absolute path of each file that the main thread opens to read.

    On other threads nothing is replaced: shared functions could not be restored in a defined
    order.
    """
    with ExitStack() as stack:
        if current_thread() is main_thread():
            for owner, name in _WATCHED:
                stack.enter_context(_replaced(owner, name, note))
        yield


@contextmanager
def _replaced(owner: Any, name: str, note: Callable[[str], object]) -> Generator[None]:  # noqa: ANN401
    """Replace a function with one that notes the files of its results."""
    original = getattr(owner, name)
    main = get_ident()
    is_active = True

    @wraps(original)
    def noting(*args: Any, **options: Any) -> Any:  # noqa: ANN401
        result = original(*args, **options)
        if is_active and get_ident() == main:
            path = _path_of(result)
            if path:
                note(path)
        return result

    setattr(owner, name, noting)
    try:
        yield
    finally:
        is_active = False  # for callers that kept it
        if getattr(owner, name) is noting:
            setattr(owner, name, original)


def _path_of(result: object) -> str:
    """Return the path of a file opened for reading, or of a template; "" if it has none."""
    is_read = isinstance(result, io.IOBase) and not result.writable()
    attribute = "name" if is_read else "filename"  # of a template
    path = getattr(result, attribute, None)  # of a descriptor it is a number
    if not isinstance(path, str | bytes) or path == "<template>":
        return ""
    return os.path.abspath(os.fsdecode(path))  # noqa: PTH100
