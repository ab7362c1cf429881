"""What HTML shows to a reader: words, lines of code, and where links and images lead.

The way it is written does not count: attributes, comments, scripts, indentation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["MAIN", "NOISE", "main_of", "shown_in", "target"]

MAIN = (
    *("main article:not(article article)", "article[role=main]", "[role=main]", "main"),
    "article:not(article article)",
    *("#content", "div.body", "body"),  # themes from before `<main>`: Pelican's, and Sphinx's
)
"""Selectors of the main content of a rendered page: the first that matches one element counts."""

_BEFORE_CONTENT = "#featured"
"""Where Pelican's theme shows the newest article, above `#content`, which then is not all."""

_INVISIBLE = ("script", "style", "template", "noscript", "svg")

NOISE = (
    *_INVISIBLE,
    *("nav", "header", "footer"),
    # docutils, MyST, Starlight and Pelican's own theme also write content as an aside: notes, and
    # the newest article
    (
        "aside:not(:has(> article, > .sidebar-title), .topic, .footnote, .footnote-list,"
        " [class*=admonition], [class*=myst-], [class*=starlight-aside], [role=note])"
    ),
    *(".headerlink", ".md-content__button", ".edit-page", ".admonition-todo > .headerlink"),
    *(".git-revision-date-localized-plugin", ".md-source-file", ".last-updated"),
    *(".viewcode-link", "a:has(> .viewcode-link)"),
    ".sphx-glr-timing",  # how long an example of sphinx-gallery ran
)
"""Selectors of elements in the content that do not belong to it: permalinks, edit links, stamps."""

_BLOCKS = "br, dd, div, dt, figcaption, h1, h2, h3, h4, h5, h6, li, p, pre, section, td, th"
"""Elements that separate words, with or without white space around them."""

_TARGETS = 'a[href]:not([title^="(in "], [href^="#"]), [src]:not([src^="data:"])'
"""Links, images and other embeds. Sphinx adds this title to links from the inventories of other
projects, which the next build may not find."""

# Patterns that many sites do not need are strings, compiled where they are first used.

_VARYING = r"""(?x)
    (?<=\bat\ 0x)[0-9A-Fa-f]{4,16}\b  # the address of an object
    | \b(?: Total\ running\ time\ of\ the\ script | Estimated\ memory\ usage
        | CPU\ times | Wall\ time ): [^\n]*  # what it took to run an example
    | (?<![\w.])\d[\d.]*+\ [num\u00b5\u03bc]?s\ \u00b1\ [^\n]*  # how long a line took
    """
"""What two runs of the same code print differently."""

_MARKS = ("0x", "script:", "usage:", "times:", "time:", "\u00b1")
"""What is in each such text; to look for that is quicker, and few pages have any."""

_UNSAID = r"""(?x)
    ^[{|]\w+[}|]  # Pelican's folder, such as {static}
    | (?<![^/}])\d{4}-\d\d-\d\d-  # the date in a file's name
    | (^|/)index$  # the name of an index, without a suffix or with one
    | ((^|/)(index|README))? (\.[a-z]{2}([-_]\w+)?)? \.(md|markdown|rst|html?)$
    """
"""In a link target what generators rewrite: the language and suffix of a source among it."""

_SOURCE_AS_FILE = r"[{|](?:static|attach)[}|](?:.*/)?([^/?]+\.(?:md|markdown|rst))$"
"""Pelican's link to a source as if it were a file of its own, which leads to no page."""

_COMMENTS = r"\s*+(?:<!(?=--)(?s:.*?)-->\s*+)*+"
_DOCUMENT = ("<!doctype", "<html", "<head", "<body", "<?xml")
"""What begins a whole file, perhaps after comments."""

_LONGEST, _MOST_TAGS = 128 * 1024, 4_000
"""The bounds of HTML that is parsed whatever it is: a parser may need quadratic time."""


def is_document(text: str) -> bool:
    """Return whether a text is a whole file of HTML, with a head, not a part of a page."""
    start = re.match(_COMMENTS, text)
    at = start.end() if start else 0
    return text[at : at + 9].lower().startswith(_DOCUMENT)


