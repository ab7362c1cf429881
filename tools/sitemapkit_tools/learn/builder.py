"""Build one commit after another with the user's command, within limits."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from math import inf
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from msgspec import Struct

from sitemapkit.errors import SitemapError
from sitemapkit_tools.generators.find import FOLDERS, projects_in
from sitemapkit_tools.generators.mkdocs import SETTINGS_FILES as MKDOCS_FILES
from sitemapkit_tools.learn.processes import children, clean_environment, end
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.site.read_pages import ReadOptions, read_pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitemapkit_tools.learn.history import Clone

_TAIL = 2_000
"""Bytes that are read of the end of a build's output."""

_READY = {
    **{
        name: f"{name.partition('.')[0]} build --quiet --config-file {{file}} --site-dir {{out}}"
        for name in MKDOCS_FILES
    },
    "publishconf.py": "pelican --quiet --settings {file} --output {out}",
    "pelicanconf.py": "pelican --quiet --settings {file} --output {out}",
    "conf.py": "sphinx -q -b html {folder} {out}",
}
"""The commands of the generators, by configuration file."""

_NO_PROJECT = (
    "it has no mkdocs.yml, pelicanconf.py, conf.py or other settings whose command is known; give"
    " the command with --build"
)


class Builder(Struct):
    """Builds the commits of one clone."""

    clone: Clone
    command: str | None
    """The user's command, with `{out}`; None: the generator's own."""

    read: ReadOptions
    until: float
    """When the last build ends, by the monotonic clock."""

    base_url: str = ""
    jobs: int | None = None
    passed: Sequence[str] = ()
    """Names of more variables that builds get."""

    @property
    def seconds_left(self) -> float:
        """How long a build may take; 0 if time is up."""
        return max(0.0, self.until - time.monotonic())

    def build(self, commit: str, seconds: float = inf) -> str:
        """Build a commit; return why it cannot be built, or ""."""
        try:
            self.clone.checkout(commit)
            return self.run(seconds)
        except SitemapError as error:
            return str(error)

    def run(self, seconds: float = inf) -> str:
        """Build what is checked out; return why it cannot be built, or ""."""
        clone = self.clone
        shutil.rmtree(clone.out, ignore_errors=True)
        folders = [each for each in (clone.project, clone.root) if each.is_dir()]
        if self.command:
            found = [(clone.project, self.command)] if clone.project in folders else []
        else:
            found = [(each, ready) for each in folders if (ready := ready_command(each))]
        if not found:
            return "the project does not exist" if self.command else _NO_PROJECT
        folder, command = found[0]
        command = command.replace("{out}", _quoted(clone.out))
        variables = _with_code_of(clone.root, self.passed)
        why = _run(command, folder, variables, min(seconds, self.seconds_left))
        return why or ("" if clone.out.is_dir() else "the command writes nothing to {out}")

    def digests(self) -> dict[str, str]:
        """Return the digest of each page of the last build by its file, without redirects."""
        tree = OutputDir.walk(self.clone.out, self.base_url)
        reads = read_pages(tree, tree.pages(), self.read, jobs=self.jobs)
        pages = [(read.file, read.digest) for read in reads if not read.facts.head.refresh]
        return {sys.intern(file): sys.intern(digest) for file, digest in pages if digest}


def ready_command(project: Path) -> str | None:
    """Return the command that builds a project of a generator that needs no more than that."""
    for name, command in _READY.items():
        for folder in FOLDERS:
            file = project / folder / name
            if file.is_file():
                place, parent = (_quoted(each.relative_to(project)) for each in (file, file.parent))
                ready = command.replace("{file}", place).replace("{folder}", parent)
                return f"{_quoted(sys.executable)} -m {ready}"
    return next((each.command for each in projects_in([project]) if each.command), None)


def _quoted(path: object) -> str:
    return subprocess.list2cmdline([str(path)]) if os.name == "nt" else shlex.quote(str(path))


def _with_code_of(root: Path, passed: Sequence[str]) -> Mapping[str, str]:
    """Return the environment of a build, with the commit's own code first.

    So API pages show that code, even if the user's checkout is installed.
    """
    found = clean_environment(passed)
    folders = [str(each) for each in (root / "src", root) if each.is_dir()]
    earlier = filter(None, [found.get("PYTHONPATH")])
    return found | {"PYTHONPATH": os.pathsep.join([*folders, *earlier])}


def _run(command: str, folder: Path, variables: Mapping[str, str], seconds: float) -> str:
    """Run a command, and end everything it started; return why it failed, or ""."""
    earlier, process = children(), None
    with TemporaryFile() as output:
        try:
            process = subprocess.Popen(  # noqa: S602 - the user's own command
                command,
                shell=True,
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            return f"it takes longer than {seconds:,.0f} seconds"
        finally:
            end(process, earlier)
        return (_last_words(output) or f"exit code {code}") if code else ""


def _last_words(output: IO[bytes]) -> str:
    """Return the last line with words."""
    output.seek(max(0, output.seek(0, os.SEEK_END) - _TAIL))
    lines = [line.strip() for line in output.read().decode("utf-8", "replace").splitlines()]
    return next((line for line in reversed(lines) if any(map(str.isalnum, line))), "")
