"""Attacks on regular expressions: long runs of what they are made of, of two things each.

`python -m tests.patterns FILE` reads patterns from a file of JSON, and writes those that are slow.
"""

from __future__ import annotations

import json
import math
import re
import signal
import sys
import time
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_constants: Any = re._constants  # type: ignore[attr-defined]  # noqa: SLF001 - what re parses
_parse: Any = re._parser.parse  # type: ignore[attr-defined]  # noqa: SLF001 - into

COUNT, TIMES = 200, 32
"""How often a part is repeated, and how much more often in the longer input."""

SUSPICIOUS = 0.0002
"""Seconds from which on an input is looked at again."""

LONGEST = 0.05
"""Seconds of the longer one; if time was quadratic, it takes 0.2."""

MOST_TIMES = 200
"""What the longer one may take: linear time is 32, quadratic 1,024."""

MOST_SECONDS = 2
"""For one input, in case that it takes exponential time."""

MOST_PARTS, LONGEST_PART = 9, 40
USUAL = (" ", "\n", "a", "1", "-", "/", "\\")
SIGNS = "a1 -/.<\"'\n=&;:_[(|*`~#\t>,{}+"


class Used(NamedTuple):
    """A pattern, and by which of its methods it is asked."""

    pattern: str
    flags: int
    method: str
    is_bytes: bool

    @classmethod
    def of(cls, pattern: re.Pattern[Any], method: str) -> Used:
        text: Any = pattern.pattern
        if isinstance(text, bytes):
            return cls(text.decode("latin-1"), pattern.flags, method, is_bytes=True)
        return cls(text, pattern.flags, method, is_bytes=False)

    def compiled(self) -> re.Pattern[Any]:
        text: Any = self.pattern.encode("latin-1") if self.is_bytes else self.pattern
        return re.compile(text, self.flags)


def parts_of(used: Used) -> Sequence[str]:
    """Return what may be repeated: a sample of each part of a pattern, and of what precedes it."""
    found: dict[str, None] = {}
    _sample(_parse(used.pattern, used.flags & ~re.LOCALE), found)
    own = sorted((part for part in found if 0 < len(part) < LONGEST_PART), key=len)
    step = math.ceil(len(own) / MOST_PARTS) or 1
    return [*dict.fromkeys([*USUAL, *own[::step]])]


def _sample(tree: Any, found: dict[str, None]) -> str:
    """Return a text that a parsed pattern matches; each part, and what precedes it, is kept."""
    text = ""
    for operator, value in tree:
        match str(operator):
            case "LITERAL":
                text += chr(value)
            case "NOT_LITERAL":
                text += next(sign for sign in SIGNS if sign != chr(value))
            case "ANY":
                text += "a"
            case "IN":
                text += _sign_in(value)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, _, inner = value
                found[text] = None
                text += _sample(inner, found) * min(max(least, 1), 9)
            case "SUBPATTERN" | "ATOMIC_GROUP":
                text += _sample(value[-1] if isinstance(value, tuple) else value, found)
            case "BRANCH":
                text += max((_sample(branch, found) for branch in value[1]), key=len)
            case "ASSERT" | "ASSERT_NOT":
                _sample(value[1], found)
            case _:
                pass
    found[text] = None
    return text


def _sign_in(members: Any) -> str:
    """Return a character of a class."""
    is_other = str(members[0][0]) == "NEGATE"
    sign: str
    for sign in (*SIGNS, *map(chr, range(33, 256))):
        if any(_has(member, sign) for member in members) != is_other:
            return sign
    return "a"


def _has(member: tuple[Any, Any], sign: str) -> bool:
    operator, value = member
    match str(operator):
        case "LITERAL":
            return sign == chr(value)
        case "RANGE":
            return bool(value[0] <= ord(sign) <= value[1])
        case "CATEGORY":
            classes = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
            name = str(value).removeprefix("CATEGORY_")
            is_in = re.match(classes[name.removeprefix("NOT_")], sign) is not None
            return is_in != name.startswith("NOT_")
        case _:
            return False


def slow_input(used: Used) -> str:
    """Return what an input is made of for which a pattern takes more than linear time, or ""."""
    pattern, parts = used.compiled(), parts_of(used)
    for one, other in product(parts, parts):
        for shape in SHAPES:
            text = shape(one, other, COUNT)
            before = seconds(pattern, used, text)
            if before < SUSPICIOUS:
                continue
            if before < LONGEST:
                before = min(seconds(pattern, used, text) for _ in range(3))
                if seconds(pattern, used, shape(one, other, 4 * COUNT)) < 8 * before:
                    continue
                text = shape(one, other, COUNT * TIMES)
            start = time.process_time()  # which other processes do not change, but is no fine clock
            seconds(pattern, used, text)
            taken = time.process_time() - start
            if taken > LONGEST and (taken > MOST_TIMES * before or before > LONGEST):
                return f"{one!r} and {other!r}, {len(text)} signs: {taken:.3f} seconds"
    return ""


SHAPES: Sequence[Callable[[str, str, int], str]] = (
    lambda one, other, count: one * count + other * count,
    lambda one, other, count: (one + other) * count,
    lambda one, other, count: one + other * count,
    lambda one, other, count: f"{one} {other * count}",
)


def seconds(pattern: re.Pattern[Any], used: Used, text: str) -> float:
    """Return what a search takes; one that takes too long is stopped."""
    given: Any = text.encode("latin-1", "replace") if used.is_bytes else text
    start = time.perf_counter()
    with suppress(TimeoutError):
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
        if used.method == "sub":
            pattern.sub(given[:0], given)
        elif used.method == "finditer":
            pattern.findall(given)
        else:
            getattr(pattern, used.method)(given)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.perf_counter() - start


def _stop(*_: object) -> None:
    raise TimeoutError


def main(file: str) -> None:
    signal.signal(signal.SIGVTALRM, _stop)
    for given in json.loads(Path(file).read_text("utf-8")):
        used = Used(*given)
        said = slow_input(used)
        if said:
            sys.stdout.write(f"{used.pattern!r}, {used.method}: {said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
