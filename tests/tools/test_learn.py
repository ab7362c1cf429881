"""`sitemapkit learn`: exact dates from real repositories, and nothing of the user's is touched."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from sitemapkit_tools.generators.mkdocs import SETTINGS_FILES as MKDOCS_FILES
from sitemapkit_tools.learn.builder import ready_command

from ..textdates.git.conftest import Moved, Repo
from .conftest import run
from .past import GENERATOR, Past, without_settings

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

pytestmark = pytest.mark.slow


@pytest.fixture
def past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Past:
    """A site of six pages since day 1, whose temporary files lie where they can be seen."""
    for name, value in without_settings().items():
        monkeypatch.setenv(name, value)
    generator = tmp_path / "generator.py"
    generator.write_text(GENERATOR)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    made = Past(Repo(tmp_path / "repo"), generator, tmp_path / "ledger.txt", tmp_path / "log")
    names = ("index", "tea", "water", "cups", "pots", "leaves")
    made.commit(
        1, {"mkdocs.yml": "site_name: Tea\n", **{name: f"<h1>{name}</h1>" for name in names}}
    )
    return made


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> Generator[None]:
    """Look whether a test leaves temporary files."""
    yield
    assert not (tmp_path / "tmp").exists() or not [*(tmp_path / "tmp").iterdir()]


OLD = {"index": 1, "tea": 1, "water": 1, "cups": 1, "pots": 1, "leaves": 1}


def test_a_page_has_the_day_on_which_it_last_showed_something_else(past: Past) -> None:
    past.commit(2, {"tea": "<h1>Tea</h1> is <em>made</em> of leaves."})
    past.commit(3, {"water": "<a href=tea.html>Soft</a>"})
    past.commit(4, {"tea": "<h1 class=new>Tea</h1>\n is <b>made</b> of\nleaves."})
    past.commit(5, {"cups": "<pre>\nif tea:\n    drink()</pre>"})
    past.commit(6, {"water": "<a href=./tea.html#leaves>Soft</a>"})
    past.commit(7, {"pots": "<img src=pot.png>"})
    past.commit(8, {"pots": "<img src=teapot.png>", "cups": "<pre>\nif tea:\n  drink()</pre>"})
    assert past.days() == OLD | {"tea": 2, "water": 3, "pots": 8, "cups": 8}


def test_text_from_elsewhere_counts_where_it_is_shown(past: Past) -> None:
    past.commit(2, {"tea": "<h1>Tea</h1><prices.txt>", "prices.txt": "1"})
    past.commit(3, {"prices.txt": "2"})
    past.commit(4, {"leaves.txt": "not shown"})
    assert past.days() == OLD | {"tea": 3}


def test_a_text_that_came_back_changed_when_it_did(past: Past) -> None:
    for day in range(2, 20):
        past.commit(day, {f"{day}.txt": ""})
    past.commit(20, {"tea": "New"})
    past.commit(21, {"tea": "<h1>tea</h1>"})
    for day in range(22, 50):
        past.commit(day, {f"{day}.txt": ""})
    assert past.days() == OLD | {"tea": 21}


def test_few_of_many_commits_are_built(past: Past) -> None:
    past.commit(2, {"cups": "<prices.txt>", "prices.txt": "1"})
    for day in range(3, 300):
        changed = {100: {"tea": "New"}, 150: {"prices.txt": "2"}}.get(day, {f"{day}.txt": ""})
        past.commit(day, changed)
    assert past.days() == OLD | {"tea": 100, "cups": 150}
    assert past.builds < 20


def test_the_sources_of_sphinx_say_which_commits_to_build(past: Past) -> None:
    program = GENERATOR.replace('Path("mkdocs.yml").read_text()', '""')
    past.generator.write_text(f"{program}\n(out / 'searchindex.js').touch()\n")
    past.commit(2, {"mkdocs.yml": None, "docs/conf.py": ""})
    for day in range(3, 100):
        past.commit(day, {60: {"tea": "New"}, 70: {"cups": "New"}}.get(day, {f"{day}.txt": ""}))
    assert past.days() == OLD | {"tea": 60, "cups": 70}
    assert past.builds < 10


def test_commits_of_the_same_second_are_built_once(past: Past) -> None:
    for name in ("tea", "water", "cups", "pots"):
        past.commit(2, {name: "Rebased and pushed at once"})
    past.commit(3, {"leaves": "New"})
    assert past.days() == {"index": 1, "tea": 2, "water": 2, "cups": 2, "pots": 2, "leaves": 3}
    assert past.builds == 2 + 2


def test_pages_older_than_the_bound_take_one_build(past: Past) -> None:
    for day in range(2, 50):
        past.commit(day, {f"{day}.txt": ""})
    assert past.days("--commits", 40) == OLD
    assert past.builds == 2 + 1


def test_a_site_that_began_with_few_pages_is_followed_back_to_them(past: Past) -> None:
    """All pages are made from one file, so git has no hint."""
    past.generator.write_text(
        "import sys; from pathlib import Path; out = Path(sys.argv[1]); out.mkdir()\n"
        "for line in open('site.data'):\n"
        "    Path(out, line[0] + '.html').write_text('<title>Tea</title>' + line)\n"
    )
    past.commit(2, {"site.data": "a 1\n"})
    past.commit(3, {"site.data": "a 1\nb 1\n"})
    past.commit(4, {"site.data": "a 2\nb 1\nc 1\n"})
    past.commit(5, {"site.data": "a 2\nb 1\nc 1\nd 1\ne 1\n"})
    assert past.days("--commits", 4) == {"a": 4, "b": 3, "c": 4, "d": 5, "e": 5}


def test_what_was_merged_changed_with_the_merge(past: Past) -> None:
    branch = past.repo.commit(2, {"docs/tea.md": "On a branch"}, after=(1,))
    main = past.repo.commit(3, {"docs/water.md": "On main"}, after=(1,))
    past.repo.commit(4, {"docs/tea.md": "On a branch"}, after=(main, branch))
    assert past.days() == OLD | {"tea": 4, "water": 3}


def test_commits_that_cannot_be_built_are_jumped_over_and_said(past: Past) -> None:
    past.commit(2, {"tea": "New"})
    past.commit(3, {"broken": "yes"})
    past.commit(4, {"f.txt": ""})
    past.commit(5, {"broken": None, "water": "New"})
    outcome = past.learn()
    assert past.dated() == OLD | {"tea": 2, "water": 5}
    assert "2 commits not built; the newest: The site is broken today." in outcome.stdout


def test_a_change_among_commits_that_cannot_be_built_has_the_day_that_git_knows(past: Past) -> None:
    past.commit(2, {"broken": "yes"})
    past.commit(3, {"tea": "New"})
    past.commit(4, {"broken": None})
    assert past.days() == OLD | {"tea": 3}


def test_a_page_that_moved_with_its_text_keeps_its_day(past: Past) -> None:
    past.commit(2, {"tea": "Green, and <a href=water.html>soft</a>"})
    past.commit(3, {"docs/drinks/tea.md": "Green, and <a href=../water.html>soft</a>", "tea": None})
    past.commit(4, {"docs/drinks/cups.md": "Small", "cups": None})
    days = {**OLD, "drinks/tea": 2, "drinks/cups": 4}
    del days["tea"], days["cups"]
    assert past.days() == days


def test_a_folder_of_pages_that_moved_keeps_all_days(past: Past) -> None:
    past.commit(2, {"tea": "Green"})
    past.repo.commit(3, {"manual": Moved("docs"), "mkdocs.yml": "docs_dir: manual\n"})
    past.repo.commit(4, {"manual/water.md": "Soft"})
    assert past.days() == OLD | {"tea": 2, "water": 4}


def test_a_theme_does_not_count_but_what_the_same_commit_says_does(past: Past) -> None:
    past.commit(2, {"theme.html": "Welcome! TEXT"})
    past.commit(3, {"theme.html": "<b>Hello!</b> TEXT", "tea": "New"})
    assert past.days() == OLD | {"tea": 3}


def test_pages_that_differ_from_build_to_build_are_said(past: Past) -> None:
    changing = "import time\nif file.stem == 'cups': text += str(time.time_ns())"
    line = "    page = out"
    past.generator.write_text(
        GENERATOR.replace(line, f"    {changing}\n{line}".replace("\nif", "\n    if"))
    )
    past.commit(2, {"tea": "New", "cups": "Small"})
    outcome = past.learn()
    assert "1 page not settled: two builds of one commit differ." in outcome.stdout
    assert past.dated() == OLD | {"tea": 2, "cups": 2}


def test_a_shallow_clone_settles_what_it_can_and_says_so(past: Past) -> None:
    past.commit(2, {"water": "Soft"})
    past.commit(3, {"f.txt": ""})
    past.commit(4, {"tea": "New"})
    past.repo = past.repo.clone("shallow", "--depth", "3")
    outcome = past.learn()
    assert "1 of 6 pages settled" in outcome.stdout
    assert "the clone is shallow" in outcome.stdout
    assert past.dated() == dict.fromkeys(OLD) | {"tea": 4}


@pytest.mark.parametrize("bound", [("--commits", 3), ("--since", "2024-01-03")])
def test_what_is_older_than_the_bound_keeps_its_date(past: Past, bound: tuple[object, ...]) -> None:
    past.commit(2, {"water": "Soft", "cups": "<f.txt>", "f.txt": "1"})
    past.commit(3, {"f.txt": "2"})
    past.commit(4, {"tea": "New"})
    past.commit(5, {"g.txt": "2"})
    outcome = past.learn(*bound)
    assert "--since or --commits" in outcome.stdout
    assert past.dated() == OLD | {"water": 2, "cups": 2, "tea": 4}


def test_a_date_that_cannot_be_is_not_kept(past: Past) -> None:
    past.commit(2, {"f.txt": ""})
    past.commit(3, {"f.txt": "1"})
    past.commit(4, {"tea": "<h1>tea</h1><template>x</template>"})
    past.commit(5, {"f.txt": "2"})
    assert past.days("--commits", 3) == OLD | {"tea": 3}


def test_the_time_is_bounded(past: Past) -> None:
    outcome = past.learn("--minutes", "0.00001")
    assert outcome.code == 2
    assert "cannot be built: it takes longer than" in outcome.stderr


def test_a_build_ends_when_the_time_is_up(past: Past) -> None:
    past.commit(2, {"tea": "Old", "slow.txt": ""})
    past.commit(3, {"tea": "New", "slow.txt": None})
    start = time.monotonic()
    outcome = past.learn("--minutes", "0.2")
    assert time.monotonic() - start < 300  # of the 600 seconds that the old commit takes
    assert "keep their dates: the 0.2 minutes are up." in outcome.stdout
    assert "not built" not in outcome.stdout  # it may be built with more time
    assert past.dated()["tea"] == 3


def test_known_dates_of_unchanged_pages_are_kept_where_nothing_is_learned(past: Past) -> None:
    past.commit(2, {"f.txt": ""})
    past.learn()
    ledger = past.ledger.read_text()
    past.ledger.write_text(ledger.replace("/tea.html 2024-01-01T12:00:00Z", "/tea.html 2023-05-06"))
    past.learn("--commits", "1")
    assert "/tea.html 2023-05-06 " in past.ledger.read_text()


def test_nothing_of_the_users_is_touched(past: Past) -> None:
    past.commit(2, {"tea": "New"})
    past.repo.save()
    (past.repo.folder / "docs/tea.md").write_text("Not committed")
    (past.repo.folder / "docs/new.md").write_text("Not known to git")
    (past.repo.folder / "staged.txt").write_text("Staged")
    past.repo.git("add", "staged.txt")
    before = past.everything()
    assert past.days() == OLD | {"tea": 2}
    assert past.everything() == before


@pytest.fixture
def ended_by_signals() -> Generator[None]:
    """Let signals end what a test starts: a shell's background jobs and `nohup` ignore some."""
    known = [name for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]  # Windows has one
    numbers = [signal.Signals[name] for name in known]
    before = {number: signal.signal(number, signal.SIG_DFL) for number in numbers}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("ended_by_signals")
