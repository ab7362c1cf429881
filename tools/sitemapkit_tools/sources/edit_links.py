"""The file that a page says it was made from: where its edit link leads."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Container

    from selectolax.lexbor import LexborHTMLParser, LexborNode

HOW_TO_LINK = (
    "A page may say it by a link to edit it, which themes write: `edit_uri` of MkDocs, `editUrl` of"
    " Docusaurus, `editLink` of Starlight and VitePress, `github_repo` of Docsy, or by hand"
    ' <a rel="edit" href="https://github.com/OWNER/NAME/edit/BRANCH/PATH">.'
)
"""What tells the sources of pages, for people whose pages do not."""


class EditedFile(NamedTuple):
    """What an edit link names."""

    branch: str
    file: str
    """The path in the repository."""


_ADDRESS = re.compile(
    r"""(?x) (?:https?:)? // [^/]+ / .*?
    /? (?:-/)? _?                          # GitLab has a hyphen before the verb, Codeberg this
    (?<= [/_] ) (?P<verb> edit | blob | tree | src | raw )
    / (?P<rest> .+ )""",
    re.IGNORECASE,
)
_AROUND_BRANCH = re.compile(r"^(?:refs/heads|branch)/|/-$")
"""What GitHub, Codeberg and GitLab may write around a branch."""

_INVITING = re.compile(r"\b(?:edit|improve|suggest|source)\b", re.IGNORECASE)
_LONGEST_BRANCH = 4


def edited_file(page: LexborHTMLParser, tracked: Container[str]) -> EditedFile | None:
    """Return the tracked file that the edit links of a page name, if it is just one.

    A link is for editing by its address (`/edit/`, `mode=edit`) or by `rel="edit"`. If there is no
    such link, words that invite to edit or to see the source make one.
    """
    by_address, by_words = set[EditedFile](), set[EditedFile]()
    for link in page.css("a[href], link[rel][href]"):
        address = (link.attributes.get("href") or "").strip()
        path, _, query = address.partition("#")[0].partition("?")
        found = _ADDRESS.match(unquote(path))
        file = found and _tracked(found["rest"], tracked)
        if not (found and file):
            continue
        relations = (link.attributes.get("rel") or "").lower().split()
        if found["verb"] == "edit" or "edit" in relations or "mode=edit" in query:
            by_address.add(file)
        elif _INVITING.search(_said_by(link)):
            by_words.add(file)
    files = by_address or by_words
    return files.pop() if len(files) == 1 else None


def _tracked(rest: str, tracked: Container[str]) -> EditedFile | None:
    """Return the branch and the file of `main/docs/../a.md`; a branch may have slashes."""
    parts = posixpath.normpath(rest).split("/")
    for size in range(1, min(len(parts), _LONGEST_BRANCH + 1)):
        file = "/".join(parts[size:])
        if file in tracked:
            return EditedFile(_AROUND_BRANCH.sub("", "/".join(parts[:size])), file)
    return None


def _said_by(link: LexborNode) -> str:
    titles = (link.attributes.get(name) or "" for name in ("title", "aria-label"))
    return " ".join((link.text(), *titles))
