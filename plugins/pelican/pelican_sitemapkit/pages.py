"""The files that Pelican writes, as Pages; the context of the template tells what each one is."""

from __future__ import annotations

from pathlib import Path
from posixpath import splitext
from typing import TYPE_CHECKING

from markupsafe import Markup

from pelican_sitemapkit.dates import stated_date
from pelican_sitemapkit.notes import GROUPS, claims_path, note
from pelican_sitemapkit.urls import Urls, file_url
from sitemapkit import Page, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pelican_sitemapkit.notes import Written
    from pelican_sitemapkit.objects import Content, Context, ListPart, Settings
    from pelican_sitemapkit.settings import SitemapSettings
    from sitemapkit.model import Kind

_HTML = (".html", ".htm", ".xhtml")
_DATA = (".atom", ".css", ".csv", ".ics", ".js", ".json", ".rss", ".txt", ".xml")
_DOCUMENTS = (*_HTML, ".pdf")
_LISTINGS = frozenset({"index", "archives", "categories", "tags", "authors"})
_GENERATED = frozenset({"403", "404", "500", "search", "tipuesearch"})
_LOST = frozenset({"404.html", "404.htm", "404/index.html"})


class WrittenPages:
    """What one run has written so far, by the path of the output file.

    While Pelican writes, no more than a note is taken; `pages` makes all Pages in one go.
    """

    def __init__(self, settings: Settings, ours: SitemapSettings) -> None:
        """Start without a page; `settings` are Pelican's, `ours` what SITEMAP says."""
        self.by_path: dict[str, Written] = {}
        self._ours = ours
        self._reads_content = ours.reads_content
        self._urls = Urls(settings)
        self._listed_as: dict[Content, str] = {}
        self._periods: dict[str, str] = {}

    def add(self, path: str, context: Context) -> None:
        """Remember what Pelican wrote to `path` from a template with `context`.

        Pelican announces a second file at one path although it skips one of the two; the page
        stays with the one that claims the path by `save_as`.
        """
        if path not in self.by_path or claims_path(context):
            self.by_path[path] = note(context, with_html=self._reads_content)

    def pages(self) -> Iterator[Page]:
        """Yield a Page for each file that readers may find; lists come after what they list."""
        written = self.by_path.items()
        for path, one in written:
            if one.content and not _is_data(one.file):
                yield self._finished(self._content_page(one, one.content), path)
        for path, one in written:
            if not one.content and _is_html(one.file):
                if one.is_later_part:
                    yield Page(file_url(one.file), kind="listing", excluded=Reason.PAGINATION)
                else:
                    yield self._finished(self._template_page(one.file, one.marks), path)

    def static_page(self, static: Content, output: Path) -> Page | None:
        """Return the page of a file that Pelican copied, if it is HTML or PDF.

        To be called when all is written: who asks for the URL earlier breaks {attach}.
        """
        if not static.source_path.lower().endswith(_DOCUMENTS):
            return None
        return Page(
            self._urls.of_content(static, static.save_as),
            output=Path(output, static.save_as),
            sources=[Path(static.settings["PATH"], static.source_path)],
            meta=static.metadata,
            kind="static",
        )

    def _finished(self, page: Page, path: str) -> Page:
        if self._ours.regexes and self._ours.excludes(page.url):
            page.excluded = page.excluded or Reason.EXCLUDED_BY_OPTION
        if not page.excluded:
            page.output = path
        return page

    def _content_page(self, written: Written, content: Content) -> Page:
        url = self._listed_as[content] = self._urls.of_content(content, written.file)
        sources = (content.source_path,) if content.source_path else ()
        if content.status != "published":
            return Page(url, sources=sources, excluded=_excluded(content.status))
        published = stated_date(content, "date")
        defaults = self._ours.defaults_of(written.kind)
        return Page(
            url,
            sources=sources,
            meta={**defaults, **content.metadata} if defaults else content.metadata,
            kind="generated" if written.file in _LOST else written.kind,
            modified=stated_date(content, "modified") or published,
            published=published,
            lang=content.lang,
            translation_key=_translation_key(content),
            title=_plain(content.title),
            content=written.html,
        )

    def _template_page(self, file: str, marks: Context) -> Page:
        """Return the page of a list of articles, or of a template without any content."""
        part = marks.get("articles_page")
        articles = part.object_list if part else marks.get("articles", ())
        kind = self._kind_of(file, marks)
        return Page(
            self._template_url(file, marks, part),
            meta=self._ours.defaults_of("listing"),
            kind=kind,
            members=self._members(articles) if kind == "listing" else (),
            title=_group_title(marks),
        )

    def _kind_of(self, file: str, marks: Context) -> Kind:
        """Tell a list of articles from what is nothing to find and from any other template."""
        if any(mark in marks for mark in (*GROUPS, "period", "articles_page")):
            return "listing"
        stem = splitext(file)[0].removesuffix("/index")
        is_direct = "page_name" in marks
        name = self._urls.direct_template(marks["page_name"]) if is_direct else stem
        if is_direct and name in _LISTINGS:
            return "listing"
        return "generated" if name in _GENERATED or stem in _GENERATED else "page"

    def _template_url(self, file: str, marks: Context, part: ListPart | None) -> str:
        for name in GROUPS:
            if name in marks:
                return self._urls.of_group(name, marks[name], file, part)
        if "period" in marks:
            moved = file_url(part.url if part else file)
            return self._period_urls(marks).get(file, moved)
        if "page_name" in marks:
            return self._urls.of_template(file, marks["page_name"], part)
        return file_url(file)

    def _period_urls(self, marks: Context) -> dict[str, str]:
        if not self._periods:
            self._periods = self._urls.of_periods(marks["period_archives"])
        return self._periods

    def _members(self, articles: Sequence[Content]) -> list[str]:
        known = self._listed_as
        return [known[article] for article in articles if article in known]


def _is_html(file: str) -> bool:
    return file.endswith(".html") or file.lower().endswith(_HTML)


def _is_data(file: str) -> bool:
    return not file.endswith(".html") and file.lower().endswith(_DATA)


def _excluded(status: str) -> Reason:
    return Reason.DRAFT if status == "draft" else Reason.HIDDEN


def _translation_key(content: Content) -> str | None:
    """Return what all translations of a text share: the first of their sources."""
    if not content.translations:
        return None
    return min(str(version.source_path) for version in (content, *content.translations))


def _group_title(marks: Context) -> str:
    """Return the name of a tag, category, author or period; themes have titles for other lists."""
    for name in GROUPS:
        if name in marks:
            return _plain(str(marks[name]))
    return " ".join(map(str, marks.get("period", ())))


def _plain(title: str) -> str:
    """Return a title, which Pelican takes for HTML, as text."""
    if "<" not in title and "&" not in title:
        return title
    return Markup(title).striptags()  # noqa: S704 - what comes out is text
