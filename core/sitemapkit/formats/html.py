"""The sitemap for people: one HTML page, or several for a large site, rendered with Jinja2.

Pages are grouped by section, with their titles and the days of their last change, in the order of
the site's navigation if there is one; a plot shows how many pages changed when. The page works
without scripts and requests; a short script adds searching and sorting, and reads the site's other
such pages for it. Every value is escaped.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from datetime import date
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError
from msgspec import UNSET, Struct

from sitemapkit import urls
from sitemapkit.dates import lastmod_text
from sitemapkit.errors import OptionError
from sitemapkit.model import OutputFile
from sitemapkit.xmltext import legal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.formats.registry import Site
    from sitemapkit.layout import Layout
    from sitemapkit.model import Entry
    from sitemapkit.options import Options

TEMPLATES = Path(__file__).with_name("templates")
"""The folder of the built-in templates, their texts and styles."""

MAX_PAGE_BYTES = 1_000_000
"""Size limit of one HTML page; search engines read at most 2 MB of a page."""

_FRAME_BYTES = 60_000
"""Reserved for everything but the rows: head, script, plot."""

_ROW_BYTES = 140
"""Size of a row without its texts."""

_SECTION_BYTES = 1_000
"""Size of a section without its name, which is written twice."""

MAX_BARS = 24
"""Bars of the plot, unless each is a year."""

_MIN_HEIGHT = 4
"""The fewest pages that fill the height of the plot."""

_CUT_OFF = 5
"""A bar is cut off at this multiple of the median, so that the others remain visible."""

_COLOURS = 6
"""Sections with a colour of their own in the plot."""

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


class Bar(Struct, frozen=True):
    """A period of the plot, with the number of changed pages by section."""

    label: str
    parts: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number of pages in the bar."""
        return sum(self.parts)


