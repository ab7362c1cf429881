"""The build of the checked-out commit: its pages, its ledger, and its dates without one."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from sitemapkit.build import build
from sitemapkit.errors import SitemapError
from sitemapkit.lastmod.ledger import ANY_LEDGER, LedgerLine, read_ledger
from sitemapkit_tools.generators.find import made_site
from sitemapkit_tools.learn.history import git
from sitemapkit_tools.site.base_url import stated_base
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.site.scan import ScanSettings, scan
from sitemapkit_tools.site.stated_dates import with_authors_dates
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitemapkit.options import Options
    from sitemapkit_tools.learn.builder import Builder

_ANY_BASE = "https://example.org/"
"""A ledger contains only paths below the base URL."""


class HeadBuild(Struct, frozen=True):
    """The build of the checked-out commit."""

    ledger: Path | None
    """The ledger of the site's own build, below the root; None: it has none."""

    lines: Sequence[LedgerLine]
    """A new ledger: the digests that later builds compare with, and the dates without a ledger."""

    shown: Mapping[str, str]
    files: Mapping[str, str]
    """The file of each page with reproducible content, by its path in the ledger."""

    unsteady: int
    """The number of other pages."""

    seconds: float


def build_head(builder: Builder, commit: str, options: Options) -> HeadBuild:
    """Build the checked-out commit twice. Raises SitemapError if it cannot be built."""
    clone, start = builder.clone, time.monotonic()
    clone.checkout(commit)
    for old in ledgers_in(clone.root):
        old.unlink()
    _must_work(builder.run())
    tree = OutputDir.walk(clone.out)
    builder.base_url = options.base_url or stated_base(tree) or _ANY_BASE
    shown, duration = builder.digests(), time.monotonic() - start
    written = ledgers_in(clone.root)
    if len(written) > 1:
        names = ", ".join(file.relative_to(clone.root).as_posix() for file in written)
        raise SitemapError(f"the build keeps several ledgers ({names}); `learn` supports only one")
    lines = read_ledger(written[0] if written else _scanned(builder, options)).lines
    own = written[0].relative_to(clone.root) if written else None
    _must_work(builder.build(commit))
    again = builder.digests()
    files = _files(lines, tree.served_at("/"), shown)
    steady = {path: file for path, file in files.items() if again.get(file) == shown[file]}
    return HeadBuild(own, lines, shown, steady, len(files) - len(steady), duration)


def _must_work(why: str) -> None:
    if why:
        raise SitemapError(f"the checked-out commit cannot be built: {why}")


def ledgers_in(root: Path) -> list[Path]:
    """Return the ledgers in a work tree, tracked or not."""
    names = git(root, "ls-files", "-z", "--cached", "--others").split(b"\0")[:-1]
    files = [root / os.fsdecode(name) for name in dict.fromkeys(names)]
    start = ANY_LEDGER.encode()
    regular = (file for file in files if file.is_file() and not file.is_symlink())
    return [file for file in regular if read_file(file, len(start), cut=True) == start]


def _scanned(builder: Builder, options: Options) -> Path:
    """Return the ledger that the command `build` makes for the finished site."""
    clone = builder.clone
    tree = OutputDir.walk(clone.out, builder.base_url)
    made = made_site(tree, (clone.project, clone.root))
    pages = with_authors_dates(scan(tree, ScanSettings(builder.read, made=made)), options)
    file = clone.out.with_name("ledger.txt")
    build(pages, structs.replace(options, base_url=tree.base_url, ledger=str(file)), clone.out)
    return file


def _files(
    lines: Sequence[LedgerLine], tree: OutputDir, shown: Mapping[str, str]
) -> dict[str, str]:
    routes = {line.path: tree.route(line.path) for line in lines}
    return {path: to.file for path, to in routes.items() if to and to.file in shown}
