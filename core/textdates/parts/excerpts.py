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
    first = _phrases(html[:_NEAR], title)[0]
    last = _phrases(html[-_NEAR:], title)[-1]
    stated = _phrases(summary[:_NEAR], title)[0]
    return Phrases(
        start=first[:_PHRASE],
        end=last[-_PHRASE:],
        summary=stated[:_PHRASE],
        size=2 * len(html) + _NEAR,
    )


def excerpt_in(html: str, phrases: Phrases, after: int) -> Excerpt:
    """Return what a page shows of a text, usually soon `after` the one found before it."""
    text = _find(html, phrases.start, after)
    phrase = phrases.start
    if text < 0:
        phrase = phrases.summary
    summary = _find(html, phrases.summary, after)
    place = max(text, summary)
    is_certain = place >= 0 and len(phrase) >= _SHORT
    is_whole = text >= 0 and html.find(phrases.end, text, text + phrases.size) >= 0
    return Excerpt(place, is_certain, is_whole)


def _find(html: str, phrase: str, after: int) -> int:
    """Return where a phrase is; -1 if nowhere."""
    if not phrase:
        return -1
    found = html.find(phrase, after)
    return found if found >= 0 else html.find(phrase)


def _phrases(html: str, title: str) -> Sequence[str]:
    """Return the phrases of some HTML, without short ones if there are longer, or [""]."""
    short, long = list[str](), list[str]()
    for found in _PHRASES.findall(html):
        phrase = found.strip()
        if not phrase or phrase in title:
            continue
        if len(phrase) >= _SHORT:
            long.append(phrase)
        else:
            short.append(phrase)
    return long or short or [""]
