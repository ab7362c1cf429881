"""What git dates cost and how true they are: ours beside the peers, on real checkouts.

    python benchmarks/dates.py CHECKOUT[:FOLDER] ... [--suffix .md,.rst] [--files 100,0]
                               [--rounds 5] [--peers-up-to 500] [--check]

All ways take turns, so that a machine that slows down slows all of them. Each is a process of its
own; its processor time is that of the process and all it has started, as the system counts it.
`--files 0` means all. `--check` dates each file by itself too, and counts the differences.
Answers in Markdown. Peers come from an environment that is made once.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from sitemapkit.lastmod._history import Walk, parse
from sitemapkit.lastmod._repository import Repository, open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).parents[1]
PEERS = ("mkdocs-git-revision-date-localized-plugin", "sphinx-last-updated-by-git")
OURS = ("start of Python", "ours", "ours, without bodies", "ours, as git log -1")
EARLY = "ours, started early"
THEIRS = (
    "git log -1 for each file",
    "mkdocs-git-revision-date-localized",
    "sphinx-last-updated-by-git",
)
LOG = (
    "git log -z --raw --no-abbrev --no-renames --root -m --first-parent"
    " --format=/%H%x00%P%x00%ct -n {count} HEAD -- {scope}"
)


@dataclass
class Sample:
    """What a way took, a number each round, in seconds."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    """For which a build would wait."""

    dates: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """Files of one checkout."""

    root: Path
    names: Sequence[str]

    @property
    def given(self) -> bytes:
        """The names, as the ways read them."""
        return b"".join(os.fsencode(name) + b"\0" for name in self.names)


def main() -> None:
    """Measure what the arguments ask for, and print the answer."""
    asked = parse_arguments()
    for place in asked.places:
        checkout, _, folder = place.partition(":")
        root = Path(checkout).resolve()
        names = list_files(root, folder, tuple(asked.suffix.split(",")))
        for count in asked.files if asked.rounds else ():
            some = spread(names, count)
            ways = ways_for(Job(root, some), peers=len(some) <= asked.peers_up_to)
            show(f"{root.name}, {len(some):,} of {len(names):,} files", measure(ways, asked.rounds))
        if asked.check:
            check(Job(root, names))


def parse_arguments() -> argparse.Namespace:
    """Return the command line's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("places", nargs="+", metavar="CHECKOUT[:FOLDER]")
    parser.add_argument("--suffix", default=".md,.rst", help="of the files to date")
    parser.add_argument("--files", type=numbers, default=[100, 0], help="how many, 0 for all")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each way, 0 for none")
    parser.add_argument("--peers-up-to", type=int, default=500, help="files to ask peers about")
    parser.add_argument("--check", action="store_true", help="compare with git, file by file")
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


def ways_for(job: Job, *, peers: bool) -> dict[str, tuple[list[str], bytes]]:
    """Return the command of each way, and its standard input."""
    ways: dict[str, tuple[list[str], bytes]] = {}
    for way in (*OURS, EARLY, *(THEIRS if peers else ())):
        ways[way] = (ask(way, job.root), job.given)
    repository = open_repository(str(job.root))
    wanted = {os.fsencode(name) for name in job.names}
    scope = repository.scope(wanted)
    count = count_records(repository, scope, wanted)
    ways["the git log that ours runs"] = (
        in_folder(job.root, LOG.format(count=count, scope=shlex.quote(scope) if scope else "")),
        b"",
    )
    trees = b"".join(tree + b"\n" for tree in needed_trees(job.root, wanted))
    ways["floor: each needed tree once"] = (
        in_folder(job.root, "git cat-file --batch --buffer"),
        trees,
    )
    if "last-modified" in git(job.root, "help", "-a"):
        last = f"git last-modified -r -t -z -- {shlex.quote(scope) if scope else ''}"
        ways["git last-modified"] = (in_folder(job.root, last), b"")
    return ways


def in_folder(root: Path, command: str) -> list[str]:
    """Return a git command, written as in a shell, that runs in a folder."""
    return ["git", "-C", str(root), *shlex.split(command)[1:]]


def count_records(repository: Repository, scope: str, wanted: set[bytes]) -> int:
    """Return how many records of its walk ours reads until it has all files."""
    missing = set(wanted)
    walk = Walk(repository.root, repository.head, scope)
    for count, record in enumerate(walk, 1):
        missing.difference_update(record.paths)
        if not missing:
            walk.stop()
            return count
    return count


def needed_trees(root: Path, wanted: set[bytes]) -> Iterator[bytes]:
    """Yield each tree that an exact method looks at: the roots, and what still holds a file."""
    missing = set(wanted)
    command = LOG.replace("/%H", "/%T").replace(" -n {count}", " -t").format(scope="")
    log = subprocess.run(in_folder(root, command), stdout=subprocess.PIPE, check=True).stdout
    for record in parse([log]):
        yield record.commit
        folders = {name[:end] for name in missing for end in slashes(name)}
        for path in folders.intersection(record.paths):
            yield record.change(path).new
        missing.difference_update(record.paths)
        if not missing:
            return


