"""What is listed and under which URL, whatever the builder, the suffix or the theme."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
import sphinx

from ..core.test_head import BY_SCRIPT
from ..tools.conftest import run
from .conftest import BASE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

VERSION = [int(part) for part in sphinx.__version__.split(".")[:2]]

GENERATED = """
def setup(app):
    pages = [(name, {"body": ""}, "page.html") for name in PAGES]
    app.connect("html-collect-pages", lambda app: pages)
"""


def test_every_document_is_listed_sorted_by_url(site: Callable[..., Site]) -> None:
    project = site("b", "a", "sub/c")
    project.build()
    assert project.paths() == ["a.html", "b.html", "index.html", "sub/c.html"]


@pytest.mark.parametrize("base", ["https://example.org/docs", "https://example.org/docs/"])
def test_the_base_url_means_the_same_with_and_without_its_last_slash(
    site: Callable[..., Site], base: str
) -> None:
    project = site("a", html_baseurl=base)
    project.build()
    assert project.paths() == ["a.html", "index.html"]


def test_no_language_or_version_is_put_into_urls(site: Callable[..., Site]) -> None:
    project = site(language="de", version="1.2", release="1.2.3")
    project.build()
    assert project.paths() == ["index.html"]


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_documents_that_only_place_an_index_in_a_toctree_are_not_listed(
    site: Callable[..., Site], builder: str
) -> None:
    names = ("genindex", "py-modindex", "search")
    project = site(*names, "teaindex", extensions=["sphinx_sitemapkit"])
    project.document("a", head=":orphan:", body=".. py:module:: tea")
    end = "/" if builder == "dirhtml" else ".html"
    for _ in range(2):
        project.build(builder)
        listed = project.paths(builder)
        assert {f"a{end}", f"teaindex{end}"} <= {*listed}
        assert not {f"{name}{end}" for name in names} & {*listed}
    project.build(builder, sitemap_include=f"genindex{end}")
    assert f"genindex{end}" in project.paths(builder)
    project.build(builder, html_use_index=False)  # now it is an ordinary document
    assert f"genindex{end}" in project.paths(builder)


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_times_that_sphinx_gallery_measured_are_not_listed(
    site: Callable[..., Site], builder: str
) -> None:
    times = "sg_execution_times"
    project = site(times, f"gallery/{times}", "gallery/plot_tea")
    project.build(builder)
    end = "/" if builder == "dirhtml" else ".html"
    assert [path for path in project.paths(builder) if "index" not in path and path] == [
        f"gallery/plot_tea{end}"
    ]
    project.build(builder, sitemap_include=f"gallery/{times}{end}")
    assert f"gallery/{times}{end}" in project.paths(builder)
    assert f"{times}{end}" not in project.paths(builder)


def test_documents_for_errors_are_listed_only_where_an_option_includes_them(
    site: Callable[..., Site],
) -> None:
    project = site("404", "500", "403/index", "status/404", "4040")
    project.build()
    assert project.paths() == ["4040.html", "index.html", "status/404.html"]
    project.build(sitemap_include="404.html")
    assert "404.html" in project.paths()


ODD = ("b page", "übung", "日本語", "R&D", "50% off", "c#", "what?")


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_odd_names_are_percent_encoded_in_each_builder(
    site: Callable[..., Site], builder: str
) -> None:
    project = site(*ODD)
    project.build(builder)
    end, safe = ("/", "&") if builder == "dirhtml" else (".html", "")
    home = "" if builder == "dirhtml" else "index.html"
    assert project.paths(builder) == sorted([home, *(quote(name, safe) + end for name in ODD)])


@pytest.mark.skipif(VERSION < [8, 1], reason="takes an empty suffix as none")
def test_an_empty_link_suffix_gives_urls_without_one(site: Callable[..., Site]) -> None:
    project = site("a", html_link_suffix="")
    project.build()
    assert project.paths() == ["a", "index"]


def test_a_file_suffix_of_the_users_own_is_kept(site: Callable[..., Site]) -> None:
    project = site("a", html_file_suffix=".htm")
    project.build()
    assert project.paths() == ["a.htm", "index.htm"]


def test_the_dirhtml_builder_lists_folders(site: Callable[..., Site]) -> None:
    project = site("a", "sub/index", "sub/b")
    project.build("dirhtml")
    assert project.paths("dirhtml") == ["", "a/", "sub/", "sub/b/"]


def test_a_builder_made_from_dirhtml_lists_folders_too(site: Callable[..., Site]) -> None:
    module = """
