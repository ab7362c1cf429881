"""Why git cannot date a file: notes about the environment, never warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.lastmod.git.command import GitError, GitMissingError
from sitemapkit.rules import issue

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapkit.model import Issue

_KNOWN_FAILURES = (
    ("git-ownership", "dubious ownership"),
    ("git-ownership", "unsafe repository"),
    ("git-empty", "unknown revision"),
    ("git-old", "unrecognized argument"),
)
"""The rule for what git says when it fails."""


def no_list(root: str, path: Path, error: Exception) -> Issue:
    """A list of ignored commits cannot be used."""
    why = error.strerror if isinstance(error, OSError) else f"{error} is not a full commit id"
    return issue("git-ignore-revs", root, f"{path}: {why}.")


def failed(root: str, error: GitError) -> Issue:
    """Git could not answer, so nothing in its repository has a date."""
    said = str(error).rstrip(".")
    if isinstance(error, GitMissingError):
        return issue("git-missing", root, f"{said}.")
    rule = next((rule for rule, sign in _KNOWN_FAILURES if sign in said), "git-failed")
    detail = f"It says: {said}."
    if rule == "git-ownership":
        detail += f" To trust it, run `git config --global --add safe.directory '{root}'`."
    return issue(rule, root, detail)
