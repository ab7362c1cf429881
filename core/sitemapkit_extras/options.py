"""The options of what is in this package."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - msgspec evaluates it
from typing import Annotated, ClassVar

from msgspec import Meta

from sitemapkit.options.schema import (
    A_FOLDER,
    A_RECORD,
    AddedOptions,
    Check,
    Patterns,
    Schema,
    checked_patterns,
)


class Feed(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The Atom feed of the newest changes."""

    count: Annotated[int, Meta(ge=1, le=1000, description="pages in the feed, 1 to 1,000")] = 50

    days: Annotated[
        int,
        Meta(ge=0, le=36500, description="how many days back the feed goes; 0 for all changes"),
    ] = 0


class News(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which pages are news, and of what publication."""

    checks: ClassVar[Mapping[str, Check]] = {"match": checked_patterns}

    name: Annotated[str, Meta(min_length=1, description="name of the publication")]

    language: Annotated[
        str,
        Meta(pattern="^(zh-cn|zh-tw|[a-z]{2,3})$", description="its language: de, zh-cn or zh-tw"),
    ]

    match: Annotated[Patterns, Meta(description="patterns of the articles")]


def _tag(value: str) -> str:
    return value.replace("_", "-")


class Extras(AddedOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The options of all formats, extensions and sources of dates here."""

    ledger: Annotated[
        str,
        A_RECORD,
        Meta(
            description="path of a file, outside the site, that records digests and dates of pages"
        ),
    ] = ""

    title: Annotated[
        str, Meta(description="name of the site, for the feed, llms.txt and the page for people")
    ] = ""

    language: Annotated[str, Meta(description="language of the site, such as pt-BR")] = ""

    templates: Annotated[
        str,
        A_FOLDER,
        Meta(description="folder whose sitemap.html or sitemap.css replace the built-in ones"),
    ] = ""

    feed: Annotated[Feed, Meta(description="{count, days}: how much the feed holds")] = Feed()

    news: Annotated[
        News | None, Meta(description="{name, language, match}: which articles are news, and whose")
    ] = None

    videos: Annotated[
        bool, Meta(description="true also lists videos found in the pages' content")
    ] = False

    images: Annotated[bool, Meta(description="true lists the images in the pages' content")] = False

    checks: ClassVar[Mapping[str, Check]] = {"language": _tag}
