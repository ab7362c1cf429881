"""The setting SITEMAP: our options, and those of pelican-sitemap with their own meaning.

    format         formats
    exclude        exclude; regular expressions on the URL if one of the other three keys is set,
                   or if one of them cannot be a pattern
    priorities     a default `priority` for articles, pages and indexes
    changefreqs    a default `changefreq` for each of these

A mistake in an option of pelican-sitemap never stops a build: it is reported, and the option is
ignored. A mistake in one of ours raises OptionError.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from msgspec import Struct

from sitemapkit import OptionError, Options, OptionsSchema, read_options
from sitemapkit.metadata import read_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pelican_sitemapkit.pelican_types import Settings

WHERE = "SITEMAP in the Pelican settings"

_GROUPS = {"article": "articles", "page": "pages"}
_PRIORITIES: dict[str, object] = {"articles": 0.5, "pages": 0.5, "indexes": 0.5}
_CHANGEFREQS: dict[str, object] = {"articles": "monthly", "pages": "monthly", "indexes": "daily"}
_CLEARLY_REGEX = r"^\^|\$$|\\[.dwsbDWSB/-]|\.\+|\||\(\?"


class SitemapSettings(Struct):
    """The setting SITEMAP."""

    options: Options
    compat: CompatOptions


def read_settings(settings: Settings) -> SitemapSettings:
    """Read the setting SITEMAP, and SITEURL for the base URL.

    Raises OptionError for a mistake in one of our own options.
    """
    given: Any = settings.get("SITEMAP") or {}
    if not _is_dict(given):
        raise OptionError(f"{WHERE}: {given!r} was given. Allowed: a dict of options.")
    compat = CompatOptions(given)
    options = read_options(
        compat.remaining,
        where=WHERE,
        base_setting="SITEURL",
        base_severity="note",  # an empty SITEURL is the usual one while writing
        base_url=settings.get("SITEURL"),
        title=str(settings["SITENAME"]),
        language=str(settings["DEFAULT_LANG"]),
    )
    return SitemapSettings(options, compat)


class CompatOptions:
    """The options of pelican-sitemap in SITEMAP."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take them out of SITEMAP."""
        self.remaining = dict(given)
        """SITEMAP without them."""

        self.issues: list[tuple[str, str, str]] = []
        """What is wrong with them: arguments of `Report.add`."""

        self.regexes: list[re.Pattern[str]] = []
        """`exclude`."""

        self._matched: set[re.Pattern[str]] = set()
        self.defaults: dict[str, dict[str, object]] = {}
        """`priorities` and `changefreqs`: metadata by kind of page."""

        keys = [key for key in ("format", "priorities", "changefreqs") if key in self.remaining]
        if _are_regexes(self.remaining.get("exclude"), has_other_keys=bool(keys)):
            self._read_exclude()
            self._add_note(*keys, "exclude")
        elif keys:
            self._add_note(*keys)
        if keys:
            self._read_format()
            self._read_defaults("priorities", "priority", _PRIORITIES)
            self._read_defaults("changefreqs", "changefreq", _CHANGEFREQS)
            self._drop_unknown()

    def excludes(self, url: str) -> bool:
        """Return whether a regular expression matches `url`, which is relative to SITEURL.

        pelican-sitemap matches URLs without a leading slash, but its manual shows expressions with
        one, so both are tried.
        """
        path = url.lstrip("/")
        found = [each for each in self.regexes if each.search(path) or each.search("/" + path)]
        self._matched.update(found)
        return bool(found)

    def note_unmatched(self) -> None:
        """Add an issue for each regular expression that has matched no page."""
        for regex in [each for each in self.regexes if each not in self._matched]:
            detail = f"It is the regular expression {regex.pattern!r}."
            self.issues.append(("unmatched-pattern", f"{WHERE}, exclude", detail))

    def defaults_of(self, kind: str) -> Mapping[str, object]:
        """Return the metadata of pages of a kind that have none of their own."""
        return self.defaults.get(_GROUPS.get(kind, "indexes"), {})

    def _read_format(self) -> None:
        value = self.remaining.pop("format", None)
        if value == "txt":
            self.remaining.setdefault("formats", ["txt"])
        elif value not in (None, "xml"):
            self._add_warning("format", value, "xml, txt")

    def _read_defaults(self, key: str, name: str, defaults: dict[str, object]) -> None:
        """Read values for kinds of pages; missing kinds get the defaults of pelican-sitemap."""
        given = self.remaining.pop(key, None)
        if given is None:
            return
        if not _is_dict(given):
            self._add_warning(key, given, f"a dict with {', '.join(defaults)}")
            return
        for kind, value in given.items():
            read, allowed = read_value(name, value)
            if kind not in defaults or read is None:
                self._add_warning(f"{key}.{kind}", value, f"{allowed}, for {', '.join(defaults)}")
        for kind, default in defaults.items():
            read, _ = read_value(name, given.get(kind))
            self.defaults.setdefault(kind, {})[name] = default if read is None else read

    def _read_exclude(self) -> None:
        for line in _lines(self.remaining.pop("exclude")):
            try:
                self.regexes.append(re.compile(line))
            except re.error as error:
                self._add_warning("exclude", line, f"regular expressions (in this one: {error})")

    def _drop_unknown(self) -> None:
        for name in set(self.remaining) - set(OptionsSchema.__struct_fields__):
            value = self.remaining.pop(name)
            self._add_warning(name, value, "options of sitemapkit or of pelican-sitemap")

    def _add_warning(self, key: str, value: object, allowed: str) -> None:
        detail = f"{value!r} was given. Allowed: {allowed}."
        self.issues.append(("bad-setting", f"{WHERE}, {key}", detail))

    def _add_note(self, *keys: str) -> None:
        own = "formats, rules, and exclude with patterns as in .gitignore"
        detail = f"They are {', '.join(keys)}, of pelican-sitemap; sitemapkit has {own}."
        self.issues.append(("foreign-setting", WHERE, detail))


def _are_regexes(exclude: object, *, has_other_keys: bool) -> bool:
    is_clear = any(re.search(_CLEARLY_REGEX, line) for line in _lines(exclude))
    return is_clear or (has_other_keys and bool(exclude))


def _lines(exclude: object) -> list[str]:
    if isinstance(exclude, list | tuple | set):
        return [str(line) for line in cast("Iterable[object]", exclude)]
    return [exclude] if isinstance(exclude, str) else []


def _is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)
