"""A sitemap of a Parquet table of any size, its row groups written side by side by Dask.

    python parquet_with_dask.py TABLE.parquet FOLDER https://example.org/

The table has two columns, `url` and `lastmod`, a timestamp. Each worker writes the part of the
sitemap that its row group makes and returns a few words about it; the driver writes the index.
Nothing in it is special to Dask: whatever can call a function in many processes, or on many
machines that share a folder, can do the same.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import dask
import pyarrow as pa
from pyarrow.parquet import ParquetFile

from sitemapkit import Entry, read_options
from sitemapkit_tools import write_index, write_part

if TYPE_CHECKING:
    from sitemapkit import Options
    from sitemapkit.formats.xml import Child


def main(table: str, folder: str, base_url: str) -> None:
    """Write the sitemap of a table into a folder."""
    options = read_options({}, where="command line", base_url=base_url)
    groups = ParquetFile(table).num_row_groups
    tasks = [dask.delayed(write_group)(table, group, options, folder) for group in range(groups)]
    parts = [part for some in dask.compute(*tasks, scheduler="processes") for part in some]
    report = write_index(parts, options, Path(folder))
    print(f"{len(parts)} files, listed in {report.entry_file}")


def write_group(table: str, group: int, options: Options, folder: str) -> list[Child]:
    """Write the part of one row group; this runs in a worker."""
    rows = ParquetFile(table).read_row_group(group, columns=["url", "lastmod"])
    # Seconds since 1970 become Python's integers a hundred times sooner than timestamps datetimes.
    seconds = rows["lastmod"].cast(pa.timestamp("s", "UTC")).cast(pa.int64())
    entries = map(Entry, rows["url"].to_pylist(), seconds.to_pylist())
    return write_part(entries, options, Path(folder), f"{group:06}")


if __name__ == "__main__":
    main(*sys.argv[1:])
