"""What services read of this repository is as they want it: by the schemas that they publish."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
import yaml

import sitemapkit

from .docs.reader import PAGES, blocks

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FILES = {
    "dependabot": ".github/dependabot.yml",
    "github-actions": "**/action.yml",
    "github-workflows": ".github/workflows/*.yml",
    "github-issue-forms": ".github/ISSUE_TEMPLATE/*.yml",
    "citation-file-format": "CITATION.cff",
}


@pytest.mark.parametrize("schema", FILES)
def test_files_for_services_are_valid(schema: str) -> None:
    files = [str(file) for file in ROOT.glob(FILES[schema])]
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    command += ["--force-filetype", "yaml", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_version_to_cite_is_this_one() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited.get("version", sitemapkit.__version__) == sitemapkit.__version__


def test_dates_from_git_can_be_known_where_our_own_manual_is_tested() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    (checkout,) = (
        step
        for step in workflow["jobs"]["test"]["steps"]
        if step.get("uses", "").startswith("actions/checkout@")
    )
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}


def used(text: str) -> set[tuple[str, str]]:
    """Return the actions of others that a file uses: their names, and what they are pinned to."""
    return set(re.findall(r"uses: ([\w-]+/[\w/-]+)@(\S+ # v[\d.]+)$", text, re.MULTILINE))


def audit(*arguments: str | Path) -> str:
    """Return what zizmor finds in workflows, at its most severe and without the network."""
    zizmor = shutil.which("zizmor", path=sysconfig.get_path("scripts")) or "zizmor"
    flags = ["--offline", "--no-progress", "--quiet", "--persona=pedantic", "--format=plain"]
    command = [zizmor, *flags, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_an_audit_finds_nothing_in_what_runs_at_services() -> None:
    actions = ROOT / "action.yml", ROOT / "comment" / "action.yml"
    assert audit(ROOT / ".github", *actions, ROOT / ".pre-commit-hooks.yaml") == ""


def test_the_audit_finds_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "release.yml").write_text(
        "name: x\non: push\njobs: {a: {runs-on: ubuntu-latest, steps: [uses: actions/checkout@v4]}}"
    )
    assert "unpinned-uses" in audit(tmp_path / "release.yml")


def test_an_action_is_pinned_to_one_version_everywhere() -> None:
    pins = {pin for workflow in WORKFLOWS for pin in used(workflow.read_text("utf-8"))}
    assert len({name for name, _ in pins}) == len(pins)


def recipes() -> list[str]:
    """Return the whole workflows that the manual shows."""
    shown = [
        block.text
        for page in PAGES.glob("*.md")
        for block in blocks(page)
        if block.name.startswith(".github/workflows/") and "\non:" in block.text
    ]
    assert shown
    return shown


def test_an_audit_finds_nothing_in_the_recipes_of_the_manual(tmp_path: Path) -> None:
    """Our own action has the tag of the release in them: a hash is known only after it."""
    policy = "rules: {unpinned-uses: {config: {policies: {sitemapkit/*: ref-pin, '*': hash-pin}}}}"
    (tmp_path / "zizmor.yml").write_text(policy)
    for number, recipe in enumerate(recipes()):
        file = tmp_path / ".github" / "workflows" / f"{number}.yml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(recipe)
    assert audit("--config", tmp_path / "zizmor.yml", tmp_path / ".github") == ""


def test_where_the_manual_names_a_version_of_ours_it_is_this_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    name = project["urls"]["Source"].removeprefix("https://github.com/")
    pages = [*PAGES.glob("*.md"), ROOT / "README.md"]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    versions = re.findall(rf"uses: {name}@(\S+)|{name}/(\S+)/templates|    rev: (\S+)", text)
    assert {"".join(found) for found in versions} == {f"v{sitemapkit.__version__}"}
    assert not re.findall(rf"(?<!{name.split('/')[0]}/)sitemapkit@v", text)


# The gate of a release


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """What the gate reads, with a changelog that is ready."""
    for name in ("pyproject.toml", "core/sitemapkit/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    entry = f"## [{sitemapkit.__version__}] - 2026-12-01\n\n### Added\n\n- All of it.\n"
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [Unreleased]\n\n{entry}")
    (tmp_path / "README.md").write_text("This installs the newest sources. The newest release:\n")
    return tmp_path


def what_stops(root: Path, tag: str, repository: str) -> list[str]:
    gate = runpy.run_path(str(ROOT / ".github" / "check_release.py"))
    found: list[str] = gate["problems"](tag, repository, root)
    return found


HOME = "https://github.com/sitemapkit/sitemapkit"
TAG = f"v{sitemapkit.__version__}"


def test_a_release_goes_out_if_tag_changelog_and_links_are_right(sources: Path) -> None:
    assert what_stops(sources, TAG, HOME) == []


def test_a_release_is_stopped_by_a_tag_that_is_not_the_version(sources: Path) -> None:
    assert what_stops(sources, "v9.9.9", HOME) == [
        f"The tag is v9.9.9, but the version is {sitemapkit.__version__}."
    ]


@pytest.mark.parametrize(
    "changelog",
    [
        "## [Unreleased]\n\n- All of it.\n",
        f"## [{sitemapkit.__version__}]\n\n- Without a date.\n",
        f"## [{sitemapkit.__version__}] - 2026-12-01\n\n## [0.0.1] - 2026-01-01\n\n- Older.\n",
    ],
)
def test_a_release_is_stopped_if_the_changelog_has_no_entry(sources: Path, changelog: str) -> None:
    (sources / "CHANGELOG.md").write_text(changelog)
    (problem,) = what_stops(sources, TAG, HOME)
    assert problem.startswith("CHANGELOG.md has no section `## [")


def test_a_release_is_stopped_if_its_links_lead_to_another_repository(sources: Path) -> None:
    (problem,) = what_stops(sources, TAG, "https://github.com/other/sitemapkit")
    assert "`Source` in pyproject.toml" in problem


@pytest.mark.parametrize("page", ["README.md", "docs/pages/other-generators.md"])
def test_a_release_is_stopped_by_a_page_that_says_there_is_none(sources: Path, page: str) -> None:
    (sources / page).parent.mkdir(parents=True, exist_ok=True)
    (sources / page).write_text((ROOT / page).read_text("utf-8"))
    (problem,) = what_stops(sources, TAG, HOME)
    assert problem.startswith(f"{Path(page).name}: ")


def test_a_release_is_stopped_by_figures_of_other_code(sources: Path) -> None:
    git = ["git", "-C", str(sources), "-c", "user.name=A", "-c", "user.email=a@example.org"]

    def committed() -> str:
        subprocess.run([*git, "init", "--quiet"], check=True)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "--message=x"], check=True)
        found = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, check=True)
        return found.stdout.decode().strip()

    page = sources / "docs" / "pages" / "benchmarks.md"
    page.parent.mkdir(parents=True)
    commit = committed()
    of_core = f"<!-- benchmark small: commit {commit[:12]}; core plugins -->\n"
    page.write_text(of_core)
    committed()
    assert what_stops(sources, TAG, HOME) == []
    with (sources / "core" / "sitemapkit" / "__init__.py").open("a") as code:
        code.write("# changed\n")
    page.write_text(f"{of_core}<!-- benchmark large: commit {'0' * 12}; core -->\n")
    committed()
    small, large = what_stops(sources, TAG, HOME)
    assert "the figures of small" in small
    assert f"commit {commit[:12]}: core plugins changed since." in small
    assert "BENCH_ARGS='--only small --into docs/pages/benchmarks.md'" in small
    assert f"the figures of large are of commit {'0' * 12}: fatal: " in large
