"""What writing a sitemap costs: ours, the peers', a hand-written one and a minimal one in C.

    python -m benchmarks.writer [--rounds 5] [--w1 1000000] [--w2 300000] [--sizes 100000,1000000]
                                [--only sitemap.js,Node]

Each writer is a process of its own and makes its pages itself, one after the other, as a program
would; they take turns, so that a machine that slows down slows all of them. A cost is user and
system time of the whole process, its start included. A ratio is the median of the ratios of each
round: ours to theirs, so that less than 1 is faster. "Net" leaves out what the same language takes
to start and to make the pages. Memory is the most that a process held. Answers in Markdown.

Ours and the peers in Python run in an environment that is made once, those in Node come from npm,
and the floor from a C compiler; a writer whose tools are missing is left out and named.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.measuring import (
    CHILD_ENVIRON,
    ENVIRONMENTS,
    checkout,
    felt,
    node_peers,
    python_with,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

HERE = Path(__file__).parent
WRITERS = HERE / "writers"
PACKAGES = ("django==5.2.*", "jinja2==3.1.*", "lxml==6.*", "xml-sitemap-writer==0.7.0")
POLL = 0.02
"""Seconds between two looks at a process' memory."""


@dataclass(frozen=True)
class Way:
    """One way to write the pages."""

    name: str
    command: Callable[[], Sequence[str | Path]]
    alone: str
    """The way that only makes the pages, in the same language."""

    workloads: Sequence[str] = ("w1", "w2")
    does: str = ""
    """What it does beside writing."""


@dataclass
class Sample:
    """What a way took, a number each round."""

    cpu: list[float] = field(default_factory=list[float])
    """Microseconds a URL."""

    memory: int = 0
    """The most it held, in KiB."""


def main() -> None:
    """Measure what the arguments ask for and print the answer."""
    asked = parse_arguments()
    peers = [peer for peer in PEERS if peer.name.startswith(tuple(asked.only.split(",")))]
    ways = [way for way in (OURS, *peers, *GENERATORS) if is_there(way)]
    print(versions(python_of_writers(), *(name.partition("=")[0] for name in PACKAGES)))
    for workload, count in (("w1", asked.w1), ("w2", asked.w2)):
        able = [way for way in ways if workload in way.workloads]
        print(f"### {workload}: {DESCRIPTIONS[workload]}, {count:,} URLs\n")
        samples = measure(able, workload, count, asked.rounds)
        show(samples, able)
        taken = {way.name: median(samples[way.name].cpu) * count / 1e6 for way in able}
        if (other := PEERS[0].name) in taken:
            what = f"{count:,} URLs written, {DESCRIPTIONS[workload]}"
            felt(what, taken[OURS.name], other=other, theirs=taken[other])
    print("### Ours, by kind\n")
    show_kinds(asked.w1, asked.rounds)
    print("### Ours, by size\n")
    show_sizes([int(size) for size in asked.sizes.split(",")], asked.rounds)


DESCRIPTIONS = {
    "w1": "some umlauts and queries, date, change frequency and priority",
    "w2": "the same, five languages and two images a page",
}


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--w1", type=int, default=1_000_000, metavar="URLS")
    parser.add_argument("--w2", type=int, default=300_000, metavar="URLS")
    parser.add_argument("--sizes", default="100000,1000000", metavar="URLS,URLS")
    parser.add_argument("--only", default="", metavar="PEER,PEER", help="beginnings of their names")
    return parser.parse_args()


# The ways


def ours() -> Sequence[str | Path]:
    """Return the command of sitemapkit."""
    return [python_of_writers(), WRITERS / "ours.py"]


def in_python(writer: str) -> Callable[[], Sequence[str | Path]]:
    """Return the command of a peer in Python."""
    return lambda: [python_of_writers(), WRITERS / "peers.py", writer]


def in_node(script: str) -> Callable[[], Sequence[str | Path]]:
    """Return the command of a peer in Node."""

    def command() -> Sequence[str | Path]:
        node_peers()
        return ["node", WRITERS / script]

    return command


def in_c() -> Sequence[str | Path]:
    """Return the command of the floor."""
    return [floor()]


@cache
def python_of_writers() -> Path:
    """Return the Python of an environment with this checkout and the peers, made once."""
    return python_with("writer", *checkout(), *PACKAGES)


@cache
def floor() -> Path:
    """Compile the floor."""
    program = ENVIRONMENTS / "bench-writer" / "floor"
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cc", "-O2", "-o", program, WRITERS / "floor.c"], check=True)
    return program


OURS = Way("sitemapkit", ours, "pages in Python (ours)", does="checks, encodes, escapes")
PEERS = (
    Way(
        "sitemap.js 9.0.1",
        in_node("sitemapjs.mjs"),
        "pages in Node",
        does="checks, encodes, escapes",
    ),
    Way("Node, by hand", in_node("strings.mjs"), "pages in Node", does="checks, encodes, escapes"),
    Way("f-strings and escape()", in_python("f-strings"), "pages in Python", does="escapes"),
    Way("Jinja, as MkDocs", in_python("jinja"), "pages in Python", does="escapes"),
    Way("ElementTree, as sphinx-sitemap", in_python("etree"), "pages in Python", does="escapes"),
    Way("lxml tree", in_python("lxml-tree"), "pages in Python", does="escapes"),
    Way("lxml.etree.xmlfile", in_python("lxml-xmlfile"), "pages in Python", does="escapes"),
    Way(
        "xml-sitemap-writer 0.7.0, gzip",
        in_python("xml-sitemap-writer"),
        "pages in Python",
        ("w1",),
        "escapes",
    ),
    Way("Django 5.2", in_python("django"), "pages in Python", ("w1",), "encodes, escapes"),
    Way("C, the floor", in_c, "", ("w1",), "nothing"),
)
GENERATORS = (
    Way("pages in Python (ours)", ours, ""),
    Way("pages in Python", in_python("none"), ""),
    Way("pages in Node", in_node("strings.mjs"), ""),
)


