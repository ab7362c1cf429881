"""Versions in folders of one site: where their canonical links lead, and what `merge` lists."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from sitemapkit_tools.site.facts import page_facts

from .conftest import Site, run

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://example.org/"
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url if "://" in url else HOME + url}">'


def refresh(url: str) -> str:
    return f'<meta http-equiv="refresh" content="0; url={HOME}{url}">'


def alternate(code: str, url: str) -> str:
    return f'<link rel="alternate" hreflang="{code}" href="{HOME}{url}">'


NOINDEX = '<meta name="robots" content="noindex">'


class Tree:
    """A folder that is served, with a site for each version in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def version(
        self, name: str, paths: str = "a/", *, to: str = "latest", sitemap: bool = True
    ) -> Site:
        """Write a version as if it was built for the URL of `to`; all its pages are listed."""
        made = Site(self.root / name, base=f"{HOME}{to}/", robots=None, sitemaps=sitemap)
        for path in ("", *paths.split()):
            made.page(path)
        made.write()
        return made

    def page(self, path: str, head: str) -> None:
        """Write another page of the tree, with a title of its own."""
        site = Site(self.root, robots=None, sitemaps=False)
        site.page(path, head)
        site.write()

    def publish(self, *versions: str, folder: str = "", latest: str = "") -> None:
        """Write a versions.json as mike does; one version may have the alias `latest`."""
        held = [
            {"version": name, "title": name, "aliases": ["latest"] if name == latest else []}
            for name in versions
        ]
        Site(self.root).put(f"{folder}versions.json", json.dumps(held))

    def merge(
        self, *names: str, code: int = 0, flags: tuple[str, ...] = ()
    ) -> tuple[list[str], str]:
        """Merge versions; return what is listed, and what is said."""
        folders = [self.root / name for name in names]
        outcome = run("merge", *folders, "--out", self.root, "--base-url", HOME, *flags)
        assert outcome.code == code, outcome.stderr
        return self.listed() if code == 0 else [], outcome.stderr

    def listed(self) -> list[str]:
        index = [loc.text or "" for loc in etree.parse(self.root / "sitemap.xml").iter(LOC)]
        files = [etree.parse(self.root / url.removeprefix(HOME)) for url in index]
        return sorted(
            (loc.text or "").removeprefix(HOME) for file in files for loc in file.iter(LOC)
        )

    def check(self, *flags: str) -> list[dict[str, Any]]:
        outcome = run("check", self.root, "--base-url", HOME, "--json", *flags)
        found: list[dict[str, Any]] = json.loads(outcome.stdout)["issues"]
        return found

    def found(self, *flags: str) -> set[tuple[str, str]]:
        """Return the rules that are broken, and where, but for what `merge` would still write."""
        found = {(each["id"], each["where"].removeprefix(HOME)) for each in self.check(*flags)}
        return found - {("robots-no-sitemap", "robots.txt")}


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Three versions whose pages name the latest one as canonical."""
    made = Tree(tmp_path)
    for name in ("1.0", "2.0", "latest"):
        made.version(name)
    made.publish("2.0", "1.0")
    return made


def test_versions_that_name_one_as_canonical_have_no_fault(tree: Tree) -> None:
    assert tree.merge("1.0", "2.0", "latest") == (["latest/", "latest/a/"], "")
    assert tree.check() == []


FAULTS = {
    "canonical-dead": canonical("latest/gone/"),
    "canonical-redirect": canonical("latest/moved/"),
    "canonical-chain": canonical("2.0/"),
    "canonical-noindex": NOINDEX + canonical("latest/"),
    "canonical-disallowed": canonical("latest/"),
    "canonical-other-host": canonical("https://example.net/"),
    "version-copies": canonical("1.0/version-copies/"),
    "hreflang-not-canonical": canonical("latest/") + alternate("de", "1.0/a/"),
}
OF_A_VERSION = {
    *("canonical-disallowed", "canonical-other-host"),
    *("version-copies", "hreflang-not-canonical"),
}


@pytest.fixture
def faulty(tree: Tree) -> Tree:
    """A tree that is merged, and then gets one page with each fault."""
    tree.page("latest/moved/", refresh("latest/a/"))
    tree.page("latest/version-copies/", canonical("latest/"))
    tree.merge("1.0", "2.0", "latest")
    for rule, head in FAULTS.items():
        tree.page(f"1.0/{rule}/", head)
    (tree.root / "robots.txt").write_text(
        f"User-agent: *\nDisallow: /1.0/canonical-disallowed/\n\nSitemap: {HOME}sitemap.xml\n"
    )
    return tree


def test_each_fault_is_found_in_a_page_that_is_not_listed(faulty: Tree) -> None:
    expected = {(rule, "1.0/" if rule in OF_A_VERSION else f"1.0/{rule}/") for rule in FAULTS} | {
        ("not-listed", "1.0/version-copies/")
    }
    assert faulty.found() == expected
    (faulty.root / "versions.json").unlink()
    assert faulty.found("--version-folder", "1.0") == expected


def test_a_folder_of_a_version_that_is_not_there_is_wrong_use(tree: Tree) -> None:
    outcome = run("check", tree.root, "--base-url", HOME, "--version-folder", "1.O")
    assert outcome.code == 2
    assert f"--version-folder 1.O: {tree.root} has no such folder" in outcome.stderr


@pytest.mark.parametrize("flags", [(), ("--version-folder", "1.0")])
def test_a_latest_version_that_is_not_there_is_wrong_use(
    tree: Tree, flags: tuple[str, ...]
) -> None:
    outcome = run("check", tree.root, "--base-url", HOME, "--latest", "3.0", *flags)
    assert outcome.code == 2
    assert f"--latest 3.0: {tree.root} has no such version" in outcome.stderr


def test_merge_says_each_fault_once_for_a_version(faulty: Tree) -> None:
    listed, said = faulty.merge("1.0", "2.0", "latest")
    assert listed == ["1.0/version-copies/", "latest/", "latest/a/"]
    for rule in FAULTS:
        assert said.count(f"[{rule}]") == 1, rule
    assert len(said.splitlines()) == len(FAULTS)


def detail(tree: Tree, rule: str, *flags: str) -> str:
    """Return what is said of the one issue of a rule."""
    (found,) = [each for each in tree.check(*flags) if each["id"] == rule]
    said: str = found["detail"]
    return said


def test_a_page_that_one_version_alone_has_is_called_so(tree: Tree) -> None:
    tree.page("1.0/gone/", canonical("latest/gone/"))
    names = f"It names {HOME}latest/gone/."
    assert detail(tree, "canonical-dead") == f"{names} Only 1.0 has the page."
    tree.page("2.0/gone/", NOINDEX)
    assert detail(tree, "canonical-dead") == names


@pytest.mark.parametrize("cure", [refresh("latest/a/"), canonical("latest/gone/")])
def test_a_redirect_where_the_page_was_or_the_page_itself_cures_a_dead_link(
    tree: Tree, cure: str
) -> None:
    tree.page("1.0/gone/", canonical("latest/gone/"))
    assert tree.merge("1.0", "2.0", "latest")[1].count("[canonical-dead]") == 1
    tree.page("latest/gone/", cure)
    tree.merge("1.0", "2.0", "latest")
    assert {each["severity"] for each in tree.check()} <= {"note"}


def test_a_redirect_to_nothing_is_a_dead_link(tree: Tree) -> None:
    tree.page("1.0/old/", canonical("latest/old/"))
    tree.page("latest/old/", refresh("latest/new/"))
    assert detail(tree, "canonical-dead") == (
        f"It names {HOME}latest/old/, which leads to {HOME}latest/new/. Only 1.0 has the page."
    )


def test_pages_that_name_each_other_are_each_told(tree: Tree) -> None:
    """The pages of two versions, of which nobody is the canonical one."""
    tree.page("1.0/b/", canonical("2.0/b/"))
    tree.page("2.0/b/", canonical("1.0/b/"))
    tree.page("latest/b/", canonical("2.0/b/"))
    assert tree.found() >= {
        ("canonical-redirect", "1.0/b/"),
        ("canonical-redirect", "2.0/b/"),
        ("canonical-chain", "latest/b/"),
    }


@pytest.mark.parametrize("listed", [True, False])
def test_a_listed_page_and_any_other_get_one_answer(tmp_path: Path, listed: bool) -> None:
    site = Site(tmp_path, robots=None)
    site.page("")
    site.page("stub/", refresh("loop/"), listed=False)
    for name, target in (("dead", "nothing/"), ("loop", "stub/"), ("slash", "slash/index.html")):
        site.page(f"{name}/", canonical(target), listed=listed)
    site.write()
    wrong = {(each["id"], each["where"]) for each in site.check("--base-url", HOME)}
    found = {("canonical-dead", f"{HOME}dead/"), ("canonical-redirect", f"{HOME}loop/")}
    missed = set() if listed else {("not-listed", f"{HOME}slash/index.html")}
    assert wrong - {("robots-no-sitemap", "robots.txt")} == found | missed


def test_a_missing_final_slash_is_a_matter_of_spelling(tree: Tree) -> None:
    tree.page("1.0/b/", canonical("latest/a"))
    tree.page("2.0/b/", canonical("1.0/b"))
    tree.page("2.0/c/", canonical("latest/c"))
    tree.page("latest/c/", '<link rel="canonical" href="../a/">')
    tree.merge("1.0", "2.0", "latest")
    chains = {("canonical-chain", "2.0/b/"), ("canonical-chain", "2.0/c/")}
    assert tree.found() == chains


def test_copies_are_counted_for_each_version(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    for name in ("1.0", "1.1", "latest"):
        tree.version(name, "a/ b/", to=name)
    tree.page("1.0/only/", canonical("1.0/only/"))
    tree.publish("1.1", "1.0")
    copies = {
        each["where"]: each["detail"] for each in tree.check() if each["id"] == "version-copies"
    }
    assert copies == {
        f"{HOME}{name}/": f"3 pages, such as /{name}/. {HOME}latest/ is the same page."
        for name in ("1.0", "1.1")
    }


def test_without_a_version_to_be_found_all_copies_are_told(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    for name in ("1.0", "1.1"):
        tree.version(name, to=name)
    tree.publish("1.1", "1.0")
    assert tree.found() == {("version-copies", "1.0/"), ("version-copies", "1.1/")}
    assert tree.found("--latest", "1.1") == {("version-copies", "1.0/")}


def test_versions_of_each_language_are_apart(tmp_path: Path) -> None:
    """As mike makes them with `deploy_prefix`."""
    tree = Tree(tmp_path)
    for name in ("de/1.0", "de/2.0", "en/1.0"):
        tree.version(name, to=name)
    for language in ("de", "en"):
        tree.publish("2.0", "1.0", folder=f"{language}/", latest="2.0")
    assert tree.found() == {("version-copies", "de/1.0/")}


@pytest.mark.parametrize("text", ["{", '{"2.0": "/2.0/"}', '[{"name": "2.0"}]'])
def test_a_versions_json_of_another_program_names_no_versions(tree: Tree, text: str) -> None:
    tree.merge("1.0", "2.0", "latest")
    (tree.root / "versions.json").write_text(text)
    tree.page("1.0/copy/", canonical("1.0/copy/"))
    tree.page("latest/copy/", canonical("latest/copy/"))
    assert {rule for rule, _ in tree.found()} == {"not-listed"}


def test_a_versions_json_that_leads_nowhere_is_named(tree: Tree) -> None:
    tree.merge("1.0", "2.0", "latest")
    (tree.root / "versions.json").unlink()
    (tree.root / "versions.json").symlink_to("nowhere.json")
    outcome = run("check", tree.root)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "versions.json: No such file or directory" in outcome.stderr


def test_translations_are_in_the_version_of_the_page(tree: Tree) -> None:
    heads = canonical("latest/a/") + alternate("en", "latest/a/")
    tree.page("latest/a/", heads + alternate("de", "latest/de/a/"))
    tree.page("latest/de/a/", canonical("latest/de/a/") + alternate("en", "latest/a/"))
    assert "hreflang-not-canonical" not in {rule for rule, _ in tree.found()}
    tree.page("1.0/only/", canonical("1.0/only/") + alternate("de", "latest/de/a/"))
    assert detail(tree, "hreflang-not-canonical") == (
        f"1 page, /1.0/only/. It names {HOME}latest/de/a/, which is in latest."
    )


# What merge lists


def test_a_version_whose_pages_name_others_needs_no_sitemap(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.version("1.0", sitemap=False)
    tree.version("latest")
    assert tree.merge("1.0", "latest") == (["latest/", "latest/a/"], "")


def test_a_version_with_pages_to_be_found_needs_a_sitemap(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.version("1.0", to="1.0", sitemap=False)
    tree.version("latest")
    assert f"{tmp_path / '1.0'} has no sitemap" in tree.merge("1.0", "latest", code=2)[1]


def test_a_page_that_only_an_old_version_has_is_listed_with_its_date(tree: Tree) -> None:
    """Its build was made for the URL of the latest version, and listed it there."""
    old = tree.version("1.0", "a/ only/")
    tree.page("1.0/", canonical("latest/") + f'<link rel="next" href="{HOME}1.0/only/">')
    tree.page("1.0/only/", canonical("1.0/only/"))
    assert tree.merge("1.0", "2.0", "latest") == (["1.0/only/", "latest/", "latest/a/"], "")
    assert old.entries[f"{HOME}latest/only/"] in (tree.root / "sitemap-1.0-1.xml").read_text()
    assert tree.check() == []


def test_what_ends_up_in_no_sitemap_is_told(tree: Tree) -> None:
    """A page of the latest version that its build left out, and its copies."""
    for name in ("1.0", "latest"):
        tree.page(f"{name}/hidden/", canonical("latest/hidden/"))
    listed, said = tree.merge("1.0", "2.0", "latest")
    assert listed == ["latest/", "latest/a/"]
    for name in ("1.0", "latest"):
        assert (
            f"{HOME}{name}/: The page may be indexed, but is in no sitemap. 1 page, /{name}/"
            in said
        )
    assert said.count("[not-listed]") == 2


def test_what_a_pattern_leaves_out_is_not_told(tree: Tree) -> None:
    assert tree.merge("1.0", "2.0", "latest", flags=("--exclude", "latest/a/")) == (["latest/"], "")


def test_an_alias_made_of_redirects_lists_the_pages_that_it_leads_to(tmp_path: Path) -> None:
    """All versions name the alias as canonical, as with mike's `canonical_version: latest`."""
    tree = Tree(tmp_path)
    for name in ("1.0", "2.0"):
        tree.version(name)
    for path in ("", "a/"):
        tree.page(f"latest/{path}", refresh(f"2.0/{path}"))
    tree.publish("2.0", "1.0", latest="2.0")
    for folders in (("1.0", "2.0", "latest"), ("1.0", "2.0")):
        listed, said = tree.merge(*folders)
        assert listed == ["2.0/", "2.0/a/"]
        assert (
            "2 pages, such as /2.0/. It names https://example.org/latest/, which leads back" in said
        )
        assert "not-listed" not in said
    listed, _ = tree.merge("1.0", "2.0", "latest", flags=("--policy", "latest"))
    assert listed == ["2.0/", "2.0/a/"]


def test_the_base_url_is_found_although_all_builds_are_for_one_version(tree: Tree) -> None:
    folders = [tree.root / name for name in ("1.0", "2.0", "latest")]
    assert run("merge", *folders, "--out", tree.root).code == 0
    assert tree.listed() == ["latest/", "latest/a/"]


def test_a_redirect_by_script_is_one_if_there_is_a_refresh_to_the_same_page() -> None:
    """As in the aliases of mike."""
    page = (
        '<html><head><title>Redirecting</title><noscript>\n<meta http-equiv="refresh"'
        ' content="1; url=../../2.0/?a=1&amp;b=2" /></noscript>\n<script>{}</script></head><body>'
    )
    script = 'window.location.replace("../../2.0/?a=1&amp;b=2" + window.location.hash);'
    assert page_facts(page.format(script).encode()).head.refresh == "../../2.0/?a=1&b=2"
    for other in ("", 'window.location.replace("../");', 'print("../../2.0/?a=1&amp;b=2")'):
        assert page_facts(page.format(other).encode()).head.refresh is None
