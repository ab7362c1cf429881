"""What CONTRIBUTING shows and links is whole: it is done and installed as it stands, and tried."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import tomllib
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


EXAMPLES = ROOT / "docs" / "examples"
PACKAGE = EXAMPLES / "sitemapkit-more"


def shown() -> dict[str, str]:
    """Return what the page shows of each file."""
    return {block.name: block.text for block in blocks(ROOT / "CONTRIBUTING.md") if block.name}


def test_an_option_is_added_as_the_page_says(tmp_path: Path) -> None:
    copied = shutil.ignore_patterns("__pycache__", "*.pyc")
    for folder in ("core", "docs", "plugins", "tools", ".github/workflows"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=copied)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    places = {
        "core/sitemapkit/options/schema.py": "    git: Annotated[Git,",
        "core/sitemapkit/output/write.py": "        normal = with_valid_loc(",
        "docs/options.toml": "[git]\n",
        "tests/core/test_skip_undated.py": "",
    }
    texts = shown()
    assert texts.keys() == places.keys()
    for name, place in places.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        before = file.read_text(encoding="utf-8") if place else ""
        assert before.count(place) == 1
        text = before.replace(place, f"{texts[name]}\n{place}") if place else texts[name]
        file.write_text(text, encoding="utf-8")
    sources = ("core", "tools", "plugins/mkdocs")
    path = os.pathsep.join(str(tmp_path / source) for source in sources)
    for command in (
        ["docs/reference.py"],
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/core/test_skip_undated.py"],
    ):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    pages = tmp_path / "docs" / "pages"
    assert "\n## skip_undated\n" in (pages / "options.md").read_text(encoding="utf-8")
    for schema in ("mkdocs.schema.json", "sitemapkit.schema.json"):
        assert '"skip_undated": {' in (pages / schema).read_text(encoding="utf-8")


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
    file = EXAMPLES / "toy_sitemapkit.py"
    exec(compile(file.read_text(encoding="utf-8"), file, "exec"), names)  # noqa: S102 - our own file
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


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package that is to be copied, as a stranger would; return where it is."""
    project, target = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("installed")
    shutil.copytree(PACKAGE, project, dirs_exist_ok=True)
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--quiet")
    command = [sys.executable, "-m", "pip", "install", *offline, "--target", str(target)]
    subprocess.run([*command, str(project)], check=True, stdout=subprocess.PIPE)
    return target


