"""The generators whose finished sites are known: what differs between them, a row for each.

Nothing of a project is run. What its own sitemap says of a site is not read again from settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit_tools.sources import includes
from sitemapkit_tools.sources.handwritten import main_contents
from sitemapkit_tools.sources.jekyll import permalinks
from sitemapkit_tools.sources.mdbook import first_chapter
from sitemapkit_tools.sources.myst import stated_by_data
from sitemapkit_tools.sources.quarto import numbered_and_moved
from sitemapkit_tools.sources.zensical import blog_list
from textdates.parts import Draft

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitemapkit_tools.site.made import Made, Spelling
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.includes import Include
    from sitemapkit_tools.sources.project import Project

    OwnReader = Callable[[Project, OutputDir], Mapping[str, Made]]

DRAFT = Draft("draft", ("true", "yes", "on"))
"""Front matter of a draft, in most generators."""


class Generator(Struct, frozen=True, kw_only=True):
    """What differs between generators. Settings are named with dots, as in `book.src`."""

    name: str
    """As people write it."""

    settings: tuple[str, ...] = ()
    """Paths of its settings below the project's folder; the first that exists counts."""

    settings_of_others: tuple[str, ...] = ()
    """Those of them that are another generator's: only a mark tells, and they are not read."""

    not_beside: tuple[str, ...] = ()
    """Files beside which the settings are those of another generator."""

    mark: str = ""
    """A pattern of how its name begins in the `<meta>` element or comment by which it names itself
    in the head of a page; "" if it does not."""

    is_always_marked: bool = True
    """Whether each of its sites has the mark."""

    output: tuple[str, ...] = (".",)
    """The folders, below the project's, that the site is in; the first that exists counts."""

    output_settings: tuple[str, ...] = ()
    """The settings, one of which names that folder; `()` after a name is a call of a function."""

    output_inside: str = ""
    """A folder in it that has the site if there are outputs in several formats."""

    sitemap: str = "sitemap.xml"
    """The sitemap that it writes and that its pages link to; ours takes its place."""

    url: tuple[str, ...] = ()
    """The settings, one of which has the URL of the site or of its host."""

    url_path: str = ""
    """The setting that has the path below the host."""

    spelling: Spelling = "folder"
    """How it links pages, an `index.html` most of all."""

    bare_setting: str = ""
    """The setting that, if it is true, leaves `.html` out."""

    texts: str = ""
    """The folder whose texts have the names of pages, below the project's; "" if names are new."""

    texts_setting: str = ""
    """The setting that names it."""

    suffixes: tuple[str, ...] = (".md",)
    """Those of such texts."""

    index: tuple[str, ...] = ("README",)
    """Names of a folder's own text, beside `index`."""

    lastmod: tuple[str, ...] = ()
    """Front matter that has the date of the last change, beside `lastmod`."""

    drafts: tuple[Draft, ...] = (DRAFT,)
    """Front matter that keeps a text from readers."""

    includes: tuple[Include, ...] = ()
    """How a text takes in files."""

    includes_setting: str = ""
    """The setting that has more folders in which these names start."""

    own: OwnReader | None = None
    """What tells sources that no name, link or likeness tells."""

    is_own_all: bool = False
    """Whether other pages have no source."""


def scripts(*names: str) -> tuple[str, ...]:
    """Return the files in JavaScript or TypeScript that have these names."""
    return tuple(f"{name}.{end}" for name in names for end in SCRIPTS)


SCRIPTS = ("js", "mjs", "cjs", "ts", "mts", "cts")
_UPDATED = ("last_update.date", "last_update", "lastupdated")
_HUGO = tuple(
    f"{folder}{name}.{end}"
    for folder in ("", "config/_default/")
    for name in ("hugo", "config")
    for end in ("toml", "yaml", "yml", "json")
)
_PLAYBOOKS = ("antora-playbook", "site", "playbook", "local-antora-playbook")

