"""The one way through: pages in, files and a report out."""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit import Build, Entry, Page, Reason, UndatedError, build, read_options
from sitemapkit.patterns import OtherPatterns

if TYPE_CHECKING:
    from sitemapkit import Report

    from .conftest import Site


def test_page_metadata_beats_rules_and_later_rules_win(site: Site) -> None:
    rules = (
        {"match": "*", "priority": 0.3, "changefreq": "monthly"},
        {"match": "blog/", "changefreq": "daily"},
        {"match": "blog/old/", "exclude": True},
        {"match": "/", "priority": 1},
    )
    options = read_options({"rules": rules}, where="x", base_url="https://example.org/docs/")
    pages = [
        site.page(""),
        site.page("blog/"),
        site.page("blog/new/", meta={"priority": 0.9}),
        site.page("blog/old/"),
        site.page("blog/old/kept/", meta={"sitemap": True}),
        site.page("blog/weekly/", meta={"changefreq": "weekly"}),
    ]
    build(pages, options, site.folder)
    assert site.entries() == {
        "": {"changefreq": "monthly", "priority": "1.0"},
        "blog/": {"changefreq": "daily", "priority": "0.3"},
        "blog/new/": {"changefreq": "daily", "priority": "0.9"},
        "blog/old/kept/": {"changefreq": "daily", "priority": "0.3"},
        "blog/weekly/": {"changefreq": "weekly", "priority": "0.3"},
    }


def test_defaults_write_neither_priority_nor_changefreq(site: Site) -> None:
    site.build(site.page("a/"))
    assert site.entries() == {"a/": {}}


def test_urls_are_escaped_as_the_server_does_and_patterns_see_them_as_they_are(site: Site) -> None:
    head = '<link rel="canonical" href="https://example.org/docs/検索/">'
    report = site.build(
        site.page("検索/", head), site.page("下書き/"), url_encoding="euc-jp", exclude="下書き/"
    )
    assert [entry.loc for entry in report.listed] == ["https://example.org/docs/%B8%A1%BA%F7/"]
    assert [left.reason for left in report.excluded] == [Reason.EXCLUDED_BY_OPTION]


def test_a_source_whose_name_is_not_in_utf_8_stops_no_file(site: Site) -> None:
    name = os.fsdecode(b"caf\xe9")
    report = site.folder / "report.json"
    page = site.page("a/", sources=[f"/outside/{name}.md"], title=name)
    site.build(page, formats=["xml", "html", "atom"], report=str(report))
    (said,) = json.loads(report.read_text())["names"].values()
    assert said == "/outside/caf?.md"
    assert "caf" in (site.folder / "sitemap.html").read_text()


@pytest.mark.parametrize("years", [(2020, 2024), (2024, 2020)])
def test_of_pages_that_share_a_url_the_newest_is_listed_with_its_date(
    site: Site, years: tuple[int, int]
) -> None:
    pages = [Page("a/", modified=date(year, 1, 1), title=str(year)) for year in years]
    report = site.build(*pages)
    (entry,) = report.listed
    assert (entry.title, entry.lastmod) == ("2024", date(2024, 1, 1))
    assert report.dates[entry.loc].value == entry.lastmod
    assert site.warnings(report) == ["duplicate-url"]


def details(report: Report) -> dict[str, str]:
    return {issue.rule.id: issue.detail for issue in report.issues}


def test_an_issue_that_names_a_url_names_the_sources_of_its_pages(site: Site) -> None:
    sources = [site.folder / "one.md", site.folder / "two.md"]
    pages = [Page("a/?sid=1", sources=[each]) for each in sources]
    report = site.build(*pages, Page("b/?sid=2", sources=[sources[0]]), Page("c/?sid=3"))
    said = details(report)
    both = f"Its source is {sources[0]}, {sources[1]}. "
    assert said["duplicate-url"] == f"{both}The newest of 2 pages is listed."
    assert "Its source is" not in details(site.build(Page("c/"), Page("c/")))["duplicate-url"]


def test_who_revises_has_the_last_word_on_each_entry(site: Site) -> None:
    def on_entry(page: Page, entry: Entry) -> Entry | None:
        if page.url == "b/":
            return None
        entry.priority = 0.7
        return entry

    options = read_options({}, where="x", base_url="https://example.org/docs/")
    report = build([site.page("a/"), site.page("b/")], options, site.folder, on_entry=on_entry)
    assert site.entries() == {"a/": {"priority": "0.7"}}
    (left,) = report.excluded
    assert (left.url, left.reason) == ("b/", Reason.EXCLUDED_BY_HANDLER)


