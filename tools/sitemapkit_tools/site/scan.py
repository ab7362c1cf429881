"""HTML files of a finished site to Pages: what an adapter does for its generator.

Files say less than a generator knows. A page's URL is the one that its file is served under, in the
spelling of its canonical link where generators choose it. `judgement` says what each file is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from sitemapkit import urls
from sitemapkit.errors import SitemapError
from sitemapkit.metadata import publication_date
from sitemapkit.model import Head, Reason
from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.hosting import HostFiles, read_host_files
from sitemapkit_tools.site.directory import read_robots
from sitemapkit_tools.site.judgement import Classifier, links_tell
from sitemapkit_tools.site.made import UNKNOWN, Made, MadeSite, Spelling
from sitemapkit_tools.site.read_pages import FACTS_ONLY, no_progress, read_site
from sitemapkit_tools.site.titles import own_titles
from sitemapkit_tools.site.translations import HtmlPage
from sitemapkit_tools.sitemaps.robots import RobotsTxt

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from sitemapkit_tools.site.facts import Facts
    from sitemapkit_tools.site.links import Links
    from sitemapkit_tools.site.output_dir import OutputDir, RouteKind
    from sitemapkit_tools.site.read_pages import OnProgress, PageRead, ReadOptions


RENDERED = "r"
"""Marks digests of rendered pages, in a ledger that also has those of a generator's content."""


class ScanSettings(Struct, frozen=True):
    """Settings of a scan."""

    read: ReadOptions = FACTS_ONLY
    sources: Mapping[str, Sequence[Path]] = {}
    """Source files by the path of the page's file or by its URL path, below the root."""

    made: MadeSite = UNKNOWN
    """What the project that made the site knows of its pages."""

    jobs: int | None = None
    """Processes that read. None: one for each core, if there are enough files."""


class SitePage(NamedTuple):
    """A page of a finished site."""

    page: HtmlPage
    location: str
    """The path of its file below the site's root."""


def scan(
    tree: OutputDir, settings: ScanSettings, *, on_progress: OnProgress = no_progress
) -> list[HtmlPage]:
    """Return a Page for each HTML file. Raises SitemapError if one cannot be read."""
    options, jobs = replace(settings.read, links=links_tell(tree)), settings.jobs
    reads, links = read_site(tree, tree.pages(), options, jobs=jobs, on_progress=on_progress)
    for read in reads:
        if read.error:
            message = f"cannot read {tree.path(read.file)}: {read.error}; repair or remove it"
            raise SitemapError(message)
    return _without_forbidden(_to_pages(reads, tree, links, settings), tree)


def _without_forbidden(pages: list[HtmlPage], tree: OutputDir) -> list[HtmlPage]:
    """Leave out what robots.txt forbids to search engines; if that is all, it is on purpose."""
    robots = read_robots(tree) if urlsplit(tree.base_url).path == "/" else RobotsTxt()
    forbidden = [page for page in pages if not robots.allows(page.url, "Googlebot")]
    if len(forbidden) < len(pages):
        for page in forbidden:
            page.excluded = page.excluded or Reason.FORBIDDEN
    return pages


def site_pages(
    reads: Sequence[PageRead],
    tree: OutputDir,
    links: Links,
    folder: str = "",
    settings: ScanSettings | None = None,
) -> list[SitePage]:
    """Return the pages that could be read; `folder` is where people find the tree's root.

    `links` has those of all pages, where they tell how URLs are spelled.
    """
    readable = [read for read in reads if not read.error]
    pages = _to_pages(readable, tree, links, settings or ScanSettings())
    return [SitePage(page, folder + read.file) for page, read in zip(pages, readable, strict=True)]


def _to_pages(
    reads: Sequence[PageRead], tree: OutputDir, links: Links, settings: ScanSettings
) -> list[HtmlPage]:
    """Return a Page for each file, given what was read of all of them."""
    known: dict[str, str] = {}
    for read in reads:
        linked = links.kinds.get(read.file, ())
        known[read.file] = page_url(read, tree, settings.made.spelling, linked)
    host = read_host_files(tree.root, tree.base_url)
    classify = Classifier(tree, reads, settings.made)
    site = _Site(tree, settings, classify, known, host)
    titles = own_titles({read.file: read.facts.title for read in reads})
    return [_to_page(read, site, titles[read.file]) for read in reads]


