"""`sitemapkit check` of what Pelican built a moment ago, as the manual runs it: without a flag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..mkdocs.test_check import found
from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site


def test_hidden_texts_and_drafts_are_a_note(site: Callable[..., Site]) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02"),
            "content/b.md": md("B", date="2024-01-02", status="hidden"),
            "content/c.md": md("C", date="2024-01-02", status="draft"),
        }
    )
    made.build()
    assert {severity for severity, _, _ in found(made.out)} == {"note"}


def test_a_page_without_a_name_is_there(site: Callable[..., Site]) -> None:
    made = site({"content/a.md": md("A", date="2024-01-02", author="«»")})
    made.build()
    assert "author/.html" in made.paths()
    assert [each for each in found(made.out) if each[0] != "note"] == []
