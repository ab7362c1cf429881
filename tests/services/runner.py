"""What a runner of GitHub does with a composite action: fill in inputs, and run step by step."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from ..docs.reader import home

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
COMMENT: dict[str, Any] = yaml.safe_load((ROOT / "comment/action.yml").read_text(encoding="utf-8"))
BASH = [shutil.which("bash") or "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c"]
"""The shell of a step that says `shell: bash`."""

TOKEN = "the-token-of-the-job"  # noqa: S105 - of no service
_EXPRESSION = re.compile(r"\$\{\{ ([\w.-]+) \}\}")
_CONDITION = re.compile(r"([\w.-]+) != '(.*)'")


@dataclass
class Run:
    """One run of the action in a folder, with what it leaves behind."""

    folder: Path
    temporary: Path
    """Kept from run to run, so that what is installed once is there."""

    inputs: dict[str, str]
    environment: dict[str, str] = field(default_factory=dict[str, str])
    """What the runner knows of the event and of the service."""

    outputs: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """The outputs of each step, by its id."""

    log: str = ""
    summary: str = ""
    failed: str = ""
    """The name of the step that failed."""

    def follow(self, *, install: bool = False) -> Run:
        """Run the steps until one fails; the first, which installs, only if that is wanted."""
        for step in ACTION["runs"]["steps"][0 if install else 1 :]:
            if not self.failed and self.is_wanted(step.get("if", "")):
                self.step(step)
        return self

    @property
    def annotations(self) -> list[str]:
        """The lines of the log that become annotations."""
        return re.findall(r"^::(?:error|warning|notice) .*", self.log, re.MULTILINE)

    def output(self, name: str) -> str:
        """Return an output of the action."""
        return self.value(ACTION["outputs"][name]["value"])

    def step(self, step: dict[str, Any]) -> None:
        """Run one step."""
        assert step["shell"] == "bash"
        summary, output = self.folder.parent / "summary", self.folder.parent / "output"
        for file in (summary, output):
            file.write_text("")
        environment = {
            **home(self.folder.parent, Path(sysconfig.get_path("scripts"))),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
            "RUNNER_TEMP": str(self.temporary),
            **self.environment,
            **{name: self.value(text) for name, text in step.get("env", {}).items()},
        }
        done = subprocess.run(
            [*BASH, step["run"]],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.log += done.stdout
        self.summary += summary.read_text(encoding="utf-8")
        said = dict(line.split("=", 1) for line in output.read_text("utf-8").splitlines())
        self.outputs[step.get("id", "")] = said
        self.failed = step["name"] if done.returncode else ""

    def value(self, text: str) -> str:
        """Fill in expressions."""
        return _EXPRESSION.sub(lambda found: self.look_up(found[1]), text)

    def look_up(self, name: str) -> str:
        """Return an input, or the output of a step."""
        match name.split("."):
            case ["inputs", key]:
                return self.inputs.get(key, str(ACTION["inputs"][key]["default"]))
            case ["github", "token"]:
                return TOKEN
            case ["steps", step, "outputs", key]:
                return self.outputs.get(step, {}).get(key, "")
            case _:
                raise AssertionError(name)

    def is_wanted(self, condition: str) -> bool:
        """Return whether a step is run."""
        if not condition:
            return True
        found = _CONDITION.fullmatch(condition)
        assert found, condition
        return self.look_up(found[1]) != found[2]
