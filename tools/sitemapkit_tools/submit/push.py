"""The protocols that announce URLs to search engines: IndexNow, and Baidu's push."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from sitemapkit.errors import SitemapError
from sitemapkit_tools.bounds import MAX_SMALL_FILE, decode_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit_tools.web.client import Client, Response

INDEXNOW = "https://api.indexnow.org/indexnow"
"""Shares what it receives with all engines that take part: Bing, Yandex, Seznam, Naver, Yep, ..."""

BAIDU = "http://data.zz.baidu.com/urls"
"""Baidu's own push; there is no https."""

_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")


class Request(msgspec.Struct, frozen=True):
    """A POST request for some URLs of one host."""

    url: str
    content_type: str
    body: bytes


class PushResult(msgspec.Struct, frozen=True):
    """What a response means for the URLs that were sent."""

    message: str
    delivered: bool = False
    retry: bool = False
    """Whether the server did not accept them, and may do so later."""

    refused: Mapping[str, str] = {}
    """URLs that were not accepted although the others were, and why."""


def is_outside(url: str, key_location: str) -> bool:
    """Return whether a URL is not in the folder of a key file, nor below it."""
    folder, slash, _ = key_location.rpartition("/")
    return not url.startswith(folder + slash)


@dataclass(frozen=True, slots=True)
class IndexNow:
    """IndexNow (indexnow.org): one key for each host, proved by a file on that host."""

    secret: str = field(repr=False)
    """The key, which no log may show."""

    location: str | None = field(default=None, repr=False)
    """URL of the key file; None: `/<key>.txt` at the root of each host."""

    endpoint: str = INDEXNOW
    batch_size: int = 10_000
    """The most URLs in one request."""

    def __post_init__(self) -> None:
        """Raise SitemapError for a key that no engine accepts; the message does not show it."""
        if not _KEY.fullmatch(self.secret):
            raise SitemapError(
                "the IndexNow key must have 8 to 128 characters, all of them A-Z, a-z, 0-9 or '-';"
                f" it has {len(self.secret)}."
            )

    def out_of_scope(self, url: str) -> str:
        """Return why a URL cannot be sent: a key file is for its directory and what is below."""
        if self.location and is_outside(url, self.location):
            return "it is not below the directory of the key file"
        return ""

    def not_ready(self, origin: str, client: Client) -> str:
        """Return why no URL of a host can be sent; the key file is read as the engines will."""
        from sitemapkit_tools.web.client import NetworkError  # noqa: PLC0415 - a plan needs none

        location = self.location or f"{origin}/{self.secret}.txt"
        where = "the key file" if self.location else f"the key file at the root of {origin}"
        try:
            response = client.request("GET", location, limit=MAX_SMALL_FILE)
        except NetworkError as error:
            return f"{where} cannot be read: {error}"
        if response.status != 200:  # noqa: PLR2004 - HTTP's "OK"
            return f"{where} answers {response.status}; deploy it first"
        held = response.body.removeprefix(b"\xef\xbb\xbf").strip()
        return "" if held == self.secret.encode() else f"{where} does not contain the key alone"

    def request(self, host: str, urls: Sequence[str]) -> Request:
        """Return the POST request of the protocol."""
        fields: dict[str, Any] = {"host": host, "key": self.secret, "urlList": list(urls)}
        if self.location:
            fields["keyLocation"] = self.location
        body = json.dumps(fields).encode()
        return Request(self.endpoint, "application/json; charset=utf-8", body)

    def result(self, response: Response, _urls: Sequence[str]) -> PushResult:
        """Only the status counts; what else engines send is not defined."""
        status = response.status
        message = _INDEXNOW_MESSAGES.get(status, f"answered {status}")
        return PushResult(message, delivered=status in (200, 202), retry=_is_temporary(status))


_INDEXNOW_MESSAGES = {
    200: "received",
    202: "accepted; the engine will check the key file",
    400: "refused: bad format",
    403: "refused: the engine did not find the key file, or found another key in it",
    422: "refused: a URL is not on this host or not below the key file, or the key is malformed",
    429: "too many requests",
}


def _is_temporary(status: int) -> bool:
    return status == 429 or 500 <= status <= 599  # noqa: PLR2004 - Too Many Requests, server errors


@dataclass(frozen=True, slots=True)
class Baidu:
    """Baidu's push: new and changed URLs of a site that is registered there, with its token."""

    secret: str = field(repr=False)
    """The token, which no log may show."""

    endpoint: str = BAIDU
    batch_size: int = 2_000

    def out_of_scope(self, _url: str) -> str:
        """Any URL may be sent; Baidu refuses those of other sites."""
        return ""

    def not_ready(self, _origin: str, _client: Client) -> str:
        """Nothing is needed on the host."""
        return ""

    def request(self, host: str, urls: Sequence[str]) -> Request:
        """Return the POST request, with site and token in its URL."""
        url = f"{self.endpoint}?site={quote(host)}&token={quote(self.secret)}"
        return Request(url, "text/plain", "\n".join(urls).encode())

    def result(self, response: Response, urls: Sequence[str]) -> PushResult:
        """The JSON says how many URLs were accepted, and which were not."""
        if _is_temporary(response.status):
            return PushResult(f"answered {response.status}", retry=True)
        try:
            said = decode_json(response.body, _BaiduAnswer)
        except ValueError:
            said = _BaiduAnswer()
        if said.error is not None:
            return PushResult(f"refused: {said.error} {said.message}".strip())
        if said.success is None:
            return PushResult(f"answered {response.status}, but its answer cannot be read")
        refused = {
            **dict.fromkeys(said.not_same_site, "it is not on the registered site"),
            **dict.fromkeys(said.not_valid, "Baidu does not accept it as a URL"),
        }
        message = f"took {said.success}, {said.remain} more today"
        known = {url: refused[url] for url in urls if url in refused}
        return PushResult(message, delivered=True, refused=known)


class _BaiduAnswer(msgspec.Struct):
    """What Baidu answers: the first two fields if it refuses all, else the others."""

    error: int | str | None = None
    message: str = ""
    success: int | None = None
    remain: int = 0
    not_same_site: list[str] = []
    not_valid: list[str] = []


Push = IndexNow | Baidu
"""A protocol with its key."""
