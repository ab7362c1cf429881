"""What pages include with snippets, includes, macros and tables."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from markdown import Extension, Markdown
from mkdocs.config.base import Config
from mkdocs.plugins import BasePlugin, event_priority

from mkdocs_sitemapkit.texts.reads import watched_reads
from textdates.parts import IncludeFinder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage

    from textdates.parts import Found


class _NoOptions(Config):
    """The options of a plugin that has none."""


class Includes(BasePlugin[_NoOptions]):
    """Finds what each page includes: a plugin that ours adds to a build."""

    def __init__(self, config: MkDocsConfig) -> None:
        """Read the Markdown of each page after all text is inserted."""
        self.found: dict[File, Found] = {}
        """What each page of the build includes."""

        self._watch = ExitStack()
        self._lines = _Lines()
        config.markdown_extensions.append(self._lines)  # type: ignore[arg-type]  # MkDocs: names

    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> None:
        """Begin a build."""
        settings = cast("Any", config).mdx_configs.get("pymdownx.snippets", {})
        no_text = [str(config.config_file_path)]
        no_text += settings.get("auto_append", ())
        folders = (config.docs_dir, str(Path.cwd()))
        self._finder = IncludeFinder(folders, config.site_dir, no_text)
        self.found.clear()

    @event_priority(-200)
    def on_pre_page(self, page: MkDocsPage, /, **_: object) -> None:
        """Watch file reads until the page is HTML."""
        seen = _Seen()
        self._lines.seen = seen
        self._watch.enter_context(watched_reads(seen.files.setdefault))

    @event_priority(-200)
    def on_page_markdown(self, markdown: str, /, *, page: MkDocsPage, **_: object) -> None:
        """Keep the page's own text; `markdown` is the plugins' result."""
        seen = self._lines.seen
        seen.own = page.markdown or ""
        seen.expanded = markdown

    @event_priority(200)
    def on_page_content(self, html: str, /, *, page: MkDocsPage, **_: object) -> None:
        """Find out what the page includes, before anything else is read."""
        self.on_shutdown()
        seen = self._lines.seen
        files = [path for path in seen.files if path != page.file.abs_src_path]
        self.found[page.file] = self._finder.find(seen.own, seen.lines, files, seen.expanded)

    def on_shutdown(self, **_: object) -> None:
        """Stop watching, however the build ended."""
        self._watch.close()

    def on_build_error(self, **_: object) -> None:
        """Stop watching, as after a build without an error."""
        self._watch.close()


@dataclass
class _Seen:
    """What is seen of one page until it is HTML."""

    files: dict[str, None] = field(default_factory=dict[str, None])
    """The files that are read, in their order."""

    own: str = ""
    """The text of the page's source; "" before all plugins had it."""

    expanded: str = ""
    """What plugins made of it."""

    lines: Sequence[str] = ()
    """The lines of the final Markdown."""


class _Lines(Extension):
    """A Markdown extension that keeps the lines of a page without changing them."""

    def __init__(self) -> None:
        """Begin without a page: plugins may render Markdown before there is one."""
        super().__init__()
        self.seen = _Seen()

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register between pymdownx.snippets (32), which inserts text, and fences (31.05)."""
        md.preprocessors.register(self, "sitemapkit", 31.5)  # type: ignore[arg-type]  # its `run`

    def run(self, lines: list[str]) -> list[str]:
        """Keep the lines of the page; anything rendered later is inside it."""
        if self.seen.own and not self.seen.lines:
            self.seen.lines = lines.copy()
        return lines
