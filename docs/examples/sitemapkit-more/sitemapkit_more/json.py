"""All pages as a JSON Feed (version 1.1)."""

import json

from sitemapkit.dates import lastmod_text
from sitemapkit.model import OutputFile
from sitemapkit_extras.options import Extras


def output_files(site):
    """Yield the feed; `user_comment` says that it is ours, so that it can be removed one day."""
    options = site.layout.options
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": Extras.of(options).title or options.base_url,
        "user_comment": site.layout.mark,
        "home_page_url": options.base_url,
        "items": [to_item(entry) for entry in site.entries],
    }
    yield OutputFile(site.layout.beside(".json"), [json.dumps(feed, indent=1).encode()])


def to_item(entry):
    """Return a page as an item."""
    item = {"id": entry.loc, "url": entry.loc, "title": entry.title, "content_text": ""}
    changed = lastmod_text(entry.lastmod)
    return {**item, "date_modified": changed} if "T" in changed else item
