"""The files that Pelican wrote, as Pages of the core."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from posixpath import basename, splitext
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup
from msgspec import Struct

from pelican_sitemapkit.dates import stated_date
from pelican_sitemapkit.listings import Lists
from pelican_sitemapkit.urls import Urls, file_url
from sitemapkit import Page, Part, Reason
from sitemapkit.dates import newest
from sitemapkit.urls import HTML_SUFFIXES, STATIC_SUFFIXES
from textdates.parts import Titled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pelican_sitemapkit.pelican_types import Content, Context, ListPart, Settings
    from pelican_sitemapkit.settings import SitemapSettings
    from sitemapkit import Kind
    from textdates.parts import Shown

_GROUPS = ("tag", "category", "author")
_VARIABLES = (*_GROUPS, "articles", "articles_page", "page_name", "period", "period_archives")
_DATA = (".atom", ".css", ".csv", ".ics", ".js", ".json", ".md", ".rss", ".txt", ".xml")
_LISTINGS = frozenset({"index", "archives", "categories", "tags", "authors"})
_GENERATED = frozenset({"403", "404", "500", "search", "tipuesearch"})
_TITLED = Titled()


class WrittenFile(Struct, gc=False):
    """A file that Pelican wrote: values of the context of its template that cost nothing."""

    name: str
    """Path below the output directory."""

    kind: Literal["article", "page"]
    content: Content | None = None
    """The article or page; None for all other templates."""

    html: str | None = None
    variables: Context = {}
    """Those of the template's variables that describe a file without content."""

    shown: Mapping[Shown | None, Sequence[Content]] = {}
    """The articles that a list shows, by what it shows of them: None is everything."""

    is_later_part: bool = False
    """Whether it shows the second or a later part of a list."""


