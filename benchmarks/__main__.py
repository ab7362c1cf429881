"""Run all benchmarks, one after the other, and write one report in Markdown.

    python -m benchmarks [--rounds N] [--quick] [--only writer,dates] [--checkout DIR[:FOLDER]] ...
                         [--out build/benchmarks.md] [--into docs/pages/benchmarks.md]

`--quick` takes small sites and one round, to see that all work; its figures are mostly the start of
processes. `--into` writes the results into a page as soon as each benchmark has ended: in place of
its older ones there, with the command, the day and the commit. So it wants to know the commit:
what is measured has no change that is not committed.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measuring import FELT, ROOT, machine, run

if TYPE_CHECKING:
    from collections.abc import Sequence

FELT_TABLE = """\
| what | without | sitemapkit | another tool |
|---|--:|--:|--:|
"""
START = "<!-- benchmark {name}: commit {commit}; {code} -->"
"""Where a benchmark's results begin in a page; what releases reads it, too."""

END = "<!-- end of {name} -->"


@dataclass(frozen=True)
class Benchmark:
    """One of the programs beside this file."""

    name: str
    quick: Sequence[str] = ()
    """What makes it small."""

    code: Sequence[str] = ("core", "plugins")
    """What it measures; its results are of the commit whose code this is."""

    @property
    def measured(self) -> str:
        """The same, and the program that measures it."""
        return " ".join([*self.code, f"benchmarks/{self.name}.py"])


BENCHMARKS = (
    Benchmark(
        "writer",
        ("--w1", "5000", "--w2", "2000", "--sizes", "5000,10000"),
        ("core/sitemapkit", "tools/sitemapkit_tools/bulk.py"),
    ),
    Benchmark("dates", ("--files", "20"), ("core/textdates",)),
    Benchmark("small"),
    Benchmark("mkdocs", ("--pages", "100")),
    Benchmark("pelican", ("--articles", "100")),
    Benchmark("sphinx", ("--generated", "500")),
    Benchmark("menus", ("--sizes", "30,100"), ("core", "tools")),
    Benchmark("large", ("--pages", "5000"), ("core/sitemapkit",)),
    Benchmark(
        "real",
        ("pelican-blog",),
        ("core", "plugins", "benchmarks/sites.toml", "benchmarks/twice.py"),
    ),
)


@dataclass(frozen=True)
class Result:
    """What came out of a benchmark."""

    benchmark: Benchmark
    command: str
    minutes: float
    felt: str
    """Rows of what a user feels; "" if its table is for users as it is."""

    output: str


def main() -> None:
    """Run what is asked for, and write the report where it is asked for."""
    asked = parse_arguments()
    names = asked.only.split(",") if asked.only else [each.name for each in BENCHMARKS]
    chosen = [each for each in BENCHMARKS if each.name in names]
    if asked.into:
        refuse_changes(chosen)
    results: list[Result] = []
    for benchmark in chosen:
        result = measured(benchmark, arguments_of(benchmark, asked))
        results.append(result)
        if asked.into:
            page = asked.into.read_text("utf-8")
            asked.into.write_text(replaced(page, result, measured_on(asked)), encoding="utf-8")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(report(results, measured_on(asked)), encoding="utf-8")
    print(asked.into or asked.out)


