"""The cases of the two older sitemap plugins' own tests, with texts of ours.

pelican-sitemap: each test's name says which of its six it is. Its needles fix the layout of the XML
and an attribute with a wrong name; here the XML is read, and what they are about is compared.

pelican-extended-sitemap: the pairs of address and day are those of the whole files that its tests
compare. Two of its expectations are not shared: a missing TIMEZONE is no error (Pelican's own
default counts), and a list that is saved as text is no page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

    MakeSite = Callable[..., Site]

HOST = "http://localhost/"


@pytest.fixture
def peer(site: MakeSite) -> Site:
    """A site like that of pelican-sitemap's tests, with its settings."""
    tagged = {"category": "test", "date": "2023-07-12 13:00"}
    return site(
        {
            "content/post.md": md("Test post", tags="foo, bar, foobar", **tagged),
            "content/daily.md": md(
                "Test post (daily)", priority="0.3", changefreq="daily", tags="foo", **tagged
            ),
            "content/en.md": md("Translated post", slug="translated-post", lang="en", **tagged),
            "content/fr.md": md("Post traduit", slug="translated-post", lang="fr", **tagged),
            "content/pages/about.md": md("About us"),
        },
        SITEURL="http://localhost",
        CACHE_CONTENT=False,
        SITEMAP={"format": "xml", "priorities": {}, "changefreqs": {}},
    )


def test_txt(peer: Site) -> None:
    peer.build(SITEMAP={"format": "txt"})
    assert (peer.out / "sitemap.txt").read_text() == "".join(
        f"{HOST}{path}\n"
        for path in [
            "",
            "archives.html",
            # pelican-sitemap also lists authors.html, which shows none: no text has an author.
            "categories.html",
            "category/test.html",
            "pages/about-us.html",
            "tag/bar.html",
            "tag/foo.html",
            "tag/foobar.html",
            "tags.html",
            "test-post-daily.html",
            "test-post.html",
            "translated-post-fr.html",
            "translated-post.html",
        ]
    )
    assert not (peer.out / "sitemap.xml").exists()


def test_xml(peer: Site) -> None:
    peer.build()
    assert peer.entries()[f"{HOST}test-post.html"] == {
        "lastmod": "2023-07-12T13:00:00Z",
        "changefreq": "monthly",
        "priority": "0.5",
    }
    assert peer.entries()[f"{HOST}test-post-daily.html"] == {
        "lastmod": "2023-07-12T13:00:00Z",
        "changefreq": "daily",
        "priority": "0.3",
    }


def test_translations(peer: Site) -> None:
    peer.build()
    assert peer.alternates()[f"{HOST}translated-post.html"] == {
        "en": f"{HOST}translated-post.html",
        "fr": f"{HOST}translated-post-fr.html",
    }


def test_custom_article_url(peer: Site) -> None:
    peer.build(ARTICLE_URL="blog/{slug}/", ARTICLE_SAVE_AS="{slug}/index.html")
    assert f"{HOST}blog/test-post/" in peer.entries()
    assert f"{HOST}test-post/" not in peer.entries()


def test_custom_article_url_and_translations(peer: Site) -> None:
    peer.build(
        ARTICLE_URL="blog/{slug}/",
        ARTICLE_SAVE_AS="{slug}/index.html",
        ARTICLE_LANG_URL="{lang}/blog/{slug}/",
        ARTICLE_LANG_SAVE_AS="{lang}/{slug}/index.html",
    )
    assert peer.alternates()[f"{HOST}blog/translated-post/"] == {
        "en": f"{HOST}blog/translated-post/",
        "fr": f"{HOST}fr/blog/translated-post/",
    }


def test_custom_page_url(peer: Site) -> None:
    peer.build(PAGE_URL="pages/{slug}/", PAGE_SAVE_AS="p/{slug}/index.html")
    assert f"{HOST}pages/about-us/" in peer.entries()
    assert f"{HOST}p/about-us/" not in peer.entries()


# pelican-extended-sitemap

