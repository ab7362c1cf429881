"""What git dates cost and how true they are: ours beside the peers, on real checkouts.

    python -m benchmarks.dates [CHECKOUT[:FOLDER] ...] [--suffix .md,.rst] [--files 100,0]
                               [--rounds 5] [--peers-up-to 500] [--check]

Without a checkout a history is made, of 300 documents and 8,000 commits. All ways take turns, so
that a machine that slows down slows all of them. Each is a process of its own; its processor time
is that of the process and all it has started, as the system counts it. `--files 0` means all.
`--check` dates each file by itself too, and counts the differences. Answers in Markdown. Peers come
from an environment that is made once.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.measuring import (
    ROOT,
    added,
    checkout,
    long_history,
    python_with,
    ratio,
    run,
    take_turns,
    versions,
)

from textdates.git.history import parse, start_walk
from textdates.git.repository import Repository, open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PEERS = ("mkdocs-git-revision-date-localized-plugin", "sphinx-last-updated-by-git")
OURS = ("start of Python", "ours", "ours, without bodies", "ours, as git log -1")
EARLY = "ours, started early"
THEIRS = (
    "git log -1 for each file",
    "mkdocs-git-revision-date-localized",
    "sphinx-last-updated-by-git",
)
BARE = "the git log that ours runs"
LOG = (
    "git log -z --raw --no-abbrev --no-renames --root -m --first-parent"
    " --format=/%H%x00%P%x00%ct -n {count} HEAD -- {scope}"
)


@dataclass(frozen=True)
class Way:
    """A command and what it reads."""

    command: Sequence[str]
    given: bytes = b""


@dataclass(frozen=True)
class Sample:
    """What a way took once, in seconds."""

    wall: float
    cpu: float
    waited: float
    """For which a build would wait."""

    dates: Mapping[str, int]


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
    for count in asked.files if asked.rounds else ():
        some = spread(names, count)
        ways = ways_for(Job(root, some), peers=len(some) <= asked.peers_up_to)
        show(f"{root.name}, {len(some):,} of {len(names):,} files", measure(ways, asked.rounds))
    if asked.check:
        check(Job(root, names))


def parse_arguments() -> argparse.Namespace:
    """Return the command line's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("places", nargs="*", metavar="CHECKOUT[:FOLDER]")
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


def ways_for(job: Job, *, peers: bool) -> dict[str, Way]:
    """Return the ways to date the files of a job, and the git commands that are their floors."""
    ways = {way: ask(way, job) for way in (*OURS, EARLY, *(THEIRS if peers else ()))}
    repository = open_repository(str(job.root))
    wanted = {os.fsencode(name) for name in job.names}
    scope = repository.scope(wanted)
    quoted = shlex.quote(scope) if scope else ""
    count = count_records(repository, scope, wanted)
    ways[BARE] = in_folder(job.root, LOG.format(count=count, scope=quoted))
    trees = b"".join(tree + b"\n" for tree in needed_trees(job.root, wanted))
    floor = in_folder(job.root, "git cat-file --batch --buffer")
    ways["floor: each needed tree once"] = replace(floor, given=trees)
    if "last-modified" in git(job.root, "help", "-a"):
        ways["git last-modified"] = in_folder(job.root, f"git last-modified -r -t -z -- {quoted}")
    return ways


def in_folder(root: Path, command: str) -> Way:
    """Return a git command, written as in a shell, that runs in a folder."""
    return Way(("git", "-C", str(root), *shlex.split(command)[1:]))


def count_records(repository: Repository, scope: str, wanted: set[bytes]) -> int:
    """Return how many records of its walk ours reads until it has all files."""
    missing, count = set(wanted), 0
    walk = start_walk(repository.root, repository.head, scope)
    for count, record in enumerate(walk.records(), 1):
        missing.difference_update(record.paths)
        if not missing:
            walk.stop()
            return count
    return count


def needed_trees(root: Path, wanted: set[bytes]) -> Iterator[bytes]:
    """Yield each tree that an exact method looks at: the roots, and what still holds a file."""
    missing = set(wanted)
    command = LOG.replace("/%H", "/%T").replace(" -n {count}", " -t").format(scope="")
    log = run(in_folder(root, command).command).output
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


def measure(ways: Mapping[str, Way], rounds: int) -> dict[str, list[Sample]]:
    """Run all ways in turn, several times."""
    return take_turns(ways, lambda name: sample(ways[name]), rounds)


def sample(way: Way) -> Sample:
    """Run a way once; what those in Python answer is read."""
    is_git = way.command[0] == "git"
    done = run(way.command, given=way.given, keep=not is_git)
    answer: dict[str, Any] = {} if is_git else json.loads(done.output)
    return Sample(done.wall, done.cpu, answer.get("seconds", done.wall), answer.get("dates", {}))


def show(title: str, samples: Mapping[str, list[Sample]]) -> None:
    """Print a table, and how near ours comes to the git that it runs."""
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
    for way in ("ours, without bodies", "ours"):
        own = added(cpu[way], cpu["start of Python"])
        print(
            f"\n{way}, without the start of Python, by the git log that it runs:"
            f" wall {ratio(waited[way], wall[BARE]):.2f}, processor {ratio(own, cpu[BARE]):.2f}."
        )
    print(flush=True)


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
    return sample(ask(way, job)).dates


def ask(way: str, job: Job) -> Way:
    """Return a way of dating.py; `-P`, as a file beside it is named like MkDocs."""
    python = python_with("dates", *checkout(), *PEERS)
    script = str(ROOT / "benchmarks" / "dating.py")
    return Way((str(python), "-P", script, way, str(job.root)), job.given)


def git(root: Path, *arguments: str) -> str:
    """Return what git answers."""
    command = ["git", "-C", str(root), *arguments]
    return os.fsdecode(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


if __name__ == "__main__":
    main()
