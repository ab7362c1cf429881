"""Announcing what changed to search engines, each URL once.

What a server did not accept (429, 5xx, no connection) is sent again after a pause. If a connection
breaks after the request was sent, it is unknown whether it was accepted: that is not sent again in
this run, but reported, and stays pending for the next.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit_tools.bounds import MAX_ANSWER, OverBudgetError
from sitemapkit_tools.site.base_url import origin_of
from sitemapkit_tools.submit.push import Push, PushResult, Request
from sitemapkit_tools.web.client import Client, NetworkError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence


_TRIES = 5
_FIRST_PAUSE = 2.0
"""Seconds before the second try; each further pause is twice as long."""

_LONGEST_PAUSE = 600.0
"""Seconds that a server may ask for; if it asks for more, the URLs stay pending."""


class Batch(Struct, frozen=True):
    """The URLs of one request and the result."""

    host: str
    urls: Sequence[str]
    message: str
    """What the server answered, or why it did not."""

    delivered: bool
    refused: Mapping[str, str] = {}
    """URLs that were not accepted although the others were, and why."""


class Outcome(Struct):
    """The result for each URL."""

    delivered: list[str] = []
    undelivered: dict[str, str] = {}
    """Why each of these was not, or may not have been, delivered."""

    batches: list[Batch] = []

    def add(self, batch: Batch) -> None:
        """Add the URLs of a request."""
        self.batches.append(batch)
        if batch.delivered:
            self.delivered += [url for url in batch.urls if url not in batch.refused]
            self.undelivered.update(batch.refused)
        else:
            self.undelivered.update(dict.fromkeys(batch.urls, batch.message))


def submit(
    urls: Sequence[str],
    push: Push,
    client: Client,
    *,
    on_batch: Callable[[Outcome], object] | None = None,
) -> Outcome:
    """Send the URLs, host by host, and return the result for each.

    `on_batch` is called after each request, with the outcome so far.
    """
    outcome = Outcome()
    with _masked(push.secret):
        for origin, own in sorted(_by_origin(urls, push, outcome).items()):
            try:
                if reason := push.not_ready(origin, client):
                    outcome.undelivered.update(dict.fromkeys(own, reason))
                    continue
                for start in range(0, len(own), push.batch_size):
                    batch = own[start : start + push.batch_size]
                    outcome.add(_deliver(origin, batch, push, client))
                    if on_batch:
                        on_batch(outcome)
            except OverBudgetError as error:
                left = set(own).difference(outcome.delivered, outcome.undelivered)
                outcome.undelivered.update(dict.fromkeys(sorted(left), f"not sent: {error}"))
    return outcome


def _by_origin(urls: Sequence[str], push: Push, outcome: Outcome) -> dict[str, list[str]]:
    """Return the URLs that can be sent, by their scheme and host."""
    origins: dict[str, list[str]] = defaultdict(list)
    for url in sorted(set(urls)):
        if reason := push.out_of_scope(url):
            outcome.undelivered[url] = reason
        else:
            origins[origin_of(url)].append(url)
    return origins


def _deliver(origin: str, urls: Sequence[str], push: Push, client: Client) -> Batch:
    """Send one request until there is a final result or no try is left."""
    host = origin.partition("://")[2]
    request = push.request(host, urls)
    message, seconds = "", 0.0
    for attempt in range(_TRIES):
        if attempt:
            client.budget.pause(seconds, f"{message}, so it is sent once more")
        result, retry_after = _send(request, urls, push, client)
        message = result.message
        if not result.retry:
            return Batch(host, urls, message, result.delivered, result.refused)
        seconds = _FIRST_PAUSE * 2.0**attempt if retry_after is None else retry_after
        if seconds > _LONGEST_PAUSE:
            message = f"{message}; it asks to wait {seconds:,.0f} seconds"
            break
    return Batch(host, urls, f"given up: {message}", delivered=False)


def _send(
    request: Request, urls: Sequence[str], push: Push, client: Client
) -> tuple[PushResult, float | None]:
    """Return the result of a request, and the pause in seconds that the server asks for."""
    headers = {"Content-Type": request.content_type}
    try:
        response = client.request(
            "POST", request.url, limit=MAX_ANSWER, headers=headers, body=request.body
        )
    except NetworkError as error:
        if error.sent:
            return PushResult(f"unconfirmed: {error}"), None
        return PushResult(f"not sent: {error}", retry=not client.has_given_up(request.url)), None
    return push.result(response, urls), response.retry_after


@contextmanager
def _masked(secret: str) -> Generator[None]:
    """Keep a secret out of urllib3's log, which has the path of each request."""

    def mask(record: logging.LogRecord) -> bool:
        record.msg, record.args = record.getMessage().replace(secret, "***"), ()
        return True

    loggers = [logging.getLogger(f"urllib3.{name}") for name in ("connectionpool", "connection")]
    for logger in loggers:
        logger.addFilter(mask)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(mask)
