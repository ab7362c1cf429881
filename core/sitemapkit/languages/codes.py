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

ORDINARY_LANGUAGES = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz
ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln
lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi
pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
tk tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
ORDINARY_COUNTRIES = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
"""Codes that are right as they are, if their case is: to load the tables of all takes 35 ms."""

ORDINARY_SCRIPTS = "zh-Hans zh-Hant sr-Latn sr-Cyrl"

_LANGUAGES = frozenset(f"{ORDINARY_LANGUAGES} {ORDINARY_SCRIPTS}".split())
_COUNTRIES = frozenset(ORDINARY_COUNTRIES.split())


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
    ordinary = "-".join([language.lower(), *map(_usual_case, rest)])
    return ordinary if _is_ordinary(ordinary) else _standard(tag)


def _usual_case(part: str) -> str:
    return part.upper() if len(part) == 2 else part.title()  # noqa: PLR2004 - a country


def _is_ordinary(code: str) -> bool:
    """Return whether a code needs no table to be judged."""
    start, _, country = code.rpartition("-")
    return code in _LANGUAGES or (start in _LANGUAGES and country in _COUNTRIES)


def _standard(tag: str) -> str:
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
    is_guess = spoken == "en" and country not in _COUNTRIES  # what is said of any other, too
    return f"; use {spoken!r}" if spoken and not is_guess and spoken not in ("und", tag) else ""
