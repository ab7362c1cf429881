"""`check` says nothing untrue of a site that a plugin wrote, and `build` leaves it to the plugin.

The plugin knows what its generator knows; awkward pages are those whose files say less.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .docs.reader import ROOT, blocks
from .mkdocs.conftest import THEME as MKDOCS_THEME
from .mkdocs.conftest import Site as MkDocsSite
from .pelican.conftest import Site as PelicanSite
from .pelican.conftest import md
from .programs import GENERATORS as PROGRAMS
from .programs import run_python
from .sphinx.conftest import Site as SphinxSite
from .tools.conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable, Set
    from pathlib import Path

BASE = "https://example.org/"

REFRESH = '<meta http-equiv="refresh" content="0; url=https://example.org/">'
COPIED = "<title>Old</title><h1>Old</h1><p>Some old text.</p>"

MKDOCS: dict[str, dict[str, str]] = {
    "a redirect in the body": {"docs/moved.md": f"{REFRESH}\n"},
    "a page that is no page of the site": {"docs/old.html": COPIED},
    "a folder of such pages": {"docs/demo/index.html": COPIED, "docs/demo/a.html": COPIED},
    "left out by its author": {"docs/private.md": "---\nsitemap: false\n---\n# Private"},
    "an error page": {"docs/404.md": "# Not found"},
    "a chapter with a number": {"docs/guide2.md": "# Guide 2", "docs/guide.md": "# Guide"},
    "a folder of drafts": {"docs/drafts/idea.md": "# Idea"},
    "a list of nothing": {"docs/tags.md": "# Tags"},
    "an odd name": {"docs/größe & c#.md": "# Odd"},
    "a canonical link elsewhere": {"docs/copy.md": "---\ncopy_of: /\n---\n# Copy"},
    "options": {"docs/old.html": COPIED, "docs/no/a.md": "# A"},
}
PELICAN: dict[str, dict[str, str]] = {
    "a draft": {"content/draft.md": md("Draft", date="2024-01-02", status="draft")},
    "a draft of a page": {"content/pages/idea.md": md("Idea", status="draft")},
    "a hidden article": {"content/hid.md": md("Hid", date="2024-01-02", status="hidden")},
    "a hidden page": {"content/pages/hid.md": md("Hidden page", status="hidden")},
    "a hidden home page": {
        "content/pages/home.md": md("Home", status="hidden", save_as="index.html")
    },
    "a translation": {
        "content/tea.md": md("Tea", date="2024-01-02", slug="tea", lang="en"),
        "content/tea-de.md": md("Tee", date="2024-01-02", slug="tea", lang="de"),
    },
    "a draft of a translation": {
        "content/pot.md": md("Pot", date="2024-01-02", slug="pot", lang="en"),
        "content/pot-de.md": md("Kanne", date="2024-01-02", slug="pot", lang="de", status="draft"),
    },
    "a tag": {"content/tagged.md": md("Tagged", date="2024-01-02", tags="tea, pots")},
    "copied as it is": {"content/extra/old.html": COPIED},
    "left out by its author": {"content/own.md": md("Own", date="2024-01-02", sitemap="no")},
    "a redirect": {"content/moved.md": md("Moved", date="2024-01-02", body=REFRESH)},
    "an address of its own": {"content/b.md": md("B", date="2024-01-02", save_as="x/y.html")},
    "options": {
        "content/extra/old.html": COPIED,
        "content/no.md": md("No", date="2024-01-02", save_as="no/a.html", url="no/a.html"),
    },
}
SPHINX: dict[str, dict[str, str]] = {
    "copied as it is": {"docs/extra/old.html": COPIED, "docs/extra/demo/index.html": COPIED},
    "no index": {"docs/hid.rst": ":orphan:\n\nHid\n===\n\n.. meta::\n   :robots: noindex\n"},
    "a redirect": {"docs/moved.rst": f":orphan:\n\nM\n=\n\n.. raw:: html\n\n   {REFRESH}\n"},
    "left out by its author": {"docs/own.rst": ":orphan:\n:sitemap: false\n\nOwn\n===\n\nText.\n"},
    "a folder of drafts": {"docs/drafts/a.rst": ":orphan:\n\nA\n=\n\nText.\n"},
    "a list of nothing": {"docs/tags.rst": ":orphan:\n\nTags\n====\n"},
    "an odd name": {"docs/a & b.rst": ":orphan:\n\nOdd\n===\n\nText.\n"},
    "pages with numbers": {
        f"docs/part{number}.rst": f":orphan:\n\nPart {number}\n======\n\nText.\n"
        for number in ("", 2, 3)
    },
    "options": {
        "docs/extra/old.html": COPIED,
        "docs/no/a.rst": ":orphan:\n\nA\n=\n\nText.\n",
    },
}
OPTIONS = {"exclude": ["no/"], "include": ["old.html", "extra/old.html"]}


def built_by_mkdocs(folder: Path, traits: Set[str], setting: object) -> Path:
    site = MkDocsSite(folder)
    link = '<link rel="canonical" href="{{ page.meta.copy_of or page.canonical_url }}">'
    theme = MKDOCS_THEME.replace("</head>", f"{link}</head>")
    site.write({"theme/main.html": theme, "docs/index.md": "# Home"})
    for trait in traits:
        site.write(MKDOCS[trait])
    site.configure(
        site_name="Site",
        site_url=BASE,
        theme={"name": None, "custom_dir": "theme"},
        plugins=["search", {"sitemapkit": OPTIONS} if "options" in traits else "sitemapkit"],
        use_directory_urls=setting is not True,
    )
    site.build()
    return site.out


def built_by_pelican(folder: Path, traits: Set[str], setting: object) -> Path:
    site = PelicanSite(folder)
    site.write({"content/first.md": md("First", date="2024-01-02")})
    for trait in traits:
        site.write(PELICAN[trait])
    site.settings = {
        "SITENAME": "Site",
        "SITEURL": BASE.rstrip("/"),
        "TIMEZONE": "UTC",
        "THEME": "notmyidea" if setting else "simple",
        "STATIC_PATHS": ["extra"],
        "ARTICLE_EXCLUDES": ["extra"],
        "READERS": {"html": None},
        "FEED_ALL_ATOM": None,
        "CATEGORY_FEED_ATOM": None,
        "TRANSLATION_FEED_ATOM": None,
        "PLUGINS": ["pelican_sitemapkit"],
        **({"SITEMAP": OPTIONS} if "options" in traits else {}),
        **({"INDEX_SAVE_AS": ""} if "a hidden home page" in traits else {}),
    }
    lines = [f"{name} = {value!r}\n" for name, value in site.settings.items()]
    site.write({"pelicanconf.py": f"PATH = 'content'\n{''.join(lines)}"})
    site.build()
    return site.out


def built_by_sphinx(folder: Path, traits: Set[str], setting: object) -> Path:
    site = SphinxSite(folder)
    extra = ["extra"] if {"copied as it is", "options"} & traits else []
    site.configure(html_baseurl=BASE, html_extra_path=extra)
    if "options" in traits:
        site.configure(sitemap_exclude=OPTIONS["exclude"], sitemap_include=OPTIONS["include"])
    site.document("index")
    for trait in traits:
        site.write(SPHINX[trait])
    builder = "dirhtml" if setting else "html"
    site.build(builder)
    return site.out(builder)


UNTRUE = ("not-listed", "generated-page", "noindex", "redirect", "missing-page")


def agree(out: Path) -> None:
    """Assert that `check` finds nothing untrue in a plugin's sitemap, and `build` changes none."""
    sitemap = out / "sitemap.xml"
    by_plugin = sitemap.read_bytes()
    said = run("check", out).stdout
    assert not [rule for rule in UNTRUE if f" {rule}: " in said], said
    assert run("build", out).code == 2
    assert sitemap.read_bytes() == by_plugin
    for file in out.glob("sitemap.xml*"):
        file.unlink()
    assert run("build", out).code == 2
    assert not sitemap.exists()


