"""What one answer of a server means: its limits, its headers, and what is asked once more."""

from __future__ import annotations

import gzip
import time
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING

import pytest

from sitemapkit.model import Head
from sitemapkit_tools.bounds import MAX_FILE, MAX_HEADERS, MAX_TEXT, Budget
from sitemapkit_tools.site.facts import Facts
from sitemapkit_tools.site.snapshot import UrlStatus
from sitemapkit_tools.sitemaps.sitemap_file import UnreadableError
from sitemapkit_tools.web.client import USER_AGENT, Client, ClientSettings, NetworkError
from sitemapkit_tools.web.pages import PageFetcher, WebSource

from .servers import Handler, Reply, Website, running

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    Answer = Callable[[Handler], None]


class Web:
    """A website with one page, and a client."""

    def __init__(self, website: Website, url: str) -> None:
        self.website, self.url = website, url
        self.pauses: list[float] = []
        self.said: list[str] = []
        budget = Budget(sleep=self.pauses.append, say=self.said.append)
        self.client = Client(ClientSettings(rate=0, timeout=5), budget)
        self.source = WebSource(self.client, {url.strip("/")})

    def fetch(self, reply: Reply) -> UrlStatus:
        """Return what is known of the page when the website replies so."""
        self.website.replies["/"] = reply
        return PageFetcher(self.client).fetch(self.url)

    def sent(self, reply: Reply, path: str = "/") -> list[tuple[str, str, str]]:
        """Return the issues of how a sitemap is sent."""
        self.website.replies["/"] = reply
        self.source.read(self.url if path == "/" else f"{self.url[:-1]}{path}")
        return [(each.rule.id, each.where, each.detail) for each in self.source.issues]


@pytest.fixture
def web() -> Generator[Web]:
    website = Website()
    with running(website.answer) as server:
        web = Web(website, f"{server.url}/")
        yield web
        web.client.close()


HTML = {"Content-Type": "text/html"}
PAGE = Reply("<!doctype html><html><title>A</title>", headers=HTML)
MODIFIED = '<meta property="article:modified_time" content="2024-05-06T07:08:09+00:00">'
EMPTY = Facts(head=Head())
NOINDEX = '<meta name="robots" content="noindex">'


def page(head: str, **headers: str) -> Reply:
    return Reply(f"<!doctype html><html><head>{head}</head>", headers=HTML | headers)


def canonical(url: str) -> Facts:
    return Facts(head=Head(canonical=url))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (page(""), UrlStatus(facts=EMPTY)),
        (page(MODIFIED), UrlStatus(facts=EMPTY)),
        (page("<meta name=robots content=noindex>"), UrlStatus(facts=Facts(Head(noindex=True)))),
        (page("", **{"X-Robots-Tag": "none"}), UrlStatus(facts=EMPTY, noindex=True)),
        (
            page("", **{"X-Robots-Tag": "otherbot: nofollow", "x-robots-tag": "noindex"}),
            UrlStatus(facts=EMPTY, noindex=True),
        ),
        (page("", Link='<a>; title="a b"; REL=Canonical'), UrlStatus(facts=canonical("a"))),
        (
            page("<link rel=canonical href=b>", Link="<a>;rel=canonical"),
            UrlStatus(facts=canonical("b")),
        ),
        (
            page("<meta name=robots content=noindex>", Link="<a>;rel=canonical"),
            UrlStatus(facts=Facts(Head(noindex=True, canonical="a"))),
        ),
        (
            Reply("<html>", headers={"Content-Type": "Application/XHTML+XML ; charset=utf-8"}),
            UrlStatus(facts=EMPTY),
        ),
        (
            Reply(
                '<meta charset="iso-8859-1"><title>чай</title>'.encode("cp1251"),
                headers={"Content-Type": "text/html; Charset=windows-1251"},
            ),
            UrlStatus(facts=Facts(Head(), title="чай")),
        ),
        (
            Reply(
                "<html>", headers={"Content-Type": "application/pdf", "Link": "<a>;rel=canonical"}
            ),
            UrlStatus(),
        ),
        (Reply("", headers=HTML), UrlStatus()),
        (Reply("moved", 301, {"Location": "/a b#c"}), UrlStatus(301, target="{}a%20b")),
        (Reply("moved", 308, {"X-Robots-Tag": "noindex"}), UrlStatus(308, noindex=True)),
        (Reply("no", 300, {"Location": "/a"}), UrlStatus(300)),
        (Reply("no", 404, HTML), UrlStatus(404)),
        (Reply(act="drop"), UrlStatus(0, detail="The connection was dropped.")),
    ],
)
def test_what_is_known_of_a_page(web: Web, reply: Reply, expected: UrlStatus) -> None:
    target = expected.target and expected.target.format(web.url)
    status = UrlStatus(
        expected.code, web.url, expected.facts, target, expected.noindex, detail=expected.detail
    )
    assert web.fetch(reply) == status


