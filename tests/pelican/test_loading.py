"""What a build loads: the code that reads texts only where dates from git are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

    MakeSite = Callable[..., Site]

TEXTS = ("textdates", "pelican_sitemapkit.texts")
BUILD = """
import sys
from pelican import main
main(["--verbose"])
print("LOADED", *sys.modules)
"""


def loaded_texts(made: Site) -> set[str]:
    """Build in a process of its own; return which of the packages that read texts are loaded."""
    made.write({"build.py": BUILD})
    made.run()  # writes the settings
    done = made.python("build.py")
    assert "pages listed" in done.stdout
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("LOADED ")]
    modules = {*line.split()} - {"textdates", "textdates.bounds"}  # which read any file
    assert "pelican_sitemapkit.pages" in modules
    return {
        package
        for package in TEXTS
        if any(f"{each}.".startswith(f"{package}.") for each in modules)
    }


@pytest.mark.parametrize("lastmod", [False, [], ["metadata"], ["metadata", "generator", "members"]])
def test_without_dates_from_git_no_code_that_reads_texts_is_loaded(
    site: MakeSite, lastmod: object
) -> None:
    assert loaded_texts(site(SITEMAP={"lastmod": lastmod})) == set()


def test_with_dates_from_git_it_is_loaded(site: MakeSite) -> None:
    assert loaded_texts(site()) == set(TEXTS)
