"""The action for GitHub, run step by step without GitHub."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..tools.conftest import Site, urlset
from ..tools.servers import IndexNowServer, running
from .runner import ACTION, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .service import Service

    Action = Callable[..., Run]

pytestmark = pytest.mark.environment


@pytest.fixture(scope="module")
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runner's folder for temporary files, into which the action installs itself once."""
    folder = tmp_path_factory.mktemp("runner")
    run = Run(folder, folder, {})
    run.step(ACTION["runs"]["steps"][0])
    assert not run.failed, run.log
    return folder


@pytest.fixture
def action(temporary: Path, tmp_path: Path) -> Action:
    """Return a function that runs the action where the site is, with the given inputs."""

    def start(environment: Mapping[str, str] | None = None, **inputs: str) -> Run:
        folder = tmp_path / "checkout"
        folder.mkdir(exist_ok=True)
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        return Run(folder, temporary, given, {**(environment or {})}).follow()

    return start


@pytest.mark.usefixtures("good")
def test_a_right_site_passes(action: Action) -> None:
    run = action()
    assert not run.failed, run.log
    assert [run.output("exit-code"), run.output("findings")] == ["0", "0"]
    assert run.summary.startswith("## Sitemap: Nothing to fix\n")
    assert run.annotations == []


@pytest.mark.usefixtures("bad")
def test_a_wrong_site_fails_after_all_has_been_reported(action: Action, bad: Site) -> None:
    run = action()
    assert run.failed == "Fail if there is something to fix"
    issues = bad.check()
    assert run.output("exit-code") == "1"
    assert run.output("findings") == str(len(issues))
    assert len(run.annotations) <= 10
    assert run.annotations[0].startswith("::error ")
    assert "| error |" in run.summary


@pytest.mark.usefixtures("bad")
def test_annotations_name_files_of_the_repository(action: Action, bad: Site) -> None:
    files = {
        line.partition("file=")[2].partition(",")[0]
        for line in action().annotations
        if "file=" in line
    }
    assert files
    assert all((bad.root.parent / file).exists() for file in files)


def test_with_a_report_annotations_name_the_sources(action: Action, bad: Site) -> None:
    checkout = bad.root.parent
    (checkout / "docs").mkdir()
    (checkout / "docs" / "about.md").write_text("---\nrobots: noindex\n---\n\n# About\n")
    nothing: dict[str, list[str]] = {"listed": [], "excluded": [], "issues": []}
    names = {f"{bad.base}about/": str(checkout / "docs" / "about.md")}
    report = {"base_url": bad.base, **nothing, "dates": {}, "origins": {}, "names": names}
    (checkout / "report.json").write_text(json.dumps(report))
    annotations = action(build_report="report.json").annotations
    assert any("title=noindex,file=docs/about.md,line=2::" in each for each in annotations)


@pytest.mark.usefixtures("bad")
def test_a_job_may_only_look(action: Action) -> None:
    run = action(fail_on="never", summary="false", annotations="false")
    assert not run.failed, run.log
    assert [run.summary, run.annotations, run.output("exit-code")] == ["", [], "0"]
    assert int(run.output("findings")) > 10


def test_a_folder_that_is_missing_fails_and_says_so(action: Action) -> None:
    run = action(site="public")
    assert run.failed == "Fail if there is something to fix"
    assert run.output("exit-code") == "2"
    (annotation,) = run.annotations
    assert "There is no such folder: 'public'" in annotation
    assert "There is no such folder: 'public'" in run.summary


@pytest.mark.usefixtures("good")
def test_inputs_are_words_and_never_code(action: Action, good: Site) -> None:
    run = action(site="$(touch x)", args="--fail-on `touch y` --all", base_url="'; touch z; '")
    assert run.output("exit-code") == "2"
    assert not [name for name in ("x", "y", "z") if (good.root.parent / name).exists()]


def test_what_changed_since_the_last_deploy_is_submitted_on_request(
    action: Action, tmp_path: Path
) -> None:
    key = "0123456789abcdef0123456789abcdef"
    engine = IndexNowServer({f"/{key}.txt": key})
    with running(engine.answer) as server:
        site = Site(tmp_path / "checkout" / "site", f"{server.url}/", robots=None)
        for path in ("", "about/"):
            site.page(path)
        site.write()
        (site.root / "sitemap.xml").rename(site.root.parent / "old.xml")
        site.page("new/")
        site.write()
        given = {"indexnow_key": key, "indexnow_endpoint": f"{server.url}/indexnow"}
        quiet = action(fail_on="never", **given)
        assert (quiet.failed, engine.taken) == ("", {})
        run = action(fail_on="never", indexnow_since="old.xml", **given)
    assert not run.failed, run.log
    assert list(engine.taken) == [f"{server.url}/new/"]


