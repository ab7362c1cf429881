"""What an entry has beside the protocol's own fields: images, videos, languages (rules D6, D8).

The elements of a batch stay in pieces, which are joined once, with all the rest of its entries: to
make each element a text of its own would copy each URL once more, for half the time of it all.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from sitemapkit.output.batch import Normalizer
from sitemapkit.output.videoxml import video_element
from sitemapkit.rules import issue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sitemapkit.model import Entry, Issue

MAX_IMAGES = 1_000
"""Images that one page may have in a sitemap (Google's image extension)."""

NAMESPACES = {
    b"<video:": ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"',
    b"<image:": ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"',
    b"<xhtml:": ' xmlns:xhtml="http://www.w3.org/1999/xhtml"',
}
"""How each extension is declared, by how its tags begin."""

_LANGUAGE = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_PAIR = 2


class Extensions:
    """Turns images, videos and alternates into XML; reports and leaves out what cannot be."""

    def __init__(self, on_issue: Callable[[Issue], None], *, encoding: str = "utf-8") -> None:
        """Use `encoding` for new percent-escapes."""
        self._on_issue = on_issue
        self._image_urls = Normalizer("image", on_issue, encoding=encoding)
        self._link_urls = Normalizer("alternate", on_issue, encoding=encoding)
        self._link_starts: dict[str, str] = {}

    def pieces(
        self, starts: Sequence[str], entries: Sequence[Entry]
    ) -> tuple[list[str], frozenset[bytes]]:
        """Return the pieces of all entries in the order of D6, and how the tags in them begin.

        `starts` is what stands in each entry before its extensions.
        """
        images = [entry.images for entry in entries]
        if max(map(len, images)) > MAX_IMAGES:
            images = [*map(self._first_images, entries)]
        videos = [entry.videos for entry in entries]
        links = [entry.alternates for entry in entries]
        of_images, of_videos, of_links = (
            self._image_pieces(images),
            [*map(video_element, chain.from_iterable(videos))],
            self._link_pieces(links),
        )
        pieces: list[str] = []
        for start, own_images, own_videos, own_links in zip(
            starts,
            _shared_out(of_images, images),
            _shared_out(of_videos, videos),
            _shared_out(of_links, links),
            strict=True,
        ):
            pieces.append(start)
            pieces += own_images
            pieces += own_videos
            pieces += own_links
            pieces.append("</url>\n")
        used = zip(NAMESPACES, (of_videos, of_images, of_links), strict=True)
        return pieces, frozenset(tag for tag, texts in used if any(texts))

    def _first_images(self, entry: Entry) -> Sequence[str]:
        if len(entry.images) > MAX_IMAGES:
            detail = f"It has {len(entry.images):,}; the first {MAX_IMAGES:,} are listed."
            self._on_issue(issue("too-many-images", entry.loc, detail))
        return entry.images[:MAX_IMAGES]

    def _image_pieces(self, images: Iterable[Sequence[str]]) -> list[str]:
        urls = self._image_urls.escaped([*chain.from_iterable(images)])
        starts = ["<image:image><image:loc>"] * len(urls)
        return _framed(starts, urls, "</image:loc></image:image>")

    def _link_pieces(self, links: Iterable[Sequence[tuple[str, str]]]) -> list[str]:
        flat = [*chain.from_iterable(chain.from_iterable(links))]
        languages, urls = flat[::_PAIR], self._link_urls.escaped(flat[1::_PAIR])
        for language in set(languages) - self._link_starts.keys():
            self._link_starts[language] = self._link_start(language)
        return _framed([*map(self._link_starts.__getitem__, languages)], urls, '"/>')

    def _link_start(self, language: str) -> str:
        if _LANGUAGE.fullmatch(language):
            return f'<xhtml:link rel="alternate" hreflang="{language}" href="'
        detail = f"It is {language!r}; its links are left out."
        self._on_issue(issue("hreflang-code", "alternates", detail))
        return ""


_PIECES = 3


def _framed(starts: Sequence[str], urls: Sequence[str], end: str) -> list[str]:
    """Return three pieces for each URL, which are empty where its start or itself is."""
    pieces = [end] * (_PIECES * len(urls))
    pieces[0::_PIECES] = starts
    pieces[1::_PIECES] = urls
    if not (all(urls) and all(starts)):
        for at in range(0, len(pieces), _PIECES):
            if not (pieces[at] and pieces[at + 1]):
                pieces[at : at + _PIECES] = [""] * _PIECES
    return pieces


def _shared_out(
    pieces: Sequence[str], items: Sequence[Sequence[object]]
) -> Iterable[Sequence[str]]:
    """Give each entry the pieces of its items; all items have equally many."""
    if not pieces:
        return [()] * len(items)
    each = len(pieces) // sum(map(len, items))
    counts = [each * len(own) for own in items]
    if counts.count(counts[0]) == len(counts):  # as in most sites with languages
        return zip(*[iter(pieces)] * counts[0], strict=True)
    rest = iter(pieces)
    return [tuple(islice(rest, count)) for count in counts]
