"""`sitemapkit check` of a site that is online, on loopback."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit_tools.bounds import Budget
from sitemapkit_tools.checks.check import check_online
from sitemapkit_tools.web.client import USER_AGENT, Client, ClientSettings
from sitemapkit_tools.web.online_site import OnlineSettings, read_online_site
from sitemapkit_tools.web.pages import PageFetcher

from .conftest import Outcome, index, run, urlset
from .servers import Reply, Server, Website, running

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

IMPATIENT = ("--rate", "0", "--timeout", "5")


class Online:
    """A website of five pages without a fault, on loopback."""

    def __init__(self, website: Website, server: Server) -> None:
        self.website = website
        self.server = server
        self.url = server.url
        for path in ("/", "/about/", "/guide/", "/guide/a.html", "/guide/b.html"):
            self.page(path)
        self.list_pages()

    def page(self, path: str, head: str | None = None, **reply: Any) -> None:
        """Add a page that is right, but for what `head` says and how the server replies."""
        link = f'<link rel="canonical" href="{self.url}{path}">' if head is None else head
        html = f"<!doctype html><html><head><title>{path}</title>{link}</head><body></body></html>"
        self.website.replies[path] = Reply(html, **reply)

    def list_pages(self) -> None:
        """Write the sitemap of all pages, and robots.txt."""
        others = ("/sitemap.xml", "/robots.txt")
        paths = [path for path in self.website.replies if path not in others]
        days = [f"<lastmod>2024-01-{day:02}</lastmod>" for day in range(1, 32)]
        entries = [f"<loc>{self.url}{path}</loc>{days[n % 31]}" for n, path in enumerate(paths)]
        self.website.replies["/sitemap.xml"] = Reply(urlset(*entries))
        robots = f"User-agent: *\nDisallow: /secret/\n\nSitemap: {self.url}/sitemap.xml\n"
        self.website.replies["/robots.txt"] = Reply(robots)

    def check(self, *arguments: object, of: str = "") -> Outcome:
        return run("check", of or self.url, *IMPATIENT, *arguments)

    def issues(self, *arguments: object, of: str = "") -> list[tuple[str, str]]:
        """Return the rules that are broken, each with the path it is about."""
        found = json.loads(self.check("--json", *arguments, of=of).stdout)["issues"]
        return [(each["id"], each["where"].removeprefix(self.url)) for each in found]

    def requests(self, path: str) -> list[str]:
        """Return the methods by which a path was asked for."""
        return [method for method, asked in self.website.asked if asked == path]


@pytest.fixture
def online() -> Generator[Online]:
    website = Website()
    with running(website.answer) as server:
        yield Online(website, server)


def test_a_clean_site_gives_one_line_and_advice(online: Online) -> None:
    outcome = online.check()
    line, advice = outcome.stdout.split("\n", 1)
    assert line == f"Nothing to fix: 5 URLs in 1 sitemap, 5 pages of {online.url}/"
    assert advice.startswith('If Search Console still says "Couldn\'t fetch"')
    assert (outcome.code, outcome.stderr) == (0, "")


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ({"status": 404}, "missing-page"),
        ({"status": 410}, "missing-page"),
        ({"status": 301, "headers": {"Location": "/about/"}}, "redirect"),
        ({"status": 302, "headers": {"Location": "https://example.net/"}}, "redirect"),
        ({"status": 308, "headers": {"Location": "javascript:alert(1)"}}, "unreachable"),
        ({"status": 500}, "unreachable"),
        ({"status": 403}, "unreachable"),
        ({"status": 503, "headers": {"Retry-After": "86400"}}, "unreachable"),
        ({"act": "drop"}, "unreachable"),
        pytest.param({"act": "slow"}, "unreachable", marks=pytest.mark.slow),
        ({"headers": {"X-Robots-Tag": "noindex"}}, "noindex"),
        ({"headers": {"X-Robots-Tag": "googlebot: nofollow, NoIndex"}}, "noindex"),
        ({"headers": {"Content-Encoding": "gzip"}}, "unreachable"),
        ({"status": 302, "headers": {"Location": "/odd/"}}, "unreachable"),
    ],
)
def test_what_a_page_answers_is_judged(online: Online, reply: dict[str, Any], rule: str) -> None:
    online.page("/odd/", **reply)
    online.list_pages()
    assert online.issues() == [(rule, "/odd/")]


@pytest.mark.parametrize(
    ("name", "noindex"),
    [("robots", True), ("googlebot", True), ("YandexBot", True), ("otherbot", False)],
)
def test_a_header_for_one_crawler_counts_as_such_an_element_does(
    online: Online, name: str, noindex: bool
) -> None:
    online.page("/header/", headers={"X-Robots-Tag": f"{name}: nofollow, none"})
    online.page("/element/", f'<meta name="{name}" content="nofollow, none">')
    online.list_pages()
    found = sorted(path for rule, path in online.issues() if rule == "noindex")
    assert found == (["/element/", "/header/"] if noindex else [])


@pytest.mark.parametrize(
    ("head", "headers", "rule"),
    [
        ('<meta name="robots" content="noindex">', {}, "noindex"),
        ('<link rel="canonical" href="/about/">', {}, "canonical-elsewhere"),
        ('<link rel="canonical" href="/about/?lang=en">', {}, "canonical-elsewhere"),
        ('<meta http-equiv="refresh" content="0; url=/about/">', {}, "redirect"),
        ("", {"Link": '</about/>; rel="canonical"'}, "canonical-elsewhere"),
        (
            "",
            {"Link": "</style.css>; rel=preload, </about/>; rel=canonical"},
            "canonical-elsewhere",
        ),
    ],
)
def test_what_a_page_says_is_judged(
    online: Online, head: str, headers: dict[str, str], rule: str
) -> None:
    online.page("/odd/", head, headers=headers)
    online.list_pages()
    assert online.issues() == [(rule, "/odd/")]


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ({"status": 404}, "canonical-dead"),
        ({"status": 301, "headers": {"Location": "/odd/"}}, "canonical-redirect"),
        ({"status": 301, "headers": {"Location": "/about/"}}, "canonical-elsewhere"),
        ({"status": 500}, "canonical-elsewhere"),
    ],
)
def test_a_canonical_link_is_followed_as_far_as_the_site_was_fetched(
    online: Online, reply: dict[str, Any], rule: str
) -> None:
    online.page("/odd/", '<link rel="canonical" href="/other/">')
    online.page("/other/", **reply)
    online.list_pages()
    assert (rule, "/odd/") in online.issues()


def test_a_page_whose_type_is_not_sent_is_html(online: Online) -> None:
    html = '\n<html><head><link rel="canonical" href="/about/"></head></html>'
    online.website.replies["/odd/"] = Reply(html)
    online.list_pages()
    assert online.issues() == [("canonical-elsewhere", "/odd/")]


def test_what_is_no_html_is_not_fetched(online: Online) -> None:
    online.website.replies["/a.pdf"] = Reply(b"%PDF", headers={"Content-Type": "application/pdf"})
    online.list_pages()
    assert online.issues() == []
    assert online.requests("/a.pdf") == ["HEAD"]
    assert online.requests("/about/") == ["GET"]


def test_a_server_without_head_is_asked_with_get(online: Online) -> None:
    plain = online.website.answer

    def answer(request: Any) -> None:
        if request.command == "HEAD":
            request.reply(405)
        else:
            plain(request)

    online.server.answer = answer
    assert online.issues() == []


def test_sitemaps_are_found_through_robots_and_indexes(online: Online) -> None:
    pages = online.website.replies["/sitemap.xml"].body
    assert isinstance(pages, str)
    as_bytes = {"Content-Type": "application/octet-stream"}
    online.website.replies["/pages.xml.gz"] = Reply(gzip.compress(pages.encode()), headers=as_bytes)
    online.website.replies["/map.xml"] = Reply(index(f"{online.url}/pages.xml.gz"))
    online.website.replies["/robots.txt"] = Reply(f"Sitemap: {online.url}/map.xml")
    assert online.issues() == []
    assert "5 URLs in 2 sitemaps" in online.check().stdout


def test_ix6_a_site_may_have_several_indexes(online: Online) -> None:
    for name, page in (("one", "/"), ("two", "/about/")):
        online.website.replies[f"/{name}-1.xml"] = Reply(urlset(f"<loc>{online.url}{page}</loc>"))
        online.website.replies[f"/{name}.xml"] = Reply(index(f"{online.url}/{name}-1.xml"))
    online.website.replies["/robots.txt"] = Reply(
        f"Sitemap: {online.url}/one.xml\nSitemap: {online.url}/two.xml"
    )
    assert online.issues() == []
    assert "2 URLs in 4 sitemaps" in online.check().stdout


def test_lm9_a_header_that_says_when_the_file_was_copied_is_no_date_of_the_page(
    online: Online,
) -> None:
    online.page("/about/", headers={"Last-Modified": "Wed, 01 Jan 2025 00:00:00 GMT"})
    dated = f"<loc>{online.url}/about/</loc><lastmod>2020-02-02</lastmod>"
    online.website.replies["/sitemap.xml"] = Reply(urlset(dated))
    assert online.issues() == []


def test_p4_a_sitemap_on_another_host_that_robots_names_may_list_the_site(online: Online) -> None:
    other = Website()
    with running(other.answer) as server:
        other.replies["/sitemap.xml"] = online.website.replies.pop("/sitemap.xml")
        online.website.replies["/robots.txt"] = Reply(f"Sitemap: {server.url}/sitemap.xml")
        host = server.url.partition("://")[2]
        assert online.issues("--host", host) == []
        assert "5 URLs in 1 sitemap" in online.check("--host", host).stdout


def test_a_sitemap_may_be_named_in_place_of_the_site(online: Online) -> None:
    online.website.replies["/robots.txt"] = Reply(status=404)
    found = online.issues(of=f"{online.url}/sitemap.xml")
    assert found == [("robots-no-sitemap", "robots.txt")]


def test_a_site_below_the_root_has_its_sitemap_there(online: Online) -> None:
    online.website.replies["/docs/sitemap.xml"] = Reply(urlset(f"<loc>{online.url}/docs/</loc>"))
    online.page("/docs/")
    assert online.issues(of=f"{online.url}/docs/") == []


@pytest.mark.parametrize("status", [404, 403, 410])
def test_without_robots_all_may_be_read(online: Online, status: int) -> None:
    online.website.replies["/robots.txt"] = Reply(status=status)
    assert online.issues() == [("robots-no-sitemap", "robots.txt")]


@pytest.mark.parametrize("reply", [Reply(status=500), Reply(act="drop")])
def test_a_robots_txt_that_fails_is_told(online: Online, reply: Reply) -> None:
    online.website.replies["/robots.txt"] = reply
    assert online.issues() == [("unreachable", "/robots.txt")]


def test_pages_that_robots_forbids_are_not_asked_for(online: Online) -> None:
    online.page("/secret/")
    online.list_pages()
    assert online.issues() == [("robots-disallowed", "/secret/")]
    assert online.requests("/secret/") == []


def test_a_missing_sitemap_is_told(online: Online) -> None:
    del online.website.replies["/sitemap.xml"]
    assert online.issues() == [("robots-dead-sitemap", "/sitemap.xml")]
    del online.website.replies["/robots.txt"]
    assert online.issues() == [("missing-sitemap", "/sitemap.xml")]


def test_a_sitemap_that_is_a_web_page_is_told(online: Online) -> None:
    online.page("/sitemap.xml")
    assert online.issues() == [("not-a-sitemap", "/sitemap.xml")]


def test_other_hosts_are_not_asked(online: Online) -> None:
    other = Website()
    with running(other.answer) as server:
        online.website.replies["/robots.txt"] = Reply(
            f"Sitemap: {online.url}/sitemap.xml\nSitemap: {server.url}/sitemap.xml"
        )
        online.website.replies["/old/"] = Reply(
            status=301, headers={"Location": f"{server.url}/new/"}
        )
        online.website.replies["/moved.xml"] = Reply(
            status=302, headers={"Location": f"{server.url}/sitemap.xml"}
        )
        online.website.replies["/sitemap.xml"] = Reply(
            urlset(f"<loc>{online.url}/old/</loc>", f"<loc>{server.url}/page/</loc>")
        )
        assert online.issues() == [
            ("wrong-host", f"{server.url}/page/"),
            ("redirect", "/old/"),
            ("not-checked", f"{server.url}/sitemap.xml"),
        ]
        assert online.issues(of=f"{online.url}/moved.xml")[0] == ("unreadable", "/moved.xml")
        assert other.asked == []


def test_a_host_that_is_named_may_be_asked(online: Online) -> None:
    other = Website()
    with running(other.answer) as server:
        other.replies["/page/"] = Reply(status=404)
        online.website.replies["/sitemap.xml"] = Reply(urlset(f"<loc>{server.url}/page/</loc>"))
        host = server.url.partition("://")[2]
        assert ("missing-page", f"{server.url}/page/") in online.issues("--host", host)
        assert ("GET", "/robots.txt") in other.asked


def test_redirects_of_a_sitemap_are_followed_but_not_for_ever(online: Online) -> None:
    pages = online.website.replies["/sitemap.xml"]
    online.website.replies["/hop.xml"] = Reply(status=301, headers={"Location": "/sitemap.xml"})
    assert "unreadable" not in dict(online.issues(of=f"{online.url}/hop.xml"))
    online.website.replies["/sitemap.xml"] = Reply(status=302, headers={"Location": "/sitemap.xml"})
    assert online.issues() == [("unreadable", "/sitemap.xml")]
    assert len(online.requests("/sitemap.xml")) == 1 + 6
    online.website.replies["/sitemap.xml"] = pages


def test_a_body_without_end_is_cut_off_which_is_said(online: Online) -> None:
    html = "<!doctype html><html><head><title>A</title></head><body>" + "x" * 65_536
    kind = {"Content-Type": "text/html"}
    online.website.replies["/endless/"] = Reply(html, headers=kind, act="endless")
    online.list_pages()
    assert online.issues() == [("page-cut", "/endless/")]


@pytest.mark.slow
def test_a_packed_body_is_not_unpacked_beyond_the_limit(online: Online) -> None:
    head = b"<!doctype html><html><head><title>A</title></head><body>"
    bomb = gzip.compress(head + b"\0" * 200_000_000, 1)
    kind = {"Content-Type": "text/html", "Content-Encoding": "gzip"}
    online.website.replies["/bomb/"] = Reply(bomb, headers=kind)
    online.list_pages()
    tracemalloc.start()
    try:
        assert online.issues() == []
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()


def test_the_number_of_pages_can_be_limited(online: Online) -> None:
    assert online.issues("--max-pages", 2) == [("not-checked", "/")]
    asked = {path for _, path in online.website.asked}
    assert len(asked & {"/", "/about/", "/guide/", "/guide/a.html", "/guide/b.html"}) == 2


def test_a_note_does_not_fail(online: Online) -> None:
    assert online.check("--max-pages", 2).code == 0


@pytest.mark.parametrize("connections", [1, 3])
def test_no_more_connections_are_open_than_were_allowed(online: Online, connections: int) -> None:
    for number in range(60):
        online.page(f"/many/{number}.html")
    online.list_pages()
    assert online.issues("--connections", connections) == []
    assert online.server.most_connections <= connections


@pytest.mark.slow
def test_memory_does_not_grow_with_the_bytes_of_the_pages(online: Online) -> None:
    for number in range(500):
        online.page(f"/many/{number}.html")
        online.website.replies[f"/many/{number}.html"].body = str(
            online.website.replies[f"/many/{number}.html"].body
        ).replace("</body>", "x" * 100_000)
    online.list_pages()
    tracemalloc.start()
    try:
        assert online.issues() == []
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the client would have slept."""
    slept: list[float] = []
    monkeypatch.setattr("sitemapkit_tools.bounds.time.sleep", slept.append)
    return slept


