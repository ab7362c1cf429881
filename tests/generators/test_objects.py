"""Which Python objects a finished page of mkdocstrings shows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit_tools.generators.mkdocstrings import shown_objects

if TYPE_CHECKING:
    from pathlib import Path

CODE = {
    "teas/__init__.py": "from .green import brew as steep\nfrom .kinds.black import Leaf\n",
    "teas/green.py": "from .kinds.black import pour\ndef brew(): pass\n",
    "teas/kinds/__init__.py": "",
    "teas/kinds/black.py": "from ..green import brew\nclass Leaf:\n    a = 1\ndef pour(): pass\n",
    "broken.py": "from teas import\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of Python packages."""
    for name, text in CODE.items():
        tmp_path.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        tmp_path.joinpath(name).write_text(text)
    return tmp_path


def shown(root: Path, *names: str) -> dict[str, str]:
    html = "".join(f'<a id="{name}"></a>' for name in names)
    parts = shown_objects(html, root / "docs", [root])
    return {str(part.file).removeprefix(f"{root}/"): str(part.cut) for part in parts}


@pytest.mark.parametrize(
    ("name", "file", "defined"),
    [
        ("teas.green.brew", "teas/green.py", "brew"),
        ("teas.steep", "teas/green.py", "brew"),
        ("teas.Leaf.a", "teas/kinds/black.py", "Leaf.a"),
        ("teas.green.pour", "teas/kinds/black.py", "pour"),
        ("teas.kinds.black.brew", "teas/green.py", "brew"),
        ("teas.kinds", "teas/kinds/__init__.py", "docstring"),
        ("broken.brew", "broken.py", "brew"),
    ],
)
def test_an_object_is_followed_to_the_file_that_defines_it(
    root: Path, name: str, file: str, defined: str
) -> None:
    assert shown(root, name) == {file: defined}


@pytest.mark.parametrize("module", ["teas.green", "teas", "broken"])
def test_a_module_is_parsed_once_for_all_objects_that_a_page_shows(
    root: Path, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse, count = ast.parse, list[str]()

    def counting(text: str, *args: Any, **options: Any) -> Any:
        count.append(text)
        return parse(text, *args, **options)

    monkeypatch.setattr(ast, "parse", counting)
    for file in root.rglob("*.py"):
        file.write_text(file.read_text() + f"# {module}\n")
    shown(root, *(f"{module}.o{number}" for number in range(200)))
    assert len(count) == 1
