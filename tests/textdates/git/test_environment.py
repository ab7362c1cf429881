"""Nothing in the environment of a repository changes its dates; what prevents dates is reported."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from textdates import Diagnostic, TextDates

from .conftest import Moved

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Repo


def a_history(repo: Repo) -> dict[str, float]:
    """Make a history that has something of everything, and return the days to be found."""
    base = repo.commit(
        1, {"docs/a.md": "a", "docs/b.md": "b", "x/c.md": "c", "docs/\u00e9.md": "e"}
    )
    topic = repo.commit(2, {"docs/a.md": "A"})
    main = repo.commit(3, {"docs/b.md": "B"}, after=(base,), message="\u00fc")
    repo.commit(4, {"docs/a.md": "A"}, after=(main, topic))
    repo.commit(5, {"docs/c.md": Moved("x/c.md")})
    repo.commit(6, {"docs/b.md": "---\nt: b\n---\nB\n"})
    repo.save()
    return {"docs/a.md": 4, "docs/b.md": 3, "docs/c.md": 1, "docs/\u00e9.md": 1}


def a_trap(folder: Path) -> Path:
    """Return a program that leaves a trace when it is run."""
    trap = folder / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{folder}/sprung'\n")
    trap.chmod(0o700)
    return trap


HOSTILE = {
    "color.ui": "always",
    "color.diff": "always",
    "core.abbrev": "4",
    "core.attributesFile": "{trap}",
    "core.editor": "{trap}",
    "core.fsmonitor": "{trap}",
    "core.hooksPath": "{folder}",
    "core.pager": "{trap}",
    "core.precomposeUnicode": "true",
    "core.quotePath": "true",
    "core.sshCommand": "{trap}",
    "diff.external": "{trap}",
    "diff.ignoreSubmodules": "all",
    "diff.mnemonicPrefix": "true",
    "diff.noprefix": "true",
    "diff.orderFile": "no/such/file",
    "diff.relative": "true",
    "diff.renames": "copies",
    "diff.submodule": "log",
    "diff.md.command": "{trap}",
    "diff.md.textconv": "{trap}",
    "filter.md.clean": "{trap}",
    "filter.md.smudge": "{trap}",
    "format.pretty": "oneline",
    "gpg.program": "{trap}",
    "grep.patternType": "perl",
    "i18n.logOutputEncoding": "UTF-16",
    "log.abbrevCommit": "true",
    "log.date": "relative",
    "log.decorate": "full",
    "log.diffMerges": "combined",
    "log.follow": "true",
    "log.mailmap": "true",
    "log.showRoot": "false",
    "log.showSignature": "true",
    "pager.log": "{trap}",
    "pager.ls-tree": "true",
    "status.showUntrackedFiles": "no",
}


def test_no_setting_of_git_changes_a_date_and_nothing_is_executed(
    repo: Repo, tmp_path: Path
) -> None:
    wanted = a_history(repo)
    names = tuple(wanted)
    expected = repo.days(*names)
    trap = a_trap(tmp_path)
    for name, value in HOSTILE.items():
        repo.git("config", name, value.format(trap=trap, folder=tmp_path))
    (repo.folder / ".git" / "info" / "attributes").write_text("*.md diff=md filter=md\n")
    assert repo.days(*names) == expected
    assert not (tmp_path / "sprung").exists()


def test_no_hook_is_executed(repo: Repo, tmp_path: Path) -> None:
    wanted = a_history(repo)
    trap = a_trap(tmp_path)
    hooks = repo.folder / ".git" / "hooks"
    shutil.rmtree(hooks, ignore_errors=True)
    hooks.mkdir()
    for name in (
        "post-checkout",
        "post-index-change",
        "fsmonitor-watchman",
        "reference-transaction",
    ):
        shutil.copy(trap, hooks / name)
    assert repo.days(*wanted) == wanted
    assert not (tmp_path / "sprung").exists()


VARIABLES = {
    "GIT_DIR": "{other}/.git",
    "GIT_WORK_TREE": "{other}",
    "GIT_INDEX_FILE": "{other}/.git/index",
    "GIT_COMMON_DIR": "{other}/.git",
    "GIT_OBJECT_DIRECTORY": "{other}/.git/objects",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "{other}/.git/objects",
    "GIT_NAMESPACE": "other",
    "GIT_PREFIX": "x/",
    "GIT_CEILING_DIRECTORIES": "/",
    "GIT_GRAFT_FILE": "{other}/grafts",
    "GIT_SHALLOW_FILE": "{other}/shallow",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_REPLACE_REF_BASE": "refs/other/",
    "GIT_ICASE_PATHSPECS": "1",
    "GIT_NOGLOB_PATHSPECS": "1",
    "GIT_EXTERNAL_DIFF": "{trap}",
    "GIT_DIFF_OPTS": "--unified=0",
    "GIT_PAGER": "{trap}",
    "GIT_EDITOR": "{trap}",
    "GIT_SSH_COMMAND": "{trap}",
    "GIT_ASKPASS": "{trap}",
    "GIT_TRACE": "1",
    "GIT_TRACE2": "1",
    "GIT_CONFIG": "{other}/.git/config",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "diff.renames",
    "GIT_CONFIG_VALUE_0": "copies",
    "GIT_CONFIG_PARAMETERS": "'log.showroot=false' 'diff.relative=true'",
    "LC_ALL": "de_DE.UTF-8",
    "LANGUAGE": "de",
    "TZ": "Asia/Tokyo",
    "PAGER": "{trap}",
}


def test_no_variable_of_the_environment_changes_a_date(
    repo: Repo,
    make_repo: Callable[..., Repo],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = tuple(a_history(repo))
    head = repo.git("rev-parse", "HEAD")
    repo.git("replace", "--graft", head, repo.id(3))
    expected = repo.days(*names)
    other = make_repo("other")
    other.commit(9, {"docs/a.md": "another one"})
    trap = a_trap(tmp_path)
    (other.save().folder / "shallow").write_text(head)
    (other.folder / "grafts").write_text(head)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value.format(trap=trap, other=other.folder))
    assert repo.days(*names) == expected
    assert not (tmp_path / "sprung").exists()


def diagnostic_of(repo: Repo, why: str) -> Diagnostic:
    """Return the only diagnostic on a repository of which no file has a date."""
    dates = TextDates()
    dates.start(repo.folder)
    files = [repo.folder / "docs/a.md", repo.folder / "docs/b.md"]
    assert dates.last_changed(files) == {}
    assert {dates.why_unknown(file) for file in files} == {why}
    (diagnostic,) = dates.diagnostics
    assert diagnostic.where == str(repo.folder)
    return diagnostic


def test_no_git_no_dates(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_history(repo)
    monkeypatch.setenv("PATH", str(tmp_path))
    diagnostic = diagnostic_of(repo, "git is not installed")
    assert diagnostic.id == "git-missing"
    assert "No such file or directory" in diagnostic.detail


def test_a_git_that_may_not_be_run(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    a_history(repo)
    (tmp_path / "git").write_text("no program")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert diagnostic_of(repo, "git is not installed").id == "git-missing"


def test_a_git_that_is_too_old(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_history(repo)
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text(
        "#!/bin/sh\nfor word; do [ $word = --no-show-signature ] &&"
        ' { echo "fatal: unrecognized argument: $word" >&2; exit 128; }; done\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    old.chmod(0o700)
    monkeypatch.setenv("PATH", str(old.parent), prepend=os.pathsep)
    diagnostic = diagnostic_of(repo, "git failed")
    assert diagnostic.id == "git-old"


def test_a_repository_without_a_commit(repo: Repo) -> None:
    repo.save()
    (repo.folder / "docs").mkdir()
    diagnostic = diagnostic_of(repo, "untracked")
    assert diagnostic == Diagnostic("git-empty", str(repo.folder))  # what git says helps nobody


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_somebody_else(make_repo: Callable[..., Repo]) -> None:
    repo = make_repo("somebody's own")
    wanted = a_history(repo)
    for path in (repo.folder, *repo.folder.rglob("*")):
        os.chown(path, 12345, 12345)
    diagnostic = diagnostic_of(repo, "git failed")
    assert diagnostic.id == "git-ownership"
    assert "dubious ownership" in diagnostic.detail
    command = shlex.split(diagnostic.detail.partition("`git ")[2].partition("`")[0])
    assert command[-2:] == ["safe.directory", str(repo.folder)]
    Path.home().joinpath(".gitconfig").touch()
    repo.git(*command)
    assert repo.days(*wanted) == wanted


def test_a_format_that_git_does_not_know_is_named(repo: Repo) -> None:
    a_history(repo)
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.newFormat", "true")
    assert "unknown repository extension found: newformat" in (
        diagnostic_of(repo, "git failed").detail
    )


def test_a_git_file_that_leads_nowhere(repo: Repo) -> None:
    repo.folder.joinpath("docs").mkdir(parents=True)
    (repo.folder / ".git").write_text("gitdir: /no/such/folder\n")
    diagnostic = diagnostic_of(repo, "git failed")
    assert diagnostic.id == "git-none"


def test_a_broken_repository_does_not_take_the_one_around_it(repo: Repo) -> None:
    repo.commit(1, {"inner/docs/a.md": "a", "inner/docs/b.md": "b"})
    inner = repo.save().folder / "inner"
    (inner / ".git").mkdir()
    (inner / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    dates = TextDates()
    assert dates.last_changed([inner / "docs" / "a.md"]) == {}
    (diagnostic,) = dates.diagnostics
    assert diagnostic.where == str(inner)


def test_an_empty_git_folder_is_no_repository(repo: Repo) -> None:
    repo.commit(1, {"inner/a.md": "a"})
    (repo.save().folder / "inner" / ".git").mkdir()
    assert repo.day("inner/a.md") == 1


def test_what_is_installed_in_an_environment_is_outside_its_repository(repo: Repo) -> None:
    installed = repo.save().folder / ".venv/lib/python3.13/site-packages/teas/green.py"
    installed.parent.mkdir(parents=True)
    installed.write_text("")
    dates = TextDates()
    assert dates.last_changed([installed]) == {}
    assert dates.why_unknown(installed) == "outside any repository"


def test_files_outside_any_repository_have_no_date(tmp_path: Path) -> None:
    files = [tmp_path / "a" / "first.md", tmp_path / "b.md", tmp_path / "no" / "folder" / "c.md"]
    dates = TextDates()
    dates.start(tmp_path)
    assert dates.last_changed(files) == {}
    assert {dates.why_unknown(file) for file in files} == {"outside any repository"}
    (diagnostic,) = dates.diagnostics
    assert diagnostic == Diagnostic("git-none", str(tmp_path))


def test_a_bare_repository_holds_no_files(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    bare = repo.clone("bare", "--bare")
    dates = TextDates()
    assert dates.last_changed([bare.folder / "description"]) == {}
    assert dates.why_unknown(bare.folder / "description") == "outside any repository"


def test_nothing_asked_nothing_said(repo: Repo) -> None:
    dates = TextDates()
    assert dates.last_changed([]) == {}
    assert dates.diagnostics == []
    assert dates.why_unknown(repo.folder / "never asked.md") == ""


def test_a_history_is_more_than_one_commit(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"a.md": "a"})
    file = repo.save().folder / "a.md"
    for files, has_history in (({"b.md": "b"}, False), ({"a.md": "A"}, True), ({}, True)):
        dates = TextDates()
        assert len(dates.last_changed([file])) == 1
        assert dates.has_history(file) == has_history
        repo.commit(2, files)
        repo.save()
    assert TextDates().has_history(tmp_path / "in no repository")


def test_a_date_that_is_none_is_left_out(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    tree = repo.save().git("rev-parse", "HEAD^{tree}")
    for date in ("0", "99999999999999999"):
        text = f"tree {tree}\nauthor A <a@x> {date} +0000\ncommitter C <c@x> {date} +0000\n\nno\n"
        commit = repo.git("hash-object", "-t", "commit", "-w", "--stdin", given=text.encode())
        repo.git("reset", "-q", "--hard", commit)
        dates = TextDates()
        assert dates.last_changed([repo.folder / "a.md"]) == {}
        assert dates.why_unknown(repo.folder / "a.md") == "its commit has no readable date"