def test_requests_keep_the_pace(online: Online, naps: list[float]) -> None:
    run("check", online.url, "--rate", "0.001", "--connections", "1")
    asked = len(online.website.asked)
    assert len(naps) == asked - 1
    assert max(naps) == pytest.approx(1_000 * (asked - 1), abs=60)


def test_a_crawl_delay_is_obeyed(online: Online, naps: list[float]) -> None:
    robots = f"User-agent: *\nCrawl-delay: 500\n\nSitemap: {online.url}/sitemap.xml\n"
    online.website.replies["/robots.txt"] = Reply(robots)
    assert online.issues() == []
    assert max(naps) == pytest.approx(500 * 5, abs=60)


def test_a_server_that_asks_for_a_short_pause_gets_it(online: Online) -> None:
    pauses: list[float] = []
    client = Client(ClientSettings(rate=0), Budget(sleep=pauses.append))
    online.page("/busy/", status=429, headers={"Retry-After": "7"})
    view = PageFetcher(client).fetch(f"{online.url}/busy/")
    client.close()
    assert (view.code, view.location, pauses) == (429, f"{online.url}/busy/", [7.0])


@pytest.mark.parametrize(
    "address", ["https://", "ftp://example.org/", "http://a b/", "http://u:p@h/"]
)
def test_what_is_no_web_address_is_wrong_use(address: str) -> None:
    outcome = run("check", address)
    assert (outcome.code, outcome.stdout) == (2, "")


