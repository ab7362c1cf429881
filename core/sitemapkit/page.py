"""Page: one output page as its generator knows it; made by an adapter, read by the core."""

from __future__ import annotations

import os

# A struct looks its annotations up when somebody asks for its signature.
from collections.abc import Mapping, Sequence  # noqa: TC003
from datetime import date  # noqa: TC003
from typing import Literal

from msgspec import Struct

from sitemapkit.html import Head  # noqa: TC001
from sitemapkit.report import Reason  # noqa: TC001

FilePath = str | os.PathLike[str]
"""A path as its generator has it: most have text, and to make a Path of each takes its time."""

Kind = Literal["page", "article", "listing", "generated", "static"]
"""What a page is to its readers.

`page` and `article` are written by an author; a `listing` (tag, category, archive, blog index) is
dated by what it lists; `generated` (search, genindex, module code) and `static` (HTML or PDF copied
as it is) are listed only where the option `include` names them.
"""


class Page(Struct, gc=False):
    """One output page, as its generator knows it."""

    url: str
    """Absolute, or relative to the base URL, exactly as the generator links it."""

    output: FilePath | None = None
    """The file it was written to; a page whose file is missing is not listed. None: not checked."""

    sources: Sequence[FilePath] = ()
    """Absolute paths of the files it was made from, its own source first."""

    included: Sequence[FilePath] = ()
    """Absolute paths of files whose text it takes in; they count unless `dependencies` is false."""

    dependencies: Sequence[FilePath] = ()
    """Absolute paths of what else it shows or documents; they count if `dependencies` is true."""

    meta: Mapping[str, object] = {}
    """Its front matter or metadata, raw; `sitemapkit.metadata` knows the spellings."""

    kind: Kind = "page"

    withheld: Reason | None = None
    """Why the generator itself does not publish it (draft, hidden, pagination, ...), if so."""

    modified: date | None = None
    """The day or (aware) datetime of its last change, where the generator itself states one."""

    published: date | None = None
    """The day or (aware) datetime of its first publication, where the generator states one."""

    members: Sequence[str] = ()
    """For a listing: the `url` of each page it lists, spelled as those pages spell it."""

    lang: str | None = None
    """Language of the content, as the generator spells it (`pt_BR`, `de`)."""

    translation_key: str | None = None
    """Pages that share one key are translations of each other."""

    alternates: Mapping[str, str] = {}
    """Versions in other languages that the page itself names: their addresses by language."""

    head: Head | None = None
    """Facts of the rendered page. None: they are read from `output`."""

    title: str = ""
    """Its title, in plain text."""

    content: str | None = None
    """HTML of its own content, without theme and navigation. None: found in `output`."""

    images: Sequence[str] | None = None
    """Addresses of the images in its content. None: found in `content` or `output`."""

    digest: str | None = None
    """Digest of its own content, if the generator has something better than HTML to digest."""

    @property
    def name(self) -> str:
        """What a message calls this page: its own source file where it has one, else its URL."""
        return os.fspath(self.sources[0]) if self.sources else self.url
