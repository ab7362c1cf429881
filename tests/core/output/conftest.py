"""A folder that sitemaps are written to, and what a reader finds in it."""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from sitemapkit.build import write_entries
from sitemapkit.model import Entry
from sitemapkit.options import read_options
from sitemapkit.report import Report

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from sitemapkit.options import Options

NOBODY = 65534
BASE = "https://example.org/"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@dataclass
class Output:
    """The output folder of a site at https://example.org/, without a robots.txt unless asked."""

    folder: Path

    def options(self, **given: Any) -> Options:
        return read_options(given, where="test", base_url=BASE, robots=False)

    def write(self, *entries: Entry | str, **given: Any) -> Report:
        """Write the sitemap of entries, or of plain paths below the base URL."""
        report = Report()
        pages = [_entry(each) for each in entries]
        write_entries(pages, self.options(**given), self.folder, report)
        return report

    def names(self) -> list[str]:
        """Return the files that are there."""
        files = (file for file in self.folder.rglob("*") if file.is_file())
        return sorted(file.relative_to(self.folder).as_posix() for file in files)

    def bytes(self, name: str = "sitemap.xml") -> bytes:
        data = (self.folder / name).read_bytes()
        return gzip.decompress(data) if name.endswith(".gz") else data

    def root(self, name: str = "sitemap.xml") -> etree._Element:  # pyright: ignore[reportPrivateUsage]
        return etree.fromstring(self.bytes(name))

    def urls(self, name: str = "sitemap.xml") -> list[dict[str, str]]:
        """Return the children of each `<url>` or `<sitemap>` as {tag: text}."""
        return [
            {etree.QName(child).localname: child.text or "" for child in url}
            for url in self.root(name)
        ]

    def locs(self, name: str = "sitemap.xml") -> list[str]:
        return [loc.text or "" for loc in self.root(name).iter(SITEMAP + "loc")]

    def children(self, name: str = "sitemap.xml") -> list[str]:
        """Return the names of the files that an index lists."""
        return [loc.rpartition("/")[2] for loc in self.locs(name)]

    def states(self) -> dict[str, tuple[int, int]]:
        """Return inode and time of change of each file."""
        stats = {name: (self.folder / name).stat() for name in self.names()}
        return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in stats.items()}


def _entry(given: Entry | str) -> Entry:
    return Entry(BASE + given) if isinstance(given, str) else given


def issues(report: Report) -> list[str]:
    """Return the rules of all warnings and errors."""
    return [issue.rule.id for issue in report.issues if issue.severity != "note"]


@contextmanager
def folder_of_an_ordinary_user() -> Generator[Output]:
    """Permissions do not bind root: act as another user, in a folder that one can reach."""
    folder = Path(tempfile.mkdtemp())
    user = os.geteuid()
    if user == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield Output(folder)
    finally:
        if user == 0:
            os.seteuid(0)
        shutil.rmtree(folder)


@pytest.fixture
def output(tmp_path: Path) -> Output:
    folder = tmp_path / "site"
    folder.mkdir()
    return Output(folder)


def paths(count: int, section: str = "") -> Iterable[str]:
    folder = f"{section}/" if section else ""
    return [f"{folder}page-{number}/" for number in range(count)]
