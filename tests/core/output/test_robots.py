"""The Sitemap line in robots.txt, and not a byte of the user's lost."""

from __future__ import annotations

import urllib.robotparser
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from sitemapkit import dates
from sitemapkit.model import Entry
from sitemapkit.output.robots import _with_lines  # pyright: ignore[reportPrivateUsage]

from .conftest import BASE, issues

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapkit.report import Report

    from .conftest import Output

URL = f"{BASE}sitemap.xml"
RULES = b"# Ours\nUser-agent: *\nDisallow: /private/\n"
COMMENT = b"# sitemapkit: sitemap.xml"
OURS = b"\n# sitemapkit: sitemap.xml\nSitemap: https://example.org/sitemap.xml\n"
NEW = b"User-agent: *\nAllow: /\n\n# sitemapkit: sitemap.xml\nSitemap: https://example.org/sitemap.xml\n"
BELOW = "https://example.org/proj/"


@pytest.fixture(autouse=True)
def _not_on_read_the_docs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("READTHEDOCS", raising=False)


def with_lines(content: bytes, *urls: bytes) -> bytes:
    return _with_lines(content, urls, COMMENT)


def infos(report: Report) -> list[str]:
    return [issue.rule.id for issue in report.issues if issue.severity == "note"]


def robots_after(output: Output, before: bytes, **options: object) -> bytes:
    (output.folder / "robots.txt").write_bytes(before)
    output.write("a/", **{"robots": "auto", **options})
    return output.bytes("robots.txt")


# The four modes


def test_rb5_rb8_auto_writes_a_file_that_allows_everything(output: Output) -> None:
    report = output.write("a/", robots="auto")
    assert output.bytes("robots.txt") == NEW
    assert report.issues == []


@pytest.mark.parametrize("mode", ["auto", "append", "write"])
def test_an_existing_file_gets_the_line_at_its_end_once(output: Output, mode: str) -> None:
    (output.folder / "robots.txt").write_bytes(RULES)
    for _ in range(3):
        output.write("a/", robots=mode)
        assert output.bytes("robots.txt") == RULES + OURS


@pytest.mark.parametrize(
    "line",
    [
        b"Sitemap: http://localhost:3000/sitemap.xml\n",  # MyST
        b"Sitemap: /sitemap.xml\r\n",  # Jekyll without `url`
        b"sitemap :sitemap.xml # ours\n",
        b"\xef\xbb\xbfSITEMAP: http://127.0.0.1:8000/sitemap.xml\n",
    ],
)
def test_a_line_for_the_same_file_on_no_public_host_is_replaced(
    output: Output, line: bytes
) -> None:
    after = robots_after(output, line + RULES)
    assert after == RULES + OURS
    assert robots_after(output, after + line) == RULES + OURS


@pytest.mark.parametrize(
    "line",
    [
        b"Sitemap: /other.xml\n",
        b"Sitemap: https://example.net/sitemap.xml\n",
        b"Sitemap: http://[\n",
    ],
)
def test_lines_for_other_files_are_kept(output: Output, line: bytes) -> None:
    assert robots_after(output, line + RULES) == line + RULES + OURS


def test_a_line_of_ours_without_a_gap_takes_no_part_of_a_line_end_along(output: Output) -> None:
    theirs = b"User-agent: *\r\n", b"Sitemap: " + URL.encode() + b"\r\n"
    ours = b"# sitemapkit: sitemap.xml\r\nSitemap: https://example.org/old.xml\r\n"
    assert robots_after(output, ours.join(theirs)) == b"".join(theirs)


def test_append_makes_no_file_and_says_so(output: Output) -> None:
    (issue,) = output.write("a/", robots="append").issues
    assert output.names() == ["sitemap.xml"]
    told = (issue.rule.id, issue.severity, issue.where)
    assert told == ("robots-missing", "note", str(output.folder / "robots.txt"))


def test_false_touches_nothing(output: Output) -> None:
    assert robots_after(output, RULES, robots=False) == RULES


