"""What a server answers leads no request elsewhere, and puts nothing into requests or logs."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import index, run, urlset
from .servers import Reply, Website, running
from .test_bounds import with_tls
from .test_live import IMPATIENT, Online, online

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

__all__ = ["online"]

pytestmark = pytest.mark.slow

TARGETS = [
    *("file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1:70/_a", "data:text/html,a"),
    *("javascript:alert(1)", "//169.254.169.254/latest/meta-data/", "http://10.0.0.1/a"),
    *("http://[::1]:{port}/a", "http://localhost:{port}/a", "http://127.1:{port}/a"),
    *("http://2130706433:{port}/a", "http://0x7f000001:{port}/a", "http://0:{port}/a"),
    *("http://127.0.0.1:{port}@127.0.0.2/a", "http://user:secret@127.0.0.1:{port}/a"),
    *("\\\\127.0.0.2\\a", "http:\\\\127.0.0.2/a", "http:/\t/127.0.0.2/a", "https://127.0.0.1:1/a"),
    *("http://127.0.0.1:{port}.example.org/a", "http://127.0.0.1%2f@example.org/a", "http://[", ""),
]
"""Where a redirect leads: other schemes, private addresses, and other spellings of the host."""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("path", ["/robots.txt", "/sitemap.xml", "/page/"])
def test_a_redirect_leads_to_no_other_place(online: Online, path: str, target: str) -> None:
    online.page("/")
    online.page("/page/")
    online.list_pages()
    where = target.format(port=online.url.rpartition(":")[2])
    online.website.replies[path] = Reply(status=302, headers={"Location": where})
    online.website.replies["/a"] = Reply("root:x:0:0:secret of another place")
    outcome = online.check()
    assert outcome.code in (0, 1, 2), outcome.stderr
    assert "secret" not in outcome.stdout.replace(where, "") + outcome.stderr
    assert online.requests("/a") == []


INJECTED = ["\r\nX-Evil: 1", "\nX-Evil: 1", "\r\n\r\nGET /evil HTTP/1.1\r\nHost: a", "\t X-Evil: 1"]


@pytest.mark.parametrize("text", INJECTED)
@pytest.mark.parametrize("escaped", [False, True])
def test_no_address_puts_headers_into_a_request(online: Online, text: str, escaped: bool) -> None:
    for letter in "\r\n\t :" if escaped else "":
        text = text.replace(letter, f"%{ord(letter):02X}")
    listed = urlset(f"<loc>{online.url}/{text}</loc>", f"<loc>{online.url}{text}/</loc>")
    online.website.replies["/sitemap.xml"] = Reply(listed)
    online.website.replies["/robots.txt"] = Reply(f"Sitemap: {online.url}/a{text}.xml\n")
    assert online.check().code in (1, 2)
    assert online.check(of=f"{online.url}/sitemap.xml").code in (1, 2)
    for head in online.website.heads:
        assert "x-evil" not in {name.lower() for name in head}
    assert not any(path.startswith("/evil") for _, path in online.website.asked)


KEY = "0123456789abcdef"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("protocol", ["indexnow", "baidu"])
def test_a_key_is_not_sent_where_a_redirect_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, protocol: str
) -> None:
    monkeypatch.setenv("INDEXNOW_KEY", KEY)
    monkeypatch.setenv("BAIDU_TOKEN", KEY)
    other, engine = Website(), Website()
    with running(other.answer) as elsewhere, running(engine.answer) as server:
        there = Reply(status=status, headers={"Location": f"{elsewhere.url}/?key={KEY}"})
        engine.replies = {f"/{KEY}.txt": Reply(KEY), "/push": there}
        for path in (f"/push?site={server.url}&token={KEY}",):
            engine.replies[path] = there
        for name, pages in (("old.xml", ()), ("new.xml", (f"<loc>{server.url}/</loc>",))):
            (tmp_path / name).write_text(urlset(*pages))
        given = ("--protocol", protocol, "--endpoint", f"{server.url}/push", "--send")
        outcome = run("submit", tmp_path / "old.xml", tmp_path / "new.xml", *given)
    assert outcome.code == 1
    assert other.asked == []
    assert KEY not in outcome.stdout + outcome.stderr


def certified(folder: Path, names: str, days: int) -> Path:
    """Return a certificate of one's own with its key, for these names, until so many days on."""
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate")
    key, request, file = (folder / name for name in ("key.pem", "a.csr", "certificate.pem"))
    (folder / "index").write_text("")
    (folder / "serial").write_text("01\n")
    (folder / "ca.cnf").write_text(
        f"[ca]\ndefault_ca=a\n[a]\ndatabase={folder}/index\nserial={folder}/serial\n"
        f"new_certs_dir={folder}\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n"
        f"[v]\nsubjectAltName={names}\n"
    )
    today = datetime.now(UTC)
    start, end = (
        f"{today + timedelta(days=each):%Y%m%d%H%M%SZ}" for each in (min(days, 0) - 2, days)
    )
    ask = f"req -newkey rsa:2048 -nodes -subj /CN=a -keyout {key} -out {request}"
    sign = (
        f"ca -batch -selfsign -config {folder}/ca.cnf -extensions v -keyfile {key} -in {request}"
        f" -out {file} -startdate {start} -enddate {end} -notext"
    )
    for command in (ask, sign):
        subprocess.run(["openssl", *command.split()], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + key.read_bytes())
    return file


