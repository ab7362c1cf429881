"""What is found on the site is listed, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

    MakeSite = Callable[..., Site]

FIRST = {"content/first.md": md("First", date="2024-01-02")}


# Trap 11


def test_a_page_that_takes_the_place_of_the_home_page_is_listed_once_and_as_itself(
    site: MakeSite,
) -> None:
    home = md("Home", save_as="index.html", priority="0.9", modified="2024-05-06")
    made = site({**FIRST, "content/pages/home.md": home})
    made.build()
    assert made.paths().count("") == 1
    assert made.entries()["https://example.org/"] == {"lastmod": "2024-05-06", "priority": "0.9"}


def test_an_article_that_was_first_at_a_path_keeps_it_from_a_template(site: MakeSite) -> None:
    own = md("Own", date="2024-03-04", save_as="archives.html", priority="0.9")
    made = site({**FIRST, "content/own.md": own})
    made.build()  # Pelican announces both, and writes the article only
    assert made.paths().count("archives.html") == 1
    assert made.entries()["https://example.org/archives.html"]["priority"] == "0.9"


def test_a_template_page_takes_the_place_of_a_direct_template(site: MakeSite) -> None:
    made = site({**FIRST, "content/all.in": "<p>All"}, TEMPLATE_PAGES={"all.in": "archives.html"})
    made.build()
    assert made.paths().count("archives.html") == 1
    assert "lastmod" not in made.entries()["https://example.org/archives.html"]


# Trap 12


@pytest.mark.parametrize("status", ["draft", "hidden", "skip"])
def test_what_is_not_published_is_not_listed(site: MakeSite, status: str) -> None:
    made = site(
        {
            **FIRST,
            "content/a.md": md("A", date="2024-01-02", status=status),
            "content/pages/b.md": md("B", status=status),
        }
    )
    lines = made.build()
    assert not any("a.html" in path or "b.html" in path for path in made.paths())
    told = [line for line in lines if "not listed:" in line and "(empty list)" not in line]
    assert len(told) == (0 if status == "skip" else 2)
    assert all(f"({status})" in line for line in told)


@pytest.mark.parametrize(
    ("metadata", "path"),
    [
        ({"save_as": "index.html"}, ""),
        ({"save_as": "index.html", "url": ""}, ""),
        ({"slug": "index", "save_as": "index.html", "url": "/"}, ""),
        ({"save_as": "de/index.html", "lang": "de"}, "de/"),
    ],
)
@pytest.mark.parametrize("folder", ["", "pages/"])
def test_a_home_page_that_no_menu_names_is_the_home_page(
    site: MakeSite, folder: str, metadata: dict[str, str], path: str
) -> None:
    home = md("Home", date="2024-05-06", status="hidden", **metadata)
    made = site({**FIRST, f"content/{folder}home.md": home}, INDEX_SAVE_AS="")
    made.build()
    assert path in made.paths()


def test_a_home_page_that_is_a_draft_is_not_listed(site: MakeSite) -> None:
    home = md("Home", save_as="index.html", status="draft")
    made = site({**FIRST, "content/pages/home.md": home}, INDEX_SAVE_AS="")
    made.build()
    assert "" not in made.paths()


@pytest.mark.parametrize("status", ["draft", "hidden"])
def test_what_is_not_published_is_no_translation_either(site: MakeSite, status: str) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", slug="a", lang="en"),
            "content/a.de.md": md("A", date="2024-01-02", slug="a", lang="de", status=status),
        }
    )
    made.build()
    assert made.alternates()["https://example.org/a.html"] == {}


def test_an_article_of_tomorrow_is_a_draft_where_the_site_says_so(site: MakeSite) -> None:
    made = site({**FIRST, "content/a.md": md("A", date="2999-01-02")}, WITH_FUTURE_DATES=False)
    made.build()
    assert "a.html" not in made.paths()


# Trap 13


@pytest.mark.parametrize(
    "metadata",
    [
        {"private": "True"},
        {"private": "true"},
        {"Private": "yes"},
        {"robots": "noindex"},
        {"Robots": "NoIndex, follow"},
        {"sitemap": "false"},
        {"Sitemap": "no"},
        {"sitemap": '{"exclude": true}'},
    ],
)
def test_what_its_author_keeps_private_is_not_listed(
    site: MakeSite, metadata: dict[str, str]
) -> None:
    made = site({**FIRST, "content/a.md": md("A", date="2024-01-02", **metadata)})
    made.build()
    assert "a.html" not in made.paths()


def test_what_the_rendered_page_keeps_from_robots_is_not_listed(site: MakeSite) -> None:
    made = site({**FIRST, "content/a.md": md("A", date="2024-01-02", robots_in_head="none")})
    assert any("a.md (noindex" in line for line in made.build())
    assert "a.html" not in made.paths()


def test_what_names_another_page_as_the_real_one_is_not_listed(site: MakeSite) -> None:
    canonical = "https://elsewhere.example/a"
    made = site({**FIRST, "content/a.md": md("A", date="2024-01-02", canonical=canonical)})
    made.build()
    assert "a.html" not in made.paths()


# Trap 14


@pytest.mark.parametrize(
    "patterns",
    [
        None,
        [
            (1, "{name}{extension}", "{name}{extension}"),
            (2, "p/{number}/", "p/{number}/index.html"),
        ],
        [
            (1, "{url}", "{save_as}"),
            (2, "{base_name}/{number}/", "{base_name}/{number}/index.html"),
        ],
        [
            (1, "{url}", "{save_as}"),
            (2, "{name}-{number}", "{name}-{number}.html"),
            (-1, "{name}-last", "{name}-last.html"),
        ],
    ],
)
def test_of_a_list_on_several_pages_the_first_is_listed(
    site: MakeSite, patterns: list[tuple[object, ...]] | None
) -> None:
    made = site(
        {f"content/{n}.md": md(f"T{n}", date=f"2024-01-0{n}") for n in range(1, 6)},
        DEFAULT_PAGINATION=2,
        PAGINATED_TEMPLATES={"index": None},
        **({"PAGINATION_PATTERNS": patterns} if patterns else {}),
    )
    lines = made.build()
    assert len([line for line in lines if "(pagination beyond the first page)" in line]) == 2
    assert {path for path in made.paths() if not path.startswith("t")} == {
        "",
        "archives.html",
        "categories.html",
        "category/misc.html",
    }


def test_error_and_search_pages_are_listed_only_where_an_option_includes_them(
    site: MakeSite,
) -> None:
    made = site(FIRST, DIRECT_TEMPLATES=["index", "404", "search", "about"])
    lines = made.build()
    assert {"404.html", "search.html"}.isdisjoint(made.paths())
    assert "about.html" in made.paths()
    assert "DEBUG sitemapkit: not listed: 404.html (generated page)" in lines
    made.build(SITEMAP={"include": ["/search.html"]})
    assert "search.html" in made.paths()


def test_an_error_page_that_is_written_as_a_page_is_listed_only_where_an_option_includes_it(
    site: MakeSite,
) -> None:
    places = {
        "lost": {"save_as": "404.html"},
        "broken": {"save_as": "500/index.html"},
        "weg": {"save_as": "de/404.html", "lang": "de"},
        "about": {"save_as": "errors/404.html"},
    }
    pages = {f"content/pages/{name}.md": md(name, **head) for name, head in places.items()}
    made = site({**FIRST, **pages})
    made.build()
    assert {"404.html", "500/", "de/404.html"}.isdisjoint(made.paths())
    assert "errors/404.html" in made.paths()
    made.build(SITEMAP={"include": ["/404.html"]})
    assert "404.html" in made.paths()


def test_an_error_or_search_page_may_be_in_a_folder(site: MakeSite) -> None:
    made = site(
        {**FIRST, "content/a.html.in": "<p>Hello"},
        DIRECT_TEMPLATES=["404"],
        **{"404_SAVE_AS": "de/404.html"},
        TEMPLATE_PAGES={"a.html.in": "pages/search.html"},
    )
    made.build()
    assert {"de/404.html", "pages/search.html"}.isdisjoint(made.paths())


def test_an_article_may_be_called_search(site: MakeSite) -> None:
    made = site({"content/search.md": md("Search", date="2024-01-02")})
    made.build()
    assert "search.html" in made.paths()


# Trap 15 (data of templates: test_urls)


@pytest.mark.parametrize("way", ["direct template", "template page", "static file"])
def test_a_sitemap_that_the_site_writes_itself_is_named_once_and_not_listed(
    site: MakeSite, tmp_path: Path, way: str
) -> None:
    ways: dict[str, dict[str, object]] = {
        "direct template": {
            "DIRECT_TEMPLATES": ["index", "sitemap"],
            "SITEMAP_SAVE_AS": "sitemap.xml",
            "THEME_TEMPLATES_OVERRIDES": [str(tmp_path)],
        },
        "template page": {"TEMPLATE_PAGES": {"extra/mine.in": "sitemap.xml"}},
        "static file": {
            "STATIC_PATHS": ["extra"],
            "EXTRA_PATH_METADATA": {"extra/mine.in": {"path": "sitemap.xml"}},
        },
    }
    (tmp_path / "sitemap.html").write_text("<urlset/>", encoding="utf-8")
    made = site({**FIRST, "content/extra/mine.in": "<urlset/>"}, **ways[way])
    (warning,) = [line for line in made.build() if line.startswith("WARNING")]
    assert "sitemap.xml: Two sitemaps have the same name" in warning
    assert f"It is a {'copied file' if way == 'static file' else 'template'} (see " in warning
    assert not any("sitemap" in path for path in made.paths())
    assert "first.html" in made.paths()


def test_an_html_sitemap_is_a_page_like_others(site: MakeSite) -> None:
    made = site(FIRST, DIRECT_TEMPLATES=["index", "sitemap"])
    assert not [line for line in made.build() if line.startswith("WARNING")]
    assert "sitemap.html" in made.paths()


# Lists without a member

EMPTY_CATEGORY = """
from pelican import signals
from pelican.urlwrappers import Category

