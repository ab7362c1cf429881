"""What is released: the wheel, the sdist, and what they need."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email.parser import Parser
from importlib.metadata import Distribution, distribution, version
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from packaging.requirements import Requirement
from readme_renderer import markdown

import sitemapkit

from .repository import copy_of_this_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

ROOT = Path(__file__).parents[1]
PLUGINS = {"mkdocs_sitemapkit", "pelican_sitemapkit", "sphinx_sitemapkit"}
PACKAGES = {"sitemapkit", "sitemapkit_extras", "sitemapkit_tools", "textdates", *PLUGINS}
ALIAS = "pelican/plugins/sitemapkit/__init__.py"
GENERATORS = {"mkdocs", "pelican", "properdocs", "sphinx"}
BUILT = {
    "example-sites/mkdocs/site/index.html",
    "example-sites/pelican/output/index.html",
    "example-sites/sphinx/_build/html/index.html",
    "core/sitemapkit/__pycache__/build.pyc",
}


def built(root: Path, target: str, into: Path) -> Path:
    hatchling = [sys.executable, "-m", "hatchling", "build", "--target", target]
    subprocess.run([*hatchling, "--directory", str(into)], cwd=root, check=True)
    return next(into.iterdir())


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of a working copy in which the example sites have been built."""
    copy = copy_of_this_project(tmp_path_factory.mktemp("copy"))
    for name in BUILT:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).touch()
    return built(copy, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from nothing but the sdist."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
        archive.extractall(unpacked)  # noqa: S202
    return built(next(unpacked.iterdir()), "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def test_the_wheel_holds_the_packages_and_the_alias_and_nothing_else(
    wheel_names: set[str],
) -> None:
    tops = {name.partition("/")[0] for name in wheel_names}
    info = f"sitemapkit-{sitemapkit.__version__}.dist-info"
    assert tops == {*PACKAGES, "pelican", info}
    assert {name for name in wheel_names if name.startswith("pelican/")} == {ALIAS}


def test_the_wheel_holds_each_file_of_the_packages(wheel_names: set[str]) -> None:
    packages = [*ROOT.glob("*/*sitemapkit*"), *ROOT.glob("plugins/*/*_sitemapkit")]
    for package in packages:
        for file in package.rglob("*.*"):
            if "__pycache__" not in file.parts:
                assert file.relative_to(package.parent).as_posix() in wheel_names


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_each_package_says_that_it_is_typed(package: str, wheel_names: set[str]) -> None:
    assert f"{package}/py.typed" in wheel_names


def test_the_sdist_holds_sources_tests_and_example_sites_but_nothing_built(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "Makefile", "pyproject.toml", "tests/test_packaging.py"} <= names
    assert {"example-sites/demo.py", "example-sites/mkdocs/mkdocs.yml"} <= names
    assert {"CONTRIBUTING.md", "docs/mkdocs.yml", "benchmarks/__main__.py"} <= names
    assert not names & BUILT


def test_the_release_unpacks_the_sdist_that_it_tests(sdist: Path, tmp_path: Path) -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
    runs = [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step]
    (tmp_path / "dist").mkdir()
    shutil.copy(sdist, tmp_path / "dist")
    subprocess.run(["bash", "-e", "-c", runs[0]], cwd=tmp_path, check=True)
    assert (tmp_path / runs[1].removeprefix("bash ")).exists()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone")
def test_the_sdist_holds_each_file_of_the_repository(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    files = {name for name in done.stdout.split("\0") if name and (ROOT / name).exists()}
    assert files - names == set()


def test_the_metadata_names_licence_python_and_an_extra_for_each_generator(
    metadata: Message,
) -> None:
    assert metadata["License-Expression"] == "MIT"
    assert metadata["License-File"] == "LICENSE"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["Version"] == sitemapkit.__version__
    assert set(metadata.get_all("Provides-Extra", [])) == {"mkdocs", "pelican", "sphinx", "all"}


def test_the_metadata_links_to_the_project_under_labels_that_indexes_know(
    metadata: Message,
) -> None:
    """The labels are the well-known ones of PEP 753."""
    links = dict(link.split(", ") for link in metadata.get_all("Project-URL", []))
    assert links.keys() == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}
    assert {links["Issues"], links["Changelog"]} == {
        f"{links['Source']}/issues",
        f"{links['Source']}/blob/main/CHANGELOG.md",
    }


def test_all_files_that_say_where_the_project_lives_say_the_same() -> None:
    links = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    manual = (ROOT / "docs" / "mkdocs.yml").read_text("utf-8")
    assert links["Homepage"] == links["Documentation"] == cited["url"]
    assert links["Source"] == cited["repository-code"]
    assert f"\nsite_url: {links['Documentation']}\nrepo_url: {links['Source']}\n" in manual


def test_the_page_on_an_index_has_no_relative_link_or_picture(metadata: Message) -> None:
    page = markdown.render(str(metadata.get_payload()))
    assert page
    targets = re.findall(r'(?:href|src)="([^"]*)"', page)
    source = dict(link.split(", ") for link in metadata.get_all("Project-URL", []))["Source"]
    tagged = [target for target in targets if f"/v{sitemapkit.__version__}/" in target]
    assert f"{source}/blob/v{sitemapkit.__version__}/CONTRIBUTING.md" in tagged
    assert not [target for target in targets if not target.startswith(("https://", "#"))]
    for target in tagged:
        assert (
            ROOT / target.partition(f"/v{sitemapkit.__version__}/")[2].partition("#")[0]
        ).exists()


@pytest.mark.slow
def test_the_types_of_all_that_is_public_are_complete(wheel: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(wheel, tmp_path, format="zip")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--verifytypes", "sitemapkit", "--ignoreexternal"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PATH": f"{sys.prefix}/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Type completeness score: 100%" in done.stdout, done.stdout


def test_python_versions_are_those_that_the_tests_run_on(metadata: Message) -> None:
    stated = re.findall(
        r":: (3\.[0-9]+)$", "\n".join(metadata.get_all("Classifier", [])), re.MULTILINE
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert stated == [env for env in project["tool"]["tox"]["env_list"] if env[0].isdigit()]
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    assert stated == workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "unlocked.yml").read_text("utf-8"))
    newest = workflow["jobs"]["newest"]["strategy"]["matrix"]
    assert newest["python"] == [stated[0], stated[-1]]
    assert newest["include"][0]["python"] == f"3.{int(stated[-1][2:]) + 1}"


def test_the_supported_versions_are_those_that_can_be_installed(metadata: Message) -> None:
    table = (ROOT / "SECURITY.md").read_text("utf-8")
    stated = re.findall(r":: (3\.[0-9]+)$", str(metadata), re.MULTILINE)
    assert f"| Python | {stated[0]} to {stated[-1]} |" in table
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name, label in {
        "mkdocs": "MkDocs, ProperDocs",
        "pelican": "Pelican",
        "sphinx": "Sphinx",
    }.items():
        oldest = extras["optional-dependencies"][name][0].partition(">=")[2].partition(",")[0]
        assert f"| {label} | {oldest}" in table


def test_an_index_takes_the_release_as_it_is(sdist: Path, wheel: Path) -> None:
    check = [sys.executable, "-m", "twine", "check", "--strict", str(sdist), str(wheel)]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_without_an_extra_no_generator_is_required(metadata: Message) -> None:
    names = {found.name.lower() for found in needed(metadata.get_all("Requires-Dist", []))}
    assert "msgspec" in names
    assert not GENERATORS & names


def test_the_core_works_with_its_declared_dependencies_alone(
    wheel: Path, metadata: Message, tmp_path: Path
) -> None:
    venv.create(tmp_path, with_pip=False)
    packages = Path(answer(tmp_path, "import sysconfig; print(sysconfig.get_path('purelib'))"))
    shutil.unpack_archive(wheel, packages, format="zip")
    for found in needed(metadata.get_all("Requires-Dist", [])):
        copy_distribution(found, packages)
    roots = (ROOT / "core", ROOT / "tools")
    modules = ", ".join(sorted(name for root in roots for name in module_names(root)))
    assert answer(tmp_path, f"import {modules}; print(sitemapkit.__file__)").startswith(
        str(packages)
    )
    spec = "import importlib.util; print(importlib.util.find_spec('{}'))"
    for generator in GENERATORS - {"pelican"}:  # the alias makes a namespace of that name
        assert answer(tmp_path, spec.format(generator)) == "None"


def answer(environment: Path, code: str) -> str:
    """Return what `code` prints in the virtual environment, with warnings as errors."""
    python = environment / "bin" / "python"
    command = [str(python), "-W", "error", "-c", code]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def needed(requirements: list[str]) -> Iterator[Distribution]:
    """Yield what is installed here for the requirements, and for theirs, without any extra."""
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            found = distribution(requirement.name)
            yield found
            yield from needed(found.requires or [])


def copy_distribution(found: Distribution, packages: Path) -> None:
    for file in found.files or ():
        if ".." not in file.parts:
            (packages / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file.locate(), packages / file)


def module_names(root: Path) -> Iterator[str]:
    for file in root.rglob("*.py"):
        parts = file.relative_to(root).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.skipif(
    "SITEMAPKIT_NEWEST" not in os.environ,
    reason="set where the newest generators are meant to be installed (make test, tox)",
)
def test_no_generator_was_silently_held_back_by_another() -> None:
    sphinx = {(3, 11): (9, 0), (3, 12): (9, 1)}.get(sys.version_info[:2], (9, 2))
    newest = {"mkdocs": (1, 6), "pelican": (4, 12), "sphinx": sphinx}
    installed = {name: tuple(map(int, version(name).split(".")[:2])) for name in newest}
    assert all(installed[name] >= newest[name] for name in newest), installed


def test_no_folder_beside_a_generator_can_be_taken_for_it() -> None:
    """A regular package named mkdocs or sphinx on sys.path would hide the real one."""
    folders = [ROOT, ROOT / "plugins", *(ROOT / "plugins").iterdir(), *(ROOT / "tests").rglob("*")]
    assert not [folder for folder in folders if (folder / "__init__.py").exists()]
