"""The setting SITEMAP: our options, and those of pelican-sitemap with the meaning they had.

    format         formats
    exclude        exclude; as regular expressions on the URL while one of the other three keys is
                   there, or one of them can be nothing else
    priorities     a default `priority` for articles, pages and indexes
    changefreqs    a default `changefreq` for each

A SITEMAP written for pelican-sitemap never stops a build: what cannot be used is reported and left
out. A mistake in one of our own raises OptionError.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard, cast, get_args

from sitemapkit import Issue, OptionError, Options, OptionsSchema, read_options
from sitemapkit.model import ChangeFreq
from sitemapkit.rules import issue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pelican_sitemapkit.objects import Settings

WHERE = "SITEMAP in the Pelican settings"

_GROUPS = {"article": "articles", "page": "pages"}
_PRIORITIES: dict[str, object] = {"articles": 0.5, "pages": 0.5, "indexes": 0.5}
_CHANGEFREQS: dict[str, object] = {"articles": "monthly", "pages": "monthly", "indexes": "daily"}
_FREQUENCIES: tuple[str, ...] = get_args(ChangeFreq)
_SURELY_REGEX = re.compile(r"^\^|\$$|\\[.dwsbDWSB/-]|\.\+|\||\(\?")


@dataclass
class SitemapSettings:
    """What the user wants of the sitemap."""

    options: Options
    issues: list[Issue] = field(default_factory=list[Issue])
    regexes: list[re.Pattern[str]] = field(default_factory=list[re.Pattern[str]])
    """pelican-sitemap's `exclude`."""

    defaults: dict[str, dict[str, object]] = field(default_factory=dict[str, dict[str, object]])
    """pelican-sitemap's `priorities` and `changefreqs`: metadata by its name of a kind."""

    @property
    def reads_content(self) -> bool:
        """Whether an option needs the HTML of the texts."""
        options = self.options
        return bool(options.ledger or options.images or options.videos)

    def excludes(self, url: str) -> bool:
        """Tell whether a regular expression finds something in `url`, which is below SITEURL.

        pelican-sitemap leaves the leading slash out, but its manual shows expressions with one.
        """
        path = url.lstrip("/")
        return any(regex.search(path) or regex.search("/" + path) for regex in self.regexes)

    def defaults_of(self, kind: str) -> Mapping[str, object]:
        """Return the metadata that pages of a kind have where they say nothing themselves."""
        return self.defaults.get(_GROUPS.get(kind, "indexes"), {})


def read_settings(settings: Settings) -> SitemapSettings:
    """Read the setting SITEMAP, and SITEURL for the base URL.

    Raises OptionError for a mistake in one of our own options.
    """
    given: Any = settings.get("SITEMAP") or {}
    if not _is_dict(given):
        raise OptionError(f"{WHERE}: {given!r} was given. Allowed: a dict of options.")
    peer = _Peer(given)
    options = read_options(
        peer.ours,
        where=WHERE,
        base_setting="SITEURL",
        base_severity="warning" if given else "note",
        base_url=settings.get("SITEURL"),
        title=str(settings["SITENAME"]),
        language=str(settings["DEFAULT_LANG"]),
    )
    return SitemapSettings(options, peer.issues, peer.regexes, peer.defaults)


class _Peer:
    """Takes pelican-sitemap's keys out of a SITEMAP; what remains in `ours` are our options."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.ours = dict(given)
        self.issues: list[Issue] = []
        self.regexes: list[re.Pattern[str]] = []
        self.defaults: dict[str, dict[str, object]] = {}
        keys = [key for key in ("format", "priorities", "changefreqs") if key in given]
        if _are_regexes(given.get("exclude"), certainly=bool(keys)):
            self._read_exclude()
            self._inform(*keys, "exclude")
        elif keys:
            self._inform(*keys)
        if keys:
            self._read_format()
            self._read_defaults("priorities", "priority", _PRIORITIES)
            self._read_defaults("changefreqs", "changefreq", _CHANGEFREQS)
            self._drop_unknown()

    def _read_format(self) -> None:
        value = self.ours.pop("format", None)
        if value == "txt":
            self.ours.setdefault("formats", ["txt"])
        elif value not in (None, "xml"):
            self._warn("format", value, "xml, txt")

    def _read_defaults(self, key: str, name: str, defaults: dict[str, object]) -> None:
        """Read values for kinds of pages; kinds that are missing have pelican-sitemap's."""
        given = self.ours.pop(key, None)
        if given is None:
            return
        if not _is_dict(given):
            self._warn(key, given, f"a dict with {', '.join(defaults)}")
            return
        allowed, is_allowed = _VALUES[name]
        for kind, value in given.items():
            if kind not in defaults or not is_allowed(value):
                self._warn(f"{key}.{kind}", value, f"{allowed}, for {', '.join(defaults)}")
        for kind, default in defaults.items():
            value = given.get(kind)
            self.defaults.setdefault(kind, {})[name] = value if is_allowed(value) else default

    def _read_exclude(self) -> None:
        for line in _lines(self.ours.pop("exclude")):
            try:
                self.regexes.append(re.compile(line))
            except re.error as error:
                self._warn("exclude", line, f"regular expressions (in this one: {error})")

    def _drop_unknown(self) -> None:
        for name in set(self.ours) - set(OptionsSchema.__struct_fields__):
            self._warn(name, self.ours.pop(name), "options of sitemapkit or of pelican-sitemap")

    def _warn(self, key: str, value: object, allowed: str) -> None:
        detail = f"{value!r} was given. Allowed: {allowed}."
        self.issues.append(issue("bad-setting", f"{WHERE}, {key}", detail))

    def _inform(self, *keys: str) -> None:
        own = "formats, rules, and exclude with patterns as in .gitignore"
        detail = f"They are {', '.join(keys)}, of pelican-sitemap; sitemapkit has {own}."
        self.issues.append(issue("foreign-setting", WHERE, detail))


def _are_regexes(exclude: object, *, certainly: bool) -> bool:
    return (certainly and bool(exclude)) or any(map(_SURELY_REGEX.search, _lines(exclude)))


def _lines(exclude: object) -> list[str]:
    if isinstance(exclude, list | tuple | set):
        return [str(line) for line in cast("Iterable[object]", exclude)]
    return [exclude] if isinstance(exclude, str) else []


def _is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_priority(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def _is_changefreq(value: object) -> bool:
    return value in _FREQUENCIES


_VALUES = {
    "priority": ("numbers from 0.0 to 1.0", _is_priority),
    "changefreq": (", ".join(_FREQUENCIES), _is_changefreq),
}
