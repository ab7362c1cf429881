"""Translations to hreflang sets: every version lists all versions and itself (rule HL1).

Pages belong together because their generator says so by one `translation_key`, never because their
paths look alike.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitemapkit.entry import Alternate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit.report import Report
    from sitemapkit.select import Listed


def alternates(listed: Sequence[Listed], report: Report) -> Mapping[str, Sequence[Alternate]]:
    """Return the set of each page that has translations, by the page's loc.

    A set with two pages in one language says nothing useful; it is reported and not written.
    """
    groups: dict[str, list[Listed]] = defaultdict(list)
    for found in listed:
        if found.page.translation_key is not None and found.page.lang:
            groups[found.page.translation_key].append(found)
    sets: dict[str, Sequence[Alternate]] = {}
    for group in groups.values():
        if len(group) > 1 and _one_page_a_language(group, report):
            versions = sorted(Alternate(_tag(found), found.loc) for found in group)
            sets.update((found.loc, versions) for found in group)
    return sets


def _one_page_a_language(group: Sequence[Listed], report: Report) -> bool:
    seen: dict[str, Listed] = {}
    for found in group:
        other = seen.setdefault(_tag(found), found)
        if other is not found:
            report.warn(
                "hreflang-twice",
                found.page.name,
                f"It and {other.page.name} are both the {_tag(found)!r} version of one page.",
                "Give one of them its own language, or end their being translations.",
            )
            return False
    return True


def _tag(found: Listed) -> str:
    return (found.page.lang or "").replace("_", "-")
