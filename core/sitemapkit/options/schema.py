"""Which options there are: one schema for all generators.

The description of a field says in the manual, in messages and in the help of the command line what
the option takes.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from msgspec import Meta, Struct, structs

from sitemapkit import installed
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

    with_option: bool = True
    """Whether it also takes what an option of the same name asks for."""

    def __contains__(self, name: object) -> bool:
        """Return whether the option takes this name."""
        return name in self.built_in or name in self.added()

    def added(self) -> Mapping[str, str]:
        """Return the names that other packages add, each with that of its package."""
        names = installed.names(self.group)
        if self.with_option:
            return names
        options = installed.options()
        return {name: package for name, package in names.items() if name not in options}


FORMATS = Names((*FOR_ENGINES,), installed.FORMATS, with_option=False)

DATE_SOURCES = Names(("metadata", "generator", "git", "members"), installed.DATE_SOURCES)
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
                # The instance is frozen, but nobody has it yet.
                structs.force_setattr(self, name, check(getattr(self, name)))
            except ValueError as error:
                raise FieldError(name, str(error)) from error


def checked_patterns(value: Patterns) -> Patterns:
    """Return the patterns, which are valid. Raises ValueError."""
    PathPatterns(value)
    return value


class PathTo(Struct, frozen=True):
    """Marks an option that is a path, which starts from the folder of the settings."""

    kind: Literal["file", "record", "folder"]


A_FILE = PathTo("file")
A_FOLDER = PathTo("folder")
A_RECORD = PathTo("record")
"""A file that a build writes for its authors: it names pages that they hide."""


class PageRule(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Values for pages whose URL path matches; later rules and page metadata take precedence."""

    checks: ClassVar[Mapping[str, Check]] = {"match": checked_patterns}

    match: Annotated[Patterns, Meta(description="a gitignore-style pattern, or a list of them")]

    priority: Annotated[Priority | None, Meta(description="a number from 0.0 to 1.0")] = None

    changefreq: Annotated[
        ChangeFreq | None,
        Meta(description="always, hourly, daily, weekly, monthly, yearly or never"),
    ] = None

    lastmod: Annotated[
        bool | None, Meta(description="false leaves out the date of these pages")
    ] = None

    exclude: Annotated[bool | None, Meta(description="true leaves these pages out")] = None


