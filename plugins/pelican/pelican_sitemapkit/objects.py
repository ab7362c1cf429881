"""What is read of Pelican's objects, which have no types of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from datetime import tzinfo

Settings = Mapping[str, Any]
"""All settings, with Pelican's defaults."""

Context = Mapping[str, Any]
"""What a template was rendered with: the settings, and names that tell what the page is."""


class Site(Protocol):
    """A Pelican object: one site, built by one run at a time."""

    settings: Settings
    output_path: str


class Content(Protocol):
    """An article, a page or a copied file.

    `modified` and `date` are there where something gave a date; `override_url` and
    `override_save_as` where the metadata of the file sets `url` or `save_as`.
    """

    settings: Settings
    metadata: dict[str, object]
    source_path: str
    title: str
    status: str
    lang: str
    in_default_lang: bool
    translations: Sequence[Content]
    timezone: tzinfo

    @property
    def content(self) -> str:
        """HTML of the text."""
        ...

    @property
    def url(self) -> str:
        """URL below SITEURL, as themes link it."""
        ...

    @property
    def save_as(self) -> str:
        """Path below the output directory."""
        ...


class Group(Protocol):
    """A tag, category or author."""

    settings: Settings
    url: str
    save_as: str


class ListPart(Protocol):
    """What one page of a paginated list shows."""

    number: int
    url: str
    object_list: Sequence[Content]


class StaticGenerator(Protocol):
    """What copies the static files."""

    output_path: str
    staticfiles: Sequence[Content]
