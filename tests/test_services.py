"""What services read of this repository is as they want it: by the schemas that they publish."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import sitemapkit

ROOT = Path(__file__).parents[1]
FILES = {
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
    assert checkout["with"] == {"fetch-depth": 0}
