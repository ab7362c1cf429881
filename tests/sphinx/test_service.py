"""Where the site is served: robots.txt, and Read the Docs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sphinx

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

ROOT = "https://example.org/"
LINE = "Sitemap: https://example.org/sitemap.xml"
OWN = "User-agent: *\nDisallow: /old/  # gone\n"


def test_at_the_root_of_a_host_a_robots_txt_is_written(site: Callable[..., Site]) -> None:
    project = site(html_baseurl=ROOT)
    project.build()
    assert LINE in (project.out() / "robots.txt").read_text().splitlines()


def test_the_users_own_robots_txt_gets_one_line_and_loses_none(site: Callable[..., Site]) -> None:
    project = site("a", html_baseurl=ROOT, html_extra_path=["robots.txt"])
    project.write({"docs/robots.txt": OWN})
    for _ in range(2):
        project.build()
        text = (project.out() / "robots.txt").read_text()
        assert text.startswith(OWN)
        assert text.count("Sitemap:") == 1
    if sphinx.version_info < (9, 0):  # does not copy robots.txt again
        return
    project.build(sitemap_filename="map.xml")
    text = (project.out() / "robots.txt").read_text()
    assert text.startswith(OWN)
    assert text.count("Sitemap:") == 1
    assert "Sitemap: https://example.org/map.xml" in text
    assert (project.docs / "robots.txt").read_text() == OWN


def test_robots_txt_can_be_left_alone(site: Callable[..., Site]) -> None:
    project = site(html_baseurl=ROOT, sitemap_robots=False)
    project.build()
    assert not (project.out() / "robots.txt").exists()


@pytest.fixture
def hosted(site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site on Read the Docs as its manual recommends it."""
    monkeypatch.setenv("READTHEDOCS", "True")
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://lute.readthedocs.io/pt-br/latest/")
    monkeypatch.setenv("READTHEDOCS_LANGUAGE", "pt-br")
    return site("a", html_baseurl="")


def test_on_read_the_docs_the_base_url_is_known(hosted: Site) -> None:
    hosted.build()
    base = "https://lute.readthedocs.io/pt-br/latest/"
    assert hosted.paths() == [f"{base}a.html", f"{base}index.html"]


def test_on_read_the_docs_no_robots_txt_is_written_and_nothing_is_to_be_done(hosted: Site) -> None:
    log = hosted.build()
    assert not (hosted.out() / "robots.txt").exists()
    assert "robots.txt" not in log.status
    assert log.warnings == ""


def test_on_read_the_docs_the_users_own_robots_txt_is_appended_to(hosted: Site) -> None:
    hosted.write({"docs/robots.txt": OWN})
    hosted.configure(html_extra_path=["robots.txt"])
    log = hosted.build()
    assert not [line for line in log.status.splitlines() if "not read by crawlers" in line]
    text = (hosted.out() / "robots.txt").read_text()
    assert text.startswith(OWN)
    assert "Sitemap: https://lute.readthedocs.io/pt-br/latest/sitemap.xml" in text


def test_the_preview_of_a_pull_request_has_no_versions_in_other_languages(
    hosted: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted.configure(sitemap_languages={"en": "https://lute.readthedocs.io/en/latest/"})
    monkeypatch.setenv("READTHEDOCS_VERSION_TYPE", "external")
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://lute--7.org.readthedocs.build/en/7/")
    assert hosted.build().warnings == ""
    assert len(hosted.paths()) == 2
    assert "hreflang" not in hosted.sitemap().read_text()