def test_pages_that_nobody_keeps_are_all_in_the_report(site: Site) -> None:
    options = read_options({"base_url": "https://example.org/"}, where="test")
    pages = (Page(f"{number}/", excluded=Reason.HIDDEN) for number in range(100))
    assert len(build(pages, options, site.folder).excluded) == 100


def test_a_bad_value_is_left_out_with_a_warning_that_names_file_key_and_value(site: Site) -> None:
    source = site.folder / "a.md"
    report = site.build(site.page("a/", meta={"priority": "high"}, sources=[source]), lastmod=False)
    assert site.entries() == {"a/": {}}
    (warning,) = [m for m in report.messages() if m.level == logging.WARNING]
    assert str(source) in warning.text % warning.arguments
    assert "'priority' is 'high'" in warning.text % warning.arguments
    assert "0.0 to 1.0" in warning.text % warning.arguments
    assert "[bad-metadata]" in warning.text


def test_the_authors_date_beats_the_generators(site: Site) -> None:
    stated = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    site.build(
        site.page("a/", modified=stated, meta={"lastmod": "2023-01-02"}),
        site.page("b/", modified=stated),
        site.page("c/", modified=stated, meta={"lastmod": False}),
    )
    assert site.entries() == {
        "a/": {"lastmod": "2023-01-02"},
        "b/": {"lastmod": "2024-05-06T07:08:09Z"},
        "c/": {},
    }


def test_a_page_is_not_older_than_its_publication_unless_its_author_says_so(site: Site) -> None:
    modified, published = date(2024, 1, 1), datetime(2024, 6, 1, 12, tzinfo=UTC)
    far = datetime.now(UTC) + timedelta(days=9)
    site.build(
        site.page("a/", modified=modified, published=published),
        site.page("b/", modified=modified, published=published, meta={"lastmod": "2024-01-02"}),
        site.page("c/", modified=modified, published=far),
    )
    assert site.entries() == {
        "a/": {"lastmod": "2024-06-01T12:00:00Z"},
        "b/": {"lastmod": "2024-01-02"},
        "c/": {"lastmod": "2024-01-01"},
    }


def test_lm5_a_date_in_the_future_is_left_out_with_a_warning(site: Site) -> None:
    tomorrow = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%d}"
    report = site.build(
        site.page("a/", meta={"lastmod": tomorrow}),
        site.page("b/", meta={"lastmod": tomorrow}, modified=date(2024, 5, 1)),
    )
    assert site.entries() == {"a/": {}, "b/": {"lastmod": "2024-05-01"}}
    assert site.warnings(report) == ["future-date", "future-date"]


def test_a_listing_has_the_date_of_its_newest_member(site: Site) -> None:
    site.build(
        site.page("a/", modified=date(2024, 1, 1)),
        site.page("b/", modified=date(2024, 2, 2)),
        site.page("tag/", kind="listing", members=["a/", "b/", "tag/", "gone/"]),
    )
    assert site.entries()["tag/"] == {"lastmod": "2024-02-02"}


@pytest.mark.parametrize("meta", [{"sitemap": False}, {"robots": "noindex"}])
def test_a_member_counts_that_is_shown_but_not_listed(site: Site, meta: dict[str, Any]) -> None:
    report = site.build(
        site.page("a/", modified=date(2024, 1, 1)),
        site.page("b/", modified=date(2024, 3, 3), meta=meta),
        site.page("tag/", kind="listing", members=["a/", "b/"]),
    )
    assert site.entries() == {"a/": {"lastmod": "2024-01-01"}, "tag/": {"lastmod": "2024-03-03"}}
    assert not site.warnings(report)


def test_a_member_counts_that_is_shown_but_whose_head_forbids_indexing(site: Site) -> None:
    noindex = "<meta name=robots content=noindex>"
    site.build(
        site.page("a/", modified=date(2024, 1, 1)),
        site.page("b/", noindex, modified=date(2024, 3, 3)),
        site.page("tag/", kind="listing", members=["a/", "b/"]),
    )
    assert site.entries()["tag/"] == {"lastmod": "2024-03-03"}


def test_without_another_date_a_page_has_that_of_its_publication(site: Site) -> None:
    site.build(
        site.page("a/", published=date(2024, 1, 1)),
        site.page("b/", published=date(2024, 1, 1), modified=date(2024, 2, 2)),
        site.page("c/", published=date(2024, 3, 3), modified=date(2024, 2, 2)),
        site.page("d/", published=date(9999, 1, 1)),
    )
    days = {url: entry.get("lastmod") for url, entry in site.entries().items()}
    assert days == {"a/": "2024-01-01", "b/": "2024-02-02", "c/": "2024-03-03", "d/": None}


