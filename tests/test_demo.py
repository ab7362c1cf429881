"""The demo judges sitemaps: it passes the example sites, and finds what is wrong with a site."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

ROOT = Path(__file__).parents[1]
BASE = "https://example.org/docs/"
PAGES = ("", "about.html")


@pytest.fixture(scope="module")
def demo() -> ModuleType:
    spec = importlib.util.spec_from_file_location("demo", ROOT / "example-sites" / "demo.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["demo"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def prove(
    demo: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Return a function that proves a site of two pages with the given sitemap."""
    site = demo.Site("By hand", tmp_path, (), tmp_path, BASE)
    monkeypatch.setattr(demo, "SITES", (site,))
    for name in ("index.html", "about.html"):
        (tmp_path / name).write_text("<!doctype html>")
    (tmp_path / "images").mkdir()

    def prove(sitemap: str, listed: int = 2) -> None:
        (tmp_path / "sitemap.xml").write_text(sitemap)
        with demo.serve() as port:
            demo.prove(site, demo.Log(listed, None, [], None), port)

    return prove


def urlset(*paths: str, more: str = "") -> str:
    urls = "".join(f"<url><loc>{BASE}{path}</loc>{more}</url>" for path in paths)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


def test_the_demo_builds_and_proves_the_example_sites(tmp_path: Path) -> None:
    built = shutil.ignore_patterns("site", "output", "_build", "__pycache__")
    for folder in ("example-sites", "tests/conformance/schemas"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=built)
    command = [sys.executable, str(tmp_path / "example-sites" / "demo.py")]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert "All is well." in done.stdout


def test_a_true_sitemap_is_proved(prove: Callable[..., None], capsys: Any) -> None:
    prove(urlset(*PAGES))
    assert "2 URLs read back" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sitemap", "listed", "wrong"),
    [
        (urlset(*PAGES, more="<priority>2.0</priority>"), 2, "is not valid"),
        (urlset(*PAGES), 3, "written and read back differ"),
        (urlset("", "gone.html"), 2, "gone.html is listed, but the server answers 404"),
        (urlset("", "images/"), 2, "images/ is listed, but the server answers 404"),
    ],
)
def test_what_is_wrong_with_a_sitemap_is_said(
    demo: ModuleType, prove: Callable[..., None], sitemap: str, listed: int, wrong: str
) -> None:
    with pytest.raises(demo.DemoError, match=wrong):
        prove(sitemap, listed)


def test_a_page_left_out_without_a_reason_is_said(demo: ModuleType) -> None:
    summary = "1 page listed in site/sitemap.xml, 2 not listed (2 draft); no dates"
    log = f"not listed: a.md (draft)\n{summary}"
    with pytest.raises(demo.DemoError, match="2 pages are not listed, but 1 reasons are logged"):
        demo.read_log(log, demo.SITES[0])
