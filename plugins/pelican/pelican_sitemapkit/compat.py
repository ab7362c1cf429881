"""The options of pelican-sitemap in SITEMAP, with their own meaning.

    format         formats
    exclude        exclude; regular expressions on the URL if one of the other three keys is set,
                   or if one of them cannot be a pattern
    priorities     a default `priority` for articles, pages and indexes
    changefreqs    a default `changefreq` for each of these

A mistake in one of them never stops a build: it is reported, and the option is ignored.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from sitemapkit.metadata import read_value
from sitemapkit.options import is_option
from sitemapkit.patterns import OtherPatterns, is_regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

WHERE = "SITEMAP in the Pelican settings"

_DEFAULTS: dict[str, tuple[str, dict[str, object]]] = {
    "priorities": ("priority", {"articles": 0.5, "pages": 0.5, "indexes": 0.5}),
    "changefreqs": (
        "changefreq",
        {"articles": "monthly", "pages": "monthly", "indexes": "daily"},
    ),
}
_KINDS = {"article": "articles", "page": "pages"}


class CompatOptions:
    """The options of pelican-sitemap in SITEMAP."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take them out of SITEMAP."""
        self.remaining: dict[str, Any] = dict(given)
        """SITEMAP without them."""

        self.issues: list[tuple[str, str, str]] = []
        """What is wrong with them: arguments of `Report.add`."""

        self._regexes: dict[str, Callable[[str], object]] = {}
        self._metadata: dict[str, dict[str, object]] = {}
        """`priorities` and `changefreqs`: metadata by kind of page."""

        found = [key for key in ("format", *_DEFAULTS) if key in given]
        is_of_theirs = bool(found)  # so are all other options then
        lines = _lines(given.get("exclude"))
        if lines and (is_of_theirs or any(map(is_regex, lines))):
            found.append("exclude")
            self._read_exclude(lines)
        if found:
            detail = f"Of pelican-sitemap: {', '.join(found)}."
            self.issues.append(("foreign-setting", WHERE, detail))
        if is_of_theirs:
            self._read_format()
            for key in _DEFAULTS:
                self._read_defaults(key)
            for name in [each for each in self.remaining if not is_option(each)]:
                value = self.remaining.pop(name)
                self._add_warning(name, value, "options of sitemapkit or of pelican-sitemap")
        self.excludes: OtherPatterns = OtherPatterns(
            "exclude", self._regexes, where=f"{WHERE}, exclude", kind="the regular expression"
        )
        """The regular expressions in `exclude`."""

    def defaults_of(self, kind: str) -> Mapping[str, object]:
        """Return the metadata of pages of a kind that have none of their own."""
        return self._metadata.get(_KINDS.get(kind, "indexes"), {})

    def _read_format(self) -> None:
        value = self.remaining.pop("format", None)
        if value == "txt":
            self.remaining.setdefault("formats", ["txt"])
        elif value not in (None, "xml"):
            self._add_warning("format", value, "xml, txt")

    def _read_exclude(self, lines: Iterable[str]) -> None:
        del self.remaining["exclude"]
        for line in lines:
            try:
                self._regexes[line] = partial(_matches, re.compile(line))
            except re.error as error:
                self._add_warning("exclude", line, f"regular expressions (in this one: {error})")

    def _read_defaults(self, key: str) -> None:
        """Read values for kinds of pages; missing kinds get the defaults of pelican-sitemap."""
        name, defaults = _DEFAULTS[key]
        given = self.remaining.pop(key, None)
        if given is None:
            return
        if not is_dict(given):
            self._add_warning(key, given, f"a dict with {', '.join(defaults)}")
            return
        for kind in given.keys() - defaults.keys():
            self._add_warning(f"{key}.{kind}", kind, ", ".join(defaults))
        for kind, default in defaults.items():
            value, allowed = read_value(name, given.get(kind))
            if value is None:
                value = default
                if kind in given:
                    self._add_warning(f"{key}.{kind}", given[kind], allowed)
            self._metadata.setdefault(kind, {})[name] = value

    def _add_warning(self, key: str, value: object, allowed: str) -> None:
        detail = f"{value!r} was given. Allowed: {allowed}."
        self.issues.append(("bad-setting", f"{WHERE}, {key}", detail))


def _matches(regex: re.Pattern[str], url: str) -> bool:
    """Return whether a regular expression matches `url`, which is relative to SITEURL.

    pelican-sitemap matches URLs without a leading slash, but its manual shows expressions with one,
    so both are tried.
    """
    path = url.lstrip("/")
    return bool(regex.search(path) or regex.search("/" + path))


def _lines(exclude: object) -> list[str]:
    if isinstance(exclude, list | tuple | set):
        return [str(line) for line in cast("Iterable[object]", exclude)]
    return [exclude] if isinstance(exclude, str) else []


def is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    """Return whether a setting is a dict."""
    return isinstance(value, dict)
