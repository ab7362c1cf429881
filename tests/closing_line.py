"""Print how all tests of several runs ended, as pytest does: python closing_line.py FILE...

Each file is the JUnit XML of a run. Exits with 1 if a test failed, if a run left no file, or if a
test is in two of them.
"""

from __future__ import annotations

import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

ORDER = ("failed", "passed", "skipped", "xfailed", "error")
"""Pytest's words, in pytest's order."""


def outcome(case: ET.Element) -> str:
    """Return how a test ended."""
    if case.find("error") is not None:
        return "error"
    if case.find("failure") is not None:
        return "failed"
    skipped = case.find("skipped")
    if skipped is None:
        return "passed"
    return "xfailed" if skipped.get("type") == "pytest.xfail" else "skipped"


def name(case: ET.Element) -> str:
    """Return what tells a test from all others."""
    return f"{case.get('classname')}::{case.get('name')}"


def closing_line(files: list[Path]) -> tuple[str, bool]:
    """Return the line, and whether all is well."""
    ends: Counter[str] = Counter()
    seconds = 0.0
    seen: set[str] = set()
    for file in files:
        suite = ET.parse(file).getroot().find("testsuite")
        if suite is None:
            raise SystemExit(f"{file} holds no results of tests")
        seconds += float(suite.get("time", 0))
        cases = suite.findall("testcase")
        names = {name(case) for case in cases}
        if twice := seen & names:
            raise SystemExit(f"{file}: {min(twice)} ran before, in another run")
        seen |= names
        ends.update(map(outcome, cases))
    counted = ", ".join(f"{ends[word]} {word}" for word in ORDER if ends[word])
    clock = timedelta(seconds=round(seconds))
    line = f" {counted or 'no tests ran'} in {seconds:.2f}s ({clock}) "
    return line.center(80, "="), bool(ends["passed"]) and not ends["failed"] + ends["error"]


def main(names: list[str]) -> None:
    """Print the line of the files that were named."""
    files = [Path(each) for each in names]
    if missing := [str(file) for file in files if not file.exists()]:
        raise SystemExit(f"{', '.join(missing)}: the run that writes it did not end")
    line, is_well = closing_line(files)
    sys.stdout.write(f"{line}\n")
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
