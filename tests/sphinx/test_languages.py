"""Builds in several languages: each needs a base URL of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import BASE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

pytestmark = pytest.mark.slow


def check(site: Site, folder: str) -> list[dict[str, Any]]:
    """Return the issues of `sitemapkit check` with a folder of the output."""
    command = [sys.executable, "-m", "sitemapkit_tools", "check", "--json", "--base-url", BASE]
    done = subprocess.run([*command, str(site.out(folder))], capture_output=True, check=False)
    issues: list[dict[str, Any]] = json.loads(done.stdout)["issues"]
    return issues


LANGUAGES = {code: f"{BASE}{code}/" for code in ("en", "de", "fr")}
SPELLINGS: dict[str, dict[str, Any]] = {
    "sitemap_languages": {"sitemap_languages": LANGUAGES},
    "sitemap_locales": {  # as for sphinx-sitemap, without canonical links
        "html_baseurl": "",
        "site_url": BASE,
        "sitemap_url_scheme": "{lang}{link}",
        "sitemap_locales": ["de", "fr"],
    },
}


@pytest.mark.parametrize("settings", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_links_of_all_languages_are_right_however_many_are_built(
    site: Callable[..., Site], settings: dict[str, Any], builder: str
) -> None:
    project = site("a", "guide/b", **settings)
    for code, base in LANGUAGES.items():
        own = {} if "site_url" in settings else {"html_baseurl": base}
        project.build(builder, folder=code, language=code, **own)
        (project.out(code) / "robots.txt").unlink(missing_ok=True)
        hard = [each for each in check(project, ".") if each["severity"] == "error"]
        assert hard == []
    assert "hreflang-not-listed" not in {each["id"] for each in check(project, ".")}
    assert len(re.findall("<xhtml:link ", (project.out("fr") / "sitemap.xml").read_text())) >= 9


def test_a_translation_that_is_missing_from_a_build_is_an_error(site: Callable[..., Site]) -> None:
    project = site("a", sitemap_languages=LANGUAGES)
    project.build(folder="en", language="en", html_baseurl=LANGUAGES["en"])
    project.build(folder="de", language="de", html_baseurl=LANGUAGES["de"], exclude_patterns="a*")
    found = [each for each in check(project, ".") if each["id"] == "hreflang-not-listed"]
    assert {(each["severity"], each["detail"]) for each in found} == {
        ("error", f"It is {BASE}de/a.html."),
        *(
            (
                "note",
                f"It is {BASE}fr/{page}.html, and cannot be checked: nothing of {BASE}fr/ is here.",
            )
            for page in ("a", "index")
        ),
    }


MESSAGES = {
    "title": ("title", "Titel"),
    "words": ("Words.", "Wörter."),
    "empty": ("Words.", ""),
    "same": ("Words.", "Words."),
    "fuzzy": ("Words.", "Wörter."),
    "guide": ("guide/a", "Anleitung"),
}
"""What each catalogue translates, and how."""


def test_a_page_without_a_translated_message_is_a_copy_that_no_language_links(
    site: Callable[..., Site],
) -> None:
    names = ["copy", "figure", "guide/a", "guide/b", *MESSAGES]
    names.remove("guide")
    project = site(locale_dirs=["locale"], sitemap_languages=LANGUAGES)
    for name in names:
        body = ".. image:: cup.png" if name == "figure" else "Words."
        project.document(name, head=":orphan:", body=body)
    project.write({"docs/cup.png": "x", "docs/cup.de.png": "x"})
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    for name, (words, translation) in MESSAGES.items():
        place = "guide/a" if name == "guide" else name
        mark = "#, fuzzy\n" if name == "fuzzy" else ""
        message = f'#: ../../{place}.rst:4\n{mark}msgid "{words}"\nmsgstr "{translation}"\n'
        project.write({f"docs/locale/de/LC_MESSAGES/{name}.po": head + message})
    project.build(folder="en", language="en", html_baseurl=LANGUAGES["en"])
    project.build(folder="de", language="de", html_baseurl=LANGUAGES["de"])
    translated = ["figure", "guide/a", "title", "words"]
    listed = project.sitemap("de").read_text()
    assert project.paths("de") == [f"de/{name}.html" for name in translated]
    project.configure(language="de")  # as where it is read from the environment
    project.build(folder="de", html_baseurl=LANGUAGES["de"])
    assert project.sitemap("de").read_text() == listed
    english = project.out("en").joinpath("sitemap.xml").read_text()
    assert english.count("<loc>") == len([*names, "index"])
    for name in names:
        is_linked = f'href="{LANGUAGES["de"]}{name}.html"' in english
        assert is_linked is (name in translated), name
    assert [each for each in check(project, ".") if each["severity"] == "error"] == []
