"""Options: the user's settings, one schema for all three generators.

Each adapter hands its generator's spelling of the settings to `read_options`; an unknown name, a
wrong type or an impossible value raises `OptionError` before the build starts.
"""

from __future__ import annotations

import codecs
import glob
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct, structs

from sitemapkit.errors import OptionError, UrlError
from sitemapkit.languages import hreflang
from sitemapkit.model import ChangeFreq, DateSource, Severity
from sitemapkit.patterns import PathPatterns
from sitemapkit.urls import normalize_base

if TYPE_CHECKING:
    from collections.abc import Mapping

Priority = Annotated[float, Meta(ge=0.0, le=1.0)]
Patterns = str | tuple[str, ...]
Format = Literal["xml", "gz", "txt", "txt.gz", "html", "atom"]

FOR_ENGINES: frozenset[Format] = frozenset({"xml", "gz", "txt", "txt.gz"})
"""Formats that search engines read as sitemaps; of these there must be one."""

MAX_URLS = 50_000
"""URLs a sitemap file may hold (protocol rule D10)."""

MAX_BYTES = 52_428_800
"""Uncompressed bytes a sitemap file may hold (protocol rule D10)."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Values for all pages whose URL path matches; later rules win, page metadata beats rules."""

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

    def __post_init__(self) -> None:
        """Check what types cannot say."""
        _check_patterns("match", self.match)


class SourceRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Files that count as sources of all pages whose URL path matches."""

    match: Patterns
    """a gitignore-style pattern, or a list of them"""

    files: Patterns
    """a glob of files such as data/*.yml, or a list"""

    def __post_init__(self) -> None:
        """Check what types cannot say."""
        _check_patterns("match", self.match)


class Git(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which commits count, and which of their dates is meant."""

    dates: Literal["landed", "commit"] = "landed"
    """landed: on the checked-out branch; commit: what `git log -1` says"""

    bodies: bool = True
    """false counts changes of front matter and white space, too"""

    ignore_revs: Patterns | None = None
    """files of commits that do not count, as for `git blame`; [] for none"""

    ignore_message: str = ""
    """regular expression; commits whose message has it do not count"""

    def __post_init__(self) -> None:
        """Check what types cannot say."""
        try:
            re.compile(self.ignore_message)
        except re.error as error:
            raise ValueError(f"`ignore_message` is no regular expression: {error}") from error


class Feed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The Atom feed of the newest changes."""

    count: Annotated[int, Meta(ge=1, le=1000)] = 50
    """pages in the feed, 1 to 1,000"""

    days: Annotated[int, Meta(ge=0, le=36500)] = 0
    """only changes of so many days; 0 for all"""

    hub: str = ""
    """URL of a WebSub hub that is told of changes"""


class News(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which pages are news, and of what publication."""

    name: Annotated[str, Meta(min_length=1)]
    """name of the publication"""

    language: Annotated[str, Meta(pattern="^(zh-cn|zh-tw|[a-z]{2,3})$")]
    """its language: de, zh-cn or zh-tw"""

    match: Patterns
    """patterns of the articles"""

    def __post_init__(self) -> None:
        """Check what types cannot say."""
        _check_patterns("match", self.match)


class OtherBuild(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The build of one language, made separately."""

    base_url: str
    """absolute URL of the root of that build"""

    pages: str = ""
    """path of its sitemap.xml or JSON report: what exists there"""

    def __post_init__(self) -> None:
        """Check what types cannot say."""
        normalize_base(self.base_url)


class OptionsSchema(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What users may set; see `docs/` for each option's story."""

    base_url: str = ""
    """absolute URL of the site's root, such as https://example.org/docs/"""

    filename: str = "sitemap.xml"
    """path of the entry file below the output directory, ending in .xml"""

    exclude: Patterns = ()
    """gitignore-style patterns on the URL path below the base URL"""

    include: Patterns = ()
    """patterns of generated pages and static files to list as well"""

    rules: tuple[Rule, ...] = ()
    """a list of {match, priority, changefreq, lastmod, exclude}"""

    lastmod: Literal["auto"] | bool | tuple[DateSource, ...] = "auto"
    """auto, false, or a list of metadata, generator, ledger, git, members"""

    git: Git = Git()
    """{dates, bodies, ignore_revs, ignore_message}"""

    ledger: str = ""
    """path of the file that remembers digests and dates of pages"""

    sources: tuple[SourceRule, ...] = ()
    """a list of {match, files}: files that date the pages that match, too"""

    report: str = ""
    """path of a JSON file that says what was listed and why"""

    dependencies: Literal["included"] | bool = "included"
    """included (text it takes in), true (all it shows or documents), false"""

    languages: dict[str, str | OtherBuild] = {}
    """base URL, or {base_url, pages}, of the build of each language"""

    x_default: str = ""
    """language whose pages are for readers of all other languages"""

    title: str = ""
    """name of the site, for its feed"""

    language: str = ""
    """language of the site, such as pt-BR"""

    templates: str = ""
    """folder whose sitemap.html, plot.html or sitemap.css replace ours"""

    stylesheet: bool = False
    """true adds a CSS file for people who open the XML"""

    indent: Annotated[int, Meta(ge=0, le=16)] = 0
    """spaces by which XML is indented; 0: a URL is a line"""

    feed: Feed = Feed()
    """{count, days, hub}"""

    news: News | None = None
    """{name, language, match}"""

    videos: bool = False
    """true lists videos found in the pages' content, too"""

    images: bool = False
    """true lists the images in the pages' content"""

    formats: Annotated[tuple[Format, ...], Meta(min_length=1)] = ("xml",)
    """a list of xml, gz, txt, txt.gz, html, atom"""

    url_encoding: str = "utf-8"
    """character set of the server's URLs, such as utf-8 or euc-jp"""

    max_urls: Annotated[int, Meta(ge=1, le=MAX_URLS)] = MAX_URLS
    """URLs per file, 1 to 50,000"""

    max_bytes: Annotated[int, Meta(ge=4096, le=MAX_BYTES)] = MAX_BYTES
    """bytes per file, 4,096 to 52,428,800"""

    indexnow_key: Annotated[str, Meta(pattern="^([A-Za-z0-9-]{8,128})?$")] = ""
    """IndexNow key, 8 to 128 letters, digits and hyphens; writes its file"""

    robots: Literal["auto", "append", "write"] | bool = "auto"
    """auto, append, write or false"""

    def __post_init__(self) -> None:
        """Check what types cannot say; msgspec turns a ValueError into an error with the path."""
        structs.force_setattr(self, "url_encoding", _charset(self.url_encoding))
        if self.base_url:
            base_url = normalize_base(self.base_url, encoding=self.url_encoding)
            structs.force_setattr(self, "base_url", base_url)
        _check_languages(self.languages, self.x_default)
        if FOR_ENGINES.isdisjoint(self.formats):
            raise ValueError("`formats` needs one that search engines read")
        for name in ("lastmod", "robots"):
            if getattr(self, name) is True:
                raise ValueError(f"`{name}` cannot be `true`")
        _check_patterns("exclude", self.exclude)
        _check_patterns("include", self.include)
        parts = self.filename.split("/")
        if (
            not self.filename.endswith(".xml")
            or "\\" in self.filename
            or {"", "..", "."} & {*parts}
        ):
            raise ValueError(f"`filename` cannot be {self.filename!r}")

    @property
    def date_sources(self) -> tuple[DateSource, ...]:
        """The sources of `lastmod` that may answer, the most trusted first."""
        chain: tuple[DateSource, ...] = get_args(DateSource)
        if isinstance(self.lastmod, bool):
            return ()
        chosen = chain if self.lastmod == "auto" else self.lastmod
        # A source with an option of its own name is asked only if that is set, as `ledger`.
        return tuple(s for s in chain if s in chosen and getattr(self, s, True))


class Spelling(Struct, frozen=True):
    """How users spell the settings of their generator, for messages about them."""

    where: str = "the options"
    prefix: str = ""
    base_url: str = "base_url"
    """The generator's own setting for the site's URL."""

    base_error: str = ""
    """Why that setting is no URL of a site; "" where it is empty or right."""

    base_severity: Severity = "warning"
    """How serious it is that the site's URL is not known."""


class Options(OptionsSchema, frozen=True, kw_only=True):
    """The user's settings, and how the user spells them."""

    spelling: Spelling = Spelling()


def _charset(name: str) -> str:
    """Return Python's name of a character set, which must write ASCII, and only that, as ASCII."""
    ascii_text = bytes(range(0x20, 0x7F))
    try:
        codec = codecs.lookup(name).name
        # ISO 2022 writes other characters with the bytes of ASCII, too, such as % and /.
        if ascii_text.decode().encode(name) == ascii_text and not codec.startswith("iso2022"):
            return codec
    except (LookupError, UnicodeError) as error:
        raise ValueError(f"`url_encoding` cannot be {name!r}: {error}") from error
    raise ValueError(
        f"`url_encoding` cannot be {name!r}, which does not keep the bytes of ASCII for it"
    )


def _check_languages(languages: Mapping[str, str | OtherBuild], x_default: str) -> None:
    for code, build in languages.items():
        try:
            hreflang(code)
            normalize_base(build if isinstance(build, str) else build.base_url)
        except ValueError as error:
            raise ValueError(f"`languages`: {error}") from error
    if x_default:
        try:
            hreflang(x_default)
        except ValueError as error:
            raise ValueError(f"`x_default`: {error}") from error


def _check_patterns(name: str, patterns: Patterns) -> None:
    try:
        PathPatterns(patterns)
    except ValueError as error:
        raise ValueError(f"`{name}`: {error}") from error


def read_options(  # noqa: PLR0913 - an adapter says it all at once
    given: Mapping[str, Any],
    *,
    where: str,
    prefix: str = "",
    root: Path | None = None,
    base_setting: str = "base_url",
    base_severity: Severity = "warning",
    **defaults: object,
) -> Options:
    """Turn the user's settings into Options.

    `where` names the settings in messages (`sitemapkit in mkdocs.yml`), in which an option is
    spelled with `prefix`; `root` is the folder that relative paths in them start from (None: the
    current one); `defaults` are what the generator itself knows (base_url, formats) and give way to
    what the user set. An option set to None counts as not set.

    The generator's `base_url` may be anything: `base_setting` is its name, and `base_severity` says
    how serious it is that it is empty. Where it is empty, that of a build on Read the
    Docs (READTHEDOCS_CANONICAL_URL) is taken.

    Raises OptionError, which names the option's path, what was given and what is allowed.
    """
    stated = defaults.get("base_url") or os.environ.get("READTHEDOCS_CANONICAL_URL", "")
    base_error = _base_error(stated)
    defaults["base_url"] = "" if base_error or stated == "." else stated
    wanted = {**defaults, **{name: value for name, value in given.items() if value is not None}}
    try:
        options = msgspec.convert(wanted, OptionsSchema)
    except msgspec.ValidationError as error:
        raise OptionError(_explain(str(error), wanted, where, prefix)) from None
    severity = "warning" if base_error else base_severity
    spelling = Spelling(where, prefix, base_setting, base_error, severity)
    options = Options(**structs.asdict(options), spelling=spelling)
    return _anchored(options, root) if root else options


def stated_base(value: object) -> str:
    """Return the base URL that a setting of a generator states, in normal form; "" if none."""
    is_url = isinstance(value, str) and value not in ("", ".") and not _base_error(value)
    return normalize_base(str(value)) if is_url else ""


def _base_error(value: object) -> str:
    if value in ("", "."):  # Pelican's word for URLs that are relative
        return ""
    if not isinstance(value, str):
        return f"{value!r} is not a URL"
    try:
        normalize_base(value)
    except UrlError as error:
        return str(error)
    return ""


def _anchored(options: Options, root: Path) -> Options:
    """Make the paths in the settings independent of the folder the build happens to run in."""
    patterns = Path(glob.escape(str(root)))  # the folder's own name is none
    sources = tuple(
        structs.replace(rule, files=tuple(str(patterns / each) for each in _tuple(rule.files)))
        for rule in options.sources
    )
    languages = {
        code: build
        if isinstance(build, str)
        else structs.replace(build, pages=_below(root, build.pages))
        for code, build in options.languages.items()
    }
    return structs.replace(
        options,
        sources=sources,
        languages=languages,
        ledger=_below(root, options.ledger),
        report=_below(root, options.report),
        templates=_below(root, options.templates),
    )


def _below(root: Path, path: str) -> str:
    return str(root / path) if path else ""


def _tuple(value: Patterns) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


_DESCRIBED = re.compile(r'^    (\w+): .*\n    """(.+)"""$', re.MULTILINE)
_PATH = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)
_CHOSEN = "[...]"
"""What msgspec writes for a name that the user chose, such as a language."""

_UNKNOWN = re.compile(r"unknown field `(?P<name>.*?)`")


def _explain(message: str, given: Mapping[str, Any], where: str, prefix: str) -> str:
    found = _PATH.match(message)
    what, path = (found["what"], found["path"] or "") if found else (message, "")
    if unknown := _UNKNOWN.search(what):
        name = unknown["name"]
        schema = _schema(path + ".") if path else OptionsSchema
        near = _nearest(name, schema, "" if path else prefix)
        return f"{where}: unknown option {prefix + _join(path, name)!r}. {near}"
    known = path.replace(_CHOSEN, "")
    name = known.rpartition(".")[2].partition("[")[0] or _mentioned(what)
    allowed = descriptions(_schema(known)).get(name, "")
    value = f" {_value_at(path, given)!r} was given;" if path else ""
    return f"{where}: option {prefix + (path or name)!r}:{value} {what}. Allowed: {allowed}."


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _nearest(name: str, schema: type[Struct], prefix: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistake needs it

    known = schema.__struct_fields__
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"Did you mean {prefix + near[0]!r}?"
    return f"Known options: {', '.join(prefix + name for name in sorted(known))}."


def _schema(path: str) -> type[Struct]:
    """Return the struct that holds the value at `path`."""
    parent, dot, _ = path.partition(".")
    if not dot:
        return OptionsSchema
    schemas: dict[str, type[Struct]] = {
        "feed": Feed,
        "git": Git,
        "news": News,
        "rules": Rule,
        "sources": SourceRule,
        "languages": OtherBuild,
    }
    return schemas[parent.partition("[")[0]]


def descriptions(schema: type[Struct]) -> Mapping[str, str]:
    """Return what each field of a schema takes: the string below it in this file.

    Messages, the manual, the schema for editors and the help of the command line all say it so.
    """
    from inspect import getsource  # noqa: PLC0415 - only a mistake needs it

    return dict(_DESCRIBED.findall(getsource(schema)))


def _mentioned(what: str) -> str:
    """The option that a message of ours names in backquotes or by its value."""
    named = re.search(r"`(\w+)`", what)
    return named[1] if named else "base_url"


def _value_at(path: str, given: Mapping[str, Any]) -> object:
    value: Any = given
    path = path.partition(_CHOSEN)[0]
    for step in re.findall(r"\w+", path):
        value = [*value][int(step)] if step.isdigit() else value[step]  # it may be a set
    return value
