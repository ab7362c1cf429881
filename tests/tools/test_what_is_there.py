"""Before it writes, `build` looks at what is there: other sitemaps, the site's links, its host."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from .conftest import Site, index, run, urlset

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://example.org/"
PAGE = "<html><head><title>{0}</title>{1}</head><body><main><h1>{0}</h1>{2}</main></body></html>"


def site_of(folder: Path, names: tuple[str, ...], *links: str, head: str = "") -> Site:
    """Write pages that all have the same links."""
    site = Site(folder / "public", robots=None)
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    for name in names:
        site.put(name, PAGE.format(name, head, anchors))
    return site


def build(site: Site, base: str = HOME, *flags: str) -> tuple[set[str], dict[str, str]]:
    """Return the paths that are listed, and the remarks by their rules."""
    report = json.loads(run("build", site.root, "--base-url", base, "--json", *flags).stdout)
    found = {each["id"]: f"{each['severity']}: {each['detail']}" for each in report["issues"]}
    return {each["loc"].removeprefix(base) for each in report["listed"]}, found


def check(site: Site, base: str = HOME) -> dict[str, list[str]]:
    """Return what is wrong, by the rules."""
    issues = json.loads(run("check", site.root, "--base-url", base, "--json").stdout)["issues"]
    found: dict[str, list[str]] = {}
    for each in issues:
        found.setdefault(each["id"], []).append(each["detail"])
    return found


PAGES = ("index.html", "posts.html", "posts/one.html")
BARE = ("/", "/posts", "/posts/one")
OF_HOME = f'<meta property="og:url" content="{HOME}">'
"""What themes write into each page."""

WITH_SUFFIX = ("/", "/posts.html", "/posts/one.html")


@pytest.mark.parametrize(
    ("links", "head", "listed"),
    [
        (BARE, "", {"", "posts", "posts/one"}),
        (BARE, OF_HOME, {"", "posts", "posts/one"}),
        (WITH_SUFFIX, "", {"", "posts.html", "posts/one.html"}),
        ((*BARE, *WITH_SUFFIX), "", {"", "posts.html", "posts/one.html"}),
        (("https://example.org/posts", "/posts/one#top"), "", {"", "posts", "posts/one"}),
        ((), "", {"", "posts.html", "posts/one.html"}),
        (("/posts",), "", {"", "posts", "posts/one.html"}),
    ],
)
def test_a_page_is_listed_under_the_address_that_the_site_links_to(
    tmp_path: Path, links: tuple[str, ...], head: str, listed: set[str]
) -> None:
    site = site_of(tmp_path, PAGES, *links, head=head)
    assert build(site)[0] == listed
    assert check(site).keys() <= {"robots-missing", "not-linked"}


def test_a_page_that_states_its_address_is_listed_there_whatever_links_say(tmp_path: Path) -> None:
    site = site_of(tmp_path, ("index.html",), *BARE)
    own = '<link rel="canonical" href="https://example.org/posts.html">'
    site.put("posts.html", PAGE.format("Posts", own, ""))
    assert build(site)[0] == {"", "posts.html"}


@pytest.mark.parametrize(
    ("host", "links", "said"),
    [
        (
            ("https://a.pages.dev/", {}),
            WITH_SUFFIX,
            "Cloudflare Pages sends /posts.html to /posts.",
        ),
        (("https://a.netlify.app/", {}), WITH_SUFFIX, "Netlify sends /posts.html to /posts."),
        ((HOME, {"vercel.json": '{"cleanUrls": true}'}), WITH_SUFFIX, ""),
        ((HOME, {"netlify.toml": '[build]\ncommand = "make"\n'}), WITH_SUFFIX, ""),
        (("https://a.pages.dev/", {}), BARE, ""),
        (("https://a.github.io/", {}), BARE, ""),
        (("https://a.github.io/", {}), WITH_SUFFIX, ""),
        ((HOME, {"public/CNAME": "example.org"}), WITH_SUFFIX, ""),
        ((HOME, {}), WITH_SUFFIX, ""),
    ],
)
def test_where_a_known_host_serves_other_addresses_it_is_said_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    host: tuple[str, dict[str, str]],
    links: tuple[str, ...],
    said: str,
) -> None:
    base, settings = host
    monkeypatch.chdir(tmp_path)
    site = site_of(tmp_path, PAGES, *links)
    for name, text in settings.items():
        (tmp_path / name).write_text(text)
    found = build(site, base)[1].get("host-spelling", "note: ")
    assert found.removesuffix(" 1 more like this.") == f"note: {said}"
    assert ("host-spelling" in check(site, base)) == bool(said)


HIDING = {
    "netlify.toml": '[[redirects]]\nfrom = "/old/*"\nto = "/"\n',
    "vercel.json": '{"headers": [{"headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}]}',
    "public/.htaccess": "RewriteRule ^old/ / [R=301]\n",
    "firebase.json": '{"hosting": {"redirects": []}}',
    "public/staticwebapp.config.json": '{"routes": [{"redirect": "/"}]}',
    "public/web.config": '<rewrite><rule><action type="Redirect" url="/"/></rule></rewrite>',
}


@pytest.mark.parametrize("names", [*((name,) for name in HIDING), (*HIDING,)])
def test_settings_of_hosts_that_may_hide_pages_are_said_once_not_to_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    site = site_of(tmp_path, ("index.html",))
    for name in names:
        (tmp_path / name).write_text(HIDING[name])
    more = "5 more like this." if len(names) > 1 else ""
    assert build(site)[1]["host-settings"] == f"note: {more}"
    assert "host-settings" in check(site)


def test_a_folder_without_its_slash_is_sent_on_by_github(tmp_path: Path) -> None:
    base = "https://a.github.io/"
    own = '<link rel="canonical" href="https://a.github.io/docs/x">'
    mark = '<meta name="generator" content="Docusaurus v3.10">'
    site = site_of(tmp_path, ("index.html",), "/docs/x", head=mark)
    site.put("docs/x/index.html", PAGE.format("X", own + mark, ""))
    (tmp_path / "docusaurus.config.js").write_text("module.exports = {}")
    (site.root).rename(tmp_path / "build")
    report = json.loads(run("build", tmp_path / "build", "--base-url", base, "--json").stdout)
    said = {each["id"]: each["detail"] for each in report["issues"]}
    assert said["host-spelling"] == "GitHub Pages sends /docs/x to /docs/x/."


def dated(*days: str) -> str:
    locs = (HOME, f"{HOME}a/")
    return urlset(*(f"<loc>{loc}</loc>{d}" for loc, d in zip(locs, days, strict=True)))


DAYS = ("<lastmod>2024-05-01</lastmod>", "<lastmod>2024-06-01</lastmod>")


@pytest.mark.parametrize(
    ("name", "in_robots"),
    [("sitemap-index.xml", True), ("sitemap_index.xml", False), ("maps/all.xml", True)],
)
def test_a_sitemap_under_another_name_is_named(
    tmp_path: Path, name: str, *, in_robots: bool
) -> None:
    site = site_of(tmp_path, ("index.html", "a/index.html"), "/", "/a/")
    site.put(name, index(f"{HOME}sitemap-0.xml"))
    site.put("sitemap-0.xml", dated(*DAYS))
    if in_robots:
        site.put("robots.txt", f"User-agent: *\nSitemap: {HOME}{name}\n")
    _, found = build(site)
    assert found["second-sitemap"] == "warning: sitemap.xml was written beside it."
    issues = check(site)
    assert "duplicate-url" not in issues
    assert len(issues["second-sitemap"]) == 1


FEED = '<?xml version="1.0" encoding="iso-8859-1"?><rss><channel>{}</channel></rss>'


def test_an_index_that_names_ours_a_list_of_urls_and_feeds_are_no_second_sitemap(
    tmp_path: Path,
) -> None:
    es, en = f"{HOME}es/", f"{HOME}en/"
    links = "".join(
        f'<link rel="alternate" hreflang="{x}" href="{HOME}{x}/">' for x in ("es", "en")
    )
    site = site_of(tmp_path, ("es/index.html", "en/index.html"), "/en/", "/es/", head=links)
    site.put("sitemap.xml", urlset(f"<loc>{es}</loc>", f"<loc>{en}</loc>"))
    site.put("sitemap.txt", f"{es}\n{en}\n{es}\n")
    feeds = ("tags/a.xml", "tags/b.xml")
    items = "".join(f"<item><link>{link}</link></item>" for link in (es, en, "/en/"))
    for name in feeds:
        site.put(name, FEED.format(items))
    names = ("sitemap.xml", *feeds)
    site.put("sitemapindex.xml", index(*(HOME + name for name in names)))
    site.put("robots.txt", f"Sitemap: {HOME}sitemapindex.xml\n")
    assert "second-sitemap" not in build(site)[1]
    assert check(site).keys() <= {"no-dates"}


def test_a_sitemap_of_another_name_is_replaced_where_that_is_wanted(tmp_path: Path) -> None:
    site = site_of(tmp_path, ("index.html", "a/index.html"), "/", "/a/")
    site.put("sitemap-index.xml", dated(*DAYS))
    site.put("robots.txt", f"User-agent: *\nSitemap: {HOME}sitemap-index.xml\n")
    _, found = build(site, HOME, "--filename", "sitemap-index.xml")
    assert "second-sitemap" not in found
    assert re.findall("Sitemap: .*", (site.root / "robots.txt").read_text()) == [
        f"Sitemap: {HOME}sitemap-index.xml"
    ]


@pytest.mark.parametrize(
    ("folder", "is_dead"),
    [("main", False), ("latest", False), ("1.2", False), ("v3", False), ("guides", True)],
)
def test_links_into_the_folder_of_a_version_are_not_judged_in_one_version(
    site: Site, folder: str, is_dead: bool
) -> None:
    site.put("llms.txt", f"# A\n\n- [Home]({site.base}{folder}/): home\n")
    site.write()
    assert ("llms-dead-link" in site.rules()) == is_dead
