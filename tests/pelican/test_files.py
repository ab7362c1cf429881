"""The files: robots.txt in every way that Pelican makes one, splits, and the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from pelican.log import FatalLogger

from .conftest import SITEMAPS, md

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

    MakeSite = Callable[..., Site]

FIRST = {"content/first.md": md("First", date="2024-01-02")}
OWN = "User-agent: *\nDisallow: /private/  # keep out\n"
LINE = "Sitemap: https://example.org/sitemap.xml"
COPIED: dict[str, Any] = {
    "STATIC_PATHS": ["extra"],
    "EXTRA_PATH_METADATA": {"extra/robots.txt": {"path": "robots.txt"}},
}


def test_a_site_without_robots_txt_gets_one(site: MakeSite) -> None:
    made = site(FIRST)
    made.build()
    assert LINE in (made.out / "robots.txt").read_text().splitlines()


@pytest.mark.parametrize(
    "settings",
    [COPIED, {"TEMPLATE_PAGES": {"extra/robots.txt": "robots.txt"}}],
    ids=["copied", "template"],
)
def test_robots_txt_of_the_site_keeps_its_bytes_and_gets_the_line_once(
    site: MakeSite, settings: dict[str, Any]
) -> None:
    made = site({**FIRST, "content/extra/robots.txt": OWN}, **settings)
    for _ in range(2):
        made.build()
        text = (made.out / "robots.txt").read_text()
        assert text.startswith(OWN.rstrip("\n"))
        assert text.count(LINE) == 1
    assert (made.root / "content/extra/robots.txt").read_text() == OWN


# Trap 24


def test_a_source_that_is_linked_into_the_output_is_not_touched(site: MakeSite) -> None:
    made = site({**FIRST, "content/extra/robots.txt": OWN}, STATIC_CREATE_LINKS=True, **COPIED)
    for _ in range(2):
        made.build()
        assert (made.root / "content/extra/robots.txt").read_text() == OWN
        assert (made.out / "robots.txt").read_text().count(LINE) == 1


def test_an_output_that_is_kept_does_not_gather_lines(site: MakeSite) -> None:
    made = site({**FIRST, "content/extra/robots.txt": OWN}, STATIC_CHECK_IF_MODIFIED=True, **COPIED)
    made.build()
    first = (made.out / "robots.txt").read_text()
    made.build()
    assert (made.out / "robots.txt").read_text() == first
    made.build(SITEURL="https://moved.example")
    moved = (made.out / "robots.txt").read_text()
    assert moved == first.replace("https://example.org", "https://moved.example")


def test_robots_txt_that_another_plugin_writes_early_gets_the_line(site: MakeSite) -> None:
    made = site(
        {
            **FIRST,
            "plugins/robots_writer.py": f"""
from pathlib import Path
from pelican import signals

def write(generators):
    Path(generators[0].output_path).mkdir(exist_ok=True)
    Path(generators[0].output_path, "robots.txt").write_text({OWN!r})

def register():
    signals.all_generators_finalized.connect(write)
