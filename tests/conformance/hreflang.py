"""Judge the language versions in sitemaps: `python hreflang.py sitemap.xml de/sitemap.xml ...`.

Shares no code with what it judges. Prints one line for each mistake and exits with 1 if there is
any: a version that is not absolute, a code that search engines do not know, two versions of one
code, a set without the page itself, and pages of one set that do not all name the same set. A
version that no given file lists is a mistake, too: give all files of the site.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Iterator

    Links = list[tuple[str, str]]

URL = "{http://www.sitemaps.org/schemas/sitemap/0.9}url"
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
LINK = "{http://www.w3.org/1999/xhtml}link"
CODE = re.compile(r"[a-z]{2}(-[A-Z][a-z]{3})?(-[A-Z]{2})?|x-default")


def read(files: list[str]) -> dict[str, Links]:
    """Return the (code, address) pairs of each page."""
    pages: dict[str, Links] = {}
    for file in files:
        for url in ET.parse(file).getroot().iter(URL):
            links = url.findall(LINK)
            pairs = [(link.get("hreflang", ""), link.get("href", "")) for link in links]
            pages[url.findtext(LOC, "")] = pairs
    return pages


def mistakes(pages: dict[str, Links]) -> Iterator[str]:
    """Yield what is wrong with each page."""
    for loc, links in pages.items():
        codes = [code for code, _ in links]
        yield from (f"{loc}: code {code!r}" for code in codes if not CODE.fullmatch(code))
        if len({*codes}) < len(codes):
            yield f"{loc}: a code twice in {codes}"
        if links and loc not in {address for code, address in links if code != "x-default"}:
            yield f"{loc}: not in its own set"
        for code, address in links:
            if not address.startswith(("http://", "https://")):
                yield f"{loc}: {code} is not absolute: {address}"
            elif address not in pages:
                yield f"{loc}: {code} is listed nowhere: {address}"
            elif sorted(pages[address]) != sorted(links):
                yield f"{loc}: {address} names another set"


if __name__ == "__main__":
    found = [*mistakes(read(sys.argv[1:]))]
    sys.stdout.writelines(f"{mistake}\n" for mistake in found)
    sys.exit(1 if found else 0)
