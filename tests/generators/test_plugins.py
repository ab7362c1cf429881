"""Sites that a plugin of ours is for: how they are known, and what `build` says instead of work."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from sitemapkit_tools.sources.marks import all_names, generator
from sitemapkit_tools.sources.plugins import PLUGINS

from ..docs.reader import ROOT
from ..tools.conftest import run, urlset
from .test_find import BASE, HUGO, page, write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SEARCH = "search/search_index.json"
OPTIONS = "_static/documentation_options.js"
ENDING = "</body></html>\n<!--\nMkDocs version : 1.6.1\nBuild Date UTC : 2026-01-02\n-->\n"
MATERIAL = '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.7.7">'
PROPER = '<meta name="generator" content="properdocs-1.6.7">'
PELICAN = '<meta name="generator" content="Pelican" />'
BOOK = "<!-- Book generated using mdBook -->"
ZENSICAL = '<meta name="generator" content="zensical-0.0.73">'
HOME = "<title>Tea</title>{}<body><main>Tea</main>"
ONWARD = '<meta http-equiv="refresh" content="0; url=a/">'
BY_SCRIPT = (
    f"<title>Tea</title><noscript>{ONWARD}</noscript><script>window.location = 'a/'</script>"
)
VERSIONS = '[{"version": "1.0", "title": "1.0", "aliases": ["latest"]}]'
WORD = "<!-- sitemapkit for {} -->"

MKDOCS_LINE = "`plugins: [search, sitemapkit]` in {}"
SPHINX_LINE = '`extensions = ["sphinx_sitemapkit"]` in {}'
BOOK_LINE = "`sphinx: {{extra_extensions: [sphinx_sitemapkit]}}` in {}"
PELICAN_LINE = '`PLUGINS = ["sitemapkit"]` in {}'

SHAPES = {
    # what is in the project and in its site: the generator, and the line that is to be added
    "MkDocs: Material": (
        {"mkdocs.yml": "", "site/index.html": HOME.format(MATERIAL), f"site/{SEARCH}": "{}"},
        ("MkDocs", MKDOCS_LINE.format("mkdocs.yml")),
    ),
    "MkDocs: a theme that names nothing": (
        {"mkdocs.yml": "", "site/index.html": HOME.format(""), f"site/{SEARCH}": "{}"},
        ("MkDocs", MKDOCS_LINE.format("mkdocs.yml")),
    ),
    "MkDocs: no search": (
        {"mkdocs.yml": "", "site/index.html": HOME.format("") + ENDING},
        ("MkDocs", MKDOCS_LINE.format("mkdocs.yml")),
    ),
    "MkDocs: no search, and Material": (
        {"mkdocs.yml": "", "site/index.html": HOME.format(MATERIAL)},
        ("MkDocs", MKDOCS_LINE.format("mkdocs.yml")),
    ),
    "MkDocs: a home page that leads on": (
        {"mkdocs.yml": "", "site/index.html": ONWARD, "site/a/index.html": HOME.format(MATERIAL)},
        ("MkDocs", MKDOCS_LINE.format("mkdocs.yml")),
    ),
    "MkDocs: a home page that leads on by a script": (
        {
            "mkdocs.yml": "",
            "site/index.html": BY_SCRIPT,
            "site/a/index.html": HOME.format(MATERIAL),
        },
        ("MkDocs", MKDOCS_LINE.format("mkdocs.yml")),
    ),
    "MkDocs: a long home page": (
        {"mkdocs.yml": "", "site/index.html": HOME.format("") + "<p>Tea" * 50_000 + ENDING},
        ("MkDocs", MKDOCS_LINE.format("mkdocs.yml")),
    ),
    "MkDocs: settings in a folder": (
        {"docs/mkdocs.yml": "", "site/index.html": HOME.format(MATERIAL)},
        ("MkDocs", MKDOCS_LINE.format("docs/mkdocs.yml")),
    ),
    "MkDocs: settings of another name": (
        {"mkdocs.de.yml": "", "site/index.html": HOME.format(MATERIAL)},
        ("MkDocs", MKDOCS_LINE.format("mkdocs.de.yml")),
    ),
    "MkDocs: settings of Hugo were left over": (
        {
            "mkdocs.yml": "",
            "hugo.toml": "",
            "site/index.html": HOME.format(""),
            f"site/{SEARCH}": "",
        },
        ("MkDocs", MKDOCS_LINE.format("mkdocs.yml")),
    ),
    "ProperDocs": (
        {"properdocs.yml": "", "site/index.html": HOME.format(PROPER), f"site/{SEARCH}": "{}"},
        ("ProperDocs", MKDOCS_LINE.format("properdocs.yml")),
    ),
    "ProperDocs: a theme that names nothing": (
        {"properdocs.yml": "", "site/index.html": HOME.format(""), f"site/{SEARCH}": "{}"},
        ("ProperDocs", MKDOCS_LINE.format("properdocs.yml")),
    ),
    "ProperDocs: settings of MkDocs": (
        {"mkdocs.yml": "", "site/index.html": HOME.format(PROPER)},
        ("ProperDocs", MKDOCS_LINE.format("mkdocs.yml")),
    ),
    "Sphinx": (
        {"docs/conf.py": "", "site/index.html": HOME.format(""), f"site/{OPTIONS}": ""},
        ("Sphinx", SPHINX_LINE.format("docs/conf.py")),
    ),
    "Sphinx: no search": (
        {"conf.py": "", "site/index.html": HOME.format(""), f"site/{OPTIONS}": ""},
        ("Sphinx", SPHINX_LINE.format("conf.py")),
    ),
    "Sphinx: sources apart": (
        {"source/conf.py": "", "site/index.html": HOME.format(""), f"site/{OPTIONS}": ""},
        ("Sphinx", SPHINX_LINE.format("source/conf.py")),
    ),
    "Sphinx: settings of Pelican were left over": (
        {"conf.py": "", "pelicanconf.py": "", "site/index.html": HOME, f"site/{OPTIONS}": ""},
        ("Sphinx", SPHINX_LINE.format("conf.py")),
    ),
    "Jupyter Book 1": (
        {
            "_config.yml": "",
            "_toc.yml": "",
            "site/index.html": HOME.format(""),
            f"site/{OPTIONS}": "",
        },
        ("Jupyter Book 1", BOOK_LINE.format("_config.yml")),
    ),
    "Pelican": (
        {"pelicanconf.py": "", "site/index.html": HOME.format(PELICAN)},
        ("Pelican", PELICAN_LINE.format("pelicanconf.py")),
    ),
    "Pelican: a theme that names nothing": (
        {"pelicanconf.py": "raise SystemExit", "site/index.html": HOME.format("")},
        ("Pelican", PELICAN_LINE.format("pelicanconf.py")),
    ),
    "Pelican: settings of another name": (
        {"pelican.conf.py": "", "site/index.html": HOME.format(PELICAN)},
        ("Pelican", PELICAN_LINE.format("pelican.conf.py")),
    ),
    "Pelican: settings of Hugo were left over": (
        {"pelicanconf.py": "", "hugo.toml": "", "site/index.html": HOME.format(PELICAN)},
        ("Pelican", PELICAN_LINE.format("pelicanconf.py")),
    ),
    "mdBook, which has searchindex.js, too": (
        {"book.toml": "", "site/index.html": HOME.format(BOOK), "site/searchindex.js": ""},
        None,
    ),
    "mdBook: a theme that names nothing": (
        {"book.toml": "", "site/index.html": HOME.format(""), "site/searchindex.js": ""},
        None,
    ),
    "Hugo: settings of all three were left over": (
        {
            **dict.fromkeys(("mkdocs.yml", "conf.py", "pelicanconf.py", "hugo.toml"), ""),
            "site/index.html": HOME.format(HUGO),
        },
        None,
    ),
    "Hugo: an old index of MkDocs' search was left over": (
        {"hugo.toml": "", "site/index.html": HOME.format(HUGO), f"site/{SEARCH}": "{}"},
        None,
    ),
    "Hugo: a theme that names nothing, and settings of Pelican": (
        {"hugo.toml": "", "pelicanconf.py": "", "site/index.html": HOME.format("")},
        None,
    ),
    "nobody knows: settings of two": (
        {"mkdocs.yml": "", "pelicanconf.py": "", "site/index.html": HOME.format("")},
        None,
    ),
    "Zensical: settings of MkDocs": (
        {
            "mkdocs.yml": "site_dir: x",
            "site/index.html": HOME.format(ZENSICAL),
            f"site/{SEARCH}": "",
        },
        None,
    ),
    "a page about MkDocs": (
        {"site/index.html": HOME.format("") + f"<pre>{ENDING.replace('<', '&lt;')}</pre>"},
        None,
    ),
    "hand-written": ({"site/index.html": HOME.format("")}, None),
}
NEEDS = {
    "MkDocs": "MkDocs 1.6 or newer, before 2",
    "ProperDocs": "ProperDocs 1.6.5 or newer",
    "Sphinx": "Sphinx 7.3 or newer",
    "Jupyter Book 1": "Sphinx 7.3 or newer",
    "Pelican": "Pelican 4.9 or newer",
}
KNOWN = {name: known for name, (_, known) in SHAPES.items() if known}


def put(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        write(folder / name, text)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository, which is the current folder."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def files_of(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_site_is_known_by_its_shape(project: Path, shape: str) -> None:
    files, known = SHAPES[shape]
    put(project, files)
    before = files_of(project)
    outcome = run("build", "site", "--base-url", BASE)
    if not known:
        assert outcome.code == 0, outcome.stderr
        assert (project / "site" / "sitemap.xml").exists()
        return
    name, line = known
    assert outcome.code == 2
    assert outcome.stderr.strip() == (
        f"Error: site was made by {name}, and only its plugin knows what to list: add it with"
        f" {line}, which needs {NEEDS[name]} (`sitemapkit check` checks the sitemap of an older"
        " one)"
    )
    assert files_of(project) == before


@pytest.mark.parametrize("shape", KNOWN)
@pytest.mark.parametrize("name", ["none", "handwritten"])
def test_there_is_no_way_out_where_the_project_is_at_hand(
    project: Path, shape: str, name: str
) -> None:
    put(project, SHAPES[shape][0])
    outcome = run("build", "site", "--base-url", BASE, "--generator", name)
    assert outcome.code == 2
    assert f"--generator {name}: site was made by {KNOWN[shape][0]}" in outcome.stderr
    assert "away from its project" not in outcome.stderr
    assert not (project / "site" / "sitemap.xml").exists()


@pytest.mark.parametrize("shape", KNOWN)
def test_away_from_its_project_a_site_is_plain_html_if_that_is_wanted(
    project: Path, tmp_path: Path, shape: str
) -> None:
    put(project, SHAPES[shape][0])
    site = shutil.copytree(project / "site", tmp_path / "elsewhere" / "deployed")
    is_told = "theme that names nothing" not in shape or "Pelican" not in shape
    outcome = run("build", site, "--base-url", BASE)
    assert outcome.code == (2 if is_told else 0)
    assert ("away from its project, --generator none takes" in outcome.stderr) == is_told
    outcome = run("build", site, "--base-url", BASE, "--generator", "none")
    assert outcome.code == 0, outcome.stderr
    assert ("only its plugin knows" in outcome.stderr) == is_told
    assert "1 page listed" in outcome.stdout or "a home page that leads on" in shape
    (site / "sitemap.xml").unlink()
    outcome = run("build", site, "--base-url", BASE, "--generator", "none", "--repository", project)
    assert outcome.code == (2 if is_told else 0), "its project is at hand"


def test_the_project_of_another_repository_is_not_at_hand(project: Path) -> None:
    put(project, {"conf.py": "", "gh-pages/index.html": HOME, f"gh-pages/{OPTIONS}": ""})
    arguments = ("build", "gh-pages", "--base-url", BASE, "--generator", "none")
    assert run(*arguments).code == 2
    (project / "gh-pages" / ".git").mkdir()
    outcome = run(*arguments)
    assert outcome.code == 0
    assert outcome.stderr.startswith("warning gh-pages is a site of Sphinx, read as plain HTML")


@pytest.mark.parametrize(
    ("head", "landmark", "is_taken"),
    [("", SEARCH, True), ("", OPTIONS, True), (MATERIAL, SEARCH, False), (PELICAN, "x", False)],
)
def test_the_name_of_another_generator_overrules_a_file_and_no_mark(
    project: Path, head: str, landmark: str, *, is_taken: bool
) -> None:
    put(project, {"hugo.toml": "", "public/index.html": HOME.format(head)})
    put(project, {f"public/{landmark}": ""})
    outcome = run("build", "--generator", "hugo", "--base-url", BASE)
    assert outcome.code == (0 if is_taken else 2)
    assert ("was made by" in outcome.stderr) != is_taken


@pytest.mark.parametrize("name", ["mkdocs", "ProperDocs", "sphinx", "pelican", "jupyter-book-1"])
def test_a_generator_with_a_plugin_is_no_name_that_may_be_given(project: Path, name: str) -> None:
    page(project / "site" / "index.html")
    outcome = run("build", "site", "--generator", name)
    assert outcome.code == 2
    assert "are for its plugin, which `" in outcome.stderr


# The sitemap of a plugin


@pytest.mark.parametrize("word", ["MkDocs", "Sphinx", "Pelican"])
@pytest.mark.parametrize("file", ["sitemap.xml", "map.xml"])
@pytest.mark.parametrize("flags", [[], ["--generator", "none"], ["--filename", "other.xml"]])
def test_the_sitemap_of_a_plugin_is_not_replaced_wherever_it_is(
    project: Path, word: str, file: str, flags: list[str]
) -> None:
    page(project / "deployed" / "index.html")
    text = urlset(f"<loc>{BASE}</loc>").replace("<urlset", f"{WORD.format(word)}\n<urlset", 1)
    write(project / "deployed" / file, text)
    before = files_of(project)
    outcome = run("build", "deployed", "--base-url", BASE, *flags)
    assert outcome.code == 2
    assert f"deployed/{file} is there already, by the plugin for {word}" in outcome.stderr
    assert files_of(project) == before


def test_the_sitemap_of_the_command_is_replaced_by_the_next(project: Path) -> None:
    page(project / "deployed" / "index.html")
    for _ in range(2):
        assert run("build", "deployed", "--base-url", BASE).code == 0


def test_a_check_takes_the_selection_of_a_plugin_as_it_is(project: Path) -> None:
    for name in ("", "hidden/"):
        page(project / "deployed" / name / "index.html", title=name or "Home")
    for word in ("", WORD.format("Pelican")):
        text = urlset(f"<loc>{BASE}</loc>").replace("<urlset", f"{word}\n<urlset", 1)
        write(project / "deployed" / "sitemap.xml", text)
        outcome = run("check", "deployed", "--base-url", BASE)
        assert ("not-listed" in outcome.stdout) == (not word)


# Several sites


@pytest.mark.parametrize(
    "files",
    [
        {"versions.json": VERSIONS, "index.html": ONWARD},
        {"versions.json": VERSIONS},
        {"versions.json": VERSIONS, "index.html": HOME},
        {"index.html": ONWARD},
    ],
)
@pytest.mark.parametrize(
    "version",
    [{"index.html": HOME.format(MATERIAL), SEARCH: ""}, {"index.html": HOME, OPTIONS: ""}],
)
@pytest.mark.parametrize("flags", [[], ["--generator", "none"]])
def test_a_root_of_versions_is_told_of_merge(
    project: Path, files: dict[str, str], version: dict[str, str], flags: list[str]
) -> None:
    put(project / "deployed", files)
    for name in ("1.0", "2.0"):
        put(project / "deployed" / name, version)
    outcome = run("build", "deployed", "--base-url", BASE, *flags)
    assert outcome.code == 2
    assert "`sitemapkit merge deployed/1.0" in outcome.stderr
    assert "--out deployed`" in outcome.stderr


@pytest.mark.parametrize("flags", [[], ["--generator", "none"]])
@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({f"docs/{SEARCH}": "", "docs/index.html": HOME}, "MkDocs"),
        ({f"docs/{OPTIONS}": "", "docs/index.html": HOME}, "Sphinx"),
        ({"docs/index.html": HOME.format(PELICAN), "docs/theme/a.css": ""}, "Pelican"),
        ({"docs/index.html": HOME + ENDING, "docs/css/a.css": ""}, "MkDocs"),
    ],
)
def test_a_site_of_a_plugin_in_a_folder_is_left_to_it(
    project: Path, files: dict[str, str], name: str, flags: list[str]
) -> None:
    put(project / "public", {"index.html": HOME, "about/index.html": HOME, **files})
    page(project / "public" / "docs" / "guide" / "index.html")
    outcome = run("build", "public", "--base-url", BASE, *flags)
    assert outcome.code == 0, outcome.stderr
    assert f"warning public/docs is a site of {name}: its pages are left" in outcome.stderr
    text = (project / "public" / "sitemap.xml").read_text()
    assert re.findall(r"<loc>(.*?)</loc>", text) == [BASE, f"{BASE}about/"]
    assert "not-listed" not in run("check", "public", "--base-url", BASE).stdout


def test_a_book_in_a_folder_is_a_part_of_the_site(project: Path) -> None:
    put(project / "public", {"index.html": HOME, "book/searchindex.js": ""})
    put(project / "public", {"book/index.html": HOME.format(BOOK)})
    outcome = run("build", "public", "--base-url", BASE)
    assert outcome.stdout.startswith("2 pages listed")
    assert "warning" not in outcome.stderr


# Without a folder


USUAL = [
    *("site", "output", "public", "_site", "build", "dist", "_build/html", "docs/_build/html"),
    *("build/html", "docs/_build/dirhtml"),
]


@pytest.mark.parametrize("folder", USUAL)
@pytest.mark.parametrize("command", ["build", "check"])
def test_without_a_folder_sites_are_looked_for_where_they_usually_are(
    project: Path, folder: str, command: str
) -> None:
    write(project / folder / "index.html", HOME)
    write(project / folder / "sitemap.xml", urlset(f"<loc>{BASE}</loc>"))
    outcome = run(command, "--base-url", BASE)
    assert "1 page" in outcome.stdout, outcome.stderr
    write(project / "index.html", HOME)
    write(project / "about.html", HOME)
    assert "1 page" not in run(command, "--base-url", BASE).stdout


def test_of_several_usual_folders_none_is_taken(project: Path) -> None:
    for folder in ("site", "public"):
        page(project / folder / "index.html")
    outcome = run("build", "--base-url", BASE)
    assert outcome.code == 2
    assert "several finished sites, site, public: name the folder of one" in outcome.stderr


def test_a_project_beside_the_manual_of_a_plugin_is_not_chosen(project: Path) -> None:
    put(project, {"hugo.toml": "", "public/index.html": HOME.format(HUGO), "docs/conf.py": ""})
    put(project, {"docs/_build/html/index.html": HOME, f"docs/_build/html/{OPTIONS}": ""})
    outcome = run("build", "--base-url", BASE)
    assert outcome.code == 2
    assert "several finished sites, public, docs/_build/html" in outcome.stderr


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"mkdocs.yml": ""}, "mkdocs.yml is of MkDocs, but no site is in site"),
        ({"docs/conf.py": ""}, "docs/conf.py is of Sphinx, but no site is in _build/html or"),
        ({"pelicanconf.py": ""}, "pelicanconf.py is of Pelican, but no site is in output"),
        ({"_config.yml": "", "_toc.yml": ""}, "_config.yml is of Jupyter Book 1, but no site"),
        ({"_config.yml": ""}, "_config.yml may be of Jekyll, but"),
    ],
)
def test_a_project_without_its_site_is_told_to_build_it(
    project: Path, files: dict[str, str], words: str
) -> None:
    put(project, files)
    outcome = run("build")
    assert outcome.code == 2
    assert words in outcome.stderr


# Real ones


def make(project: Path, *command: str) -> str:
    """Build a site with a generator; return what `build` says of it."""
    subprocess.run(
        [sys.executable, "-m", *command], cwd=project, capture_output=True, text=True, check=True
    )
    outcome = run("build", "--base-url", BASE)
    assert outcome.code == 2
    return outcome.stderr


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
@pytest.mark.parametrize("plugins", ["[]", "[search]"])
def test_a_real_site_of_mkdocs_is_known(project: Path, theme: str, plugins: str) -> None:
    settings = f"site_name: T\ntheme: {theme}\nplugins: {plugins}\n"
    put(project, {"mkdocs.yml": settings, "docs/index.md": "# Tea\n"})
    assert "site was made by MkDocs" in make(project, "mkdocs", "build", "-q")


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_a_real_site_of_sphinx_is_known(project: Path, builder: str) -> None:
    put(project, {"docs/conf.py": "project = 'T'\n", "docs/index.rst": "T\n=\n\nTea.\n"})
    out = f"docs/_build/{builder}"
    said = make(project, "sphinx", "-q", "-b", builder, "docs", out)
    assert f"{out} was made by Sphinx" in said


def test_a_real_site_of_pelican_is_known(project: Path) -> None:
    put(
        project,
        {"pelicanconf.py": "SITENAME = 'T'\n", "content/a.md": "Title: A\nDate: 2024-01-02\n"},
    )
    assert "output was made by Pelican" in make(project, "pelican", "-q", "content")


# The table


def test_the_versions_that_plugins_need_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    stated = [*(line for extra in extras.values() for line in extra), *groups["properdocs"]]
    floors = dict(re.findall(r"([a-z]+)>=([\d.]+)", " ".join(stated)))
    for maker in (maker for plugin in PLUGINS for maker in plugin.makers):
        name, floor, *_ = maker.needs.split()
        assert floors[name.lower()] == floor


def test_no_generator_that_is_read_has_a_plugin() -> None:
    names = {maker.name for plugin in PLUGINS for maker in plugin.makers}
    assert names.isdisjoint(generator(name).name for name in all_names())
