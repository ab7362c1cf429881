"""The records that pass through the core: pages and heads in, entries and issues out. A leaf.

Making them must be cheap, so they are structs of msgspec, made in a fifth of the time that
dataclasses and named tuples take, and nothing is checked here: `selection` checks pages, and the
writer proves every entry valid before a byte is written.
"""

from __future__ import annotations

import os
import re

# `inspect.signature` of a struct evaluates its annotations.
from collections.abc import Iterable, Mapping, Sequence  # noqa: TC003
from datetime import date  # noqa: TC003
from enum import StrEnum
from pathlib import Path  # noqa: TC003
from reprlib import Repr
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec import UNSET, Struct, UnsetType, structs

if TYPE_CHECKING:
    from textdates import FileOrPart
else:
    FileOrPart = Any  # a build without dates from git does not load `textdates`

ChangeFreq = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]

CHANGEFREQS: tuple[ChangeFreq, ...] = get_args(ChangeFreq)
"""The values of `<changefreq>`, in this exact spelling (rule CP1)."""

Severity = Literal["error", "warning", "note"]
"""`error`: engines drop the URL or file; `warning`: they trust it less; `note`: good to know."""

FilePath = str | os.PathLike[str]
"""A path as its generator has it: mostly text, since creating a Path for each takes time."""

Kind = Literal["page", "article", "listing", "generated", "static"]
"""What a page is to its readers.

`page` and `article` are written by an author; a `listing` (tag, category, archive, blog index) is
dated by what it lists; `generated` (search, genindex, module code) and `static` (HTML or PDF copied
as it is) are listed only where the option `include` names them.
"""


class Reason(StrEnum):
    """Why a page is not listed."""

    DRAFT = "draft"
    HIDDEN = "hidden"
    FUTURE = "not yet published"
    EXCLUDED_BY_PAGE = "excluded by its metadata"
    EXCLUDED_BY_OPTION = "excluded by an option"
    EXCLUDED_BY_HANDLER = "excluded by a handler of the site"
    NOINDEX = "noindex"
    FORBIDDEN = "forbidden by robots.txt"
    REDIRECT = "redirects elsewhere"
    CANONICAL = "canonical link to another page"
    PAGINATION = "pagination beyond the first page"
    GENERATED = "generated page"
    STATIC = "static file"
    MISSING = "no file in the output"
    EMPTY = "empty file"
    OTHER_HOST = "on another host"
    OUT_OF_SCOPE = "outside the base URL"
    BAD_URL = "no valid URL"
    NO_URL = "no URL by the settings"
    EMPTY_LIST = "empty list"
    UNTRANSLATED = "untranslated copy of a page in another language"
    LEFT_OUT = "left out by the site's own sitemap"


class Head(Struct, frozen=True, gc=False):
    """What the head of a rendered page says to search engines."""

    noindex: bool = False
    """A robots meta element says `noindex` or `none`, to all engines or to one."""

    canonical: str | None = None
    """Target of `<link rel=canonical>` in the head, as written or as seen from its `<base>`."""

    refresh: str | None = None
    """Target of a `<meta http-equiv=refresh>` that leads to another URL, likewise."""

    unread: str = ""
    """The limit beyond which the page was not read, in words; "" if its head ends before."""

    second_canonical: str | None = None
    """Target of the next canonical link, if there is one with another target."""


class Page(Struct, gc=False):
    """One output page, as its generator knows it."""

    url: str
    """Absolute, or relative to the base URL, exactly as the generator links it."""

    output: FilePath | None = None
    """The file it was written to; a page whose file is missing is not listed. None: not checked."""

    sources: Sequence[FileOrPart] = ()
    """Absolute paths of the files it was made from, its own source first."""

    included: Sequence[FileOrPart] = ()
    """Absolute paths of files whose text it includes; they count unless `dependencies` is false.

    For a listing also what it shows of pages in part: `Part`s of their sources.
    """

    dependencies: Sequence[FileOrPart] = ()
    """Absolute paths of what else it shows or documents; they count if `dependencies` is true.

    `Part`s count unless it is false. One without a date does not count.
    """

    meta: Mapping[str, object] = {}
    """Its front matter or metadata, raw; `sitemapkit.metadata` knows the spellings."""

    kind: Kind = "page"

    excluded: Reason | None = None
    """Why the generator itself does not publish it (draft, hidden, pagination, ...), if so."""

    decided_by: str = ""
    """What decided that, if there is more to say: an option and its pattern, a metadata key."""

    modified: date | str | None = None
    """The day or (aware) datetime of its last change, if the generator itself states one.

    A text says why what is stated is no date, as any source of dates may answer.
    """

    published: date | None = None
    """The day or (aware) datetime of its first publication, if the generator states one.

    For a listing: the newest among the pages that it shows in part, if each of them has one.
    """

    members: Sequence[str] = ()
    """For a listing: the `url` of each page that it shows whole, spelled as those pages spell it.

    They count even if they are not listed themselves.
    """

    lang: str | None = None
    """Language of the content, as the generator spells it (`pt_BR`, `de`)."""

    translation_key: str | None = None
    """Pages that share one key are translations of each other."""

    lacks: Sequence[str] = ()
    """Codes of languages whose builds do not have it, of those that are made separately."""

    head: Head | None = None
    """Facts of the rendered page. None: they are read from `output`."""

    title: str = ""
    """Its title, in plain text."""

    content: str | None = None
    """HTML of its own content, without theme and navigation. None: found in `output`."""

    images: Sequence[str] | None = None
    """URLs of the images in its content. None: found in `content` or `output`."""

    digest: str | None = None
    """Digest of its own content, if the generator has something better than HTML to digest."""

    position: int | None = None
    """Its place in the site's navigation, for the page for people; None if it has none."""

    @property
    def name(self) -> str:
        """What a message calls this page: its own source file where it has one, else its URL."""
        if not self.sources:
            return self.url or "/"
        own = self.sources[0]
        return os.fspath(own if isinstance(own, str | os.PathLike) else own.file)


