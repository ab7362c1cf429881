"""Write a workload with sitemapkit: python ours.py WORKLOAD COUNT FOLDER.

WORKLOAD is w1, w2, `gz` (w1, compressed) or `plain`: the URLs of w1, from a file of lines that
must be there as FOLDER/urls. With a minus behind it the entries are made and dropped.
"""

from __future__ import annotations

import sys
from collections import deque
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING

from workloads import BASE, w1, w2

from sitemapkit import Entry, read_options, write_index, write_part

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def main(workload: str, count: str, folder: str) -> None:
    """Write the workload, or only make its entries."""
    entries = make(workload.rstrip("-"), int(count), Path(folder))
    if workload.endswith("-"):
        deque(entries, maxlen=0)
        return
    formats = ["gz"] if workload == "gz" else ["xml"]
    options = read_options({"formats": formats}, where="benchmark", base_url=BASE, robots=False)
    write_index(write_part(entries, options, Path(folder), "all"), options, Path(folder))


def make(workload: str, count: int, folder: Path) -> Iterable[Entry] | Iterable[str]:
    """Return what is to be written, made as it is asked for."""
    if workload == "plain":
        return map(str.rstrip, (folder / "urls").open(encoding="utf-8"))
    return rich(count) if workload == "w2" else starmap(Entry, w1(count))


def rich(count: int) -> Iterator[Entry]:
    """Yield the entries of w2."""
    for loc, lastmod, changefreq, priority, links, images in w2(count):
        yield Entry(loc, lastmod, changefreq, priority, links, images)


if __name__ == "__main__":
    main(*sys.argv[1:])
