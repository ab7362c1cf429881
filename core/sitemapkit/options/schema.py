"""Which options there are: one schema for all generators.

The string below a field says in the manual, in messages and in the help of the command line what
the option takes.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, structs

from sitemapkit import installed
from sitemapkit.languages.builds import OtherBuild
from sitemapkit.languages.codes import hreflang
from sitemapkit.model import ChangeFreq, Severity  # noqa: TC001 - msgspec evaluates them
from sitemapkit.patterns import PathPatterns
from sitemapkit.urls import absolute, below, normalize_base

Priority = Annotated[float, Meta(ge=0.0, le=1.0)]
Patterns = str | tuple[str, ...]
FOR_ENGINES = {"xml": ".xml", "gz": ".xml.gz", "txt": ".txt", "txt.gz": ".txt.gz"}
"""Formats that search engines read as sitemaps, of which one is required, and their suffixes."""


class Names(Struct, frozen=True):
    """The names that an option takes: those built in, and those that other packages add."""

    built_in: tuple[str, ...]
    group: str
    """Of entry points, in `installed`."""

    def __contains__(self, name: object) -> bool:
        """Return whether the option takes this name."""
        return name in self.built_in or name in installed.names(self.group)


FORMATS = Names((*FOR_ENGINES, "html", "atom", "llms"), installed.FORMATS)

DATE_SOURCES = Names(("metadata", "generator", "ledger", "git", "members"), installed.DATE_SOURCES)
"""The sources of dates, the most trusted first; those that packages add follow the generator."""

Format = Annotated[str, FORMATS, Meta(extra_json_schema={"enum": FORMATS.built_in})]
DateSource = Annotated[str, DATE_SOURCES, Meta(extra_json_schema={"enum": DATE_SOURCES.built_in})]
"""Editors know what is built in."""

MAX_URLS = 50_000
"""URLs that a sitemap file may contain (protocol rule D10)."""

MAX_BYTES = 52_428_800
"""Uncompressed bytes that a sitemap file may contain (protocol rule D10)."""


Check = Callable[[Any], object]
"""Returns the normal form of a value, or raises ValueError with the reason why it is wrong."""


class FieldError(ValueError):
    """A value is of the right type, but impossible."""

    def __init__(self, field: str, reason: str) -> None:
        """Name the field, and say why, if its description does not."""
        super().__init__(f"`{field}`: {reason}" if reason else f"`{field}`")
        self.field = field
        self.reason = reason


class Schema(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of options."""

    checks: ClassVar[Mapping[str, Check]] = {}
    """What types cannot express, by field."""

    def __post_init__(self) -> None:
        """Bring values into their normal form. Raises FieldError for an impossible one."""
        for name, check in self.checks.items():
            try:
                structs.force_setattr(self, name, check(getattr(self, name)))
            except ValueError as error:
                raise FieldError(name, str(error)) from error


def _patterns(value: Patterns) -> Patterns:
    PathPatterns(value)
    return value


