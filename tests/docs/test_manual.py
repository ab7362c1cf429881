"""The manual is a site of our own: built with our plugin, and checked by our command."""

from __future__ import annotations

import html
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import sitemapkit
from sitemapkit.options import descriptions
from sitemapkit.rules import read_rules

from ..browser import CHROMIUM, DARK, LIGHT, report_of
from ..conformance.npm import axe
from .architecture import layers
from .test_reference import SCHEMA

DOCS = Path(__file__).parents[2] / "docs"
PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUILD = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the manual; strict: a link that leads nowhere fails."""
    site = tmp_path_factory.mktemp("manual")
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    command = [*BUILD, "--config-file", str(DOCS / "mkdocs.yml"), "--site-dir", str(site)]
    subprocess.run(command, check=True, env=environment)
    return site


@pytest.mark.manual
def test_our_check_finds_nothing_to_fix_in_the_manual(manual: Path) -> None:
    command = [sys.executable, "-m", "sitemapkit_tools", "check", "--json", str(manual)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = {issue["id"] for issue in json.loads(done.stdout)["issues"]}
    assert found <= {"one-date"}  # as long as all pages were last changed on one day


def test_every_page_of_the_manual_is_in_its_navigation() -> None:
    navigation = (DOCS / "mkdocs.yml").read_text(encoding="utf-8")
    folder = DOCS / "pages"
    pages = {page.relative_to(folder).as_posix() for page in folder.rglob("*.md")}
    assert pages == set(re.findall(r"[\w/-]+\.md", navigation))


@pytest.mark.manual
def test_links_to_sections_lead_to_sections(manual: Path) -> None:
    pages = {page: page.read_text(encoding="utf-8") for page in manual.rglob("index.html")}
    links = [
        (page, target, section)
        for page, text in pages.items()
        for target, section in re.findall(r'href="((?:\.\./)*[\w/-]+/)#([\w-]+)"', text)
    ]
    lost = [
        (str(page), target, section)
        for page, target, section in links
        if f'id="{section}"' not in pages[(page.parent / target / "index.html").resolve()]
    ]
    assert links
    assert not lost


@pytest.mark.manual
def test_each_public_name_is_on_the_page_about_the_api(manual: Path) -> None:
    page = (manual / "api" / "index.html").read_text(encoding="utf-8")
    shown = set(re.findall(r'id="(sitemapkit[\w.]*)"', page))
    names = {"build.build" if name == "build" else name for name in sitemapkit.__all__}
    assert {f"sitemapkit.{name}" for name in names} <= shown
    methods = [name for name in vars(sitemapkit.Build) if not name.startswith("_")]
    assert {f"sitemapkit.Build.{name}" for name in methods} <= shown
    assert "TextDates" in page


def test_each_promise_names_tests_that_exist() -> None:
    """A promise links its tests: the target is the file, the title of the link the test."""
    page = (DOCS / "pages" / "trust.md").read_text(encoding="utf-8")
    source = f"{re.escape(PROJECT['urls']['Source'])}/blob/main"
    found = re.findall(
        rf'^\[(\d+)\]: {source}/(tests/[\w/]+\.py) "(test_\w+)"$', page, re.MULTILINE
    )
    tests = {number: (file, test) for number, file, test in found}
    for file, test in tests.values():
        assert f"def {test}(" in (DOCS.parent / file).read_text(encoding="utf-8"), test
    promises = re.findall(r"^- (.*(?:\n  \S.*)*)", page, re.MULTILINE)
    not_promised = page.partition("## What is not promised")[2].partition("\n## ")[0]
    linked = {each: re.findall(r"\]\[(\d+)\]", each) for each in promises}
    assert len(linked) > 15
    assert {each for each, numbers in linked.items() if not numbers} == {
        each for each in promises if each in not_promised
    }
    assert {*itertools.chain(*linked.values())} == tests.keys()


def test_each_page_that_installs_a_release_says_what_to_do_before_the_first_one() -> None:
    texts = {page.name: page.read_text(encoding="utf-8") for page in (DOCS / "pages").glob("*.md")}
    installs = {
        name for name, text in texts.items() if re.search(r'pip install "?sitemapkit', text)
    }
    assert len(installs) > 10
    source = PROJECT["urls"]["Source"]
    lost = {name for name in installs if not re.search(rf"#install\)|@ git\+{source}", texts[name])}
    assert lost == set()


def test_the_readme_takes_two_screens_at_most() -> None:
    assert len((DOCS.parent / "README.md").read_text(encoding="utf-8").splitlines()) <= 100


def named_on_the_page_on_architecture() -> set[str]:
    """Return the folders and files that are named in its text and tables."""
    page = (DOCS / "pages" / "architecture.md").read_text(encoding="utf-8")
    return set(re.findall(r"`([\w/]+(?:\.py|\.toml|/))`", page))


def test_the_page_on_architecture_names_nothing_that_is_not_there() -> None:
    root = DOCS.parent
    folders = [root, root / "plugins", *(root / package for package in layers())]
    missing = {
        name
        for name in named_on_the_page_on_architecture()
        if not any((folder / name).exists() for folder in folders)
    }
    assert not missing


def test_the_usual_troubles_with_git_are_rules() -> None:
    page = (DOCS / "pages" / "dates.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(git-[a-z-]+)`", page))
    assert {"git-shallow", "git-untracked", "git-none"} <= named <= read_rules("sitemapkit").keys()


@pytest.fixture(scope="module")
def shown(manual: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a browser finds wrong with each page, as on a screen, light and dark, and on a phone."""
    if not CHROMIUM:
        pytest.skip("no Chromium is installed")
    folder = tmp_path_factory.mktemp("shown")
    shutil.copytree(manual, folder / "manual")
    here = Path(__file__).parent
    shutil.copy(axe(), folder / "axe.js")
    for file in (here / "look.js", here.parent / "conformance" / "frames.js"):
        shutil.copy(file, folder / file.name)
    found = (folder / "manual").rglob("index.html")
    pages = sorted(f"/{page.parent.relative_to(folder).as_posix()}/" for page in found)
    scripts = (
        f"<script>window.pages = {json.dumps(pages)}</script>",
        '<script src="frames.js"></script>',
        '<script type="module" src="look.js"></script>',
    )
    (folder / "index.html").write_text(f"<!doctype html><body>{''.join(scripts)}")
    said, _ = report_of(folder, "index.html", folder / "profile", LIGHT)
    assert "error" not in said, said["error"]
    return dict(said)


