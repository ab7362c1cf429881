"""What `build` lists and what `check` asks for are the same, whatever is in the folder."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import Site, run

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://example.org/"
PAGE = "<html><head><title>{title}</title>{head}</head><body><main>{text}</main></body></html>"
MENU = "<ul><li><a href='/'>Home</a></li></ul>"


def page(title: str, head: str = "", text: str = "Some text.") -> str:
    return PAGE.format(title=title, head=head, text=text)


def link(rel: str, href: str, more: str = "") -> str:
    return f'<link rel="{rel}" href="{href}" {more}>'


ODD = {
    "api/404.html": page("404 - Not found"),
    "api/403/index.html": page("Forbidden"),
    "a/b/500.html": page("Error"),
    "errors/404.html": page("What 404 means"),
    "blog/index.html": page("Blog"),
    "blog/2/index.html": page("Blog", link("prev", f"{HOME}blog/")),
    "blog/3/index.html": page("Blog, page 3", link("prev", f"{HOME}blog/2/")),
    "one/index.html": page("One", link("alternate", "/eins/", 'hreflang="null"')),
    "auto_examples/sg_execution_times.html": page("Computation times"),
    "print_page/index.html": page("Print"),
    "private/a.html": page("Private"),
    "moved.html": page("Moved"),
    "tags.html": page("Tags", text="<h1>Tags</h1>"),
    "guide/page/2/index.html": page("Guide"),
    "guide/index.html": page("Guide"),
    "copy.html": page("Copy", link("canonical", f"{HOME}blog/")),
    "secret.html": page("Secret", '<meta name="robots" content="noindex">'),
    "_headers": "/private/*\n  X-Robots-Tag: noindex\n",
    "_redirects": "/moved.html /blog/ 301!\n",
}
LISTED = {"blog/", "guide/", "one/", "errors/404.html", ""}
SELECTION = {
    *("not-listed", "generated-page", "noindex", "redirect", "missing-page"),
    *("canonical-elsewhere", "canonical-redirect", "unmatched-pattern"),
}


def listed(site: Site) -> set[str]:
    text = (site.root / "sitemap.xml").read_text("utf-8")
    return {loc.removeprefix(HOME) for loc in re.findall("<loc>(.*?)</loc>", text)}


def build_and_check(folder: Path, names: set[str]) -> tuple[set[str], set[str], set[str]]:
    """Return what a build lists, the rules about it that a check breaks, and those of languages."""
    site = Site(folder, robots=None)
    for name in ("index.html", *sorted(names)):
        site.put(name, ODD.get(name) or page("Home"))
    outcome = run("build", folder, "--base-url", HOME)
    assert outcome.code == 0, outcome.stderr
    # As if another tool had written it: of ours, check believes what is left out.
    file = site.root / "sitemap.xml"
    file.write_text(file.read_text("utf-8").replace("<!-- sitemapkit -->", ""), "utf-8")
    issues = json.loads(run("check", folder, "--json").stdout)["issues"]
    rules = {each["id"] for each in issues}
    told = {"hreflang-code"} if "[hreflang-code]" in outcome.stderr else set[str]()
    return listed(site), rules & SELECTION, (rules & {"hreflang-code"}) ^ told


def test_build_and_check_agree_about_all_odd_pages_together(tmp_path: Path) -> None:
    assert build_and_check(tmp_path, {*ODD}) == (LISTED, set(), set())


@pytest.mark.parametrize("name", [name for name in ODD if name.endswith(".html")])
def test_build_and_check_agree_about_each_odd_page_alone(tmp_path: Path, name: str) -> None:
    _, rules, languages = build_and_check(tmp_path, {name})
    assert (rules, languages) == (set(), set())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sets(st.sampled_from(sorted(ODD))))
def test_build_and_check_agree_about_any_of_them(
    tmp_path_factory: pytest.TempPathFactory, names: set[str]
) -> None:
    _, rules, languages = build_and_check(tmp_path_factory.mktemp("site"), names)
    assert (rules, languages) == (set(), set())


WORDS = "Steep the leaves for two minutes in water that does not boil."


OLD_THEMES = {
    "Pelican": '<section id="content" class="body">{}</section><section id="extras" class="body">',
    "its copies": '<div id="content">{}</div><aside><p>Links</p></aside><div id="extras">',
    "Sphinx": '<div class="body">{}</div><div class="sphinxsidebar">',
}


@pytest.mark.parametrize("theme", OLD_THEMES)
@pytest.mark.parametrize("has_members", [True, False])
def test_a_list_in_a_theme_from_before_main_is_empty_where_its_content_is(
    tmp_path: Path, theme: str, *, has_members: bool
) -> None:
    own = f"<h1>Tags</h1><ul>{'<li><a href=/>tea</a></li>' * has_members}</ul>"
    around = "<header><a href=/>Site</a></header>{}<h2>Links</h2><a href=https://example.com/>x</a>"
    body = around.format(OLD_THEMES[theme].format(own))
    site = Site(tmp_path, robots=None)
    site.put("index.html", page("Home", text="<a href=tags.html>Tags</a>"))
    site.put("tags.html", f"<title>Tags</title><body>{body}")
    assert run("build", tmp_path, "--base-url", HOME).code == 0
    assert ("tags.html" in listed(site)) == has_members
