"""Rebuild the last commits of a site, and say which dates of its sitemap are true.

    python tests/real/rebuild.py . --build "mkdocs build -q -d {out}" --base-url https://example.org/

The true date of a page is that of the newest commit on the line of first parents at which the page
shows something else than one commit before: another text of its main content, or other links and
images. Old commits are built with today's tools, in a clone of the repository. What a change of the
theme shows on a page counts here, though it is none of the page's own: read what is reported.

Exit status: 0 all dates are true, 1 some are not, 2 wrong use. Needs nothing but Python and git,
and what builds the site.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from built import Built
from moments import Moment, from_seconds, read_moment
from shown import shown_by
from sitemap_files import read_sitemap
from verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from shown import Shown


@dataclass(frozen=True)
class Commit:
    """A commit, and what the pages of its build show; nothing if it cannot be built."""

    name: str
    seconds: int
    pages: Mapping[str, Shown]

    @property
    def day(self) -> str:
        """The committer's day in UTC."""
        return from_seconds(self.seconds).day


@dataclass(frozen=True)
class Site:
    """A repository with a site in it, and how that is built."""

    repository: Path
    command: str
    base: str
    work: Path

    @property
    def out(self) -> Path:
        """Where a build lies."""
        return self.work / "out"

    @cached_property
    def clone(self) -> Path:
        """The repository's clone, in which old commits are checked out."""
        folder = self.work / "clone"
        _run(self.work, "git", "clone", "-q", "--no-checkout", str(self.repository), str(folder))
        return folder

    def commits(self, most: int) -> Iterator[Commit]:
        """Yield the last commits of the first-parent line, newest first, each of them built."""
        how = ("log", "--first-parent", f"-{most}", "--format=%H %ct")
        for line in _run(self.clone, "git", *how).splitlines():
            name, seconds = line.split()
            yield Commit(name, int(seconds), self._build(name))

    def _build(self, commit: str) -> Mapping[str, Shown]:
        _run(self.clone, "git", "checkout", "-q", "--force", "--detach", commit)
        _run(self.clone, "git", "clean", "-ffdqx")
        shutil.rmtree(self.out, ignore_errors=True)
        command = shlex.split(self.command.replace("{out}", str(self.out)))
        done = subprocess.run(command, cwd=self.clone, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{commit[:9]} cannot be built: {done.stderr.strip()[-200:]}", file=sys.stderr)
            return {}
        files = sorted(self.out.rglob("*.html"))
        names = [file.relative_to(self.out).as_posix() for file in files]
        return {n: shown_by(f, self.base + n) for f, n in zip(files, names, strict=True)}


@dataclass(frozen=True)
class Truth:
    """When a page changed: on one of these days, or on the first of them or earlier."""

    days: Sequence[str]
    commit: str
    is_older: bool = False

    def judge(self, lastmod: Moment | None) -> str:
        """Return what is to be said of a date: right, too old, too new or undated."""
        if lastmod is None:
            return "undated"
        if lastmod.day in self.days or (self.is_older and lastmod.day < self.days[0]):
            return "right"
        return "too new" if lastmod.day > self.days[0] else "too old"


def when_changed(page: str, commits: Sequence[Commit]) -> Truth:
    """Return when a page of the newest commit last showed something else."""
    built = [n for n, commit in enumerate(commits) if commit.pages]
    for newer, older in pairwise(built):
        if commits[older].pages.get(page) != commits[newer].pages[page]:
            # those between, which cannot be built, may have changed it as well
            days = [commit.day for commit in commits[newer:older]]
            return Truth(days, commits[newer].name)
    return Truth([commits[built[-1]].day], commits[built[-1]].name, is_older=True)


def judge(site: Site, most: int, sitemap: str) -> Iterator[tuple[str, str, str]]:
    """Yield the verdict, the URL and the reason for each entry of the newest commit's sitemap."""
    history = site.commits(most)
    commits = [next(history)]
    built = Built(site.out, site.base)
    entries = [(built.file_of(e.loc), e) for e in read_sitemap(built, sitemap, Verdict())]
    commits += history
    for page, entry in entries:
        if page:
            truth = when_changed(page, commits)
            changed = f"changed {truth.days[0]}{' or earlier' * truth.is_older}"
            reason = f"says {entry.lastmod}, {changed} ({truth.commit[:9]})"
            yield truth.judge(read_moment(entry.lastmod or "")), entry.loc, reason


def _run(folder: Path, *command: str) -> str:
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the sitemap of the site that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repository", type=Path, help="folder of the repository")
    build = "the command that builds the site from the repository's root; {out} is where to"
    parser.add_argument("--build", required=True, help=build)
    parser.add_argument("--base-url", required=True, help="address of the built site")
    parser.add_argument("--commits", type=int, default=30, help="how many to build (30)")
    parser.add_argument("--sitemap", default="sitemap.xml", help="its name in the built site")
    given = parser.parse_args(arguments)
    if "{out}" not in given.build:
        parser.error("--build names no {out}, the folder to build into")
    base = given.base_url.rstrip("/") + "/"
    counts = Counter[str]()
    with TemporaryDirectory() as work:
        site = Site(given.repository.resolve(), given.build, base, Path(work).resolve())
        for verdict, url, reason in judge(site, given.commits, given.sitemap):
            counts[verdict] += 1
            if verdict != "right":
                print(f"{verdict}: {url} {reason}")
    print(
        ", ".join(f"{counts[each]} {each}" for each in ("right", "too old", "too new", "undated"))
    )
    return 1 if counts.total() > counts["right"] + counts["undated"] else 0


if __name__ == "__main__":
    sys.exit(main())
