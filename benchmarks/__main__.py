"""Run all benchmarks, one after the other, and write one report in Markdown.

    python -m benchmarks [--rounds N] [--quick] [--only writer,dates] [--checkout DIR[:FOLDER]] ...
                         [--out build/benchmarks.md] [--into docs/pages/benchmarks.md]

`--quick` takes small sites and one round, to see that all work; its figures are mostly the start of
processes. `--into` replaces what stands between the two marks in a page, by what a user feels.
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

import sitemapkit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FELT_TABLE = """\
| what | without | sitemapkit | another tool |
|---|--:|--:|--:|
"""
MARKS = ("<!-- results -->\n", "<!-- end of results -->\n")


@dataclass(frozen=True)
class Benchmark:
    """One of the programs beside this file."""

    name: str
    quick: Sequence[str] = ()
    """What makes it small."""


BENCHMARKS = (
    Benchmark("writer", ("--w1", "5000", "--w2", "2000", "--sizes", "5000,10000")),
    Benchmark("dates", ("--files", "20")),
    Benchmark("small"),
    Benchmark("mkdocs", ("--pages", "100")),
    Benchmark("pelican", ("--articles", "100")),
    Benchmark("sphinx", ("--generated", "500")),
    Benchmark("menus", ("--sizes", "30,100")),
    Benchmark("large", ("--pages", "5000")),
    Benchmark("real", ("starlette",)),
)


def main() -> None:
    """Run what is asked for, and write the report where it is asked for."""
    asked = parse_arguments()
    rows, text = felt_rows("\n".join(report(asked)))
    short = f"{measured_on(asked)}\n\n{FELT_TABLE}{rows}"
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(f"# Benchmarks\n\n{short}\n{text}", encoding="utf-8")
    if asked.into:
        page = asked.into.read_text("utf-8")
        asked.into.write_text(replaced(page, short), encoding="utf-8")
    print(asked.into or asked.out)


def parse_arguments() -> argparse.Namespace:
    """Return the command line's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, help="of each benchmark, if not its own")
    parser.add_argument("--quick", action="store_true", help="small sites, one round")
    parser.add_argument("--only", default="", metavar="NAME,NAME")
    parser.add_argument("--checkout", action="append", default=[], help="to date the files of")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "benchmarks.md")
    parser.add_argument("--into", type=Path, help="a page with marks")
    return parser.parse_args()


def measured_on(asked: argparse.Namespace) -> str:
    """Say when and where all of it is measured."""
    now = datetime.now(UTC)
    few = ", in one round only" if rounds_of(asked) == 1 else ""
    return (
        f"Measured on {now.day} {now:%B %Y}{few}, with sitemapkit {sitemapkit.__version__}"
        f"{revision()}, on: {machine()}."
    )


def felt_rows(text: str) -> tuple[str, str]:
    """Return the rows of what a user feels, and the report without them."""
    lines = text.splitlines(keepends=True)
    rows = [line.removeprefix(FELT) for line in lines if line.startswith(FELT)]
    return "".join(rows), "".join(line for line in lines if not line.startswith(FELT))


def report(asked: argparse.Namespace) -> Iterator[str]:
    """Yield the parts of the report."""
    for benchmark in BENCHMARKS:
        if benchmark.name in (asked.only.split(",") if asked.only else benchmark.name):
            yield from section(benchmark, arguments_of(benchmark, asked))


def revision() -> str:
    """Name the commit that is checked out, where this is a checkout."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f" at {done.stdout.strip()}" if done.returncode == 0 else ""


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


def section(benchmark: Benchmark, arguments: Sequence[str]) -> Iterator[str]:
    """Run one benchmark; yield what it measures, how, and what came out."""
    file = Path(__file__).with_name(f"{benchmark.name}.py")
    title, method = said(file)
    yield f"## {title}\n"
    yield f"{method}\n"
    print(f"{benchmark.name} ...", file=sys.stderr, flush=True)
    start = time.monotonic()
    done = run([sys.executable, "-m", f"benchmarks.{benchmark.name}", *arguments], cwd=ROOT)
    minutes = (time.monotonic() - start) / 60
    command = " ".join(["python -m", f"benchmarks.{benchmark.name}", *map(short, arguments)])
    yield f"`{command}`, {minutes:.1f} minutes.\n"
    yield f"{done.output.decode().strip()}\n"


def short(argument: str) -> str:
    """Return an argument without the folders of this machine."""
    path, colon, folder = argument.partition(":")
    return Path(path).name + colon + folder if argument.startswith("/") else argument


def said(file: Path) -> tuple[str, str]:
    """Return the title and the method of a benchmark, from its docstring."""
    first, *paragraphs = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n\n")
    title = re.sub(r": `.*`\.$|\.$", "", first)
    prose = [paragraph for paragraph in paragraphs if not paragraph.startswith(" ")]
    return title, re.sub(r"\s+Answers in Markdown\.", "", "\n\n".join(prose))


def replaced(page: str, text: str) -> str:
    """Return a page with other results between its marks."""
    before, _, rest = page.partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not end:
        raise SystemExit(f"the page has no {MARKS[0].strip()} ... {MARKS[1].strip()}")
    return f"{before}{MARKS[0]}\n{text}\n{end}{after}"


if __name__ == "__main__":
    main()
