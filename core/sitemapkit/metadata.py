"""Metadata: what an author states about a page in its front matter, in all its spellings.

    sitemap: false                        leave the page out
    sitemap: {priority: 0.8, ...}         nested; as a JSON string where metadata is only strings
    sitemap_priority, sitemap-priority, sitemap.priority
    priority, changefreq, lastmod, videos bare
    robots: noindex, noindex: true, private: true

A nested value beats a flat one, a flat one a bare one. A bad value is ignored and reported; it
never stops a build.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Literal, cast

from sitemapkit import dates, installed
from sitemapkit.extensions.registry import ReadsMetadata, load
from sitemapkit.head import says_noindex
from sitemapkit.model import CHANGEFREQS, BadValue, ChangeFreq, Metadata, nearest, own_name, quoted

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_UNSET = frozenset({"", "none", "null", "~"})
_NUMBER = r"\+?(?:[0-9]++\.?[0-9]*|\.[0-9]+)"
_FLAT = r"sitemap(?:[-_.:]\w+|[-_.:]?kit(?:[-_.:].*)?)"
"""The second is our own name, which can mean nobody else: an error names the right key."""

_BARE = ("priority", "changefreq", "lastmod", "videos")
_ADDRESSES = ("thumbnail_loc", "content_loc", "player_loc")
_OURS = ("sitemap", *_BARE, "robots", "noindex", "private")
UNSTATED = Metadata()
"""The metadata of every page that states nothing."""

_NAMES = ("priority", "changefreq", "lastmod", "exclude")


def read_metadata(raw: Mapping[str, object]) -> Metadata:
    """Read what the author states in the raw metadata of a page; keys in any case."""
    ours = our_names(tuple(raw))
    if not ours:
        return UNSTATED
    found = Metadata()
    meta = {name: raw[key] for key, name in ours}
    for key, value in _pairs(meta):
        _read(found, key, _plain(value))
    key = _noindex_key(meta)
    if key:
        found.noindex = True
        found.origins += (("noindex", f"metadata {key}"),)
    return found


def publication_date(raw: Mapping[str, object]) -> date | None:
    """Return the `date` of a page's metadata, if it is one: when the page was first published."""
    return _date(_plain(raw["date"])) if "date" in raw else None


