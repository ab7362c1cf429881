"""All sitemaps of a site: the named ones, and those that indexes among them name."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from msgspec.structs import replace

from sitemapkit.errors import SitemapError
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.bounds import MAX_FILE, MAX_FILES, MAX_NESTING, MIB, OverBudgetError
from sitemapkit_tools.console import counted
from sitemapkit_tools.sitemaps.first_deploy import NothingYetError
from sitemapkit_tools.sitemaps.read import GZIP, gunzip, read_sitemap
from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile, UnreadableError, listed_urls

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.sitemaps.sitemap_file import UrlElement

    _Named = tuple[str, SitemapFile | None, int | None, int]
    """A URL to read, the index and line that name it, and how many indexes are above it."""


class Source(Protocol):
    """Where the files of a site come from."""

    def read(self, url: str) -> bytes:
        """Return the file behind a URL. Raises UnreadableError."""
        ...

    def location(self, url: str) -> str:
        """Return where people find the file behind a URL: a path, or the URL itself."""
        ...


def collect(
    named: Iterable[str],
    source: Source,
    budget: Budget,
    known: Mapping[str, UrlElement] | None = None,
) -> list[SitemapFile]:
    """Return the sitemaps at these URLs and those that indexes among them name, each once.

    Elements that are `known`, by URL, and say the same are kept only once; their lines may differ.

    An index in an index is against the protocol, but is read, so that all pages are known; where
    indexes name each other in a circle, each is read once. If they are too many or too large, or
    take too long, the last one was not read, and has an issue that says so.
    """
    waiting: deque[_Named] = deque((url, None, None, 0) for url in named)
    found: dict[str, SitemapFile] = {}
    while waiting:
        url, index, line, nesting = waiting.popleft()
        if url in found:
            continue
        file = SitemapFile(url, source.location(url), index, line, room=budget.room)
        found[url] = file
        try:
            _read(file, source, budget, len(found))
        except OverBudgetError as error:
            left = len({each[0] for each in waiting}.difference(found))
            others = f"It and {counted(left, 'more sitemap')} were not read"
            what = others if left else "It was not read to its end"
            file.stop("not-checked", f"{what}: {error}.")
            break
        if known and file.elements:
            file.elements = [_kept(each, known.get(each.loc)) for each in file.elements]
            new = sum(each is not known.get(each.loc) for each in file.elements)
            file.kept = file.kept * new // len(file.elements)
        budget.room -= file.kept
        if file.is_index and nesting < MAX_NESTING:
            for child in file.elements:
                if target := _fetchable(child, file):
                    waiting.append((target, file, child.line, nesting + 1))
    return list(found.values())


_SAMPLE = 65_536
_ENDS = {"urlset": b"</loc>", "text": b"\n"}
"""What each entry of a sitemap has once."""


def refuse_too_many(named: Iterable[tuple[str, Source]], budget: Budget) -> None:
    """Raise OverBudgetError if sitemaps, and all that they name, take more memory than there is.

    Only indexes and the first entries of each file are read for that; the others are counted.
    """
    waiting = [*named]
    count, memory, seen = 0, 0, set[str]()
    while waiting and len(seen) < MAX_FILES:
        url, source = waiting.pop()
        seen.add(url)
        try:
            data = source.read(url)
            data = gunzip(data, MAX_FILE) if data.startswith(GZIP) else data
        except (UnreadableError, ValueError):  # it is reported when it is read
            continue
        file = read_sitemap(data[:_SAMPLE], SitemapFile(url))
        if file.is_index:
            index = read_sitemap(data, SitemapFile(url))
            children = {_fetchable(each, index) for each in index.elements}
            waiting += [(child, source) for child in children if child and child not in seen]
        elif file.elements and file.kind in _ENDS:
            entries = data.count(_ENDS[file.kind])
            count += entries
            memory += file.kept * entries // len(file.elements)
    if memory > budget.memory:
        raise OverBudgetError(
            f"the sitemaps list {count:,} URLs, which take {memory // MIB:,} MiB; give more than"
            f" the {budget.memory // MIB:,} MiB of --max-memory"
        )


def _kept(element: UrlElement, known: UrlElement | None) -> UrlElement:
    return known if known and replace(element, line=known.line) == known else element


def elements_by_url(name: str, files: Sequence[SitemapFile]) -> Mapping[str, UrlElement]:
    """Return the element of each page that the sitemaps of a site list, by URL.

    Raises SitemapError, which names the site, if one of the files cannot be read to its end:
    NothingYetError if none is there, or they are empty.
    """
    nothing = all(file.is_refused if file.error else not file.size for file in files)
    kind = NothingYetError if nothing else SitemapError
    for file in files:
        where = name if name.endswith(file.location) else f"{name}: {file.location}"
        if file.error:
            raise kind(f"{where} cannot be read: {file.error}")
        if not file.complete:
            raise kind(f"{where} cannot be read whole: {file.issues[-1].detail}")
    elements: dict[str, UrlElement] = {}
    for file in files:  # one by one, so that there is no list of all beside the elements
        for listed in listed_urls([file]):
            elements.setdefault(listed.url, listed.element)
    return elements


def _read(file: SitemapFile, source: Source, budget: Budget, number: int) -> None:
    budget.check()
    if number > MAX_FILES:
        raise OverBudgetError(f"at most {MAX_FILES:,} are read")
    try:
        read_sitemap(source.read(file.url), file, budget.check)
    except UnreadableError as error:
        file.error, file.complete = error, False


def _fetchable(child: UrlElement, index: SitemapFile) -> str | None:
    """Return the URL of a child on the index's own host; others are reported, not read (P5).

    An index that is just a file has no host; then its children lie beside it.
    """
    url = normalize_or_none(child.loc)
    same_host = url and urlsplit(index.url).netloc in ("", urlsplit(url).netloc)
    return url if same_host else None
