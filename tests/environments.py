"""Environments of their own, for what cannot share one with all three generators."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

from .locks import locked

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = ROOT / ".cache" / "environments"
LOCKS = ROOT / "requirements"
SHARED = sysconfig.get_path("purelib")
"""Where the packages of the tests are, which the other environments have beside their own."""

ALONE = ("extensions", "generators", "material", "properdocs")
"""Groups with packages that cannot be beside those of the tests, or are to be the newest."""


def lock(group: str) -> Path:
    """Return the file that says which packages, in which versions, a dependency group is."""
    return LOCKS / f"{group}.txt"


@cache
def pins() -> dict[str, str]:
    """Return settings of pip: whoever installs what they like gets it in the versions of the tests.

    Hashes are left out: with them, pip would ask for one of what is installed from a folder, too.
    """
    text = "".join(lock(group).read_text("utf-8") for group in ("pip", "dev"))
    file = ROOT / ".cache" / "pins.txt"
    file.parent.mkdir(exist_ok=True)
    new = file.with_suffix(f".{os.getpid()}")
    new.write_text(re.sub(r" \\\n    --hash=\S+", "", text), encoding="utf-8")
    new.replace(file)
    return dict.fromkeys(("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT"), str(file))


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
    parts = (lock(group).read_text("utf-8"), sys.version, SHARED)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _make(folder: Path, group: str) -> None:
    """Make an environment without pip of its own, which would take seconds."""
    new = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)]
    subprocess.run(new, check=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    install = [*pip, f"--python={folder / 'bin' / 'python'}", "install", "--no-compile"]
    if group not in ALONE:
        (packages,) = folder.glob("lib/python*/site-packages")
        line = f"import site; site.addsitedir({SHARED!r})\n"
        (packages / "shared.pth").write_text(line, encoding="utf-8")
    subprocess.run([*install, "--require-hashes", "--requirement", str(lock(group))], check=True)
    if group in ALONE:
        ourselves = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
        subprocess.run([*install, *ourselves], check=True)
