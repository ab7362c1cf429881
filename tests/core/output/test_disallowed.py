"""What a robots.txt forbids to all crawlers."""

from __future__ import annotations

import pytest
from protego import Protego

from sitemapkit.output.disallowed import disallowed

LOCS = [f"https://example.org/{path}" for path in ("", "a/", "a/b.pdf", "a.pdf", "a.pdf?x", "?q=1")]


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
    ],
)
def test_rb7_it_is_what_a_parser_of_robots_txt_says(rules: str) -> None:
    parser = Protego.parse(rules)
    forbidden = [loc for loc in LOCS if not parser.can_fetch(loc, "anybot")]
    assert [*disallowed(rules.encode(), LOCS)] == forbidden
