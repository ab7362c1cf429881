"""What a report says of translations, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemapkit import Report


def sets(report: Report) -> dict[str, dict[str, str]]:
    """Return the versions of each entry by their codes, all by their paths below the base URL."""
    found: dict[str, dict[str, str]] = {}
    for entry in report.listed:
        versions: dict[str, str] = {}
        for code, href in entry.alternates:
            versions[code] = href.removeprefix(report.base_url)
        found[entry.loc.removeprefix(report.base_url)] = versions
    return found
