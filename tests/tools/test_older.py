"""Older versions of what we need: all works but what is not safe with them, and that is refused."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from .conftest import run

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Site

LOADED = ("sitemapkit_tools.commands.", "sitemapkit_tools.submit", "sitemapkit_tools.web")


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process, beside packages that say that they are older."""
    for name in ("protego-0.6.2", "urllib3-2.7.0"):
        info = tmp_path / f"{name}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Version: {name.partition('-')[2]}\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [*sys.modules]:
        if name.startswith(LOADED):
            monkeypatch.delitem(sys.modules, name)


@pytest.fixture
def finished(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    site.write()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INDEXNOW_KEY", "0123456789abcdef")
    (tmp_path / "old.xml").write_text("<urlset/>")
    return site


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("start", [["check"], ["diff", "old.xml"], ["submit", "old.xml"]])
def test_nothing_is_read_online_with_a_urllib3_that_a_server_can_harm(
    finished: Site, start: list[str]
) -> None:
    outcome = run(*start, finished.base)
    assert outcome.code == 2
    assert outcome.stderr.count("\n") == 1
    assert outcome.stderr.endswith('Run `pip install -U "urllib3>=2.8"`.\n')


@pytest.mark.usefixtures("older")
def test_nor_is_anything_sent_with_it_but_planned(finished: Site) -> None:
    assert "would send" in run("submit", "old.xml", finished.root, "--dry-run").stderr
    sent = run("submit", "old.xml", finished.root, "--send")
    assert sent.code == 2
    assert "urllib3>=2.8" in sent.stderr


@pytest.mark.usefixtures("older")
def test_what_needs_no_server_works_with_it(finished: Site) -> None:
    assert run("check", finished.root).code == 0
    assert "submit" in run("--help").stdout


@pytest.mark.usefixtures("older")
def test_a_rule_that_an_older_protego_may_hang_on_is_refused(
    finished: Site,
) -> None:
    robots = finished.root / "robots.txt"
    robots.write_text(f"User-agent: *\nDisallow: /*/a*\nSitemap: {finished.base}sitemap.xml\n")
    assert run("check", finished.root).code == 0
    robots.write_text(robots.read_text() + "Disallow: /" + "*a" * 500 + "\n")
    outcome = run("check", finished.root)
    assert outcome.code == 2
    assert outcome.stderr.endswith('Run `pip install -U "protego>=0.7"`.\n')
