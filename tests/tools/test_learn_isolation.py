"""What a build of an old commit by `learn` cannot do, and that nothing of it stays."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemapkit.errors import SitemapError
from sitemapkit_tools.learn import history
from textdates.git import command

from ..disks import fill, small_disk
from .test_learn import ended_by_signals, nothing_is_left, past

if TYPE_CHECKING:
    from collections.abc import Callable

    from .past import Past

__all__ = ["ended_by_signals", "nothing_is_left", "past"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells and signals"),
]


def git(past: Past, *arguments: str, text: str = "") -> str:
    command = ["git", "-C", str(past.repo.folder), *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def add_commit_of(past: Past, moment: str) -> None:
    """Add a commit on top with a date as it stands, whatever git thinks of it."""
    past.repo.save()
    tree, parent = git(past, "rev-parse", "HEAD^{tree}"), git(past, "rev-parse", "HEAD")
    who = f"a <a@b> {moment} +0000"
    text = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\nx\n"
    made = git(past, *["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], text=text)
    git(past, "update-ref", "HEAD", made)


ODD = ["999999999999999", "253402300800", "-5", "18446744073709551616", "bogus", "1e9", "0"]


@pytest.mark.parametrize("moment", ODD)
def test_a_commit_without_a_date_that_can_be_counts_with_the_next(past: Past, moment: str) -> None:
    past.commit(2, {"tea": "New"})
    add_commit_of(past, moment)
    (past.repo.folder / "docs" / "tea.md").write_text("Newer")
    git(past, "add", "-A")
    tree, parent = git(past, "write-tree"), git(past, "rev-parse", "HEAD")
    who = "a <a@b> 1709294400 +0000"
    text = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\nx\n"
    made = git(past, *["hash-object", "-t", "commit", "-w", "--stdin"], text=text)
    git(past, "update-ref", "HEAD", made)
    outcome = past.learn()
    assert (outcome.code, "Traceback" in outcome.stderr) == (0, False), outcome.stderr
    assert past.dated()["water"] == 1


@pytest.mark.parametrize("moment", ODD)
def test_a_checked_out_commit_without_a_date_is_told(past: Past, moment: str) -> None:
    add_commit_of(past, moment)
    outcome = past.learn()
    assert outcome.code == 2
    assert "has no date that can be used; make a new commit" in outcome.stderr


def build_that(past: Past, shell: str) -> tuple[str, ...]:
    return ("--build", f"{past.command}; {shell}; : {{out}}")


def test_a_build_gets_few_variables(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "secret")
    monkeypatch.setenv("MY_SETTING", "mine")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "0")
    seen = past.log.with_name("seen")
    outcome = past.learn(*build_that(past, f"env > {seen}"), "--pass-env", "MY_SETTING")
    assert outcome.code == 0, outcome.stderr
    names = {line.partition("=")[0] for line in seen.read_text().splitlines()}
    assert {"PATH", "MY_SETTING"} <= names
    assert not {"SECRET_TOKEN", "GIT_CONFIG_COUNT"} & names


def test_a_clone_has_copies_and_no_way_back(past: Past) -> None:
    seen = past.log.with_name("seen")
    shared = "cat .git/objects/info/alternates; find .git/objects -type f -links +1"
    shell = f"(git remote -v; {shared}) > {seen} 2> {os.devnull}"
    assert past.learn(*build_that(past, shell)).code == 0
    assert seen.read_text() == ""


def test_submodules_of_old_commits_are_not_fetched(past: Past) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for day, scheme in enumerate(("http", "https", "git", "ssh"), 2):
            modules = f'[submodule "a"]\n\tpath = a\n\turl = {scheme}://127.0.0.1:{port}/a\n'
            past.commit(day, {".gitmodules": modules, "tea": scheme})
        past.repo.save()
        head = git(past, "rev-parse", "HEAD")
        git(past, "update-index", "--add", "--cacheinfo", f"160000,{head},a")
        git(past, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "submodule")
        outcome = past.learn()
        assert outcome.code == 0, outcome.stderr
        assert "Submodules are not all available" in outcome.stdout
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


def add_submodule(folder: Path, source: Path, path: str) -> None:
    given = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(source), path)
    in_folder(folder, *given)
    in_folder(folder, "commit", "-qm", f"Add {path}")


def in_folder(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    command = ["git", "-C", str(folder), *who, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_submodules_in_submodules_come_from_the_checkout(past: Past, tmp_path: Path) -> None:
    """Where they came from need not be there any more."""
    past.repo.save()
    sources = [tmp_path / name for name in ("inner", "outer")]
    for source in sources:
        source.mkdir()
        in_folder(source, "init", "-q")
        (source / f"{source.name}.txt").write_text(f"Words of {source.name}")
        in_folder(source, "add", "-A")
        in_folder(source, "commit", "-qm", "Write")
    add_submodule(sources[1], sources[0], "in")
    add_submodule(past.repo.folder, sources[1], "out")
    in_folder(past.repo.folder, "submodule", "--quiet", "update", "--init", "--recursive")
    for source in sources:
        source.rename(tmp_path / f"{source.name} that has moved")
    seen = past.log.with_name("seen")
    outcome = past.learn(*build_that(past, f"cat out/outer.txt out/in/inner.txt >> {seen}"))
    assert outcome.code == 0, outcome.stderr
    assert "Submodules" not in outcome.stdout
    assert "Words of outerWords of inner" in seen.read_text()


def test_a_submodule_comes_from_no_other_place_of_the_machine(past: Past, tmp_path: Path) -> None:
    """An old commit may name any folder; a build gets what the user has checked out."""
    private = tmp_path / "private"
    private.mkdir()
    in_folder(private, "init", "-q")
    (private / "secret.txt").write_text("secret")
    in_folder(private, "add", "-A")
    in_folder(private, "commit", "-qm", "Write")
    past.repo.save()
    add_submodule(past.repo.folder, private, "named")
    shutil.rmtree(past.repo.folder / ".git" / "modules")
    seen = past.log.with_name("seen")
    outcome = past.learn(*build_that(past, f"ls named >> {seen}"))
    assert "Submodules are not all available: there is no copy of named" in outcome.stdout
    assert seen.read_text() == ""


def test_git_that_lists_the_commits_is_not_waited_for(
    past: Past, monkeypatch: pytest.MonkeyPatch
) -> None:
    past.repo.save()
    monkeypatch.setattr(command, "PATIENCE", 0.5)
    os.mkfifo(past.repo.folder / ".git" / "objects" / "info" / "alternates")
    outcome = past.learn()
    assert outcome.code == 2
    assert "git was silent" in outcome.stderr


def test_each_command_of_git_has_a_time_limit(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    past.repo.save()
    monkeypatch.setattr(history, "MOST_SECONDS", 0.2)
    with pytest.raises(SitemapError, match=r"git -c takes longer than 0.2 seconds"):
        history.git(past.repo.folder, "-c", "alias.wait=!sleep 60", "wait")


def is_alive(process: int) -> bool:
    """Return whether a process is there, and not just waiting to be counted."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(") ")[2][0] not in "ZX"


