"""`sitemapkit submit`: tell search engines just what changed."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from sitemapkit.errors import SitemapError, UrlError
from sitemapkit.urls import normalize
from sitemapkit_tools.checks.formats import counted
from sitemapkit_tools.commands.compare import content_flags, differ
from sitemapkit_tools.commands.terminal import answer, answer_json, json_flag, remark
from sitemapkit_tools.submit.pending import keep_pending, still_to_deliver
from sitemapkit_tools.submit.push import BAIDU, INDEXNOW, Baidu, IndexNow
from sitemapkit_tools.submit.submit import Outcome, changed_urls, submit
from sitemapkit_tools.web.client import Client

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit_tools.submit.pending import Pending
    from sitemapkit_tools.submit.push import Push

_VARIABLES = {"indexnow": "INDEXNOW_KEY", "baidu": "BAIDU_TOKEN"}
_FEW = 20


@dataclass(frozen=True, slots=True)
class _Asked:
    """The command's own flags."""

    old: str
    new: str
    protocol: Literal["indexnow", "baidu"]
    key_file: Path | None
    key_location: str | None
    endpoint: str | None
    send: bool | None
    state: Path | None
    content: bool
    main: tuple[str, ...]
    noise: tuple[str, ...]
    jobs: int | None
    as_json: bool


def _whole_url(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse what is no absolute URL, without showing it: it may hold the key."""
    try:
        if value is not None:
            normalize(value)
    except UrlError:
        message = "it is not an absolute http or https URL."
        raise click.BadParameter(message, param=parameter) from None
    return value


@click.command("submit")
@click.argument("old")
@click.argument("new")
@click.option(
    "--protocol",
    type=click.Choice(list(_VARIABLES)),
    default="indexnow",
    show_default=True,
    help="IndexNow (Bing, Yandex, Seznam, Naver and others), or Baidu's push.",
)
@click.option(
    "--key-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File with the key; else it is read from INDEXNOW_KEY, or for Baidu from BAIDU_TOKEN.",
)
@click.option(
    "--key-location",
    callback=_whole_url,
    metavar="URL",
    help="Where the key file is online, if not at the root of the host; it speaks for its folder.",
)
@click.option(
    "--endpoint",
    callback=_whole_url,
    metavar="URL",
    help="The engine to tell, if not the usual one.",
)
@click.option(
    "--send/--dry-run",
    default=None,
    help="Send, or only show what would be sent; on a terminal the default is to send.",
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Remembers what is still to be delivered, so that a run that failed can be run again.",
)
@content_flags
@json_flag
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401 - the fields of _Asked
    """Tell search engines what changed.

    Told are the pages that were added, changed and removed between OLD and NEW, which are what
    `diff` takes: the sitemap of the last deploy and that of this one. Run it after the deploy, when
    pages and key file are online. Google takes no part: it reads the Sitemap
    line of robots.txt and what is named in its Search Console.
    """
    asked = _Asked(**flags)
    changes = differ(asked.old, asked.new, asked).changes
    urls = changed_urls(changes, removed=asked.protocol == "indexnow")
    pending = still_to_deliver(asked.state, changes, urls)
    send = sys.stdout.isatty() if asked.send is None else asked.send
    if not send:
        _show_plan(sorted(pending.urls), asked)
        return
    outcome = _send(pending, asked)
    _show(outcome, asked)
    ctx.exit(1 if outcome.undelivered else 0)


def _send(pending: Pending, asked: _Asked) -> Outcome:
    def settled(outcome: Outcome) -> None:
        if asked.state:
            keep_pending(asked.state, pending, outcome.delivered)

    push = _push(asked)
    settled(Outcome())
    return submit(sorted(pending.urls), push, Client(), settled=settled)


def _push(asked: _Asked) -> Push:
    key = _key(asked)
    if asked.protocol == "baidu":
        return Baidu(key, asked.endpoint or BAIDU)
    return IndexNow(key, asked.key_location, asked.endpoint or INDEXNOW)


def _key(asked: _Asked) -> str:
    """Return the key; it is no flag, for those can be read by all users of the machine."""
    variable = _VARIABLES[asked.protocol]
    if asked.key_file:
        key = asked.key_file.read_text(encoding="utf-8-sig", errors="replace").strip()
    else:
        key = os.environ.get(variable, "").strip()
    if not key:
        raise SitemapError(f"there is no key: set {variable}, or name a file that holds it")
    return key


def _show_plan(urls: Sequence[str], asked: _Asked) -> None:
    if asked.as_json:
        answer_json({"sent": False, "urls": list(urls)})
        return
    for url in urls:
        answer(url)
    remark(f"Nothing was sent; --send would tell {asked.protocol} of {counted(len(urls), 'URL')}.")


def _show(outcome: Outcome, asked: _Asked) -> None:
    if asked.as_json:
        batches = [asdict(batch) | {"urls": len(batch.urls)} for batch in outcome.batches]
        answer_json(
            {
                "sent": True,
                "delivered": outcome.delivered,
                "undelivered": outcome.undelivered,
                "requests": batches,
            }
        )
    else:
        answer("\n".join(_lines(outcome)))


def _lines(outcome: Outcome) -> Iterator[str]:
    for batch in outcome.batches:
        colour = "green" if batch.delivered else "red"
        words = click.style(batch.words, fg=colour)
        yield f"{batch.host}: {counted(len(batch.urls), 'URL')}, {words}"
    for url, why in list(outcome.undelivered.items())[:_FEW]:
        yield f"    {url}  {why}"
    if len(outcome.undelivered) > _FEW:
        yield f"    ... and {len(outcome.undelivered) - _FEW:,} more"
    yield f"{counted(len(outcome.delivered), 'URL')} delivered, {len(outcome.undelivered):,} not"