@pytest.mark.parametrize(("length", "is_kept"), [(MAX_TEXT, True), (MAX_TEXT + 1, False)])
@pytest.mark.parametrize("kind", ["canonical", "refresh"])
def test_of_a_page_no_target_is_kept_that_is_longer_than_any_url(
    web: Web, length: int, is_kept: bool, kind: str
) -> None:
    url = "a" * length
    link = f'<link rel="canonical" href="{url}">'
    refresh = f'<meta http-equiv="refresh" content="0; url={url}">'
    facts = web.fetch(page(link if kind == "canonical" else refresh)).facts
    assert facts is not None
    assert getattr(facts.head, kind) == (url if is_kept else None)


# What is asked once more


@pytest.mark.parametrize(
    ("status", "retry_after", "pauses"),
    [
        (429, "7", [7.0]),
        (503, "60", [60.0]),
        (503, "61", []),
        (429, "-1", []),
        (429, "Fri, 31 Dec 2027 23:59:59 GMT", []),
        (500, "7", []),
    ],
)
def test_a_page_is_asked_for_once_more_after_a_short_pause(
    web: Web, status: int, retry_after: str, pauses: list[float]
) -> None:
    assert web.fetch(Reply("busy", status, {"Retry-After": retry_after})).code == status
    assert web.pauses == pauses
    assert web.website.asked == [("GET", "/")] * (1 + len(pauses))
    why = f"{web.url.partition('//')[2][:-1]} asks for it with status {status}"
    assert web.said == [f"Waiting {pause:.0f} seconds: {why}." for pause in pauses]


def test_the_pause_that_a_server_asks_for_may_be_a_date(web: Web) -> None:
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    web.fetch(Reply("busy", 503, {"Retry-After": moment}))
    (pause,) = web.pauses
    assert 0 < pause <= 30


STATUSES = (
    *(100, 201, 204, 206, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 406, 410, 418, 429),
    *(451, 500, 501, 502, 503, 504, 520, 599, 999),
)


@pytest.mark.parametrize("status", STATUSES[1:])
def test_no_status_for_head_counts_before_the_page_was_asked_for(web: Web, status: int) -> None:
    def answer(request: Handler) -> None:
        other = {"Location": "/login", "Retry-After": "3600"}
        reply = Reply(status=status, headers=other) if request.command == "HEAD" else page("")
        Website({"/": reply}).answer(request)

    with running(answer) as server:
        found = PageFetcher(web.client).fetch(f"{server.url}/")
    assert (found.code, found.facts, found.target) == (200, EMPTY, None)


@pytest.mark.parametrize("status", STATUSES[2:])
def test_a_status_for_get_counts(web: Web, status: int) -> None:
    def answer(request: Handler) -> None:
        bad = Reply(status=status, headers={"Retry-After": "3600"})
        Website({"/": page("") if request.command == "HEAD" else bad}).answer(request)

    with running(answer) as server:
        found = PageFetcher(web.client).fetch(f"{server.url}/")
    assert (found.code, found.facts) == (status, None)


def broken(request: Handler) -> None:
    request.wfile.write(b"no HTTP at all\r\n\r\n")
    request.drop()


def endless_headers(request: Handler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 200)
    request.drop()


