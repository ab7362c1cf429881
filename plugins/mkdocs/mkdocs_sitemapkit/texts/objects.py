"""The code that pages show: objects of mkdocstrings, commands of mkdocs-click."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.plugins import get_plugin_logger

from textdates import file_of
from textdates.parts import documented, functions_behind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.plugins import PrefixedLogger
    from mkdocs.structure.files import File

    from mkdocs_sitemapkit.texts import Text
    from textdates import FileOrPart, TextDates

log: PrefixedLogger = get_plugin_logger("sitemapkit")

_SHOWS_SOURCE = re.compile(r'<details class="(?:mkdocstrings-source|quote)">')
_ID = re.compile(
    r"""(?x)
    [ ] id=" ([^\W\d][\w.]*)        # an id that may be the path of an object;
    ( "></a> | " [ ] class="doc[ ] )?  # without a dot it is one only if marked like this
    """
)

_CLICK = re.compile(
    r"""(?mx)
    ^ ::: [ ] mkdocs-click
    \s+ :module: \s+ (\S+)
    \s+ :command: \s+ (\S+)
    """
)


def add_objects(texts: Mapping[File, Text], config: MkDocsConfig, history: TextDates) -> None:
    """Add to each text the objects that its page shows; a page made from code has only these."""
    docs = Path(config.docs_dir)
    finder = _Finder(config)
    has_commands = "mkdocs-click" in config.markdown_extensions
    files = set[str]()
    for text in texts.values():
        files.update(map(file_of, text.sources))
    made = history.made(files)
    for file, text in texts.items():
        page = file.page
        if not page:
            continue
        html = page.content or ""
        objects = finder.objects_in(html)
        if has_commands:
            for module, command in _CLICK.findall(page.markdown or ""):
                objects += functions_behind(module, command)
                text.has_unknown = False  # what it shows is the help of these functions
        code: Literal["none", "functions", "all"] = "none"
        if _SHOWS_SOURCE.search(html):
            code = "functions" if finder.merges_init else "all"
        parts = documented(objects, docs, source=code)
        text.included += parts
        if not parts:
            continue
        # A page that is made, or whose edit link leads to code, has no text of its own.
        own: list[FileOrPart] = []
        for source in text.sources:
            path = file_of(source)
            if path not in made and not path.endswith(".py"):
                own.append(source)
        text.sources = own


class _Finder:
    """Asks mkdocstrings where the objects are defined that it shows."""

    def __init__(self, config: MkDocsConfig) -> None:
        self._plugins: Any = config.plugins
        self._members: dict[str, Any] = {}  # inherited ones take long to find
        handlers: Any = {}
        if "mkdocstrings" in self._plugins:
            handlers = self._plugins["mkdocstrings"].config.handlers
        options = handlers.get("python", {}).get("options", {})
        self.merges_init = bool(options.get("merge_init_into_class"))
        """Whether a class shows its `__init__` in place of its own source."""

    def objects_in(self, html: str) -> list[tuple[str, str]]:
        """Return the file and name of each object that HTML shows."""
        objects: list[tuple[str, str]] = []
        if 'class="doc doc-object' not in html:
            return objects
        for path, mark in _ID.findall(html):
            if not mark and "." not in path:
                continue
            try:
                for found in self._shown_at(path):
                    target = found.final_target if found.is_alias else found
                    name = target.path[len(target.module.path) + 1 :]
                    objects.append((str(Path(target.filepath)), name))
            except Exception as error:  # noqa: BLE001 - third-party handlers and extensions
                log.debug("%s: where this is defined is not known: %s", path, error)
        return objects

    def _shown_at(self, path: str) -> Sequence[Any]:
        found = self._find(path)
        if self.merges_init and found.is_class:
            init = self._members_of(path).get("__init__")
            if init:
                return [found, init]
        return [found]

    def _find(self, path: str) -> Any:  # noqa: ANN401 - mkdocstrings is not installed everywhere
        owner, _, name = path.rpartition(".")
        if owner:
            return self._members_of(owner)[name]
        return self._plugins["mkdocstrings"].get_handler("python").collect(name, {})

    def _members_of(self, path: str) -> Any:  # noqa: ANN401
        if path not in self._members:
            self._members[path] = self._find(path).all_members
        return self._members[path]
