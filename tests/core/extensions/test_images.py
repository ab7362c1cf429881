"""Images of a page's content: what a reader sees, and nothing of the theme."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sitemapkit import Page

    from ..conftest import Site

BASE = "https://example.org/docs/"


def rendered(page: Page, content: str) -> None:
    """Write the page's file with this content in a theme."""
    assert page.output
    html = f"<html><body><nav><img src=logo.png></nav><main>{content}</main></body></html>"
    Path(page.output).write_text(html)


def images(site: Site, content: str | None, **meta: object) -> list[str]:
    page = site.page("a/", content=content, meta={"sitemap": meta})
    if content is not None:
        rendered(page, content)
    for name in re.findall(r"[\w./ -]*\w\.(?:png|webp|svg|gif)", f"{content} {meta}"):
        if not name.startswith("/"):
            (site.folder / "a" / name.strip()).touch()
    (entry,) = site.build(page, images=True).listed
    return [url.removeprefix(BASE) for url in entry.images]


@pytest.mark.parametrize(
    ("html", "address"),
    [
        ('<img src="b.png">', "a/b.png"),
        ('<IMG SRC="../c d.png#x">', "c%20d.png"),
        ('<img src="/top.png">', "https://example.org/top.png"),
        ('<img src="//cdn.example/x.png?w=1&amp;h=2">', "https://cdn.example/x.png?w=1&h=2"),
        ('<img src="spacer.gif" data-src="real.png">', "a/real.png"),
        ('<img src="data:image/gif;base64,R0" data-lazy-src="real.png">', "a/real.png"),
        ('<img srcset="s.png 320w, l.png 1280w">', "a/l.png"),
        ('<picture><source srcset="x.webp 2x"><img src="x.png"></picture>', "a/x.png"),
        ('<picture><source srcset="x.webp, y.webp 2x"><img></picture>', "a/y.webp"),
        ('<img srcset="s.png .5x, l.png 1.5x, , b,c.png">', "a/l.png"),
        ('<img srcset="s.png 320w 200h, l.png 640w 400h">', "a/l.png"),
        ('<img srcset="s.png 1.2.3x, t.png .x, l.png 2x">', "a/l.png"),
    ],
)
def test_a_picture_is_listed_once_with_its_whole_address(
    site: Site, html: str, address: str
) -> None:
    assert images(site, f"<p>{html}{html}</p>") == [address]


@pytest.mark.parametrize(
    "html",
    [
        '<img src="data:image/png;base64,AAAA">',
        '<img src="t.gif" width="1" height="1">',
        '<img style="width: 1px" src="t.gif">',
        '<img class="emoji" src="smile.png">',
        '<img class="math" src="formula.png">',
        '<img class="big twemoji" src="smile.svg">',
        '<img src="rule.png" role="presentation">',
        '<nav><img src="logo.png"></nav>',
        '<!-- <img src="old.png"> -->',
        "<img>",
        '<img src="mailto:someone@example.org">',
    ],
)
def test_icons_pixels_and_what_is_no_content_are_not_listed(site: Site, html: str) -> None:
    assert images(site, html) == []


def test_images_of_the_rendered_page_are_those_of_its_main_content(site: Site) -> None:
    page = site.page("a/")
    (site.folder / "a" / "b.png").touch()
    assert page.output
    Path(page.output).write_text(
        '<header><img src="logo.png"></header><main><img src="b.png"></main>'
    )
    (entry,) = site.build(page, images=True).listed
    assert entry.images == [BASE + "a/b.png"]


def test_the_author_adds_and_leaves_out(site: Site) -> None:
    html = '<img src="b.png"><img src="badge-1.svg">'
    assert images(site, html, images=["cover.png", "!badge-*"]) == ["a/cover.png", "a/b.png"]
    assert images(site, html, images=False) == []


def test_patterns_for_images_match_readable_paths(site: Site) -> None:
    html = '<img src="grün.png"><img src="gr%C3%BCner%20Tee.png"><img src="b.png?v=1">'
    assert images(site, html, images=["!grün*.png", "!b.png"]) == []


def test_a_page_lists_a_thousand_images_and_more_are_reported(site: Site) -> None:
    content = "".join(f'<img src="https://cdn.example/{n}.png">' for n in range(1001))
    page = site.page("a/", content=content)
    rendered(page, content)
    report = site.build(page, images=True)
    found = {each.rule.id: each.where for each in report.issues}
    assert found["too-many-images"] == f"{BASE}a/"
    assert (site.folder / "sitemap.xml").read_text().count("<image:loc>") == 1000


def test_addresses_are_escaped_in_the_encoding_of_the_site(site: Site) -> None:
    page = site.page("日/", content='<img src="茶.png">')
    rendered(page, str(page.content))
    (site.folder / "日" / "茶.png").touch()
    (entry,) = site.build(page, images=True, url_encoding="euc-jp").listed
    assert entry.images == [f"{BASE}%C6%FC/%C3%E3.png"]


def test_images_are_listed_only_on_request(site: Site) -> None:
    (entry,) = site.build(site.page("a/", content='<img src="b.png">')).listed
    assert not entry.images


@pytest.mark.parametrize(
    ("shown", "listed"),
    [
        ("<div>AxZ09==;encrypted</div>", []),
        ('<p>Summary.</p><img src="cover.png"><div>AxZ09==</div>', ["a/cover.png"]),
        ('<img src="https://cdn.example/tea.png">', ["https://cdn.example/tea.png"]),
        ('<img src="tea.png?a=1&amp;b=2">', ["a/tea.png?a=1&b=2"]),
    ],
    ids=["encrypted", "encrypted but for a summary", "moved to another host", "as written"],
)
def test_only_what_the_rendered_page_shows_counts(
    site: Site, shown: str, listed: list[str]
) -> None:
    page = site.page("a/", content='<img src="tea.png?a=1&amp;b=2">')
    rendered(page, shown)
    for name in ("tea.png", "cover.png"):
        (site.folder / "a" / name).touch()
    (entry,) = site.build(page, images=True).listed
    assert [url.removeprefix(BASE) for url in entry.images] == listed
