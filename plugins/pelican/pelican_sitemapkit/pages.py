"""The files that Pelican wrote, as Pages of the core."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache, partial
from pathlib import Path
from posixpath import basename, splitext
from typing import TYPE_CHECKING
from urllib.parse import unquote

from markupsafe import Markup

from pelican_sitemapkit.links import links_in
from pelican_sitemapkit.stated_dates import stated_date
from pelican_sitemapkit.urls import NoUrlError, Urls, file_url
from sitemapkit import Page, Reason
from sitemapkit.dates import newest
from sitemapkit.head import read_page
from sitemapkit.urls import HTML_SUFFIXES, STATIC_SUFFIXES, is_error_page
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pelican_sitemapkit.pelican_types import Content, Context, Settings
    from pelican_sitemapkit.settings import SitemapSettings
    from pelican_sitemapkit.texts import SiteTexts
    from pelican_sitemapkit.texts.lists import ListText
    from sitemapkit import Kind

_GROUPS = ("tag", "category", "author")
_VARIABLES_OF_LISTS = {*_GROUPS, "period", "articles_page"}
_LISTS_OF_NAMES = {"categories", "tags", "authors"}
_LISTINGS = {*_LISTS_OF_NAMES, "index", "archives"}
_TOOLS = {"search", "tipuesearch"}
_FEW = 3
"""Number of pages of each kind in which links are looked for."""

_DATA = (
    *(".atom", ".css", ".csv", ".ics", ".js", ".json", ".md"),
    *(".opml", ".rss", ".svg", ".txt", ".xml", ".xsl"),
)


class WrittenPages:
    """The pages that one run has written so far."""

    def __init__(self, settings: Settings, sitemap: SitemapSettings) -> None:
        """Start without a page; `settings` are all of Pelican's, `sitemap` those in SITEMAP."""
        self.by_path: dict[str, Page | None] = {}
        """Each file that was written, and its page; None if it is data."""

        self._compat = sitemap.compat
        self._urls = Urls(settings)
        self._settings = settings
        self._by_content: dict[Content, Page] = {}
        self._members: list[tuple[Page, Sequence[Page]]] = []
        """Lists, and the pages of the articles that they show whole."""

        self._alike = defaultdict[tuple[str, str], list[Page]](list)
        """Pages by what they are, and by template."""

        self._published = cache(partial(stated_date, name="date"))
        self._texts: SiteTexts | None = None
        if "git" in sitemap.options.date_sources:
            from pelican_sitemapkit.texts import SiteTexts  # noqa: PLC0415 - loaded if needed

            self._texts = SiteTexts(settings)

    def add(self, path: str, context: Context) -> None:
        """Add the file that Pelican wrote to `path` from a template with the variables `context`.

        Pelican sends its signal for a second file at the same path although it skips one of the
        two. The one that sets the path by `save_as` counts.
        """
        if path in self.by_path and not _overrides_path(context):
            return
        # In TEMPLATE_PAGES it may be a full path.
        file = str(context["output_file"]).removeprefix(f"{context['OUTPUT_PATH']}/")
        content: Content | None = context.get("article") or context.get("page")
        name = file.lower()
        page = None
        try:
            if name.endswith(_DATA):
                pass
            elif content:
                page = self._content_page(file, path, content, context)
            elif name.endswith(HTML_SUFFIXES) or read_page(path).lstrip().startswith(b"<"):
                page = self._template_page(file, path, context)
        except NoUrlError as error:
            page = Page(file_url(file), sources=_sources_of(content), excluded=Reason.NO_URL)
            page.decided_by = str(error)
        if page and not page.excluded:
            page.decided_by = self._compat.excludes.deciding(page.url)
            if page.decided_by:
                page.excluded = Reason.EXCLUDED_BY_OPTION
            else:
                page.output = path
                template = _group_of(context) or context.get("page_name", "")
                self._alike[page.kind, template].append(page)
        self.by_path[path] = page

    def finished(self) -> Iterator[Page]:
        """Return the pages; call it after all files are written."""
        if self._texts:
            for content, source in self._texts.sources():
                self._by_content[content].sources = [source]
        self._spell_as_linked()
        for page, members in self._members:
            page.members = [each.url for each in members]
        return filter(None, self.by_path.values())

    def copied(self, static: Content, output: Path) -> Page | None:
        """Return the page of a file that Pelican copied, if it is HTML or PDF.

        Call it after all files are written: reading the URL earlier breaks {attach}.
        """
        if not static.source_path.lower().endswith(STATIC_SUFFIXES):
            return None
        file = str(static.save_as)
        sources = [Path(static.settings["PATH"], static.source_path)]
        return Page(file_url(file), output / file, sources, meta=static.metadata, kind="static")

    def _spell_as_linked(self) -> None:
        """Spell pages as links do where hosts answer with and without `.html`.

        A theme links all pages of a kind alike, so a few pages tell how.
        """
        links = Counter[str]()
        for alike in self._alike.values():
            for page in alike[:_FEW]:
                file = page.output or ""
                if is_file(file):
                    html = read_page(file).decode("utf-8", "replace")
                    links += links_in(html, self._settings)
        for alike in self._alike.values():
            stems: list[tuple[Page, str]] = []
            bare = full = 0
            for page in alike:
                stem = page.url.removesuffix(".html")
                if str(page.output).endswith(f"/{unquote(stem)}.html"):
                    stems.append((page, stem))
                    bare += links[stem]
                    full += links[f"{stem}.html"]
            if bool(bare) == bool(full):
                continue
            for page, stem in stems:
                page.url = stem if bare else f"{stem}.html"

    def _content_page(self, file: str, path: str, content: Content, context: Context) -> Page:
        """Return the page of an article, or of what Pelican calls a page."""
        sources = _sources_of(content)
        if content.status != "published" and not _is_hidden_home(file, content):
            reason = Reason.DRAFT if content.status == "draft" else Reason.HIDDEN
            return Page(file_url(file), sources=sources, excluded=reason)
        kind: Kind = "article" if context.get("article") else "page"
        page = Page(
            self._urls.of_content(content, file),
            sources=sources,
            meta={**self._compat.defaults_of(kind), **content.metadata},
            kind=kind,
            modified=stated_date(content, "modified"),
            published=self._published(content),
            lang=content.lang,
            title=_plain(content.title),
            content=content.content,  # now, while links in it are relative to this page
        )
        if is_error_page(file, content.lang):
            page.kind = "generated"
        if content.translations:
            # What all translations of a text have in common is which source is the first.
            versions = (content, *content.translations)
            page.translation_key = min(str(each.source_path) for each in versions)
        self._by_content[content] = page
        if self._texts:
            self._texts.add(content, path)
            shown = self._texts.of_template(content, path, context["articles"])
            if shown.parts:
                self._add_parts(page, shown, [content])
        return page

    def _template_page(self, file: str, path: str, context: Context) -> Page:
        """Return the page of a list of articles, or of another template without content."""
        part = context.get("articles_page")
        if part and part.number > 1:
            return Page(file_url(file), kind="listing", excluded=Reason.PAGINATION)
        group = _group_of(context)
        template = self._urls.direct_template(context.get("page_name", ""))
        name = str(context.get(group, ""))
        page = Page(self._urls.of_template(group, file, context))
        page.kind = _kind_of(file, template, context)
        page.meta = self._compat.defaults_of("listing")
        page.title = _plain(name)
        if page.kind != "listing":
            return page
        if "period" in context:
            page.title = " ".join(map(str, context["period"]))
        articles: Sequence[Content] = context.get("articles", ())
        if part:
            articles = part.object_list
        members = articles
        if template in _LISTS_OF_NAMES and not group:
            members = [each for _, some in context[template] for each in some]
        is_empty = not any(each.status == "published" for each in members)
        if is_empty and file_url(file):
            page.excluded = Reason.EMPTY_LIST
            return page
        if self._texts:
            shown = self._texts.lists.read(path, group or template, articles, name)
            self._add_parts(page, shown, ())
            articles = shown.whole
        written = filter(self._by_content.__contains__, articles)
        self._members.append((page, [self._by_content[each] for each in written]))
        return page

    def _add_parts(self, page: Page, shown: ListText, own: Sequence[Content]) -> None:
        """Add what a page shows of articles beside its `own` text."""
        page.included = shown.parts
        texts = (*own, *shown.in_part)
        page.published = newest([self._published(each) for each in texts])


