"""Languages on real builds, judged by a checker that shares no code with the plugin."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..tools.conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

CHECKER = Path(__file__).parents[1] / "conformance" / "hreflang.py"
BASE = "https://example.org/"
PAGES = {"docs/tea.md": "# Tea", "docs/cups.md": "# Cups"}


def mistakes(*files: Path) -> str:
    command = [sys.executable, str(CHECKER), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def build_of(made: Site, base: str, alternate: Any, out: str = "", **settings: Any) -> list[str]:
    extra = {"alternate": alternate}
    made.configure(site_url=base, extra=extra, site_dir=str(made.root / "site" / out), **settings)
    return made.build()


def rules_of_check(made: Site) -> set[str]:
    """Return the rules about languages that `sitemapkit check` finds broken."""
    outcome = run("check", made.out, "--json", "--fail-on", "never")
    issues = json.loads(outcome.stdout)["issues"]
    return {each["id"] for each in issues if "hreflang" in each["id"]}


SWITCHER = [
    {"name": "English", "link": "/", "lang": "en"},
    {"name": "Deutsch", "link": "/de/", "lang": "de"},
    {"name": "中文", "link": "/zh/", "lang": "zh-Hans"},
]
SIDE_BY_SIDE = [
    {"name": "English", "link": "/en/", "lang": "en"},
    {"name": "Deutsch", "link": "../de/", "lang": "de"},
]


def test_builds_that_the_language_switcher_names_are_translations_where_both_have_the_page(
    site: Callable[..., Site],
) -> None:
    made = site(PAGES)
    for _ in range(2):
        for lang, excluded in (("de", "cups.md"), ("en", "")):
            build_of(made, f"{BASE}{lang}/", SIDE_BY_SIDE, lang, exclude_docs=excluded)
    sitemaps = [made.out / lang / "sitemap.xml" for lang in ("en", "de")]
    assert [file.read_text().count("<url>") for file in sitemaps] == [3, 2]
    assert [file.read_text().count("hreflang=") for file in sitemaps] == [4, 4]
    assert mistakes(*sitemaps) == ""


def test_a_menu_of_languages_does_not_tell_which_pages_other_builds_have(
    site: Callable[..., Site],
) -> None:
    made = site(PAGES)
    lines = build_of(made, BASE, SWITCHER)
    assert not any(made.alternates().values())
    (note,) = [line for line in lines if "[hreflang-unknown]" in line]
    assert note.startswith("INFO sitemapkit: extra.alternate: ")
    assert f"Languages: de, zh-Hans. There is no {made.out / 'de' / 'sitemap.xml'}." in note
    assert rules_of_check(made) == set()


@pytest.mark.parametrize("pages", [True, False], ids=["the same pages", "other pages"])
def test_a_build_above_this_one_that_cannot_know_it_is_not_named(
    site: Callable[..., Site], *, pages: bool
) -> None:
    made = site(PAGES)
    build_of(made, BASE, SWITCHER[:2])
    lines = build_of(made, f"{BASE}de/", SWITCHER[:2], "de", exclude_docs="" if pages else "tea.md")
    (note,) = [line for line in lines if "[hreflang-unknown]" in line]
    assert f"Language: en. {made.out / 'sitemap.xml'} names no page of this build" in note
    assert not any(made.alternates("de/sitemap.xml").values())
    assert rules_of_check(made) == set()


def test_a_build_above_this_one_whose_settings_name_it_is_named_in_return(
    site: Callable[..., Site],
) -> None:
    made = site(PAGES)
    languages = {"en": BASE, "de": f"{BASE}de/"}
    build_of(made, BASE, SWITCHER[:2], plugins=[{"sitemapkit": {"languages": languages}}])
    lines = build_of(made, f"{BASE}de/", SWITCHER[:2], "de", plugins=["sitemapkit"])
    assert not [line for line in lines if "hreflang" in line]
    assert made.alternates("de/sitemap.xml")["de/tea/"] == {"en": "tea/", "de": "de/tea/"}
    assert mistakes(made.out / "sitemap.xml", made.out / "de" / "sitemap.xml") == ""
    assert rules_of_check(made) == set()


def test_a_build_that_was_made_before_this_one_has_to_be_made_again_to_name_it(
    site: Callable[..., Site],
) -> None:
    made = site(PAGES)
    said = [
        {line.rpartition(" ")[2] for line in build_of(made, f"{BASE}{lang}/", SIDE_BY_SIDE, lang)}
        & {"[hreflang-unknown]", "[hreflang-one-way]"}
        for lang in ("de", "en", "de", "en")
    ]
    assert said == [{"[hreflang-unknown]"}, {"[hreflang-one-way]"}, set(), set()]
    assert rules_of_check(made) == set()


@pytest.mark.parametrize("broken", [b"\xff", b"<sitemapindex><loc>none.xml</loc></sitemapindex>"])
def test_a_sitemap_of_another_language_that_cannot_be_read_is_as_good_as_none(
    site: Callable[..., Site], broken: bytes
) -> None:
    made = site(PAGES)
    made.write({"site/de/sitemap.xml": ""})
    (made.out / "de" / "sitemap.xml").write_bytes(broken)
    lines = build_of(made, f"{BASE}en/", SIDE_BY_SIDE, "en")
    assert [line for line in lines if "[hreflang-unknown]" in line]
    assert not any(made.alternates("en/sitemap.xml").values())


def test_a_build_does_not_miss_its_own_list(site: Callable[..., Site]) -> None:
    own = {"base_url": BASE, "pages": "site/sitemap.xml"}
    languages = {"en": own, "fr": "https://example.fr/"}
    made = site(PAGES, plugins=[{"sitemapkit": {"languages": languages}}])
    assert not [line for line in build_of(made, BASE, []) if "hreflang-assumed" in line]


def test_a_sitemap_of_another_language_that_links_to_itself_is_as_good_as_none(
    site: Callable[..., Site],
) -> None:
    made = site(PAGES)
    sitemap = made.out / "de" / "sitemap.xml"
    sitemap.parent.mkdir(parents=True)
    sitemap.symlink_to("sitemap.xml")
    lines = build_of(made, f"{BASE}en/", SIDE_BY_SIDE, "en")
    assert [line for line in lines if str(sitemap) in line]


@pytest.mark.parametrize(
    "alternate",
    [
        [{"name": "en - English", "link": "/"}, {"name": "de - Deutsch", "link": "/de/"}],
        [SWITCHER[0], {"name": "Deutsch", "link": "./de/index.html", "lang": "de"}],
        [SWITCHER[0], {"name": "Ελληνικά", "link": "/gr/", "lang": "gr"}],
        [SWITCHER[0], {"name": "Deutsch", "link": "/", "lang": "de"}],
        [SWITCHER[1], SWITCHER[2]],
        [SWITCHER[0]],
        [SWITCHER[0], {"name": "Deutsch", "link": "https://[de/", "lang": "de"}],
        "English",
        [None, 3],
    ],
    ids=[
        *("without languages", "a page", "a wrong code", "one address"),
        *("not this build", "alone", "no address", "text", "nonsense"),
    ],
)
def test_a_switcher_that_does_not_name_builds_of_this_site_says_nothing(
    alternate: Any, site: Callable[..., Site]
) -> None:
    made = site(PAGES)
    build_of(made, BASE, alternate)
    assert not any(made.alternates().values())


def test_the_users_own_languages_beat_the_switcher(site: Callable[..., Site]) -> None:
    languages = {"en": BASE, "fr": "https://example.fr/"}
    made = site(PAGES, plugins=[{"sitemapkit": {"languages": languages}}])
    build_of(made, BASE, SWITCHER)
    assert made.alternates()["tea/"] == {"en": "tea/", "fr": "https://example.fr/tea/"}


def test_the_sitemap_for_people_has_the_name_and_language_of_the_site(
    site: Callable[..., Site],
) -> None:
    theme = {"name": None, "custom_dir": "theme", "language": "pt-BR"}
    plugins = [{"sitemapkit": {"formats": ["xml", "html"]}}]
    made = site({"docs/tea.md": "# Tea &amp; `<water>`"}, theme=theme, plugins=plugins)
    made.build()
    page = (made.out / "sitemap.html").read_text()
    assert '<html lang="pt-BR" dir="ltr">' in page
    assert ">Tea &amp; &lt;water&gt;</a>" in page


@pytest.mark.environment
def test_the_sets_of_static_i18n_are_reciprocal(site: Callable[..., Site], material: Path) -> None:
    locales = [{"locale": "en", "name": "English", "default": True, "build": True}]
    locales += [{"locale": code, "name": code, "build": True} for code in ("de", "zh-Hans")]
    files = {
        "docs/index.de.md": "# Heim",
        "docs/index.zh-Hans.md": "# 首页",
        "docs/tea.md": "# Tea",
        "docs/tea.de.md": "# Tee",
        "docs/cups.md": "# Cups",
    }
    i18n = {"i18n": {"docs_structure": "suffix", "languages": locales}}
    made = site(files, plugins=[i18n, {"sitemapkit": {"x_default": "en"}}])
    made.python = material
    done = made.run("build")
    assert done.returncode == 0, done.stderr
    sitemap = made.out / "sitemap.xml"
    assert [len(versions) for versions in made.alternates().values()] == [4, 0, 4, 3, 3, 4]
    assert mistakes(sitemap) == ""
