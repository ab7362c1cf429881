"""The sitemap for people: one HTML page with all pages of the site, rendered with Jinja2.

Pages are grouped by section, with their titles and the days of their last change, in the order of
the site's navigation if there is one. The page works without scripts and requests; a short script
adds searching and sorting. Every value is escaped.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)
from msgspec import UNSET, Struct

from sitemapkit import urls
from sitemapkit.dates import lastmod_text
from sitemapkit.errors import OptionError
from sitemapkit.model import OutputFile
from sitemapkit.xmltext import legal
from sitemapkit_extras.about import add_titles
from sitemapkit_extras.options import Extras

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapkit.formats.registry import Site
    from sitemapkit.layout import Layout
    from sitemapkit.model import Entry, Listed
    from sitemapkit.options import Options

TEMPLATES = Path(__file__).with_name("templates")
"""The folder of the built-in templates, their texts and styles."""

_BEGINNING = 1_000
"""Characters within which a page says that it is ours."""

_RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi"})
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})


class Row(Struct, frozen=True):
    """A page of the site."""

    url: str
    path: str
    title: str
    section: str
    day: str
    """`YYYY-MM-DD`, or "" if the date is unknown."""

    position: int = sys.maxsize
    """The place in the site's navigation; what has none comes last, by path."""


def describe(entries: Sequence[Entry], listed: Sequence[Listed], _: Options) -> None:
    """Add the titles of the pages, and their places in the navigation."""
    add_titles(entries, listed)
    for entry, each in zip(entries, listed, strict=True):
        if each.page.position is not None:
            entry.position = each.page.position


def output_files(site: Site) -> Sequence[OutputFile]:
    """Return the HTML page, which has the same stem as the sitemap.

    Raises OptionError if one of the user's templates cannot be used.
    """
    extras = Extras.of(site.layout.options)
    try:
        return [_rendered(site.entries, site.layout, extras)]
    except (TemplateError, UnicodeDecodeError) as error:
        if not extras.templates:
            raise
        place = ""
        if isinstance(error, TemplateSyntaxError):
            place = f"{error.name}, line {error.lineno}: "
        raise OptionError(
            f"option 'templates': a template in {extras.templates} cannot be used: {place}{error};"
            " fix it, or remove it to use the built-in one"
        ) from error


def _rendered(entries: Sequence[Entry], layout: Layout, extras: Extras) -> OutputFile:
    options = layout.options
    rows = [_row(entry, options) for entry in entries]
    template = _environment(extras.templates).get_template("sitemap.html")
    text = template.render(
        words=words_for(extras.language),
        has_order=any(row.position < sys.maxsize for row in rows),
        total=len(rows),
        sections=_sections(rows),
        base=options.base_url,
        site=legal(extras.title),
        mark=layout.mark,
    )
    if layout.mark not in text[:_BEGINNING]:  # the user's own template
        text = f"<!-- {layout.mark} -->\n{text}"
    return OutputFile(layout.beside(".html"), [text.encode()])


def _row(entry: Entry, options: Options) -> Row:
    path = options.path_of(entry.loc)
    title = legal(entry.title)
    if not title:
        _, _, name = path.strip("/").rpartition("/")
        title = name or options.base_url
    day, _, _ = lastmod_text(entry.lastmod).partition("T")
    position = sys.maxsize if entry.position is UNSET else entry.position
    return Row(entry.loc, f"/{path}", title, urls.section_of(path), day, position)


def _sections(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Return the sections, each where the navigation first leads to one of its pages."""
    sections: dict[str, list[Row]] = {}
    for row in sorted(rows, key=attrgetter("position", "path")):
        sections.setdefault(row.section, []).append(row)
    return sorted(sections.items(), key=lambda section: (section[1][0].position, section[0]))


def _environment(folder: str) -> Environment:
    """Return an environment with the templates in the user's `folder`, if set, and the built-in."""
    folders = [TEMPLATES]
    if folder:
        folders.insert(0, Path(folder))  # the user's own comes first
    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


class Words(dict[str, str]):
    """All texts of the page by their names in `templates/words.json`; `{n}` stands for a number.

    `language` is the code of the site's language in the form of HTML, and `spoken` that of these
    texts: English if they are not translated into `language`.
    """

    @property
    def direction(self) -> str:
        """The direction of writing: `ltr` or `rtl`."""
        spoken, *_ = self["language"].lower().split("-")
        return "rtl" if spoken in _RIGHT_TO_LEFT else "ltr"

    def number(self, number: int) -> str:
        """Return a number with its digits in groups."""
        return f"{number:,}".replace(",", self["separator"])

    def pages(self, number: int) -> str:
        """Return the number of pages in words."""
        return self["one"] if number == 1 else self["many"].format(n=self.number(number))


def words_for(language: str) -> Words:
    """Return the texts in the language of a site, or in English if there is no translation."""
    code = language or "en"
    spoken, *rest = code.lower().split("-")
    if spoken == "zh" and "hans" not in rest and not _TRADITIONAL.isdisjoint(rest):
        spoken = "zh-Hant"
    if spoken not in texts():
        spoken = "en"
    return Words(texts()[spoken], language=code, spoken=spoken)


@cache
def texts() -> dict[str, dict[str, str]]:
    """Return the texts of each language, by language code and name."""
    return dict(json.loads(Path(TEMPLATES, "words.json").read_bytes()))
