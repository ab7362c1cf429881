"""The house rules that a machine can judge: who imports whom, and what a build loads."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .docs.architecture import components, layers
from .repository import commit

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
GENERATORS = {"mkdocs", "pelican", "properdocs", "sphinx"}
ADAPTERS = {"mkdocs_sitemapkit", "pelican_sitemapkit", "sphinx_sitemapkit"}
TOOLS = {"sitemapkit_tools", "click", "protego", "urllib3"}
LAYERS = layers()

PUBLIC = {"textdates", "textdates.bounds", "textdates.git", "textdates.rendered", "textdates.parts"}
"""What of `textdates` other packages may import from."""


def python_files(*folders: str) -> list[Path]:
    return [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]


def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def imported(file: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports, wherever it does, and if only for types."""
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module
            assert not node.level, f"{file}: imports name the package"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


# Who imports whom


@pytest.mark.parametrize(
    ("folder", "others"),
    [
        ("core", GENERATORS | ADAPTERS | TOOLS),
        ("core/sitemapkit", {"sitemapkit_extras"}),
        ("core/textdates", {"sitemapkit", "sitemapkit_extras"}),
        ("tools", GENERATORS | ADAPTERS),
        ("plugins", {"sitemapkit_extras"}),
        ("plugins/mkdocs", (GENERATORS | ADAPTERS | TOOLS) - {"mkdocs", "mkdocs_sitemapkit"}),
        ("plugins/pelican", (GENERATORS | ADAPTERS | TOOLS) - {"pelican", "pelican_sitemapkit"}),
        ("plugins/sphinx", (GENERATORS | ADAPTERS | TOOLS) - {"sphinx", "sphinx_sitemapkit"}),
    ],
)
def test_each_package_imports_only_what_it_may(folder: str, others: set[str]) -> None:
    for file in python_files(folder):
        names = {name.partition(".")[0] for name in imported(file)}
        assert not names & others, file


@pytest.mark.parametrize("package", LAYERS)
def test_the_picture_of_the_architecture_has_each_room(package: str) -> None:
    assert LAYERS[package].keys() == components(package)


@pytest.mark.parametrize("package", LAYERS)
def test_a_room_imports_only_rooms_below_it(package: str) -> None:
    upwards = {
        f"{importer} imports {other}"
        for importer, other in arrows(package)
        if layer(package, importer) >= layer(package, other)
    }
    assert not upwards


def arrows(package: str) -> Iterator[tuple[str, str]]:
    """Yield each component of a package, or door, with each other that it imports."""
    folder = ROOT / package
    for file in folder.rglob("*.py"):
        importer = component_of(file.relative_to(folder).with_suffix("").parts, folder)
        for name in imported(file):
            start, *parts = name.split(".")
            other = component_of(parts, folder) if start == folder.name else importer
            if other != importer:
                yield importer, other


def component_of(parts: list[str] | tuple[str, ...], package: Path) -> str:
    """Return the component of a module, or the door that `parts` lead to if they name no module."""
    first = parts[0] if parts else "__init__"
    if (package / first).is_dir():
        return f"{first}/"
    return first if (package / f"{first}.py").exists() else "__init__"


def layer(package: str, component: str) -> int:
    """Return the line of a component in the picture; a door is above all components."""
    return LAYERS[package].get(component, -1)


def test_remarks_are_made_by_builds_and_by_check_alone() -> None:
    files = python_files("core", "plugins", "tools")
    users = {file for file in files if any(".advice" in name for name in imported(file))}
    folders = {file.parent.relative_to(ROOT).as_posix() for file in users}
    assert folders == {
        *("core/sitemapkit", "core/sitemapkit/advice", "tools/sitemapkit_tools/checks")
    }
    assert [file.name for file in users if file.parent.name == "sitemapkit"] == ["build.py"]


@pytest.mark.parametrize(
    "folder", ["core/sitemapkit", "core/sitemapkit_extras", "plugins", "tools"]
)
def test_others_use_only_the_public_names_of_textdates(folder: str) -> None:
    for file in python_files(folder):
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textdates"):
                assert node.module in PUBLIC, file
                public = importlib.import_module(node.module).__all__
                assert {alias.name for alias in node.names} <= {*public}, file


@pytest.mark.parametrize("generator", ["mkdocs", "pelican", "sphinx"])
def test_what_an_adapter_says_of_texts_knows_no_sitemap(generator: str) -> None:
    files = python_files(f"plugins/{generator}/{generator}_sitemapkit/texts")
    assert files
    for file in files:
        ours = {name for name in imported(file) if name.partition(".")[0] == "sitemapkit"}
        assert {name.rpartition(".")[2] for name in ours} <= {"parse_html"}, file


def test_textdates_is_usable_without_sitemapkit(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "core" / "textdates", tmp_path / "alone" / "textdates")
    repository = tmp_path / "site"
    repository.mkdir()
    (repository / "tea.md").write_text("Green tea.\n")
    commit(repository)
    program = (
        "import sys; sys.modules['sitemapkit'] = None; import textdates\n"
        f"assert textdates.__file__.startswith({str(tmp_path)!r})\n"
        f"print(len(textdates.TextDates().last_changed([{str(repository / 'tea.md')!r}])))"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "alone")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "1\n"


# What a build loads


@pytest.mark.parametrize("lastmod", ["auto", "false"])
def test_only_a_build_with_dates_loads_what_knows_texts_and_git(
    tmp_path: Path, lastmod: str
) -> None:
    modules = loaded_by_mkdocs(tmp_path, lastmod)
    assert not OF_FEW_SITES & {*modules}
    of_dates = [
        name
        for name in modules
        if re.match(r"textdates\.(?!bounds)|mkdocs_sitemapkit\.texts", name)
    ]
    assert bool(of_dates) == (lastmod == "auto")


HOOK = """
import sys
def on_shutdown():
    for name in sys.modules:
        print(name)
"""

OF_FEW_SITES = {
    *("sitemapkit_extras", "sitemapkit_tools"),
    *("feedgenerator", "idna", "langcodes", "protego", "urllib3", "w3lib"),
}
"""What an ordinary build does not load, although it is installed with us."""


def loaded_by_mkdocs(folder: Path, lastmod: str) -> list[str]:
    """Build a small site in a repository with MkDocs; return the modules that it loads."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# Tea\n")
    (folder / "hook.py").write_text(HOOK)
    (folder / "mkdocs.yml").write_text(
        "site_name: Tea\nsite_url: https://example.org/\nhooks: [hook.py]\n"
        f"plugins: [sitemapkit: {{lastmod: {lastmod}}}]\n"
    )
    commit(folder)
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    done = subprocess.run(
        build, cwd=folder, env=QUIET, stdout=subprocess.PIPE, text=True, check=True
    )
    assert ("<lastmod>" in (folder / "site" / "sitemap.xml").read_text()) == (lastmod == "auto")
    return done.stdout.splitlines()


QUIET = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
