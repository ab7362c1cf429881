"""Real repositories, written down commit by commit; day 1 is 1 January 2024, noon in UTC."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from textdates import Rules, TextDates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

_DAY_0 = datetime(2023, 12, 31, 12, tzinfo=UTC)


class Program(NamedTuple):
    """An executable file."""

    text: str


class Link(NamedTuple):
    """A symbolic link."""

    target: str


class Submodule(NamedTuple):
    """A commit of another repository."""

    commit: str


class Tree(NamedTuple):
    """A folder that git has already."""

    oid: str


class Moved(NamedTuple):
    """A file or folder that was renamed."""

    old: str


Content = str | bytes | Program | Link | Submodule | Tree | Moved | None
"""What becomes of a file in a commit; None deletes it."""


@dataclass
class Repo:
    """A repository in `folder`; commits are collected and written when somebody looks."""

    folder: Path
    settings: tuple[str, ...] = ()
    """Arguments for `git init`."""

    _stream: list[bytes] = field(default_factory=list)
    _count: int = 0
    _exists: bool = False

    def commit(
        self,
        day: float,
        files: Mapping[str, Content],
        *,
        after: tuple[int, ...] | None = None,
        message: str = "",
        author_day: float | None = None,
    ) -> int:
        """Add a commit on day `day`; return its number, which `after` names as a parent.

        Without `after` it follows the last commit. What it does not name stays as it is in the
        first parent.
        """
        self._count += 1
        parents = after if after is not None else (self._count - 1,)
        words = [b"from", *[b"merge"] * len(parents)]
        if not parents:  # else the branch as it is would be the parent
            self._stream.append(b"reset refs/heads/main\n")
        self._stream += [
            b"commit refs/heads/main\nmark :%d\n" % self._count,
            b"author A <a@example.org> %d +0000\n" % _seconds(author_day or day),
            b"committer C <c@example.org> %d +0000\n" % _seconds(day),
            _data(message.encode()),
            *(b"%s :%d\n" % pair for pair in zip(words, parents, strict=False) if pair[1]),
        ]
        ordered = sorted(files.items(), key=lambda item: _rank(item[1]))
        self._stream += [_instruction(_quote(name), content) for name, content in ordered]
        return self._count

    def save(self, *, check_out: bool = True) -> Repo:
        """Write the commits, and check the last one out."""
        if not self._exists:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q", "-b", "main", *self.settings)
            self._exists = True
        if self._stream:
            marks = "--import-marks-if-exists=.git/marks", "--export-marks=.git/marks"
            self.git("fast-import", "--quiet", "--force", *marks, given=b"".join(self._stream))
            self._stream = []
            if check_out:
                self.git("reset", "-q", "--hard")
        return self

    def id(self, number: int) -> str:
        """Return the object id of a commit."""
        self.save()
        marks = (self.folder / ".git" / "marks").read_text().splitlines()
        return dict(mark.split() for mark in marks)[f":{number}"]

    def git(self, *arguments: str, given: bytes = b"") -> str:
        """Run git in the work tree."""
        command = ["git", "-C", str(self.folder), *arguments]
        done = subprocess.run(command, input=given, capture_output=True, check=False)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def tree(self, names: Iterable[str], content: Tree | None = None) -> Tree:
        """Write a folder of equal files, or of folders with the same content, and return it."""
        self.save()
        blob = self.git("hash-object", "-w", "--stdin", given=b"x")
        what = f"040000 tree {content.oid}" if content else f"100644 blob {blob}"
        return Tree(self.git("mktree", given="".join(f"{what}\t{x}\n" for x in names).encode()))

    def clone(self, name: str, *options: str) -> Repo:
        """Clone it beside itself, as from another machine."""
        self.save()
        self.git("config", "uploadpack.allowFilter", "true")
        target = self.folder.parent / name
        self.git("clone", "-q", *options, self.folder.as_uri(), str(target))
        return Repo(target, _exists=True)

    def days(self, *names: str, **options: Any) -> dict[str, float | None]:
        """Return the day of each file that TextDates says, None where it says none."""
        self.save()
        files = {name: self.folder / name for name in names}
        found = TextDates(Rules(**options)).last_changed(files.values())
        return {
            name: day_of(found[file]) if file in found else None for name, file in files.items()
        }

    def day(self, name: str, **options: Any) -> float | None:
        """Return the day of one file."""
        return self.days(name, **options)[name]


def _rank(content: Content) -> int:
    """First what is moved, then what is deleted, so that its place is free."""
    return 0 if isinstance(content, Moved) else 1 if content is None else 2


def _instruction(name: bytes, content: Content) -> bytes:
    match content:
        case None:
            return b"D %s\n" % name
        case Moved(old):
            return b"R %s %s\n" % (_quote(old), name)
        case Tree(oid):
            return b"M 040000 %s %s\n" % (oid.encode(), name)
        case Submodule(commit):
            return b"M 160000 %s %s\n" % (commit.encode(), name)
        case _:
            mode, text = _file(content)
            return b"M %s inline %s\n%s" % (mode, name, _data(text))


def _file(content: str | bytes | Program | Link) -> tuple[bytes, bytes]:
    match content:
        case Link(target):
            return b"120000", os.fsencode(target)
        case Program(text):
            return b"100755", text.encode()
        case bytes():
            return b"100644", content
        case str():
            return b"100644", content.encode()


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _quote(name: str) -> bytes:
    escaped = os.fsencode(name).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'


def _seconds(number: float) -> int:
    return int((_DAY_0 + timedelta(days=number)).timestamp())


def day_of(moment: datetime) -> float:
    assert moment.utcoffset() == timedelta(0)
    return round((moment - _DAY_0) / timedelta(days=1), 4)


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the machine's git configuration out, of our git and of that which makes repositories."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[..., Repo]:
    """Return a function that makes a repository of a name; more arguments are for `git init`."""

    def make(name: str, *settings: str) -> Repo:
        return Repo(tmp_path / name, settings)

    return make


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")
