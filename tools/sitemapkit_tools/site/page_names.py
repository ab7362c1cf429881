"""Pages that their names tell: those about errors, and those that tools make for nobody to read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LANGUAGE = r"(?!(?:api|cat|doc|faq|man|ref|tag)/)[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?"
_VERSION = r"v?[0-9][\w.-]*|latest|stable|dev|main|master"
_ABOVE = rf"(?>(?:{_LANGUAGE}|{_VERSION})/)*"  # a name that is both, `dev`, is read once
_ENDING = r"(?:\.html?|/|/index\.html?)?"
_ERROR = rf"(?:403|404|500){_ENDING}"
_ERROR_PAGE = rf"{_ABOVE}(?:40[0134]|50[0234x]){_ENDING}"
_ERROR_PAGE_BELOW = rf"(?P<folder>[^?]*/){_ERROR}"
_FOLDERS_OF_ARTICLES = re.compile(
    r"(?:^|/)(?:archives?|articles?|authors?|blog|categor(?:y|ies)|codes?|errors?|https?|issues?"
    r"|news|posts?|pulls?|responses?|status|tags?)(?:[-_][a-z]+)?/",
    re.IGNORECASE,
)
"""Folders in which a page that is called like an error may be about it, or be the 404th."""

_ERRORS_WITH_PAGES = frozenset(
    {*("400", "401", "403", "404", "405", "410", "429"), *("500", "502", "503", "504")}
)
_NUMBERED_NAME = re.compile(r"/([0-9]{1,9})(?:\.html?|/|/index\.html?)?$")
"""A page in a folder that is called by a number."""

_TOOL_PAGE = rf"""(?x)
    (?:
        (?: .*/ )? sg_execution_times                     # of any gallery, or of all
        |
        {_ABOVE} print_page   # of the whole site
    )
    (?: \.\w+ | / | /index\.\w+ )?
    """


def is_error_page(path: str) -> bool:
    """Return whether a path below the base URL, or of a file, is that of a page about an error.

    It is at the root, or at the root of a language or version; of others `error_pages_below` tells.
    """
    return _may_be_error_page(path) and bool(re.fullmatch(_ERROR_PAGE, path))


def error_pages_below(paths: Iterable[str]) -> set[str]:
    """Return which of a site's paths are those of pages about an error, in folders of any depth.

    A folder has one if it was built as a site of its own. A page in a folder of articles is one of
    these, and so is one among pages that are called by numbers: `rooms/403/` beside `rooms/402/`.
    """
    known = list(paths)
    found: dict[str, str] = {}
    for path in filter(_may_be_error_page, known):
        match = re.fullmatch(_ERROR_PAGE_BELOW, path)
        if match and not _FOLDERS_OF_ARTICLES.search(match["folder"]):
            found[path] = match["folder"]
    folders = set(found.values())
    numbered = {
        path[: name.start() + 1]
        for path in (known if folders else ())
        if (name := _NUMBERED_NAME.search(path)) and name[1] not in _ERRORS_WITH_PAGES
    }
    return {path for path, folder in found.items() if folder not in numbered}


def _may_be_error_page(path: str) -> bool:
    return "40" in path or "50" in path


def is_tool_page(path: str) -> bool:
    """Return whether a page, at a path or in a file, is made by a tool and not for readers.

    sphinx-gallery reports on the build of each gallery, and of all; mkdocs-print-site repeats all
    pages on one.
    """
    may_be = "sg_execution_times" in path or "print_page" in path
    return may_be and bool(re.fullmatch(_TOOL_PAGE, path))
