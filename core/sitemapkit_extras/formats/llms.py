"""llms.txt: the pages by section, for language models (llmstxt.org, version 2).

Most readers are a few regular expressions. The strictest end a name at a bracket and a URL at a
parenthesis, need a block between summary and sections, and keep one of two sections of one name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit import urls
from sitemapkit.languages import plain
from sitemapkit.model import About, Entry, OutputFile
from sitemapkit.xmltext import legal
from sitemapkit_extras import about
from sitemapkit_extras.options import Extras

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapkit.formats.registry import Site

MAX_CHARACTERS = 50_000
"""An agent may read only the beginning of a longer file."""

LONGEST_NOTE = 200
"""Characters to which descriptions are cut."""

describe = about.describe
"""Completes the entries first."""

_INDEX = re.compile(r"(?:\A|/)(?:index\.html)?\Z")
_INLINE = re.compile(r"()([&<>[\]\\`*_]|(?<!\S)#)")
_BLOCK = re.compile(r"\A(\d*)([-+~.)])")
"""What is markup in Markdown: in a line, and where the text of a block begins."""


class _Page(NamedTuple):
    entry: Entry = Entry("")
    about: About = About()
    path: str = ""

    @property
    def name(self) -> str:
        return _text(self.entry.title) or _text(self.entry.loc)


def output_files(site: Site) -> Iterator[OutputFile]:
    """Yield llms.txt; the report gets an issue if it is long."""
    layout, options, extras = site.layout, site.layout.options, Extras.of(site.layout.options)
    pages = [_Page(e, e.about or About(), options.path_of(e.loc)) for e in site.entries]
    indexes = {_INDEX.sub("", page.path): page for page in pages}
    home = indexes.get("", _Page())
    title = _text(_cut(extras.title)) or home.name or _text(options.base_url)
    names = {"": title} | {folder: page.name for folder, page in indexes.items()}
    summary = _BLOCK.sub(_reference, _text(_cut(home.about.description)))
    blocks = [f"# {title}", f"> {summary}" if summary else "", f"<!-- {layout.mark} -->"]
    own = about.own_descriptions(site.entries) - {home.about.description}
    in_default = _in_default_language(pages, home, extras.language)
    for name, section in _sections(in_default, names).items():
        blocks += [f"## {name}", "\n".join([_link(page, own) for page in section])]
    text = "\n\n".join(filter(None, blocks)) + "\n"
    if len(text) > MAX_CHARACTERS:
        site.report.add("llms-size", layout.llms.name, f"It has {len(text):,}.")
    yield OutputFile(layout.llms, [text.encode()])


def _in_default_language(pages: Sequence[_Page], home: _Page, language: str) -> Iterator[_Page]:
    """Yield the pages that are not translations from the language of the home page."""
    default = plain(home.about.lang or language)
    for page in pages:
        lang = plain(page.about.lang or default) if default else ""
        is_dialect = lang.partition("-")[0] == default.partition("-")[0]
        versions = {plain(code) for code, _ in page.entry.alternates}
        if lang == default or (is_dialect and default not in versions):
            yield page


def _sections(pages: Iterator[_Page], names: Mapping[str, str]) -> dict[str, list[_Page]]:
    """Return the pages by the names of their folders, those at the top first."""
    sections: dict[str, list[_Page]] = {}
    for page in sorted(pages, key=lambda page: urls.section_of(page.path) != ""):
        folder = urls.section_of(page.path)
        name = names.get(folder) or _text(folder) or names[""]
        sections.setdefault(name, []).append(page)
    return sections


def _link(page: _Page, own: set[str]) -> str:
    """Return the link to a page, with its description if that is its `own`."""
    url = (page.about.markdown or page.entry.loc).replace("(", "%28").replace(")", "%29")
    note = f": {_text(_cut(page.about.description))}" if page.about.description in own else ""
    return f"- [{page.name}]({url}){note}"


def _cut(text: str) -> str:
    if len(text) <= LONGEST_NOTE:
        return text
    words = text[:LONGEST_NOTE].rpartition(" ")[0]
    return f"{words if len(words) > LONGEST_NOTE // 2 else text[:LONGEST_NOTE]}…"


def _text(text: str) -> str:
    """Return a text on one line, without markup."""
    return _INLINE.sub(_reference, " ".join(legal(text).split()))


def _reference(markup: re.Match[str]) -> str:
    return f"{markup[1]}&#{ord(markup[2])};"
