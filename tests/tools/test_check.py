"""`sitemapkit check` of a directory: what it answers, and what it takes into account."""

from __future__ import annotations

import gzip
import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from sitemapkit.rules import read_rules
from sitemapkit_tools.issues import RULES, SEVERITIES

from .conftest import Site, index, run, urlset

if TYPE_CHECKING:
    from pathlib import Path


HOME = "https://example.org/"


@pytest.fixture
def broken(site: Site) -> Site:
    """A site with an error (noindex) and a warning (a page that is not listed)."""
    site.heads["about/"] = '<meta name="robots" content="noindex">'
    site.page("orphan/", listed=False)
    site.write()
    return site


def test_a_clean_site_gives_one_line_and_exit_code_0(site: Site) -> None:
    site.write()
    outcome = run("check", site.root)
    assert outcome.code == 0
    assert outcome.stdout == f"Nothing to fix: 5 URLs in 1 sitemap, 5 pages of {HOME}\n"
    assert outcome.stderr == ""


def test_people_read_what_is_wrong_where_and_how_to_fix_it(broken: Site) -> None:
    outcome = run("check", broken.root)
    assert outcome.code == 1
    assert outcome.stdout.splitlines() == [
        "error noindex: The listed page is marked noindex.",
        "    /about/  The robots element in about/index.html says so.  sitemap.xml:4",
        "    Fix: Remove the page from the sitemap, or the noindex from the page.",
        "",
        "warning not-listed: The page may be indexed, but is in no sitemap.",
        "    /orphan/  It is orphan/index.html.",
        f"    Fix: {RULES['not-listed'].fix}",
        "",
        f"1 error, 1 warning: 5 URLs in 1 sitemap, 6 pages of {HOME}",
    ]


SIMPLE = [f"<loc>{HOME}{path}</loc>" for path in ("a/b/", "a/c/", "d/", "e/")]


@pytest.mark.parametrize("name", ["sitemap.xml", "my-sitemap.xml", "sitemap.xml.gz", "urls.txt"])
def test_a_sitemap_alone_is_checked_for_what_it_alone_tells(tmp_path: Path, name: str) -> None:
    text = urlset(*SIMPLE) if ".xml" in name else "".join(f"{HOME}{n}/\n" for n in "abcd")
    file = tmp_path / name
    file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    outcome = run("check", file)
    assert (outcome.code, outcome.stdout) == (
        0,
        f"Nothing to fix: 4 URLs in 1 sitemap, 0 pages of {HOME}\n",
    )
    assert outcome.stderr == (
        f"Only {file} was checked. Its pages were not looked at: pass the folder that holds them,"
        " or the URL of the site.\n"
    )


def test_a_folder_with_nothing_but_sitemaps_is_checked_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset(*SIMPLE))
    assert run("check", tmp_path).stdout.startswith("Nothing to fix: 4 URLs in 1 sitemap")
    (tmp_path / "sitemap.xml").write_text(index(f"{HOME}sitemap-1.xml", f"{HOME}sitemap-2.xml"))
    (tmp_path / "sitemap-1.xml").write_text(urlset(*SIMPLE))
    outcome = run("check", tmp_path)
    assert outcome.stdout.startswith("Nothing to fix: 4 URLs in 2 sitemaps")
    assert "1 sitemap that it names is not beside it." in outcome.stderr


@pytest.mark.parametrize(
    ("entries", "rules"),
    [
        ([*SIMPLE, "<loc>https://example.com/</loc>"], {"wrong-host"}),
        ([*SIMPLE, "<loc>http://example.org/</loc>"], {"wrong-scheme"}),
        ([*SIMPLE, SIMPLE[0]], {"duplicate-url"}),
        ([*SIMPLE, f"<loc>{HOME}f/</loc><lastmod>2024-13-01</lastmod>"], {"bad-date"}),
        ([*SIMPLE, f"<loc>{HOME}f/</loc><priority>2</priority>"], {"bad-priority"}),
        ([*SIMPLE, "<loc>/f/</loc>"], {"bad-url"}),
        ([*SIMPLE, f"<loc>{HOME}?a&b</loc>"], {"broken-xml"}),
        ([f"<loc>{HOME}a/b/</loc>"], set[str]()),
    ],
)
def test_a_sitemap_alone_shows_its_own_faults(
    tmp_path: Path, entries: list[str], rules: set[str]
) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset(*entries))
    for place in (tmp_path, tmp_path / "sitemap.xml"):
        found = json.loads(run("check", place, "--json").stdout)["issues"]
        assert {each["id"] for each in found} == rules


