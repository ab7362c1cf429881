"""W3C datetimes: what is read, what is written, what lies in the future."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapkit import dates

FIRST, LAST = (datetime(year, 1, 2) for year in (1800, 2100))  # noqa: DTZ001 - as asked
NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2024-05-06", "2024-05-06"),
        ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"),
        ("2024-05-06T07:08Z", "2024-05-06T07:08:00Z"),
        ("2024-05-06T07:08:09.5+09:00", "2024-05-06T07:08:09+09:00"),
        ("2024-05-06 07:08:09 -03:30", "2024-05-06T07:08:09-03:30"),
        ("2024-05-06T07:08:09+00:00", "2024-05-06T07:08:09Z"),
        ("0001-01-01T00:00:00+02:00", "0001-01-01T00:00:00+02:00"),
        ("9999-12-31T23:59:59-20:00", "9999-12-31T23:59:59Z"),
    ],
)
def test_lm1_what_states_a_moment_is_written_in_the_w3c_form(text: str, written: str) -> None:
    assert dates.w3c(dates.parse(text)) == written


@pytest.mark.parametrize("text", ["2024-05-06T07:08:09", "2024-05-06 07:08"])
def test_lm4_of_a_time_without_a_zone_only_the_day_is_kept(text: str) -> None:
    assert dates.parse(text) == date(2024, 5, 6)


@pytest.mark.parametrize(
    "text",
    [
        *("2024", "2024-05", "20240506", "2024-127", "2024-W19-1", "06.05.2024", "yesterday", ""),
        *("2024-02-30", "2024-13-01", "2024-05-06T24:00:00Z", "2024-05-06T23:59:60Z"),
        *("2024-05-06T07:08:09+09", "2024-05-06T07:08:09z", "2024-05-06T07:08:09+99:00"),
    ],
)
def test_lm1_what_is_no_w3c_datetime_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        dates.parse(text)


@given(st.datetimes(FIRST, LAST, timezones=st.timezones()))
def test_every_aware_datetime_reads_back_to_the_second(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)
    written = dates.parse(dates.w3c(moment))
    assert isinstance(written, datetime)
    assert written.timestamp() == moment.timestamp()  # == is False in the hour that clocks repeat


def test_a_day_is_not_future_while_it_has_begun_somewhere_on_earth() -> None:
    assert not dates.is_future(date(2024, 5, 7), NOON)
    assert dates.is_future(date(2024, 5, 8), NOON)


def test_a_moment_is_future_beyond_what_clocks_differ() -> None:
    assert not dates.is_future(NOON + timedelta(minutes=5), NOON)
    assert dates.is_future(NOON + timedelta(hours=1), NOON)


def test_source_date_epoch_is_the_time_of_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1715000000")
    assert dates.build_time() == datetime(2024, 5, 6, 12, 53, 20, tzinfo=UTC)
    assert abs(dates.now() - datetime.now(UTC)) < timedelta(minutes=1)


def test_a_build_that_is_dated_ahead_is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "4102444800")
    assert dates.now() == datetime(2100, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "today", "1715000000000", "9" * 30])
def test_a_source_date_epoch_that_is_no_time_is_not_set(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", text)
    assert abs(dates.now() - datetime.now(UTC)) < timedelta(minutes=1)


def test_the_newest_of_days_and_moments() -> None:
    day, later = date(2024, 5, 6), NOON
    assert dates.newest([day, later]) == later
    assert dates.newest([date(2024, 5, 7), later]) == date(2024, 5, 7)
    assert dates.newest([]) is None


def test_the_ends_of_the_calendar_are_sorted_too() -> None:
    first = dates.parse("0001-01-01T00:00:00+02:00")
    last = dates.parse("9999-12-31T23:59:59-02:00")
    assert sorted([last, NOON, first], key=dates.sortable) == [first, NOON, last]


def test_of_two_moments_the_newest_is_so_by_utc_even_two_days_earlier_by_the_calendar() -> None:
    west = datetime(2024, 5, 6, 23, 0, tzinfo=timezone(timedelta(hours=-12)))
    east = datetime(2024, 5, 8, 0, 0, tzinfo=timezone(timedelta(hours=14)))
    assert dates.newest([east, west]) == west


def test_a_zone_without_a_colon_is_read_and_is_none_of_the_w3c() -> None:
    text = "2024-05-06 07:08:09 +0900"
    assert dates.parse(text) == dates.parse("2024-05-06T07:08:09+09:00")
    with pytest.raises(ValueError, match="is not a W3C datetime"):
        dates.parse_w3c(text.replace(" +", "+").replace(" ", "T"))
