"""Video: one video of a page, as Google's video extension of sitemaps (1.1) describes it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sitemapkit import dates

_Country = Annotated[str, Meta(pattern="^[A-Z]{2}$")]
_Address = Annotated[str, Meta(min_length=1)]


class Restriction(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The countries in which a video may be shown, or may not."""

    relationship: Literal["allow", "deny"]
    countries: Annotated[tuple[_Country, ...], Meta(min_length=1)]


class Platform(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The platforms on which a video may be shown, or may not."""

    relationship: Literal["allow", "deny"]
    platforms: Annotated[tuple[Literal["web", "mobile", "tv"], ...], Meta(min_length=1)]


class Uploader(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who put the video online; `info` is the address of a page about them on the same host."""

    name: Annotated[str, Meta(min_length=1, max_length=255)]
    info: _Address | None = None


class Video(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One video; names, limits and order are those of the extension's schema."""

    thumbnail_loc: _Address
    title: Annotated[str, Meta(min_length=1, max_length=100)]
    description: Annotated[str, Meta(min_length=1, max_length=2048)]
    content_loc: _Address | None = None
    player_loc: _Address | None = None
    duration: Annotated[int, Meta(ge=1, le=28_800)] | None = None
    expiration_date: str | None = None
    rating: Annotated[float, Meta(ge=0, le=5)] | None = None
    view_count: Annotated[int, Meta(ge=0)] | None = None
    publication_date: str | None = None
    tags: Annotated[tuple[str, ...], Meta(max_length=32)] = ()
    family_friendly: bool | None = None
    restriction: Restriction | None = None
    requires_subscription: bool | None = None
    uploader: Uploader | None = None
    platform: Platform | None = None
    live: bool | None = None

    def __post_init__(self) -> None:
        """Check what types cannot say."""
        if not (self.content_loc or self.player_loc):
            raise ValueError("`content_loc` or `player_loc` is missing")
        for text in (self.expiration_date, self.publication_date):
            if text is not None:
                dates.parse(text)