LANGUAGES = [
    f"<loc>{HOME}{own}</loc>"
    f'<xhtml:link rel="alternate" hreflang="en" href="{HOME}"/>'
    f'<xhtml:link rel="alternate" hreflang="fr" href="{HOME}fr/"/>'
    for own in ("", "fr/")
]


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-fr.xml", "main.xml"])
@pytest.mark.parametrize("folders", [("en/", "fr/"), ("", ""), ("a/b/", "a/c/"), ("a/", "")])
def test_an_index_alone_is_read_with_its_parts_in_folders(
    tmp_path: Path, name: str, folders: tuple[str, str]
) -> None:
    parts = [
        f"{folder}{'' if folder else end}{name}" for folder, end in zip(folders, "12", strict=True)
    ]
    file = tmp_path / name
    file.write_text(index(*(f"{HOME}{part}" for part in parts)))
    for missing in (1, 0):
        for part, entry in list(zip(parts, LANGUAGES, strict=True))[missing:]:
            (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / part).write_text(urlset(entry))
        outcome = run("check", file, "--json")
        found = {each["id"] for each in json.loads(outcome.stdout)["issues"]}
        assert found <= {"scope"}
        assert ("1 sitemap that it names is not beside it." in outcome.stderr) == bool(missing)


def test_what_other_sitemaps_may_list_is_not_missed_in_one(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset(LANGUAGES[0]))
    assert run("check", tmp_path / "sitemap.xml").stdout.startswith("Nothing to fix: 1 URL")
    (tmp_path / "all.xml").write_text(index(f"{HOME}sitemap.xml"))
    assert "hreflang-not-listed" in run("check", tmp_path / "all.xml").stdout


def test_a_translation_in_a_sitemap_that_cannot_be_read_is_not_missed(tmp_path: Path) -> None:
    for name in ("index.html", "fr/index.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(
            f"<title>{name}</title><a href='/'>Home</a><a href='/fr/'>Fr</a>"
        )
    (tmp_path / "sitemap.xml").write_text(index(f"{HOME}a.xml", f"{HOME}b.xml"))
    (tmp_path / "a.xml").write_text(urlset(LANGUAGES[0]))
    (tmp_path / "b.xml").write_text("<urlset" + urlset(LANGUAGES[1]))
    found = json.loads(run("check", tmp_path, "--base-url", HOME, "--json").stdout)["issues"]
    assert {each["id"] for each in found} == {"broken-xml", "robots-no-sitemap"}


def test_a_sitemap_without_a_url_is_of_no_site(tmp_path: Path) -> None:
    file = tmp_path / "sitemap.xml"
    file.write_text(urlset("<loc>a/b/</loc>"))
    outcome = run("check", file)
    assert "\n    a/b/  'a/b/' is not an absolute http or https URL." in outcome.stdout
    assert outcome.stdout.endswith("1 error: 0 URLs in 1 sitemap, 0 pages\n")
    (tmp_path / "news.xml").write_text(urlset())
    assert (
        run("check", tmp_path / "news.xml").stdout
        == "Nothing to fix: 0 URLs in 1 sitemap, 0 pages\n"
    )
    file.write_text(f"---\nlayout: null\n---\n{urlset(*SIMPLE)}")
    assert "It begins with front matter, as a template does" in run("check", file).stdout


@pytest.mark.parametrize(
    ("dated", "count", "detail"),
    [
        (0, 10, "None of 10 URLs has one."),
        (1, 99, "Only 1 of 99 URLs has one."),
        (11, 99, "Only 11 of 99 URLs have one."),
        (50, 99, ""),
        (0, 3, ""),
    ],
)
def test_dates_that_are_missing_are_counted_with_the_usual_reason(
    tmp_path: Path, dated: int, count: int, detail: str
) -> None:
    day = "<lastmod>2024-01-{:02}</lastmod>"
    entries = [
        f"<loc>{HOME}{n}/</loc>" + (day.format(n % 27 + 1) if n < dated else "")
        for n in range(count)
    ]
    (tmp_path / "sitemap.xml").write_text(urlset(*entries))
    outcome = run("check", tmp_path)
    assert outcome.code == 0
    assert detail in outcome.stdout
    assert ("fetch-depth: 0" in outcome.stdout) == bool(detail)


def test_options_about_pages_are_refused_for_a_sitemap_alone(tmp_path: Path) -> None:
    file = tmp_path / "sitemap.xml"
    file.write_text(urlset(*SIMPLE))
    for flag in ("--repository=.", "--latest=x", "--host=x"):
        assert "is for a whole site" in run("check", file, flag).stderr
    found = json.loads(run("check", file, "--base-url", f"{HOME}a/", "--json").stdout)["issues"]
    assert {each["id"] for each in found} == {"outside-base"}


