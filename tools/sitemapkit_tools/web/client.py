"""HTTP for people who do not want surprises: bounded in time, size and pace, no redirects.

A request has a timeout for connecting, one for each silence, and one for the whole; of a body no
more than the caller's limit is kept, before and after unpacking. Redirects are answers: whoever
follows them decides whether the target may be asked at all.
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
from urllib3.exceptions import TimeoutError as SilenceError

import sitemapkit

if TYPE_CHECKING:
    from collections.abc import Mapping

USER_AGENT = f"sitemapkit/{sitemapkit.__version__}"
_CHUNK = 65_536


class NetworkError(Exception):
    """No answer came; `sent` tells whether the server may have got the request all the same."""

    def __init__(self, detail: str, *, sent: bool) -> None:
        """`detail` says in a few words, without any address, what happened."""
        super().__init__(detail)
        self.sent = sent


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""
    cut: bool = False
    """The body is longer than what was kept."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client allows itself."""

    connections: int = 4
    rate: float = 10.0
    """Requests a second to all hosts together; 0: as fast as the connections allow."""

    timeout: float = 15.0
    """Seconds of silence after which a request is given up."""

    deadline: float = 60.0
    """Seconds after which a request is given up in any case."""


class Client:
    """Sends requests; may be used by several threads."""

    def __init__(self, limits: Limits | None = None) -> None:
        """Start with nothing connected."""
        self.limits = limits or Limits()
        self._pace = _Pace(self.limits.rate)
        self._pool = urllib3.PoolManager(
            num_pools=self.limits.connections,
            maxsize=self.limits.connections,
            block=True,
            retries=False,
            timeout=urllib3.Timeout(self.limits.timeout),
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
    ) -> Answer:
        """Send a request and return the answer with at most `limit` bytes of its body.

        What changes nothing is sent once more if the connection breaks, for a server may close one
        that was kept open just when it is used again. Raises NetworkError if there is no answer.
        """
        try:
            try:
                return self._once(method, url, limit, headers or {}, body)
            except ProtocolError:
                if method not in ("GET", "HEAD"):
                    raise
                return self._once(method, url, limit, headers or {}, body)
        except (HTTPError, OSError, ValueError, zlib.error) as error:
            raise NetworkError(_words(error), sent=not isinstance(error, _NEVER_SENT)) from error

    def _once(
        self, method: str, url: str, limit: int, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        self._pace.wait()
        until = time.monotonic() + self.limits.deadline
        headers = {**self._pool.headers, **headers}
        response = self._pool.request(
            method, url, headers=headers, body=body, redirect=False, preload_content=False
        )
        return self._read(response, limit, until)

    def _read(self, response: urllib3.BaseHTTPResponse, limit: int, until: float) -> Answer:
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
        body, cut = _unpacked(b"".join(parts), response.headers.get("Content-Encoding", ""), limit)
        return Answer(response.status, response.headers, body, cut or size > limit)

    def slow_down(self, rate: float) -> None:
        """Send no more than `rate` requests a second from now on; never more than before."""
        self._pace.slow_down(rate)

    def close(self) -> None:
        """Close all connections."""
        self._pool.clear()


def _unpacked(data: bytes, encoding: str, limit: int) -> tuple[bytes, bool]:
    """Return at most `limit` bytes of a body, and whether there is more."""
    if encoding.strip().lower() in ("gzip", "x-gzip"):
        data = zlib.decompressobj(wbits=31).decompress(data, limit + 1)
    return data[:limit], len(data) > limit


class _Pace:
    """Lets callers pass no more often than `rate` times a second."""

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


_WORDS: tuple[tuple[type[Exception], str], ...] = (
    (NameResolutionError, "the host's name is not known"),
    (NewConnectionError, "the connection was refused"),
    (SilenceError, "the server was silent for too long"),
    (SSLError, "its certificate cannot be trusted"),
    (ProtocolError, "the connection was dropped"),
    (zlib.error, "its body cannot be unpacked"),
)


def _words(error: Exception) -> str:
    """Say what happened without the address, which may hold a key."""
    found = (words for kind, words in _WORDS if isinstance(error, kind))
    return next(found, "it is no proper HTTP")
