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
from sitemapkit.head import says_noindex
from sitemapkit.model import CHANGEFREQS, BadValue, ChangeFreq, Metadata, quoted
from sitemapkit.patterns import negated

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_UNSET = frozenset({"", "none", "null", "~"})
_NUMBER = r"\+?(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
_LONGEST = 40
"""Characters of a word that are compared with the known ones; it may be of any length."""

_FLAT = r"sitemap[-_.:]\w+"
_BARE = ("priority", "changefreq", "lastmod", "videos")
_ADDRESSES = ("thumbnail_loc", "content_loc", "player_loc")
_OURS = ("sitemap", *_BARE, "robots", "noindex", "private")
UNSTATED = Metadata()
"""The metadata of every page that states nothing."""
MAX_PATTERNS = 1_000
"""Characters of all patterns of one page, each of which is compared with each of its images."""

_NAMES = ("priority", "changefreq", "lastmod", "exclude", "images", "videos")


def read_metadata(raw: Mapping[str, object]) -> Metadata:
    """Read what the author states in the raw metadata of a page; keys in any case."""
    ours = our_names(tuple(raw)) if raw else ()
    if not ours:
        return UNSTATED
    found = Metadata()
    meta = {name: raw[key] for key, name in ours}
    for key, value in _pairs(meta):
        _read(found, key, _plain(value))
    if key := _noindex_key(meta):
        found.noindex = True
        found.origins += (("noindex", f"metadata {key}"),)
    return found


def publication_date(raw: Mapping[str, object]) -> date | None:
    """Return the `date` of a page's metadata, if it is one: when the page was first published."""
    return _date(_plain(raw["date"])) if "date" in raw else None


@lru_cache(maxsize=1024)  # the pages of a site have the same few keys
def our_names(keys: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the keys that can be ours, each with its spelling in lower case."""
    names = ((key, str(key).lower()) for key in keys)
    return tuple((key, name) for key, name in names if name.startswith(_OURS))


def read_value(name: str, value: object) -> tuple[object, str]:
    """Return a value such as `priority` as it is read, None if it is wrong, and what is allowed."""
    reader, allowed = _READERS[name]
    return reader(value), allowed


def _pairs(meta: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the (key, value) pairs that are ours, the least specific spelling first."""
    bare = (name for name in _BARE if name in meta)
    yield from ((name, meta[name]) for name in bare if name != "videos" or _has_ours(meta[name]))
    yield from ((key, value) for key, value in meta.items() if re.fullmatch(_FLAT, key))
    value = _plain(_from_json(meta.get("sitemap")))
    if isinstance(value, Mapping):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield f"sitemap.{key}".lower(), inner
    else:
        yield "sitemap", value


def _has_ours(videos: object) -> bool:
    """Return whether one of the videos has an address by our names; other tools use the key too."""
    items = cast("Sequence[object]", videos if isinstance(videos, list | tuple) else [videos])
    return any(name in each for each in items if isinstance(each, Mapping) for name in _ADDRESSES)


def _from_json(value: object) -> object:
    """Some generators pass nested front matter on as a JSON string."""
    try:
        return json.loads(value) if isinstance(value, str) and value.lstrip()[:1] == "{" else value
    except (ValueError, RecursionError):
        return value


def _read(found: Metadata, key: str, value: object) -> None:
    if value is None or (isinstance(value, str) and value.strip().lower() in _UNSET):
        return
    name = key.removeprefix("sitemap").lstrip("-_.:")
    if name == "videos":
        found.extensions += ((name, value),)
        return
    if name not in _READERS:
        extensions = installed.names(installed.EXTENSIONS)
        if name in extensions:
            found.extensions += ((name, value),)
            return
        near = _nearest(name, (*_NAMES, *extensions))
        meant = key.removesuffix(name) + near if near else ""
        allowed = f"the names {', '.join(_NAMES)}"
        found.bad_values += (BadValue(key, quoted(value), allowed, is_known=False, meant=meant),)
        return
    reader, allowed = _READERS[name]
    read = reader(value)
    if read is None:
        near = _nearest(value, CHANGEFREQS) if name == "changefreq" else ""
        found.bad_values += (BadValue(key, quoted(value), allowed, meant=near),)
    elif name == "lastmod":
        found.lastmod, found.no_lastmod = (None, True) if read is False else (read, False)
    else:
        attribute = name or "exclude"
        setattr(found, attribute, read)
        if read is not False:
            found.origins += ((attribute, f"metadata {key}"),)


def _nearest(word: object, known: Sequence[str]) -> str:
    """Return the known word that was probably meant, or ""."""
    if not isinstance(word, str):
        return ""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a mistake

    return next(iter(get_close_matches(word[:_LONGEST].strip().lower(), known, n=1)), "")


def _listed(value: object) -> bool | None:
    """`sitemap: false` excludes the page."""
    return None if (listed := _boolean(value)) is None else not listed


def _priority(value: object) -> float | None:
    if isinstance(value, str) and re.fullmatch(_NUMBER, value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0.0 <= value <= 1.0 else None


def _changefreq(value: object) -> ChangeFreq | None:
    word = value.strip().lower() if isinstance(value, str) else value
    return next((frequency for frequency in CHANGEFREQS if word == frequency), None)


def _lastmod(value: object) -> date | Literal[False] | None:
    return False if _boolean(value) is False else _date(value)


def _images(value: object) -> tuple[str, ...] | None:
    if _boolean(value) is False:
        return ()
    items = cast("Sequence[object]", value if isinstance(value, list | tuple) else [value])
    if not all(isinstance(item, str) and item.strip(" !") for item in items):
        return None
    rules = tuple(str(item).strip() for item in items)
    if sum(len(rule) for rule in rules if rule.startswith("!")) > MAX_PATTERNS:
        return None
    try:
        negated(rules)
    except ValueError:
        return None
    return rules


def _noindex_key(meta: Mapping[str, object]) -> str:
    """Return the key that forbids indexing, or ""."""
    robots = _plain(meta.get("robots"))
    if isinstance(robots, list | tuple):
        words = cast("Sequence[object]", robots)
        robots = ",".join(word for word in words if isinstance(word, str))
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


def _boolean(value: object) -> bool | None:
    if isinstance(value, int):
        return bool(value) if value in (0, 1) else None
    word = value.strip().lower() if isinstance(value, str) else ""
    return True if word in _TRUE else False if word in _FALSE else None


def _date(value: object) -> date | None:
    try:
        value = dates.parse(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return dates.known(value) if isinstance(value, date) else None


_IMAGES_MAY_BE = (
    f"URLs of images to add, patterns after ! (up to {MAX_PATTERNS:,} characters) of images to"
    " leave out, or false for none"
)

_READERS: Mapping[str, tuple[Callable[[object], Any], str]] = {
    "": (_listed, f"true, false, or a mapping of {', '.join(_NAMES)}"),
    "priority": (_priority, "a number from 0.0 to 1.0"),
    "changefreq": (_changefreq, ", ".join(CHANGEFREQS)),
    "lastmod": (_lastmod, "YYYY-MM-DD, YYYY-MM-DDThh:mm:ss+hh:mm, or false for no date"),
    "exclude": (_boolean, "true or false"),
    "images": (_images, _IMAGES_MAY_BE),
}
"""For each key what reads its value, or returns None, and which values are allowed."""
