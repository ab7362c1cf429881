"""The setting SITEMAP: our options, and pelican-sitemap's as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit import OptionError

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

    MakeSite = Callable[..., Site]

FILES = {
    "content/first.md": md("First", date="2024-01-02", category="News", tags="x"),
    "content/second.md": md("Second", date="2024-01-02", category="News", changefreq="never"),
    "content/pages/about.md": md("About", priority="0.9"),
}
HOME = "https://example.org/"
FIRST, SECOND, ABOUT = f"{HOME}first.html", f"{HOME}second.html", f"{HOME}pages/about.html"


def warnings(lines: list[str]) -> list[str]:
    """Return the warnings among the plugin's lines."""
    return [line for line in lines if line.startswith("WARNING")]


# pelican-sitemap's settings


def test_its_priorities_and_changefreqs_are_what_texts_have_that_say_nothing(
    site: MakeSite,
) -> None:
    made = site(
        FILES,
        SITEMAP={
            "format": "xml",
            "priorities": {"articles": 0.6, "indexes": 0.3, "pages": 1},
            "changefreqs": {"articles": "weekly", "indexes": "hourly", "pages": "yearly"},
        },
    )
    assert not warnings(made.build())
    said = {loc: (entry["priority"], entry["changefreq"]) for loc, entry in made.entries().items()}
    assert said[FIRST] == ("0.6", "weekly")
    assert said[SECOND] == ("0.6", "never")
    assert said[ABOUT] == ("0.9", "yearly")
    assert {said[HOME + path] for path in ("", "tag/x.html", "archives.html")} == {
        ("0.3", "hourly")
    }


def test_what_its_dicts_leave_out_has_its_defaults(site: MakeSite) -> None:
    made = site(FILES, SITEMAP={"changefreqs": {"articles": "weekly"}})
    made.build()
    assert made.entries()[FIRST] == {"lastmod": "2024-01-02", "changefreq": "weekly"}
    assert made.entries()[ABOUT]["changefreq"] == "monthly"
    assert made.entries()[HOME]["changefreq"] == "daily"


def test_one_info_line_names_our_options(site: MakeSite) -> None:
    made = site(FILES, SITEMAP={"format": "xml", "exclude": ["tag/"]})
    (line,) = [line for line in made.build() if "pelican-sitemap" in line]
    assert line.startswith("INFO sitemapkit: SITEMAP in the Pelican settings: Options of another")
    assert "`formats`, `rules`, and `exclude` with patterns as in .gitignore" in line
    assert "Of pelican-sitemap: format, exclude." in line


@pytest.mark.parametrize(
    ("exclude", "excluded"),
    [
        (["tag/", "category/"], {"tag/x.html", "category/news.html"}),
        (["^f"], {"first.html"}),
        (["ir"], {"first.html"}),
        ([r"t\.html$"], {"first.html", "pages/about.html"}),
        (["^/tag/", "/pages/"], {"tag/x.html", "pages/about.html"}),
        ("tag|category/", {"tag/x.html", "tags.html", "category/news.html"}),
        ([], set[str]()),
    ],
)
def test_its_exclude_is_regular_expressions_beside_another_of_its_keys(
    site: MakeSite, exclude: Any, excluded: set[str]
) -> None:
    made = site(FILES, SITEMAP={})
    made.build()
    everything = set(made.paths())
    made.build(SITEMAP={"format": "xml", "exclude": exclude})
    assert everything - set(made.paths()) == excluded


@pytest.mark.parametrize(
    ("exclude", "excluded"),
    [
        (["^/noindex/", "/tag/", r"\.json$"], {"tag/x.html"}),
        (["tag/", "category/"], {"tag/x.html", "category/news.html"}),
        (["first|second"], {"first.html", "second.html"}),
    ],
)
def test_its_exclude_alone_works_as_its_manual_shows(
    site: MakeSite, exclude: list[str], excluded: set[str]
) -> None:
    made = site(FILES, SITEMAP={})
    made.build()
    everything = set(made.paths())
    assert not warnings(made.build(SITEMAP={"exclude": exclude}))
    assert everything - set(made.paths()) == excluded


@pytest.mark.parametrize(
    ("exclude", "excluded"),
    [
        ("/first.html", {"first.html"}),
        (["*.html", "!first.html"], {"", "second.html", "pages/about.html"}),
        (["ir"], set[str]()),
        (["**/about.html"], {"pages/about.html"}),
    ],
)
def test_our_exclude_is_patterns_as_in_gitignore(
    site: MakeSite, exclude: Any, excluded: set[str]
) -> None:
    made = site(FILES, SITEMAP={"exclude": exclude}, DIRECT_TEMPLATES=["index"])
    made.settings |= {"TAG_SAVE_AS": "", "CATEGORY_SAVE_AS": ""}
    made.build(SITEMAP={})
    everything = set(made.paths())
    assert not [line for line in made.build() if "pelican-sitemap" in line]
    assert everything - set(made.paths()) == excluded


# Trap 21


