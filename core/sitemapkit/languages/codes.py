"""Language codes that search engines understand in hreflang (rules HL4 and HL5).

A code is a language, optionally a script, optionally a country: `de`, `zh-Hant`, `pt-BR`. Other
spellings of generators and people (`pt_BR`) are corrected if their meaning is certain; others
(`gr`, `en-UK`) are rejected, with a suggestion.
"""

from __future__ import annotations

from functools import lru_cache

X_DEFAULT = "x-default"

_NO_COUNTRY = {"UK": "GB", "EU": None, "UN": None}
"""Codes that are mistaken for country codes, with the correct code."""

_ENGLISH = ("AU", "GB", "NZ", "US")
"""Countries for which English is more than what is guessed of any code that is not known."""


class LanguageError(ValueError):
    """A code that search engines would ignore; the message suggests a valid one."""


class RegionError(LanguageError):
    """A code with a valid language, whose region or other parts search engines would ignore."""


def plain(lang: str) -> str:
    """Return a code to compare with others, whatever its spelling: `pt_BR` gives `pt-br`."""
    return lang.replace("_", "-").lower()


@lru_cache(maxsize=1024)
def hreflang(lang: str) -> str:
    """Return the code for hreflang: `pt_BR` gives `pt-BR`, `ZH-hans` gives `zh-Hans`.

    Raises LanguageError for an invalid code, with a suggestion.
    """
    tag = lang.strip().replace("_", "-")
    if tag.lower() == X_DEFAULT:
        return X_DEFAULT
    if tag == "EU":
        raise LanguageError("'EU' is not a language; use one, such as 'en', or 'x-default'")
    language, *rest = tag.split("-")
    for part in rest:
        if part.upper() in _NO_COUNTRY or part.isdecimal():
            country = _NO_COUNTRY.get(part.upper())
            right = f"{language}-{country}" if country else language
            raise RegionError(f"{tag!r} contains {part!r}, which is not a country; use {right!r}")
    return _standard(tag)


def _standard(tag: str) -> str:
    # Its tables take a while to load, and most sites have one language.
    from langcodes import Language, standardize_tag  # noqa: PLC0415
    from langcodes.tag_parser import LanguageTagError  # noqa: PLC0415

    try:
        parsed = Language.get(standardize_tag(tag))
    except LanguageTagError as error:
        raise LanguageError(f"{tag!r} is not a language code") from error
    if not parsed.is_valid():
        raise LanguageError(f"{tag!r} is not a language code{_suggestion(tag)}")
    if parsed.variants or parsed.extlangs or parsed.extensions or parsed.private:
        right = Language.make(parsed.language, territory=parsed.territory, script=parsed.script)
        raise RegionError(f"{tag!r} is too specific for hreflang; use '{right.to_tag()}'")
    return parsed.to_tag()


def _suggestion(tag: str) -> str:
    """Return a hint: a country code as a language (`gr`, `jp`) usually means its main language."""
    from langcodes import Language  # noqa: PLC0415 - as above

    country = tag.partition("-")[0].upper()
    spoken = Language.make(territory=country).maximize().language
    is_guess = spoken == "en" and country not in _ENGLISH
    return f"; use {spoken!r}" if spoken and not is_guess and spoken not in ("und", tag) else ""
