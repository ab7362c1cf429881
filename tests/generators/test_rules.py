"""The rules by which generators name pages, on sites that are made for the purpose."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from sitemapkit.model import Reason
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sources.cuts import Region
from sitemapkit_tools.sources.marks import generator
from sitemapkit_tools.sources.project import Project
from textdates import file_of

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapkit_tools.site.made import Made

BASE = "https://example.org/tea/"


def project(folder: Path, name: str, files: dict[str, str]) -> Project:
    """Return a project with these files; the first has its settings."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    settings = next(iter(files))
    kind = generator(name)
    names = (name for name in kind.settings if f"/{settings}".endswith(f"/{name}"))
    inside = max(names, key=len)
    return Project(kind, (folder / settings.removesuffix(inside)).absolute(), folder / settings)


def made(found: Project, *pages: str, base: str = BASE) -> dict[str, Made]:
    """Return what is known of the pages of a site; a file may come with a text."""
    site = found.output_dir()
    for page in pages:
        name, _, text = page.partition("|")
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text or "<title>Tea</title>")
    return dict(found.made(OutputDir.walk(site, base)).pages)


def sources(found: Project, *pages: str) -> dict[str, str | None]:
    """Return the source of each page of a site, by its path in the project."""
    known = made(found, *pages)
    start = f"{found.folder}/"
    files = {page: each.sources[0] for page, each in known.items() if each.sources}
    return {
        page: file_of(files[page]).removeprefix(start) if page in files else None
        for page in (each.partition("|")[0] for each in pages)
    }


TEXT = "Words.\n"


@pytest.mark.parametrize(
    ("name", "files", "pages"),
    [
        pytest.param(
            "hugo",
            {
                "config/_default/hugo.toml": 'baseURL = "https://example.org/"',
                "content/a.md": TEXT,
                "content/a.de.md": TEXT,
                "content/news/_index.md": TEXT,
                "content/news/y/index.md": TEXT,
            },
            {
                "a/index.html": "content/a.md",
                "de/a/index.html": "content/a.de.md",
                "news/index.html": "content/news/_index.md",
                "news/y/index.html": "content/news/y/index.md",
            },
            id="hugo: settings in a folder, a language in a name",
        ),
        pytest.param(
            "hugo",
            {
                "hugo.yaml": "publishDir: out\ncontentDir: texts\nuglyURLs: true\n"
                "defaultContentLanguage: fr\ndefaultContentLanguageInSubdir: true\n"
                "languages: {fr: {}, en: {}}\n",
                "texts/a.md": TEXT,
                "texts/a.fr.md": TEXT,
                "texts/b.en.md": TEXT,
            },
            {"fr/a.html": "texts/a.fr.md", "en/b.html": "texts/b.en.md"},
            id="hugo: files for URLs, the default language in a folder",
        ),
        pytest.param(
            "hugo",
            {
                "hugo.toml": "",
                "content/en/a.md": TEXT,
                "content/en/news/_index.md": TEXT,
                "content/de/a.md": TEXT,
            },
            {
                "a/index.html": "content/en/a.md",
                "news/index.html": "content/en/news/_index.md",
                "de/a/index.html": "content/de/a.md",
                "en/index.html": None,
            },
            id="hugo: folders of languages, the main one at the root of the site",
        ),
        pytest.param(
            "hugo",
            {
                "hugo.toml": "",
                "content.en/a.md": TEXT,
                "content.en/news/_index.md": TEXT,
                "content.pt-br/a.md": TEXT,
            },
            {
                "a/index.html": "content.en/a.md",
                "news/index.html": "content.en/news/_index.md",
                "pt-br/a/index.html": "content.pt-br/a.md",
            },
            id="hugo: a folder of texts for each language",
        ),
        pytest.param(
            "jekyll",
            {
                "_config.yml": "permalink: pretty\nsource: src\n",
                "src/a.md": "---\n---\n",
                "src/404.md": "---\n---\n",
                "src/_sorts/c.md": "---\npermalink: /d/e.html\n---\n",
            },
            {
                "a/index.html": "src/a.md",
                "404.html": "src/404.md",
                "d/e.html": "src/_sorts/c.md",
            },
            id="jekyll: names, and links that texts state",
        ),
        pytest.param(
            "quarto",
            {
                "nbs/_quarto.yml": "project: {type: website}\nmetadata-files: [nbdev.yml]\n",
                "nbs/nbdev.yml": "project: {output-dir: _docs}\n",
                "nbs/00_core.ipynb": "{}",
                "nbs/01a_more/02_deep.ipynb": "{}",
                "nbs/_part.qmd": TEXT,
            },
            {"core.html": "00_core.ipynb", "more/deep.html": "01a_more/02_deep.ipynb"},
            id="nbdev: numbers are dropped",
        ),
        pytest.param(
            "quarto",
            {"_quarto.yml": "project: {type: book}\n", "a.Rmd": TEXT, "b.py": "#", "b.qmd": TEXT},
            {"a.html": "a.Rmd", "b.html": None},
            id="quarto: a book, and two texts of one name",
        ),
        pytest.param(
            "mdbook",
            {
                "book.toml": "[output.html]\n[output.epub]\n",
                "src/SUMMARY.md": "[A](a/README.md)\n[B](b.md)\n[Gone](gone.md)",
                "src/a/README.md": TEXT,
                "src/b.md": TEXT,
                "book/html/x": "",
            },
            {
                "index.html": "src/a/README.md",
                "a/index.html": "src/a/README.md",
                "b.html": "src/b.md",
                "gone.html": None,
            },
            id="mdbook: several formats, the first chapter in a folder",
        ),
        pytest.param(
            "zensical",
            {
                "mkdocs.yml": "docs_dir: texts\nx: !ENV [A, b]\n",
                "texts/a.md": TEXT,
                "docs/b.md": TEXT,
                "docs/c.markdown": "",
            },
            {"a/index.html": None, "b/index.html": "docs/b.md", "c/index.html": None},
            id="zensical: settings of MkDocs, which are not read",
        ),
    ],
)
def test_the_names_of_pages_lead_to_their_sources(
    tmp_path: Path, name: str, files: dict[str, str], pages: dict[str, str | None]
) -> None:
    assert sources(project(tmp_path, name, files), *pages) == pages


