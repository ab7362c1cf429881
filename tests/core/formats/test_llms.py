"""llms.txt lists the sitemap's pages by section, and says what each is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from sitemapkit import Page, build, read_options
from sitemapkit.model import About
from sitemapkit_extras.formats.llms import MAX_CHARACTERS

if TYPE_CHECKING:
    from sitemapkit import Entry

    from ..conftest import Site

BASE = "https://example.org/docs/"
LINK = re.compile(rf"- \[(.+)\]\({BASE}(.*?)\)(?:: (.*))?")


def llms(site: Site, *pages: Page, **options: Any) -> str:
    site.build(*pages, **{"formats": ["xml", "llms"], "title": "Tea", **options})
    return (site.folder / "llms.txt").read_text("utf-8")


def links(text: str) -> dict[str, tuple[str, str | None]]:
    """Return the name and the note of each link, by its URL below the base."""
    return {url: (name, note or None) for name, url, note in LINK.findall(text)}


def described(text: str) -> str:
    return f'<meta name="description" content="{text}">'


def test_pages_stand_below_the_titles_of_their_folders(site: Site) -> None:
    text = llms(
        site,
        Page("guide/b/", title="Second"),
        Page("guide/", title="The guide"),
        Page("api/a.html", title="First"),
        site.page("", described("All about tea."), title="Home"),
    )
    assert text == (
        "# Tea\n\n> All about tea.\n\n<!-- sitemapkit: part of sitemap.xml -->\n\n"
        f"## Home\n\n- [Home]({BASE})\n- [The guide]({BASE}guide/)\n\n"
        f"## api\n\n- [First]({BASE}api/a.html)\n\n"
        f"## The guide\n\n- [Second]({BASE}guide/b/)\n"
    )


def test_without_a_home_page_the_top_is_named_like_the_site_and_comes_first(site: Site) -> None:
    pages = [Page("a/b/", title="B"), Page("z/", title="Z"), Page("a/index.html", title="A")]
    assert re.findall("^#+ .*", llms(site, *pages), re.MULTILINE) == ["# Tea", "## Tea", "## A"]
    headings = re.findall("^#+ .*", llms(site, *pages, title=""), re.MULTILINE)
    assert headings == [f"# {BASE}", f"## {BASE}", "## A"]


def test_folders_of_one_title_are_one_section(site: Site) -> None:
    pages = [Page(f"{path}/", title="More") for path in ("a", "a/1", "b", "b/2")]
    text = llms(site, *pages)
    assert text.count("## More") == 1
    assert links(text.partition("## More")[2]).keys() == {"a/1/", "b/2/"}


def test_what_turns_the_direction_of_a_text_is_written_out(site: Site) -> None:
    home = site.page("", described("a\u202eb\u2066c"))
    text = llms(site, home, Page("b/", title="\u202eB"))
    assert "> a&#8238;b&#8294;c\n" in text
    assert "[&#8238;B]" in text
    assert "\u202e" not in text


def test_markup_and_line_breaks_in_texts_are_text(site: Site) -> None:
    title = "a ] b)\n[c](d) *e* _f_ `g` <h> & \\ # \x0b\x00i"
    text = llms(site, site.page("", described("# 1.\n- x"), title=title), title="1. C # 2")
    name = "a &#93; b) &#91;c&#93;(d) &#42;e&#42; &#95;f&#95; &#96;g&#96; &#60;h&#62; &#38; &#92;"
    assert links(text) == {"": (f"{name} &#35; i", None)}
    assert text.startswith("# 1. C &#35; 2\n\n> &#35; 1. - x\n\n<!--")


@pytest.mark.parametrize("text", ["1. Tea", "12) Tea", "- Tea", "+ Tea", "~~~", "---"])
def test_a_summary_is_no_list_or_rule(site: Site, text: str) -> None:
    written = llms(site, site.page("", described(text)))
    (summary,) = re.findall("^> (.*)", written, re.MULTILINE)
    assert not re.match(r"\d*[-+~.)]", summary)
    assert re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), summary) == text


def test_what_ends_a_link_is_escaped_in_urls(site: Site) -> None:
    assert f"]({BASE}a%20%28b%29.html)" in llms(site, Page("a (b).html", title="A"))


def test_a_page_without_a_title_has_its_url_for_a_name(site: Site) -> None:
    assert links(llms(site, Page("a_b/"))) == {"a_b/": (f"{BASE}a&#95;b/", None)}


def test_a_note_is_the_description_in_the_head_on_one_line_and_not_too_long(site: Site) -> None:
    first = "<META  content='Tea\n &amp; <b>pots</b>' name=Description>"
    notes = links(
        llms(
            site,
            site.page("a/", first + described("x")),
            site.page("b/", f"<!-- {described('no')} --><template>{described('no')}</template>"),
            site.page("c/", described("word " * 100)),
            site.page("d/", described("字" * 300)),
            Page("e/", meta={"description": "of the source"}),
            site.page("f/", described("None")),  # what MkDocs' themes write without one
        )
    )
    assert notes["f/"][1] is None
    assert notes["a/"][1] == "Tea &#38; &#60;b&#62;pots&#60;/b&#62;"
    assert notes["b/"][1] is None
    assert notes["c/"][1] == f"{'word ' * 39}word…"
    assert notes["d/"][1] == f"{'字' * 200}…"
    assert notes["e/"][1] is None


def test_a_description_of_the_whole_site_is_no_note(site: Site) -> None:
    pages = [site.page(f"{n}/", described("The site.")) for n in range(2)]
    home = site.page("", described("Welcome."))
    text = llms(site, home, *pages, site.page("own/", described("Own.")))
    assert {note for _, note in links(text).values()} == {None, "Own."}
    assert "> Welcome." in text


def test_a_link_leads_to_the_markdown_that_the_page_names_or_that_is_beside_it(
    site: Site,
) -> None:
    named = '<link rel="alternate" href="../raw/a.md?x(1)" type="Text/Markdown; charset=utf-8">'
    other = '<link rel="alternate" type="application/rss+xml" href="feed.md">'
    pages = [
        site.page("a/", named),
        site.page("b/", other),
        site.page("c/"),
        site.page("d.html"),
        site.page("e é.html"),
        replace(site.page("f.html"), url="f"),
        site.page("g.html"),
        replace(site.page("h/"), url="h"),
        site.page("i/", '<link rel="alternate" type="text/markdown" href="javascript:1">'),
    ]
    for name in ("c/index.md", "d.html.md", "d.md", "e é.md", "f.md", "h/index.md", "g.txt"):
        (site.folder / name).touch()
    assert [*links(llms(site, *pages))] == [
        *("raw/a.md?x%281%29", "b/", "c/index.md", "d.html.md", "e%20%C3%A9.md", "f.md"),
        *("g.html", "h", "i/"),
    ]
    assert not re.search(r"\.md|\.txt", (site.folder / "sitemap.xml").read_text())


def test_what_the_sitemap_leaves_out_is_not_in_it(site: Site) -> None:
    pages = [
        site.page("a/"),
        site.page("hidden/", '<meta name="robots" content="noindex">'),
        site.page("copy/", f'<link rel="canonical" href="{BASE}a/">'),
        site.page("draft/", meta={"sitemap": False}),
    ]
    assert links(llms(site, *pages)).keys() == {"a/"}


def test_only_the_language_of_the_home_page_counts(site: Site) -> None:
    pages = [
        Page("", lang="pt"),
        Page("a/", lang="pt", translation_key="x"),
        Page("br/a/", lang="pt_BR", translation_key="x"),
        Page("de/a/", lang="de", translation_key="x"),
        Page("only/", lang="pt-BR"),
        Page("nur/", lang="de"),
        Page("unknown/"),
    ]
    expected = {"", "a/", "only/", "unknown/"}
    assert links(llms(site, *pages, language="de")).keys() == expected
    assert links(llms(site, *pages[1:], language="pt")).keys() == expected - {""}
    assert links(llms(site, *pages[1:])).keys() == {each.url for each in pages[1:]}


def test_a_long_file_is_reported(site: Site) -> None:
    def length(count: int) -> int:
        pages = [Page(f"{n}/", title="x" * 100) for n in range(count)]
        report = site.build(*pages, formats=["xml", "llms"])
        size = len((site.folder / "llms.txt").read_text("utf-8"))
        assert site.warnings(report) == (["llms-size"] if size > MAX_CHARACTERS else [])
        return size

    assert length(300) < MAX_CHARACTERS < length(400)


def test_it_goes_when_its_format_is_no_longer_wanted_but_a_file_of_the_users_stays(
    site: Site,
) -> None:
    llms(site, Page("a/"), filename="maps/main.xml")
    site.build(Page("a/"), filename="maps/main.xml")
    file = site.folder / "llms.txt"
    assert not file.exists()
    file.write_text("# Mine\n")
    site.build(Page("a/"))
    assert file.read_text() == "# Mine\n"


def test_it_is_known_as_ours_however_long_the_title_is(site: Site) -> None:
    for url in ("a/", "b/"):
        page = site.page("", described("[" * 9000), title="[" * 9000)
        assert url in llms(site, page, Page(url), title="[" * 9000)


def test_a_handler_may_say_what_a_page_is_about(site: Site) -> None:
    def on_entry(page: Page, entry: Entry) -> Entry:
        return replace(entry, about=About(description=f"Of {page.url}"))

    options = read_options({"formats": ["xml", "llms"]}, where="test", base_url=BASE)
    build([Page("a/"), Page("b/")], options, site.folder, on_entry=on_entry)
    text = (site.folder / "llms.txt").read_text()
    assert [note for _, note in links(text).values()] == ["Of a/", "Of b/"]


def test_other_builds_keep_nothing_of_it(site: Site) -> None:
    report = site.build(site.page("a/", described("Tea")), formats=["xml", "html"])
    assert not report.listed[0].about
    assert b'"about"' not in report.to_json()
