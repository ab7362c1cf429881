"""The URL of a file that Pelican wrote.

Pelican has a URL and a path for each page, and users may set one without the other. The URL that
the theme links to is right, but for the final slash, without which hosts only redirect. Where only
the path was changed, nothing is at the old URL, and the URL follows from the path.
"""

from __future__ import annotations

from posixpath import splitext
from typing import TYPE_CHECKING, cast
from urllib.parse import unquote

from pelican import settings as pelican_settings

from sitemapkit.urls import addresses, path_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pelican_sitemapkit.pelican_types import Content, Context, Settings

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

    def of_content(self, content: Content, file: str) -> str:
        """Return the URL of an article or page that was written to `file`.

        Raises NoUrlError, as `of_template` does.
        """
        if hasattr(content, "override_url"):
            stated: object = getattr(content, "override_url", "")
            return self._stated(stated, file, f"url in {content.source_path}")
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
            planned = file
        elif "page_name" in context:
            kind = self.direct_template(context["page_name"])
            url = self._settings.get(f"{kind.upper()}_URL", "")
            planned = self._save_as(kind)
        else:
            return file_url(file)
        if "articles_page" in context and file != planned:
            url = file  # one of PAGINATION_PATTERNS moved it
        return self._by_settings(kind, url, file)

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
        is_default = self._settings.get(setting) == _DEFAULTS.get(setting)
        if is_default or not (url or setting in _DEFAULTS):
            return file_url(file)  # the path alone is stated, if anything is
        return self._stated(url, file, setting)

    def _stated(self, url: object, file: str, setting: str) -> str:
        """Return the URL that a setting or an author states, or with the slash that it lacks.

        One at which a host does not answer with the file is kept: a server may map it. Raises
        NoUrlError.
        """
        stated = str(url)
        if not _is_text(url) or not stated:
            return _home_or_none(file, setting, url)
        known = addresses(file)
        below = stated.removeprefix(f"{self._settings['SITEURL']}/").lstrip("/")
        path = below.partition("#")[0].partition("?")[0]
        for address in (below, f"{below}/", path, f"{path}/"):
            if address in known:
                return path_url(addresses(address)[0])
            if unquote(address) in known:
                return addresses(address)[0]
        return addresses(stated)[0]


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
    return path_url(addresses(file)[0])


def _home_or_none(file: str, setting: str, value: object) -> str:
    """Return the URL of the home page, which has one anyway. Raises NoUrlError for any other."""
    if file_url(file):
        raise NoUrlError(f"{setting} is {value!r}")
    return ""
