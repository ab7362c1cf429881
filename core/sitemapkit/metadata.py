"""Metadata: what an author says about a page in its front matter, in all its spellings.

    sitemap: false                        leave the page out
    sitemap: {priority: 0.8, ...}         nested; as a JSON string where metadata is only strings
    sitemap_priority, sitemap-priority, sitemap.priority
    priority, changefreq, lastmod, videos bare
    robots: noindex, noindex: true, private: true

A nested value beats a flat one, a flat one a bare one. A bad value is left out and reported; it
never stops a build.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import cast

from sitemapkit import dates
from sitemapkit.extensions.registry import generic
from sitemapkit.html import says_noindex
from sitemapkit.model import CHANGEFREQS, BadValue, Metadata

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_UNSET = frozenset({"", "none", "null", "~"})
_NUMBER = re.compile(r"\+?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_FLAT = re.compile(r"sitemap[-_.:]\w+")
_BARE = ("priority", "changefreq", "lastmod", "videos")
_OURS = ("sitemap", *_BARE, "robots", "noindex", "private")
_NAMES = ("priority", "changefreq", "lastmod", "exclude", "images", "videos")


def read_metadata(raw: Mapping[str, object]) -> Metadata:
    """Read what the author wants from the raw metadata of a page; keys in any case."""
    found = Metadata()
    ours = _our_names(tuple(raw))
    if not ours:
        return found
    meta = {name: raw[key] for key, name in ours}
    for key, value in _wishes(meta, found):
        _read(found, key, _plain(value))
    if key := _noindex_key(meta):
        found.noindex = True
        found.origins += (("noindex", f"metadata {key}"),)
    return found


def publication_date(raw: Mapping[str, object]) -> date | None:
    """Return the `date` of a page's metadata, if it is one: when the page was first published."""
    if "date" not in raw:
        return None
    value = _plain(raw["date"])
    if isinstance(value, date):
        return dates.known(value)
    try:
        return dates.parse(value) if isinstance(value, str) else None
    except ValueError:  # the key is not ours: others may mean something else by it
        return None


@lru_cache(maxsize=1024)  # the pages of a site have the same few keys
def _our_names(keys: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the keys that can be ours, each with its spelling in small letters."""
    names = ((key, str(key).lower()) for key in keys)
    return tuple((key, name) for key, name in names if name.startswith(_OURS))


def _wishes(meta: Mapping[str, object], found: Metadata) -> Iterator[tuple[str, object]]:
    """Yield the (key, value) pairs that are meant for us, the least specific spelling first."""
    for name in _BARE:
        if name in meta:
            yield name, meta[name]
    for key, value in meta.items():
        if _FLAT.fullmatch(key):
            yield key, value
    if "sitemap" in meta:
        yield from _nested(meta["sitemap"], found)


def _nested(value: object, found: Metadata) -> Iterator[tuple[str, object]]:
    value = _plain(_from_json(value))
    if isinstance(value, Mapping):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield f"sitemap.{key}".lower(), inner
    elif (listed := _boolean(value)) is not None:
        _set_exclude(found, "sitemap", not listed)
    elif not _is_unset(value):
        allowed = f"true, false, or a mapping of {', '.join(_NAMES)}"
        found.bad_values += (BadValue("sitemap", value, allowed),)


def _from_json(value: object) -> object:
    """Some generators hand nested front matter on as a JSON string."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _read(found: Metadata, key: str, value: object) -> None:
    if _is_unset(value):
        return
    match key.removeprefix("sitemap")[1:] if key.startswith("sitemap") else key:
        case "priority":
            _read_priority(found, key, value)
        case "changefreq":
            _read_changefreq(found, key, value)
        case "lastmod":
            _read_lastmod(found, key, value)
        case "exclude":
            _read_exclude(found, key, value)
        case "images":
            _read_images(found, key, value)
        case name if name == "videos" or name in generic():
            found.extensions += ((name, value),)
        case _:
            allowed = f"the names {', '.join(_NAMES)}"
            found.bad_values += (BadValue(key, value, allowed),)


def _read_priority(found: Metadata, key: str, value: object) -> None:
    number = _number(value)
    if number is None or not 0.0 <= number <= 1.0:
        found.bad_values += (BadValue(key, value, "a number from 0.0 to 1.0"),)
    else:
        found.priority = float(number)
        found.origins += (("priority", f"metadata {key}"),)


def _read_changefreq(found: Metadata, key: str, value: object) -> None:
    word = value.strip().lower() if isinstance(value, str) else value
    for frequency in CHANGEFREQS:
        if word == frequency:
            found.changefreq = frequency
            found.origins += (("changefreq", f"metadata {key}"),)
            return
    found.bad_values += (BadValue(key, value, ", ".join(CHANGEFREQS)),)


def _read_lastmod(found: Metadata, key: str, value: object) -> None:
    if _boolean(value) is False:
        found.lastmod, found.no_lastmod = None, True
        return
    try:
        moment = dates.parse(value) if isinstance(value, str) else value
    except ValueError:
        moment = None
    if not isinstance(moment, date):
        allowed = "YYYY-MM-DD, YYYY-MM-DDThh:mm:ss+hh:mm, or false for no date"
        found.bad_values += (BadValue(key, value, allowed),)
        return
    found.lastmod, found.no_lastmod = dates.known(moment), False


def _read_exclude(found: Metadata, key: str, value: object) -> None:
    wish = _boolean(value)
    if wish is None:
        found.bad_values += (BadValue(key, value, "true or false"),)
    else:
        _set_exclude(found, key, wish)


def _set_exclude(found: Metadata, key: str, wish: bool) -> None:
    found.exclude = wish
    if wish:
        found.origins += (("exclude", f"metadata {key}"),)


def _read_images(found: Metadata, key: str, value: object) -> None:
    if _boolean(value) is False:
        found.images = ()
        return
    many = isinstance(value, list | tuple)
    items = cast("Sequence[object]", value) if many else [value]
    if all(isinstance(item, str) and item.strip(" !") for item in items):
        found.images = tuple(str(item).strip() for item in items)
    else:
        allowed = "addresses of images to add, patterns after a ! to leave out, or false for none"
        found.bad_values += (BadValue(key, value, allowed),)


def _noindex_key(meta: Mapping[str, object]) -> str:
    """Return the key that forbids indexing, or ""."""
    robots = _plain(meta.get("robots"))
    if isinstance(robots, list | tuple):
        robots = ",".join(str(word) for word in cast("Sequence[object]", robots))
    if isinstance(robots, str) and says_noindex(robots):
        return "robots"
    keys = ("noindex", "private")
    return next((key for key in keys if _boolean(_plain(meta.get(key))) is True), "")


def _plain(value: object) -> object:
    """Metadata that may repeat comes as a list; a list of one thing is that thing."""
    if not isinstance(value, list | tuple):
        return value
    items = cast("Sequence[object]", value)
    return items[0] if len(items) == 1 else items


def _is_unset(value: object) -> bool:
    return value is None or (isinstance(value, str) and value.strip().lower() in _UNSET)


def _boolean(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower() if isinstance(value, str | int) else ""
    return True if word in _TRUE else False if word in _FALSE else None


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        return float(value)
    return None