class Plot(Struct, frozen=True):
    """Pages by period of their last change, by section."""

    sections: tuple[str, ...]
    bars: tuple[Bar, ...]

    @property
    def highest(self) -> int:
        """The number of pages that fills the height of the plot; a higher bar is cut off."""
        totals = sorted(bar.total for bar in self.bars if bar.total)
        median = totals[(len(totals) - 1) // 2]
        return max(_MIN_HEIGHT, min(totals[-1], _CUT_OFF * median))


def output_files(site: Site) -> Sequence[OutputFile]:
    """Return the HTML pages; the first has the same stem as the sitemap.

    Raises OptionError if one of the user's templates cannot be used.
    """
    folder = site.layout.options.templates
    try:
        return _rendered(site.entries, site.layout)
    except (TemplateError, UnicodeDecodeError) as error:
        if not folder:
            raise
        name, line = getattr(error, "name", None), getattr(error, "lineno", None)
        place = f"{name}, line {line}: " if name and line else ""
        raise OptionError(
            f"option 'templates': a template in {folder} cannot be used: {place}{error}; fix it, or"
            " remove it to use the built-in one"
        ) from error


def _rendered(entries: Sequence[Entry], layout: Layout) -> Sequence[OutputFile]:
    options = layout.options
    rows = [_row(entry, options) for entry in entries]
    first: dict[str, int] = {}
    for row in rows:
        first[row.section] = min(row.position, first.get(row.section, sys.maxsize))
    rows.sort(key=lambda row: (first[row.section], row.section, row.position, row.path))
    parts = list(_parts(rows))
    endings = ["", *(f"-{number}" for number in range(2, len(parts) + 1))]
    paths = [layout.beside(f"{ending}.html") for ending in endings]
    template = _environment(options.templates).get_template("sitemap.html")
    words = words_for(options.language)
    common = {
        "words": words,
        "has_order": any(row.position < sys.maxsize for row in rows),
        "total": len(rows),
        "plot": plot(rows, words),
        "parts": [(path.name, part) for path, part in zip(paths, parts, strict=True)],
        "base": options.base_url,
        "site": legal(options.title),
        "mark": layout.mark,
    }
    files: list[OutputFile] = []
    for number, (path, part) in enumerate(zip(paths, parts, strict=True), 1):
        sections = [(name, [*rows]) for name, rows in groupby(part, key=lambda row: row.section)]
        text = template.render(sections=sections, number=number, name=path.name, **common)
        if layout.mark not in text[:_BEGINNING]:  # the user's own template
            text = f"<!-- {layout.mark} -->\n{text}"
        files.append(OutputFile(path, [text.encode()]))
    return files


def _environment(folder: str) -> Environment:
    """Return an environment with the templates in the user's `folder`, if set, and the built-in."""
    folders = [*([Path(folder)] if folder else []), TEMPLATES]
    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def plot(rows: Sequence[Row], words: Words) -> Plot:
    """Count the dated pages by period, up to the newest change, and by the largest sections.

    Without two bars that differ there are none, since they would show nothing.
    """
    dated = [row for row in rows if row.day]
    months = _months_a_bar([row.day for row in dated]) if dated else 0
    if len({_period(row.day, months) for row in dated}) < 2:  # noqa: PLR2004
        return Plot((), ())
    largest = [name for name, _ in Counter(row.section for row in dated).most_common(_COLOURS - 1)]
    index_of = {name: index for index, name in enumerate(largest)}
    counts = Counter(
        # Other sections have the index after the largest ones.
        (_period(row.day, months), index_of.get(row.section, len(largest)))
        for row in dated
    )
    width = max(index for _, index in counts) + 1
    bars = tuple(
        Bar(_label(period, months, words), tuple(counts[period, index] for index in range(width)))
        for period in range(min(counts)[0], max(counts)[0] + 1)
    )
    names = [name or words["top"] for name in largest]
    return Plot((*names, *([words["others"]] if width > len(largest) else [])), bars)


def _row(entry: Entry, options: Options) -> Row:
    path = options.path_of(entry.loc)
    section = urls.section_of(path)
    title = legal(entry.title) or path.strip("/").rpartition("/")[2] or options.base_url
    day = lastmod_text(entry.lastmod).partition("T")[0]
    position = sys.maxsize if entry.position is UNSET else entry.position
    return Row(entry.loc, "/" + path, title, section, day, position)


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Split the rows so that each page stays within its size limit."""
    part: list[Row] = []
    room = 0
    for row in rows:
        is_first = not part or part[-1].section != row.section
        size = _ROW_BYTES + sum(map(_escaped_size, (row.url, row.path, row.title)))
        size += (_SECTION_BYTES + 2 * _escaped_size(row.section)) * is_first
        if part and size > room:
            yield part
            part = []
        room = (room if part else MAX_PAGE_BYTES - _FRAME_BYTES) - size
        part.append(row)
    yield part


def _escaped_size(text: str) -> int:
    return len(text.encode()) + 5 * sum(map(text.count, "&<>'\""))


def _months_a_bar(days: Sequence[str]) -> int:
    """Return how many months each bar has so that there are not too many, or 0 for a week."""
    first, last = min(days), max(days)
    for months in (0, 1, 3):
        if _period(last, months) - _period(first, months) < MAX_BARS:
            return months
    return 12


def _period(day: str, months: int) -> int:
    """Return the number of the day's period, counted from the year 0 or 1."""
    if not months:
        return (date.fromisoformat(day).toordinal() - 1) // 7
    return (int(day[:4]) * 12 + int(day[5:7]) - 1) // months


def _label(period: int, months: int, words: Words) -> str:
    """Return "week of" its Monday, `YYYY-MM`, `YYYY-MM/MM` (ISO 8601-1, 5.5.2.4) or `YYYY`."""
    if not months:
        return words["week"].format(day=date.fromordinal(period * 7 + 1).isoformat())
    year, month = divmod(period * months, 12)
    last = f"/{month + months:02}" if months > 1 else ""
    return f"{year:04}-{month + 1:02}{last}" if months < 12 else f"{year:04}"  # noqa: PLR2004


class Words(dict[str, str]):
    """All texts of the page by their names in `templates/words.json`; `{n}` stands for a number.

    `language` is the code of the site's language in the form of HTML, and `spoken` that of these
    texts: English if they are not translated into `language`.
    """

    @property
    def direction(self) -> str:
        """The direction of writing: `ltr` or `rtl`."""
        return "rtl" if self["language"].partition("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"

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
    spoken = spoken if spoken in texts() else "en"
    return Words(texts()[spoken], language=code, spoken=spoken)


@cache
def texts() -> dict[str, dict[str, str]]:
    """Return the texts of each language, by language code and name."""
    return dict(json.loads(Path(TEMPLATES, "words.json").read_text(encoding="utf-8")))