def _sources_of(content: Content | None) -> Sequence[str]:
    """Return the file of a text; a plugin may have made it of none."""
    if content and content.source_path:
        return [content.source_path]
    return []


def _group_of(context: Context) -> str:
    """Return of what the page is that lists the articles of one."""
    return next(filter(context.__contains__, _GROUPS), "")


def _is_hidden_home(file: str, content: Content) -> bool:
    """Return whether a hidden page is the home page, or that of a language: no menu names it."""
    home = "" if content.in_default_lang else f"{content.lang}/"
    return content.status == "hidden" and file_url(file) == home


def _overrides_path(context: Context) -> bool:
    """Return whether Pelican lets this file replace another one at the same path."""
    content = context.get("article") or context.get("page")
    if content:
        return hasattr(content, "override_save_as")
    return "page_name" not in context and "period" not in context


def _kind_of(file: str, template: str, context: Context) -> Kind:
    """Return what a template without content makes."""
    if template in _LISTINGS or not _VARIABLES_OF_LISTS.isdisjoint(context):
        return "listing"
    stem, _ = splitext(file)
    name = basename(stem.removesuffix("/index"))
    if is_error_page(name) or not _TOOLS.isdisjoint((name, template)):
        return "generated"
    return "page"


def _plain(title: str) -> str:
    """Return the text of a title, which is HTML in Pelican."""
    if "<" in title or "&" in title:
        return Markup(title).striptags()  # noqa: S704 - the result is text
    return title
