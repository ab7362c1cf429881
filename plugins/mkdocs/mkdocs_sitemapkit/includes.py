"""What pages include with snippets, includes, macros and tables."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from markdown import Extension, Markdown
from mkdocs.plugins import BasePlugin, event_priority

from mkdocs_sitemapkit.config import SitemapConfig
from mkdocs_sitemapkit.reads import watched_reads
from textdates.parts import IncludeFinder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage


class Includes(BasePlugin[SitemapConfig]):
    """Finds what each page includes; a separate plugin, as most builds do not need it."""

    def __init__(self, config: MkDocsConfig) -> None:
        """Read the Markdown of each page after all text is inserted."""
        self._page = ExitStack()
        self._seen = _Observer()
        config.markdown_extensions.append(self._seen)  # type: ignore[arg-type]  # MkDocs: names

    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> None:
        """Begin a build."""
        settings = cast("Any", config).mdx_configs.get("pymdownx.snippets", {})
        no_text = [str(config.config_file_path), *settings.get("auto_append", ())]
        self._finder = IncludeFinder((config.docs_dir, str(Path.cwd())), config.site_dir, no_text)

    @event_priority(-200)
    def on_pre_page(self, page: MkDocsPage, /, **_: object) -> None:
        """Watch file reads until the page is HTML."""
        self._read: dict[str, None] = {}
        self._seen.own, self._seen.lines, self._expanded = "", (), ""
        self._page.enter_context(watched_reads(self._read.setdefault))

    @event_priority(-200)
    def on_page_markdown(self, markdown: str, /, *, page: MkDocsPage, **_: object) -> None:
        """Keep the page's own text; `markdown` is the plugins' result."""
        self._seen.own, self._expanded = page.markdown or "", markdown

    @event_priority(200)
    def on_page_content(self, html: str, /, *, page: MkDocsPage, **_: object) -> None:
        """Store what the page includes with its file, before anything else is read."""
        self.on_shutdown()
        read = [path for path in self._read if path != page.file.abs_src_path]
        found = self._finder.find(self._seen.own, self._seen.lines, read, self._expanded)
        vars(page.file).update(found._asdict())

    def on_shutdown(self, **_: object) -> None:
        """Stop watching, however the build ended."""
        self._page.close()

    on_build_error = on_shutdown


class _Observer(Extension):
    """A Markdown extension that keeps the lines of a page without changing them."""

    own = ""
    """The text of the page's source; "" while no page is rendered."""

    lines: Sequence[str] = ()

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register between pymdownx.snippets (32), which inserts text, and fences (31.05)."""
        md.preprocessors.register(self, "sitemapkit", 31.5)  # type: ignore[arg-type]  # its `run`

    def run(self, lines: list[str]) -> list[str]:
        """Keep the lines of the page; anything rendered later is inside it."""
        if self.own and not self.lines:
            self.lines = lines.copy()
        return lines
