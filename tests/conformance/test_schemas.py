"""Our schemas say of each value what the protocol's own say."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from .npm import programs

if TYPE_CHECKING:
    from collections.abc import Iterable

SCHEMAS = Path(__file__).parent / "schemas"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
LOC = "<loc>https://example.org/</loc>"

# What the element holds, and whether it is valid by the schema of the protocol.
VALUES: dict[str, dict[str, bool]] = {
    "loc": {
        "https://example.org/": True,
        "http://a.bc/": True,
        "http://a.b/": False,
        "": False,
        "https://example.org/" + "x" * 2028: True,
        "https://example.org/" + "x" * 2029: False,
        "/relative/path": True,
        "ftp://example.org/": True,
        "https://example.org/a b": True,
        "https://bücher.example/": True,
    },
    "lastmod": {
        "2024-05-06": True,
        "2024-05-06T07:08:09Z": True,
        "2024-05-06T07:08:09.5+09:00": True,
        "2024-05-06Z": True,
        "2024-05-06+09:00": True,
        "2024-05-06T07:08:09": True,
        "2024-05-06T24:00:00Z": True,
        "-0044-03-15": True,
        "12024-01-01": True,
        "2024": False,
        "2024-05": False,
        "2024-05-06T07:08Z": False,
        "2024-05-06T07:08:09+0900": False,
        "2024-05-06T07:08:09+14:01": False,
        "2024-05-06 07:08:09Z": False,
        "2024-05-06t07:08:09z": False,
        "20240506": False,
        "2024-127": False,
        "2024-W19-1": False,
        "2024-05-06T23:59:60Z": False,
        "2024-02-30": False,
        "": False,
    },
    "changefreq": {
        **dict.fromkeys(
            ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never"), True
        ),
        **dict.fromkeys(("Daily", " daily ", "sometimes", ""), False),
    },
    "priority": {
        **dict.fromkeys(("0", "1", "0.0", "1.0", ".5", "+0.5", " 0.5 ", "0.25"), True),
        **dict.fromkeys(("5e-1", "NaN", "0,5", "-0.1", "1.1", ""), False),
    },
}
CASES = [(name, text, valid) for name, texts in VALUES.items() for text, valid in texts.items()]

DOCUMENTS = {
    "a page": (f"<url>{LOC}</url>", True),
    "no page": ("", False),
    "a page without loc": ("<url/>", False),
    "two locs": (f"<url>{LOC}{LOC}</url>", False),
    "two dates": (f"<url>{LOC}{'<lastmod>2024-05-06</lastmod>' * 2}</url>", False),
    "priority before changefreq": (
        f"<url>{LOC}<priority>1</priority><changefreq>daily</changefreq></url>",
        False,
    ),
    "date before loc": (f"<url><lastmod>2024-05-06</lastmod>{LOC}</url>", False),
    "an attribute": (f'<url id="a">{LOC}</url>', False),
    "an unknown element": (f"<url>{LOC}<note/></url>", False),
    "an unknown namespace": (f'<url>{LOC}<note xmlns="urn:x"/></url>', False),
    "text between": (f"<url>{LOC}</url>text", False),
}


def urlset(content: str) -> etree._ElementTree:  # pyright: ignore[reportPrivateUsage]
    root = etree.fromstring(f'<urlset xmlns="{NAMESPACE}">{content}</urlset>')
    return etree.ElementTree(root)


def page(name: str, text: str) -> etree._ElementTree:  # pyright: ignore[reportPrivateUsage]
    element = f"<{name}>{text}</{name}>"
    return urlset(f"<url>{element if name == 'loc' else LOC + element}</url>")


def schema(file: Path) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(file))


@pytest.fixture(scope="module")
def ours() -> etree.XMLSchema:
    return schema(SCHEMAS / "all.xsd")


@pytest.mark.parametrize(("name", "text", "valid"), CASES)
def test_our_schema_takes_and_refuses_what_the_protocol_does(
    ours: etree.XMLSchema, name: str, text: str, valid: bool
) -> None:
    assert ours.validate(page(name, text)) == valid


@pytest.mark.parametrize("case", DOCUMENTS)
def test_our_schema_knows_the_shape_of_a_sitemap(ours: etree.XMLSchema, case: str) -> None:
    content, valid = DOCUMENTS[case]
    assert ours.validate(urlset(content)) == valid


@pytest.mark.node
def test_the_protocols_own_schema_says_the_same(ours: etree.XMLSchema) -> None:
    """sitemap.js brings that schema along; it knows no extension."""
    folder = programs() / "node_modules" / "sitemap" / "schema"
    official = schema(folder / "sitemap.xsd")
    for document in (*_pages(), *(urlset(content) for content, _ in DOCUMENTS.values())):
        assert official.validate(document) == ours.validate(document), etree.tostring(document)


def _pages() -> Iterable[etree._ElementTree]:  # pyright: ignore[reportPrivateUsage]
    return (page(name, text) for name, text, _ in CASES)


@pytest.mark.parametrize("name", ["sitemap.xsd", "siteindex.xsd", "all.xsd"])
def test_each_schema_stands_on_its_own_files(name: str, tmp_path: Path) -> None:
    shutil.copytree(SCHEMAS, tmp_path / "schemas")
    alone = schema(tmp_path / "schemas" / name)
    assert alone.validate(urlset(f"<url>{LOC}</url>")) == (name != "siteindex.xsd")


@pytest.mark.parametrize(
    ("content", "valid"),
    [
        (f"<sitemap>{LOC}</sitemap>", True),
        (f"<sitemap>{LOC}<lastmod>2024-05-06</lastmod></sitemap>", True),
        ("", False),
        (f"<sitemap>{LOC}<priority>1</priority></sitemap>", False),
        (f"<url>{LOC}</url>", False),
    ],
)
def test_our_schema_knows_the_shape_of_an_index(
    ours: etree.XMLSchema, content: str, valid: bool
) -> None:
    root = etree.fromstring(f'<sitemapindex xmlns="{NAMESPACE}">{content}</sitemapindex>')
    assert ours.validate(root) == valid
