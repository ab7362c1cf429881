"""What finished pages are about: titles, meta descriptions, and their versions in Markdown."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemapkit.head import Stated, is_html, read_page
from sitemapkit.model import About
from sitemapkit.urls import resolve_or_none
from sitemapkit_extras.content import page_title
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit.model import Entry, FilePath, Listed
    from sitemapkit.options import Options

_NOT_STATED = "None"
"""What templates in Jinja write for a setting without a value, such as those of MkDocs."""


def add_titles(entries: Sequence[Entry], listed: Sequence[Listed]) -> None:
    """Give entries the titles of their rendered pages where the generator has none."""
    for entry, each in zip(entries, listed, strict=True):
        if not entry.title:
            entry.title = page_title(each.page)


def describe(entries: Sequence[Entry], listed: Sequence[Listed], options: Options) -> None:
    """Add titles, and what the pages are about, which another format may have done."""
    add_titles(entries, listed)
    for entry, each in zip(entries, listed, strict=True):
        if not entry.about:
            entry.about = _about(each, options.url_encoding)


def _about(listed: Listed, encoding: str) -> About:
    """Return what the rendered page says, and what the generator knows of it."""
    page = listed.page
    if page.output is None or not is_html(page.output):
        return About(page.kind, page.lang)
    stated = Stated(read_page(page.output))
    description = ""
    for meta in stated.metas:
        name = meta.get("name", "")
        words = meta.get("content", "").split()
        if name.strip().lower() == "description" and words != [_NOT_STATED] and not description:
            description = " ".join(words)
    markdown = None
    for link in stated.links:
        if _is_markdown(link):
            markdown = resolve_or_none(link.get("href", ""), listed.loc, encoding=encoding)
            break
    if not markdown:
        markdown = _markdown_beside(page.output, listed.loc, encoding)
    return About(page.kind, page.lang, description, markdown)


def own_descriptions(entries: Iterable[Entry]) -> set[str]:
    """Return the descriptions of one page each: many themes give other pages that of the site."""
    counts = Counter(entry.about.description for entry in entries if entry.about)
    return {text for text, count in counts.items() if text and count == 1}


def _is_markdown(link: Mapping[str, str]) -> bool:
    media_type, _, _ = link.get("type", "").lower().partition(";")
    relations = link.get("rel", "").lower().split()
    return media_type.strip() == "text/markdown" and "alternate" in relations


def _markdown_beside(file: FilePath, loc: str, encoding: str) -> str:
    """Return the URL of `page.html.md` or `page.md` beside `page.html`, if there is one."""
    path = Path(file)
    url = f"{loc}index" if loc.endswith("/") else loc.removesuffix(path.suffix)
    _, _, name = url.rpartition("/")
    if unquote(name, encoding) != path.stem:
        return ""  # how the server finds the file is not known
    for suffix in (f"{path.suffix}.md", ".md"):
        if is_file(path.with_suffix(suffix)):
            return url + suffix
    return ""
