"""Front matter: metadata at the top of a source file, not part of the page's text."""

from __future__ import annotations

import re

_MAX_FRONT_MATTER = 64 * 1024
"""Maximum number of characters of front matter; the rest is text."""

_DELIMITER = r"\s*(---|\+\+\+)[ \t]*\r?\n"
_ENDS = {"---": r"(?m)^(?:---|\.\.\.)[ \t]*\r?$\n?", "+++": r"(?m)^\+\+\+[ \t]*\r?$\n?"}
_HEADER = r"""(?ax) \s*+
    (?=  # one of the keys is usual
        (?: [\w-]++:.*+\n | [ \t]++\S.*+\n )*?
        (?i: title | date | modified | category | tags | keywords | slug | authors? | summary
        | description | lang | status | source | template | url | save_as | translation
        # these are words of a text, too, unless they begin small
        | (?-i: changefreq | hide | icon | lastmod | priority | robots | sitemap ) ):
    )
    (?: [\w-]++:.*+\n | [ \t]++\S.*+\n )++  # keys with values, and lines that go on with these
    (?: (?:---|\.\.\.)?[ \t]*+\r?\n | \Z )"""
"""Lines of `Key: value` up to the first empty line, or dashes: MultiMarkdown, Pelican, MkDocs.

One of the keys is usual, since generators that read no such header show its lines.
"""

_TITLE = r"""(?x) \s*
    (?: ([^\w\s])\1+[ \t]*\r?\n )?  # the line above it
    \S.*\n
    ([^\w\s])\2+[ \t]*\r?\n  # the line below it
    (?: \s*\r?\n )?"""
_FIELD_LIST = r"""(?x) \s*
    (?: :[^:\n]++:(?:[ ].*+|\r)?\n (?: [ \t]++\S.*+\n )* )+  # a name, a value, its more lines
    (?: [ \t]*+\r?\n | \Z )
    """
"""A field list at the top of reStructuredText, or right below the title, which is kept."""


def front_matter(source: str, *, is_rest: bool, below_title: bool = False) -> tuple[int, int]:
    """Return where the front matter of a text begins and ends; (0, 0) if it has none.

    In reStructuredText it may stand below a title where a generator reads it there; others show it.
    """
    top = f"{source[:_MAX_FRONT_MATTER]}\n"  # a last line may lack its break
    top = top[:_MAX_FRONT_MATTER]
    if is_rest:
        title = re.match(_TITLE, top) if below_title else None
        start = title.end() if title else 0
        fields = re.compile(_FIELD_LIST).match(top, start)
        return (start, fields.end()) if fields else (0, 0)
    found: re.Match[str] | None = None
    first = top.lstrip().partition("\n")[0]  # most texts begin with a heading
    if first.startswith(("---", "+++")) and (opening := re.match(_DELIMITER, top)):
        end = re.compile(_ENDS[opening[1]])
        found = end.search(top, opening.end())
    elif ":" in first:
        found = re.match(_HEADER, top)
    return (0, found.end()) if found else (0, 0)