def is_there(way: Way) -> bool:
    """Tell whether a way's tools are there, and say so if not."""
    try:
        way.command()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{way.name} is left out: {error}", file=sys.stderr)
        return False
    return True


# Measuring


def measure(ways: Sequence[Way], workload: str, count: int, rounds: int) -> dict[str, Sample]:
    """Let the ways take turns."""
    samples = {way.name: Sample() for way in ways}
    for _ in range(rounds):
        for way in ways:
            told = f"{workload}-" if way in GENERATORS else workload
            with TemporaryDirectory(dir=HERE) as folder:
                run([*way.command(), told, str(count), folder], count, samples[way.name])
                if way not in GENERATORS:
                    check(way, Path(folder), count)
    return samples


def run(command: Sequence[str | Path], count: int, sample: Sample) -> None:
    """Run one process, and note what it took.

    Its memory is looked at while it runs: what the system reports at its end would include that of
    this process, from before the program was loaded.
    """
    process = subprocess.Popen(command, env=CHILD_ENVIRON)
    while True:
        sample.memory = max(sample.memory, peak_memory(process.pid))
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        time.sleep(POLL)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    sample.cpu.append((usage.ru_utime + usage.ru_stime) / count * 1e6)


def peak_memory(pid: int) -> int:
    """Return the most that a process has held up to now, in KiB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:  # it has ended, or there is no /proc here
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) if found else 0


def check(way: Way, folder: Path, count: int) -> None:
    """Count the URLs that were written: no way wins by losing some."""
    written = sum(content.count(b"<url>") for content in contents(folder))
    if written != count:
        raise SystemExit(f"{way.name} wrote {written} URLs, not {count}")


def contents(folder: Path) -> Iterator[bytes]:
    """Yield the content of each file."""
    for file in folder.iterdir():
        data = file.read_bytes()
        yield gzip.decompress(data) if file.suffix == ".gz" else data


# Showing


def show(samples: dict[str, Sample], ways: Sequence[Way]) -> None:
    """Print a table of all ways."""
    print("| writer | µs/URL | ours / theirs | net | MiB | beside writing |")
    print("|-|-|-|-|-|-|")
    for way in ways:
        sample = samples[way.name]
        of, net = ratio(samples, way), net_ratio(samples, way)
        mib = sample.memory / 1024
        print(f"| {way.name} | {median(sample.cpu):.2f} | {of} | {net} | {mib:.0f} | {way.does} |")
    print()


def ratio(samples: dict[str, Sample], way: Way) -> str:
    """Return ours to theirs."""
    if way in GENERATORS:
        return ""
    pairs = zip(samples[OURS.name].cpu, samples[way.name].cpu, strict=True)
    return f"{median(ours / theirs for ours, theirs in pairs):.3f}"


def net_ratio(samples: dict[str, Sample], way: Way) -> str:
    """Return the same without the start and the making of pages."""
    if not way.alone or way.alone not in samples:
        return ""
    return f"{median(net(samples, OURS)) / median(net(samples, way)):.2f}"


def net(samples: dict[str, Sample], way: Way) -> list[float]:
    """Return what a way took beyond making the pages."""
    alone = samples[way.alone].cpu
    return [cost - base for cost, base in zip(samples[way.name].cpu, alone, strict=True)]


def show_kinds(count: int, rounds: int) -> None:
    """Print what compressing costs, and files that are there already."""
    kinds = {kind: Sample() for kind in KINDS}
    for _ in range(rounds):
        for kind in ("w1", "gz"):
            with TemporaryDirectory(dir=HERE) as folder:
                for again in ("", " again"):
                    run([*ours(), kind, str(count), folder], count, kinds[kind + again])
    print("| what | µs/URL | of w1 | MiB |")
    print("|-|-|-|-|")
    for kind, sample in kinds.items():
        pairs = zip(sample.cpu, kinds["w1"].cpu, strict=True)
        of = median(one / w1 for one, w1 in pairs)
        print(
            f"| {KINDS[kind]} | {median(sample.cpu):.2f} | {of:.2f} | {sample.memory / 1024:.0f} |"
        )
    print()


KINDS = {
    "w1": "w1",
    "w1 again": "w1, the files unchanged",
    "gz": "w1, compressed",
    "gz again": "w1, compressed, the files unchanged",
}


def show_sizes(counts: Sequence[int], rounds: int) -> None:
    """Print what a URL costs in sites of each size."""
    samples = {count: Sample() for count in counts}
    for count in [*counts] * max(1, rounds // 2):
        with TemporaryDirectory(dir=HERE) as folder:
            run([*ours(), "w1", str(count), folder], count, samples[count])
    print("| URLs | µs/URL | MiB |")
    print("|-|-|-|")
    for count, sample in samples.items():
        print(f"| {count:,} | {median(sample.cpu):.2f} | {sample.memory / 1024:.0f} |")
    print()


if __name__ == "__main__":
    main()
