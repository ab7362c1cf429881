"""What stands beside the sitemap: for people, for feed readers, for news search."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree, html
from msgspec.structs import replace

from sitemapkit import OptionError, Page, build, read_options
from sitemapkit_extras.formats.html import texts as all_words
from sitemapkit_tools import write_index, write_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapkit import Entry, Kind

    from ..conftest import Site

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)
ATOM = "{http://www.w3.org/2005/Atom}"
NEWS = "{http://www.google.com/schemas/sitemap-news/0.9}"
VIDEO = "{http://www.google.com/schemas/sitemap-video/1.1}"


@pytest.fixture(autouse=True)
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(NOON.timestamp())))


def people(site: Site, *pages: Page, **options: object) -> html.HtmlElement:
    site.build(*pages, formats=["xml", "html"], **options)
    return html.parse(site.folder / "sitemap.html").getroot()


def texts(root: html.HtmlElement, path: str) -> Sequence[str]:
    return [element.text_content() for element in root.findall(path)]


WORDS = all_words()
PUBLICATION = {"name": "The Tea Times", "language": "en", "match": "news/"}


class TestForPeople:
    def test_pages_stand_in_their_sections_with_titles_and_days(self, site: Site) -> None:
        root = people(
            site,
            Page("guide/b/", title="Second", modified=date(2024, 5, 1)),
            Page("guide/a/", title="First"),
            Page("", title="Home"),
        )
        assert texts(root, ".//h2") == ["top level 1 page", "guide 2 pages"]
        rows = [[cell.text_content() for cell in row] for row in root.findall(".//main//tbody/tr")]
        assert rows == [
            ["Home", "/", "not known"],
            ["First", "/guide/a/", "not known"],
            ["Second", "/guide/b/", "2024-05-01"],
        ]

    def test_a_page_whose_generator_knows_no_title_has_that_of_its_rendered_page(
        self, site: Site
    ) -> None:
        heading = site.page("a/", head="<title>A · Site</title>")
        assert heading.output
        Path(heading.output).write_text(
            "<title>Site</title><main><h1>The <i>first</i> &amp; best</h1>"
        )
        pages = [heading, site.page("b/", head="<title>B · Site</title>"), site.page("c/")]
        assert texts(people(site, *pages), ".//main//a") == ["The first & best", "B · Site", "c"]

    def test_markup_in_a_title_is_shown_as_it_is(self, site: Site) -> None:
        title = "<script>alert('&')</script>"
        root = people(site, Page("a/", title=title))
        assert texts(root, ".//main//a") == [title]

    def test_it_speaks_the_language_of_the_site(self, site: Site) -> None:
        root = people(site, Page("a/"), language="ar")
        assert (root.get("lang"), root.get("dir")) == ("ar", "rtl")
        assert texts(root, ".//h1") == ["خريطة الموقع"]

    @pytest.mark.parametrize("language", sorted(WORDS))
    def test_no_text_is_missing_in_any_language_that_we_speak(
        self, site: Site, language: str
    ) -> None:
        assert WORDS[language].keys() == WORDS["en"].keys()
        root = people(site, Page("a/"), Page("b/"), language=language)
        (title,) = texts(root, ".//h1")
        assert title == WORDS[language]["title"]

    @pytest.mark.parametrize(
        ("language", "title"),
        [
            *(("zh", "网站地图"), ("zh_CN", "网站地图"), ("zh-Hans-HK", "网站地图")),
            *(("zh-TW", "網站地圖"), ("zh-Hant", "網站地圖"), ("zh_HK", "網站地圖")),
        ],
    )
    def test_chinese_is_written_as_its_readers_write_it(
        self, site: Site, language: str, title: str
    ) -> None:
        assert texts(people(site, Page("a/"), language=language), ".//h1") == [title]

    def test_a_language_without_words_of_ours_gets_english_ones(self, site: Site) -> None:
        root = people(site, Page("a/"), language="eu_ES")
        body = root.find("body")
        assert body is not None
        assert (root.get("lang"), root.get("dir"), body.get("lang")) == ("eu-ES", "ltr", "en")

    def test_it_asks_nothing_of_anyone_and_wants_no_index(self, site: Site) -> None:
        root = people(site, Page("a/"))
        assert not root.xpath("//*[@src] | //link | //style[contains(., '@import')]")
        assert root.xpath("//meta[@name='robots']/@content") == ["noindex"]

    @pytest.mark.parametrize(
        ("language", "number"), [("en", "1,234"), ("de", "1.234"), ("fr", "1\u202f234")]
    )
    def test_numbers_are_written_as_in_the_language_of_the_page(
        self, site: Site, language: str, number: str
    ) -> None:
        root = people(site, *(Page(f"guide/{n}/") for n in range(1_234)), language=language)
        assert number in texts(root, ".//h2/small")[-1]

    def test_pages_that_an_earlier_release_wrote_go(self, site: Site) -> None:
        people(site, Page("a/"))
        (site.folder / "sitemap-2.html").write_text((site.folder / "sitemap.html").read_text())
        (site.folder / "sitemap-mine.html").write_text("<p>mine")
        people(site, Page("a/"), Page("b/"))
        assert not (site.folder / "sitemap-2.html").exists()
        assert (site.folder / "sitemap-mine.html").read_text() == "<p>mine"

    def test_a_template_of_the_users_replaces_ours(self, site: Site) -> None:
        folder = site.folder / "templates"
        folder.mkdir()
        (folder / "sitemap.html").write_text("<!-- {{ mark }} --><h1>{{ total }} of mine</h1>")
        assert texts(people(site, Page("a/"), templates=str(folder)), ".//h1") == ["1 of mine"]

    @pytest.mark.parametrize("text", ["\n{% if %}", "{{ tottal }}", "\xe9"])
    def test_a_template_that_cannot_be_used_is_told(self, site: Site, text: str) -> None:
        folder = site.folder / "templates"
        folder.mkdir()
        (folder / "sitemap.html").write_text(text, encoding="latin-1")
        with pytest.raises(OptionError, match=r"'templates': a template in .*templates cannot"):
            people(site, Page("a/"), templates=str(folder))

    def test_it_is_no_sitemap_for_engines(self, site: Site) -> None:
        with pytest.raises(OptionError, match="engines"):
            site.build(Page("a/"), formats=["html"])


class TestFeed:
    def feed(self, site: Site, *pages: Page, **options: object) -> Any:
        site.build(*pages, formats=["xml", "atom"], title="Tea & more", **options)
        return etree.parse(site.folder / "sitemap.atom").getroot()

    def test_it_has_the_newest_changes_first(self, site: Site) -> None:
        root = self.feed(
            site,
            Page("old/", title="Old", modified=date(2024, 1, 1)),
            Page("new/", title="New", modified=NOON - timedelta(hours=1)),
            Page("undated/", title="Undated"),
        )
        entries = root.findall(f"{ATOM}entry")
        assert [entry.findtext(f"{ATOM}title") for entry in entries] == ["New", "Old"]
        assert [entry.findtext(f"{ATOM}updated") for entry in entries] == [
            "2024-05-06T11:00:00+00:00",
            "2024-01-01T00:00:00+00:00",
        ]
        assert root.findtext(f"{ATOM}title") == "Tea & more"
        assert root.findtext(f"{ATOM}updated") == "2024-05-06T11:00:00+00:00"

    def test_it_names_itself(self, site: Site) -> None:
        root = self.feed(site, Page("a/", modified=date(2024, 1, 1)))
        links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
        assert links["self"] == "https://example.org/docs/sitemap.atom"

    def test_count_and_days_bound_it(self, site: Site) -> None:
        pages = [Page(f"{n}/", modified=date(2024, 5, n)) for n in range(1, 7)]
        by_count = self.feed(site, *pages, feed={"count": 2}).findall(f"{ATOM}entry")
        by_age = self.feed(site, *pages, feed={"days": 3}).findall(f"{ATOM}entry")
        assert (len(by_count), len(by_age)) == (2, 3)

    def test_it_has_what_people_read_and_no_lists_of_it(self, site: Site) -> None:
        kinds: tuple[Kind, ...] = ("page", "article", "listing", "generated", "static")
        pages = [Page(f"{kind}/", kind=kind, modified=date(2024, 5, 1)) for kind in kinds]
        root = self.feed(site, *pages, include="*", feed={"count": 3})
        links = [link.get("href", "") for link in root.iterfind(f"{ATOM}entry/{ATOM}link")]
        assert [each.split("/")[-2] for each in links] == ["article", "page", "static"]
        site.build(*pages[2:4], include="*", formats=["xml", "atom"])
        assert not (site.folder / "sitemap.atom").exists()

    def test_a_summary_is_the_description_of_that_page_alone(self, site: Site) -> None:
        texts = {"a/": "Tea &amp;amp; &lt;pots&gt;", "b/": "The site.", "c/": "The site.", "d/": ""}
        pages = [
            site.page(url, f'<meta name="description" content="{text}">', modified=date(2024, 5, 1))
            for url, text in texts.items()
        ]
        (summary,) = self.feed(site, *pages).iter(f"{ATOM}summary")
        assert summary.get("type") == "html"
        assert html.fromstring(summary.text).text_content() == "Tea &amp; <pots>"

    def test_without_a_date_there_is_none(self, site: Site) -> None:
        site.build(Page("a/"), formats=["xml", "atom"])
        assert not (site.folder / "sitemap.atom").exists()


class TestNews:
    def news(self, site: Site, *pages: Page) -> list[Any]:
        site.build(*pages, news=PUBLICATION)
        return list(etree.parse(site.folder / "sitemap-news.xml").getroot())

    def test_articles_of_the_last_two_days_are_listed_the_newest_first(self, site: Site) -> None:
        hours = {"news/a/": 1, "news/b/": 47, "news/old/": 49, "blog/c/": 1}
        pages = [Page(u, title=u, published=NOON - timedelta(hours=h)) for u, h in hours.items()]
        rows = self.news(site, *pages)
        assert [row.findtext(f".//{NEWS}title") for row in rows] == ["news/a/", "news/b/"]
        assert rows[0].findtext(f".//{NEWS}publication_date") == "2024-05-06T11:00:00Z"
        assert rows[0].findtext(f".//{NEWS}name") == "The Tea Times"

    def test_without_a_fresh_article_the_file_stays_alive_and_empty(self, site: Site) -> None:
        assert self.news(site, Page("news/a/", title="A", published=date(2024, 1, 1))) == []

    def test_the_date_in_the_metadata_is_that_of_publication(self, site: Site) -> None:
        pages = [
            Page("news/a/", title="A", meta={"date": "2024-05-06"}),
            Page("news/b/", title="B", meta={"date": "some day in spring"}),
            Page("news/c/", title="C"),
        ]
        assert [row.findtext(f".//{NEWS}title") for row in self.news(site, *pages)] == ["A"]
        report = site.build(*pages, news=PUBLICATION)
        (issue,) = [each for each in report.issues if each.rule.id == "news-incomplete"]
        assert issue.where.endswith("/news/b/")
        assert issue.message.endswith("a title and a publication date. 1 more like this.")

    def test_a_thousand_are_listed_and_the_rest_reported(self, site: Site) -> None:
        pages = [Page(f"news/{n}/", title="A", published=NOON) for n in range(1001)]
        report = site.build(*pages, news=PUBLICATION)
        assert site.warnings(report) == ["news-limit"]
        assert len(self.news(site, *pages)) == 1000

    def test_robots_names_it_beside_the_sitemap_for_as_long_as_it_is_there(
        self, site: Site
    ) -> None:
        robots = site.folder / "robots.txt"
        theirs = "User-agent: *\nDisallow: /private/\n"
        robots.write_text(theirs)
        ours = [
            "# sitemapkit: sitemap.xml\nSitemap: https://example.org/docs/sitemap.xml\n",
            "# sitemapkit: sitemap.xml\nSitemap: https://example.org/docs/sitemap-news.xml\n",
        ]
        for _ in range(2):
            site.build(Page("a/"), news=PUBLICATION)
            assert robots.read_text() == theirs + "\n" + "".join(ours)
        robots.write_text(robots.read_text() + "Sitemap: https://example.org/mine.xml\n")
        site.build(Page("a/"))
        mine = "Sitemap: https://example.org/mine.xml\n"
        assert robots.read_text() == theirs + "\n" + ours[0] + mine
        site.build(Page("a/"), news=PUBLICATION)
        assert robots.read_text() == theirs + "\n" + "".join(ours) + mine

    def test_robots_names_it_even_where_no_page_is_news(self, site: Site) -> None:
        site.build(Page("a/"), news={**PUBLICATION, "match": "news/"}, robots="write")
        robots = (site.folder / "robots.txt").read_text()
        assert "Sitemap: https://example.org/docs/sitemap-news.xml" in robots

    def test_a_wrong_language_is_refused(self, site: Site) -> None:
        with pytest.raises(OptionError, match="language"):
            site.build(Page("a/"), news={**PUBLICATION, "language": "en-US"})


@pytest.mark.parametrize("bad", ["yesterday", "2024-05", 10**15, True])
def test_what_a_handler_says_that_is_no_date_is_none_in_each_file(site: Site, bad: Any) -> None:
    def on_entry(page: Page, entry: Entry) -> Entry:
        return replace(entry, lastmod=bad if page.url == "a/" else 1_714_979_289)

    options = read_options(
        {"formats": ["xml", "html", "atom"]}, where="test", base_url="https://example.org/docs/"
    )
    report = build([Page("a/"), Page("b/")], options, site.folder, on_entry=on_entry)
    assert site.warnings(report) == ["bad-date"]
    feed = etree.parse(site.folder / "sitemap.atom").getroot()
    assert [each.text for each in feed.iterfind(f"{ATOM}entry/{ATOM}updated")] == [
        "2024-05-06T07:08:09+00:00"
    ]
    days = (
        html.parse(site.folder / "sitemap.html").getroot().findall(".//main//tbody/tr/td[last()]")
    )
    assert [day.text_content() for day in days] == ["not known", "2024-05-06"]


class TestVideos:
    def test_its_dates_are_written_as_all_readers_take_them(self, site: Site) -> None:
        video = {
            "title": "Tea",
            "thumbnail_loc": "t.jpg",
            "description": "How to brew it",
            "content_loc": "tea.mp4",
            "publication_date": "2024-05-06 07:08",
            "expiration_date": " 2024-05-07 07:08 +02:00",
        }
        site.build(Page("a/", meta={"videos": [video]}))
        written = etree.parse(site.folder / "sitemap.xml").getroot()
        assert written.findtext(f".//{VIDEO}publication_date") == "2024-05-06"
        assert written.findtext(f".//{VIDEO}expiration_date") == "2024-05-07T07:08:00+02:00"

    def test_a_video_is_written_in_the_order_of_its_schema(self, site: Site) -> None:
        video = {
            "live": "no",
            "title": "Tea & <water>",
            "thumbnail_loc": "t.jpg",
            "description": "One\nTwo",
            "player_loc": "https://player.example/1",
            "tags": ["tea", "water"],
            "restriction": {"relationship": "deny", "countries": ["DE", "FR"]},
            "uploader": {"name": "A & B", "info": "https://example.org/us?a&b"},
        }
        site.build(site.page("a/", meta={"videos": [video]}))
        (url,) = etree.parse(site.folder / "sitemap.xml").getroot()
        (element,) = url.findall(f"{VIDEO}video")
        assert [str(child.tag).removeprefix(VIDEO) for child in element] == [
            *("thumbnail_loc", "title", "description", "player_loc", "tag", "tag"),
            *("restriction", "uploader", "live"),
        ]
        assert element.findtext(f"{VIDEO}title") == "Tea & <water>"
        assert element.findtext(f"{VIDEO}description") == "One Two"
        assert element.findtext(f"{VIDEO}live") == "no"


class TestStylesheet:
    def test_each_xml_file_names_the_css_beside_it(self, site: Site) -> None:
        site.build(*(Page(f"s{n}/{n}/") for n in range(4)), stylesheet=True, max_urls=2)
        assert (site.folder / "sitemap.css").exists()
        files = sorted(site.folder.glob("*.xml"))
        assert len(files) == 5
        for file in files:
            (instruction,) = etree.parse(file).xpath("/processing-instruction()")
            assert instruction.get("href") == "sitemap.css"
            assert instruction.get("type") == "text/css"

    def test_parts_that_are_written_one_by_one_name_css_that_is_there(self, site: Site) -> None:
        options = read_options({"stylesheet": True}, where="bulk.py", base_url="https://a.org")
        parts = write_part(["https://a.org/a/"], options, site.folder, "tea")
        write_index(parts, options, site.folder)
        assert (site.folder / "sitemap.css").exists()

    def test_it_goes_when_it_is_not_wanted_any_longer(self, site: Site) -> None:
        site.build(Page("a/"), stylesheet=True)
        site.build(Page("a/"))
        assert not (site.folder / "sitemap.css").exists()