@pytest.mark.parametrize("listed", [["a/b/", "a/c/", "d/", "e/"], ["d/x/"], ["a/b/", "a/c/"]])
@pytest.mark.parametrize("base", [HOME, f"{HOME}docs/"])
@pytest.mark.parametrize("is_home_there", [True, False])
def test_the_url_of_a_site_is_not_that_of_a_page(
    tmp_path: Path, listed: list[str], base: str, is_home_there: bool
) -> None:
    site = Site(tmp_path / "site", base=base, robots=None)
    for path in [*listed, ""] if is_home_there else listed:
        site.page(path, "", listed=bool(path))
    site.write()
    assert json.loads(run("check", site.root, "--json").stdout)["site"] == base


@pytest.mark.parametrize("base", [HOME, "https://me.github.io/pika/", f"{HOME}a/b/"])
@pytest.mark.parametrize("shape", ["index", "set"])
@pytest.mark.parametrize("paths", [("", "a/"), ("",)])
@pytest.mark.parametrize("home", ["", '<meta http-equiv="refresh" content="0; url=latest/">'])
def test_what_merge_wrote_below_a_path_is_checked_as_with_its_url(
    tmp_path: Path, base: str, shape: str, paths: tuple[str, ...], home: str
) -> None:
    out = tmp_path / "out"
    for name in ("1.0", "2.0", "latest"):
        version = Site(out / name, base=f"{base}latest/", robots=None)
        for path in paths:
            version.page(path)
        version.write()
    if home:
        top = Site(out, base=base, heads={"": home}, robots=None, sitemaps=False)
        top.write()
    folders = [out / name for name in ("1.0", "2.0", "latest")]
    given = ("--out", out, "--base-url", base, "--as", shape)
    without = run("merge", *folders[:2], *given)
    assert without.code == 2
    assert f"they list pages of {folders[2]}: add that to the folders" in without.stderr
    assert run("merge", *folders, *given).code == 0
    found, known = (run("check", out, *flags) for flags in ((), ("--base-url", base)))
    assert (found.code, found.stdout) == (known.code, known.stdout)
    assert found.code == 0, found.stdout


def test_people_see_a_few_issues_of_a_rule_and_all_if_they_ask(site: Site) -> None:
    for number in range(8):
        site.page(f"orphan/{number}.html", listed=False)
    site.write()
    assert "... and 3 more" in run("check", site.root).stdout
    assert "... and" not in run("check", site.root, "--all").stdout


def test_programs_read_the_issues_as_json(broken: Site) -> None:
    outcome = run("check", broken.root, "--json")
    answer = json.loads(outcome.stdout)
    assert outcome.code == 1
    assert {key: answer[key] for key in ("site", "sitemaps", "urls", "pages")} == {
        "site": HOME,
        "sitemaps": 1,
        "urls": 5,
        "pages": 6,
    }
    assert answer["issues"][0] == {
        "id": "noindex",
        "severity": "error",
        "where": f"{HOME}about/",
        "detail": "The robots element in about/index.html says so.",
        "title": RULES["noindex"].title,
        "fix": RULES["noindex"].fix,
        "file": "sitemap.xml",
        "line": 4,
        "fingerprint": answer["issues"][0]["fingerprint"],
    }


def test_an_issue_of_an_element_has_its_line(site: Site) -> None:
    site.entries[f"{HOME}about/"] = "<changefreq>often</changefreq>"
    site.write()
    (found,) = site.check()
    assert (found["id"], found["file"], found["line"]) == ("bad-changefreq", "sitemap.xml", 4)


def test_github_reads_the_issues_as_annotations(site: Site) -> None:
    site.page("a, 100%: b/", "", listed=False)
    site.write()
    outcome = run("check", site.root, "--format", "github")
    command, properties, message = (
        outcome.stdout.rstrip("\n")[2:].split(" ", 1)[0],
        *(outcome.stdout.rstrip("\n").split(" ", 1)[1].split("::", 1)),
    )
    assert command == "warning"
    assert properties.endswith("a%2C 100%25%3A b/index.html,line=1")
    assert message.startswith("https://example.org/a,%2520100%2525:%2520b/: The page may be")


@pytest.mark.parametrize(
    ("fail_on", "code"), [("error", 1), ("warning", 1), ("note", 1), ("never", 0)]
)
def test_the_mildest_severity_that_fails_can_be_chosen(
    broken: Site, fail_on: str, code: int
) -> None:
    assert run("check", broken.root, "--fail-on", fail_on).code == code


