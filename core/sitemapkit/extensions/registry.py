"""The extensions by name: each is a module, here or in other packages (`installed`).

Such a module is an `Extension`. It is loaded when its option is set, when the metadata of a page
names it, or when an entry has values of it, so that other sites do not load it. The values that
`find` returns are kept in the entry: in the field of the same name, or in `extensions`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from sitemapkit import installed

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


@runtime_checkable
class ReadsMetadata(Protocol):
    """An extension that checks what the metadata of a page states for it."""

    ALLOWED: str
    """What may be stated, for the message about anything else."""

    def read(self, value: object) -> object:
        """Return the value as `find` takes it, or None if it is wrong."""
        ...


@cache
def load(name: str) -> Extension:
    """Return the extension of this name."""
    if name == "alternates":
        from sitemapkit.extensions import alternates  # noqa: PLC0415 - few sites need it

        return cast("Extension", alternates)
    return cast("Extension", installed.load(installed.EXTENSIONS, name))


def find_values(
    listed: Sequence[Listed], options: Options, report: Report
) -> Mapping[str, Sequence[Sequence[Any]]]:
    """Return the values of each page, by the name of each extension that is in use."""
    wanted = {name for name, value in options.added.items() if value}
    has_translations = bool(options.languages)
    for each in listed:
        wanted.update(name for name, _ in each.metadata.extensions)
        has_translations = has_translations or each.page.translation_key is not None
    if wanted:
        # The look-up reads the metadata of all packages: only for who asks for something.
        wanted &= installed.names(installed.EXTENSIONS).keys()
    if has_translations:
        wanted.add("alternates")
    return {name: [*load(name).find(listed, options, report)] for name in sorted(wanted)}