INCLUDED = {
    "mdbook": (
        {
            "book.toml": "",
            "src/SUMMARY.md": "[A](a.md)",
            "src/a.md": "{{#include one.md}} {{ #playground two.rs editable }} \\{{#include no.md}}"
            " {{#rustdoc_include three.rs:part}} {{#include four.rs:2:3}}",
        },
        "index.html",
        ["src/one.md", "src/two.rs", "src/three.rs", "src/four.rs"],
    ),
    "quarto": (
        {
            "_quarto.yml": "",
            "a.qmd": "{{< include one.qmd >}}\n{{< embed two.ipynb#x >}} {{{< include no.qmd >}}}",
        },
        "a.html",
        ["one.qmd", "two.ipynb"],
    ),
    "hugo: a folder of a language": (
        {
            "hugo.toml": "",
            "content/en/a/b.md": '{{% include "/_common/one.md" %}}',
        },
        "a/b/index.html",
        ["content/en/_common/one.md"],
    ),
    "hugo": (
        {
            "hugo.toml": "",
            "content/a.md": '{{< include "one.md" >}} {{% readfile file="two.txt" %}}'
            ' {{< ref "no.md" >}}',
        },
        "a/index.html",
        ["content/one.md", "two.txt"],
    ),
    "vitepress": (
        {
            ".vitepress/config.js": "",
            "a.md": "Words <!--@include: ./one.md{2,3}-->\n"
            "<!-- @include: @/two.md#part -->\n<<< ./three.js{1 ts:line-numbers}",
        },
        "a.html",
        ["one.md", "two.md", "three.js"],
    ),
    "antora": (
        {
            "antora-playbook.yml": "content: {sources: [{url: .}]}",
            "antora.yml": "name: ROOT\nversion: ~\n",
            "modules/m/pages/a.adoc": "= Words\n\ninclude::partial$one.adoc[]\n"
            "include::ROOT:example$two.rb[tags=x]\ninclude::three.adoc[]\n",
        },
        "m/a.html",
        [
            "modules/m/partials/one.adoc",
            "modules/ROOT/examples/two.rb",
            "modules/m/pages/three.adoc",
        ],
    ),
    "docusaurus": (
        {
            "docusaurus.config.js": "",
            "docs/a.mdx": "# Words\n\nimport One from './_one.mdx'\n"
            "import Two from '@site/src/two'\nimport X from 'no'\n",
        },
        "docs/a/index.html",
        ["docs/_one.mdx", "src/two.jsx"],
    ),
    "zensical": (
        {
            "zensical.toml": "[project.markdown_extensions.pymdownx.snippets]\n"
            'base_path = [".", "parts"]\n',
            "docs/a.md": '--8<-- "one.md"\n\n{% include "two.md" %}\n{{ read_csv("three.csv") }}\n',
        },
        "a/index.html",
        ["parts/one.md", "docs/two.md", "docs/three.csv"],
    ),
    "jekyll": (
        {
            "_config.yml": "",
            "a.md": "---\n---\n{% include one.html x=1 %}\n"
            "{% raw %}{% comment %}{% include_relative no.md %}{% endraw %}\n"
            "{%- comment -%}{% raw %}{% include_relative no.md %}{%- endcomment -%}\n"
            "{%- include_relative two.md -%}",
        },
        "a.html",
        ["_includes/one.html", "two.md"],
    ),
}
"""A project, a page, and the files that its text takes in."""

