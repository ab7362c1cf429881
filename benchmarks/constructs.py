"""Which constructs of `textdates` real pages need: each is switched off alone, and dates compared.

    nice python -m benchmarks.constructs CHECKOUT[=URL] ... [--modules compare/words.py,...]
                                         [--jobs 2]

A construct is what can be taken out of a module alone and takes a line: a branch, an entry of a
table, a line of a pattern. `URL` is where the checkout is published. Each text in the checked-out
commits is dated once, whole and by the parts that pages show, and all comparisons of two versions
are kept. So a construct of the comparer costs no more than to compare them again: a file has
another date as soon as one answer is another. For a construct of a walk all files are dated again.

Answers in Markdown, a row for each construct: how many files have another date without it (more
than a few are not counted), one of them, and how often it failed. One with 0 needs another reason
to be there: a bound, time, a report.
"""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from textdates import Part, Rules, parts
from textdates.budget import Budget
from textdates.compare.same import Comparer
from textdates.git import blobs
from textdates.git.history import Target
from textdates.git.repository_dates import RepositoryDates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

    from textdates import Cut

Item = TypeVar("Item")
Answer = TypeVar("Answer")

CORE = Path(__file__).parents[1] / "core" / "textdates"
MODULES = (
    *("compare/blocks.py", "compare/catalog.py", "compare/links.py", "compare/markup.py"),
    *("compare/notebook.py", "compare/same.py", "compare/words.py"),
    *("front_matter.py", "rendered.py"),
    *("parts/between.py", "parts/headings.py", "parts/python_objects.py"),
    *("parts/python_shown.py", "parts/shown.py"),
    *("git/first_parent.py", "git/history.py", "git/ignored.py", "git/renames.py"),
)
TEXTS = (".md", ".markdown", ".mdx", ".rst", ".ipynb", ".html", ".txt", ".po")
CUTS = {
    "": TEXTS,
    "Headings(2)": (".md", ".rst"),
    'Published((Draft("status", ("draft", "hidden")),), ("title",))': TEXTS[:6],
    'Shown(("date", "categories", "tags"), text=True, words=50)': (".md", ".rst", ".html"),
    'Shown(("date", "categories"), text=True, separator="<!-- more -->")': (".md",),
    "PythonObjects(NAMES)": (".py",),
    'PythonObjects(NAMES, source="all")': (".py",),
}
"""What is dated of files: all of them, and the parts that lists, blogs and API pages show."""

_MANY = 5
"""Files with another date that are enough."""

_PATIENCE = 600
"""Seconds for one construct."""

_WITH_LINES = ast.Constant, ast.JoinedStr, ast.Tuple, ast.Dict, ast.Set
"""Tables and patterns, which may have lines."""


@dataclass(frozen=True)
class Construct:
    """A change of a module that takes one thing out of it."""

    module: str
    line: int
    what: str
    text: str
    """The module without it."""


@dataclass(frozen=True)
class Comparison:
    """Two versions of a file that were compared on the way to its date."""

    old: bytes
    new: bytes
    name: bytes
    cut: str
    base: str
    answer: bool
    modules: frozenset[str]
    """Those that had a say."""


Dates = dict[str, object]
"""Dates, or why there is none, by file and part."""


@dataclass(frozen=True)
class Known:
    """What was found with all constructs."""

    dates: dict[str, Dates] = field(default_factory=dict[str, Dates])
    """Those of each checkout."""

    files: dict[Comparison, set[str]] = field(default_factory=dict[Comparison, set[str]])
    """Those that each comparison decided about."""


KNOWN = Known()
"""Processes that are forked from this one have it, too: see `in_processes`."""


def main() -> None:
    """Switch off what the arguments ask for, and print the answers as they come."""
    asked = parse_arguments()
    are_parts = any(module.startswith("parts/") for module in asked.modules)
    record_all = partial(record, cuts=CUTS if are_parts else ("",))
    for place, known in in_processes(record_all, asked.checkouts, asked.jobs):
        KNOWN.dates.update(known.dates)
        KNOWN.files.update(known.files)
        print(place, len(known.files), file=sys.stderr)
    count = sum(map(len, KNOWN.dates.values()))
    print(f"{len(KNOWN.dates)} checkouts, {count:,} dates, {len(KNOWN.files):,} comparisons\n")
    print("| line | construct | files | one | failed |\n|---|---|---|---|---|", flush=True)
    wanted = chain.from_iterable(map(constructs, asked.modules))
    for each, (changed, failed) in in_processes(judge, wanted, asked.jobs):
        one = min(changed, default="")
        row = f"{each.module}:{each.line}", f"`{each.what}`", len(changed), one, failed
        print("|", " | ".join(map(str, row)), "|", flush=True)