def test_an_interrupted_run_goes_on_where_it_was(past: Past, tmp_path: Path) -> None:
    for day in range(2, 30):
        past.commit(day, {("tea", "cups", "pots")[day % 3]: f"<h1>{day}</h1>"})
    past.repo.save()
    before, state = past.everything(), tmp_path / "state.json"
    given = ("--build", past.command, "--ledger", str(past.ledger), "--state", str(state))
    command = [sys.executable, "-m", "sitemapkit_tools", "learn", str(past.repo.folder), *given]
    variables = {"TMPDIR": str(tmp_path / "tmp"), "HANG_AFTER": "4"}
    process = subprocess.Popen(command, env=os.environ | variables, stderr=subprocess.PIPE)
    while not past.log.exists() or past.builds < 4:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 1
    assert not past.ledger.exists()
    assert past.everything() == before
    builds = past.builds
    assert past.days("--state", state) == OLD | {"tea": 27, "cups": 28, "pots": 29}
    assert past.builds - builds < 2 + 4
    assert json.loads(state.read_text())["learned"]


@pytest.mark.usefixtures("ended_by_signals")
@pytest.mark.skipif(sys.platform == "win32", reason="nothing runs at an end there")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_run_that_is_ended_leaves_nothing(past: Past, tmp_path: Path, name: str) -> None:
    past.repo.save()
    number = signal.Signals[name]
    given = ("--build", f"echo > {past.log}; sleep 60; : {{out}}", "--ledger", str(past.ledger))
    command = [sys.executable, "-m", "sitemapkit_tools", "learn", str(past.repo.folder), *given]
    process = subprocess.Popen(command, env=os.environ | {"TMPDIR": str(tmp_path / "tmp")})
    while not past.log.exists():
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait() == 128 + number
    assert not [*(tmp_path / "tmp").glob("*")]