@lru_cache(maxsize=1024)  # the pages of a site have the same few keys
def our_names(keys: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the keys that can be ours, each with its spelling in lower case."""
    found: list[tuple[str, str]] = []
    for key in keys:
        name = str(key).lower()
        if name.startswith(_OURS):
            found.append((key, name))
    return tuple(found)


def read_value(name: str, value: object) -> tuple[object, str]:
    """Return a value such as `priority` as it is read, None if it is wrong, and what is allowed."""
    reader, allowed = _READERS[name]
    return reader(value), allowed


def _pairs(meta: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the (key, value) pairs that are ours, the least specific spelling first."""
    for name in _BARE:
        if name == "videos" and not _has_ours(meta.get(name)):
            continue
        if name in meta:
            yield name, meta[name]
    for key, flat in meta.items():
        if re.fullmatch(_FLAT, key):
            yield key, flat
    value = _plain(_from_json(meta.get("sitemap")))
    if isinstance(value, Mapping):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield f"sitemap.{key}".lower(), inner
    else:
        yield "sitemap", value


def _has_ours(videos: object) -> bool:
    """Return whether one of the videos has an address by our names; other tools use the key too."""
    if not isinstance(videos, list | tuple):
        videos = [videos]
    for each in cast("Sequence[object]", videos):
        if isinstance(each, Mapping) and not each.keys().isdisjoint(_ADDRESSES):
            return True
    return False


def _from_json(value: object) -> object:
    """Some generators pass nested front matter on as a JSON string."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _read(found: Metadata, key: str, value: object) -> None:
    if value is None or (isinstance(value, str) and value.strip().lower() in _UNSET):
        return
    name = key.removeprefix("sitemap").lstrip("-_.:")
    if name not in _READERS:
        _read_of_extension(found, key, name, value)
        return
    reader, allowed = _READERS[name]
    read = reader(value)
    if read is None:
        if not name:
            allowed = f"{allowed} of {', '.join(_known_names())}"
        near = nearest(value, CHANGEFREQS) if name == "changefreq" else ""
        found.bad_values += (BadValue(key, quoted(value), allowed, meant=near),)
    elif name == "lastmod":
        found.no_lastmod = read is False
        found.lastmod = None if read is False else read
    else:
        attribute = name or "exclude"
        setattr(found, attribute, read)
        if read is not False:
            found.origins += ((attribute, f"metadata {key}"),)


def _read_of_extension(found: Metadata, key: str, name: str, value: object) -> None:
    """Read what a page states for an extension, if there is one of this name."""
    known = _known_names()
    if name not in known:
        rest = own_name(key)
        near = nearest(name if rest is None else rest, known)
        meant = key.removesuffix(name) + near if near else ""
        if rest is not None:
            meant = f"sitemap_{near}".rstrip("_")
        allowed = f"the names {', '.join(known)}"
        found.bad_values += (BadValue(key, quoted(value), allowed, is_known=False, meant=meant),)
        return
    extension = load(name)
    if isinstance(extension, ReadsMetadata):
        read = extension.read(value)
        if read is None:
            found.bad_values += (BadValue(key, quoted(value), extension.ALLOWED),)
            return
        value = read
        found.origins += ((name, f"metadata {key}"),)
    found.extensions += ((name, value),)


def _known_names() -> list[str]:
    return [*_NAMES, *installed.names(installed.EXTENSIONS)]


def _listed(value: object) -> bool | None:
    """`sitemap: false` excludes the page."""
    listed = _boolean(value)
    return None if listed is None else not listed


def _priority(value: object) -> float | None:
    if isinstance(value, str) and re.fullmatch(_NUMBER, value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0.0 <= value <= 1.0 else None


def _changefreq(value: object) -> ChangeFreq | None:
    word = value.strip().lower() if isinstance(value, str) else value
    for frequency in CHANGEFREQS:
        if frequency == word:
            return frequency
    return None


def _lastmod(value: object) -> date | Literal[False] | None:
    return False if is_false(value) else _date(value)


def _noindex_key(meta: Mapping[str, object]) -> str:
    """Return the key that forbids indexing, or ""."""
    robots = _plain(meta.get("robots"))
    if isinstance(robots, list | tuple):
        words = cast("Sequence[object]", robots)
        robots = ",".join(word for word in words if isinstance(word, str))
    if isinstance(robots, str) and says_noindex(robots):
        return "robots"
    for key in ("noindex", "private"):
        if _boolean(_plain(meta.get(key))):
            return key
    return ""


def _plain(value: object) -> object:
    """Metadata that may repeat comes as a list; a list of one thing is that thing."""
    if not isinstance(value, list | tuple):
        return value
    items = cast("Sequence[object]", value)
    return items[0] if len(items) == 1 else items


def is_false(value: object) -> bool:
    """Return whether a value turns something off, in one of the spellings of authors."""
    return _boolean(value) is False


def _boolean(value: object) -> bool | None:
    if isinstance(value, int):  # of any length, so that it is not made a text
        return bool(value) if value in (0, 1) else None
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in _TRUE:
        return True
    return False if word in _FALSE else None


def _date(value: object) -> date | None:
    if isinstance(value, str):
        try:
            return dates.parse(value)
        except ValueError:
            return None
    return dates.known(value) if isinstance(value, date) else None


_READERS: Mapping[str, tuple[Callable[[object], Any], str]] = {
    "": (_listed, "true, false, or a mapping"),
    "priority": (_priority, "a number from 0.0 to 1.0"),
    "changefreq": (_changefreq, ", ".join(CHANGEFREQS)),
    "lastmod": (_lastmod, "YYYY-MM-DD, YYYY-MM-DDThh:mm:ss+hh:mm, or false for no date"),
    "exclude": (_boolean, "true or false"),
}
"""For each key what reads its value, or returns None, and which values are allowed."""
