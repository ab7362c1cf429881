"""The ledger: dates move exactly where the text did."""

from __future__ import annotations

import json
import re
from datetime import date
from multiprocessing import get_context
from pathlib import Path

import pytest
from docutils.core import publish_parts
from docutils.writers.html5_polyglot import Writer

from sitemapkit import OptionError, Part, dates
from sitemapkit_extras.content import main_content
from sitemapkit_extras.ledger import read_ledger
from textdates.parts import Shown

from .conftest import Site

BASE = "https://example.org/docs/"
MONDAY, TUESDAY, WEDNESDAY = "1715000000", "1715086400", "1715172800"  # from 2024-05-06 on


@pytest.fixture(autouse=True)
def on_monday(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", MONDAY)


class Diary:
    """A site that is built once on Monday, and again on Tuesday with other content."""

    def __init__(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        self.site, self._monkeypatch = site, monkeypatch
        self.file = site.folder / "ledger.txt"

    def build(self, **contents: str) -> dict[str, str]:
        pages = [self.site.page(f"{name}/", content=content) for name, content in contents.items()]
        self.site.build(*pages, ledger=str(self.file))
        return {url: said.get("lastmod", "-") for url, said in self.site.entries().items()}

    def on_tuesday(self, **contents: str) -> dict[str, str]:
        self._monkeypatch.setenv("SOURCE_DATE_EPOCH", TUESDAY)
        return self.build(**contents)


@pytest.fixture
def diary(site: Site, monkeypatch: pytest.MonkeyPatch) -> Diary:
    diary = Diary(site, monkeypatch)
    diary.build(home="<p>Welcome</p>")
    return diary


def test_what_was_there_before_the_ledger_has_no_date(diary: Diary) -> None:
    assert diary.build(home="<p>Welcome</p>") == {"home/": "-"}


def test_a_page_that_appears_is_dated_by_the_day_of_the_build(diary: Diary) -> None:
    assert diary.build(home="<p>Welcome</p>", new="<p>New</p>") == {
        "home/": "-",
        "new/": "2024-05-06",
    }


def test_unchanged_text_keeps_its_date(diary: Diary) -> None:
    diary.build(home="<p>Welcome</p>", new="<p>New</p>")
    later = diary.on_tuesday(
        home="<p>Welcome</p>", new="<p class='x'>\n  New\n</p><script>1</script>"
    )
    assert later == {"home/": "-", "new/": "2024-05-06"}


def test_changed_text_is_dated_by_the_day_of_the_build(diary: Diary) -> None:
    assert diary.on_tuesday(home="<p>Welcome back</p>") == {"home/": "2024-05-07"}


def test_a_page_that_moves_keeps_its_date(diary: Diary) -> None:
    diary.build(home="<p>Welcome</p>", new="<p>New</p>")
    assert diary.on_tuesday(home="<p>Welcome</p>", moved="<p>New</p>")["moved/"] == "2024-05-06"


def test_a_copy_of_a_page_that_stays_is_a_new_page(diary: Diary) -> None:
    diary.build(home="<p>Welcome</p>", new="<p>New</p>")
    later = diary.on_tuesday(home="<p>Welcome</p>", new="<p>New</p>", copy="<p>New</p>")
    assert (later["new/"], later["copy/"]) == ("2024-05-06", "2024-05-07")


def test_a_text_that_two_pages_had_before_they_went_dates_no_page(diary: Diary) -> None:
    diary.build(home="<p>Welcome</p>", one="<p>New</p>", two="<p>New</p>")
    later = diary.on_tuesday(home="<p>Welcome</p>", three="<p>New</p>")
    assert later["three/"] == "2024-05-07"


def test_a_list_that_changed_after_its_members_has_the_day_that_the_ledger_saw(
    diary: Diary, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(shown: str) -> str | None:
        pages = [
            site.page("a/", content="<p>A</p>", modified=date(2024, 5, 1)),
            site.page("list/", content=shown, kind="listing", members=("a/",)),
        ]
        order = ["generator", "members", "ledger"]
        site.build(*pages, ledger=str(diary.file), lastmod=order)
        return site.entries()["list/"].get("lastmod")

    build("<p>One</p>")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TUESDAY)
    build("<p>Two</p>")
    assert build("<p>Three</p>") == "2024-05-07"


SHOWN = (
    ("<p>Set up</p>", "<p>Setup</p>"),
    ("<p>A</p><pre>a\n  b</pre>", "<p>A</p><pre>a\nb</pre>"),
    ("<a href='https://a.example/x/'>A</a>", "<a href='https://b.example/x/'>A</a>"),
    ("<a href='../tea/'>A</a>", "<a href='../water/'>A</a>"),
    ("<img src='a.png'>", "<img src='b.png'>"),
    ("<p>A cup at 0.1 litres</p>", "<p>A cup at 0.2 litres</p>"),
    ("<pre>mask = 0x7f6f12ab34</pre>", "<pre>mask = 0x7f6fffff34</pre>"),
    ("<pre>CPU times: 1 ms\n7</pre>", "<pre>CPU times: 1 ms\n8</pre>"),
    (
        "<iframe src='https://video.example/embed/1'>",
        "<iframe src='https://video.example/embed/2'>",
    ),
)
SAME = (
    ("<p>A</p><p>B</p>", "<p>A</p>\n<p>B</p>"),
    ("<p>A <b>B</b> C</p>", "<p><span>A</span>\nB C</p>"),
    ("<pre>a\n  b</pre>", "<pre><span></span>\na  \r\n  <b>b</b>\n\n</pre>"),
    ("<a href='https://a.example/x/'>A</a>", "<a href='http://a.example/x'>A</a>"),
    ("<a href='../tea/'>A</a>", "<a href='https://example.org/docs/drinks/tea.html#green'>A</a>"),
    ("<a href='http://example.org/docs/tea/'>A</a>", "<a href='../tea/'>A</a>"),
    ("<a href='./'>A</a>", "<a href='../index.html'>A</a>"),
    ("<img src='a.png'>", "<img src='../../images/a.png?1' alt='B'>"),
    ("<p>A</p>", "<p>A<a class='headerlink' href='#a'>P</a></p>"),
    ("A", "A<a href='code.html#L1'><span class='viewcode-link'>[source]</span></a>"),
    ("<a href='https://a.example/x' title='(in Tea v1)'>A</a>", "A"),
    (
        "<pre>&lt;Pot object at 0x7f6f12ab34&gt;</pre>",
        "<pre>&lt;Pot object at 0x7f6fffff34&gt;</pre>",
    ),
    ("<p>A Pot at 0x55d0.</p>", "<p>A Pot at 0x55e1.</p>"),
    (
        "<p class='sphx-glr-timing'>Total running time of the script: (0 minutes 0.1 seconds)</p>",
        "<p class='sphx-glr-timing'>Total running time of the script: (1 minutes 0.2 seconds)</p>",
    ),
    (
        "<p><strong>Estimated memory usage:</strong>  9 MB</p>",
        "<p><strong>Estimated memory usage:</strong>  10 MB</p>",
    ),
    (
        "<pre>CPU times: user 1.2 ms, sys: 3 us\nWall time: 4.5 ms\n7</pre>",
        "<pre>CPU times: user 2.3 ms, sys: 1 us\nWall time: 3 s\n7</pre>",
    ),
    (
        "<pre>2.1 \u00b5s ± 52.9 ns per loop (mean ± std. dev. of 7 runs, 100000 loops each)</pre>",
        "<pre>3 ms ± 1.9 us per loop (mean ± std. dev. of 7 runs, 1000 loops each)</pre>",
    ),
)
"""Two contents each, of which readers see different things, and the same."""


@pytest.mark.parametrize(("before", "after"), SHOWN)
def test_what_readers_see_counts(diary: Diary, before: str, after: str) -> None:
    diary.build(home=before)
    assert diary.on_tuesday(home=after) == {"home/": "2024-05-07"}


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_readers_do_not_see_does_not_count(diary: Diary, before: str, after: str) -> None:
    diary.file.unlink()
    diary.build(home=before)
    assert diary.on_tuesday(home=after) == {"home/": "-"}


def test_digests_of_an_older_version_are_replaced_and_no_date_moves(diary: Diary) -> None:
    diary.build(home="<p>Welcome</p>", new="<p>New</p>")
    old = re.sub(r" \d(\w{16})$", r" 1\1", diary.file.read_text(), flags=re.MULTILINE)
    diary.file.write_text(old)
    later = diary.on_tuesday(home="<p>Welcome</p>", new="<p>Changed</p>")
    assert later == {"home/": "-", "new/": "2024-05-06"}
    assert diary.on_tuesday(home="<p>Welcome</p>", new="<p>New</p>")["new/"] == "2024-05-07"


def test_the_file_has_one_sorted_line_a_page(diary: Diary) -> None:
    diary.build(home="<p>Welcome</p>", **{"a & b": "<p>New</p>"})
    header, first, second = diary.file.read_text().splitlines()
    assert header.startswith("# sitemapkit ledger")
    assert first.startswith("/a%20&%20b/ 2024-05-06 ")
    assert second.startswith("/home/ - ")


def test_the_same_build_leaves_the_file_alone(diary: Diary) -> None:
    before = diary.file.stat()
    diary.on_tuesday(home="<p>Welcome</p>")
    after = diary.file.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize("sources", [False, ["git"]])
def test_a_build_that_does_not_ask_the_ledger_leaves_it_alone(
    site: Site, diary: Diary, sources: object
) -> None:
    before = diary.file.read_text()
    site.build(
        site.page("home/", content="<p>Changed</p>"), ledger=str(diary.file), lastmod=sources
    )
    assert diary.file.read_text() == before


def test_a_damaged_line_costs_only_its_page(diary: Diary) -> None:
    diary.build(home="<p>Welcome</p>", a="<p>A</p>", b="<p>B</p>")
    diary.file.write_text(diary.file.read_text().replace("/a/ 2024-05-06", "/a/ 2024-05-6x"))
    later = diary.on_tuesday(home="<p>Welcome</p>", a="<p>A</p>", b="<p>B</p>")
    assert later == {"home/": "-", "a/": "2024-05-07", "b/": "2024-05-06"}


def test_a_damaged_line_is_reported_by_number(site: Site) -> None:
    ledger = site.folder / "ledger.txt"
    site.build(site.page("a/", content="A"), ledger=str(ledger))
    ledger.write_text(ledger.read_text() + "<<<<<<< HEAD\n")
    report = site.build(site.page("a/", content="A"), ledger=str(ledger))
    (issue,) = [p for p in report.issues if p.rule.id == "ledger-line"]
    assert issue.where == f"{ledger}:3"


def test_after_a_merge_the_line_that_fits_the_page_counts(diary: Diary) -> None:
    diary.build(home="<p>Welcome</p>", a="<p>ours</p>")
    ours = diary.file.read_text()
    diary.on_tuesday(home="<p>Welcome</p>", a="<p>theirs</p>")
    theirs = [line for line in diary.file.read_text().splitlines() if line.startswith("/a/")]
    diary.file.write_text(ours + "\n".join(theirs) + "\n")
    assert diary.on_tuesday(home="<p>Welcome</p>", a="<p>ours</p>")["a/"] == "2024-05-06"


def test_a_file_that_is_no_ledger_is_not_overwritten(site: Site) -> None:
    notes = site.folder / "notes.txt"
    notes.write_text("Do not lose me.\n")
    with pytest.raises(OptionError, match=r"notes\.txt is not a sitemapkit ledger"):
        site.build(site.page("a/"), ledger=str(notes))
    assert notes.read_text() == "Do not lose me.\n"


def _build_often(folder: Path, ledger: Path) -> None:
    site = Site(folder)
    for number in range(20):
        pages = [site.page(f"{page}/", content=f"{page} {number}") for page in range(50)]
        site.build(*pages, ledger=str(ledger))


@pytest.mark.slow
def test_builds_that_race_each_other_leave_a_whole_ledger(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.txt"
    processes = get_context("spawn")
    racers = [
        processes.Process(target=_build_often, args=(tmp_path / name, ledger)) for name in "ab"
    ]
    for racer in racers:
        racer.start()
    seen = set[int]()
    while any(racer.is_alive() for racer in racers):
        found = read_ledger(ledger)
        seen.add(len(found.lines))
        assert not found.damaged
    assert [racer.exitcode for racer in racers] == [0, 0]
    assert seen <= {0, 50}
    assert len(read_ledger(ledger).lines) == 50
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "ledger.txt"]


def test_the_title_counts_and_the_theme_does_not(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = str(site.folder / "ledger.txt")

    def dates(theme: str, title: str) -> dict[str, dict[str, str]]:
        (site.folder / "a.html").write_text(f"<body><nav>{theme}</nav><main>Text</main>{theme}")
        page = site.page("b.html", title=title)
        page.output = site.folder / "a.html"
        site.build(page, ledger=ledger)
        return site.entries()

    dates("old theme", "Title")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TUESDAY)
    assert dates("new theme", "Title") == {"b.html": {}}
    assert dates("new theme", "Other title") == {"b.html": {"lastmod": "2024-05-07"}}


def test_of_a_rendered_list_of_articles_all_count(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = str(site.folder / "ledger.txt")

    def dates(*articles: str) -> dict[str, dict[str, str]]:
        page = site.page("b.html")
        shown = "".join(f"<li><article>{each}<article>No</article></article>" for each in articles)
        (site.folder / "b.html").write_text(f"<body>Theme<main><ol>{shown}</ol></main>")
        site.build(page, ledger=ledger)
        return site.entries()

    dates("A", "B")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TUESDAY)
    assert dates("A", "B") == {"b.html": {}}
    assert dates("A", "C") == {"b.html": {"lastmod": "2024-05-07"}}


def test_an_article_in_an_aside_is_content_and_other_asides_are_not(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = str(site.folder / "ledger.txt")

    def dates(aside: str, theme: str) -> dict[str, dict[str, str]]:
        page = site.page("b.html")
        (site.folder / "b.html").write_text(f"<body><aside>{aside}</aside>{theme}<p>Text</body>")
        site.build(page, ledger=ledger)
        return site.entries()

    dates("Old", "Old")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TUESDAY)
    assert dates("New", "Old") == {"b.html": {}}
    dates("<article>Old</article>", "Old")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", WEDNESDAY)
    assert dates("<article>Old</article>", "New") == {"b.html": {"lastmod": "2024-05-07"}}
    assert dates("<article>New</article>", "New") == {"b.html": {"lastmod": "2024-05-08"}}


@pytest.mark.parametrize(
    "attributes",
    [
        'class="starlight-aside starlight-aside--note" aria-label="Note"',
        'class="myst-admonition myst-admonition-note my-5"',
        'class="myst-exercise my-5"',
        'role="note"',
    ],
)
def test_notes_of_generators_are_content(attributes: str) -> None:
    html = f"<main><p>Tea</p><aside {attributes}><p>Cold.</p></aside><aside>Menu</aside></main>"
    content = main_content(html)
    assert content
    assert content.text() == "TeaCold."


@pytest.mark.parametrize(
    "markup",
    [
        "Tea [#]_\n\n.. [#] TEXT",
        ".. topic:: Tea\n\n   TEXT",
        ".. sidebar:: Tea\n\n   TEXT",
        ".. note:: TEXT",
    ],
)
def test_what_docutils_writes_as_an_aside_is_content(
    site: Site, monkeypatch: pytest.MonkeyPatch, markup: str
) -> None:
    ledger = str(site.folder / "ledger.txt")

    def dates(text: str) -> dict[str, dict[str, str]]:
        page = site.page("b.html")
        shown = publish_parts(markup.replace("TEXT", text), writer=Writer()).get("html_body")
        (site.folder / "b.html").write_text(f"<body>{shown}</body>")
        site.build(page, ledger=ledger)
        return site.entries()

    dates("Old")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TUESDAY)
    assert dates("Old") == {"b.html": {}}
    assert dates("New") == {"b.html": {"lastmod": "2024-05-07"}}


def test_a_listing_changes_with_what_it_lists_and_not_with_how_the_theme_shows_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = str(site.folder / "ledger.txt")

    def listing(members: dict[str, str], theme: str) -> str:
        pages = [site.page(f"{name}/", content=text) for name, text in members.items()]
        page = site.page("tag/", kind="listing", members=[each.url for each in pages])
        assert page.output
        Path(page.output).write_text(f"<main>{theme} {', '.join(members)}</main>")
        site.build(page, *pages, ledger=ledger, lastmod=["ledger"])
        return site.entries()["tag/"].get("lastmod", "-")

    assert listing({"a": "A", "b": "B"}, "Titles:") == "-"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TUESDAY)
    assert listing({"a": "A", "b": "B"}, "Summaries:") == "-"
    assert listing({"a": "A"}, "Summaries:") == "2024-05-07"


