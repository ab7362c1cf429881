"""Stop a release that is not ready: `python .github/check_release.py TAG REPOSITORY`.

REPOSITORY is its address, such as https://github.com/owner/name.

The tag must be the version, the changelog must say what is in it, the links in the metadata must
lead to the repository that releases it, and no page may say that there is no release.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


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
    return [
        problem
        for is_wrong, problem in (
            (tag != f"v{version}", f"The tag is {tag}, but the version is {version}."),
            (
                not re.search(entry, changelog, re.MULTILINE),
                f"CHANGELOG.md has no section `## [{version}] - YYYY-MM-DD` with an entry.",
            ),
            (
                source != repository,
                f"`Source` in pyproject.toml is {source}, but the repository is {repository}.",
            ),
            (bool(old), f"{', '.join(sorted(old))}: it says that there is no release yet."),
        )
        if is_wrong
    ]


if __name__ == "__main__":
    found = problems(sys.argv[1], sys.argv[2])
    sys.exit("\n".join(found) if found else 0)