def parse_arguments() -> argparse.Namespace:
    """Return the command line's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, help="of each benchmark, if not its own")
    parser.add_argument("--quick", action="store_true", help="small sites, one round")
    parser.add_argument("--only", default="", metavar="NAME,NAME")
    parser.add_argument("--checkout", action="append", default=[], help="to date the files of")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "benchmarks.md")
    parser.add_argument("--into", type=Path, help="a page with results")
    return parser.parse_args()


def measured_on(asked: argparse.Namespace) -> str:
    """Say when, where and of what commit all of it is measured."""
    now = datetime.now(UTC)
    few = ", in one round only" if rounds_of(asked) == 1 else ""
    return f"{now.day} {now:%B %Y}{few}, commit `{revision() or 'unknown'}`, on {machine()}"


def revision() -> str:
    """Return the commit that is checked out; "" where this is no checkout."""
    return git("rev-parse", "--short=12", "HEAD")


def git(*arguments: str) -> str:
    """Return what git says of this checkout; "" where it is none."""
    command = ["git", "-C", str(ROOT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def refuse_changes(chosen: Sequence[Benchmark]) -> None:
    """Stop where the code is not that of the commit which the page would name."""
    paths = sorted({path for each in chosen for path in each.measured.split()})
    changed = git("status", "--porcelain", "--", *paths)
    if changed or not revision():
        raise SystemExit(f"commit first: a page names the commit that was measured.\n{changed}")


def report(results: Sequence[Result], place: str) -> str:
    """Return the report: what users feel, then how each benchmark measures and what came out."""
    rows = "".join(each.felt for each in results)
    parts = [f"# Benchmarks\n\nMeasured on {place}.\n\n{FELT_TABLE}{rows}"]
    for each in results:
        title, method = said(each.benchmark)
        took = f"`{each.command}`, {each.minutes:.1f} minutes."
        parts.append(f"## {title}\n\n{method}\n\n{took}\n\n{each.output}\n")
    return "\n".join(parts)


def rounds_of(asked: argparse.Namespace) -> int | None:
    """Return how many rounds were asked for; None: as many as each benchmark wants."""
    return asked.rounds or (1 if asked.quick else None)


def arguments_of(benchmark: Benchmark, asked: argparse.Namespace) -> list[str]:
    """Return the arguments to run a benchmark with."""
    rounds = rounds_of(asked)
    places: list[str] = asked.checkout if benchmark.name == "dates" else []
    return [
        *(benchmark.quick if asked.quick else ()),
        *(("--rounds", str(rounds)) if rounds else ()),
        *places,
    ]


def measured(benchmark: Benchmark, arguments: Sequence[str]) -> Result:
    """Run one benchmark."""
    print(f"{benchmark.name} ...", file=sys.stderr, flush=True)
    start = time.monotonic()
    done = run([sys.executable, "-m", f"benchmarks.{benchmark.name}", *arguments], cwd=ROOT)
    minutes = (time.monotonic() - start) / 60
    command = " ".join(["python -m", f"benchmarks.{benchmark.name}", *map(short, arguments)])
    felt: list[str] = []
    others: list[str] = []
    for line in done.output.decode().strip().splitlines():
        if line.startswith(FELT):
            felt.append(line.removeprefix(FELT) + "\n")
        else:
            others.append(line)
    return Result(benchmark, command, minutes, "".join(felt), "\n".join(others))


def short(argument: str) -> str:
    """Return an argument without the folders of this machine."""
    path, colon, folder = argument.partition(":")
    return Path(path).name + colon + folder if argument.startswith("/") else argument


def said(benchmark: Benchmark) -> tuple[str, str]:
    """Return the title and the method of a benchmark, from its docstring."""
    program = Path(__file__).with_name(f"{benchmark.name}.py").read_text("utf-8")
    first, *paragraphs = (ast.get_docstring(ast.parse(program)) or "").split("\n\n")
    title = re.sub(r": `.*`\.$|\.$", "", first)
    prose = [paragraph for paragraph in paragraphs if not paragraph.startswith(" ")]
    return title, re.sub(r"\s+Answers in Markdown\.", "", "\n\n".join(prose))


def replaced(page: str, result: Result, place: str) -> str:
    """Return a page with these results of a benchmark, in place of older ones or at its end."""
    benchmark = result.benchmark
    title, method = said(benchmark)
    start = START.format(name=benchmark.name, commit=revision(), code=benchmark.measured)
    end = END.format(name=benchmark.name)
    table = f"{FELT_TABLE}{result.felt}" if result.felt else f"{result.output}\n"
    took = f"`{result.command}`: {place}."
    block = f"{start}\n\n## {title}\n\n{method}\n\n{took}\n\n{table}\n{end}\n"
    before, mark, rest = page.partition(f"<!-- benchmark {benchmark.name}: ")
    _, end_mark, after = rest.partition(f"{end}\n")
    if mark and not end_mark:
        raise SystemExit(f"the page has no line {end}")
    if not mark:
        before += "\n"
    return before + block + after


if __name__ == "__main__":
    main()
