"""Every setting of Pelican that changes URLs or paths, with every value that Pelican accepts."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
from pelican import Pelican

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

    MakeSite = Callable[..., Site]

HOME = "https://example.org/"
TEXTS = {
    "content/a.md": md(
        "A", date="2024-01-02", category="Tea", tags="green", author="Ann", lang="en"
    ),
    "content/a.de.md": md("A", date="2024-01-02", category="Tea", slug="a", lang="de"),
    "content/pages/p.md": md("P", lang="en"),
    "content/pages/p.de.md": md("P", slug="p", lang="de"),
    "content/draft.md": md("D", date="2024-01-02", status="draft"),
    "content/pages/draft.md": md("E", status="draft"),
    "content/extra/raw.html": "<title>Raw</title>",
    "content/plain.html.in": "<title>Plain</title>",
}
SITE: dict[str, Any] = {
    "DELETE_OUTPUT_DIRECTORY": True,
    "THEME": "simple",  # its lists are read for links
    "STATIC_PATHS": ["extra"],
    "READERS": {"html": None},
    "TEMPLATE_PAGES": {"plain.html.in": "plain.html"},
    "YEAR_ARCHIVE_SAVE_AS": "{date:%Y}/index.html",
    "MONTH_ARCHIVE_SAVE_AS": "{date:%Y}/{date:%m}/index.html",
    "DAY_ARCHIVE_SAVE_AS": "{date:%Y}/{date:%m}/{date:%d}/index.html",
    "SITEMAP": {"include": ["*"]},
}
KINDS = {
    **dict.fromkeys(("ARTICLE", "ARTICLE_LANG", "PAGE", "PAGE_LANG"), "x/{slug}-{lang}"),
    **dict.fromkeys(("DRAFT", "DRAFT_LANG", "DRAFT_PAGE", "DRAFT_PAGE_LANG"), "x/{slug}-{lang}"),
    **dict.fromkeys(("CATEGORY", "TAG", "AUTHOR"), "x/{slug}"),
    **dict.fromkeys(("YEAR_ARCHIVE", "MONTH_ARCHIVE", "DAY_ARCHIVE"), "x/{date:%Y-%m-%d}"),
    **dict.fromkeys(("INDEX", "ARCHIVES", "CATEGORIES", "TAGS", "AUTHORS"), "x/y"),
    "STATIC": "x/{path}",
}
"""What the settings of URLs and paths begin with, and a pattern of their own for each."""

FOLLOW_FILES = {"INDEX", "YEAR_ARCHIVE", "MONTH_ARCHIVE", "DAY_ARCHIVE", "STATIC"}
"""The kinds whose pages are listed whatever the setting of their URL is: the home page has one, an
empty setting for archives of periods is Pelican's default, and copied files stay where they are."""

DIRECT = {"ARCHIVES", "CATEGORIES", "TAGS", "AUTHORS"}
"""The kinds that have no setting for their URL by default, so that an empty one is none."""

NO_TEXTS: list[Any] = [None, False, True, 0]


def accepted(made: Site, **settings: Any) -> bool:
    """Return whether Pelican builds the site with these settings and without plugins."""
    logging.disable()
    try:
        Pelican(made.all_settings(**{**settings, "PLUGINS": []})).run()
    except Exception:  # noqa: BLE001 - whatever it is, Pelican does not accept the value
        return False
    finally:
        logging.disable(logging.NOTSET)
    return True


