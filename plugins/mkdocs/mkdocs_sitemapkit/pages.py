"""From MkDocs' files to the core's Pages.

Other plugins leave what they know about a page in attributes of MkDocs' files and pages. It is read
from there: none of these plugins is imported, or has to be installed.
"""

from __future__ import annotations

import os
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import urljoin

import yaml
from mkdocs.config.base import Config
from mkdocs.structure.files import InclusionLevel
from mkdocs.utils.meta import YAML_RE

from sitemapkit import Page, Reason
from sitemapkit.dates import day_if_midnight, newest, now
from sitemapkit.metadata import our_names
from sitemapkit.urls import HTML_SUFFIXES, STATIC_SUFFIXES
from sitemapkit.xmltext import unescaped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage


ERRORS = ("403", "404", "500")
"""Names of pages that hosts show for an error."""


class MaterialList(NamedTuple):
    """A list of other pages: a view of Material's blog, or a page with lists of tags."""

    members: Sequence[MkDocsPage]
    """The pages that it shows."""

    blog: Any
    """The settings of the blog; None for tags."""


def to_pages(
    files: Files, lists: Mapping[File, MaterialList], config: MkDocsConfig
) -> dict[File, Page]:
    """Return a Page for each page and each static file of a build."""
    pages: dict[File, Page] = {}
    nav_file = _nav_file(config)
    positions = _positions(files)
    for file in files:
        name = file.src_uri.lower()
        if not file.inclusion.is_included():
            if unpublished := _unpublished(file):
                pages[file] = unpublished
        # MkDocs makes a page of any file that `nav` names, such as an image.
        elif file.page and (file.is_documentation_page() or name.endswith(HTML_SUFFIXES)):
            pages[file] = _page(file, file.page, config)
            pages[file].position = positions.get(file)
            is_menu = nav_file and posixpath.basename(file.src_uri) == nav_file
            if is_menu or _is_error_page(file):
                pages[file].kind = "generated"
            if file in lists:
                posts = [post_of(each) for each in lists[file].members]
                pages[file].kind = "listing"
                pages[file].published = newest([_post_date(post, "created") for post in posts])
        elif name.endswith(STATIC_SUFFIXES):
            sources = [file.abs_src_path] if file.abs_src_path and not file.generated_by else []
            pages[file] = Page(file.url, file.abs_dest_path, sources, kind="static")
    return pages


def _positions(files: Files) -> dict[File, int]:
    """Return the place of each page in the navigation, by the links from page to page."""
    found: dict[File, int] = {}
    for start in [file.page for file in files if file.page]:
        page = start if start.next_page and not start.previous_page else None
        while page and page.file not in found:
            found[page.file] = len(found)
            page = page.next_page
    return found


def _is_error_page(file: File) -> bool:
    """Return whether hosts show a page in place of others: it is at the root of a language."""
    language = getattr(file, "locale", None)  # static-i18n
    path = file.url.removeprefix(f"{language}/")
    return path.removesuffix("/").removesuffix(".html") in ERRORS


def _nav_file(config: MkDocsConfig) -> str:
    """Return the name of the files with menus, which literate-nav reads, and MkDocs renders."""
    plugins: dict[str, Any] = {**config.plugins}
    return str(plugins["literate-nav"].config["nav_file"]) if "literate-nav" in plugins else ""


def theme_pages(config: MkDocsConfig, known: Mapping[str, Page]) -> dict[str, Page]:
    """Return pages that only the theme has, such as 404.html, by their output paths."""
    templates = [name for name in config.theme.static_templates if name.endswith(STATIC_SUFFIXES)]
    urls = {str(Path(config.site_dir, name)): name for name in templates}
    return {path: Page(urls[path], path, kind="generated") for path in sorted(urls.keys() - known)}


def own_source(file: File, page: MkDocsPage, config: MkDocsConfig) -> Sequence[str]:
    """Return the file that the page was made from, if there is one."""
    # mkdocs-jupyter wraps the file of a notebook in one that does not say what generated it.
    if (source := file.abs_src_path) and not getattr(file, "file", file).generated_by:
        return [source]
    docs = Path(config.docs_dir)
    project = Path(config.config_file_path or docs).parent
    base = urljoin((config.repo_url or "").rstrip("/") + "/", config.edit_uri or "")
    link = page.edit_url and posixpath.relpath(page.edit_url, base)
    names = (name for name in (getattr(file, "edit_uri", None), link) if name)
    edited = [folder / name for name in names for folder in (docs, project)]
    # The last is a page of the author that gen-files changed.
    return [os.path.normpath(path) for path in (*edited, docs / file.src_uri) if path.is_file()][:1]


