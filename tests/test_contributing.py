"""The adapter that CONTRIBUTING shows is a whole one: a fourth generator is built with it."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"


@dataclass
class ToyPage:
    link: str
    file: Path
    source: Path
    title: str
    front_matter: dict[str, object] = field(default_factory=dict[str, object])
    draft: bool = False


@dataclass
class ToySite:
    """A generator as small as one can be: it writes its pages and says when it is done."""

    output: Path
    pages: list[ToyPage]
    config: dict[str, Any]
    build_finished: list[Callable[[ToySite], None]] = field(default_factory=list[Any])

    def build(self) -> None:
        for page in self.pages:
            page.file.write_text(f"<title>{page.title}</title>")
        for handler in self.build_finished:
            handler(self)


def adapter() -> dict[str, Any]:
    (code,) = re.findall(r"```python\n(.*?)```", CONTRIBUTING.read_text(), re.DOTALL)
    assert len(code.splitlines()) < 60
    names: dict[str, Any] = {"__name__": "toy_sitemapkit"}
    exec(compile(code, "CONTRIBUTING.md", "exec"), names)  # noqa: S102 - our own page
    return names


@pytest.fixture
def site(tmp_path: Path) -> ToySite:
    def page(name: str, **more: Any) -> ToyPage:
        return ToyPage(f"/{name}.html", tmp_path / f"{name}.html", tmp_path / name, name, **more)

    pages = [page("a", front_matter={"priority": 0.5}), page("b", draft=True)]
    site = ToySite(tmp_path, pages, {"url": "https://toy.example/"})
    adapter()["register"](site)
    return site


def test_a_toy_generator_gets_its_sitemap(site: ToySite, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "toy_sitemapkit")
    site.build()
    assert (
        "<loc>https://toy.example/a.html</loc><priority>0.5</priority>"
        in (site.output / "sitemap.xml").read_text()
    )
    assert "draft" in caplog.text
    assert "1 pages listed, 1 left out" in caplog.text


def test_a_toy_generators_user_is_told_of_a_mistake(site: ToySite) -> None:
    site.config["sitemap"] = {"exclud": "x"}
    with pytest.raises(SystemExit, match="Did you mean 'exclude'"):
        site.build()
