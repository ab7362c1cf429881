"""Language codes for hreflang, by the rules of the search engines."""

import pytest

from sitemapkit.languages import LanguageError, hreflang


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
