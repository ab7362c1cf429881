"""`sitemapkit merge`: separately built versions, languages and generators under one sitemap."""

from __future__ import annotations

import json
import os
import sys
import time
from itertools import starmap
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from .conftest import Site, run, urlset

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://example.org/"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"


def built(out: Path, name: str, paths: str = "a/", *, canonical: str = "", head: str = "") -> Path:
    """Build a site below `out`, its home page and `paths`; canonical links lead to `canonical`."""
    site = Site(out / name, base=f"{HOME}{name}/" if name else HOME, robots=None)
    for path in ("", *paths.split()):
        link = f'<link rel="canonical" href="{HOME}{canonical}/{path}">' if canonical else ""
        site.page(path, link + head)
    site.write()
    return site.root


def say(page: Path, head: str) -> None:
    """Add to what the head of a page says."""
    page.write_text(page.read_text().replace("<head>", f"<head>{head}"))


def locs(file: Path) -> list[str]:
    root = etree.parse(file).getroot()
    return [(loc.text or "").removeprefix(HOME) for loc in root.iter(f"{NAMESPACE}loc")]


def merged(out: Path, *folders: Path, code: int = 0) -> list[str]:
    outcome = run("merge", *folders, "--out", out)
    assert outcome.code == code, outcome.stderr
    return locs(out / "sitemap.xml")


def issues(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("check", out, "--json").stdout)["issues"]
    return found


def test_an_index_names_the_sitemaps_of_the_builds_as_they_are(tmp_path: Path) -> None:
    folders = [built(tmp_path, "docs"), built(tmp_path, "api")]
    before = [(folder / "sitemap.xml").read_bytes() for folder in folders]
    assert merged(tmp_path, *folders) == ["api/sitemap.xml", "docs/sitemap.xml"]
    assert [(folder / "sitemap.xml").read_bytes() for folder in folders] == before
    assert "2024-05-02" in (tmp_path / "sitemap.xml").read_text()
    assert f"Sitemap: {HOME}sitemap.xml" in (tmp_path / "robots.txt").read_text()
    assert issues(tmp_path) == []


def test_a_set_lists_the_pages_of_all_builds(tmp_path: Path) -> None:
    folders = [built(tmp_path, "docs"), built(tmp_path, "api")]
    outcome = run("merge", *folders, "--out", tmp_path, "--as", "set")
    assert outcome.stdout == f"4 pages of 2 builds in {tmp_path}/sitemap.xml\n"
    assert locs(tmp_path / "sitemap.xml") == ["api/", "api/a/", "docs/", "docs/a/"]
    assert issues(tmp_path) == []


def test_the_answer_names_the_sitemap_whatever_else_was_written(tmp_path: Path) -> None:
    folders = [built(tmp_path, "docs"), built(tmp_path, "api")]
    for _ in range(2):
        outcome = run("merge", *folders, "--out", tmp_path)
        assert outcome.stdout == f"4 pages of 2 builds in {tmp_path}/sitemap.xml\n"
        (tmp_path / "robots.txt").unlink()


def test_an_index_never_names_an_index(tmp_path: Path) -> None:
    docs = Site(tmp_path / "docs", base=f"{HOME}docs/", robots=None)
    for path in ("", "a/", "b/"):
        docs.page(path)
    docs.write()
    docs.put("one.xml", urlset(f"<loc>{HOME}docs/</loc>"))
    docs.put("two.xml", urlset(f"<loc>{HOME}docs/a/</loc>", f"<loc>{HOME}docs/b/</loc>"))
    docs.index("one.xml", "two.xml")
    assert merged(tmp_path, docs.root, built(tmp_path, "api")) == [
        *("api/sitemap.xml", "docs/one.xml", "docs/two.xml")
    ]
    assert issues(tmp_path) == []


