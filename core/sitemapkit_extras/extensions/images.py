"""Images of a page's own content, for image search (the image extension of sitemaps, 1.1).

One URL for each picture: the file of its `<img>`, the file that it loads lazily, or the largest of
its `srcset`. Icons, emoji, formulas, data URIs and tracking pixels are not listed.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import structs

from sitemapkit import urls
from sitemapkit.entry_urls import url_as_xml
from sitemapkit.metadata import is_false
from sitemapkit.parsing import as_utf8
from sitemapkit.patterns import negated
from sitemapkit.xmltext import Namespace
from sitemapkit_extras.content import MAX_OUTPUT, elements_in
from sitemapkit_extras.options import Extras
from textdates.bounds import is_file, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapkit.model import Entry, Listed, Page
    from sitemapkit.options import Options
    from sitemapkit.report import Report

    Attributes = Mapping[str, str | None]

NAMESPACE = Namespace("image", "http://www.google.com/schemas/sitemap-image/1.1")

MAX_IMAGES = 1_000
"""Images that one page may list."""

MAX_PATTERNS = 1_000
"""Characters of all patterns of one page, each of which is compared with each of its images."""

ALLOWED = (
    f"URLs of images to add, patterns after ! (up to {MAX_PATTERNS:,} characters) of images to"
    " leave out, or false for none"
)

_ADDRESSES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "src")
"""Attributes with the address; with lazy loading, `src` is a placeholder."""

_SRCSETS = ("srcset", "data-srcset", "data-lazy-srcset")
_ICONS = frozenset({"icon", "twemoji", "emoji", "emojione", "gemoji", "favicon", "badge", "math"})
_BADGE = re.compile(
    r"""
    badge | shields\.io | badgen\.net          # services for badges of all kinds
    | codecov\.io | coveralls\.io              # coverage of tests
    | /workflows/ | travis-ci\.                # results of builds
    | /api/projects/status                     # the same, by AppVeyor
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Pictures of numbers, made by services for the top of a readme."""

_CHOICE = re.compile(
    r"""
    (?P<url>[^\s,]\S*+)                        # the address, up to white space
    (?:
        (?<=,)                                 # a comma at its end separates it from the next one
        | \s*+ (?P<size>(?=[0-9.])[0-9]*+(?:\.[0-9]++)?[wx])?  # or its width or density,
          [^,]*,?                              # or what we do not know, up to a comma
    )
    """,
    re.VERBOSE,
)


def read(value: object) -> tuple[str, ...] | None:
    """Return the URLs and patterns that a page states, none if it wants no image; None if wrong."""
    if is_false(value):
        return ()
    items = cast("Sequence[object]", value if isinstance(value, list | tuple) else [value])
    rules: list[str] = []
    for item in items:
        if not (isinstance(item, str) and item.strip(" !")):
            return None
        rules.append(item.strip())
    if sum(len(rule) for rule in rules if rule.startswith("!")) > MAX_PATTERNS:
        return None
    try:
        negated(rules)
    except ValueError:
        return None
    return tuple(rules)


def find(listed: Sequence[Listed], options: Options, _: Report) -> Iterator[Sequence[str]]:
    """Yield the URLs of the images of each page, if the option is set."""
    is_asked = Extras.of(options).images
    for each in listed:
        found: list[str] = []
        if is_asked:
            for url in _images(each, options):
                if _is_there(url, each, options):
                    found.append(url)
        yield found


def xml(entry: Entry, options: Options, report: Report) -> str:
    """Return the `<image:image>` elements of an entry."""
    if len(entry.images) > MAX_IMAGES:
        detail = f"It has {len(entry.images):,}; the first {MAX_IMAGES:,} are listed."
        report.add("too-many-images", entry.loc, detail)
    elements: list[str] = []
    for each in entry.images[:MAX_IMAGES]:
        url = url_as_xml(each, "image", options, report)
        if url:
            elements.append(f"<image:image><image:loc>{url}</image:loc></image:image>")
    return "".join(elements)


def _images(listed: Listed, options: Options) -> Sequence[str]:
    """Return the absolute URLs of the page's images, in the order of the page.

    Its metadata has addresses to add, and patterns after a `!` to leave out. An empty list leaves
    out all images, None has no effect.
    """
    stated = dict(listed.metadata.extensions).get("images")
    if stated == ():
        return ()
    rules = cast("tuple[str, ...]", stated or ())
    excluded = negated(rules)
    addresses = [rule for rule in rules if not rule.startswith("!")]
    addresses += _pictures(listed.page)
    encoding = options.url_encoding
    kept: dict[str, None] = {}  # in their order, each once
    for address in addresses:
        url = urls.resolve_or_none(address, listed.loc, encoding=encoding)
        if url:
            _, _, _, path = url.split("/", 3)
            if not excluded.match(urls.below("", path, encoding=encoding)):
                kept[url] = None
    return [*kept]


def _is_there(url: str, listed: Listed, options: Options) -> bool:
    """Return whether an image is in the output, or on another host and not a badge.

    Where the page's file is elsewhere than its URL says, the root of the output is not known.
    """
    if not url.startswith(options.base_url):
        return not _BADGE.search(url)
    output = str(listed.page.output or "")
    own_name = next(urls.file_names(options.path_of(listed.loc)))
    root = output.removesuffix(f"/{own_name}")
    if root == output:
        return True
    names = urls.files_below(options.base_url, url, options.url_encoding)
    return any(is_file(Path(root, name)) for name in names)


def _pictures(page: Page) -> Sequence[str]:
    """Return the address of each picture that the page shows, as written.

    Its content may be replaced when the page is rendered, as by encryption; then its file counts.
    """
    if page.images is not None:
        return page.images
    pictures = _pictures_in(page)
    if page.content is None or not pictures or not (page.output and is_file(page.output)):
        return pictures
    html = as_utf8(read_file(page.output, MAX_OUTPUT, cut=True))
    rendered = html.decode("utf-8", "replace")
    for each in pictures:
        if each not in rendered and escape(each) not in rendered:
            return _pictures_in(structs.replace(page, content=None))
    return pictures


def _pictures_in(page: Page) -> list[str]:
    found: list[str] = []
    for image in elements_in(page, "img"):
        candidates = [image.attributes]
        parent, before = image.parent, image.prev
        if parent and parent.tag == "picture":
            while before and before.tag != "img":
                if before.tag == "source":
                    candidates.append(before.attributes)
                before = before.prev
        address = _address(candidates)
        if address and not _is_icon(image.attributes):
            found.append(address)
    return found


def _address(candidates: Sequence[Attributes]) -> str:
    """Return the address of an `<img>`, whose attributes come first, and the sources beside it."""
    image = candidates[0]
    for name in _ADDRESSES:
        address = (image.get(name) or "").strip()
        if address and not address.startswith("data:"):
            return address
    best = (0.0, "")
    for each in candidates:
        for name in _SRCSETS:
            best = max([best, *_choices(each.get(name) or "")])
    return best[1]


def _choices(srcset: str) -> Iterator[tuple[float, str]]:
    """Yield (size, address) of the candidates of a `srcset` (HTML, 4.8.4.2.1)."""
    for match in _CHOICE.finditer(srcset):
        if not match["url"].startswith("data:"):
            size = match["size"] or "1x"
            yield float(size[:-1]), match["url"].rstrip(",")


def _is_icon(image: Attributes) -> bool:
    """Return whether an `<img>` with these attributes is decoration, formula or tracking pixel."""
    classes = image.get("class") or ""
    if not _ICONS.isdisjoint(classes.lower().split()):
        return True
    if image.get("role") in ("presentation", "none") or image.get("aria-hidden") == "true":
        return True
    sizes = re.findall(r"\b(?<!-)(?:width|height):\s*([0-9]+)px", image.get("style") or "")
    for name in ("width", "height"):
        size = image.get(name) or ""
        sizes.append(size.removesuffix("px"))
    return any(size.isdecimal() and int(size) <= 1 for size in sizes)  # a tracking pixel