def silent(request: Handler) -> None:
    request.site.stopped.wait(30)
    request.drop()


def of_another_type(request: Handler) -> None:
    request.reply(200, b"", {"Content-Type": "text/plain"})


FAILURES = [broken, endless_headers, silent, of_another_type, Handler.drop]


@pytest.mark.parametrize("fail", FAILURES)
def test_no_failure_of_head_counts_before_the_page_was_asked_for(fail: Answer) -> None:
    def answer(request: Handler) -> None:
        if request.command == "HEAD":
            fail(request)
        else:
            Website({path: page(NOINDEX) for path in ("/a/", "/b/")}).answer(request)

    client = Client(ClientSettings(rate=0, timeout=0.5))
    with running(answer) as server:
        fetcher = PageFetcher(client)
        found = [fetcher.fetch(f"{server.url}/{name}/") for name in "ab"]
    client.close()
    assert [(each.code, each.is_noindex) for each in found] == [(200, True)] * 2


@pytest.mark.parametrize("fail", [broken, endless_headers, silent, Handler.drop])
def test_a_failure_of_get_counts(fail: Answer) -> None:
    def answer(request: Handler) -> None:
        if request.command == "HEAD":
            Website({"/": page("")}).answer(request)
        else:
            fail(request)

    client = Client(ClientSettings(rate=0, timeout=0.5))
    with running(answer) as server:
        found = PageFetcher(client).fetch(f"{server.url}/")
    client.close()
    assert found.code == 0
    assert found.detail


def test_a_host_that_does_not_answer_head_in_time_is_asked_with_get_alone() -> None:
    asked: list[str] = []

    def answer(request: Handler) -> None:
        asked.append(request.command)
        if request.command == "HEAD":
            silent(request)
        else:
            Website({f"/{number}.pdf": page("") for number in range(3)}).answer(request)

    client = Client(ClientSettings(rate=0, timeout=0.5))
    with running(answer) as server:
        fetcher = PageFetcher(client)
        codes = [fetcher.fetch(f"{server.url}/{number}.pdf").code for number in range(3)]
    client.close()
    assert (codes, asked) == ([200] * 3, ["HEAD", "GET", "GET", "GET"])


@pytest.mark.parametrize("limit", ["timeout", "deadline"])
def test_a_host_that_keeps_a_request_waiting_to_its_end_is_not_asked_again(limit: str) -> None:
    asked: list[str] = []

    def answer(request: Handler) -> None:
        asked.append(request.path)
        silent(request)

    late = {"timeout": ClientSettings(rate=0, timeout=0.5, deadline=60)}
    client = Client(late.get(limit) or ClientSettings(rate=0, timeout=60, deadline=0.5))
    with running(answer) as server:
        with pytest.raises(NetworkError, match=r"0\.5 seconds"):
            client.request("GET", f"{server.url}/robots.txt", limit=10)
        start = time.monotonic()
        for method in ("GET", "HEAD", "POST"):
            with pytest.raises(NetworkError, match="did not answer in time before") as error:
                client.request(method, f"{server.url}/", limit=10)
            assert not error.value.sent
        assert time.monotonic() - start < 0.4
    client.close()
    assert asked == ["/robots.txt"]


def test_a_host_that_has_answered_may_have_a_few_slow_pages() -> None:
    def answer(request: Handler) -> None:
        (silent if "slow" in request.path else of_another_type)(request)

    client = Client(ClientSettings(rate=0, timeout=0.3))
    with running(answer) as server:

        def ask(path: str) -> str:
            try:
                return str(client.request("GET", server.url + path, limit=10).status)
            except NetworkError as error:
                return str(error)[:14]

        late, over = "the server sen", "the server did"
        assert [ask(path) for path in ("/", "/slow", "/slow", "/", "/slow")] == [
            *("200", late, late, "200", late),
        ]
        assert [ask(path) for path in ("/slow", "/slow", "/")] == [late, late, over]
    client.close()


