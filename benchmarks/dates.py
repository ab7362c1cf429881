"""What git dates cost: ours beside the peers, on real checkouts.

    python -m benchmarks.dates [CHECKOUT[:FOLDER] ...] [--suffix .md,.rst] [--files 100,0]
                               [--rounds 5] [--peers-up-to 500]

Without a checkout a history is made, of 300 documents and 8,000 commits. All ways take turns, so
that a machine that slows down slows all of them. Each is a process of its own; its processor time
is that of the process and all it has started, as the system counts it. `--files 0` means all. Peers
come from an environment that is made once. Answers in Markdown.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.measuring import (
    ROOT,
    checkout,
    felt,
    long_history,
    python_with,
    ratio,
    run,
    take_turns,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PEERS = ("mkdocs-git-revision-date-localized-plugin", "sphinx-last-updated-by-git")
OURS = ("start of Python", "ours", "ours, without bodies", "ours, started early")
THEIRS = (
    "git log -1 for each file",
    "mkdocs-git-revision-date-localized",
    "sphinx-last-updated-by-git",
)


@dataclass(frozen=True)
class Sample:
    """What a way took once, in seconds."""

    wall: float
    cpu: float
    waited: float
    """For which a build would wait."""


def main() -> None:
    """Measure what the arguments ask for, and print the answer."""
    asked = parse_arguments()
    print(versions(python_with("dates", *checkout(), *PEERS), *PEERS))
    with TemporaryDirectory() as folder:
        places = asked.places or [str(long_history(Path(folder, "made"), ".md"))]
        for place in places:
            measure_checkout(place, asked)


def measure_checkout(place: str, asked: argparse.Namespace) -> None:
    """Date the files of one checkout."""
    given, _, folder = place.partition(":")
    root = Path(given).resolve()
    names = list_files(root, folder, tuple(asked.suffix.split(",")))
    for count in asked.files:
        some = spread(names, count)
        ways = [*OURS, *(THEIRS if len(some) <= asked.peers_up_to else ())]
        samples = take_turns(ways, partial(sample, root=root, names=some), asked.rounds)
        show(f"{root.name}, {len(some):,} of {len(names):,} files", samples)


def parse_arguments() -> argparse.Namespace:
    """Return the command line's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("places", nargs="*", metavar="CHECKOUT[:FOLDER]")
    parser.add_argument("--suffix", default=".md,.rst", help="of the files to date")
    parser.add_argument("--files", type=numbers, default=[100, 0], help="how many, 0 for all")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each way")
    parser.add_argument("--peers-up-to", type=int, default=500, help="files to ask peers about")
    return parser.parse_args()


def numbers(text: str) -> list[int]:
    """Read a list of numbers."""
    return [int(part) for part in text.split(",")]


def list_files(root: Path, folder: str, suffixes: tuple[str, ...]) -> list[str]:
    """Return the documents in the checked-out commit."""
    where = [folder] if folder else []
    listed = git(root, "ls-tree", "-r", "-z", "HEAD", "--", *where).split("\0")[:-1]
    files = (line.partition("\t") for line in listed if not line.startswith("120000"))
    return [name for _, _, name in files if name.endswith(suffixes)]


def spread(names: Sequence[str], count: int) -> Sequence[str]:
    """Return so many of the names, evenly spread."""
    if not 0 < count < len(names):
        return names
    return [names[number * len(names) // count] for number in range(count)]


def sample(way: str, root: Path, names: Sequence[str]) -> Sample:
    """Run a way of dating.py once; `-P`, as a file beside it is named like MkDocs."""
    python = python_with("dates", *checkout(), *PEERS)
    given = b"".join(os.fsencode(name) + b"\0" for name in names)
    done = run([python, "-P", ROOT / "benchmarks" / "dating.py", way, root], given=given)
    return Sample(done.wall, done.cpu, float(done.output))


def show(title: str, samples: Mapping[str, list[Sample]]) -> None:
    """Print a table."""
    print(f"### {title}\n")
    print("| way | wall s | processor s | a build waits s | wall / ours | processor / ours |")
    print("|---|---|---|---|---|---|")
    wall = {way: [one.wall for one in taken] for way, taken in samples.items()}
    cpu = {way: [one.cpu for one in taken] for way, taken in samples.items()}
    waited = {way: [one.waited for one in taken] for way, taken in samples.items()}
    for way in samples:
        print(
            f"| {way} | {median(wall[way]):.3f} | {median(cpu[way]):.3f} |"
            f" {median(waited[way]):.3f} | {ratio(wall[way], wall['ours']):.2f} |"
            f" {ratio(cpu[way], cpu['ours']):.2f} |"
        )
    if plain := cpu.get(THEIRS[0]):
        felt(f"git dates: {title}", median(cpu["ours"]), other=THEIRS[0], theirs=median(plain))
    print(flush=True)


def git(root: Path, *arguments: str) -> str:
    """Return what git answers."""
    command = ["git", "-C", str(root), *arguments]
    return os.fsdecode(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


if __name__ == "__main__":
    main()
