"""One sitemap for each site, however its runs follow on one another or lie in one another."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from pelican import Pelican, signals

from textdates.git import repository_dates
from textdates.git.history import Log, start_walk

from ..mkdocs.test_serve import wait_for
from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from .conftest import Site

    MakeSite = Callable[..., Site]

HOME = "https://example.org/"
TEXTS = {
    "content/hello.md": md("Hello", date="2024-01-02", slug="hello", lang="en"),
    "content/hello.de.md": md("Hallo", date="2024-02-03", slug="hello", lang="de"),
    "content/hello.fr.md": md("Bonjour", date="2024-03-04", slug="hello", lang="fr"),
    "content/only.md": md("Only", date="2024-01-02", slug="only", lang="en"),
    "content/pages/about.md": md("About", slug="about", lang="en"),
    "content/pages/about.de.md": md("Über", slug="about", lang="de"),
}
GERMAN = {name: text for name, text in TEXTS.items() if ".fr." not in name}
SUBSITES: dict[str, Any] = {
    "I18N_SUBSITES": {"de": {}, "fr": {}},
    "DEFAULT_LANG": "en",
    "CACHE_CONTENT": False,
}
BOTH_ORDERS = pytest.mark.parametrize(
    "plugins",
    [["i18n_subsites", "pelican_sitemapkit"], ["pelican_sitemapkit", "i18n_subsites"]],
    ids=["subsites first", "subsites last"],
)


# Translations


def test_translations_are_listed_with_all_versions_and_themselves(site: MakeSite) -> None:
    made = site(TEXTS)
    made.build()
    hello = {
        "en": f"{HOME}hello.html",
        "de": f"{HOME}hello-de.html",
        "fr": f"{HOME}hello-fr.html",
    }
    about = {"en": f"{HOME}pages/about.html", "de": f"{HOME}pages/about-de.html"}
    alternates = {loc: links for loc, links in made.alternates().items() if links}
    assert alternates == {
        **dict.fromkeys(hello.values(), hello),
        **dict.fromkeys(about.values(), about),
    }


def test_a_language_is_spelled_as_search_engines_read_it(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", slug="a", lang="en"),
            "content/a.pt.md": md("A", date="2024-01-02", slug="a", lang="pt_BR"),
        }
    )
    made.build()
    assert set(made.alternates()[f"{HOME}a.html"]) == {"en", "pt-BR"}


@pytest.mark.parametrize("key", ["topic", {"topic", "series"}])
def test_translations_are_those_that_pelican_takes_for_such(site: MakeSite, key: Any) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", topic="t", series="s", lang="en"),
            "content/b.md": md("B", date="2024-01-02", topic="t", series="s", lang="de"),
            "content/c.md": md("C", date="2024-01-02", topic="u", series="s", lang="de"),
        },
        ARTICLE_TRANSLATION_ID=key,
    )
    made.build()
    assert made.alternates()[f"{HOME}a.html"] == {
        "en": f"{HOME}a.html",
        "de": f"{HOME}b-de.html",
    }
    assert made.alternates()[f"{HOME}c-de.html"] == {}


def test_texts_with_one_slug_are_no_translations_where_pelican_does_not_look_for_them(
    site: MakeSite,
) -> None:
    made = site(TEXTS, ARTICLE_TRANSLATION_ID=None, PAGE_TRANSLATION_ID=None)
    made.build()
    assert not any(made.alternates().values())


# Subsites


@BOTH_ORDERS
def test_subsites_are_listed_in_the_sitemap_of_the_main_site(
    site: MakeSite, plugins: list[str]
) -> None:
    made = site(TEXTS, PLUGINS=plugins, **SUBSITES)
    made.run()
    hello = {
        "en": f"{HOME}hello.html",
        "de": f"{HOME}de/hello.html",
        "fr": f"{HOME}fr/hello.html",
    }
    about = {"en": f"{HOME}pages/about.html", "de": f"{HOME}de/pages/about.html"}
    assert {loc: links for loc, links in made.alternates().items() if links} == {
        **dict.fromkeys(hello.values(), hello),
        **dict.fromkeys(about.values(), about),
    }
    assert not list(made.out.glob("*/sitemap.xml"))
    assert not list(made.out.glob("*/robots.txt"))
    for loc in made.entries():
        path = loc.removeprefix(HOME)
        assert (made.out / (path if path.endswith(".html") else f"{path}index.html")).is_file()


@BOTH_ORDERS
def test_lists_of_a_subsite_have_the_dates_of_its_articles(
    site: MakeSite, plugins: list[str]
) -> None:
    made = site(TEXTS, PLUGINS=plugins, **SUBSITES)
    made.run()
    assert made.lastmod("") == "2024-01-02"
    assert made.lastmod("de/") == "2024-02-03"
    assert made.lastmod("fr/archives.html") == "2024-03-04"


@pytest.mark.parametrize("policy", ["hide", "remove", "keep"])
def test_untranslated_texts_are_listed_in_a_subsite_only_where_it_keeps_them(
    site: MakeSite, policy: str
) -> None:
    made = site(
        TEXTS,
        PLUGINS=["i18n_subsites", "pelican_sitemapkit"],
        I18N_UNTRANSLATED_ARTICLES=policy,
        I18N_UNTRANSLATED_PAGES=policy,
        **SUBSITES,
    )
    made.run()
    assert ("de/only-en.html" in made.paths()) is (policy == "keep")
    assert not any("drafts" in path for path in made.paths())


def test_a_subsite_outside_the_main_one_has_a_sitemap_of_its_own(
    site: MakeSite,
) -> None:
    made = site(GERMAN, PLUGINS=["i18n_subsites", "pelican_sitemapkit"], **SUBSITES)
    made.settings |= {
        "OUTPUT_PATH": "output/en",
        "SITEURL": f"{HOME}en",
        "I18N_SUBSITES": {"de": {"OUTPUT_PATH": "output/de", "SITEURL": f"{HOME}de"}},
    }
    made.run()
    german, english = made.entries("de/sitemap.xml"), made.entries("en/sitemap.xml")
    assert f"{HOME}de/hello.html" in german
    assert f"{HOME}en/hello.html" in english
    assert not set(german) & set(english)


def test_a_subsite_on_another_host_has_a_sitemap_of_its_own(site: MakeSite) -> None:
    made = site(GERMAN, PLUGINS=["i18n_subsites", "pelican_sitemapkit"], **SUBSITES)
    made.settings["I18N_SUBSITES"] = {"de": {"SITEURL": "https://de.example.org"}}
    made.run()
    assert "https://de.example.org/hello.html" in made.entries("de/sitemap.xml")
    assert all(loc.startswith(HOME) for loc in made.entries())


def test_base_url_speaks_of_the_main_site_and_so_of_its_subsites(site: MakeSite) -> None:
    made = site(
        TEXTS,
        PLUGINS=["i18n_subsites", "pelican_sitemapkit"],
        SITEMAP={"base_url": "https://mirror.example/x/"},
        **SUBSITES,
    )
    made.run()
    assert "https://mirror.example/x/hello.html" in made.entries()
    assert "https://mirror.example/x/de/hello.html" in made.entries()


def test_without_an_address_subsites_say_so_once(site: MakeSite) -> None:
    made = site(
        TEXTS,
        PLUGINS=["i18n_subsites", "pelican_sitemapkit"],
        SITEURL="",
        SITEMAP={"robots": False},
        **SUBSITES,
    )
    log = made.run().stdout
    assert log.count("No sitemap is written") == 1
    assert not list(made.out.glob("**/sitemap.xml"))


# Runs after one another in one process, as `pelican --autoreload` has them


FAILING = "{{ 1 // 0 if article and article.slug == 'second' else 1 }}"


def fail(made: Site) -> None:
    """Run a build that ends in the midst of writing."""
    theme = made.root / "theme/templates"
    theme.mkdir(parents=True, exist_ok=True)
    (theme / "article.html").write_text(FAILING)
    try:
        made.build(THEME_TEMPLATES_OVERRIDES=[str(theme)])
    except ZeroDivisionError:
        return
    raise AssertionError("the build should have failed")


@contextmanager
def subsite(made: Site, folder: str) -> Generator[None]:
    """Build the site once more below itself, in the midst of each build."""

    def run(outer: Any) -> None:
        if outer.output_path == str(made.out):
            inner = {"OUTPUT_PATH": str(made.out / folder), "SITEURL": f"{HOME}{folder}"}
            Pelican(made.all_settings(**inner)).run()

    signals.get_writer.connect(run)
    try:
        yield
    finally:
        signals.get_writer.disconnect(run)


def test_subsites_of_a_build_that_failed_are_forgotten(site: MakeSite) -> None:
    made = site({f"content/{n}.md": md(n, date="2024-01-02") for n in ("first", "second")})
    with subsite(made, "inner"):
        made.build()
        assert "inner/second.html" in made.paths()
        fail(made)
    made.build()
    assert "second.html" in made.paths()
    assert not any("inner" in path for path in made.paths())


def test_a_second_run_of_one_object_lists_each_page_once_and_what_is_new(site: MakeSite) -> None:
    made = site()
    pelican = Pelican(made.all_settings())
    pelican.run()
    made.write({"content/second.md": md("Second", date="2024-01-02")})
    pelican.run()
    assert len(made.entries()) == len(set(made.entries()))
    assert {"first.html", "second.html"} <= set(made.paths())


def test_a_second_run_walks_no_history_again(
    site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = site({f"content/pages/{name}.md": md(name) for name in ("tea", "milk")})
    made.commit("2024-05-01T00:00:00Z")
    walks: list[str] = []

    def noting(root: str, start: bytes, scope: str = "") -> Log:
        walks.append(scope)
        return start_walk(root, start, scope)

    monkeypatch.setattr(repository_dates, "start_walk", noting)
    pelican = Pelican(made.all_settings())
    dated: list[list[bool]] = []
    for _ in range(2):
        pelican.run()
        found = made.entries()
        dated.append(["lastmod" in found[f"{HOME}pages/{name}.html"] for name in ("tea", "milk")])
        assert walks == ["content"]
        made.write({"content/pages/tea.md": md("tea", body="Half written.")})
    assert dated == [[True, True], [False, True]]


def test_after_a_failed_build_a_good_one_lists_each_page_once(site: MakeSite) -> None:
    made = site({f"content/{n}.md": md(n, date="2024-01-02") for n in ("first", "second")})
    fail(made)
    assert not (made.out / "sitemap.xml").exists()
    lines = made.build()
    assert not [line for line in lines if line.startswith("WARNING")]
    assert {"first.html", "second.html"} <= set(made.paths())


@pytest.mark.parametrize("after", [".", "..", "inner"])
def test_after_a_failed_build_and_other_settings_the_sitemap_is_written(
    site: MakeSite, after: str
) -> None:
    made = site({f"content/{n}.md": md(n, date="2024-01-02") for n in ("first", "second")})
    made.settings["OUTPUT_PATH"] = str(made.root / "output/outer")
    fail(made)
    made.settings["OUTPUT_PATH"] = str((made.root / "output/outer" / after).resolve())
    made.build(SITENAME="Other")
    written = {".": "outer/sitemap.xml", "..": "sitemap.xml", "inner": "outer/inner/sitemap.xml"}
    assert [loc for loc in made.entries(written[after]) if "second" in loc] == [
        f"{HOME}second.html"
    ]


def test_sites_that_are_built_in_turn_do_not_mix(site: MakeSite) -> None:
    made = site()
    made.build()
    made.settings |= {"OUTPUT_PATH": str(made.root / "other"), "SITEURL": "https://other.example"}
    made.build()
    assert all(loc.startswith(HOME) for loc in made.entries())
    assert all(
        loc.startswith("https://other.example/") for loc in made.entries("../other/sitemap.xml")
    )


# Caches


@pytest.mark.parametrize("layer", ["reader", "generator"])
def test_with_a_cache_the_sitemap_is_the_same(site: MakeSite, layer: str) -> None:
    made = site(
        {
            **TEXTS,
            "content/none.md": md("None"),
            "content/b.md": md("B", date="2024-01-02", priority="0.4", modified="2024-05-06 07:08"),
            "content/c.md": md("C", date="2024-01-02", status="draft"),
        },
        DEFAULT_DATE="fs",
        TIMEZONE="Europe/Paris",
    )
    made.build()
    without = (made.out / "sitemap.xml").read_bytes()
    cached = {"CACHE_CONTENT": True, "LOAD_CONTENT_CACHE": True, "CONTENT_CACHING_LAYER": layer}
    for _ in range(2):
        made.build(**cached)
        assert (made.out / "sitemap.xml").read_bytes() == without


# Ways to name the plugin


@pytest.mark.parametrize(
    "plugins",
    [
        None,
        ["sitemapkit"],
        ["pelican.plugins.sitemapkit"],
        ["pelican_sitemapkit"],
        ["sitemapkit", "pelican_sitemapkit", "pelican.plugins.sitemapkit"],
    ],
)
def test_the_plugin_is_found_by_each_of_its_names_and_runs_once(
    site: MakeSite, plugins: list[str] | None
) -> None:
    made = site(PLUGINS=plugins)
    log = made.run("--verbose").stdout
    assert log.count("pages listed") == 1
    assert "first.html" in made.paths()


def test_a_site_that_names_other_plugins_only_has_no_sitemap(site: MakeSite) -> None:
    made = site(PLUGINS=[])
    made.run()
    assert not (made.out / "sitemap.xml").exists()


def test_sites_that_do_not_use_the_plugin_do_not_wait_for_it(site: MakeSite) -> None:
    made = site(PLUGINS=[])
    made.write(
        {
            "build.py": """
import sys
from pelican import main
main([])
assert "pelican.plugins.sitemapkit" in sys.modules
assert "sitemapkit" not in sys.modules
"""
        }
    )
    made.run()
    done = made.python("build.py")
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_watched_site_whose_pages_lack_dates_waits_for_a_change(site: MakeSite) -> None:
    undated = {"content/pages/tea.md": md("Tea")}
    made = site(undated, SITEMAP={"fail_undated": True}, DIRECT_TEMPLATES=[])
    assert made.run().returncode == 1
    said = made.root / "log"
    with said.open("w") as log:
        command = [sys.executable, "-m", "pelican", "--autoreload"]
        watching = subprocess.Popen(command, cwd=made.root, stdout=log, stderr=log)
    try:
        wait_for(lambda: "no date" in said.read_text())
        time.sleep(3)
        built = (made.out / "pages/tea.html").stat().st_mtime_ns
        time.sleep(2)
        assert watching.poll() is None
        assert (made.out / "pages/tea.html").stat().st_mtime_ns == built
        for text in made.root.glob("content/**/*.md"):
            text.write_text(f"Modified: 2024-05-06\n{text.read_text()}")
        wait_for((made.out / "sitemap.xml").exists)
    finally:
        watching.terminate()
        watching.wait()
