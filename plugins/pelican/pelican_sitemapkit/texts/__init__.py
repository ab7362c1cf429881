"""What text each page shows: only changes of that text date the page.

It is loaded only where dates from git are wanted, and knows no sitemap.

groups  whether pages name the tags and the like of articles, by links
lists   how much a list of articles shows of each, by the HTML that the theme made
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pelican_sitemapkit.texts.groups import Groups
from pelican_sitemapkit.texts.lists import Lists, ListText
from textdates import Part
from textdates.bounds import is_file
from textdates.parts import Draft, Published

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pelican_sitemapkit.pelican_types import Content, Settings

_DRAFTS = (Draft("status", ("draft", "hidden", "skip")),)
"""Metadata with which no list shows a text, and no page links to it."""

_LOOP = re.compile(r"{%-?\s*for\b[^%]*\bin\s+(?:articles|dates)\b")
"""Where a template lists articles."""

_METADATA = re.compile(
    r"""(?x)
    \b (?:article|page) \.
    (?! (?:title|content|date|modified|url|save_as|slug|status|template|lang|summary) \b )
    (?: metadata\. )? (\w+)
    """
)
"""Metadata that a template may show beside what all templates do."""


class SiteTexts:
    """Finds the text that the pages of one site show, while they are written."""

    def __init__(self, settings: Settings) -> None:
        """Begin a site."""
        self._titled = Published(_DRAFTS, ("title",))
        overrides = settings.get("THEME_TEMPLATES_OVERRIDES", ())
        self._templates = (*overrides, Path(settings["THEME"], "templates"))
        self._groups = Groups(settings)
        self.lists: Lists = Lists(settings, self._groups, _DRAFTS)
        self._contents: list[Content] = []

    def add(self, content: Content, path: str) -> None:
        """Add an article or page that was written to `path`."""
        self._contents.append(content)
        self._groups.add(content, path)

    def of_template(self, content: Content, path: str, articles: Sequence[Content]) -> ListText:
        """Return what the template that a page states shows of `articles`, nothing for others."""
        if not _LOOP.search(self._template_of(content)):
            return ListText([], [], [])
        found = self.lists.read(path, "", articles)
        parts: list[Part] = []
        for article in found.whole:
            if article.source_path:
                parts.append(Part(article.source_path, self._titled))
        return ListText([*parts, *found.parts], [*found.whole, *found.in_part], [])

    def sources(self) -> Iterator[tuple[Content, Part]]:
        """Yield what articles and pages show of their sources; call it when all are written.

        Those of a template name the same groups. A template of its own may show more.
        """
        by_template: defaultdict[str, list[Content]] = defaultdict(list)
        for content in self._contents:
            by_template[content.template].append(content)
        for contents in by_template.values():
            groups = set(self._groups.named_on(contents))
            for content in contents:
                if not content.source_path:
                    continue
                more = _METADATA.findall(self._template_of(content))
                names = groups | (content.metadata.keys() & more)
                cut = replace(self._titled, names=("title", *sorted(names)))
                yield content, Part(content.source_path, cut)

    def _template_of(self, content: Content) -> str:
        """Return the template that an article or page states, "" if that of all is used."""
        stated = content.metadata.get("template")
        if not stated:
            return ""
        for folder in self._templates:
            file = Path(folder, f"{stated}.html")
            if is_file(file):
                return file.read_text(encoding="utf-8", errors="replace")
        return ""