def test_a_listing_changes_with_the_parts_of_texts_that_it_shows(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = str(site.folder / "ledger.txt")

    def listing(texts: dict[str, str], days: int) -> str:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(TUESDAY) + days * 86_400))
        for name, text in texts.items():
            (site.folder / name).write_text(text)
        parts = [Part(site.folder / name, Shown(("tags",))) for name in texts]
        page = site.page("tag/", kind="listing", included=parts, content="Posts")
        assert page.output
        Path(page.output).write_text(f"<main>Posts {days}</main>")
        site.build(page, ledger=ledger, lastmod=["ledger"])
        return site.entries()["tag/"].get("lastmod", "-")

    a, b = "---\ntags: [x]\n---\n# A\n\nText.\n", "# B\n"
    assert listing({"a.md": a, "b.md": b}, 0) == "-"
    assert listing({"a.md": f"{a}More.", "b.md": b}, 1) == "-"
    assert listing({"a.md": a.replace("x", "y"), "b.md": b}, 2) == "2024-05-09"
    assert listing({"a.md": a.replace("x", "y")}, 3) == "2024-05-10"
    assert listing({"a.md": "no title"}, 4) == "2024-05-11"
    assert listing({"a.md": "no other title"}, 5) == "2024-05-12"
    assert listing({"a.md": "no other title"}, 6) == "2024-05-12"