def test_a_warning_does_not_fail_where_only_errors_do(site: Site) -> None:
    site.page("orphan/", listed=False)
    site.write()
    assert run("check", site.root, "--fail-on", "error").code == 0
    assert run("check", site.root, "--fail-on", "warning").code == 1


def test_what_is_in_the_baseline_is_known_and_what_is_new_is_found(broken: Site) -> None:
    known = broken.root.parent / "known.json"
    first = run("check", broken.root, "--write-baseline", known)
    assert (first.code, first.stderr) == (1, "Wrote 2 known issues.\n")
    assert run("check", broken.root, "--baseline", known).code == 0
    broken.page("another/", listed=False)
    broken.write()
    assert [each["where"] for each in broken.check("--baseline", known)] == [f"{HOME}another/"]


def test_a_baseline_of_one_issue_is_told_in_the_singular(site: Site) -> None:
    site.page("orphan/", listed=False)
    site.write()
    outcome = run("check", site.root, "--write-baseline", site.root.parent / "known.json")
    assert outcome.stderr == "Wrote 1 known issue.\n"


def test_a_known_issue_stays_known_when_it_moves_to_another_line(broken: Site) -> None:
    known = broken.root.parent / "known.json"
    run("check", broken.root, "--write-baseline", known)
    broken.entries = dict(reversed(broken.entries.items()))
    broken.write()
    assert broken.check("--baseline", known) == []


def test_a_file_that_is_no_baseline_is_wrong_use(broken: Site) -> None:
    known = broken.root.parent / "known.json"
    known.write_text("[]")
    outcome = run("check", broken.root, "--baseline", known)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "known.json is not a baseline" in outcome.stderr


@pytest.mark.parametrize(
    "content", ['{"name": "tea"}', "[]", '{"issues": [{"id": "bad-url"}]}', "fox\n"]
)
def test_a_baseline_overwrites_only_a_baseline(broken: Site, content: str) -> None:
    file = broken.root.parent / "package.json"
    file.write_text(content)
    outcome = run("check", broken.root, "--write-baseline", file)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "package.json is not a file that sitemapkit wrote; move it" in outcome.stderr
    assert file.read_text() == content


def test_a_baseline_is_replaced_by_the_next_in_whatever_white_space(broken: Site) -> None:
    known = broken.root.parent / "known.json"
    run("check", broken.root, "--write-baseline", known)
    known.write_text(json.dumps(json.loads(known.read_text()), indent=8))
    whole = known.read_text()
    assert run("check", broken.root, "--write-baseline", known).code == 1
    assert json.loads(known.read_text()) == json.loads(whole)
    known.write_text('{"issues": []}')
    assert run("check", broken.root, "--write-baseline", known).code == 1


@pytest.mark.parametrize("flags", [("--host", "a"), ("--rate", "10.0"), ("--max-pages", "2")])
def test_options_for_a_site_online_are_wrong_use_with_a_directory(
    broken: Site, flags: tuple[str, str]
) -> None:
    outcome = run("check", broken.root, *flags)
    assert outcome.code == 2
    assert f"{flags[0]} is for a site online; {broken.root} is a directory" in outcome.stderr


@pytest.mark.parametrize("flag", ["--sitemap", "--exclude", "--generator", "--version-folder"])
def test_options_for_a_directory_are_wrong_use_with_a_site_online(flag: str) -> None:
    outcome = run("check", "https://example.invalid/", flag, "hugo")
    assert outcome.code == 2
    assert f"{flag} is for a directory; online there is only the URL" in outcome.stderr


def test_a_baseline_is_not_written_through_a_link(broken: Site) -> None:
    link = broken.root.parent / "known.json"
    link.symlink_to(".profile")
    outcome = run("check", broken.root, "--write-baseline", link)
    assert outcome.code == 2
    assert "known.json is a symbolic link; name the file itself" in outcome.stderr
    assert not (broken.root.parent / ".profile").exists()


def test_a_line_about_a_page_names_its_file_once(broken: Site) -> None:
    text = run("check", broken.root).stdout
    line = next(each for each in text.splitlines() if each.lstrip().startswith("/orphan/"))
    assert line.split() == ["/orphan/", "It", "is", "orphan/index.html."]


def test_a_folder_without_a_sitemap_has_no_count_of_sitemaps(site: Site) -> None:
    site.sitemaps, site.robots = False, None
    site.write()
    outcome = run("check", site.root, "--base-url", site.base)
    assert outcome.code == 1
    assert "no sitemap, 5 pages of https://example.org/" in outcome.stdout
    where = next(line for line in outcome.stdout.splitlines() if "no such file" in line)
    assert where.split() == ["/sitemap.xml", "There", "is", "no", "such", "file."]