@pytest.mark.parametrize(("mode", "written"), [("auto", False), ("append", False), ("write", True)])
def test_rb6_below_the_root_a_file_is_written_only_when_asked_for(
    output: Output, mode: str, written: bool
) -> None:
    report = output.write(_page(BELOW), base_url=BELOW, robots=mode)
    assert ("robots.txt" in output.names()) == written
    assert infos(report) == {"auto": ["robots-not-at-root"], "append": ["robots-missing"]}.get(
        mode, []
    )


def test_below_the_root_an_existing_file_gets_the_line_and_the_user_the_cure(
    output: Output,
) -> None:
    (output.folder / "robots.txt").write_bytes(RULES)
    report = output.write(_page(BELOW), base_url=BELOW, robots="auto")
    assert output.bytes("robots.txt").endswith(b"Sitemap: https://example.org/proj/sitemap.xml\n")
    [info] = report.issues
    assert (info.rule.id, info.severity) == ("robots-not-at-root", "note")
    assert info.where == "https://example.org/robots.txt"
    assert info.detail == "Needed: `Sitemap: https://example.org/proj/sitemap.xml`."


def test_below_the_root_each_sitemap_has_a_line_to_be_added(output: Output) -> None:
    news = {"name": "Tea", "language": "en", "match": "a/"}
    page = Entry(f"{BELOW}a/", dates.now())
    report = output.write(page, base_url=BELOW, robots="auto", news=news)
    (line,) = [issue.detail for issue in report.issues if issue.rule.id == "robots-not-at-root"]
    assert line == f"Needed: `Sitemap: {BELOW}sitemap.xml` and `Sitemap: {BELOW}sitemap-news.xml`."


@pytest.mark.parametrize("base", [BASE, "https://example.org/en/latest/"])
def test_on_read_the_docs_no_file_is_written_and_nothing_is_to_be_done(
    output: Output, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("READTHEDOCS", "True")
    report = output.write(_page(base), base_url=base, robots="auto")
    assert output.names() == ["sitemap.xml"]
    assert infos(report) == []


def test_a_version_of_mike_says_nothing_of_the_robots_txt_of_all(
    output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIKE_DOCS_VERSION", "1.0")
    report = output.write(_page(BELOW), base_url=BELOW, robots="auto")
    assert output.names() == ["sitemap.xml"]
    assert infos(report) == []


@pytest.mark.parametrize("change", ["below the root", "Read the Docs", "no page"])
@pytest.mark.parametrize("mode", ["auto", "append", "write"])
@pytest.mark.parametrize("rules", [b"User-agent: *\nAllow: /\n", b"# mine\n", b""])
def test_a_file_that_is_there_is_never_removed_whoever_made_it(
    output: Output, change: str, mode: str, rules: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (output.folder / "robots.txt").write_bytes(rules)
    output.write("a/", robots=mode)
    if change == "Read the Docs":
        monkeypatch.setenv("READTHEDOCS", "True")
    base = BELOW if change == "below the root" else BASE
    output.write(*([] if change == "no page" else [_page(base)]), base_url=base, robots=mode)
    lines = OURS.replace(BASE.encode(), base.encode()).removeprefix(b"" if rules else b"\n")
    assert output.bytes("robots.txt") == rules + lines


def test_on_read_the_docs_an_existing_file_gets_the_line_without_a_note(
    output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("READTHEDOCS", "True")
    base = "https://example.org/en/latest/"
    (output.folder / "robots.txt").write_bytes(RULES)
    report = output.write(_page(base), base_url=base, robots="auto")
    assert b"Sitemap: https://example.org/en/latest/sitemap.xml\n" in output.bytes("robots.txt")
    assert report.issues == []


# What the line names


def test_the_line_names_the_index_alone(output: Output) -> None:
    output.write("a/1/", "b/1/", max_urls=1, formats=["xml", "gz", "txt"], robots="auto")
    assert output.bytes("robots.txt") == NEW


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"formats": ["gz"]}, b"sitemap.xml.gz"),
        ({"formats": ["txt", "gz"]}, b"sitemap.xml.gz"),
        ({"formats": ["txt"], "max_urls": 1}, b"sitemap.txt.xml"),
        ({"filename": "s\u00fc\u00df.xml"}, b"s%C3%BC%C3%9F.xml"),
        ({"filename": "s\u00fc.xml", "url_encoding": "latin-1"}, b"s%FC.xml"),
        ({"filename": "maps/s.xml"}, b"maps/s.xml"),
    ],
)
def test_the_line_names_the_file_to_start_from(
    output: Output, options: dict[str, object], name: bytes
) -> None:
    output.write("a/1/", "b/1/", robots="auto", **options)
    assert output.bytes("robots.txt").endswith(b"Sitemap: https://example.org/" + name + b"\n")


