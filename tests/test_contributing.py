"""What CONTRIBUTING shows is whole: each addition is made to a copy, and tried."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from .docs.reader import blocks

pytestmark = pytest.mark.manual

ROOT = Path(__file__).parents[1]
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
MOBILE = "{http://www.baidu.com/schemas/sitemap-mobile/1/}"
BASE = "https://example.org/"
AUTHOR = {
    **os.environ,
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "A"),
    **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@example.org"),
    **dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2024-05-06T07:08:09Z"),
}


def shown(name: str, word: str = "") -> str:
    """Return what the page shows of a file; where that is several blocks, the one with a word."""
    texts = [block.text for block in blocks(ROOT / "CONTRIBUTING.md") if block.name == name]
    (text,) = [text for text in texts if word in text]
    assert len(text.splitlines()) <= 50
    return text


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
    """A generator as small as one can be: it writes its pages, and calls its plugins meanwhile."""

    source: Path
    output: Path
    pages: list[ToyPage]
    config: dict[str, Any]
    plugins: list[Any] = field(default_factory=list[Any])

    def build(self) -> None:
        for plugin in self.plugins:
            plugin.on_start(self)
        for page in self.pages:
            page.file.write_text(f"<title>{page.title}</title>")
            for plugin in self.plugins:
                plugin.on_page(page)
        for plugin in self.plugins:
            plugin.on_finish(self)


def adapter() -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "toy_sitemapkit"}
    exec(compile(shown("toy_sitemapkit.py"), "CONTRIBUTING.md", "exec"), names)  # noqa: S102 - our own page
    return names


@pytest.fixture
def site(tmp_path: Path) -> ToySite:
    """A site of two pages in a git repository."""

    def page(name: str, **more: Any) -> ToyPage:
        source = tmp_path / f"{name}.txt"
        source.write_text(name)
        return ToyPage(f"/{name}.html", tmp_path / f"{name}.html", source, name, **more)

    pages = [page("a", front_matter={"priority": 0.5}), page("b", draft=True)]
    for command in ("init -q", "add .", "commit -q -m Pages"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, env=AUTHOR, check=True)
    config = {"url": "https://toy.example/"}
    return ToySite(tmp_path, tmp_path, pages, config, [adapter()["Plugin"]()])


def test_a_toy_generator_gets_its_sitemap(site: ToySite, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "toy_sitemapkit")
    site.build()
    assert (
        "<loc>https://toy.example/a.html</loc>"
        "<lastmod>2024-05-06T07:08:09Z</lastmod><priority>0.5</priority>"
        in (site.output / "sitemap.xml").read_text()
    )
    assert "draft" in caplog.text
    assert "1 page listed" in caplog.text


def test_a_toy_generators_user_is_told_of_a_mistake(site: ToySite) -> None:
    site.config["sitemap"] = {"exclud": "x"}
    with pytest.raises(SystemExit, match="Did you mean 'exclude'"):
        site.build()


BUILD = """
import sys, json; from pathlib import Path
from sitemapkit import Page, build, read_options
options = read_options(json.loads(sys.argv[2]), where="test", base_url="https://example.org/")
site = Path(sys.argv[1])
(file := site.parent / "a.html").write_text('<meta name="viewport">')
pages = [Page("wide/", content="<p>"),
    Page("a/", file, title="A", content="<p>"),
    Page("b/", content="<p>", meta={"sitemap": {"mobile": "htmladapt", "lastmod": "2024-05-02"}}),
    Page("c/", content="<p>", meta={"sitemap_mobile": "fridge"})]