DAYS = {
    "": "2014-06-01",
    "article-three.html": "2014-06-01",
    "article-two.html": "2011-01-30",
    "article-one.html": "2007-11-19",
    "pages/page-two.html": "2014-01-12",
    "pages/page-one.html": "2007-11-13",
    "pages/page-four.html": None,
    "pages/page-three.html": None,
    "category/sample-category-1.html": "2007-11-19",
    "category/sample-category-2.html": "2011-01-30",
    "category/sample-category-3.html": "2014-06-01",
    "tag/tag0.html": "2007-11-19",
    "tag/tag1.html": "2011-01-30",
    "tag/tag2.html": "2011-01-30",
    "tag/tag3.html": "2014-06-01",
    "tag/tag4.html": "2014-06-01",
    "author/dexter.html": "2007-11-19",
    "author/johnny.html": "2011-01-30",
    "author/miri.html": "2014-06-01",
    "tags.html": "2014-06-01",
    "categories.html": "2014-06-01",
    "authors.html": "2014-06-01",
    "archives.html": "2014-06-01",
}
ARTICLES = {"article-three.html", "article-two.html", "article-one.html"}
SAVED: dict[str, Any] = {
    "TAGS_SAVE_AS": "abc/tags.html",
    "CATEGORIES_SAVE_AS": "cats/meow/something.txt",
    "AUTHORS_SAVE_AS": "those-writers.html",
    "ARCHIVES_SAVE_AS": "our-curated-library.html",
}


@pytest.fixture
def extended(site: MakeSite) -> Site:
    """A site like that of pelican-extended-sitemap's tests, with its settings."""
    one = {"author": "Dexter", "category": "Sample Category 1", "tags": "tag0, tag1"}
    two = {"author": "Johnny", "category": "Sample Category 2", "tags": "tag1, tag2"}
    three = {"author": "Miri", "category": "Sample Category 3", "tags": "tag3, tag4"}
    changed = {"date": "2014-05-21 13:49", "modified": "2014-06-01 10:12"}
    return site(
        {
            "content/articles/1.md": md("Article One", date="2007-11-19 21:16", **one),
            "content/articles/2.md": md("Article Two", date="2011-01-30 18:00", **two),
            "content/articles/3.md": md("Article Three", **changed, **three),
            "content/pages/1.md": md("Page One", date="2007-11-13 09:36"),
            "content/pages/2.md": md("Page Two", date="2014-01-12 12:00"),
            "content/pages/3.md": md("Page Three"),
            "content/pages/4.md": md("Page Four"),
        },
        SITEURL="http://example.com",
        TIMEZONE="Europe/Berlin",
        USE_FOLDER_AS_CATEGORY=False,
    )


def days(made: Site, base: str) -> dict[str, str | None]:
    """Return the day of each listed page, by its path below `base`."""
    return {
        loc.removeprefix(base): entry["lastmod"][:10] if "lastmod" in entry else None
        for loc, entry in made.entries().items()
    }


def moved(**renamed: str | None) -> dict[str, str | None]:
    """Return the days with direct templates at other paths, or not listed."""
    left = {path: day for path, day in DAYS.items() if path.removesuffix(".html") not in renamed}
    return left | {path: "2014-06-01" for path in renamed.values() if path}


def test_timezone_missing(extended: Site) -> None:
    del extended.settings["TIMEZONE"]
    extended.build()
    assert extended.lastmod("article-one.html", "http://example.com/") == "2007-11-19T21:16:00Z"


def test_structure(extended: Site) -> None:
    extended.build()
    assert days(extended, "http://example.com/") == DAYS


def test_structure_below_a_path(extended: Site) -> None:
    extended.build(SITEURL="http://example.com/subpath")
    assert days(extended, "http://example.com/subpath/") == DAYS


def test_structure_with_custom_article_urls(extended: Site) -> None:
    extended.build(
        ARTICLE_URL="customarticles/{date:%Y}/{date:%b}/{date:%d}/{slug}/",
        ARTICLE_SAVE_AS="{slug}.custom.html",
    )
    assert days(extended, "http://example.com/") == {
        path: day for path, day in DAYS.items() if path not in ARTICLES
    } | {
        "customarticles/2014/May/21/article-three/": "2014-06-01",
        "customarticles/2011/Jan/30/article-two/": "2011-01-30",
        "customarticles/2007/Nov/19/article-one/": "2007-11-19",
    }


def test_structure_with_custom_direct_templates_filenames(extended: Site) -> None:
    extended.build(**SAVED)
    assert days(extended, "http://example.com/") == moved(
        tags="abc/tags.html",
        categories=None,
        authors="those-writers.html",
        archives="our-curated-library.html",
    )


def test_structure_with_custom_direct_templates_urls(extended: Site) -> None:
    extended.build(
        TAGS_URL="abc/tags",
        CATEGORIES_URL="cats/meow",
        AUTHORS_URL="authors/all",
        ARCHIVES_URL="lib/the-archive/list/",
        **SAVED,
    )
    assert days(extended, "http://example.com/") == moved(
        tags="abc/tags",
        categories=None,
        authors="authors/all",
        archives="lib/the-archive/list/",
    )
