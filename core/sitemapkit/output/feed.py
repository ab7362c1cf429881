"""An Atom feed of the pages that changed last (RFC 4287): a delta beside the full sitemap.

Search engines read it more often than the whole list; rules FD1 to FD3 of the sitemap protocol.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from xml.sax.xmlreader import AttributesImpl

from sitemapkit import dates
from sitemapkit.output.values import moment, text_if_a_date
from sitemapkit.output.xmltext import legal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from xml.sax.saxutils import XMLGenerator

    from sitemapkit.model import Entry
    from sitemapkit.options import Options


def atom_feed(entries: Sequence[Entry], options: Options, url: str, mark: str) -> bytes | None:
    """Return the feed of the newest dated entries, or None if there are none.

    `url` is that of the feed itself, `mark` the text of the comment that says that it is ours. A
    day without a time counts as its first second in UTC.
    """
    # Only sites that want a feed pay for loading the library.
    from feedgenerator import Atom1Feed  # noqa: PLC0415

    class Feed(Atom1Feed):
        """Names the hub that tells subscribers of changes (WebSub, section 4)."""

        def add_root_elements(self, handler: XMLGenerator) -> None:
            super().add_root_elements(handler)  # type: ignore[no-untyped-call]  # pyright: ignore[reportUnknownMemberType]
            if options.feed.hub:
                link = AttributesImpl({"rel": "hub", "href": options.feed.hub})
                handler.startElement("link", link)
                handler.endElement("link")

    newest = _newest(entries, options)
    if not newest:
        return None
    title = legal(options.title) or options.base_url
    language = options.language.replace("_", "-") or None
    feed: Any = Feed(title, options.base_url, None, language, feed_url=url, author_name=title)  # type: ignore[no-untyped-call]
    for changed, entry in newest:
        name = legal(entry.title) or entry.loc
        feed.add_item(name, entry.loc, None, unique_id=entry.loc, updateddate=changed)
    declaration, _, rest = feed.writeString("utf-8").partition("\n")
    return f"{declaration}\n<!-- {mark} -->\n{rest}\n".encode()


def _newest(entries: Sequence[Entry], options: Options) -> list[tuple[datetime, Entry]]:
    texts = ((text_if_a_date(entry.lastmod), entry) for entry in entries)
    dated = [(moment(text)[0], entry) for text, entry in texts if text]
    if options.feed.days:
        start = dates.now() - timedelta(days=options.feed.days)
        dated = [pair for pair in dated if pair[0] >= start]
    dated.sort(key=lambda pair: (-pair[0].timestamp(), pair[1].loc))
    return dated[: options.feed.count]