def test_what_a_build_wrote_meanwhile_stays(past: Past) -> None:
    past.commit(2, {"tea": "New"})
    assert past.days() == OLD | {"tea": 2}
    lines = past.ledger.read_text().splitlines()
    meanwhile = [
        re.sub(r"(/cups\S* ).*", r"\g<1>2024-05-06 0123456789abcdef", each) for each in lines
    ]
    meanwhile.append("/z-new/ 2024-05-06 0123456789abcdef")
    written = past.log.with_name("meanwhile")
    written.write_text("\n".join([*meanwhile, ""]))
    shell = f"test -e {written} && cp {written} {past.ledger}"
    outcome = past.learn("--build", f"{past.command}; {shell}; : {{out}}")
    assert outcome.code == 0, outcome.stderr
    found = past.ledger.read_text().splitlines()
    assert "/z-new/ 2024-05-06 0123456789abcdef" in found
    assert [each for each in found if "/cups" in each] == [
        each for each in meanwhile if "/cups" in each
    ]


def test_a_file_that_is_no_state_is_not_replaced(past: Past, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text('{"mine": 1}')
    outcome = past.learn("--state", state)
    assert (outcome.code, state.read_text()) == (2, '{"mine": 1}')
    assert "is not a state of `learn`" in outcome.stderr


def test_a_second_run_after_a_new_commit_builds_little(past: Past, tmp_path: Path) -> None:
    past.commit(2, {"tea": "New"})
    past.days("--state", tmp_path / "state.json")
    past.commit(3, {"water": "Soft"})
    builds = past.builds
    assert past.days("--state", tmp_path / "state.json") == OLD | {"tea": 2, "water": 3}
    assert past.builds - builds == 3


def test_builds_of_an_earlier_generator_are_not_compared(past: Past, tmp_path: Path) -> None:
    past.commit(2, {"tea": "New"})
    past.days("--state", tmp_path / "state.json")
    past.generator.write_text(GENERATOR.replace("{shown}", "{shown.replace('cups', 'mugs')}"))
    past.commit(3, {"water": "Soft"})
    assert past.days("--state", tmp_path / "state.json") == OLD | {"tea": 2, "water": 3}


def test_the_summary_names_the_dates_that_differ_most(past: Past) -> None:
    past.commit(2, {"cups": "<f.txt>", "f.txt": "1"})
    past.commit(9, {"f.txt": "2"})
    past.commit(10, {"water": "<h1>water</h1><template>x</template>"})
    lines = past.learn().stdout.splitlines()
    assert lines[0] == f"{past.ledger}: 6 of 6 pages settled"
    assert lines[1].startswith("5 builds of 4 commits in ")
    assert lines[2:] == [
        "2 dates changed from a build without a ledger:",
        "    /water.html  2024-01-10T12:00:00Z -> 2024-01-01T12:00:00Z  (-9 days)",
        "    /cups.html  2024-01-02T12:00:00Z -> 2024-01-09T12:00:00Z  (+7 days)",
    ]


def test_programs_get_the_same(past: Past) -> None:
    past.commit(2, {"tea": "<h1>tea</h1><template>x</template>"})
    told = json.loads(past.learn("--json").stdout)
    assert told["changes"] == [
        {
            "path": "/tea.html",
            "without": "2024-01-02T12:00:00Z",
            "learned": "2024-01-01T12:00:00Z",
        }
    ]
    assert (told["settled"], told["commits"]) == (6, 2)


def test_later_builds_keep_what_was_learned(past: Past, tmp_path: Path) -> None:
    past.commit(2, {"tea": "<h1>tea</h1><template>x</template>"})
    past.days()
    out = tmp_path / "out"
    command = past.command.replace("{out}", str(out))
    subprocess.run(["sh", "-c", command], cwd=past.repo.folder, check=True)
    told = run("build", out, "--base-url", "https://example.org/", "--ledger", past.ledger)
    assert "6 from ledger" in told.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--build", "make html"), "it has no {out}"),
        (("--build", "mkdir {out}"), "the build keeps no ledger"),
        (("--build", "echo No such thing: {out} && false"), "cannot be built: No such thing"),
        (("--build", "true {out}"), "the command writes nothing to {out}"),
        ((), "it has no mkdocs.yml, pelicanconf.py, conf.py or other settings"),
    ],
)
def test_what_cannot_be_learned_is_said(
    past: Past, arguments: tuple[str, ...], message: str
) -> None:
    past.commit(2, {"mkdocs.yml": None})
    past.repo.save()
    outcome = run("learn", past.repo.folder, *arguments)
    assert outcome.code == 2
    assert message in outcome.stderr


@pytest.mark.parametrize("name", MKDOCS_FILES)
def test_each_settings_file_has_the_command_of_its_generator(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    command = ready_command(tmp_path) or ""
    generator = name.partition(".")[0]
    assert command.endswith(
        f" -m {generator} build --quiet --config-file {name} --site-dir {{out}}"
    )


def test_a_folder_without_history_is_said(tmp_path: Path) -> None:
    outcome = run("learn", tmp_path)
    assert outcome.code == 2
    assert "git cannot read its history" in outcome.stderr
