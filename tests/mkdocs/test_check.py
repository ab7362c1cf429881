"""`sitemapkit check` of what MkDocs built a moment ago, as the manual runs it: without a flag."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from ..tools.conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from .conftest import Site

BASE = "https://example.org/"
ON_PURPOSE = {
    "docs/private.md": "---\nsitemap: false\n---\n# Private",
    "docs/drafts/idea.md": "# Idea",
    "docs/old.html": "<title>Old</title><h1>Old</h1>",
    "docs/tea.md": "# Tea",
}


def found(folder: Path, *flags: object) -> Sequence[tuple[str, str, str]]:
    """Return the issues of a check as (severity, rule, where)."""
    issues: list[dict[str, Any]] = json.loads(run("check", folder, "--json", *flags).stdout)[
        "issues"
    ]
    return [(each["severity"], each["id"], each["where"].removeprefix(BASE)) for each in issues]


def test_without_a_report_nothing_is_claimed_of_what_a_build_left_out(
    site: Callable[..., Site],
) -> None:
    made = site(ON_PURPOSE, plugins=["search", {"sitemapkit": {"exclude": ["drafts/"]}}])
    made.build()
    assert found(made.out) == []
    (made.root / "mkdocs.yml").unlink()
    assert found(made.out) == []
    assert found(made.out, "--exclude", "nowhere/") == [
        ("note", "unmatched-pattern", "command line, exclude 'nowhere/'")
    ]


def test_a_page_that_the_build_did_not_know_is_missed_by_its_report_alone(
    site: Callable[..., Site],
) -> None:
    settings = {"exclude": ["drafts/"], "report": "report.json"}
    made = site(ON_PURPOSE, plugins=["search", {"sitemapkit": settings}])
    made.build()
    for name in ("added.html", "tea/added.html"):
        (made.out / name).write_text("<title>Added</title><h1>Added</h1><p>By another program.")
    report = made.root / "report.json"
    left = [("note", "not-listed", "added.html"), ("note", "not-listed", "tea/added.html")]
    assert found(made.out) == []
    assert found(made.out, "--build-report", report) == left
    report.write_text(
        report.read_text().replace(f'"base_url": "{BASE}"', f'"base_url": "{BASE}tea/"')
    )
    assert found(made.out, "--build-report", report) == left[1:]


def test_the_report_of_another_site_is_refused(site: Callable[..., Site]) -> None:
    made = site(ON_PURPOSE, plugins=["search", {"sitemapkit": {"report": "report.json"}}])
    made.build()
    report = made.root / "report.json"
    report.write_text(report.read_text().replace("https://example.org/", "https://example.net/"))
    wanted = f"--build-report {report}: it is of https://example.net/, and the site is {BASE};"
    for command in (["check", made.out], ["diff", made.out, made.out]):
        outcome = run(*command, "--build-report", report)
        assert outcome.code == 2
        assert wanted in outcome.stderr


def test_diff_takes_the_report_of_the_new_build(site: Callable[..., Site], tmp_path: Path) -> None:
    settings = {"exclude": ["drafts/"], "report": "report.json"}
    made = site(
        {**ON_PURPOSE, "docs/pot.md": "# Pot"}, plugins=["search", {"sitemapkit": settings}]
    )
    made.commit("2024-05-06T07:08:09Z", "docs")
    made.build()
    before = made.out.rename(tmp_path / "before")
    made.write({"docs/tea.md": "# Tea\n\nGreen.", "docs/pot.md": "---\nsitemap: false\n---\n# Pot"})
    made.commit("2025-05-06T07:08:09Z", "docs")
    made.build()
    (made.out / "added.html").write_text("<title>Added</title><h1>Added</h1>")
    without = json.loads(run("diff", before, made.out, "--json").stdout)
    assert without["findings"] == []
    assert {each["because"] for each in without["changes"]} == {""}
    report = made.root / "report.json"
    told = json.loads(run("diff", before, made.out, "--json", "--build-report", report).stdout)
    assert [(each["id"], each["where"]) for each in told["findings"]] == [
        ("not-listed", f"{BASE}added.html")
    ]
    pot, tea = told["changes"]
    assert pot["source"].endswith("docs/pot.md")
    assert pot["because"] == "excluded by its metadata"
    assert tea["source"].endswith("docs/tea.md")
    assert ", commit " in tea["because"]
    lines = run("diff", before, made.out, "--build-report", report).stdout
    assert "still there, but not listed: excluded by its metadata" in lines
    assert tea["because"] in lines


def test_with_the_report_of_the_build_it_is_nothing(site: Callable[..., Site]) -> None:
    settings = {"exclude": ["drafts/"], "report": "report.json"}
    made = site(ON_PURPOSE, plugins=[{"sitemapkit": settings}])
    made.build()
    assert found(made.out, "--build-report", made.root / "report.json") == []


def test_in_a_sitemap_of_mkdocs_itself_it_stays_a_warning(site: Callable[..., Site]) -> None:
    made = site({"docs/index.md": "# Home"}, plugins=[])
    made.build()
    (made.out / "old.html").write_text("<title>Old</title><h1>Old</h1>")
    assert ("warning", "not-listed", "old.html") in found(made.out)


def build_below(made: Site, folder: str, **settings: Any) -> None:
    out = str(made.root / "site" / folder)
    made.configure(site_url=f"{BASE}{folder}", site_dir=out, **settings)
    made.build()


NOT_NAMED = ("warning", "robots-no-sitemap", "robots.txt")
"""The sitemap of the language below, which its own build cannot name at the root of the host."""


def test_languages_below_one_another_need_no_flag(site: Callable[..., Site]) -> None:
    made = site({"docs/tea.md": "# Tea"})
    languages = {"en": BASE, "de": f"{BASE}de/"}
    build_below(made, "", plugins=[{"sitemapkit": {"languages": languages}}])
    build_below(made, "de/")
    assert found(made.out) == [NOT_NAMED]


def test_a_mistake_in_a_language_below_is_found(site: Callable[..., Site]) -> None:
    made = site({"docs/tea.md": "# Tea"})
    build_below(made, "")
    build_below(made, "de/")
    (made.out / "de" / "tea" / "index.html").unlink()
    assert found(made.out) == [("error", "missing-page", "de/tea/"), NOT_NAMED]


def test_versions_side_by_side_need_no_flag(site: Callable[..., Site]) -> None:
    made = site({"docs/tea.md": "# Tea"})
    for version in ("docs/1.0/", "docs/2.0/"):
        build_below(made, version)
    assert json.loads(run("check", made.out / "docs", "--json").stdout) == {
        "site": f"{BASE}docs/",
        "sitemaps": 2,
        "urls": 4,
        "pages": 4,
        "issues": [],
    }


def test_a_nested_sitemap_whose_pages_are_listed_above_is_not_checked_again(
    site: Callable[..., Site],
) -> None:
    made = site({"docs/tea.md": "# Tea"})
    build_below(made, "a/")
    build_below(made, "b/")
    run("merge", made.out / "a", made.out / "b", "--out", made.out, "--base-url", BASE)
    (made.out / "a" / "sitemap.xml").with_suffix(".txt").write_text(f"{BASE}a/")
    assert found(made.out) == []


def test_patterns_that_match_nothing_are_told(site: Callable[..., Site]) -> None:
    made = site(
        {"docs/guide/a.md": "# A"},
        plugins=[{"sitemapkit": {"exclude": ["docs/guide/", "guid/"]}}],
    )
    start = "INFO sitemapkit: plugin 'sitemapkit' in mkdocs.yml, exclude "
    lines = [line for line in made.build() if "matches no page" in line]
    assert [line.removeprefix(start).partition(":")[0] for line in lines] == [
        "'docs/guide/'",
        "'guid/'",
    ]


def test_dates_that_a_build_of_ours_chose_are_a_note(site: Callable[..., Site]) -> None:
    stated = '---\nhead: <meta property="article:modified_time" content="2023-01-01">\n---\n'
    made = site({"docs/tea.md": f"{stated}# Tea"})
    for day, text in (("02", "Green"), ("03", "Black")):
        made.write({f"docs/{number}.md": f"# Tea {number}\n{text}" for number in range(20)})
        made.commit(f"2024-05-{day}T12:00:00Z")
    made.build()
    assert found(made.out) == [("note", "one-date", "sitemap.xml")]
    sitemap = made.out / "sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace("<!-- sitemapkit for MkDocs -->", ""))
    (made.out / "sitemap.xml.gz").unlink()
    assert {severity for severity, _, _ in found(made.out)} == {"warning"}


def test_images_are_those_of_the_site(site: Callable[..., Site]) -> None:
    text = """# Tea