LINK = '<a href="https://git.example/o/r/edit/main/modules/m/pages/a.adoc">Edit this page</a>'


@pytest.mark.parametrize("name", INCLUDED)
def test_what_a_text_takes_in_counts(tmp_path: Path, name: str) -> None:
    files, page, included = INCLUDED[name]
    texts = dict.fromkeys([*included, "src/no.md", "no.qmd", "no.md", "content/no.md"], TEXT)
    spare = {"mdbook": "src/SUMMARY.md"}.get(name)
    generator = name.partition(":")[0]
    kept = {spare: files[spare]} if spare else {}
    found = project(tmp_path, generator, {**files, **texts, **kept})
    known = made(found, f"{page}|<title>Words</title>{LINK}")[page]
    paths = [file_of(each).removeprefix(f"{tmp_path}/") for each in known.included]
    assert sorted(paths) == sorted(included)


def test_texts_that_take_in_each_other_are_followed_once(tmp_path: Path) -> None:
    files = {
        "_quarto.yml": "",
        "a.qmd": "{{< include _b.qmd >}}",
        "_b.qmd": "{{< include a.qmd >}}",
    }
    known = made(project(tmp_path, "quarto", files), "a.html")["a.html"]
    assert [file_of(each) for each in known.included] == [
        str(tmp_path / name) for name in ("_b.qmd", "a.qmd")
    ]


@pytest.mark.parametrize(
    ("name", "text", "stated", "excluded"),
    [
        ("quarto", "date-modified: 2021-05-06", "2021-05-06", None),
        ("quarto", "date-modified: last-modified", None, None),
        ("quarto", "draft: true", None, Reason.DRAFT),
        ("hugo", "lastmod: 2021-05-06", "2021-05-06", None),
        ("docusaurus", "draft: true", None, Reason.DRAFT),
        ("starlight", "sitemap: {exclude: true}", None, Reason.EXCLUDED_BY_PAGE),
        ("jekyll", "sitemap: {ignore: true}", None, Reason.EXCLUDED_BY_PAGE),
        ("hugo", "sitemap: {disable: true}", None, Reason.EXCLUDED_BY_PAGE),
        ("docusaurus", "last_update: {date: 2021-05-06}", "2021-05-06", None),
        ("docusaurus", "last_update: {author: A}", None, None),
        ("starlight", "lastUpdated: 2021-05-06", "2021-05-06", None),
        ("starlight", "lastUpdated: false", None, None),
        ("jekyll", "last_modified_at: 2021-05-06", "2021-05-06", None),
        ("zensical", "draft: true", None, Reason.DRAFT),
    ],
)
def test_front_matter_has_the_generators_own_words(
    tmp_path: Path, name: str, text: str, stated: str | None, excluded: Reason | None
) -> None:
    places = {
        "quarto": ("_quarto.yml", "a.qmd", "a.html"),
        "hugo": ("hugo.toml", "content/a.md", "a/index.html"),
        "docusaurus": ("docusaurus.config.js", "docs/a.md", "docs/a/index.html"),
        "starlight": ("astro.config.mjs", "src/content/docs/a.md", "a/index.html"),
        "jekyll": ("_config.yml", "a.md", "a.html"),
        "zensical": ("zensical.toml", "docs/a.md", "a/index.html"),
    }
    settings, source, page = places[name]
    files = {settings: "", source: f"---\n{text}\n---\nWords.\n"}
    known = made(project(tmp_path, name, files), f"{page}|<title>Words</title>")[page]
    lastmod = known.meta.get("lastmod")
    assert (str(lastmod) if lastmod else None, known.excluded) == (stated, excluded)