def test_pages_that_are_excluded_are_not_missed(broken: Site) -> None:
    assert "not-listed" not in broken.rules("--exclude", "orphan/")


def test_a_pattern_that_matches_nothing_is_told_as_it_was_given(broken: Site) -> None:
    settings = broken.root.parent / "sitemapkit.toml"
    settings.write_text('exclude = ["nowhere/"]')
    flags = ("--exclude", "orphans/", "--exclude", "orphan/")
    told = [each for each in broken.check(*flags) if each["id"] == "unmatched-pattern"]
    assert [(each["where"], each["severity"]) for each in told] == [
        ("command line, exclude 'orphans/'", "note")
    ]
    assert "Did you mean 'orphan/'?" in told[0]["detail"]
    (config,) = [each for each in broken.check("--config", settings) if "exclude" in each["where"]]
    assert config["where"] == f"{settings}, exclude 'nowhere/'"
    both = broken.check("--config", settings, "--include", "*.pdf")
    assert {each["where"] for each in both if "clude" in each["where"]} == {
        f"{settings} or command line, exclude 'nowhere/'",
        f"{settings} or command line, include '*.pdf'",
    }


def test_a_pattern_may_match_a_file_that_is_no_page(site: Site) -> None:
    site.entries[f"{site.base}menu.pdf"] = ""
    site.put("menu.pdf", "%PDF")
    site.write()
    assert "unmatched-pattern" not in site.rules("--include", "*.pdf")


def test_a_settings_file_says_what_is_left_out(broken: Site) -> None:
    settings = broken.root.parent / "pyproject.toml"
    settings.write_text('[tool.sitemapkit]\nrules = [{match = "orphan/", exclude = true}]\n')
    assert "not-listed" not in broken.rules("--config", settings)


def test_the_report_of_a_build_says_what_is_left_out(broken: Site) -> None:
    report = broken.root.parent / "report.json"
    gz = ("--set", 'formats=["xml", "gz"]')
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        (broken.root / name).unlink()
    run("build", broken.root, "--exclude", "orphan/", "--report", report, *gz)
    assert broken.rules() == {"not-listed"}
    assert broken.rules("--build-report", report) == set()


def test_a_page_that_robots_may_not_read_is_not_missed(site: Site) -> None:
    site.page("secret/plan/", listed=False)
    site.write()
    assert site.check() == []


def test_rb7_neither_a_listed_page_nor_the_sitemap_may_be_disallowed(site: Site) -> None:
    site.robots = (
        f"User-agent: *\nDisallow: /about/\nDisallow: /*.xml\n\nSitemap: {HOME}sitemap.xml\n"
    )
    site.write()
    assert site.rules() == {"robots-disallowed", "sitemap-disallowed"}


@pytest.mark.parametrize(
    ("lastmod", "rules"),
    [
        ("2024-05-31", set()),
        ("2024-05-31T12:00:00Z", set()),
        ("2024-05-31T12:00:00.5+02:00", set()),
        ("2024", set()),
        ("2024-05", set()),
        ("2024-05-31T12:00+02:00", set()),
        ("2024-05-31T12:00:00", {"bad-date"}),
        ("31 May 2024", {"bad-date"}),
    ],
)
def test_lm8_all_six_forms_of_dates_are_valid(site: Site, lastmod: str, rules: set[str]) -> None:
    site.entries[f"{HOME}about/"] = f"<lastmod>{lastmod}</lastmod>"
    site.write()
    assert site.rules() == rules


def test_a_sitemap_that_cannot_be_read_whole_makes_no_page_missed(site: Site) -> None:
    site.write()
    site.replace_sitemap(site.sitemap()[:300])
    assert site.rules() == {"broken-xml"}


def test_pages_of_all_sitemaps_of_an_index_are_listed(site: Site) -> None:
    site.write()
    locs = list(site.entries)
    site.put("sitemap-1.xml", urlset(*(f"<loc>{loc}</loc>" for loc in locs[:2])))
    site.put("sitemap-2.txt", "\n".join(locs[2:]))
    site.index("sitemap-1.xml", "sitemap-2.txt")
    assert site.check() == []


@pytest.mark.parametrize("name", ["sitemap_index.xml", "sitemap-index.xml"])
def test_a_sitemap_of_another_usual_name_is_found(site: Site, name: str) -> None:
    site.robots = None
    site.write()
    for file in site.root.glob("sitemap.xml*"):
        file.unlink()
    site.put("pages.xml", site.sitemap())
    site.put(name, index(f"{HOME}pages.xml"))
    assert site.rules() == {"robots-no-sitemap"}