def test_a_page_whose_connection_breaks_once_is_there(web: Web) -> None:
    dropped: list[str] = []

    def answer(request: Handler) -> None:
        if request.command not in dropped:
            dropped.append(request.command)
            request.drop()
        else:
            Website({"/": page("")}).answer(request)

    with running(answer) as server:
        assert PageFetcher(web.client).fetch(f"{server.url}/").facts == EMPTY
    assert dropped == ["GET"]


# How a sitemap is sent


@pytest.mark.parametrize(
    ("headers", "body", "told"),
    [
        ({"Content-Type": "Text/XML ; charset=utf-8"}, "<urlset/>", None),
        ({"Content-Type": "application/rss+xml"}, "<rss/>", None),
        ({"Content-Type": "text/plain"}, "", None),
        ({"Content-Type": ""}, "", None),
        ({"Content-Type": "application/x-gzip"}, "", None),
        ({"Content-Type": "text/html"}, "<HTML>".rjust(1_024), None),
        (
            {"Content-Type": "text/html"},
            "<html>".rjust(1_026),
            ("sitemap-type", "It is text/html."),
        ),
        ({"Content-Type": "a/" + "b" * 99}, "", ("sitemap-type", f"It is a/{'b' * 98}.")),
        ({"X-Robots-Tag": "noindex"}, "", ("sitemap-noindex", "The header X-Robots-Tag says so.")),
    ],
)
def test_how_a_sitemap_is_sent_is_told(
    web: Web, headers: dict[str, str], body: str, told: tuple[str, str] | None
) -> None:
    expected = [(told[0], web.url, told[1])] if told else []
    assert web.sent(Reply(body, headers=headers)) == expected


@pytest.mark.parametrize(("path", "rules"), [("/a.xml.gz", []), ("/a.xml", ["sitemap-type"])])
def test_a_packed_sitemap_may_be_sent_as_any_bytes(web: Web, path: str, rules: list[str]) -> None:
    packed = Reply(
        gzip.compress(b"<urlset/>"), headers={"Content-Type": "application/octet-stream"}
    )
    web.website.replies[path] = packed
    assert [rule for rule, *_ in web.sent(Reply(), path)] == rules


@pytest.mark.parametrize(("hops", "is_read"), [(1, True), (5, True), (6, False)])
def test_five_redirects_are_followed_to_a_sitemap(web: Web, hops: int, is_read: bool) -> None:
    for hop in range(hops):
        web.website.replies[f"/{hop}.xml"] = Reply("", 302, {"Location": f"{hop + 1}.xml"})
    web.website.replies[f"/{hops}.xml"] = Reply("<urlset/>")
    if is_read:
        end = f"It leads to {web.url}{hops}.xml."
        assert web.sent(Reply(), "/0.xml") == [("sitemap-redirect", f"{web.url}0.xml", end)]
    else:
        with pytest.raises(UnreadableError, match=r"^It redirects more than 5 times\.$"):
            web.source.read(f"{web.url}0.xml")


@pytest.mark.parametrize(
    ("status", "is_missing", "is_refused"),
    [
        (201, False, False),
        (304, False, False),
        (400, False, True),
        (404, True, True),
        (410, True, True),
        (429, False, False),
        (499, False, True),
        (500, False, False),
    ],
)
def test_a_file_that_a_server_refuses_may_be_there(
    web: Web, status: int, is_missing: bool, is_refused: bool
) -> None:
    with pytest.raises(UnreadableError, match=rf"^It answers {status}\.$") as raised:
        web.sent(Reply("", status))
    assert (raised.value.missing, raised.value.refused) == (is_missing, is_refused)


def test_a_redirect_to_nowhere_is_an_answer(web: Web) -> None:
    with pytest.raises(UnreadableError, match=r"^It answers 302\.$"):
        web.sent(Reply("", 302))


def test_a_sitemap_on_a_host_that_was_not_named_is_not_asked_for(web: Web) -> None:
    with pytest.raises(
        UnreadableError,
        match=r"^It leads to \w+://example\.net, a host or scheme that was not named\.$",
    ):
        web.source.read("http://example.net/sitemap.xml")