@pytest.mark.parametrize(
    ("name", "file", "text", "word"),
    [
        ("hugo", "hugo.toml", "baseURL = ", "hugo.toml cannot be read"),
        ("hugo", "hugo.toml", "publishDir = 3", "'publishDir' is 3; allowed is text"),
        ("hugo", "hugo.json", "[" * 100_000, "nested too deeply"),
        ("quarto", "_quarto.yml", "project: [", "_quarto.yml cannot be read"),
        ("quarto", "_quarto.yml", "- a list", "no table of names and values"),
        ("mdbook", "book.toml", "[book]\nsrc = true", "'book.src' is True; allowed is text"),
        ("mdbook", "book.toml", "", "SUMMARY.md cannot be read"),
        ("docusaurus", "docusaurus.config.js", "module.exports = require('./x')('/*')", ""),
        ("eleventy", "eleventy.config.js", "export default `unfinished", ""),
        ("starlight", "astro.config.mjs", "{{{{{{" * 1000, ""),
    ],
)
def test_bad_settings_are_a_sentence_and_leave_pages_without_sources(
    tmp_path: Path, name: str, file: str, text: str, word: str
) -> None:
    found = project(tmp_path, name, {file: text})
    assert not any(each.sources for each in made(found, "index.html").values())
    assert word in " ".join(found.problems)
    assert bool(found.problems) == bool(word)


@pytest.mark.parametrize(
    ("name", "files", "page"),
    [
        ("myst", {"myst.yml": "", "_build/html/a.json": "{"}, "a/index.html"),
        ("quarto", {"_quarto.yml": "", "a.qmd": "---\na: [\n---\n"}, "a.html"),
        ("quarto", {"_quarto.yml": "", "a.ipynb": "[1"}, "a.html"),
    ],
)
def test_data_or_front_matter_that_cannot_be_read_is_a_sentence(
    tmp_path: Path, name: str, files: dict[str, str], page: str
) -> None:
    found = project(tmp_path, name, files)
    made(found, page)
    assert len(found.problems) == 1
    assert " cannot be read: " in found.problems[0]


def test_front_matter_that_is_too_long_names_the_limit_and_is_not_cut(tmp_path: Path) -> None:
    for mark in ("---\n", "+++\n"):
        text = f"{mark}{'#' * 70_000}\n{mark}"
        found = project(tmp_path, "hugo", {"hugo.toml": "", "content/a.md": text})
        made(found, "a/index.html")
        assert "65,536 characters" in " ".join(found.problems)


LAUGHS = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))

