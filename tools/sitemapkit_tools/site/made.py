"""What the project that made a site knows of its pages, beyond what these say of themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit.model import Kind, Reason
    from textdates import FileOrPart

Spelling = Literal["folder", "canonical", "file", "bare"]
"""How a generator links pages: an `index.html` by its folder, with a final slash; as the canonical
link of the page says; an `index.html` by its name; others without `.html`. A canonical link decides
if there is one."""


class Made(Struct, frozen=True):
    """One page, as its project knows it."""

    sources: Sequence[FileOrPart] = ()
    """Absolute paths of the files that it was made from, its own text first."""

    included: Sequence[FileOrPart] = ()
    """Absolute paths of files whose text its source takes in."""

    meta: Mapping[str, Any] = {}
    """Its front matter, with the generator's own words in ours."""

    is_likely: bool = False
    """Whether only the likeness of words told its source: then that dates the page and never hides
    it."""

    kind: Kind = "page"
    excluded: Reason | None = None
    same_as: str = ""
    """The file of the page that this one is a copy of."""


class MadeSite(Struct, frozen=True):
    """The pages of a site by their files, and how their URLs are spelled."""

    pages: Mapping[str, Made] = {}
    spelling: Spelling = "folder"
    name: str = ""
    """The generator, as people write it; "" if it is not known."""


UNKNOWN = MadeSite()
"""A site of which no project is known."""