class SourceRule(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Files that count as sources of all pages whose URL path matches."""

    checks: ClassVar[Mapping[str, Check]] = {"match": checked_patterns}

    match: Annotated[Patterns, Meta(description="a gitignore-style pattern, or a list of them")]

    files: Annotated[Patterns, Meta(description="a glob of files such as data/*.yml, or a list")]


class OtherBuild(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The build of one language, made separately."""

    checks: ClassVar[Mapping[str, Check]] = {"base_url": normalize_base}

    base_url: Annotated[str, Meta(description="absolute URL of the root of that build")]

    pages: Annotated[
        str, Meta(description="path of its sitemap.xml or JSON report, which lists its pages")
    ] = ""


class Git(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which commits count."""

    bodies: Annotated[
        bool, Meta(description="false also counts changes of front matter and white space alone")
    ] = True

    ignore_revs: Annotated[
        Patterns | None,
        Meta(description="files of commits that do not count, as for `git blame`; [] for none"),
    ] = None


def _base_url(value: str) -> str:
    """Check it; its normal form depends on another option, `url_encoding`."""
    if value:
        normalize_base(value)
    return value


def _filename(value: str) -> str:
    if "\\" in value or not value.isprintable() or not value.endswith(".xml"):
        raise ValueError
    if not {"", ".", ".."}.isdisjoint(value.split("/")):
        raise ValueError
    return value


def _not_true(value: object) -> object:
    if value is True:
        raise ValueError("write auto, or leave it out")
    return value


def _languages(value: Mapping[str, str | OtherBuild]) -> Mapping[str, str | OtherBuild]:
    wrong: list[str] = []
    for code, build in value.items():
        try:
            _check_code(code)
            if isinstance(build, str):
                normalize_base(build)
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise ValueError("; ".join(wrong))
    return value


def _x_default(value: str) -> str:
    if value:
        _check_code(value)
    return value


def _check_code(code: str) -> None:
    from sitemapkit.languages import hreflang  # noqa: PLC0415 - most sites have one language

    hreflang(code)


def _sources(value: str | bool | tuple[str, ...]) -> str | bool | tuple[str, ...]:
    _not_true(value)
    if isinstance(value, tuple):
        _check_names(value, DATE_SOURCES)
    return value


def _check_names(given: tuple[str, ...], names: Names) -> None:
    for name in given:
        if name not in names:
            raise ValueError(f"no {name!r} is built in or installed")


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

    base_url: Annotated[
        str, Meta(description="absolute URL of the site's root, such as https://example.org/docs/")
    ] = ""

    filename: Annotated[
        str, Meta(description="path of the entry file below the output directory, ending in .xml")
    ] = "sitemap.xml"

    exclude: Annotated[
        Patterns, Meta(description="gitignore-style patterns on the URL path below the base URL")
    ] = ()

    include: Annotated[
        Patterns, Meta(description="patterns of generated pages and static files to list as well")
    ] = ()

    rules: Annotated[
        tuple[PageRule, ...],
        Meta(description="a list of {match, priority, changefreq, lastmod, exclude}"),
    ] = ()

    lastmod: Annotated[
        Literal["auto"] | bool | tuple[DateSource, ...],
        Meta(description="auto, false, or a list of metadata, generator, git, members"),
    ] = "auto"

    fail_undated: Annotated[
        bool,
        Meta(
            description="true fails the build if a listed page has no date, and says which and why"
        ),
    ] = False

    git: Annotated[Git, Meta(description="{bodies, ignore_revs}: which commits count")] = Git()

    sources: Annotated[
        tuple[SourceRule, ...],
        Meta(description="a list of {match, files}: more source files for the pages that match"),
    ] = ()

    report: Annotated[
        str, A_RECORD, Meta(description="path of a JSON file that records what was listed and why")
    ] = ""

    dependencies: Annotated[
        Literal["included"] | bool,
        Meta(
            description="included (text that a page includes), true (all it shows or documents),"
            " false"
        ),
    ] = "included"

    languages: Annotated[
        dict[str, str | OtherBuild],
        Meta(
            description="base URL, or {base_url, pages}, of the build of each language"
            ' (in YAML, quote "no")'
        ),
    ] = {}

    x_default: Annotated[
        str, Meta(description="language of the pages for readers of all other languages")
    ] = ""

    stylesheet: Annotated[
        bool, Meta(description="true adds a CSS file for people who open the XML")
    ] = False

    indent: Annotated[
        int,
        Meta(ge=0, le=16, description="spaces by which XML is indented; 0: one URL per line"),
    ] = 0

    formats: Annotated[
        tuple[Format, ...],
        Meta(min_length=1, description="a list of xml, gz, txt, txt.gz"),
    ] = ("xml",)

    url_encoding: Annotated[
        str, Meta(description="character set of the server's URLs, such as utf-8 or euc-jp")
    ] = "utf-8"

    max_urls: Annotated[int, Meta(ge=1, le=MAX_URLS, description="URLs per file, 1 to 50,000")] = (
        MAX_URLS
    )

    max_bytes: Annotated[
        int,
        Meta(ge=4096, le=MAX_BYTES, description="bytes per file, 4,096 to 52,428,800"),
    ] = MAX_BYTES

    indexnow_key: Annotated[
        str,
        Meta(
            pattern="^([A-Za-z0-9-]{8,128})?$",
            description="IndexNow key, 8 to 128 letters, digits and hyphens; writes its file",
        ),
    ] = ""

    robots: Annotated[
        Literal["auto", "append", "write"] | bool,
        Meta(
            description="auto, append (only to a file that is there), write (also below a path) or"
            " false"
        ),
    ] = "auto"

    checks: ClassVar[Mapping[str, Check]] = {
        "base_url": _base_url,
        "filename": _filename,
        "exclude": checked_patterns,
        "include": checked_patterns,
        "lastmod": _sources,
        "languages": _languages,
        "x_default": _x_default,
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
    def needs_lang(self) -> bool:
        """Whether the language of each page is needed: for translations, and by other formats."""
        return bool(self.languages) or not FOR_ENGINES.keys() >= {*self.formats}

    def loc_of(self, url: str) -> str:
        """Return the normal form of a URL that may be relative to the base URL; raises UrlError."""
        return absolute(url, self.base_url, encoding=self.url_encoding)

    def path_of(self, loc: str) -> str:
        """Return the readable path of a URL below the base URL, which patterns match."""
        return below(self.base_url, loc, encoding=self.url_encoding)

    @property
    def other_builds(self) -> dict[str, OtherBuild]:
        """The builds of `languages`, in their full form."""
        builds: dict[str, OtherBuild] = {}
        for code, build in self.languages.items():
            builds[code] = OtherBuild(base_url=build) if isinstance(build, str) else build
        return builds


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
        return re.sub(_NAMED, self._spelled, text) if self.prefix else text

    def _spelled(self, word: re.Match[str]) -> str:
        return self.prefix + word[0] if is_option(word[0]) else word[0]


_NAMED = r"^\w+(?=:|$)|(?<=`)\w+(?=[`.:])"
"""A word in backquotes, or alone, or at the beginning of a message: it may be an option."""


class Options(OptionsSchema, frozen=True, kw_only=True):
    """The user's settings, and how messages name them."""

    spelling: Spelling = Spelling()

    added: dict[str, Any] = {}
    """The options that other packages add, where the user sets them, by their names."""

    by_generator: dict[str, Any] = {}
    """What the generator says for options of other packages, such as the title of the site."""

    selected_by: str = ""
    """Who selects the pages, in a word that the sitemap says: the generator whose plugin it is."""

    @property
    def date_sources(self) -> tuple[str, ...]:
        """The sources of `lastmod` that are in use, the most trusted first.

        One with an option of its own name, such as `ledger`, is used only if that is set.
        """
        if isinstance(self.lastmod, bool):
            return ()
        is_set = [name for name, value in self.added.items() if value]
        asked = {*DATE_SOURCES.built_in, *is_set} if self.lastmod == "auto" else {*self.lastmod}
        added: list[str] = []
        for name in sorted(asked.difference(DATE_SOURCES.built_in)):
            if name in DATE_SOURCES and (name in is_set or not is_option(name)):
                added.append(name)
        # Whoever adds a source trusts it more than what git knows.
        first = [name for name in ("metadata", "generator") if name in asked]
        last = [name for name in ("git", "members") if name in asked]
        return (*first, *added, *last)

    @property
    def other_formats(self) -> list[str]:
        """The formats of other packages that are in use.

        They are named in `formats`; one with an option of its own name, such as `news`, is used if
        that is set.
        """
        used = {*self.formats}.difference(FORMATS.built_in)
        for name, value in self.added.items():
            if value and name in installed.names(installed.FORMATS):
                used.add(name)
        return sorted(used)


class AddedOptions(Schema, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options of another package, which it names in the group `sitemapkit.options`."""

    @classmethod
    def of(cls, options: Options) -> Self:
        """Return what the user sets, or else the generator says, or else the defaults."""
        known = options.by_generator | options.added
        own = {name: known[name] for name in cls.__struct_fields__ if name in known}
        return cls(**own)


def schema_of(name: str) -> type[Struct] | None:
    """Return the schema that has an option, ours or that of an installed package; None if none."""
    if name in OptionsSchema.__struct_fields__:
        return OptionsSchema
    return installed.options().get(name)


def by_schema(given: Mapping[str, Any]) -> dict[type[Struct], dict[str, Any]]:
    """Return options by the schema that has them; those that none has are with ours."""
    found: dict[type[Struct], dict[str, Any]] = {OptionsSchema: {}}
    for name, value in given.items():
        schema = schema_of(name) or OptionsSchema
        found.setdefault(schema, {})[name] = value
    return found


def is_option(name: str) -> bool:
    """Return whether an option has this name, built in or of an installed package."""
    return schema_of(name) is not None


def path_kind(schema: type[Struct], name: str) -> str:
    """Return the kind of what an option leads to whose value is a path, else ""."""
    for field in structs.fields(schema):
        if field.name == name:
            for note in get_args(field.type)[1:]:
                if isinstance(note, PathTo):
                    return note.kind
    return ""


def descriptions(schema: type[Struct]) -> Mapping[str, str]:
    """Return what each field of a schema takes, as its type says it.

    Used by messages, the manual, the schema for editors and the help of the command line.
    """
    described: dict[str, str] = {}
    for field in structs.fields(schema):
        described[field.name] = ""
        for note in get_args(field.type)[1:]:
            if isinstance(note, Meta) and note.description:
                described[field.name] = note.description
    return described
