"""What CONTRIBUTING shows is whole: a generator, an extension and a format, each tried for real."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from .docs.reader import blocks

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
MOBILE = "{http://www.baidu.com/schemas/sitemap-mobile/1/}"


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


def shown(name: str) -> list[str]:
    """Return what the page shows of a file."""
    found = [block.text for block in blocks(ROOT / "CONTRIBUTING.md") if block.name == name]
    assert found, name
    return found


def adapter() -> dict[str, Any]:
    (code,) = shown("toy_sitemapkit.py")
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


@dataclass
class Copy:
    """A copy of the core, to which somebody adds what the page shows."""

    core: Path
    site: Path

    def add(self, name: str) -> None:
        """Add a file."""
        (code,) = shown(name)
        assert len(code.splitlines()) <= 40
        (self.core.parent / name).write_text(code)

    def change_options(self, old: str, new: str) -> None:
        file = self.core / "sitemapkit" / "options.py"
        text = file.read_text()
        assert text.count(old) == 1
        file.write_text(text.replace(old, new))

    def build(self, **options: object) -> str:
        """Build the site in a process of its own; return what is reported."""
        code = (
            "import sys, json; from pathlib import Path\n"
            "from sitemapkit import Page, build, read_options\n"
            "folder = Path(sys.argv[1]); given = json.loads(sys.argv[2])\n"
            "options = read_options(given, where='test', base_url='https://example.org/')\n"
            "pages = [Page('wide/', content='<p>'),\n"
            "    Page('a/', content='<meta name=\"viewport\">', title='A'),\n"
            "    Page('b/', content='<p>', meta={'sitemap': {'mobile': 'htmladapt'}}),\n"
            "    Page('c/', content='<p>', meta={'sitemap_mobile': 'fridge'})]\n"
            "print([issue.message for issue in build(pages, options, folder).issues])"
        )
        command = [sys.executable, "-W", "error", "-c", code, str(self.site), json.dumps(options)]
        environment = {**os.environ, "PYTHONPATH": str(self.core)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def mobile(self, file: str = "sitemap.xml") -> dict[str, str | None]:
        """Return what the sitemap says of each page."""
        root = etree.parse(self.site / file).getroot()
        return {
            url.findtext(f"{SITEMAP}loc", "").removeprefix("https://example.org/"): (
                None if (found := url.find(f"{MOBILE}mobile")) is None else found.get("type")
            )
            for url in root
        }


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    core = tmp_path / "core"
    shutil.copytree(ROOT / "core", core, ignore=shutil.ignore_patterns("__pycache__"))
    return Copy(core, tmp_path / "site")


def test_an_extension_is_a_file_and_a_line(copy: Copy) -> None:
    copy.add("core/sitemapkit/extensions/mobile.py")
    option = next(text for text in shown("core/sitemapkit/options.py") if "mobile" in text)
    copy.change_options("    formats: Annotated[", f"{option}\n    formats: Annotated[")
    assert "'fridge'. Allowed: mobile; pc,mobile; htmladapt." in copy.build(mobile=True)
    assert copy.mobile() == {"a/": "pc,mobile", "b/": "htmladapt", "c/": None, "wide/": None}
    copy.build()
    assert copy.mobile() == {"a/": None, "b/": "htmladapt", "c/": None, "wide/": None}
    copy.build(mobile=True, max_urls=1)
    files = [file for file in copy.site.glob("sitemap-*.xml") if b"xmlns:m" in file.read_bytes()]
    assert sorted(str(copy.mobile(file.name)) for file in files) == [
        "{'a/': 'pc,mobile'}",
        "{'b/': 'htmladapt'}",
    ]


def test_a_format_is_a_file_and_a_word(copy: Copy) -> None:
    copy.add("core/sitemapkit/formats/json.py")
    (old,) = [
        line
        for line in (copy.core / "sitemapkit" / "options.py").read_text().splitlines()
        if line.startswith("Format = ")
    ]
    (new,) = [text for text in shown("core/sitemapkit/options.py") if text.startswith("Format = ")]
    copy.change_options(old, new.rstrip())
    copy.build(formats=["xml", "json"])
    feed = json.loads((copy.site / "sitemap.json").read_text())
    assert {item["url"]: item["title"] for item in feed["items"]} == {
        "https://example.org/a/": "A",
        **{f"https://example.org/{path}/": "" for path in ("b", "c", "wide")},
    }
    copy.build()
    assert not (copy.site / "sitemap.json").exists()
