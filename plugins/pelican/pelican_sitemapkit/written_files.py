"""What is kept of each file while Pelican writes: values of its context that cost nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pelican_sitemapkit.pelican_types import Content, Context
    from sitemapkit.lastmod.cuts import Shown

GROUPS = ("tag", "category", "author")
_VARIABLES = (*GROUPS, "articles", "articles_page", "page_name", "period", "period_archives")


class WrittenFile(Struct, gc=False):
    """A file that Pelican wrote, as the context of its template describes it."""

    name: str
    """Path below the output directory."""

    kind: Literal["article", "page"]
    content: Content | None = None
    """The article or page; None for all other templates."""

    html: str | None = None
    variables: Context = {}
    """Those of the template's variables that describe a file without content."""

    shown: Mapping[Shown | None, Sequence[Content]] = {}
    """The articles that a list shows, by what it shows of them: None is everything."""

    is_later_part: bool = False
    """Whether it shows the second or a later part of a list."""


def describe(context: Context, *, with_html: bool) -> WrittenFile:
    """Return what the context of a template says about the file that was written."""
    name, article = context["output_file"], context.get("article")
    content = article or context.get("page")
    if not content:
        return _describe_template(name, context)
    # Read now, while links in it are relative to this page.
    html = content.content if with_html else None
    return WrittenFile(name, "article" if article else "page", content, html)


def overrides_path(context: Context) -> bool:
    """Return whether Pelican lets this file replace another one at the same path."""
    content = context.get("article") or context.get("page")
    is_list = "page_name" in context or "period" in context
    return hasattr(content, "override_save_as") if content else not is_list


def _describe_template(name: str, context: Context) -> WrittenFile:
    part = context.get("articles_page")
    if part and part.number > 1:
        return WrittenFile(name, "page", is_later_part=True)
    variables = {name: context[name] for name in _VARIABLES if name in context}
    return WrittenFile(name, "page", variables=variables)