def built(made: Site, **settings: Any) -> list[str] | None:
    """Build; return the plugin's lines, or None if Pelican does not accept the settings."""
    try:
        return made.build(**settings)
    except Exception:
        if accepted(made, **settings):
            raise
        return None


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["_URL", "_SAVE_AS"])
@pytest.mark.parametrize("kind", KINDS)
def test_any_value_that_pelican_accepts_builds_and_lists_what_is_there(
    site: MakeSite, kind: str, ending: str
) -> None:
    made = site(TEXTS, **SITE)
    made.build()
    usual = set(made.paths())
    name, pattern = f"{kind}{ending}", KINDS[kind]
    is_url = ending == "_URL"
    patterns = [Path(f"{pattern}.html"), pattern]
    for value in [*patterns, "", *NO_TEXTS]:
        lines = built(made, **{name: value})
        if lines is None:
            continue
        listed = set(made.paths())
        told = [line for line in lines if "[no-url]" in line]
        if kind != "STATIC":  # Pelican copies the file to these
            assert not listed & {"None", "False", "True", "0"}, value
        is_text = isinstance(value, str | Path) and value != ""
        if not is_text or not is_url:
            assert [path for path in listed if not has_file(made, path)] == [], value
        if is_text or kind.startswith("DRAFT"):
            assert not told, value
        elif is_url and kind not in FOLLOW_FILES and not (value == "" and kind in DIRECT):
            assert told, value
        if told:
            assert told[0].startswith(f"INFO sitemapkit: {name} is {value!r}: A setting leaves ")
            assert listed < usual


def has_file(made: Site, path: str) -> bool:
    """Return whether a server that serves the output finds a file at a path."""
    file = made.out / unquote(path)
    return file.is_file() or (file / "index.html").is_file()


OTHERS: dict[str, list[Any]] = {
    "PAGINATION_PATTERNS": [
        [(1, "", "{name}{extension}")],
        [(1, None, "{save_as}"), (2, None, "{name}{number}{extension}")],
        [(1, False, "moved/{name}/index.html")],
        [
            (1, "{url}", "{save_as}"),
            (2, "{base_name}/{number}/", "{base_name}/{number}/index.html"),
        ],
        (),
        None,
        False,
    ],
    "DEFAULT_PAGINATION": [1, True, None],
    "PAGINATED_TEMPLATES": [{}, {"archives": 1, "period_archives": None}, None],
    "RELATIVE_URLS": [True, None, 1, "yes"],
    "SITEURL": ["https://example.org/", "", None, False, "."],
    "DIRECT_TEMPLATES": [[], (), ["index"], ("index", "archives"), None, "index"],
    "TEMPLATE_PAGES": [
        {},
        None,
        {"plain.html.in": Path("x/plain.html")},
        {"plain.html.in": ""},
        {"plain.html.in": False},
        {"plain.html.in": None},
    ],
    "ARTICLE_TRANSLATION_ID": [None, "", "lang", ("slug", "lang")],
    "SLUGIFY_SOURCE": ["basename", "other", None],
    "EXTRA_PATH_METADATA": [
        None,
        {"extra/raw.html": {"path": "x.html", "url": "", "save_as": "x.html"}},
        {"extra/raw.html": {"url": False}},
        {"a.md": {"url": None}, "pages/p.md": {"url": False, "save_as": "p.html"}},
        {"a.md": {"url": ""}, "pages/p.md": {"save_as": ""}},
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_any_value_of_another_setting_that_changes_urls_builds(site: MakeSite, name: str) -> None:
    made = site(TEXTS, **SITE)
    for value in OTHERS[name]:
        made.build()
        usual = set(made.paths())
        lines = built(made, **{name: value})
        if lines is None or any("No sitemap is written" in line for line in lines):
            continue
        listed = set(made.paths())
        assert not listed & {"None", "False", "True", "0"}, value
        assert "" in listed or "index.html" not in {file.name for file in made.out.iterdir()}
        for path in listed - usual:
            assert has_file(made, path), (value, path)


def test_folders_may_be_paths(site: MakeSite) -> None:
    made = site(TEXTS, **SITE)
    made.build()
    usual = made.paths()
    paths = {"OUTPUT_PATH": made.out, "PATH": made.root / "content"}
    for name, value in paths.items():
        assert built(made, **{name: value}) is not None, name
        assert made.paths() == usual


def test_a_text_without_a_url_is_named(site: MakeSite) -> None:
    made = site(TEXTS, EXTRA_PATH_METADATA={"a.md": {"url": ""}}, **SITE)
    (line,) = [line for line in made.build() if "[no-url]" in line]
    assert line.startswith(f"INFO sitemapkit: url in {made.root}/content/a.md is '': ")
    assert "a.html" not in made.paths()
    assert "a-de.html" in made.paths()
