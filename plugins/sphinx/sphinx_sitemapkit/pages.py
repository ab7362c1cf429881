"""From Sphinx' environment and builder to Pages of the core."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from docutils import nodes
from msgspec import Struct
from msgspec.structs import replace
from sphinx.environment.collectors import EnvironmentCollector

from sitemapkit import Page, Reason
from sitemapkit.dates import now
from sitemapkit.html import ENGINES, read_head, says_noindex
from sitemapkit.output.files import update_text
from sitemapkit.urls import STATIC_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.environment import BuildEnvironment

    from sitemapkit import Head, Kind
    from sphinx_sitemapkit.settings import Settings
    from sphinx_sitemapkit.texts import Noted, ShownTexts
    from textdates import TextDates

ENV_VERSION = 14
"""Increase it when DocInfo changes its name, place, shape or meaning: it is pickled.

Sphinx then reads all documents again.
"""


ERRORS = ("403", "404", "500")
"""Names of pages that hosts show for an error."""

GALLERY_TIMES = "sg_execution_times"
"""Name of the documents in which sphinx-gallery reports how long its examples took."""


class DocInfo(Struct, frozen=True):
    """What only a document's doctree says: saved when it is read, kept between builds."""

    noindex: bool
    """Whether a `meta` directive tells search engines, or one of them, not to index the page."""

    shown: Noted | None = None
    """What `shown` noted of it. None: no dates from git were wanted."""


class DocInfoCollector(EnvironmentCollector):
    """Saves a DocInfo of each document when it is read; parallel readers pass theirs on."""

    note_shown: Callable[[Sphinx, nodes.document], Noted] | None = None
    """`texts.noted` where dates from git are wanted."""

    def get_outdated_docs(
        self,
        app: Sphinx,  # noqa: ARG002
        env: BuildEnvironment,
        added: set[str],  # noqa: ARG002
        changed: set[str],  # noqa: ARG002
        removed: set[str],  # noqa: ARG002
    ) -> list[str]:
        """Return the documents that were read when no dates from git were wanted, as now."""
        infos = doc_infos(env).items() if self.note_shown else ()
        return [name for name, info in infos if info.shown is None]

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        """Save the data of a document that was read."""
        doc_infos(app.env)[app.env.docname] = DocInfo(
            noindex=any(
                str(meta.get("name", "")).lower() in ENGINES
                and says_noindex(str(meta.get("content", "")))
                for meta in doctree.findall(nodes.meta)
            ),
            shown=self.note_shown(app, doctree) if self.note_shown else None,
        )

    def clear_doc(self, app: Sphinx, env: BuildEnvironment, docname: str) -> None:  # noqa: ARG002
        """Forget a document that is removed or read again."""
        doc_infos(env).pop(docname, None)

    def merge_other(
        self,
        app: Sphinx,  # noqa: ARG002
        env: BuildEnvironment,
        docnames: AbstractSet[str],
        other: BuildEnvironment,
    ) -> None:
        """Add what a parallel reader saved."""
        theirs = doc_infos(other)
        doc_infos(env).update((name, theirs[name]) for name in theirs.keys() & docnames)


def doc_infos(env: BuildEnvironment) -> dict[str, DocInfo]:
    """Return what is saved of documents, by their names."""
    return cast("dict[str, DocInfo]", vars(env).setdefault("sitemapkit_doc_info", {}))


def collect_pages(
    app: Sphinx,
    builder: StandaloneHTMLBuilder,
    generated: AbstractSet[str],
    settings: Settings,
    history: TextDates | None,
) -> dict[str, Page]:
    """Return the pages by name: documents, generated pages and static ones.

    `history` is that of the build, if dates from git are wanted.
    """
    site = _Site(app, builder, generated, settings, history)
    pages, static = {name: site.page(name) for name in site.names()}, _static_pages(app)
    if not settings.options.include:  # a copied file that is not listed does not replace a page
        written = {page.output for page in pages.values()}
        static = {name: page for name, page in static.items() if page.output not in written}
    return pages | static


def remember_generated(
    app: Sphinx, builder: StandaloneHTMLBuilder, seen: AbstractSet[str]
) -> set[str]:
    """Return the names of the pages without a document, of this build and of earlier ones.

    An incremental build writes only some of them again: Sphinx < 8.2 none if no document changed,
    viewcode those of changed modules. So their names are kept in a file beside the environment.
    """
    file = Path(app.doctreedir, f"sitemapkit-{builder.name}.txt")
    documents = app.env.all_docs if seen else ()  # a document may have replaced a page
    names = {*seen}

    def joined(before: str) -> str:
        unseen = {*filter(None, before.split("\n"))}.difference(seen, documents)
        names.update(each for each in unseen if Path(builder.get_outfilename(each)).is_file())
        return "\n".join(sorted(names))

    update_text(file, joined)
    return names