print([issue.message for issue in build(pages, options, site).issues])
print(*sys.modules)
"""


@dataclass
class Copy:
    """A copy of the code, to which somebody adds what the page shows."""

    root: Path

    @property
    def site(self) -> Path:
        return self.root / "site"

    def add(self, name: str) -> None:
        """Add a file."""
        file = self.root / name
        assert not file.exists()
        file.write_text(shown(name))

    def append(self, name: str) -> None:
        """Add to the end of a file."""
        with (self.root / name).open("a") as file:
            file.write("\n\n" + shown(name))

    def put(self, name: str, word: str, *, before: str) -> None:
        """Add the shown block with `word` to a file, before a line that it has once."""
        self.replace(name, f"\n{before}", f"\n{shown(name, word)}{before}")

    def change(self, name: str, start: str) -> None:
        """Replace the line that begins with `start` by the one shown."""
        lines = (self.root / name).read_text().splitlines(keepends=True)
        (old,) = [line for line in lines if line.startswith(start)]
        self.replace(name, old, shown(name, start))

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text()
        assert text.count(old) == 1
        (self.root / name).write_text(text.replace(old, new))

    def run(self, *arguments: str) -> str:
        """Run Python with the copy, and nothing else of ours."""
        environment = {**os.environ, "PYTHONPATH": f"{self.root / 'core'}:{self.root / 'tools'}"}
        command = [sys.executable, "-W", "error", *arguments]
        done = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def build(self, **options: object) -> str:
        """Build the site; return what is reported, and the modules that were loaded."""
        return self.run("-c", BUILD, str(self.site), json.dumps(options))

    def urls(self, file: str = "sitemap.xml") -> dict[str, Any]:
        """Return the `<url>` of each page, by its path."""
        root = etree.parse(self.site / file).getroot()
        return {url.findtext(f"{SITEMAP}loc", "").removeprefix(BASE): url for url in root}

    def mobile(self, file: str = "sitemap.xml") -> dict[str, str | None]:
        """Return the devices that each page is for, as the sitemap says."""
        found = {path: url.find(f"{MOBILE}mobile") for path, url in self.urls(file).items()}
        return {path: None if each is None else each.get("type") for path, each in found.items()}

    def dates(self) -> dict[str, str | None]:
        """Return the date of each page in the sitemap."""
        return {path: url.findtext(f"{SITEMAP}lastmod") for path, url in self.urls().items()}


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    for name in ("core", "tools"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    return Copy(tmp_path)


OPTIONS = "core/sitemapkit/options/schema.py"


def test_an_extension_is_a_file_and_an_option(copy: Copy) -> None:
    copy.add("core/sitemapkit/extensions/mobile.py")
    copy.put(OPTIONS, "mobile", before="    formats: Annotated[")
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
    copy.change(OPTIONS, "Format = ")
    copy.build(formats=["xml", "json"])
    feed = json.loads((copy.site / "sitemap.json").read_text())
    assert {item["url"]: item["title"] for item in feed["items"]} == {
        f"{BASE}a/": "A",
        **{f"{BASE}{path}/": "" for path in ("b", "c", "wide")},
    }
    copy.build()
    assert not (copy.site / "sitemap.json").exists()


def test_a_source_of_dates_is_a_file_a_word_and_an_option(copy: Copy) -> None:
    copy.add("core/sitemapkit/lastmod/csv.py")
    copy.change("core/sitemapkit/model.py", "DateSource = ")
    copy.put(OPTIONS, "csv", before="    formats: Annotated[")
    exported, ledger = copy.root / "exported.csv", copy.root / "ledger.txt"
    exported.write_text("a/,2024-05-06\nb/,2024-05-06\nc/,last week\n")
    report = copy.root / "report.json"
    said = copy.build(csv=str(exported), ledger=str(ledger), report=str(report))
    assert "The row is ['c/', 'last week']." in said
    assert "sitemapkit.lastmod.csv" in said.split()
    assert copy.dates() == {"a/": "2024-05-06", "b/": "2024-05-02", "c/": None, "wide/": None}
    dates = json.loads(report.read_text())["dates"]
    assert dates[f"{BASE}a/"]["source"] == "csv"
    skipped = [source for source, _ in dates[f"{BASE}wide/"]["skipped"]]
    assert skipped == ["metadata", "generator", "csv", "ledger", "git", "members"]
    assert "sitemapkit.lastmod.csv" not in copy.build().split()
    copy.build(lastmod=["csv"], csv=str(exported))
    assert copy.dates() == {"a/": "2024-05-06", "b/": "2024-05-06", "c/": None, "wide/": None}


def test_a_rule_is_a_row_a_check_and_a_planted_defect(copy: Copy) -> None:
    shutil.copytree(ROOT / "tests" / "tools", copy.root / "tests" / "tools")
    shutil.copy(ROOT / "pyproject.toml", copy.root)
    check = "tools/sitemapkit_tools/checks/check.py"
    copy.append("tools/sitemapkit_tools/rules.toml")
    copy.add("tools/sitemapkit_tools/checks/titles.py")
    copy.put(check, "import", before="from sitemapkit_tools.issues import in_order")
    copy.put(check, "yield", before="    yield from check_robots(site)")
    copy.append("tests/tools/test_rules.py")
    tried = "page-title or without_a_fault or every_rule"
    tests = copy.run("-m", "pytest", "-q", "tests/tools/test_rules.py", "-k", tried)
    assert "3 passed" in tests
    copy.site.mkdir()
    for path, title in {"a": "Tea", "b": "Tea", "c": ""}.items():
        (copy.site / f"{path}.html").write_text(f"<title>{title}</title>")
    command = ["-m", "sitemapkit_tools"]
    copy.run(*command, "build", str(copy.site), "--base-url", BASE, "--include", "c.html")
    found = copy.run(*command, "check", str(copy.site), "--json", "--fail-on", "error")
    assert [
        (issue["where"], issue["detail"])
        for issue in json.loads(found)["issues"]
        if issue["id"] == "page-title"
    ] == [
        (f"{BASE}b.html", f"{BASE}a.html has the same, 'Tea'."),
        (f"{BASE}c.html", "Its <title> is empty or missing."),
    ]
