"""Announcing what changed to search engines, each URL once.

What a server did not accept (429, 5xx, no connection) is sent again after a pause. If a connection
breaks after the request was sent, it is unknown whether it was accepted: that is not sent again in
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

    from sitemapkit_tools.diff.compare import UrlChange
    from sitemapkit_tools.submit.push import Push, Request
    from sitemapkit_tools.web.client import Client, Response

_HINTS = frozenset({"changefreq", "priority"})
"""Fields of an entry that say nothing about the page."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often one request is sent."""

    tries: int = 5
    first_pause: float = 2.0
    """Seconds before the second try; each further pause is twice as long."""

    longest_pause: float = 600.0
    """Seconds that a server may ask for; if it asks for more, the URLs stay pending."""

    pause: Callable[[float], object] = time.sleep
    """Sleeps for so many seconds."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The URLs of one request and the result."""

    host: str
    urls: Sequence[str]
    message: str
    """What the server answered, or why it did not."""

    delivered: bool
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    """URLs that were not accepted although the others were, and why."""


@dataclass(slots=True)
class Outcome:
    """The result for each URL."""

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
            self.undelivered.update(dict.fromkeys(batch.urls, batch.message))


def changed_urls(changes: Sequence[UrlChange], *, removed: bool = True) -> list[str]:
    """Return the URLs to announce: added, changed (not only in hints), and removed ones."""
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
    retry: RetryPolicy | None = None,
    on_batch: Callable[[Outcome], object] | None = None,
) -> Outcome:
    """Send the URLs, host by host, and return the result for each.

    `on_batch` is called after each request, with the outcome so far.
    """
    outcome = Outcome()
    sender = _Sender(push, client, retry or RetryPolicy())
    with _masked(push.secret):
        for origin, own in sorted(_by_origin(urls, push, outcome).items()):
            if reason := push.not_ready(origin, client):
                outcome.undelivered.update(dict.fromkeys(own, reason))
                continue
            for start in range(0, len(own), push.batch_size):
                outcome.add(sender.deliver(origin, own[start : start + push.batch_size]))
                if on_batch:
                    on_batch(outcome)
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
class _Later:
    """The server did not accept a request and may do so later."""

    message: str
    seconds: float | None = None
    """The pause that it asks for."""


class _Sender:
    def __init__(self, push: Push, client: Client, policy: RetryPolicy) -> None:
        self.push = push
        self.client = client
        self.policy = policy

    def deliver(self, origin: str, urls: Sequence[str]) -> Batch:
        """Send one request until there is a final result or no try is left."""
        host = origin.partition("://")[2]
        request = self.push.request(host, urls)
        message, seconds = "", 0.0
        for attempt in range(self.policy.tries):
            if attempt:
                self.policy.pause(seconds)
            tried = self._try(host, request, urls)
            if isinstance(tried, Batch):
                return tried
            message = tried.message
            asked = tried.seconds
            seconds = self.policy.first_pause * 2.0**attempt if asked is None else asked
            if seconds > self.policy.longest_pause:
                message = f"{message}; it asks to wait {seconds:,.0f} seconds"
                break
        return Batch(host, urls, f"given up: {message}", delivered=False)

    def _try(self, host: str, request: Request, urls: Sequence[str]) -> Batch | _Later:
        headers = {"Content-Type": request.content_type}
        try:
            response = self.client.request(
                "POST", request.url, limit=_RESPONSE_LIMIT, headers=headers, body=request.body
            )
        except NetworkError as error:
            if error.sent:
                return Batch(host, urls, f"unconfirmed: {error}", delivered=False)
            return _Later(f"not sent: {error}")
        result = self.push.result(response, urls)
        if result.retry:
            return _Later(result.message, _retry_after(response))
        return Batch(host, urls, result.message, result.delivered, result.refused)


_RESPONSE_LIMIT = 1_048_576


def _retry_after(response: Response) -> float | None:
    """Return the seconds that the server asks for: a number, or a date (RFC 9110, 10.2.3)."""
    value = response.headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    moment = moment.replace(tzinfo=moment.tzinfo or UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


class _Mask(logging.Filter):
    """Removes a secret from what libraries log."""

    def __init__(self, secret: str) -> None:
        super().__init__()
        self.secret = secret

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = record.getMessage().replace(self.secret, "***")
        record.args = ()
        return True


@contextmanager
def _masked(secret: str) -> Generator[None]:
    """Keep a secret out of urllib3's log, which has the path of each request."""
    mask = _Mask(secret)
    loggers = [logging.getLogger(f"urllib3.{name}") for name in ("connectionpool", "connection")]
    for logger in loggers:
        logger.addFilter(mask)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(mask)