def test_a_new_base_url_changes_our_line_where_it_stands(output: Output) -> None:
    before = RULES + OURS + b"\nUser-agent: later\nDisallow: /\n"
    (output.folder / "robots.txt").write_bytes(before)
    base = "https://www.example.org/"
    output.write(_page(base), base_url=base, robots="auto")
    assert output.bytes("robots.txt") == before.replace(b"https://example", b"https://www.example")


@pytest.mark.parametrize(
    "line",
    [
        b"Sitemap: https://example.org/sitemap.xml\n",
        b"sitemap:https://example.org/sitemap.xml",
        b"  SITEMAP :  https://example.org/sitemap.xml  # the map\r\n",
        b"Site-map: https://example.org/sitemap.xml\r",
        b"\xef\xbb\xbfSitemap: https://example.org/sitemap.xml\n",
    ],
)
def test_a_file_that_names_it_already_stays_as_it_is(output: Output, line: bytes) -> None:
    for before in (line, line + b"\nUser-agent: *\n"):
        assert robots_after(output, before) == before


@pytest.mark.parametrize(
    "line",
    [
        b"Sitemap: https://example.org/Sitemap.xml\n",
        b"Sitemap: https://example.org/sitemap.xml.gz\n",
        b"# Sitemap: https://example.org/sitemap.xml\n",
        b"Disallow: https://example.org/sitemap.xml\n",
    ],
)
def test_a_line_that_is_not_it_does_not_count(output: Output, line: bytes) -> None:
    assert robots_after(output, line) == line + OURS


def test_our_line_goes_when_the_user_writes_it(output: Output) -> None:
    theirs = b"Sitemap: https://example.org/sitemap.xml\n" + RULES
    assert robots_after(output, theirs + OURS) == theirs


@pytest.mark.parametrize(
    "comment", [b"# sitemapkit", b"# sitemapkit: news.xml", b"# sitemapkit: sitemap.xml of mine"]
)
def test_a_line_of_the_user_below_a_comment_about_us_stays(output: Output, comment: bytes) -> None:
    before = RULES + comment + b"\nSitemap: https://example.org/mine.xml\n"
    assert robots_after(output, before) == before + OURS


def test_two_sitemaps_in_one_output_have_a_line_each(output: Output) -> None:
    for _ in range(2):
        output.write("a/", robots="auto")
        output.write("a/", robots="auto", filename="maps/sitemap.xml")
    robots = output.bytes("robots.txt")
    assert robots.count(b"\nSitemap: ") == 2
    assert b"# sitemapkit: sitemap.xml\nSitemap: https://example.org/sitemap.xml\n" in robots
    assert b"# sitemapkit: maps/sitemap.xml\nSitemap: https://example.org/maps/sitemap" in robots
    output.write(filename="maps/sitemap.xml", robots="auto")
    assert output.bytes("robots.txt") == robots  # a build without pages changes nothing


def test_a_line_of_the_user_right_below_ours_stays(output: Output) -> None:
    before = RULES + OURS + b"Sitemap: https://example.org/news.xml\n"
    assert robots_after(output, before) == before


# Bytes