class BadValue(Struct, frozen=True):
    """A metadata value that is ignored."""

    key: str
    value: str
    """As a message shows it."""

    allowed: str
    is_known: bool = True
    """Whether it is the value that is wrong, and not the key."""

    meant: str = ""
    """The key or value that was probably meant."""

    @property
    def is_refused(self) -> bool:
        """Whether it stops the build, because what it should hide would be listed."""
        return own_name(self.key) is not None

    @property
    def message(self) -> str:
        """What is wrong, what was probably meant, and what is allowed."""
        wrong = f"{self.key!r} is {self.value}" if self.is_known else f"Unknown key {self.key!r}"
        hint = f"; did you mean {self.meant!r}?" if self.meant else "."
        return f"{wrong}{hint} Allowed: {self.allowed}."


class Metadata(Struct, gc=False):
    """What the author of one page states."""

    exclude: bool | None = None
    """True leaves the page out, False keeps it in where a rule says otherwise."""

    noindex: bool = False
    priority: float | None = None
    changefreq: ChangeFreq | None = None
    lastmod: date | None = None
    no_lastmod: bool | None = None
    """True: the author wants no date (`lastmod: false`)."""

    extensions: tuple[tuple[str, object], ...] = ()
    """What is stated for extensions, by their names; of two the later counts."""

    bad_values: tuple[BadValue, ...] = ()
    origins: tuple[tuple[str, str], ...] = ()
    """Where priority, changefreq and an exclusion are from: a key of the metadata, or a rule."""

    def origin(self, name: str) -> str:
        """Return where a value is from; "" if it is not known."""
        return dict(self.origins).get(name, "")


class Lastmod(Struct, frozen=True, gc=False):
    """The date of a page, the source that gave it, and why the sources before it gave none."""

    value: date | None = None
    source: str | None = None
    skipped: tuple[tuple[str, str], ...] = ()


UNDATED = Lastmod()
"""The date of a page before it is resolved."""


class Listed(Struct, eq=False, gc=False):
    """A page that is listed: its URL in normal form, and what its author and the rules say.

    Before `selection.select` it is one that will be listed unless its rendered page forbids it.
    """

    page: Page
    loc: str
    metadata: Metadata
    lastmod: Lastmod = UNDATED


class About(Struct, frozen=True, gc=False):
    """What feeds and llms.txt say about a page in addition to its title and date."""

    kind: Kind = "page"

    lang: str | None = None
    """Language of the content, as the generator or the page spells it."""

    description: str = ""
    """The meta description of the rendered page, on one line."""

    markdown: str = ""
    """Absolute URL of its version in Markdown, if there is one."""


class Entry(Struct, gc=False):
    """One `<url>`; only `loc` is required, and what is None is not written."""

    loc: str
    """Absolute http(s) URL of the page (rules L1-L8)."""

    lastmod: date | int | str | None = None
    """Day, aware datetime, seconds since 1970 (UTC) or a W3C datetime of the last change (LM1)."""

    changefreq: ChangeFreq | None = None
    """A hint that search engines mostly ignore (CP1)."""

    priority: float | None = None
    """0.0 to 1.0, relative within the site (CP2)."""

    alternates: Sequence[tuple[str, str]] = ()
    """All language versions, this one included (HL1): Alternates, or plain pairs in their order."""

    images: Sequence[str] = ()
    """Absolute URLs of images on the page, at most 1,000."""

    videos: Sequence[Any] = ()
    """Videos on the page, as `sitemapkit_extras.extensions.videos.Video`."""

    title: str = ""
    """Title of the page, for news, feeds and the sitemap that people read."""

    published: date | None = None
    """Day or aware datetime of first publication, for news."""

    extensions: Mapping[str, Sequence[Any]] | UnsetType = UNSET
    """Values of other extensions, by their names."""

    about: About | UnsetType = UNSET
    """What the page is about, if one of the formats says it."""

    position: int | UnsetType = UNSET
    """The place of the page in the site's navigation, if it has one there."""


