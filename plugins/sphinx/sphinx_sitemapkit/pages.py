"""From Sphinx' environment and builder to Pages of the core."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace
from sphinx.addnodes import toctree

from sitemapkit import Page, Part, Reason
from sitemapkit.dates import now
from sitemapkit.html import read_head
from sitemapkit.urls import STATIC_SUFFIXES
from sphinx_sitemapkit.doc_info import doc_infos
from sphinx_sitemapkit.sources import SourceFiles
from textdates.parts import Headings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder

    from sitemapkit import Head, Kind
    from sphinx_sitemapkit.doc_info import DocInfo
    from sphinx_sitemapkit.settings import Settings

_UNLIMITED = 99
"""Default depth of a table of contents."""


def collect_pages(
    app: Sphinx, builder: StandaloneHTMLBuilder, generated: AbstractSet[str], settings: Settings
) -> dict[str, Page]:
    """Return the pages by name: documents, generated pages and static ones."""
    site = _Site(app, builder, generated, settings)
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
    remembered = set(file.read_text("utf-8").split("\n") if file.is_file() else ())
    unseen = remembered.difference(seen, documents)
    names = {*seen, *(name for name in unseen if Path(builder.get_outfilename(name)).is_file())}
    if names != remembered:
        file.write_text("\n".join(sorted(names)), "utf-8")
    return names


class _Site(Struct, dict=True):
    """The pages of a build, by the names that they have in Sphinx."""

    app: Sphinx
    builder: StandaloneHTMLBuilder
    generated: AbstractSet[str]
    settings: Settings

    def __post_init__(self) -> None:
        self.env, self.config = self.app.env, self.app.config
        self.source_files = SourceFiles(self.env, self.config)
        self.additional: AbstractSet[str] = self.config.html_additional_pages.keys()
        self.special = {"404", "search", getattr(self.config, "notfound_pagename", "404")}
        self.texts = {"", ".txt", *self.config.source_suffix}
        self.is_single = self.builder.name == "singlehtml"

    def names(self) -> list[str]:
        documents = [self.config.root_doc] if self.is_single else sorted(self.env.all_docs)
        return list(dict.fromkeys([*documents, *sorted({*self.additional, *self.generated})]))

    def page(self, name: str) -> Page:
        url = self._url(name)
        kind = self._kind(name)
        if kind == "generated" and not self.settings.options.include:
            # There may be thousands of them, so little work is done for each.
            return Page(url, kind=kind, excluded=Reason.GENERATED)
        output = Path(self.builder.get_outfilename(name))
        documents = self._documents(name)
        infos = doc_infos(self.env, documents)
        included = [shown for info in infos for shown in info.included]
        documented = [part for info in infos for part in info.documented]
        whole = self.settings.options.dependencies is True
        others = self.source_files.dependencies(documents, included) if whole else ()
        return Page(
            url=url,
            output=output,
            sources=list(self.source_files.sources(documents)),
            included=[*included, *documented],
            dependencies=[*self._titles(documents), *others],
            title=self.env.titles[name].astext() if documents else "",
            meta=self.env.metadata.get(name, {}),
            kind=kind,
            excluded=self._excluded(name, url, infos),
            head=self._head(output) if self.settings.url_scheme_base else None,
        )

    def _url(self, name: str) -> str:
        if self.is_single:  # the builder gives `#document-name`
            return "" if (url := quote(name) + self.builder.out_suffix) == "index.html" else url
        # the dirhtml builder does not quote
        return self.builder.get_target_uri(name).replace("#", "%23").replace("?", "%3F")

    def _documents(self, name: str) -> list[str]:
        """Return the documents that the page shows: none where a template replaces them."""
        if name in self.additional or name in self.generated or name not in self.env.all_docs:
            return []
        if not self.is_single:
            return [name]
        # Toctrees may name documents that were removed since they were read.
        return sorted(self.builder.relations.keys() & self.env.all_docs.keys())

    def _titles(self, documents: Sequence[str]) -> Iterator[Part]:
        """Yield the titles of other documents in these documents' tables of contents.

        Each is followed by those of its sections and of the documents in its own tables, down to a
        depth. A title given in the table is text of the document itself.
        """
        waiting: list[tuple[str, toctree | None, int]] = [(name, None, 0) for name in documents]
        seen = {*documents}
        for document, outer, left in waiting:
            has_tables = document in self.env.toctree_includes
            for table in self.env.tocs[document].findall(toctree) if has_tables else ():
                depth = left or max(table.get("maxdepth", 0), 0) or _UNLIMITED
                for title, name in () if table.get("hidden") else table["entries"]:
                    if name in self.env.all_docs and name not in seen and (depth > 1 or not title):
                        seen.add(name)
                        levels = 1 if (outer or table).get("titlesonly") else depth
                        if levels > 1 or not title:
                            yield from self._headings(name, levels, own_title=not title)
                        if depth > 1:
                            waiting.append((name, outer or table, depth - 1))

    def _headings(self, name: str, levels: int, *, own_title: bool) -> Iterator[Part]:
        """Yield the headings in a document's file, and those below in the texts that it includes.

        Whole files are included without a title above them, or as sections below it.
        """
        file = Path(self.env.doc2path(name))
        yield Part(str(file), Headings(levels, own_title))
        infos = doc_infos(self.env, [name])
        for each in (each for info in infos for each in info.included):
            if not isinstance(each, Part) and Path(each).suffix in self.texts:
                above = file.is_file() and bool(Headings(1)(file.read_text("utf-8-sig", "replace")))
                if levels > above:
                    yield Part(each, Headings(levels - above, own_title or above))

    def _kind(self, name: str) -> Kind:
        is_own = name in self.additional or name in self.env.all_docs
        is_made = name in self.special or (name in self.generated and not is_own)
        return "generated" if is_made else "page"

    def _excluded(self, name: str, url: str, infos: Sequence[DocInfo]) -> Reason | None:
        if self.settings.excludes(url):
            return Reason.EXCLUDED_BY_OPTION
        # Drafts of ablog have no date, or one that is still to come.
        posts = getattr(self.env, "ablog_posts", {}).get(name, ())
        if posts and all(not p["date"] or p["date"].astimezone() > now() for p in posts):
            return Reason.DRAFT
        return Reason.NOINDEX if any(info.noindex for info in infos) else None

    def _head(self, output: Path) -> Head | None:
        """Read the rendered head, without a canonical link that ignores the URL scheme."""
        if not output.is_file():
            return None
        head = read_head(output)
        ignores_scheme = (head.canonical or "").startswith(self.settings.url_scheme_base)
        return replace(head, canonical=None) if ignores_scheme else head


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
