"""The code that pages show: objects of mkdocstrings, commands of mkdocs-click."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.plugins import get_plugin_logger

from textdates import file_of
from textdates.parts import documented, functions_behind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

    from sitemapkit import Page
    from textdates import TextDates

log = get_plugin_logger("sitemapkit")

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


def add_objects(pages: Mapping[File, Page], config: MkDocsConfig, history: TextDates) -> set[File]:
    """Add to each page the objects that it shows; a page generated from code has only these.

    Return the files of the pages that show commands: their text is from the functions' help.
    """
    plugins: Any = config.plugins
    docs = Path(config.docs_dir)
    merges_init = _merges_init(plugins)
    source: Literal["functions", "all"] = "functions" if merges_init else "all"
    has_commands = "mkdocs-click" in config.markdown_extensions
    with_commands: set[File] = set()

    @cache  # inherited ones take long to find
    def members(path: str) -> Any:  # noqa: ANN401
        return find(path).all_members

    def find(path: str) -> Any:  # noqa: ANN401
        owner, _, name = path.rpartition(".")
        handler = plugins["mkdocstrings"].get_handler("python")
        return members(owner)[name] if owner else handler.collect(name, {})

    def shown_at(path: str) -> Sequence[Any]:
        found = find(path)
        init = members(path).get("__init__") if merges_init and found.is_class else None
        return [found, init] if init else [found]

    made = history.made({file_of(each) for page in pages.values() for each in page.sources})
    for file, page in pages.items():
        html = page.content or ""
        markdown = (file.page and file.page.markdown) or ""
        commands = _CLICK.findall(markdown) if has_commands else ()
        if commands:
            with_commands.add(file)
        objects = chain(_objects(html, shown_at), *(functions_behind(*each) for each in commands))
        parts = documented(objects, docs, source=source if _SHOWS_SOURCE.search(html) else "none")
        page.included = [*page.included, *parts]
        if parts:  # a page that is made, or whose edit link leads to code, has no text of its own
            own = (each for each in page.sources if not file_of(each).endswith(".py"))
            page.sources = [each for each in own if file_of(each) not in made]
    return with_commands


def _merges_init(plugins: Any) -> bool:  # noqa: ANN401
    """Return whether a class shows its `__init__` in place of its own source."""
    handlers: Any = plugins["mkdocstrings"].config.handlers if "mkdocstrings" in plugins else {}
    options: Any = handlers.get("python", {}).get("options", {})
    return bool(options.get("merge_init_into_class"))


def _objects(html: str, shown_at: Callable[[str], Sequence[Any]]) -> Iterator[tuple[str, str]]:
    """Yield the file and name of each mkdocstrings object."""
    ids = _ID.findall(html) if 'class="doc doc-object' in html else ()
    for identifier in [path for path, mark in ids if mark or "." in path]:
        try:
            for found in shown_at(identifier):
                target = found.final_target if found.is_alias else found
                yield str(Path(target.filepath)), target.path[len(target.module.path) + 1 :]
        except Exception as error:  # noqa: BLE001 - third-party handlers and extensions
            log.debug("%s: where this is defined is not known: %s", identifier, error)
