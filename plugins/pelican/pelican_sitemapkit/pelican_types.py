"""Types for what the plugin reads of Pelican's objects, which have none of their own."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from datetime import tzinfo

Settings = Mapping[str, Any]
"""All settings, with Pelican's defaults."""

Context = Mapping[str, Any]
"""The variables of a template: the settings, and what describes the page."""


class Site(Protocol):
    """A Pelican object: one site, built by one run at a time."""

    settings: Settings
    output_path: str


class Content(Hashable, Protocol):
    """An article, a page or a copied file.

    It may also have `modified` and `date`, and `override_url` and `override_save_as` where its
    metadata sets `url` or `save_as`.
    """

    settings: Settings
    metadata: dict[str, object]
    source_path: str
    title: str
    status: str
    template: str
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


class StaticGenerator(Protocol):
    """Pelican's generator that copies static files."""

    output_path: str
    staticfiles: Sequence[Content]
