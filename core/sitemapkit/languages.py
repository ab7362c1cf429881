"""Language codes that search engines understand in hreflang (rules HL4 and HL5).

A code is a language, optionally a script, optionally a country: `de`, `zh-Hant`, `pt-BR`. What
generators and people write in their place (`pt_BR`, `gr`, `en-UK`) is put right where the meaning
is certain, and refused with the right code where it is not.
"""

from __future__ import annotations

from functools import lru_cache

X_DEFAULT = "x-default"

_NO_COUNTRY = {"UK": "GB", "EU": None, "UN": None}
"""What people take for a country code, and the code that is one."""


class LanguageError(ValueError):
    """A code that search engines would ignore; the message names the right one."""


@lru_cache(maxsize=1024)
def hreflang(lang: str) -> str:
    """Return the code for hreflang: `pt_BR` gives `pt-BR`, `ZH-hans` gives `zh-Hans`.

    Raises LanguageError for a code that is none, with the one that was probably meant.
    """
    tag = lang.strip().replace("_", "-")
    if tag.lower() == X_DEFAULT:
        return X_DEFAULT
    if tag == "EU":
        raise LanguageError("'EU' is no language; name one, such as 'en', or use 'x-default'")
    _refuse_wrong_country(tag)
    return _standard(tag)


def _refuse_wrong_country(tag: str) -> None:
    language, *rest = tag.split("-")
    for part in rest:
        if part.upper() in _NO_COUNTRY or part.isdecimal():
            country = _NO_COUNTRY.get(part.upper())
            right = f"{language}-{country}" if country else language
            raise LanguageError(f"{tag!r} names no country of its own; use {right!r}")


def _standard(tag: str) -> str:
    # The tables take 35 ms to load: only sites in several languages pay for them.
    from langcodes import Language, standardize_tag  # noqa: PLC0415
    from langcodes.tag_parser import LanguageTagError  # noqa: PLC0415

    try:
        parsed = Language.get(standardize_tag(tag))
    except LanguageTagError as error:
        raise LanguageError(f"{tag!r} is no language code: {error}") from error
    if not parsed.is_valid():
        raise LanguageError(f"{tag!r} is no language code{_meant(tag)}")
    if parsed.variants or parsed.extlangs or parsed.extensions or parsed.private:
        right = Language.make(parsed.language, territory=parsed.territory, script=parsed.script)
        raise LanguageError(f"{tag!r} says more than hreflang can; use '{right.to_tag()}'")
    return parsed.to_tag()


def _meant(tag: str) -> str:
    """A country in place of a language (`gr`, `jp`) mostly means the language spoken there."""
    from langcodes import Language  # noqa: PLC0415 - as above

    country = tag.partition("-")[0].upper()
    spoken = Language.make(territory=country).maximize().language
    return f"; use {spoken!r}" if spoken and spoken not in ("und", tag) else ""
