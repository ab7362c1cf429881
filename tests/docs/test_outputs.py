"""The page on troubles begins with what a strict build says."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..programs import GENERATORS, run_python
from ..repository import commit

PAGE = Path(__file__).parents[2] / "docs" / "pages" / "troubleshooting.md"
SITE = {
    "mkdocs.yml": "site_name: Tea\nsite_url: https://example.org/\nplugins: [sitemapkit]\n",
    "docs/index.md": "# Tea\n",
    "docs/brewing.md": "---\npriority: high\n---\n# Brewing\n",
    "docs/notes.md": "---\nsitemap: false\n---\n# Notes\n",
}


@pytest.mark.manual
def test_a_strict_build_says_what_the_page_shows(tmp_path: Path) -> None:
    site = tmp_path / "tea"
    for name, text in SITE.items():
        file = site / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    commit(site)
    block = PAGE.read_text(encoding="utf-8").partition("```text\n$ ")[2].partition("\n```")[0]
    command, _, shown = block.partition("\n")
    said, _, code = shown.partition("\n$ echo $?\n")
    done = run_python("-m", *command.split(), folder=site, loads=GENERATORS["mkdocs"])
    ours = [line for line in done.stderr.splitlines() if "sitemapkit: " in line]
    text = "\n".join(ours).replace(str(tmp_path), "/home/you")
    assert (text.split(), done.returncode) == (said.split(), int(code))