@pytest.mark.parametrize(
    ("named", "missing"),
    [
        (["sitemap.xml"], ["de/sitemap.xml"]),
        (["de/sitemap.xml"], ["sitemap.xml"]),
        (["sitemap.xml", "de/sitemap.xml"], []),
        ([], ["sitemap.xml"]),
    ],
)
def test_robots_txt_names_the_sitemap_of_each_language(
    site: Site, named: list[str], missing: list[str]
) -> None:
    site.robots = "".join(f"Sitemap: {HOME}{each}\n" for each in named)
    for page in ("de/", "de/tee/"):
        site.page(page, listed=False)
    site.write()
    site.put("de/sitemap.xml", urlset(f"<loc>{HOME}de/</loc>", f"<loc>{HOME}de/tee/</loc>"))
    said = [(each["id"], each["detail"]) for each in site.check()]
    assert said == [("robots-no-sitemap", f"The line is Sitemap: {HOME}{x}") for x in missing]


def test_robots_txt_names_the_index_and_not_the_sitemap_of_one_language(site: Site) -> None:
    site.robots = f"Sitemap: {HOME}en.xml\n"
    site.write()
    locs = [f"<loc>{loc}</loc>" for loc in site.entries]
    site.put("en.xml", urlset(*locs[:2]))
    site.put("de.xml", urlset(*locs[2:]))
    site.index("en.xml", "de.xml")
    [found] = site.check()
    assert found["detail"] == f"The line is Sitemap: {HOME}sitemap.xml"


def test_the_sitemap_of_one_language_tells_the_address_of_the_whole_site(site: Site) -> None:
    site.robots, site.sitemaps = None, False
    site.heads = dict.fromkeys(["", "a.html", "fr/", "fr/a.html"], "")
    site.write()
    locs = (f"{HOME}docs/fr/", f"{HOME}docs/fr/a.html")
    site.put("fr/sitemap.xml", urlset(*(f"<loc>{loc}</loc>" for loc in locs)))
    assert site.run("check").stdout.endswith(f" pages of {HOME}docs/\n")


def test_a_sitemap_may_be_named(site: Site) -> None:
    site.robots = None
    site.write()
    for file in site.root.glob("sitemap.xml*"):
        file.unlink()
    site.put("pages.xml", site.sitemap())
    assert site.rules("--sitemap", "pages.xml") == {"robots-no-sitemap"}


@pytest.mark.parametrize("base", [HOME, f"{HOME}docs/", "http://localhost:8000/a/b/"])
def test_the_address_of_the_site_is_read_from_the_site(site: Site, base: str) -> None:
    site.base = base
    site.robots = None
    for path in site.heads:
        site.heads[path] = ""
    site.entries = {base + path: "" for path in site.heads}
    site.write()
    assert json.loads(run("check", site.root, "--json").stdout)["site"] == base


def test_the_host_is_the_one_of_the_home_page_and_not_a_wrong_one_of_the_sitemap(
    site: Site,
) -> None:
    site.entries = {loc.replace("example.org", "localhost:8000"): "" for loc in site.entries}
    site.write()
    assert {each["id"] for each in site.check()} == {"wrong-host", "not-listed"}


def test_a_site_that_tells_no_address_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Home</title>")
    outcome = run("check", tmp_path)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "give it with --base-url" in outcome.stderr


def test_a_directory_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    outcome = run("check", tmp_path / "site")
    assert outcome.code == 2
    assert "There is no such folder: " in outcome.stderr


def test_clean_urls_without_html_are_the_pages_own(site: Site) -> None:
    site.entries = {loc.removesuffix(".html"): rest for loc, rest in site.entries.items()}
    site.heads["guide/first.html"] = f'<link rel="canonical" href="{HOME}guide/first">'
    site.heads["guide/second.html"] = ""
    site.write()
    assert site.check() == []


def test_a_directory_without_its_slash_is_a_redirect(site: Site) -> None:
    site.entries[f"{HOME}about"] = site.entries.pop(f"{HOME}about/")
    site.write()
    assert site.rules() == {"redirect"}


def test_what_is_no_page_is_not_missed(site: Site) -> None:
    site.write()
    page = "<html><head><title>Title</title></head></html>"
    generated = ("404.html", "search.html", "genindex.html", "genindex-A.html", "py-modindex.html")
    for name in (*generated, "_modules/a.html", "_static/demo.html", "tag/page/2/index.html"):
        site.put(name, page)
    site.put("_static/documentation_options.js", "")
    site.put("tag/index.html", page)
    site.put("google0123.html", "google-site-verification: google0123.html")
    site.put("index2.html", page)
    assert [each["file"] for each in site.check()] == ["tag/index.html"]


