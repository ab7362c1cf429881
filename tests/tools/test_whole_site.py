"""What `check` finds because it has the whole site: copies, pages without a link, local hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sitemapkit.urls import is_local_host

from .conftest import Site, run

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://example.org/"
TEA = "<title>Tea</title>{}<main><h1>Tea</h1><p>All about tea.</main>"


def write_linked(site: Site, *without: str) -> None:
    """Write the site, and let the home page link to all pages but some."""
    site.write()
    links = "".join(
        f"<a class=x href='/{path}'>p</a>" for path in site.heads if path not in without
    )
    site.put("index.html", site.file("").read_text().replace("</main>", f"{links}</main>"))


def found(site: Site, rule: str) -> list[str]:
    return [each["where"].removeprefix(site.base) for each in site.check() if each["id"] == rule]


@pytest.mark.parametrize(
    "link",
    [
        "<a href=/landing/>",
        "<a href='/landing'>",
        '<a href="../landing/index.html#part">',
        '<a href="https://example.org/landing/?from=menu">',
        '<area href="/landing/">',
        '<iframe src="/landing/"></iframe>',
        '<meta http-equiv="refresh" content="9; url=/landing/">',
        '<link rel="next" href="/landing/">',
    ],
)
def test_whatever_leads_to_a_page_links_to_it(site: Site, link: str) -> None:
    site.page("landing/")
    write_linked(site, "landing/")
    assert found(site, "not-linked") == ["landing/"]
    site.put("404.html", f"<title>Not found</title>{link}")
    assert found(site, "not-linked") == []


def test_links_that_lead_to_redirects_are_said_in_one_note_with_their_pages(site: Site) -> None:
    site.put("stub.html", '<title>A</title><meta http-equiv="refresh" content="0; url=/about/">')
    site.put("_redirects", "/gone /about/ 301\n/about/ /guide/ 301\n")
    write_linked(site)
    assert found(site, "link-redirects") == []
    links = '<a href="/gone">G</a><a href="stub.html">S</a><a href="/about">no claim</a>'
    site.put("index.html", site.file("").read_text().replace("</main>", f"{links}</main>"))
    site.put("more.html", '<title>M</title><a href="/gone">G</a>')
    (note,) = [each for each in site.check() if each["id"] == "link-redirects"]
    assert note["detail"] == (
        f"From several pages to {HOME}gone, which leads to {HOME}about/; from index.html to"
        f" {HOME}stub.html, which leads to {HOME}about/."
    )


def test_where_a_known_host_has_a_page_elsewhere_links_are_said(tmp_path: Path) -> None:
    base = "https://tea.github.io/"
    site = Site(tmp_path / "site", base=base, robots=None)
    site.page("about/")
    site.write()
    site.put("index.html", '<title>Home</title><a href="/about">A</a>')
    (note,) = [each for each in site.check("--base-url", base) if each["id"] == "link-redirects"]
    assert note["detail"] == f"From index.html to {base}about, which leads to {base}about/."


def test_a_page_does_not_link_to_itself(site: Site) -> None:
    site.page("landing/")
    write_linked(site, "landing/")
    site.put("landing/index.html", "<title>Here</title><a href='/landing/'>here</a>")
    assert found(site, "not-linked") == ["landing/"]


def test_a_menu_that_a_script_makes_links_as_well(site: Site) -> None:
    for path in ("landing/", "other/"):
        site.page(path)
    write_linked(site, "landing/", "other/")
    site.put("search/search_index.json", '{"docs": ["landing/", "other/"]}')
    assert found(site, "not-linked") == ["landing/", "other/"]
    site.put("toc.js", 'menu = ["landing/"]')
    assert found(site, "not-linked") == ["other/"]


def test_where_no_page_links_to_most_the_menu_is_not_in_the_pages(site: Site) -> None:
    site.write()
    assert found(site, "not-linked") == []


@pytest.mark.parametrize(
    "head",
    ['<meta name="robots" content="noindex">', '<meta http-equiv="refresh" content="0; url=/">'],
)
def test_a_page_that_should_not_be_found_needs_no_link(site: Site, head: str) -> None:
    site.page("landing/", head, listed=False)
    write_linked(site, "landing/")
    assert found(site, "not-linked") == []


def test_the_first_page_of_a_build_in_a_folder_needs_no_link(site: Site) -> None:
    site.page("de/")
    write_linked(site, "de/")
    assert found(site, "not-linked") == ["de/"]
    site.put("de/searchindex.js", "")
    assert found(site, "not-linked") == []


def test_copies_are_told_once_and_only_without_a_canonical_link(site: Site) -> None:
    paths = ("tea/", "old/tea/", "tea.html")
    for path in paths:
        site.page(path, "")
    write_linked(site)
    for path in paths:
        header = f"<nav>{path}</nav><script>{path}</script>"
        name = path if path.endswith(".html") else f"{path}index.html"
        site.put(name, TEA.format(header))
    assert found(site, "same-content") == ["old/tea/"]
    link = '<link rel="canonical" href="https://example.org/tea/">'
    for name in ("old/tea/index.html", "tea.html"):
        site.put(name, TEA.format(link))
    assert found(site, "same-content") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "<title>A</title><main>The same text here.</main>",
            "<title>B</title><main>The same text here.</main>",
        ),
        (
            "<title>A</title><main>One text of two.</main>",
            "<title>A</title><main>Another text of two.</main>",
        ),
        ("<title>A</title><main></main>", "<title>A</title><main></main>"),
        ("<title>A</title><main>Soon</main>", "<title>A</title><main>Soon</main>"),
        (
            "<title>A</title><main>A view of it<img src=a.png></main>",
            "<title>A</title><main>A view of it<img src=b.png></main>",
        ),
    ],
)
def test_pages_that_differ_or_say_nothing_are_no_copies(site: Site, one: str, other: str) -> None:
    for path in ("one/", "other/"):
        site.page(path, "")
    write_linked(site)
    site.put("one/index.html", one)
    site.put("other/index.html", other)
    assert found(site, "same-content") == []


LOCAL = (
    *("localhost", "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.10.10.10", "192.168.1.7"),  # noqa: S104
    *("172.16.0.1", "172.31.255.9", "169.254.1.1", "[::1]", "[fd00::1]", "[fe80::1]", "intranet"),
    *("my-box.local", "docs.internal", "wiki.corp", "nas.home.arpa", "a.localhost"),
)
PUBLIC = ("example.org", "8.8.8.8", "172.32.0.1", "11.0.0.1", "local.example.org", "home.pl")


@pytest.mark.parametrize("host", [*LOCAL, *PUBLIC])
def test_a_sitemap_of_a_host_that_only_this_network_reaches_is_an_error(
    site: Site, host: str
) -> None:
    site.base = f"http://{host}:3000/"
    site.entries = {f"{site.base}about/": "", site.base: ""}
    site.heads = {"": "", "about/": ""}
    site.robots = f"User-agent: *\nAllow: /\n\nSitemap: {site.base}sitemap.xml\n"
    site.write()
    issues = site.check()
    assert [(each["id"], each["severity"]) for each in issues] == [("local-url", "error")] * (
        host in LOCAL
    )
    assert all(each["detail"] == "1 more like this." for each in issues)
    assert run("check", site.root).code == int(host in LOCAL)


def test_an_address_that_is_none_is_no_local_host() -> None:
    assert not is_local_host("1.2.3.4.5")
    assert not is_local_host("999.1.1.1")


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("http://localhost:3000/news.xml", "warning"),
        ("http://192.168.0.2/news.xml", "warning"),
        ("https://deploy-preview-7--mine.netlify.app/sitemap.xml", "warning"),
        ("https://branch.mine.pages.dev/sitemap.xml", "warning"),
        ("https://mine--7.readthedocs.build/sitemap.xml", "warning"),
        ("https://cdn.example.net/sitemap.xml", "note"),
    ],
)
def test_a_line_for_another_host_is_told_by_check_and_by_build(
    site: Site, line: str, severity: str
) -> None:
    assert site.robots
    site.robots = f"Sitemap: {line}\n{site.robots}"
    site.write()
    (issue,) = [each for each in site.check() if each["id"] == "robots-other-host"]
    assert (issue["severity"], issue["where"], issue["line"]) == (severity, line, 1)
    lines = run("build", site.root, "--base-url", site.base).stderr.splitlines()
    (told,) = [each for each in lines if "[robots-other-host]" in each]
    assert f"{line}: The robots.txt names" in told
    assert told.startswith("warning ") == (severity == "warning")


@pytest.mark.parametrize(
    "spelling",
    [
        "HTTPS://EXAMPLE.ORG/sitemap.xml",
        "https://Example.org:443/sitemap.xml",
        "https://example.org/./sitemap.xml # ours",
        " https://example.org/sitemap.xml",
    ],
)
def test_another_spelling_of_the_line_is_the_same_line(site: Site, spelling: str) -> None:
    site.robots = f"User-agent: *\nAllow: /\n\nSitemap:{spelling}\n"
    site.sitemaps = False
    site.write()
    run("build", site.root, "--base-url", site.base)
    assert (site.root / "robots.txt").read_text() == site.robots


def test_a_host_in_unicode_is_the_same_as_in_punycode(site: Site) -> None:
    site.base = "https://bücher.example/"
    site.robots = f"User-agent: *\nAllow: /\n\nSitemap: {site.base}sitemap.xml\n"
    site.sitemaps = False
    site.heads = {"": ""}
    site.write()
    run("build", site.root, "--base-url", site.base)
    assert (site.root / "robots.txt").read_text() == site.robots


@pytest.mark.parametrize("code", ["null", "gr", "xx-YY", "english"])
def test_a_language_that_is_none_is_told_with_its_page_by_build_and_check(
    site: Site, code: str
) -> None:
    link = f'\n<link rel="alternate" hreflang="{code}" href="/">\n'
    for path in ("about/", "guide/"):
        site.heads[path] += link
    site.write()
    (issue,) = [each for each in site.check() if each["id"] == "hreflang-code"]
    place = (issue["severity"], issue["where"], issue["file"])
    assert place == ("warning", f"{HOME}about/", "about/index.html")
    lines = run("build", site.root, "--base-url", site.base).stderr.splitlines()
    (told,) = [each for each in lines if "[hreflang-code]" in each]
    assert told.startswith("warning ")
    assert f"{HOME}about/: " in told
    assert issue["detail"] in told
    site.heads = {path: head.replace(code, "de") for path, head in site.heads.items()}
    site.write()
    assert "hreflang-code" not in site.rules()


def test_a_language_of_a_page_that_is_not_to_be_found_does_not_matter(site: Site) -> None:
    link = '<link rel="alternate" hreflang="null" href="/">'
    site.page("x/", f'<meta name="robots" content="noindex">{link}', listed=False)
    site.write()
    assert "hreflang-code" not in site.rules()
    outcome = run("build", site.root, "--base-url", site.base)
    assert "hreflang-code" not in outcome.stderr


# Redirects and llms.txt


REDIRECTS = """
/a1 /a2 301
/a2 /a1 301
/to-stub /stub/old/ 301
/gone /nothing/ 301
/rewritten /no-file.html 200
/app/* /index.html 200
/blog/* /about/ 302
/news/* /nothing-here/ 301
/posts/* /:splat 301
/about /nothing/ 301
/away https://example.com/x 301
/bare /guide 301
/missing /404.html 404
"""


def test_redirects_that_lead_in_a_circle_on_or_nowhere_are_named(site: Site) -> None:
    site.put("_redirects", REDIRECTS)
    stubs = {
        "stub/old/": "../../about/#part",
        "stub/one/": "/stub/two/",
        "stub/two/": f"{HOME}stub/one/",
        "stub/dead/": "gone.html",
        "stub/away/": "https://example.com/",
    }
    for path, target in stubs.items():
        site.page(path, f'<meta http-equiv="refresh" content="0; url={target}">', listed=False)
    site.write()
    found = {(each["id"], each["where"].removeprefix(HOME), each["file"]) for each in site.check()}
    rules = "_redirects"
    assert found == {
        ("redirect-loop", "a1", rules),
        ("redirect-loop", "a2", rules),
        ("redirect-loop", "stub/one/", "stub/one/index.html"),
        ("redirect-loop", "stub/two/", "stub/two/index.html"),
        ("redirect-chain", "to-stub", rules),
        ("redirect-dead", "gone", rules),
        ("redirect-dead", "rewritten", rules),
        ("redirect-dead", "/news/*", rules),
        ("redirect-dead", "stub/dead/", "stub/dead/index.html"),
    }


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("- [a]({0}about/): x", []),
        ("- [a]({0}gone/): x", ["gone/"]),
        ("- [a](guide/first.html)\n- [b](./guide/third.html)", ["guide/third.html"]),
        ("- [a](</a b.html>) and [b](/x_(y).html)", ["a%20b.html", "x_(y).html"]),
        ("<{0}gone/> [x]\n\n[x]: {0}lost/", ["gone/", "lost/"]),
        ("- [a]({0}about/index.md) [b]({0}moved/) [c]({0}lost/)", ["about/index.md", "lost/"]),
        ("- [a](https://example.com/gone/) [m](mailto:a@example.org) [t](#top)", []),
        ("- [a]({0}gone/)\n- [a]({0}gone/)\n- [b]({0}gone/#b)", ["gone/"]),
    ],
)
@pytest.mark.parametrize("folder", ["", "v1/"])
def test_dead_links_of_an_llms_txt_are_named(
    site: Site, text: str, dead: list[str], folder: str
) -> None:
    site.put(f"{folder}llms.txt", f"# A\n\n> B\n\n{text.format(HOME + folder)}\n")
    if folder:
        dead = [each if each[0] in "ax" and "ab" not in each else folder + each for each in dead]
        for path in ("about/index.html", "guide/first.html"):
            site.put(folder + path, '<title>A</title><meta name="robots" content="noindex">')
    site.put("_redirects", f"/{folder}moved/ /about/ 301\n")
    site.write()
    found = [(each["id"], each["where"], each["file"]) for each in site.check()]
    assert found == [("llms-dead-link", HOME + each, f"{folder}llms.txt") for each in dead]


@pytest.mark.parametrize("pattern", ["/d/", "/d/*", "/*/", "/d"])
@pytest.mark.parametrize("how", ["element", "header"])
def test_a_noindex_that_robots_txt_keeps_from_being_read_is_noted(
    site: Site, pattern: str, how: str
) -> None:
    site.heads, site.entries = {}, {}
    site.page("")
    site.page(
        "d/", '<meta name="robots" content="noindex">' if how == "element" else "", listed=False
    )
    site.page("open.html", '<meta name="robots" content="noindex">', listed=False)
    site.robots = f"User-agent: *\nDisallow: {pattern}\n\nSitemap: {HOME}sitemap.xml\n"
    site.write()
    if how == "header":
        site.put("_headers", "/d/*\n  X-Robots-Tag: noindex\n")
    found = [(each["severity"], each["id"], each["where"]) for each in site.check()]
    assert found == [("note", "noindex-unread", f"{HOME}d/")]
