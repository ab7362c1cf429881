"""Images of a page's own content, for image search (the image extension of sitemaps, 1.1).

One URL for each picture that a reader sees: the file that `<img>` names, or the one that it loads
later, or the largest that it offers. Icons, emoji, data URIs and tracking pixels are no pictures.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from sitemapkit import urls
from sitemapkit.content import main_content, page_html
from sitemapkit.errors import UrlError
from sitemapkit.normalizer import Normalizer
from sitemapkit.patterns import PathPatterns
from sitemapkit.rules import issue
from sitemapkit.xmltext import Namespace, framed, shared_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitemapkit.model import Candidate, Entry, Issue, Page
    from sitemapkit.options import Options
    from sitemapkit.report import Report

    Attributes = Mapping[str, str | None]

NAMESPACE = Namespace("image", "http://www.google.com/schemas/sitemap-image/1.1")

MAX_IMAGES = 1_000
"""Images that one page may list."""

_ADDRESSES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "src")
"""Attributes that name the file; where one loads it later, `src` is a placeholder."""

_CHOICES = ("srcset", "data-srcset", "data-lazy-srcset")
_ICONS = frozenset({"icon", "twemoji", "emoji", "emojione", "gemoji", "favicon", "badge"})
_CANDIDATE = re.compile(r"(?P<url>[^\s,]\S*+)(?:(?<=,)|\s*+(?P<size>[0-9]*\.?[0-9]+[wx])?[^,]*,?)")


def find(listed: Sequence[Candidate], options: Options, _: Report) -> Iterator[Sequence[str]]:
    """Yield the URLs of the images in the content of each page, if the option asks for them."""
    for found in listed:
        wanted = options.images
        yield _content_images(found.page, found.loc, found.metadata.images) if wanted else ()


class Writer:
    """Writes `<image:image>` elements."""

    def __init__(self, on_issue: Callable[[Issue], None], encoding: str) -> None:
        """Report to `on_issue` what is left out; new percent-escapes are in `encoding`."""
        self._on_issue = on_issue
        self._urls = Normalizer("image", on_issue, encoding=encoding)

    def pieces(self, entries: Sequence[Entry]) -> Iterable[Sequence[str]]:
        """Return the elements of each entry, in pieces."""
        images = [entry.images for entry in entries]
        if max(map(len, images)) > MAX_IMAGES:
            images = [*map(self._first_images, entries)]
        texts = self._urls.escaped([*chain.from_iterable(images)])
        starts = ["<image:image><image:loc>"] * len(texts)
        return shared_out(framed(starts, texts, "</image:loc></image:image>"), images)

    def _first_images(self, entry: Entry) -> Sequence[str]:
        if len(entry.images) > MAX_IMAGES:
            detail = f"It has {len(entry.images):,}; the first {MAX_IMAGES:,} are listed."
            self._on_issue(issue("too-many-images", entry.loc, detail))
        return entry.images[:MAX_IMAGES]


def _content_images(page: Page, loc: str, wanted: Sequence[str] | None) -> Sequence[str]:
    """Return the absolute URLs of the page's images, in the order of the page.

    `wanted` is what its author says: addresses to add, and patterns after a `!` to leave out; an
    empty list leaves out all, None says nothing.
    """
    if wanted is not None and not wanted:
        return ()
    said = wanted or ()
    unwanted = PathPatterns(tuple(word[1:] for word in said if word.startswith("!")))
    added = (word for word in said if not word.startswith("!"))
    found = dict.fromkeys(_absolute([*added, *_pictures(page)], loc))
    return [url for url in found if not unwanted.match(_path(url))][:MAX_IMAGES]


def _pictures(page: Page) -> Iterator[str]:
    """Yield the address of each picture in the page's content, as written."""
    if page.images is not None:
        yield from page.images
        return
    html = page_html(page)
    root = main_content(html) if "<img" in html.lower() else None
    for image in root.css("img") if root else ():
        parent = image.parent
        sources = parent.css("source") if parent and parent.tag == "picture" else []
        address = _address(image.attributes, [source.attributes for source in sources])
        if address and not is_icon(image.attributes):
            yield address


def _address(image: Attributes, sources: Iterable[Attributes]) -> str | None:
    for name in _ADDRESSES:
        if (address := (image.get(name) or "").strip()) and not address.startswith("data:"):
            return address
    choices = [each.get(name) or "" for each in (image, *sources) for name in _CHOICES]
    return max((found for choice in choices for found in _candidates(choice)), default=(0, None))[1]


def _candidates(srcset: str) -> Iterator[tuple[float, str]]:
    """Yield (size, address) of the candidates of a `srcset` (HTML, 4.8.4.2.1)."""
    for found in _CANDIDATE.finditer(srcset):
        if not found["url"].startswith("data:"):
            yield float((found["size"] or "1x")[:-1]), found["url"].rstrip(",")


def is_icon(image: Attributes) -> bool:
    """Tell by the attributes of an `<img>` whether it is an ornament or a tracking pixel."""
    if not _ICONS.isdisjoint((image.get("class") or "").lower().split()):
        return True
    if image.get("role") in ("presentation", "none") or image.get("aria-hidden") == "true":
        return True
    sizes = [(image.get(name) or "").removesuffix("px") for name in ("width", "height")]
    return any(size.isdecimal() and int(size) <= 1 for size in sizes)  # a tracking pixel


def _absolute(addresses: Iterable[str], loc: str) -> Iterator[str]:
    for address in addresses:
        try:
            yield urls.resolve(address, loc)
        except UrlError:
            continue  # a picture without a web address cannot be found by one


def _path(url: str) -> str:
    return url.split("/", 3)[3]
