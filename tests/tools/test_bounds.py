"""What others wrote is read within bounds: bytes, time, nesting and the memory that is kept.

Each server here would never end, and each file would take all memory there is.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import shutil
import ssl
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date, timedelta
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from sitemapkit import read_options
from sitemapkit.model import Entry
from sitemapkit_tools import write_index, write_part
from sitemapkit_tools.web.client import Client, ClientSettings, NetworkError
from textdates.bounds import read_file

from .conftest import NAMESPACES, index, run, urlset
from .servers import Handler, Reply, Website, running

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from .conftest import Site

pytestmark = pytest.mark.slow

MEBIBYTE = 1_048_576
HOME = "https://example.org/"
DEEP = "[" * 100_000


# Time


def dripping(*start: bytes, drip: bytes) -> Callable[[Handler], None]:
    """Return an answer that begins and then never ends, a few bytes every 20 ms."""

    def answer(request: Handler) -> None:
        request.close_connection = True
        request.wfile.write(b"".join(start))
        while not request.site.stopped.wait(0.02):
            request.wfile.write(drip)
            request.wfile.flush()

    return answer


OK = b"HTTP/1.1 200 OK\r\n"
ENDLESS = {
    "interim answers": dripping(drip=b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a status line": dripping(drip=b"H"),
    "headers": dripping(OK, drip=b"a: b\r\n"),
    "one header": dripping(OK, b"a: ", drip=b"b"),
    "a body": dripping(OK, b"Content-Length: 100000\r\n\r\n", drip=b"x"),
    "chunks": dripping(OK, b"Transfer-Encoding: chunked\r\n\r\n", drip=b"1\r\nx\r\n"),
    "one chunk": dripping(OK, b"Transfer-Encoding: chunked\r\n\r\n", b"ffff\r\n", drip=b"x"),
    "trailers": dripping(OK, b"Transfer-Encoding: chunked\r\n\r\n0\r\n", drip=b"a: b\r\n"),
    "a packed body": dripping(OK, b"Content-Encoding: gzip\r\n\r\n", drip=b"\x1f"),
    "nothing": dripping(drip=b""),
}


@pytest.mark.parametrize("name", ENDLESS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_request_ends_at_its_deadline_whatever_the_server_does(name: str, method: str) -> None:
    there = Website({"/": Reply("there")}).answer
    patient = ClientSettings(rate=0, timeout=300, deadline=300)
    with running(there) as server:
        client = Client(patient)

        def ask() -> bytes:
            return client.request("GET", f"{server.url}/", limit=100).body

        assert ask() == b"there"  # a host that never answered would not be asked again
        client.settings = replace(patient, deadline=0.4)
        server.answer = ENDLESS[name]
        start = time.monotonic()
        with pytest.raises(NetworkError, match=r"longer than|dropped"):
            client.request(method, server.url, limit=1_000_000)
        assert time.monotonic() - start < 200  # of 300 for a server that only pauses
        client.settings = patient
        server.answer = there
        assert ask() == b"there"


def test_the_size_of_a_chunk_that_has_no_end_is_not_kept() -> None:
    sent = 0

    def answer(handler: Handler) -> None:
        nonlocal sent
        handler.wfile.write(OK + b"Transfer-Encoding: chunked\r\n\r\n5;")
        while sent < 256 * MEBIBYTE:
            handler.wfile.write(b"a" * MEBIBYTE)
            handler.wfile.flush()
            sent += MEBIBYTE

    with running(answer) as server:
        client = Client(ClientSettings(rate=0, timeout=300, deadline=300))
        with pytest.raises(NetworkError):
            client.request("GET", server.url, limit=1_000_000)
        client.close()
    assert sent < 64 * MEBIBYTE  # what waits in the sockets


def test_a_server_that_is_silent_is_given_up_before_the_deadline() -> None:
    with running(ENDLESS["nothing"]) as server:
        client = Client(ClientSettings(rate=0, timeout=0.2, deadline=300))
        with pytest.raises(NetworkError, match=r"^the server sent nothing for 0\.2 seconds$"):
            client.request("GET", server.url, limit=100)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that nobody signed, with its key."""
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate")
    file = tmp_path_factory.mktemp("tls") / "certificate.pem"
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=a -addext subjectAltName=IP:127.0.0.1"
    )
    subprocess.run(
        [*command.split(), "-keyout", file, "-out", file], check=True, capture_output=True
    )
    return file