def material_lists(config: MkDocsConfig) -> dict[File, MaterialList]:
    """Return the lists of Material's blog and of its tags, by their files.

    A view of the blog renders its posts only when it is written, so settings determine which
    posts it shows.
    """
    lists: dict[File, MaterialList] = {}
    plugins: dict[str, Any] = {**config.plugins}
    for name, plugin in plugins.items():
        if name.startswith("material/blog") and plugin.config.enabled:
            for view in (plugin.blog, *plugin.blog.views):
                lists[view.file] = MaterialList(_first_posts(view, plugin.config), plugin.config)
        elif name.startswith("material/tags"):
            for listing in getattr(plugin, "listings", None) or ():
                items = [mapping.item for tag in listing for mapping in tag.mappings]
                members = [item for item in items if hasattr(item, "file")]  # others are elsewhere
                before = lists.get(listing.page.file, MaterialList((), None))
                lists[listing.page.file] = MaterialList([*before.members, *members], None)
    return lists


def _first_posts(view: Any, settings: Any) -> Sequence[MkDocsPage]:  # noqa: ANN401 - Material has no types
    """Return the posts that the first page of a view shows."""
    prefixes = {"Archive": "archive_", "Category": "categories_", "Profile": "authors_profiles_"}
    own = settings.get(f"{prefixes.get(type(view).__name__, '')}pagination_per_page")
    posts: Sequence[MkDocsPage] = view.posts
    return posts[: own or settings.pagination_per_page] if view.pages else posts


def is_unread(page: MkDocsPage) -> bool:
    """Return whether a dirty build skipped the page, because its file has not changed since.

    `on_startup` says that builds are dirty, but some tools build without it. So each file is asked
    what MkDocs asks it. Of static files, and of pages that plugins add late, no build reads a text.
    """
    file = page.file
    return page.markdown is None and file.is_documentation_page() and not file.is_modified()


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def front_matter_error(page: MkDocsPage) -> str | None:
    """Return what is wrong with front matter that MkDocs silently treats as text."""
    if not (page.markdown or "").startswith("---"):  # valid front matter is cut off
        return None
    source = page.file.content_string
    if not (block := YAML_RE.match(f"{source.lstrip()}\n")):
        return None
    try:
        found = yaml.load(block[1], _LOADER)  # noqa: S506 - of safe loaders, the one that MkDocs takes
    except (yaml.YAMLError, ValueError) as error:  # the latter for a day that does not exist
        mark = getattr(error, "problem_mark", None)
        above = source[: len(source) - len(source.lstrip())].count("\n") + 2  # with the dashes
        problem = str(getattr(error, "problem", None) or error).rstrip(".")
        return f"{f'Line {above + mark.line}: ' if mark else ''}{problem}."
    is_misplaced = isinstance(found, dict) and not YAML_RE.match(source)
    return "It does not start on line 1 or end with a line break." if is_misplaced else None


def is_about_us(page: MkDocsPage) -> bool:
    """Return whether front matter that is shown as text has a key that we would read."""
    lines = YAML_RE.findall(f"{page.file.content_string.lstrip()}\n")[0].splitlines()
    return bool(our_names(tuple(line.partition(":")[0].strip() for line in lines)))


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
    is_draft = file.inclusion is InclusionLevel.DRAFT and file.is_documentation_page()
    by_page = _excluded(file.page, post_of(file.page)) if file.page else None
    if not (reason := Reason.DRAFT if is_draft else by_page):
        return None
    return Page(file.url, sources=[file.abs_src_path or file.src_uri], excluded=reason)


def _excluded(page: MkDocsPage, post: dict[str, Any] | None) -> Reason | None:
    """Return why a page that is written is not listed."""
    if getattr(page.file, "locale", None) != getattr(page.file, "locale_alternate_of", None):
        return Reason.UNTRANSLATED  # static-i18n
    if (same_view := getattr(page, "pages", None)) and same_view[0] is not page:
        return Reason.PAGINATION
    if post and post["draft"]:  # which `serve` shows
        return Reason.DRAFT
    is_shown = page.file.inclusion.is_included()
    return Reason.FUTURE if post and not is_shown and post["date"]["created"] > now() else None


def _post_date(post: dict[str, Any] | None, name: Literal["created", "updated"]) -> date | None:
    """Return a date that a post states; Material makes a day without a time midnight."""
    stated: datetime | None = post["date"].get(name) if post else None
    return stated and day_if_midnight(stated)


def post_of(page: MkDocsPage) -> dict[str, Any] | None:
    """Return the front matter of a post of Material's blog, with defaults; None for other pages."""
    settings: object = getattr(page, "config", None)
    return dict(settings) if isinstance(settings, Config) and "date" in settings else None