class _Site:
    """The pages of a build, by the names that they have in Sphinx."""

    def __init__(
        self,
        app: Sphinx,
        builder: StandaloneHTMLBuilder,
        generated: AbstractSet[str],
        settings: Settings,
        history: TextDates | None,
    ) -> None:
        self._builder, self._generated, self._settings = builder, generated, settings
        self._env, self._config = app.env, app.config
        self._additional: AbstractSet[str] = app.config.html_additional_pages.keys()
        self._special = {*ERRORS, "search", getattr(app.config, "notfound_pagename", "404")}
        domains = app.env.domains.values()
        self._indices = {"genindex", *(f"{d.name}-{i.name}" for d in domains for i in d.indices)}
        self._is_single = builder.name == "singlehtml"
        # The builder walks the toctrees from the root.
        self._positions = {name: number for number, name in enumerate(builder.relations)}
        self._infos = doc_infos(app.env)
        self._posts: Mapping[str, Sequence[Any]] = getattr(app.env, "ablog_posts", {})
        """The posts of ablog in each document."""

        self._shown = _shown_texts(app, self._infos, settings, history)

    def names(self) -> list[str]:
        documents = [self._config.root_doc] if self._is_single else sorted(self._env.all_docs)
        return list(dict.fromkeys([*documents, *sorted({*self._additional, *self._generated})]))

    def page(self, name: str) -> Page:
        url = self._url(name)
        kind = self._kind(name)
        if kind == "generated" and not self._settings.options.include:
            # There may be thousands of them, so little work is done for each.
            return Page(url, kind=kind, excluded=Reason.GENERATED)
        output = Path(self._builder.get_outfilename(name))
        documents = self._documents(name)
        excluded, decided_by = self._excluded(name, url, documents)
        page = Page(
            url=url,
            output=output,
            sources=[Path(self._env.doc2path(document)) for document in documents],
            title=self._env.titles[name].astext() if documents else "",
            meta=self._env.metadata.get(name, {}),
            kind=kind,
            excluded=excluded,
            decided_by=decided_by,
            head=self._head(output) if self._settings.url_scheme_base else None,
            position=self._positions.get(name),
        )
        return self._shown.added_to(page, documents) if self._shown else page

    def _url(self, name: str) -> str:
        if self._is_single:  # the builder gives `#document-name`
            return "" if (url := quote(name) + self._builder.out_suffix) == "index.html" else url
        # the dirhtml builder does not quote
        return self._builder.get_target_uri(name).replace("#", "%23").replace("?", "%3F")

    def _documents(self, name: str) -> list[str]:
        """Return the documents that the page shows: none where a template replaces them."""
        if name in self._additional or name in self._generated or name not in self._env.all_docs:
            return []
        if not self._is_single:
            return [name]
        # Toctrees may name documents that were removed since they were read.
        return sorted(self._builder.relations.keys() & self._env.all_docs.keys())

    def _kind(self, name: str) -> Kind:
        is_own = name in self._additional or name in self._env.all_docs
        # A document of an index's name only gives it a place in a table of contents.
        is_index = name in self._indices and name not in self._additional
        is_report = name.rpartition("/")[2] == GALLERY_TIMES
        is_special = is_report or name.removesuffix("/index") in self._special
        if is_special or (name in self._generated and is_index):
            return "generated"
        if name not in self._generated or is_own:
            return "page"
        return "listing" if self._is_list_of_posts(name) else "generated"

    def _is_list_of_posts(self, name: str) -> bool:
        """Return whether ablog lists posts on a page that no document makes."""
        return bool(self._posts) and f"{name}/".startswith(f"{self._config.blog_path}/")

    def _excluded(self, name: str, url: str, documents: Sequence[str]) -> tuple[Reason | None, str]:
        """Return why the page is not listed, if so, and what decided that."""
        if pattern := self._settings.excludes.deciding(url):
            return Reason.EXCLUDED_BY_OPTION, pattern
        posts = self._posts.get(name, ())
        if posts and all(map(_is_draft, posts)):
            return Reason.DRAFT, ""
        if not documents and self._is_list_of_posts(name):
            if name == f"{self._config.blog_path}/drafts":
                return Reason.DRAFT, ""
            if all(_is_draft(post) for some in self._posts.values() for post in some):
                return Reason.EMPTY_LIST, ""
        infos = [self._infos[name] for name in documents if name in self._infos]
        return (Reason.NOINDEX if any(info.noindex for info in infos) else None), ""

    def _head(self, output: Path) -> Head | None:
        """Read the rendered head, without a canonical link that ignores the URL scheme."""
        if not output.is_file():
            return None
        head = read_head(output)
        ignores_scheme = (head.canonical or "").startswith(self._settings.url_scheme_base)
        return replace(head, canonical=None) if ignores_scheme else head


def _is_draft(post: Mapping[str, Any]) -> bool:
    """Return whether ablog takes a post for a draft: its date is not stated, or still to come."""
    return not post["date"] or post["date"].astimezone() > now()


def _shown_texts(
    app: Sphinx, infos: dict[str, DocInfo], settings: Settings, history: TextDates | None
) -> ShownTexts | None:
    """Return what text each page shows, if dates from git need it."""
    if not history:
        return None
    from sphinx_sitemapkit.texts import ShownTexts  # noqa: PLC0415 - needed for dates from git

    notes = {name: info.shown for name, info in infos.items() if info.shown}
    return ShownTexts(app, notes, history, whole_files=settings.options.dependencies is True)


def _static_pages(app: Sphinx) -> dict[str, Page]:
    """Return the HTML and PDF files of `html_extra_path`, by their paths in the output."""
    pages: dict[str, Page] = {}
    for entry in app.config.html_extra_path:
        source = Path(app.confdir, entry)
        inside = os.walk(source, followlinks=True)  # Sphinx copies what links lead to
        files = (Path(folder, name) for folder, _, names in inside for name in names)
        for file in files if source.is_dir() else [source]:
            if file.suffix.lower() in STATIC_SUFFIXES and file.is_file():
                path = file.relative_to(source if source.is_dir() else source.parent).as_posix()
                pages[path] = Page(quote(path), Path(app.outdir, path), [file], kind="static")
    return pages