def parse_arguments() -> argparse.Namespace:
    """Return the command line's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkouts", nargs="+", metavar="CHECKOUT[=URL]")
    parser.add_argument("--modules", type=lambda text: text.split(","), default=MODULES)
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    return parser.parse_args()


def in_processes(
    function: Callable[[Item], Answer], items: Iterable[Item], jobs: int
) -> Iterator[tuple[Item, Answer]]:
    """Yield each item with its answer, in a process for each, which may change what is loaded.

    That is forked from this one, which has no other thread.
    """
    context = multiprocessing.get_context("fork")
    running = deque[tuple[Item, Any]]()
    for item in items:
        if len(running) == jobs:
            done, answer = running.popleft()
            yield done, answer.recv()
        answer, end = context.Pipe(duplex=False)
        send = partial(_send, end.send, function, item)
        context.Process(target=send, daemon=True).start()
        end.close()
        running.append((item, answer))
    yield from ((done, answer.recv()) for done, answer in running)


def _send(send: Callable[[Answer], None], function: Callable[[Item], Answer], item: Item) -> None:
    send(function(item))


def record(place: str, cuts: Iterable[str]) -> Known:
    """Date the texts of a checkout; return the dates, and all that was compared for them."""
    known = Known()
    base = place.partition("=")[2]
    unchanged, is_same = blobs.Texts.unchanged, Comparer.is_same
    ours = {str(CORE / module): module for module in MODULES}
    texts, targets = dict[bytes, bytes](), dict[bytes, Any]()

    def compared(
        _self: Comparer,
        old: bytes,
        new: bytes,
        name: bytes,
        cut: Cut | None = None,
        origin: bytes = b"",
    ) -> bool:
        code = set[str]()

        def note(frame: FrameType, _event: str, _argument: object) -> None:
            code.add(frame.f_code.co_filename)

        sys.setprofile(note)
        answer = is_same(
            Comparer(Budget(), base), old, new, name, cut, origin
        )  # as it is asked again
        sys.setprofile(None)
        modules = frozenset(ours[each] for each in code if each in ours)
        old, new = texts.setdefault(old, old), texts.setdefault(new, new)
        key = Comparison(old, new, name, spelled.get(cut, ""), base, answer, modules)
        files = (f"{place}/{os.fsdecode(each.name)}" for each in targets[name])
        known.files.setdefault(key, set()).update(files)
        return answer

    def noted(self: blobs.Texts, changes: Any, wanted: Any) -> set[Target]:  # noqa: ANN401 - as there
        targets.update(wanted)
        return unchanged(self, changes, wanted)

    spelled = dict[object, str]()
    setattr(Comparer, "is_same", compared)  # noqa: B010 - a method
    setattr(blobs.Texts, "unchanged", noted)  # noqa: B010 - a method
    known.dates[place] = dates_of(place, cuts, spelled)
    return known


def dates_of(place: str, cuts: Iterable[str], spelled: dict[object, str]) -> Dates:
    """Return the date of each part of each text, or why it has none; `spelled` gets the cuts."""
    given, _, base = place.partition("=")
    root = os.path.realpath(given)
    wanted: dict[Target, str] = {}
    for name in listed(root):
        for cut in cuts:
            if name.endswith(CUTS[cut]):
                names = repr(names_in(root, name)) if "NAMES" in cut else ""
                spelling = cut.replace("NAMES", names)
                part = cut_from(spelling)
                spelled[part] = spelling
                wanted[Target(os.fsencode(name), part)] = f"{place}/{name} {cut}".rstrip()
    dates = RepositoryDates(root, Rules(base=base), Budget()).dates({*wanted})
    return {wanted[target]: date for target, date in dates.items()}


def listed(root: str) -> Iterator[str]:
    """Yield the texts in the checked-out commit, and the modules of its packages."""
    for name in git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0"):
        if name.endswith(TEXTS) or (name.endswith(".py") and not re.search(r"tests?\b", name)):
            yield name


def names_in(root: str, name: str) -> tuple[str, ...]:
    """Return the names of the classes and functions of a module, and of their methods."""
    names = [""]
    with suppress(SyntaxError, ValueError):
        for node in ast.parse(git(root, "show", f"HEAD:{name}")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                inner = (each for each in node.body if isinstance(each, ast.FunctionDef))
                names += [node.name, *(f"{node.name}.{each.name}" for each in inner)]
    return tuple(dict.fromkeys(names))


def cut_from(spelling: str) -> Cut | None:
    """Return the cut that is spelled so."""
    known = {name: getattr(parts, name) for name in parts.__all__}
    return Part("", eval(spelling, known)).cut if spelling else None  # noqa: S307 - our own text


def git(root: str, *arguments: str) -> str:
    """Return what git answers."""
    command = ["git", "-C", root, *arguments]
    return os.fsdecode(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def judge(construct: Construct) -> tuple[set[str], int]:
    """Return the files that have another date without a construct, and how often it then fails."""
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(_PATIENCE)
    try:
        load(construct)
        if construct.module.startswith("git/"):
            return dated_again()
        return compared_again(construct.module)
    except Exception:  # noqa: BLE001 - a construct that is missed may raise anything
        return set(), _MANY


def _give_up(*_: object) -> None:
    raise TimeoutError


def load(construct: Construct) -> None:
    """Put a module without a construct in the place of the loaded one, wherever it is used."""
    name = "textdates." + construct.module.removesuffix(".py").replace("/", ".")
    module = import_module(name)
    old = dict(vars(module))
    exec(compile(construct.text, module.__file__ or "", "exec"), vars(module))  # noqa: S102
    used = [each for key, each in sys.modules.items() if key.startswith("textdates")]
    for other in (*used, sys.modules[__name__]):
        for key, value in vars(other).copy().items():
            if key in old and value is old[key]:
                setattr(other, key, getattr(module, key))


def dated_again() -> tuple[set[str], int]:
    """Date all files once more, until it is clear that many have another date."""
    changed, failed = set[str](), 0
    for place, known in KNOWN.dates.items():
        try:
            new = dates_of(place, ("",), {})
        except Exception:  # noqa: BLE001 - a construct that is missed may raise anything
            failed += 1
            continue
        changed.update(name for name in new if new[name] != known[name])
        if max(len(changed), failed) >= _MANY:
            break
    return changed, failed


def compared_again(module: str) -> tuple[set[str], int]:
    """Compare all versions once more, until it is clear that many have another date."""
    from textdates.compare.same import is_same_text as compare  # noqa: PLC0415 - of the loaded one

    changed, failed = set[str](), 0
    cuts: dict[str, Cut | None] = {"": None}
    asked = [each for each in KNOWN.files if module in each.modules]
    random.Random(0).shuffle(asked)  # noqa: S311 - what many files need is soon found so
    for each in asked:
        try:
            if each.cut not in cuts:
                cuts[each.cut] = cut_from(each.cut)
            same = compare(each.old, each.new, each.name, cuts[each.cut], each.base)
        except Exception:  # noqa: BLE001 - a construct that is missed may raise anything
            failed += 1
        else:
            changed |= KNOWN.files[each] if same != each.answer else set()
        if max(len(changed), failed) >= _MANY:
            break
    return changed, failed


def constructs(module: str) -> Iterator[Construct]:
    """Yield what can be taken out of a module: branches, lines of tables and of patterns."""
    text = (CORE / module).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    tree = ast.parse(text)
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and node.test.lineno == node.test.end_lineno:
            line, test = lines[node.lineno - 1].encode(), node.test
            new = line[: test.col_offset] + b"False" + line[test.end_col_offset :]
            found[node.lineno] = new.decode()
        elif isinstance(node, _WITH_LINES) and id(node) not in said and node.end_lineno:
            found |= dict.fromkeys(range(node.lineno + 1, node.end_lineno), "")
    for number, other in sorted(found.items()):
        changed = "".join([*lines[: number - 1], other, *lines[number:]])
        what = lines[number - 1].strip()
        with suppress(SyntaxError):
            compile(changed, module, "exec")
            if what and not what.startswith(("#", "if TYPE_CHECKING:")):
                yield Construct(module, number, what.replace("|", "\u00a6"), changed)


if __name__ == "__main__":
    main()
