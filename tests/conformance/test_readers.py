"""Whatever a site has, its files are valid and other communities' readers find the same in them."""

from __future__ import annotations

import gzip
import html
import json
import shutil
import subprocess
import threading
from datetime import UTC, date, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from lxml import etree
from usp.tree import sitemap_from_str, sitemap_tree_for_homepage

from sitemapkit import Entry, Report, read_options
from sitemapkit.output.write import write
from sitemapkit_tools import write_index, write_part

from .npm import programs
from .sets import BASE, Expected, expected, read_moment, sets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit import Issue

HERE = Path(__file__).parent
SCHEMA = etree.XMLSchema(etree.parse(HERE / "schemas" / "all.xsd"))
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
XHTML = "{http://www.w3.org/1999/xhtml}"
FORMATS = ["xml", "gz", "txt"]

random_sets = settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def written(entries: list[Entry], folder: Path, **limits: int) -> list[Path]:
    """Write the files of a site; return those that hold URLs."""
    shutil.rmtree(folder, ignore_errors=True)
    options = read_options({"formats": FORMATS, **limits}, where="test", base_url=BASE)
    write(entries, options, folder, Report())
    return sorted(file for file in folder.glob("sitemap*") if ".txt" not in file.name)


def content(file: Path) -> bytes:
    data = file.read_bytes()
    return gzip.decompress(data) if file.suffix == ".gz" else data


def wanted(entries: list[Entry]) -> dict[str, list[Expected]]:
    """Return what each URL may be read back as: where it is given twice, the newest is listed."""
    found: dict[str, list[Expected]] = {}
    for entry in entries:
        if pair := expected(entry):
            found.setdefault(pair[0], []).append(pair[1])
    return found


@pytest.mark.slow
@random_sets
@given(sets)
def test_every_file_is_valid_and_lxml_reads_the_same(tmp_path: Path, given: list[Entry]) -> None:
    files = written(given, tmp_path / "site", max_urls=7)
    found: dict[str, Expected] = {}
    for file in files:
        root = etree.fromstring(content(file))
        SCHEMA.assertValid(root)
        if file.suffix == ".xml":
            found |= dict(map(_read, root.iter("{*}url")))
    assert found.keys() == wanted(given).keys()
    assert all(said in wanted(given)[loc] for loc, said in found.items())


def _read(url: etree._Element) -> tuple[str, Expected]:  # pyright: ignore[reportPrivateUsage]
    priority = url.findtext("{*}priority")
    return str(url.findtext("{*}loc")), Expected(
        read_moment(url.findtext("{*}lastmod")),
        url.findtext("{*}changefreq"),
        None if priority is None else float(priority),
        [(str(e.get("hreflang")), str(e.get("href"))) for e in url.iter(f"{XHTML}link")],
        [e.text or "" for e in url.iter(f"{IMAGE}loc")],
    )


@pytest.mark.slow
@random_sets
@given(sets)
def test_ultimate_sitemap_parser_reads_the_same(tmp_path: Path, given: list[Entry]) -> None:
    written(given, tmp_path / "site")
    file = tmp_path / "site" / "sitemap.xml"
    pages = [*sitemap_from_str(file.read_text()).all_pages()] if file.exists() else []
    # It undoes HTML's escapes in a URL once too often, takes a day for midnight, and knows a
    # default for a priority and none for a change frequency.
    allowed = {html.unescape(loc): said for loc, said in wanted(given).items()}
    assert sorted(page.url for page in pages) == sorted(map(html.unescape, wanted(given)))
    for page in pages:
        frequency = page.change_frequency.value if page.change_frequency else None
        found = (_as_moment(page.last_modified), frequency, float(page.priority))
        assert found in [
            (_as_moment(e.lastmod), e.changefreq, 0.5 if e.priority is None else e.priority)
            for e in allowed[page.url]
        ]


