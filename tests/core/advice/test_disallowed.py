"""What a robots.txt forbids to all crawlers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from sitemapkit.advice.disallowed import disallowed

PATHS_OF_SITE = ("", "a/", "a/b.pdf", "a.pdf", "a.pdf?x", "?q=1", "gr%C3%B6%C3%9Fe/", "b%2Fc")
LOCS = [f"https://example.org/{path}" for path in PATHS_OF_SITE]


@pytest.mark.parametrize(
    "rules",
    [
        "User-agent: *\nDisallow: /a/\n",
        "User-agent: *\nDisallow: /a\nAllow: /a/\n",
        "User-agent: *\nDisallow: /*.pdf$\n",
        "User-agent: other\nUser-agent: *\nDisallow: /*?\n",
        "User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow:\n",
        "user-agent: *\ndisallow: /a # all\n\nUser-agent: *\nDisallow: /?q\n",
        "Sitemap: https://example.org/sitemap.xml\nDisallow: /\n",
        "USER-AGENT : *\nDISALLOW : /a/\n",
        "User-agent: *\nDisallow: /größe/\n",
        "User-agent: *\nDisallow: /gr%c3%b6%c3%9fe/\n",
        "User-agent: *\nDisallow: /%61/\n",
        "User-agent: *\nDisallow: /b/c\n",
        "User-agent: *\nDisallow: /b%2fc\n",
    ],
)
def test_rb7_it_is_what_a_parser_of_robots_txt_says(rules: str) -> None:
    parser = Protego.parse(rules)
    forbidden = [loc for loc in LOCS if not parser.can_fetch(loc, "anybot")]
    assert [*disallowed(rules.encode(), LOCS)] == forbidden


def test_rb7_a_byte_order_mark_is_not_part_of_the_first_line() -> None:
    rules = "\ufeffUser-agent: *\nDisallow: /a/\n"
    assert [*disallowed(rules.encode(), LOCS)] == LOCS[1:3]


PATHS = st.text("ab/.", max_size=6)
VALUES = st.from_regex(r"/[ab/.*]{0,6}\$?", fullmatch=True)


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from(("Allow", "Disallow")), VALUES)), st.lists(PATHS))
def test_rb7_wildcards_match_as_a_parser_matches_them(
    lines: list[tuple[str, str]], paths: list[str]
) -> None:
    rules = "User-agent: *\n" + "".join(f"{key}: {value}\n" for key, value in lines)
    locs = [f"https://example.org/{path}" for path in paths]
    parser = Protego.parse(rules)
    forbidden = [loc for loc in locs if not parser.can_fetch(loc, "anybot")]
    assert [*disallowed(rules.encode(), locs)] == forbidden


def test_a_rule_of_many_wildcards_does_not_hold_up_a_build() -> None:
    rules = f"User-agent: *\nDisallow: /{'*a' * 40}b\n"
    assert [*disallowed(rules.encode(), [f"https://example.org/{'a' * 2000}"])] == []
