"""Servers on loopback: an IndexNow endpoint that is as strict as the real ones, and a website."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

SILENCE = 8.0
"""Seconds that a slow server is silent; clients in tests give up earlier."""


class Handler(BaseHTTPRequestHandler):
    """Answers by a function of the server's; says nothing on stderr."""

    protocol_version = "HTTP/1.1"
    wbufsize = 65_536  # else the body waits for the client to acknowledge the head

    @property
    def site(self) -> Server:
        """The server that this request came to."""
        assert isinstance(self.server, Server)
        return self.server

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except OSError:  # the client is gone
            self.close_connection = True

    def do_GET(self) -> None:
        self.site.answer(self)

    do_HEAD = do_POST = do_PATCH = do_PUT = do_GET  # noqa: N815 - names of the base class

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def reply(
        self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def drop(self) -> None:
        """Close the connection without an answer."""
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass


class Server(ThreadingHTTPServer):
    """A server on a free port of loopback, whose requests a function answers."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answer: Callable[[Handler], None]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.connections = 0
        self.most_connections = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        with self.lock:
            self.connections += 1
            self.most_connections = max(self.most_connections, self.connections)
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self.lock:
                self.connections -= 1


@contextmanager
def running(answer: Callable[[Handler], None]) -> Generator[Server]:
    """Run a server until the end of the block."""
    with Server(answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.stopped.set()
            server.shutdown()
            thread.join()


@dataclass
class IndexNowServer:
    """An endpoint that takes URLs by the protocol's rules, and misbehaves as its script says."""

    key_files: dict[str, str] = field(default_factory=dict[str, str])
    """The content of each key file by its path; it serves them itself."""

    script: list[str] = field(default_factory=list[str])
    """What happens to the next requests: `429`, `503`, `202`, `slow`, `drop`, `drop-taken`."""

    retry_after: str | None = None
    taken: Counter[str] = field(default_factory=Counter[str])
    """How often each URL was taken."""

    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Handler) -> None:
        """Answer a request to the endpoint or for a key file."""
        path = urlsplit(request.path).path
        if path != "/indexnow":
            held = self.key_files.get(path)
            request.reply(200 if held is not None else 404, (held or "").encode())
            return
        submission = self._submission(request)
        with self.lock:
            self.requests.append(submission)
            act = self.script.pop(0) if self.script else ""
        self._act(act, request, submission)

    def _submission(self, request: Handler) -> dict[str, Any]:
        if request.command == "GET":
            query = parse_qs(urlsplit(request.path).query)
            fields = {name: values[0] for name, values in query.items()}
            url = fields.pop("url", "")
            return fields | {"host": urlsplit(url).netloc, "urlList": [url]}
        try:
            found: dict[str, Any] = json.loads(request.body())
        except ValueError:
            return {}
        return found

    def _act(self, act: str, request: Handler, submission: dict[str, Any]) -> None:
        if act == "drop":
            request.drop()
        elif act in ("429", "500", "503"):
            headers = {"Retry-After": self.retry_after} if self.retry_after is not None else {}
            request.reply(int(act), b"", headers)
        else:
            status = self.judge(submission)
            if status == 200:
                self.taken.update(submission["urlList"])
            if act == "slow":
                request.site.stopped.wait(SILENCE)
            if act in ("slow", "drop-taken"):
                request.drop()
            else:
                request.reply(202 if status == 200 and act == "202" else status)

    def judge(self, submission: dict[str, Any]) -> int:
        """Return the status that the protocol gives a submission."""
        host, key, urls = (submission.get(name) for name in ("host", "key", "urlList"))
        if not (host and key and isinstance(urls, list) and urls):
            return 400
        if not re.fullmatch(r"[A-Za-z0-9-]{8,128}", key) or len(urls) > 10_000:
            return 422
        location = submission.get("keyLocation", f"http://{host}/{key}.txt")
        folder = location.rpartition("/")[0] + "/"
        if any(urlsplit(url).netloc != host for url in urls):
            return 422
        if "keyLocation" in submission and not all(url.startswith(folder) for url in urls):
            return 422
        return 200 if _content(location) == key else 403


def _content(url: str) -> str:
    try:
        with urlopen(url, timeout=300) as answer:  # noqa: S310 - an address on loopback
            return str(answer.read(1_000).decode())
    except OSError:
        return ""


@dataclass
class Reply:
    """What a website answers for one path."""

    body: bytes | str = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    act: str = ""
    """`drop` closes the connection, `slow` is silent for long, `endless` never ends the body."""


@dataclass
class Website:
    """A site with a fixed reply for each path, which remembers what it was asked for."""

    replies: dict[str, Reply] = field(default_factory=dict[str, Reply])
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    heads: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    """The headers of each request."""

    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Handler) -> None:
        """Answer a request."""
        with self.lock:
            self.asked.append((request.command, request.path))
            self.heads.append(dict(request.headers))
        reply = self.replies.get(request.path, Reply(status=404))
        if reply.act == "slow":
            request.site.stopped.wait(SILENCE)
        if reply.act in ("drop", "slow"):
            request.drop()
        elif reply.act == "endless":
            self._flood(request, reply)
        else:
            self._reply(request, reply)

    def _reply(self, request: Handler, reply: Reply) -> None:
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        is_page = reply.status == 200 and body[:1] == b"<" and b"<html" in body[:100]
        kind = {"Content-Type": "text/html; charset=utf-8"} if is_page else {}
        known = reply.headers.get("ETag")
        if known and request.headers.get("If-None-Match") == known:
            request.reply(304, headers={"ETag": known})
            return
        request.reply(reply.status, body, kind | reply.headers)

    def _flood(self, request: Handler, reply: Reply) -> None:
        request.send_response(200)
        for name, value in reply.headers.items():
            request.send_header(name, value)
        request.end_headers()
        request.close_connection = True
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        while request.command != "HEAD" and not request.site.stopped.is_set():
            request.wfile.write(body or b"x" * 65_536)