def test_a_change_that_leaves_an_address_dead_fails_after_it_has_been_said(
    action: Action, good: Site
) -> None:
    before = good.root.parent / "before"
    shutil.copytree(good.root, before)
    given = {"compare_with": "before", "fail_if_dead": "true", "fail_on": "never"}
    kept = action(**given)
    assert not kept.failed, kept.log
    (good.root / "about" / "index.html").unlink()
    del good.heads["about/"], good.entries[f"{good.base}about/"]
    good.write()
    assert not action(compare_with="before", fail_on="never").failed
    dead = action(**given)
    assert dead.failed == "Fail if an address is dead"
    assert f"{good.base}about/" in dead.annotations[-1]
    assert "(**its address is dead**)" in dead.summary


def test_the_first_deploy_of_a_site_passes(action: Action, good: Site) -> None:
    (good.root.parent / "empty").mkdir()
    for before in ("", "empty"):
        first = action(compare_with=before, fail_if_dead="true", fail_on="never")
        assert not first.failed, (before, first.log)


@pytest.mark.usefixtures("good")
def test_a_site_before_that_is_not_there_is_a_mistake(action: Action) -> None:
    mistaken = action(compare_with="befroe", fail_on="never")
    assert mistaken.failed == "Say what changes"
    assert "befroe" in mistaken.log


def test_what_is_in_the_repository_describes_each_input_once() -> None:
    assert all(text["description"] for text in ACTION["inputs"].values())
    assert ACTION["inputs"]["indexnow-since"]["default"] == ""


@pytest.mark.usefixtures("bad")
def test_nothing_of_a_site_is_a_command_to_the_runner(action: Action, bad: Site) -> None:
    bad.put("sitemap.xml", urlset("<loc>::error::forged</loc>", "<loc>##[error]forged</loc>"))
    for run in (action(), action(args="--bad\r::error::forged")):
        before, stop, rest = run.log.partition("::stop-commands::")
        token, _, rest = rest.partition("\n")
        inside, resumed, after = rest.partition(f"\n::{token}::\n")
        assert (before, stop, len(token), bool(resumed)) == ("", "::stop-commands::", 32, True)
        assert token not in inside
        assert all(
            line.startswith(("::error ", "::warning ", "::notice ")) for line in after.splitlines()
        )
        assert "##[" not in after


def test_what_a_change_does_is_in_the_summary_and_in_a_file(action: Action, good: Site) -> None:
    good.root.rename(good.root.parent / "before")
    good.page("new/")
    good.write()
    run = action(compare_with="before", preview="https://preview.example.org/")
    assert not run.failed, run.log
    assert "\n- [new/](https://preview.example.org/new/) " in run.summary
    assert "**1 page added**; 3 unchanged" in run.summary
    text = Path(run.output("changes-file")).read_text(encoding="utf-8")
    assert run.summary.endswith(text)


def test_a_comment_is_written_where_that_is_asked_for(
    action: Action, good: Site, service: Service
) -> None:
    good.root.rename(good.root.parent / "before")
    good.page("new/")
    good.write()
    (good.root.parent / "event.json").write_text('{"pull_request": {"number": 7}}')
    known = {
        "GITHUB_API_URL": service.url,
        "GITHUB_REPOSITORY": "owner/tea",
        "GITHUB_EVENT_PATH": "event.json",
    }
    assert not action(known, compare_with="before").failed
    assert service.asked == []
    run = action(known, compare_with="before", comment="true")
    assert not run.failed, run.log
    assert "**1 page added**" in service.comments[0]["body"]
    service.refused = {"PATCH": 403}
    run = action(known, compare_with="before", comment="true")
    assert not run.failed, run.log
    assert "no right" in run.annotations[0]
    assert "**1 page added**" in run.summary


@pytest.mark.usefixtures("good")
def test_without_a_site_before_nothing_is_compared(action: Action) -> None:
    run = action(comment="true")
    assert (run.failed, run.output("changes-file")) == ("", "")


@pytest.mark.usefixtures("good")
def test_a_site_before_that_cannot_be_read_fails_and_is_said(
    action: Action, tmp_path: Path
) -> None:
    (tmp_path / "checkout" / "old.xml").write_text("<urlset><url>")
    run = action(compare_with="old.xml")
    assert run.failed == "Say what changes"
    assert "old.xml cannot be read whole" in run.annotations[0]