@contextmanager
def with_tls(certificate: Path, answer: Callable[[Handler], None]) -> Generator[str]:
    with running(answer) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        yield server.url.replace("http:", "https:")


def test_a_request_over_tls_ends_at_its_deadline(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with with_tls(certificate, ENDLESS["a body"]) as url:
        client = Client(ClientSettings(rate=0, timeout=30, deadline=0.4))
        threads = threading.active_count()
        with pytest.raises(NetworkError, match="longer than"):
            client.request("GET", url, limit=1_000_000)
        until = time.monotonic() + 60
        while threading.active_count() > threads + 1 and time.monotonic() < until:
            time.sleep(0.01)
        assert threading.active_count() <= threads + 1  # the server's, which goes on
        client.close()


def test_a_certificate_that_nobody_signed_is_not_trusted(certificate: Path) -> None:
    with with_tls(certificate, Website({"/": Reply()}).answer) as url:
        client = Client(ClientSettings(rate=0))
        with pytest.raises(NetworkError, match=r"^its certificate is wrong or missing: "):
            client.request("GET", url, limit=0)
        client.close()


@pytest.mark.parametrize("command", ["check", "diff", "submit"])
def test_a_command_ends_within_its_time(site: Site, command: str) -> None:
    site.write()
    others = {"diff": [site.root], "submit": [site.root]}.get(command, [])
    with running(ENDLESS["headers"]) as server:
        start = time.monotonic()
        outcome = run(command, server.url, *others, "--max-time", "0.5")
        assert time.monotonic() - start < 200  # each answer would go on for ever
    assert outcome.code in (1, 2)
    assert "of --max-time" in outcome.stdout + outcome.stderr


def test_pages_that_there_is_no_time_for_are_named() -> None:
    website = Website()
    with running(website.answer) as server:
        pages = [f"/{number}.html" for number in range(40)]
        days = [f"<lastmod>2024-01-{day:02}</lastmod>" for day in range(1, 32)]
        locs = [f"<loc>{server.url}{p}</loc>{days[n % 31]}" for n, p in enumerate(pages)]
        website.replies = {page: Reply("<!doctype html><title>a</title>") for page in pages}
        website.replies["/sitemap.xml"] = Reply(urlset(*locs))
        website.replies["/robots.txt"] = Reply(f"Sitemap: {server.url}/sitemap.xml")
        flags = ("--json", "--rate", 30, "--max-time", "1")
        first = json.loads(run("check", server.url, *flags).stdout)["issues"]
        assert [each["id"] for each in first] == ["not-checked"]
        assert "of 40 pages were fetched" in first[0]["detail"]
        asked = {path for _, path in website.asked if path in pages}
        assert 0 < len(asked) < 40


def test_a_crawl_delay_without_end_is_refused_at_once() -> None:
    website = Website()
    with running(website.answer) as server:
        locs = [f"<loc>{server.url}/{number}</loc>" for number in range(3)]
        website.replies["/sitemap.xml"] = Reply(urlset(*locs))
        website.replies["/robots.txt"] = Reply(
            f"User-agent: *\nCrawl-delay: 1000000\nSitemap: {server.url}/sitemap.xml"
        )
        outcome = run("check", server.url)
    assert "robots.txt sets Crawl-delay: 1,000,000" in outcome.stdout


def test_a_pause_says_what_it_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemapkit_tools.bounds.time.sleep", id)
    website = Website()
    with running(website.answer) as server:
        busy = Reply(status=429, headers={"Retry-After": "30"})
        website.replies = {f"/{number}": busy for number in range(3)}
        locs = [f"<loc>{server.url}{path}</loc>" for path in website.replies]
        website.replies["/sitemap.xml"] = Reply(urlset(*locs))
        website.replies["/robots.txt"] = Reply(f"Sitemap: {server.url}/sitemap.xml")
        outcome = run("check", server.url, "--rate", 0)
    host = server.url.partition("://")[2]
    assert outcome.stderr == f"Waiting 30 seconds: {host} asks for it with status 429.\n"


@pytest.mark.parametrize(
    ("header", "noindex"),
    [
        ("noindex", True),
        ("otherbot: none", False),
        ("otherbot: nofollow, noindex", False),
        ("otherbot: max-snippet: 9, noindex", False),
        ("360spider: nofollow, noindex", False),
        ("otherbot: noindex, googlebot: none", True),
        ("googlebot: nofollow, NoIndex", True),
        ("googlebot: nofollow, otherbot: noindex", False),
        ("max-image-preview: none", False),
        ("googlebot: max-image-preview: none", False),
        ("max-snippet:none, nofollow", False),
        ("max-image-preview: large, noindex", True),
        ("unavailable_after: Fri, 31 Dec 2027 23:59:59 GMT, noindex", True),
        ("unavailable_after: Friday, 31-Dec-27 23:59:59 GMT, noindex", True),
        ("unavailable_after: Friday, 31-Dec-21 23:59:59 GMT", True),
        ("unavailable_after: June 25, 2010, nofollow", True),
        ("unavailable_after: Fri Jun 25 15:00:00 2010", True),
        ("googlebot: unavailable_after: 2020-01-01", True),
        ("otherbot: unavailable_after: 2020-01-01, nofollow", False),
        ("unavailable_after: " * 4_000, False),
        ("a" * 60_000, False),
        (":" * 60_000, False),
        ("a:" * 30_000, False),
        ("a " * 30_000, False),
        ("a, " * 20_000, False),
        ("a:" + " " * 59_000, False),
        ("noindex " * 5_000, True),
    ],
)
def test_a_header_for_robots_is_read_in_linear_time(header: str, noindex: bool) -> None:
    start = time.process_time()
    issues = issues_of_a_page({"X-Robots-Tag": header})
    assert ("noindex" in issues) == noindex
    assert time.process_time() - start < 5


@pytest.mark.parametrize(("extra", "cut"), [(-1, False), (0, False), (1, True)])
def test_a_body_is_cut_at_the_limit_also_where_a_piece_of_it_ends(extra: int, cut: bool) -> None:
    limit = 2 * 65_536
    with running(Website({"/": Reply(b"x" * (limit + extra))}).answer) as server:
        client = Client(ClientSettings(rate=0))
        response = client.request("GET", f"{server.url}/", limit=limit)
        client.close()
    assert (len(response.body), response.cut) == (min(limit, limit + extra), cut)


def test_as_many_requests_are_under_way_as_there_are_connections() -> None:
    together = Barrier(3, timeout=300)

    def answer(request: Handler) -> None:
        together.wait()
        request.reply(200)

    with running(answer) as server, ThreadPoolExecutor(3) as threads:
        client = Client(ClientSettings(connections=3, rate=0))
        sent = [threads.submit(client.request, "GET", server.url, limit=0) for _ in range(3)]
        assert [each.result().status for each in sent] == [200, 200, 200]
        client.close()


@pytest.mark.parametrize(("method", "count"), [("GET", 2), ("HEAD", 2), ("POST", 1)])
def test_what_is_safe_to_send_is_sent_once_more_if_the_connection_breaks(
    method: str, count: int
) -> None:
    website = Website({"/": Reply(act="drop")})
    with running(website.answer) as server:
        client = Client(ClientSettings(rate=0))
        with pytest.raises(NetworkError, match=r"^the connection was dropped$"):
            client.request(method, f"{server.url}/", limit=0)
        client.close()
    assert website.asked == [(method, "/")] * count


@pytest.mark.parametrize("size", [0, 9, 10, 11])
def test_a_file_is_read_to_its_last_byte_or_its_limit(tmp_path: Path, size: int) -> None:
    file, data = tmp_path / "file", b"0123456789a"[:size]
    file.write_bytes(data)
    assert read_file(file, 10, cut=True) == data[:10]
    if size > 10:
        with pytest.raises(OSError, match="more than 10 bytes"):
            read_file(file, 10)
    else:
        assert read_file(file, 10) == data


def test_an_address_that_no_request_can_be_sent_to_is_not_valid() -> None:
    client = Client(ClientSettings(rate=0))
    with pytest.raises(NetworkError, match=r"^it is not valid HTTP$"):
        client.request("GET", "http://a..example/", limit=0)
    client.close()


def test_more_headers_than_servers_allow_are_refused() -> None:
    many = {f"X-{number}": "a" * 10_000 for number in range(80)}
    assert issues_of_a_page(many) == ["unreachable"]


def issues_of_a_page(headers: dict[str, str]) -> list[str]:
    website = Website()
    with running(website.answer) as server:
        website.replies["/"] = Reply("<!doctype html><html><title>a</title>", headers=headers)
        website.replies["/sitemap.xml"] = Reply(urlset(f"<loc>{server.url}/</loc>"))
        website.replies["/robots.txt"] = Reply(f"Sitemap: {server.url}/sitemap.xml")
        found = json.loads(run("check", server.url, "--json", "--rate", 0).stdout)["issues"]
    return [each["id"] for each in found]


# Memory


def within(mebibytes: int, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command that may use so much address space."""

    def limit() -> None:
        most = mebibytes * MEBIBYTE
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    command = [sys.executable, "-m", "sitemapkit_tools", *map(str, arguments)]
    environment = {**os.environ, "MALLOC_ARENA_MAX": "2"}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, preexec_fn=limit, env=environment
    )


def peak(*arguments: object) -> tuple[int, str]:
    """Return the most that a command held, in MiB, and what it wrote."""
    program = (
        "import re, sys; from sitemapkit_tools.cli import cli\n"
        "try:\n    cli.main(sys.argv[1:])\n"
        "finally:\n    status = open('/proc/self/status').read()\n"
        "    print(re.search(r'VmHWM:\\s+(\\d+)', status)[1], file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return int(done.stderr.split()[-1]) // 1024, done.stdout


def images(count: int) -> str:
    """Return a sitemap of one URL with many long images."""
    one = f"<image:image><image:loc>{HOME}{'x' * 2_000}</image:loc></image:image>"
    return urlset(f"<loc>{HOME}</loc>" + one * count)


def links(count: int) -> str:
    one = '<xhtml:link rel="alternate" hreflang="de" href="https://example.org/{}{}"/>'
    return urlset(f"<loc>{HOME}</loc>" + "".join(one.format("x" * 2_000, n) for n in range(count)))


def addresses(count: int) -> str:
    return urlset(*(f"<loc>{HOME}{number}/{'x' * 900}</loc>" for number in range(count)))


def unknown(count: int) -> str:
    return urlset(*(f"<loc>{HOME}{n}</loc><a{n}/>" for n in range(count)))


def dates(count: int) -> str:
    return urlset(
        *(f"<loc>{HOME}{n}</loc><lastmod>{n}{'x' * 1_000}</lastmod>" for n in range(count))
    )


def lines(count: int) -> str:
    return "".join(f"{HOME}{number}/{'x' * 900}\n" for number in range(count))


def feed(count: int) -> str:
    items = (f"<item><link>{HOME}{n}/{'x' * 900}</link></item>" for n in range(count))
    return f"<rss><channel>{''.join(items)}</channel></rss>"


KINDS: list[Callable[[int], str]] = [images, links, addresses, unknown, dates, lines, feed]


@pytest.mark.slow
def test_what_is_kept_of_a_site_online_is_bounded() -> None:
    """Ten thousand such children would take 400 gigabytes."""
    child = gzip.compress(images(20_000).encode(), 1)

    def answer(request: Handler) -> None:
        names = (f"http://{request.headers['Host']}/{number}.xml" for number in range(10_000))
        body = index(*names).encode() if request.path == "/sitemap.xml" else child
        missing = request.path == "/robots.txt" or not request.path.endswith(".xml")
        request.reply(404 if missing else 200, body)

    with running(answer) as server:
        flags = ("--rate", 0, "--max-pages", 1, "--json")
        most, out = peak("check", f"{server.url}/sitemap.xml", *flags)
    unread = [each["detail"] for each in json.loads(out)["issues"] if each["id"] == "not-checked"]
    assert any("more sitemaps were not read" in detail for detail in unread)
    assert most <= 512


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__name__))
def test_all_that_is_kept_of_a_site_in_a_directory_counts(
    site: Site, kind: Callable[[int], str]
) -> None:
    """Each file is small when it is packed, and large when it is kept."""
    child = gzip.compress(kind(4_000).encode(), 1)
    site.write()
    for number in range(30):
        site.put(f"{number}.xml.gz", child)
    site.index(*(f"{number}.xml.gz" for number in range(30)))
    most, out = peak("check", site.root, "--json", "--max-memory", 16)
    unread = [each["detail"] for each in json.loads(out)["issues"] if each["id"] == "not-checked"]
    assert any("more sitemaps were not read" in detail for detail in unread)
    assert most <= 144


@pytest.mark.slow
def test_the_memory_of_a_command_is_a_setting(site: Site) -> None:
    site.write()
    site.replace_sitemap(addresses(3_000))
    assert "not-checked" in site.rules("--max-memory", 1)
    assert "not-checked" not in site.rules("--max-memory", 100)


@pytest.mark.parametrize("command", ["diff", "merge"])
def test_half_a_sitemap_is_neither_compared_nor_merged(site: Site, command: str) -> None:
    site.write()
    site.replace_sitemap(addresses(3_000))
    both: dict[str, list[object]] = {"diff": [site.root], "merge": ["--out", site.root]}
    outcome = run(command, site.root, *both[command], "--max-memory", 1)
    assert outcome.code == 2
    assert "--max-memory" in outcome.stderr


@pytest.mark.parametrize("command", ["check", "check alone", "diff", "merge"])
def test_what_does_not_fit_is_said_before_the_work(site: Site, command: str) -> None:
    site.write()
    names = [f"{number}.xml" for number in range(3)]
    for name in names:
        site.put(name, addresses(1_000))
    site.index(*names)
    further: dict[str, list[object]] = {"diff": [site.root], "merge": ["--out", site.root]}
    where = site.root / "sitemap.xml" if command == "check alone" else site.root
    name = command.partition(" ")[0]
    outcome = run(name, where, *further.get(command, ()), "--max-memory", 1)
    said = outcome.stderr.splitlines()[0 if name == "check" else -1]
    assert "the sitemaps list 3,000 URLs, which take 3 MiB; give more than the 1 MiB" in said


@pytest.mark.slow
def test_a_million_urls_are_merged_compared_and_checked_in_512_mebibytes(tmp_path: Path) -> None:
    folders = [tmp_path / f"p{number}" for number in range(20)]
    for folder in folders:
        folder.mkdir()
        options = read_options({}, where="test", base_url=f"{HOME}{folder.name}/")
        dates = (date(2000, 1, 1) + timedelta(number % 9_000) for number in range(50_000))
        urls = (f"{HOME}{folder.name}/section/page-{number:07}/" for number in range(50_000))
        part = write_part(map(Entry, urls, dates), options, folder, "a")
        write_index(part, options, folder)
    merge = ("merge", *folders, "--out", tmp_path, "--policy", "all", "--as", "set")
    for arguments in (merge, ("diff", tmp_path, tmp_path), ("check", tmp_path)):
        most, said = peak(*arguments)
        assert "1,000,000" in said
        assert "finding" not in said
        assert most < 512


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["\0" * 30_000_000, "é" * 15_000_000, "\U0001f375" + "a" * 30_000_000]
)
def test_reading_keeps_no_second_copy_of_a_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "sitemap.xml"
    file.write_text(f"<urlset {NAMESPACES}><!-- {text} --></urlset>", encoding="utf-8")
    done = within(160, "diff", file, file)
    assert "MemoryError" not in done.stderr
    assert "not enough memory" not in done.stderr


# Nonsense in files


def bad_files(folder: Path) -> Iterator[tuple[str, list[object]]]:
    """Yield what is wrong, and a command that reads it."""
    site = folder / "site"
    site.mkdir()
    (site / "index.html").write_text("<title>a</title>")
    (site / "sitemap.xml").write_text(urlset(f"<loc>{HOME}</loc>"))
    pipe, deep, odd, loop = (folder / name for name in ("pipe", "deep.json", "odd.json", "loop"))
    os.mkfifo(pipe)
    deep.write_text(DEEP)
    loop.symlink_to(loop)
    yield "a pipe", ["diff", pipe, site]
    yield "a loop of links", ["diff", loop, site]
    yield "a deep baseline", ["check", site, "--baseline", deep]
    yield "a deep report", ["check", site, "--build-report", deep]
    yield "a deep report to explain", ["explain", HOME, "--report", deep]
    yield "a deep map", ["build", site, "--source-map", deep]
    toml = folder / "deep.toml"
    toml.write_text(f"a = {DEEP}")
    yield "a deep TOML map", ["build", site, "--source-map", toml]
    yield "deep settings", ["check", site, "--config", toml]
    yield "a deep option", ["build", site, "--set", f"rules={DEEP[:50_000]}"]
    for number, text in enumerate(
        (
            *(
                "null",
                "1e999",
                '"x"',
                "[1]",
                '{"issues": [1]}',
                '{"issues": [{"fingerprint": []}]}',
            ),
            '{"base_url": 1e999}',
        )
    ):
        odd = folder / f"odd-{number}.json"
        odd.write_text(text)
        yield f"{text} for a baseline", ["check", site, "--baseline", odd]
        yield f"{text} for a report", ["explain", HOME, "--report", odd]
    report = {
        "base_url": HOME, "listed": [{"loc": HOME, "images": 5}], "excluded": [],
        "dates": {}, "origins": {}, "names": {}, "issues": [],
    }  # fmt: skip
    odd = folder / "report.json"
    odd.write_text(json.dumps(report))
    yield "a report with a number for images", ["explain", HOME, "--report", odd]
    versions = folder / "versions"
    versions.mkdir()
    (versions / "versions.json").write_text(DEEP)
    yield "deep versions", ["merge", site, "--out", versions, "--policy", "latest"]
    state = folder / "state"
    state.write_text(DEEP)
    yield "a deep state", ["submit", site, site, "--state", state]


def test_a_bad_file_ends_in_one_sentence(tmp_path: Path) -> None:
    for what, arguments in bad_files(tmp_path):
        outcome = run(*arguments)
        assert outcome.code == 2, (what, outcome)
        assert "Traceback" not in outcome.stderr, what
        assert len(outcome.stderr) < 1_500, what


def test_a_date_of_a_feed_far_from_now_is_none(tmp_path: Path) -> None:
    zone = "+99999999999999999999"
    item = f"<item><link>{HOME}</link><pubDate>Mon, 01 Jan 2024 00:00:00 {zone}</pubDate></item>"
    for name in ("a.xml", "b.xml"):
        (tmp_path / name).write_text(f"<rss><channel>{item}</channel></rss>")
    assert run("diff", tmp_path / "a.xml", tmp_path / "b.xml").code == 0


def test_a_mistake_of_ours_says_so(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.write()

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("\x1b[2J")

    monkeypatch.setattr("sitemapkit_tools.commands.check.check_site", broken)
    outcome = site.run("check")
    assert outcome.code == 3
    assert "ZeroDivisionError: \\x1b[2J" in outcome.stderr
    assert "a bug in sitemapkit" in outcome.stderr
    assert outcome.stderr.endswith("/issues\n")


# What is shown


HOSTILE = "\x1b]0;title\x07\x9b31m\u202e\x7f"


@pytest.mark.parametrize("style", ["text", "github", "gitlab", "json"])
def test_control_characters_in_a_sitemap_are_escaped(site: Site, style: str) -> None:
    site.write()
    site.replace_sitemap(f"{HOME}{HOSTILE}\n{HOME}b{HOSTILE}")
    shown = site.run("check", "--format", style, "--all")
    assert all(each.isprintable() for each in shown.stdout.replace("\n", ""))


def test_control_characters_in_names_dates_and_reports_are_escaped(
    site: Site, tmp_path: Path
) -> None:
    site.write()
    site.put(f"odd{HOSTILE}.html", "<title>a</title>")
    old = tmp_path / "old.xml"
    old.write_text(urlset(f"<loc>{HOME}</loc><lastmod>\x9b31m\n+ forged</lastmod>"))
    report = tmp_path / "report.json"
    done = site.run("build", "--report", report, "-v", "--exclude", "odd*")
    held = json.loads(report.read_text())
    held["excluded"][0]["reason"] = f"{HOSTILE}\nforged"
    held["excluded"][0]["url"] = HOME + "x"
    report.write_text(json.dumps(held))
    for outcome in (done, run("diff", old, site.root), run("explain", "x", "--report", report)):
        text = outcome.stdout + outcome.stderr
        assert all(each.isprintable() for each in text.replace("\n", "")), text
        assert "\nforged" not in text
        assert "\n+ forged" not in text


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_what_an_engine_says_is_shown_without_the_token(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str]
) -> None:
    token = "abcd/efgh+01234567"  # noqa: S105 - nobody's
    monkeypatch.setenv("BAIDU_TOKEN", token)
    site.write()
    old = tmp_path / "old.xml"
    old.write_text("<urlset/>")

    def answer(request: Handler) -> None:
        message = f"{HOSTILE}\nbad token {token}, {request.path}"
        request.reply(400, json.dumps({"error": 400, "message": message}).encode())

    with running(answer) as server:
        endpoint = ["--protocol", "baidu", "--endpoint", server.url, "--send", *flags]
        outcome = run("submit", old, site.root, *endpoint)
    shown = outcome.stdout + outcome.stderr
    assert token not in shown
    assert "abcd%2Fefgh" not in shown
    assert "***" in shown
    assert all(each.isprintable() for each in shown.replace("\n", ""))


@pytest.mark.parametrize(
    "body", ['{"success":1e999,"remain":1}', DEEP, "[]", '{"error":{}}', '{"success":"x"}', ""]
)
def test_an_answer_of_an_engine_that_cannot_be_read_is_told(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    monkeypatch.setenv("BAIDU_TOKEN", "abcdefgh01234567")
    site.write()
    old = tmp_path / "old.xml"
    old.write_text("<urlset/>")
    headers: dict[str, str] = {"Retry-After": "Mon, 01 Jan 2024 00:00:00 +99999999999999999999"}

    def answer(request: Handler) -> None:
        request.body()
        request.reply(200, body.encode(), headers)

    with running(answer) as server:
        endpoint: list[Any] = ["--protocol", "baidu", "--endpoint", server.url, "--send"]
        outcome = run("submit", old, site.root, *endpoint)
    assert outcome.code == 1
    assert "answered 200, but its answer cannot be read" in outcome.stdout
