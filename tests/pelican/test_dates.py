"""Each date is the day a page's own content changed, or is left out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from textdates import TextDates

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

    MakeSite = Callable[..., Site]


def test_an_article_has_the_date_of_its_change_or_else_its_own(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", modified="2024-03-04"),
            "content/b.md": md("B", date="2024-01-02"),
            "content/pages/c.md": md("C", modified="2024-05-06"),
            "content/pages/d.md": md("D", date="2024-07-08"),
            "content/e.md": md("E", date="2024-07-08", modified="2024-03-04"),
        }
    )
    made.build()
    assert made.lastmod("e.html") == "2024-07-08"
    assert made.lastmod("a.html") == "2024-03-04"
    assert made.lastmod("b.html") == "2024-01-02"
    assert made.lastmod("pages/c.html") == "2024-05-06"
    assert made.lastmod("pages/d.html") == "2024-07-08"


def test_its_author_has_the_last_word(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", lastmod="2023-01-01"),
            "content/b.md": md("B", date="2024-01-02", sitemap_lastmod="false"),
        }
    )
    made.build()
    assert made.lastmod("a.html") == "2023-01-01"
    assert made.lastmod("b.html") is None


def test_midnight_is_a_day_and_another_time_is_a_time_in_the_zone_of_the_site(
    site: MakeSite,
) -> None:
    made = site(
        {
            "content/day.md": md("Day", date="2024-07-01"),
            "content/summer.md": md("Summer", date="2024-07-01 10:20"),
            "content/winter.md": md("Winter", date="2024-01-01 10:20:30"),
            "content/own.md": md("Own", date="2024-01-01 10:20", timezone="Asia/Kolkata"),
            "content/offset.md": md("Offset", date="2024-01-01T10:20:00-03:00"),
        },
        TIMEZONE="Europe/Berlin",
    )
    made.build()
    assert made.lastmod("day.html") == "2024-07-01"
    assert made.lastmod("summer.html") == "2024-07-01T10:20:00+02:00"
    assert made.lastmod("winter.html") == "2024-01-01T10:20:30+01:00"
    assert made.lastmod("own.html") == "2024-01-01T10:20:00+05:30"
    assert made.lastmod("offset.html") == "2024-01-01T10:20:00-03:00"


# Trap 17


def test_a_list_has_the_date_of_the_newest_article_that_it_lists(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", category="X", tags="t", author="P"),
            "content/b.md": md("B", date="2024-02-03", category="Y", tags="t", author="Q"),
            "content/c.md": md("C", date="2024-01-01", modified="2024-03-04", category="X"),
        },
        MONTH_ARCHIVE_URL="{date:%Y}/{date:%m}/",
        MONTH_ARCHIVE_SAVE_AS="{date:%Y}/{date:%m}/index.html",
    )
    made.build()
    assert {path: made.lastmod(path) for path in made.paths() if len(path) != len("a.html")} == {
        "": "2024-03-04",
        "2024/01/": "2024-03-04",
        "2024/02/": "2024-02-03",
        "archives.html": "2024-03-04",
        "author/p.html": "2024-01-02",
        "author/q.html": "2024-02-03",
        "authors.html": "2024-03-04",
        "categories.html": "2024-03-04",
        "category/x.html": "2024-03-04",
        "category/y.html": "2024-02-03",
        "tag/t.html": "2024-02-03",
        "tags.html": "2024-03-04",
    }


def test_the_first_page_of_a_list_has_the_date_of_the_articles_on_it(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-01", modified="2024-06-06"),
            "content/b.md": md("B", date="2024-02-03"),
            "content/c.md": md("C", date="2024-03-04"),
        },
        DEFAULT_PAGINATION=2,
    )
    made.build()
    assert made.lastmod("") == "2024-03-04"
    assert made.lastmod("archives.html") == "2024-06-06"


def test_a_list_has_the_date_of_an_article_whose_address_has_spaces(site: MakeSite) -> None:
    name = "Big & small.html"
    made = site(
        {
            "content/a.md": md("A", date="2024-01-01"),
            "content/b.md": md("B", date="2024-05-05", url=name, save_as=name),
        },
        THEME="simple",
    )
    made.build()
    assert f'"https://example.org/{name}"' in (made.out / "archives.html").read_text()
    assert made.lastmod("archives.html") == "2024-05-05"


def test_a_template_of_the_sites_own_that_lists_nothing_has_no_date(site: MakeSite) -> None:
    made = site(DIRECT_TEMPLATES=["index", "about"])
    made.build()
    assert made.lastmod("about.html") is None


def test_a_page_without_a_date_has_that_of_its_last_commit_or_none(site: MakeSite) -> None:
    made = site({"content/pages/a.md": md("A"), "content/b.md": md("B", date="2024-01-02")})
    made.build()
    assert made.lastmod("pages/a.html") is None
    assert made.lastmod("b.html") == "2024-01-02"
    made.commit("2024-05-06T07:08:09+02:00")
    made.build()
    assert made.lastmod("pages/a.html") == "2024-05-06T05:08:09Z"


def test_a_site_that_does_not_use_git_is_told_so_in_one_note_that_is_true(site: MakeSite) -> None:
    made = site(
        {"content/a.md": md("A", date="2024-01-02"), "content/b.md": md("B", date="2024-01-02")}
    )
    (line,) = [line for line in made.build() if "git" in line]
    assert line == (
        f"INFO sitemapkit: {made.root}/content: No dates come from git, because the sources are in"
        " no git repository. This is fine if stated dates are enough. Otherwise commit the sources,"
        " or build from a clone instead of a copy. `fail_undated` stops builds that lack dates."
        " [git-none]"
    )


def test_an_article_that_changed_after_its_publication_has_the_date_of_the_change(
    site: MakeSite,
) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02"),
            "content/b.md": md("B", date="2024-01-02", modified="2024-02-03"),
            "content/c.md": md("C", date="2024-03-04"),
        }
    )
    made.commit("2024-01-02T03:04:05Z")
    made.write(
        {
            name: f"{(made.root / name).read_text()}More.\n"
            for name in ("content/a.md", "content/b.md")
        }
    )
    made.commit("2024-02-10T00:00:00Z")
    made.build()
    assert made.lastmod("a.html") == "2024-02-10T00:00:00Z"
    assert made.lastmod("b.html") == "2024-02-03"
    assert made.lastmod("c.html") == "2024-03-04"


def test_git_reads_the_history_while_pelican_builds(
    site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = site({"content/pages/a.md": md("A")})
    made.commit("2024-05-06T07:08:09Z")
    begun: list[Path] = []
    start = TextDates.start

    def start_and_note(dates: TextDates, folder: Path) -> None:
        begun.append(folder)
        assert not made.out.exists()
        start(dates, folder)

    monkeypatch.setattr(TextDates, "start", start_and_note)
    made.build()
    assert begun == [made.root / "content"]
    assert made.lastmod("pages/a.html") == "2024-05-06T07:08:09Z"


def test_a_title_in_metadata_shows_and_other_metadata_do_not(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", slug="a", date="2024-01-02"),
            "content/b.md": md("B", slug="b", date="2024-01-02"),
            "content/c.rst": "C\n=\n\n:slug: c\n:date: 2024-01-02\n\nText.\n",
        }
    )
    made.commit("2024-01-02T03:04:05Z")
    made.write(
        {
            "content/a.md": md("On A", slug="a", date="2024-01-02"),
            "content/b.md": md("B", slug="b", date="2024-01-02", tags="tea"),
            "content/c.rst": "On C\n====\n\n:slug: c\n:date: 2024-01-02\n\nText.\n",
        }
    )
    made.commit("2024-02-10T00:00:00Z")
    made.build()
    assert made.lastmod("a.html") == made.lastmod("c.html") == "2024-02-10T00:00:00Z"
    assert made.lastmod("b.html") == "2024-01-02T03:04:05Z"


def test_metadata_of_a_page_that_is_all_template_do_not_show(site: MakeSite) -> None:
    made = site({"content/pages/a.md": "Title: A\nTemplate: article"})
    made.commit("2024-01-02T03:04:05Z")
    made.write({"content/pages/a.md": "Title: A\nTemplate: article\nSummary: About."})
    made.commit("2024-02-10T00:00:00Z")
    made.build()
    assert made.lastmod("pages/a.html") == "2024-01-02T03:04:05Z"


# Trap 18


def test_a_date_in_the_future_is_left_out_with_a_warning_and_the_page_is_listed(
    site: MakeSite,
) -> None:
    made = site({"content/a.md": md("A", date="2999-01-02")})
    (warning,) = [line for line in made.build() if line.startswith("WARNING")]
    assert "content/a.md" in warning
    assert "2999-01-02" in warning
    assert "a.html" in made.paths()
    assert made.lastmod("a.html") is None


# Trap 19


@pytest.mark.parametrize("zone", ["UTC", "Europe/Lisbon", "Pacific/Auckland"])
def test_no_date_has_the_offset_minus_zero_and_two_builds_are_the_same(
    site: MakeSite, zone: str
) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02 03:04"),
            "content/b.md": md("B", date="2024-07-02 03:04"),
        },
        TIMEZONE=zone,
    )
    made.build()
    first = (made.out / "sitemap.xml").read_bytes()
    assert b"-00:00" not in first
    made.build()
    assert (made.out / "sitemap.xml").read_bytes() == first


def test_dates_without_a_zone_that_a_plugin_sets_are_in_the_zone_of_the_site(
    site: MakeSite,
) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02"),
            "content/b.md": md("B", date="2024-01-03 04:05"),
            "plugins/naive.py": """
