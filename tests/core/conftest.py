"""A site on disk as a generator leaves it, and the sitemap that is read back from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from lxml import etree

from sitemapkit import Page, Reason, Report, build, read_options

if TYPE_CHECKING:
    from pathlib import Path

# A busy machine is no reason to fail.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@dataclass
class Site:
    """Pages that are written for real, built with the whole core and read back from the file."""

    folder: Path

    def page(self, url: str, head: str = "", **fields: Any) -> Page:
        """Write a page's HTML file and return the Page an adapter would make."""
        output = self.folder / (url + "index.html" if url.endswith("/") or not url else url)
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(f"<!doctype html><html><head>{head}</head><body>{url}</body></html>")
        return Page(url, output, **fields)

    def build(self, *pages: Page, **options: Any) -> Report:
        """Build the sitemap of the pages below https://example.org/docs/."""
        settings = read_options(options, where="test", base_url="https://example.org/docs/")
        return build(pages, settings, self.folder)

    def reasons(self, *pages: Page, **options: Any) -> dict[str, Reason]:
        """Build, and return the reason for each page that is not listed."""
        return {left.url: left.reason for left in self.build(*pages, **options).excluded}

    def warnings(self, report: Report) -> list[str]:
        """Return the rules of warnings and errors; notes about the machine do not count."""
        return [issue.rule.id for issue in report.issues if issue.severity != "note"]

    def entries(self) -> dict[str, dict[str, str]]:
        """Return what sitemap.xml says, as {path below the base: {element: text}}."""
        root = etree.parse(self.folder / "sitemap.xml").getroot()
        return {
            url.findtext(f"{NAMESPACE}loc", "").removeprefix("https://example.org/docs/"): {
                str(child.tag).removeprefix(NAMESPACE): child.text or "" for child in url[1:]
            }
            for url in root
        }


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)
