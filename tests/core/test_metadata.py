"""What an author says about a page, in every spelling."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from sitemapkit import OptionError, Options, Page, build
from sitemapkit.metadata import read_metadata


@pytest.mark.parametrize(
    "raw",
    [
        {"priority": 0.7},
        {"priority": "0.7"},
        {"Priority": " .7 "},
        {"priority": ["0.7"]},
        {"sitemap_priority": 0.7},
        {"sitemap-priority": "0.7"},
        {"sitemap.priority": "0.7"},
        {"sitemap": {"priority": 0.7}},
        {"sitemap": '{"priority": 0.7}'},
        {"priority": 0.1, "sitemap_priority": 0.7},
        {"sitemap_priority": 0.1, "sitemap": {"Priority": 0.7}},
    ],
)
def test_priority_is_read_in_every_spelling_the_most_specific_wins(raw: dict[str, object]) -> None:
    found = read_metadata(raw)
    assert found.priority == 0.7
    assert not found.bad_values


@pytest.mark.parametrize("value", [0, 1, "0", "1.0", 0.0])
def test_the_ends_of_the_priority_range_are_allowed(value: object) -> None:
    assert read_metadata({"priority": value}).priority == float(str(value))


@pytest.mark.parametrize("value", [-0.01, 1.01, "1.01", "01.01"])
@pytest.mark.parametrize("key", ["priority", "sitemap_priority"])
def test_a_priority_just_beyond_the_range_is_left_out(key: str, value: object) -> None:
    assert read_metadata({key: value}).priority is None


@pytest.mark.parametrize(
    "value",
    [7, -0.1, 10**400, "high", "0,5", "5e-1", True, "nan", float("nan"), ["0.1", "0.2"], {"a": 1}],
)
def test_a_bad_priority_is_left_out_and_named(value: object) -> None:
    found = read_metadata({"priority": value})
    assert found.priority is None
    (bad,) = found.bad_values
    assert bad.key == "priority"
    assert bad.allowed == "a number from 0.0 to 1.0"


@pytest.mark.parametrize("value", [None, "", "null", "~", "None"])
def test_an_empty_value_says_nothing(value: object) -> None:
    found = read_metadata(
        {"priority": value, "changefreq": value, "lastmod": value, "sitemap": value}
    )
    assert (found.priority, found.changefreq, found.lastmod, found.exclude) == (None,) * 4
    assert not found.bad_values


@pytest.mark.parametrize("value", [2, -1, 10**400, 0.5, "maybe", ["true", "true"]])
def test_what_is_neither_true_nor_false_is_left_out_and_named(value: object) -> None:
    found = read_metadata({"sitemap_exclude": value})
    assert found.exclude is None
    assert [(bad.key, bad.allowed) for bad in found.bad_values] == [
        ("sitemap_exclude", "true or false")
    ]


def test_changefreq_is_read_in_any_case() -> None:
    assert read_metadata({"ChangeFreq": " Daily "}).changefreq == "daily"


def test_a_bad_changefreq_names_what_is_allowed() -> None:
    (bad,) = read_metadata({"changefreq": "sometimes"}).bad_values
    assert "always, hourly, daily" in bad.allowed


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        (date(2024, 5, 6), date(2024, 5, 6)),
        ("2024-05-06", date(2024, 5, 6)),
        (datetime(2024, 5, 6, 7, 8), date(2024, 5, 6)),  # noqa: DTZ001 - as YAML gives it
        (datetime(2024, 5, 6, 7, 8, tzinfo=UTC), datetime(2024, 5, 6, 7, 8, tzinfo=UTC)),
        ("2024-05-06T07:08:00Z", datetime(2024, 5, 6, 7, 8, tzinfo=UTC)),
    ],
)
def test_lastmod_may_be_a_date_a_datetime_or_text(value: object, moment: date) -> None:
    assert read_metadata({"lastmod": value}).lastmod == moment


@pytest.mark.parametrize("value", ["2024-02-30", "last week", 2024, 20240506, {"created": "x"}])
def test_a_bad_lastmod_is_left_out_and_named(value: object) -> None:
    found = read_metadata({"lastmod": value})
    assert found.lastmod is None
    assert [bad.key for bad in found.bad_values] == ["lastmod"]


@pytest.mark.parametrize("value", [False, "false", "no"])
def test_lastmod_false_asks_for_no_date(value: object) -> None:
    found = read_metadata({"lastmod": value})
    assert found.no_lastmod
    assert not found.bad_values


@pytest.mark.parametrize(
    "raw",
    [
        {"sitemap": False},
        {"sitemap": 0},
        {"sitemap": "no"},
        {"sitemap": "False"},
        {"sitemap": ["off"]},
        {"sitemap": {"exclude": True}},
        {"sitemap_exclude": "yes"},
        {"sitemap-exclude": 1},
    ],
)
def test_a_page_leaves_itself_out(raw: dict[str, object]) -> None:
    assert read_metadata(raw).exclude is True


@pytest.mark.parametrize("raw", [{"sitemap": True}, {"sitemap": {"exclude": False}}])
def test_a_page_keeps_itself_in(raw: dict[str, object]) -> None:
    assert read_metadata(raw).exclude is False


@pytest.mark.parametrize(
    "raw",
    [
        {"robots": "noindex"},
        {"Robots": "NOINDEX, follow"},
        {"robots": "none"},
        {"robots": ["noindex", "nofollow"]},
        {"noindex": True},
        {"noindex": "yes"},
        {"private": "TRUE"},
    ],
)
def test_a_page_that_wants_no_index_says_so_in_any_spelling(raw: dict[str, object]) -> None:
    assert read_metadata(raw).noindex


@pytest.mark.parametrize("raw", [{"robots": "index, follow"}, {"robots": "all"}, {"noindex": "no"}])
def test_a_page_that_may_be_indexed_stays(raw: dict[str, object]) -> None:
    assert not read_metadata(raw).noindex


def test_each_bad_value_of_a_page_is_reported() -> None:
    found = read_metadata({"priority": "high", "changefreq": "sometimes", "lastmod": "soon"})
    assert [bad.key for bad in found.bad_values] == ["priority", "changefreq", "lastmod"]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (
            {"sitemap": {"changfreq": "daily"}},
            "Unknown key 'sitemap.changfreq'; did you mean 'sitemap.changefreq'? Allowed: the name",
        ),
        (
            {"sitemap_Priorty": 1},
            "Unknown key 'sitemap_priorty'; did you mean 'sitemap_priority'? Allowed: the names",
        ),
        ({"sitemap-zzz": 10**5000}, "Unknown key 'sitemap-zzz'. Allowed: the names priority, "),
        ({"changefreq": "Dayly"}, "'changefreq' is 'Dayly'; did you mean 'daily'? Allowed: always"),
        ({"changefreq": 10**5000}, "'changefreq' is a number with thousands of digits. Allowed: "),
        ({"priority": "high"}, "'priority' is 'high'. Allowed: a number from 0.0 to 1.0."),
    ],
)
def test_a_mistake_is_answered_with_what_was_probably_meant(
    raw: dict[str, object], said: str
) -> None:
    (bad,) = read_metadata(raw).bad_values
    assert bad.message.startswith(said)


def test_text_that_is_no_wish_is_reported() -> None:
    (bad,) = read_metadata({"sitemap": "{broken"}).bad_values
    assert bad.key == "sitemap"


def bomb() -> object:
    """Return a list of lists of lists that is small to store and has 10^9 parts, as YAML can."""
    parts: object = "lol"
    for _ in range(9):
        parts = [parts] * 10
    return parts


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("priority", int("f" * 4_000, 16)),
        ("sitemap", '{"a":' * 100_000 + "1" + "}" * 100_000),
        ("priority", bomb()),
        ("images", bomb()),
        ("lastmod", "x" * 1_000_000),
    ],
    ids=["digits", "depth", "bomb", "list", "text"],
)
def test_a_value_of_any_size_is_reported_in_few_words(key: str, value: object) -> None:
    (bad,) = read_metadata({f"sitemap_{key}" if key != "sitemap" else key: value}).bad_values
    assert bad.key.endswith(key)
    assert len(bad.value) < 1_000


@pytest.mark.parametrize(
    ("value", "images"),
    [
        (" a.png ", ("a.png",)),
        (["a.png", "! b*"], ("a.png", "! b*")),
        (False, ()),
        ("no", ()),
        ("!", None),
        ("!a\\", None),
        (["a.png", "![z-a]"], None),
        (["!" + "a" * 999], ("!" + "a" * 999,)),
        (["!" + "a" * 500] * 2, None),
        (["a.png", " "], None),
        (7, None),
    ],
)
def test_images_are_urls_and_patterns(value: object, images: tuple[str, ...] | None) -> None:
    found = read_metadata({"sitemap_images": value})
    assert dict(found.extensions).get("images") == images
    assert [bad.key for bad in found.bad_values] == ["sitemap_images"] * (images is None)


def test_extensions_are_handed_on_as_they_are() -> None:
    raw = {"sitemap": {"videos": ["a"]}, "sitemap_videos": "b", "sitemap_video": "c"}
    found = read_metadata(raw)
    assert found.extensions == (("videos", "b"), ("videos", "a"))
    assert [bad.key for bad in found.bad_values] == ["sitemap_video"]


def test_what_is_known_of_a_page_says_where_it_stands() -> None:
    raw = {"sitemap": {"priority": 1, "exclude": True}, "sitemap_changefreq": "daily", "private": 1}
    assert dict(read_metadata(raw).origins) == {
        "priority": "metadata sitemap.priority",
        "exclude": "metadata sitemap.exclude",
        "changefreq": "metadata sitemap_changefreq",
        "noindex": "metadata private",
    }


def test_json_is_read_whatever_white_space_is_around_it() -> None:
    assert read_metadata({"sitemap": ' {"priority": 0.5}\n'}).priority == 0.5


def test_values_that_repeat_each_other_take_no_time() -> None:
    """Aliases in YAML make a few words stand for millions."""
    value: list[object] = ["noindex"]
    for _ in range(40):
        value = [value, value]
    for key in (
        "robots",
        "noindex",
        "sitemap",
        "sitemap_priority",
        "lastmod",
        "priority",
        "videos",
    ):
        found = read_metadata({key: value, "sitemap": {"images": value, key: value}})
        assert not found.noindex


def test_what_is_not_known_is_kept_with_its_value() -> None:
    (bad,) = read_metadata({"sitemap_priorty": 0.5}).bad_values
    assert (bad.key, bad.value, bad.is_known, bad.meant) == (
        *("sitemap_priorty", "0.5", False),
        "sitemap_priority",
    )


def test_values_of_extensions_in_all_spellings_are_kept() -> None:
    bare, nested = [{"player_loc": "a"}], [{"player_loc": "b"}]
    found = read_metadata({"videos": bare, "sitemap": {"videos": nested}})
    assert found.extensions == (("videos", bare[0]), ("videos", nested[0]))


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("sitemapkit", "sitemap"),
        ("SiteMapKit", "sitemap"),
        ("sitemap-kit", "sitemap"),
        ("sitemap_kit_exclude", "sitemap_exclude"),
        ("sitemapkit.priorty", "sitemap_priority"),
        ("sitemapkit-zzz", "sitemap"),
    ],
)
def test_our_own_name_is_no_key_and_a_build_refuses_it_with_the_right_one(
    key: str, meant: str, tmp_path: Path
) -> None:
    pages = [Page(name, sources=[f"{name}.md"], meta={key: False}) for name in ("a", "b")]
    with pytest.raises(OptionError) as error:
        build(pages, Options(base_url="https://example.org/"), tmp_path)
    first, second = str(error.value).splitlines()
    assert first.startswith(f"a.md: Unknown key {key.lower()!r}; did you mean {meant!r}? Allowed:")
    assert second.startswith("b.md: ")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("key", ["sitemapkitten", "sitemaps", "site_map", "kit", "sitemap_kits"])
def test_a_key_that_can_mean_others_is_never_refused(key: str, tmp_path: Path) -> None:
    report = build(
        [Page("a", meta={key: False})], Options(base_url="https://example.org/"), tmp_path
    )
    assert [each.loc for each in report.listed] == ["https://example.org/a"]