""",
        },
        PLUGIN_PATHS=["plugins"],
        PLUGINS=["robots_writer", "pelican_sitemapkit"],
    )
    made.run()
    text = (made.out / "robots.txt").read_text()
    assert text.startswith(OWN)
    assert text.count(LINE) == 1


def test_below_a_path_no_robots_txt_is_written_and_one_line_says_what_to_do(
    site: MakeSite,
) -> None:
    made = site(FIRST, SITEURL="https://example.org/blog")
    lines = [line for line in made.build() if "robots.txt:" in line]
    assert len(lines) == 1
    assert lines[0].startswith("INFO")
    assert "Sitemap: https://example.org/blog/sitemap.xml" in lines[0]
    assert not (made.out / "robots.txt").exists()


def test_robots_false_leaves_robots_txt_alone(site: MakeSite) -> None:
    made = site({**FIRST, "content/extra/robots.txt": OWN}, SITEMAP={"robots": False}, **COPIED)
    made.build()
    assert (made.out / "robots.txt").read_text() == OWN


# Trap 23


def test_more_urls_than_a_file_may_hold_are_split_and_an_index_names_the_parts(
    site: MakeSite,
) -> None:
    made = site(
        {f"content/{n}.md": md(f"T{n}", date="2024-01-02") for n in range(8)},
        SITEMAP={"max_urls": 5},
    )
    made.build()
    index = ET.parse(made.out / "sitemap.xml").getroot()
    assert index.tag == f"{SITEMAPS}sitemapindex"
    parts = [loc.text or "" for loc in index.iter(f"{SITEMAPS}loc")]
    names = [part.removeprefix("https://example.org/") for part in parts]
    found = [loc for name in names for loc in made.entries(name)]
    assert len(found) == len(set(found)) == 8 + len(["", "archives", "categories", "c/misc"])
    assert all(len(made.entries(name)) <= 5 for name in names)


def test_a_clean_output_directory_gets_its_files_back(site: MakeSite) -> None:
    made = site(FIRST, DELETE_OUTPUT_DIRECTORY=True)
    for _ in range(2):
        made.build()
        assert (made.out / "sitemap.xml").is_file()
        assert (made.out / "robots.txt").is_file()


# Trap 22


def test_all_is_written_before_fatal_warnings_end_the_build_and_all_of_them_are_shown(
    site: MakeSite,
) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", priority="7"),
            "content/b.md": md("B", date="2999-01-02"),
        }
    )
    done = made.run("--fatal", "warnings", "--verbose")
    assert done.returncode == 1
    assert len(made.paths()) == 6
    assert LINE in (made.out / "robots.txt").read_text()
    assert "'priority' is '7'" in done.stdout
    assert "2999-01-02" in done.stdout
    assert "6 pages listed" in done.stdout
    assert " encountered" in done.stdout  # Pelican's own last word


def test_fatal_errors_let_warnings_pass(site: MakeSite) -> None:
    made = site({"content/a.md": md("A", date="2024-01-02", priority="7")})
    assert made.run("--fatal", "errors").returncode == 0
    assert "a.html" in made.paths()


def test_of_many_issues_of_one_kind_a_few_are_shown_and_the_log_says_so(site: MakeSite) -> None:
    made = site({f"content/{n}.md": md(f"T{n}", date="2024-01-02", priority="7") for n in range(9)})
    log = made.run().stdout
    assert log.count("'priority' is '7'") == 4
    assert log.count("There are more issues of this kind. [bad-metadata]") == 1


def test_many_issues_of_one_kind_do_not_hide_one_of_another(site: MakeSite) -> None:
    made = site(
        {f"content/{n}.md": md(f"T{n}", date="2024-01-02", priority="7") for n in range(9)},
        SITEMAP={"filename": "maps/sitemap.xml"},
    )
    assert "filename: maps/sitemap.xml: Crawlers accept only URLs below" in made.run().stdout


def test_log_filter_silences_a_rule_by_its_template(site: MakeSite) -> None:
    template = "sitemapkit: %s: %s %s [bad-metadata]"
    made = site(
        {"content/a.md": md("A", date="2024-01-02", priority="7")},
        LOG_FILTER=[(30, template)],
    )
    old = hasattr(FatalLogger, "warnings_fatal")  # Pelican 4.9 counts what the filter drops
    done = made.run(*([] if old else ["--fatal", "warnings"]))
    assert done.returncode == 0, done.stdout
    assert "priority" not in done.stdout


def test_a_file_that_cannot_be_written_is_an_error_and_the_site_is_built(site: MakeSite) -> None:
    made = site({**FIRST, "output/sitemap.xml/in_the_way": ""})
    done = made.run()
    assert done.returncode == 0
    assert "ERROR" in done.stdout
    assert "sitemap.xml" in done.stdout
    assert "is a folder" in done.stdout
    assert made.run("--fatal", "errors").returncode == 1


# A build that finds no page


@pytest.mark.parametrize(
    "mistake",
    [
        {"SITEMAP": {"exclude": ["*"]}},
        {"SITEMAP": {"base_url": "https://example.org/elsewhere/", "exclude": ["/**"]}},
        {"SITEMAP": {"rules": [{"match": "*", "exclude": True}]}},
        {"SITEMAP": {"format": "xml", "exclude": [".*"]}},
        {"DEFAULT_METADATA": {"status": "draft"}, "DIRECT_TEMPLATES": []},
        {"PATH": "nothing", "DIRECT_TEMPLATES": []},
    ],
    ids=["patterns", "another base", "rules", "regular expressions", "drafts", "no content"],
)
def test_without_pages_the_files_of_the_last_build_stay_and_fatal_builds_fail(
    site: MakeSite, mistake: dict[str, Any]
) -> None:
    made = site(FIRST, SITEMAP={"formats": ["xml", "txt", "gz"]})
    made.write({"nothing/readme.txt": "No text of a page."})
    made.build()
    names = ("sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "robots.txt")
    before = {name: (made.out / name).read_bytes() for name in names}
    made.settings |= mistake
    for fatal in ("errors", "warnings"):
        done = made.run("--fatal", fatal)
        assert done.returncode == 1
        assert "ERROR" in done.stdout
        assert "sitemap.xml: The sitemap lists no URLs." in done.stdout
        assert {name: (made.out / name).read_bytes() for name in names} == before
    assert made.run().returncode == 0
    assert {name: (made.out / name).read_bytes() for name in names} == before
