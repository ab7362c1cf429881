"""Options: the user's settings, one schema for all three generators.

Each adapter passes the settings of its generator to `read_options`; an unknown name, a wrong type
or an impossible value raises `OptionError` before the build starts.
"""

from __future__ import annotations

import codecs
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
from sitemapkit.urls import absolute, below, normalize, normalize_base

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Priority = Annotated[float, Meta(ge=0.0, le=1.0)]
Patterns = str | tuple[str, ...]
Format = Literal["xml", "gz", "txt", "txt.gz", "html", "atom", "llms"]

FOR_ENGINES = {"xml": ".xml", "gz": ".xml.gz", "txt": ".txt", "txt.gz": ".txt.gz"}
"""Formats that search engines read as sitemaps, of which one is required, and their suffixes."""

DESCRIBED: frozenset[Format] = frozenset({"atom", "llms"})
"""Formats that say what each page is about."""

MAX_URLS = 50_000
"""URLs that a sitemap file may contain (protocol rule D10)."""

MAX_BYTES = 52_428_800
"""Uncompressed bytes that a sitemap file may contain (protocol rule D10)."""


class PageRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Values for pages whose URL path matches; later rules and page metadata take precedence."""

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
        """Check what types cannot express."""
        _check("match", PathPatterns, self.match)


class SourceRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Files that count as sources of all pages whose URL path matches."""

    match: Patterns
    """a gitignore-style pattern, or a list of them"""

    files: Patterns
    """a glob of files such as data/*.yml, or a list"""

    def __post_init__(self) -> None:
        """Check what types cannot express."""
        _check("match", PathPatterns, self.match)


