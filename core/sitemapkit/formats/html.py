"""The sitemap that people read: one HTML page, or as many as it takes, rendered with Jinja2.

Pages are grouped by section, with their titles and the days of their last change, and a plot shows
how fresh the site is. Everything is there without a script and without a request to anywhere; a
script of a few lines adds searching and sorting. Every value is escaped.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

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

MAX_PAGE_BYTES = 1_000_000
"""What one HTML page may weigh; search engines read no more than 2 MB of one."""

_FRAME_BYTES = 60_000
"""Room for all that is not a row: head, script, plot."""

_ROW_BYTES = 140
"""What a row weighs beside its texts."""

_SECTION_BYTES = 1_000
"""What a section weighs beside its name, which stands there twice."""

MONTHS = 24
"""Months that the plot shows one by one; what is older is one bar."""

_FEWEST_MONTHS = 12
"""A plot of fewer would tell of a change where there is but a start."""

_LOWEST = 4
"""Pages up to which a bar is not as high as the plot."""

_COLOURS = 6
"""Sections with a colour of their own in the plot."""

_DAY = len("2024-01-01")
_RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi"})
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})


@dataclass(frozen=True, slots=True)
class Row:
    """A page of the site."""

    url: str
    path: str
    title: str
    section: str
    day: str
    """`YYYY-MM-DD`, or "" where the date is not known."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One month of the plot, or all before: how many pages of each section last changed then."""

    label: str
    parts: tuple[int, ...]

    @property
    def total(self) -> int:
        """All pages of the bar."""
        return sum(self.parts)


@dataclass(frozen=True, slots=True)
class Plot:
    """Pages by month of their last change, by section."""

    sections: tuple[str, ...]
    bars: tuple[Bar, ...]

    @property
    def highest(self) -> int:
        """The number of pages that is as high as the plot."""
        return max(_LOWEST, *(bar.total for bar in self.bars))


def output_files(site: Site, _: str) -> Iterator[OutputFile]:
    """Yield the HTML pages; the first is named as the sitemap is.

    Raises OptionError if a template of the user's cannot be used.
    """
    options = site.layout.options
    try:
        pages = _rendered(site.entries, site.layout)
    except (TemplateError, UnicodeDecodeError) as error:
        if not options.templates:
            raise
        raise OptionError(
            f"option 'templates': a template in {options.templates} cannot be used:"
            f" {_fault(error)}; fix it, or remove it to have ours"
        ) from error
    yield from pages


def _fault(error: Exception) -> str:
    name, line = getattr(error, "name", None), getattr(error, "lineno", None)
    return f"{name}, line {line}: {error}" if name and line else str(error)


def _rendered(entries: Sequence[Entry], layout: Layout) -> Sequence[OutputFile]:
    options = layout.options
    rows = sorted((_row(entry, options) for entry in entries), key=_order)
    parts = list(_parts(rows))
    endings = ["", *(f"-{number}" for number in range(2, len(parts) + 1))]
    paths = [layout.beside(f"{ending}.html") for ending in endings]
    template = _environment(options.templates).get_template("sitemap.html")
    words = words_for(options.language)
    common = {
        "words": words,
        "total": len(rows),
        "plot": plot(rows, words),
        "names": [path.name for path in paths],
        "base": options.base_url,
        "site": options.title,
        "mark": layout.mark,
    }
    files: list[OutputFile] = []
    for number, (path, part) in enumerate(zip(paths, parts, strict=True), 1):
        text = template.render(sections=_sections(part), number=number, name=path.name, **common)
        files.append(OutputFile(path, [text.encode()]))
    return files


def _environment(folder: str) -> Environment:
    """Return where templates are found: in the user's `folder`, if one is set, and then here."""
    if folder and not Path(folder).is_dir():
        raise OptionError(
            f"option 'templates': {folder} is no folder; name the one that holds your sitemap.html,"
            " plot.html or sitemap.css"
        )
    folders = [*([Path(folder)] if folder else []), Path(__file__).with_name("templates")]
    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def plot(rows: Sequence[Row], words: Words) -> Plot:
    """Count the dated pages by month, back from the newest change, and by the largest sections.

    A single date says nothing about how fresh a site is: there is no bar then.
    """
    dated = [row for row in rows if row.day]
    if len(dated) < 2:  # noqa: PLR2004
        return Plot((), ())
    largest = [name for name, _ in Counter(row.section for row in dated).most_common(_COLOURS - 1)]
    months = _months([row.day for row in dated])
    counts = Counter((_month(row.day, months), _index(row.section, largest)) for row in dated)
    shown = [month for month in ("", *months) if month or any(not m for m, _ in counts)]
    width = len(largest) + any(index == len(largest) for _, index in counts)
    bars = tuple(
        Bar(month or words.earlier, tuple(counts[month, index] for index in range(width)))
        for month in shown
    )
    names = [name or words.top for name in largest]
    return Plot((*names, *([words.others] if width > len(largest) else [])), bars)