def test_old_versions_whose_pages_are_canonical_elsewhere_are_not_listed(tmp_path: Path) -> None:
    old = built(tmp_path, "1.0", "a/ gone/", canonical="latest")
    new = built(tmp_path, "latest", canonical="latest")
    assert merged(tmp_path, old, new) == ["latest/sitemap.xml"]
    wrong = [(each["id"], each["where"]) for each in issues(tmp_path)]
    assert wrong == [("canonical-dead", f"{HOME}1.0/gone/")]


def test_a_page_of_an_old_version_that_is_canonical_stays(tmp_path: Path) -> None:
    old = built(tmp_path, "1.0", "a/")
    say(old / "a" / "index.html", f'<link rel="canonical" href="{HOME}latest/a/">')
    new = built(tmp_path, "latest")
    assert merged(tmp_path, old, new) == ["latest/sitemap.xml", "sitemap-1.0-1.xml"]
    assert locs(tmp_path / "sitemap-1.0-1.xml") == ["1.0/"]
    assert issues(tmp_path) == []


@pytest.mark.parametrize("name", ["old.html", "old.htm", "old.xhtml", "OLD.HTML"])
def test_a_page_beside_the_builds_is_read_whatever_its_suffix(tmp_path: Path, name: str) -> None:
    """It leads back to the page that names it as canonical."""
    docs = built(tmp_path, "docs", "")
    say(docs / "index.html", f'<link rel="canonical" href="{HOME}{name}">')
    link = f'<link rel="canonical" href="{HOME}docs/">'
    (tmp_path / name).write_text(f"<!doctype html><head><title>Old</title>{link}</head>")
    assert merged(tmp_path, docs, built(tmp_path, "api")) == ["api/sitemap.xml", "docs/sitemap.xml"]


def test_builds_that_all_state_the_canonical_version_are_not_mixed_up(tmp_path: Path) -> None:
    """A tree of mike's with `canonical_version`: each sitemap lists URLs of that version."""
    for name, paths in (("1.0", "a/ gone/"), ("2.0", "a/ new/"), ("latest", "a/ new/")):
        site = Site(tmp_path / name, base=f"{HOME}latest/", robots=None)
        for path in ("", *paths.split()):
            site.page(path)
        site.write()
    folders = [tmp_path / name for name in ("1.0", "2.0", "latest")]
    assert merged(tmp_path, *folders) == ["latest/sitemap.xml"]


def test_an_alias_that_is_a_link_to_a_version_keeps_its_name(tmp_path: Path) -> None:
    """As mike makes them, and serves them under the name of the alias."""
    new = built(tmp_path, "2.0", canonical="latest")
    site = Site(new, base=f"{HOME}latest/", robots=None)
    for path in ("", "a/"):
        site.page(path)
    site.write()
    (tmp_path / "latest").symlink_to("2.0")
    assert merged(tmp_path, new, tmp_path / "latest") == ["latest/sitemap.xml"]


@pytest.mark.parametrize("how", ["folder", "alias"])
def test_only_the_latest_version_is_listed_if_that_is_asked_for(tmp_path: Path, how: str) -> None:
    names = ("1.0", "2.0", "latest") if how == "folder" else ("1.0", "2.0")
    folders = [built(tmp_path, name) for name in names]
    if how == "alias":
        (tmp_path / "versions.json").write_text(
            '[{"version": "2.0", "title": "2.0", "aliases": ["latest"]},'
            ' {"version": "1.0", "title": "1.0", "aliases": []}]'
        )
    outcome = run("merge", *folders, "--out", tmp_path, "--policy", "latest")
    assert locs(tmp_path / "sitemap.xml") == [f"{names[-1]}/sitemap.xml"]
    assert "not listed: excluded by an option" in outcome.stdout


def test_the_latest_version_of_each_language_is_listed(tmp_path: Path) -> None:
    names = ("en/latest", "en/1.0", "de/latest", "de/1.0")
    folders = [built(tmp_path, name) for name in names]
    run("merge", *folders, "--out", tmp_path, "--policy", "latest")
    assert locs(tmp_path / "sitemap.xml") == ["de/latest/sitemap.xml", "en/latest/sitemap.xml"]