class Git(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which commits count, and which of their dates is used."""

    dates: Literal["landed", "commit"] = "landed"
    """landed: when it reached the checked-out branch; commit: the date that `git log -1` shows"""

    bodies: bool = True
    """false also counts changes of front matter and white space alone"""

    ignore_revs: Patterns | None = None
    """files of commits that do not count, as for `git blame`; [] for none"""

    ignore_message: str = ""
    """regular expression; commits whose message matches do not count"""

    def __post_init__(self) -> None:
        """Check what types cannot express."""
        try:
            re.compile(self.ignore_message)
        except re.error as error:
            raise ValueError(f"`ignore_message` is not a regular expression: {error}") from error


class Feed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The Atom feed of the newest changes."""

    count: Annotated[int, Meta(ge=1, le=1000)] = 50
    """pages in the feed, 1 to 1,000"""

    days: Annotated[int, Meta(ge=0, le=36500)] = 0
    """how many days back the feed goes; 0 for all changes"""

    hub: str = ""
    """URL of a WebSub hub that is notified of changes"""

    def __post_init__(self) -> None:
        """Check what types cannot express."""
        if self.hub:
            _check("hub", normalize, self.hub)


class News(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which pages are news, and of what publication."""

    name: Annotated[str, Meta(min_length=1)]
    """name of the publication"""

    language: Annotated[str, Meta(pattern="^(zh-cn|zh-tw|[a-z]{2,3})$")]
    """its language: de, zh-cn or zh-tw"""

    match: Patterns
    """patterns of the articles"""

    def __post_init__(self) -> None:
        """Check what types cannot express."""
        _check("match", PathPatterns, self.match)


class OtherBuild(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The build of one language, made separately."""

    base_url: str
    """absolute URL of the root of that build"""

    pages: str = ""
    """path of its sitemap.xml or JSON report, which lists its pages"""

    def __post_init__(self) -> None:
        """Normalize the base URL."""
        structs.force_setattr(self, "base_url", normalize_base(self.base_url))


class OptionsSchema(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
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

    git: Git = Git()
    """{dates, bodies, ignore_revs, ignore_message}"""

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
    """{count, days, hub}"""

    news: News | None = None
    """{name, language, match}"""

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
    """auto, append, write or false"""

    def __post_init__(self) -> None:
        """Check what types cannot express; msgspec adds the path to the message of a ValueError."""
        structs.force_setattr(self, "url_encoding", _charset(self.url_encoding))
        structs.force_setattr(self, "language", self.language.replace("_", "-"))
        if self.base_url:
            base_url = normalize_base(self.base_url, encoding=self.url_encoding)
            structs.force_setattr(self, "base_url", base_url)
        for code, build in self.languages.items():
            _check("languages", hreflang, code)
            if isinstance(build, str):
                _check("languages", normalize_base, build)
        if self.x_default:
            _check("x_default", hreflang, self.x_default)
        if FOR_ENGINES.keys().isdisjoint(self.formats):
            raise ValueError("`formats` needs one that search engines read, such as xml")
        for name in ("lastmod", "robots"):
            if getattr(self, name) is True:
                raise ValueError(f"`{name}` cannot be `true`")
        _check("exclude", PathPatterns, self.exclude)
        _check("include", PathPatterns, self.include)
        folders = {*self.filename.split("/")}
        unusual = "\\" in self.filename or not self.filename.isprintable()
        if unusual or not self.filename.endswith(".xml") or {"", ".", ".."} & folders:
            raise ValueError(f"`filename` cannot be {self.filename!r}")

    @property
    def needs_lang(self) -> bool:
        """Whether the language of each page is needed: for translations, feeds and llms.txt."""
        return bool(self.languages) or not DESCRIBED.isdisjoint(self.formats)

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

    @property
    def date_sources(self) -> tuple[DateSource, ...]:
        """The sources of `lastmod` that are in use, the most trusted first."""
        chain: tuple[DateSource, ...] = get_args(DateSource)
        if isinstance(self.lastmod, bool):
            return ()
        chosen = chain if self.lastmod == "auto" else self.lastmod
        # A source with an option of its own name, such as `ledger`, is used only if that is set.
        return tuple(s for s in chain if s in chosen and getattr(self, s, True))


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


def _charset(name: str) -> str:
    """Return Python's name of a character set that is a superset of ASCII."""
    ascii_text = bytes(range(0x20, 0x7F))
    try:
        codec = codecs.lookup(name).name
        # ISO 2022 also uses ASCII bytes, such as those of % and /, for other characters.
        if ascii_text.decode().encode(name) == ascii_text and not codec.startswith("iso2022"):
            return codec
    except (LookupError, UnicodeError) as error:
        raise ValueError(f"`url_encoding` cannot be {name!r}: {error}") from error
    raise ValueError(f"`url_encoding` cannot be {name!r}, which is not a superset of ASCII")


def _check(name: str, check: Callable[..., object], value: object) -> None:
    """Name the option in the message of a ValueError that `check` raises for its value."""
    try:
        check(value)
    except ValueError as error:
        raise ValueError(f"`{name}`: {error}") from error


def read_options(  # noqa: PLR0913 - all keyword-only
    given: Mapping[str, Any],
    *,
    where: str,
    prefix: str = "",
    root: Path | None = None,
    base_setting: str = "base_url",
    base_severity: Severity = "warning",
    **defaults: Any,  # noqa: ANN401 - of each option's own type
) -> Options:
    """Return the user's settings as Options.

    In messages, `where` is the place of the settings (`sitemapkit in mkdocs.yml`), and `prefix`
    precedes the name of an option. Relative paths start from `root` (None: the current folder).
    `defaults` are the generator's values, of the right types, which the user's settings override.
    An option set to None counts as not set. The generator's `base_url` may have any value:
    `base_setting` is its name, `base_severity` that of the issue that there is none.

    Raises OptionError, which names the option's path, the value given and what is allowed.
    """
    defaults["base_url"], base_error = _base(defaults.get("base_url"))
    own = _set_options(given)
    settings, schema = {**defaults, **own}, OptionsSchema
    try:  # to look at all types takes longer than the pages of a small site
        is_checked = own or defaults.get("languages")
        options = msgspec.convert(settings, schema) if is_checked else schema(**settings)
        anchored = _anchored(options, root or Path())
    except (msgspec.ValidationError, ValueError) as error:
        raise OptionError(_explain(str(error), settings, where, prefix)) from None
    spelling = Spelling(where, prefix, base_setting, base_error, base_severity)
    return Options(**{**structs.asdict(options), **anchored}, spelling=spelling)


def _set_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are set; one that takes a list may have one value in its place."""
    own = {str(name): value for name, value in given.items() if value is not None}
    may_be_one = ((name, own.get(name)) for name in ("formats", "lastmod"))
    return own | {name: [one] for name, one in may_be_one if isinstance(one, str) and one != "auto"}


def stated_base(value: object) -> str:
    """Return the normalized base URL in a generator's setting, or "" if it has none.

    Read the Docs knows that of a site whose setting is empty.
    """
    return _base(value)[0]


def _base(value: object) -> tuple[str, str]:
    """Return the normalized base URL, and why there is none; "" if the setting is empty."""
    value = value or os.environ.get("READTHEDOCS_CANONICAL_URL", "")
    if value in ("", "."):  # Pelican's spelling of relative URLs
        return "", ""
    if not isinstance(value, str):
        return "", f"{value!r} is not a URL."
    try:
        return normalize_base(value), ""
    except UrlError as error:
        return "", f"{error}."


def _anchored(options: OptionsSchema, root: Path) -> dict[str, Any]:
    """Return the settings with relative paths, which start from `root`.

    Raises ValueError if there is no folder `templates`.
    """

    def anchored(path: str) -> str:
        return str(root / path) if path else ""

    folder = root
    if options.sources:
        import glob  # noqa: PLC0415 - few sites have rules

        folder = Path(glob.escape(str(root)))  # not a pattern, whatever its name
    sources = tuple(
        structs.replace(rule, files=tuple(str(folder / each) for each in _tuple(rule.files)))
        for rule in options.sources
    )
    languages: dict[str, str | OtherBuild] = {
        code: structs.replace(build, pages=anchored(build.pages))
        for code, build in options.other_builds.items()
    }
    paths = {name: anchored(getattr(options, name)) for name in ("ledger", "report", "templates")}
    if (templates := paths["templates"]) and not Path(templates).is_dir():
        raise ValueError(f"`templates` cannot be {templates!r}, which is not a folder")
    return {"sources": sources, "languages": languages, **paths}


def _tuple(value: Patterns) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


_DESCRIBED = r'(?m)^    (\w+): .*\n    """(.+)"""$'
_PATH = r"(?s)^(.*?)(?: - at (?:`key` in )?`\$\.?(.*)`)?$"
_CHOSEN = "[...]"
"""What msgspec writes for a key that the user chose, such as a language."""

_JARGON = r"Invalid enum value .*|Expected `str(?:ing)?` matching regex .*"
"""What says no more than the value and the text on what is allowed."""

_UNKNOWN = r"unknown field `(?P<name>.*?)`"


def _explain(message: str, given: Mapping[str, Any], where: str, prefix: str) -> str:
    [(what, path)] = re.findall(_PATH, message)
    if unknown := re.search(_UNKNOWN, what):
        option = f"{path}.{unknown['name']}" if path else unknown["name"]
        near = _nearest(unknown["name"], _schema(option), "" if path else prefix)
        return f"{where}: unknown option {prefix + option!r}. {near}"
    known = path.replace(_CHOSEN, "")
    name = known.rpartition(".")[2].partition("[")[0] or _mentioned(what)
    allowed = descriptions(_schema(known)).get(name, "")
    value = f"{_value_at(path, given)!r} was given" if path else ""
    what = re.sub(_TYPES, lambda kind: _TYPE_WORDS[kind[0]], re.sub(_JARGON, "", what))
    # With a path, the names in a message are those of fields below it, not of options.
    said = "; ".join(filter(None, (value, what if path else Spelling(prefix=prefix).applied(what))))
    return f"{where}: option {prefix + (path or name)!r}: {said}. Allowed: {allowed}."


_TYPE_WORDS = {
    "array": "list",
    "object": "mapping",
    "str": "string",
    "int": "integer",
    "bool": "true or false",
    "null": "nothing",
}
_TYPES = rf"\b(?:{'|'.join(_TYPE_WORDS)})\b(?=[` ])"
"""What msgspec calls types, in JSON's words."""


def _nearest(name: str, schema: type[Struct], prefix: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only used in an error

    known = schema.__struct_fields__
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"Did you mean {prefix + near[0]!r}?"
    return f"Known options: {', '.join(prefix + name for name in sorted(known))}."


def _schema(path: str) -> type[Struct]:
    """Return the struct with the value at `path`."""
    parent, dot, _ = path.partition(".")
    if not dot:
        return OptionsSchema
    schemas = dict[str, type[Struct]](
        feed=Feed, git=Git, news=News, rules=PageRule, sources=SourceRule, languages=OtherBuild
    )
    return schemas[parent.partition("[")[0]]


def descriptions(schema: type[Struct]) -> Mapping[str, str]:
    """Return the allowed values of each field of a schema: the string below it in this file.

    Used by messages, the manual, the schema for editors and the help of the command line.
    """
    source = Path(__file__).read_text(encoding="utf-8")
    found = re.split(r"^class (\w+)", source, flags=re.MULTILINE)
    return dict(re.findall(_DESCRIBED, found[found.index(schema.__name__) + 1]))


def _mentioned(what: str) -> str:
    """Return the option that a message names in backquotes; other messages are about `base_url`."""
    named = re.search(r"`(\w+)`", what)
    return named[1] if named else "base_url"


def _value_at(path: str, given: Mapping[str, Any]) -> object:
    value: Any = given
    for step in re.findall(r"\w+", path.partition(_CHOSEN)[0]):
        value = [*value][int(step)] if step.isdigit() else value[step]  # it may be a set
    return value