GENERATORS = {
    "zensical": Generator(
        name="Zensical",
        settings=("zensical.toml", "mkdocs.yml", "mkdocs.yaml"),
        settings_of_others=("mkdocs.yml", "mkdocs.yaml"),
        mark="zensical-",
        is_always_marked=False,
        output=("site",),
        output_settings=("project.site_dir",),
        url=("project.site_url",),
        texts="docs",
        texts_setting="project.docs_dir",
        includes=includes.SNIPPETS,
        includes_setting="project.markdown_extensions.pymdownx.snippets.base_path",
        own=blog_list,
    ),
    "myst": Generator(
        name="MyST",
        settings=("myst.yml",),
        mark="mystmd",
        output=("_build/html",),
        includes=includes.MYST,
        own=stated_by_data,
    ),
    "quarto": Generator(
        name="Quarto",
        settings=("_quarto.yml", "_quarto.yaml"),
        mark="quarto-",
        output=("_site", "_book", "_manuscript", "_docs", "../_docs"),
        output_settings=("project.output-dir",),
        url=("website.site-url", "book.site-url"),
        spelling="file",
        texts=".",
        suffixes=(".qmd", ".ipynb", ".md", ".Rmd", ".rmd", ".py"),
        index=(),
        lastmod=("date-modified",),
        includes=includes.QUARTO,
        own=numbered_and_moved,
    ),
    "mdbook": Generator(
        name="mdBook",
        settings=("book.toml",),
        mark="Book generated using mdBook",
        output=("book",),
        output_settings=("build.build-dir",),
        output_inside="html",
        url=("output.html.cname",),
        url_path="output.html.site-url",
        texts="src",
        texts_setting="book.src",
        includes=includes.MDBOOK,
        own=first_chapter,
    ),
    "hugo": Generator(
        name="Hugo",
        settings=_HUGO,
        mark="Hugo ",
        is_always_marked=False,
        output=("public",),
        output_settings=("publishDir",),
        url=("baseURL",),
        texts="content",
        texts_setting="contentDir",
        suffixes=(".md", ".markdown", ".html", ".adoc", ".org", ".pandoc", ".rst"),
        index=("_index",),
        lastmod=("modified",),
        includes=includes.HUGO,
    ),
    "jekyll": Generator(
        name="Jekyll",
        settings=("_config.yml", "_config.yaml", "_config.toml"),
        not_beside=("_toc.yml", "scaffolds/post.md"),  # of Jupyter Book 1 and Hexo
        mark="Jekyll ",
        is_always_marked=False,
        output=("_site",),
        output_settings=("destination",),
        url=("url",),
        url_path="baseurl",
        texts=".",
        texts_setting="source",
        suffixes=(".md", ".markdown", ".mkd", ".mkdn", ".mkdown", ".html", ".htm"),
        lastmod=("last_modified_at",),
        drafts=(Draft("published", ("false", "no", "off")),),
        includes=includes.JEKYLL,
        own=permalinks,
    ),
    "docusaurus": Generator(
        name="Docusaurus",
        settings=scripts("docusaurus.config"),
        mark="Docusaurus",
        output=("build",),
        url=("url",),
        url_path="baseUrl",
        spelling="canonical",  # a setting and the host decide about final slashes
        lastmod=_UPDATED,
        includes=includes.MDX,
    ),
    "starlight": Generator(
        name="Starlight",
        settings=scripts("astro.config"),
        mark="Starlight v",
        output=("dist",),
        output_settings=("outDir",),
        sitemap="sitemap-index.xml",
        url=("site",),
        url_path="base",
        lastmod=_UPDATED,
        includes=includes.MDX,
    ),
    "astro": Generator(
        name="Astro",
        settings=scripts("astro.config"),
        mark="Astro v",
        is_always_marked=False,
        output=("dist",),
        output_settings=("outDir",),
        sitemap="sitemap-index.xml",
        url=("site",),
        url_path="base",
        lastmod=_UPDATED,
        includes=includes.MDX,
    ),
    "vitepress": Generator(
        name="VitePress",
        settings=scripts(".vitepress/config", ".vitepress/config/index"),
        mark="VitePress v",
        output=(".vitepress/dist",),
        output_settings=("outDir",),
        url=("sitemap.hostname",),
        bare_setting="cleanUrls",
        texts_setting="srcDir",
        lastmod=_UPDATED,
        includes=includes.VITEPRESS,
    ),
    "eleventy": Generator(
        name="Eleventy",
        settings=(*scripts("eleventy.config"), ".eleventy.js"),
        mark="Eleventy",
        is_always_marked=False,
        output=("_site",),
        output_settings=("dir.output", "setOutputDirectory()"),
        lastmod=_UPDATED,
        includes=includes.MDX,
    ),
    "nuxt": Generator(
        name="Nuxt",
        settings=scripts("nuxt.config"),
        is_always_marked=False,
        output=(".output/public",),
        lastmod=_UPDATED,
        includes=includes.MDX,
    ),
    "antora": Generator(
        name="Antora",
        settings=tuple(f"{name}.{end}" for name in _PLAYBOOKS for end in ("yml", "yaml")),
        mark="Antora ",
        is_always_marked=False,
        output=("build/site",),
        output_settings=("output.dir",),
        url=("site.url",),
        spelling="file",
        includes=includes.ANTORA,
    ),
}
"""The generators by their names; where two could have made a site, the first is taken."""

HANDWRITTEN = Generator(
    name="hand-written HTML",
    includes=includes.OF_SERVERS,
    own=main_contents,
    is_own_all=True,
)
"""Sites of HTML files that people write, which are their own sources."""

UNKNOWN = Generator(name="")
"""What made a site that no generator which is known has made."""