@pytest.mark.browser
def test_no_page_is_wider_than_a_phone(shown: dict[str, Any]) -> None:
    assert len(shown["wide"]) > 60
    assert {page: wide for page, wide in shown["wide"].items() if wide} == {}


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_on_any_page(shown: dict[str, Any], scheme: str) -> None:
    assert len(shown[scheme]) > 30
    assert {page: found for page, found in shown[scheme].items() if found} == {}


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")
@pytest.mark.parametrize(("colours", "scheme"), [(LIGHT, "default"), (DARK, "slate")])
def test_the_manual_has_the_colours_that_a_reader_prefers(
    manual: Path, tmp_path: Path, colours: str, scheme: str
) -> None:
    shutil.copytree(manual, tmp_path / "manual")
    (tmp_path / "index.html").write_text(
        '<!doctype html><iframe src="manual/index.html" onload="setTimeout(() => fetch(\'/said\', '
        "{method: 'POST', body: JSON.stringify("
        'this.contentDocument.body.dataset.mdColorScheme)}))"></iframe>'
    )
    assert report_of(tmp_path, "index.html", tmp_path / "profile", colours)[0] == scheme


@pytest.mark.manual
def test_no_word_of_the_page_on_options_is_lost(manual: Path) -> None:
    """Markdown takes braces at the end of a cell for attributes of it."""
    page = (manual / "options" / "index.html").read_text(encoding="utf-8")
    text = " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())
    for name, meaning in descriptions(SCHEMA).items():
        assert meaning in text, name


@pytest.mark.manual
def test_pages_load_nothing_from_elsewhere(manual: Path) -> None:
    for page in manual.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|img|iframe)[^>]*src="(?:https?:)?//[^"]*"', text), page
        assert not re.findall(r'<link[^>]*rel="stylesheet"[^>]*href="(?:https?:)?//[^"]*"', text)
        assert 'data-md-component="source"' not in text  # it asks GitHub for stars


@pytest.mark.manual
def test_code_is_coloured_without_a_script(manual: Path) -> None:
    page = (manual / "ci" / "index.html").read_text(encoding="utf-8")
    assert '<span class="nt">permissions</span>' in page


QUESTIONS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("questions.toml").read_text(encoding="utf-8")
)


@pytest.mark.manual
@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
@pytest.mark.parametrize(("kind", "share"), [("known", 0.95), ("asked", 0.95), ("aside", 0.8)])
def test_the_search_finds_what_people_ask(manual: Path, kind: str, share: float) -> None:
    """Nearly each question is answered in one of the first three boxes that the search shows."""
    questions = QUESTIONS[kind]
    command = ["node", str(Path(__file__).with_name("search.cjs")), str(manual), *questions]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, list[str]] = json.loads(done.stdout)
    missed = {words: each for words, each in found.items() if {*each}.isdisjoint(questions[words])}
    assert 1 - len(missed) / len(questions) >= share, missed


@pytest.mark.manual
def test_each_question_names_places_that_exist(manual: Path) -> None:
    index = json.loads((manual / "search" / "search_index.json").read_text(encoding="utf-8"))
    places = {section["location"] for section in index["docs"]}
    named = {place for kind in QUESTIONS.values() for each in kind.values() for place in each}
    assert named <= places


def code() -> str:
    """Return all code, without what joins the parts of a text."""
    files = [
        file
        for component in ("core", "tools", "plugins")
        for file in DOCS.parent.glob(f"{component}/**/*.py")
    ]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return re.sub(r'"\s+f?"', "", text)


def test_each_heading_about_a_trouble_is_a_message_word_for_word() -> None:
    """Those of rules are written from the table, by `docs/reference.py`."""
    page = (DOCS / "pages" / "troubleshooting.md").read_text(encoding="utf-8")
    headings = dict(re.findall(r"^## (.*) \{#([\w-]+)\}$", page, re.MULTILINE))
    assert len(headings) == len(re.findall(r"^## ", page, re.MULTILINE)) > 20
    rules = {**read_rules("sitemapkit"), **read_rules("sitemapkit_tools")}
    messages = {rule.title: rule.id for rule in rules.values()}
    others = {text for text, name in headings.items() if messages.get(text) != name}
    text = code()
    assert others
    assert {each for each in others if each not in text} == set()


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", "docs/catalogs/README.md", "example-sites/README.md"]
)
def test_links_beside_the_manual_lead_somewhere(name: str) -> None:
    page = DOCS.parent / name
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([\w-]+))?\)", page.read_text(encoding="utf-8"))
    for target, section in links:
        file = page.parent / target if target else page
        assert file.exists(), target
        if section:
            titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert section in {re.sub(r"\W+", "-", title.lower()) for title in titles}
