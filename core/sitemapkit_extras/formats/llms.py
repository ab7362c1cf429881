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
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sitemapkit.formats.registry import Site
    from sitemapkit.model import Listed
    from sitemapkit.options import Options

MAX_CHARACTERS = 50_000
"""An agent may read only the beginning of a longer file."""

LONGEST_NOTE = 200
"""Characters to which descriptions are cut."""

describe: Callable[[Sequence[Entry], Sequence[Listed], Options], None] = about.describe
"""Completes the entries first."""

_INDEX = re.compile(r"(?:\A|/)(?:index\.html)?\Z")
_INLINE = re.compile(
    r"""
    ()                                        # as in a block, where digits may stand before it
    ( [&<>[\]\\`*_]
    | (?<!\S)\#                               # of a heading
    | [\u200e\u200f\u202a-\u202e\u2066-\u2069]  # turns the direction of what follows
    )
    """,
    re.VERBOSE,
)
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
    layout, options = site.layout, site.layout.options
    extras = Extras.of(options)
    pages: list[_Page] = []
    indexes: dict[str, _Page] = {}
    for entry in site.entries:
        page = _Page(entry, entry.about or About(), options.path_of(entry.loc))
        pages.append(page)
        indexes[_INDEX.sub("", page.path)] = page
    home = indexes.get("", _Page())
    title = _text(_cut(extras.title)) or home.name or _text(options.base_url)
    blocks = [f"# {title}"]
    summary = _text(_cut(home.about.description))
    if summary:
        summary = _BLOCK.sub(_reference, summary)
        blocks.append(f"> {summary}")
    blocks.append(f"<!-- {layout.mark} -->")
    names = {"": title}
    for folder, page in indexes.items():
        names[folder] = page.name
    own = about.own_descriptions(site.entries)
    own.discard(home.about.description)
    default = plain(home.about.lang or extras.language)
    sections = _sections(_untranslated(pages, default), names)
    for name, section in sections.items():
        links = [_link(page, own) for page in section]
        blocks += [f"## {name}", "\n".join(links)]
    text = "\n\n".join(blocks) + "\n"
    if len(text) > MAX_CHARACTERS:
        site.report.add("llms-size", layout.llms.name, f"It has {len(text):,}.")
    yield OutputFile(layout.llms, [text.encode()])


def _untranslated(pages: Sequence[_Page], default: str) -> Iterator[_Page]:
    """Yield the pages that are not translations from the language of the home page, if known."""
    language, _, _ = default.partition("-")
    for page in pages:
        lang = plain(page.about.lang or default)
        if not default or lang == default:
            yield page
        elif lang.partition("-")[0] == language:  # a dialect, perhaps of this page alone
            versions = {plain(code) for code, _ in page.entry.alternates}
            if default not in versions:
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
    url = page.about.markdown or page.entry.loc
    url = url.replace("(", "%28").replace(")", "%29")
    link = f"- [{page.name}]({url})"
    if page.about.description in own:
        note = _text(_cut(page.about.description))
        link += f": {note}"
    return link


def _cut(text: str) -> str:
    """Return the beginning of a text, which ends after a word if one ends in its second half."""
    if len(text) <= LONGEST_NOTE:
        return text
    start = text[:LONGEST_NOTE]
    words, _, _ = start.rpartition(" ")
    if len(words) > LONGEST_NOTE // 2:
        start = words
    return f"{start}…"


def _text(text: str) -> str:
    """Return a text on one line, without markup."""
    words = legal(text).split()
    return _INLINE.sub(_reference, " ".join(words))


def _reference(markup: re.Match[str]) -> str:
    return f"{markup[1]}&#{ord(markup[2])};"
