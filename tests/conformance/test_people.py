"""The sitemap that people read, and the styled XML, in a real browser and judged by axe-core."""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from sitemapkit import Page, build, read_options

from ..browser import CHROMIUM, DARK, report_of
from .npm import axe

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed"),
]

MARKUP = "<script>window.alerted = true</script> & <b>bold</b>"
DAY = date(2024, 5, 6)
SMALL = [
    Page("", title="Home", modified=DAY),
    Page("leaves/green/", title="Green tea leaves", modified=DAY - timedelta(40)),
    Page("leaves/black/", title="Black tea leaves", modified=DAY - timedelta(2)),
    Page("leaves/mate/", title="Maté", meta={"priority": 0.8, "changefreq": "yearly"}),
    Page("odd/markup/", title=MARKUP, modified=DAY - timedelta(800)),
    Page("odd/" + "x" * 150 + "/", title="y" * 150, modified=DAY - timedelta(3)),
]
ARABIC = [
    Page("", title="الرئيسية", modified=DAY),
    Page("شاي/أخضر/", title="شاي أخضر", modified=DAY - timedelta(200)),
    Page("brewing/water/", title="الماء", modified=DAY - timedelta(100)),
]
BIG = [
    Page(f"section-{n % 9}/page-{n}/", title=f"Page {n}", modified=DAY - timedelta(n % 900))
    for n in range(10_000)
]


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders with a small, an Arabic, a split and a large site, with the page that looks."""
    root = tmp_path_factory.mktemp("sites")
    made(root / "small", SMALL, title="Tea & more")
    made(root / "arabic", ARABIC, language="ar")
    made(root / "index", SMALL, max_urls=3)
    made(root / "big", BIG)
    shutil.copy(axe(), root / "axe.js")
    scripts = ("frames.js", "people.js")
    for script in scripts:
        shutil.copy(Path(__file__).with_name(script), root / script)
    elements = "".join(f'<script src="{script}"></script>' for script in scripts)
    (root / "index.html").write_text(f"<!doctype html><body>{elements}")
    return root


def made(folder: Path, pages: list[Page], **given: Any) -> None:
    folder.mkdir()
    settings = {"formats": ["xml", "html"], "stylesheet": True, **given}
    options = read_options(settings, where="test", base_url="https://example.org/docs/")
    build(pages, options, folder)


@pytest.fixture(scope="module")
def light(sites: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    said, asked = report_of(sites, "index.html", tmp_path_factory.mktemp("light"))
    assert "error" not in said, said["error"]
    looking = ("/index.html", "/frames.js", "/people.js", "/axe.js")
    sites_of_ours = tuple(f"/{folder.name}/" for folder in sites.iterdir() if folder.is_dir())
    ours = (*looking, *sites_of_ours, "/favicon.ico")
    assert all(path.startswith(ours) for path in asked)
    return dict(said)


@pytest.fixture(scope="module")
def dark(sites: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    said, _ = report_of(sites, "index.html?dark", tmp_path_factory.mktemp("dark"), DARK)
    assert "error" not in said, said["error"]
    return dict(said)


TITLES = [page.title for page in (SMALL[0], SMALL[2], SMALL[1], *SMALL[3:])]


def test_search_finds_words_in_any_order_without_accents_and_says_how_many(light: Any) -> None:
    small = light["small"]
    assert small["withoutAccents"] == [["Maté"], "1 page", ["leaves 1 page"]]
    assert small["twoWords"] == [["Green tea leaves"], "1 page"]
    assert small["nothing"] == [[], "No page found.", 0]
    assert small["cleared"] == [6, ""]


def test_pages_can_be_sorted_by_last_change_and_back(light: Any) -> None:
    assert light["small"]["all"] == light["small"]["byPath"] == TITLES
    assert light["small"]["byDay"] == [
        *("2024-05-06", "2024-05-04", "2024-05-03"),  # whatever their section
        *("2024-03-27", "2022-02-26", ""),
    ]
    assert light["small"]["months"] == [
        *("2024-05 3 pages", "2024-03 1 page", "2022-02 1 page"),
        "not known 1 page",
    ]
    assert light["small"]["newest"] == "6 pages"


def test_markup_in_a_title_is_text_and_runs_nothing(light: Any) -> None:
    assert light["small"]["markup"] == [MARKUP]
    assert not light["small"]["alerted"]
    assert light["small"]["title"] == "Site map · Tea & more"


def test_the_page_asks_nothing_of_anyone(light: Any) -> None:
    assert light["small"]["resources"] == 0


def test_without_a_script_all_pages_are_there_and_no_dead_controls(light: Any) -> None:
    assert light["withoutScript"] == {"form": "none", "titles": TITLES}


def test_keys_lead_to_the_pages_and_to_the_search(light: Any) -> None:
    assert light["small"]["slash"] == "search"
    assert light["small"]["slashWithControl"] != "search"
    assert light["small"]["tabStops"] == ["skip", "Tea & more"]


def test_a_phone_shows_what_was_found_and_scrolls_one_way(light: Any) -> None:
    assert light["phone"]["found"] == ["Black tea leaves", "Green tea leaves"]
    assert light["phone"]["width"] <= 360


def test_where_people_write_from_right_to_left_the_page_runs_so(light: Any) -> None:
    seen = {key: light["rightToLeft"][key] for key in ("lang", "direction", "startsRight")}
    assert seen == {"lang": "ar", "direction": "rtl", "startsRight": True}
    assert light["rightToLeft"]["fits"]


def test_ten_thousand_pages_are_searched_and_sorted(light: Any) -> None:
    big = light["big"]
    assert big["all"] == big["again"] == [10_000, ""]
    assert big["last"] == [["Page 7775"], ["section-8 1 page"], "1 page"]
    assert len(big["byDay"]) == 10_000
    assert big["byDay"] == sorted(big["byDay"], reverse=True)


def test_dark_mode_is_dark(light: Any, dark: Any) -> None:
    assert light["small"]["background"] == "rgb(255, 255, 255)"
    assert dark["small"]["background"] == "rgb(20, 24, 31)"
    assert light["urlset"]["background"] == "rgb(255, 255, 255)"
    assert dark["urlset"]["background"] == "rgb(20, 24, 31)"


def test_axe_finds_no_violation_light_or_dark(light: Any, dark: Any) -> None:
    for said in (light, dark):
        for page in ("small", "phone", "rightToLeft"):
            assert said[page]["violations"] == []


@pytest.mark.parametrize(
    ("file", "rows", "title"),
    [
        ("urlset", 6, '"Sitemap of " counter(entries) " URLs"'),
        ("index", 3, '"Index of " counter(entries) " sitemaps"'),
    ],
)
def test_the_styled_xml_says_how_many_entries_it_has_and_numbers_them(
    light: Any, file: str, rows: int, title: str
) -> None:
    seen = light[file]
    assert (seen["rows"], seen["title"]) == (rows, title)
    assert seen["number"] == "counter(entries)"
    assert seen["below"]


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("urlset", {"lastmod": "Last change", "changefreq": "Freq.", "priority": "Priority"}),
        ("plain", {"lastmod": "Last change"}),
        ("index", {"lastmod": "Last change"}),
    ],
)
def test_the_name_of_each_column_of_the_styled_xml_stands_above_it(
    light: Any, file: str, names: dict[str, str]
) -> None:
    """So the dates begin below each other, and so do the URLs."""
    seen = light[file]
    columns = {name: lefts for name, lefts in seen["columns"].items() if lefts}
    expected = {**names, "loc": "URL"}
    assert columns == {name: [seen["names"][title]] for name, title in expected.items()}
    assert seen["names"].keys() == {"No.", *expected.values()}
    assert seen["linesOfDates"] == [1]


def test_the_styled_xml_fits_a_phone_and_a_click_selects_an_address(light: Any) -> None:
    assert light["phoneXml"]["fits"]
    assert light["phoneXml"]["selected"] == "all"
    assert len(light["phoneXml"]["columns"]["loc"]) == 1
