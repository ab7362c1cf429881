"""Language codes for hreflang, by the rules of the search engines."""

import subprocess
import sys
from itertools import product

import pytest
from langcodes import Language, standardize_tag

from sitemapkit.languages import LanguageError, codes, hreflang


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("en", "en"),
        ("pt_BR", "pt-BR"),
        ("EN-us", "en-US"),
        ("zh-Hans", "zh-Hans"),
        ("ZH_hant_TW", "zh-Hant-TW"),
        ("eng", "en"),
        ("fil", "fil"),
        ("eu", "eu"),
        ("X-Default", "x-default"),
    ],
)
def test_hl4_a_code_is_written_as_search_engines_read_it(given: str, code: str) -> None:
    assert hreflang(given) == code


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ("gr", "'el'"),
        ("jp", "'ja'"),
        ("ua", "'uk'"),
        ("dk", "'da'"),
        ("en-UK", "'en-GB'"),
        ("en_UK", "'en-GB'"),
        ("en-EU", "'en'"),
        ("es-419", "'es'"),
        ("EU", "x-default"),
        ("de-1996", "'de'"),
        ("zh-Hant-x-private", "'zh-Hant'"),
    ],
)
def test_hl5_a_code_that_engines_would_ignore_is_refused_with_the_right_one(
    given: str, right: str
) -> None:
    with pytest.raises(LanguageError, match=right):
        hreflang(given)


@pytest.mark.parametrize("given", ["", "english", "e", "??", "qq-QQ-"])
def test_what_is_no_code_at_all_is_refused(given: str) -> None:
    with pytest.raises(LanguageError):
        hreflang(given)


ORDINARY = ["de", "pt_BR", "EN-us", "zh-Hans", "ZH_hant_TW", "sr-latn", "x-default", "nb-NO"]


def test_ordinary_codes_are_judged_without_the_tables_of_all() -> None:
    code = (
        "import sys\nfrom sitemapkit.languages import hreflang\n"
        f"print(*map(hreflang, {ORDINARY!r}), 'langcodes' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    right = "de pt-BR en-US zh-Hans zh-Hant-TW sr-Latn x-default nb-NO"
    assert done.stdout.split() == [*right.split(), "False"]


def test_the_table_of_ordinary_codes_agrees_with_that_of_all() -> None:
    languages = codes.ORDINARY_LANGUAGES.split() + codes.ORDINARY_SCRIPTS.split()
    countries = codes.ORDINARY_COUNTRIES.split()
    tags = [*languages, *(f"en-{country}" for country in countries)]
    tags += map("-".join, product(languages, countries[::20]))
    for tag in tags:
        parsed = Language.get(standardize_tag(tag))
        assert parsed.is_valid(), tag
        assert parsed.to_tag() == hreflang(tag) == tag
