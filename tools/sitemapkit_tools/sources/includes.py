"""What texts take in: the patterns of each generator, in one table."""

from __future__ import annotations

import os
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit_tools.sources.cuts import Region, Wording
from textdates import FileOrPart, Part
from textdates.bounds import is_file
from textdates.parts import mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BESIDE = "{beside}"
"""The folder of the text, where most names start."""


class Include(Struct, frozen=True, kw_only=True):
    """One way in which texts take in files."""

    pattern: re.Pattern[str] | None = None
    """Its group `file` is the name, and `region` the part of that file; what matches without a
    file is to be skipped. None: as MkDocs' extensions do."""

    folders: tuple[str, ...] = (_BESIDE,)
    """Where names start; the first folder that has the file counts. In braces are the text's
    folder, those of the project and of its texts, the folder in these that it is below, such as
    that of a language, those of Antora, and groups of the pattern."""

    marks: tuple[str, str, str] = ("", "", "")
    """What precedes the name of a region at its start and at its end, and what follows it."""

    is_rooted: bool = False
    """Whether a slash at the start of a name means the folders but the text's own, not the disk."""

    endings: tuple[str, ...] = ("",)
    """What names may leave out."""

    suffixes: tuple[str, ...] = ()
    """Those of files that have words for readers; () if all have."""


class Folders(Struct, frozen=True):
    """Where the names in the texts of a project start."""

    project: Path
    texts: Path
    others: Sequence[Path] = ()
    """Those that a setting names; they come first."""


def taken_in(
    file: Path, text: str, includes: Iterable[Include], folders: Folders
) -> Iterator[FileOrPart]:
    """Yield the files, and parts of them, that a text takes in."""
    for include in includes:
        if include.pattern is None:
            for name, cut in mentions(text):
                for named in _files(name, include, file, folders, {}):
                    yield Part(named, cut) if cut.start or cut.end else named
            continue
        for found in include.pattern.finditer(text):
            groups = {key: value or "" for key, value in found.groupdict().items()}
            region = groups.get("region", "")
            start, end, after = include.marks
            for named in _files(groups["file"], include, file, folders, groups):
                if start and region:
                    yield Part(named, Region(f"{region}{after}", start, end))
                else:
                    yield worded(named) if include.suffixes else named


def worded(file: Path) -> FileOrPart:
    """Return a text, or the words of a program."""
    return Part(file, Wording()) if file.suffix in _PROGRAMS else file


def _files(
    name: str, include: Include, file: Path, folders: Folders, groups: dict[str, str]
) -> Iterator[Path]:
    """Yield the file of a name, from the first folder that has it."""
    if not name:
        return
    places = include.folders
    if include.is_rooted and name.startswith("/"):
        places = tuple(place for place in places if place != _BESIDE)
        name = name.lstrip("/")
    module = next((each for each in file.parents if each.parent.name == "modules"), file.parent)
    values = {
        **groups,
        "beside": str(file.parent),
        "project": str(folders.project),
        "texts": str(folders.texts),
        "below": str(_folder_below(folders.texts, file)),
        "module": str(module),
        "modules": str(module.parent),
    }
    starts = [*folders.others, *(Path(place.format(**values)) for place in places)]
    for start, ending in product(starts, include.endings):
        named = Path(os.path.normpath(start / f"{name}{ending}"))
        is_there = is_file(named)
        if is_there and (not include.suffixes or named.suffix in include.suffixes):
            yield named
            return


def _folder_below(texts: Path, file: Path) -> Path:
    """Return the folder in that of the texts that a file is in or below."""
    if not file.is_relative_to(texts):
        return texts
    first, *others = file.relative_to(texts).parts
    return texts / first if others else texts


SNIPPETS = (
    Include(folders=("{project}", _BESIDE, "{texts}")),
    Include(
        pattern=re.compile(r"""\{\{\s*read_\w+\(\s*["'](?P<file>[^"'\n]+)["']"""),
        folders=("{project}", _BESIDE, "{texts}"),
    ),
)
"""Those of MkDocs' extensions, and the tables of table-reader."""

MYST = (
    Include(
        pattern=re.compile(
            r"""(?mx)
            ^[ \t]*+ (?:`{3,}+|~{3,}+|:{3,}+)    # the fence of a directive
            \{(?:literal)?include\} [ \t]++ (?P<file>\S++)
            """
        )
    ),
)

