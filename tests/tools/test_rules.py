"""Each rule of the table finds the defect that it is about, and no other rule does."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from sitemapkit_tools.issues import RULES

from .conftest import index, urlset

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

    Plant = Callable[[Site], object]

HOME = "https://example.org/"
ABOUT = f"{HOME}about/"
FIRST = f"{HOME}guide/first.html"
ONLINE = {
    *("unreachable", "not-checked", "sitemap-redirect"),
    *("sitemap-type", "sitemap-noindex"),
}
"""Rules that only a server can break; they are shown where one is looked at."""

GIVEN = {"unmatched-pattern"}
"""Rules that what is given to the command can break."""

PLANTS: dict[str, Plant] = {}


def plants(rule: str) -> Callable[[Plant], Plant]:
    """Mark a function that plants a defect which breaks just this rule."""

    def keep(plant: Plant) -> Plant:
        PLANTS[rule] = plant
        return plant

    return keep


def of_date(days: int) -> str:
    return f"{datetime.now(UTC) + timedelta(days=days):%Y-%m-%d}"


@plants("missing-sitemap")
def no_sitemap(site: Site) -> None:
    site.robots = None
    site.write()
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        (site.root / name).unlink()


@plants("missing-child")
def an_index_with_a_dead_child(site: Site) -> None:
    site.write()
    site.put("sitemap-1.xml", site.sitemap())
    site.index("sitemap-1.xml", "sitemap-2.xml")


@plants("unreadable")
def a_sitemap_that_links_to_itself(site: Site) -> None:
    site.write()
    site.put("sitemap-1.xml", site.sitemap())
    site.index("sitemap-1.xml", "sitemap-2.xml")
    (site.root / "sitemap-2.xml").symlink_to("sitemap-2.xml")


@plants("not-a-sitemap")
def an_html_page_in_its_place(site: Site) -> None:
    site.write()
    site.replace_sitemap("<!doctype html><html><body>Not found</body></html>")


@plants("broken-xml")
def an_ampersand_that_is_not_escaped(site: Site) -> None:
    site.write()
    site.replace_sitemap(urlset(f"<loc>{HOME}?a=1&b=2</loc>"))


@plants("encoding")
def another_encoding(site: Site) -> None:
    site.write()
    declared = site.sitemap().replace("UTF-8", "ISO-8859-1")
    site.replace_sitemap(declared)


@plants("dtd")
def a_document_type(site: Site) -> None:
    site.write()
    site.replace_sitemap('<!DOCTYPE urlset [<!ENTITY a "b">]>' + urlset(f"<loc>{HOME}</loc>")[38:])


@plants("namespace")
def a_namespace_with_https(site: Site) -> None:
    site.write()
    site.replace_sitemap(site.sitemap().replace('xmlns="http:', 'xmlns="https:'))


@plants("incomplete-extension")
def an_image_without_an_address(site: Site) -> None:
    site.entries[ABOUT] += "<image:image><image:title>A</image:title></image:image>"


@plants("bad-extension")
def an_image_with_a_relative_address(site: Site) -> None:
    site.entries[ABOUT] += "<image:image><image:loc>a.png</image:loc></image:image>"


@plants("same-file")
def a_page_with_and_without_its_index(site: Site) -> None:
    site.heads["about/"] = ""
    site.entries[f"{ABOUT}index.html"] = site.entries[ABOUT]


@plants("unknown-element")
def an_element_that_does_not_exist(site: Site) -> None:
    site.entries[ABOUT] += "<title>About</title>"


@plants("no-loc")
def an_entry_without_loc(site: Site) -> None:
    site.write()
    site.replace_sitemap(
        site.sitemap().replace("<url>", "<url><priority>0.1</priority></url>\n<url>", 1)
    )


@plants("empty-sitemap")
def a_sitemap_of_nothing(site: Site) -> None:
    site.heads.clear()
    site.entries.clear()


@plants("too-many-urls")
def more_urls_than_a_file_may_hold(site: Site) -> None:
    site.heads = {"p.html": ""}
    days = [f"<lastmod>2024-01-{day:02}</lastmod>" for day in range(1, 32)]
    site.entries = {f"{HOME}p.html?{number}": days[number % 31] for number in range(50_001)}


@plants("too-large")
def more_bytes_than_a_file_may_hold(site: Site) -> None:
    site.write()
    site.replace_sitemap(site.sitemap() + "\n" * 52_428_800)


@plants("too-many-images")
def more_images_than_an_entry_may_hold(site: Site) -> None:
    site.put("a.png", "x")
    image = f"<image:image><image:loc>{HOME}a.png</image:loc></image:image>"
    site.entries[ABOUT] += image * 1_001
    site.write()


@plants("nested-index")
def an_index_in_an_index(site: Site) -> None:
    site.write()
    site.put("sitemap-1.xml", site.sitemap())
    site.index("sitemap-all.xml")
    site.put("sitemap-all.xml", index(f"{HOME}sitemap-1.xml"))


@plants("child-other-host")
def a_sitemap_on_another_host(site: Site) -> None:
    site.write()
    site.put("sitemap-1.xml", site.sitemap())
    elsewhere = "https://cdn.example.net/sitemap.xml"
    site.replace_sitemap(index(f"{HOME}sitemap-1.xml", elsewhere))


@plants("child-scope")
def an_index_beside_the_folder_of_its_sitemap(site: Site) -> None:
    site.robots = f"Sitemap: {HOME}sitemap.xml\nSitemap: {HOME}about/index.xml\n"
    site.write()
    guide = urlset(*(f"<loc>{loc}</loc>" for loc in site.entries if "/guide/" in loc))
    site.replace_sitemap(urlset(f"<loc>{HOME}</loc>", f"<loc>{ABOUT}</loc>"))
    site.put("guide/sitemap.xml", guide)
    site.put("about/index.xml", index(f"{HOME}guide/sitemap.xml"))


@plants("scope")
def a_sitemap_below_its_pages(site: Site) -> None:
    site.robots = f"Sitemap: {HOME}guide/sitemap.xml\n"
    site.write()
    site.put("guide/sitemap.xml", site.sitemap())
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        (site.root / name).unlink()


@plants("gzip-broken")
def a_packed_copy_that_is_cut_off(site: Site) -> None:
    site.write()
    whole = (site.root / "sitemap.xml.gz").read_bytes()
    site.put("sitemap.xml.gz", whole[: len(whole) // 2])


@plants("bad-url")
def a_relative_url(site: Site) -> None:
    site.entries["/about/"] = ""


@plants("unescaped-url")
def a_blank_and_an_umlaut(site: Site) -> None:
    site.page("grüne tees/", "")
    site.entries[f"{HOME}grüne tees/"] = ""


@plants("url-too-long")
def a_url_of_three_thousand_characters(site: Site) -> None:
    site.entries[f"{HOME}?{'x' * 3_000}"] = ""


@plants("fragment")
def a_url_with_a_fragment(site: Site) -> None:
    site.entries[f"{ABOUT}#team"] = site.entries.pop(ABOUT)


@plants("session-id")
def a_url_with_a_session(site: Site) -> None:
    site.heads["about/"] = ""
    site.entries[f"{ABOUT}?PHPSESSID=0a1b2c"] = site.entries.pop(ABOUT)


@plants("entity-parameter")
def a_parameter_named_like_an_entity(site: Site) -> None:
    site.heads["about/"] = ""
    site.entries[f"{ABOUT}?a=1&copy=2"] = site.entries.pop(ABOUT)


@plants("duplicate-url")
def a_url_listed_twice(site: Site) -> None:
    site.write()
    site.replace_sitemap(
        site.sitemap().replace("</urlset>", f"<url><loc>{ABOUT}</loc></url></urlset>")
    )


@plants("second-sitemap")
def a_sitemap_under_another_name(site: Site) -> None:
    site.write()
    site.put("sitemap-index.xml", site.sitemap())


@plants("host-spelling")
def a_host_that_leaves_out_suffixes(site: Site) -> None:
    host = "https://tea.netlify.app/"
    site.robots = None
    site.entries = {host: "", f"{host}tea.html": ""}
    site.base = host
    site.heads = {"": "", "tea.html": ""}
    site.write()
    site.put("robots.txt", f"User-agent: *\nAllow: /\n\nSitemap: {host}sitemap.xml\n")


@plants("host-settings")
def settings_that_may_hide_pages(site: Site) -> None:
    site.put(".htaccess", "Redirect 301 /old/ /")
    site.write()


@plants("wrong-host")
def a_url_of_another_host(site: Site) -> None:
    site.entries["https://www.example.org/about/"] = ""


@plants("wrong-scheme")
def a_url_of_another_scheme(site: Site) -> None:
    site.entries["http://example.org/about/"] = ""


@plants("outside-base")
def a_url_above_the_base(site: Site) -> None:
    site.base = f"{HOME}docs/"
    site.robots = None
    site.entries = {loc.replace(HOME, site.base): rest for loc, rest in site.entries.items()}
    site.heads = dict.fromkeys(site.heads, "")
    site.entries[ABOUT] = ""


@plants("bad-priority")
def a_priority_with_a_comma(site: Site) -> None:
    site.entries[ABOUT] += "<priority>0,5</priority>"


@plants("bad-changefreq")
def a_frequency_with_a_capital(site: Site) -> None:
    site.entries[ABOUT] += "<changefreq>Daily</changefreq>"


@plants("bad-date")
def a_date_of_another_land(site: Site) -> None:
    site.entries[ABOUT] = "<lastmod>05/06/2024</lastmod>"


@plants("future-date")
def a_date_to_come(site: Site) -> None:
    site.entries[ABOUT] = f"<lastmod>{of_date(+30)}</lastmod>"


@plants("old-date")
def the_date_of_an_unset_clock(site: Site) -> None:
    site.entries[ABOUT] = "<lastmod>1970-01-01</lastmod>"


@plants("no-dates")
def a_sitemap_without_dates(site: Site) -> None:
    for path in ("c/", "d/"):
        site.page(path)
    site.entries = dict.fromkeys(site.entries, "")


@plants("one-date")
def the_date_of_a_build(site: Site) -> None:
    for number in range(20):
        site.page(f"more/{number}.html")
    site.entries = dict.fromkeys(site.entries, "<lastmod>2024-05-06T07:08:09Z</lastmod>")


@plants("missing-page")
def a_page_that_is_gone(site: Site) -> None:
    site.entries[f"{HOME}gone/"] = ""


@plants("redirect")
def a_stub_that_leads_on(site: Site) -> None:
    site.page("old/", '<meta http-equiv="refresh" content="0; url=../about/">')


def moved(site: Site, target: str, page: str = "old/") -> None:
    site.page(page, f'<meta http-equiv="refresh" content="0; url={target}">', listed=False)


@plants("redirect-loop")
def stubs_that_lead_to_each_other(site: Site) -> None:
    moved(site, "/older/")
    moved(site, "/old/", "older/")


@plants("redirect-dead")
def a_stub_that_leads_nowhere(site: Site) -> None:
    moved(site, "/nowhere/")


@plants("redirect-chain")
def a_stub_that_leads_to_a_rule(site: Site) -> None:
    moved(site, "/older/")
    site.write()
    site.put("_redirects", "/older /about/ 301\n")


@plants("llms-dead-link")
def an_llms_txt_with_an_old_link(site: Site) -> None:
    site.write()
    site.put("llms.txt", f"# A\n\n- [About]({ABOUT})\n- [Old]({HOME}old/index.md): x\n")


@plants("noindex")
def a_page_that_forbids_indexing(site: Site) -> None:
    site.heads["about/"] = '<META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW">'


@plants("page-cut")
def a_page_that_is_too_large(site: Site) -> None:
    site.heads["about/"] += f"<script>{'x' * 2_100_000}</script>"


@plants("canonical-elsewhere")
def a_page_that_is_a_copy(site: Site) -> None:
    site.heads["guide/second.html"] = f'<link rel="canonical" href="{FIRST}">'


@plants("canonical-dead")
def a_canonical_link_to_nothing(site: Site) -> None:
    site.heads["about/"] = f'<link rel="canonical" href="{HOME}en/about/">'


@plants("canonical-twice")
def a_page_that_names_two_others(site: Site) -> None:
    links = (f'<link rel="canonical" href="{HOME}{path}">' for path in ("guide/", "about/"))
    site.heads["about/"] = "".join(links)


@plants("canonical-redirect")
def a_canonical_link_to_what_leads_back(site: Site) -> None:
    site.heads["about/"] = f'<link rel="canonical" href="{HOME}us/">'
    site.page("us/", '<meta http-equiv="refresh" content="0; url=../about/">', listed=False)


@plants("canonical-chain")
def a_copy_of_a_copy(site: Site) -> None:
    for path, canonical in (("old/", "older/"), ("older/", "about/")):
        site.page(path, f'<link rel="canonical" href="{HOME}{canonical}">', listed=False)


@plants("canonical-noindex")
def a_copy_that_forbids_indexing(site: Site) -> None:
    head = f'<meta name="robots" content="noindex"><link rel="canonical" href="{ABOUT}">'
    site.page("old/", head, listed=False)


@plants("canonical-disallowed")
def a_copy_that_robots_may_not_read(site: Site) -> None:
    site.page("secret/", f'<link rel="canonical" href="{ABOUT}">', listed=False)


@plants("canonical-other-host")
def a_copy_of_a_page_elsewhere(site: Site) -> None:
    site.page("old/", '<link rel="canonical" href="https://example.net/">', listed=False)


def publish_versions(site: Site, *names: str) -> None:
    """Write the site, and say which folders are versions, as mike does."""
    site.write()
    held = [{"version": name, "title": name, "aliases": []} for name in names]
    site.put("versions.json", json.dumps(held))


@plants("version-copies")
def an_old_version_that_is_canonical(site: Site) -> None:
    site.page("latest/")
    site.page("1.0/")
    publish_versions(site, "latest", "1.0")


@plants("noindex-unread")
def a_noindex_that_no_crawler_reads(site: Site) -> None:
    site.page("secret/x/", '<meta name="robots" content="noindex">', listed=False)


@plants("robots-disallowed")
def a_page_that_robots_may_not_read(site: Site) -> None:
    site.page("secret/")


@plants("generated-page")
def the_error_page(site: Site) -> None:
    site.page("404.html", "")


@plants("not-listed")
def a_page_that_is_forgotten(site: Site) -> None:
    site.page("orphan/", listed=False)


def alternates(**versions: str) -> str:
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>'
        for code, href in versions.items()
    )


def translate(site: Site, *, en: str, de: str) -> None:
    """Give the home page and the page about us these sets of translations."""
    site.entries[HOME] += en
    site.entries[ABOUT] += de


@plants("hreflang-not-reciprocal")
def a_translation_that_does_not_answer(site: Site) -> None:
    translate(site, en=alternates(en=HOME, de=ABOUT), de=alternates(de=ABOUT))


@plants("hreflang-no-self")
def a_set_without_the_page_itself(site: Site) -> None:
    translate(site, en=alternates(en=HOME, de=ABOUT), de=alternates(en=HOME))


@plants("hreflang-not-canonical")
def a_translation_that_is_a_copy(site: Site) -> None:
    site.page("de/", f'<link rel="canonical" href="{HOME}">', listed=False)
    site.heads[""] += f'<link rel="alternate" hreflang="de" href="{HOME}de/">'


@plants("hreflang-not-listed")
def a_translation_that_is_not_listed(site: Site) -> None:
    site.entries[HOME] += alternates(en=HOME, de=f"{HOME}tee/")


@plants("hreflang-twice")
def two_pages_of_one_language(site: Site) -> None:
    both = alternates(en=HOME) + alternates(en=ABOUT)
    translate(site, en=both, de=both)


@plants("hreflang-code")
def a_country_for_a_language(site: Site) -> None:
    both = alternates(en=HOME, gr=ABOUT)
    translate(site, en=both, de=both)


@plants("hreflang-region")
def a_region_that_counts_for_nothing(site: Site) -> None:
    both = alternates(**{"en-UK": HOME, "de": ABOUT})
    translate(site, en=both, de=both)


@plants("hreflang-url")
def a_relative_translation(site: Site) -> None:
    site.entries[HOME] += alternates(en=HOME, de="/about/")


@plants("local-url")
def a_site_of_this_machine(site: Site) -> None:
    local = "http://localhost:3000/"
    site.robots = None
    site.entries = {local: ""}
    site.base = local
    site.heads = {"": ""}
    site.write()
    site.put("robots.txt", f"User-agent: *\nAllow: /\n\nSitemap: {local}sitemap.xml\n")


@plants("repository-base-url")
def the_address_of_a_repository(site: Site) -> None:
    site.base = "https://github.com/someone/docs/"
    site.entries = {site.base: ""}
    site.heads = {"": ""}
    site.robots = None


@plants("robots-other-host")
def a_line_of_a_preview(site: Site) -> None:
    assert site.robots
    site.robots += "Sitemap: http://localhost:3000/sitemap.xml\n"


def linked(site: Site, *, but: str = "") -> None:
    """Let the home page link to all pages but one."""
    links = "".join(f"<a href='/{path}'>page</a>" for path in site.heads if path not in ("", but))
    site.write()
    site.put("index.html", site.file("").read_text().replace("</main>", f"{links}</main>"))


@plants("not-linked")
def a_page_that_nothing_links_to(site: Site) -> None:
    site.page("landing/")
    linked(site, but="landing/")


@plants("link-redirects")
def a_link_to_a_page_that_only_leads_on(site: Site) -> None:
    linked(site)
    site.put("old.html", '<meta http-equiv="refresh" content="0; url=/about/">')
    site.put("index.html", site.file("").read_text().replace("</main>", '<a href="old.html">'))


@plants("same-content")
def two_pages_that_are_the_same(site: Site) -> None:
    site.page("tea/", "")
    site.page("old/tea/", "")
    linked(site)
    for path in ("tea/", "old/tea/"):
        site.put(f"{path}index.html", "<title>Tea</title><main><h1>Tea</h1><p>All about it.</main>")


@plants("robots-html")
def a_web_page_in_place_of_robots_txt(site: Site) -> None:
    site.robots = "<!DOCTYPE html>\n<html><title>Tea</title>\nSitemap: https://example.net/a.xml\n"


@plants("robots-no-sitemap")
def a_robots_txt_without_the_line(site: Site) -> None:
    site.robots = "User-agent: *\nDisallow: /secret/\n"


@plants("robots-dead-sitemap")
def a_robots_txt_that_names_nothing(site: Site) -> None:
    site.robots = f"Sitemap: {HOME}sitemap.xml\nSitemap: {HOME}sitemap-old.xml\n"


@plants("robots-relative")
def a_robots_txt_with_a_path(site: Site) -> None:
    site.robots = f"Sitemap: {HOME}sitemap.xml\nSitemap: /sitemap.xml\n"


@plants("robots-not-at-root")
def a_robots_txt_below_the_root(site: Site) -> None:
    site.base = f"{HOME}docs/"
    site.entries = {loc.replace(HOME, site.base): rest for loc, rest in site.entries.items()}
    site.heads = dict.fromkeys(site.heads, "")


@plants("robots-group-split")
def a_sitemap_line_in_a_group(site: Site) -> None:
    site.robots = f"User-agent: a\nSitemap: {HOME}sitemap.xml\nUser-agent: b\nDisallow: /x\n"


@plants("sitemap-disallowed")
def a_sitemap_that_robots_may_not_read(site: Site) -> None:
    site.robots = f"User-agent: *\nDisallow: /*.xml$\n\nSitemap: {HOME}sitemap.xml\n"


BESIDE = {"too-many-urls": ["same-file"]}
"""What such a defect is as well."""

SLOW = {"too-many-urls": pytest.mark.slow}  # by a sitemap of 50,001 URLs


@pytest.mark.parametrize("rule", [pytest.param(r, marks=SLOW.get(r, ())) for r in PLANTS])
def test_a_planted_defect_breaks_its_rule_and_no_other(rule: str, site: Site) -> None:
    PLANTS[rule](site)
    if not site.root.exists():
        site.write()
    assert site.rules("--base-url", site.base) == {rule, *BESIDE.get(rule, ())}


def test_a_site_without_a_fault_breaks_no_rule(site: Site) -> None:
    site.write()
    assert site.check() == []


def test_every_rule_that_files_can_break_is_planted() -> None:
    assert set(PLANTS) == set(RULES) - ONLINE - GIVEN


VIDEO = {
    "thumbnail_loc": f"{HOME}t.jpg",
    "title": "Tea",
    "description": "Tea is made.",
    "content_loc": f"{HOME}v.mp4",
    "duration": "600",
    "requires_subscription": "no",
    "publication_date": "2020-01-31T14:47:52+00:00",
    "rating": "4.5",
    "price": "1.99",
}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("", "", ""),
        ("duration", "PT1H17M57S", "Its duration is 'PT1H17M57S'. Expected a whole number."),
        ("duration", "00:23:51", "Expected a whole number."),
        ("duration", "0", "Expected a whole number >= 1."),
        ("duration", "28801", "Expected a whole number <= 28800."),
        ("requires_subscription", "1", "allowed: yes, no"),
        ("family_friendly", "maybe", "allowed: yes, no"),
        ("publication_date", "2020-01-31 14:47:52", "allowed: YYYY-MM-DD"),
        ("expiration_date", "tomorrow", "allowed: YYYY-MM-DD"),
        ("rating", "9", "Expected a number <= 5.0."),
        ("view_count", "-1", "Expected a whole number >= 0."),
        ("title", "T" * 101, "Expected text of length <= 100."),
        ("description", "T" * 2_049, "Expected text of length <= 2048."),
        ("loc", f"{HOME}v.mp4", "Videos have no loc."),
        ("thumbnail_loc", "/t.jpg", "which is not an absolute URL"),
        ("content_loc", "v.mp4", "which is not an absolute URL"),
    ],
)
def test_the_values_of_videos_are_those_that_a_build_would_write(
    site: Site, name: str, value: str, said: str
) -> None:
    values = VIDEO | ({name: value} if name else {})
    fields = "".join(f"<video:{key}>{text}</video:{key}>" for key, text in values.items())
    address = "http://www.google.com/schemas/sitemap-video/1.1"
    site.entries[ABOUT] += f'<video:video xmlns:video="{address}">{fields}</video:video>'
    site.write()
    details = [each["detail"] for each in site.check() if each["id"] == "bad-extension"]
    assert len(details) == bool(said)
    assert said in "".join(details)


@pytest.mark.parametrize(
    ("day", "language", "said"),
    [
        (of_date(0), "en", ""),
        (f"{of_date(-1)}T10:00:00Z", "zh-cn", ""),
        ("2018-04-11", "en", "engines take news of the last two days"),
        ("11.04.2026", "en", "allowed: YYYY-MM-DD"),
        (f"{of_date(0)} 10:00:00", "en", "allowed: YYYY-MM-DD"),
        ("2090-01-01", "en", "in the future"),
        (of_date(0), "english", "allowed: a code such as en"),
    ],
)
def test_the_values_of_news_are_those_that_a_build_would_write(
    site: Site, day: str, language: str, said: str
) -> None:
    name = f"<news:name>Tea</news:name><news:language>{language}</news:language>"
    address = "http://www.google.com/schemas/sitemap-news/0.9"
    site.entries[ABOUT] += (
        f'<news:news xmlns:news="{address}"><news:publication>{name}</news:publication>'
        f"<news:publication_date>{day}</news:publication_date><news:title>A</news:title></news:news>"
    )
    site.write()
    details = [each["detail"] for each in site.check() if each["id"] == "bad-extension"]
    assert len(details) == bool(said)
    assert said in "".join(details)


@pytest.mark.parametrize("image", ["a.png", f"{HOME}gone.png"])
def test_an_image_is_an_absolute_url_of_a_file(site: Site, image: str) -> None:
    site.entries[ABOUT] += f"<image:image><image:loc>{image}</image:loc></image:image>"
    site.write()
    assert site.rules() == {"bad-extension"}
    site.put("gone.png", "x")
    assert site.rules() == ({"bad-extension"} if image == "a.png" else set())


@pytest.mark.parametrize("other", ["index.html", "?utm_source=sitemap", "guide/first"])
def test_two_addresses_of_one_file_are_one_warning(site: Site, other: str) -> None:
    site.heads["guide/first.html"] = site.heads["about/"] = site.heads[""] = ""
    site.entries[f"{HOME}{other}"] = ""
    site.write()
    assert "same-file" in site.rules()
