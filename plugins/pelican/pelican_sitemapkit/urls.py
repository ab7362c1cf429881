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

    from pelican_sitemapkit.pelican_types import Content, Group, ListPart, Settings

_HOME = "index.html"
_DEFAULTS = cast("Settings", pelican_settings.DEFAULT_CONFIG)  # pyright: ignore[reportUnknownMemberType]


class Urls:
    """The URLs of one site, by its settings."""

    def __init__(self, settings: Settings) -> None:
        """Take Pelican's settings."""
        self._settings = settings
        stems = [(splitext(self._save_as(name))[0], name) for name in settings["DIRECT_TEMPLATES"]]
        self._templates = {stem: str(name) for stem, name in reversed(stems) if stem}
        self._follows_file = cache(self._is_by_file)

    def of_content(self, content: Content, file: str) -> str:
        """Return the URL of an article or page that was written to `file`."""
        follows = hasattr(content, "override_save_as") or self._follows_file(_kind(content))
        is_linked = hasattr(content, "override_url") or not follows
        return _linked(content.url, file) if is_linked else file_url(file)

    def link(self, article: Content, file: str) -> str:
        """Return `article.url`, if possible from `file`, since Pelican takes long to make it."""
        url, written = self._patterns(_kind(article))
        ending = written.removeprefix(url)
        is_set = hasattr(article, "override_url") or hasattr(article, "override_save_as")
        is_start = url + ending == written and "{" not in ending and not is_set
        return file.removesuffix(ending) if is_start else article.url

    def of_group(self, name: str, group: Group, file: str, part: ListPart | None) -> str:
        """Return the URL of a tag, category or author page, which may show a `part` of its list."""
        if part and file != group.save_as:
            return _linked(part.url, file)
        return self._url(name, group.url, file)

    def of_template(self, file: str, page_name: str, part: ListPart | None) -> str:
        """Return the URL of a direct template, such as the archives."""
        name = self.direct_template(page_name)
        if part and file != self._save_as(name):
            return _linked(part.url, file)
        url = self._settings.get(f"{name.upper()}_URL")
        return _linked(str(url), file) if url else file_url(file)

    def of_periods(self, archives: Mapping[str, Sequence[Settings]]) -> dict[str, str]:
        """Return the URLs of the archives of years, months and days by their files."""
        every = [(f"{unit}_archive", each) for unit, some in archives.items() for each in some]
        return {each["save_as"]: self._url(k, each["url"], each["save_as"]) for k, each in every}

    def direct_template(self, page_name: str) -> str:
        """Return the name of the direct template that made the page, else the name of the page."""
        return self._templates.get(page_name, page_name)

    def _url(self, kind: str, url: str, file: str) -> str:
        return file_url(file) if self._follows_file(kind) else _linked(url, file)

    def _save_as(self, name: str) -> str:
        return str(self._settings.get(f"{name.upper()}_SAVE_AS", f"{name}.html"))

    def _is_by_file(self, name: str) -> bool:
        """Return whether the URLs of a kind of page follow from the paths of its files.

        They do where both patterns are the same, or the user changed the path and not the URL.
        """
        linked, written = self._patterns(name)
        is_same = _without_index(linked) == _without_index(written)
        return is_same or linked == _DEFAULTS.get(f"{name.upper()}_URL")

    def _patterns(self, name: str) -> tuple[str, str]:
        url, file = f"{name.upper()}_URL", f"{name.upper()}_SAVE_AS"
        return str(self._settings.get(url)), str(self._settings.get(file))


def _kind(content: Content) -> str:
    kind = type(content).__name__
    return kind if content.in_default_lang else f"{kind}_lang"


def file_url(file: str) -> str:
    """Return the URL of an output file; its name is escaped: `c#.html` gives `c%23.html`."""
    return _without_index(path_url(file))


def _linked(url: str, file: str) -> str:
    return file_url(file) if url == file else _without_index(url)


def _without_index(url: str) -> str:
    return url[: -len(_HOME)] if url == _HOME or url.endswith("/" + _HOME) else url