![Cup](img/cup.png)
![Missing](img/pot.png)
![Status](https://img.shields.io/pypi/v/tea.svg)
![Status](https://github.com/tea/tea/actions/workflows/ci.yml/badge.svg)
![Leaf](https://cdn.example.net/leaf.jpg)
"""
    files = {"docs/guide/tea.md": text, "docs/guide/img/cup.png": "PNG"}
    made = site(files, plugins=[{"sitemapkit": {"images": True}}])
    made.build()
    images = re.findall("<image:loc>(.*?)</image:loc>", (made.out / "sitemap.xml").read_text())
    assert images == [f"{BASE}guide/img/cup.png", "https://cdn.example.net/leaf.jpg"]


def test_annotations_lead_to_the_source(
    site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "---\ntitle: Tea\nrobots: index\n---\n# Tea"
    made = site({"docs/tea.md": text}, plugins=[{"sitemapkit": {"report": "report.json"}}])
    made.build()
    monkeypatch.chdir(made.root)
    page = made.out / "tea" / "index.html"
    page.write_text(page.read_text().replace("<head>", "<head><meta name=robots content=noindex>"))
    flags = ("site", "--build-report", "report.json", "--format")
    (line,) = run("check", *flags, "github").stdout.splitlines()
    assert line.startswith("::error title=noindex,file=docs/tea.md,line=3::https://example.org/")
    assert line.endswith(" (site/sitemap.xml:5)")


@pytest.mark.parametrize("directory_urls", [True, False])
def test_an_error_page_of_the_author_is_not_listed_by_the_plugin_either(
    site: Callable[..., Site], *, directory_urls: bool
) -> None:
    made = site({"docs/404.md": "# Not found"}, use_directory_urls=directory_urls)
    made.build()
    assert not [path for path in made.entries() if "404" in path]
    assert found(made.out) == []


HOST_FILES = {
    "_headers": "/tea/*\n  X-Robots-Tag: noindex\n",
    "_redirects": "/drafts/idea/ /tea/ 301!\n",
    "robots.txt": "User-agent: *\nDisallow: /$\n",
}


def test_a_plugin_reads_what_its_generator_gave_and_check_what_the_host_will_do(
    site: Callable[..., Site],
) -> None:
    host_files = {f"docs/{name}": text for name, text in HOST_FILES.items()}
    made = site({**ON_PURPOSE, **host_files, "docs/pot.md": "# Pot"})
    assert "robots-disallowed" not in made.build()
    assert {"", "tea/", "drafts/idea/", "pot/"} == {*made.paths()}
    for_host = {"noindex", "redirect", "robots-disallowed"}
    assert for_host <= {rule for _, rule, _ in found(made.out)}
