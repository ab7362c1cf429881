"""An HTTP client that is bounded in time, size and pace, and follows no redirects.

A request has a timeout for connecting, one for each pause of the server, and a deadline for the
whole, from the look-up of the name to the last trailer, which holds whatever the server sends. No
more of a body is kept than the caller allows, before and after unpacking. A redirect is returned
like any response: the caller decides whether the target may be requested at all.
"""

from __future__ import annotations

import socket
import threading
import time
import zlib
from collections import Counter
from concurrent.futures import Future
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import urllib3
from msgspec import Struct
from urllib3 import HTTPHeaderDict
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NameResolutionError,
    NewConnectionError,
    ProtocolError,
    SSLError,
)
from urllib3.exceptions import TimeoutError as SilentServerError

import sitemapkit
from sitemapkit_tools.bounds import MAX_HEADERS, Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from urllib3 import HTTPResponse

    from sitemapkit_tools.web.preview import Preview

USER_AGENT = f"sitemapkit/{sitemapkit.__version__}"
_CHUNK = 65_536
_SAFE = ("GET", "HEAD")
_NOT_FOUND = 404


class NetworkError(Exception):
    """There is no response; `sent` tells whether the server may have received the request."""

    def __init__(self, detail: str, *, sent: bool, late: bool = False) -> None:
        """`detail` says in a few words, without any URL, what happened; `late`: time was over."""
        super().__init__(detail)
        self.sent = sent
        self.late = late


class Response(Struct, frozen=True):
    """What a server sent."""

    status: int
    headers: HTTPHeaderDict
    body: bytes = b""
    cut: bool = False
    """Whether the body is longer than what was kept."""

    @property
    def retry_after(self) -> float | None:
        """The seconds that the server asks to wait: a number, or a date (RFC 9110, 10.2.3)."""
        value = self.headers.get("Retry-After", "").strip()
        if value.isdecimal():
            return float(value)
        try:
            moment = parsedate_to_datetime(value)
        except (ValueError, OverflowError):  # the latter for a zone of very many hours
            return None
        moment = moment.replace(tzinfo=moment.tzinfo or UTC)
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())


class ClientSettings(Struct, frozen=True):
    """How fast and how long a client sends requests."""

    connections: int = 4
    rate: float = 10.0
    """Requests a second to all hosts together; 0: as many as the connections allow."""

    timeout: float = 15.0
    """Seconds without a byte from the server after which a request is given up."""

    deadline: float = 60.0
    """Seconds after which a request is given up in any case."""


