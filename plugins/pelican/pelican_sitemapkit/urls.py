"""The URL of a file that Pelican wrote.

Pelican has a URL and a path for each page, and users may set one without the other. The URL that
the theme links to is right, except where only the path was changed: then nothing is at the old URL,
and the URL follows from the path.
"""

from __future__ import annotations

from functools import cache
from posixpath import splitext
from typing import TYPE_CHECKING, cast

from pelican import settings as pelican_settings

from sitemapkit.urls import path_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pelican_sitemapkit.pelican_types import Content, Context, Settings

_HOME = "index.html"
_DEFAULTS = cast("Settings", pelican_settings.DEFAULT_CONFIG)  # pyright: ignore[reportUnknownMemberType]


class NoUrlError(Exception):
    """A page has no URL: it says which setting has which value."""


class Urls:
    """The URLs of one site, by its settings."""

    def __init__(self, settings: Settings) -> None:
        """Take Pelican's settings."""
        self._settings = settings
        self._templates: dict[str, str] = {}
        """Names of direct templates by those of their pages."""

        for name in settings["DIRECT_TEMPLATES"]:
            stem, _ = splitext(self._save_as(name))
            if stem:
                self._templates.setdefault(stem, str(name))
        self._periods: dict[str, tuple[str, str]] = {}
        self._follows_file = cache(self._is_by_file)

    def of_content(self, content: Content, file: str) -> str:
        """Return the URL of an article or page that was written to `file`.

        Raises NoUrlError, as `of_template` does.
        """
        if hasattr(content, "override_url"):
            stated: object = getattr(content, "override_url", "")
            return _stated(stated, file, f"url in {content.source_path}")
        if hasattr(content, "override_save_as"):
            return file_url(file)
        kind = type(content).__name__
        if not content.in_default_lang:
            kind += "_lang"
        return self._by_settings(kind, content.url, file)

    def of_template(self, group: str, file: str, context: Context) -> str:
        """Return the URL of a list of articles, or of another page without content of its own.

        `group` is `tag`, `category` or `author` if it is the list of one of these. Raises
        NoUrlError if a setting leaves the page without a URL.
        """
        if group:
            kind = group
            url = context[group].url
            planned = context[group].save_as
        elif "period" in context:
            self._periods = self._periods or _periods(context["period_archives"])
            kind, url = self._periods.get(file, ("", ""))
            planned = file if kind else ""
        elif "page_name" in context:
            kind = self.direct_template(context["page_name"])
            url = self._settings.get(f"{kind.upper()}_URL", "")
            planned = self._save_as(kind)
        else:
            return file_url(file)
        part = context.get("articles_page")
        if not part or file == planned:
            return self._by_settings(kind, url, file)
        # One of PAGINATION_PATTERNS moved it, so its URL is that of the pattern, if it has any.
        self._by_settings(kind, url, planned)
        return _stated(part.url, file, "PAGINATION_PATTERNS")

    def direct_template(self, page_name: str) -> str:
        """Return the name of the direct template that made the page, else the name of the page."""
        return self._templates.get(page_name, page_name)

    def _save_as(self, name: str) -> str:
        return str(self._settings.get(f"{name.upper()}_SAVE_AS", f"{name}.html"))

    def _by_settings(self, kind: str, url: object, file: str) -> str:
        """Return the URL of a file by the settings for its kind; `url` is what they make of it."""
        setting = f"{kind.upper()}_URL"
        for name in (setting, f"{kind.upper()}_SAVE_AS"):
            value: object = self._settings.get(name, "")
            if not _is_text(value):
                return _home_or_none(file, name, value)
        is_unset = not url and setting not in _DEFAULTS  # as those of direct templates mostly are
        if is_unset or self._follows_file(kind):
            return file_url(file)
        return _stated(url, file, setting)

    def _is_by_file(self, kind: str) -> bool:
        """Return whether the URLs of a kind of page follow from the paths of its files.

        They do where both patterns are the same, or the user changed the path and not the URL.
        """
        setting = f"{kind.upper()}_URL"
        linked = str(self._settings.get(setting))
        written = str(self._settings.get(f"{kind.upper()}_SAVE_AS"))
        if _without_index(linked) == _without_index(written):
            return True
        return bool(linked == _DEFAULTS.get(setting))


def _is_text(value: object) -> bool:
    """Return whether a setting is a URL or a path, not a switch such as False."""
    return isinstance(value, str) or hasattr(value, "__fspath__")


def _periods(archives: Mapping[str, Sequence[Settings]]) -> dict[str, tuple[str, str]]:
    """Return the kinds and URLs of the archives of years, months and days by their files."""
    found: dict[str, tuple[str, str]] = {}
    for unit, some in archives.items():
        for each in some:
            found[each["save_as"]] = (f"{unit}_archive", each["url"])
    return found


def file_url(file: str) -> str:
    """Return the URL of an output file; its name is escaped: `c#.html` gives `c%23.html`."""
    return _without_index(path_url(file))


def _stated(url: object, file: str, setting: str) -> str:
    """Return the URL that a setting or an author states. Raises NoUrlError."""
    stated = str(url)
    if not _is_text(url) or not stated:
        return _home_or_none(file, setting, url)
    if stated == file:
        return file_url(file)
    return _without_index(stated)


def _home_or_none(file: str, setting: str, value: object) -> str:
    """Return the URL of the home page, which has one anyway. Raises NoUrlError for any other."""
    if file_url(file):
        raise NoUrlError(f"{setting} is {value!r}")
    return ""


def _without_index(url: str) -> str:
    if url == _HOME or url.endswith(f"/{_HOME}"):
        return url.removesuffix(_HOME)
    return url
