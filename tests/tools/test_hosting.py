"""Files for the host in a finished site: `_headers`, `_redirects` and robots.txt."""

from __future__ import annotations

import json
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from sitemapkit_tools.hosting import MOST_BYTES, MOST_PATTERNS
from sitemapkit_tools.hosting.headers import HostHeaders
from sitemapkit_tools.hosting.redirects import HostRules

from .conftest import Site, run

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://example.org/"


@pytest.fixture
def bare(tmp_path: Path) -> Site:
    made = Site(tmp_path / "site", sitemaps=False, robots=None)
    for path in ("", "about/", "drafts/a/", "drafts/b/", "old.html"):
        made.page(path)
    made.write()
    return made


def excluded(site: Site) -> dict[str, str]:
    """Return why a build does not list pages."""
    report = json.loads(run("build", site.root, "--base-url", HOME, "--json").stdout)
    return {
        each["url"].removeprefix(HOME): f"{each['reason']}: {each['decided_by']}"
        for each in report["excluded"]
    }


@pytest.mark.parametrize("path", ["/drafts/*", f"{HOME}drafts/*", "/drafts/:name/", "/d*s/*/"])
def test_a_header_that_forbids_indexing_counts_for_build_and_check(bare: Site, path: str) -> None:
    said = f"{HOME}*" if path.startswith("http") else "/*"
    bare.put(
        "_headers", f"# ours\n{said}\n  Cache-Control: no-store\n\n{path}\n\tx-robots-tag : none\n"
    )
    assert "noindex-not-rendered" not in run("build", bare.root, "--base-url", HOME).stderr
    why = "noindex: _headers:6 sends X-Robots-Tag: noindex"
    assert excluded(bare) == {"drafts/a/": why, "drafts/b/": why}
    assert "not-listed" not in bare.rules()
    (bare.root / "_headers").rename(bare.root / "kept")
    assert excluded(bare) == {}
    (bare.root / "kept").rename(bare.root / "_headers")
    found = {(each["id"], each["where"], each["detail"]) for each in bare.check()}
    detail = "_headers:6 sends X-Robots-Tag: noindex."
    assert {("noindex", f"{HOME}drafts/{name}/", detail) for name in "ab"} <= found


@pytest.mark.parametrize(
    "headers",
    [
        "/drafts/*\nX-Robots-Tag: noindex\n",
        "  /drafts/*\n  X-Robots-Tag: noindex\n",
        "/drafts/A\n  X-Robots-Tag: noindex\n/Drafts/B/*\n  X-Robots-Tag: noindex\n",
        "https://other.example/*\n  A: b\n\t/drafts/*\nx-robots-tag:noindex\n",
    ],
)
def test_a_page_is_meant_however_hosts_trim_and_compare_lines(bare: Site, headers: str) -> None:
    bare.put("_headers", headers)
    assert {*excluded(bare)} == {"drafts/a/", "drafts/b/"}


def test_rules_come_before_files_on_cloudflare() -> None:
    rules = "/old.html /about/ 301\n/drafts/* /about/\n"
    pages, other = (HostRules(rules, f"https://a.{name}/") for name in ("pages.dev", "example"))
    for path in ("old.html", "drafts/a/"):
        answer = pages.answer(f"https://a.pages.dev/{path}", has_file=True)
        assert answer
        assert answer.target == "https://a.pages.dev/about/"
        assert other.answer(f"https://a.example/{path}", has_file=True) is None


@pytest.mark.parametrize(
    "headers",
    [
        "/drafts/*\n  X-Robots-Tag: nofollow\n",
        "https://:project.pages.dev/*\n  X-Robots-Tag: noindex\n",
        "https://preview.example.net/*\n  X-Robots-Tag: noindex\n",
        "/*\n  X-Robots-Tag: noindex\n/*\n  ! X-Robots-Tag\n",
        "/drafts/*\n# X-Robots-Tag: noindex\n",
        "/drafts/*\n  # X-Robots-Tag: noindex\n",
        "/drafts\n  X-Robots-Tag: noindex\n",
        "/drafts/:name\n  X-Robots-Tag: otherbot: noindex\n",
        "  X-Robots-Tag: noindex\n",
        "",
    ],
)
def test_headers_of_other_urls_hosts_and_crawlers_forbid_nothing(bare: Site, headers: str) -> None:
    bare.put("_headers", headers)
    assert excluded(bare) == {}
    assert bare.rules() == set()


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    headers = HostHeaders(f"/{'*a' * 5_000}b\n  X-Robots-Tag: noindex", HOME)
    assert headers.noindex(HOME + "a" * 2_000) == ""


