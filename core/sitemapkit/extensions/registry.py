"""The extensions by name: each is a module of this package, named as the option that asks for it.

Such a module is an `Extension`. It is loaded when its option is set, when a page names it in its
metadata, or when an entry holds values of it, so that other sites do not pay for loading it. What
`find` returns is kept in the entry: in the field of the same name, or in `extensions`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol, cast

from sitemapkit import extensions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitemapkit.model import Candidate, Entry, Issue
    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit.xmltext import Namespace

FIELDS = ("alternates", "images", "videos")
"""Extensions that have a field of their own in an entry, since so many sites use them."""

_NOT_GENERIC = {*FIELDS, "registry"}


class Writer(Protocol):
    """Writes the elements of one extension; kept for all batches of a run."""

    def __init__(self, on_issue: Callable[[Issue], None], encoding: str) -> None:
        """Report to `on_issue` what is left out; new percent-escapes are in `encoding`."""

    def pieces(self, entries: Sequence[Entry]) -> Iterable[Sequence[str]]:
        """Return the elements of each entry, as XML in any number of pieces, on one line."""
        ...


class Extension(Protocol):
    """What a module of this package offers."""

    NAMESPACE: Namespace
    Writer: type[Writer]

    def find(
        self, listed: Sequence[Candidate], options: Options, report: Report
    ) -> Iterable[Sequence[Any]]:
        """Return the values of each page, checked; the report gets what is wrong with others."""
        ...


def load(name: str) -> Extension:
    """Return an extension by its name."""
    return cast("Extension", import_module(f"{extensions.__name__}.{name}"))


@cache
def generic() -> frozenset[str]:
    """Return the names of the extensions without a field of their own in an entry."""
    names = {module.name for module in iter_modules(extensions.__path__)}
    return frozenset(names - _NOT_GENERIC)


def find_values(
    listed: Sequence[Candidate], options: Options, report: Report
) -> Mapping[str, Sequence[Sequence[Any]]]:
    """Return the values of each page in each extension that the options or pages ask for."""
    asked = {name for name in (*FIELDS, *generic()) if getattr(options, name, False)}
    asked |= {name for found in listed for name, _ in found.metadata.extensions}
    if options.languages or any(map(_has_versions, listed)):
        asked.add("alternates")
    return {name: [*load(name).find(listed, options, report)] for name in sorted(asked)}


def _has_versions(found: Candidate) -> bool:
    return found.page.translation_key is not None or bool(found.page.alternates)
