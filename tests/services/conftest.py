"""Sites as a job finds them: in the folder `site` of the repository that it has checked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ..tools.conftest import Site
from ..tools.servers import running
from .service import Service

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@pytest.fixture
def good(tmp_path: Path) -> Site:
    """A site without a fault."""
    made = Site(tmp_path / "checkout" / "site")
    for path in ("", "about/", "guide/"):
        made.page(path)
    made.write()
    return made


@pytest.fixture
def bad(good: Site) -> Site:
    """A site whose sitemap lists pages that are not there, and one that wants not to be found."""
    for number in range(12):
        good.entries[f"{good.base}gone-{number:02}/"] = ""
    good.heads["about/"] = '<meta name="robots" content="noindex">'
    good.write()
    return good


@pytest.fixture
def service() -> Generator[Service]:
    """A repository with pull requests, without any comment yet."""
    made = Service()
    with running(made.answer) as server:
        made.url = server.url
        yield made
