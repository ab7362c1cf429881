"""What people see on a terminal, and programs that read from a pipe do not."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemapkit.report import Report
from sitemapkit_tools.cli import COMMANDS
from sitemapkit_tools.commands.terminal import show_issues

from .conftest import run

if TYPE_CHECKING:
    from .conftest import Site

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def on_a_terminal(*arguments: object, **given: str) -> str:
    """Run a command on a terminal of its own and return all that it writes there."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sitemapkit_tools", *map(str, arguments)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "CI": "", **given}
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                data = os.read(ours, 4_096)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            written += data
        process.wait()
    os.close(ours)
    return written.decode()


def test_people_see_progress_and_colours(site: Site) -> None:
    site.page("orphan/", listed=False)
    site.write()
    seen = on_a_terminal("check", site.root)
    assert "Reading pages" in seen
    assert "100%" in seen
    assert COLOUR.search(seen)


@pytest.mark.parametrize(
    ("name", "value", "coloured"),
    [
        ("NO_COLOR", "1", False),
        ("FORCE_COLOR", "1", True),
        ("FORCE_COLOR", "0", False),
        ("TERM", "dumb", False),
    ],
)
def test_the_environment_decides_about_colours(
    site: Site, monkeypatch: pytest.MonkeyPatch, name: str, value: str, *, coloured: bool
) -> None:
    for each in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    site.page("orphan/", listed=False)
    site.write()
    assert bool(COLOUR.search(run("check", site.root).stdout)) is coloured


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"CI": "true"}])
def test_there_is_no_bar_where_it_cannot_move(site: Site, environment: dict[str, str]) -> None:
    site.write()
    seen = on_a_terminal("check", site.root, **environment)
    assert "Reading pages" not in seen
    assert "Nothing to fix" in seen