def head_and_body(html: str) -> tuple[Mapping[str, str], str]:
    """Return the metadata in the head of a whole file, and the HTML of its body.

    Metadata are the title and the contents of `<meta>` elements, by lower-case name; keywords are
    tags.
    """
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - few sites have HTML

    head, body = html, ""
    if start := re.search(r"(?i)<body\b[^<>]*>", html):
        head = html[: start.start()]
        body = html[start.end() :]
        end = body.lower().rfind("</body")
        if end >= 0:
            body = body[:end]
    if _is_large(head):
        raise ValueError("its head is too large")
    tree = LexborHTMLParser(head)
    stated: dict[str, str] = {}
    for each in tree.css("meta"):
        name = each.attributes.get("name") or each.attributes.get("http-equiv")
        if name:
            stated[name.lower()] = each.attributes.get("content") or ""
    if "keywords" in stated:
        stated.setdefault("tags", stated["keywords"])
    if title := tree.css_first("title"):
        stated["title"] = " ".join(title.text().split())
    return stated, body


def shows_the_same_html(old: str, new: str) -> bool:
    """Return whether two versions of some HTML show the same; of a whole file its main content."""
    if "<pre" not in old.lower() and old.split() == new.split():
        return True
    return shown_by_html(old) == shown_by_html(new)


def shown_by_html(html: str) -> Sequence[str]:
    """Return what HTML shows as `shown_in` does: a whole file its main content, a part all."""
    root = _root_of(html)
    return list(shown_in(root)) if root else html.split()


def words_of_html(html: str) -> Sequence[str]:
    """Return the words that HTML shows."""
    root = _root_of(html)
    return _words_in(root) if root else html.split()


def _is_large(html: str) -> bool:
    return len(html) > _LONGEST or html.count("<") > _MOST_TAGS


def _root_of(html: str) -> LexborNode | None:
    """Return the element with what is shown; None for HTML that is empty, or too large to parse."""
    if _is_large(html):
        return None
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - few sites have HTML

    tree = LexborHTMLParser(html)
    if is_document(html):
        return main_of(tree)
    return main_of(tree, (), _INVISIBLE)


def main_of(
    tree: LexborHTMLParser, main: Sequence[str] = MAIN, noise: Sequence[str] = NOISE
) -> LexborNode | None:
    """Return the first `main` element of a page's HTML, without its `noise`.

    A page with several articles is a list: its main content is the element around them all.
    """
    root = tree.body or tree.root
    for selector in main:
        found = tree.css(selector)
        if len(found) == 1 and not (selector == "#content" and tree.css_first(_BEFORE_CONTENT)):
            root = found[0]
            break
    if root:
        for element in root.css(", ".join(noise)):
            element.decompose()
    return root


def shown_in(root: LexborNode, base: str = "") -> Iterator[str]:
    """Yield the lines of code, link and image targets, and all words; this changes the tree.

    Links that begin with `base` are within the site, like relative ones. What differs between two
    runs of the same code, such as the address of an object, is left out.
    """
    for code in root.css("pre:not(pre *)"):
        text = _lasting(code.text()).strip("\n")
        for line in text.split("\n"):
            yield line.rstrip()
    for each in root.css(_TARGETS):
        address = each.attributes.get("src") or each.attributes.get("href") or ""
        yield target(address, base)
    yield from _words_in(root)


def _words_in(root: LexborNode) -> Sequence[str]:
    for block in root.css(_BLOCKS):
        block.insert_before(" ")
    return _lasting(root.text()).split()


def _lasting(text: str) -> str:
    if not any(mark in text for mark in _MARKS):
        return text
    return re.sub(_VARYING, "", text)


def target(address: str, base: str = "") -> str:
    """Return where a link or an image leads, to a reader: without scheme and fragment.

    Within the site, where links are relative or begin with `base`, that is the name of the page or
    file: generators and their plugins rewrite the rest, such as folders, `{static}` and suffixes,
    and it stays the same when a page or the whole site moves.
    """
    address = address.strip().partition("#")[0]
    path = unquote(address).rstrip("/")
    sign = "//" if path.startswith("//") else "://"
    _, is_absolute, place = path.partition(sign)
    site = base.partition("//")[2].rstrip("/")
    if site and f"{place}/".startswith(f"{site}/"):
        path = place.removeprefix(site)
    elif is_absolute:
        return place or path
    elif path.startswith("mailto:"):
        return path
    if path.startswith(("{", "|")):
        source = re.match(_SOURCE_AS_FILE, path)
        if source:
            return source[1]
    path = path.partition("?")[0]
    name = re.sub(_UNSAID, "", path).rpartition("/")[2]
    return name if name.strip(".") else ""
