"""How much of a text a page shows: phrases of the text are looked for in the page's HTML.

For lists of texts whose theme decides what they show.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_NEAR = 500
"""Characters of HTML at each end of a text to search for phrases."""

_PHRASE = 30
"""Most characters of a phrase: a summary may be as short as ten words."""

_SHORT = 12
"""Desired length of a phrase."""

_PHRASES = re.compile(
    r"""^[^<>]*+>  # the end of a tag that was cut
    | <[^>]*+>?  # a tag: links depend on the page
    | &\#?\w+; | \n  # what themes respell
    | ( (?: &(?!\#?\w+;) | [^<&\n]++ )++ )  # a phrase
    """,
    re.VERBOSE,
)
"""Phrases, and what separates them."""


class Phrases(NamedTuple):
    """What a page has if it shows a text."""

    start: str
    end: str
    summary: str
    """The start of a summary that its author wrote, or ""."""

    size: int
    """Most characters from the start of the text to its end."""


class Excerpt(NamedTuple):
    """What a page shows of a text."""

    place: int
    """Where in the HTML it begins; -1: it is not shown."""

    is_certain: bool
    """Whether the phrase is long enough not to be there by chance."""

    is_whole: bool


def phrases_of(html: str, title: str, summary: str) -> Phrases:
    """Return phrases of a text in HTML; those that are in its title do not tell it from a link."""
    start, end = _phrases(html[:_NEAR], title), _phrases(html[-_NEAR:], title)
    stated = _phrases(summary[:_NEAR], title)[0][:_PHRASE]
    return Phrases(start[0][:_PHRASE], end[-1][-_PHRASE:], stated, 2 * len(html) + _NEAR)


def excerpt_in(html: str, phrases: Phrases, after: int) -> Excerpt:
    """Return what a page shows of a text, usually soon `after` the one found before it."""
    start, end, stated, size = phrases
    text, summary = _find(html, start, after), _find(html, stated, after)
    place, phrase = max(text, summary), start if text >= 0 else stated
    is_whole = text >= 0 and html.find(end, text, text + size) >= 0
    return Excerpt(place, place >= 0 and len(phrase) >= _SHORT, is_whole)


def _find(html: str, phrase: str, after: int) -> int:
    """Return where a phrase is; -1 if nowhere."""
    found = html.find(phrase, after) if phrase else -1
    return html.find(phrase) if phrase and found < 0 else found


def _phrases(html: str, title: str) -> Sequence[str]:
    """Return the phrases of some HTML, without short ones if there are longer, or [""]."""
    phrases = [p for each in _PHRASES.findall(html) if (p := each.strip()) and p not in title]
    return [phrase for phrase in phrases if len(phrase) >= _SHORT] or phrases or [""]
