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

from sitemapkit import dates, urls
from sitemapkit.output.words import Words, words_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from sitemapkit.entry import Entry
    from sitemapkit.options import Options

MAX_PAGE_BYTES = 1_000_000
"""What one HTML page may weigh; search engines read no more than 2 MB of one."""

_FRAME_BYTES = 60_000
"""Room for all that is not a row: head, script, plot."""

_ROW_BYTES = 120
"""What a row weighs beside its texts."""

MONTHS = 24
"""Months that the plot shows one by one; what is older is one bar."""

_COLOURS = 6
"""Sections with a colour of their own in the plot."""


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
        """The number of pages of the highest bar."""
        return max((bar.total for bar in self.bars), default=0)


def people_pages(entries: Sequence[Entry], options: Options, mark: str) -> Mapping[str, bytes]:
    """Return the HTML pages by their file names; the first is named as the sitemap is.

    `mark` is the text of the comment that says that they are ours.
    """
    # Only sites that want this page pay for loading Jinja2.
    from sitemapkit.output.templates import environment  # noqa: PLC0415

    rows = sorted((_row(entry, options) for entry in entries), key=_order)
    parts = list(_parts(rows))
    names = [_file_name(options, number) for number in range(1, len(parts) + 1)]
    template = environment(options.templates).get_template("sitemap.html")
    words = words_for(options.language)
    common = {
        "words": words,
        "total": len(rows),
        "dated": sum(1 for row in rows if row.day),
        "plot": plot(rows, words),
        "names": names,
        "base": options.base_url,
        "mark": mark,
    }
    return {
        name: template.render(sections=_sections(part), number=number, name=name, **common).encode()
        for number, (name, part) in enumerate(zip(names, parts, strict=True), 1)
    }


def plot(rows: Sequence[Row], words: Words) -> Plot:
    """Count the dated pages by month, back from the newest change, and by the largest sections."""
    dated = [row for row in rows if row.day]
    largest = [name for name, _ in Counter(row.section for row in dated).most_common(_COLOURS - 1)]
    months = _months_back(max((row.day for row in dated), default=""))
    counts = Counter((_month(row.day, months), _index(row.section, largest)) for row in dated)
    shown = [month for month in ("", *months) if month or any(not m for m, _ in counts)]
    width = len(largest) + any(index == len(largest) for _, index in counts)
    bars = tuple(
        Bar(month or words.earlier, tuple(counts[month, index] for index in range(width)))
        for month in shown
    )
    names = [name or words.top_level for name in largest]
    return Plot((*names, *([words.others] if width > len(largest) else [])), bars)


def _row(entry: Entry, options: Options) -> Row:
    path = urls.below(options.base_url, entry.loc)
    section = path.partition("/")[0] if path.strip("/").count("/") else ""
    title = entry.title or path.strip("/").rpartition("/")[2] or options.base_url
    return Row(entry.loc, "/" + path, title, section, _day(entry.lastmod))


def _day(value: date | int | str | None) -> str:
    if isinstance(value, int):
        return dates.w3c(dates.from_seconds(value))[:10]
    if isinstance(value, str) or value is None:
        return (value or "")[:10]
    return dates.w3c(value)[:10]


def _order(row: Row) -> tuple[str, str]:
    return row.section, row.path


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Cut the rows so that each page stays within its weight."""
    part: list[Row] = []
    room = MAX_PAGE_BYTES - _FRAME_BYTES
    for row in rows:
        # Quotes and angle brackets weigh six bytes at most when they are escaped.
        size = _ROW_BYTES + sum(len(text.encode()) for text in (row.url, row.path, row.title)) * 2
        if part and size > room:
            yield part
            part, room = [], MAX_PAGE_BYTES - _FRAME_BYTES
        part.append(row)
        room -= size
    yield part


def _sections(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    return [(name, list(group)) for name, group in groupby(rows, key=lambda row: row.section)]


def _file_name(options: Options, number: int) -> str:
    stem = options.filename.rpartition("/")[2].removesuffix(".xml")
    return f"{stem}.html" if number == 1 else f"{stem}-{number}.html"


def _months_back(newest: str) -> list[str]:
    """Return the months up to that of the newest day, the oldest first, as `YYYY-MM`."""
    if not newest:
        return []
    last = int(newest[:4]) * 12 + int(newest[5:7]) - 1
    return [f"{month // 12:04}-{month % 12 + 1:02}" for month in range(last - MONTHS + 1, last + 1)]


def _month(day: str, months: Sequence[str]) -> str:
    """Return the month of the day, or "" for one before all months."""
    return day[:7] if day[:7] >= months[0] else ""


def _index(section: str, largest: Sequence[str]) -> int:
    return largest.index(section) if section in largest else len(largest)