def test_a_server_that_is_not_there_is_told() -> None:
    outcome = run("check", "http://127.0.0.1:9/", "--json")
    rules = [each["id"] for each in json.loads(outcome.stdout)["issues"]]
    assert (outcome.code, rules) == (1, ["unreachable"])


def test_sites_online_can_be_compared(online: Online, tmp_path: Path) -> None:
    old = tmp_path / "old.xml"
    old.write_text(urlset(f"<loc>{online.url}/</loc>"))
    assert "4 added, 1 changed, 0 removed; 0 unchanged" in run("diff", old, online.url).stdout
    del online.website.replies["/sitemap.xml"]
    outcome = run("diff", old, online.url)
    assert outcome.code == 2
    assert "It answers 404." in outcome.stderr


def test_who_asks_is_told(online: Online) -> None:
    online.check()
    assert {head["User-Agent"] for head in online.website.heads} == {USER_AGENT}


def test_pages_are_looked_at_in_any_number_of_threads_with_one_outcome(online: Online) -> None:
    for number in range(30):
        online.page(f"/many/{number}.html", status=404 if number % 3 else 200)
    online.list_pages()
    outcomes = {online.check("--json", "--connections", count).stdout for count in (1, 2, 8)}
    assert len(outcomes) == 1


def test_the_check_of_a_site_can_be_used_without_the_command_line(online: Online) -> None:
    client = Client(ClientSettings(rate=0))
    site = read_online_site(online.url, client, OnlineSettings())
    ticks: list[int] = []
    outcome = check_online(site, client, on_progress=ticks.append)
    client.close()
    assert (outcome.issues, sum(ticks)) == ([], len(site.pages))