class Client:
    """Sends requests; may be used by several threads."""

    def __init__(
        self, settings: ClientSettings | None = None, budget: Budget | None = None
    ) -> None:
        """Start without any connection; `budget` is that of the command."""
        self.settings = settings or ClientSettings()
        self.budget = budget or Budget()
        self.preview: Preview | None = None
        """What stands for the site that URLs are of, if it is not where they lead."""

        self._pace = _Pace(self.settings.rate, self.budget)
        self._answered: set[str] = set()
        self._late: Counter[str] = Counter()
        """Requests to each host in a row that ran into their time limits."""

        self._pool = urllib3.PoolManager(
            num_pools=self.settings.connections,
            maxsize=self.settings.connections,
            block=True,
            retries=False,
            timeout=urllib3.Timeout(self.settings.timeout),
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"},
        )
        classes: dict[str, Any] = {"http": _HttpPool, "https": _HttpsPool}
        self._pool.pool_classes_by_scheme = classes

    def request(
        self,
        method: str,
        url: str,
        *,
        limit: int,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Response:
        """Send a request and return the response with at most `limit` bytes of its body.

        GET and HEAD are sent once more if the connection breaks: a server may close one that
        was kept open just when it is used again. A host that kept requests waiting to their end is
        not asked any more. Raises NetworkError if there is no response, and OverBudgetError if the
        command has no time left to send it.
        """
        host = urlsplit(url).netloc
        if self.has_given_up(url):
            raise NetworkError("the server did not answer in time before", sent=False)
        served = self.preview.served(url) if self.preview else url
        if served is None:
            return Response(_NOT_FOUND, HTTPHeaderDict())
        try:
            response = self._request(method, served, limit, headers, body)
        except NetworkError as error:
            if error.late and method != "HEAD":  # to which some servers never answer
                self._late[host] += 1
            raise
        self._answered.add(host)
        self._late[host] = 0
        if self.preview and (target := response.headers.get("Location")):
            response.headers["Location"] = self.preview.meant(target)
        return response

    def _request(
        self,
        method: str,
        url: str,
        limit: int,
        headers: Mapping[str, str] | None,
        body: bytes | None,
    ) -> Response:
        try:
            try:
                return self._once(method, url, limit, headers or {}, body)
            except ProtocolError:
                if method not in _SAFE:
                    raise
                return self._once(method, url, limit, headers or {}, body)
        except (HTTPError, OSError, ValueError, zlib.error) as error:
            detail = _describe(error, self.settings.timeout)
            sent = not isinstance(error, _NEVER_SENT)
            late = isinstance(error, SilentServerError) and not isinstance(error, _AT_ONCE)
            raise NetworkError(detail, sent=sent, late=late) from error

    def _once(
        self, method: str, url: str, limit: int, headers: Mapping[str, str], body: bytes | None
    ) -> Response:
        self._pace.wait()
        self.budget.check()
        headers = {**self._pool.headers, **headers}

        def exchange() -> Response:
            response = self._pool.request(
                method, url, headers=headers, body=body, redirect=False, preload_content=False
            )
            return _read(response, limit)

        try:
            return _within(min(self.settings.deadline, self.budget.left), exchange)
        except NetworkError:
            if method in _SAFE:  # else it must be known that it may have arrived
                self.budget.check()
            raise

    def has_given_up(self, url: str) -> bool:
        """Return whether the host of a URL is not asked any more.

        One request that ran into its time limits is enough for a host that has never answered; one
        that has may have a few slow pages.
        """
        host = urlsplit(url).netloc
        return self._late[host] >= (_MOST_LATE if host in self._answered else 1)

    def slow_down(self, seconds: float, why: str) -> None:
        """Let at least so many seconds pass between two requests; never fewer than before."""
        self._pace.slow_down(seconds, why)

    def close(self) -> None:
        """Close all connections."""
        self._pool.clear()


def _read(response: urllib3.BaseHTTPResponse, limit: int) -> Response:
    held = response.headers
    if sum(len(name) + len(value) for name, value in held.items()) > MAX_HEADERS:
        response.close()
        raise NetworkError(f"its headers have more than {MAX_HEADERS:,} characters", sent=True)
    packed = BytesIO()  # which hands out what it holds without another copy
    for chunk in response.stream(_CHUNK, decode_content=False):
        if packed.write(chunk) and packed.tell() > limit:
            response.close()
            break
    response.release_conn()
    body, cut = _unpack(packed.getvalue(), held.get("Content-Encoding", ""), limit)
    return Response(response.status, held, body, cut or packed.tell() > limit)


_thread = threading.local()
"""The `sockets` that each thread reads answers from."""


def _within(seconds: float, exchange: Callable[[], Response]) -> Response:
    """Return what `exchange` does in a thread of its own, or raise NetworkError at the deadline.

    A thread can be left alone whatever it waits for; its connection is shut down, so that it ends.
    """
    result: Future[Response] = Future()
    sockets: list[socket.socket] = []

    def run() -> None:
        _thread.sockets = sockets
        try:
            result.set_result(exchange())
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
            result.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return result.result(seconds)
    except TimeoutError as error:
        if result.done():  # it is the exchange's own
            raise
        for each in sockets:
            with suppress(OSError):
                socket.socket.shutdown(each, socket.SHUT_RDWR)  # below TLS, if there is any
        detail = f"it took longer than {seconds:,g} seconds"
        raise NetworkError(detail, sent=True, late=True) from error


def _watch(connection: HTTPConnection) -> None:
    """Record which socket the answer comes from, for the deadline of this thread."""
    if connection.sock:
        _thread.sockets.append(connection.sock)


class _HttpConnection(HTTPConnection):
    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        _watch(self)
        return super().getresponse()


class _HttpsConnection(HTTPSConnection):
    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        _watch(self)
        return super().getresponse()


class _HttpPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _HttpConnection  # pyright: ignore[reportAssignmentType] - as urllib3 does


class _HttpsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _HttpsConnection  # pyright: ignore[reportAssignmentType]


def _unpack(data: bytes, encoding: str, limit: int) -> tuple[bytes, bool]:
    """Return at most `limit` bytes of a body, and whether there is more."""
    if encoding.strip().lower() in ("gzip", "x-gzip"):
        data = zlib.decompressobj(wbits=31).decompress(data, limit + 1)
    return data[:limit], len(data) > limit


_MOST_LATE = 3
"""Requests in a row that may run into their time limits."""


class _Pace:
    """Lets callers continue no more often than `rate` times a second."""

    def __init__(self, rate: float, budget: Budget) -> None:
        self._budget = budget
        self._step = 1 / rate if rate else 0.0
        self._why = f"no more than {rate:g} requests a second are sent"
        self._next = 0.0
        self._lock = threading.Lock()

    def slow_down(self, seconds: float, why: str) -> None:
        if seconds > self._step:
            self._step, self._why = seconds, why

    def wait(self) -> None:
        with self._lock:
            now = time.monotonic()
            turn = max(self._next, now)
            self._next = turn + self._step
        if turn > now:
            self._budget.pause(turn - now, self._why)


_AT_ONCE = (NewConnectionError, NameResolutionError)
"""What urllib3 derives from the errors of time, although nobody was kept waiting."""

_NEVER_SENT = (*_AT_ONCE, ConnectTimeoutError)


_DESCRIPTIONS: tuple[tuple[type[Exception], str], ...] = (
    (NameResolutionError, "the host's name is not known: look for a mistake in it"),
    (NewConnectionError, "the connection was refused"),
    (SilentServerError, "the server sent nothing for {:,.10g} seconds"),
    (SSLError, "its certificate is wrong or missing: renew it, or name the host that it is for"),
    (ProtocolError, "the connection was dropped"),
    (zlib.error, "its body cannot be unpacked"),
)


def _describe(error: Exception, timeout: float) -> str:
    """Say what happened without the URL, which may hold a key."""
    found = (text.format(timeout) for kind, text in _DESCRIPTIONS if isinstance(error, kind))
    return next(found, "it is not valid HTTP")
