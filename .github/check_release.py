"""Stop a release that is not ready: `python .github/check_release.py TAG REPOSITORY`.

REPOSITORY is its address, such as https://github.com/owner/name.

The tag must be the version, the changelog must say what is in it, the links in the metadata must
lead to the repository that releases it, no page may say that there is no release, and the manual's
figures must be of the code that is released: it names the commit of each benchmark.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIGURES = r"<!-- benchmark (\w+): commit (\w+); (.+) -->"
"""Where `python -m benchmarks` has written the figures of a commit into a page, and the code."""


def problems(tag: str, repository: str, root: Path = ROOT) -> list[str]:
    """Return what stands in the way of the release."""
    code = (root / "core" / "sitemapkit" / "__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'^__version__ = "(.+)"$', code, re.MULTILINE)
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    entry = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d(?:\n(?!## ).*)*?\n- "
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = project["urls"]["Source"]
    pages = [root / "README.md", *(root / "docs" / "pages").glob("*.md")]
    old = [each.name for each in pages if "No release yet" in each.read_text(encoding="utf-8")]
    found: list[str] = []
    if tag != f"v{version}":
        found.append(f"The tag is {tag}, but the version is {version}.")
    if not re.search(entry, changelog, re.MULTILINE):
        found.append(f"CHANGELOG.md has no section `## [{version}] - YYYY-MM-DD` with an entry.")
    if source != repository:
        found.append(f"`Source` in pyproject.toml is {source}, but the repository is {repository}.")
    if old:
        found.append(f"{', '.join(sorted(old))}: it says that there is no release yet.")
    return [*found, *old_figures(root)]


def old_figures(root: Path) -> list[str]:
    """Return which benchmarks in the manual are of other code than that which is released."""
    page = root / "docs" / "pages" / "benchmarks.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    found: list[str] = []
    for name, commit, code in re.findall(FIGURES, text):
        command = ["git", "-C", str(root), "diff", "--quiet", commit, "HEAD", "--", *code.split()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            why = done.stderr.strip() or f"{code} changed since"
            found.append(
                f"benchmarks.md: the figures of {name} are of commit {commit}: {why}. Run"
                f" `make bench BENCH_ARGS='--only {name} --into docs/pages/benchmarks.md'`, or"
                " remove them from the page."
            )
    return found


if __name__ == "__main__":
    found = problems(sys.argv[1], sys.argv[2])
    sys.exit("\n".join(found) if found else 0)