MERGES = "".join(f"- &a{n} {{<<: *a{n - 1}, k{n}: 1}}\n" for n in range(1, 4_500))
DOUBLES = "".join(f"- &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 25))

HOSTILE = {
    "a chain of merges": ("jekyll", "_config.yml", f"b:\n- &a0 {{x: 1}}\n{MERGES}"),
    "merges that double": ("jekyll", "_config.yml", f"b:\n- &a0 {{x: 1}}\n{DOUBLES}"),
    "more than the limit": ("jekyll", "_config.yml", "a: b\n" * 300_000),
    "code of more than the limit": ("vitepress", ".vitepress/config.js", "a\n" * 1_100_000),
    "aliases that stand for millions of words": (
        "jekyll",
        "_config.yml",
        f"a0: &a0 [x]\n{LAUGHS}",
    ),
    "an alias of what it is in": ("jekyll", "_config.yml", "a: &a [*a]"),
    "a value of no such type": ("jekyll", "_config.yml", "a: !!timestamp x"),
    "a number without end": ("hugo", "hugo.json", f'{{"a": {"1" * 5_000}}}'),
    "parts of a key": ("hugo", "hugo.toml", f"a{'.a' * 500_000} = 1"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_settings_that_would_take_for_ever_are_a_sentence(tmp_path: Path, what: str) -> None:
    name, file, text = HOSTILE[what]
    start = time.process_time()
    found = project(tmp_path, name, {file: text})
    made(found, "index.html")
    assert time.process_time() - start < 1
    assert f"{file} cannot be read: " in " ".join(found.problems)
    assert max(map(len, found.problems)) < 500


ENDLESS = {
    "numbers in base 60": ("jekyll", "_config.yml", f"url: 1{':1' * 300_000}.5"),
    "objects in objects": ("eleventy", "eleventy.config.js", "dir: {" * 100_000),
    "a string that is not closed": ("docusaurus", "docusaurus.config.js", "`\\" * 300_000),
    "one in single quotes": ("docusaurus", "docusaurus.config.js", "'\\" * 300_000),
    "languages of no kind": ("hugo", "hugo.json", '{"languages": {"en": null}}'),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_settings_of_any_kind_take_linear_time(tmp_path: Path, what: str) -> None:
    name, file, text = ENDLESS[what]
    start = time.process_time()
    made(project(tmp_path, name, {file: text}), "index.html")
    assert time.process_time() - start < 2


def test_the_comments_of_vitepress_take_linear_time(tmp_path: Path) -> None:
    text = f"<!--@include: a{' ' * 499}" * 1_000
    start = time.process_time()
    found = project(tmp_path, "vitepress", {".vitepress/config.js": ""})
    assert not [*found.includes(tmp_path / "a.md", text)]
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        ("ANCHOR:", "ANCHOR_END:", "a\n// ANCHOR: part\nb\n\nc\n// ANCHOR_END: part\nd"),
        ("ANCHOR:", "ANCHOR_END:", "a\n// ANCHOR:part\nb\n\nc\n// ANCHOR_END:part\nd"),
        ("#region", "#endregion", "a\n// #region part\nb\n\nc\n// #endregion part\nd"),
        ("tag::", "end::", "a\n// tag::part[]\nb\n\nc\n// end::part[]\nd"),
    ],
)
def test_a_region_has_its_lines_and_empty_ones(start: str, end: str, text: str) -> None:
    name = "part[]" if start == "tag::" else "part"
    assert Region(name, start, end)(text) == "b\n\nc"
    assert Region("other", start, end)(text) is None


def test_a_record_with_values_of_other_kinds_is_read(tmp_path: Path) -> None:
    route = {"source": "a.md", "destination": "a.html"}
    record = {"data": {"origin": 1, "route": route, "markdown": {"meta": {}}}}
    files = {"zensical.toml": "", ".cache/1": json.dumps(record)}
    found = project(tmp_path, "zensical", files)
    assert made(found, "a.html") is not None
    assert not found.problems


@pytest.mark.parametrize("name", ["a" * 300, "a\0b"])
def test_a_name_that_no_file_can_have_is_no_file(tmp_path: Path, name: str) -> None:
    files = {"_quarto.yml": "", "a.qmd": f"{{{{< include {name} >}}}}\nWords.\n"}
    assert sources(project(tmp_path, "quarto", files), "a.html") == {"a.html": "a.qmd"}
    book = {"book.toml": "", "src/SUMMARY.md": f"[A]({name}.md)", "src/b.md": "Words.\n"}
    assert sources(project(tmp_path / "book", "mdbook", book), "b.html") == {"b.html": "src/b.md"}
