"""Which source made which page, as the pages tell: by their edit links, paths and words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from sitemapkit.model import Reason
from sitemapkit.parsing import parse_html
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sources.alike_paths import key_of
from sitemapkit_tools.sources.edit_links import EditedFile, edited_file
from sitemapkit_tools.sources.find import made_by
from sitemapkit_tools.sources.shared_words import words_of_source
from textdates import file_of

from ..repository import commit, git
from ..tools.conftest import run

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapkit_tools.site.made import Made

BASE = "https://example.org/"
EDIT = "https://github.com/o/r/edit/main/"

BREW = "Warm the teapot first, then pour boiling water over four spoons of leaves."
STORE = "Keep black leaves away from light, humidity, strange smells, and curious children."
HARVEST = "Pickers harvest young shoots every spring before heavy monsoon clouds arrive."
INFUSER = "Chauffez la théière avant de verser doucement cette eau frémissante dessus."
MANY = " ".join(f"other{first}{second}" for first in "abcdefghij" for second in "abcdefghijkl")


class Page(NamedTuple):
    """A page of a site: its text, its edit link and its language."""

    text: str
    link: str = ""
    lang: str = "en"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def made(folder: Path, files: dict[str, str], pages: dict[str, Page]) -> dict[str, Made]:
    """Return what is known of the pages of a site that is built in a repository of these files."""
    for name, text in files.items():
        write(folder / name, text)
    commit(folder)
    for name, page in pages.items():
        link = f'<a href="{page.link}">Edit this page</a>' if page.link else ""
        text = f"<main><p>{page.text}</p></main>{link}"
        write(folder / "out" / name, f'<html lang="{page.lang}"><title>T</title><body>{text}')
    return dict(made_by(None, OutputDir.walk(folder / "out", BASE), [folder]).pages)


def sources(folder: Path, files: dict[str, str], pages: dict[str, Page]) -> dict[str, str]:
    """Return the sources of pages that have one and are no copies of others."""
    found = made(folder, files, pages)
    start = f"{folder}/"
    return {
        page: file_of(each.sources[0]).removeprefix(start)
        for page, each in found.items()
        if not each.excluded
    }


ADDRESSES = {
    "github.com/o/r/edit/main/docs/a.md": "main",
    "github.com/o/r/edit/feature/new/menu/docs/a.md": "feature/new/menu",
    "github.com/o/r/edit/refs/heads/main/docs/a.md": "main",
    "github.com/o/r/edit/main/website/../docs/a.md": "main",
    "gitlab.com/o/r/-/edit/main/docs/a.md": "main",
    "gitlab.com/-/ide/project/o/r/edit/main/-/docs/a.md": "main",
    "codeberg.org/o/r/_edit/main/docs/a.md": "main",
    "bitbucket.org/o/r/src/main/docs/a.md?mode=edit&at=main": "main",
    "git.example/edit/src/_edit/main/docs/a.md": "src/_edit/main",
    "github.com/o/r/edit/main/docs/%61.md#L1": "main",
}


@pytest.mark.parametrize("form", ['<a href="{}">', "<a class=x href={}>", "<A HREF='{}' >"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_an_edit_link_of_any_host_names_a_branch_and_a_file(address: str, form: str) -> None:
    html = form.format(f"https://{address}")
    found = edited_file(parse_html(f"<body>{html}x</a>"), {"docs/a.md", "a.md"})
    assert found == EditedFile(ADDRESSES[address], "docs/a.md")


BLOB = "https://git.example/o/r/blob/main/docs/a.md"


@pytest.mark.parametrize(
    ("html", "is_found"),
    [
        (f'<a rel="nofollow edit" href="{BLOB}">Pen</a>', True),
        (f'<link rel=edit href="{BLOB}">', True),
        (f'<a href="{BLOB}"><svg></svg> <span>Improve</span> this page</a>', True),
        (f'<a href="{BLOB}" title="View source of this page"></a>', True),
        (f'<a href="{BLOB}" aria-label="Suggest changes"></a>', True),
        (f'<a href="{BLOB}">an example</a>', False),
        ("<a href='/o/r/edit/main/docs/a.md'>Edit</a>", False),
        ("<a href='https://git.example/o/r/edit/main/../docs/a.md'>Edit</a>", False),
        ("<a href='https://[x/edit/main/docs/b.md'>Edit</a>", False),
        (f"<!-- <a rel=edit href='{BLOB}'>Edit</a> -->", False),
        (f"<pre>&lt;a rel=edit href='{BLOB}'&gt;</pre>", False),
        (f"<a href='{EDIT}docs/a.md'>Edit</a><a href='{EDIT}a.md'>Edit</a>", False),
        (f"<a href='{EDIT}docs/a.md'>Edit</a><a href='{EDIT}docs/a.md'>Edit</a>", True),
        (f"<a href='{EDIT}docs/a.md'>Edit</a><a href='{EDIT}gone.md'>Edit</a>", True),
        (f"<a href='{EDIT}docs/a.md'>Edit</a><a href='{BLOB[:-9]}/a.md'>source</a>", True),
    ],
)
def test_a_link_is_for_editing_if_it_says_so_and_names_one_file(html: str, is_found: bool) -> None:
    found = edited_file(parse_html(f"<body>{html}"), {"docs/a.md", "a.md"})
    assert (found is not None and found.file == "docs/a.md") == is_found


SITES = {
    "pages whose edit links name their sources, whatever their addresses": (
        {"texts/brewing.md": BREW, "texts/storing.md": STORE},
        {
            "1/index.html": Page(BREW, f"{EDIT}texts/brewing.md"),
            "2.html": Page(STORE, f"{EDIT}texts/storing.md"),
        },
        {"1/index.html": "texts/brewing.md", "2.html": "texts/storing.md"},
    ),
    "pages of a repository that is not this one": (
        {"docs/a.md": BREW, "docs/b.md": STORE},
        {"a/index.html": Page(HARVEST, f"{EDIT}docs/a.md"), "b/index.html": Page(INFUSER)},
        {},
    ),
    "a translated page whose edit link leads to the text in English": (
        {
            "docs/a.md": BREW,
            "docs/b.md": STORE,
            "i18n/fr/docs/a.md": INFUSER,
            "i18n/fr/docs/c.md": HARVEST,
        },
        {
            "docs/a/index.html": Page(BREW, f"{EDIT}docs/a.md"),
            "docs/b/index.html": Page(STORE, f"{EDIT}docs/b.md"),
            "fr/docs/a/index.html": Page(INFUSER, f"{EDIT}docs/a.md", "fr"),
            "fr/docs/b/index.html": Page(STORE, f"{EDIT}docs/b.md", "fr"),
            "fr/docs/c/index.html": Page(HARVEST, "", "fr"),
        },
        {
            "docs/a/index.html": "docs/a.md",
            "docs/b/index.html": "docs/b.md",
            "fr/docs/a/index.html": "i18n/fr/docs/a.md",
            "fr/docs/c/index.html": "i18n/fr/docs/c.md",
        },
    ),
    "a page that is translated in part": (
        {
            "docs/a.md": BREW,
            "docs/b.md": STORE,
            "i18n/fr/a.md": f"{BREW} Encore chaud.",
            "i18n/fr/b.md": HARVEST,
        },
        {
            "docs/a/index.html": Page(BREW, f"{EDIT}docs/a.md"),
            "fr/docs/a/index.html": Page(f"{BREW[:50]} Encore chaud.", f"{EDIT}docs/a.md", "fr"),
            "fr/docs/b/index.html": Page(HARVEST, "", "fr"),
        },
        {"docs/a/index.html": "docs/a.md", "fr/docs/b/index.html": "i18n/fr/b.md"},
    ),
    "pages of a branch that is not checked out": (
        {"docs/a.md": BREW, "docs/b.md": STORE},
        {
            "a/index.html": Page(BREW, f"{EDIT}docs/a.md"),
            "b/index.html": Page(STORE, f"{EDIT}docs/b.md"),
            "1.0/a/index.html": Page(BREW, "https://github.com/o/r/edit/v1/x/docs/a.md"),
            "1.0/b/index.html": Page(STORE[:60], "https://github.com/o/r/blob/v1/x/docs/b.md"),
        },
        {"a/index.html": "docs/a.md", "b/index.html": "docs/b.md"},
    ),
    "versions that link the same file": (
        {
            "docs/a.md": f"{BREW} Next comes sugar.",
            "docs/b.md": STORE,
            "versioned/1/a.md": BREW,
            "versioned/1/b.md": f"{STORE} Once upon another time.",
        },
        {
            "a/index.html": Page(BREW, f"{EDIT}docs/a.md"),
            "b/index.html": Page(f"{STORE} Once upon another time.", f"{EDIT}docs/b.md"),
            "next/a/index.html": Page(f"{BREW} Next comes sugar.", f"{EDIT}docs/a.md"),
            "next/b/index.html": Page(STORE, f"{EDIT}docs/b.md"),
        },
        {
            "a/index.html": "versioned/1/a.md",
            "b/index.html": "versioned/1/b.md",
            "next/a/index.html": "docs/a.md",
            "next/b/index.html": "docs/b.md",
        },
    ),
    "versions of the same words, without edit links": (
        {"docs/a.md": BREW, "docs/b.md": STORE, "v/docs-1/a.md": BREW, "v/docs-1/b.md": STORE},
        {
            "docs/a/index.html": Page(BREW),
            "docs/b/index.html": Page(STORE),
            "docs/next/a/index.html": Page(BREW),
            "docs/next/b/index.html": Page(STORE),
        },
        {},
    ),
    "copies in folders of versions": (
        {"docs/a.md": BREW},
        {
            "a/index.html": Page(BREW, f"{EDIT}docs/a.md"),
            "v1/a/index.html": Page(BREW, f"{EDIT}docs/a.md"),
        },
        {"a/index.html": "docs/a.md"},
    ),
    "lists that show the whole text of a page": (
        {"blog/2020-01-02-first.md": BREW},
        {
            "blog/2020/01/02/first/index.html": Page(BREW, f"{EDIT}blog/2020-01-02-first.md"),
            "blog/index.html": Page(f"{BREW} More.", f"{EDIT}blog/2020-01-02-first.md"),
            "blog/tags/tea/index.html": Page(BREW, f"{EDIT}blog/2020-01-02-first.md"),
        },
        {"blog/2020/01/02/first/index.html": "blog/2020-01-02-first.md"},
    ),
    "a source that pages of other names share": (
        {"a.md": BREW},
        {"x/index.html": Page(BREW, f"{EDIT}a.md"), "y/index.html": Page(BREW, f"{EDIT}a.md")},
        {},
    ),
    "templates of several pages": (
        {"sorts/[sort].md": BREW, "tags.md": f"---\npagination: {{size: 1}}\n---\n{STORE}"},
        {
            "sorts/green.html": Page(BREW, f"{EDIT}sorts/[sort].md"),
            "tags.html": Page(STORE, f"{EDIT}tags.md"),
        },
        {},
    ),
    "names that generators spell anew": (
        {
            "docs/01-Brewing/02-The.Pot.md": BREW,
            "docs/01-Brewing/README.md": STORE,
            "docs/posts/2020-01-02-x_y.mdx": HARVEST,
        },
        {
            "brewing/thepot.html": Page(BREW),
            "Brewing/index.html": Page(STORE),
            "posts/2020/1/2/x-y/index.html": Page(HARVEST),
        },
        {
            "brewing/thepot.html": "docs/01-Brewing/02-The.Pot.md",
            "Brewing/index.html": "docs/01-Brewing/README.md",
            "posts/2020/1/2/x-y/index.html": "docs/posts/2020-01-02-x_y.mdx",
        },
    ),
    "folders of any name, which need two pages": (
        {"mod/a/pages/x.adoc": BREW, "mod/a/pages/y.adoc": STORE, "mod/b/pages/z.adoc": HARVEST},
        {"a/x.html": Page(BREW), "a/y.html": Page(STORE), "b/z.html": Page(HARVEST)},
        {"a/x.html": "mod/a/pages/x.adoc", "a/y.html": "mod/a/pages/y.adoc"},
    ),
    "a short text of the same name in a folder beside": (
        {
            "docs/set/cup.md": f"{BREW} {STORE} Forgotten.",
            "docs/words/cup.md": BREW,
            "docs/words/pot.md": HARVEST,
        },
        {
            "set/cup.html": Page(f"{BREW} {STORE}"),
            "words/pot.html": Page(HARVEST),
            "words/cup.html": Page(BREW),
        },
        {
            "set/cup.html": "docs/set/cup.md",
            "words/pot.html": "docs/words/pot.md",
            "words/cup.html": "docs/words/cup.md",
        },
    ),
    "a page that shows many texts, in one of which there is little": (
        {"docs/all.md": BREW},
        {
            "all.html": Page(f"{BREW} {MANY}"),
        },
        {},
    ),
    "two texts that a page could be made from": (
        {"docs/a.md": BREW, "src/a.md": BREW},
        {"a/index.html": Page(BREW)},
        {},
    ),
    "a part of the words of a text, by a path": (
        {"docs/a.md": f"{BREW} {STORE}"},
        {"a/index.html": Page(BREW)},
        {},
    ),
    "an old build that is tracked": (
        {"docs/a.html": f"<html><body>{BREW}</body></html>"},
        {"a/index.html": Page(BREW)},
        {},
    ),
}


@pytest.mark.parametrize("what", SITES)
def test_the_source_of_a_page_is_certain_or_none(tmp_path: Path, what: str) -> None:
    files, pages, expected = SITES[what]
    assert sources(tmp_path, files, pages) == expected


def test_a_page_that_is_not_translated_is_a_copy(tmp_path: Path) -> None:
    files, pages, _ = SITES["a translated page whose edit link leads to the text in English"]
    found = made(tmp_path, files, pages)
    copies = [page for page, each in found.items() if each.excluded is Reason.UNTRANSLATED]
    assert copies == ["fr/docs/b/index.html"]


def test_the_branch_that_is_checked_out_counts_under_each_of_its_names(tmp_path: Path) -> None:
    branches = ("v1", "release/2.0")
    pages = {
        f"{branch}/a.html": Page(text, f"https://git.example/o/r/edit/{branch}/{branch[0]}.md")
        for branch, text in zip(branches, (BREW, STORE), strict=True)
    }
    files = {"v.md": BREW, "r.md": STORE}
    for name, text in files.items():
        write(tmp_path / name, text)
    commit(tmp_path)
    git(tmp_path, "checkout", "--quiet", "-b", "release/2.0")
    git(tmp_path, "branch", "v1")
    git(tmp_path, "checkout", "--quiet", "--detach")
    (tmp_path / "new").touch()
    assert sources(tmp_path, files, pages) == {}  # the commit is one of no branch
    git(tmp_path, "branch", "--force", "release/2.0")
    site = OutputDir.walk(tmp_path / "out", BASE)
    assert [*made_by(None, site, [tmp_path]).pages] == ["release/2.0/a.html"]


def test_a_site_in_a_project_needs_no_word_about_its_sources(tmp_path: Path) -> None:
    """Docusaurus writes HTML without quotes where it can."""
    write(tmp_path / "docusaurus.config.js", f"module.exports = {{url: '{BASE}', baseUrl: '/'}}")
    write(tmp_path / "texts" / "brewing.md", BREW)
    commit(tmp_path, "2022-01-01T12:00:00Z")
    name = '<meta name=generator content="Docusaurus v3.10.2">'
    head = f"<!doctype html><html lang=en><meta charset=UTF-8>{name}"
    link = f"<a href={EDIT}texts/brewing.md target=_blank>Edit this page</a>"
    for path, text in (("", "Home"), ("learn/one", f"{BREW}{link}")):
        canonical = f"<link rel=canonical href={BASE}{path}>"
        write(
            tmp_path / "build" / path / "index.html",
            f"{head}<title>{path or 'Home'}</title>{canonical}<body><main>{text}</main>",
        )
    outcome = run("build", tmp_path)
    assert outcome.stderr.startswith("Docusaurus site in ")
    sitemap = (tmp_path / "build" / "sitemap.xml").read_text()
    assert f"<loc>{BASE}learn/one</loc><lastmod>2022-01-01T12:00:00Z</lastmod>" in sitemap


def test_pages_that_name_no_source_are_told_how_themes_do(tmp_path: Path) -> None:
    made(tmp_path, {"docs/a.md": BREW}, {"index.html": Page(STORE)})
    outcome = run("build", tmp_path / "out", "--base-url", BASE, "--repository", tmp_path)
    (told,) = [line for line in outcome.stderr.splitlines() if "[no-sources]" in line]
    for word in ('rel="edit"', "`edit_uri` of MkDocs", "`editUrl` of Docusaurus"):
        assert word in told


@pytest.mark.parametrize(
    ("suffix", "text", "words"),
    [
        (
            ".md",
            "---\ntitle: Green leaves\nlayout: hidden\n---\n# Pour `code` [boiling](https://x.example/nowhere)",
            "green leaves pour boiling",
        ),
        (".md", "before\n\n```sh\nhidden\n```\n\nafterwards", "before afterwards"),
        (
            ".md",
            "{{< hidden >}} {% hidden %} <b class='hidden'>bold</b> <!-- hidden --> &nbsp;",
            "bold",
        ),
        (".mdx", "import Hidden from 'hidden'\n\nshown", "shown"),
        (".adoc", ":hidden: hidden\n\nxref:hidden.adoc[shown]\n", "shown"),
        (".rst", ".. include:: hidden\n\nshown words", "shown words"),
        (".astro", "---\nconst a = 1\n---\n<p>shown</p>", "shown"),
        (".md", "```\nnever closed", ""),
    ],
)
def test_the_words_of_a_source_are_those_that_readers_see(
    suffix: str, text: str, words: str
) -> None:
    assert words_of_source(text, suffix) == {*words.split()}


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("index.html", ""),
        ("a/README.md", "a"),
        ("a/_index.md", "a"),
        ("01_Deep Page.md", "deeppage"),
        ("blog/2020-01-02-first.md", "blog first"),
        ("blog/2020/01/02/first/index.html", "blog first"),
        ("sorts/sorts.md", "sorts"),
        ("2020/index.html", "2020"),
        ("docs/1.0/a.html", "docs 10 a"),
    ],
)
def test_the_key_of_a_path_has_nothing_that_generators_change(path: str, key: str) -> None:
    assert key_of(path) == tuple(key.split())
