"""Real repositories, written down commit by commit; day 1 is 1 January 2024, noon in UTC."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit.lastmod.git import GitDates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_DAY_0 = datetime(2023, 12, 31, 12, tzinfo=UTC)

_MODES = {"file": "100644", "executable": "100755", "link": "120000", "submodule": "160000"}


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
        write: Mapping[str | bytes, str | bytes] | None = None,
        *,
        delete: Iterable[str | bytes] = (),
        move: Mapping[str, str] | None = None,
        after: tuple[int, ...] | None = None,
        mode: str = "file",
        message: str = "",
        author_day: float | None = None,
    ) -> int:
        """Add a commit on day `day`; return its number, which `after` names as a parent.

        Without `after` it follows the last commit. All else starts from the first parent's files.
        """
        self._count += 1
        self._stream += [
            b"commit refs/heads/main\nmark :%d\n" % self._count,
            b"author A <a@example.org> %d +0000\n" % seconds(author_day or day),
            b"committer C <c@example.org> %d +0000\n" % seconds(day),
            _data(message.encode()),
        ]
        parents = after if after is not None else tuple(range(max(1, self._count - 1), self._count))
        self._stream += [
            b"%s :%d\n" % (word, parent)
            for word, parent in zip([b"from", *[b"merge"] * 9], parents, strict=False)
        ]
        self._stream += [b"R %s %s\n" % (_quote(old), _quote(new)) for old, new in (move or {}).items()]
        self._stream += [b"D %s\n" % _quote(name) for name in delete]
        for name, text in (write or {}).items():
            if mode == "submodule":
                self._stream.append(b"M 160000 %s %s\n" % (os.fsencode(text), _quote(name)))
            else:
                how = _MODES[mode].encode()
                self._stream += [b"M %s inline %s\n" % (how, _quote(name)), _data(os.fsencode(text))]
        return self._count

    def save(self) -> Repo:
        """Write the commits, and check the last one out."""
        if not self._exists:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q", "-b", "main", *self.settings)
            self._exists = True
        if self._stream:
            marks = "--import-marks-if-exists=.git/marks", "--export-marks=.git/marks"
            self.git("fast-import", "--quiet", "--force", *marks, given=b"".join(self._stream))
            self._stream = []
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

    def clone(self, name: str, *options: str) -> Repo:
        """Clone it beside itself, as from another machine."""
        self.save()
        self.git("config", "uploadpack.allowFilter", "true")
        target = self.folder.parent / name
        self.git("clone", "-q", *options, self.folder.as_uri(), str(target))
        return Repo(target, _exists=True)

    def days(self, *names: str | bytes, **options: Any) -> dict[str | bytes, float | None]:
        """Return the day of each file that GitDates says, None where it says none."""
        self.save()
        files = {name: self.folder / os.fsdecode(name) for name in names}
        found = GitDates(**options).last_changed(files.values())
        return {name: day(found[file]) if file in found else None for name, file in files.items()}

    def day(self, name: str | bytes, **options: Any) -> float | None:
        """Return the day of one file."""
        return self.days(name, **options)[name]


def seconds(number: float) -> int:
    """Return a day as seconds since 1970."""
    return int((_DAY_0 + timedelta(days=number)).timestamp())


def day(moment: datetime) -> float:
    """Return which day a moment is."""
    assert moment.utcoffset() == timedelta(0)
    return round((moment - _DAY_0) / timedelta(days=1), 4)


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _quote(name: str | bytes) -> bytes:
    escaped = os.fsencode(name).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the user's git configuration out, both ours and that of the git which makes repositories."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[..., Repo]:
    """Return a function that makes a repository in a folder of a name, with `git init` arguments."""
    return lambda name, *settings: Repo(tmp_path / name, settings)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")