class _Site(NamedTuple):
    """What is known of all pages."""

    tree: OutputDir
    settings: ScanSettings
    classify: Classifier
    known: Mapping[str, str]
    """The URL of each page by its file."""

    host: HostFiles


def _to_page(read: PageRead, site: _Site, title: str) -> HtmlPage:
    tree, settings, classify, known, _ = site
    facts, made = read.facts, settings.made.pages.get(read.file, Made())
    mapped = mapped_sources(read.file, tree, settings)
    sources = mapped or made.sources
    modified, published = _dates(facts, made, bool(sources), bool(settings.made.name))
    kind = made.kind if made.kind != "page" else classify.kind(read)
    excluded, decided_by = made.excluded or classify.excluded(read), ""
    if not excluded:
        excluded, decided_by = site.host.forbids(known[read.file])
    return HtmlPage(
        url=known[read.file],
        output=tree.path(read.file),
        sources=sources,
        included=() if mapped else made.included,
        meta=made.meta,
        kind=kind,
        excluded=excluded,
        decided_by=decided_by,
        modified=modified,
        published=published,
        lang=facts.lang,
        alternates={alternate.hreflang: alternate.href for alternate in facts.alternates},
        head=_head(read, tree, known, made.same_as),
        title=title,
        digest=read.digest and f"{RENDERED}{read.digest}",
    )


def _dates(
    facts: Facts, made: Made, has_source: bool, has_project: bool
) -> tuple[date | None, date | None]:
    """Return when a page was last changed and published, as far as it says so.

    A publication stands for a change only where nothing else is known: git knows whether a page
    with a source has changed since. In a site whose project is known, a page without a source is a
    list, and what it states as its publication is that of a page in it.
    """
    if not (has_source or has_project):
        return facts.modified or facts.published, facts.published
    modified = None if facts.modified == facts.published else facts.modified
    return modified, (facts.published or publication_date(made.meta)) if has_source else None


def page_url(
    read: PageRead,
    tree: OutputDir,
    spelling: Spelling = "folder",
    linked: Collection[RouteKind] = (),
) -> str:
    """Return the URL that a page is known under: its file's, as its generator links it.

    Its canonical link, or else `og:url`, says how the generator escapes it and whether it names
    `index.html` or leaves out `.html`; else the links to it do, if all leave that out. Only
    of generators that are known to link so it is believed that a folder has no final slash, which
    most servers redirect.
    """
    own = tree.url_of(read.file)
    if spelling == "file" and own.endswith("/"):
        own += read.file.rpartition("/")[2]
    elif spelling == "bare":
        own = own.removesuffix(".html")
    stated = read.facts.head.canonical or read.facts.og_url
    if stated == own:
        return own
    canonical = resolve_or_none(stated, own)
    route = tree.route(canonical) if canonical else None
    if not canonical or "?" in canonical or route is None or route.file != read.file:
        return own.rpartition(".")[0] if {*linked} == {"suffix"} else own
    if spelling == "folder" and route.kind == "redirect":
        return own
    return _ESCAPE.sub(_in_capitals, canonical)


_ESCAPE = re.compile("%[0-9a-f]{2}", re.IGNORECASE)


def _in_capitals(escape: re.Match[str]) -> str:
    return escape[0].upper()


def _head(read: PageRead, tree: OutputDir, known: Mapping[str, str], same_as: str) -> Head:
    """Return what the head says; a page that it names as canonical is called as it is known.

    A copy of another page names that one, in effect.
    """
    head = read.facts.head
    if same_as in known:
        return replace(head, canonical=known[same_as])
    if not head.canonical or head.canonical == known[read.file]:
        return head
    canonical = resolve_or_none(head.canonical, tree.url_of(read.file))
    route = tree.route(canonical) if canonical else None
    return replace(head, canonical=known.get(route.file, canonical)) if route else head


def mapped_sources(file: str, tree: OutputDir, settings: ScanSettings) -> Sequence[Path]:
    """Return the sources of a page in the user's map."""
    if settings.sources:
        path = urls.below(tree.base_url, tree.url_of(file))
        for name in (file, path, path.rstrip("/")):
            if name in settings.sources:
                return settings.sources[name]
    return ()