from sphinx.builders.dirhtml import DirectoryHTMLBuilder
class Mine(DirectoryHTMLBuilder):
    name = "mine"
def setup(app):
    app.add_builder(Mine)
"""
    project = site("a", extensions=["mine", "sphinx_sitemapkit"])
    project.write({"src/mine.py": module})
    project.run("-q", builder="mine")
    assert project.paths("mine") == ["", "a/"]


def test_a_site_on_a_single_page_lists_that_page_and_further_ones(
    site: Callable[..., Site],
) -> None:
    project = site("a", templates_path=["_templates"], html_additional_pages={"shop": "shop.html"})
    project.write({"docs/_templates/shop.html": "<html></html>"})
    project.build("singlehtml")
    assert project.paths("singlehtml") == ["", "shop.html"]


@pytest.mark.parametrize(
    ("settings", "listed"),
    [
        ({}, ""),
        ({"html_file_suffix": ".htm"}, "index.htm"),
        ({"root_doc": "a", "exclude_patterns": ["index.rst"]}, "a.html"),
    ],
)
def test_a_single_page_is_the_folder_if_its_file_is_the_index(
    site: Callable[..., Site], settings: dict[str, Any], listed: str
) -> None:
    project = site("a", sitemap_formats=["xml", "html"], **settings)
    project.commit("2021-01-01T00:00:00Z")
    assert project.build("singlehtml").warnings == ""
    assert project.entries("singlehtml") == {listed: {"lastmod": "2021-01-01T00:00:00Z"}}
    title = settings.get("root_doc", "index")
    assert f">{title}</a>" in (project.out("singlehtml") / "sitemap.html").read_text("utf-8")


def test_a_single_page_is_listed_with_its_canonical_link(site: Callable[..., Site]) -> None:
    project = site("a")
    assert "canonical" not in project.build("singlehtml").status
    page = (project.out("singlehtml") / "index.html").read_text("utf-8")
    [link] = re.findall('<link rel="canonical" href="https://example.org/docs/([^"#]*)', page)
    assert project.paths("singlehtml") == [link if VERSION >= [8, 1] else ""]


@pytest.mark.parametrize("toctree", ["", ".. toctree::\n\n   secret\n"])
def test_a_single_page_is_left_out_if_it_says_noindex_itself(
    site: Callable[..., Site], toctree: str
) -> None:
    project = site("a")
    project.document("index", body=toctree)
    project.document("secret", head=":orphan:\n\n.. meta::\n   :robots: noindex\n")
    project.build("singlehtml")
    assert ("noindex" in project.out("singlehtml").joinpath("index.html").read_text()) == bool(
        toctree
    )
    assert project.sitemap("singlehtml").exists() == (not toctree)


@pytest.mark.parametrize("suffix", [".html", ""])
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_each_url_is_the_pages_own_canonical_link(
    site: Callable[..., Site], builder: str, suffix: str
) -> None:
    project = site("a", "b page", "sub/index", "übung", html_link_suffix=suffix)
    log = project.build(builder)
    assert len(project.paths(builder)) == 5
    if VERSION < [8, 1]:  # writes other ones there, and we say so
        return
    assert "canonical" not in log.status
    pattern = re.compile(r'<link rel="canonical" href="https://example.org/docs/([^"]*)"')
    canonical = {
        quote(found[1], safe="/%")
        for file in project.out(builder).rglob("*.html")
        if (found := pattern.search(file.read_text("utf-8")))
    }
    assert set(project.paths(builder)) <= canonical


@pytest.mark.skipif(VERSION >= [8, 1], reason="writes right canonical links")
def test_canonical_links_that_old_sphinx_misspells_leave_no_page_out(
    site: Callable[..., Site],
) -> None:
    project = site("a", "sub/index")
    log = project.build("dirhtml")
    assert project.paths("dirhtml") == ["", "a/", "sub/"]
    assert log.status.count("canonical link") == 1
    assert log.warnings == ""


def test_indices_search_and_opensearch_are_not_listed(site: Callable[..., Site]) -> None:
    project = site(
        html_use_opensearch="https://example.org", html_split_index=True, html_domain_indices=True
    )
    project.document("index", body=".. py:module:: lute\n\n.. index:: zither, viol\n")
    project.build()
    assert (project.out() / "genindex-Z.html").exists()
    assert (project.out() / "py-modindex.html").exists()
    assert project.paths() == ["index.html"]


def test_module_code_is_not_listed(site: Callable[..., Site]) -> None:
    project = site(extensions=["sphinx_sitemapkit", "sphinx.ext.autodoc", "sphinx.ext.viewcode"])
    project.write({"src/lute.py": '"""A lute."""\n\ndef pluck():\n    """Pluck it."""\n'})
    project.document("index", body=".. automodule:: lute\n   :members:\n")
    assert project.run("-W").returncode == 0
    assert (project.out() / "_modules" / "lute.html").exists()
    assert project.paths() == ["index.html"]


@pytest.mark.parametrize("how", ["document", "template", "extension"])
def test_the_page_for_what_is_not_found_is_not_listed(site: Callable[..., Site], how: str) -> None:
    project = site(*(["404"] if how == "document" else []), templates_path=["_templates"])
    project.write({"docs/_templates/404.html": "<html></html>"})
    project.configure(
        code=GENERATED.replace("PAGES", "['404']") if how == "extension" else "",
        html_additional_pages={"404": "404.html"} if how == "template" else {},
    )
    project.build()
    assert (project.out() / "404.html").exists()
    assert project.paths() == ["index.html"]


def test_a_404_page_by_another_name_is_not_listed(site: Callable[..., Site]) -> None:
    code = "def setup(app): app.add_config_value('notfound_pagename', '404', '')"
    project = site("lost", code=code, notfound_pagename="lost")
    project.build()
    assert project.paths() == ["index.html"]


def test_additional_pages_are_listed_once_each(site: Callable[..., Site]) -> None:
    project = site(
        "contents",
        root_doc="contents",
        templates_path=["_templates"],
        html_additional_pages={"index": "home.html", "shop": "home.html", "search": "home.html"},
    )
    project.write({"docs/_templates/home.html": "<html></html>"})
    project.build()
    assert project.paths() == ["contents.html", "index.html", "shop.html"]


def test_what_an_extension_generates_is_listed_on_demand(site: Callable[..., Site]) -> None:
    code = GENERATED.replace("PAGES", "['tag/a', 'tag/b', 'feed']")
    project = site(code=code, sitemap_include=["tag/", "genindex.html"])
    project.build()
    assert project.paths() == ["genindex.html", "index.html", "tag/a.html", "tag/b.html"]


def test_static_html_and_pdf_files_are_listed_on_demand(site: Callable[..., Site]) -> None:
    project = site(
        html_extra_path=["extra", "one.html"], sitemap_include=["*.pdf", "deep/", "/one.html"]
    )
    files = (
        "extra/score.pdf",
        "extra/deep/x.xhtml",
        "extra/deep/a & b.html",
        "extra/data.json",
        "extra/no.html",
    )
    project.write({f"docs/{name}": "x" for name in (*files, "one.html")})
    project.write({"elsewhere/c.html": "x"})
    (project.root / "docs/extra/deep/linked").symlink_to(project.root / "elsewhere")
    project.build()
    deep = ["deep/a%20%26%20b.html", "deep/linked/c.html", "deep/x.xhtml"]
    assert project.paths() == [*deep, "index.html", "one.html", "score.pdf"]


def test_a_sitemap_that_the_author_copies_is_replaced_with_a_word(
    site: Callable[..., Site],
) -> None:
    project = site(html_extra_path=["extra"])
    project.write({"docs/extra/sitemap.xml": "<urlset/>", "docs/extra/deep/sitemap.xml": "x"})
    said = project.build().warnings
    assert said.count("Two sitemaps have the same name") == 1
    assert str(project.docs / "extra/sitemap.xml") in said
    assert project.paths() == ["index.html"]


def test_a_redirect_that_an_extension_leaves_in_the_output_is_not_listed(
    site: Callable[..., Site],
) -> None:
    code = """
