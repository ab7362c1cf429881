"""Which generators a finished site names."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from sitemapkit import installed
from sitemapkit.head import Stated, parse_head
from sitemapkit.parsing import parse_html
from sitemapkit_tools.bounds import MAX_PAGE, MAX_SMALL_FILE
from sitemapkit_tools.sources.table import GENERATORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.table import Generator

_FEW_PAGES = 20
"""Pages that are searched for the mark of a generator: the home page may only redirect."""


def generator(name: str) -> Generator:
    """Return the row of a generator: one of ours, or one that another package adds."""
    if name in GENERATORS:
        return GENERATORS[name]
    added: Generator = installed.load(installed.GENERATORS, name).GENERATOR
    return added


def all_names() -> list[str]:
    """Return the names of all generators, also of those that other packages add."""
    return [*GENERATORS, *installed.names(installed.GENERATORS)]


def marks(site: OutputDir, names: Iterable[str]) -> list[str]:
    """Return those of the generators whose marks a site has."""
    named = named_in(site)
    return [name for name in names if is_named(generator(name).mark, named)]


def generator_of(site: OutputDir) -> str:
    """Return the generator whose mark a site has, as people write it; "" if it has none."""
    return next((generator(name).name for name in marks(site, all_names())), "")


def is_named(mark: str, named: Sequence[str]) -> bool:
    """Return whether one of these texts begins as a generator names itself."""
    return bool(mark) and any(re.match(mark, each) for each in named)


def named_in(site: OutputDir) -> Sequence[str]:
    """Return the generators that the home page names or, if that only leads on, pages near it."""
    home = "index.html"
    named: list[str] = []
    html = b""
    if home in site.files:
        html = site.read(home, MAX_PAGE)
        named += _stated_in(html[:MAX_SMALL_FILE])
        named += _LAST_COMMENT.findall(html[-_ENDING:].decode("utf-8", "replace"))
    if not html or _only_leads_on(html[:MAX_SMALL_FILE]):
        near = sorted(site.pages(), key=lambda name: (name.count("/"), name))
        for name in near[:_FEW_PAGES]:
            with suppress(OSError):  # who reads all pages says which cannot be read
                named += _stated_in(site.read(name, MAX_SMALL_FILE))
    return named


def _only_leads_on(html: bytes) -> bool:
    """Return whether a page is a redirect, or shows nothing: then a script is one."""
    if parse_head(html).refresh:
        return True
    body = parse_html(html).body
    return body is None or not body.text(strip=True)


def _stated_in(html: bytes) -> Iterator[str]:
    """Yield the generators that `<meta>` elements and comments in the head name."""
    for meta in Stated(html).metas:
        if meta.get("name", "").strip().lower() == "generator":
            yield meta.get("content", "").strip()
    yield from _COMMENT.findall(html.partition(b"<body")[0].decode("utf-8", "replace"))


_COMMENT = re.compile(r"<!--\s*+([^<>]*+)")
_LAST_COMMENT = re.compile(r"<!--\s*+([^<>]*)-->\s*\Z")
_ENDING = 1_000
"""Bytes of the end of a page that a comment there has at most."""