GENERATORS: dict[str, tuple[dict[str, dict[str, str]], Callable[..., Path]]] = {
    "mkdocs": (MKDOCS, built_by_mkdocs),
    "pelican": (PELICAN, built_by_pelican),
    "sphinx": (SPHINX, built_by_sphinx),
}


@pytest.mark.parametrize("setting", [False, True])
@pytest.mark.parametrize("generator", GENERATORS)
def test_of_a_site_with_all_awkward_pages_nothing_untrue_is_said(
    tmp_path: Path, generator: str, *, setting: bool
) -> None:
    traits, build = GENERATORS[generator]
    agree(build(tmp_path, {*traits}, setting))


COMMANDS = {
    "mkdocs": ("mkdocs build --site-dir site", "site"),
    "pelican": ("pelican content --output output --settings pelicanconf.py", "output"),
    "sphinx": ("sphinx -b html . _build/html", "_build/html"),
    "sphinx in docs": ("sphinx -b dirhtml docs _build/html", "_build/html"),
}
SITES = {
    **{f"example-sites/{name}": name for name in GENERATORS},
    **{f"docs/pages/tutorial-{name}.md": name for name in ("mkdocs", "pelican")},
    "docs/pages/tutorial-sphinx.md": "sphinx in docs",
}


@pytest.mark.parametrize("name", SITES)
def test_of_example_and_tutorial_sites_nothing_untrue_is_said(tmp_path: Path, name: str) -> None:
    if (ROOT / name).is_dir():
        ignore = shutil.ignore_patterns("site", "output", "_build", "__pycache__")
        shutil.copytree(ROOT / name, tmp_path, ignore=ignore, dirs_exist_ok=True)
    else:
        for block in blocks(ROOT / name):
            if block.name:
                file = tmp_path / block.name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(block.text, encoding="utf-8")
    command, output = COMMANDS[SITES[name]]
    loads = PROGRAMS[SITES[name].partition(" ")[0]]
    done = run_python("-m", *command.split(), folder=tmp_path, loads=loads)
    assert done.returncode == 0, done.stderr
    agree(tmp_path / output)


@pytest.mark.parametrize("generator", GENERATORS)
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
@given(data=st.data())
def test_of_a_site_with_any_of_them_nothing_untrue_is_said(
    tmp_path_factory: pytest.TempPathFactory, generator: str, data: Any
) -> None:
    traits, build = GENERATORS[generator]
    chosen = data.draw(st.sets(st.sampled_from(sorted(traits))), label="traits")
    setting = data.draw(st.booleans(), label="setting")
    agree(build(tmp_path_factory.mktemp("site"), chosen, setting))
