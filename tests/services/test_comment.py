"""The comment of the action, written to a stand-in of the service that keeps what it is sent."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from .runner import COMMENT, ROOT, TOKEN, Run

if TYPE_CHECKING:
    from pathlib import Path

    from .service import Service

MARKER = "<!-- sitemapkit -->\n"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    file = tmp_path / "changes.md"
    file.write_text("## What changes in the site\n")
    return file


PULL_REQUEST = {"pull_request": {"number": 7}}


def comment(service: Service, report: Path, event: Any = PULL_REQUEST) -> Run:
    """Run the step that comments, in a job for an event."""
    folder = report.parent / "checkout"
    folder.mkdir(exist_ok=True)
    file = folder.parent / "event.json"
    file.write_text(json.dumps(event))
    environment = {
        "GITHUB_API_URL": service.url,
        "GITHUB_REPOSITORY": "owner/tea",
        "GITHUB_EVENT_PATH": str(file),
        "GITHUB_ACTION_PATH": str(ROOT / "comment"),
    }
    run = Run(folder, folder, {}, environment)
    (step,) = COMMENT["runs"]["steps"]
    run.step(step | {"env": {"REPORT": str(report), "TOKEN": TOKEN}})
    return run


def test_the_first_run_writes_a_comment_and_later_ones_update_it(
    service: Service, report: Path
) -> None:
    service.add("Nice.", "User")
    assert comment(service, report).log == ""
    report.write_text("## Something else\n")
    assert comment(service, report).log == ""
    assert [each["body"] for each in service.comments] == ["Nice.", f"{MARKER}## Something else\n"]
    look = "GET /issues/7/comments?per_page=100&page=1"
    assert service.asked == [
        *(look, "POST /issues/7/comments"),
        *(look, "PATCH /issues/comments/1001"),
    ]


def test_a_comment_is_found_behind_many_others_and_nobody_elses_is_taken(
    service: Service, report: Path
) -> None:
    service.add(f"{MARKER}forged", "User")
    for number in range(150):
        service.add(f"comment {number}, which quotes {MARKER}")
    service.add(f"{MARKER}old")
    comment(service, report)
    assert service.asked[-1] == "PATCH /issues/comments/1151"
    assert service.comments[0]["body"] == f"{MARKER}forged"


def test_where_nothing_changes_any_more_the_comment_says_so_and_none_is_written_for_it(
    service: Service, report: Path
) -> None:
    report.write_text("")
    assert comment(service, report).failed == ""
    assert service.comments == []
    service.add(f"{MARKER}old")
    comment(service, report)
    assert service.comments[0]["body"] == f"{MARKER}Nothing changes in the site.\n"


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH"])
@pytest.mark.parametrize("status", [401, 403, 404, 422, 500])
def test_what_may_not_be_written_is_said_and_fails_nothing(
    service: Service, report: Path, method: str, status: int
) -> None:
    if method == "PATCH":
        service.add(f"{MARKER}old")
    service.refused = {method: status}
    run = comment(service, report)
    assert run.failed == ""
    (said,) = run.annotations
    assert said.startswith("::notice title=sitemapkit::No comment was written: ")
    assert f"HTTP {status}" in said
    assert ("no right" in said) is (status < 422)
    assert TOKEN not in run.log


def test_a_server_that_is_not_there_fails_nothing(service: Service, report: Path) -> None:
    service.url = "http://127.0.0.1:1"
    run = comment(service, report)
    assert (run.failed, len(run.annotations)) == ("", 1)


def fork(branch: str = "patch-1") -> dict[str, Any]:
    """Return the event of a finished run for a pull request from a fork."""
    repository = {"owner": {"login": "stranger"}}
    head = {"head_sha": "b" * 40, "head_branch": branch, "head_repository": repository}
    return {"workflow_run": head | {"event": "pull_request", "pull_requests": []}}


def test_after_a_run_for_a_fork_the_pull_request_is_the_one_of_its_commit(
    service: Service, report: Path
) -> None:
    service.pulls = [
        {"number": 8, "head": {"sha": "a" * 40}},
        {"number": 9, "head": {"sha": "b" * 40}},
    ]
    entities = "&#64;a &#064;b &#x40;c &#X0040;d &commat;e"
    report.write_text(f"Look, @owner/team: @maintainer {entities}\n7\n")
    assert comment(service, report, fork("a&b=c#d")).log == ""
    assert service.asked == [
        "GET /pulls?state=open&head=stranger%3Aa%26b%3Dc%23d",
        "GET /issues/9/comments?per_page=100&page=1",
        "POST /issues/9/comments",
    ]
    assert not re.search(r"@\w", unescape(service.comments[0]["body"]))


def test_what_belongs_to_no_open_pull_request_is_not_written(
    service: Service, report: Path
) -> None:
    for event in (fork(), {"ref": "refs/heads/main"}):
        run = comment(service, report, event)
        assert "this is no job of an open pull request" in run.annotations[0]
    assert {each.partition("?")[0] for each in service.asked} == {"GET /pulls"}


def test_a_report_of_a_stranger_is_no_link_to_a_file_of_the_runner(
    service: Service, report: Path, tmp_path: Path
) -> None:
    report.rename(tmp_path / "secret")
    report.symlink_to(tmp_path / "secret")
    assert "there is no file changes.md" in comment(service, report).annotations[0]
    assert service.comments == []


def test_a_report_of_a_stranger_is_cut_to_what_a_comment_takes(
    service: Service, report: Path
) -> None:
    report.write_text("ä" * 200_000)
    comment(service, report)
    assert len(service.comments[0]["body"]) < 65_536
