"""What a site of a million pages takes: the ordinary build, beyond its input and reading heads.

    python -m benchmarks.large [--rounds 3] [--pages 1000000]

The pages are in a list, as an adapter has them, and in no files, so that no head is read. Each
build is a process of its own. Its processor time is that of the build alone; its memory is the most
that it held beyond what it held when the list was complete, as Linux counts it.
"""

from __future__ import annotations

import argparse
import gc
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.measuring import felt, run

from sitemapkit import Page, build, read_options

BASE = "https://www.example.com/"
MOST_SECONDS = 8e-6
"""Of the processor, for each page."""

MOST_BYTES = 400 * 2**20
"""For a million pages."""

WAYS = {"plain": "without dates", "dated": "with a date each"}


def main() -> None:
    """Measure each way and print the answer, or measure one in this process."""
    asked = parse_arguments()
    if asked.one:
        seconds, size = measured(asked.one, asked.pages)
        print(seconds, size)
        return
    print("| pages | processor µs a page | of the limit | MiB | of the limit |")
    print("|-|-|-|-|-|")
    for way, name in WAYS.items():
        command = [sys.executable, "-m", "benchmarks.large", "--one", way]
        runs = [
            run([*command, "--pages", str(asked.pages)]).output.split() for _ in range(asked.rounds)
        ]
        seconds = median(float(each[0]) for each in runs) / asked.pages
        held = median(float(each[1]) for each in runs)
        of_time, of_size = seconds / MOST_SECONDS, held / (MOST_BYTES * asked.pages / 1e6)
        print(
            f"| {asked.pages:,}, {name} | {seconds * 1e6:.1f} | {of_time:.2f}"
            f" | {held / 2**20:.0f} | {of_size:.2f} |"
        )
        what = f"{asked.pages:,} pages in a list, {name}, {held / 2**20:.0f} MiB"
        felt(what, seconds * asked.pages)
    print(f"\nThe limits are {MOST_SECONDS * 1e6:.0f} µs a page and {MOST_BYTES / 2**20:.0f} MiB.")


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--one", choices=WAYS, help=argparse.SUPPRESS)
    return parser.parse_args()


def measured(way: str, count: int) -> tuple[float, int]:
    """Return the seconds of the processor and the bytes of one build."""
    first = datetime(2020, 1, 1, tzinfo=UTC)
    pages = [
        Page(
            f"docs/section-{n % 97}/page-{n:07}/",
            modified=first + timedelta(minutes=n) if way == "dated" else None,
        )
        for n in range(count)
    ]
    options = read_options({}, where="benchmark", base_url=BASE)
    with TemporaryDirectory() as folder:
        build(pages[:100], options, Path(folder, "few"))  # loads all modules
        gc.collect()
        held = memory("VmRSS")
        Path("/proc/self/clear_refs").write_bytes(b"5")  # forget the most it has held
        start = process_time()
        report = build(pages, options, Path(folder, "all"))
        seconds = process_time() - start
    if len(report.listed) != count:
        raise SystemExit(f"{len(report.listed)} pages are listed, not {count}")
    return seconds, memory("VmHWM") - held


def memory(name: str) -> int:
    """Return a figure of this process' memory, in bytes."""
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text("utf-8"))
    return int(found[1]) * 1024 if found else 0


if __name__ == "__main__":
    main()
