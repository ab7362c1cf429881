"""Redirects, written for the tool or the host that is to answer old addresses.

Each spelling was tried with the tool itself. Targets are final: none leads to another redirect,
since some tools skip those. Two addresses of one file are written once. What a tool would read as
more than these two addresses, such as `*` in the rules of a host, is not written.
"""

from __future__ import annotations

import posixpath
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args
from urllib.parse import quote, unquote, urlsplit

from sitemapkit.urls import below
from sitemapkit_tools.generators import mkdocs, zensical
from textdates import file_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitemapkit_tools.generators.project import BaseProject
    from sitemapkit_tools.site.output_dir import OutputDir

Tool = Literal[
    "mkdocs-redirects",
    "zensical",
    "sphinx-reredirects",
    "pelican-redirect",
    "_redirects",
    "nginx",
    "html",
]
TOOLS: tuple[Tool, ...] = get_args(Tool)


class Redirect(NamedTuple):
    """An old address, and the URL of the page that it should lead to."""

    old: str
    to: str


class _Target(NamedTuple):
    """A redirect, as files."""

    old_file: str
    """The file that would answer the old address, below the site's root."""

    to: str
    """The URL of the new page."""

    to_file: str
    """The file of the new page; "" if it is outside the site."""

    source: str
    """The source of the new page below the folder of all sources; "" if it is not known."""


def is_literal(tool: Tool, redirect: Redirect) -> bool:
    """Return whether a tool reads a redirect as one of this old address to this page alone."""
    path, to = unquote(urlsplit(redirect.old).path), unquote(redirect.to)
    if _UNFIT.search(redirect.old + redirect.to) or _UNCLEAR.search(redirect.old):
        return False
    if not (path + to).isprintable() or "\ufffd" in path or {"..", "."} & {*path.split("/")}:
        return False
    return not (tool in _MEANING and _MEANING[tool].search(f"{path} {to}"))


_UNFIT = re.compile(r"""[^!-~]|["<>\\]""")
"""What is in no URL in normal form."""

_UNCLEAR = re.compile(r"(?i)\?|%2f|%5c")
"""In an old address, a query, of which no file and no rule knows, and what decoded is a slash."""

_MEANING: Mapping[Tool, re.Pattern[str]] = {
    "_redirects": re.compile(r"\*|:[a-z]", re.IGNORECASE),  # any text, and a name for a part
    "nginx": re.compile(r"\$"),  # a variable
    "sphinx-reredirects": re.compile(r"[*?\[\]]"),  # as in patterns of file names
}
"""What means something to a tool in an address, and cannot be escaped there."""


def written(
    tool: Tool, redirects: Sequence[Redirect], tree: OutputDir, project: BaseProject | None
) -> str:
    """Return the redirects in the settings of a tool, or in the rules of a host."""
    if tool in _BY_ADDRESS:
        return _BY_ADDRESS[tool](redirects)
    sources = _sources(tree, project)
    targets = {target.old_file: target for target in _targets(redirects, tree, sources)}
    return _BY_FILE[tool]([targets[file] for file in sorted(targets)])


def stubs(redirects: Sequence[Redirect], tree: OutputDir) -> Mapping[str, str]:
    """Return an HTML file for each old address, by its path below the site's root."""
    found: dict[str, str] = {}
    for target in _targets(redirects, tree, {}):
        if target.old_file not in tree.files:
            found[target.old_file] = _stub(target.to)
    return found


def _stub(url: str) -> str:
    to = escape(url)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Moved</title>\n'
        f'<link rel="canonical" href="{to}">\n<meta name="robots" content="noindex">\n'
        f'<meta http-equiv="refresh" content="0; url={to}">\n</head>\n'
        f'<body>\n<p>This page has moved to <a href="{to}">{to}</a>.</p>\n</body>\n</html>\n'
    )


def tool_of(tree: OutputDir, project: BaseProject | None) -> Tool:
    """Return the tool that the project of a site uses for redirects, or would use."""
    if project and project.name in _OF_GENERATOR:
        return _OF_GENERATOR[project.name]
    return "_redirects" if "_redirects" in tree.files else "html"


_OF_GENERATOR: Mapping[str, Tool] = {
    "MkDocs": "mkdocs-redirects",
    "Zensical": "zensical",
    "Sphinx": "sphinx-reredirects",
    "Pelican": "pelican-redirect",
}


