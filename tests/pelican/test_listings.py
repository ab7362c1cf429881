"""A list of articles changes with what its theme shows of them, and with nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .conftest import Site

    MakeSite = Callable[..., Site]

pytestmark = pytest.mark.slow

FIRST, DAY = "2024-05-06T07:08:09Z", "2025-01-01T00:00:00Z"
TEXT = (
    "This is the beginning of the text.\n\n" + "More words follow. " * 40 + "\n\nThis is its end."
)
A = md("Article A", date="2024-01-02", tags="green", category="Tea", author="Ann", body=TEXT)
B = md(
    "Article B",
    date="2024-02-03",
    tags="black",
    category="Pots",
    author="Bob",
    body=TEXT.replace("This is", "Here is"),
)


@pytest.fixture
def built(site: MakeSite) -> Callable[..., Site]:
    """Return a function that builds a site of two articles that were committed long ago."""

    def make(theme: str, **settings: object) -> Site:
        made = site({"content/a.md": A, "content/b.md": B}, THEME=theme, **settings)
        made.commit(FIRST)
        made.build()
        return made

    return make


def lists(made: Site) -> Mapping[str, str | None]:
    """Return the dates of the pages that are no articles."""
    return {path: made.lastmod(path) for path in made.paths() if not path.startswith("article")}


def changed(made: Site, name: str, text: str) -> set[str]:
    """Return the lists that changed when an article did."""
    before = lists(made)
    made.write({f"content/{name}": text})
    made.commit(DAY)
    made.build()
    after = lists(made)
    moved = {path for path, date in after.items() if date != before.get(path)}
    assert {after[path] for path in moved} <= {DAY}
    return moved


SUMMARIES = {"", "category/tea.html", "tag/green.html", "author/ann.html"}
"""Where the theme `simple` shows a summary of the first article, with its authors but no tags."""


def test_a_text_that_changed_below_its_summary_changes_no_list(built: Callable[..., Site]) -> None:
    made = built("simple")
    assert set(lists(made).values()) == {FIRST}
    assert changed(made, "a.md", A.replace("its end", "the end")) == set()


def test_a_summary_changes_the_lists_that_show_it(built: Callable[..., Site]) -> None:
    made = built("simple")
    assert changed(made, "a.md", A.replace("the beginning", "the start")) == SUMMARIES


def test_a_summary_of_its_own_shows_in_place_of_the_text(built: Callable[..., Site]) -> None:
    made = built("simple")
    summary = A.replace("Author", "Summary: How tea is made, in short.\nAuthor", 1)
    summary = summary.replace("\nauthor", "\nSummary: How tea is made, in short.\nauthor")
    assert changed(made, "a.md", summary) == SUMMARIES
    made.commit("2025-02-02T00:00:00Z")
    assert changed(made, "a.md", summary.replace("the beginning", "the start")) == set()


def test_a_title_changes_the_archives_too(built: Callable[..., Site]) -> None:
    made = built("simple", SLUGIFY_SOURCE="basename", ARTICLE_URL="article/{slug}.html")
    assert changed(made, "a.md", A.replace("Article A", "Article on tea")) == {
        *(*SUMMARIES, "archives.html"),
    }


@pytest.mark.parametrize(
    ("url", "file", "own"),
    [
        ("{slug}.html", "{slug}.html", ""),
        ("{slug}/", "{slug}/index.html", ""),
        ("{slug}/index.html", "{slug}/index.html", ""),
        ("{slug}", "{slug}.html", ""),
        ("{category}/{slug}", "{slug}/{category}.html", ""),
        ("{date:%Y}", "{date:%Y}-{slug}.html", ""),
        ("{slug}", "{slug}.html", "url: tea/\nsave_as: tea/index.html\n"),
        ("{slug}", "{slug}.html", "save_as: tea.html\n"),
    ],
)
def test_archives_show_titles_whatever_the_urls_of_articles_are(
    site: MakeSite, url: str, file: str, own: str
) -> None:
    made = site({"content/a.md": own + A}, THEME="simple", ARTICLE_URL=url, ARTICLE_SAVE_AS=file)
    made.commit(FIRST)
    made.build()
    assert made.lastmod("archives.html") == FIRST


def test_a_new_tag_changes_the_list_of_tags_and_its_own(built: Callable[..., Site]) -> None:
    made = built("simple")
    tagged = changed(made, "a.md", A.replace("tags: green", "tags: green, red"))
    assert tagged == {"tags.html", "tag/red.html"}


def test_a_new_article_without_a_tag_does_not_change_the_list_of_tags(
    built: Callable[..., Site],
) -> None:
    untagged = B.replace("tags: black\n", "").replace("Article B", "Article C")
    made = built("simple")
    assert "tags.html" not in changed(made, "c.md", untagged)
    assert made.lastmod("archives.html") == DAY


@pytest.mark.parametrize(
    ("summary", "text"), [("", "Tag"), ("Summary: Tag\n", TEXT.replace("This is", "That is"))]
)
def test_a_very_short_text_is_not_taken_for_a_word_of_a_list(
    built: Callable[..., Site], summary: str, text: str
) -> None:
    made = built("simple")
    assert made.lastmod("tags.html") == FIRST
    short = summary + md("Greeting", date="2024-01-05", tags="green", body=text)
    assert "tags.html" not in changed(made, "c.md", short.replace("tags: green\n", ""))


@pytest.mark.parametrize("relative", [False, True])
def test_a_new_tag_changes_lists_that_link_the_tags_of_articles(
    built: Callable[..., Site], *, relative: bool
) -> None:
    made = built("notmyidea", RELATIVE_URLS=relative, SITEURL="https://example.org/tea")
    made.write({"content/a.md": A.replace("tags: green", "tags: green, red")})
    made.commit(DAY)
    made.build()
    assert made.lastmod("", base="https://example.org/tea/") == DAY


@pytest.mark.parametrize(("theme", "shows_tags"), [("simple", False), ("notmyidea", True)])
def test_full_lists_tell_what_the_theme_names_in_all_lists_of_a_kind(
    site: MakeSite, theme: str, *, shows_tags: bool
) -> None:
    """Articles without a tag say nothing of those with one."""
    few = md("Last", date="2023-01-01", category="Water", tags="black", body=TEXT)
    whole = B.replace("Pots", "Water")  # as a theme may show the first of a list
    texts = {"content/few.md": few, "content/whole.md": whole}
    for n in range(20):
        tags = {"tags": "green"} if n < 10 else {}
        text = md(f"Article {n}", date=f"2024-03-{n + 1:02}", category="Tea", **tags)
        texts[f"content/{n}.md"] = text
    made = site(texts, THEME=theme, DEFAULT_PAGINATION=10)
    made.commit(FIRST)
    made.write({"readme.txt": "A history of two commits.\n"})
    made.commit(FIRST)
    made.build()
    moved = changed(made, "few.md", few.replace("black", "green, black"))
    assert ("category/water.html" in moved) == shows_tags


@pytest.mark.parametrize("theme", ["simple", "notmyidea"])
def test_a_menu_of_categories_does_not_show_that_of_each_article(
    site: MakeSite, theme: str
) -> None:
    made = site(
        {"content/a.md": A, "content/b.md": B, "content/c.md": A.replace("Article A", "C")},
        THEME=theme,
    )
    made.commit(FIRST)
    made.build()
    assert "archives.html" not in changed(
        made, "c.md", A.replace("Article A", "C").replace("Tea", "Pots")
    )


@pytest.mark.parametrize("shown", ["", "in <a href='/{{ each.category.url }}'>its category</a>"])
def test_a_menu_of_categories_does_not_show_that_of_the_only_article_of_a_list(
    site: MakeSite, shown: str
) -> None:
    menu = "{% for each, _ in categories %}<a href='/{{ each.url }}'>{{ each }}</a>{% endfor %}"
    title = "<a href='/{{ each.url }}'>{{ each.title }}</a>"
    tag = f"{menu}{{% for each in articles %}}{title} {shown}{{% endfor %}}"
    third = A.replace("Article A", "C").replace("green", "red").replace("Tea", "Cups")
    made = site({"content/a.md": A, "content/b.md": B, "content/c.md": third, "own/tag.html": tag})
    made.settings["THEME_TEMPLATES_OVERRIDES"] = [str(made.root / "own")]
    made.commit(FIRST)
    made.build()
    moved = changed(made, "a.md", A.replace("Tea", "Pots"))
    assert ("tag/green.html" in moved) == bool(shown)


@pytest.mark.parametrize("quote", ["'", "", '"'])
def test_a_theme_may_quote_addresses_as_it_likes(site: MakeSite, quote: str) -> None:
    link = (
        f"<a href={quote}{{{{ SITEURL }}}}/{{{{ article.url }}}}{quote}>{{{{ article.title }}}}</a>"
    )
    template = f'<link href="/a.css">{{% for article in articles %}}{link}{{% endfor %}}'
    made = site({"content/a.md": A, "theme/templates/archives.html": template})
    made.commit(FIRST)
    made.settings["THEME"] = str(made.root / "theme")
    made.build()
    assert made.lastmod("archives.html") == FIRST


@pytest.mark.parametrize("end", ["", ".html", "/", "/index.html"])
def test_a_theme_may_link_pages_in_any_spelling_that_leads_to_their_files(
    site: MakeSite, end: str
) -> None:
    template = f"""{{% for a in articles %}}
        <a href="/sub/{{{{ a.slug }}}}{end}">{{{{ a.title }}}}</a>
        {{% for t in a.tags %}}<a href=/sub/tag/{{{{ t.slug }}}}{end}>{{{{ t }}}}</a>{{% endfor %}}
        {{% endfor %}}"""
    made = site({"content/a.md": A, "content/b.md": B, "own/archives.html": template})
    made.settings |= {"SITEURL": "https://example.org/sub", "THEME": "simple"}
    made.settings["THEME_TEMPLATES_OVERRIDES"] = [str(made.root / "own")]
    if "/" in end:
        made.settings |= {"ARTICLE_URL": "{slug}", "ARTICLE_SAVE_AS": "{slug}/index.html"}
        made.settings |= {"TAG_URL": "tag/{slug}/", "TAG_SAVE_AS": "tag/{slug}/index.html"}
    made.commit(FIRST)
    made.build()
    (loc,) = [loc for loc in made.entries() if "archives" in loc]
    assert made.entries()[loc]["lastmod"] == FIRST
    made.write({"content/a.md": A.replace("tags: green", "tags: green, red")})
    made.commit(DAY)
    made.build()
    assert made.entries()[loc]["lastmod"] == DAY


def test_an_article_named_as_a_tag_does_not_hide_the_tags(built: Callable[..., Site]) -> None:
    made = built("simple")
    made.write({"content/c.md": A.replace("Article A", "Green")})
    made.commit("2024-12-01T00:00:00Z")
    made.build()
    tagged = changed(made, "a.md", A.replace("tags: green", "tags: green, red"))
    assert tagged == {"tags.html", "tag/red.html"}


def test_an_article_that_a_group_gets_changes_its_list(built: Callable[..., Site]) -> None:
    made = built("simple")
    tagged = changed(made, "a.md", A.replace("tags: green", "tags: green, black"))
    assert tagged == {"tags.html", "tag/black.html"}
    other = A.replace("tags: green", "tags: green, black").replace("author: Ann", "author: Bob")
    assert {"author/bob.html", "authors.html"} < changed(made, "a.md", other)


def test_an_article_that_a_group_gets_and_shows_whole_changes_its_list(
    built: Callable[..., Site],
) -> None:
    made = built("notmyidea")
    assert "tag/red.html" in changed(made, "a.md", A.replace("tags: green", "tags: green, red"))


def test_an_article_that_shows_whole_counts_whole_and_the_others_do_not(
    built: Callable[..., Site],
) -> None:
    made = built("notmyidea")
    assert changed(made, "a.md", A.replace("its end", "the end")) == {
        *("category/tea.html", "tag/green.html", "author/ann.html"),
    }
    newest = B.replace("its end", "the end")
    assert {"", "category/pots.html"} < changed(made, "b.md", newest)


@pytest.mark.parametrize("theme", ["simple", "notmyidea"])
@pytest.mark.parametrize(
    ("line", "exclude"),
    [("Sitemap: no\n", ""), ("Private: True\n", ""), ("Robots: noindex\n", ""), ("", "/art*b*")],
)
def test_an_article_that_shows_counts_even_if_it_is_not_listed(
    built: Callable[..., Site], theme: str, line: str, exclude: str
) -> None:
    made = built(theme, SITEMAP={"exclude": [exclude]} if exclude else {})
    text = f"{line}{B}".replace("the beginning", "the start")
    moved = changed(made, "b.md", text)
    assert "article-b.html" not in made.paths()
    assert {"", "category/pots.html", "tag/black.html", "author/bob.html"} <= moved


def test_a_list_that_shows_no_article_has_no_date(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": A,
            "theme/templates/index.html": "<h1>Welcome</h1>",
            "theme/templates/category.html": "<p>{{ articles|count }} articles</p>",
        },
        THEME="theme",
    )
    made.commit(FIRST)
    made.settings["THEME"] = str(made.root / "theme")
    made.build()
    assert made.lastmod("") is None
    assert made.lastmod("category/tea.html") is None
    assert made.lastmod("archives.html") == FIRST


def test_without_git_a_list_has_the_day_of_the_newest_publication_that_it_shows(
    site: MakeSite,
) -> None:
    made = site(
        {"content/a.md": A.replace("tags", "modified: 2024-04-04\ntags"), "content/b.md": B},
        THEME="simple",
    )
    made.build()
    assert made.lastmod("article-a.html") == "2024-04-04"
    assert made.lastmod("category/tea.html") == "2024-01-02"
    assert made.lastmod("") == "2024-02-03"
    assert made.lastmod("tags.html") == "2024-02-03"


@pytest.mark.parametrize("relative", [False, True])
def test_links_in_the_text_hide_nothing(site: MakeSite, *, relative: bool) -> None:
    links = "".join(f"[The word {n}](/x/{n}.html) and " for n in range(90))
    text = md("Article C", date="2024-03-04", body=f"{links} the end.")
    made = site({"content/a.md": A, "content/c.md": text}, THEME="simple", RELATIVE_URLS=relative)
    made.commit(FIRST)
    made.build()
    assert changed(made, "c.md", text.replace("the end", "its end")) == set()
    made.commit("2025-02-02T00:00:00Z")
    assert "" in changed(made, "c.md", text.replace("word 0", "word zero"))
