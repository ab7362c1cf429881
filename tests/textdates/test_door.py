"""The door of textdates: its README, and its diagnostics as sitemapkit shows them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import textdates
from sitemapkit.rules import read_rules
from textdates.model import DiagnosticId

from ..repository import commit

README = Path(textdates.__file__).with_name("README.md").read_text(encoding="utf-8")

RAISED_BY_SITEMAPKIT = {"git-one-commit", "git-partly"}
"""Rules on dates from git that sitemapkit finds itself, of all pages together."""

FIXES = {
    "git-shallow": "fetch-depth: 0",
    "git-partial": "without `--filter`",
    "git-old": "2.15",
    "git-failed": "--filter=blob:none",
}


def printed_by_example(number: int, folder: Path) -> list[str]:
    """Return the lines that an example of the README prints in a repository."""
    example = README.split("```python\n")[number + 1].partition("```")[0]
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_the_example_of_the_readme_dates_the_files_of_a_repository(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Tea\n\nGreen.\n")
    commit(tmp_path, "2024-05-06T12:00:00Z")
    (tmp_path / "docs" / "new.md").write_text("Not committed.\n")
    index, new, contents = printed_by_example(0, tmp_path)
    assert index == f"{Path('docs/index.md')} 2024-05-06"
    assert new == f"{Path('docs/new.md')} untracked"
    assert "2024, 5, 6" in contents


def test_the_example_of_the_readme_names_translations_whose_original_has_a_newer_text(
    tmp_path: Path,
) -> None:
    for name in ("stale", "fresh", "new-tags"):
        for language in ("en", "de"):
            file = tmp_path / "docs" / language / f"{name}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"# {name}\n\nText in {language}.\n")
    (tmp_path / "docs" / "en" / "not-translated.md").write_text("# New\n")
    commit(tmp_path, "2024-05-06T12:00:00Z")
    (tmp_path / "docs" / "en" / "stale.md").write_text("# stale\n\nA newer text.\n")
    (tmp_path / "docs" / "en" / "new-tags.md").write_text(
        "---\ntags: [tea]\n---\n\n# new-tags\n\nText in en.\n"
    )
    (tmp_path / "docs" / "de" / "fresh.md").write_text("# fresh\n\nEin neuerer Text.\n")
    commit(tmp_path, "2024-06-07T12:00:00Z")
    stale = Path("docs/de/stale.md")
    assert printed_by_example(1, tmp_path) == [
        f"{stale} is of 2024-05-06, its original of 2024-06-07"
    ]


def test_the_readme_has_each_public_name() -> None:
    assert [name for name in textdates.__all__ if f"`{name}" not in README] == []


def test_each_diagnostic_is_a_rule_of_sitemapkit_and_no_other_rule_is_of_git() -> None:
    of_git = {rule for rule in read_rules("sitemapkit") if rule.startswith("git-")}
    assert of_git == {*get_args(DiagnosticId)} | RAISED_BY_SITEMAPKIT


@pytest.mark.parametrize("rule", FIXES)
def test_what_limits_dates_says_how_to_fix_it(rule: str) -> None:
    found = read_rules("sitemapkit")[rule]
    assert FIXES[rule] in f"{found.title} {found.fix}"
    assert found.severity == "note"
