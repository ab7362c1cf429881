"""What other packages add, by entry points, and what is said of packages that are broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sitemapkit import OptionError, Options, Page, SitemapError, build, installed, read_options
from sitemapkit.extensions import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Install = Callable[..., None]

SOURCE = """
from datetime import date

class Source:
    issues = ()
    def __init__(self, pages, options): pass
    def date_of(self, found): return date(2024, 5, 6)
"""

EXTENSION = """
from msgspec import Struct
from sitemapkit.options import AddedOptions
from sitemapkit.xmltext import Namespace

class Tea(Struct, forbid_unknown_fields=True):
    name: str

class Options(AddedOptions):
    tea: Tea | None = None

NAMESPACE = Namespace("t", "https://tea.example/")
def find(listed, options, report):
    return [[Options.of(options).tea.name] for each in listed]

def xml(entry, options, report):
    return "".join(f"<t:tea>{name}</t:tea>" for name in entry.extensions["tea"])
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install packages of one module, with one entry point each."""

    def forget() -> None:
        installed.names.cache_clear()
        installed.options.cache_clear()
        installed.all_points.cache_clear()
        installed.points.cache_clear()
        registry.load.cache_clear()

    def package(name: str, group: str, entry: str, code: str | None = "") -> None:
        folder = tmp_path / "packages"
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        points = f"[{group}]\n{entry} = {name}\n"
        if code and "class Options" in code:
            points += f"[{installed.OPTIONS}]\n{entry} = {name}:Options\n"
        (info / "entry_points.txt").write_text(points)
        if code is not None:
            (folder / f"{name}.py").write_text(code)
        monkeypatch.syspath_prepend(str(folder))
        forget()

    yield package
    forget()


def test_a_source_without_an_option_dates_pages_if_lastmod_names_it(
    install: Install, tmp_path: Path
) -> None:
    install("clock", installed.DATE_SOURCES, "clock", SOURCE)
    page = Page("a/", meta={})
    options = read_options({"lastmod": ["clock"]}, where="x", base_url="https://example.org/")
    assert options.date_sources == ("clock",)
    report = build([page], options, tmp_path / "site")
    assert report.dates["https://example.org/a/"].source == "clock"
    assert Options().date_sources == ("metadata", "generator", "git", "members")
    mixed = read_options({"lastmod": ["git", "clock", "metadata"]}, where="x")
    assert mixed.date_sources == ("metadata", "clock", "git")


def test_an_option_may_be_a_table_of_its_own(install: Install, tmp_path: Path) -> None:
    install("tea", installed.EXTENSIONS, "tea", EXTENSION)
    options = read_options({"tea": {"name": "Green"}}, where="x", base_url="https://example.org/")
    build([Page("a/")], options, tmp_path / "site")
    assert "<t:tea>Green</t:tea>" in (tmp_path / "site" / "sitemap.xml").read_text()
    with pytest.raises(OptionError) as caught:
        read_options({"tea": {"nam": "Green"}}, where="x", prefix="sitemap_")
    assert str(caught.value).splitlines() == [
        "x: unknown option 'sitemap_tea.nam'. Did you mean 'name'?",
        "x: option 'sitemap_tea.name' is missing.",
    ]


def test_a_metadata_key_of_an_extension_is_suggested(install: Install, tmp_path: Path) -> None:
    install("tea", installed.EXTENSIONS, "tea", EXTENSION)
    options = read_options({}, where="x", base_url="https://example.org/")
    report = build([Page("a/", meta={"sitemap": {"teaa": 1}})], options, tmp_path / "site")
    (issue,) = [each for each in report.issues if each.rule.id == "bad-metadata"]
    assert "Unknown key 'sitemap.teaa'; did you mean 'sitemap.tea'?" in issue.detail


def test_a_package_that_cannot_be_loaded_is_named(install: Install) -> None:
    install("broken", installed.FORMATS, "json", code=None)
    with pytest.raises(
        SitemapError, match=r"package broken adds as 'json'.*No module named 'broken'"
    ):
        installed.load(installed.FORMATS, "json")


def test_two_packages_that_add_one_name_are_named(install: Install) -> None:
    install("clock", installed.FORMATS, "json")
    install("watch", installed.FORMATS, "json")
    with pytest.raises(SitemapError, match=r"packages (clock|watch) and (clock|watch) both add"):
        read_options({"formats": ["xml", "json"]}, where="x")
