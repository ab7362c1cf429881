"""From MkDocs' files to the core's Pages.

Other plugins leave what they know about a page in attributes of MkDocs' files and pages. It is read
from there: none of these plugins is imported, or has to be installed.
"""

from __future__ import annotations

from pathlib import Path
from posixpath import basename
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.structure.files import InclusionLevel

from mkdocs_sitemapkit.material import post_of
from mkdocs_sitemapkit.sources import keys_of_front_matter, own_source
from sitemapkit import Page, Reason
from sitemapkit.dates import day_if_midnight, newest, now
from sitemapkit.metadata import our_names
from sitemapkit.urls import HTML_SUFFIXES, STATIC_SUFFIXES, is_error_page
from sitemapkit.xmltext import unescaped

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage

    from mkdocs_sitemapkit.material import MaterialList


def to_pages(
    files: Files, lists: Mapping[File, MaterialList], config: MkDocsConfig
) -> dict[File, Page]:
    """Return a Page for each page and each static file of a build."""
    pages: dict[File, Page] = {}
    menus = _menu_name(config)
    positions = _positions(files)
    for file in files:
        name = file.src_uri.lower()
        if not file.inclusion.is_included():
            unpublished = _unpublished(file)
            if unpublished:
                pages[file] = unpublished
        # MkDocs makes a page of any file that `nav` names, such as an image.
        elif file.page and (file.is_documentation_page() or name.endswith(HTML_SUFFIXES)):
            page = _page(file, file.page, config)
            page.position = positions.get(file)
            if file in lists:
                page.kind = "listing"
                members = lists[file].members
                page.published = newest([_post_date(post_of(each), "created") for each in members])
            # Hosts show one in place of others; literate-nav reads files with menus.
            elif is_error_page(file.url, page.lang) or basename(file.src_uri) == menus:
                page.kind = "generated"
            pages[file] = page
        elif name.endswith(STATIC_SUFFIXES):
            page = Page(file.url, file.abs_dest_path, kind="static")
            if file.abs_src_path and not file.generated_by:
                page.sources = [file.abs_src_path]
            pages[file] = page
    return pages


def _positions(files: Files) -> dict[File, int]:
    """Return the place of each page in the navigation, by the links from page to page."""
    found: dict[File, int] = {}
    for file in files:
        page = file.page
        if page and (page.previous_page or not page.next_page):
            continue  # it is not the first
        while page and page.file not in found:
            found[page.file] = len(found)
            page = page.next_page
    return found


def _menu_name(config: MkDocsConfig) -> str:
    """Return the name of the files with menus, which literate-nav reads, and MkDocs renders."""
    plugins: dict[str, Any] = {**config.plugins}
    if "literate-nav" not in plugins:
        return ""
    return str(plugins["literate-nav"].config["nav_file"])


def theme_pages(config: MkDocsConfig, known: Mapping[str, Page]) -> dict[str, Page]:
    """Return pages that only the theme has, such as 404.html, by their output paths."""
    pages: dict[str, Page] = {}
    for name in sorted(config.theme.static_templates):
        path = str(Path(config.site_dir, name))
        if name.endswith(STATIC_SUFFIXES) and path not in known:
            pages[path] = Page(name, path, kind="generated")
    return pages


def is_unread(page: MkDocsPage) -> bool:
    """Return whether a dirty build skipped the page, because its file has not changed since.

    `on_startup` says that builds are dirty, but some tools build without it. So each file is asked
    what MkDocs asks it. Of static files, and of pages that plugins add late, no build reads a text.
    """
    file = page.file
    return page.markdown is None and file.is_documentation_page() and not file.is_modified()


def is_about_us(page: MkDocsPage) -> bool:
    """Return whether front matter that is shown as text has a key that we would read."""
    return bool(our_names(keys_of_front_matter(page)))


def _page(file: File, page: MkDocsPage, config: MkDocsConfig) -> Page:
    post = post_of(page)
    return Page(
        url=page.canonical_url or page.url,
        output=file.abs_dest_path,
        sources=own_source(file, page, config),
        meta=page.meta,
        excluded=_excluded(page, post),
        modified=_post_date(post, "updated"),
        published=_post_date(post, "created"),
        lang=getattr(file, "locale", None),  # static-i18n
        translation_key=getattr(file, "norm_src_uri", None),
        title=unescaped(str(getattr(page, "title", None) or "")),  # HTML in MkDocs
        content=page.content,
    )


def _unpublished(file: File) -> Page | None:
    """Return a page that is a draft in MkDocs or in Material's blog, or a post of the future."""
    reason = None
    if file.inclusion is InclusionLevel.DRAFT and file.is_documentation_page():
        reason = Reason.DRAFT
    elif file.page:
        reason = _excluded(file.page, post_of(file.page))
    if not reason:
        return None
    return Page(file.url, sources=[file.abs_src_path or file.src_uri], excluded=reason)


def _excluded(page: MkDocsPage, post: dict[str, Any] | None) -> Reason | None:
    """Return why a page that is written is not listed."""
    if getattr(page.file, "locale", None) != getattr(page.file, "locale_alternate_of", None):
        return Reason.UNTRANSLATED  # static-i18n
    parts = getattr(page, "pages", None)  # of a view of Material's blog
    if parts and parts[0] is not page:
        return Reason.PAGINATION
    if not post:
        return None
    if post["draft"]:  # which `serve` shows
        return Reason.DRAFT
    if not page.file.inclusion.is_included() and post["date"]["created"] > now():
        return Reason.FUTURE
    return None


def _post_date(post: dict[str, Any] | None, name: Literal["created", "updated"]) -> date | None:
    """Return a date that a post states; Material makes a day without a time midnight."""
    if not post:
        return None
    stated: datetime | None = post["date"].get(name)
    return day_if_midnight(stated) if stated else None
