"""Each page is listed under the URL by which readers reach its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

    MakeSite = Callable[..., Site]

FIRST = {"content/first.md": md("First", date="2024-01-02", category="News")}
MOVED = [
    (1, "/{base_name}/", "{base_name}/index.html"),
    (2, "/{base_name}/{number}/", "{base_name}/{number}/index.html"),
]


def test_every_kind_of_page_is_listed(site: MakeSite) -> None:
    made = site(
        {
            "content/first.md": md(
                "First", date="2024-01-02", category="News", tags="a", author="B"
            ),
            "content/pages/about.md": md("About"),
        },
        YEAR_ARCHIVE_URL="{date:%Y}/",
        YEAR_ARCHIVE_SAVE_AS="{date:%Y}/index.html",
    )
    made.build()
    assert made.paths() == [
        "",
        "2024/",
        "archives.html",
        "author/b.html",
        "authors.html",
        "categories.html",
        "category/news.html",
        "first.html",
        "pages/about.html",
        "tag/a.html",
        "tags.html",
    ]


def test_the_urls_of_tags_categories_and_authors_come_from_their_settings(site: MakeSite) -> None:
    made = site(FIRST, CATEGORY_URL="c/{slug}", CATEGORY_SAVE_AS="c/{slug}.html")
    made.build()
    assert "c/news" in made.paths()
    assert "c/news.html" not in made.paths()


def test_a_list_that_a_pagination_pattern_moved_has_the_url_of_the_pattern(site: MakeSite) -> None:
    made = site(
        FIRST,
        PAGINATION_PATTERNS=MOVED,
        CATEGORY_URL="c/{slug}.html",
        CATEGORY_SAVE_AS="c/{slug}.html",
    )
    made.build()
    assert (made.out / "c/news/index.html").is_file()
    assert "c/news/" in made.paths()
    assert "c/news.html" not in made.paths()


def test_a_home_page_that_a_pagination_pattern_leaves_in_place_stays_the_home_page(
    site: MakeSite,
) -> None:
    made = site(FIRST, PAGINATION_PATTERNS=MOVED)
    made.build()
    assert "" in made.paths()


def test_archives_of_periods_have_the_urls_of_their_settings(site: MakeSite) -> None:
    made = site(
        FIRST,
        YEAR_ARCHIVE_URL="posts/{date:%Y}/",
        YEAR_ARCHIVE_SAVE_AS="posts/{date:%Y}/index.html",
        MONTH_ARCHIVE_URL="posts/{date:%Y}-{date:%m}",
        MONTH_ARCHIVE_SAVE_AS="posts/{date:%Y}-{date:%m}.html",
        DAY_ARCHIVE_SAVE_AS="posts/{date:%Y}/{date:%d}.html",
    )
    made.build()
    assert [path for path in made.paths() if path.startswith("posts/")] == [
        "posts/2024-01",
        "posts/2024/",
        "posts/2024/02.html",  # the setting for its URL was left empty
    ]


def test_an_archive_of_a_period_that_a_pattern_moved_has_the_url_of_the_pattern(
    site: MakeSite,
) -> None:
    made = site(
        FIRST,
        YEAR_ARCHIVE_URL="y{date:%Y}.html",
        YEAR_ARCHIVE_SAVE_AS="y{date:%Y}.html",
        PAGINATED_TEMPLATES={"period_archives": None},
        PAGINATION_PATTERNS=MOVED,
    )
    made.build()
    assert "y2024/" in made.paths()
    assert "y2024.html" not in made.paths()


def test_a_direct_template_has_the_url_of_its_setting(site: MakeSite) -> None:
    made = site(
        FIRST,
        ARCHIVES_URL="all",
        ARCHIVES_SAVE_AS="all/index.html",
        INDEX_SAVE_AS="blog/index.html",
        INDEX_URL="blog",
    )
    made.build()
    assert {"all/", "blog/"} <= set(made.paths())
    assert not {"", "archives.html", "all", "blog"} & set(made.paths())


def test_a_page_in_a_folder_has_the_slash_without_which_hosts_redirect(site: MakeSite) -> None:
    made = site(
        {
            "content/first.md": md("First", date="2024-01-02", category="News", tags="c#,100%"),
            "content/Über Uns.md": md("Us", date="2024-01-02", category="News", slug="Über Uns"),
            "content/pages/a.md": md("A", url="/info/a#top", save_as="info/a/index.html"),
            "content/pages/b.md": md("B", url="h%C3%A9?x=1", save_as="hé/index.html"),
            "content/pages/c.md": md("C", url="https://example.org/sub/c", save_as="c/index.html"),
            "content/pages/d.md": md("D", url="Info/D", save_as="info/d/index.html"),
        },
        SITEURL="https://example.org/sub",
        RELATIVE_URLS=True,
        ARTICLE_URL="blog/{slug}",
        ARTICLE_SAVE_AS="blog/{slug}/index.html",
        TAG_URL="t/{name}",
        TAG_SAVE_AS="t/{name}/index.html",
        YEAR_ARCHIVE_URL="{date:%Y}",
        YEAR_ARCHIVE_SAVE_AS="{date:%Y}/index.html",
        PAGINATED_TEMPLATES={"category": 1},
        CATEGORY_URL="c/{slug}",
        CATEGORY_SAVE_AS="c/{slug}/index.html",
    )
    made.build()
    listed = [loc.removeprefix("https://example.org/sub/") for loc in made.entries()]
    assert {"blog/first/", "blog/%C3%9Cber%20Uns/", "t/c%23/", "t/100%25/"} <= {*listed}
    assert {"2024/", "c/news/", "info/a/", "h%C3%A9/", "c/"} <= {*listed}
    assert "Info/D" in listed  # to a host, this is another name


def test_the_subsite_of_a_language_has_the_slash_as_well(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", lang="de"),
            "content/b.md": md("B", date="2024-01-02", lang="en"),
        },
        PLUGINS=["i18n_subsites", "pelican_sitemapkit"],
        I18N_SUBSITES={"de": {}},
        ARTICLE_URL="blog/{slug}",
        ARTICLE_SAVE_AS="blog/{slug}/index.html",
    )
    assert made.run().returncode == 0
    assert "de/blog/a/" in made.paths()


def test_a_template_page_has_the_url_of_its_destination(site: MakeSite) -> None:
    made = site(
        {**FIRST, "content/plain.html.in": "<p>Hello"},
        TEMPLATE_PAGES={"plain.html.in": "a b/plain.html"},
    )
    made.build()
    assert "a%20b/plain.html" in made.paths()


def test_a_template_page_may_be_given_the_full_path_of_its_file(site: MakeSite) -> None:
    made = site({**FIRST, "content/plain.html.in": "<p>Hello"})
    made.settings["TEMPLATE_PAGES"] = {"plain.html.in": str(made.out / "pages" / "plain.html")}
    made.build()
    assert [path for path in made.paths() if "plain" in path] == ["pages/plain.html"]


# Trap 1, 2


def test_a_slug_with_markup_in_it_is_percent_encoded_and_the_file_stays_well_formed(
    site: MakeSite,
) -> None:
    made = site({"content/a.md": md("A", date="2024-01-02", slug="r&d-<b>")})
    made.build()
    assert "r&d-%3Cb%3E.html" in made.paths()  # as read by an XML parser
    assert "r&amp;d-%3Cb%3E.html" in (made.out / "sitemap.xml").read_text()


def test_a_non_ascii_slug_is_percent_encoded(site: MakeSite) -> None:
    made = site({"content/a.md": md("Grüße", date="2024-01-02")}, SLUGIFY_USE_UNICODE=True)
    made.build()
    assert "gr%C3%BC%C3%9Fe.html" in made.paths()


def test_signs_that_mean_something_in_urls_are_encoded_where_they_belong_to_a_file_name(
    site: MakeSite,
) -> None:
    made = site({"content/a.md": md("A", date="2024-01-02", slug="c#-50%-why?")})
    made.build()
    assert (made.out / "c#-50%-why?.html").is_file()
    assert "c%23-50%25-why%3F.html" in made.paths()


# Trap 3, 4, 5: one of URL and path is changed, the other is not


def test_save_as_without_url_is_listed_where_the_file_is(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", save_as="notes/a.html"),
            "content/pages/b.md": md("B", save_as="b/index.html"),
        }
    )
    made.build()
    assert {"notes/a.html", "b/"} <= set(made.paths())
    assert not {"a.html", "pages/b.html"} & set(made.paths())


@pytest.mark.parametrize(
    ("setting", "pattern", "path"),
    [
        ("ARTICLE_SAVE_AS", "posts/{slug}.html", "posts/first.html"),
        ("ARTICLE_LANG_SAVE_AS", "{lang}/{slug}.html", "de/erste.html"),
        ("PAGE_SAVE_AS", "{slug}/index.html", "about/"),
        ("CATEGORY_SAVE_AS", "c/{slug}.html", "c/news.html"),
        ("TAG_SAVE_AS", "t/{slug}.html", "t/x.html"),
        ("AUTHOR_SAVE_AS", "by/{slug}.html", "by/b.html"),
    ],
)
def test_a_save_as_setting_without_its_url_setting_is_listed_where_the_file_is(
    site: MakeSite, setting: str, pattern: str, path: str
) -> None:
    made = site(
        {
            "content/first.md": md(
                "First", date="2024-01-02", category="News", tags="x", author="B"
            ),
            "content/erste.md": md("Erste", date="2024-01-02", category="News", lang="de"),
            "content/pages/about.md": md("About"),
        },
        **{setting: pattern},
    )
    made.build()
    assert path in made.paths()
    assert all(
        (made.out / (p if p.endswith(".html") else p + "index.html")).is_file()
        for p in made.paths()
    )


def test_a_url_that_a_server_maps_to_the_file_is_listed_and_not_the_file(site: MakeSite) -> None:
    made = site(
        {
            **FIRST,
            "content/b.md": md("B", date="2024-01-02", url="by-hand/"),
            "content/pages/about.md": md("About"),
        },
        ARTICLE_URL="blog/{slug}/",
        ARTICLE_SAVE_AS="{slug}/index.html",
        PAGE_URL="info/{slug}",
        PAGE_SAVE_AS="p/{slug}/index.html",
    )
    made.build()
    assert {"blog/first/", "by-hand/", "info/about"} <= set(made.paths())
    assert not {"first/", "b/", "p/about/"} & set(made.paths())


def test_a_direct_template_with_save_as_alone_is_listed_where_the_file_is(site: MakeSite) -> None:
    made = site(FIRST, ARCHIVES_SAVE_AS="all/index.html")
    made.build()
    assert "all/" in made.paths()
    assert "archives.html" not in made.paths()


# Trap 6, 7


def test_a_rooted_url_lies_below_the_path_of_siteurl(site: MakeSite) -> None:
    made = site(
        {"content/a.md": md("A", date="2024-01-02", url="/abs/", save_as="abs/index.html")},
        SITEURL="https://example.org/sub",
    )
    made.build()
    assert "https://example.org/sub/abs/" in made.entries()


def test_an_absolute_url_is_listed_only_below_siteurl(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", url="https://other.example/x"),
            "content/b.md": md("B", date="2024-01-02", url="https://example.org/y/"),
        }
    )
    lines = made.build()
    assert "y/" in made.paths()
    assert not any("other.example" in loc for loc in made.entries())
    assert any("a.md (on another host: https://" in line for line in lines)


def test_dot_segments_are_resolved(site: MakeSite) -> None:
    made = site(
        {"content/a.md": md("A", date="2024-01-02", url="x/../y/a.html", save_as="y/a.html")}
    )
    made.build()
    assert "y/a.html" in made.paths()


# Trap 8


def test_index_html_is_no_part_of_a_url_and_foo_index_html_is(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02"),
            "content/b.md": md("B", date="2024-01-02", save_as="foo-index.html"),
        },
        ARTICLE_URL="{slug}/index.html",
        ARTICLE_SAVE_AS="{slug}/index.html",
    )
    made.build()
    assert {"", "a/", "foo-index.html"} <= set(made.paths())


# Trap 9, 10 and the base URL


def test_relative_urls_in_the_pages_leave_the_sitemap_absolute(site: MakeSite) -> None:
    made = site(FIRST, RELATIVE_URLS=True)
    made.build()
    assert "https://example.org/first.html" in made.entries()


def test_a_slash_at_the_end_of_siteurl_changes_nothing(site: MakeSite) -> None:
    made = site(FIRST, SITEURL="https://example.org/")
    made.build()
    assert "https://example.org/first.html" in made.entries()


@pytest.mark.parametrize("siteurl", ["", "."])
def test_without_an_address_one_line_says_what_to_set(site: MakeSite, siteurl: str) -> None:
    made = site(FIRST, SITEURL=siteurl)
    (line,) = made.build()
    assert line.startswith("INFO sitemapkit: SITEURL: No sitemap is written")
    (line,) = made.build(SITEMAP={"exclude": ["/drafts/"]})
    assert line.startswith("INFO sitemapkit: SITEURL: No sitemap is written")
    assert not list(made.out.glob("sitemap*"))
    assert not (made.out / "robots.txt").exists()


def test_an_address_without_its_scheme_is_a_warning_that_shows_it(site: MakeSite) -> None:
    (line,) = site(FIRST, SITEURL="example.org").build()
    assert line.startswith("WARNING sitemapkit: SITEURL: No sitemap is written")
    assert "'example.org' is not an absolute http or https URL" in line


def test_base_url_stands_in_for_siteurl(site: MakeSite) -> None:
    made = site(FIRST, SITEURL="", SITEMAP={"base_url": "https://mirror.example/blog"})
    made.build()
    assert "https://mirror.example/blog/first.html" in made.entries()


# What counts as a page


def test_pages_of_html_and_texts_without_an_extension_are_listed(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", save_as="a.htm"),
            "content/b.md": md("B", date="2024-01-02", save_as="b.xhtml"),
            "content/c.md": md("C", date="2024-01-02", save_as="c"),
            "content/d.md": md("D", date="2024-01-02", save_as="v1.2"),
        }
    )
    made.build()
    assert {"a.htm", "b.xhtml", "c", "v1.2"} <= set(made.paths())


def test_data_that_a_template_writes_is_no_page(site: MakeSite) -> None:
    made = site(
        {**FIRST, "content/x.in": "{}", "content/pages/d.md": md("D", save_as="data.json")},
        TEMPLATE_PAGES={"x.in": "data/list.json"},
    )
    made.build()
    assert (made.out / "data/list.json").is_file()
    assert not any("json" in path for path in made.paths())


def test_whatever_its_suffix_a_page_is_listed_unless_it_says_noindex(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", category="News", tags="x,v1.2", author="B"),
            "content/n.md": md("N", date="2024-01-02", category="News", save_as="n/v1.3"),
            "content/x.in": "<!doctype html><p>Hello",
            "content/y.in": "example.org",
            "content/z.in": "<svg/>",
            "theme/templates/article.html": "<title>{{ article.title }}</title>"
            "{% if article.slug == 'n' %}<meta name=robots content=noindex>{% endif %}",
        },
        THEME="theme",
        THEME_TEMPLATES_OVERRIDES=["theme/templates"],
        TEMPLATE_PAGES={"x.in": "about", "y.in": "CNAME", "z.in": "logo.svg"},
        TAG_URL="tag/{name}",
        TAG_SAVE_AS="tag/{name}",
        AUTHOR_URL="by/{slug}",
        AUTHOR_SAVE_AS="by/{slug}",
        CATEGORY_URL="c/{slug}.php",
        CATEGORY_SAVE_AS="c/{slug}.php",
        ARCHIVES_URL="all",
        ARCHIVES_SAVE_AS="all",
    )
    made.build(THEME="simple", THEME_TEMPLATES_OVERRIDES=[str(made.root / "theme/templates")])
    assert {"tag/x", "tag/v1.2", "by/b", "c/news.php", "all", "about"} <= {*made.paths()}
    assert not {"n/v1.3", "CNAME", "logo.svg"} & {*made.paths()}


LINKED = """<!DOCTYPE html><html lang="en"><title>{% block t %}{% endblock %}</title>
<a href="{{ SITEURL }}/">Home</a> <a href=/sub/archives>All</a>
{% for a in articles %}<p><a href="{{ SITEURL }}/{{ a.slug }}">{{ a.title }}</a>
{{ a.content }} {% for t in a.tags %}<a href='/sub/tag/{{ t.slug }}'>{{ t }}</a>{% endfor %}
<a href="{{ SITEURL }}/{{ a.category.url }}">{{ a.category }}</a>{% endfor %}
{% if article %}<a href="{{ SITEURL }}/{{ article.author.slug }}.html">{{ article.author }}</a>
{% endif %}"""


def test_where_a_host_answers_with_and_without_a_suffix_the_links_of_the_site_decide(
    site: MakeSite,
) -> None:
    templates = ("index", "archives", "tag", "category", "author", "article", "page", "tags")
    made = site(
        {
            **{f"theme/templates/{name}.html": LINKED for name in templates},
            "content/a.md": md("A", date="2024-01-02", category="News", tags="x", author="B"),
            "content/c.md": md("C", date="2024-01-02", category="News", tags="c#", author="Ü b"),
            "content/pages/p.md": md("P"),
        },
        SITEURL="https://example.org/sub",
        DIRECT_TEMPLATES=["index", "archives"],
        AUTHOR_URL="{slug}",
        AUTHOR_SAVE_AS="{slug}.html",
    )
    made.build(THEME=str(made.root / "theme"))
    assert {loc.removeprefix("https://example.org/sub/") for loc in made.entries()} == {
        *("", "a", "archives", "b.html", "c", "category/news.html"),
        *("pages/p.html", "tag/c", "tag/x", "u-b.html"),
    }