def test_programs_see_neither(site: Site) -> None:
    site.page("orphan/", listed=False)
    site.write()
    command = [sys.executable, "-m", "sitemapkit_tools", "check", str(site.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert not COLOUR.search(done.stdout)
    assert done.stdout.startswith("warning not-listed")


def test_on_a_terminal_submit_sends_without_being_asked_to(site: Site, tmp_path: Path) -> None:
    site.write()
    old = tmp_path / "old.xml"
    old.write_text("<urlset/>")
    seen = on_a_terminal("submit", old, site.root, "--endpoint", "http://127.0.0.1:9/indexnow")
    assert "there is no key: set INDEXNOW_KEY" in seen


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_tells_what_it_does(command: str) -> None:
    outcome = run(command, "--help")
    assert outcome.code == 0
    assert outcome.stdout.startswith(f"Usage: sitemapkit {command}")
    assert "--json" in outcome.stdout
    assert "\\" not in outcome.stdout  # nothing that was meant for the program that shows it


@pytest.mark.parametrize("base_url", ["", "https://example.org/"])
def test_all_issues_of_a_build_are_shown_and_not_its_summary(
    capsys: pytest.CaptureFixture[str], base_url: str
) -> None:
    report = Report(base_url=base_url)
    report.add("no-sources", "site")
    show_issues(report)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("[no-sources]")


def test_a_wrong_command_is_wrong_use() -> None:
    outcome = run("chekc")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "No such command 'chekc'" in outcome.stderr


@pytest.mark.parametrize(
    ("command", "flag", "least", "most"),
    [
        ("check", "--timeout", "0<", "3600"),
        ("check", "--rate", "0<=", "1000"),
        ("check", "--max-time", "0<", "604800"),
        ("diff", "--max-time", "0<", "604800"),
    ],
)
def test_a_number_is_finite_and_in_the_range_that_the_help_states(
    tmp_path: Path, command: str, flag: str, least: str, most: str
) -> None:
    text = " ".join(run(command, "--help").stdout.split())
    assert f"{least}x<={most}]" in text.partition(f" {flag} ")[2]
    for value in ("nan", "-nan", "inf", "-inf", "1e10", "1e400", "-1", "many"):
        outcome = run(command, *[tmp_path] * (1 + (command == "diff")), f"{flag}={value}")
        assert (outcome.code, outcome.stdout) == (2, ""), value
        assert f"Invalid value for '{flag}'" in outcome.stderr


@pytest.mark.parametrize("arguments", [[], ["--version"], ["--help"]])
def test_the_group_tells_what_it_is(arguments: list[str]) -> None:
    outcome = run(*arguments)
    assert outcome.code in (0, 2 if not arguments else 0)  # without a command click 8.1 gives 0
    assert "sitemapkit" in outcome.stdout + outcome.stderr


def test_what_people_pipe_into_head_ends_quietly(site: Site) -> None:
    for number in range(3_000):
        site.page(f"orphan/{number}.html", listed=False)
    site.write()
    command = [sys.executable, "-m", "sitemapkit_tools", "check", str(site.root), "--all"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize("command", ["check", "diff", "merge", "build"])
def test_a_file_that_cannot_be_read_is_named_without_a_traceback(site: Site, command: str) -> None:
    site.write()
    sitemap = site.root / "sitemap.xml"
    sitemap.unlink()
    sitemap.symlink_to("sitemap.xml")  # which nobody can read, be it root
    more = {"diff": [str(site.root)], "merge": ["--out", str(site.root)]}.get(command, [])
    done = subprocess.run(
        [sys.executable, "-m", "sitemapkit_tools", command, str(site.root), *more],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert str(sitemap) in done.stderr
    assert "repair or remove it" in done.stderr or "Fix: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_an_answer_that_cannot_be_written_is_no_issue(site: Site) -> None:
    site.write()
    command = [sys.executable, "-m", "sitemapkit_tools", "check", str(site.root)]
    buffered = {name: os.environ[name] for name in os.environ.keys() - {"PYTHONUNBUFFERED"}}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, env=buffered, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")


def test_a_command_needs_no_stderr(site: Site) -> None:
    site.write()
    shell = ["sh", "-c", '"$0" -m sitemapkit_tools check "$1" 2>&-', sys.executable, str(site.root)]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Nothing to fix" in done.stdout


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs to see which processes there are")
def test_an_interrupt_is_for_the_process_that_waits_and_not_for_those_that_read(
    tmp_path: Path,
) -> None:
    for number in range(5_000):
        (tmp_path / f"{number}.html").write_text(f"<title>{number}</title><main>{number}</main>")
    flags = ("--base-url", "https://example.org/", "--jobs", "2", "--set", "ledger=../ledger")
    command = [sys.executable, "-m", "sitemapkit_tools", "build", str(tmp_path), *flags]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        readers = _readers_that_ignore_interrupts(process)
        for reader in readers:
            os.kill(reader, signal.SIGINT)
        _, errors = process.communicate()
    assert len(readers) == 2
    assert (process.returncode, errors) == (0, "")


def _readers_that_ignore_interrupts(process: subprocess.Popen[str]) -> list[int]:
    """Wait for both of them; return less if the process ends before."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    found: list[int] = []
    while process.poll() is None and len(found) < 2:
        with suppress(OSError):  # one that is gone already
            found = [int(child) for child in children.read_text().split() if _ignores(child)]
    return found


def _ignores(process: str) -> bool:
    status = Path("/proc", process, "status").read_text()
    mask = next(line for line in status.splitlines() if line.startswith("SigIgn:"))
    return bool(int(mask.split()[1], 16) >> (signal.SIGINT - 1) & 1)


# What people expect of a command line


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_the_version_has_a_short_flag(flag: str) -> None:
    assert run(flag).stdout.startswith("sitemapkit, version ")


def test_help_is_a_command_too() -> None:
    assert run("help").stdout == run("--help").stdout
    for command in COMMANDS:
        assert run("help", command).stdout == run(command, "--help").stdout
    assert "Did you mean 'check'?" in run("help", "chekc").stderr


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("chekc", "Did you mean 'check'?"),
        ("biuld", "Did you mean 'build'?"),
        ("hlep", "Did you mean 'help'?"),
        ("https://example.org/", "To check it, run `sitemapkit check https://example.org/`."),
        (".", "To check it, run `sitemapkit check .`."),
        ("zzz", "The commands are build, check, diff,"),
        ("--verison", "--version"),
    ],
)
def test_what_is_mistyped_is_answered_with_what_was_meant(given: str, hint: str) -> None:
    outcome = run(given)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert hint in outcome.stderr


def test_a_mistyped_flag_is_answered_with_the_right_one() -> None:
    assert "--filename" in run("build", "--filname", "a.xml").stderr
    assert "--base-url" in run("check", "--base-ulr", "x").stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete_commands_and_flags(shell: str) -> None:
    environment = {**os.environ, "_SITEMAPKIT_COMPLETE": f"{shell}_source"}
    script = Path(sys.executable).with_name("sitemapkit")
    done = subprocess.run([script], env=environment, capture_output=True, text=True, check=False)
    assert "_SITEMAPKIT_COMPLETE" in done.stdout
    environment |= {
        "_SITEMAPKIT_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": "sitemapkit check --bas",
        "COMP_CWORD": "--bas" if shell == "fish" else "2",
    }
    done = subprocess.run([script], env=environment, capture_output=True, text=True, check=False)
    assert "--base-url" in done.stdout


def test_a_terminal_shows_where_the_manual_explains_a_rule(site: Site) -> None:
    site.heads["about/"] = '<meta name="robots" content="noindex">'
    site.write()
    seen = COLOUR.sub("", on_a_terminal("check", site.root))
    assert re.search(r"https://\S+/rules/pages/#noindex\b", seen)
    assert "/rules/" not in run("check", site.root).stdout
    seen = COLOUR.sub("", on_a_terminal("build", site.root, "--exclude", "nothing/"))
    assert re.search(r"https://\S+/rules/build/#unmatched-pattern\b", seen)
    assert "/rules/" not in run("build", site.root, "--exclude", "nothing/").stderr


@pytest.mark.parametrize("name", ["pyproject.toml", "sitemapkit.toml"])
def test_the_settings_of_the_project_are_found(
    site: Site, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    table = "[tool.sitemapkit]\n" if name == "pyproject.toml" else ""
    site.write()
    root, inner = site.root.parent, site.root.parent / "inner"
    inner.mkdir()
    (root / name).write_text(
        f'[project]\nname = "x"\n{table}' * bool(table) + 'exclude = ["about/"]\n'
    )
    (root / ".git").mkdir()
    for folder in (root, inner):
        monkeypatch.chdir(folder)
        assert "1 not listed (1 excluded)" in run("build", site.root).stdout
        assert "1 not listed (1 excluded)" not in run("build", site.root, "--exclude", "x/").stdout
    (inner / ".git").mkdir()
    assert "not listed" not in run("build", site.root).stdout
    (root / name).write_text(f'{table}exlude = ["about/"]\n')
    monkeypatch.chdir(root)
    outcome = run("build", site.root)
    assert outcome.code == 2
    assert f"{root / name}: unknown option 'exlude'. Did you mean 'exclude'?" in outcome.stderr


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_command_in_a_folder_without_a_site_is_told_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """The hook of pre-commit runs `check`."""
    monkeypatch.chdir(tmp_path)
    outcome = run(command)
    assert outcome.code == 2
    assert re.findall(r"`(sitemapkit .*?)`", outcome.stderr) == [f"sitemapkit {command} public"]
    hook = "in .pre-commit-config.yaml, `args: [public]`"
    assert (hook in outcome.stderr) == (command == "check")


@pytest.mark.parametrize(
    ("base", "remedy"),
    [
        ("https://example.org/", "give that one"),
        ("http://0.0.0.0:1313/", "build the site for https://example.org/docs/"),
    ],
)
def test_a_build_without_a_page_fails_and_names_the_base_url_that_the_pages_state(
    site: Site, base: str, remedy: str
) -> None:
    site.base, site.entries, site.robots = base, {}, None
    for path in site.heads:
        site.page(path)
    site.write()
    run("build", site.root)
    before = {file: file.read_bytes() for file in site.root.rglob("*") if file.is_file()}
    outcome = run("build", site.root, "--base-url", "https://example.org/docs/")
    assert outcome.code == 1
    assert f"The pages state the base URL {base}: {remedy}." in outcome.stderr
    assert {file: file.read_bytes() for file in site.root.rglob("*") if file.is_file()} == before


def test_a_build_of_an_empty_folder_fails(tmp_path: Path) -> None:
    outcome = run("build", tmp_path, "--base-url", "https://example.org/")
    assert outcome.code == 1
    assert "There are no pages." in outcome.stderr
    assert not [*tmp_path.iterdir()]