@pytest.mark.skipif(sys.platform == "win32", reason="has certificates of its own")
@pytest.mark.parametrize(
    ("names", "days", "is_right"),
    [
        ("IP:127.0.0.1", 9, True),
        ("IP:127.0.0.1", -1, False),
        ("DNS:other.example", 9, False),
        ("IP:127.0.0.2", 9, False),
    ],
    ids=["right", "expired", "another name", "another address"],
)
def test_a_certificate_that_is_not_right_is_told_and_nothing_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: str, days: int, is_right: bool
) -> None:
    website = Website({"/robots.txt": Reply("User-agent: *\n"), "/sitemap.xml": Reply(urlset())})
    certificate = certified(tmp_path, names, days)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with with_tls(certificate, website.answer) as url:
        outcome = run("check", f"{url}/", *IMPATIENT, "--json")
    details = [each["detail"] for each in json.loads(outcome.stdout)["issues"]]
    assert bool(website.asked) == is_right
    remedy = "Its certificate is wrong or missing: renew it, or name the host that it is for."
    assert (details == [remedy]) != is_right


@contextmanager
def both(certificate: Path, website: Website) -> Generator[str]:
    """A server that answers on one port with TLS and without, as on 443 and 80 of one host."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with running(website.answer) as server:
        accept = server.get_request

        def get_request() -> tuple[socket.socket, Any]:
            connection, address = accept()
            has_tls = connection.recv(1, socket.MSG_PEEK) == b"\x16"
            return context.wrap_socket(
                connection, server_side=True
            ) if has_tls else connection, address

        server.get_request = get_request  # type: ignore[method-assign]
        yield server.url.partition("://")[2]


@pytest.mark.skipif(sys.platform == "win32", reason="has certificates of its own")
@pytest.mark.parametrize("kind", ["robots", "sitemap", "named", "child", "page", "upgrade"])
def test_nothing_that_a_site_with_tls_says_is_asked_for_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    website = Website()
    certificate = certified(tmp_path, "IP:127.0.0.1", 9)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with both(certificate, website) as host:
        scheme, other = ("http", "https") if kind == "upgrade" else ("https", "http")
        there = Reply(status=302, headers={"Location": f"{other}://{host}/else"})
        website.replies = {
            "/robots.txt": Reply("User-agent: *\n"),
            "/sitemap.xml": Reply(urlset(f"<loc>{scheme}://{host}/</loc>")),
            "/": Reply("<title>a</title>"),
            "/else": Reply(urlset(f"<loc>{scheme}://{host}/</loc>")),
        }
        website.replies |= {
            "robots": {"/robots.txt": there},
            "sitemap": {"/sitemap.xml": there},
            "upgrade": {"/sitemap.xml": there},
            "named": {"/robots.txt": Reply(f"Sitemap: {other}://{host}/else\n")},
            "child": {"/sitemap.xml": Reply(index(f"{other}://{host}/else"))},
            "page": {"/sitemap.xml": Reply(urlset(f"<loc>{other}://{host}/else</loc>"))},
        }[kind]
        outcome = run("check", f"{scheme}://{host}/", *IMPATIENT, "--json")
    assert outcome.code in (0, 1)
    assert (("GET", "/else") in website.asked) == (kind == "upgrade")
    assert ("HEAD", "/else") not in website.asked
