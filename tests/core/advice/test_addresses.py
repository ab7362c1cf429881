"""Remarks on hosts: repositories are told by their names."""

from __future__ import annotations

import pytest

from sitemapkit.advice.addresses import repository_base_url
from sitemapkit.options import Options


@pytest.mark.parametrize(
    ("repository", "published"),
    [
        ("https://github.com/Owner/tea/", "https://owner.github.io/tea/"),
        ("https://www.github.com/owner/owner.github.io.git/", "https://owner.github.io/"),
        ("http://gitlab.com/owner/tea/", "https://owner.gitlab.io/tea/"),
        ("https://codeberg.org/owner/tea/", "https://owner.codeberg.page/tea/"),
        ("https://bitbucket.org/owner/tea/", ""),
    ],
)
def test_a_repository_tells_where_its_site_is_published(repository: str, published: str) -> None:
    (told,) = repository_base_url(Options(base_url=repository))
    meant = f" Did you mean {published}?" if published else ""
    assert told.detail == f"It is {repository}.{meant}"


def test_a_site_below_two_folders_is_no_repository() -> None:
    assert [*repository_base_url(Options(base_url="https://example.org/owner/tea/"))] == []
