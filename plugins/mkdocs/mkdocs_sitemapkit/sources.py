"""The file that a page was made from, and what is wrong with its front matter."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import yaml
from mkdocs.utils.meta import YAML_RE

from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as MkDocsPage

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader with which MkDocs reads front matter."""


def own_source(file: File, page: MkDocsPage, config: MkDocsConfig) -> Sequence[str]:
    """Return the file that the page was made from, if there is one."""
    # mkdocs-jupyter wraps the file of a notebook in one that does not say what generated it.
    is_generated = getattr(file, "file", file).generated_by
    if file.abs_src_path and not is_generated:
        return [file.abs_src_path]
    # What a plugin made has a source if its edit link leads to one. Some plugins set the link of
    # the file, some that of the page.
    links = [getattr(file, "edit_uri", None)]
    if page.edit_url:
        base = urljoin((config.repo_url or "").rstrip("/") + "/", config.edit_uri or "")
        links.append(posixpath.relpath(page.edit_url, base))
    docs = Path(config.docs_dir)
    project = Path(config.config_file_path or docs).parent
    candidates: list[Path] = []
    for link in filter(None, links):
        candidates += (docs / link, project / link)
    candidates.append(docs / file.src_uri)  # a page of the author that gen-files changed
    for path in candidates:
        if is_file(path):
            return [os.path.normpath(path)]
    return []


def front_matter_error(page: MkDocsPage) -> str | None:
    """Return what is wrong with front matter that MkDocs silently treats as text."""
    if not (page.markdown or "").startswith("---"):  # valid front matter is cut off
        return None
    source = page.file.content_string
    block = _front_matter(source)
    if block is None:
        return None
    try:
        found = yaml.load(block, _LOADER)  # noqa: S506 - of safe loaders, the one that MkDocs takes
    except Exception as error:  # noqa: BLE001 - whatever MkDocs swallows here, too
        problem = str(getattr(error, "problem", None) or error).rstrip(".")
        mark = getattr(error, "problem_mark", None)
        if mark is None:
            return f"{problem}."
        above, _, _ = source.partition("---")  # empty lines
        number = above.count("\n") + 1 + mark.line + 1
        return f"Line {number}: {problem}."
    if isinstance(found, dict) and not YAML_RE.match(source):
        return "It does not start on line 1 or end with a line break."
    return None


def keys_of_front_matter(page: MkDocsPage) -> tuple[str, ...]:
    """Return what may be the keys of front matter that is not valid."""
    block = _front_matter(page.file.content_string) or ""
    return tuple(line.partition(":")[0].strip() for line in block.splitlines())


def _front_matter(source: str) -> str | None:
    """Return what stands between dashes at the start of a source, or below empty lines."""
    found = YAML_RE.match(f"{source.lstrip()}\n")
    return found[1] if found else None