class PageRule(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Values for pages whose URL path matches; later rules and page metadata take precedence."""

    checks = {"match": _patterns}

    match: Patterns
    """a gitignore-style pattern, or a list of them"""

    priority: Priority | None = None
    """a number from 0.0 to 1.0"""

    changefreq: ChangeFreq | None = None
    """always, hourly, daily, weekly, monthly, yearly or never"""

    lastmod: bool | None = None
    """false leaves out the date of these pages"""

    exclude: bool | None = None
    """true leaves these pages out"""


class SourceRule(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Files that count as sources of all pages whose URL path matches."""

    checks = {"match": _patterns}

    match: Patterns
    """a gitignore-style pattern, or a list of them"""

    files: Patterns
    """a glob of files such as data/*.yml, or a list"""


class Git(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which commits count."""

    bodies: bool = True
    """false also counts changes of front matter and white space alone"""

    ignore_revs: Patterns | None = None
    """files of commits that do not count, as for `git blame`; [] for none"""


class Feed(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The Atom feed of the newest changes."""

    count: Annotated[int, Meta(ge=1, le=1000)] = 50
    """pages in the feed, 1 to 1,000"""

    days: Annotated[int, Meta(ge=0, le=36500)] = 0
    """how many days back the feed goes; 0 for all changes"""


class News(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which pages are news, and of what publication."""

    checks = {"match": _patterns}

    name: Annotated[str, Meta(min_length=1)]
    """name of the publication"""

    language: Annotated[str, Meta(pattern="^(zh-cn|zh-tw|[a-z]{2,3})$")]
    """its language: de, zh-cn or zh-tw"""

    match: Patterns
    """patterns of the articles"""


def _base_url(value: str) -> str:
    """Check it; its normal form depends on another option, `url_encoding`."""
    if value:
        normalize_base(value)
    return value


def _filename(value: str) -> str:
    unusual = "\\" in value or not value.isprintable()
    if unusual or not value.endswith(".xml") or {"", ".", ".."} & {*value.split("/")}:
        raise ValueError
    return value


def _not_true(value: object) -> object:
    if value is True:
        raise ValueError
    return value


def _languages(value: Mapping[str, str | OtherBuild]) -> Mapping[str, str | OtherBuild]:
    wrong: list[str] = []
    for code, build in value.items():
        try:
            hreflang(code)
            if isinstance(build, str):
                normalize_base(build)
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise ValueError("; ".join(wrong))
    return value


def _code(value: str) -> str:
    if value:
        hreflang(value)
    return value


def _tag(value: str) -> str:
    return value.replace("_", "-")


def _sources(value: str | bool | tuple[str, ...]) -> str | bool | tuple[str, ...]:
    if value is True:
        raise ValueError
    _check_names(value if isinstance(value, tuple) else (), DATE_SOURCES)
    return value


def _check_names(given: tuple[str, ...], names: Names) -> None:
    if unknown := [name for name in given if name not in names]:
        raise ValueError(f"no {unknown[0]!r} is built in or installed")


def _formats(value: tuple[str, ...]) -> tuple[str, ...]:
    _check_names(value, FORMATS)
    if FOR_ENGINES.keys().isdisjoint(value):
        raise ValueError("search engines read none of them; add one that they read, such as xml")
    return value


def _charset(value: str) -> str:
    """Return Python's name of a character set that is a superset of ASCII."""
    ascii_text = bytes(range(0x20, 0x7F))
    try:
        codec = codecs.lookup(value).name
        # ISO 2022 also uses ASCII bytes, such as those of % and /, for other characters.
        if ascii_text.decode().encode(value) == ascii_text and not codec.startswith("iso2022"):
            return codec
    except (LookupError, UnicodeError) as error:
        raise ValueError(str(error)) from error
    raise ValueError("it is not a superset of ASCII")


class OptionsSchema(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The options that users can set."""

    base_url: str = ""
    """absolute URL of the site's root, such as https://example.org/docs/"""

    filename: str = "sitemap.xml"
    """path of the entry file below the output directory, ending in .xml"""

    exclude: Patterns = ()
    """gitignore-style patterns on the URL path below the base URL"""

    include: Patterns = ()
    """patterns of generated pages and static files to list as well"""

    rules: tuple[PageRule, ...] = ()
    """a list of {match, priority, changefreq, lastmod, exclude}"""

    lastmod: Literal["auto"] | bool | tuple[DateSource, ...] = "auto"
    """auto, false, or a list of metadata, generator, ledger, git, members"""

    fail_undated: bool = False
    """true fails the build if a listed page has no date, and says which and why"""

    git: Git = Git()
    """{bodies, ignore_revs}: which commits count"""

    ledger: str = ""
    """path of the file that records digests and dates of pages"""

    sources: tuple[SourceRule, ...] = ()
    """a list of {match, files}: more source files for the pages that match"""

    report: str = ""
    """path of a JSON file that records what was listed and why"""

    dependencies: Literal["included"] | bool = "included"
    """included (text that a page includes), true (all it shows or documents), false"""

    languages: dict[str, str | OtherBuild] = {}
    """base URL, or {base_url, pages}, of the build of each language (in YAML, quote "no")"""

    x_default: str = ""
    """language of the pages for readers of all other languages"""

    title: str = ""
    """name of the site, for the feed, llms.txt and the page for people"""

    language: str = ""
    """language of the site, such as pt-BR"""

    templates: str = ""
    """folder whose sitemap.html, plot.html or sitemap.css replace the built-in ones"""

    stylesheet: bool = False
    """true adds a CSS file for people who open the XML"""

    indent: Annotated[int, Meta(ge=0, le=16)] = 0
    """spaces by which XML is indented; 0: one URL per line"""

    feed: Feed = Feed()
    """{count, days}: how much the feed holds"""

    news: News | None = None
    """{name, language, match}: which articles are news, and whose"""

    videos: bool = False
    """true also lists videos found in the pages' content"""

    images: bool = False
    """true lists the images in the pages' content"""

    formats: Annotated[tuple[Format, ...], Meta(min_length=1)] = ("xml",)
    """a list of xml, gz, txt, txt.gz, html, atom, llms"""

    url_encoding: str = "utf-8"
    """character set of the server's URLs, such as utf-8 or euc-jp"""

    max_urls: Annotated[int, Meta(ge=1, le=MAX_URLS)] = MAX_URLS
    """URLs per file, 1 to 50,000"""

    max_bytes: Annotated[int, Meta(ge=4096, le=MAX_BYTES)] = MAX_BYTES
    """bytes per file, 4,096 to 52,428,800"""

    indexnow_key: Annotated[str, Meta(pattern="^([A-Za-z0-9-]{8,128})?$")] = ""
    """IndexNow key, 8 to 128 letters, digits and hyphens; writes its file"""

    robots: Literal["auto", "append", "write"] | bool = "auto"
    """auto, append (only to a file that is there), write (also below a path) or false"""

    checks = {
        "base_url": _base_url,
        "filename": _filename,
        "exclude": _patterns,
        "include": _patterns,
        "lastmod": _sources,
        "languages": _languages,
        "x_default": _code,
        "language": _tag,
        "formats": _formats,
        "url_encoding": _charset,
        "robots": _not_true,
    }

    def __post_init__(self) -> None:
        """Bring values into their normal form. Raises FieldError for an impossible one."""
        super().__post_init__()
        if self.base_url:
            try:
                base_url = normalize_base(self.base_url, encoding=self.url_encoding)
            except ValueError as error:
                raise FieldError("base_url", str(error)) from error
            structs.force_setattr(self, "base_url", base_url)

    @property
    def describes_pages(self) -> bool:
        """Whether a format may say what each page is about, as feeds and llms.txt do."""
        return not {*self.formats} <= {*FOR_ENGINES, "html"}

    @property
    def needs_lang(self) -> bool:
        """Whether the language of each page is needed: for translations, feeds and llms.txt."""
        return bool(self.languages) or self.describes_pages

    def loc_of(self, url: str) -> str:
        """Return the normal form of a URL that may be relative to the base URL; raises UrlError."""
        return absolute(url, self.base_url, encoding=self.url_encoding)

    def path_of(self, loc: str) -> str:
        """Return the readable path of a URL below the base URL, which patterns match."""
        return below(self.base_url, loc, encoding=self.url_encoding)

    @property
    def other_builds(self) -> dict[str, OtherBuild]:
        """The builds of `languages`, in their full form."""
        given = self.languages.items()
        return {c: OtherBuild(base_url=b) if isinstance(b, str) else b for c, b in given}


class Spelling(Struct, frozen=True):
    """How messages name the user's settings."""

    where: str = "the options"
    prefix: str = ""
    base_url: str = "base_url"
    """The generator's own setting for the site's URL."""

    base_error: str = ""
    """A sentence: why that setting is not the URL of a site; "" if it is empty or valid."""

    base_severity: Severity = "warning"
    """The severity of the issue that the site's URL is not set."""

    def applied(self, text: str) -> str:
        """Return a message in which options are named as the user spells them."""
        may_name = self.prefix and ("`" in text or text.startswith(OptionsSchema.__struct_fields__))
        return re.sub(_NAMED, self.prefix + r"\g<0>", text) if may_name else text


_NAMES = "|".join(OptionsSchema.__struct_fields__)
_NAMED = rf"^(?:{_NAMES})(?=:|$)|(?<=`)(?:{_NAMES})(?=[`.:])"
"""An option in backquotes, or at the beginning."""


class Options(OptionsSchema, frozen=True, kw_only=True):
    """The user's settings, and how messages name them."""

    spelling: Spelling = Spelling()

    added: dict[str, Any] = {}
    """The options that other packages add, where they are set, by their names."""

    selected_by: str = ""
    """Who selects the pages, in a word that the sitemap says: the generator whose plugin it is."""

    @property
    def date_sources(self) -> tuple[str, ...]:
        """The sources of `lastmod` that are in use, the most trusted first.

        One with an option of its own name, such as `ledger`, is used only if that is set.
        """
        if isinstance(self.lastmod, bool):
            return ()
        if self.lastmod == "auto":
            chosen = {*DATE_SOURCES.built_in, *(n for n in self.added if n in DATE_SOURCES)}
        else:
            chosen = {n for n in self.lastmod if n in self.added or not self._lacks_option(n)}
        if not self.ledger:
            chosen.discard("ledger")
        built_in = [name for name in DATE_SOURCES.built_in if name in chosen]
        first = [name for name in built_in if name in ("metadata", "generator")]
        added = sorted(chosen.difference(built_in))
        return (*first, *added, *built_in[len(first) :])

    def _lacks_option(self, source: str) -> bool:
        return source not in DATE_SOURCES.built_in and installed.option(source) is not None


def is_option(name: str) -> bool:
    """Return whether an option has this name, built in or of an installed package."""
    return name in OptionsSchema.__struct_fields__ or installed.option(name) is not None


def descriptions(schema: type[Struct]) -> Mapping[str, str]:
    """Return the allowed values of each field of a schema: the string below it in its file.

    Used by messages, the manual, the schema for editors and the help of the command line.
    """
    file = sys.modules[schema.__module__].__file__ or ""
    source = Path(file).read_text(encoding="utf-8")
    found = re.split(r"^class (\w+)", source, flags=re.MULTILINE)
    described = dict(_FIELD.findall(found[found.index(schema.__name__) + 1]))
    return {name: described.get(name, "") for name in schema.__struct_fields__}


_FIELD = re.compile(
    r"""
    ^[ ]{4}(\w+):[ ].*\n        # a field, its type and its default, on one line
    [ ]{4}\"{3}(.+)\"{3}$       # and on the next what it takes
    """,
    re.MULTILINE | re.VERBOSE,
)
