"""What the settings and folders of a project say of its pages, beside what the pages say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from ..tools.conftest import run

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.org/"
PAGE = "<html><head><title>{0}</title>{1}</head><body><main><h1>{0}</h1>{2}</main></body></html>"


def site(folder: Path, files: dict[str, str], out: str, pages: dict[str, str], mark: str) -> None:
    """Write a project, and its site: titles of pages by their files."""
    head = f'<meta name="generator" content="{mark}">' if mark else ""
    links = "".join(f'<a href="/{name}">x</a>' for name in pages)
    made = {f"{out}/{name}": PAGE.format(title, head, links) for name, title in pages.items()}
    for name, text in {**files, **made}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def listed(folder: Path) -> set[str]:
    """Return what `build` lists in the project, after `check` has agreed."""
    assert (built := run("build", folder)).code == 0, built.stderr
    sitemap = next(folder.rglob("sitemap.xml"))
    found = {loc.removeprefix(BASE) for loc in re.findall("<loc>(.*?)</loc>", sitemap.read_text())}
    sitemap.write_text(sitemap.read_text().replace("sitemapkit", "other"))
    said = run("check", folder).stdout
    assert "not-listed" not in said
    assert "generated-page" not in said
    return found


def text(title: str, front: str = "") -> str:
    return f"---\ntitle: {title}\n{front}---\nText of {title}.\n"


JEKYLL_PAGES = {
    "index.html": "Home",
    "hid/x.html": "X",
    "hid/deep/y.html": "Y",
    "hidden.html": "Z",
    "open.html": "Open",
}
JEKYLL_TEXTS = {
    "index.md": text("Home"),
    "hid/x.md": text("X"),
    "hid/deep/y.md": text("Y"),
    "hidden.md": text("Z"),
    "open.md": text("Open"),
}


@pytest.mark.parametrize(
    ("scope", "left_out"),
    [
        ("path: hid", {"hid/x.html", "hid/deep/y.html"}),
        ("path: hid/", {"hid/x.html", "hid/deep/y.html"}),
        ("path: hid/x.md", {"hid/x.html"}),
        ("path: 'hid/*'", {"hid/x.html", "hid/deep/y.html"}),
        ("path: hid, type: posts", set[str]()),
        ("path: hid, type: pages", {"hid/x.html", "hid/deep/y.html"}),
    ],
)
def test_jekylls_defaults_are_those_of_the_pages_in_their_scope(
    tmp_path: Path, scope: str, left_out: set[str]
) -> None:
    defaults = f"defaults:\n  - scope: {{{scope}}}\n    values: {{sitemap: false}}\n"
    files = {"_config.yml": f"url: {BASE}\n{defaults}", **JEKYLL_TEXTS}
    site(tmp_path, files, "_site", JEKYLL_PAGES, "Jekyll v4.3.2")
    pages = {name.removesuffix("index.html") for name in JEKYLL_PAGES}
    assert listed(tmp_path) == pages - left_out


HUGO_PAGES = {"": "Home", "sec/": "Sec", "sec/d/": "D", "sec/deep/": "Deep", "other/": "Other"}
OFF = "sitemap: {disable: true}\n"


@pytest.mark.parametrize(
    ("cascade", "own", "left_out"),
    [
        (f"cascade:\n  {OFF}", "", {"sec/", "sec/d/", "sec/deep/"}),
        (f"cascade:\n  - {OFF}", "", {"sec/", "sec/d/", "sec/deep/"}),
        (f"cascade:\n  - target: {{path: /sec/d}}\n    {OFF}", "", {"sec/d/"}),
        (f"cascade:\n  - target: {{path: '/sec/**'}}\n    {OFF}", "", {"sec/d/", "sec/deep/"}),
        (f"cascade:\n  - target: {{path: '/S*/*E*P'}}\n    {OFF}", "", {"sec/deep/"}),
        (f"cascade:\n  - _target: {{kind: page}}\n    {OFF}", "", {"sec/d/", "sec/deep/"}),
        (f"cascade:\n  - target: {{environment: x}}\n    {OFF}", "", set[str]()),
        (f"cascade:\n  {OFF}", "sitemap: {priority: 0.5}\n", {"sec/", "sec/deep/"}),
    ],
)
@pytest.mark.parametrize("in_settings", [False, True])
def test_hugos_cascade_is_that_of_the_pages_below(
    tmp_path: Path, cascade: str, own: str, left_out: set[str], *, in_settings: bool
) -> None:
    if in_settings and "target" not in cascade:
        left_out |= {"", "other/"}
    files = {
        "hugo.yaml": f"baseURL: {BASE}\n{cascade if in_settings else ''}",
        "content/_index.md": text("Home"),
        "content/sec/_index.md": text("Sec", "" if in_settings else cascade),
        "content/sec/d.md": text("D", own),
        "content/sec/deep.md": text("Deep"),
        "content/other.md": text("Other"),
    }
    if in_settings and "kind: page" in cascade:
        left_out |= {"other/"}
    pages = {f"{name}index.html": title for name, title in HUGO_PAGES.items()}
    site(tmp_path, files, "public", pages, "Hugo 0.168.0")
    if left_out == {*HUGO_PAGES}:
        assert run("build", tmp_path).code == 1
        return
    assert listed(tmp_path) == {*HUGO_PAGES} - left_out


def test_a_pattern_of_hugo_with_many_stars_ends(tmp_path: Path) -> None:
    name = "e" * 60
    cascade = f"cascade:\n  - target: {{path: '{'**e' * 20}x'}}\n    {OFF}"
    files = {
        "hugo.yaml": f"baseURL: {BASE}\n{cascade}",
        f"content/{name}.md": text("Long"),
    }
    site(tmp_path, files, "public", {f"{name}/index.html": "Long"}, "Hugo 0.168.0")
    assert listed(tmp_path) == {f"{name}/"}


@pytest.mark.parametrize(
    ("settings", "inherited", "out", "mark"),
    [
        ({"mkdocs.yml": "plugins: [material/meta]"}, "docs/hid/.meta.yml", "site", "mkdocs-1.6"),
        ({"mkdocs.yml": "plugins: {meta: {}}"}, "docs/hid/.meta.yml", "site", "mkdocs-1.6"),
        ({"_quarto.yml": "project: {type: website}"}, "hid/_metadata.yml", "_site", "quarto-1.9"),
        ({"eleventy.config.js": ""}, "hid/hid.json", "_site", "Eleventy v3"),
    ],
)
def test_what_a_folder_states_is_stated_by_its_pages(
    tmp_path: Path, settings: dict[str, str], inherited: str, out: str, mark: str
) -> None:
    ((file, stated),) = settings.items()
    url = {"mkdocs.yml": f"site_url: {BASE}\n", "_quarto.yml": ""}.get(file, "")
    docs = "docs/" if out == "site" else ""
    words = "One two three four five six seven eight nine ten and some more words to be found."
    files = {
        file: f"{url}{stated}\n",
        f"{docs}index.md": text("Home"),
        f"{docs}hid/a.md": f"# Hidden\n\n{words} Alpha apples.\n",
        f"{docs}hid/b.md": f"# Bidden\n\n{words} Bravo bears.\n",
        inherited: '{"sitemap": false}' if inherited.endswith("json") else "sitemap: false\n",
    }
    pages = {"index.html": "Home"}
    suffix = ".html" if out == "_site" and file == "_quarto.yml" else "/index.html"
    pages[f"hid/a{suffix}"] = f"Hidden {words} Alpha apples."
    pages[f"hid/b{suffix}"] = f"Bidden {words} Bravo bears."
    site(tmp_path, files, out, pages, mark)
    (tmp_path / out / "index.html").write_text(
        (tmp_path / out / "index.html").read_text().replace("<title>", CANONICAL)
    )
    assert listed(tmp_path) == {""}


CANONICAL = f'<link rel="canonical" href="{BASE}"><title>'


I18N: dict[str, dict[str, str]] = {
    "suffix": {"index.md": "Home", "index.fr.md": "Accueil", "setup.md": "Setup", "a/b.fr.md": "B"},
    "folder": {
        "en/index.md": "Home",
        "fr/index.md": "Accueil",
        "en/setup.md": "Setup",
        "fr/a/b.md": "B",
    },
}


@pytest.mark.parametrize("structure", I18N)
def test_a_page_of_static_i18n_without_a_text_in_its_language_is_a_copy(
    tmp_path: Path, structure: str
) -> None:
    languages = "[{locale: en, default: true}, {locale: fr}]"
    plugin = f"{{docs_structure: {structure}, languages: {languages}}}"
    files = {f"docs/{name}": f"# {title}\n" for name, title in I18N[structure].items()}
    files["mkdocs.yml"] = f"site_url: {BASE}\nplugins:\n  - i18n: {plugin}\n"
    names = ("", "setup/", "fr/", "fr/setup/", "fr/a/b/")
    pages = {f"{name}index.html": "A page" for name in names}
    site(tmp_path, files, "site", pages, "mkdocs-1.6")
    assert listed(tmp_path) == {*names} - {"fr/setup/"}


@pytest.mark.parametrize("nav", ["[index.md, Old: old.html]", "[{More: [deep/old.html]}]"])
def test_html_that_mkdocs_copies_is_listed_where_its_navigation_names_it(
    tmp_path: Path, nav: str
) -> None:
    copied = {"docs/old.html": "<title>Old</title>", "docs/deep/old.html": "<title>Deep</title>"}
    files = {"mkdocs.yml": f"site_url: {BASE}\nnav: {nav}\n", "docs/index.md": "# Home\n", **copied}
    pages = {"index.html": "Home", "old.html": "Old", "deep/old.html": "Deep"}
    site(tmp_path, files, "site", pages, "mkdocs-1.6")
    assert listed(tmp_path) == {"", "deep/old.html" if "deep" in nav else "old.html"}


def pelican(folder: Path, settings: dict[str, Any], *texts: tuple[str, str], out: str) -> None:
    stated = {"SITEURL": BASE.rstrip("/"), "PATH": "content", **settings}
    lines = "".join(f"{name} = {value!r}\n" for name, value in stated.items())
    files = {f"content/{name}": text for name, text in texts}
    site(folder, {"pelicanconf.py": f"import os\n{lines}", **files}, out, {}, "")


def test_the_settings_of_pelican_are_read_and_not_run(tmp_path: Path) -> None:
    pelican(tmp_path, {"OUTPUT_PATH": "public"}, ("a.md", "Title: A\n\nText.\n"), out="public")
    with (tmp_path / "pelicanconf.py").open("a") as file:
        file.write("open('ran', 'w').close()\nSITENAME = os.environ['NOT_SET']\n")
    (tmp_path / "publishconf.py").write_text("from pelicanconf import *\nSITEURL = 'https://e.org'")
    site(tmp_path, {}, "public", {"index.html": "Home", "a.html": "A"}, "")
    said = run("build", tmp_path)
    assert "Pelican site in" in said.stderr
    assert "at https://e.org/" in said.stderr
    assert not (tmp_path / "ran").exists()
    assert "https://e.org/a.html" in (tmp_path / "public/sitemap.xml").read_text()


HERE = [
    "'public'",
    "Path(__file__).parent / 'public'",
    "str(Path(__file__).resolve().parent / '.' / 'public')",
    "pathlib.Path(__file__).parent.absolute() / 'x' / '..' / 'public'",
    "os.path.join(os.path.dirname(os.path.abspath(__file__)), 'public')",
    "os.path.abspath(os.path.join(HERE, 'x', '..', NAME))",
    "HERE / NAME",
    "join(dirname(__file__), NAME)",
]
UNKNOWN = ["compute()", "'/'.join(['public'])", "HERE[0] / NAME", "f'{NAME}'", "GONE / 'public'"]
TOP = "import os\nHERE = Path(__file__).parent\nNAME = 'public'\n"


@pytest.mark.parametrize("path", [*HERE, *UNKNOWN])
def test_paths_that_python_makes_of_the_place_of_the_settings_are_known(
    tmp_path: Path, path: str
) -> None:
    conf = f"{TOP}SITEURL = {BASE.rstrip('/')!r}\nOUTPUT_PATH = {path}\n"
    site(tmp_path, {"pelicanconf.py": conf}, "public", {"index.html": "Home"}, "")
    said = run("build", tmp_path / "public", "--base-url", BASE)
    assert ("Pelican site in" in said.stderr) == (path in HERE)


@pytest.mark.parametrize("path", [*HERE, *UNKNOWN])
def test_copies_of_sphinx_are_known_where_python_makes_their_paths(
    tmp_path: Path, path: str
) -> None:
    files = {
        "docs/conf.py": f"{TOP}html_extra_path = ['docs/other', {path}]\n",
        "docs/index.rst": "Home\n====\n",
        "docs/public/old.html": "<title>Old</title>",
        "docs/_build/html/searchindex.js": "",
    }
    site(tmp_path, files, "docs/_build/html", {"index.html": "Home", "old.html": "Old"}, "")
    said = run("build", tmp_path / "docs/_build/html", "--base-url", BASE)
    assert ("1 static file" in said.stdout) == (path in HERE)


@pytest.mark.parametrize(
    ("settings", "drafts"),
    [
        ({}, ("drafts/a.html", "drafts/pages/b.html", "drafts/a-de.html")),
        ({"DRAFT_SAVE_AS": "wip/{slug}/index.html"}, ("wip/a/index.html",)),
        ({"I18N_SUBSITES": {"de": {}}}, ("de/drafts/a.html", "de/drafts/pages/b.html")),
    ],
)
def test_pelicans_drafts_are_where_its_settings_say(
    tmp_path: Path, settings: dict[str, Any], drafts: tuple[str, ...]
) -> None:
    pelican(tmp_path, settings, out="output")
    site(tmp_path, {}, "output", {"index.html": "Home", **dict.fromkeys(drafts, "A draft")}, "")
    assert listed(tmp_path) == {""}


@pytest.mark.parametrize(
    ("name", "metadata", "page", "is_listed"),
    [
        ("a.md", "Title: A page!", "a-page.html", True),
        ("a.md", "Title: A\nSlug: b", "b.html", True),
        ("a.md", "Title: A\nStatus: hidden", "a.html", False),
        ("a.rst", "Aa\n##\n\n:slug: a\n:status: hidden", "a.html", False),
        ("a.md", "---\nTitle: A\nStatus: hidden\n---", "a.html", False),
        ("a.md", "---\ntitle: 'A'\nstatus: \"hidden\"\n---", "a.html", False),  # as YAML
        (
            "a.md",
            "---\ntop: 20px: \nhead:\n    <b a='b: c'>\nsave_as: b.html\nstatus: hidden\n---",
            "b.html",
            False,
        ),
        ("a.md", "---\ntitle: A: b\ntags: @x, *y, [z\n---", "a-b.html", True),
        ("a.md", "Title: A\nSitemap: no", "a.html", False),
        ("a.md", "Title: A\nPrivate: true", "a.html", False),
        ("pages/a.md", "Title: A\nStatus: hidden", "pages/a.html", False),
        ("pages/a.md", "Title: A\nStatus: hidden\nSave_as: index.html", "index.html", True),
        ("sub/a.md", "Title: A", "a.html", False),  # by the settings for its folder
        ("a.de.md", "Title: A\nLang: de", "a-de.html", True),
    ],
)
def test_what_a_text_of_pelican_says_decides_about_its_page(
    tmp_path: Path, name: str, metadata: str, page: str, *, is_listed: bool
) -> None:
    by_path = {"sub": {"sitemap": "no"}}
    text = f"{metadata}\n\nSome text.\n"
    pelican(tmp_path, {"EXTRA_PATH_METADATA": by_path}, (name, text), out="output")
    site(tmp_path, {}, "output", {"index.html": "Home", page: "A"}, "")
    assert (page.removesuffix("index.html") in listed(tmp_path)) == is_listed
    assert "unread-settings" not in run("build", tmp_path).stderr


@pytest.mark.parametrize("value", [False, None, ""])
@pytest.mark.parametrize("name", ["ARTICLE_SAVE_AS", "TAGS_SAVE_AS", "DRAFT_SAVE_AS"])
def test_what_the_settings_of_pelican_turn_off_is_not_written(
    tmp_path: Path, name: str, value: object
) -> None:
    text = ("pages/a.md", "Title: A\nStatus: hidden\n\nText.\n")
    pelican(tmp_path, {name: value}, text, ("b.md", "Title: B\n\nText.\n"), out="output")
    site(tmp_path, {}, "output", {"index.html": "Home", "pages/a.html": "A"}, "")
    assert listed(tmp_path) == {""}
    assert "unread-settings" not in run("build", tmp_path).stderr


@pytest.mark.parametrize(
    ("settings", "file", "page", "is_known"),
    [
        ("ARTICLE_PATHS = ['lua', 'c++']", "lua/x/README.md", "a.html", True),
        ("ARTICLE_PATHS = ('lua',)", "lua/README.md", "a.html", True),
        ("PATH = 'texts'\nARTICLE_PATHS = ['blog']", "texts/blog/a.md", "a.html", True),
        ("PATH = 'texts'\nPAGE_PATHS = ['']", "texts/b/a.md", "pages/a.html", True),
        ("PATH = 'texts'\nPAGE_PATHS = ['./b/']", "texts/b/a.md", "pages/a.html", True),
        ("ARTICLE_PATHS = ['lua']", "theme/templates/a.html", "a.html", False),
        ("", "lua/README.md", "a.html", False),
    ],
)
def test_texts_of_pelican_are_where_its_settings_say(
    tmp_path: Path, settings: str, file: str, page: str, *, is_known: bool
) -> None:
    text = "<title>A</title><meta name='status' content='hidden'>"
    text = text if file.endswith(".html") else "Title: A\nStatus: hidden\n\nText.\n"
    conf = f"SITEURL = {BASE.rstrip('/')!r}\n{settings}\n"
    files = {"pelicanconf.py": conf, file: text}
    site(tmp_path, files, "output", {"index.html": "Home", page: "A"}, "")
    assert (page not in listed(tmp_path)) == is_known


def test_no_template_of_pelicans_theme_is_the_source_of_a_list(tmp_path: Path) -> None:
    words = "These are all the words that the lists of this site have in common, many of them."
    texts = [(f"{name}.md", f"Title: {name}\n\nSome text.\n") for name in ("a", "b")]
    pelican(tmp_path, {"I18N_SUBSITES": {"zh": {}}}, *texts, out="output")
    lists = ("tags.html", "authors.html", "archives.html", "zh/archives.html", "zh/authors.html")
    pages = {"index.html": "Home", "author/x.html": "X", "zh/author/x.html": "X", "zh/a.html": "A"}
    site(tmp_path, {}, "output", {**pages, **dict.fromkeys(lists, words)}, "")
    for name in ("tags", "authors", "archives"):
        file = tmp_path / f"theme/templates/{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<h1>{words}</h1>")
    unlisted = {"tags.html", "zh/tags.html"}  # as no page is in `tag/`
    assert listed(tmp_path) == {"", *pages, *lists} - {"index.html"} - unlisted


def test_what_pelican_copies_is_left_out(tmp_path: Path) -> None:
    renamed = {"extra/x.html": {"path": "y.html"}}
    settings = {"STATIC_PATHS": ["extra", "one.html"], "EXTRA_PATH_METADATA": renamed}
    names = ("extra/deep/a.html", "one.html", "extra/x.html")
    pelican(tmp_path, settings, *((each, "<title>Old</title>") for each in names), out="output")
    copies = ("extra/deep/a.html", "one.html", "y.html")
    site(tmp_path, {}, "output", {"index.html": "Home", **dict.fromkeys(copies, "Old")}, "")
    assert listed(tmp_path) == {""}


@pytest.mark.parametrize(
    "text",
    [
        f"<title>Old</title>{'<p>Words.</p>' * 200_000}",
        "---\na: [\n---\n<title>Old</title>",
        "+++\na = [\n+++\n<title>Old</title>",
    ],
)
@pytest.mark.parametrize(
    ("extra", "page"),
    [("extra", "old.html"), ("extra/old.html", "old.html"), ("extra", "deep/index.html")],
)
def test_what_sphinx_copies_is_no_text_with_metadata(
    tmp_path: Path, extra: str, page: str, text: str
) -> None:
    files = {"conf.py": f"html_extra_path = [{extra!r}]\n", f"extra/{page}": text}
    pages = {"index.html": "Home", page: "Old"}
    site(tmp_path, {**files, "_build/html/searchindex.js": ""}, "_build/html", pages, "")
    said = run("build", tmp_path, "--base-url", BASE)
    assert "1 static file" in said.stdout
    assert "unread-settings" not in said.stderr