def _as_moment(day: date | None) -> datetime | None:
    if day is None:
        return None
    moment = (
        day if isinstance(day, datetime) else datetime(day.year, day.month, day.day, tzinfo=UTC)
    )
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)


@pytest.fixture(scope="module")
def sitemapjs() -> Iterator[subprocess.Popen[str]]:
    folder = programs()
    script = shutil.copy(HERE / "sitemapjs.mjs", folder / "service.mjs")
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(["node", script], **pipes) as service:
        yield service
        assert service.stdin
        service.stdin.close()


@pytest.mark.node
@random_sets
@given(sets)
def test_the_parser_of_sitemap_js_reads_the_same(
    tmp_path: Path, sitemapjs: subprocess.Popen[str], given: list[Entry]
) -> None:
    for file in written(given, tmp_path / "site"):
        entries = _ask(sitemapjs, file)
        assert [entry["url"] for entry in entries] == sorted(wanted(given))
        for entry in entries:
            assert _said_by_sitemapjs(entry) in wanted(given)[entry["url"]]


def _ask(service: subprocess.Popen[str], file: Path) -> list[dict[str, Any]]:
    assert service.stdin
    assert service.stdout
    service.stdin.write(f"{file}\n")
    service.stdin.flush()
    answer = json.loads(service.stdout.readline())
    assert isinstance(answer, list), answer
    return answer


def _said_by_sitemapjs(entry: dict[str, Any]) -> Expected:
    return Expected(
        read_moment(entry.get("lastmod")),
        entry.get("changefreq"),
        entry.get("priority"),
        [(link["lang"], link["url"]) for link in entry["links"]],
        [image["url"] for image in entry["img"]],
    )


@pytest.mark.slow
@random_sets
@given(sets)
def test_text_lists_the_same_urls(tmp_path: Path, given: list[Entry]) -> None:
    written(given, tmp_path / "site")
    text = tmp_path / "site" / "sitemap.txt"
    lines = text.read_bytes().decode("ascii").splitlines() if text.exists() else []
    assert lines == sorted(wanted(given))


# Over HTTP, from robots.txt to the last page


@pytest.fixture
def host(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address at which a server serves it."""
    handler = partial(_QuietHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield tmp_path, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing of requests."""


@pytest.mark.parametrize("formats", [["xml"], ["gz"], ["xml", "gz"], ["txt"], ["txt.gz"]])
def test_a_reader_finds_all_pages_by_way_of_robots_and_index(
    host: tuple[Path, str], formats: list[str]
) -> None:
    folder, base = host
    urls = {f"{base}{section}/{number}/" for section in "abc" for number in range(30)}
    given: dict[str, Any] = {"formats": formats, "max_urls": 20}
    options = read_options(given, where="test", base_url=base)
    write([Entry(url) for url in urls], options, folder, Report())
    assert _found(base) == urls


def test_a_reader_finds_the_pages_of_all_parts(host: tuple[Path, str]) -> None:
    folder, base = host
    options = read_options({"max_urls": 40}, where="test", base_url=base)
    urls = {name: [f"{base}{name}/{number}/" for number in range(100)] for name in "ab"}
    parts = [part for name in urls for part in write_part(urls[name], options, folder, name)]
    write_index(parts, options, folder)
    assert _found(base) == {url for some in urls.values() for url in some}


def _found(base: str) -> set[str]:
    tree = sitemap_tree_for_homepage(base, use_known_paths=False)
    pages = [page.url for page in tree.all_pages()]
    assert len(pages) == len(set(pages))
    return set(pages)


def test_a_bad_entry_costs_no_other_one(tmp_path: Path) -> None:
    heard: list[Issue] = []
    good, bad = f"{BASE}good/", "ftp://example.org/"
    options = read_options({}, where="test", base_url=BASE)
    write_part([good, bad], options, tmp_path, "a", on_issue=heard.append)
    [page] = sitemap_from_str((tmp_path / "sitemap-a-1.xml").read_text()).all_pages()
    assert (page.url, len(heard)) == (good, 1)
