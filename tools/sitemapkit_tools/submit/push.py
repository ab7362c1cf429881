"""The protocols by which search engines are told of URLs: IndexNow, and Baidu's push."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from sitemapkit.errors import SitemapError
from sitemapkit_tools.web.client import NetworkError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit_tools.web.client import Answer, Client

INDEXNOW = "https://api.indexnow.org/indexnow"
"""Shares what it gets with all engines that take part: Bing, Yandex, Seznam, Naver, Yep, ..."""

BAIDU = "http://data.zz.baidu.com/urls"
"""Baidu's own push; there is no https."""

_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
_KEY_FILE_LIMIT = 4_096


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent for some URLs of one host."""

    url: str
    content_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer means for the URLs that were sent."""

    words: str
    delivered: bool = False
    again: bool = False
    """The server did not take them, and may do so later."""

    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    """URLs that were not taken although the others were, and why."""


class Push(Protocol):
    """A protocol with its key."""

    @property
    def most(self) -> int:
        """URLs in one request."""
        ...

    @property
    def secret(self) -> str:
        """What no log may show."""
        ...

    def out_of_scope(self, url: str, /) -> str:
        """Return why this URL cannot be sent; empty: it can."""
        ...

    def unready(self, origin: str, client: Client, /) -> str:
        """Return why nothing can be sent for a scheme and host; empty: it can."""
        ...

    def request(self, host: str, urls: Sequence[str], /) -> Request:
        """Return the request for some URLs of the host."""
        ...

    def verdict(self, answer: Answer, urls: Sequence[str], /) -> Verdict:
        """Return what the answer means."""
        ...


@dataclass(frozen=True, slots=True)
class IndexNow:
    """IndexNow (indexnow.org): one key a host, proved by a file on that host."""

    key: str = field(repr=False)
    location: str | None = field(default=None, repr=False)
    """URL of the key file; None: `/<key>.txt` at the root of each host."""

    endpoint: str = INDEXNOW
    most: int = 10_000

    def __post_init__(self) -> None:
        """Raise SitemapError for a key that no engine takes; the message does not show it."""
        if not _KEY.fullmatch(self.key):
            raise SitemapError(
                f"the IndexNow key has {len(self.key)} characters, or others than A-Z, a-z, 0-9 and"
                " '-'; it must have 8 to 128 of these."
            )

    @property
    def secret(self) -> str:
        """The key."""
        return self.key

    def out_of_scope(self, url: str) -> str:
        """A key file speaks for its own directory and what is below it."""
        if self.location is None or url.startswith(self.location.rpartition("/")[0] + "/"):
            return ""
        return "it is not below the directory of the key file"

    def unready(self, origin: str, client: Client) -> str:
        """Look at the key file as the engines will."""
        location = self.location or f"{origin}/{self.key}.txt"
        where = "the key file" if self.location else f"the key file at the root of {origin}"
        try:
            answer = client.request("GET", location, limit=_KEY_FILE_LIMIT)
        except NetworkError as error:
            return f"{where} cannot be read: {error}"
        if answer.status != 200:  # noqa: PLR2004 - HTTP's "OK"
            return f"{where} answers {answer.status}; deploy it first"
        held = answer.body.removeprefix(b"\xef\xbb\xbf").strip()
        return "" if held == self.key.encode() else f"{where} does not hold the key, and only that"

    def request(self, host: str, urls: Sequence[str]) -> Request:
        """Return the POST request of the protocol."""
        fields: dict[str, Any] = {"host": host, "key": self.key, "urlList": list(urls)}
        if self.location:
            fields["keyLocation"] = self.location
        body = json.dumps(fields).encode()
        return Request(self.endpoint, "application/json; charset=utf-8", body)

    def verdict(self, answer: Answer, _urls: Sequence[str]) -> Verdict:
        """Judge by the status alone; what else engines say is not defined."""
        status = answer.status
        words = _INDEXNOW_WORDS.get(status, f"answered {status}")
        return Verdict(words, delivered=status in (200, 202), again=_is_passing(status))


_INDEXNOW_WORDS = {
    200: "received",
    202: "accepted; the engine will check the key file",
    400: "refused: bad format",
    403: "refused: the engine does not find the key file, or another key in it",
    422: "refused: a URL is not of this host or not below the key file, or the key is malformed",
    429: "too many requests",
}


def _is_passing(status: int) -> bool:
    return status == 429 or 500 <= status <= 599  # noqa: PLR2004 - Too Many Requests, server errors


@dataclass(frozen=True, slots=True)
class Baidu:
    """Baidu's push: new and changed URLs of a site that is registered there, with its token."""

    token: str = field(repr=False)
    endpoint: str = BAIDU
    most: int = 2_000

    @property
    def secret(self) -> str:
        """The token."""
        return self.token

    def out_of_scope(self, _url: str) -> str:
        """Any URL may be sent; Baidu sorts out those of other sites."""
        return ""

    def unready(self, _origin: str, _client: Client) -> str:
        """Nothing need lie on the host."""
        return ""

    def request(self, host: str, urls: Sequence[str]) -> Request:
        """Return the POST request; site and token stand in its URL."""
        url = f"{self.endpoint}?site={quote(host)}&token={quote(self.token)}"
        return Request(url, "text/plain", "\n".join(urls).encode())

    def verdict(self, answer: Answer, urls: Sequence[str]) -> Verdict:
        """Judge by the JSON that it answers with: how many it took, and which it did not."""
        if _is_passing(answer.status):
            return Verdict(f"answered {answer.status}", again=True)
        try:
            said: Any = json.loads(answer.body)
            if "error" in said:
                return Verdict(f"refused: {said['error']} {said.get('message', '')}".strip())
            strangers, invalid = said.get("not_same_site", ()), said.get("not_valid", ())
            refused = dict.fromkeys(map(str, strangers), "it is not of the registered site")
            refused |= dict.fromkeys(map(str, invalid), "Baidu takes it for no URL")
            words = f"took {int(said['success'])}, {int(said['remain'])} more today"
        except (ValueError, KeyError, TypeError, AttributeError):
            return Verdict(f"answered {answer.status} and nothing that can be read")
        known = {url: refused[url] for url in urls if url in refused}
        return Verdict(words, delivered=True, refused=known)
