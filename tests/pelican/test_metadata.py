"""What authors say in the metadata of a file, in every format that Pelican reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

    MakeSite = Callable[..., Site]

A = "https://example.org/a.html"

MARKDOWN = """Title: A
Date: 2024-01-02
Priority: 0.7
ChangeFreq: Daily
Lastmod: 2024-03-04

Text
"""

REST = """A
#

:date: 2024-01-02
:priority: 0.7
:ChangeFreq: Daily
:lastmod: 2024-03-04

Text
"""

HTML = """<html><head>
<title>A</title>
<meta name="date" content="2024-01-02">
<meta name="priority" content="0.7">
<meta name="ChangeFreq" content="Daily">
<meta name="lastmod" content="2024-03-04">
</head><body>Text</body></html>
"""

YAML = """---
title: A
date: 2024-01-02
sitemap:
  priority: 0.7
  changefreq: daily
  lastmod: 2024-03-04
---

Text
"""


@pytest.mark.parametrize(
    ("file", "text", "plugins"),
    [
        ("a.md", MARKDOWN, []),
        ("a.rst", REST, []),
        ("a.html", HTML, []),
        ("a.md", YAML, ["yaml_metadata"]),
        ("a.md", YAML.replace("sitemap:\n  ", "").replace("\n  ", "\n"), ["yaml_metadata"]),
    ],
    ids=["Markdown", "reST", "HTML", "YAML, nested", "YAML, bare"],
)
def test_priority_changefreq_and_lastmod_are_read_from_each_format(
    site: MakeSite, file: str, text: str, plugins: list[str]
) -> None:
    made = site({f"content/{file}": text}, PLUGINS=[*plugins, "pelican_sitemapkit"])
    done = made.run("--fatal", "warnings")
    assert done.returncode == 0, done.stdout
    assert made.entries()[A] == {"lastmod": "2024-03-04", "changefreq": "daily", "priority": "0.7"}


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.md", MARKDOWN.replace("Priority: 0.7", "Sitemap: false")),
        ("a.rst", REST.replace(":priority: 0.7", ":sitemap: false")),
        ("a.html", HTML.replace('"priority" content="0.7"', '"sitemap" content="false"')),
    ],
)
def test_sitemap_false_is_read_from_each_format(site: MakeSite, file: str, text: str) -> None:
    made = site({f"content/{file}": text, "content/b.md": md("B", date="2024-01-02")})
    made.build()
    assert "a.html" not in made.paths()
    assert "b.html" in made.paths()


@pytest.mark.parametrize(
    "settings",
    [
        {"EXTRA_PATH_METADATA": {"noindex": {"sitemap": "no"}}},
        {"EXTRA_PATH_METADATA": {"noindex": {"sitemap": False}}},
        {"EXTRA_PATH_METADATA": {"noindex/a.md": {"Sitemap": False}}},
        {"PATH_METADATA": r"(?:(?P<robots>noindex)/.*)?"},
    ],
    ids=["folder, text", "folder, boolean", "file", "pattern"],
)
def test_settings_speak_for_files_and_whole_folders(
    site: MakeSite, settings: dict[str, object]
) -> None:
    made = site(
        {
            "content/noindex/a.md": md("A", date="2024-01-02"),
            "content/b.md": md("B", date="2024-01-02"),
        },
        **settings,
    )
    made.build()
    assert "a.html" not in made.paths()
    assert "b.html" in made.paths()


def test_typed_values_of_default_metadata_are_understood(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02"),
            "content/b.md": md("B", date="2024-01-02", priority="0.2"),
        },
        DEFAULT_METADATA={"Priority": 1, "changefreq": "Weekly"},
    )
    assert not [line for line in made.build() if line.startswith("WARNING")]
    assert made.entries()[A]["priority"] == "1.0"
    assert made.entries()[A]["changefreq"] == "weekly"
    assert made.entries()["https://example.org/b.html"]["priority"] == "0.2"


def test_without_a_word_neither_priority_nor_changefreq_is_written(site: MakeSite) -> None:
    made = site({"content/a.md": md("A", date="2024-01-02")})
    made.build()
    assert made.entries()[A] == {"lastmod": "2024-01-02"}


# Trap 20


@pytest.mark.parametrize("value", ["7", "-1", "high", "0,5"])
def test_a_bad_priority_is_left_out_and_its_file_is_named_once(site: MakeSite, value: str) -> None:
    made = site({"content/a.md": md("A", date="2024-01-02", priority=value)})
    (warning,) = [line for line in made.build() if line.startswith("WARNING")]
    assert "content/a.md: A metadata value is invalid and is ignored. 'priority' is" in warning
    assert value in warning
    assert "0.0 to 1.0" in warning
    assert "priority" not in made.entries()[A]


def test_a_key_that_is_given_twice_is_reported_and_not_guessed(site: MakeSite) -> None:
    made = site({"content/a.md": md("A", date="2024-01-02", priority="0.5\nPriority: 0.6")})
    (warning,) = [line for line in made.build() if line.startswith("WARNING")]
    assert "'priority'" in warning
    assert "priority" not in made.entries()[A]


def test_rules_of_our_own_speak_where_the_author_is_silent(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02"),
            "content/b.md": md("B", date="2024-01-02", priority="0.9"),
        },
        SITEMAP={"rules": [{"match": "*.html", "priority": 0.4}]},
    )
    made.build()
    assert made.entries()[A]["priority"] == "0.4"
    assert made.entries()["https://example.org/b.html"]["priority"] == "0.9"
