"""Moving from sphinx-sitemap: its options are supported, and its own cases hold.

The cases of sphinx-sitemap's tests (version 2.9.0) are run against a site of the same shape: what
they pin that we do by default in another way (the language in the URL, genindex and search among
the pages) is set as a project that moves would set it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

pytestmark = pytest.mark.slow

PAGES = ("foo", "bar", "lorem", "ipsum", "dolor", "elitr")
ALL = ("index", *PAGES, "genindex", "search")


@pytest.fixture
def moved(site: Callable[..., Site]) -> Site:
    """The site of sphinx-sitemap's tests, with our extension and its defaults written out."""
    settings = {
        "language": "en",
        "sitemap_url_scheme": "{lang}{version}{link}",
        "sitemap_include": ["genindex*", "search*"],
        "html_theme": "alabaster",
        "templates_path": ["_templates"],
    }
    project = site(*PAGES, **settings)
    searchable = '{% extends "!search.html" %}{% block extrahead %}{% endblock %}'
    project.write({"docs/_templates/search.html": searchable})
    return project


def built(project: Site, builder: str = "html") -> set[str]:
    assert project.build(builder).warnings == ""
    return set(project.paths(builder))


def named(names: tuple[str, ...], suffix: str = ".html") -> set[str]:
    return {f"en/{name}{suffix}" for name in names}


def test_all_pages_are_listed_below_the_language(moved: Site) -> None:
    assert built(moved) == named(ALL)


def test_a_file_suffix_is_kept(moved: Site) -> None:
    moved.configure(html_file_suffix=".htm")
    assert built(moved) == named(ALL, ".htm")


def test_the_dirhtml_builder_lists_folders(moved: Site) -> None:
    folders = named(tuple(name for name in ALL if name != "index"), "/")
    assert built(moved, "dirhtml") == {"en/", *folders}


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        (["search.html", "genindex.html"], ("index", *PAGES)),
        (["*index*.html", "search.html"], PAGES),
        (["l*.html"], tuple(name for name in ALL if name != "lorem")),
    ],
)
def test_excluded_links_are_not_listed(
    moved: Site, patterns: list[str], left: tuple[str, ...]
) -> None:
    moved.configure(sitemap_excludes=patterns)
    assert built(moved) == named(left)


@pytest.mark.parametrize(
    ("excludes", "listed"),
    [
        ("l*.html", ["dolor.html", "index.html"]),
        (("l*.html",), ["dolor.html", "index.html"]),
        ({"l*.html"}, ["dolor.html", "index.html"]),
        ("", ["dolor.html", "index.html", "lorem.html"]),
        (None, ["dolor.html", "index.html", "lorem.html"]),
    ],
)
def test_one_excluded_link_needs_no_list_and_none_is_none(
    site: Callable[..., Site], excludes: object, listed: list[str]
) -> None:
    project = site("lorem", "dolor", sitemap_excludes=excludes)
    assert project.build().warnings == ""
    assert project.paths() == listed


def test_excluded_links_may_be_given_on_the_command_line(site: Callable[..., Site]) -> None:
    project = site("lorem", "dolor")
    assert project.build(sitemap_excludes="l*.html,d*").warnings == ""
    assert project.paths() == ["index.html"]


def test_the_file_is_indented(moved: Site) -> None:
    moved.configure(sitemap_indent=2)
    assert built(moved) == named(ALL)
    lines = moved.sitemap().read_text().splitlines()
    assert lines[0].startswith("<")
    assert lines[1].startswith("<")
    assert lines[2].startswith("  <")


