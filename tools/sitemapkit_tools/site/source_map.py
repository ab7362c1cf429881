"""From pages to their sources where no build says it: by a map, or by the project around them."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from sitemapkit.errors import OptionError
from sitemapkit_tools.bounds import MAX_JSON, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemapkit_tools.site.output_dir import OutputDir


def read_source_map(file: Path) -> Mapping[str, Sequence[Path]]:
    """Read a map from pages to source files, in JSON or TOML.

    A page is named by its file below the site's root, or by its URL path below the base URL; its
    source is a path that starts from the folder of the map, or a list of such paths.

    Raises OptionError if it is not such a map, or names a source that is no file.
    """
    folder = file.parent.absolute()
    decode = msgspec.toml.decode if file.suffix == ".toml" else msgspec.json.decode
    try:
        pages = decode(read_file(file, MAX_JSON), type=dict[str, str | tuple[str, ...]])
    except msgspec.ValidationError as error:
        raise OptionError(
            f"{file} must map each page to a source or a list of them, as in"
            f" {{'a/index.html': 'a.md'}}: {error}"
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise OptionError(f"{file} cannot be read: {error}") from error
    named = {page: [names] if isinstance(names, str) else names for page, names in pages.items()}
    for page, names in named.items():
        for name in names:
            if not (folder / name).is_file():
                raise OptionError(f"{file}: the source of {page!r} is {name!r}, which is no file")
    return {page.lstrip("/"): [folder / name for name in names] for page, names in named.items()}


MKDOCS_FILES = ("properdocs.yml", "properdocs.yaml", "mkdocs.yml", "mkdocs.yaml")
"""Settings of ProperDocs and MkDocs; ProperDocs prefers its own."""

_DOCS_DIR = re.compile(r"^docs_dir\s*:\s*[\"']?([^\"'#\n]+)", re.MULTILINE)


def docs_folder(project: Path) -> Path | None:
    """Return the folder of the sources, if the project is one of MkDocs or its relatives."""
    toml = project / "zensical.toml"
    yaml = next((file for name in MKDOCS_FILES if (file := project / name).is_file()), None)
    name = "docs"
    if toml.is_file():
        try:
            settings = tomllib.loads(toml.read_text(encoding="utf-8")).get("project", {})
        except ValueError:
            return None  # Zensical says what is wrong with it
        name = str(settings.get("docs_dir", name))
    elif yaml:
        found = _DOCS_DIR.search(yaml.read_text(encoding="utf-8", errors="replace"))
        name = found[1].strip() if found else name
    else:
        return None
    folder = project.absolute() / name
    return folder if folder.is_dir() else None


SPHINX_INDEX = "searchindex.js"
"""The file at the root of each site that Sphinx builds."""

SETTINGS_FOLDERS = ("", "docs", "doc", "docs/source", "doc/source", "source")
"""Folders of a project that the settings of a generator may be in, conf.py most of all."""

_ABOVE = 3
"""How far above a built site its project may begin: at `.` for `docs/_build/html`."""


def settings_folders(site: Path, projects: Sequence[Path] = ()) -> Iterator[Path]:
    """Yield the folders that the settings of a built site may be in, the likeliest first.

    They are around it, or in `projects` if it is built elsewhere.
    """
    for project in projects or site.absolute().parents[:_ABOVE]:
        yield from (project / name for name in SETTINGS_FOLDERS)


def sources_beside(tree: OutputDir, urls: Iterable[str]) -> dict[str, str]:
    """Return the sources of pages by their URLs, as far as the settings around a site show them."""
    folder = sources_folder(tree.root)
    routes = ((url, tree.route(url)) for url in urls if folder)
    found = ((url, source_in(folder, route.file)) for url, route in routes if folder and route)
    return {url: str(source) for url, source in found if source}


def sources_folder(site: Path, projects: Sequence[Path] = ()) -> Path | None:
    """Return the folder of the sources that the settings around a built site show.

    Those of Sphinx count only if it built the site: many projects have manuals beside a website.
    """
    around = [*settings_folders(site, projects)]
    sphinx = around if (site / SPHINX_INDEX).is_file() else []
    settings = (folder for folder in sphinx if (folder / "conf.py").is_file())
    return next(filter(None, chain(map(docs_folder, around), settings)), None)


def source_in(docs: Path, page: str) -> Path | None:
    """Return the text that a generator makes a page from, given the page's file."""
    stem = page.rpartition(".")[0]
    folder = stem.removesuffix("index").rstrip("/")
    names = [name.lstrip("/") for name in (stem, folder, f"{folder}/README") if name]
    candidates = (
        docs / f"{name}{suffix}" for suffix in (".md", ".rst", ".ipynb") for name in names
    )
    return next((file for file in candidates if file.is_file()), None)
