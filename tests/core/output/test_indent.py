"""Indented files say the same as others, within the same limits."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from sitemapkit.extensions.alternates import Alternate
from sitemapkit.model import Entry
from sitemapkit_extras.extensions.videos import Video

from .conftest import BASE, paths

if TYPE_CHECKING:
    from .conftest import Output

VIDEO = Video(
    thumbnail_loc=f"{BASE}v.jpg",
    title="A > B < C",
    description="> <",
    content_loc=f"{BASE}v.mp4",
)
PAGE = Entry(
    f"{BASE}a/",
    date(2024, 5, 6),
    "daily",
    0.5,
    alternates=[Alternate("en", f"{BASE}a/"), Alternate("de", f"{BASE}de/a/")],
    images=[f"{BASE}a.png", f"{BASE}b.png"],
    videos=[VIDEO],
)
WRITTEN = """\
  <url>
    <loc>https://example.org/a/</loc>
    <lastmod>2024-05-06</lastmod>
    <changefreq>daily</changefreq>
    <priority>0.5</priority>
    <image:image>
      <image:loc>https://example.org/a.png</image:loc>
    </image:image>
    <image:image>
      <image:loc>https://example.org/b.png</image:loc>
    </image:image>
    <video:video>
      <video:thumbnail_loc>https://example.org/v.jpg</video:thumbnail_loc>
      <video:title>A &gt; B &lt; C</video:title>
      <video:description>&gt; &lt;</video:description>
      <video:content_loc>https://example.org/v.mp4</video:content_loc>
    </video:video>
    <xhtml:link rel="alternate" hreflang="en" href="https://example.org/a/"/>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.org/de/a/"/>
  </url>
  <url>
    <loc>https://example.org/b/</loc>
  </url>
</urlset>
"""


def test_each_level_is_indented_by_the_spaces_that_the_option_names(output: Output) -> None:
    output.write(PAGE, "b/", indent=2)
    declaration, urlset, rest = output.bytes().decode().split("\n", 2)
    assert declaration == '<?xml version="1.0" encoding="UTF-8"?><!-- sitemapkit -->'
    assert urlset.startswith("<urlset ")
    assert rest == WRITTEN


def test_the_content_is_that_of_a_file_without_indentation(output: Output) -> None:
    output.write(PAGE, *paths(50), indent=4)
    indented = output.root()
    output.write(PAGE, *paths(50))
    for element in indented.iter():
        element.text = (element.text or "").strip() or None
        element.tail = None
    plain = output.root()
    for element in plain.iter():
        element.tail = None
        element.text = (element.text or "").strip() or None
    assert etree.tostring(indented, method="c14n") == etree.tostring(plain, method="c14n")


@pytest.mark.parametrize("indent", [0, 2, 16])
def test_indentation_counts_among_the_bytes_of_a_file(output: Output, indent: int) -> None:
    output.write(*paths(400), indent=indent, max_bytes=5000)
    children = output.children()
    sizes = [len(output.bytes(name)) for name in children]
    assert max(sizes) <= 5000
    assert sorted(loc for name in children for loc in output.locs(name)) == sorted(
        BASE + path for path in paths(400)
    )


def test_indented_children_are_removed_when_they_are_not_needed_any_longer(
    output: Output,
) -> None:
    output.write(*paths(20), indent=2, max_urls=5)
    assert len(output.names()) > 4
    output.write("a/", indent=2, max_urls=5)
    assert output.names() == ["sitemap.xml"]
