"""No redirect that is written means more to its reader than one old address and one page."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import get_args
from urllib.parse import quote

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.moved.spellings import Redirect, Tool, is_literal, written
from sitemapkit_tools.site.output_dir import OutputDir

HOME = "https://example.org/"
NEVER = {
    "_redirects": r"^\S*(?:\*|:[a-zA-Z])|^\S+ \S*(?:\*|/:[a-zA-Z])|^(?!/\S* \S+ 301$)",
    "nginx": r'\$(?!uri |moved_to)|^    "[^/]',
    "html": r"<script|^<meta[^>]*\n",
}
"""What the lines of a tool must never hold."""

parts = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    [
        "*",
        ":splat",
        ":name",
        "$uri",
        "..",
        '"',
        "\\",
        "\n::error::a",
        "<script>",
        "[a]",
        "%2f",
        "#",
        "?",
    ]
)
urls = st.lists(parts, min_size=1, max_size=3).map(lambda each: HOME + "/".join(map(quote, each)))
raw = st.lists(parts, min_size=1, max_size=3).map(lambda each: HOME + "/".join(each))


@pytest.mark.parametrize("tool", get_args(Tool))
@given(old=urls | raw, to=urls | raw)
def test_a_redirect_means_two_addresses_to_its_reader(tool: Tool, old: str, to: str) -> None:
    given_to = normalize_or_none(to)
    redirect = Redirect(old, given_to or HOME)
    if not is_literal(tool, redirect):
        return
    tree = OutputDir(Path("site"), HOME, frozenset())
    text = written(tool, [redirect], tree, None)
    assert "\x1b" not in text
    assert "\r" not in text
    lines = text.split("\n")[tool == "html" :]  # the first names the file
    for line in lines:
        assert not line.lstrip().startswith("::")
        assert not re.search(NEVER.get(tool, "$^"), line)
    if tool == "mkdocs-redirects":
        (held,) = yaml.safe_load(text)["plugins"]
        assert len(held["redirects"]["redirect_maps"]) == 1
    if tool == "sphinx-reredirects":
        assert len(ast.literal_eval(text.partition("=")[2].strip())) == 1
    if tool in ("_redirects", "zensical"):
        assert len(text.split("\n")) == (1 if tool == "_redirects" else 2)
    json.dumps(text)


@pytest.mark.parametrize("tool", get_args(Tool))
@pytest.mark.parametrize(
    "old", ["*/", ":name/", "%2A/", "a/%3Asplat", "a%0Ab", "a?b=1", "%2e%2e/a", "a%2Fb"]
)
def test_what_cannot_be_escaped_is_not_written(tool: Tool, old: str) -> None:
    means_more = {"*/": ("_redirects", "sphinx-reredirects"), ":name/": ("_redirects",)}
    means_more |= {"%2A/": means_more["*/"], "a/%3Asplat": ("_redirects",)}
    refused = not is_literal(tool, Redirect(HOME + old, HOME))
    assert refused == (tool in means_more[old] if old in means_more else True)
