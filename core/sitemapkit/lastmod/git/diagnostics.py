"""What limits the dates in this environment, and how to fix it: severity `info`, never warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.lastmod.git.command import GitError, GitMissingError
from sitemapkit.report import Problem

if TYPE_CHECKING:
    from pathlib import Path


def shallow(root: str) -> Problem:
    """The history ends before some dates."""
    return _diagnostic(
        "git-shallow",
        root,
        "The clone is shallow: what last changed before its oldest commit has no date.",
        "Fetch the whole history: `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` on GitLab,"
        " or `git fetch --unshallow`.",
    )


def partial(root: str) -> Problem:
    """There are no old texts to compare."""
    return _diagnostic(
        "git-partial",
        root,
        "The clone has no old texts: a change of front matter or white space alone moves a date.",
        "Clone without `--filter` if dates should be as in a full clone.",
    )


def untracked(root: str, example: str, count: int) -> Problem:
    """Files are in the work tree, but not in the checked-out commit."""
    others = f" and {count - 1:,} more are" if count > 1 else " is"
    return _diagnostic(
        "git-untracked",
        root,
        f"{example}{others} not in the checked-out commit, and so without a date.",
        "Commit what is a source; give generated pages a date of their own, or none.",
    )


def outside(example: str, count: int) -> Problem:
    """Files are in no repository."""
    others = f" and {count - 1:,} more lie" if count > 1 else " lies"
    return _diagnostic(
        "git-outside",
        example,
        f"This{others} outside any git repository, and so without a date.",
        "Keep the sources under git, or state dates in the pages' metadata.",
    )


def no_list(root: str, path: Path, error: Exception) -> Problem:
    """A list of ignored commits cannot be used."""
    if isinstance(error, OSError):
        message = f"The list of ignored commits {path} cannot be read: {error.strerror}."
    else:
        message = f"The list of ignored commits {path} is left out: {error} is no full commit id."
    return _diagnostic(
        "git-ignore-revs", root, message, "Write one id of 40 (or 64) hexadecimal digits a line."
    )


def failed(root: str, error: GitError) -> Problem:
    """Git failed, so nothing in its repository has a date."""
    said = str(error).rstrip(".")
    if isinstance(error, GitMissingError):
        return _diagnostic(
            "git-missing",
            root,
            f"No page has a date from git: {said}.",
            "Install git where the site is built, or leave git out of the sources of `lastmod`.",
        )
    for rule, sign, fix in _KNOWN_TROUBLE:
        if sign in said:
            return _diagnostic(rule, root, f"Git gives no dates: {said}.", fix.format(root=root))
    return _diagnostic(
        "git-failed",
        root,
        f"Git gives no dates: {said}.",
        "See what `git log` and `git fsck` say there; a clone made with `--filter=tree:0` needs"
        " `--filter=blob:none`.",
    )


_KNOWN_TROUBLE = (
    (
        "git-ownership",
        "dubious ownership",
        "If you trust it: `git config --global --add safe.directory '{root}'`.",
    ),
    (
        "git-ownership",
        "unsafe repository",
        "If you trust it: `git config --global --add safe.directory '{root}'`.",
    ),
    ("git-empty", "unknown revision", "Make a first commit."),
    ("git-old", "too old", "Install a newer git where the site is built."),
)


def _diagnostic(rule: str, where: str, message: str, fix: str) -> Problem:
    return Problem(rule, where, message, fix, severity="info")