def test_an_unknown_latest_version_is_wrong_use(tmp_path: Path) -> None:
    folder = built(tmp_path, "1.0")
    outcome = run("merge", folder, "--out", tmp_path, "--policy", "latest", "--latest", "main")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "none of the builds (1.0) is 'main'" in outcome.stderr


def test_versions_can_be_left_out_by_pattern(tmp_path: Path) -> None:
    folders = [built(tmp_path, name) for name in ("0.9", "1.0", "2.0")]
    run("merge", *folders, "--out", tmp_path, "--exclude", "0.*/")
    assert locs(tmp_path / "sitemap.xml") == ["1.0/sitemap.xml", "2.0/sitemap.xml"]


def test_formats_may_be_separated_by_commas(tmp_path: Path) -> None:
    folders = [built(tmp_path, name) for name in ("1.0", "2.0")]
    formats = ("--formats", "xml, gz", "--formats", "txt")
    assert run("merge", *folders, "--out", tmp_path, "--as", "set", *formats).code == 0
    written = {file.name for file in tmp_path.iterdir()}
    assert {"sitemap.xml", "sitemap.xml.gz", "sitemap.txt"} <= written


@pytest.mark.parametrize(("given", "is_written"), [("false", False), ("write", True)])
def test_robots_may_be_false_or_a_word(tmp_path: Path, given: str, *, is_written: bool) -> None:
    folders = [built(tmp_path, name) for name in ("1.0", "2.0")]
    assert run("merge", *folders, "--out", tmp_path, "--robots", given).code == 0
    assert (tmp_path / "robots.txt").exists() == is_written


def test_a_pattern_that_matches_nothing_is_told(tmp_path: Path) -> None:
    folders = [built(tmp_path, name) for name in ("1.0", "2.0")]
    outcome = run("merge", *folders, "--out", tmp_path, "--exclude", "3.0/", "--exclude", "1.0/")
    assert "command line, exclude '3.0/': A pattern matches no page." in outcome.stderr
    assert outcome.stderr.count("[unmatched-pattern]") == 1


def test_all_that_is_listed_stays_if_that_is_asked_for(tmp_path: Path) -> None:
    old = built(tmp_path, "1.0", canonical="latest")
    outcome = run("merge", old, built(tmp_path, "latest"), "--out", tmp_path, "--policy", "all")
    assert outcome.stdout.startswith("4 pages of 2 builds")


def test_a_site_at_the_root_and_one_below_it_can_be_merged_again_and_again(tmp_path: Path) -> None:
    root, api = built(tmp_path, ""), built(tmp_path, "api")
    for _ in range(3):
        assert merged(tmp_path, root, api) == ["api/sitemap.xml", "sitemap-top-1.xml"]
        assert locs(tmp_path / "sitemap-top-1.xml") == ["", "a/"]
    (api / "a" / "index.html").unlink()
    assert merged(tmp_path, root, api) == ["sitemap-api-1.xml", "sitemap-top-1.xml"]
    assert locs(tmp_path / "sitemap-api-1.xml") == ["api/"]