def test_a_listing_with_a_member_of_unknown_date_has_none(site: Site) -> None:
    site.build(
        site.page("a/", modified=date(2024, 1, 1)),
        site.page("b/"),
        site.page("tag/", kind="listing", members=["a/", "b/"]),
    )
    assert site.entries()["tag/"] == {}


def test_listings_that_list_each_other_end(site: Site) -> None:
    site.build(
        site.page("a/", kind="listing", members=["b/"]),
        site.page("b/", kind="listing", members=["a/"]),
    )
    assert site.entries() == {"a/": {}, "b/": {}}


def test_what_adapters_say_of_an_exclusion_is_in_the_report(site: Site) -> None:
    patterns = OtherPatterns("sieve", {"b": "b/".__eq__, "c": "c/".__eq__, "z": "z/".__eq__})
    options = read_options({"robots": False}, where="x", base_url="https://example.org/docs/")
    out = Page("b/", excluded=Reason.EXCLUDED_BY_OPTION, decided_by=patterns.deciding("b/"))
    one = Build(options, excludes=[patterns])
    one.add_all([Page("a/"), out, Page("c/", kind="generated")])
    report = one.write(site.folder)
    assert [each.decided_by for each in report.excluded] == ["sieve 'b'", ""]
    (told,) = [each for each in report.issues if each.rule.id == "unmatched-pattern"]
    assert (told.where, told.detail) == ("sieve", "It is 'z'.")
    texts = [each.text for each in report.messages(prefix="p: ", with_ids=False) if each.id]
    assert texts == ["p: %s: %s %s"] * len(report.issues)


def test_the_same_build_twice_touches_no_file(site: Site) -> None:
    pages = [site.page("a/"), site.page("b/")]
    first = site.build(*pages)
    written = {file: file.stat().st_mtime_ns for file in first.written}
    second = site.build(*reversed(pages))
    assert not second.written
    assert {file: file.stat().st_mtime_ns for file in second.unchanged} == written


@pytest.mark.parametrize(
    ("stated", "detail"),
    [
        (None, ""),
        (".", ""),
        ("example.org", "'example.org' is not an absolute http or https URL."),
        ("https://someone:secret@example.org/", "a URL on 'example.org' has credentials"),
        (["https://example.org/"], "['https://example.org/'] is not a URL."),
    ],
)
def test_without_a_base_url_nothing_is_written_and_the_generators_setting_is_named(
    site: Site, stated: object, detail: str
) -> None:
    settings = read_options({}, where="conf.py", base_setting="html_baseurl", base_url=stated)
    report = build([site.page("a/")], settings, site.folder)
    (issue,) = report.issues
    assert (issue.rule.id, issue.where, issue.severity) == (
        "no-base-url",
        "html_baseurl",
        "warning",
    )
    assert detail in issue.detail
    assert "secret" not in issue.detail
    assert len([*report.messages()]) == 1
    assert not [*site.folder.glob("sitemap*")]


def test_a_preview_without_a_base_url_doubts_no_line_of_the_last_build(site: Site) -> None:
    (site.folder / "robots.txt").write_text("Sitemap: https://tea.example/sitemap.xml\n")
    settings = read_options({}, where="x", base_setting="SITEURL", base_url="")
    issues = build([site.page("a/")], settings, site.folder).issues
    assert [each.rule.id for each in issues] == ["no-base-url"]


def test_the_summary_counts_and_names_the_file(site: Site) -> None:
    stated = site.page("a/", modified=date(2024, 5, 6))
    report = site.build(stated, site.page("b/", meta={"sitemap": False}))
    file = site.folder / "sitemap.xml"
    assert report.summary() == (
        f"1 page listed in {file}, 1 not listed (1 excluded); dates: 1 from the generator"
    )


def test_the_summary_of_a_split_sitemap_names_its_index(site: Site) -> None:
    pages = [site.page(f"s{n}/{n}/") for n in range(3)]
    assert f" in {site.folder / 'sitemap.xml'};" in site.build(*pages, max_urls=1).summary()


def test_a_build_that_is_dated_in_the_past_keeps_the_dates_since_then(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "315532800")  # 1980, as some environments set it
    report = site.build(site.page("a/", modified=date(2024, 5, 6)), site.page("b/"))
    assert site.entries()["a/"] == {"lastmod": "2024-05-06"}
    assert not site.warnings(report)


