"""Versions that mike really deploys, one after the other, merged and checked as they are served."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ..tools.conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

pytestmark = pytest.mark.environment

FIRST = "2021-02-03T04:05:06Z"
HOME = "https://example.org/"


@dataclass
class Deployed:
    """Versions on the branch that is served, and a work tree of that branch."""

    site: Site
    versions: tuple[str, ...]

    @property
    def out(self) -> Path:
        return self.site.root.parent / "served"

    def mike(self, *arguments: str) -> str:
        """Run mike, and have in the work tree what it made; return what is said meanwhile."""
        done = self.site.run(*arguments, program="mike")
        assert done.returncode == 0, done.stderr
        if not self.out.exists():
            self.site.git("worktree", "add", "--quiet", str(self.out), "gh-pages")
        self.site.git("-C", str(self.out), "reset", "--quiet", "--hard")
        self.site.git("-C", str(self.out), "clean", "--quiet", "-d", "--force")
        return done.stderr

    def alias(self, alias_type: str) -> None:
        """Make the newest version the latest one in another way."""
        self.mike("delete", "latest")
        self.mike("alias", "--alias-type", alias_type, self.versions[-1], "latest")

    def merge(self) -> str:
        """Merge all versions as the manual says; return what is said to people."""
        folders = [self.out / name for name in (*self.versions, "latest")]
        outcome = run("merge", *folders, "--out", self.out, "--base-url", HOME)
        assert outcome.code == 0, outcome.stderr
        return outcome.stderr

    def check(self) -> str:
        return run("check", self.out).stdout


@pytest.fixture
def deploy(site: Callable[..., Site], material: Path) -> Callable[..., Deployed]:
    """Return a function that deploys versions one after the other, the last of them as latest."""

    def deployed(*versions: str, **options: str) -> Deployed:
        made = site({}, plugins=["sitemapkit", {"mike": options}])
        made.python = material
        result = Deployed(made, versions)
        for version in versions:
            last = version == versions[-1]
            made.write({"docs/tea.md": f"# Tea of {version}", "docs/gone.md": "# Gone"})
            if last:
                (made.root / "docs" / "gone.md").unlink()
            made.commit(FIRST, "docs", "mkdocs.yml", "theme")
            said = result.mike("deploy", version, *(["latest"] if last else []))
            elsewhere = options.get("canonical_version", version) != version
            assert said.count("[canonical-version]") == elsewhere
            assert "WARNING" not in said
        result.mike("set-default", "latest")
        return result

    return deployed


GONE = f"It names {HOME}latest/gone/."


def test_each_type_of_alias_is_merged_and_checked(deploy: Callable[..., Deployed]) -> None:
    """The page that the newest version has lost is told, and nothing else."""
    made = deploy("0.9", "1.0", "2.0", canonical_version="latest")
    for alias_type in ("symlink", "copy"):
        made.alias(alias_type)
        assert (made.out / "latest").is_symlink() == (alias_type == "symlink")
        assert made.merge().count(f"1 page, /1.0/gone/. {GONE}") == 1
        assert f"<loc>{HOME}latest/sitemap.xml</loc>" in (made.out / "sitemap.xml").read_text()
        told = made.check()
        assert f"/0.9/gone/  {GONE}" in told
        assert "2 errors: 2 URLs in 2 sitemaps" in told
    made.alias("redirect")
    assert f"{HOME}2.0/: The page's canonical link leads to a redirect" in made.merge()
    assert f"<loc>{HOME}2.0/tea/</loc>" in (made.out / "sitemap-2.0-1.xml").read_text()
    assert "error canonical-redirect" in made.check()


def test_redirects_to_the_canonical_version_are_no_fault(deploy: Callable[..., Deployed]) -> None:
    made = deploy("1.0", "2.0", alias_type="redirect", canonical_version="2.0")
    shutil.rmtree(made.out / "1.0" / "gone")
    assert made.merge() == ""
    assert f"<loc>{HOME}2.0/sitemap.xml</loc>" in (made.out / "sitemap.xml").read_text()
    said = made.check()
    assert said.startswith("note redirect-chain: ")  # from the top to the alias, and on
    assert "\n1 note: 2 URLs in 2 sitemaps" in said


def test_a_page_of_an_old_version_that_names_itself_is_listed(
    deploy: Callable[..., Deployed],
) -> None:
    made = deploy("1.0", "2.0", canonical_version="latest")
    page = made.out / "1.0" / "gone" / "index.html"
    page.write_text(page.read_text().replace(f"{HOME}latest/gone/", f"{HOME}1.0/gone/"))
    assert made.merge() == ""
    listed = (made.out / "sitemap-1.0-1.xml").read_text()
    assert f"<loc>{HOME}1.0/gone/</loc><lastmod>{FIRST[:10]}" in listed
    said = made.check()
    assert said.startswith("note not-linked: ")  # only the menu of another version links to it
    assert "/1.0/gone/" in said
    assert "\n1 note: 3 URLs in 3 sitemaps" in said


def test_without_a_canonical_version_old_ones_are_copies(deploy: Callable[..., Deployed]) -> None:
    made = deploy("1.0", "2.0")
    assert made.merge().count("[version-copies]") == 1
    assert "/1.0/  2 pages, such as /1.0/." in made.check()