def test_a_parallel_build_lists_them_all_and_warns_of_nothing(moved: Site) -> None:
    done = moved.run("-W", "-j", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert set(moved.paths()) == named(ALL)


def test_excluded_links_cross_folders_as_they_did(site: Callable[..., Site]) -> None:
    project = site(
        "legacy/a", "legacy/deep/b", "other/x", sitemap_excludes=["legacy/*", "*/x.html"]
    )
    project.build()
    assert project.paths() == ["index.html"]


def test_only_one_line_changes_for_a_site_with_plain_links(site: Callable[..., Site]) -> None:
    project = site("a", sitemap_url_scheme="{link}", sitemap_filename="map.xml")
    log = project.build().status
    assert "`sitemap_url_scheme` is applied" in log
    assert list(project.entries(file="map.xml")) == ["a.html", "index.html"]


def test_the_url_scheme_says_where_the_whole_build_is_served(site: Callable[..., Site]) -> None:
    project = site(
        *("a", "b"),
        version="1.2",
        sitemap_url_scheme="{lang}subdir/{version}{link}",
        sitemap_max_urls=2,
    )
    project.build()
    index = project.sitemap().read_text()
    assert index.count("<loc>https://example.org/docs/en/subdir/1.2/sitemap-") == 2
    assert "canonical link to another page" not in project.build().status


def test_a_page_with_noindex_stays_out_where_the_url_scheme_moves_it(
    site: Callable[..., Site],
) -> None:
    project = site("a", sitemap_url_scheme="{lang}{link}")
    project.document("secret", head=":orphan:\n\n.. meta::\n   :robots: noindex\n")
    project.build()
    assert project.paths() == ["en/a.html", "en/index.html"]


def test_the_old_base_url_setting_is_used(site: Callable[..., Site]) -> None:
    project = site("a", html_baseurl="", site_url="https://example.org/docs")
    project.build()
    assert project.paths() == ["a.html", "index.html"]


def test_show_lastmod_turns_dates_on_and_off(site: Callable[..., Site]) -> None:
    project = site("a")
    project.commit("2021-01-01T00:00:00Z")
    for wish, count in ((True, 2), (False, 0)):
        project.configure(sitemap_show_lastmod=wish)
        project.build()
        assert project.sitemap().read_text().count("<lastmod>") == count


def test_locales_become_hreflang_links_where_the_scheme_tells_languages_apart(
    site: Callable[..., Site],
) -> None:
    project = site("a", sitemap_url_scheme="{lang}{link}", sitemap_locales=["de", "zh_CN"])
    project.build()
    xml = project.sitemap().read_text()
    for code, folder in (("en", "en"), ("de", "de"), ("zh-CN", "zh_CN")):
        href = f"https://example.org/docs/{folder}/a.html"
        assert xml.count(f'hreflang="{code}" href="{href}"') == 1
    assert "x-default" not in xml


def test_a_translation_names_the_language_that_it_was_translated_from(
    site: Callable[..., Site],
) -> None:
    scheme = {"sitemap_url_scheme": "{lang}{link}", "sitemap_locales": ["de", "fr"]}
    project = site("a", language="da", **scheme)
    project.build(folder="da")
    links = re.findall("<xhtml:link.*?/>", (project.out("da") / "sitemap.xml").read_text())
    project.build(folder="de", language="de")
    assert links == re.findall("<xhtml:link.*?/>", (project.out("de") / "sitemap.xml").read_text())
    assert len(links) == 2 * 3


@pytest.mark.parametrize(
    ("scheme", "locales", "count"),
    [
        ("{lang}{link}", [], 2),
        ("{lang}{link}", None, 2),
        ("{lang}{link}", "fr", 2),
        ("{lang}{link}", [None], 0),
        ("{link}", [], 0),
        ("{link}", ["de"], 0),
    ],
)
def test_locales_are_found_in_the_catalogues_unless_there_is_nothing_to_tell_them_apart(
    site: Callable[..., Site], scheme: str, locales: list[str | None] | str | None, count: int
) -> None:
    project = site(sitemap_url_scheme=scheme, sitemap_locales=locales, locale_dirs=["locale"])
    stray = ("docs/locale/.git/x", "docs/locale/README", "docs/locale/sr@latin/LC_MESSAGES/a.po")
    project.write(dict.fromkeys(stray, ""))
    catalog = 'msgid "index"\nmsgstr "accueil"\n'
    project.write({"docs/locale/fr/LC_MESSAGES/index.po": catalog})
    assert project.build().warnings == ""
    xml = project.sitemap().read_text()
    assert xml.count("hreflang=") == count
    assert ('hreflang="fr"' in xml) == bool(count)


def test_each_option_that_has_a_better_name_is_mentioned_once(site: Callable[..., Site]) -> None:
    project = site("a", sitemap_excludes=["x"], sitemap_show_lastmod=False, sitemap_indent=2)
    log = project.build()
    assert log.warnings == ""
    own = "sitemapkit's own option is `sitemap_exclude`, with patterns as in .gitignore"
    assert log.status.count(f"sitemapkit: `sitemap_excludes` is applied; {own}") == 1
    assert log.status.count("`sitemap_show_lastmod`") == 1
    assert "`sitemap_indent`" not in log.status
    assert "`sitemap_locales`" not in log.status


@pytest.mark.parametrize(("scheme", "count"), [("{link}", 0), ("{lang}{link}", 1)])
def test_languages_that_no_url_names_are_not_said_to_be_used(
    site: Callable[..., Site], scheme: str, count: int
) -> None:
    log = site("a", sitemap_url_scheme=scheme, sitemap_locales=["de"]).build()
    assert log.status.count("`sitemap_locales` is used") == count


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("ours", ["sphinx_sitemapkit", "sitemapkit"])
@pytest.mark.parametrize("peer", ["sphinx_sitemap", "sphinx_gp_sitemap"])
def test_both_extensions_at_once_are_refused(
    site: Callable[..., Site], peer: str, ours: str, order: int
) -> None:
    project = site(extensions=[peer, ours][::order])
    project.write({f"src/{peer}.py": PEER})
    done = project.run("-q")
    assert done.returncode != 0
    assert f"{peer} and {ours} are both in `extensions`" in done.stderr


PEER = "def setup(app): app.add_config_value('sitemap_filename', 'sitemap.xml', '')"


def test_a_theme_that_loads_the_peer_is_refused_too(site: Callable[..., Site]) -> None:
    project = site(extensions=["a_theme", "sphinx_sitemapkit"])
    theme = "def setup(app): app.setup_extension('sphinx_sitemap')"
    project.write({"src/a_theme.py": theme, "src/sphinx_sitemap.py": PEER})
    done = project.run("-q")
    assert done.returncode != 0
    assert "sphinx_sitemap and sphinx_sitemapkit are both in `extensions`" in done.stderr