def test_a_sitemap_below_a_directory_is_none_that_is_online(online: Online) -> None:
    outcome = run("check", online.url, "--sitemap", "other.xml")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "--sitemap is for a directory; online there is only the URL" in outcome.stderr


@pytest.mark.parametrize(
    ("headers", "rule"),
    [
        ({"Content-Type": "application/xml; charset=utf-8"}, None),
        ({"Content-Type": "text/xml"}, None),
        ({"Content-Type": "text/html"}, "sitemap-type"),
        ({"Content-Type": "application/octet-stream"}, "sitemap-type"),
        ({"X-Robots-Tag": "noindex"}, "sitemap-noindex"),
        ({"X-Robots-Tag": "nofollow"}, None),
    ],
)
def test_how_the_server_sends_the_sitemap_is_a_note(
    online: Online, headers: dict[str, str], rule: str | None
) -> None:
    sitemap = online.website.replies["/sitemap.xml"]
    online.website.replies["/sitemap.xml"] = Reply(sitemap.body, headers=headers)
    assert online.issues() == ([(rule, "/sitemap.xml")] if rule else [])
    assert online.check().code == 0


def test_how_the_server_sends_robots_txt_does_not_matter(online: Online) -> None:
    odd = {"Content-Type": "application/octet-stream", "X-Robots-Tag": "noindex"}
    online.website.replies["/robots.txt"].headers |= odd
    assert online.issues() == []