def until(condition: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what belongs to a build")
def test_no_process_of_a_build_stays(past: Past) -> None:
    ids = past.log.with_name("ids")
    shell = (
        f"sleep 600 & echo $! >> {ids}; setsid sleep 600 & echo $! >> {ids};"
        f" setsid sh -c '(setsid sleep 600 & echo $! >> {ids}) & exit'; sleep 0.2"
    )
    assert past.learn(*build_that(past, shell)).code == 0
    started = [int(line) for line in ids.read_text().splitlines()]
    assert len(started) >= 3
    assert until(lambda: not any(map(is_alive, started)), 5)


INTERRUPTED = """
import os, subprocess
from pathlib import Path
from sitemapkit_tools.learn import builder, processes

class Popen(subprocess.Popen):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        print(self.pid, flush=True)
        raise KeyboardInterrupt

subprocess.Popen = Popen
processes.adopt_orphans()
builder._run("sleep 600 & sleep 600", Path.cwd(), dict(os.environ), 60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what belongs to a build")
def test_a_signal_while_a_build_starts_leaves_no_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode != 0
    assert not is_alive(int(done.stdout)), done


@pytest.mark.usefixtures("ended_by_signals")
@pytest.mark.parametrize("names", [("SIGTERM", "SIGTERM"), ("SIGINT", "SIGINT", "SIGTERM")])
def test_several_signals_leave_nothing(past: Past, tmp_path: Path, names: tuple[str, ...]) -> None:
    past.commit(2, {f"{n}.txt": "x" for n in range(2_000)})
    past.repo.save()
    given = ("--build", f"echo $$ > {past.log}; sleep 600; : {{out}}", "--ledger", str(past.ledger))
    command = [sys.executable, "-m", "sitemapkit_tools", "learn", str(past.repo.folder), *given]
    process = subprocess.Popen(command, env=os.environ | {"TMPDIR": str(tmp_path / "tmp")})
    assert until(lambda: past.log.exists() and past.log.read_text().endswith("\n"))
    for name in names:
        process.send_signal(signal.Signals[name])
        time.sleep(0.01)
    assert process.wait(20) in (1, 128 + signal.Signals[names[0]])
    assert not [*(tmp_path / "tmp").glob("*")]
    assert until(lambda: not is_alive(int(past.log.read_text())))


@pytest.mark.parametrize("part", ["ledger", "clone", "state"])
def test_a_full_disk_costs_no_ledger_and_leaves_nothing(
    past: Past, tmp_path: Path, part: str
) -> None:
    past.commit(3, {f"new-{n}": f"Words about {n}." for n in range(99)})
    past.commit(4, {f"new-{n}": f"Other words about {n}." for n in range(99)})
    past.repo.save()
    assert past.learn().code == 0
    known = re.sub(r"(?m)^(/\S*) \S+ ", r"\1 - ", past.ledger.read_text())
    past.ledger.write_text(known)
    with small_disk(tmp_path / "disk", "64k") as disk:
        ledger, state = past.ledger, tmp_path / "state.json"
        if part == "ledger":
            ledger = disk / "ledger.txt"
            ledger.write_bytes(past.ledger.read_bytes())
        before = ledger.read_bytes()
        if part == "state":
            state = disk / "state.json"
        fill(disk)
        command = [sys.executable, "-m", "sitemapkit_tools", "learn", str(past.repo.folder)]
        build = f"{sys.executable} {past.generator} {{out}} {past.log}"
        given = ("--build", build, "--ledger", str(ledger), "--state", str(state))
        where = os.environ | ({"TMPDIR": str(disk)} if part == "clone" else {})
        done = subprocess.run(
            [*command, *given], env=where, check=False, capture_output=True, text=True
        )
        assert done.returncode in (0, 1, 2), done.stderr
        assert "Traceback" not in done.stderr
        assert "bug in sitemapkit" not in done.stderr
        if part == "clone":  # it lies elsewhere then
            assert done.returncode == 0
        else:
            assert done.returncode
            assert "No space left" in done.stderr
            assert ledger.read_bytes() == before
        assert {each.name for each in disk.iterdir()} <= {"filled", ledger.name}


def test_the_clone_of_a_killed_run_is_removed_by_the_next_and_no_other(
    past: Past, tmp_path: Path
) -> None:
    past.repo.save()
    temporary = tmp_path / "tmp"
    killed = f"kill -9 $PPID; echo {{out}} > {past.log}"
    command = [sys.executable, "-m", "sitemapkit_tools", "learn", str(past.repo.folder)]
    given = ("--build", killed, "--ledger", str(past.ledger))
    where = os.environ | {"TMPDIR": str(temporary)}
    assert subprocess.run([*command, *given], env=where, check=False).returncode == -signal.SIGKILL
    assert len([*temporary.glob("*/clone")]) == 1
    used, link = (temporary / f"sitemapkit-learn-{name}" for name in ("used", "link"))
    used.mkdir()
    link.symlink_to(past.repo.folder)
    (past.repo.folder / "lock").touch()
    lock = os.open(used / "lock", os.O_RDWR | os.O_CREAT)
    import fcntl  # noqa: PLC0415 - POSIX

    fcntl.flock(lock, fcntl.LOCK_EX)
    assert past.learn().code == 0
    assert sorted(temporary.iterdir()) == [link, used]
    os.close(lock)
    assert past.learn().code == 0
    assert [*temporary.iterdir()] == [link]
    link.unlink()


READ_SLOWLY = """
import sys, time
from pathlib import Path
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.site.read_pages import read_pages
tree = OutputDir.walk(Path(sys.argv[1]), "https://example.org/")
for page in read_pages(tree, tree.pages(), jobs=3):
    print("read", flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_workers_end_with_the_process_that_started_them(tmp_path: Path, name: str) -> None:
    for number in range(700):
        (tmp_path / f"{number}.html").write_text("<title>a</title>")
    command = [sys.executable, "-c", READ_SLOWLY, str(tmp_path)]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert parent.stdout
    assert parent.stdout.readline() == b"read\n"
    children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
    workers = [int(each) for each in children.read_text().split()]
    assert len(workers) >= 3
    parent.send_signal(signal.Signals[name])
    parent.wait()
    parent.stdout.close()
    assert until(lambda: not any(map(is_alive, workers)))
