"""What the settings and folders of a project say of its pages, beside what the pages say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
        ({"_quarto.yml": "project: {type: website}"}, "hid/_metadata.yml", "_site", "quarto-1.9"),
        ({"eleventy.config.js": ""}, "hid/hid.json", "_site", "Eleventy v3"),
    ],
)
def test_what_a_folder_states_is_stated_by_its_pages(
    tmp_path: Path, settings: dict[str, str], inherited: str, out: str, mark: str
) -> None:
    ((file, stated),) = settings.items()
    words = "One two three four five six seven eight nine ten and some more words to be found."
    files = {
        file: f"{stated}\n",
        "index.md": text("Home"),
        "hid/a.md": f"# Hidden\n\n{words} Alpha apples.\n",
        "hid/b.md": f"# Bidden\n\n{words} Bravo bears.\n",
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