def test_a_sitemap_that_cannot_be_fetched_says_why(web: Web) -> None:
    with pytest.raises(UnreadableError, match=r"^The connection was dropped\.$"):
        web.sent(Reply(act="drop"))


# The client


def test_each_request_says_who_asks_and_that_its_answer_may_be_packed(web: Web) -> None:
    web.website.replies["/"] = Reply()
    web.client.request("GET", web.url, limit=0)
    web.client.request("GET", web.url, limit=0, headers={"If-None-Match": "a"})
    for head in web.website.heads:
        assert (head["User-Agent"], head["Accept-Encoding"]) == (USER_AGENT, "gzip")
    assert [head.get("If-None-Match") for head in web.website.heads] == [None, "a"]


@pytest.mark.parametrize("extra", [-1, 0, 1])
@pytest.mark.parametrize("encoding", ["gzip", " GZIP ", "x-gzip"])
def test_a_packed_body_is_cut_at_the_limit_when_it_is_unpacked(
    web: Web, encoding: str, extra: int
) -> None:
    body = b"x" * (1_000 + extra)
    web.website.replies["/"] = Reply(gzip.compress(body), headers={"Content-Encoding": encoding})
    response = web.client.request("GET", web.url, limit=1_000)
    assert (response.body, response.cut) == (body[:1_000], extra > 0)


def test_a_body_that_is_packed_in_another_way_than_it_says_is_no_answer(web: Web) -> None:
    web.website.replies["/"] = Reply(zlib.compress(b"x"), headers={"Content-Encoding": "gzip"})
    with pytest.raises(NetworkError):
        web.client.request("GET", web.url, limit=1_000)


@pytest.mark.parametrize("extra", [0, 1])
def test_headers_may_have_as_many_characters_as_the_bound_says(web: Web, extra: int) -> None:
    web.website.replies["/"] = Reply(headers={f"X-{number}": "a" * 8_000 for number in range(8)})
    held = web.client.request("GET", web.url, limit=0).headers
    left = MAX_HEADERS - sum(len(name) + len(value) for name, value in held.items())
    web.website.replies["/"].headers["X-0"] += "a" * (left + extra)
    if extra:
        with pytest.raises(
            NetworkError, match=r"^its headers have more than 65,536 characters$"
        ) as raised:
            web.client.request("GET", web.url, limit=0)
        assert raised.value.sent
    else:
        assert web.client.request("GET", web.url, limit=0).status == 200


def test_whether_a_request_may_have_arrived_is_known(web: Web) -> None:
    with running(Website().answer) as server:
        address = server.url
    with pytest.raises(NetworkError, match=r"^the connection was refused$") as raised:
        web.client.request("POST", address, limit=0)
    assert (raised.value.sent, raised.value.late) == (False, False)
    web.website.replies["/"] = Reply(act="drop")
    with pytest.raises(NetworkError, match=r"^the connection was dropped$") as raised:
        web.client.request("POST", web.url, limit=0)
    assert raised.value.sent


def test_requests_are_as_far_apart_as_the_slowest_of_all_wishes(web: Web) -> None:
    pauses: list[float] = []
    said: list[str] = []
    budget = Budget(sleep=pauses.append, say=said.append)
    client = Client(ClientSettings(rate=0.01), budget)
    web.website.replies["/"] = Reply()
    for seconds in (50, 100, 300):
        client.slow_down(seconds, f"{seconds} are wished")
        client.request("GET", web.url, limit=0)
        client.request("GET", web.url, limit=0)
    client.close()
    assert pauses == pytest.approx([100, 200, 300, 400, 700], abs=30)
    assert [line.partition(": ")[2] for line in said] == [
        "no more than 0.01 requests a second are sent.",
        "300 are wished.",
    ]


def test_a_sitemap_is_read_one_byte_further_than_any_may_be(web: Web) -> None:
    web.website.replies["/"] = Reply(
        gzip.compress(b"\0" * (MAX_FILE + 9), 1), headers={"Content-Encoding": "gzip"}
    )
    assert len(web.source.read(web.url)) == MAX_FILE + 1
