"""Random sets of entries as a site may have them, and what is to be read back of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import strategies as st

from sitemapkit import Alternate, Entry
from sitemapkit.errors import UrlError
from sitemapkit.urls import normalize

BASE = "https://example.org/docs/"

_TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
_SEGMENT = st.one_of(
    st.sampled_from(["guide", "API", "größe", "検索", "a b", "x'y", "%C3%A9", "100%", "a&amp;b"]),
    _TEXT,
)
_QUERY = st.sampled_from(["", "", "", "?a=1&b=2", "?q=ü&r='s'", "?a&copy=1&lt=2", "?x=<y>"])
_PATH = st.builds(str.__add__, st.lists(_SEGMENT, min_size=1, max_size=3).map("/".join), _QUERY)
_URL = st.one_of(
    _PATH.map(BASE.__add__),
    _PATH.map("https://bücher.example/".__add__),
    _PATH.map("HTTP://CDN.example:8080/".__add__),
)
_OFFSET = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_MOMENT = st.datetimes(
    datetime(1990, 1, 2),  # noqa: DTZ001  the zones come below
    datetime(2090, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC) | _OFFSET,
)
_DATE = st.one_of(
    st.none(),
    _MOMENT,
    st.dates(date(1990, 1, 1), date(2090, 1, 1)),
    st.integers(700_000_000, 3_000_000_000),
    _MOMENT.map(lambda moment: moment.isoformat(timespec="seconds")),
)
_LANGUAGE = st.sampled_from(["en", "de", "pt-BR", "zh-Hans", "x-default"])

entries = st.builds(
    Entry,
    _PATH.map(BASE.__add__),
    _DATE,
    st.sampled_from([None, "always", "daily", "never"]),
    st.none() | st.floats(0, 1),
    st.just(()) | st.lists(st.builds(Alternate, _LANGUAGE, _URL), max_size=3, unique_by=hash),
    st.just(()) | st.lists(_URL, max_size=3),
)
sets = st.lists(entries, min_size=1, max_size=40)


@dataclass(frozen=True)
class Expected:
    """What readers are to find of one URL."""

    lastmod: datetime | date | None
    changefreq: str | None
    priority: float | None
    alternates: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    images: list[str] = field(default_factory=list[str])


def expected(entry: Entry) -> tuple[str, Expected] | None:
    """Return the URL of an entry and what is to be read back, None if it has no URL."""
    loc = _normal(entry.loc)
    if not loc or not loc.startswith(BASE):
        return None
    links = [(hreflang, _normal(href)) for hreflang, href in entry.alternates]
    return loc, Expected(
        _moment(entry.lastmod),
        entry.changefreq,
        None if entry.priority is None else round(entry.priority, 2),
        [link for link in links if link[1]],
        [url for image in entry.images if (url := _normal(image))],
    )


def _normal(url: str) -> str:
    try:
        return normalize(url)
    except UrlError:
        return ""


def _moment(value: date | int | str | None) -> date | None:
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, int):
        value = datetime.fromtimestamp(value, UTC)
    if isinstance(value, datetime):
        return value.replace(microsecond=0).astimezone(UTC)
    return value


def read_moment(text: str | None) -> date | None:
    """Return the day or moment that a reader found."""
    if not text:
        return None
    if len(text) == len("2024-01-01"):
        return date.fromisoformat(text)
    return datetime.fromisoformat(text).astimezone(UTC)
