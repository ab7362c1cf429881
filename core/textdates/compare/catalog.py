"""Message catalogs (.po): only their translations are shown."""

from __future__ import annotations

import re

_TRANSLATION = r"""(?mx)
    ^\#,(?=.*\bfuzzy\b).*\n (?:[\#m].*\n)*  # a fuzzy message, which is not used
    | ^msgid[ ]"(.+)"\nmsgstr[ ]"(?!\1"$)(.+)"$  # one whose strings are in one piece each
    """


def translations(source: str) -> str:
    """Return the translations of a catalog in one order, whatever theirs is in the file."""
    whole = source.replace('"\n"', "")  # a string may be in several pieces
    messages = re.findall(_TRANSLATION, whole)
    return "\n".join(sorted(translation for _, translation in messages))
