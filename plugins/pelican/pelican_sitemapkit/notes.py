"""What is noted of each file while Pelican writes: no more than its context tells at no cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from pelican_sitemapkit.objects import Content, Context

GROUPS = ("tag", "category", "author")
_MARKS = (*GROUPS, "articles", "articles_page", "page_name", "period", "period_archives")


class Written(Struct, gc=False):
    """What Pelican wrote to a file, as its context tells."""

    file: str
    kind: Literal["article", "page"]
    content: Content | None = None
    """The article or page; None for all that a template makes without one."""

    html: str | None = None
    marks: Context = {}
    """What the context says of a page without content."""

    is_later_part: bool = False
    """Whether it shows a part of a list that is not the first."""


def note(context: Context, *, with_html: bool) -> Written:
    """Return what the context of a template tells of the file that was written."""
    file, article = context["output_file"], context.get("article")
    content = article or context.get("page")
    if not content:
        return _from_template(file, context)
    # Asked for now, while links in it are relative to this page.
    html = content.content if with_html else None
    return Written(file, "article" if article else "page", content, html)


def claims_path(context: Context) -> bool:
    """Tell whether Pelican lets this file take the place of another one."""
    content = context.get("article") or context.get("page")
    if content:
        return hasattr(content, "override_save_as")
    return "page_name" not in context and "period" not in context


def _from_template(file: str, context: Context) -> Written:
    part = context.get("articles_page")
    if part and part.number > 1:
        return Written(file, "page", is_later_part=True)
    return Written(file, "page", marks={name: context[name] for name in _MARKS if name in context})
