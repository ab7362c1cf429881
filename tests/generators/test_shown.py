"""What finished pages show beside a text of their own dates them: front matter, and other pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ..repository import commit
from ..tools.conftest import run
from .test_find import BASE, HUGO, listed, write

TEA = {
    "title": "Green tea",
    "description": "How to steep green leaves",
    "date": "2019-03-04",
}
BODY = "Pour water that is [not yet](https://example.net/) boiling, then wait {}.\n\nDrink {}.\n"
FIRST, LATER = "2021-05-06", "2023-07-08"


def text(of: dict[str, str], body: str) -> str:
    return "".join(("---\n", *(f"{name}: {value}\n" for name, value in of.items()), "---\n", body))


def html(content: str, title: str = "Teas") -> str:
    head = f'<title>{title}</title>{HUGO}<meta name="description" content="In the head alone">'
    return f"<html><head>{head}</head><body><main>{content}</main></body></html>"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A section with a text in a project of Hugo, and its site without the pages of both."""
    folder = tmp_path / "project"
    write(folder / "hugo.toml", f'baseURL = "{BASE}"\n')
    write(folder / "content" / "teas" / "_index.md", "---\ntitle: Teas\n---\nWhat we drink.\n")
    write(folder / "content" / "teas" / "green.md", text(TEA, BODY.format("a minute", "it hot")))
    commit(folder, f"{FIRST}T12:00:00Z")
    write(folder / "public" / "index.html", html("Home", "Home"))
    monkeypatch.chdir(folder)
    return folder


def changed(project: Path, page: str, shown: str, of: dict[str, str], body: str) -> str:
    """Return the date of a page that shows this, after a change of the text."""
    write(project / "content" / "teas" / "green.md", text({**TEA, **of}, body))
    commit(project, f"{LATER}T12:00:00Z", "content")
    write(project / "public" / "teas" / "index.html", html("Teas"))
    write(project / "public" / "teas" / "green" / "index.html", html("Green tea"))
    write(project / "public" / page / "index.html", html(shown))
    run("build")
    return listed(project / "public")[page]


SAME = BODY.format("a minute", "it hot")
TITLE = '<p>What we drink.</p><a href="/teas/green/">{title}</a>'
BEGINNING = f"{TITLE}<p>Pour water that is not yet <b>boiling</b>, then wait {{wait}}…</p>"
DESCRIBED = '<p>What we drink.</p><a href="{base}teas/green/">{title}</a><p>{description}</p>'
DATED = f"{TITLE}<p>{{date}}</p>"


@pytest.mark.parametrize(
    ("theme", "change", "body", "date"),
    [
        (TITLE, {"title": "Sencha"}, SAME, LATER),
        (TITLE, {"description": "Nothing that is shown"}, SAME, FIRST),
        (TITLE, {}, BODY.format("two", "it hot"), FIRST),
        (DESCRIBED, {"description": "How they're steeped in Japan"}, SAME, LATER),
        (DESCRIBED, {}, BODY.format("two", "it hot"), FIRST),
        (BEGINNING, {}, BODY.format("two", "it hot"), LATER),
        (BEGINNING, {}, BODY.format("a minute", "it cold"), FIRST),
        (DATED, {"date": "2020-01-02"}, SAME, LATER),
        (TITLE, {"date": "2020-01-02"}, SAME, FIRST),
    ],
)
def test_a_section_is_dated_by_what_it_shows_of_its_pages(
    project: Path, theme: str, change: dict[str, str], body: str, date: str
) -> None:
    stated = {
        **TEA,
        **change,
        "description": {**TEA, **change}["description"].replace("'", "&rsquo;"),
    }
    wait = "two" if "wait two" in body else "a minute"
    assert changed(
        project, "teas/", theme.format(base=BASE, wait=wait, **stated), change, body
    ) == (date)


def test_a_new_page_in_a_section_is_a_change_of_it(project: Path) -> None:
    write(project / "content" / "teas" / "oolong.md", "---\ntitle: Oolong\n---\nDark.\n")
    write(project / "public" / "teas" / "oolong" / "index.html", html("Oolong"))
    shown = '<a href="green/">Green tea</a><a href="oolong/">Oolong</a>'
    assert changed(project, "teas/", shown, {}, SAME) == LATER


def test_a_listing_of_quarto_shows_other_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "_quarto.yml", f"website:\n  site-url: {BASE}\n")
    listing = "---\nlisting:\n  contents: teas\n---\nWhat we drink.\n"
    write(tmp_path / "path.qmd", listing)
    commit(tmp_path, f"{FIRST}T12:00:00Z")
    write(tmp_path / "teas" / "green.qmd", text(TEA, SAME))
    commit(tmp_path, f"{LATER}T12:00:00Z")
    mark = '<meta name="generator" content="quarto-1.9.36">'
    shown = html('<p>What we drink.</p><a href="teas/green.html">Green tea</a>').replace(HUGO, mark)
    for name, content in (("index", mark), ("path", shown), ("teas/green", html("Green tea"))):
        write(tmp_path / "_site" / f"{name}.html", content)
    monkeypatch.chdir(tmp_path)
    run("build")
    assert listed(tmp_path / "_site")["path.html"] == LATER


def test_a_page_that_the_text_of_a_section_links_is_not_listed_by_the_theme(project: Path) -> None:
    own = "---\ntitle: Teas\n---\nBegin with [Green tea](green).\n"
    write(project / "content" / "teas" / "_index.md", own)
    commit(project, f"{FIRST}T13:00:00Z", "content")
    shown = 'Begin with <a href="/teas/green/">Green tea</a>.'
    assert changed(project, "teas/", shown, {"weight": "3"}, SAME) == FIRST


@pytest.mark.parametrize(
    ("shown", "change", "date"),
    [
        ("<h1>Sencha</h1>", {"title": "Sencha"}, LATER),
        ("<h1>Green tea</h1><p>Steeped in Japan</p>", {"description": "Steeped in Japan"}, LATER),
        ("<h1>Green tea</h1>", {"description": "In the head alone"}, FIRST),
        ("<h1>Green tea</h1>", {"weight": "12"}, FIRST),
        ("<h1>Green tea</h1><p>leaves, hot water</p>", {"tags": "leaves, hot water"}, FIRST),
    ],
)
def test_a_page_is_dated_by_the_front_matter_that_it_shows(
    project: Path, shown: str, change: dict[str, str], date: str
) -> None:
    assert changed(project, "teas/green/", shown, change, SAME) == date


def test_a_comment_of_myst_is_shown_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "project"
    shutil.copytree(Path(__file__).parent / "projects" / "myst", folder)
    commit(folder, f"{FIRST}T12:00:00Z")
    file = folder / "00-tea.md"
    file.write_text(f"{file.read_text()}\n% Is this still so?\n")
    commit(folder, f"{LATER}T12:00:00Z")
    monkeypatch.chdir(folder)
    run("build", "--base-url", BASE)
    assert listed(folder / "_build" / "html")[""] == FIRST
