"""Rules about what leads to pages besides links and sitemaps: redirects, and llms.txt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.bounds import MAX_FILE
from sitemapkit_tools.hosting import read_host_files
from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.canonical import redirect_of, redirects

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import PageRead
    from sitemapkit_tools.site.snapshot import SiteSnapshot

_LLMS = "llms.txt"

_LINK = re.compile(
    r"""(?mx)
      \]\( \s*+ (?: <(?P<quoted>[^<>\n]{1,2000})>             # [name](<address>)
        | (?P<bare>(?:[^()\s]|\([^()\s]{0,500}\)){1,2000}) )  # [name](address)
    | <(?P<alone>https?://[^<>\s]{1,2000})>
    | ^[ ]{0,3}\[[^\]\n]{1,500}\]:[ \t]*(?P<defined>\S{1,2000})
    """
)
"""A link in Markdown."""


class _Redirect(NamedTuple):
    """A redirect as it is written."""

    url: str
    """Where it starts; of a rule with wildcards, the rule."""

    target: str
    file: str
    line: int | None = None


def check_redirects(
    tree: OutputDir, reads: Sequence[PageRead], site: SiteSnapshot
) -> Iterator[Issue]:
    """Check that each redirect leads to a page, and at once."""
    for each in (*_stubs(tree, reads), *_rules(tree, site)):
        ways = redirects(each.target, site.answer)
        if each.url in ways:
            ways = ways[: ways.index(each.url) + 1]
        at, status = ways[-1], site.answer(ways[-1])
        if status and redirect_of(at, status):
            yield _issue("redirect-loop", each, f"It leads to {', then '.join(ways)}.")
        elif status and status.is_gone:
            yield _issue("redirect-dead", each, f"It leads to {at}.")
        elif len(ways) > 1:
            yield _issue("redirect-chain", each, f"It leads to {each.target}, and that to {at}.")


def _issue(rule: str, found: _Redirect, detail: str) -> Issue:
    return issue(rule, found.url, detail, found.file, found.line)


def _stubs(tree: OutputDir, reads: Sequence[PageRead]) -> Iterator[_Redirect]:
    for read in reads:
        url = tree.url_of(read.file)
        if target := resolve_or_none(read.facts.head.refresh, url):
            yield _Redirect(url, target, read.file)


def _rules(tree: OutputDir, site: SiteSnapshot) -> Iterator[_Redirect]:
    """Yield the rules of the host that no file comes before."""
    rules = read_host_files(tree.root, tree.base_url).rules
    for url, target, place in rules.written():
        status = site.answer(url) if tree.route(url) else None
        if not status or status.target == target:
            file, _, line = place.rpartition(":")
            yield _Redirect(url, target, file, int(line))


def check_llms(tree: OutputDir, site: SiteSnapshot) -> Iterator[Issue]:
    """Check the links of each llms.txt, in the folders of versions, too."""
    folders = {file.partition("/")[0] for file in tree.files}
    for name in sorted(name for name in tree.files if name.rpartition("/")[2] == _LLMS):
        text = tree.read(name, MAX_FILE).decode("utf-8-sig", "replace")
        seen: set[str] = set()
        for found in _LINK.finditer(text):
            written = next(filter(None, found.groups()))
            url = resolve_or_none(written, tree.url_of(name))
            if not url or url in seen or not url.startswith(tree.base_url):
                continue
            seen.add(url)
            if _is_in_version(url.removeprefix(tree.base_url), folders):
                continue
            status = site.answer(redirects(url, site.answer)[-1])
            if status and status.is_gone:
                line = text.count("\n", 0, found.start()) + 1
                yield issue("llms-dead-link", url, status.detail, name, line)


def _is_in_version(path: str, folders: Set[str]) -> bool:
    """Return whether a path is in the folder of a version, and this site is one version of those.

    It is the build of one version, which a deploy puts into that folder; what is beside it there
    is not known. `folders` are those at the top of the site.
    """
    found = _VERSION.match(path)
    return found is not None and found["folder"] not in folders


_VERSION = re.compile(r"(?P<folder>latest|stable|main|master|dev|v?[0-9]+(?:\.[0-9x]+)*)/")
