"""Telling search engines just what changed, each URL once.

What a server did not take (429, 5xx, no connection) is sent again after a pause. Where a connection
broke after the request was on its way nobody knows whether it was taken: that is not sent again in
this run, but reported, and stays pending for the next.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit_tools.web.client import NetworkError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from sitemapkit_tools.diff.compare import Change
    from sitemapkit_tools.submit.push import Push, Request
    from sitemapkit_tools.web.client import Answer, Client

_HINTS = frozenset({"changefreq", "priority"})
"""What an entry says that is nothing of the page."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one request is tried."""

    tries: int = 5
    first_pause: float = 2.0
    """Seconds before the second try; each further pause is twice as long."""

    longest_pause: float = 600.0
    """Seconds that a server may ask for; if it asks for more, the next run is to try."""

    pause: Callable[[float], object] = time.sleep
    """What passes the seconds."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The URLs of one request and what became of them."""

    host: str
    urls: Sequence[str]
    words: str
    """What the server said, or why it said nothing."""

    delivered: bool
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    """URLs that were not taken although the others were."""


@dataclass(slots=True)
class Outcome:
    """What became of each URL."""

    delivered: list[str] = field(default_factory=list[str])
    undelivered: dict[str, str] = field(default_factory=dict[str, str])
    """Why each of these was not, or may not have been, delivered."""

    batches: list[Batch] = field(default_factory=list[Batch])

    def add(self, batch: Batch) -> None:
        """Add the URLs of a request."""
        self.batches.append(batch)
        if batch.delivered:
            self.delivered += [url for url in batch.urls if url not in batch.refused]
            self.undelivered.update(batch.refused)
        else:
            self.undelivered.update(dict.fromkeys(batch.urls, batch.words))


def changed_urls(changes: Sequence[Change], *, removed: bool = True) -> list[str]:
    """Return the URLs to tell of: added, changed in what they hold, and removed ones."""
    return [
        change.url
        for change in changes
        if (change.kind != "changed" or set(change.fields) - _HINTS)
        and (removed or change.kind != "removed")
    ]


def submit(
    urls: Sequence[str],
    push: Push,
    client: Client,
    *,
    patience: Patience | None = None,
    settled: Callable[[Outcome], object] | None = None,
) -> Outcome:
    """Deliver the URLs, host by host, and return what became of each.

    `settled` is called after each request, with the outcome so far.
    """
    outcome = Outcome()
    sender = _Sender(push, client, patience or Patience())
    with _masked(push.secret):
        for origin, own in sorted(_by_origin(urls, push, outcome).items()):
            if reason := push.unready(origin, client):
                outcome.undelivered.update(dict.fromkeys(own, reason))
                continue
            for start in range(0, len(own), push.most):
                outcome.add(sender.deliver(origin, own[start : start + push.most]))
                if settled:
                    settled(outcome)
    return outcome


def _by_origin(urls: Sequence[str], push: Push, outcome: Outcome) -> dict[str, list[str]]:
    """Return the URLs that can be sent, by their scheme and host."""
    origins: dict[str, list[str]] = defaultdict(list)
    for url in sorted(set(urls)):
        if reason := push.out_of_scope(url):
            outcome.undelivered[url] = reason
        else:
            parts = urlsplit(url)
            origins[f"{parts.scheme}://{parts.netloc}"].append(url)
    return origins


@dataclass(frozen=True, slots=True)
class _Again:
    """The server did not take a request and may do so later."""

    words: str
    seconds: float | None = None
    """What it asks to wait."""


class _Sender:
    def __init__(self, push: Push, client: Client, patience: Patience) -> None:
        self.push = push
        self.client = client
        self.patience = patience

    def deliver(self, origin: str, urls: Sequence[str]) -> Batch:
        """Send one request until it is answered for good or patience ends."""
        host = origin.partition("://")[2]
        request = self.push.request(host, urls)
        words, seconds = "", 0.0
        for attempt in range(self.patience.tries):
            if attempt:
                self.patience.pause(seconds)
            tried = self._try(host, request, urls)
            if isinstance(tried, Batch):
                return tried
            words = tried.words
            seconds = self._seconds(tried, attempt)
            if seconds > self.patience.longest_pause:
                words = f"{words}; it asks to wait {seconds:,.0f} seconds"
                break
        return Batch(host, urls, f"given up: {words}", delivered=False)

    def _seconds(self, tried: _Again, attempt: int) -> float:
        if tried.seconds is not None:
            return tried.seconds
        return self.patience.first_pause * 2.0**attempt

    def _try(self, host: str, request: Request, urls: Sequence[str]) -> Batch | _Again:
        try:
            answer = self._post(request)
        except NetworkError as error:
            if error.sent:
                return Batch(host, urls, f"unconfirmed: {error}", delivered=False)
            return _Again(f"not sent: {error}")
        verdict = self.push.verdict(answer, urls)
        if verdict.again:
            return _Again(verdict.words, _retry_after(answer))
        return Batch(host, urls, verdict.words, verdict.delivered, verdict.refused)

    def _post(self, request: Request) -> Answer:
        headers = {"Content-Type": request.content_type}
        return self.client.request(
            "POST", request.url, limit=_ANSWER_LIMIT, headers=headers, body=request.body
        )


_ANSWER_LIMIT = 1_048_576


def _retry_after(answer: Answer) -> float | None:
    """Return the seconds that the server asks for: a number, or a date (RFC 9110, 10.2.3)."""
    value = answer.headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    moment = moment.replace(tzinfo=moment.tzinfo or UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


class _Mask(logging.Filter):
    """Takes a secret out of what libraries log."""

    def __init__(self, secret: str) -> None:
        super().__init__()
        self.secret = secret

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = record.getMessage().replace(self.secret, "***")
        record.args = ()
        return True


@contextmanager
def _masked(secret: str) -> Generator[None]:
    """Keep a secret out of urllib3's log, which tells the path of each request."""
    mask = _Mask(secret)
    loggers = [logging.getLogger(f"urllib3.{name}") for name in ("connectionpool", "connection")]
    for logger in loggers:
        logger.addFilter(mask)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(mask)
