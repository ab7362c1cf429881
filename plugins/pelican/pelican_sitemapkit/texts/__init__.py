"""What text each page shows: only changes of that text date the page.

It is loaded only where dates from git are wanted.

groups  whether pages name the tags and the like of articles, by links
lists   how much a list of articles shows of each, by the HTML that the theme made
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pelican_sitemapkit.dates import stated_date
from pelican_sitemapkit.texts.groups import Groups
from pelican_sitemapkit.texts.lists import Lists
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
        self._groups = Groups(settings)
        self._lists = Lists(settings, self._groups, _DRAFTS)
        self._pages = pages
        self._published = cache(partial(stated_date, name="date"))

    def add_text(self, page: Page, path: str, content: Content, context: Context) -> None:
        """Add an article or page that was written to `path`, and what its own template lists."""
        self._groups.add(content, path)
        if _LOOP.search(self._template_of(content)):
            shown = self._lists.read(path, page.name, context["articles"])
            found = [(cut or self._titled, each) for cut, each in shown]
            page.included = [Part(each.source_path, cut) for cut, each in found if each.source_path]
            page.published = newest([page.published, *(self._published(e) for _, e in found)])

    def set_sources(self) -> None:
        """Set what articles and pages show of their sources; call it when all are written.

        Those of a template name the same groups. A template of its own may show more.
        """
        by_template: defaultdict[str, list[Content]] = defaultdict(list)
        for content in self._pages:
            by_template[content.template].append(content)
        for contents in by_template.values():
            named = {*self._groups.named_on(contents)}
            for content in filter(lambda each: each.source_path, contents):
                more = {*_METADATA.findall(self._template_of(content))} & content.metadata.keys()
                cut = replace(self._titled, names=("title", *sorted(named | more)))
                self._pages[content].sources = [Part(content.source_path, cut)]

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
