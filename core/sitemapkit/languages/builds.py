"""Separate builds of one site, one in each language: where they are, and which pages they have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote

from sitemapkit.errors import OptionError
from sitemapkit.languages.codes import hreflang
from sitemapkit.rules import issue
from sitemapkit.xmltext import locs
from textdates.bounds import is_there, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemapkit.model import Issue

MAX_SITEMAP = 51 * 1024 * 1024
"""Bytes that are read of another build's sitemap, a little more than the protocol allows."""

MAX_REPORT = 256 * 1024 * 1024
"""Bytes that are read of another build's report: that of a million pages has 200 MiB."""


class OtherBuild(Protocol):
    """The build of one language, as the options state it."""

    @property
    def base_url(self) -> str:
        """The URL of its root."""
        ...

    @property
    def pages(self) -> str:
        """The path of what lists its pages: a sitemap, or a report in JSON."""
        ...


class Builds:
    """The builds of one site, this one included, with the pages of the others."""

    def __init__(self, builds: Mapping[str, OtherBuild], own: str) -> None:
        """Read which pages each build has; `own` is the base URL of this one.

        Raises OptionError if none has it, or a file with pages cannot be read.
        """
        if own not in {build.base_url for build in builds.values()}:
            raise OptionError(
                f"languages: none of them has the base URL of this build, {own}; add it."
            )
        self._builds = builds
        self._own = own
        self._pages: list[tuple[str, str, set[str] | None]] = []
        """The code and base URL of each build, and its pages as far as they are known."""

        for lang, build in builds.items():
            self._pages.append((hreflang(lang), build.base_url, _urls(build)))

    def issues(self) -> Iterator[Issue]:
        """Yield the issue of builds whose pages are not known."""
        missing: list[str] = []
        detail = ""
        for lang, build in self._builds.items():
            file = Path(build.pages)
            if build.base_url != self._own and not is_there(file):
                missing.append(lang)
                detail = detail or f"The file is {file}."
        if missing:
            yield issue("hreflang-assumed", f"languages: {', '.join(missing)}", detail)

    def versions_at(self, path: str) -> Iterator[tuple[str, str]]:
        """Yield the code and URL of each version of a page of this build that exists or may exist.

        `path` is that of its URL below the base URL, the same in each build.
        """
        for code, base, known in self._pages:
            if base == self._own or known is None or base + path in known:
                yield code, base + path


def _urls(build: OtherBuild) -> set[str] | None:
    """Return the URLs of the other build, or None if no file lists them."""
    file = Path(build.pages)
    if not build.pages or not is_there(file):
        return None
    try:
        return set(_listed_in(file))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OptionError(f"languages: cannot read the pages listed in {file}: {error}") from error


def _listed_in(file: Path) -> Iterable[str]:
    """Read URLs from a sitemap, from the sitemaps in the folder of an index, or a JSON report."""
    if file.suffix == ".json":
        report = json.loads(read_file(file, MAX_REPORT))
        return [entry["loc"] for entry in report["listed"]]
    text = read_file(file, MAX_SITEMAP).decode()
    if "<sitemapindex" not in text:
        return locs(text)
    found: list[str] = []
    for loc in locs(text):
        name = unquote(loc.rpartition("/")[2])  # whatever its host, it was written beside the index
        found += locs(read_file(file.with_name(name), MAX_SITEMAP).decode())
    return found
