"""Deployed branches: a commit for each state of a small finished site."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

HOME = "https://example.org/"
_WORDS = (
    *("tea", "leaf", "water", "kettle", "cup", "pot", "steam", "morning", "garden", "harvest"),
    *("mountain", "river", "bamboo", "whisk", "powder", "green", "black", "white", "oolong"),
    *("smoke", "cedar", "honey", "lemon", "ginger", "mint", "jasmine", "rose", "barley", "roast"),
    "brew",
)


def text(topic: str, words: int = 90) -> str:
    """Return a text of this many words, of which those about other topics share hardly any."""
    return " ".join(f"{topic}{number * 7 % 101}{_WORDS[number % 30]}" for number in range(words))


def html(title: str, body: str, *, links: Mapping[str, str] | None = None, head: str = "") -> str:
    """Return a page; `links` are those of its menu, by their words."""
    menu = "".join(f'<a href="{to}">{words}</a>' for words, to in (links or {}).items())
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head><body>'
        f"<nav>{menu}</nav><main><h1>{title}</h1><p>{body}</p></main></body></html>"
    )


def stub(to: str) -> str:
    """Return a redirect, as mkdocs-redirects writes it."""
    return (
        f'<!doctype html><html><head><title>Moved</title><link rel="canonical" href="{to}">'
        f'<meta http-equiv="refresh" content="0; url={to}"></head></html>'
    )


@dataclass
class Deployed:
    """A repository with a deployed branch, and the site that was built last."""

    root: Path
    site: Path
    pages: dict[str, str] = field(default_factory=dict[str, str])
    """What the site has now, by file."""

    commits: int = 0

    def deploy(self, changes: Mapping[str, str | None]) -> str:
        """Commit the site with these changes to gh-pages; None removes a file."""
        self.build(changes)
        for old in self.root.iterdir():
            if old.name != ".git":
                shutil.rmtree(old) if old.is_dir() else old.unlink()
        shutil.copytree(self.site, self.root, dirs_exist_ok=True)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", f"Deploy {self.commits}")
        self.commits += 1
        return self.git("rev-parse", "HEAD").strip()

    def build(self, changes: Mapping[str, str | None]) -> None:
        """Build the site with these changes, and deploy nothing."""
        for name, content in changes.items():
            if content is None:
                self.pages.pop(name)
            else:
                self.pages[name] = content
        shutil.rmtree(self.site, ignore_errors=True)
        for name, content in self.pages.items():
            file = self.site / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")

    def git(self, *arguments: str) -> str:
        """Run git in the repository."""
        day = f"2024-05-{1 + self.commits:02}T12:00:00+00:00"
        env = os.environ | {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "core.autocrlf=false")
        command = ["git", "-C", str(self.root), *who, *arguments]
        done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
        return done.stdout


def deployed(folder: Path) -> Deployed:
    """Return an empty repository, on the branch gh-pages."""
    root = folder / "repository"
    root.mkdir(parents=True)
    found = Deployed(root, folder / "site")
    found.git("init", "--quiet", "--initial-branch=gh-pages")
    return found
