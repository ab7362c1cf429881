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


FORMAT = """
from typing import Annotated
from msgspec import Meta
from sitemapkit.model import OutputFile
from sitemapkit.options import A_FILE, AddedOptions

class Options(AddedOptions):
    menu: Annotated[str, A_FILE, Meta(description="path of a file with prices")] = ""

def describe(entries, listed, options):
    for entry, each in zip(entries, listed):
        entry.title = entry.title or f"Tea {each.page.url}"

def output_files(site):
    lines = [site.layout.mark, Options.of(site.layout.options).menu]
    lines += [entry.title for entry in site.entries]
    yield OutputFile(site.layout.beside("-menu.xml"), ["\\n".join(lines).encode()], announced=True)
"""
RECORD = """
from pathlib import Path
from sitemapkit.model import OutputFile
from sitemapkit.options import AddedOptions

class Options(AddedOptions):
    record: str = ""

class Source:
    issues = ()
    def __init__(self, pages, options):
        self._file = Path(Options.of(options).record)
        self._known = self._file.read_text() if self._file.is_file() else ""
        self._now = {each.loc: each.page.title for each in pages}
    def date_of(self, listed):
        return "it has none"
    def saw_change(self, listed):
        return bool(self._known) and self._now[listed.loc] not in self._known
    def changed_after(self, listed, value):
        return self.saw_change(listed)
    def records(self, lastmods):
        text = f"record of {', '.join(self._now.values())}"
        yield OutputFile(self._file, [text.encode()], "record of ")
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


def test_a_format_that_an_option_asks_for_completes_entries_and_is_announced(
    install: Install, tmp_path: Path
) -> None:
    install("menu", installed.FORMATS, "menu", FORMAT)
    given = {"menu": "prices.csv", "robots": "write"}
    options = read_options(given, where="x", root=tmp_path, base_url="https://example.org/")
    site = tmp_path / "site"
    build([Page("a/"), Page("b/", title="Green")], options, site)
    lines = (site / "sitemap-menu.xml").read_text().splitlines()
    assert lines[1:] == [str(tmp_path / "prices.csv"), "Tea a/", "Green"]
    assert "Sitemap: https://example.org/sitemap-menu.xml" in (site / "robots.txt").read_text()
    build([Page("a/")], read_options({}, where="x", base_url="https://example.org/"), site)
    assert not (site / "sitemap-menu.xml").exists()


def test_a_format_with_an_option_of_its_name_is_not_asked_for_by_name(
    install: Install, tmp_path: Path
) -> None:
    install("menu", installed.FORMATS, "menu", FORMAT)
    with pytest.raises(
        OptionError, match=r"'formats\[1\]' is 'menu'\. Allowed: a list of xml, "
    ) as no:
        read_options({"formats": ["xml", "menu"]}, where="x")
    assert "menu, of" not in str(no.value)
    with pytest.raises(
        OptionError, match=r"option 'menu' is '.+': it is a folder; choose the name"
    ):
        read_options({"menu": "."}, where="x", root=tmp_path)


def test_a_source_may_see_changes_by_a_record_of_its_own(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("record", installed.DATE_SOURCES, "record", RECORD)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1715000000")
    given = {"record": str(tmp_path / "record.txt"), "lastmod": ["record"]}
    options = read_options(given, where="x", base_url="https://example.org/")
    first = build([Page("a/", title="A"), Page("b/", title="B")], options, tmp_path / "site")
    assert not any(each.value for each in first.dates.values())
    assert (tmp_path / "record.txt").read_text() == "record of A, B"
    second = build([Page("a/", title="A"), Page("b/", title="C")], options, tmp_path / "site")
    found = {loc[-2:]: (str(each.value), each.source) for loc, each in second.dates.items()}
    assert found == {"a/": ("None", None), "b/": ("2024-05-06", "record")}


def test_two_packages_that_add_one_option_are_named(install: Install) -> None:
    install("tea", installed.EXTENSIONS, "tea", EXTENSION)
    install("herbs", installed.EXTENSIONS, "herbs", EXTENSION)
    with pytest.raises(
        SitemapError, match=r"(tea|herbs) and (tea|herbs) both add the option 'tea'"
    ):
        read_options({"tea": {"name": "Green"}}, where="x")


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