def test_merging_twice_changes_no_byte(tmp_path: Path) -> None:
    folders = [built(tmp_path, "docs"), built(tmp_path, "api")]
    merged(tmp_path, *folders)
    first = {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    times = {file: file.stat().st_mtime_ns for file in first}
    merged(tmp_path, *reversed(folders))
    assert {file: file.read_bytes() for file in first} == first
    assert {file: file.stat().st_mtime_ns for file in first} == times


def test_builds_that_lie_elsewhere_get_a_sitemap_beside_the_index(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    folders = [built(tmp_path, "docs"), built(tmp_path, "api")]
    outcome = run("merge", *folders, "--out", out)
    assert outcome.code == 0
    assert locs(out / "sitemap.xml") == ["sitemap-api-1.xml", "sitemap-docs-1.xml"]
    assert locs(out / "sitemap-docs-1.xml") == ["docs/", "docs/a/"]


def test_an_issue_of_a_build_that_lies_elsewhere_is_at_the_url_that_it_states(
    tmp_path: Path,
) -> None:
    site = built(tmp_path, "docs").rename(tmp_path / "s1")
    say(site / "a" / "index.html", f'<link rel="canonical" href="{HOME}docs/gone/">')
    (tmp_path / "out").mkdir()
    outcome = run("merge", site, built(tmp_path, "api"), "--out", tmp_path / "out")
    assert outcome.code == 0
    assert f" {HOME}docs/: " in outcome.stderr
    assert "s1/" not in outcome.stderr


def versions(file: Path) -> dict[str, list[str]]:
    """Return the languages and paths of the alternates of each page."""
    return {
        (url.findtext(f"{NAMESPACE}loc") or "").removeprefix(HOME): [
            f"{link.get('hreflang')} {(link.get('href') or '').removeprefix(HOME)}"
            for link in url.findall(f"{XHTML}link")
        ]
        for url in etree.parse(file).getroot()
    }


def alternate(code: str, path: str) -> str:
    return f'<link rel="alternate" hreflang="{code}" href="{HOME}{path}">'


def test_translations_that_one_build_states_become_full_sets_in_all(tmp_path: Path) -> None:
    """The English build knows the others; the others know nothing."""
    heads = alternate("en", "en/") + alternate("de", "de/") + alternate("x-default", "en/")
    folders = [built(tmp_path, "en", ""), built(tmp_path, "de", ""), built(tmp_path, "fr", "")]
    say(tmp_path / "en" / "index.html", heads)
    say(tmp_path / "de" / "index.html", alternate("fr", "fr/"))
    run("merge", *folders, "--out", tmp_path, "--as", "set")
    full = ["de de/", "en en/", "fr fr/", "x-default en/"]
    assert versions(tmp_path / "sitemap.xml") == {"de/": full, "en/": full, "fr/": full}
    assert issues(tmp_path) == []


def test_a_set_that_changes_gives_a_new_sitemap_beside_the_index(tmp_path: Path) -> None:
    both = alternate("en", "en/") + alternate("de", "de/")
    folders = [built(tmp_path, "en", "", head=both), built(tmp_path, "de", "", head=both)]
    assert merged(tmp_path, *folders) == ["sitemap-de-1.xml", "sitemap-en-1.xml"]
    assert versions(tmp_path / "sitemap-en-1.xml") == {"en/": ["de de/", "en en/"]}
    assert issues(tmp_path) == []


def test_a_page_knows_its_own_language_where_nobody_states_it(tmp_path: Path) -> None:
    built(tmp_path, "en", "", head=alternate("de", "de/"))
    built(tmp_path, "de", "")
    run("merge", tmp_path / "en", tmp_path / "de", "--out", tmp_path, "--as", "set")
    assert versions(tmp_path / "sitemap.xml")["de/"] == ["de de/", "en en/"]


def test_of_two_pages_for_one_language_that_which_none_names_is_not_joined(tmp_path: Path) -> None:
    one = alternate("en", "en/") + alternate("de", "de/")
    built(tmp_path, "en", "", head=one)
    built(tmp_path, "de", "", head=alternate("de", "de/") + alternate("en", "us/"))
    built(tmp_path, "us", "", head=alternate("en", "us/"))
    folders = [tmp_path / name for name in ("en", "de", "us")]
    outcome = run("merge", *folders, "--out", tmp_path, "--as", "set")
    assert "[hreflang-twice]" in outcome.stderr
    assert f"{HOME}en/" in outcome.stderr
    full = ["de de/", "en us/"]
    assert versions(tmp_path / "sitemap.xml") == {"de/": full, "en/": [], "us/": full}


@pytest.mark.parametrize("is_complete", [True, False])
@pytest.mark.parametrize(
    "claims", [{"de": "x/"}, {"de": "x/", "en": "en/"}, {"en": "x/", "de": ""}]
)
def test_a_page_that_claims_the_place_of_another_costs_the_others_nothing(
    tmp_path: Path, claims: dict[str, str], *, is_complete: bool
) -> None:
    places = {code: f"{code}/" for code in ("de", "en", "es", "fr")}
    stated = "".join(starmap(alternate, places.items()))
    for code, path in places.items():
        head = stated if is_complete or code == "en" else alternate("en", "en/")
        built(tmp_path, path.rstrip("/"), "", head=head)
    built(tmp_path, "x", "", head="".join(alternate(c, p or "de/") for c, p in claims.items()))
    folders = [tmp_path / name for name in (*places, "x")]
    run("merge", *folders, "--out", tmp_path, "--as", "set")
    full = [f"{code} {path}" for code, path in places.items()]
    assert versions(tmp_path / "sitemap.xml") == {**dict.fromkeys(places.values(), full), "x/": []}


def test_one_other_page_for_a_language_is_told_in_the_singular(tmp_path: Path) -> None:
    built(tmp_path, "en", "", head=alternate("en", "en/") + alternate("de", "us/"))
    built(tmp_path, "us", "", head=alternate("en", "us/"))
    outcome = run("merge", tmp_path / "en", tmp_path / "us", "--out", tmp_path, "--as", "set")
    assert "No other page names it; it is not joined." in outcome.stderr


def test_a_translation_that_is_not_listed_is_in_no_set(tmp_path: Path) -> None:
    both = alternate("en", "en/") + alternate("de", "de/")
    built(tmp_path, "en", "", head=both)
    built(tmp_path, "de", "", head=both + '<meta name="robots" content="noindex">')
    run("merge", tmp_path / "en", tmp_path / "de", "--out", tmp_path, "--as", "set")
    assert versions(tmp_path / "sitemap.xml") == {"en/": []}


def test_a_translation_on_another_host_stays(tmp_path: Path) -> None:
    links = alternate("en", "en/") + '<link rel="alternate" hreflang="de" href="https://e.de/">'
    built(tmp_path, "en", "", head=links)
    built(tmp_path, "x", "")
    run("merge", tmp_path / "en", tmp_path / "x", "--out", tmp_path, "--as", "set")
    assert versions(tmp_path / "sitemap.xml")["en/"] == ["de https://e.de/", "en en/"]


def test_what_an_entry_says_is_carried_over(tmp_path: Path) -> None:
    site = Site(tmp_path / "docs", base=f"{HOME}docs/", robots=None)
    site.page("")
    image = f"<image:image><image:loc>{HOME}a.png</image:loc></image:image>"
    site.entries[site.base] = (
        f"<lastmod>2024-05-06T07:08:09+02:00</lastmod><changefreq>daily</changefreq>"
        f"<priority>0.3</priority>{image}"
    )
    site.write()
    api = built(tmp_path, "api")
    outcome = run("merge", site.root, api, "--out", tmp_path, "--as", "set")
    assert outcome.stderr == ""
    entry = etree.parse(tmp_path / "sitemap.xml").getroot()[2]
    values = [(etree.QName(each).localname, each.text) for each in entry.iter("{*}*")]
    assert values[1:] == [
        ("loc", f"{HOME}docs/"),
        ("lastmod", "2024-05-06T07:08:09+02:00"),
        ("changefreq", "daily"),
        ("priority", "0.3"),
        ("image", None),
        ("loc", f"{HOME}a.png"),
    ]


@pytest.mark.parametrize("shape", ["set", "index"])
@pytest.mark.parametrize(("day", "rule"), [("2099-01-01", "future"), ("2024-13-01", "bad")])
def test_a_wrong_date_is_left_out_and_told(tmp_path: Path, day: str, rule: str, shape: str) -> None:
    site = Site(tmp_path / "docs", base=f"{HOME}docs/", robots=None)
    site.page("")
    site.entries[site.base] = f"<lastmod>{day}</lastmod>"
    site.write()
    api = built(tmp_path, "api")
    outcome = run("merge", site.root, api, "--out", tmp_path, "--as", shape)
    assert f"It is '{day}' and is left out." in outcome.stderr
    assert f"[{rule}-date]" in outcome.stderr
    assert not [file for file in tmp_path.glob("*.xml") if day in file.read_text()]
    assert f"{rule}-date" not in [each["id"] for each in issues(tmp_path)]


def test_what_cannot_be_carried_over_is_told(tmp_path: Path) -> None:
    site = Site(tmp_path / "docs", base=f"{HOME}docs/", robots=None)
    site.page("")
    site.entries[site.base] = '<v:video xmlns:v="urn:video"><v:title>A</v:title></v:video>'
    site.write()
    api = built(tmp_path, "api")
    assert run("merge", site.root, api, "--out", tmp_path).stderr == ""
    outcome = run("merge", site.root, api, "--out", tmp_path, "--as", "set")
    assert "urn:video" in outcome.stderr


def test_builds_on_several_hosts_are_wrong_use(tmp_path: Path) -> None:
    other = Site(tmp_path / "other", base="https://example.net/", robots=None)
    other.page("")
    other.write()
    outcome = run("merge", built(tmp_path, "docs"), other.root, "--out", tmp_path)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "example.net, example.org" in outcome.stderr


def test_a_build_without_a_sitemap_is_wrong_use(tmp_path: Path) -> None:
    docs = built(tmp_path, "docs")
    (docs / "sitemap.xml").unlink()
    (docs / "sitemap.xml.gz").unlink()
    say(docs / "index.html", f'<link rel="canonical" href="{HOME}docs/">')
    outcome = run("merge", docs, "--out", tmp_path)
    assert outcome.code == 2
    assert f"{docs} has no sitemap" in outcome.stderr


def test_a_build_that_tells_no_address_needs_none_for_its_mistake_to_be_named(
    tmp_path: Path,
) -> None:
    docs = built(tmp_path, "docs")
    (docs / "sitemap.xml.gz").unlink()
    for text, mistake in (("<urlset><url>", "cannot be read whole"), (None, "has no sitemap")):
        if text:
            (docs / "sitemap.xml").write_text(text)
        else:
            (docs / "sitemap.xml").unlink()
        outcome = run("merge", docs, "--out", tmp_path, "--base-url", HOME)
        assert outcome.code == 2
        assert mistake in outcome.stderr
        assert "--base-url" not in outcome.stderr


def test_nothing_left_to_list_is_wrong_use_and_writes_nothing(tmp_path: Path) -> None:
    outcome = run("merge", built(tmp_path, "docs"), "--out", tmp_path, "--exclude", "*")
    assert outcome.code == 2
    assert "no page of the builds is left to list" in outcome.stderr
    assert "2 not listed: excluded by an option" in outcome.stderr
    assert not (tmp_path / "sitemap.xml").exists()


def test_a_wrong_base_url_is_told_by_what_became_of_the_pages(tmp_path: Path) -> None:
    flags = ("--out", tmp_path, "--base-url", "https://example.net/")
    outcome = run("merge", built(tmp_path, "docs"), *flags)
    assert outcome.code == 2
    assert "2 not listed: outside the base URL" in outcome.stderr
    assert "--base-url" in outcome.stderr


def test_a_single_page_of_a_single_build_is_told_in_the_singular(tmp_path: Path) -> None:
    outcome = run("merge", built(tmp_path, "docs", ""), "--out", tmp_path)
    assert outcome.stdout.startswith("1 page of 1 build in ")


def test_a_build_with_half_a_sitemap_is_wrong_use(tmp_path: Path) -> None:
    docs = built(tmp_path, "docs")
    (docs / "sitemap.xml").write_text((docs / "sitemap.xml").read_text()[:-20])
    outcome = run("merge", docs, built(tmp_path, "api"), "--out", tmp_path)
    assert outcome.code == 2
    assert "cannot be read whole" in outcome.stderr


def test_programs_get_the_report(tmp_path: Path) -> None:
    folders = [built(tmp_path, "docs"), built(tmp_path, "api")]
    report = json.loads(run("merge", *folders, "--out", tmp_path, "--json").stdout)
    assert [entry["loc"].removeprefix(HOME) for entry in report["listed"]] == [
        *("api/", "api/a/", "docs/", "docs/a/")
    ]


VERSIONS = {
    "places above": [{"version": "../..", "aliases": ["latest"]}],
    "an absolute place": [{"version": "/etc", "aliases": ["latest"]}],
    "a control character": [{"version": "\x1b[2J", "aliases": ["latest"]}],
    "no name": [{"version": "", "aliases": ["", "latest"]}],
    "an alias of all": [{"version": name, "aliases": ["latest", "1", "2"]} for name in "12"],
    "an alias of itself": [{"version": "latest", "aliases": ["latest"]}],
    "a version twice": [{"version": "1", "aliases": ["latest"]}] * 2,
    "very many": [{"version": str(n), "aliases": [f"a{n}"]} for n in range(100_000)],
    "a long name": [{"version": "1" * 100_000, "aliases": ["latest"]}],
    "another kind": {"version": "1"},
    "other values": [{"version": 1, "aliases": None}],
}


@pytest.mark.parametrize("what", VERSIONS)
def test_versions_that_name_anything_change_nothing_outside(tmp_path: Path, what: str) -> None:
    out = tmp_path / "out"
    folders = [built(out, "1"), built(out, "2")]
    (out / "versions.json").write_text(json.dumps(VERSIONS[what]))
    (tmp_path / "private.html").write_text("secret")
    before = sorted(tmp_path.rglob("*"))
    start = time.process_time()
    outcome = run("merge", *folders, "--out", out, "--policy", "latest")
    assert time.process_time() - start < 10
    assert (outcome.code in (0, 2), "Traceback" in outcome.stderr) == (True, False), outcome
    assert len(outcome.stderr) < 2_000
    assert all(each.isprintable() for each in (outcome.stdout + outcome.stderr).replace("\n", ""))
    added = {*tmp_path.rglob("*")} - {*before}
    assert {file.relative_to(out).as_posix() for file in added} <= {"sitemap.xml", "robots.txt"}


def test_builds_that_are_one_or_hold_each_other_are_listed_once(tmp_path: Path) -> None:
    folder = built(tmp_path, "docs")
    (tmp_path / "again").symlink_to("docs")
    (folder / "inner").symlink_to("..")
    outcome = run("merge", folder, tmp_path / "again", folder, "--out", tmp_path, "--as", "set")
    assert outcome.code in (0, 2), outcome.stderr
    if outcome.code == 0:
        found = locs(tmp_path / "sitemap.xml")
        assert len(found) == len({*found})


UNFIT = ["/dev/zero", "/proc/self/environ", "/etc/passwd", "a pipe", "a loop"]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
@pytest.mark.parametrize("name", ["docs/sitemap.xml", "docs/index.html", "versions.json"])
@pytest.mark.parametrize("target", UNFIT)
def test_what_is_no_file_of_a_build_is_not_merged(tmp_path: Path, name: str, target: str) -> None:
    out = tmp_path / "out"
    folders = [built(out, "docs"), built(out, "api")]
    (out / name).unlink(missing_ok=True)
    (out / "docs" / "sitemap.xml.gz").unlink()
    if target == "a pipe":
        os.mkfifo(out / name)
    else:
        (out / name).symlink_to((out / name).name if target == "a loop" else target)
    outcome = run("merge", *folders, "--out", out, "--as", "set", "--policy", "all")
    assert (outcome.code in (0, 2), "Traceback" in outcome.stderr) == (True, False), outcome
    said = outcome.stdout + outcome.stderr
    for file in (out / "sitemap.xml", out / "robots.txt"):
        said += file.read_text() if file.exists() else ""
    assert "root:" not in said
    assert "PATH=" not in said
