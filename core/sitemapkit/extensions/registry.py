"""The extensions by name: each is a module with the name of its option, here or in other packages.

Such a module is an `Extension`. It is loaded when its option is set, when the metadata of a page
names it, or when an entry has values of it, so that other sites do not load it. The values that
`find` returns are kept in the entry: in the field of the same name, or in `extensions`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from sitemapkit import extensions, installed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit.model import Entry, Listed
    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit.xmltext import Namespace

FIELDS = ("images", "videos", "alternates")
"""Extensions with a field of their own in an entry, since many sites use them; in order (D6)."""


class Extension(Protocol):
    """The interface of a module of this package."""

    NAMESPACE: Namespace

    def find(
        self, listed: Sequence[Listed], options: Options, report: Report
    ) -> Iterable[Sequence[Any]]:
        """Return the valid values of each page; the report gets issues of invalid ones."""
        ...

    def xml(self, entry: Entry, options: Options, report: Report) -> str:
        """Return the elements of an entry, on one line; the report gets issues of invalid ones."""
        ...


@cache
def load(name: str) -> Extension:
    """Return the extension of this name."""
    if name in FIELDS:
        return cast("Extension", import_module(f"{extensions.__name__}.{name}"))
    return cast("Extension", installed.load(installed.EXTENSIONS, name))


def find_values(
    listed: Sequence[Listed], options: Options, report: Report
) -> Mapping[str, Sequence[Sequence[Any]]]:
    """Return the values of each page, by the name of each extension that is in use."""
    used = {name for name in FIELDS if getattr(options, name, False)}
    added = [name for name, value in options.added.items() if value]
    used |= {name for name in added if name in installed.names(installed.EXTENSIONS)}
    used |= {name for each in listed for name, _ in each.metadata.extensions}
    pages = (each.page for each in listed)
    if options.languages or any(p.translation_key is not None for p in pages):
        used.add("alternates")
    return {name: [*load(name).find(listed, options, report)] for name in sorted(used)}
