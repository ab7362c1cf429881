"""Videos: from metadata, and from content where all is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sitemapkit import Page, Report, read_options
from sitemapkit.metadata import read_metadata
from sitemapkit.model import Listed
from sitemapkit_extras.extensions.videos import find

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapkit.model import Issue
    from sitemapkit_extras.extensions.videos import Video

    from ..conftest import Site

LOC = "https://example.org/docs/a/"
WHOLE = {
    "thumbnail_loc": "t.jpg",
    "title": "Tea",
    "description": "How to brew it",
    "content_loc": "tea.mp4",
}


def found(
    page: Page, *, embedded: bool, encoding: str = "utf-8"
) -> tuple[Sequence[Video], list[Issue]]:
    options = read_options({"videos": embedded, "url_encoding": encoding}, where="test")
    report = Report()
    (videos,) = find([Listed(page, LOC, read_metadata(page.meta))], options, report)
    return videos, report.issues


def videos(content: str | None = None, **meta: Any) -> Sequence[Video]:
    page = Page("a/", content=content, meta=meta, title="A page")
    listed, issues = found(page, embedded=content is not None)
    assert not issues
    return listed


def complaint(content: str | None = None, **meta: Any) -> str:
    page = Page("a/", content=content, meta=meta, title="A page")
    listed, (issue,) = found(page, embedded=content is not None)
    assert not listed
    assert issue.where == "a/"
    return issue.message


def test_a_video_in_the_metadata_has_whole_addresses() -> None:
    uploader = {"name": "Ann", "info": "/ann/"}
    given = {**WHOLE, "duration": "90", "family_friendly": "yes", "uploader": uploader}
    (video,) = videos(videos=[given])
    assert video.uploader
    assert video.uploader.info == "https://example.org/ann/"
    assert video.content_loc == "https://example.org/docs/a/tea.mp4"
    assert video.thumbnail_loc == "https://example.org/docs/a/t.jpg"
    assert video.duration == 90
    assert video.family_friendly is True


@pytest.mark.parametrize(("value", "written"), [(True, "yes"), (False, "no"), (None, None)])
def test_true_and_false_are_written_in_the_words_of_the_schema(
    site: Site, *, value: bool | None, written: str | None
) -> None:
    names = ("family_friendly", "requires_subscription", "live")
    site.build(Page("a/", meta={"videos": {**WHOLE, **dict.fromkeys(names, value)}}))
    xml = (site.folder / "sitemap.xml").read_text()
    for name in names:
        assert xml.count(f"<video:{name}>") == (written is not None)
        assert xml.count(f"<video:{name}>{written}</video:{name}>") == (written is not None)


@pytest.mark.parametrize("key", ["videos", "sitemap_videos", "sitemap-videos", "sitemap.videos"])
def test_one_video_needs_no_list(key: str) -> None:
    assert len(videos(None, **{key: WHOLE})) == 1
    assert len(videos(sitemap={"videos": WHOLE})) == 1


def test_the_bare_key_may_be_for_videos_of_another_tool() -> None:
    theirs = {"type": "youtube", "url": "https://www.youtube.com/watch?v=abcdefghijk"}
    assert not videos(videos=theirs)
    assert not videos(videos=[theirs, theirs])
    assert len(videos(videos=[theirs], sitemap_videos=WHOLE)) == 1
    assert "type" in complaint(sitemap_videos=[theirs])


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"thumbnail_loc": ""}, "thumbnail_loc"),
        ({"description": ""}, "description"),
        ({"content_loc": ""}, "content_loc"),
        ({"description": "x" * 2049}, "description"),
        ({"title": "x" * 101}, "title"),
        ({"duration": 0}, "duration"),
        ({"duration": 28_801}, "duration"),
        ({"rating": 5.1}, "rating"),
        ({"tags": ["x"] * 33}, "tags"),
        ({"publication_date": "yesterday"}, "YYYY-MM-DD"),
        ({"restriction": {"relationship": "allow", "countries": ["de"]}}, "countries"),
        ({"platform": {"relationship": "maybe", "platforms": ["web"]}}, "relationship"),
        ({"uploader": {"name": "x" * 256}}, "uploader"),
        ({"family_friendly": "perhaps"}, "family_friendly"),
        ({"colour": "red"}, "colour"),
        ({"content_loc": LOC}, "the page itself"),
        ({"content_loc": "ftp://example.org/x"}, "not a"),
    ],
)
def test_what_breaks_a_rule_is_left_out_and_named(change: dict[str, Any], named: str) -> None:
    assert named in complaint(videos=[{**WHOLE, **change}])


def test_a_video_element_counts_where_its_title_poster_and_description_are_known() -> None:
    html = '<video poster="/p.jpg" title="Tea"><source src="tea.mp4"></video>'
    (video,) = videos(html, description="How to brew it")
    assert video.thumbnail_loc == "https://example.org/p.jpg"
    assert video.content_loc == "https://example.org/docs/a/tea.mp4"
    assert "description" in complaint(html)


def test_addresses_are_escaped_in_the_encoding_of_the_site() -> None:
    html = '<video src="茶.mp4" poster="日.png"></video>'
    stated = {**WHOLE, "uploader": {"name": "Ann", "info": "茶"}}
    page = Page("a/", content=html, title="A page", meta={"description": "Tea", "videos": [stated]})
    (described, embedded), issues = found(page, embedded=True, encoding="euc-jp")
    assert not issues
    assert described.uploader
    assert described.uploader.info == "https://example.org/docs/a/%C3%E3"
    assert embedded.content_loc == "https://example.org/docs/a/%C3%E3.mp4"
    assert embedded.thumbnail_loc == "https://example.org/docs/a/%C6%FC.png"


@pytest.mark.parametrize(
    "html",
    [
        '<iframe src="https://maps.example.org/embed/abcdefghijk"></iframe>',
        '<iframe src="https://[broken/"></iframe>',
        "<iframe></iframe><video></video>",
    ],
)
def test_what_is_no_video_is_not_looked_at(html: str) -> None:
    assert videos(html) == []


def test_content_is_searched_only_on_request() -> None:
    html = '<video src="tea.mp4"></video>'
    assert found(Page("a/", content=html), embedded=False) == ([], [])
