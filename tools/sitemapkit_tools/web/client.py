"""An HTTP client that is bounded in time, size and pace, and follows no redirects.

A request has a timeout for connecting, one for each pause of the server, and one for the whole. No
more of a body is kept than the caller allows, before and after unpacking. A redirect is returned
like any response: the caller decides whether the target may be requested at all.
"""

from __future__ import annotations

import threading
import time
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import urllib3
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

if TYPE_CHECKING:
    from collections.abc import Mapping

USER_AGENT = f"sitemapkit/{sitemapkit.__version__}"
_CHUNK = 65_536


class NetworkError(Exception):
    """There is no response; `sent` tells whether the server may have received the request."""

    def __init__(self, detail: str, *, sent: bool) -> None:
        """`detail` says in a few words, without any URL, what happened."""
        super().__init__(detail)
        self.sent = sent


@dataclass(frozen=True, slots=True)
class Response:
    """What a server sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""
    cut: bool = False
    """Whether the body is longer than what was kept."""


@dataclass(frozen=True, slots=True)
class ClientSettings:
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

    def __init__(self, settings: ClientSettings | None = None) -> None:
        """Start without any connection."""
        self.settings = settings or ClientSettings()
        self._pace = _Pace(self.settings.rate)
        self._pool = urllib3.PoolManager(
            num_pools=self.settings.connections,
            maxsize=self.settings.connections,
            block=True,
            retries=False,
            timeout=urllib3.Timeout(self.settings.timeout),
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"},
        )

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

        GET and HEAD are sent once more if the connection breaks, for a server may close one that
        was kept open just when it is used again. Raises NetworkError if there is no response.
        """
        try:
            try:
                return self._once(method, url, limit, headers or {}, body)
            except ProtocolError:
                if method not in ("GET", "HEAD"):
                    raise
                return self._once(method, url, limit, headers or {}, body)
        except (HTTPError, OSError, ValueError, zlib.error) as error:
            raise NetworkError(_describe(error), sent=not isinstance(error, _NEVER_SENT)) from error

    def _once(
        self, method: str, url: str, limit: int, headers: Mapping[str, str], body: bytes | None
    ) -> Response:
        self._pace.wait()
        until = time.monotonic() + self.settings.deadline
        headers = {**self._pool.headers, **headers}
        response = self._pool.request(
            method, url, headers=headers, body=body, redirect=False, preload_content=False
        )
        return self._read(response, limit, until)

    def _read(self, response: urllib3.BaseHTTPResponse, limit: int, until: float) -> Response:
        parts: list[bytes] = []
        size = 0
        for chunk in response.stream(_CHUNK, decode_content=False):
            parts.append(chunk)
            size += len(chunk)
            if size > limit or time.monotonic() > until:
                response.close()
                break
        response.release_conn()
        if time.monotonic() > until:
            raise NetworkError("it took too long", sent=True)
        body, cut = _unpack(b"".join(parts), response.headers.get("Content-Encoding", ""), limit)
        return Response(response.status, response.headers, body, cut or size > limit)

    def slow_down(self, rate: float) -> None:
        """Send no more than `rate` requests a second from now on; never more than before."""
        self._pace.slow_down(rate)

    def close(self) -> None:
        """Close all connections."""
        self._pool.clear()


def _unpack(data: bytes, encoding: str, limit: int) -> tuple[bytes, bool]:
    """Return at most `limit` bytes of a body, and whether there is more."""
    if encoding.strip().lower() in ("gzip", "x-gzip"):
        data = zlib.decompressobj(wbits=31).decompress(data, limit + 1)
    return data[:limit], len(data) > limit


class _Pace:
    """Lets callers continue no more often than `rate` times a second."""

    def __init__(self, rate: float) -> None:
        self._step = 1 / rate if rate else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def slow_down(self, rate: float) -> None:
        self._step = max(self._step, 1 / rate)

    def wait(self) -> None:
        with self._lock:
            now = time.monotonic()
            turn = max(self._next, now)
            self._next = turn + self._step
        if turn > now:
            time.sleep(turn - now)


_NEVER_SENT = (NewConnectionError, ConnectTimeoutError, NameResolutionError)


_DESCRIPTIONS: tuple[tuple[type[Exception], str], ...] = (
    (NameResolutionError, "the host's name is not known"),
    (NewConnectionError, "the connection was refused"),
    (SilentServerError, "the server sent nothing for too long"),
    (SSLError, "its certificate cannot be trusted"),
    (ProtocolError, "the connection was dropped"),
    (zlib.error, "its body cannot be unpacked"),
)


def _describe(error: Exception) -> str:
    """Say what happened without the URL, which may hold a key."""
    found = (text for kind, text in _DESCRIPTIONS if isinstance(error, kind))
    return next(found, "it is not valid HTTP")