QUARTO = (
    Include(
        pattern=re.compile(r"(?<!\{)\{\{<\s++(?:include|embed)\s++[\"']?(?P<file>[^\s\"'#<>{}]++)"),
        folders=(_BESIDE, "{project}"),
        is_rooted=True,
    ),
)

MDBOOK = (
    Include(
        pattern=re.compile(
            r"""(?x)
            (?<!\\)\{\{\s*+ \#(?:include|rustdoc_include|playground|playpen|template)\s++
            (?P<file>[^\s:{}]++)
            (?: :(?P<region>[^\d\s:{}][^\s{}]*+) )?    # numbers are those of lines
            """
        ),
        marks=("ANCHOR:", "ANCHOR_END:", ""),
    ),
)

HUGO = (
    Include(
        pattern=re.compile(
            r"""(?xi)
            \{\{[<%] \s*+ (?=[\w/-]*?(?:include|readfile|snippet|code))   # what short codes for it
            [\w/-]++ \s++                                                 # are called
            (?: (?:file|path|src) \s*=\s* )?  # a named parameter, or the first
            ["'] (?P<file>[^"'\n]++) ["']"""
        ),
        folders=(_BESIDE, "{project}", "{below}", "{texts}"),
        is_rooted=True,
    ),
)

JEKYLL = tuple(
    Include(
        pattern=re.compile(
            r"""(?x)
            \{%-? \s*+ (?P<example>raw|comment)\b (?s:.*?)      # what shows no file
                (?: \{%-? \s*+ end(?P=example)\b | \Z )
            | \{%-? \s*+ """
            + tag
            + r""" \s++ (?P<file>[^\s{}%]++)                    # a file, if no variable names it"""
        ),
        folders=(folder,),
    )
    for tag, folder in (("include", "{texts}/_includes"), ("include_relative", _BESIDE))
)

_PROGRAMS = (".js", ".jsx", ".ts", ".tsx", ".astro")
_IMPORT = r"""(?mx)
    ^(?:import|export)\s [^'"\n]{0,200} ['"] """
MDX = tuple(
    Include(
        pattern=re.compile(rf"""{_IMPORT} {name} ['"]"""),
        folders=(folder,),
        endings=("", *_PROGRAMS, *(f"/index{suffix}" for suffix in _PROGRAMS)),
        suffixes=(".md", ".mdx", *_PROGRAMS),
    )
    for name, folder in (
        (r"(?P<file>\.\.?/[^'\"\n]++)", _BESIDE),
        (r"@site/(?P<file>[^'\"\n]++)", "{project}"),
    )
)
"""Imported texts, and the words of imported programs."""

_NAME = r"(?:(?!-->)[^\s\#{<>])"
VITEPRESS = tuple(
    Include(
        pattern=re.compile(
            rf"""(?mx)
            (?: <!--\s*+ @include: | ^<<< ) \s*+
            {name} (?: \#(?P<region>[\w-]++) )?"""
        ),
        folders=(folder,),
        marks=("#region", "#endregion", ""),
    )
    for name, folder in (
        (rf"(?!@/)(?P<file>{_NAME}++)", _BESIDE),
        (rf"@/(?P<file>{_NAME}++)", "{texts}"),
    )
)

_FAMILY = r"(?P<family>partial|example|page|attachment)\$"
ANTORA = tuple(
    Include(
        pattern=re.compile(
            rf"""(?mx)
            ^include:: {name} (?P<file>[^\s\[\]$]++)
            \[ (?: [^\]\n]*?\btags?=(?P<region>[\w-]++)(?![\w;,-]) )?"""
        ),
        folders=(folder,),
        marks=("tag::", "end::", "[]"),
    )
    for name, folder in (
        ("", _BESIDE),
        (_FAMILY, "{module}/{family}s"),
        (rf"(?:[\w@.-]*:)? (?P<other>[\w.-]++): {_FAMILY}", "{modules}/{other}/{family}s"),
    )
)

OF_SERVERS = (
    Include(
        pattern=re.compile(r'<!--#include\s+(?:file|virtual)\s*=\s*"(?P<file>[^"\n]++)"'),
        folders=(_BESIDE, "{project}"),
        is_rooted=True,
    ),
)
"""What servers insert into HTML."""
