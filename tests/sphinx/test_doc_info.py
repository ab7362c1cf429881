"""What documents say of themselves, whatever the theme writes, and however they are built."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sphinx_sitemapkit import doc_info
from sphinx_sitemapkit.doc_info import ENV_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

NOINDEX = ":orphan:\n\n.. meta::\n   :robots: noindex\n"
BARE = {"docs/_templates/layout.html": "<html><head></head><body>{{ body }}</body></html>"}
PNG = "x"


@pytest.fixture
def bare(site: Callable[..., Site]) -> Site:
    """A site whose theme writes no meta elements and marks no main content."""
    project = site("a", "b", templates_path=["_templates"], sitemap_images=True)
    project.write(BARE)
    return project


def images(site: Site, builder: str = "html") -> dict[str, list[str]]:
    """Return the images of each listed page that has some."""
    found: dict[str, list[str]] = {}
    for line in site.sitemap(builder).read_text("utf-8").splitlines():
        if urls := re.findall("<image:loc>(.*?)</image:loc>", line):
            loc = re.findall("<loc>(.*?)</loc>", line)[0]
            found[loc.removeprefix("https://example.org/docs/")] = [
                url.removeprefix("https://example.org/docs/") for url in urls
            ]
    return found


# Robots


@pytest.mark.parametrize(
    "meta", ["robots: noindex", "Robots: NONE", "googlebot: noindex, nofollow", "bingbot: noindex"]
)
def test_noindex_counts_though_the_theme_writes_no_meta_elements(bare: Site, meta: str) -> None:
    bare.document("secret", head=f":orphan:\n\n.. meta::\n   :{meta}\n")
    bare.build()
    assert bare.paths() == ["a.html", "b.html", "index.html"]


@pytest.mark.parametrize("meta", ["robots: noarchive", "description: noindex", "keywords: none"])
def test_other_meta_elements_do_not_matter(bare: Site, meta: str) -> None:
    bare.document("page", head=f":orphan:\n\n.. meta::\n   :{meta}\n")
    bare.build()
    assert "page.html" in bare.paths()


def test_noindex_that_comes_and_goes_is_seen_by_incremental_builds(bare: Site) -> None:
    bare.document("page", head=":orphan:")
    bare.build()
    bare.document("page", head=NOINDEX)
    bare.build()
    assert bare.paths() == ["a.html", "b.html", "index.html"]
    bare.document("a", head=":orphan:", body="More.")
    bare.build()
    assert bare.paths() == ["a.html", "b.html", "index.html"]
    bare.document("page", head=":orphan:")
    bare.build()
    assert bare.paths() == ["a.html", "b.html", "index.html", "page.html"]


# Images


def test_images_of_documents_are_those_that_they_name(bare: Site) -> None:
    for name in ("one.png", "two.png", "map.png", "c#.png", "sub/one.png", "over.png"):
        bare.write({f"docs/img/{name}": PNG})
    bare.document(
        "sub/page",
        head=":orphan:",
        body="""
.. image:: /img/one.png
   :alt: One
.. figure:: ../img/two.png

   Two
.. image:: /img/c#.png
.. image:: /img/sub/one.png
.. image:: https://img.example/far.png?w=1
.. image:: data:image/png;base64,R0
.. image:: /img/missing.png
.. only:: latex

   .. image:: /img/over.png

Here is a |map|, and |unused| is nowhere.

.. |map| image:: /img/map.png
.. |unseen| image:: /img/over.png
""",
    )
    bare.build()
    assert images(bare) == {
        "sub/page.html": [
            *("_images/one.png", "_images/two.png", "_images/c%23.png", "_images/one1.png"),
            *("https://img.example/far.png?w=1", "_images/map.png"),
        ]
    }


@pytest.mark.parametrize(("builder", "page"), [("html", "page.html"), ("dirhtml", "page/")])
def test_of_several_files_the_one_that_the_builder_shows_is_listed(
    bare: Site, builder: str, page: str
) -> None:
    bare.write({f"docs/foo.{suffix}": PNG for suffix in ("pdf", "png", "svg")})
    bare.write({"docs/print.pdf": PNG})
    bare.document("page", head=":orphan:", body=".. image:: foo.*\n.. image:: print.*\n")
    bare.build(builder)
    shown = re.findall(r'src="[./]*(_images/.*?)"', written(bare, builder, page))
    assert images(bare, builder) == {page: shown} == {page: ["_images/foo.svg"]}


def written(site: Site, builder: str, page: str) -> str:
    """Return the HTML of a page."""
    file = site.out(builder) / page
    return (file / "index.html" if page.endswith("/") else file).read_text("utf-8")


@pytest.mark.slow
def test_parallel_readers_hand_over_what_they_noted(bare: Site) -> None:
    for number in range(20):
        bare.write({f"docs/img/{number}/x.png": PNG})
        body = f".. image:: /img/{number}/x.png\n"
        bare.document(f"page{number:02}", head=":orphan:" if number % 5 else NOINDEX, body=body)
    sitemaps: set[str] = set()
    for jobs in ("1", "4", "4"):
        assert bare.run("-q", "-E", "-j", jobs).returncode == 0
        sitemaps.add(bare.sitemap().read_text())
        for page, (url,) in images(bare).items():
            assert url in written(bare, "html", page)
    assert len(images(bare)) == 16
    assert "page05.html" not in bare.paths()


def test_incremental_builds_keep_what_they_do_not_read(bare: Site) -> None:
    bare.write({"docs/x.png": PNG, "docs/y.png": PNG})
    bare.document("page", head=":orphan:", body=".. image:: x.png\n")
    bare.document("secret", head=NOINDEX)
    bare.build()
    bare.document("a", head=":orphan:", body=".. image:: y.png\n")
    bare.build()
    assert images(bare) == {"a.html": ["_images/y.png"], "page.html": ["_images/x.png"]}
    bare.document("page", head=":orphan:")
    bare.build()
    assert images(bare) == {"a.html": ["_images/y.png"]}
    assert "secret.html" not in bare.paths()


def test_images_of_a_site_on_a_single_page_are_those_of_all_documents(bare: Site) -> None:
    bare.write({"docs/x.png": PNG, "docs/y.png": PNG})
    bare.document("a", head=":orphan:", body=".. image:: x.png\n")
    bare.document("index", body=".. image:: y.png\n\n.. toctree::\n\n   a\n   b\n")
    bare.build("singlehtml")
    assert images(bare, "singlehtml") == {"": ["_images/y.png", "_images/x.png"]}


def test_icons_and_tracking_pixels_are_no_images(bare: Site) -> None:
    bare.write({"docs/x.png": PNG})
    body = ".. image:: x.png\n   :class: icon\n\n.. image:: x.png\n   :width: 1px\n"
    bare.document("page", head=":orphan:", body=body)
    bare.build()
    assert images(bare) == {}


# What is kept


def test_what_another_version_kept_is_read_anew(
    bare: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare.document("secret", head=NOINDEX)
    monkeypatch.setattr(doc_info, "ENV_VERSION", ENV_VERSION - 1)
    bare.build()
    assert "0 added" in bare.build().status
    monkeypatch.undo()
    log = bare.build()
    assert "4 added" in log.status
    assert bare.paths() == ["a.html", "b.html", "index.html"]
    assert "0 added" in bare.build().status