@pytest.mark.parametrize(
    ("before", "added"),
    [
        (b"", OURS[1:]),
        (b"User-agent: *", b"\n" + OURS),
        (b"User-agent: *\n", OURS),
        (b"User-agent: *\n\n", OURS),
        (b"User-agent: *\r\nDisallow:\r\n", OURS.replace(b"\n", b"\r\n")),
        (b"User-agent: *\r\nDisallow:", b"\r\n" + OURS.replace(b"\n", b"\r\n")),
        (b"User-agent: *\rDisallow:\r", OURS.replace(b"\n", b"\r")),
        (b"\xef\xbb\xbfUser-agent: *\n", OURS),
        (b"# caf\xe9 in Latin-1\n", OURS),
        (b"Content-Signal: ai-train=no\nHost: x\nNoindex: /a\n", OURS),
    ],
)
def test_rb4_bytes_line_ends_and_unknown_lines_stay(
    output: Output, before: bytes, added: bytes
) -> None:
    assert robots_after(output, before) == before + added


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_utf_16_is_left_alone_with_a_warning(output: Output, mark: bytes) -> None:
    encoding = "utf-16-le" if mark == b"\xff\xfe" else "utf-16-be"
    before = mark + "User-agent: *\n".encode(encoding)
    (output.folder / "robots.txt").write_bytes(before)
    report = output.write("a/", robots="auto")
    assert output.bytes("robots.txt") == before
    assert issues(report) == ["robots-encoding"]


def test_a_file_that_crawlers_do_not_read_to_its_end_gets_a_warning(output: Output) -> None:
    (output.folder / "robots.txt").write_bytes(b"# x\n" * 130_000)
    (issue,) = output.write("a/", robots="auto").issues
    size = len(output.bytes("robots.txt"))
    (output.folder / "robots.txt").write_bytes(output.bytes("robots.txt")[size - 512_000 :])
    assert output.write("a/", robots="auto").issues == []
    assert (issue.rule.id, issue.where) == ("robots-size", str(output.folder / "robots.txt"))
    assert issue.detail == f"It has {size:,} bytes."


@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    b"User-agent: *",
                    b"User-agent: a",
                    b"Disallow: /",
                    b"Allow: /a",
                    b"",
                    b"#",
                    b"x",
                ),
                *(b"Sitemap: https://example.org/other.xml", b"Crawl-delay: 1"),
            ]
        )
    ),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.booleans(),
)
def test_whatever_the_user_wrote_stays_and_the_line_comes_once(
    lines: list[bytes], eol: bytes, ends: bool
) -> None:
    before = eol.join(lines) + (eol if ends and lines else b"")
    once = with_lines(before, URL.encode())
    assert once.startswith(before)
    assert with_lines(once, URL.encode()) == once
    assert once.count(URL.encode()) == 1
    moved = with_lines(once, b"https://new.example/s.xml")
    assert moved == once.replace(URL.encode(), b"https://new.example/s.xml")
    assert with_lines(once).removeprefix(before).strip(b"\r\n") == b""


@given(st.lists(st.sampled_from(["User-agent: a", "User-agent: *", "Disallow: /", "Allow: /x"])))
def test_rb3_the_line_changes_no_crawlers_rules(lines: list[str]) -> None:
    before = "".join(f"{line}\n" for line in lines)
    after = with_lines(before.encode(), URL.encode()).decode()
    for agent in ("a", "b"):
        for path in ("/", "/x"):
            assert Protego.parse(after).can_fetch(path, agent) == Protego.parse(before).can_fetch(
                path, agent
            )
    assert list(Protego.parse(after).sitemaps) == [URL]


def test_python_itself_reads_the_line(output: Output) -> None:
    robots = robots_after(output, RULES).decode()
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(robots.splitlines())
    assert parser.site_maps() == [URL]
    assert not parser.can_fetch("x", "/private/a")


def test_a_link_to_the_users_own_file_gives_way_to_a_copy(output: Output, tmp_path: Path) -> None:
    for make in ("symlink_to", "hardlink_to"):
        source = tmp_path / f"{make}.txt"
        source.write_bytes(RULES)
        target = output.folder / "robots.txt"
        target.unlink(missing_ok=True)
        getattr(target, make)(source)
        output.write("a/", robots="auto")
        assert source.read_bytes() == RULES
        assert target.read_bytes() == RULES + OURS
        assert not target.is_symlink()


def _page(base: str) -> Entry:
    return Entry(f"{base}a/")