VALUES = {
    "the name that comes next": ("/:bb/:a/", "/:a:a/x", "/:bb:a", "/:a:ax"),
    "its own name": ("/:a/", "/:a:a", "/:a:a:a", "/:a:a:a:a:a:a"),
    "the rest": ("/:a/*", "/:splat:splat/:a", "/:a/:splat", "/:splat:splat/:a"),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_that_looks_like_a_name_is_put_in_as_it_is(name: str) -> None:
    rule, path, target, expected = VALUES[name]
    answer = HostRules(f"{rule} {target} 301", HOME).answer(HOME + path[1:], has_file=False)
    assert answer
    assert answer.target == HOME + expected[1:]


def test_what_is_put_in_makes_no_address_longer_than_addresses_are() -> None:
    rules = HostRules(f"/* /{':splat' * 300} 301", HOME)
    assert rules.answer(f"{HOME}{'a' * 2_000}", has_file=False) is None
    assert rules.answer(f"{HOME}{'a'}", has_file=False)


@pytest.mark.parametrize("name", ["_redirects", "_headers"])
def test_rules_beyond_the_limits_are_said_not_cut(bare: Site, name: str) -> None:
    line = {"_redirects": "/{}/* /b 301\n", "_headers": "/{}/*\n X-Robots-Tag: none\n"}[name]
    bare.put(name, "".join(map(line.format, range(MOST_PATTERNS))))
    assert excluded(bare) == {}
    bare.put(name, "".join(map(line.format, range(MOST_PATTERNS + 1))))
    for command in ("build", "check"):
        said = run(command, bare.root, "--base-url", HOME)
        assert said.code == 2
        assert f"{name} has 1,001 paths with `*`" in said.stderr
    bare.put(name, "#".ljust(MOST_BYTES + 1))
    said = run("build", bare.root, "--base-url", HOME)
    assert f"{name}: it has more than 4,194,304 bytes. Shorten it" in said.stderr


def test_the_first_line_of_all_that_match_counts() -> None:
    rules = HostRules("/a/ /1\n/* /2\n/a /3 301!\n/b /4\n/b /5 301!\n", HOME)
    found = [
        rules.answer(HOME + path, has_file=has_file)
        for path, has_file in (("a", False), ("b", False), ("a", True), ("b", True), ("c", True))
    ]
    targets = [each and each.target and each.target[-1] for each in found]
    assert targets == ["1", "2", "3", "5", None]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("/old.html /about/ 301!", f"redirects elsewhere: {HOME}about/, _redirects:1"),
        (
            "/old.html https://example.net/ 302!",
            "redirects elsewhere: https://example.net/, _redirects:1",
        ),
        ("/old.html /about/ 404!", "redirects elsewhere: 404, _redirects:1"),
    ],
)
def test_a_forced_redirect_hides_the_page_from_build_and_check(
    bare: Site, line: str, why: str
) -> None:
    bare.put("_redirects", f"{line}\n")
    assert excluded(bare) == {"old.html": why}
    assert bare.rules() == set()
    (bare.root / "_redirects").unlink()
    assert excluded(bare) == {}
    bare.put("_redirects", f"{line}\n")
    found = {(each["id"], each["where"]) for each in bare.check()}
    rule = "missing-page" if "404" in line else "redirect"
    assert (rule, f"{HOME}old.html") in found


