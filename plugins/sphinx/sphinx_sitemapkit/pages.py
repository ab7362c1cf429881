"""From Sphinx' environment and builder to Pages of the core."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec.structs import replace

from sitemapkit import Page, Reason
from sitemapkit.head import read_head
from sitemapkit.languages import hreflang
from sitemapkit.output.files import update_text
from sitemapkit.rules import grouped
from sitemapkit.urls import STATIC_SUFFIXES, is_error_page
from sphinx_sitemapkit.ablog import Blog
from sphinx_sitemapkit.catalogs import Catalogs
from sphinx_sitemapkit.compat import translations
from sphinx_sitemapkit.doc_info import doc_infos
from textdates.bounds import is_file, is_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.config import Config

    from sitemapkit import Build, Issue, Kind
    from sphinx_sitemapkit.settings import Settings
    from sphinx_sitemapkit.texts import DocumentTexts

GALLERY_TIMES = "sg_execution_times"
"""Name of the documents in which sphinx-gallery reports how long its examples took."""


def remember_generated(
    app: Sphinx, builder: StandaloneHTMLBuilder, seen: AbstractSet[str]
) -> set[str]:
    """Return the names of the pages without a document, of this build and of earlier ones.

    An incremental build writes only some of them again: Sphinx < 8.2 none if no document changed,
    viewcode those of changed modules. So their names are kept in a file beside the environment.
    """
    file = Path(app.doctreedir, f"sitemapkit-{builder.name}.txt")
    names = {*seen}

    def with_new_names(before: str) -> str:
        for name in before.split("\n"):
            if not name or name in seen:
                continue
            if seen and name in app.env.all_docs:  # a document has replaced the page
                continue
            if is_file(builder.get_outfilename(name)):
                names.add(name)
        return "\n".join(sorted(names))

    update_text(file, with_new_names)
    return names


class Site:
    """The pages of a build, by the names that they have in Sphinx."""

    def __init__(
        self,
        app: Sphinx,
        builder: StandaloneHTMLBuilder,
        generated: AbstractSet[str],
        settings: Settings,
        build: Build,
    ) -> None:
        """Take what Sphinx and the build know."""
        self._app = app
        self._builder = builder
        self._generated = generated
        self._settings = settings
        self._report = build.report
        self._env = app.env
        self._infos = doc_infos(app.env)
        self._additional: AbstractSet[str] = app.config.html_additional_pages.keys()
        self._special = {"search", getattr(app.config, "notfound_pagename", "404")}
        self._indices = {"genindex"}
        for domain in app.env.domains.values():
            for index in domain.indices:
                self._indices.add(f"{domain.name}-{index.name}")
        self._is_single = builder.name == "singlehtml"
        # The builder walks the toctrees from the root.
        self._positions = {name: number for number, name in enumerate(app.env.collect_relations())}
        self._blog = Blog(app)
        catalogs = Catalogs(app, app.config.language)
        self._is_translation = self._builds_translation(catalogs)
        self._others = dict(self._other_translations())
        """The catalogs of other languages, by their codes."""

        self._texts: DocumentTexts | None = None
        if build.history:
            from sphinx_sitemapkit.texts import DocumentTexts  # noqa: PLC0415 - needed for dates from git

            notes = {name: info.shown for name, info in self._infos.items() if info.shown}
            self._texts = DocumentTexts(app, notes, catalogs, self._blog, build.history)

    def _builds_translation(self, catalogs: Catalogs) -> bool:
        """Return whether this build is in another language than the documents."""
        config = self._app.config
        if config.language == self._settings.source_language:
            return False
        if any(info.is_translated for info in self._infos.values()):
            return True
        # The language of the documents may have catalogs, too, in which nothing is translated.
        return "language" in config.overrides and bool(catalogs.files)

    def _other_translations(self) -> Iterator[tuple[str, Catalogs]]:
        """Yield the code and catalogs of each other language that the documents are not in."""
        if not self._settings.options.languages:
            return
        config = self._app.config
        for language in translations(self._app, config):
            catalogs = Catalogs(self._app, language)
            is_other = language not in (config.language, self._settings.source_language)
            if is_other and catalogs.files:
                yield hreflang(language), catalogs

    def pages(self) -> dict[str, Page]:
        """Return the pages by name: documents, generated pages and static ones.

        What is wrong with the site is added to the report.
        """
        self._report.issues += _wrong_version(self._app.config, self._settings.options.base_url)
        names = sorted(self._env.all_docs)
        if self._is_single:
            names = [self._app.config.root_doc]
        names += sorted(self._additional | self._generated)
        pages = {name: self._page(name) for name in names}
        written = {page.output for page in pages.values()}
        for path, file in _copied_files(self._app):
            if path == self._settings.options.filename:
                detail = "It is replaced by the sitemap of this plugin."
                self._report.add("several-sitemaps", str(file), detail)
            elif file.suffix.lower() in STATIC_SUFFIXES:
                page = Page(quote(path), Path(self._app.outdir, path), [file], kind="static")
                # A copied file that is not listed does not replace a page.
                if self._settings.options.include or page.output not in written:
                    pages[path] = page
        return pages

    def _page(self, name: str) -> Page:
        url = self._url(name)
        kind = self._kind(name)
        if kind == "generated" and not self._settings.options.include:
            # There may be thousands of them, so little work is done for each.
            return Page(url, kind=kind, excluded=Reason.GENERATED)
        documents = self._documents(name)
        output = Path(self._builder.get_outfilename(name))
        page = Page(
            url=url,
            output=output,
            meta=self._env.metadata.get(name, {}),
            kind=kind,
            position=self._positions.get(name),
        )
        page.decided_by = self._settings.excludes.deciding(url)
        if page.decided_by:
            page.excluded = Reason.EXCLUDED_BY_OPTION
        else:
            page.excluded = self._excluded(name, documents)
        if documents:
            page.title = self._env.titles[name].astext()
            lacks: list[str] = []
            for code, catalogs in self._others.items():
                if not any(map(catalogs.translate, documents)):
                    lacks.append(code)
            page.lacks = lacks
        scheme_base = self._settings.url_scheme_base
        if scheme_base and is_file(output):
            head = read_head(output)
            # Sphinx' own canonical links ignore the URL scheme.
            if (head.canonical or "").startswith(scheme_base):
                page.head = replace(head, canonical=None)
        if self._texts:
            posts = self._blog.lists.get(name, ())
            whole_files = self._settings.options.dependencies is True
            text = self._texts.of(documents, posts, whole_files=whole_files)
            page.sources, page.included, page.dependencies = text
        else:
            page.sources = [Path(self._env.doc2path(each)) for each in documents]
        return page

    def _url(self, name: str) -> str:
        if self._is_single:  # the builder gives `#document-name`
            url = quote(name) + self._builder.out_suffix
            return "" if url == "index.html" else url
        url = self._builder.get_target_uri(name)
        return url.replace("#", "%23").replace("?", "%3F")  # the dirhtml builder does not quote

    def _documents(self, name: str) -> list[str]:
        """Return the documents that the page shows: none where a template replaces them."""
        if name in self._additional or name in self._generated:
            return []
        documents = {name}
        if self._is_single:
            # Toctrees may name documents that were removed since they were read.
            documents = {*self._builder.relations}
        return sorted(documents & self._env.all_docs.keys())

    def _kind(self, name: str) -> Kind:
        is_report = name.rpartition("/")[2] == GALLERY_TIMES
        if is_error_page(name) or is_report or name in self._special:
            return "generated"
        if name not in self._generated or name in self._additional:
            return "page"
        # A document with the name of an index only gives it a place in a toctree.
        if name in self._env.all_docs and name not in self._indices:
            return "page"
        return "listing" if name in self._blog.lists else "generated"

    def _excluded(self, name: str, documents: Sequence[str]) -> Reason | None:
        """Return why the page is not listed, if its author or ablog decided that."""
        if name in self._blog.drafts:
            return Reason.DRAFT
        if not documents and not self._blog.lists.get(name, True):
            return Reason.EMPTY_LIST
        infos = [self._infos[each] for each in documents if each in self._infos]
        if any(info.noindex for info in infos):
            return Reason.NOINDEX
        if infos and self._is_translation and not any(info.is_translated for info in infos):
            return Reason.UNTRANSLATED
        return None


def _wrong_version(config: Config, base: str) -> Sequence[Issue]:
    """Return the issue of a base URL that names none of the versions of sphinx-multiversion."""
    version = getattr(config, "smv_current_version", "")
    if not version or not base:
        return []
    names = {version, "latest", "stable", *config.smv_metadata}
    if any(f"/{name}/" in base for name in names):
        return []
    return grouped("base-without-version", [f"conf.py, version {version}"], f"It is {base}.")


def _copied_files(app: Sphinx) -> Iterator[tuple[str, Path]]:
    """Yield the files of `html_extra_path`, with their paths in the output."""
    for entry in app.config.html_extra_path:
        source = Path(app.confdir, entry)
        files = [source]
        for folder, _, names in os.walk(source, followlinks=True):  # as Sphinx copies them
            for name in names:
                files.append(Path(folder, name))
        root = source if is_folder(source) else source.parent
        for file in files:
            if is_file(file):
                yield file.relative_to(root).as_posix(), file