def slashes(name: bytes) -> Iterator[int]:
    """Yield where the folders in a path end."""
    end = name.find(b"/")
    while end >= 0:
        yield end
        end = name.find(b"/", end + 1)


def measure(ways: Mapping[str, tuple[list[str], bytes]], rounds: int) -> dict[str, Sample]:
    """Run all ways in turn, several times."""
    samples = {way: Sample() for way in ways}
    for _ in range(rounds):
        for way, (command, given) in ways.items():
            run(command, given, samples[way])
    return samples


def run(command: Sequence[str], given: bytes, sample: Sample) -> None:
    """Run a command and add what it took; what our ways answer is read."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
        stdin.write(given)
        stdin.seek(0)
        is_git = command[0] == "git"
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.DEVNULL if is_git else stdout
        )
        _, status, usage = os.wait4(process.pid, 0)
        sample.wall.append(time.perf_counter() - start)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{shlex.join(command)} failed")
        sample.cpu.append(usage.ru_utime + usage.ru_stime)
        stdout.seek(0)
        answer = json.load(stdout) if not is_git else {}
        sample.waited.append(answer.get("seconds", sample.wall[-1]))
        sample.dates = answer.get("dates", {})


def show(title: str, samples: Mapping[str, Sample]) -> None:
    """Print a table, and how near ours comes to the git that it runs."""
    print(f"### {title}\n")
    print("| | wall s | processor s | a build waits s | wall / ours | processor / ours |")
    print("|---|---|---|---|---|---|")
    ours = samples["ours"]
    for way, sample in samples.items():
        print(
            f"| {way} | {median(sample.wall):.3f} | {median(sample.cpu):.3f} |"
            f" {median(sample.waited):.3f} | {ratio(sample.wall, ours.wall)} |"
            f" {ratio(sample.cpu, ours.cpu)} |"
        )
    bare, start = samples["the git log that ours runs"], samples["start of Python"]
    for way in ("ours, without bodies", "ours"):
        print(
            f"\n{way}, without the start of Python, by the git log that it runs:"
            f" wall {ratio(samples[way].waited, bare.wall)},"
            f" processor {ratio(less(samples[way].cpu, start.cpu), bare.cpu)}."
        )
    print(flush=True)


def ratio(these: Sequence[float], those: Sequence[float]) -> str:
    """Return the median of the ratios of runs of one round."""
    return f"{median(a / b for a, b in zip(these, those, strict=True)):.2f}"


def less(these: Sequence[float], those: Sequence[float]) -> list[float]:
    """Return the differences of runs of one round."""
    return [a - b for a, b in zip(these, those, strict=True)]


def check(job: Job) -> None:
    """Date each file by itself, as git does it, and count where ours says something else."""
    found = {way: dates_of(way, job) for way in OURS[1:]}
    landed, commit = found["ours, without bodies"], found["ours, as git log -1"]
    first = ("--first-parent", "-m", "--no-renames")
    differences: dict[str, int] = {}
    for name in job.names:
        if commit.get(name) != int(git(job.root, "log", "-1", "--format=%ct", "--", name)):
            count(differences, "other date than git log -1")
        if landed.get(name) != int(git(job.root, "log", "-1", *first, "--format=%ct", "--", name)):
            count(differences, explain(job.root, name))
        if found["ours"].get(name) != landed.get(name):
            count(differences, "same words")
    print(f"{len(job.names):,} files of {job.root.name}, file by file: {differences or 'as git'}\n")


def count(differences: dict[str, int], why: str) -> None:
    """Count a difference."""
    differences[why] = differences.get(why, 0) + 1


def explain(root: Path, name: str) -> str:
    """Say what the commit did that git names for a file, where that changed no content."""
    how = ("log", "-1", "--first-parent", "-m", "--no-abbrev", "--raw", "--format=%H")
    commit, *raw = git(root, *how, "--no-renames", "--", name).split()
    if raw[2] == raw[3] and raw[4] == "M":
        return "mode alone"
    moved = git(root, *how, "-M100%", "-l0", "--diff-filter=R", commit).splitlines()
    return "exact rename" if any(line.endswith("\t" + name) for line in moved) else "UNEXPLAINED"


def dates_of(way: str, job: Job) -> Mapping[str, int]:
    """Return what a way says."""
    sample = Sample()
    run(ask(way, job.root), job.given, sample)
    return sample.dates


def ask(way: str, root: Path) -> list[str]:
    """Return the command of a way of dating.py; `-P`, as a file beside it is named like MkDocs."""
    return [str(python()), "-P", str(ROOT / "benchmarks" / "dating.py"), way, str(root)]


@cache
def python() -> Path:
    """Return the Python of an environment with sitemapkit and the peers, made once."""
    folder = ROOT / ".cache" / "environments" / "bench-dates"
    path = folder / "bin" / "python"
    if not path.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [str(path), "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, "--editable", str(ROOT), *PEERS], check=True)
    return path


def git(root: Path, *arguments: str) -> str:
    """Return what git answers."""
    command = ["git", "-C", str(root), *arguments]
    return os.fsdecode(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


if __name__ == "__main__":
    main()
