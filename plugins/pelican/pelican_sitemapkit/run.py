"""One run of Pelican, which may be inside another one.

i18n_subsites builds each language in a run of its own, during the main run and below its output
directory. The outermost run lists the pages of all of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pelican_sitemapkit.pages import WrittenPages
from sitemapkit import Build

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pelican_sitemapkit.pelican_types import Content, Settings
    from pelican_sitemapkit.settings import SitemapSettings
    from sitemapkit import Page, Report
    from textdates import Known

_OTHER_PLUGINS = ("pelican.plugins.sitemap", "sitemap", "sitemap.sitemap", "extended_sitemap")


class Run:
    """One run of Pelican: its settings, and what it has written so far."""

    def __init__(self, settings: Settings, sitemap: SitemapSettings, known: Known) -> None:
        """Start without a page; `settings` are all of Pelican's, `sitemap` those in SITEMAP.

        `known` is what earlier runs know of texts.
        """
        self.settings = settings
        self.sitemap = sitemap
        self.base: str = sitemap.options.base_url
        """The base URL, ending in a slash, or nothing."""

        self.output: Path = Path(settings["OUTPUT_PATH"]).absolute()
        """The output directory."""

        self.build: Build = Build(sitemap.options, known=known, excludes=[sitemap.compat.excludes])
        self.pages: WrittenPages = WrittenPages(settings, sitemap)
        self.static: Sequence[Content] = ()
        """Pelican's objects for the files that it copies."""

        self.outer: Run | None = None
        """The run that this one is inside of, if the sitemap of that run lists its pages."""

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

    def write(self, inner_runs: Iterable[Run]) -> Report:
        """Write the sitemap of this run and of runs inside it."""
        self.build.add_all(self._pages())
        for inner in inner_runs:
            self.build.add_all(self._pages_of(inner))
        if self.base:
            report = self.build.report
            for issue in self.sitemap.compat.issues:
                report.add(*issue)
            for other in self._other_writers():
                report.add("several-sitemaps", self.sitemap.options.filename, f"It is {other}.")
        return self.build.write(self.output)

    def _pages(self) -> Iterator[Page]:
        """Yield the pages that were written, and the HTML and PDF files that were copied."""
        finished = self.pages.finished()
        yield from sorted(finished, key=lambda page: not page.sources)  # what authors wrote first
        for static in self.static:
            page = self.pages.copied(static, self.output)
            if page and str(page.output) not in self.pages.by_path:
                yield page

    def _pages_of(self, inner: Run) -> Iterator[Page]:
        """Yield the pages of an inner run with absolute URLs: they are relative to its own base."""
        base = self._base_of(inner)
        for page in inner._pages():
            page.url = _absolute(page.url, base)
            page.members = [_absolute(member, base) for member in page.members]
            yield page

    def _base_of(self, inner: Run) -> str:
        """Return the base URL of an inner run; one in its SITEMAP may come from this run's."""
        site = str(self.settings["SITEURL"])
        subsite = str(inner.settings["SITEURL"])
        if inner.base != self.base or not subsite.startswith(site):
            return inner.base
        rest = subsite.removeprefix(site).strip("/")
        if not rest:
            return self.base
        return f"{self.base}{rest}/"

    def _other_writers(self) -> Iterator[str]:
        """Yield what else writes a file with the name of the sitemap."""
        for name in self.settings["PLUGINS"]:
            if name in _OTHER_PLUGINS:
                yield f"the plugin {name} (see PLUGINS)"
        sitemap = self.sitemap.options.filename
        if str(self.output / sitemap) in self.pages.by_path:
            yield "a template (see DIRECT_TEMPLATES and TEMPLATE_PAGES)"
        for static in self.static:
            if static.save_as == sitemap:
                yield "a copied file (see STATIC_PATHS and EXTRA_PATH_METADATA)"


def _absolute(url: str, base: str) -> str:
    if "://" in url or url.startswith("//"):
        return url
    return base + url.lstrip("/")
