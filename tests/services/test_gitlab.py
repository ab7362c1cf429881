"""The template for GitLab, run without GitLab."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from ..docs.reader import home
from ..tools.servers import Handler, running

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..tools.conftest import Site

ROOT = Path(__file__).parents[2]
HEADER, TEMPLATE = (ROOT / "templates" / "check.yml").read_text(encoding="utf-8").split("\n---\n")
INPUTS: dict[str, Any] = yaml.safe_load(HEADER)["spec"]["inputs"]


def filled(**given: str) -> str:
    """Return what GitLab makes of the template with these inputs."""
    names = {name: str(described["default"]) for name, described in INPUTS.items()}
    names |= {name.replace("_", "-"): value for name, value in given.items()}

    def value(found: re.Match[str]) -> str:
        return names[found[1]]

    return re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", value, TEMPLATE)


def run(
    folder: Path, known: Mapping[str, str] | None = None, /, **given: str
) -> subprocess.CompletedProcess[str]:
    """Run the script of the job, but for what installs: this checkout is there already.

    `known` is what GitLab tells the job of itself and of the merge request.
    """
    (job,) = yaml.safe_load(filled(**given)).values()
    install, *script = job["script"]
    assert install == 'pip install --quiet "sitemapkit"'
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", "\n".join(script)],
        cwd=folder,
        env={
            **home(folder, Path(sysconfig.get_path("scripts")), Path(sys.executable).parent),
            **(known or {}),
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_gitlab_takes_the_template(tmp_path: Path) -> None:
    file = tmp_path / ".gitlab-ci.yml"
    file.write_text(filled())
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.gitlab-ci"]
    done = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert all(each["description"] for each in INPUTS.values())


def test_a_right_site_passes_with_an_empty_report(good: Site) -> None:
    done = run(good.root.parent, site="site")
    assert done.returncode == 0, done.stderr
    assert json.loads((good.root.parent / "gl-code-quality-report.json").read_text()) == []


def test_a_wrong_site_fails_and_leaves_a_report_of_files_that_are_there(bad: Site) -> None:
    checkout = bad.root.parent
    assert run(checkout, site="site").returncode == 1
    report = json.loads((checkout / "gl-code-quality-report.json").read_text())
    assert len(report) == len(bad.check())
    assert all((checkout / issue["location"]["path"]).exists() for issue in report)


def test_a_job_may_only_look(bad: Site) -> None:
    done = run(bad.root.parent, site="site", fail_on="never", args="--all")
    assert done.returncode == 0, done.stderr


def test_a_folder_that_is_missing_fails_and_says_so(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 2
    assert "There is no such folder: 'public'" in done.stderr


def test_a_change_that_leaves_an_address_dead_fails(good: Site) -> None:
    checkout = good.root.parent
    shutil.copytree(good.root, checkout / "before")
    given = {"site": "site", "fail_on": "never", "compare_with": "before", "fail_if_dead": "true"}
    kept = run(checkout, **given)
    assert kept.returncode == 0, kept.stderr
    (good.root / "about" / "index.html").unlink()
    del good.heads["about/"], good.entries[f"{good.base}about/"]
    good.write()
    dead = run(checkout, **given)
    assert (dead.returncode, f"{good.base}about/" in dead.stderr) == (1, True)
    assert "(**its address is dead**)" in dead.stdout
    assert run(checkout, **{**given, "fail_if_dead": "false"}).returncode == 0


def test_the_first_deploy_of_a_site_passes(good: Site) -> None:
    (good.root.parent / "empty").mkdir()
    for before in ("", "empty"):
        given = {"compare_with": before, "fail_if_dead": "true", "fail_on": "never"}
        first = run(good.root.parent, site="site", **given)
        assert first.returncode == 0, first.stderr


def test_a_site_before_that_is_not_there_is_a_mistake(good: Site) -> None:
    mistaken = run(good.root.parent, site="site", compare_with="befroe", fail_on="never")
    assert mistaken.returncode == 2
    assert "befroe" in mistaken.stderr


@dataclass
class MergeRequest:
    """The notes of a merge request, at a stand-in of GitLab."""

    notes: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    asked: list[str] = field(default_factory=list[str])
    status: int = 200

    def answer(self, request: Handler) -> None:
        """Answer a request as GitLab does."""
        if request.path == "/api/v4/user":
            request.reply(self.status, json.dumps({"id": 3}).encode())
            return
        path = request.path.removeprefix("/api/v4/projects/5/merge_requests/7/notes")
        self.asked.append(f"{request.command} {path.partition('?')[0]}".strip())
        assert request.headers["PRIVATE-TOKEN"] == "secret"
        sent = request.body()
        if self.status == 200 and request.command == "POST":
            own = {"id": 30 + len(self.notes), "author": {"id": 3}}
            self.notes.append({**own, **json.loads(sent)})
        elif self.status == 200 and request.command == "PUT":
            (own,) = (each for each in self.notes if path == f"/{each['id']}")
            own |= json.loads(sent)
        request.reply(self.status, json.dumps(self.notes).encode())


def test_what_a_change_does_is_one_comment_that_is_updated(good: Site) -> None:
    checkout = good.root.parent
    good.root.rename(checkout / "before")
    good.page("new/")
    good.write()
    given = {"site": "site", "compare_with": "before", "preview": "https://preview.example.org/"}
    stranger = {"id": 4}
    others = [
        {"id": 28, "author": stranger, "body": "<!-- sitemapkit --> I was here first"},
        {"id": 29, "author": stranger, "body": "Nice."},
    ]
    service = MergeRequest([*others])
    with running(service.answer) as server:
        known = {
            "CI_API_V4_URL": f"{server.url}/api/v4",
            "CI_PROJECT_ID": "5",
            "CI_MERGE_REQUEST_IID": "7",
        }
        assert run(checkout, known, **given).returncode == 0
        assert service.asked == []  # there is no token, as for a merge request of a fork
        known["SITEMAPKIT_TOKEN"] = "secret"  # noqa: S105 - of no service
        assert run(checkout, known, **given).returncode == 0
        done = run(checkout, known, **given)
        assert done.returncode == 0, done.stderr
        assert service.asked == ["GET", "POST", "GET", "PUT /32"]
        assert "[new/](https://preview.example.org/new/)" in service.notes[-1]["body"]
        assert (checkout / "sitemapkit.md").read_text() in done.stdout
        service.status = 403
        refused = run(checkout, known, **given)
        assert refused.returncode == 0, refused.stderr
        assert "No comment was written: HTTP Error 403" in refused.stdout
        service.status = 200
        given["compare_with"] = "site"
        assert run(checkout, known, **given).returncode == 0
    assert service.notes[-1]["body"].endswith("\nNothing changes in the site.")
    assert (len(service.notes), service.notes[:2]) == (3, others)
