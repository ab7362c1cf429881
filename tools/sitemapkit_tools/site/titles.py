"""The titles of pages without the name of the site, which most themes put at the end."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SEPARATOR = r"\ (?:::|[-|:/\u2013\u2014\u2022\xab\xb7\xbb])\ "
"""A dash or another sign between the title of a page and the name of the site."""

_END = re.compile(
    rf"""(?x)
    (?<=\S) {_SEPARATOR}
    (?P<name> (?: (?!{_SEPARATOR}) . )+ ) $  # the last part
    """
)


def own_titles(titles: Mapping[str, str], home: str = "index.html") -> dict[str, str]:
    """Return the titles, given by file, without an ending that is the name of the site.

    That is one that most of the pages have, or that is the title of the home page.
    """
    ends = {file: end for file, title in titles.items() if (end := _END.search(title))}
    counts = Counter(end[0] for end in ends.values())
    names = {end for end, count in counts.items() if count > 1 and count * 2 > len(titles)}
    names |= {end[0] for end in ends.values() if end["name"] == titles.get(home)}
    return {
        file: title[: ends[file].start()] if file in ends and ends[file][0] in names else title
        for file, title in titles.items()
    }