def add(generator):
    hidden = [*generator.hidden_articles]  # as in a language that has no text of the category
    generator.categories.append((Category("Pots", generator.settings), hidden))

def register():
    signals.article_generator_finalized.connect(add)
"""


def test_a_list_without_a_member_is_not_listed_and_the_home_page_is(site: MakeSite) -> None:
    made = site({"content/pages/about.md": md("About")})
    lines = made.build()
    empty = ["archives.html", "authors.html", "categories.html", "tags.html"]
    assert all((made.out / path).is_file() for path in empty)
    assert made.paths() == ["", "pages/about.html"]
    assert sorted(line for line in lines if "(empty list)" in line) == [
        f"DEBUG sitemapkit: not listed: {path} (empty list)" for path in empty
    ]


def test_a_list_of_tags_is_listed_with_its_first_tag(site: MakeSite) -> None:
    made = site(FIRST)
    made.build()
    assert "tags.html" not in made.paths()
    assert {"archives.html", "categories.html", "category/misc.html"} <= set(made.paths())
    made.write({"content/second.md": md("Second", date="2024-01-03", tags="tea", author="Ann")})
    made.build()
    assert {"tags.html", "tag/tea.html", "authors.html"} <= set(made.paths())


def test_a_blog_below_the_home_page_is_listed_with_its_first_article(site: MakeSite) -> None:
    home = {"content/pages/home.md": md("Home", save_as="index.html", url="")}
    made = site(home, INDEX_SAVE_AS="blog/index.html", DIRECT_TEMPLATES=["index"])
    made.build()
    assert made.paths() == [""]
    made.write(FIRST)
    made.build()
    assert set(made.paths()) == {"", "blog/", "category/misc.html", "first.html"}


def test_a_category_whose_articles_are_all_hidden_is_not_listed(site: MakeSite) -> None:
    made = site(
        {
            **FIRST,
            "content/hidden.md": md("Hidden", date="2024-01-02", status="hidden", category="Pots"),
            "plugins/empty_category.py": EMPTY_CATEGORY,
        },
        PLUGIN_PATHS=["plugins"],
        PLUGINS=["empty_category", "pelican_sitemapkit"],
    )
    log = made.run("--debug").stdout
    assert (made.out / "category/pots.html").is_file()
    assert "not listed: category/pots.html (empty list)" in log
    assert "category/misc.html" in made.paths()


# Trap 16


def test_copied_html_and_pdf_files_are_listed_only_where_an_option_includes_them(
    site: MakeSite,
) -> None:
    made = site(
        {
            **FIRST,
            "content/extra/raw.html": "<p>Raw",
            "content/extra/paper.pdf": "%PDF-1.4",
            "content/extra/photo.jpg": "",
        },
        STATIC_PATHS=["extra"],
        READERS={"html": None},
        EXTRA_PATH_METADATA={"extra/raw.html": {"path": "raw.html"}},
    )
    lines = made.build()
    assert not {"raw.html", "extra/paper.pdf"} & set(made.paths())
    assert len([line for line in lines if "(static file)" in line]) == 2
    made.build(SITEMAP={"include": ["/raw.html", "*.pdf"]})
    assert {"raw.html", "extra/paper.pdf"} <= set(made.paths())
    assert not any("jpg" in path for path in made.paths())


def test_attached_files_lie_beside_their_article_and_are_found_there(site: MakeSite) -> None:
    linking = md("A", date="2024-01-02", body="[Paper]({attach}paper.pdf)")
    made = site(
        {"content/a/a.md": linking, "content/a/paper.pdf": "%PDF-1.4"},
        ARTICLE_URL="notes/{slug}/",
        ARTICLE_SAVE_AS="notes/{slug}/index.html",
        SITEMAP={"include": ["*.pdf"]},
    )
    made.build()
    assert (made.out / "notes/a/paper.pdf").is_file()
    assert "notes/a/paper.pdf" in made.paths()


def test_files_left_in_the_output_by_former_builds_are_not_listed(site: MakeSite) -> None:
    made = site({**FIRST, "output/old.html": "<p>Old"})
    made.build()
    assert (made.out / "old.html").exists()
    assert "old.html" not in made.paths()


def test_a_page_whose_file_another_plugin_removed_is_not_listed(site: MakeSite) -> None:
    made = site(
        {
            **FIRST,
            "content/gone.md": md("Gone", date="2024-01-02"),
            "plugins/remover.py": """
from pathlib import Path
from pelican import signals

def remove(pelican):
    Path(pelican.output_path, "gone.html").unlink()

def register():
    signals.finalized.connect(remove)
""",
        },
        PLUGIN_PATHS=["plugins"],
        PLUGINS=["remover", "pelican_sitemapkit"],
    )
    log = made.run("--debug").stdout
    assert "gone.md (no file in the output)" in log
    assert "gone.html" not in made.paths()