def _sources(tree: OutputDir, project: BaseProject | None) -> Mapping[str, str]:
    """Return the source of each page below `docs_dir`, by the page's file."""
    if not isinstance(project, mkdocs.Project | zensical.Project):
        return {}
    docs = project.docs_dir()
    pages = project.made(tree).pages.items()
    found = ((file, Path(file_of(made.sources[0]))) for file, made in pages if made.sources)
    return {
        file: source.relative_to(docs).as_posix()
        for file, source in found
        if source.is_relative_to(docs)
    }


def _targets(
    redirects: Iterable[Redirect], tree: OutputDir, sources: Mapping[str, str]
) -> Iterable[_Target]:
    for old, to in redirects:
        route = tree.route(to)
        file = route.file if route else ""
        yield _Target(_file_of(old, tree), to, file, sources.get(file, ""))


def _file_of(url: str, tree: OutputDir) -> str:
    """Return the file that answers an address once it is there."""
    path = below(tree.base_url, url)
    if not path or path.endswith("/"):
        return f"{path}index.html"
    return path if "." in path.rpartition("/")[2] else f"{path}.html"


def _mkdocs(targets: Sequence[_Target]) -> str:
    lines = (f"        {_quoted(_key(t))}: {_quoted(t.source or t.to)}" for t in targets)
    return "\n".join(["plugins:", "  - redirects:", "      redirect_maps:", *lines])


def _zensical(targets: Sequence[_Target]) -> str:
    lines = (f"{_quoted(_key(t))} = {_quoted(t.source or t.to)}" for t in targets)
    return "\n".join(["[project.plugins.redirects.redirect_maps]", *lines])


def _key(target: _Target) -> str:
    """Return the source that would make the old file: with directory URLs, `a.md` makes `a/`."""
    file, is_flat = target.old_file, not target.to_file.endswith("index.html")
    if file.endswith("/index.html") and not is_flat:
        return f"{file.removesuffix('/index.html')}.md"
    if is_flat or file == "index.html":
        return f"{file.rpartition('.')[0]}.md"
    return file  # which is written as it is, with a warning


def _sphinx(targets: Sequence[_Target]) -> str:
    lines: list[str] = []
    for target in targets:
        folder = posixpath.dirname(target.old_file)
        to = target.to
        if target.to_file:
            path = target.to_file
            is_folder = to.endswith("/")
            relative = posixpath.relpath(
                posixpath.dirname(path) if is_folder else path, folder or "."
            )
            to = quote(f"{relative}/" if is_folder else relative)
        lines.append(f"    {_quoted(target.old_file.rpartition('.')[0])}: {_quoted(to)},")
    return "\n".join(["redirects = {", *lines, "}"])


def _pelican(targets: Sequence[_Target]) -> str:
    """Return what is to be added to the metadata of each new page."""
    return "\n".join(
        f"{target.source or target.to_file or target.to}\n    original_url: {target.old_file}"
        for target in targets
    )


def _html(targets: Sequence[_Target]) -> str:
    return "\n".join(f"{target.old_file}\n{_stub(target.to)}" for target in targets)


def _rules(redirects: Sequence[Redirect]) -> str:
    lines = (f"{_path(old)} {_path(to, old)} 301" for old, to in redirects)
    return "\n".join(lines)


def _nginx(redirects: Sequence[Redirect]) -> str:
    lines = (
        f"    {_quoted(unquote(_path(old)))} {_quoted(_path(to, old))};" for old, to in redirects
    )
    top = '# in the block http; $uri is the decoded path\nmap $uri $moved_to {\n    default "";'
    rest = "# in the block server\nif ($moved_to) {\n    return 301 $moved_to;\n}"
    return "\n".join([top, *lines, "}", rest])


def _path(url: str, beside: str = "") -> str:
    """Return the path of a URL from the root of the host; of another host's, the whole URL."""
    parts = urlsplit(url)
    return url if beside and parts[:2] != urlsplit(beside)[:2] else parts.path


def _quoted(text: str) -> str:
    """Return a printable text in double quotes, as YAML, TOML, Python and nginx read it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_BY_ADDRESS: Mapping[str, Callable[[Sequence[Redirect]], str]] = {
    "_redirects": _rules,
    "nginx": _nginx,
}
_BY_FILE: Mapping[str, Callable[[Sequence[_Target]], str]] = {
    "mkdocs-redirects": _mkdocs,
    "zensical": _zensical,
    "sphinx-reredirects": _sphinx,
    "pelican-redirect": _pelican,
    "html": _html,
}
