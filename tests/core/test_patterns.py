"""Patterns match what git's do, and take linear time whatever they are."""

from __future__ import annotations

import random
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from sitemapkit.patterns import PathPatterns

if TYPE_CHECKING:
    from pathlib import Path

WORDS = [
    *("a", "b", "*", "*", "/", "/", "?", "[ab]", "[!a]", "[^b]", "[a-b]", "[]a]"),
    *("[0-9-]", "[a-]", "\\*", "-", "1", "[\\]]"),
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("patterns")
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


def ignored(repository: Path, pattern: str, paths: list[str]) -> set[str]:
    """Return the paths that git ignores."""
    (repository / ".gitignore").write_text(pattern + "\n")
    command = ["git", "-C", str(repository), "check-ignore", "--no-index", "--stdin", "-z"]
    asked = "\0".join(paths) + "\0"
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    return {*done.stdout.split("\0")} - {""}


def drawn(chance: random.Random) -> tuple[str, list[str]]:
    """Return a pattern, and paths that are like it."""
    pattern = "".join(chance.choices(WORDS, k=chance.randint(1, 5)))
    if chance.random() < 0.4:
        place = chance.choice(["**/{}", "a/**/{}", "{}/**", "**/a/**/{}"])
        pattern = place.format(pattern.strip("/") or "a")
    names = ["".join(chance.choices("aab*-]1", k=chance.randint(1, 3))) for _ in range(60)]
    return pattern, ["/".join(chance.choices(names, k=chance.randint(1, 4))) for _ in range(30)]


def test_a_pattern_matches_what_git_ignores(repository: Path) -> None:
    chance = random.Random(1)  # noqa: S311 - no secret
    compared = 0
    for _ in range(400):
        pattern, paths = drawn(chance)
        if pattern == "/" or "***" in pattern or "//" in pattern:  # git gives these no meaning
            continue
        patterns = PathPatterns((pattern,))
        found = {path for path in paths if patterns.match(path)}
        assert found == ignored(repository, pattern, paths), pattern
        compared += bool(found)
    assert compared > 100


@pytest.mark.parametrize(
    ("patterns", "path", "decides"),
    [
        (("a/", "!a/b"), "a/b", "!a/b"),
        (("!a/b", "a/"), "a/b", "!a/b"),  # of the path itself, not of a folder above it
        (("*", "!a/"), "a/", "*"),
        (("a", "!a"), "a", "!a"),
        (("**/a",), "a/b/a", "**/a"),
        (("a/**/a", "!a"), "a/b/a", "!a"),
        (("/",), "", "/"),
        (("/",), "a", ""),
        (("*/",), "a", ""),
        (("**/",), "a/b", "**/"),
        (("[!a]b",), "/b", ""),
        (("# a", " ", "\\#"), "#", "\\#"),
        (("[a",), "[a", ""),
        (("a\\ ",), "a ", "a\\ "),
    ],
)
def test_the_last_pattern_for_the_path_itself_decides(
    patterns: tuple[str, ...], path: str, decides: str
) -> None:
    assert PathPatterns(patterns).deciding(path) == decides


@pytest.mark.parametrize("pattern", ["[z-a]", "[[:alpha:]]", "a\\", "!a/\\"])
def test_an_invalid_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="Invalid git pattern: "):
        PathPatterns((pattern,))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 500 + "b", "a" * 8_000),
        ("*a*" * 300 + "b", "a" * 8_000),
        ("*[!b]" * 300 + "b", "a" * 8_000),
        ("*?" * 500 + "b", "a" * 8_000),
        ("*" + "a" * 499 + "b", "a" * 8_000),
        ("**/a/" * 300 + "b", "a/" * 4_000 + "c"),
        ("**/*a*/" * 300 + "b", "aa/" * 3_000),
        ("**/*a*/" * 300, "aa/" * 3_000),
        ("**/" + "*/" * 300 + "b", "a/" * 4_000 + "c"),
        ("**/" + "a/" * 499 + "b", "a/" * 4_000),
    ],
)
@pytest.mark.parametrize("sign", ["", "!"])
def test_any_pattern_takes_little_time(pattern: str, path: str, sign: str) -> None:
    start = time.process_time()
    PathPatterns((sign + pattern,)).match(path)
    assert time.process_time() - start < 1
