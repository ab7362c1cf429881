"""One run of one Pelican object, and how runs lie in one another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pelican_sitemapkit.pages import WrittenPages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pelican_sitemapkit.objects import Content, Settings
    from pelican_sitemapkit.settings import SitemapSettings
    from sitemapkit import Page

_OTHER_PLUGINS = {
    "pelican.plugins.sitemap": "pelican-sitemap (see PLUGINS)",
    "sitemap": "the plugin sitemap (see PLUGINS)",
    "sitemap.sitemap": "the plugin sitemap (see PLUGINS)",
    "extended_sitemap": "pelican-extended-sitemap (see PLUGINS)",
}


@dataclass(eq=False)
class Run:
    """One run of one Pelican object: its settings, and what was written so far."""

    settings: Settings
    ours: SitemapSettings
    outer: Run | None = None
    """The run that this one lies in, if that one's sitemap has to list its pages."""

    static: Sequence[Content] = ()
    """Pelican's objects for the files it copies."""

    template_writes_sitemap: bool = False
    """Whether a template was written to the sitemap's own path."""

    def __post_init__(self) -> None:
        """Start without a page."""
        self.pages = WrittenPages(self.settings, self.ours)

    @property
    def output(self) -> Path:
        """The output directory."""
        return Path(self.settings["OUTPUT_PATH"]).absolute()

    @property
    def base(self) -> str:
        """The base URL, ending in a slash, or nothing."""
        return self.ours.options.base_url

    def contains(self, other: Run) -> bool:
        """Tell whether the other's output directory lies below this one's."""
        return self.output in other.output.parents

    def is_around(self, starting: Run) -> bool:
        """Tell whether a run that starts now lies in this one.

        Subsites are built before anything of the main site is written; a run that has written
        something has failed since, or goes on when the new one has ended.
        """
        waits = not self.pages.by_path
        return waits and self.contains(starting) and self._base_of(starting).startswith(self.base)

    def _base_of(self, inner: Run) -> str:
        """Return the base URL of an inner run; SITEMAP, as it inherits it, has that of this one."""
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
        """Yield what else writes the file that is to be the sitemap."""
        yield from (
            _OTHER_PLUGINS[name] for name in self.settings["PLUGINS"] if name in _OTHER_PLUGINS
        )
        if self.template_writes_sitemap:
            yield "a template (see DIRECT_TEMPLATES and TEMPLATE_PAGES)"
        if any(map(self._is_sitemap, self.static)):
            yield "a copied file (see STATIC_PATHS and EXTRA_PATH_METADATA)"

    def _is_sitemap(self, static: Content) -> bool:
        name = self.ours.options.filename
        path = str(static.metadata.get("path", static.source_path))  # cheap to ask for
        return path.endswith(name) and static.save_as == name

    def pages_of(self, inner: Run) -> Iterator[Page]:
        """Yield the pages of an inner run, whose URLs start at its own base, with whole URLs."""
        base = self._base_of(inner)
        for page in inner.all_pages():
            page.url = _whole(page.url, base)
            page.members = [_whole(member, base) for member in page.members]
            yield page


def _whole(url: str, base: str) -> str:
    return url if "://" in url or url.startswith("//") else base + url.lstrip("/")