@pytest.mark.parametrize("name", ["tag/404.html", "errors/404.html", "posts/500/"])
def test_a_page_about_an_error_is_no_error_page(site: Site, name: str) -> None:
    for error_page in ("404.html", "de/404.html", "fil/404.html", "pt-BR/404.html", "1.0/500.html"):
        site.page(error_page, listed=False)
    for error_page in ("api/404.html", "api/403/", "a/b/500.html"):
        site.page(error_page, listed=False)
    site.page(name, listed=False)
    site.write()
    assert [each["where"] for each in site.check()] == [site.base + name]


def test_a_second_chapter_is_not_taken_for_a_second_page(site: Site) -> None:
    site.page("chapter.html")
    site.page("chapter2.html", listed=False)
    site.write()
    assert [each["file"] for each in site.check()] == ["chapter2.html"]


def test_links_between_directories_are_followed_once(site: Site) -> None:
    site.heads = dict.fromkeys(site.heads, "")
    site.write()
    (site.root / "latest").symlink_to("guide")
    (site.root / "guide" / "up").symlink_to("..")
    (site.root / "guide" / "etc").symlink_to("/etc")
    found = sorted(each["file"] for each in site.check() if each["id"] == "not-listed")
    assert found == ["latest/first.html", "latest/index.html", "latest/second.html"]


def test_a_pipe_is_no_page(site: Site) -> None:
    site.write()
    os.mkfifo(site.root / "pipe.html")
    (site.root / "link.html").symlink_to("pipe.html")
    assert site.check() == []


def test_a_listed_url_cannot_lead_out_of_the_site(site: Site) -> None:
    site.root.parent.joinpath("private.html").write_text("<title>Private</title>")
    for loc in ("../private.html", "%2e%2e/private.html", "guide/..%2f..%2fprivate.html"):
        site.entries[HOME + loc] = ""
    site.write()
    assert site.rules() <= {"missing-page", "bad-url"}
    assert len(site.check()) == 3


def test_two_runs_answer_the_same_bytes(broken: Site) -> None:
    first, second = (run("check", broken.root, "--json").stdout for _ in range(2))
    assert first == second


def test_the_table_of_rules_can_be_read() -> None:
    shown = run("check", "--rules").stdout
    for rule in RULES.values():
        assert f"{rule.id} ({rule.severity}; {rule.source})\n    {rule.title}" in shown


def test_the_table_of_rules_is_in_order() -> None:
    for rule in (*read_rules("sitemapkit").values(), *read_rules("sitemapkit_tools").values()):
        assert rule.severity in SEVERITIES
        for sentence in (rule.title, rule.fix):
            assert sentence[0].isupper()
            assert sentence.endswith(".")


def test_a_sitemap_of_news_may_be_empty_and_no_other(site: Site) -> None:
    site.write()
    for name, rules in (("sitemap-news.xml", set()), ("sitemap-blog.xml", {"empty-sitemap"})):
        (site.root / name).write_text(urlset())
        (site.root / "robots.txt").write_text(
            f"Sitemap: {site.base}sitemap.xml\nSitemap: {site.base}{name}\n"
        )
        assert site.rules() == rules


@pytest.mark.parametrize(
    ("robots", "rule"),
    [
        ("Sitemap: https://example.org/sitemap.xml\n".encode("utf-16"), "encoding"),
        (b"<!-- 1 -->\n<!DOCTYPE html><title>404</title>", "robots-html"),
        (b'\xef\xbb\xbf<?xml version="1.0"?><html></html>', "robots-html"),
        ("# K\xe4se\nSitemap: https://example.org/sitemap.xml".encode("latin-1"), None),
    ],
)
def test_a_robots_txt_that_no_crawler_can_read_is_told_once(
    site: Site, robots: bytes, rule: str | None
) -> None:
    site.write()
    site.put("robots.txt", robots)
    assert [each["id"] for each in site.check()] == ([rule] if rule else [])


def test_robots_txt_may_name_the_sitemaps_of_folders_that_are_deployed_apart(site: Site) -> None:
    others = ("https://example.org/blog/sitemap.xml", "https://example.org/guide/none.xml")
    site.robots = "".join(f"Sitemap: {url}\n" for url in (f"{site.base}sitemap.xml", *others))
    site.write()
    found = [(each["id"], each["where"]) for each in site.check()]
    assert found == [("robots-dead-sitemap", "https://example.org/guide/none.xml")]


def test_robots_txt_may_name_the_sitemaps_of_other_hosts_first(site: Site) -> None:
    for path in site.heads:
        site.heads[path] = ""
    site.robots = f"Sitemap: https://blog.example.net/sitemap.xml\n{site.robots}"
    site.write()
    assert [(each["id"], each["severity"]) for each in site.check()] == [
        ("robots-other-host", "note")
    ]


