"""An Atom feed of the latest changes (RFC 4287), in addition to the full sitemap.

It holds what people read, not lists of it: these change with each page that they show.
Search engines read it more often than the sitemap; rules FD1 to FD3 of the sitemap protocol.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from html import escape
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from feedgenerator import Atom1Feed

from sitemapkit import dates
from sitemapkit.model import OutputFile
from sitemapkit.xmltext import legal
from sitemapkit_extras import about
from sitemapkit_extras.options import Extras

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitemapkit.formats.registry import Site
    from sitemapkit.model import Entry, Listed
    from sitemapkit.options import Options
    from sitemapkit_extras.options import Feed

describe: Callable[[Sequence[Entry], Sequence[Listed], Options], None] = about.describe
"""Completes the entries first."""


def output_files(site: Site) -> Iterator[OutputFile]:
    """Yield the feed of the newest dated entries, if any.

    A day without a time counts as its first second in UTC.
    """
    layout = site.layout
    extras = Extras.of(layout.options)
    newest = _newest(site.entries, extras.feed)
    if not newest:
        return
    file = layout.beside(".atom")
    base = layout.options.base_url
    title = legal(extras.title) or base
    feed: Any = Atom1Feed(
        title,
        base,
        None,
        extras.language or None,
        feed_url=layout.url(file),
        author_name=title,
    )
    own = about.own_descriptions(site.entries)
    for changed, entry in newest:
        name = legal(entry.title) or entry.loc
        summary = None
        if entry.about and entry.about.description in own:
            summary = escape(legal(entry.about.description))  # it is HTML
        feed.add_item(name, entry.loc, summary, unique_id=entry.loc, updateddate=changed)
    declaration, _, rest = feed.writeString("utf-8").partition("\n")
    yield OutputFile(file, [f"{declaration}\n<!-- {layout.mark} -->\n{rest}\n".encode()])


def _newest(entries: Sequence[Entry], feed: Feed) -> list[tuple[datetime, Entry]]:
    """Return the newest pages that people read, as many as the feed holds."""
    start = datetime.min.replace(tzinfo=UTC)
    if feed.days:
        start = dates.build_time() - timedelta(days=feed.days)
    dated: list[tuple[datetime, Entry]] = []
    for entry in entries:
        if entry.about and entry.about.kind in ("listing", "generated"):
            continue
        text = dates.lastmod_text(entry.lastmod)
        if not text:
            continue
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        if moment >= start:
            dated.append((moment, entry))
    dated.sort(key=itemgetter(0), reverse=True)  # ties stay in the order of URLs
    return dated[: feed.count]