def _row(entry: Entry, options: Options) -> Row:
    path = urls.below(options.base_url, entry.loc, encoding=options.url_encoding)
    section = path.partition("/")[0] if path.strip("/").count("/") else ""
    title = legal(entry.title) or path.strip("/").rpartition("/")[2] or options.base_url
    return Row(entry.loc, "/" + path, title, section, lastmod_text(entry.lastmod)[:_DAY])


def _order(row: Row) -> tuple[str, str]:
    return row.section, row.path


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Cut the rows so that each page stays within its weight."""
    part: list[Row] = []
    room = 0
    for row in rows:
        is_first = not part or part[-1].section != row.section
        size = _weight(row) + (_SECTION_BYTES + 2 * _escaped_size(row.section)) * is_first
        if part and size > room:
            yield part
            part = []
        room = (room if part else MAX_PAGE_BYTES - _FRAME_BYTES) - size
        part.append(row)
    yield part


def _weight(row: Row) -> int:
    return _ROW_BYTES + sum(map(_escaped_size, (row.url, row.path, row.title)))


def _escaped_size(text: str) -> int:
    return len(text.encode()) + 5 * sum(map(text.count, "&<>'\""))


def _sections(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    return [(name, list(group)) for name, group in groupby(rows, key=lambda row: row.section)]


def _months(days: Sequence[str]) -> list[str]:
    """Return the months from the oldest day, if not long ago, to the newest, as `YYYY-MM`."""
    first, last = _number(min(days)), _number(max(days))
    count = min(MONTHS, max(_FEWEST_MONTHS, last - first + 1))
    return [f"{month // 12:04}-{month % 12 + 1:02}" for month in range(last - count + 1, last + 1)]


def _number(day: str) -> int:
    """Return the number of the day's month, counted from the year 0."""
    return int(day[:4]) * 12 + int(day[5:7]) - 1


def _month(day: str, months: Sequence[str]) -> str:
    """Return the month of the day, or "" for one before all months."""
    return day[:7] if day[:7] >= months[0] else ""


def _index(section: str, largest: Sequence[str]) -> int:
    return largest.index(section) if section in largest else len(largest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """All texts of the page, as `templates/words.json` has them; `{n}` stands for a number."""

    language: str
    """Language code of the site, as HTML wants it."""

    spoken: str
    """Language code of these words: English where we have no others."""

    title: str
    one: str
    many: str
    search: str
    nothing: str
    sort: str
    by_path: str
    by_date: str
    freshness: str
    earlier: str
    table: str
    month: str
    sections: str
    top: str
    others: str
    page: str
    path: str
    changed: str
    unknown: str
    part: str
    skip: str

    @property
    def direction(self) -> str:
        """The direction of writing: `ltr` or `rtl`."""
        return "rtl" if self.language.partition("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"

    def pages(self, number: int) -> str:
        """Say how many pages there are; digits in groups, as ISO 80000-1 has them."""
        return self.one if number == 1 else self.many.format(n=f"{number:,}".replace(",", "\u202f"))


def words_for(language: str) -> Words:
    """Return the words in the language of a site, or in English where we do not know them."""
    code = language.replace("_", "-") or "en"
    spoken, *rest = code.lower().split("-")
    if spoken == "zh" and "hans" not in rest and not _TRADITIONAL.isdisjoint(rest):
        spoken = "zh-Hant"
    spoken = spoken if spoken in texts() else "en"
    return Words(language=code, spoken=spoken, **texts()[spoken])


@cache
def texts() -> dict[str, dict[str, str]]:
    """Return the texts of each language that we know, by their names."""
    file = files("sitemapkit.formats").joinpath("templates", "words.json")
    return dict(json.loads(file.read_text(encoding="utf-8")))
