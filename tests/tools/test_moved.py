"""`sitemapkit moved`: addresses that a site once had, which of them died, and where they went."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import Outcome, run, urlset
from .deployed import HOME, Deployed, deployed, html, stub, text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def site(tmp_path: Path) -> Deployed:
    """A site with a home page and three others, deployed once."""
    made = deployed(tmp_path)
    made.deploy(
        {
            "index.html": html("Home", text("home"), head=f'<link rel="canonical" href="{HOME}">'),
            "brewing/index.html": html("Brewing", text("brewing")),
            "storing/index.html": html("Storing", text("storing")),
            "cups/index.html": html("Cups", text("cups")),
        }
    )
    return made


def look(site: Deployed, *arguments: object) -> Outcome:
    """Run the command on what was built last."""
    flags = ("--branch", "gh-pages", "--repository", site.root, "--base-url", HOME)
    return run("moved", site.site, *flags, *arguments)


def answers(site: Deployed, *arguments: object) -> dict[str, tuple[str, bool] | None]:
    """Return the dead addresses, each with its proposal and whether that is sure."""
    found: dict[str, Any] = json.loads(look(site, "--json", *arguments).stdout)
    dead = [*found["dead"], *(each for build in found["removed"] for each in build["dead"])]
    return {
        each["url"].removeprefix(HOME): (
            (each["proposal"]["to"].removeprefix(HOME), each["proposal"]["sure"])
            if each["proposal"]
            else None
        )
        for each in dead
    }


# Which are dead


def test_a_site_that_answers_all_its_addresses_is_praised(site: Deployed) -> None:
    outcome = look(site, "--fail")
    assert outcome.code == 0
    assert outcome.stdout == "All of 4 old addresses are answered.\n"


def test_an_address_that_died_long_ago_is_found(site: Deployed) -> None:
    site.deploy({"storing/index.html": None})
    for number in range(3):
        site.deploy({"index.html": html("Home", text(f"home{number}"))})
    assert answers(site) == {"storing/": None}


def test_an_address_that_came_back_is_not_dead(site: Deployed) -> None:
    page = site.pages["storing/index.html"]
    site.deploy({"storing/index.html": None})
    site.deploy({"storing/index.html": page})
    assert answers(site) == {}


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("storing/index.html", stub("../brewing/")),
        ("storing.html", html("Storing", text("storing"))),
        ("_redirects", "/storing/ /brewing/ 301\n"),
        ("_redirects", "# moved\n/stor* /brewing/\n/storing /brewing/\n"),
        ("_redirects", "/:name/ /brewing/ 302 # all\n"),
        ("_redirects", "/* /index.html 200\n"),
    ],
)
def test_an_address_that_is_answered_otherwise_is_not_dead(
    site: Deployed, file: str, content: str
) -> None:
    site.deploy({"storing/index.html": None})
    site.build({file: content})
    dead = answers(site)
    assert dead == ({"storing/": ("storing.html", True)} if file == "storing.html" else {})


@pytest.mark.parametrize(
    "rule",
    [
        "/storing/ /nowhere/ 301",
        "/storing/ /index.html 404",
        "/storing/ /brewing/ 301 Country=de",
        "/storing/ id=:id /brewing/ 301",
        "/stored/* /brewing/",
        "/storing/ /storing/",
    ],
)
def test_a_rule_that_answers_nothing_or_not_all_keeps_an_address_dead(
    site: Deployed, rule: str
) -> None:
    site.deploy({"storing/index.html": None})
    site.build({"_redirects": f"{rule}\n"})
    assert "storing/" in answers(site)


def test_a_redirect_whose_target_died_is_dead_and_led_to_where_that_went(site: Deployed) -> None:
    page = site.pages["storing/index.html"]
    site.deploy({"storing/index.html": stub("../keeping/"), "keeping/index.html": page})
    site.deploy({"keeping/index.html": None, "shelf/index.html": page})
    assert answers(site) == {"keeping/": ("shelf/", True), "storing/": ("shelf/", True)}


def test_old_redirects_are_read_in_one_walk_however_many_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "started.txt"
    wrapper = tmp_path / "bin/git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\necho "$@" >>{log}\nexec {shutil.which("git")} "$@"\n')
    wrapper.chmod(0o755)
    started = []
    for count in (2, 8):
        site = deployed(tmp_path / str(count))
        old = [f"old-{number}/index.html" for number in range(count)]
        site.deploy({name: html(name, text(name)) for name in ("index.html", *old)})
        site.deploy(dict.fromkeys(old, stub("../gone/")))
        for name in old:  # each goes with a commit of its own
            site.deploy({name: None})
        with monkeypatch.context() as patch:
            patch.setenv("PATH", str(wrapper.parent), prepend=":")
            assert len(answers(site)) == count
        started.append(len(log.read_text().splitlines()))
        log.unlink()
    assert started[0] == started[1]


def test_a_page_whose_name_begins_as_that_of_a_list_is_looked_for(site: Deployed) -> None:
    page = site.pages["storing/index.html"]
    site.deploy({"page-storing/index.html": page, "storing/index.html": None})
    site.deploy({"page-storing/index.html": None, "keeping/index.html": page})
    assert answers(site)["page-storing/"] == ("keeping/", True)


def test_addresses_may_be_meant_to_die(site: Deployed) -> None:
    site.deploy({"storing/index.html": None, "cups/index.html": None})
    assert answers(site, "--ignore", "cups/") == {"storing/": None}
    assert look(site, "--ignore", "cups/", "--ignore", "storing/", "--fail").code == 0


# Where they went


def test_a_page_with_the_same_words_is_where_it_went(site: Deployed) -> None:
    page = site.pages["storing/index.html"]
    site.deploy({"storing/index.html": None, "guide/keeping/index.html": page})
    assert answers(site) == {"storing/": ("guide/keeping/", True)}
    outcome = look(site)
    assert (
        f"{HOME}storing/\n    -> {HOME}guide/keeping/\n    it has the same words" in outcome.stdout
    )
    assert "    removed on 2024-05-02, commit " in outcome.stdout


def test_a_page_that_moved_twice_is_followed(site: Deployed) -> None:
    page = site.pages["storing/index.html"]
    site.deploy({"storing/index.html": None, "keeping/index.html": page})
    site.deploy({"keeping/index.html": html("Keeping", text("keeping", 40) + text("storing"))})
    site.deploy(
        {
            "keeping/index.html": None,
            "shelf/index.html": html("Keeping", text("keeping", 40) + text("storing", 80)),
        }
    )
    assert answers(site) == {"keeping/": ("shelf/", True), "storing/": ("shelf/", True)}


def test_a_page_that_was_rewritten_in_part_is_found(site: Deployed) -> None:
    new = html("On storing", text("storing", 60) + text("airtight", 30))
    site.deploy({"storing/index.html": None, "keeping/index.html": new})
    assert answers(site) == {"storing/": ("keeping/", True)}


def test_a_title_or_a_name_alone_is_not_enough(site: Deployed) -> None:
    other = html("Storing", text("warehouse"))
    site.deploy({"storing/index.html": None, "goods/storing/index.html": other})
    assert answers(site) == {"storing/": None}


def test_a_page_that_lived_beside_it_for_long_is_a_sibling(site: Deployed) -> None:
    alike = html("Storing green tea", text("storing", 80))
    site.deploy({"storing-green/index.html": alike})
    for number in range(7):
        site.deploy({"index.html": html("Home", text(f"home{number}"))})
    site.deploy({"storing/index.html": None})
    assert answers(site) == {"storing/": None}


def test_two_pages_that_are_equally_alike_are_not_told_apart(site: Deployed) -> None:
    halves = {
        f"{name}/index.html": html(name, text("storing", 90) + text(name, 90))
        for name in ("black", "green")
    }
    site.deploy({"storing/index.html": None, **halves})
    assert answers(site) == {"storing/": None}


def test_the_same_address_in_another_spelling_comes_first(site: Deployed) -> None:
    site.deploy(
        {
            "storing/index.html": None,
            "Storing.html": html("Else", text("else")),
            "keeping/index.html": site.pages["storing/index.html"],
        }
    )
    assert answers(site) == {"storing/": ("Storing.html", True)}


def test_a_page_that_says_it_has_moved_is_followed(site: Deployed) -> None:
    says = html("Storing", 'This page has moved to <a href="/keeping/">keeping tea</a>.')
    page = site.pages["storing/index.html"]
    site.deploy({"storing/index.html": None, "storing.html": says, "keeping/index.html": page})
    assert answers(site) == {"storing/": ("keeping/", True)}


def with_menu(storing: str) -> dict[str, str | None]:
    links = {"Brewing": "/brewing/", "How to store tea": storing}
    return {"index.html": html("Home", text("home"), links=links)}


def test_links_that_lead_elsewhere_now_say_where_a_rewritten_page_went(site: Deployed) -> None:
    site.deploy(with_menu("/storing/"))
    new = html("Keeping", text("storing", 12) + text("airtight", 80))
    site.deploy({**with_menu("/keeping/"), "storing/index.html": None, "keeping/index.html": new})
    assert answers(site) == {"storing/": ("keeping/", True)}
    assert "links that led there lead here now" in look(site).stdout


def test_links_alone_are_not_believed_where_no_text_is_the_same(site: Deployed) -> None:
    site.deploy(with_menu("/storing/"))
    new = html("Prices", text("prices"))
    site.deploy({**with_menu("/prices/"), "storing/index.html": None, "prices/index.html": new})
    assert answers(site) == {"storing/": None}


def test_where_text_and_links_disagree_it_is_perhaps(site: Deployed) -> None:
    site.deploy(with_menu("/storing/"))
    site.deploy(
        {
            **with_menu("/keeping/"),
            "storing/index.html": None,
            "shelf/index.html": html("Shelf", text("storing", 60) + text("wood", 30)),
            "keeping/index.html": html("Keeping", text("storing", 14) + text("airtight", 90)),
        }
    )
    assert answers(site) == {"storing/": ("keeping/", False)}
    assert f"-> perhaps {HOME}keeping/" in look(site).stdout


def test_a_page_above_may_have_taken_in_the_text(site: Deployed) -> None:
    site.deploy({"guide/index.html": html("Guide", text("guide"))})
    site.deploy({"guide/steps/index.html": html("Steps", text("steps"))})
    for number in range(7):
        site.deploy({"index.html": html("Home", text(f"home{number}"))})
    both = html("Guide", text("guide") + " " + text("steps"))
    site.deploy({"guide/steps/index.html": None, "guide/index.html": both})
    assert answers(site) == {"guide/steps/": ("guide/", True)}


def test_a_list_that_a_generator_made_is_not_looked_for(site: Deployed) -> None:
    page = html("Tag: tea", text("list"))
    site.deploy({"tag/tea.html": page})
    site.deploy({"tag/tea.html": None, "notes/index.html": page})
    assert answers(site) == {"tag/tea.html": None}


# Versions and languages


def version(name: str, topics: str) -> dict[str, str | None]:
    pages: dict[str, str | None] = {
        f"{name}/{topic}/index.html": html(topic, text(topic)) for topic in topics.split()
    }
    return {**pages, f"{name}/index.html": html(name, text("home")), f"{name}/objects.inv": "x"}


def test_a_version_that_is_gone_is_one_line(site: Deployed) -> None:
    site.deploy(version("1.0", "steeping pouring"))
    site.deploy(version("2.0", "steeping"))
    site.deploy(dict.fromkeys(version("1.0", "steeping pouring")))
    outcome = look(site)
    assert f"{HOME}1.0/ is gone with 3 addresses, of which " in outcome.stdout
    assert f"{HOME}1.0/pouring/" not in outcome.stdout
    assert f"{HOME}1.0/pouring/" in look(site, "--all").stdout


def test_a_page_is_looked_for_in_its_own_version(site: Deployed) -> None:
    site.deploy(version("1.0", "steeping"))
    moved = {"1.0/steeping/index.html": None}
    other = {"2.0/hot/index.html": html("steeping", text("steeping"))}
    site.deploy({**version("2.0", ""), **moved, **other})
    assert answers(site)["1.0/steeping/"] is None
    own = {"1.0/warm/index.html": html("steeping", text("steeping"))}
    site.deploy(own)
    assert answers(site)["1.0/steeping/"] == ("1.0/warm/", True)


def test_a_page_is_looked_for_in_its_own_language(site: Deployed) -> None:
    german = html("Lagern", text("storing")).replace('lang="en"', 'lang="de"')
    site.deploy({"storing/index.html": None, "lagern/index.html": german})
    assert answers(site) == {"storing/": None}


# Other sources


def test_an_old_sitemap_names_addresses(site: Deployed, tmp_path: Path) -> None:
    old = tmp_path / "old.xml"
    old.write_text(urlset(f"<loc>{HOME}gone/</loc>", f"<loc>{HOME}cups.html</loc>"))
    outcome = run("moved", site.site, "--old", old, "--json")
    dead = json.loads(outcome.stdout)["dead"]
    assert [each["url"] for each in dead] == [f"{HOME}cups.html", f"{HOME}gone/"]
    assert dead[0]["proposal"]["to"] == f"{HOME}cups/"
    assert dead[1]["proposal"] is None


def test_an_old_directory_has_texts(site: Deployed, tmp_path: Path) -> None:
    old = shutil.copytree(site.site, tmp_path / "old")
    page = site.pages["storing/index.html"]
    site.build({"storing/index.html": None, "keeping/index.html": page})
    outcome = run("moved", site.site, "--old", old, "--json")
    (dead,) = json.loads(outcome.stdout)["dead"]
    assert dead["proposal"]["to"] == f"{HOME}keeping/"
    assert dead["is_new"]


def test_a_report_and_a_ledger_name_addresses(site: Deployed, tmp_path: Path) -> None:
    report, ledger = tmp_path / "report.json", tmp_path / "ledger.txt"
    options = ("--report", report, "--ledger", ledger, "--base-url", HOME)
    assert run("build", site.site, *options).code == 0
    page = site.pages["storing/index.html"]
    site.build({"storing/index.html": None, "keeping/index.html": page, "cups/index.html": None})
    for flag, file in (("--report", report), ("--ledger", ledger)):
        outcome = run("moved", site.site, flag, file, "--json", "--base-url", HOME)
        dead = json.loads(outcome.stdout)["dead"]
        assert [each["url"] for each in dead] == [f"{HOME}cups/", f"{HOME}storing/"]
    assert dead[1]["proposal"]["to"] == f"{HOME}keeping/"  # by its digest


# In CI


def test_a_change_shows_which_addresses_it_kills(site: Deployed) -> None:
    site.deploy({"storing/index.html": None})
    site.build({"cups/index.html": None})
    assert set(answers(site)) == {"cups/", "storing/"}
    assert set(answers(site, "--new")) == {"cups/"}
    outcome = look(site, "--new", "--fail")
    assert outcome.code == 1
    assert "1 of 4 addresses is dead (1 by this build)" in outcome.stdout
    assert look(site, "--new", "--fail", "--ignore", "cups/").code == 0


def test_a_job_summary_has_a_table(site: Deployed) -> None:
    site.build({"cups/index.html": None})
    outcome = look(site, "--as", "markdown")
    assert f"| {HOME}cups/ | nowhere |" in outcome.stdout


# What is wrong


def test_nothing_that_names_old_addresses_is_an_error(site: Deployed) -> None:
    outcome = run("moved", site.site, "--base-url", HOME)
    assert outcome.code == 2
    assert "--branch gh-pages" in outcome.stderr


def test_a_branch_that_is_not_there_is_named_with_those_that_are(site: Deployed) -> None:
    outcome = run("moved", site.site, "--branch", "pages", "--repository", site.root)
    assert outcome.code == 2
    assert "has no branch 'pages'; it has gh-pages" in outcome.stderr


def test_at_the_first_deploy_no_address_is_old(site: Deployed, tmp_path: Path) -> None:
    for given in (
        ("--branch", "pages", "--repository", site.root),
        ("--branch", "gh-pages", "--repository", site.root, "--branch-folder", "docs"),
        ("--old", tmp_path / "none.xml"),
    ):
        refused = run("moved", site.site, *given, "--base-url", HOME, "--fail")
        assert refused.code == 2
        assert "add --first" in refused.stderr
        first = run("moved", site.site, *given, "--base-url", HOME, "--fail", "--first")
        assert (first.code, first.stdout) == (0, "All of 0 old addresses are answered.\n")


def test_a_folder_without_a_repository_is_an_error(site: Deployed, tmp_path: Path) -> None:
    outcome = run("moved", site.site, "--branch", "gh-pages", "--repository", tmp_path)
    assert outcome.code == 2
    assert "--repository" in outcome.stderr


def test_a_branch_without_pages_is_an_error(site: Deployed) -> None:
    outcome = look(site, "--branch-folder", "docs")
    assert outcome.code == 2
    assert "has never had an HTML page in its folder docs/" in outcome.stderr


def test_a_shallow_clone_is_an_error_unless_only_the_newest_state_counts(
    site: Deployed, tmp_path: Path
) -> None:
    site.deploy({"storing/index.html": None})
    clone = tmp_path / "clone"
    command = ["git", "clone", "--quiet", "--depth=1", f"file://{site.root}", str(clone)]
    subprocess.run(command, check=True)
    flags = ("--branch", "gh-pages", "--repository", clone, "--base-url", HOME)
    outcome = run("moved", site.site, *flags)
    assert outcome.code == 2
    assert "git fetch --unshallow origin gh-pages" in outcome.stderr
    site.build({"cups/index.html": None})
    outcome = run("moved", site.site, *flags, "--new", "--json")
    assert [each["url"] for each in json.loads(outcome.stdout)["dead"]] == [f"{HOME}cups/"]


def test_a_branch_of_one_commit_is_said_to_be_one(site: Deployed) -> None:
    assert "has only one commit" in look(site).stderr


def test_a_wrong_pattern_is_named(site: Deployed) -> None:
    outcome = look(site, "--ignore", "cups\\")
    assert outcome.code == 2
    assert "--ignore" in outcome.stderr


def test_what_is_for_settings_is_not_applied(site: Deployed) -> None:
    outcome = look(site, "--as", "nginx", "--apply")
    assert outcome.code == 2
    assert "--apply writes only" in outcome.stderr
