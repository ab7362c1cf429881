"""A page keeps its day while Sphinx renders the same of its text, and gets a new one otherwise."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from ..same_day import FEW, FIRST, MYST, REST, SECOND, texts, wrong_days
from .conftest import Site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..same_day import Pair


@pytest.mark.slow
@FEW
@given(texts(md=MYST, rst=REST))
def test_a_page_keeps_its_day_while_the_same_is_rendered(pairs: Sequence[Pair]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.configure(
            extensions=["myst_parser", "sphinx_sitemapkit"],
            myst_enable_extensions=["deflist", "attrs_block", "colon_fence"],
            html_theme="basic",
            templates_path=["theme"],
            html_baseurl="https://example.org/",
        )
        site.write({"docs/theme/layout.html": "{% block body %}{% endblock %}"})
        site.document("index")
        site.write({f"docs/{pair.file}": pair.old for pair in pairs})
        site.commit(f"{FIRST}T12:00:00Z")
        site.write({f"docs/{pair.file}": pair.new for pair in pairs})
        site.write({f"docs/old/{pair.file}": pair.old for pair in pairs})
        site.commit(f"{SECOND}T12:00:00Z")
        site.build()
        days = {
            path.removesuffix(".html"): entry["lastmod"] for path, entry in site.entries().items()
        }

        def rendered(name: str) -> str:
            return site.out().joinpath(f"{name}.html").read_text()

        assert not wrong_days(pairs, rendered, days, "https://example.org/")