def test_a_packed_index_may_name_the_packed_sitemaps(site: Site) -> None:
    site.write()
    flags = ("--set", 'formats=["xml", "gz"]', "--set", "max_urls=2")
    assert run("build", site.root, "--base-url", site.base, *flags).code == 0
    packed = gzip.decompress((site.root / "sitemap.xml.gz").read_bytes())
    assert packed != (site.root / "sitemap.xml").read_bytes()
    assert site.check() == []


SPLIT = ("--set", "max_urls=2")
NEWS = ("--set", 'news={name = "Tea", language = "en", match = "guide/"}')


@pytest.mark.parametrize("base", ["https://example.org/", "https://example.org/docs/"])
@pytest.mark.parametrize("more", [(), SPLIT, NEWS])
@pytest.mark.parametrize("formats", ["xml", "gz", "txt", "txt.gz", "xml gz txt txt.gz html atom"])
def test_what_build_writes_needs_no_mending_and_can_be_compared(
    site: Site, base: str, more: tuple[str, ...], formats: str
) -> None:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    site.heads = dict.fromkeys(
        site.heads, f'<meta property="article:published_time" content="{now}">'
    )
    site.base, site.robots, site.sitemaps = base, None, False
    site.write()
    flags = ("--set", f"formats={formats.split()}")
    assert run("build", site.root, "--base-url", base, *flags, *more).code == 0
    outcome = run("check", site.root, "--base-url", base)
    assert outcome.code == 0, outcome.stdout
    assert run("diff", site.root, site.root).stdout.startswith("0 added, 0 changed, 0 removed")


@pytest.mark.parametrize(
    ("mark", "is_told"), [("<<<<<<< HEAD", True), ("<<<<<<<", True), ("<<", False), ("< ", False)]
)
@pytest.mark.parametrize("before", ["", "<urlset>\n", "<urlset>" + "<!-- -->" * 9_000 + "\n"])
def test_the_marks_of_a_merge_conflict_are_told(
    tmp_path: Path, before: str, mark: str, *, is_told: bool
) -> None:
    both = "<url/>\n=======\n<url/>\n>>>>>>> other\n</urlset>"
    (tmp_path / "sitemap.xml").write_text(f"{before}{mark}\n{both}")
    said = run("check", tmp_path).stdout
    assert "broken-xml" in said
    assert ("It has the marks of a merge conflict." in said) == is_told


@pytest.mark.parametrize(
    ("links", "found"),
    [
        (("", "about/"), {"canonical-twice"}),
        (("about/", "guide/"), {"canonical-twice"}),
        (("there/is/nothing/", "guide/"), {"canonical-twice"}),
        (("guide/", "guide/index.html"), set[str]()),
        (("guide/", "guide/"), set[str]()),
        (("about/", "about/index.html"), {"canonical-elsewhere"}),
    ],
)
@pytest.mark.parametrize("is_listed", [True, False])
def test_two_canonical_links_are_one_finding_if_they_name_two_pages(
    site: Site, links: tuple[str, str], found: set[str], *, is_listed: bool
) -> None:
    head = "".join(f'<link rel="canonical" href="{HOME}{path}">' for path in links)
    site.heads["guide/"] = head
    if not is_listed:
        del site.entries[f"{HOME}guide/"]
    site.write()
    expected = found if is_listed or "elsewhere" not in "".join(found) else set[str]()
    assert {
        each["id"]
        for each in site.check()
        if each["file"].startswith("guide/i") or each["where"] == f"{HOME}guide/"
    } - {"not-listed"} == expected


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize("links", [["private.html"], ["etc"], ["private.html", "guide/etc", "no"]])
def test_a_link_that_leads_outside_the_site_is_not_followed_and_that_is_said(
    site: Site, command: str, links: list[str]
) -> None:
    site.write()
    private = site.root.parent / "private"
    private.mkdir()
    for name in ("index.html", "private.html"):
        (private / name).write_text("<title>Private</title>")
    (site.root / "latest.html").symlink_to("about/index.html")
    (site.root / "guide/up").symlink_to("..")
    for link in links:
        name = {"private.html": "private.html", "no": "nothing"}.get(link, "")
        (site.root / link).symlink_to(private / name)
    outcome = run(command, site.root, "--base-url", HOME, "--json")
    assert "private" not in outcome.stdout
    (said,) = [line for line in outcome.stderr.splitlines() if "symbolic link" in line]
    assert said.startswith(f"warning {site.root / min(links)} is left out: ")
    assert ("2 more like this" in said) == (len(links) == 3)