def test_a_sitemap_that_moved_is_a_note_with_its_new_place(online: Online) -> None:
    online.website.replies["/new.xml"] = online.website.replies["/sitemap.xml"]
    moved = Reply(status=301, headers={"Location": f"{online.url}/new.xml"})
    online.website.replies["/sitemap.xml"] = moved
    assert online.issues() == [("sitemap-redirect", "/sitemap.xml")]
    assert f"It leads to {online.url}/new.xml." in online.check().stdout


# A preview


@pytest.mark.parametrize("base", ["https://example.org/", "https://me.github.io/pika/"])
@pytest.mark.parametrize("below", ["/", "/pika/"])
@pytest.mark.parametrize("given", ["", "--base-url", "sitemap.xml"])
def test_a_site_on_a_server_of_ones_own_is_checked_as_the_one_that_it_will_be(
    base: str, below: str, given: str
) -> None:
    website = Website()
    with running(website.answer) as server:
        site = Online(website, server)
        website.replies.clear()
        paths = ("", "a/", "guide/b.html")
        for path in paths:
            site.page(below + path, f'<link rel="canonical" href="{base}{path}">')
        entries = (f"<loc>{base}{path}</loc>" for path in (*paths, "gone/", "slash"))
        website.replies[f"{below}sitemap.xml"] = Reply(urlset(*entries))
        website.replies[f"{below}slash"] = Reply(
            status=301, headers={"Location": f"{server.url}{below}a/"}
        )
        robots = f"User-agent: *\nAllow: /\n\nSitemap: {base}sitemap.xml\n"
        top = below if base == "https://example.org/" else "/"
        website.replies[f"{top}robots.txt"] = Reply(robots)
        address = server.url + below + (given if given == "sitemap.xml" else "")
        flags = (given, base) if given == "--base-url" else ()
        outcome = run("check", address, *IMPATIENT, "--json", *flags)
    found = json.loads(outcome.stdout)
    assert found["site"] == base
    assert {(each["id"], each["where"], each["detail"]) for each in found["issues"]} == {
        ("missing-page", f"{base}gone/", "It answers 404."),
        ("redirect", f"{base}slash", f"It leads to {base}a/."),
    }
    said = "That is normal for a preview" in outcome.stderr
    assert said == (given != "--base-url")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_site_of_ones_own_with_its_own_urls_is_no_preview(online: Online, scheme: str) -> None:
    page = f"<loc>{online.url.replace('http:', f'{scheme}:')}/</loc>"
    online.website.replies["/sitemap.xml"] = Reply(urlset(page))
    outcome = online.check("--json")
    assert "preview" not in outcome.stderr
    assert json.loads(outcome.stdout)["site"] == f"{online.url}/"


