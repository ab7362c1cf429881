"""Separate builds of one site, one in each language: where they are, and which pages they have."""

from __future__ import annotations

import json
import os
from pathlib import Path
from posixpath import relpath
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple
from urllib.parse import unquote, urlsplit

from msgspec import Meta, Struct, structs

from sitemapkit.errors import OptionError
from sitemapkit.languages.codes import hreflang
from sitemapkit.rules import issue
from sitemapkit.urls import normalize_base, resolve
from sitemapkit.xmltext import escaped, locs
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemapkit.model import Issue

    LanguageOption = dict[str, str | dict[str, str]]
    """The option `languages`."""


MAX_SITEMAP = 51 * 1024 * 1024
"""Bytes that are read of another build's sitemap, a little more than the protocol allows."""

MAX_REPORT = 256 * 1024 * 1024
"""Bytes that are read of another build's report: that of a million pages has 200 MiB."""


class OtherBuild(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The build of one language, made separately."""

    base_url: Annotated[str, Meta(description="absolute URL of the root of that build")]

    pages: Annotated[
        str, Meta(description="path of its sitemap.xml or JSON report, which lists its pages")
    ] = ""

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


class LinkedBuilds(NamedTuple):
    """What is known of the builds that a site's menu of languages links to."""

    languages: LanguageOption
    """The option `languages`: the builds whose pages are known; empty without any."""

    issues: Sequence[Issue]


def language_builds(
    base_urls: Mapping[str, str], own: str, output_dir: str, where: str
) -> LinkedBuilds:
    """Return the builds that a site's menu of languages links to, where their pages are known.

    `base_urls` are theirs by language, `own` is that of this build; `where` names the menu. They
    are builds of one site only if this one is among them and each has a base URL of its own. The
    menu says nothing about their pages: these are known if their sitemap is beside this build, in
    folders that are nested as the URLs are.
    """
    addresses = set(base_urls.values())
    if len(base_urls) == 1 or len(addresses) < len(base_urls) or own not in addresses:
        return LinkedBuilds({}, ())
    known: LanguageOption = {}
    missing: dict[str, str] = {}
    deaf: dict[str, str] = {}
    one_way: list[str] = []
    for lang, url in base_urls.items():
        if url == own:
            known[lang] = own
            continue
        file = _sitemap(url, own, output_dir)
        is_named = _names(file, own)
        if is_named is None:
            missing[lang] = file
        # A build above this one empties its folder, and so never knows the pages of this one.
        elif not is_named and Path(file).parent in Path(os.path.realpath(output_dir)).parents:
            deaf[lang] = file
        else:
            known[lang] = {"base_url": url, "pages": file}
            one_way += [] if is_named else [lang]
    issues: list[Issue] = []
    if missing:
        file = next(filter(None, missing.values()), "")
        detail = f"Languages: {', '.join(missing)}." + (f" There is no {file}." if file else "")
        issues.append(issue("hreflang-unknown", where, detail))
    for lang, file in deaf.items():
        detail = f"Language: {lang}. {file} names no page of this build, which is in its folder."
        issues.append(issue("hreflang-unknown", where, detail))
    if one_way:
        issues.append(issue("hreflang-one-way", where, f"Languages: {', '.join(one_way)}."))
    return LinkedBuilds(known if len(known) > 1 else {}, issues)


def _sitemap(base: str, own: str, output_dir: str) -> str:
    """Return the path of another build's sitemap if output folders are nested as URLs are."""
    other, this = urlsplit(base), urlsplit(own)
    if (other.scheme, other.netloc) != (this.scheme, this.netloc):
        return ""
    return os.path.realpath(f"{output_dir}/{relpath(other.path, this.path)}/sitemap.xml")


def _names(file: str, base: str) -> bool | None:
    """Return whether another build's sitemap names translations below a base URL.

    None: there is no sitemap that can be read.
    """
    if not os.path.isfile(file):  # noqa: PTH113 - it may be ""
        return None
    try:
        return any(f'"{escaped(base)}' in text for text in _texts(Path(file)))
    except (OSError, ValueError):
        return None


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
    if file.suffix == ".json":
        return [entry["loc"] for entry in json.loads(read_file(file, MAX_REPORT))["listed"]]
    return [loc for text in _texts(file) for loc in locs(text)]


def _texts(file: Path) -> Iterator[str]:
    """Yield the text of a sitemap, or of those in the folder of an index that it names."""
    text = read_file(file, MAX_SITEMAP).decode()
    if "<sitemapindex" not in text:
        yield text
        return
    for loc in locs(text):
        child = file.with_name(unquote(loc.rpartition("/")[2]))
        yield read_file(child, MAX_SITEMAP).decode()
