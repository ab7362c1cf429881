"""The URL under which readers find a file that Pelican wrote.

Pelican keeps a URL and a path for everything and lets users set either alone. What the theme links
is right, except where only the path was changed: nothing lies at the old URL then, and the URL
follows from the path.
"""

from __future__ import annotations

from posixpath import splitext
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from pelican import settings as pelican_settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pelican_sitemapkit.objects import Content, Group, ListPart, Settings

_HOME = "index.html"
_DEFAULTS = cast("Settings", pelican_settings.DEFAULT_CONFIG)  # pyright: ignore[reportUnknownMemberType]


def content_url(content: Content, file: str) -> str:
    """Return the URL of an article or page that was written to `file`."""
    if not hasattr(content, "override_url"):
        language = "" if content.in_default_lang else "_LANG"
        name = type(content).__name__.upper() + language
        if hasattr(content, "override_save_as") or _follows_file(content.settings, name):
            return file_url(file)
    return _linked(content.url, file)


def group_url(name: str, group: Group, file: str, part: ListPart | None) -> str:
    """Return the URL of a tag, category or author page; `part` is what it shows of the list."""
    if part and file != group.save_as:
        return _linked(part.url, file)
    if _follows_file(group.settings, name.upper()):
        return file_url(file)
    return _linked(group.url, file)


def template_url(file: str, page_name: str, part: ListPart | None, settings: Settings) -> str:
    """Return the URL of a direct template, such as the archives."""
    name = direct_template(page_name, settings)
    if part and file != _save_as(name, settings):
        return _linked(part.url, file)
    url = settings.get(f"{name.upper()}_URL")
    return _linked(str(url), file) if url else file_url(file)


def period_urls(archives: Mapping[str, Sequence[Settings]], settings: Settings) -> dict[str, str]:
    """Return the URLs of the archives of years, months and days by their files."""
    return {
        archive["save_as"]: file_url(archive["save_as"])
        if _follows_file(settings, f"{unit.upper()}_ARCHIVE")
        else _linked(archive["url"], archive["save_as"])
        for unit, of_unit in archives.items()
        for archive in of_unit
    }


def direct_template(page_name: str, settings: Settings) -> str:
    """Return the name of the direct template whose page is called `page_name`, or that name."""
    for name in settings["DIRECT_TEMPLATES"]:
        if splitext(_save_as(name, settings))[0] == page_name:
            return str(name)
    return page_name


def file_url(file: str) -> str:
    """Return the URL of an output file, whose name is no URL yet: `c#.html` is `c%23.html`."""
    return _without_index(quote(file, safe="/~!$&'()*+,;=:@") if set("%?#") & set(file) else file)


def _linked(url: str, file: str) -> str:
    return file_url(file) if url == file else _without_index(url)


def _without_index(url: str) -> str:
    return url[: -len(_HOME)] if url == _HOME or url.endswith("/" + _HOME) else url


def _save_as(name: str, settings: Settings) -> str:
    return str(settings.get(f"{name.upper()}_SAVE_AS", f"{name}.html"))


def _follows_file(settings: Settings, name: str) -> bool:
    """Tell whether the URLs of a kind of page are where its files are.

    They are where both patterns are one, and where the user changed the path and forgot the URL.
    """
    url, file = str(settings.get(f"{name}_URL")), str(settings.get(f"{name}_SAVE_AS"))
    return url == _DEFAULTS.get(f"{name}_URL") or _without_index(url) == _without_index(file)