def test_nothing_else_of_the_host_of_a_preview_is_asked(online: Online) -> None:
    outcome = online.check("--base-url", "http://127.0.0.1:9/docs/", "--json")
    rules = {each["id"] for each in json.loads(outcome.stdout)["issues"]}
    assert "unreachable" not in rules, "as requests to that port would be"


# An address that is not quite that of the site


def test_the_address_of_a_page_is_that_of_the_site_whose_sitemap_lists_it(online: Online) -> None:
    for page in ("/about/", "/guide/b.html", "/guide/"):
        assert online.issues(of=online.url + page) == []
    del online.website.replies["/robots.txt"]
    assert online.issues(of=f"{online.url}/guide/a.html") == [("robots-no-sitemap", "robots.txt")]
    online.page("/alone/")
    assert online.issues(of=f"{online.url}/alone/") == [("missing-sitemap", "/alone/sitemap.xml")]


def test_a_page_below_a_site_below_the_root_is_of_that_site(online: Online) -> None:
    online.page("/docs/")
    online.page("/docs/guide/a/")
    pages = (f"<loc>{online.url}/docs/{path}</loc>" for path in ("", "guide/a/"))
    online.website.replies["/docs/sitemap.xml"] = Reply(urlset(*pages))
    outcome = online.check("--json", of=f"{online.url}/docs/guide/a/")
    assert json.loads(outcome.stdout)["site"] == f"{online.url}/docs/"


def test_the_site_is_where_its_address_leads(online: Online) -> None:
    old = Website()
    with running(old.answer) as server:
        there = Reply(status=301, headers={"Location": f"{online.url}/"})
        old.replies = {"/": there, "/robots.txt": there, "/sitemap.xml": there}
        outcome = online.check("--json", of=server.url)
        assert json.loads(outcome.stdout)["site"] == f"{online.url}/"
        assert json.loads(outcome.stdout)["issues"] == []
        assert outcome.stderr == f"{server.url}/ leads to {online.url}/, which is checked.\n"
        assert online.requests("/about/") == ["GET"]


