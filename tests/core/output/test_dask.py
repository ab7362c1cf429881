"""The example that writes a Parquet table with Dask, run as it stands in the manual."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ...environments import python_with
from .conftest import BASE

if TYPE_CHECKING:
    from .conftest import Output

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "docs" / "examples" / "parquet_with_dask.py"
TABLE = """
import sys
from datetime import UTC, datetime, timedelta
import pyarrow as pa
from pyarrow.parquet import write_table
start = datetime(2024, 1, 1, tzinfo=UTC)
urls = [f"https://example.org/s{n % 7}/page {n}/" for n in range(1000)]
lastmods = [start + timedelta(minutes=n) for n in range(1000)]
write_table(pa.table({"url": urls, "lastmod": lastmods}), sys.argv[1], row_group_size=300)
"""


@pytest.mark.environment
def test_dask_writes_the_parts_and_the_driver_the_index(output: Output) -> None:
    python = python_with("bulk")
    table = str(output.folder / "pages.parquet")
    subprocess.run([str(python), "-c", TABLE, table], check=True)
    command = [str(python), str(EXAMPLE), table, str(output.folder), BASE]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told == f"4 files, listed in {output.folder / 'sitemap.xml'}\n"
    children = output.children()
    assert children == [f"sitemap-{n:06}-1.xml" for n in range(4)]
    assert [loc for name in children for loc in output.locs(name)] == [
        f"{BASE}s{n % 7}/page%20{n}/" for n in range(1000)
    ]
    assert [child["lastmod"] for child in output.urls()] == [
        *("2024-01-01T04:59:00Z", "2024-01-01T09:59:00Z"),
        *("2024-01-01T14:59:00Z", "2024-01-01T16:39:00Z"),
    ]