def test_a_listing_may_show_a_file_that_is_gone(site: Site) -> None:
    gone = Part(site.folder / "gone.md", Shown(("tags",)))
    page = site.page("tag/", kind="listing", included=[gone], content="Posts")
    site.build(page, ledger=str(site.folder / "ledger.txt"))
    assert "tag/" in site.entries()


def test_a_member_that_is_not_listed_has_not_the_date_of_the_home_page(site: Site) -> None:
    ledger = site.folder / "ledger.txt"
    home = site.page("", content="Home")
    site.build(home, ledger=str(ledger))
    ledger.write_text(ledger.read_text().replace("/ - ", "/ 2021-01-01 "))
    hidden = site.page("hidden/", meta={"sitemap": False})
    listing = site.page("tag/", kind="listing", members=["hidden/"])
    site.build(home, hidden, listing, ledger=str(ledger))
    assert site.entries() == {"": {"lastmod": "2021-01-01"}, "tag/": {"lastmod": "2024-05-06"}}


def test_the_authors_date_beats_the_ledger(site: Site) -> None:
    page = site.page("a/", content="A", meta={"lastmod": "2020-01-01"})
    site.build(page, ledger=str(site.folder / "ledger.txt"))
    assert site.entries() == {"a/": {"lastmod": "2020-01-01"}}