@pytest.mark.parametrize(
    "home",
    [
        Reply(status=302, headers={"Location": "/latest/"}),
        Reply('<title>Redirect</title><meta http-equiv="refresh" content="0; url=latest/">'),
    ],
)
def test_the_sitemap_may_be_in_the_folder_where_the_home_page_leads(home: Reply) -> None:
    website = Website()
    with running(website.answer) as server:
        page = Reply("<!doctype html><title>Tea</title><p>Tea")
        listed = urlset(f"<loc>{server.url}/latest/</loc><lastmod>2024-01-01</lastmod>")
        website.replies = {"/": home, "/latest/": page, "/latest/sitemap.xml": Reply(listed)}
        outcome = run("check", server.url, *IMPATIENT, "--json")
        assert json.loads(outcome.stdout)["issues"] == []
        assert outcome.stderr == f"{server.url}/ leads to {server.url}/latest/, which is checked.\n"
        website.replies["/"] = Reply('<meta http-equiv="refresh" content="30; url=/">')
        website.replies["/sitemap-index.xml"] = Reply(index(f"{server.url}/latest/sitemap.xml"))
        outcome = run("check", server.url, *IMPATIENT, "--json")
        assert [each["id"] for each in json.loads(outcome.stdout)["issues"]] == [
            "robots-no-sitemap"
        ]
        assert outcome.stderr == ""
        https = run("check", server.url.replace("http:", "https:"), *IMPATIENT, "--json")
        assert "Its certificate is wrong or missing: " in https.stdout


def to(target: str) -> Reply:
    """Return a redirect."""
    return Reply(status=302, headers={"Location": target})


NOT_FOUND = "<!doctype html><html><head><title>Page not found</title></head><body></body></html>"


@pytest.mark.parametrize(
    ("path", "reply", "said"),
    [
        ("/", Reply(status=401), "It answers 401: it needs a login"),
        ("/", Reply(status=403), "It answers 403: it needs a login, or a firewall"),
        ("/", Reply(act="drop"), "The connection was dropped."),
        ("/", Reply(status=301, headers={"Location": "/"}), "It redirects more than 5 times."),
        ("/", Reply(status=302, headers={"Location": "ftp://127.0.0.1/"}), "It answers 302."),
        ("/", to("http://localhost:9/sso-api?url=x"), "sso-api?url=x: it needs a login. Check the"),
        ("/", to("http://login.localhost:9/common/oauth2"), "oauth2: it needs a login."),
        ("/", to("http://localhost:9/cdn-cgi/access/login/a"), "it needs a login."),
        ("/robots.txt", Reply(NOT_FOUND), "A web page is sent in place of robots.txt."),
        ("/sitemap.xml", Reply(NOT_FOUND), "The file is not a sitemap"),
        ("/sitemap.xml", Reply(status=404), "names a sitemap that does not exist"),
        ("/about/", Reply(NOT_FOUND), "It answers 200, and shows 'Page not found' as any address"),
        ("/about/", Reply(status=500), "It answers 500."),
        ("/about/", Reply(status=404), "It answers 404."),
        ("/about/", Reply(status=301, headers={"Location": "/"}), "It leads to"),
    ],
)
def test_what_a_server_does_is_one_line(online: Online, path: str, reply: Reply, said: str) -> None:
    online.website.replies[path] = reply
    absent = "/sitemapkit-asks-for-a-page-that-is-not-there"
    online.website.replies[absent] = Reply(NOT_FOUND)
    outcome = online.check("--json")
    (found,) = json.loads(outcome.stdout)["issues"]
    assert said in f"{found['title']} {found['detail']}"
    assert outcome.stderr == ""


def test_a_site_whose_pages_have_one_title_shows_no_page_as_not_found(online: Online) -> None:
    for path in ("/", "/about/", "/guide/", "/guide/a.html", "/guide/b.html"):
        online.website.replies[path] = Reply(NOT_FOUND.replace("Page not found", "Tea"))
    absent = "/sitemapkit-asks-for-a-page-that-is-not-there"
    online.website.replies[absent] = online.website.replies["/"]
    assert online.issues() == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("example.org", "There is no such folder: 'example.org'. Did you mean https://example.org"),
        ("docs.example.org/en/", "Did you mean https://docs.example.org/en/?"),
        ("public/sitemap.xml", "There is no such file: 'public/sitemap.xml'."),
        ("public", "There is no such folder: 'public': pass the folder that"),
    ],
)
def test_what_is_not_there_is_said_with_what_may_be_meant(given: str, said: str) -> None:
    outcome = run("check", given)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert said in outcome.stderr