@pytest.mark.parametrize(
    "line",
    [
        "/old.html /about/",
        "/old.html /about/ 301",
        "/old.html /about/ 301! Country=at",
        "# /old.html /about/ 301!",
        "/other.html /about/ 301!",
    ],
)
def test_a_redirect_that_a_file_comes_before_hides_nothing(bare: Site, line: str) -> None:
    bare.put("_redirects", f"{line}\n")
    assert excluded(bare) == {}
    assert bare.rules() == set()


@pytest.mark.parametrize(
    ("agent", "rule", "forbidden"),
    [
        ("*", "/drafts/", {"drafts/a/", "drafts/b/"}),
        ("*", "/about", {"about/"}),
        ("*", "/*.html$", {"old.html"}),
        ("Googlebot", "/about", {"about/"}),
    ],
)
def test_rb7_pages_that_robots_txt_forbids_are_left_out(
    bare: Site, agent: str, rule: str, forbidden: set[str]
) -> None:
    """So that check does not fail for what build wrote."""
    bare.put("robots.txt", f"User-agent: {agent}\nDISALLOW: {rule}\n")
    assert excluded(bare) == dict.fromkeys(forbidden, "forbidden by robots.txt: ")
    assert "robots-disallowed" not in bare.rules()


def test_rb7_that_robots_txt_forbids_all_pages_is_on_purpose_and_said(bare: Site) -> None:
    bare.put("robots.txt", "User-agent: *\nDisallow: /\n")
    report = json.loads(run("build", bare.root, "--base-url", HOME, "--json").stdout)
    (found,) = (each for each in report["issues"] if each["id"] == "robots-disallowed")
    assert (found["where"], found["severity"]) == (HOME, "note")
    assert excluded(bare) == {}


@pytest.mark.parametrize("robots", ["User-agent: a\nDisallow: /\n", "User-agent: *\nDisallow:\n"])
def test_what_robots_txt_forbids_to_one_crawler_or_to_none_is_not_said(
    bare: Site, robots: str
) -> None:
    bare.put("robots.txt", robots)
    assert "robots-disallowed" not in run("build", bare.root, "--base-url", HOME).stderr


@pytest.mark.parametrize(
    ("rule", "path", "target"),
    [
        ("/:a/:b /x/:a", ":b/secret", "x/:b"),
        ("/:a/* /:splat/:a", ":splat/:a", ":a/:splat"),
        ("/:ab/:a /:ab/:a", ":a/y", ":a/y"),
        ("/:a /\\1/:a", "\\g<0>", None),
        ("/a /\n/b /c", "b", "c"),
        ("/a /\x85/b /c", "b", "c"),
        ("/* //:splat", "e.net", None),
    ],
)
def test_what_stands_for_a_part_of_a_path_is_not_read_again(
    rule: str, path: str, target: str | None
) -> None:
    answer = HostRules(rule, HOME).answer(HOME + path, has_file=False)
    if target is not None:
        assert answer
        assert answer.target == HOME + target


NESTED = [f":{'a' * number}" for number in range(6, 0, -1)]
HOSTILE_RULES = {
    "a long target": "/:a /" + ":a/" * 160_000,
    "a long path": "/:a" * 160_000 + " /b",
    "names in each other": f"/{'/'.join(NESTED)} /{NESTED[0]}",
    "stars": "/*" * 160_000 + " /:splat",
    "many rules": "/a/:b/c /:b\n" * 30_000,
    "bytes": "/\0\x1b[2J\u202e /\ud800 301\n" * 1_000,
    "numbers": "/a /b " + "9" * 400_000,
    "comments": "# " * 200_000,
}


@pytest.mark.parametrize("rules", HOSTILE_RULES.values(), ids=HOSTILE_RULES)
def test_no_rules_take_more_memory_than_some_times_their_size(rules: str) -> None:
    nested = "/".join((name * 300)[:330] for name in NESTED[1:])
    read = HostRules(rules, HOME)
    tracemalloc.start()
    for path in ("x" * 2_000, f"{nested}/y", "a" + "/b" * 1_000):
        read.answer(HOME + path, has_file=False)
    assert len([*read.written()]) <= rules.count("\n") + 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000
