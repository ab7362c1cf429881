"""Separate builds of one site, one in each language: where they are, and which pages they have."""

from __future__ import annotations

import json
import os
from pathlib import Path
from posixpath import relpath
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import unquote, urlsplit

from msgspec import Struct, structs

from sitemapkit.errors import OptionError
from sitemapkit.languages.codes import hreflang
from sitemapkit.rules import issue
from sitemapkit.urls import normalize_base, resolve
from sitemapkit.xmltext import locs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemapkit.model import Issue

    LanguageOption = dict[str, str | dict[str, str]]
    """The option `languages`."""


class OtherBuild(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The build of one language, made separately."""

    base_url: str
    """absolute URL of the root of that build"""

    pages: str = ""
    """path of its sitemap.xml or JSON report, which lists its pages"""

    checks: ClassVar = {"base_url": normalize_base}
    """As in `sitemapkit.options`: what types cannot express."""

    def __post_init__(self) -> None:
        """Normalize the base URL. Raises UrlError."""
        structs.force_setattr(self, "base_url", normalize_base(self.base_url))


def linked_build(lang: str, link: str, own: str) -> tuple[str, str]:
    """Return the code and the base URL of a build that pages of the build at `own` link to.

    Raises ValueError if search engines do not know the language, or the link is no valid URL.
    """
    return hreflang(lang), normalize_base(resolve(link, own))


def language_builds(base_urls: Mapping[str, str], own: str, output_dir: str) -> LanguageOption:
    """Return the option `languages` for the builds that a site's language selector links to.

    `base_urls` are theirs by language, `own` is that of this build. They are builds of one site
    only if this one is among them and each has a base URL of its own; otherwise it is empty.
    """
    addresses = set(base_urls.values())
    if len(base_urls) == 1 or len(addresses) < len(base_urls) or own not in addresses:
        return {}
    return {
        lang: own if url == own else {"base_url": url, "pages": _sitemap(url, own, output_dir)}
        for lang, url in base_urls.items()
    }


def _sitemap(base: str, own: str, output_dir: str) -> str:
    """Return the path of another build's sitemap if output folders are nested as URLs are."""
    other, this = urlsplit(base), urlsplit(own)
    if (other.scheme, other.netloc) != (this.scheme, this.netloc):
        return ""
    return os.path.realpath(f"{output_dir}/{relpath(other.path, this.path)}/sitemap.xml")


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
        self._pages = [
            (hreflang(lang), build.base_url, _urls(build)) for lang, build in builds.items()
        ]

    def issues(self) -> Iterator[Issue]:
        """Yield the issue of builds whose pages are not known."""
        others = {lang: b for lang, b in self._builds.items() if b.base_url != self._own}
        files = {lang: Path(build.pages) for lang, build in others.items()}
        missing = {lang: file for lang, file in files.items() if not file.exists()}
        if missing:
            detail = f"The file is {next(iter(missing.values()))}."
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
    if not build.pages or not file.exists():
        return None
    try:
        return set(_listed_in(file))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OptionError(f"languages: cannot read the pages listed in {file}: {error}") from error


def _listed_in(file: Path) -> Iterable[str]:
    """Read URLs from a sitemap, from the sitemaps in the folder of an index, or a JSON report."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        return [entry["loc"] for entry in json.loads(text)["listed"]]
    if "<sitemapindex" not in text:
        return locs(text)
    children = [file.with_name(unquote(loc.rpartition("/")[2])) for loc in locs(text)]
    return [loc for child in children for loc in locs(child.read_text(encoding="utf-8"))]
