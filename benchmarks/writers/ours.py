"""Write a workload with sitemapkit: python ours.py WORKLOAD COUNT FOLDER.

WORKLOAD is w1, w2 or `gz` (w1, compressed). With a minus behind it the entries are made and
dropped.
"""

from __future__ import annotations

import sys
from collections import deque
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING

from workloads import BASE, w1, w2

from sitemapkit import Entry, read_options
from sitemapkit_tools import write_index, write_part

if TYPE_CHECKING:
    from collections.abc import Iterator


def main(workload: str, count: str, folder: str) -> None:
    """Write the workload, or only make its entries."""
    entries = rich(int(count)) if workload.startswith("w2") else starmap(Entry, w1(int(count)))
    if workload.endswith("-"):
        deque(entries, maxlen=0)
        return
    formats = ["gz"] if workload == "gz" else ["xml"]
    options = read_options({"formats": formats}, where="benchmark", base_url=BASE, robots=False)
    write_index(write_part(entries, options, Path(folder), "all"), options, Path(folder))


def rich(count: int) -> Iterator[Entry]:
    """Yield the entries of w2."""
    for loc, lastmod, changefreq, priority, links, images in w2(count):
        yield Entry(loc, lastmod, changefreq, priority, links, images)


if __name__ == "__main__":
    main(*sys.argv[1:])
