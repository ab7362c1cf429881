"""Whether two versions of a source file are the same to a reader of the page.

Front matter, line endings and reflowed lines do not count; the kind of the text, by the suffix of
its file, decides what else does not.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from textdates.budget import Budget
from textdates.compare.markup import shows_the_same
from textdates.front_matter import front_matter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textdates.model import Cut

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".mdoc", ".qmd", ".rmd")
_REST = (".rst", ".rest")
_NOTEBOOK = ".ipynb"
_HTML = (".html", ".htm", ".xhtml")
_PLAIN = (".txt", ".inc", ".xml", ".po")
"""Suffixes of files without meaningful white space; in code it counts."""

_TO_SITE = r"""(?x)
    https?://  # first, because letters are looked for faster than places
    (?: (?<=[("'=]http://) | (?<=:[ ]http://) | (?<=\S[ ]<http://)  # where a link begins
    | (?<=[("'=]https://) | (?<=:[ ]https://) | (?<=\S[ ]<https://) )
    {site}
    (?: / | (?=[)"'>\s]) | $ )
    """
"""The address of the site in a link."""


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
        if b"\0" in old:
            return False
        is_possible = self.budget.take_text(old) and self.budget.take_text(new)
        if not is_possible:
            return False
        before = _read(old, self._site)
        after = _read(new, self._site)
        _, dot, ending = name.rpartition(b".")
        suffix = (dot + ending).decode("ascii", "replace").lower()
        if suffix == _NOTEBOOK:
            from textdates.compare.notebook import as_markdown  # noqa: PLC0415 - few sites have them

            try:
                before, after = as_markdown(before), as_markdown(after)
                suffix = ".md"
            except ValueError:  # no notebook yet, or any longer
                suffix = ".txt"
        if cut:
            with suppress(ValueError, SyntaxError):  # what cannot be cut counts whole
                return self._is_same_part(before, after, suffix, cut)
        before = _body(before, suffix)
        after = _body(after, suffix)
        return self._says_the_same(before, after, suffix)

    def _is_same_part(self, old: str, new: str, suffix: str, cut: Cut) -> bool:
        names: Sequence[str] = getattr(cut, "names", ())  # of objects, or of metadata
        if not self.budget.take("objects", len(names)):
            return False
        cut_both: Callable[[str, str], tuple[str | None, str | None]] | None
        cut_both = getattr(cut, "apart", None)  # where that is faster than one after the other
        if cut_both:
            before, after = cut_both(old, new)
        else:
            before = cut(old)
            after = cut(new)
        if after is None:
            return self._says_the_same(old, new, suffix)
        if before is None:  # the markers were not there yet, but perhaps the words were
            words = " ".join(after.split())
            all_words = " ".join(old.split())
            return f" {words} " in f" {all_words} "
        return self._says_the_same(before, after, suffix)

    def _says_the_same(self, before: str, after: str, suffix: str) -> bool:
        before = before.rstrip()
        after = after.rstrip()
        if before == after:
            return True
        if suffix in _HTML:
            from textdates.rendered import shows_the_same_html  # noqa: PLC0415 - few sites have HTML

            size = max(len(before), len(after))
            is_possible = self.budget.take("compared", size)
            return is_possible and shows_the_same_html(before, after)
        if suffix in _PLAIN:
            return before.split() == after.split()
        if suffix in _MARKDOWN or suffix in _REST:
            is_rest = suffix in _REST
            return shows_the_same(before, after, self.budget, is_rest=is_rest)
        return _stripped(before) == _stripped(after)


@lru_cache(maxsize=4)  # a page shows a text, and lists show parts of it
def _read(text: bytes, site: str) -> str:
    """Return a text whose links to the site itself do not name it."""
    if b"\r" in text:  # to look for one is faster
        text = text.replace(b"\r\n", b"\n")
    read = text.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if not site or site not in read:
        return read
    to_site = _TO_SITE.format(site=re.escape(site))
    return re.sub(to_site, "/", read)


def _stripped(code: str) -> Sequence[str]:
    return [line.rstrip() for line in code.split("\n")]


def _body(source: str, suffix: str) -> str:
    """Return what of a whole file is shown."""
    if suffix == ".po":
        from textdates.compare.catalog import translations  # noqa: PLC0415 - few sites have them

        return translations(source)
    if source.startswith("# ---\n"):
        from textdates.compare.notebook import without_jupytext  # noqa: PLC0415 - as above

        source = without_jupytext(source)
    is_rest = suffix in _REST
    start, end = front_matter(source, is_rest=is_rest)
    return source[:start] + source[end:]
