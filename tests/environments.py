"""Environments of their own, for what cannot share one with all three generators."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

from .locks import locked

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = ROOT / ".cache" / "environments"
SHARED = sysconfig.get_path("purelib")
"""Where the packages of the tests are, which the other environments have beside their own."""

ALONE = ("extensions", "material", "properdocs")
"""Groups with packages that cannot be beside those of the tests, or are to be the newest."""


def python_with(group: str) -> Path:
    """Return the Python of an environment with sitemapkit and a dependency group.

    It is made once, and again when what it is made from changes.
    """
    ENVIRONMENTS.mkdir(parents=True, exist_ok=True)
    with locked(ENVIRONMENTS / f"{group}.lock"):
        folder = ENVIRONMENTS / f"{group}-{sys.version_info.major}.{sys.version_info.minor}"
        stamp = folder / "made-from"
        if not stamp.exists() or stamp.read_text(encoding="utf-8") != _made_from(group):
            _make(folder, group)
            stamp.write_text(_made_from(group), encoding="utf-8")
    return folder / "bin" / "python"


def _made_from(group: str) -> str:
    """Return a digest of all that the environment depends on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed = (project["project"]["dependencies"], project["dependency-groups"][group])
    parts = (*needed, sys.version, SHARED)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _make(folder: Path, group: str) -> None:
    """Make an environment without pip of its own, which would take seconds."""
    new = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)]
    subprocess.run(new, check=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    install = [f"--python={folder / 'bin' / 'python'}", "install", "--no-compile", "--group", group]
    if group in ALONE:
        install += ["--editable", str(ROOT)]
    else:
        (packages,) = folder.glob("lib/python*/site-packages")
        line = f"import site; site.addsitedir({SHARED!r})\n"
        (packages / "shared.pth").write_text(line, encoding="utf-8")
    subprocess.run([*pip, *install], cwd=ROOT, check=True)
