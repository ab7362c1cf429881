"""Whether two versions of a source file are the same to a reader of the page.

Front matter, line endings and reflowed lines do not count; the kind of the text, by the suffix of
its file, decides what else does not.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from textdates.budget import Budget
from textdates.compare.markup import shows_the_same
from textdates.front_matter import front_matter

if TYPE_CHECKING:
    from collections.abc import Callable

    from textdates.model import Cut

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".mdoc", ".qmd", ".rmd")
_REST = (".rst", ".rest")
_NOTEBOOK = ".ipynb"
_HTML = (".html", ".htm", ".xhtml")
_PLAIN = ("", ".txt", ".inc", ".xml", ".po")
"""Suffixes of files without meaningful white space; in code it counts."""

_TO_SITE = r"""(?x)
    (?: (?<=[("'=]) | (?<=:[ ]) | (?<=\S[ ]<) )  # where the address of a link begins
    https?://{site}
    (?: / | (?=[)"'>\s]) | $ )
    """


def is_same_text(
    old: bytes, new: bytes, name: bytes, cut: Cut | None = None, base: str = ""
) -> bool:
    """Return whether two versions of the file `name`, or a part, are the same to a reader.

    `base` is the URL of the site that shows it. What is too large to be compared is not the same.
    """
    return Comparer(Budget(), base).is_same(old, new, name, cut)


class Comparer:
    """Compares versions of texts as readers do, as long as that is within a budget."""

    def __init__(self, budget: Budget, base: str = "") -> None:
        """`base` is the URL of the site."""
        self.budget = budget
        self._site = base.partition("//")[2].rstrip("/")

    def is_same(self, old: bytes, new: bytes, name: bytes, cut: Cut | None = None) -> bool:
        """Return whether two versions of the file `name`, or a part, are the same to a reader."""
        if b"\0" in old or not (self.budget.take_text(old) and self.budget.take_text(new)):
            return False
        suffix = name[name.rfind(b".") :].decode("ascii", "replace").lower()
        before, after = (_decoded(text) for text in (old, new))
        if self._site and (self._site in before or self._site in after):
            before, after = (_linked_within(self._site, text) for text in (before, after))
        if suffix == _NOTEBOOK:
            from textdates.compare.notebook import as_markdown  # noqa: PLC0415 - few sites have them

            try:
                before, after, suffix = as_markdown(before), as_markdown(after), ".md"
            except ValueError:  # no notebook yet, or any longer
                suffix = ".txt"
        if cut:
            with suppress(ValueError, SyntaxError):  # what cannot be cut counts whole
                return self._is_same_part(before, after, suffix, cut)
        return self._says_the_same(_body(before, suffix), _body(after, suffix), suffix)

    def _is_same_part(self, old: str, new: str, suffix: str, cut: Cut) -> bool:
        if not self.budget.take("objects", len(getattr(cut, "names", ()))):
            return False
        apart: Callable[..., tuple[str | None, str | None]] | None = getattr(cut, "apart", None)
        before, after = apart(old, new) if apart else (cut(old), cut(new))
        if after is None:
            return self._says_the_same(old, new, suffix)
        if before is None:  # the markers were not there yet, but perhaps the words were
            return f" {' '.join(after.split())} " in f" {' '.join(old.split())} "
        return self._says_the_same(before, after, suffix)

    def _says_the_same(self, before: str, after: str, suffix: str) -> bool:
        if (before := before.rstrip()) == (after := after.rstrip()):
            return True
        if suffix in _HTML:
            from textdates.rendered import shows_the_same_html  # noqa: PLC0415 - few sites have HTML

            is_possible = self.budget.take("compared", max(len(before), len(after)))
            return is_possible and shows_the_same_html(before, after)
        if suffix in _PLAIN:
            return before.split() == after.split()
        if suffix not in (*_MARKDOWN, *_REST):
            old, new = (text.split("\n") for text in (before, after))
            return [*map(str.rstrip, old)] == [*map(str.rstrip, new)]
        return shows_the_same(before, after, self.budget, is_rest=suffix in _REST)


def _decoded(text: bytes) -> str:
    text = text.replace(b"\r\n", b"\n") if b"\r" in text else text  # to look for one is faster
    return text.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def _linked_within(site: str, text: str) -> str:
    """Return a text whose links to the site itself do not name it."""
    return re.sub(_TO_SITE.format(site=re.escape(site)), "/", text)


def _body(source: str, suffix: str) -> str:
    """Return what of a whole file is shown."""
    if suffix == ".po":
        from textdates.compare.catalog import translations  # noqa: PLC0415 - few sites have them

        return translations(source)
    if source.startswith("# ---\n"):
        from textdates.compare.notebook import without_jupytext  # noqa: PLC0415 - as above

        source = without_jupytext(source)
    start, end = front_matter(source, is_rest=suffix in _REST)
    return source[:start] + source[end:]