def setup(app):
    def stub(app, exception):
        (app.outdir / "old.html").write_text('<meta http-equiv="refresh" content="0; url=a.html">')
    app.connect("build-finished", stub)
"""
    project = site("a", code=code)
    project.build()
    project.build()
    assert project.paths() == ["a.html", "index.html"]


def test_a_document_that_redirects_is_not_listed(site: Callable[..., Site]) -> None:
    project = site("new")
    project.document("old", head=":orphan:\n\n.. meta::\n   :http-equiv=refresh: 0; url=new.html\n")
    project.build()
    assert project.paths() == ["index.html", "new.html"]


def test_a_document_with_noindex_is_not_listed(site: Callable[..., Site]) -> None:
    project = site("a")
    project.document("secret", head=":orphan:\n\n.. meta::\n   :robots: noindex, follow\n")
    project.build()
    assert project.paths() == ["a.html", "index.html"]


def test_noindex_that_only_the_theme_writes_counts_too(site: Callable[..., Site]) -> None:
    project = site("a", "sub/b", templates_path=["_templates"])
    layout = """{% extends "!layout.html" %}{% block extrahead %}
{% if pagename.startswith("sub/") %}<meta name="robots" content="noindex">{% endif %}
{% endblock %}"""
    project.write({"docs/_templates/layout.html": layout})
    project.build()
    assert project.paths() == ["a.html", "index.html"]


def test_a_document_that_our_own_search_leaves_out_is_still_listed(
    site: Callable[..., Site],
) -> None:
    project = site()
    project.document("quiet", head=":orphan:\n:nosearch:")
    project.build()
    assert project.paths() == ["index.html", "quiet.html"]


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_page_for_people_has_the_order_of_the_toctrees(
    site: Callable[..., Site], builder: str
) -> None:
    """Documents that are in none follow, by their paths."""
    project = site("a", "b", "sub/c", "sub/d", sitemap_formats=["xml", "html"])
    project.document("index", body=".. toctree::\n\n   sub/d\n   b\n   sub/c\n")
    project.document("a", head=":orphan:")
    project.build(builder)
    page = (project.out(builder) / "sitemap.html").read_text(encoding="utf-8")
    found = re.findall(r'<bdi dir="ltr">/(.*?)</bdi>', page)
    names = [path.removesuffix("/").removesuffix(".html") for path in found]
    assert names == [names[0], "b", "a", "sub/d", "sub/c"]
    assert names[0] in ("", "index")


REDIRECTS = """
from pathlib import Path

