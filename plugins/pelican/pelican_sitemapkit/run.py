"""One run of a Pelican object, which may be inside another run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pelican_sitemapkit.pages import WrittenPages
from sitemapkit import Build

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pelican_sitemapkit.pelican_types import Content, Settings
    from pelican_sitemapkit.settings import SitemapSettings
    from sitemapkit import Page

_OTHER_PLUGINS = ("pelican.plugins.sitemap", "sitemap", "sitemap.sitemap", "extended_sitemap")


class Run:
    """One run of a Pelican object: its settings, and what it has written so far."""

    def __init__(self, settings: Settings, sitemap: SitemapSettings) -> None:
        """Start without a page; `settings` are all of Pelican's, `sitemap` those in SITEMAP."""
        self.settings = settings
        self.sitemap = sitemap
        self.base = sitemap.options.base_url
        """The base URL, ending in a slash, or nothing."""

        self.output = Path(settings["OUTPUT_PATH"]).absolute()
        """The output directory."""

        self.build = Build(sitemap.options)
        self.pages = WrittenPages(settings, sitemap)
        self.outer: Run | None = None
        """The run that this one is inside of, if the sitemap of that run lists its pages."""

        self.static: Sequence[Content] = ()
        """Pelican's objects for the files that it copies."""

        self.template_writes_sitemap = False
        """Whether a template was written to the sitemap's own path."""

    def contains(self, other: Run) -> bool:
        """Return whether the other run writes into a folder of this one's output."""
        return self.output in other.output.parents

    def includes(self, new: Run) -> bool:
        """Return whether a run that starts now is inside this one.

        Subsites are built before the main site writes its first file. So a run that has written
        something is not the main run of the new one: it has failed, or is independent.
        """
        is_inside = not self.pages.by_path and self.contains(new)
        return is_inside and self._base_of(new).startswith(self.base)

    def _base_of(self, inner: Run) -> str:
        """Return the base URL of an inner run; one in its SITEMAP may come from this run's."""
        site, subsite = str(self.settings["SITEURL"]), str(inner.settings["SITEURL"])
        if inner.base != self.base or not subsite.startswith(site):
            return inner.base
        rest = subsite.removeprefix(site).strip("/")
        return f"{self.base}{rest}/" if rest else self.base

    def all_pages(self) -> Iterator[Page]:
        """Yield the pages that were written, and the HTML and PDF files that were copied."""
        yield from self.pages.pages()
        for static in self.static:
            page = self.pages.static_page(static, self.output)
            if page and str(page.output) not in self.pages.by_path:
                yield page

    def other_writers(self) -> Iterator[str]:
        """Yield what else writes a file with the name of the sitemap."""
        others = filter(_OTHER_PLUGINS.__contains__, self.settings["PLUGINS"])
        yield from (f"the plugin {other} (see PLUGINS)" for other in others)
        if self.template_writes_sitemap:
            yield "a template (see DIRECT_TEMPLATES and TEMPLATE_PAGES)"
        if any(map(self._is_sitemap, self.static)):
            yield "a copied file (see STATIC_PATHS and EXTRA_PATH_METADATA)"

    def _is_sitemap(self, static: Content) -> bool:
        name = self.sitemap.options.filename
        path = str(static.metadata.get("path", static.source_path))  # cheaper than `save_as`
        return path.endswith(name) and static.save_as == name

    def pages_of(self, inner: Run) -> Iterator[Page]:
        """Yield the pages of an inner run with absolute URLs: they are relative to its own base."""
        base = self._base_of(inner)
        for page in inner.all_pages():
            page.url = _absolute(page.url, base)
            page.members = [_absolute(member, base) for member in page.members]
            yield page


def _absolute(url: str, base: str) -> str:
    return url if "://" in url or url.startswith("//") else base + url.lstrip("/")