class WrittenPages:
    """The files that one run has written so far, by their output paths.

    While Pelican writes, little is kept of each file; `pages` makes all Pages at once.
    """

    def __init__(self, settings: Settings, sitemap: SitemapSettings) -> None:
        """Start without a file; `settings` are all of Pelican's, `sitemap` those in SITEMAP."""
        self.by_path: dict[str, WrittenFile] = {}
        self._sitemap, options = sitemap, sitemap.options
        self._is_dated = bool(options.date_sources)
        self._reads_html = bool(options.ledger or options.images or options.videos)
        self._urls = Urls(settings)
        self._lists = Lists(settings, self._urls)
        self._published = cache(partial(stated_date, name="date"))
        self._listed_as: dict[Content, str] = {}
        self._periods: dict[str, str] = {}

    def add(self, path: str, context: Context) -> None:
        """Add the file that Pelican wrote to `path` from a template with `context`.

        Pelican sends its signal for a second file at the same path although it skips one of the
        two. The one that sets the path by `save_as` counts.
        """
        if path in self.by_path and not _overrides_path(context):
            return
        file = self.by_path[path] = _describe(context, with_html=self._reads_html)
        if file.content:
            self._lists.files[file.content] = file.name
        elif self._is_dated and file.variables and file.name.lower().endswith(HTML_SUFFIXES):
            self._read_list(path, file)

    def pages(self) -> Iterator[Page]:
        """Yield a Page for each file that is one; lists come after what they list."""
        for path, file in sorted(self.by_path.items(), key=lambda item: not item[1].content):
            if file.content and not file.name.lower().endswith(_DATA):
                yield self._finished(self._content_page(file, file.content), path)
            elif not file.content and file.name.lower().endswith(HTML_SUFFIXES):
                yield self._finished(self._template_page(file), path)

    def static_page(self, static: Content, output: Path) -> Page | None:
        """Return the page of a file that Pelican copied, if it is HTML or PDF.

        Call it after all files are written: reading the URL earlier breaks {attach}.
        """
        if not static.source_path.lower().endswith(STATIC_SUFFIXES):
            return None
        return Page(
            self._urls.of_content(static, static.save_as),
            output=Path(output, static.save_as),
            sources=[Path(static.settings["PATH"], static.source_path)],
            meta=static.metadata,
            kind="static",
        )

    def _read_list(self, path: str, file: WrittenFile) -> None:
        """Find out what a list shows of articles, which were written before it."""
        if self._kind_of(file.name, file.variables) == "listing":
            variables, part = file.variables, file.variables.get("articles_page")
            group = _group_kind(variables)
            html = Path(path).read_text(encoding="utf-8", errors="replace")
            name = group or self._urls.direct_template(variables.get("page_name", ""))
            articles = part.object_list if part else variables.get("articles", ())
            file.shown = self._lists.read(html, name, articles, str(variables.get(group, "")))

    def _finished(self, page: Page, path: str) -> Page:
        if self._sitemap.compat.excludes(page.url):
            page.excluded = page.excluded or Reason.EXCLUDED_BY_OPTION
        if not page.excluded:
            page.output = path
        return page

    def _content_page(self, file: WrittenFile, content: Content) -> Page:
        url = self._listed_as[content] = self._urls.of_content(content, file.name)
        sources = [Part(content.source_path, _TITLED)] if content.source_path else []
        if content.status != "published":
            reason = Reason.DRAFT if content.status == "draft" else Reason.HIDDEN
            return Page(file_url(file.name), sources=sources, excluded=reason)
        defaults = self._sitemap.compat.defaults_of(file.kind)
        return Page(
            url,
            sources=sources,
            meta={**defaults, **content.metadata} if defaults else content.metadata,
            kind=file.kind,
            modified=stated_date(content, "modified"),
            published=self._published(content),
            lang=content.lang,
            translation_key=_translation_key(content),
            title=_plain(content.title),
            content=file.html,
        )

    def _template_page(self, file: WrittenFile) -> Page:
        """Return the page of a list of articles, or of another template without content."""
        if file.is_later_part:
            return Page(file_url(file.name), kind="listing", excluded=Reason.PAGINATION)
        variables = file.variables
        shown = [(cut, each) for cut, some in file.shown.items() for each in some]
        in_part = [(cut, each) for cut, each in shown if cut and each.source_path]
        others = (each for cut, each in shown if not (cut and each.source_path))
        period = " ".join(map(str, variables.get("period", ())))
        return Page(
            self._template_url(file.name, variables, variables.get("articles_page")),
            included=[Part(each.source_path, cut) for cut, each in in_part],
            meta=self._sitemap.compat.defaults_of("listing"),
            kind=self._kind_of(file.name, variables),
            published=newest([self._published(each) for _, each in in_part]),
            members=[self._listed_as[each] for each in others if each in self._listed_as],
            title=_plain(str(variables.get(_group_kind(variables), period))),
        )

    def _kind_of(self, file: str, variables: Context) -> Kind:
        name = self._urls.direct_template(variables.get("page_name", ""))
        if name in _LISTINGS or variables.keys() & {*_GROUPS, "period", "articles_page"}:
            return "listing"
        stem = basename(splitext(file)[0].removesuffix("/index"))
        return "generated" if {name, stem} & _GENERATED else "page"

    def _template_url(self, file: str, variables: Context, part: ListPart | None) -> str:
        if name := _group_kind(variables):
            return self._urls.of_group(name, variables[name], file, part)
        if "period" in variables:
            self._periods = self._periods or self._urls.of_periods(variables["period_archives"])
            return self._periods.get(file, file_url(part.url if part else file))
        if "page_name" in variables:
            return self._urls.of_template(file, variables["page_name"], part)
        return file_url(file)


def _describe(context: Context, *, with_html: bool) -> WrittenFile:
    """Return what the context of a template says about the file that was written."""
    name, article = context["output_file"], context.get("article")
    if content := article or context.get("page"):
        # Read now, while links in it are relative to this page.
        html = content.content if with_html else None
        return WrittenFile(name, "article" if article else "page", content, html)
    name = name.removeprefix(f"{context['OUTPUT_PATH']}/")  # TEMPLATE_PAGES may have full paths
    part = context.get("articles_page")
    if part and part.number > 1:
        return WrittenFile(name, "page", is_later_part=True)
    variables = {key: context[key] for key in _VARIABLES if key in context}
    return WrittenFile(name, "page", variables=variables)


def _overrides_path(context: Context) -> bool:
    """Return whether Pelican lets this file replace another one at the same path."""
    content = context.get("article") or context.get("page")
    is_list = "page_name" in context or "period" in context
    return hasattr(content, "override_save_as") if content else not is_list


def _translation_key(content: Content) -> str | None:
    """Return what all translations of a text have in common: the first of their sources."""
    versions = (content, *content.translations)
    return min(str(each.source_path) for each in versions) if content.translations else None


def _group_kind(variables: Context) -> str:
    """Return whether a list is that of a `tag`, a `category` or an `author`; "" for others."""
    return next((name for name in _GROUPS if name in variables), "")


def _plain(title: str) -> str:
    """Return the text of a title, which is HTML in Pelican."""
    is_text = "<" not in title and "&" not in title
    return title if is_text else Markup(title).striptags()  # noqa: S704 - the result is text
