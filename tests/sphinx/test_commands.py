"""Pages that are made of code which Sphinx itself does not read, in an environment of their own."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from ..environments import python_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

pytestmark = pytest.mark.environment

CODE = {
    "src/tool/__init__.py": '"""A tool."""\nfrom tool.pots import Pot\n\n__all__ = ["Pot"]\n',
    "src/tool/pots.py": '"""Pots."""\n\n\nclass Pot:\n    """A pot."""\n\n'
    '    def pour(self):\n        """Pour."""\n',
    "src/tool/cli.py": "import click\nfrom tool.sub import wash\n\n\n"
    '@click.group()\ndef main():\n    """Makes tea."""\n\n\nmain.add_command(wash)\n',
    "src/tool/sub.py": 'import click\n\n\n@click.command()\ndef wash():\n    """Washes."""\n',
    "src/tool/parsers.py": "import argparse\n\n\ndef parser():\n"
    '    made = argparse.ArgumentParser()\n    made.add_argument("--cups", help="How many.")\n'
    "    return made\n\n\ndef unused():\n    return 1\n",
    ".gitignore": "out\n",
}
CHANGES = [
    ("src/tool/sub.py", "Washes", "Dries"),
    ("src/tool/parsers.py", "How many", "The number"),
    ("src/tool/pots.py", "Pour.", "Pour it."),
    ("src/tool/parsers.py", "unused", "needless"),
]
"""Changes, one a day from the second on; nothing shows the last."""

PAGES = {
    "click": ".. click:: tool.cli:main\n   :prog: tool\n   :nested: full\n",
    "argparse": ".. argparse::\n   :module: tool.parsers\n   :func: parser\n   :prog: a\n",
    "argparse-ref": ".. argparse::\n   :ref: tool.parsers.parser\n   :prog: a\n",
    "argparse-file": ".. argparse::\n   :filename: ../src/tool/parsers.py\n   :func: parser\n",
}


def build(project: Site) -> dict[str, int | None]:
    path = os.pathsep.join([str(project.root / "src"), os.environ.get("PYTHONPATH", "")])
    subprocess.run(
        [
            str(python_with("extensions")),
            "-m",
            "sphinx",
            "-q",
            str(project.docs),
            str(project.out()),
        ],
        env={**os.environ, "PYTHONPATH": path},
        check=True,
    )
    found = {path.removesuffix(".html"): e.get("lastmod") for path, e in project.entries().items()}
    return {name: int(date[8:10]) if date else None for name, date in found.items()}


def commit_all(project: Site) -> None:
    texts = dict(CODE)
    project.write(texts)
    project.commit("2021-01-01T00:00:00Z")
    for day, (file, old, new) in enumerate(CHANGES, 2):
        assert old in texts[file]
        texts[file] = texts[file].replace(old, new)
        project.write({file: texts[file]})
        project.commit(f"2021-01-{day:02}T00:00:00Z")


def test_a_page_about_a_command_changes_with_the_functions_behind_it(
    site: Callable[..., Site],
) -> None:
    project = site(extensions=["sphinx_click", "sphinxarg.ext", "sphinx_sitemapkit"])
    for name, body in PAGES.items():
        project.document(name, head=":orphan:", body=body)
    commit_all(project)
    expected = {"click": 2, "argparse": 3, "argparse-ref": 3, "argparse-file": 3, "index": 1}
    for _ in range(2):  # the second build reads nothing anew
        assert build(project) == expected


def test_a_page_that_autoapi_makes_has_the_date_of_what_it_shows_of_code(
    site: Callable[..., Site],
) -> None:
    project = site(extensions=["autoapi.extension", "sphinx_sitemapkit"])
    project.configure(autoapi_dirs=["../src/tool"], autoapi_root="api")
    commit_all(project)
    found = build(project)
    assert {name: found[f"api/tool/{name}index"] for name in ("", "pots/", "sub/", "cli/")} == {
        "": 4,  # the class that it imports
        "pots/": 4,
        "sub/": 2,
        "cli/": 1,
    }
    assert found["api/index"] is None, "it lists titles only"