from datetime import datetime
from pelican import signals

def set_date(content):
    if getattr(content, "slug", "") == "a":
        content.modified = datetime(2024, 6, 7, 8, 9)

def register():
    signals.content_object_init.connect(set_date)
""",
        },
        TIMEZONE="Europe/Berlin",
        PLUGIN_PATHS=["plugins"],
        PLUGINS=["naive", "pelican_sitemapkit"],
    )
    assert made.run().returncode == 0
    assert made.lastmod("a.html") == "2024-06-07T08:09:00+02:00"
    assert made.lastmod("") == "2024-06-07T08:09:00+02:00"


# DEFAULT_DATE


def test_file_times_from_default_date_are_not_trusted(site: MakeSite) -> None:
    made = site(
        {
            "content/none.md": md("None"),
            "content/dated.md": md("Dated", date="2024-01-02"),
            "content/changed.md": md("Changed", modified="2024-03-04"),
            "content/pages/page.md": md("Page"),
        },
        DEFAULT_DATE="fs",
    )
    os.utime(made.root / "content/none.md", (1_700_000_000, 1_700_000_000))  # no microseconds
    made.build()
    assert made.lastmod("none.html") is None
    assert made.lastmod("pages/page.html") is None
    assert made.lastmod("dated.html") == "2024-01-02"
    assert made.lastmod("changed.html") == "2024-03-04"


ARTICLE_WITHOUT_A_FILE = """
from datetime import datetime
from pelican import signals
from pelican.contents import Article