def says_of_versions(report: Report) -> list[str]:
    return [issue.detail for issue in report.issues if issue.rule.id == "canonical-version"]


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"MIKE_DOCS_VERSION": "1.0"}, ["In this version 2 do so."]),
        ({"MIKE_DOCS_VERSION": "docs"}, []),
        (
            {"READTHEDOCS_CANONICAL_URL": "https://example.org/1.0/"},
            ["In this version 2 do so."],
        ),
        ({"READTHEDOCS_CANONICAL_URL": "https://example.org/docs"}, []),
        (
            {
                "READTHEDOCS_CANONICAL_URL": "https://example--7.org/docs/",
                "READTHEDOCS_VERSION_TYPE": "external",
            },
            [],
        ),
        ({}, []),
    ],
)
def test_a_build_of_an_old_version_says_once_that_it_does_not_know_the_canonical_pages(
    site: Site, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], said: list[str]
) -> None:
    """The canonical version is in `docs`."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    report = site.build(site.page(""), site.page("a/"))
    assert says_of_versions(report) == said
    assert {issue.severity for issue in report.issues} <= {"note"}


def test_pages_of_a_version_that_name_another_one_as_canonical_are_counted(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://example.org/docs/")
    heads = [
        f'<link rel="canonical" href="https://example.org/{name}/">' for name in ("new", "docs")
    ]
    report = site.build(site.page(""), site.page("a/", heads[0]), site.page("b/", heads[1]))
    assert says_of_versions(report) == ["In this version 1 do so."]


def test_a_build_fails_without_dates_where_that_is_asked_for(site: Site) -> None:
    dated = site.page("a/", modified=date(2024, 5, 6))
    site.build(dated, fail_undated=True)
    sitemap = (site.folder / "sitemap.xml").read_bytes()
    undated = [site.page(f"n{number:02}/") for number in range(12)]
    meant = site.page("none/", meta={"sitemap": {"lastmod": False}})
    left_out = site.page("out/", meta={"sitemap": False})
    with pytest.raises(UndatedError) as error:
        site.build(dated, *undated, meant, left_out, fail_undated=True)
    lines = str(error.value).splitlines()
    assert lines[0] == "12 pages have no date, which the option `fail_undated` forbids."
    assert lines[1].startswith("  n00/: metadata: it states none; generator: the generator ")
    assert [line for line in lines if "more" in line] == ["  and 2 more"]
    assert not [line for line in lines if "none/" in line or "out/" in line or " a/" in line]
    assert "`lastmod: false` says that a page has none" in lines[-1]
    assert (site.folder / "sitemap.xml").read_bytes() == sitemap


def test_where_all_dates_are_off_on_purpose_a_build_that_needs_them_fails(site: Site) -> None:
    with pytest.raises(UndatedError, match=r"1 page has no date.*\n.*names no source of dates"):
        site.build(site.page("a/"), fail_undated=True, lastmod=False)
    report = site.build(site.page("a/", meta={"lastmod": False}), fail_undated=True)
    assert len(report.listed) == 1


def test_the_summary_counts_pages_without_a_date(site: Site) -> None:
    pages = [site.page("a/", modified=date(2024, 5, 6)), site.page("b/"), site.page("c/")]
    dates = site.build(*pages).summary().partition("; ")[2]
    assert dates == "dates: 1 from the generator; 2 without a date"
    dates = site.build(*pages, site.page("l/", members=["a/"])).summary().partition("; ")[2]
    assert dates == "dates: 1 from the generator, 1 from listed pages; 2 without a date"


def test_a_build_makes_its_entries_once_so_that_no_page_is_reported_twice(site: Site) -> None:
    options = read_options({}, where="test", base_url="https://example.org/docs/")
    one = Build(options)
    one.add_all([site.page("a/"), site.page("b/", meta={"sitemap": False})])
    assert [entry.loc for entry in one.entries()] == ["https://example.org/docs/a/"]
    with pytest.raises(RuntimeError, match="entries"):
        one.write(site.folder)
    assert [each.url for each in one.report.excluded] == ["b/"]


def test_of_a_page_that_another_replaces_nothing_is_remarked(site: Site) -> None:
    options = read_options({}, where="test", base_url="https://example.org/docs/")
    one = Build(options)
    first, last = site.page("a/", meta={"robots": "noindex"}), site.page("a/")
    one.add_all([first, last])
    report = one.write(site.folder)
    assert [entry.loc for entry in report.listed] == ["https://example.org/docs/a/"]
    assert "noindex-not-rendered" not in [issue.rule.id for issue in report.issues]
