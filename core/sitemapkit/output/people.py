"""The sitemap that people read: one HTML page, or as many as it takes, rendered with Jinja2.

Pages are grouped by section, with their titles and the days of their last change, and a plot shows
how fresh the site is. Everything is there without a script and without a request to anywhere; a
script of a few lines adds searching and sorting. Every value is escaped.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from sitemapkit import urls
from sitemapkit.errors import OptionError
from sitemapkit.output.values import text_if_a_date
from sitemapkit.output.words import Words, words_for
from sitemapkit.output.xmltext import legal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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


def people_pages(entries: Sequence[Entry], options: Options, mark: str) -> Mapping[str, bytes]:
    """Return the HTML pages by their file names; the first is named as the sitemap is.

    `mark` is the text of the comment that says that they are ours. Raises OptionError if a
    template of the user's cannot be used.
    """
    # Only sites that want this page pay for loading Jinja2.
    from jinja2 import TemplateError  # noqa: PLC0415

    try:
        return _rendered(entries, options, mark)
    except (TemplateError, UnicodeDecodeError) as error:
        if not options.templates:
            raise
        raise OptionError(
            f"option 'templates': a template in {options.templates} cannot be used:"
            f" {_fault(error)}; mend it, or remove it to have ours"
        ) from error


def _fault(error: Exception) -> str:
    name, line = getattr(error, "name", None), getattr(error, "lineno", None)
    return f"{name}, line {line}: {error}" if name and line else str(error)


def _rendered(entries: Sequence[Entry], options: Options, mark: str) -> Mapping[str, bytes]:
    from sitemapkit.output.templates import environment  # noqa: PLC0415 - Jinja2, as above

    rows = sorted((_row(entry, options) for entry in entries), key=_order)
    parts = list(_parts(rows))
    names = [_file_name(options, number) for number in range(1, len(parts) + 1)]
    template = environment(options.templates).get_template("sitemap.html")
    words = words_for(options.language)
    common = {
        "words": words,
        "total": len(rows),
        "plot": plot(rows, words),
        "names": names,
        "base": options.base_url,
        "site": options.title,
        "mark": mark,
    }
    return {
        name: template.render(sections=_sections(part), number=number, name=name, **common).encode()
        for number, (name, part) in enumerate(zip(names, parts, strict=True), 1)
    }


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
    return Row(entry.loc, "/" + path, title, section, text_if_a_date(entry.lastmod)[:_DAY])


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


def _file_name(options: Options, number: int) -> str:
    stem = options.filename.rpartition("/")[2].removesuffix(".xml")
    return f"{stem}.html" if number == 1 else f"{stem}-{number}.html"


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