class OutputFile(Struct, frozen=True):
    """A file to write: where, and its bytes in chunks; compressed if its name ends in .gz."""

    path: Path
    chunks: Iterable[bytes]
    """Asked for under the lock of its folder: there a record that is read, worked on and written
    again is read once more, since another process may have written it meanwhile."""

    known: str = "sitemapkit: part of "
    """A pattern that is found at the beginning of each file of this kind that we wrote.

    An existing file without it is not replaced.
    """

    announced: bool = False
    """Whether robots.txt names it, beside the sitemap."""

    replaces_link: bool = False
    """Whether a link that leads out of the output may be replaced by it."""


class Excluded(Struct, frozen=True, gc=False):
    """A page that is not in the sitemap, and why."""

    page: str
    url: str
    reason: Reason
    decided_by: str = ""
    """What decided it: the pattern, the metadata key, the element of the head."""

    @property
    def why(self) -> str:
        """The reason in words, and what decided it."""
        return f"{self.reason.value}: {self.decided_by}" if self.decided_by else self.reason.value


class Rule(Struct, frozen=True):
    """Something that can be wrong; each is a row of the table of rules."""

    id: str
    """Short and stable: log filters, baselines and suppressions go by it."""

    severity: Severity
    title: str
    """What is wrong, in one sentence."""

    fix: str
    """How to fix it, in one sentence."""

    source: str
    """What it is based on: ids of the protocol's rules, RFCs, guidelines of search engines."""

    checked: bool = False
    """In the core's table: `sitemapkit check` raises it as well."""

    varies: str = ""
    """Another severity and when it has that, for the manual."""

    group: str = ""
    """The page of the manual that explains it, below `rules/`; "" for rules of other packages."""


def printable(text: str) -> str:
    """Return a text on one line, with escapes for what a terminal would act on or not show.

    `##[` and `##name[` are escaped as well, as JSON may be: CI services take them for commands
    wherever they stand. The password in a URL is masked.
    """
    if not text.isprintable():
        signs = [each if each.isprintable() else ascii(each)[1:-1] for each in text]
        text = "".join(signs)
    text = _without_password(text)
    return _COMMAND.sub(r"#\\u0023\1", text) if "##" in text else text


_COMMAND = re.compile(r"##(\w*\[)")


def _without_password(text: str) -> str:
    return _PASSWORD.sub(r"\1***@", text) if "@" in text else text


_PASSWORD = re.compile(r"(//[^\s/?#@:]{1,100}:)[^\s/?#@]{1,1000}@")
"""What stands between the name and the host in `https://name:password@host/`."""


_SHORT = Repr()
_SHORT.maxstring, _SHORT.maxother, _SHORT.maxlevel = 200, 200, 2


def nearest(word: object, known: Sequence[str]) -> str:
    """Return the known word that was probably meant, or ""."""
    if not isinstance(word, str):
        return ""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a mistake

    # It takes time that grows with the square of the length, and anything may stand there.
    near = get_close_matches(word[:40].strip().lower(), known, n=1)
    return near[0] if near else ""


def own_name(name: str) -> str | None:
    """Return what follows our own name in one that can mean nobody else; None if it may."""
    found = re.fullmatch(_US, name.lower())
    return found and (found["rest"] or "")


_US = r"""(?x)
    (?: (?: mkdocs | pelican | sphinx ) [-_] )?
    sitemap [-_.:]? kit
    (?: [-_.:]+ (?P<rest> .* ) )?
    """


def quoted(value: object) -> str:
    """Return a value as a message quotes it, however large it is."""
    if isinstance(value, str):
        value = _without_password(value)
    try:
        return _SHORT.repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return "a number with thousands of digits"


class Issue(Struct, frozen=True):
    """One breach of a rule; whatever its texts quote, they are printable."""

    rule: Rule
    where: str
    """The page, URL, file or option it is about; with the rule it identifies the issue."""

    detail: str = ""
    """What is wrong in this case; it follows the rule's title."""

    severity: Severity = "warning"
    file: str = ""
    """Where to look: a path below the checked directory, or a URL; "" where `where` says it."""

    line: int | None = None
    """Counted from 1. None: the whole file."""

    def __post_init__(self) -> None:
        """Make the texts printable."""
        for name in ("where", "detail", "file"):
            structs.force_setattr(self, name, printable(getattr(self, name)))

    @property
    def message(self) -> str:
        """What is wrong, here."""
        return f"{self.rule.title} {self.detail}".rstrip()

    def as_dict(self) -> dict[str, Any]:
        """Return the issue as JSON shows it."""
        return {
            "id": self.rule.id,
            "severity": self.severity,
            "where": self.where,
            "title": self.rule.title,
            "detail": self.detail,
            "fix": self.rule.fix,
            "file": self.file,
            "line": self.line,
        }
