"""The folders of a site that hold one version of it each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from sitemapkit_tools.bounds import MAX_JSON, decode_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapkit_tools.site.output_dir import OutputDir

LATEST = "latest"
"""The name of the version that should be found, unless another is given."""

_FILE = "versions.json"


class _Version(Struct):
    """What mike writes of one version."""

    version: str
    aliases: list[str]


class InVersion(NamedTuple):
    """Where a path is among the versions."""

    folder: str
    """The folder of its version, with a final slash."""

    path: str
    """The path below that."""


class Versions(Struct, frozen=True):
    """The folders of versions, with final slashes, by the folder above them ("" at the top)."""

    folders: Mapping[str, Sequence[str]] = {}
    latest: Mapping[str, str] = {}
    """The folder of the version that should be found, if it is known, by the folder above."""

    def of(self, path: str) -> InVersion | None:
        """Return in which version a path below the site's root is."""
        for folders in self.folders.values():
            for folder in folders:
                if path.startswith(folder):
                    return InVersion(folder, path.removeprefix(folder))
        return None

    def folder_of(self, path: str) -> str:
        """Return the folder of the version that a path is in, "" if it is in none."""
        place = self.of(path)
        return place.folder if place else ""

    def others(self, folder: str) -> Sequence[str]:
        """Return the folders of the other versions beside one."""
        return [each for each in self.folders[folder_above(folder)] if each != folder]

    def to_be_found(self, folder: str) -> Sequence[str]:
        """Return the folders whose pages are to be found in place of those in `folder`."""
        latest = self.latest.get(folder_above(folder))
        return [each for each in self.others(folder) if latest in (None, each)]


def folder_above(folder: str) -> str:
    """Return the folder that a folder is in, with its slash; "" at the top."""
    above, slash, _ = folder.rstrip("/").rpartition("/")
    return above + slash


def find_versions(tree: OutputDir, given: Sequence[str], latest: str) -> Versions:
    """Return the versions of a site: the folders `given`, or those that mike's versions.json names.

    `latest` is the name of the version that should be found: a folder beside them, or an alias in
    versions.json.
    """
    folders: dict[str, list[str]] = {}
    chosen: dict[str, str] = {}
    for above, names, real in _given(given) if given else of_mike(tree, latest):
        known = folders.setdefault(above, [])
        for folder in _existing(tree, above, [*names, latest]):
            if folder not in known:
                known.append(folder)
        for folder in _existing(tree, above, [latest, *real])[:1]:
            chosen[above] = folder
    return Versions(folders, chosen)


Named = tuple[str, list[str], list[str]]
"""The folder above, names of versions in it, and what the alias of the latest one stands for."""


def _given(folders: Sequence[str]) -> Iterator[Named]:
    for each in folders:
        above, slash, name = each.strip("/").rpartition("/")
        yield above + slash, [name], []


def of_mike(tree: OutputDir, latest: str) -> Iterator[Named]:
    """Yield what each versions.json of mike says. Raises OSError."""
    for file in sorted(each for each in tree.files if each.rpartition("/")[2] == _FILE):
        try:
            held = decode_json(tree.read(file, MAX_JSON), list[_Version])
        except ValueError:  # other programs have files of this name
            continue
        names = [name for each in held for name in (each.version, *each.aliases)]
        real = [each.version for each in held if latest in each.aliases]
        yield file.removesuffix(_FILE), names, real


def _existing(tree: OutputDir, above: str, names: Sequence[str]) -> list[str]:
    """Return the folders of these names in which files are."""
    there: set[str] = set()
    for file in tree.files:
        if file.startswith(above):
            there.add(file.removeprefix(above).partition("/")[0])
    return [f"{above}{name}/" for name in names if name in there]