def replace(app):
    for name, html in REDIRECTS.items():
        Path(app.outdir, name).write_text(html, encoding="utf-8")
    return []

def setup(app):
    app.connect("html-collect-pages", replace)
"""


def test_a_document_in_whose_place_a_redirect_by_script_is_written_is_not_listed(
    site: Callable[..., Site],
) -> None:
    """As sphinx-reredirects does, whichever way it is written; `check` and `build` say the same."""
    redirects: dict[str, str] = {}
    for n, html in enumerate(BY_SCRIPT.values()):
        redirects[f"old{n}.html"] = html
    names = [name.removesuffix(".html") for name in redirects]
    project = site("kept", *names, code=f"REDIRECTS = {redirects!r}\n{REDIRECTS}")
    project.build()
    assert project.paths() == ["index.html", "kept.html"]
    sitemap = project.sitemap()
    wrong = "".join(f"<url><loc>{BASE}{name}</loc></url>\n" for name in redirects)
    sitemap.write_text(sitemap.read_text().replace("</urlset>", f"{wrong}</urlset>"))
    said = run("check", project.out(), "--format", "json").stdout
    found = [each["where"] for each in json.loads(said)["issues"] if each["id"] == "redirect"]
    assert found == [f"{BASE}{name}" for name in redirects]
    plain = project.root / "plain"
    plain.mkdir()
    for name, html in {"index.html": "<title>Tea</title><p>Tea", **redirects}.items():
        (plain / name).write_text(html)
    assert run("build", plain, "--base-url", BASE).code == 0
    assert (plain / "sitemap.xml").read_text().count("<loc>") == 1