def test_the_report_says_where_each_date_comes_from_and_why_not_from_elsewhere(
    site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "report.json"
    site.build(
        site.page("a/", meta={"lastmod": "2020-01-01"}),
        site.page("b/", sources=[tmp_path / "b.md"]),
        report=str(file),
    )
    dates = json.loads(file.read_text())["dates"]
    assert dates["https://example.org/docs/a/"] == {
        "value": "2020-01-01",
        "source": "metadata",
        "skipped": [],
    }
    why = dict(dates["https://example.org/docs/b/"]["skipped"])
    assert why["metadata"] == "it states none"
    assert "outside any repository" in why["git"]


# Clocks that are wrong


def test_a_clock_that_was_ahead_costs_a_date_until_the_text_changes(
    diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "2524651200")
    assert diary.build(home="<p>Welcome back</p>") == {"home/": "2050-01-01"}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", MONDAY)
    assert diary.build(home="<p>Welcome back</p>") == {"home/": "-"}
    assert diary.on_tuesday(home="<p>Once more</p>") == {"home/": "2024-05-07"}


def test_a_clock_that_is_set_back_dates_only_what_changes(
    diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    diary.on_tuesday(home="<p>Welcome</p>", new="<p>New</p>")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", MONDAY)
    later = diary.build(home="<p>Welcome back</p>", new="<p>New</p>")
    assert later == {"home/": "2024-05-06", "new/": "2024-05-07"}


@pytest.mark.parametrize("epoch", ["-1", "1e9", "9" * 30, "", " ", "253402300800"])
def test_a_clock_that_tells_nonsense_is_not_asked(
    diary: Diary, monkeypatch: pytest.MonkeyPatch, epoch: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    (day,) = diary.build(home="<p>Welcome back</p>").values()
    assert day == "-" or date(1969, 12, 31) <= date.fromisoformat(day) <= dates.now().date()


def test_a_clock_that_is_set_back_erases_no_date(diary: Diary) -> None:
    texts = {"home": "<p>Welcome</p>", "old": "<p>Old</p>"}
    diary.build(**texts)
    kept = diary.file.read_text().replace("/old/ 2024-05-06", "/old/ 2050-01-01")
    diary.file.write_text(kept)
    assert diary.on_tuesday(**texts) == {"home/": "-", "old/": "-"}
    assert diary.file.read_text() == kept
