"""`sitemapkit build` of a directory: the pages that its files are, and whence their dates."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import pytest
from lxml import etree

from sitemapkit import Options, Page
from sitemapkit import build as write
from sitemapkit.urls import file_names
from sitemapkit_tools.site.output_dir import OutputDir

from ..repository import commit
from .conftest import run, urlset

if TYPE_CHECKING:
    from .conftest import Site

HOME = "https://example.org/"
MODIFIED = '<meta property="article:modified_time" content="2024-05-06T07:08:09Z">'
GUIDES = ("guide/first.html", "guide/second.html")
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"


def listed(site: Site) -> dict[str, str | None]:
    """Return the date of each listed page by its path."""
    root = etree.parse(site.root / "sitemap.xml").getroot()
    return {
        (url.findtext(f"{NAMESPACE}loc") or "").removeprefix(HOME): url.findtext(
            f"{NAMESPACE}lastmod"
        )
        for url in root
    }


def build(site: Site, *arguments: object) -> dict[str, str | None]:
    outcome = run("build", site.root, "--base-url", HOME, *arguments)
    assert outcome.code == 0, outcome.stderr
    return listed(site)


@pytest.fixture
def bare(site: Site) -> Site:
    """The pages of a site without any sitemap."""
    site.robots, site.sitemaps = None, False
    site.write()
    return site


def test_all_pages_are_listed_and_nothing_else_is(bare: Site) -> None:
    bare.page("private/", '<meta name="robots" content="noindex">')
    bare.page("copy/", f'<link rel="canonical" href="{HOME}about/">')
    bare.page("old/", '<meta http-equiv="refresh" content="0; url=/about/">')
    bare.page("404.html", "")
    bare.write()
    paths = ["", "about/", "guide/", "guide/first.html", "guide/second.html"]
    assert list(build(bare)) == paths
    assert f"Sitemap: {HOME}sitemap.xml" in (bare.root / "robots.txt").read_text()
    assert bare.check("--exclude", "404.html") == []


HIDE = '<meta name="robots" content="noindex">'
HIDDEN = {
    "print script": f"<script>w.write('<head><style>p{{}}</style></head><body>')</script>{HIDE}",
    "comment": f"<!-- <p></head><body> -->{HIDE}",
    "attributes": f"<meta {' '.join(f'a{n}=x' for n in range(5_000))}>{HIDE}",
    "behind the head": f"</head>{HIDE}",
    "in the body": f"</head><body>{HIDE}",
    "long head": f"<script>{'x' * 600_000}</script>{HIDE}",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_page_that_its_author_hid_is_not_listed_and_check_names_it(bare: Site, name: str) -> None:
    bare.page("secret/", HIDDEN[name])
    bare.write()
    bare.file("plain.html").write_text(f"<head>{HIDDEN[name]}", "utf-16-le")
    assert not {"secret/", "plain.html"} & build(bare).keys()
    sitemap = bare.root / "sitemap.xml"
    more = f"<url><loc>{HOME}secret/</loc></url><url><loc>{HOME}plain.html</loc></url></urlset>"
    sitemap.write_text(sitemap.read_text().replace("</urlset>", more))
    assert [each["id"] for each in bare.check()].count("noindex") == 2


def test_a_page_that_is_cut_off_is_listed_and_named(bare: Site) -> None:
    bare.page("long/", f"<script>{'x' * 2_100_000}</script>{HIDE}")
    bare.write()
    outcome = run("build", bare.root, "--base-url", HOME)
    assert "long/" in listed(bare)
    assert "It has more than 2,097,151 bytes." in outcome.stderr
    assert "[page-cut]" in outcome.stderr
    assert "page-cut" in [each["id"] for each in bare.check()]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text there")
@pytest.mark.parametrize("charset", ["utf-8", "euc-jp", "shift_jis", "big5", "latin-1"])
@pytest.mark.parametrize("names", ["caf\xe9", "\u30b5\u30a4\u30c8", "\u4e2d\u6587"])
def test_a_file_whose_name_is_not_utf_8_answers_its_url(
    bare: Site, charset: str, names: str
) -> None:
    raw = names.encode("latin-1" if names == "caf\xe9" else "euc-jp")
    image = f'<main><img src="{quote(raw)}.png" width="400" height="300"></main>'
    bare.put(
        os.fsdecode(raw) + ".html", f"<!doctype html><head><title>Coffee</title></head>{image}"
    )
    bare.put("shown.html", f"<!doctype html><head><title>Shown</title></head>{image}")
    bare.put(os.fsdecode(raw) + ".png", b"x")
    outcome = run(
        "build",
        bare.root,
        "--base-url",
        HOME,
        "--set",
        f"url_encoding={charset}",
        "--set",
        "images=true",
    )
    assert "dead-url" not in outcome.stderr
    assert f"{quote(raw)}.html" in listed(bare)
    assert (bare.root / "sitemap.xml").read_text().count(
        f"<image:loc>{HOME}{quote(raw)}.png</image:loc>"
    ) == 2


@pytest.mark.parametrize(
    ("suffix", "query"), [(".html", ""), (".htm", ""), (".xhtml", ""), (".html", "?lang=en")]
)
@pytest.mark.parametrize("folder", ["tea/", ""])
def test_a_home_page_of_a_folder_may_have_any_suffix_and_name_it_in_its_canonical_link(
    bare: Site, folder: str, suffix: str, query: str
) -> None:
    (bare.root / folder / "index.html").unlink(missing_ok=True)
    link = f'<link rel="canonical" href="{HOME}{folder}index{suffix}{query}">'
    bare.put(f"{folder}index{suffix}", f"<!doctype html><head><title>Tea</title>{link}</head>")
    outcome = run("build", bare.root, "--base-url", HOME)
    assert "canonical-dead" not in outcome.stderr
    assert (folder if query else f"{folder}index{suffix}") in listed(bare)
    assert {issue["id"] for issue in bare.check()} <= {"slash-style"}


def test_only_a_home_page_in_lower_case_answers_the_url_of_its_folder(bare: Site) -> None:
    bare.put("tea/Index.html", "<!doctype html><head><title>Tea</title></head>")
    assert "tea/Index.html" in build(bare)
    assert "missing-page" not in bare.rules()


@pytest.mark.parametrize("path", ["", "a", "a/", "v1.html", "b/c"])
def test_the_file_behind_a_url_is_the_same_for_build_check_and_canonical_links(
    tmp_path: Path, path: str
) -> None:
    for number, name in enumerate(file_names(path)):
        root = tmp_path / str(number)
        file, written = root / name, root / "written elsewhere.html"
        file.parent.mkdir(parents=True)
        file.touch()
        written.write_text(f'<head><link rel="canonical" href="{HOME}{name}"></head>')
        route = OutputDir.walk(root, HOME).route(HOME + path)
        assert route
        assert route.file == name
        report = write([Page(path, written)], Options(base_url=HOME), root)
        # Hosts answer with `a.html` at `a` as well: then the canonical link decides.
        spelled = name if "." not in path and name == f"{path}.html" else path
        assert [entry.loc for entry in report.listed] == [HOME + spelled]
        assert not report.issues


def test_the_answer_is_the_summary_and_issues_go_to_stderr(bare: Site) -> None:
    bare.page("home/", f'<link rel="canonical" href="{HOME}nowhere/">')
    bare.write()
    outcome = run("build", bare.root, "--base-url", HOME)
    assert outcome.code == 0
    assert outcome.stdout == f"6 pages listed in {bare.root}/sitemap.xml; no dates\n"
    assert "[canonical-dead]" in outcome.stderr


def test_a_sitemap_that_does_not_select_is_replaced_with_a_note(bare: Site) -> None:
    commit(bare.root)
    bare.put("sitemap.xml", urlset(f"<loc>{HOME}</loc>"))
    commit(bare.root)  # as a person's, beside pages that nothing has made
    outcome = run("build", bare.root, "--base-url", HOME, "--strict", "--set", "lastmod=false")
    told = f"{bare.root}/sitemap.xml: Two sitemaps have the same name"
    assert told in outcome.stderr
    assert "The sitemap of another tool was replaced." in outcome.stderr
    assert outcome.code == 0
    assert outcome.stdout.startswith("5 pages listed")
    again = run("build", bare.root, "--base-url", HOME, "--set", "lastmod=false")
    assert "several-sitemaps" not in again.stderr


def test_reasons_are_told_if_they_are_asked_for(bare: Site) -> None:
    bare.page("private/", '<meta name="robots" content="noindex">')
    bare.write()
    quiet, loud = (run("build", bare.root, *flags) for flags in ((), ("--verbose",)))
    assert "noindex" not in quiet.stderr
    assert f"not listed: {HOME}private/ (noindex: the page's robots element)" in loud.stderr


def test_the_whole_report_is_the_answer_in_json(bare: Site) -> None:
    report = json.loads(run("build", bare.root, "--base-url", HOME, "--json").stdout)
    assert report["base_url"] == HOME
    assert [entry["loc"] for entry in report["listed"]] == [
        HOME + path for path in sorted(bare.heads)
    ]


def test_a_warning_is_fatal_where_it_is_meant_to_be(bare: Site) -> None:
    flags = ("--base-url", HOME, "--exclude", "*")
    assert run("build", bare.root, *flags).code == 1  # no page
    bare.put("robots.txt", "Sitemap: https://a--b.netlify.app/sitemap.xml\n")
    assert run("build", bare.root, "--base-url", HOME).code == 0
    assert run("build", bare.root, "--base-url", HOME, "--strict").code == 1


def test_an_error_is_fatal_where_warnings_are(bare: Site) -> None:
    bare.page("one/", '<link rel="alternate" hreflang="xx-YY" href="/">')
    bare.write()
    outcome = run("build", bare.root, "--base-url", HOME, "--strict")
    assert (outcome.code, "[hreflang-code]" in outcome.stderr) == (1, True)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--exclude", "guide/", "--exclude", "about/"], {""}),
        (["--set", 'rules=[{match = "guide/", exclude = true}]'], {"", "about/"}),
        (["--set", 'exclude = ["guide/", "about/"]'], {""}),
        (["--set", "exclude=guide/"], {"", "about/"}),
        (["--set", "exclude=guide/\nabout/"], {""}),
    ],
)
def test_options_of_the_schema_are_set_on_the_command_line(
    bare: Site, flags: list[str], expected: set[str]
) -> None:
    assert set(build(bare, *flags)) == expected


def test_options_come_from_a_settings_file_and_flags_beat_it(bare: Site) -> None:
    settings = bare.root.parent / "sitemapkit.toml"
    settings.write_text('exclude = "guide/"\nformats = ["xml", "gz"]\nreport = "report.json"\n')
    run("build", bare.root, "--base-url", HOME, "--config", settings)
    assert set(listed(bare)) == {"", "about/"}
    assert (bare.root / "sitemap.xml.gz").exists()
    assert (settings.parent / "report.json").exists()
    assert set(build(bare, "--config", settings, "--exclude", "about/")) == {
        *("", "guide/", "guide/first.html", "guide/second.html")
    }


def test_paths_start_where_they_are_given(bare: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = bare.root.parent / "here", bare.root.parent / "there"
    for folder in (here, there):
        folder.mkdir()
    monkeypatch.chdir(here)
    settings = there / "sitemapkit.toml"
    settings.write_text('report = "report.json"\nledger = "ledger"\n')
    run("build", bare.root, "--base-url", HOME, "--config", settings, "--set", "ledger=mine")
    assert {file.name for file in here.iterdir()} == {"mine"}
    assert {file.name for file in there.iterdir()} == {"sitemapkit.toml", "report.json"}


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--filename", "map.html"], "option 'filename' is 'map.html'. Allowed: path of"),
        (["--set", "rules=[{match = 1}]"], "'rules[0].match'"),
        (["--set", 'rules={match = "a/"}'], "'rules' is {'match': 'a/'}. Allowed: a list of"),
        (["--set", "rules=priority"], "'rules' is 'priority'. Allowed: a list of {match, prior"),
        (["--set", "rules=[{match"], "'rules' is '[{match'. Allowed: a list of {match, prior"),
        (["--set", "robots=maybe"], "Allowed: auto, append (only to"),
        (["--set", "languages={de = 1}"], "Allowed: base URL, or {base_url, pages}"),
        (["--set", "lastmod=mtime"], "'lastmod"),
        (["--set", "max_urls=many"], "'max_urls' is 'many'; it must be a whole number from 1"),
        (["--set", "indexnow_key=x"], "'indexnow_key' is 'x'. Allowed: IndexNow key"),
        (["--set", "title=true"], "'title' is True. Allowed: name of the site"),
        (["--set", "stylesheet=2"], "'stylesheet' is 2; it must be true or false"),
        (["--set", "max_urls=0"], "command line: option 'max_urls' is 0; it must be a whole numb"),
        (["--set", "x_default=??"], "option 'x_default'"),
        (["--set", "max_url=2"], "command line: unknown option 'max_url'. Did you mean 'max_urls'"),
        (["--set", "max-urls=2"], "unknown option 'max-urls'. Did you mean 'max_urls'?"),
        (["--set", "feed.count=2"], "unknown option 'feed.count'. Known options: base_url,"),
        (["--set", "images"], "'images' is not NAME=VALUE, as in --set images=true"),
        (["--set", "=true"], "'=true' is not NAME=VALUE"),
        (["--set", "exclude=a/", "--set", "exclude=b/"], "the option 'exclude' is set twice"),
        (["--set", "exclude=a/", "--exclude", "b/"], "the option 'exclude' is set twice"),
        (["--exclude", "b/", "--set", "exclude=a/"], "A list is one value, as in --set 'excl"),
    ],
)
def test_a_wrong_option_is_told_by_name(bare: Site, flags: list[str], words: str) -> None:
    outcome = run("build", bare.root, "--base-url", HOME, *flags)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert words in outcome.stderr


@pytest.mark.parametrize(
    "given", ["title=2024", "title='2024'", 'title="2024"', "title=2024-05-01"]
)
def test_a_number_or_day_is_text_where_no_number_is_taken(bare: Site, given: str) -> None:
    for name in ("2024", "guide"):
        bare.page(f"{name}/")
    bare.write()
    flags = ("--set", "exclude=2024", "--set", given, "--set", 'formats=["xml", "html"]')
    assert "2024/" not in build(bare, *flags)
    assert re.search(r"<title>[^<]*2024", (bare.root / "sitemap.html").read_text())


def test_an_option_set_on_the_command_line_beats_the_settings_file(bare: Site) -> None:
    settings = bare.root.parent / "sitemapkit.toml"
    settings.write_text('exclude = "guide/"\nformats = ["xml", "gz"]\n')
    formats = ("--set", 'formats=["xml", "txt"]')
    run("build", bare.root, "--base-url", HOME, "--config", settings, *formats)
    assert set(listed(bare)) == {"", "about/"}
    assert (bare.root / "sitemap.txt").exists()
    assert not (bare.root / "sitemap.xml.gz").exists()


def test_a_wrong_name_in_the_settings_file_is_told_with_the_right_one(bare: Site) -> None:
    settings = bare.root.parent / "sitemapkit.toml"
    settings.write_text('exclud = "guide/"\n')
    outcome = run("build", bare.root, "--base-url", HOME, "--config", settings)
    assert outcome.code == 2
    assert f"{settings}: unknown option 'exclud'. Did you mean 'exclude'?" in outcome.stderr


@pytest.mark.parametrize(
    ("path", "spelling", "listed_as"),
    [
        ("clean.html", "clean", "clean"),
        ("clean.html", "CLEAN", "clean.html"),
        ("clean.html", "clean?x", "clean.html"),
        ("named/", "named/index.html", "named/index.html"),
        ("named/", "named", "named/"),
        ("named/", "named/?x", "named/"),
        ("th%C3%A9/", "th%c3%a9/", "th%C3%A9/"),
        ("a & b.html", "a%20%26%20b", "a%20%26%20b"),
    ],
)
def test_a_page_is_listed_under_the_url_that_its_generator_links(
    bare: Site, path: str, spelling: str, listed_as: str
) -> None:
    bare.put(
        f"{unquote(path)}index.html" if path.endswith("/") else path,
        f'<title>T</title><link rel="canonical" href="{HOME}{spelling}"></head>',
    )
    assert set(build(bare)) == {"", "about/", "guide/", *GUIDES, listed_as}


@pytest.mark.parametrize(
    ("elements", "listed_as"),
    [
        ('<meta property="og:url" content="{}clean">', "clean"),
        ('<meta name="og:url" content="clean">', "clean"),
        ('<meta property="og:url" content="{}about/">', "clean.html"),
        ('<meta property="og:url" content="{}">', "clean.html"),
        ('<meta property="og:url">', "clean.html"),
        (
            '<meta property="og:url" content="clean"><link rel=canonical href=clean.html>',
            "clean.html",
        ),
    ],
)
def test_without_a_canonical_link_og_url_says_how_the_pages_own_url_is_spelled(
    bare: Site, elements: str, listed_as: str
) -> None:
    bare.put("clean.html", f"<title>T</title>{elements.format(HOME)}</head>")
    assert set(build(bare)) == {"", "about/", "guide/", *GUIDES, listed_as}


@pytest.mark.parametrize("spelling", ["guide/index.html", "guide/", "guide"])
def test_a_page_that_names_another_as_canonical_is_left_out_however_it_spells_it(
    bare: Site, spelling: str
) -> None:
    bare.page("print/", f'<link rel="canonical" href="{HOME}{spelling}">')
    bare.page("guide/", "")
    bare.write()
    assert "print/" not in build(bare)
    assert bare.check() == []


def test_names_that_are_no_urls_are_encoded(bare: Site) -> None:
    names = {
        "größe & mehr.html": "gr%C3%B6%C3%9Fe%20&%20mehr.html",
        "100%.html": "100%25.html",
        "a#b?c.html": "a%23b%3Fc.html",
        "%41.html": "%2541.html",
    }
    for name in names:
        bare.page(name, "", listed=False)
    bare.write()
    assert set(names.values()) < set(build(bare))
    assert [each["id"] for each in bare.check()] == ["no-dates"]


def test_a_file_without_a_title_is_a_redirect_if_it_leads_elsewhere(bare: Site) -> None:
    bare.put("old/index.html", '<head><meta http-equiv="refresh" content="0;url=/docs/"></head>')
    assert "old/ (redirects elsewhere" in run("build", bare.root, "--base-url", HOME, "-v").stderr


def test_a_file_without_a_title_is_a_page_if_it_has_a_canonical_link(bare: Site) -> None:
    bare.put("a.html", f'<head><link rel="canonical" href="{HOME}a.html"></head><h1>A</h1>')
    assert "a.html" in build(bare)


def test_what_has_a_text_and_is_linked_is_a_page_whatever_its_head(bare: Site) -> None:
    text = "<body><p>A drink that many people like.</p></body>"
    (bare.root / "index.html").unlink()
    files: dict[str, str | bytes] = {
        "index.html": f"{text}<a href='linked/'>A</a><iframe src='plot.html'></iframe>",
        "linked/index.html": text,
        "served.html": f'<!--#include virtual="parts/head.htm" -->{text}',
        "parts/head.htm": f"<html><head><title>Tea</title></head>{text}",
        "parts/foot.htm": text,
        "plot.html": text,
        "about/index.html": '<title>About</title><!--#include file="../parts/foot.htm"-->',
        "empty.html": "<body><script>x = 1</script></body>",
        "more.html": '<title>More</title><a class=x href="empty.html">E<a href=parts/foot.htm>',
        "photo.html": "<body><img src=tea.jpg alt=Tea></body>",
        "photos.html": "<title>Photos</title><a href=photo.html><img src=small.jpg></a>",
        "mapped.html": text,
        "map.html": "\ufeff<title>Map</title><map><area href=mapped.html></map>".encode(
            "utf-16-le"
        ),
        "nginx.html": '<!--# include file="parts/whole.htm" -->',
        "plain.html": "<!--#include virtual=/parts/whole.htm -->",
        "parts/whole.htm": f"<title>Whole</title>{text}",
    }
    for name, html in files.items():
        bare.put(name, html)
    new = {"", "linked/", "served.html", "about/", "more.html", "photo.html", "photos.html"}
    new |= {"nginx.html", "plain.html", "map.html", "mapped.html"}
    assert set(build(bare)) == new | {"guide/", *GUIDES}
    assert "missing-page" not in {each["id"] for each in bare.check()}


def test_what_is_no_page_is_left_out_and_told_why(bare: Site) -> None:
    html = "<html><head><title>Title</title></head></html>"
    reasons = {
        "search.html": "generated page",
        "genindex.html": "generated page",
        "_modules/a.html": "generated page",
        "_static/demo.html": "static file",
        "fragment.html": "static file",
        "guide/page/2/index.html": "pagination beyond the first page",
        "index2.html": "pagination beyond the first page",
        "guide/index-1.html": "pagination beyond the first page",
        "guide/index-2.html": "pagination beyond the first page",
    }
    for name in reasons:
        bare.put(name, html if name != "fragment.html" else "<p>part")
    bare.put("_static/documentation_options.js", "")
    for suffix in (".htm", ".xhtml"):
        names = (f"genindex{suffix}", f"genindex-a{suffix}", f"py-modindex{suffix}")
        reasons |= dict.fromkeys(names, "generated page")
        for name in names:
            bare.put(name, html)
    flags = ("--base-url", HOME, "--generator", "none", "--json")
    report = json.loads(run("build", bare.root, *flags).stdout)
    found = {each["url"].removeprefix(HOME): each["reason"] for each in report["excluded"]}
    assert found == {
        re.sub(r"(^|/)index\.html$", r"\1", name): reason for name, reason in reasons.items()
    }


def test_a_home_page_that_leads_on_is_not_missed_whatever_else_its_head_says(bare: Site) -> None:
    stub = (
        '<meta http-equiv="refresh" content="0; url=guide/"><meta name="robots" content="noindex">'
    )
    bare.put("index.html", f"<title>Redirect</title>{stub}")
    report = json.loads(run("build", bare.root, "--base-url", HOME, "--json").stdout)
    assert [each["reason"] for each in report["excluded"]] == ["redirects elsewhere"]
    assert "home-not-listed" not in {each["id"] for each in report["issues"]}


def test_a_page_for_printing_that_repeats_all_pages_is_left_out(bare: Site) -> None:
    bare.put("print_page/index.html", "<html><head><title>Print</title></head></html>")
    report = json.loads(run("build", bare.root, "--base-url", HOME, "--json").stdout)
    assert [each["reason"] for each in report["excluded"]] == ["generated page"]


def test_later_parts_of_the_home_page_are_left_out_wherever_they_lie(bare: Site) -> None:
    html = "<html><head><title>Weblog</title></head></html>"
    parts = {"page/2/", "page3/", "page-4.html"}
    for path in ("", *parts):
        bare.put(path if path.endswith(".html") else f"{path}index.html", html)
    report = json.loads(run("build", bare.root, "--base-url", HOME, "--json").stdout)
    excluded = {each["url"].removeprefix(HOME) for each in report["excluded"]}
    assert parts == excluded


def previous(path: str) -> str:
    return f'<link rel="prev" href="{path}">'


@pytest.mark.parametrize(
    ("parts", "first"),
    [
        (("blog/2/", "blog/3/", "blog/4/"), "blog/"),
        (("2/", "3/"), ""),
        (("blog/p/2/", "blog/p/3/"), "blog/"),
        (("news-2.html", "news-3.html"), "news.html"),
        (("blog-page2.html", "blog-page3.html"), "blog.html"),
        (("list/seite/2/",), "list/seite/"),
    ],
)
def test_what_names_the_part_of_a_list_before_it_is_a_later_part(
    bare: Site, parts: tuple[str, ...], first: str
) -> None:
    bare.page(first, "")
    for before, part in zip((first, *parts), parts, strict=False):
        bare.page(part, previous(f"{HOME}{before}"))
    bare.page("blog/1/", '<meta http-equiv="refresh" content="0; url=/blog/">')
    bare.write()
    assert set(parts).isdisjoint(build(bare))
    assert first in build(bare)
    assert "not-listed" not in {each["id"] for each in bare.check()}


def test_numbers_and_a_first_part_tell_the_later_parts_of_a_list(bare: Site) -> None:
    titles = {
        "list/": "List", "list/2/": "List", "list/3/": "List - 3",
        "seite/2/": "Weblog, Seite 2", "seite/3/": "Weblog, Seite 3",
        "tag/tea/side/2/": "Tea", "tag/tea/": "Tea",
        "v/": "Versions", "v/2/": "The second",
        "n/1/": "One", "n/2/": "N", "n/": "N",
        "http/": "HTTP", "http-2/": "HTTP/2", "http-3/": "HTTP/3",
        "news/": "News", "news/page2/": "News, page 2",
        "year/": "Years", "year/2024/": "2024", "rooms/2/": "Room 2", "rooms/3/": "Room 3",
    }  # fmt: skip
    bare.put("index.html", "<title>Weblog</title>")
    for path, title in titles.items():
        bare.put(f"{path}index.html", f"<title>{title}</title>")
    parts = {"list/2/", "list/3/", "seite/2/", "seite/3/", "tag/tea/side/2/", "news/page2/"}
    assert titles.keys() - build(bare).keys() == parts


@pytest.mark.parametrize(
    "chapters",
    [
        {"guide/": "", "guide/1/": "guide/", "guide/2/": "guide/1/", "guide/3/": "guide/2/"},
        {"part.html": "", "part2.html": "part.html", "part3.html": "part2.html"},
        {"2023/": "", "2024/": "2023/"},
        {"releases/": "", "releases/2/": "about/"},
        {"releases/": "", "releases/2/": "releases/", "releases/4/": "releases/2/"},
    ],
)
def test_chapters_name_the_one_before_them_and_are_no_parts_of_a_list(
    bare: Site, chapters: dict[str, str]
) -> None:
    for path, before in chapters.items():
        bare.page(path, previous(HOME + before) if before else "")
    bare.write()
    expected = {*chapters} - ({"releases/2/"} if "releases/4/" in chapters else set())
    assert expected <= set(build(bare))


def test_a_chapter_that_is_called_page_2_is_a_page(bare: Site) -> None:
    chapters = {"page2.html", "guide/page2.html", "guide/page-3/"}
    for path in chapters:
        file = path if path.endswith(".html") else f"{path}index.html"
        bare.put(file, f"<html><head><title>{path}</title></head></html>")
    bare.write()
    assert chapters < set(build(bare))


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ('<meta property="article:modified_time" content="2024-03-02T10:00:00+01:00">',
         "2024-03-02T10:00:00+01:00"),
        ('<meta name="dcterms.modified" content="2024-03-02">', "2024-03-02"),
        ('<script type="application/ld+json">{"dateModified": "2024-03-02"}</script>',
         "2024-03-02"),
        ('<meta itemprop="datePublished" content="2024-03-01">', "2024-03-01"),
        ('<script>[{"dateModified": "2024-03-02"}, {"dateModified": "2023-01-01"}]</script>',
         None),
        ('<meta property="article:modified_time" content="yesterday">', None),
        ("", None),
    ],
)  # fmt: skip
def test_a_date_that_the_page_states_is_its_date(
    bare: Site, stated: str, expected: str | None
) -> None:
    bare.page("dated/", stated)
    bare.write()
    assert build(bare)["dated/"] == expected


def test_versions_that_pages_name_become_sets(bare: Site) -> None:
    links = (
        '<link rel="alternate" hreflang="en" href="/tea/">'
        '<link rel="alternate" hreflang="de" href="/de/tee/">'
    )
    for path in ("tea/", "de/tee/"):
        bare.page(path, links)
    bare.write()
    build(bare)
    sets = {
        tuple(link.get("href") for link in url.findall(f"{XHTML}link"))
        for url in etree.parse(bare.root / "sitemap.xml").getroot()
    }
    assert sets == {(), (f"{HOME}de/tee/", f"{HOME}tea/")}


def repository(folder: Path, files: dict[str, str]) -> Path:
    """Make a repository whose files are committed one by one, a day apart."""
    git = ["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    folder.mkdir(exist_ok=True)
    subprocess.run([*git, "init", "-q"], check=True)
    for day, (name, text) in enumerate(files.items(), 1):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        subprocess.run([*git, "add", "."], check=True)
        moment = f"2024-01-{day:02}T12:00:00Z"
        subprocess.run(
            [*git, "commit", "-q", "-m", name, "--date", moment],
            check=True,
            env={"GIT_COMMITTER_DATE": moment, "PATH": "/usr/bin:/bin:/usr/local/bin"},
        )
    return folder


@pytest.mark.parametrize("kind", ["json", "toml"])
def test_a_map_from_pages_to_sources_dates_them_by_git(bare: Site, kind: str) -> None:
    docs = repository(bare.root.parent / "docs", {"home.md": "1", "a.md": "2", "b.md": "3"})
    file = docs / f"sources.{kind}"
    pairs = [
        ('"index.html"', '"home.md"'),
        ('"/about/"', '["home.md", "a.md"]'),
        ('"guide/first.html"', '"b.md"'),
    ]
    if kind == "json":
        file.write_text("{" + ", ".join(f"{page}: {source}" for page, source in pairs) + "}")
    else:
        file.write_text("\n".join(f"{page} = {source}" for page, source in pairs))
    assert build(bare, "--source-map", file) == {
        "": "2024-01-01T12:00:00Z",
        "about/": "2024-01-02T12:00:00Z",
        "guide/": None,
        "guide/first.html": "2024-01-03T12:00:00Z",
        "guide/second.html": None,
    }


@pytest.mark.parametrize("source", ["docs/nope.md", "docs"])
def test_a_source_in_a_map_that_is_no_file_is_named_with_its_page(bare: Site, source: str) -> None:
    (bare.root.parent / "docs").mkdir()
    (bare.root.parent / "docs" / "a.md").touch()
    file = bare.root.parent / "sources.json"
    file.write_text(json.dumps({"index.html": "docs/a.md", "about/": ["docs/a.md", source]}))
    outcome = run("build", bare.root, "--base-url", HOME, "--source-map", file)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert f"{file}: the source of 'about/' is {source!r}, which is no file" in outcome.stderr


@pytest.mark.parametrize(
    "link",
    [
        '<a href="https://github.com/o/r/edit/main/docs/a.md" title="Edit this page">',
        "<a class=edit href=https://github.com/o/r/edit/main/docs/a.md>",
        '<a href="https://gitlab.com/o/r/-/edit/release/1.0/docs/a.md">',
        '<a rel="edit" href="https://codeberg.org/o/r/_edit/main/docs/a.md">',
        '<a href="https://github.com/o/r/blob/main/docs/a.md" class="fa"> Edit on GitHub</a>',
        '<a rel="edit" href="https://github.com/o/r/blob/main/docs/a.md?plain=1">',
    ],
)
def test_the_edit_link_of_a_page_names_its_source(bare: Site, link: str) -> None:
    checkout = repository(bare.root.parent / "r", {"a.md": "Other", "docs/a.md": "Words"})
    bare.put("about/index.html", f"<html><head><title>Words</title></head><body>{link}</body>")
    assert build(bare, "--repository", checkout)["about/"] == "2024-01-02T12:00:00Z"


@pytest.mark.parametrize(
    "links",
    [
        '<a href="https://github.com/o/r/edit/main/gone.md">',
        '<a href="https://github.com/o/r/edit/main/../a.md">',
        '<a href="https://github.com/o/r/blob/main/a.md">an example</a>',
        '<a href="/edit/main/a.md"><a href="/edit/main/docs/a.md">',
    ],
)
def test_a_link_that_names_no_source_for_sure_dates_nothing(bare: Site, links: str) -> None:
    checkout = repository(bare.root.parent / "r", {"a.md": "Words", "docs/a.md": "Words"})
    bare.put("about/index.html", f"<html><head><title>Words</title></head><body>{links}</body>")
    assert build(bare, "--repository", checkout)["about/"] is None


def ledger(site: Site, *flags: str) -> dict[str, str | None]:
    return build(site, "--set", f"ledger={site.root.parent / 'ledger'}", *flags)


def test_a_ledger_dates_the_pages_whose_content_changes(
    bare: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1704067200")
    ledger(bare)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1706745600")
    page = bare.root / "about" / "index.html"
    page.write_text(page.read_text().replace("<h1>about/</h1>", "<h1>About us</h1>"))
    other = bare.root / "guide" / "first.html"
    other.write_text(other.read_text().replace("<main>", "<nav>new</nav><main>"))
    assert {path: date for path, date in ledger(bare).items() if date} == {"about/": "2024-02-01"}


def test_many_processes_find_what_one_finds(bare: Site) -> None:
    for number in range(500):
        bare.page(f"many/{number}.html")
    bare.write()
    build(bare, "--jobs", 1)
    alone = (bare.root / "sitemap.xml").read_bytes()
    build(bare, "--jobs", 2)
    assert (bare.root / "sitemap.xml").read_bytes() == alone
    assert alone.count(b"<url>") == 505


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("zensical.toml", '[project]\nsite_name = "Tea"\ndocs_dir = "pages"\n'),
    ],
)
def test_beside_the_settings_of_zensical_pages_have_the_dates_of_their_sources(
    bare: Site, name: str, settings: str
) -> None:
    project = bare.root.parent
    files = {"pages/README.md": "1", "pages/about.md": "2", "pages/guide/index.md": "3"}
    repository(project, {name: settings, **files})
    dates = build(bare)
    assert [dates[path] for path in ("", "about/", "guide/")] == [
        f"2024-01-0{day}T12:00:00Z" for day in (2, 3, 4)
    ]


@pytest.mark.parametrize("seconds", [0, 4_000_000_000], ids=["1970", "2096"])
def test_the_times_of_files_say_nothing(bare: Site, seconds: int) -> None:
    project = bare.root.parent
    repository(project, {"mkdocs.yml": "site_name: Tea\n", "docs/about.md": "1"})
    flags = (
        "--set",
        f"ledger={project / 'ledger'}",
        "--set",
        'formats=["xml", "atom"]',
        "--report",
        project / "report",
    )
    before = build(bare, *flags), (bare.root / "sitemap.atom").read_bytes()
    for path in [project, *project.rglob("*")]:
        os.utime(path, (seconds, seconds))
    assert (build(bare, *flags), (bare.root / "sitemap.atom").read_bytes()) == before


def test_a_repository_that_no_page_leads_into_is_said(bare: Site, tmp_path: Path) -> None:
    checkout = repository(tmp_path / "r", {"a.md": "1"})
    outcome = run("build", bare.root, "--base-url", bare.base, "--repository", checkout)
    assert outcome.stderr.count("[no-sources]") == 1


@pytest.mark.parametrize(
    ("settings", "flags", "where"),
    [
        ("zensical.toml", [], "zensical.toml"),
        (None, [], "site"),
        ("zensical.toml", ["--set", "lastmod=false"], None),
    ],
)
def test_where_no_page_has_a_date_one_line_says_why(
    bare: Site, settings: str | None, flags: list[str], where: str | None
) -> None:
    if settings:
        (bare.root.parent / settings).write_text("[project]\n")
        (bare.root.parent / "docs").mkdir()
    outcome = run("build", bare.root, "--base-url", bare.base, *flags)
    assert outcome.code == 0
    told = [line for line in outcome.stderr.splitlines() if "[no-sources]" in line]
    assert [line.partition(": ")[0] for line in told] == (
        [str(bare.root.parent / where)] if where else []
    )


@pytest.mark.parametrize("flags", [(), ("--base-url", "https://example.org/")])
def test_a_folder_without_pages_is_no_finished_site(tmp_path: Path, flags: tuple[str, ...]) -> None:
    (tmp_path / "a.md").write_text("# Tea")
    outcome = run("build", tmp_path, *flags)
    assert outcome.code == (1 if flags else 2)
    assert f"{tmp_path} has no HTML file: pass the folder that your generator" in outcome.stderr


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_page_that_cannot_be_read_is_said(site: Site, command: str) -> None:
    site.write()
    (site.root / "gone.html").symlink_to(site.root / "nowhere")
    outcome = run(command, site.root, "--base-url", site.base)
    said = "gone.html: No such file" if command == "build" else "gone.html cannot be read: No such"
    assert said in outcome.stdout + outcome.stderr


def test_a_packed_copy_of_another_tool_is_replaced_with_its_sitemap(site: Site) -> None:
    """As MkDocs writes both."""
    site.write()
    build(site)
    assert gzip.decompress((site.root / "sitemap.xml.gz").read_bytes()) == (
        (site.root / "sitemap.xml").read_bytes()
    )
    assert "gzip" not in run("check", site.root, "--base-url", HOME).stdout
    before = (site.root / "sitemap.xml.gz").stat().st_mtime_ns
    build(site)
    assert (site.root / "sitemap.xml.gz").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("mark", "flags", "why"),
    [
        ("Hugo 0.1", [], "The settings of Hugo, which built the site, are in no folder"),
        ("other", [], "It is not known what built the site: --generator says it."),
        ("Hugo 0.1", ["--generator", "none"], ""),
        ("Hugo 0.1", ["--repository", "."], "which built the site, are not there."),
    ],
)
def test_a_site_outside_its_project_is_told_to_name_the_project(
    bare: Site, mark: str, flags: list[str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = bare.root.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    bare.page("", f'<meta name="generator" content="{mark}">')
    bare.write()
    outcome = run("build", bare.root, "--base-url", bare.base, *flags)
    (told,) = [line for line in outcome.stderr.splitlines() if "[no-sources]" in line]
    assert why in told
    assert ("built the site" in told) == bool(why)
    assert "Name the project's folder with --repository" in told


def test_the_project_of_a_site_elsewhere_dates_its_pages(bare: Site, tmp_path: Path) -> None:
    files = {"zensical.toml": "[project]\n", "docs/index.md": "Home\n"}
    project = repository(tmp_path / "project", files)
    bare.page("", '<meta name="generator" content="zensical-0.1">')
    bare.write()
    dates = build(bare, "--repository", project)
    assert dates[""] is not None
    outcome = run("build", bare.root, "--base-url", bare.base, "--generator", "zensical")
    assert outcome.code == 2
    assert "name the folder that has it with --repository" in outcome.stderr
    checked = run("check", bare.root, "--repository", project)
    assert "Zensical site in" in checked.stderr


def test_where_a_page_states_a_date_nothing_is_said(bare: Site) -> None:
    bare.page("dated/", '<meta property="article:modified_time" content="2024-05-06">')
    bare.write()
    outcome = run("build", bare.root, "--base-url", bare.base)
    assert "no-sources" not in outcome.stderr


def test_pages_without_dates_fail_a_build_that_needs_them(bare: Site) -> None:
    bare.page("tea/", MODIFIED)
    bare.write()
    outcome = run("build", bare.root, "--base-url", HOME, "--set", "fail_undated=true")
    assert outcome.code == 1
    assert "5 pages have no date, which the option `fail_undated` forbids" in outcome.stderr
    assert not (bare.root / "sitemap.xml").exists()
    for number, path in enumerate(bare.heads):
        bare.page(path, MODIFIED.replace("2024", f"{2010 + number}"))
    bare.write()
    outcome = run("build", bare.root, "--base-url", HOME, "--set", "fail_undated=true")
    assert (outcome.code, outcome.stdout.partition("; ")[2]) == (0, "dates: 6 from the generator\n")


@pytest.mark.slow
def test_builds_of_one_folder_at_once_leave_what_one_of_them_would(
    site: Site, tmp_path: Path
) -> None:
    site.sitemaps = False
    site.write()
    ledger, report = tmp_path / "ledger.txt", tmp_path / "report.json"
    command = [sys.executable, "-m", "sitemapkit_tools", "build", str(site.root)]
    command += ["--base-url", site.base, "--set", f"ledger={ledger}", "--report", str(report)]
    subprocess.run(command, check=True, capture_output=True)
    once = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    for file in (ledger, report, site.root / "sitemap.xml"):
        file.unlink()
    builds = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [build.wait(200) for build in builds] == [0] * 4
    after = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert after.keys() == once.keys()
    assert {file for file in after if after[file] != once[file]} <= {report}
    json.loads(report.read_bytes())


def test_no_record_is_written_into_the_finished_site(
    bare: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = bare.root.resolve()
    monkeypatch.chdir(root.parent)
    Path("link").symlink_to(root)
    Path("outside").mkdir()
    (root / "to-outside").symlink_to(root.parent / "outside")
    inside = (
        f"{root.name}/r.json",
        f"outside/../{root.name}/guide/r.json",
        "link/r.json",
        f"{root.name}/to-outside/r.json",
    )
    for path in inside:
        for flags in (("--report", path), ("--set", f"ledger={path}")):
            done = run("build", bare.root, "--base-url", HOME, *flags)
            assert done.code == 2
            name = flags[0].removeprefix("--").replace("set", "ledger")
            assert f"command line: option '{name}' is '{path}': " in done.stderr
            said = "is published, and this file names the pages that are not listed; choose a path"
            assert said in " ".join(done.stderr.split())
    settings = Path("sitemapkit.toml")
    settings.write_text(f'report = "{root.name}/r.json"\n')
    assert run("build", bare.root, "--base-url", HOME, "--config", settings).code == 2
    settings.unlink()
    assert not [*root.rglob("r.json"), *root.glob("sitemap.xml")]
    assert run("build", bare.root, "--base-url", HOME, "--report", "r.json").code == 0


def test_a_site_that_is_only_a_url_is_for_check() -> None:
    done = run("build", "https://example.org/")
    assert done.code == 2
    assert "A URL is what `check` reads; `build` needs the folder of the site." in done.stderr