@dataclass
class Somebody:
    """A user of sitemapkit with some other packages."""

    root: Path
    packages: list[Path]

    @property
    def site(self) -> Path:
        return self.root / "site"

    def run(self, *arguments: str, code: int = 0) -> str:
        """Run Python with the packages; return what it prints."""
        path = os.pathsep.join(map(str, [*self.packages, ROOT / "core", ROOT / "tools"]))
        done = subprocess.run(
            [sys.executable, "-W", "error", *arguments],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def build(self, code: int = 0, **options: object) -> str:
        """Build the site; return what is reported, and the modules that were loaded."""
        return self.run("-c", BUILD, str(self.site), json.dumps(options), code=code)

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
def somebody(tmp_path: Path, installed: Path) -> Somebody:
    return Somebody(tmp_path, [installed])


@pytest.fixture
def somebody_else(tmp_path: Path) -> Somebody:
    return Somebody(tmp_path, [])


def test_an_extension_is_a_module_and_brings_its_option(somebody: Somebody) -> None:
    assert "'fridge'. Allowed: mobile; pc,mobile; htmladapt." in somebody.build(mobile=True)
    assert somebody.mobile() == {"a/": "pc,mobile", "b/": "htmladapt", "c/": None, "wide/": None}
    somebody.build()
    assert somebody.mobile() == {"a/": None, "b/": "htmladapt", "c/": None, "wide/": None}
    somebody.build(mobile=True, max_urls=1)
    site = somebody.site
    files = [file for file in site.glob("sitemap-*.xml") if b"xmlns:m" in file.read_bytes()]
    assert sorted(str(somebody.mobile(file.name)) for file in files) == [
        "{'a/': 'pc,mobile'}",
        "{'b/': 'htmladapt'}",
    ]


def test_the_option_of_an_extension_is_set_on_the_command_line(somebody: Somebody) -> None:
    somebody.site.mkdir()
    (somebody.site / "a.html").write_text('<title>A</title><meta name="viewport" content="x">')
    build = ("-m", "sitemapkit_tools", "build", str(somebody.site), "--base-url", BASE)
    somebody.run(*build, "--set", "mobile=true")
    assert somebody.mobile()["a.html"] == "pc,mobile"
    (somebody.root / "sitemapkit.toml").write_text("mobile = true\n")
    somebody.run(*build)
    assert somebody.mobile()["a.html"] == "pc,mobile"
    somebody.run(*build, "--set", "mobile=false")
    assert somebody.mobile()["a.html"] is None
    said = somebody.run(*build, "--set", "mobile=yes", code=2)
    assert "command line: option 'mobile' is 'yes'; it must be true or false." in said


def test_a_format_is_a_module(somebody: Somebody) -> None:
    somebody.build(formats=["xml", "json"])
    feed = json.loads((somebody.site / "sitemap.json").read_text())
    assert {item["url"]: item["title"] for item in feed["items"]} == {
        f"{BASE}a/": "A",
        **{f"{BASE}{path}/": "" for path in ("b", "c", "wide")},
    }
    somebody.build()
    assert not (somebody.site / "sitemap.json").exists()


def test_a_source_of_dates_is_a_module_and_brings_its_option(somebody: Somebody) -> None:
    exported, ledger = somebody.root / "exported.csv", somebody.root / "ledger.txt"
    exported.write_text("a/,2024-05-06\nb/,2024-05-06\nc/,last week\n")
    report = somebody.root / "report.json"
    said = somebody.build(csv=str(exported), ledger=str(ledger), report=str(report))
    assert "The row is ['c/', 'last week']." in said
    assert somebody.dates() == {"a/": "2024-05-06", "b/": "2024-05-02", "c/": None, "wide/": None}
    dates = json.loads(report.read_text())["dates"]
    assert dates[f"{BASE}a/"]["source"] == "csv"
    skipped = [source for source, _ in dates[f"{BASE}wide/"]["skipped"]]
    assert skipped == ["metadata", "generator", "csv", "ledger", "git", "members"]
    somebody.build(lastmod=["csv"], csv=str(exported))
    assert somebody.dates() == {"a/": "2024-05-06", "b/": "2024-05-06", "c/": None, "wide/": None}
    somebody.build(lastmod=["csv"])  # its option is not set
    assert {*somebody.dates().values()} == {None}


def test_a_rule_is_a_module(somebody: Somebody) -> None:
    somebody.site.mkdir()
    for path, title in {"a": "Tea", "b": "Tea", "c": ""}.items():
        (somebody.site / f"{path}.html").write_text(f"<title>{title}</title>")
    command, site = ["-m", "sitemapkit_tools"], str(somebody.site)
    somebody.run(*command, "build", site, "--base-url", BASE, "--include", "c.html")
    for form in ("json", "gitlab"):
        found = somebody.run(*command, "check", site, "--format", form, "--fail-on", "error")
        assert "page-title" in found
    assert "page-title" in somebody.run(*command, "check", "--rules")
    found = somebody.run(*command, "check", site, "--json", "--fail-on", "error")
    assert [
        (issue["where"], issue["detail"])
        for issue in json.loads(found)["issues"]
        if issue["id"] == "page-title"
    ] == [
        (f"{BASE}b.html", f"{BASE}a.html has the same, 'Tea'."),
        (f"{BASE}c.html", "Its <title> is empty or missing."),
    ]


def test_mistakes_are_answered_with_what_is_installed_as_well(somebody: Somebody) -> None:
    said = somebody.build(code=1, mobil=1, mobile="yes", formats=["xml", "jsn"], lastmod=["cvs"])
    assert "test: unknown option 'mobil'. Did you mean 'mobile'?" in said
    assert "test: option 'mobile' is 'yes'; it must be true or false." in said
    assert "option 'formats[1]' is 'jsn'. Did you mean 'json'? Allowed: a list of xml, " in said
    assert "atom, html, llms; json, of the package sitemapkit-more." in said
    assert "option 'lastmod[0]' is 'cvs'. Did you mean 'csv'?" in said
    assert "git, members, ledger; csv, of the package sitemapkit-more." in said


def test_without_the_package_nothing_of_it_is_known(somebody_else: Somebody) -> None:
    said = somebody_else.build(code=1, mobile=True, formats=["xml", "json"], csv="a.csv")
    assert "test: unknown option 'mobile'. Known options: base_url, " in said
    assert "test: unknown option 'csv'. Known options: base_url, " in said
    assert "option 'formats[1]' is 'json'. Allowed: a list of xml, gz," in said


def test_a_build_with_what_is_built_in_looks_for_no_packages(somebody: Somebody) -> None:
    (somebody.root / "a.html").write_text("")
    options = {"formats": ["xml", "gz"], "lastmod": ["metadata", "git"], "indent": 2}
    code = BUILD.replace("sitemap_mobile", "sitemap_priority").replace('"mobile"', '"priority"')
    loaded = somebody.run("-c", code, str(somebody.site), json.dumps(options)).split()
    assert "textdates.git.history" in loaded
    packages = ("importlib.metadata", "sitemapkit_extras", "sitemapkit_more")
    assert not [name for name in loaded if name.startswith(packages)]


TOY_PROJECT = {
    "toy.toml": 'url = "https://example.org/"\n',
    "texts/home.txt": "Tea.\n",
    "texts/leaf.txt": "---\nbrewed: 2021-05-06\n---\nA leaf of tea.\n",
    "texts/parts/leaf.txt": "A leaf.\n",
    "texts/plan.txt": "---\ndraft: true\n---\nA plan.\n",
    "texts/tea.txt": "{insert parts/leaf.txt}\n",
}


def test_a_generator_without_plugins_is_a_module(somebody: Somebody) -> None:
    expected = tomllib.loads((PACKAGE / "toy.toml").read_text(encoding="utf-8"))
    project = somebody.root / "project"
    days: dict[str, str] = {}
    for number, (name, text) in enumerate(TOY_PROJECT.items(), 1):
        file = project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        days[name] = f"2024-05-0{number}T12:00:00Z"
        moment = {"GIT_AUTHOR_DATE": days[name], "GIT_COMMITTER_DATE": days[name]}
        for command in ("init -q", "add .", "commit -q -m Text"):
            environment = {**AUTHOR, **moment}
            subprocess.run(["git", *command.split()], cwd=project, env=environment, check=True)
    head = '<head><title>Tea</title><meta name="generator" content="Toy 1"></head>'
    for path in (*expected["listed"], *expected["unlisted"]):
        page = project / "out" / path / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"{head}<body><main>Tea</main></body>")
    build = ("-m", "sitemapkit_tools", "build")
    assert "no settings of a generator that is known" in Somebody(project, []).run(*build, code=2)
    user = Somebody(project, somebody.packages)
    said, _, report = user.run("-c", AS_JSON, "build", "--json").partition("\n")
    assert said == expected["says"]
    held = json.loads(report)
    dates: dict[str, str | None] = {}
    for path, files in expected["listed"].items():
        dates[path] = max(days[file] for file in files)
    dates |= expected["dates"]
    found = {entry["loc"].removeprefix(BASE): entry["lastmod"] for entry in held["listed"]}
    assert found == dates
    reasons = {each["url"].removeprefix(BASE): each["reason"] for each in held["excluded"]}
    assert reasons == expected["unlisted"]
    user.run(*build, "--generator", "toy")
    assert "Did you mean toy?" in user.run(*build, "--generator", "tot", code=2)


AS_JSON = """
import contextlib, io, sys
from sitemapkit_tools.cli import cli
with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.suppress(SystemExit):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        cli.main(sys.argv[1:])
print(said.getvalue().splitlines()[0]); print(out.getvalue())
"""
