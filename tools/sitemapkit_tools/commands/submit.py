"""`sitemapkit submit`: notify search engines of changes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from msgspec import structs

from sitemapkit.errors import SitemapError
from sitemapkit.model import printable
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.bounds import MAX_SMALL_FILE, Budget
from sitemapkit_tools.commands.compare import compare_loaded, content_flags
from sitemapkit_tools.commands.terminal import budget_flags, first_option, json_flag
from sitemapkit_tools.console import counted, echo, echo_json, hidden, style
from sitemapkit_tools.diff.load import load_old, load_site
from sitemapkit_tools.submit.pending import Pending, changed_urls, keep_pending, still_to_deliver
from sitemapkit_tools.submit.push import BAIDU, INDEXNOW, Baidu, IndexNow, Push, is_outside
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit_tools.diff.load import LoadedSite
    from sitemapkit_tools.submit.submit import Outcome

    Protocol = Literal["indexnow", "baidu"]

_VARIABLES = {"indexnow": "INDEXNOW_KEY", "baidu": "BAIDU_TOKEN"}
_FEW = 20


def _whole_url(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse what is not an absolute URL, without showing it: it may hold the key."""
    if value is not None and normalize_or_none(value) is None:
        message = "it is not an absolute http or https URL."
        raise click.BadParameter(message, param=parameter)
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
    help="File with the key; by default it is in INDEXNOW_KEY, for Baidu in BAIDU_TOKEN.",
)
@click.option(
    "--key-location",
    callback=_whole_url,
    metavar="URL",
    help="URL of the key file, if not at the root; the key is valid for its folder.",
)
@click.option(
    "--endpoint",
    callback=_whole_url,
    metavar="URL",
    help="Send to this URL instead.",
)
@click.option(
    "--send/--dry-run",
    default=None,
    help="Send, or show what would be sent; by default, submit sends only in a terminal.",
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File with what is still to be sent, so that you can repeat a failed run.",
)
@first_option
@content_flags
@budget_flags
@json_flag
@click.pass_context
def command(  # noqa: PLR0913 - click's parameters
    ctx: click.Context,
    /,
    old: str,
    new: str,
    *,
    protocol: Protocol,
    key_file: Path | None,
    send: bool | None,
    state: Path | None,
    is_first: bool,
    as_json: bool,
    key_location: str | None,
    endpoint: str | None,
    budget: Budget,
    **content: Any,  # noqa: ANN401 - the parameters of compare_loaded
) -> None:
    """Notify search engines of changes.

    Sends the URLs of pages added, changed or removed between two sitemaps: OLD of the last deploy
    and NEW of this one, as for `diff`. Run it after the deploy, when the pages and the key file are
    online. Google does not take part.
    """
    before = load_old(old, budget, is_first=is_first)
    after = load_site(new, budget, like=before)
    changes = compare_loaded(before, after, budget, **content).changes
    pending = still_to_deliver(state, changes, changed_urls(changes, removed=protocol != "baidu"))
    if not (sys.stdout.isatty() if send is None else send):
        _show_plan(sorted(pending.urls), protocol, key_location, as_json=as_json)
        return
    push = _push(protocol, key_file, key_location, endpoint, after)
    with hidden(push.secret):
        _show(outcome := _send(pending, push, state, budget), as_json=as_json)
    ctx.exit(1 if outcome.undelivered else 0)


def _send(pending: Pending, push: Push, state: Path | None, budget: Budget) -> Outcome:
    # What fetches takes 30 ms to import, and a plan does not need it.
    from sitemapkit_tools.submit.submit import Outcome, submit  # noqa: PLC0415
    from sitemapkit_tools.web.client import Client  # noqa: PLC0415

    def keep(outcome: Outcome) -> None:
        if state:
            keep_pending(state, pending, outcome.delivered)

    keep(Outcome())
    return submit(sorted(pending.urls), push, Client(budget=budget), on_batch=keep)


def _push(
    protocol: Protocol,
    key_file: Path | None,
    location: str | None,
    endpoint: str | None,
    new: LoadedSite,
) -> Push:
    key = _key(protocol, key_file)
    if protocol == "baidu":
        return Baidu(key, endpoint or BAIDU)
    for name in sorted(new.tree.files, key=len, reverse=True) if new.tree and not location else ():
        if name.rpartition("/")[2] == f"{key}.txt":  # the highest of them counts
            location = new.base_url + name
    return IndexNow(key, location, endpoint or INDEXNOW)


def _key(protocol: Protocol, file: Path | None) -> str:
    """Return the key; it is not a flag, because all users of the machine can read those."""
    variable = _VARIABLES[protocol]
    if file:
        key = read_file(file, MAX_SMALL_FILE).decode("utf-8-sig", "replace").strip()
    else:
        key = os.environ.get(variable, "").strip()
    if not key:
        raise SitemapError(f"there is no key: set {variable}, or give --key-file")
    return key


def _show_plan(
    urls: Sequence[str], protocol: Protocol, location: str | None, *, as_json: bool
) -> None:
    if protocol == "indexnow" and location:
        outside = [url for url in urls if is_outside(url, location)]
        if outside:
            count = counted(len(outside), "URL is", "URLs are")
            echo(
                f"{count} not below the folder of --key-location, which the key is for, such as"
                f" {outside[0]}: engines refuse these.",
                err=True,
            )
    if as_json:
        echo_json({"sent": False, "urls": list(urls)})
        return
    for url in urls:
        echo(url)
    sent = f"--send would send {counted(len(urls), 'URL')} to {protocol}."
    echo(f"Nothing was sent; {sent}", err=True)


def _show(outcome: Outcome, *, as_json: bool) -> None:
    if not as_json:
        echo("\n".join(_lines(outcome)))
        return
    batches = [structs.asdict(batch) | {"urls": len(batch.urls)} for batch in outcome.batches]
    delivered, undelivered = outcome.delivered, outcome.undelivered
    echo_json(
        {"sent": True, "delivered": delivered, "undelivered": undelivered, "requests": batches}
    )


def _lines(outcome: Outcome) -> Iterator[str]:
    for batch in outcome.batches:
        colour = "green" if batch.delivered else "red"
        message = style(batch.message, colour=colour)
        yield f"{batch.host}: {counted(len(batch.urls), 'URL')}, {message}"
    for url, why in list(outcome.undelivered.items())[:_FEW]:
        yield printable(f"    {url}  {why}")
    if len(outcome.undelivered) > _FEW:
        yield f"    ... and {len(outcome.undelivered) - _FEW:,} more"
    yield f"{counted(len(outcome.delivered), 'URL')} delivered, {len(outcome.undelivered):,} not"
