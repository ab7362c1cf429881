"""Images, videos, news and languages: valid by the schemas, and read back as they were written."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from usp.tree import sitemap_from_str

from sitemapkit import Page, build, read_options

from .npm import programs

HERE = Path(__file__).parent
BASE = "https://example.org/"
NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)

VIDEO = {
    "live": "no",
    "title": "Tea & <water>",
    "description": "First the leaves,\nthen the water.",
    "thumbnail_loc": "poster.jpg",
    "content_loc": "film.mp4?a=1&b=2",
    "player_loc": "https://player.example/1",
    "duration": 60,
    "rating": 4.5,
    "view_count": 3,
    "tags": ["tea", "water"],
    "family_friendly": True,
    "restriction": {"relationship": "deny", "countries": ["DE", "FR"]},
    "platform": {"relationship": "allow", "platforms": ["web", "tv"]},
    "uploader": {"name": "A & B", "info": "https://example.org/us?a&b"},
    "requires_subscription": False,
    "publication_date": datetime(2024, 5, 1, 10, tzinfo=UTC),
    "expiration_date": "2034-05-01",
}
VIDEO_READ = {
    "thumbnail_loc": f"{BASE}tea/poster.jpg",
    "title": "Tea & <water>",
    "description": "First the leaves, then the water.",
    "content_loc": f"{BASE}tea/film.mp4?a=1&b=2",
    "player_loc": "https://player.example/1",
    "duration": "60",
    "expiration_date": "2034-05-01",
    "rating": "4.5",
    "view_count": "3",
    "publication_date": "2024-05-01T10:00:00Z",
    "tag": ["tea", "water"],
    "family_friendly": "yes",
    "restriction": "DE FR",
    "restriction:relationship": "deny",
    "requires_subscription": "no",
    "uploader": "A & B",
    "uploader:info": "https://example.org/us?a&b",
    "platform": "web tv",
    "platform:relationship": "allow",
    "live": "no",
}
IMAGES = [f"{BASE}tea/leaf.png", f"{BASE}tea/a%20cup.png?w=1&h=2", "https://cdn.example/x.png"]
LANGUAGES = {"de": f"{BASE}de/tee/", "en": f"{BASE}tea/", "pt-BR": f"{BASE}pt/cha/"}
ALTERNATES = [*LANGUAGES.items(), ("x-default", LANGUAGES["en"])]
TITLE = 'News & <so on>, "quoted"'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sitemap and the news sitemap of a site that has everything."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(NOON.timestamp())))
    pictures = (
        '<img src="leaf.png"><img src="a cup.png?w=1&amp;h=2"><img src="//cdn.example/x.png">'
    )
    tea: dict[str, Any] = {"meta": {"videos": [VIDEO]}, "content": pictures, "modified": NOON}
    pages = [
        Page("tea/", lang="en", translation_key="t", **tea),
        Page("de/tee/", lang="de", translation_key="t"),
        Page("pt/cha/", lang="pt_BR", translation_key="t"),
    ]
    news = {"name": "The Tea & Times", "language": "en", "match": "news/"}
    settings = {"images": True, "x_default": "en", "news": news}
    options = read_options(settings, where="test", base_url=BASE)
    build([*pages, Page("news/one/", title=TITLE, published=NOON)], options, tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-news.xml"])
def test_the_files_are_valid_by_the_schemas(files: Path, name: str) -> None:
    schema = etree.XMLSchema(etree.parse(HERE / "schemas" / "all.xsd"))
    schema.assertValid(etree.parse(files / name))


def test_the_sets_are_reciprocal(files: Path) -> None:
    command = [sys.executable, str(HERE / "hreflang.py"), str(files / "sitemap.xml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_ultimate_sitemap_parser_reads_images_and_news(files: Path) -> None:
    tree = sitemap_from_str((files / "sitemap.xml").read_text())
    images = {page.url: [image.loc for image in page.images or ()] for page in tree.all_pages()}
    assert images[f"{BASE}tea/"] == IMAGES
    (page,) = sitemap_from_str((files / "sitemap-news.xml").read_text()).all_pages()
    assert page.news_story
    story = page.news_story
    assert (story.title, story.publish_date) == (TITLE, NOON)
    assert (story.publication_name, story.publication_language) == ("The Tea & Times", "en")


@pytest.mark.node
def test_the_parser_of_sitemap_js_reads_everything(files: Path) -> None:
    parser = programs() / "node_modules/sitemap/dist/esm/cli.js"
    tea = _run(str(parser), "--parse", str(files / "sitemap.xml"))[f"{BASE}tea/"]
    assert [image["url"] for image in tea["img"]] == IMAGES
    assert [(link["lang"], link["url"]) for link in tea["links"]] == ALTERNATES
    (video,) = tea["video"]
    assert _texts(video) == VIDEO_READ
    story = _run(str(parser), "--parse", str(files / "sitemap-news.xml"))[f"{BASE}news/one/"]
    assert story["news"] == _news()


@pytest.mark.node
def test_the_parser_of_nuxt_reads_everything(files: Path) -> None:
    folder = programs()
    script = folder / "parse.mjs"
    shutil.copy(HERE / "nuxt.mjs", script)
    tea = _run(str(script), str(files / "sitemap.xml"))[f"{BASE}tea/"]
    assert [image["loc"] for image in tea["images"]] == IMAGES
    assert [(link["hreflang"], link["href"]) for link in tea["alternatives"]] == ALTERNATES
    (video,) = tea["videos"]
    assert _flat(video) == VIDEO_READ
    story = _run(str(script), str(files / "sitemap-news.xml"))[f"{BASE}news/one/"]
    assert story["news"] == _news()


def _run(*arguments: str) -> dict[str, Any]:
    """Run a script of node's; return the entries that it prints as JSON values, by URL."""
    done = subprocess.run(["node", *arguments], capture_output=True, text=True, check=True)
    entries, decoder, rest = [], json.JSONDecoder(), done.stdout.strip()
    while rest:
        entry, end = decoder.raw_decode(rest)
        entries.append(entry)
        rest = rest[end:].strip()
    return {entry.get("url") or entry["loc"]: entry for entry in entries}


def _texts(video: dict[str, Any]) -> dict[str, Any]:
    return {name: value if name == "tag" else str(value) for name, value in video.items()}


def _flat(video: dict[str, Any]) -> dict[str, Any]:
    """Name the text and the attributes of an element as sitemap.js does."""
    flat: dict[str, Any] = {}
    for name, value in video.items():
        if isinstance(value, dict):
            text = value.pop("#text")
            flat |= {name: text, **{f"{name}:{key}": each for key, each in value.items()}}
        else:
            flat[name] = value
    return flat


def _news() -> dict[str, Any]:
    return {
        "publication": {"name": "The Tea & Times", "language": "en"},
        "publication_date": "2024-05-06T12:00:00Z",
        "title": TITLE,
    }