def add(generator):
    meta = {"title": "Made", "slug": "made", "date": datetime(2024, 1, 2, 3, 4, 5)}
    meta["category"] = generator.articles[0].category
    generator.articles.append(
        Article("made", meta, settings=generator.settings, context=generator.context)
    )

def register():
    signals.article_generator_pretaxonomy.connect(add)
"""


def test_with_file_times_a_text_without_a_file_has_the_date_that_a_plugin_gave_it(
    site: MakeSite,
) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02"),
            "plugins/maker.py": ARTICLE_WITHOUT_A_FILE,
        },
        DEFAULT_DATE="fs",
        PLUGIN_PATHS=["plugins"],
        PLUGINS=["maker", "pelican_sitemapkit"],
    )
    assert made.run().returncode == 0
    assert made.lastmod("made.html") == "2024-01-02T03:04:05Z"


def test_with_file_times_git_answers_for_texts_without_a_date(site: MakeSite) -> None:
    made = site({"content/none.md": md("None")}, DEFAULT_DATE="fs")
    made.commit("2024-05-06T07:08:09Z")
    made.build()
    assert made.lastmod("none.html") == "2024-05-06T07:08:09Z"


@pytest.mark.parametrize("default", [(2020, 1, 1), "2020-01-01"])
def test_a_fixed_default_date_is_the_date_of_no_text(
    site: MakeSite, default: tuple[int, ...] | str
) -> None:
    made = site(
        {"content/none.md": md("None"), "content/dated.md": md("Dated", date="2024-01-02")},
        DEFAULT_DATE=default,
    )
    made.build()
    assert made.lastmod("none.html") is None
    assert made.lastmod("dated.html") == "2024-01-02"
    made.commit("2024-05-06T07:08:09Z")
    made.build()
    assert made.lastmod("none.html") == "2024-05-06T07:08:09Z"


def test_a_draft_without_a_date_does_no_harm(site: MakeSite) -> None:
    made = site(
        {"content/a.md": md("A", status="draft"), "content/b.md": md("B", date="2024-01-02")}
    )
    made.build()
    assert "b.html" in made.paths()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"status": "draft"}, {"status": "published"}),
        ({"Status": "Draft"}, {}),
        ({"status": "hidden"}, {}),
        ({"status": "skip"}, {"status": "published"}),
    ],
)
def test_a_text_and_its_lists_have_the_day_on_which_it_was_published(
    site: MakeSite, before: dict[str, str], after: dict[str, str]
) -> None:
    texts = ("content/b.md", "content/pages/about.md")
    first, draft = md("A", date="2020-01-01", category="X"), ("B", {"date": "2020-01-02"})
    other = {"category": "Y", "tags": "t", "author": "P"}
    made = site(
        {"content/a.md": first, **{t: md(draft[0], **draft[1], **other, **before) for t in texts}},
        MONTH_ARCHIVE_SAVE_AS="{date:%Y}/{date:%m}/index.html",
    )
    made.commit("2024-01-02T03:04:05Z")
    made.write({t: md(draft[0], **draft[1], **other, **before, body="More") for t in texts})
    made.commit("2024-02-03T00:00:00Z")
    made.write({t: md(draft[0], **draft[1], **other, **after, body="More") for t in texts})
    made.commit("2024-05-06T07:08:09Z")
    made.build()
    old = {path: made.lastmod(path) for path in ("a.html", "category/x.html")}
    assert old == dict.fromkeys(old, "2024-01-02T03:04:05Z")
    new = {path: made.lastmod(path) for path in made.paths() if path not in old}
    assert new == dict.fromkeys(
        (
            *("", "2020/01/", "archives.html", "author/p.html", "authors.html", "b.html"),
            *("categories.html", "category/y.html", "pages/b.html", "tag/t.html", "tags.html"),
        ),
        "2024-05-06T07:08:09Z",
    )


TEMPLATES = {
    "list": "<h1>{{ page.title }}</h1>{% for each in articles %}"
    '<a href="/{{ each.url }}">{{ each.title }}</a>{% endfor %}',
    "cover": "<h1>{{ page.title }}</h1><p>{{ page.subtitle }}</p>{{ page.content }}",
    "plain": "<h1>{{ page.title }}</h1>{{ page.content }}",
}


def test_a_page_with_a_template_of_its_own_shows_what_that_shows(site: MakeSite) -> None:
    made = site(
        {
            **{f"own/{name}.html": text for name, text in TEMPLATES.items()},
            "content/a.md": md("A", date="2020-01-01"),
            **{
                f"content/pages/{name}.md": md(name, template=name, subtitle="One", other="One")
                for name in TEMPLATES
            },
            "content/pages/usual.md": md("usual", subtitle="One"),
        },
    )
    made.settings["THEME_TEMPLATES_OVERRIDES"] = [str(made.root / "own")]
    made.commit("2024-01-02T03:04:05Z")
    made.write({"content/a.md": md("New title", date="2020-01-01")})
    made.commit("2024-02-02T03:04:05Z")
    for name in TEMPLATES:
        text = md(name, template=name, subtitle="Two", other="One")
        made.write({f"content/pages/{name}.md": text})
    made.write({"content/pages/usual.md": md("usual", subtitle="Two")})
    made.commit("2024-03-02T03:04:05Z")
    for name in TEMPLATES:
        text = md(name, template=name, subtitle="Two", other="Two")
        made.write({f"content/pages/{name}.md": text})
    made.commit("2024-04-02T03:04:05Z")
    made.build()
    months = {
        name: (made.lastmod(f"pages/{name}.html") or "")[5:7] for name in (*TEMPLATES, "usual")
    }
    assert months == {"list": "02", "cover": "03", "plain": "01", "usual": "01"}


OWN = {
    "tags": "{% for t in article.tags %}<a href='{{ SITEURL }}/{{ t.url }}'>#</a>{% endfor %}",
    "category": '<a href="/{{ article.category.url }}">{{ article.category }}</a>',
    "author": "{% for a in article.authors %}<a href=/{{ a.url }}>{{ a }}</a>{% endfor %}",
}
"""How a theme names the groups of an article."""

ALL = {
    "cloud": "{% for tag, _ in tags %}<a href='/{{ tag.url }}'>{{ tag }}</a>{% endfor %}",
    "popular": "<a href='/tag/every.html'>every</a><a href='/tag/any.html'>any</a>",
    "menu": "{% for each, _ in categories %}<a href='/{{ each.url }}'>{{ each }}</a>{% endfor %}",
    "writers": "{% for each, _ in authors %}<a href='/{{ each.url }}'>{{ each }}</a>{% endfor %}",
}
"""How it names those of the site on each page."""


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<main>{text}{tags}</main>", {"tags"}),
        ("<main>{text}{category}{author}</main>", {"category", "author"}),
        ("{text}<p>{tags} in {category} by {author}</p>", {"tags", "category", "author"}),
        ("<head><meta name=tags content='{tags}'></head><main>{text}</main>", set()),
        ("<nav>{category}</nav><article>{text}<footer>{tags}</footer></article>", set()),
        ("<main>{text}</main>{tags}{category}", set()),
        ("{text}{cloud}{menu}{writers}", set()),
        ("{menu}{text}{cloud}{tags}{category}{writers}", {"tags", "category"}),
        ("{text}{popular}", set()),
        ("{text}{popular}{tags}", {"tags"}),
        ("{text}", set()),
    ],
)
@pytest.mark.parametrize("relative", [False, True])
def test_an_article_has_the_date_of_a_change_of_what_its_page_names_in_its_content(
    site: MakeSite, page: str, shown: set[str], *, relative: bool
) -> None:
    template = page.format(text="<h1>{{ article.title }}</h1>{{ article.content }}", **OWN, **ALL)

    def texts(**changed: str) -> dict[str, str]:
        stated = {
            name: {"tags": f"every, any, {name}", "category": name, "author": name}
            for name in (*OWN, "nothing")
        }
        stated["nothing"]["tags"] = "every"
        for name, value in changed.items():
            stated[name][name] = value
        return {
            f"content/{n}.md": md(f"On {n}", date="2020-01-01", **each)
            for n, each in stated.items()
        }

    made = site({**texts(), "own/article.html": template}, RELATIVE_URLS=relative)
    made.settings["THEME_TEMPLATES_OVERRIDES"] = [str(made.root / "own")]
    made.commit("2024-01-02T03:04:05Z")
    made.write(texts(tags=" every,any,  tags "))
    made.commit("2024-02-03T00:00:00Z")
    made.write(texts(tags="every, any, new", category="new", author="new"))
    made.commit("2024-05-06T07:08:09Z")
    made.build()
    months = {name: (made.lastmod(f"on-{name}.html") or "")[5:7] for name in (*OWN, "nothing")}
    assert months == {name: "05" if name in shown else "01" for name in (*OWN, "nothing")}


def test_a_tag_that_goes_counts_and_the_only_one_of_a_site_cannot_be_told_from_a_menu(
    site: MakeSite,
) -> None:
    made = site({"own/article.html": "<main>{{ article.content }}" + "".join(OWN.values())})
    made.settings["THEME_TEMPLATES_OVERRIDES"] = [str(made.root / "own")]
    tagged = {"date": "2020-01-01", "tags": "tea", "category": "X"}
    made.write({f"content/{name}.md": md(name, **tagged) for name in "ab"})
    made.write({"content/first.md": md("first", date="2020-01-01", tags="pot", category="X")})
    made.commit("2024-01-02T03:04:05Z")
    made.write({"content/a.md": md("a", date="2020-01-01", category="X")})
    made.write({"content/b.md": md("b", date="2020-01-01", tags="tea")})
    made.settings["DEFAULT_CATEGORY"] = "X"
    made.commit("2024-05-06T07:08:09Z")
    made.build()
    assert made.lastmod("a.html") == "2024-05-06T07:08:09Z"
    assert made.lastmod("b.html") == "2024-01-02T03:04:05Z"


@pytest.mark.parametrize("setting", ["DEFAULT_METADATA", "EXTRA_PATH_METADATA"])
@pytest.mark.parametrize("status", ["draft", "hidden"])
def test_a_status_that_settings_give_today_says_nothing_of_earlier_texts(
    site: MakeSite, setting: str, status: str
) -> None:
    made = site(
        {"content/a.md": md("A", date="2020-01-01"), "content/b.md": md("B", date="2024-03-04")}
    )
    made.commit("2024-01-02T03:04:05Z")
    given = {"status": status}
    made.settings[setting] = given if setting == "DEFAULT_METADATA" else {"a.md": given}
    made.write({"content/a.md": md("A", date="2020-01-01", status="published")})
    made.write({"content/b.md": md("B", date="2024-03-04", status="published")})
    made.commit("2024-05-06T07:08:09Z")
    made.build()
    assert made.lastmod("a.html") == "2024-01-02T03:04:05Z"
    dated = made.lastmod("b.html")
    assert dated == made.lastmod("archives.html") == "2024-03-04", "what it states is the least"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rst", ":title: A\n:date: 2020-01-01\n{}\nText.\n"),
        ("a.rst", "A\n#\n\n:date: 2020-01-01\n{}\nText.\n"),
        ("a.md", "---\ntitle: A\ndate: 2020-01-01\n{}---\n\nText.\n"),
        (
            "a.html",
            "<html><head><title>A</title><meta name=date content=2020-01-01>{}</head>Text.</html>",
        ),
    ],
)
def test_drafts_may_be_written_in_any_format(site: MakeSite, name: str, text: str) -> None:
    lines = {"a.rst": ":status: draft\n", "a.md": "status: draft\n"}
    line = lines.get(name, "<meta name='status' content='draft'>")
    made = site({f"content/{name}": text.format(line)})
    made.commit("2024-01-02T03:04:05Z")
    made.write({f"content/{name}": text.format("")})
    made.commit("2024-05-06T07:08:09Z")
    made.build()
    assert made.lastmod("a.html") == made.lastmod("archives.html") == "2024-05-06T07:08:09Z"


def test_a_link_to_the_site_itself_that_becomes_one_to_a_source_moves_no_date(
    site: MakeSite,
) -> None:
    link = "[B](https://example.org/b.html)"
    other = md("B", date="2020-01-01")
    made = site({"content/a.md": md("A", date="2020-01-01", body=link), "content/b.md": other})
    made.commit("2024-01-02T03:04:05Z")
    made.write({"content/a.md": md("A", date="2020-01-01", body="[B]({filename}/b.md)")})
    made.commit("2024-05-06T07:08:09Z")
    made.build()
    assert made.lastmod("a.html") == "2024-01-02T03:04:05Z"