@pytest.mark.parametrize(
    ("sitemap", "named"),
    [
        ({"format": "json"}, ["format", "'json'", "xml, txt"]),
        ({"priorities": {"articles": 7}}, ["priorities.articles", "7", "0.0 to 1.0"]),
        ({"priorities": {"articles": "high"}}, ["priorities.articles", "'high'"]),
        (
            {"priorities": {"article": 0.5}},
            ["priorities.article:", "'article' was given. Allowed: articles, pages, indexes."],
        ),
        ({"priorities": 0.5}, ["priorities", "0.5", "a dict with articles, pages, indexes"]),
        ({"changefreqs": {"pages": "sometimes"}}, ["changefreqs.pages", "'sometimes'", "weekly"]),
        ({"changefreqs": "daily"}, ["changefreqs", "'daily'", "a dict"]),
        ({"format": "xml", "exclude": ["a(b"]}, ["exclude", "'a(b'", "regular expressions"]),
        ({"format": "xml", "frmat": 1}, ["frmat", "1", "options"]),
    ],
)
def test_a_mistake_in_its_settings_is_reported_and_the_build_goes_on(
    site: MakeSite, sitemap: dict[str, Any], named: list[str]
) -> None:
    made = site(FILES, SITEMAP=sitemap)
    (warning,) = warnings(made.build())
    assert all(words in warning for words in named), warning
    assert FIRST in made.entries()


@pytest.mark.parametrize("key", ["format", "exclude", "priorities", "changefreqs"])
def test_none_means_not_set(site: MakeSite, key: str) -> None:
    made = site(FILES, SITEMAP={"format": "xml", key: None})
    assert not warnings(made.build())
    assert made.entries()[FIRST] == {"lastmod": "2024-01-02"}


@pytest.mark.parametrize(
    ("sitemap", "message"),
    [
        ({"exlude": []}, "unknown option 'exlude'. Did you mean 'exclude'?"),
        ({"robots": "maybe"}, "option 'robots' is 'maybe'. Allowed: auto"),
        ({"max_urls": 0}, "option 'max_urls' is 0; it must be a whole number from 1"),
        (
            {"rules": [{"match": "/", "priority": 2}]},
            r"option 'rules\[0\].priority' is 2; it must be a number",
        ),
        ({"base_url": "example.org"}, "option 'base_url'"),
        ("sitemap.xml", "'sitemap.xml' was given. Allowed: a dict"),
    ],
)
def test_a_mistake_in_our_options_stops_the_build_before_it_starts(
    site: MakeSite, sitemap: Any, message: str
) -> None:
    made = site(FILES, SITEMAP=sitemap)
    with pytest.raises(OptionError, match=f"SITEMAP in the Pelican settings: {message}"):
        made.build()
    assert not made.out.exists()


def test_pelican_shows_a_mistake_in_our_options_without_a_traceback(site: MakeSite) -> None:
    made = site(FILES, SITEMAP={"exlude": []})
    done = made.run()
    message = "sitemapkit: SITEMAP in the Pelican settings: unknown option 'exlude'."
    line, *more = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    assert message in line
    assert more == ["See https://sitemapkit.github.io/sitemapkit/options/"]
    assert "CRITICAL" in line
    assert done.returncode == 1
    assert "Traceback" in made.run("--debug").stdout
    assert not made.out.exists()


# Trap 25


def test_pelican_sitemap_beside_us_is_named_in_one_warning(site: MakeSite) -> None:
    made = site(
        {
            **FILES,
            "plugins/sitemap.py": "def register():\n    pass\n",
        },
        PLUGIN_PATHS=["plugins"],
        PLUGINS=["sitemap", "pelican_sitemapkit"],
    )
    log = made.run().stdout
    assert log.count("sitemap.xml: Two sitemaps have the same name") == 1
    assert "the plugin sitemap (see PLUGINS)" in log


@pytest.mark.parametrize(
    ("name", "right"),
    [("SITEMAPKIT", "OPTION"), ("SITEMAPKIT_EXCLUDE", "exclude"), ("SITEMAP_KIT", "OPTION")],
)
def test_our_own_name_as_a_setting_is_refused_with_the_right_name(
    site: MakeSite, name: str, right: str
) -> None:
    with pytest.raises(OptionError) as error:
        site(FILES, SITEMAP_SAVE_AS="map.html", **{name: {}}).build()
    said = f'nothing reads the setting {name!r}; write `SITEMAP = {{"{right}": …}}`.'
    assert said in str(error.value)


def test_our_own_name_in_a_text_stops_the_build_with_the_right_key(site: MakeSite) -> None:
    texts = {
        "content/secret.md": md("Secret", date="2024-01-02", sitemapkit="false"),
        "content/other.rst": "Other\n#####\n\n:date: 2024-01-02\n:sitemapkit_exclude: 1\n\nText\n",
    }
    done = site(texts).run()
    assert done.returncode == 1
    assert "secret.md: Unknown key 'sitemapkit'; did you mean 'sitemap'?" in done.stdout
    assert (
        "other.rst: Unknown key 'sitemapkit_exclude'; did you mean 'sitemap_exclude'?"
        in done.stdout
    )
    assert "Traceback" not in done.stdout
    assert not (site().out / "sitemap.xml").exists()


@pytest.mark.parametrize(
    "path", ["output/r.json", "content/images/r.json", "content/x/CNAME", "theme/static/r.json"]
)
def test_no_record_is_written_where_it_would_be_published(site: MakeSite, path: str) -> None:
    made = site(FILES, STATIC_PATHS=["images", "x/CNAME"])
    made.write({"theme/templates/index.html": ""})
    made.settings["THEME"] = str(made.root / "theme")
    file = made.root / path
    made.settings["SITEMAP"] = {
        "report": str(file),
        "ledger": f"{file.parent}/../{file.parent.name}/{file.name}",
    }
    with pytest.raises(OptionError) as error:
        made.build()
    said = "is published, and this file names the pages that are not listed; choose a path outside"
    assert str(error.value).count(said) == 2
