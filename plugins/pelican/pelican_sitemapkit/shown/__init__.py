"""What text each page shows: only changes of that text date the page.

It is loaded only where dates from git are wanted.

lists   how much a list of articles shows of each, by the HTML that the theme made
"""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pelican_sitemapkit.dates import stated_date
from pelican_sitemapkit.shown.lists import Lists
from sitemapkit.dates import newest
from textdates import Part
from textdates.parts import Draft, Published

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pelican_sitemapkit.pelican_types import Content, Context, Settings
    from sitemapkit import Page

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


class ShownText:
    """Finds the text that the pages of one site show."""

    def __init__(self, settings: Settings, pages: Mapping[Content, Page]) -> None:
        """Begin a site; `pages` gets those of articles while they are written."""
        self._titled = Published(_DRAFTS, ("title",))
        overrides = settings.get("THEME_TEMPLATES_OVERRIDES", ())
        self._templates = (*overrides, Path(settings["THEME"], "templates"))
        self._lists = Lists(settings, _DRAFTS)
        self._pages = pages
        self._published = cache(partial(stated_date, name="date"))

    def of_content(self, content: Content, file: str) -> Part:
        """Return what an article or page that was written to `file` shows of its source.

        A template of its own may show more of its metadata.
        """
        self._lists.files[content] = file
        names = {*_METADATA.findall(self._template_of(content))} & content.metadata.keys()
        return Part(content.source_path, replace(self._titled, names=("title", *sorted(names))))

    def add_list_of(self, page: Page, path: str, content: Content, context: Context) -> None:
        """Add what the template of a page of its own, which was written to `path`, lists."""
        if _LOOP.search(self._template_of(content)):
            shown = self._lists.read(path, page.name, context["articles"])
            found = [(cut or self._titled, each) for cut, each in shown]
            page.included = [Part(each.source_path, cut) for cut, each in found if each.source_path]
            page.published = newest([page.published, *(self._published(e) for _, e in found)])

    def _template_of(self, content: Content) -> str:
        """Return the template that an article or page states, "" if that of all is used."""
        name = f"{content.metadata.get('template', '')}.html"
        files = (Path(folder, name) for folder in self._templates)
        found = next((each for each in files if name != ".html" and each.is_file()), None)
        return found.read_text(encoding="utf-8", errors="replace") if found else ""

    def add_to_list(
        self, page: Page, path: str, name: str, articles: Sequence[Content], group: str
    ) -> None:
        """Add to the page of a list, which was written to `path`, what it shows of its articles.

        `name` and `group` are those of `Lists.read`.
        """
        pairs = self._lists.read(path, name, articles, group)
        # A text that a plugin made has no file that a part could be of.
        in_part = [(cut, each) for cut, each in pairs if cut and each.source_path]
        others = [each for cut, each in pairs if not (cut and each.source_path)]
        page.included = [Part(each.source_path, cut) for cut, each in in_part]
        page.published = newest([self._published(each) for _, each in in_part])
        page.members = [self._pages[each].url for each in others if each in self._pages]
