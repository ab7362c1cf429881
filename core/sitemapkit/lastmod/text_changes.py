"""Whether two versions of a source file say the same to a reader of the page.

Front matter, line endings and reflowed lines do not count. White space counts where readers see it:
in code, and where it makes a paragraph, a list or the text of an admonition. Markup alone does not
count: what is compared where words differ are the words, the images and the link targets that
remain without it.
"""

from __future__ import annotations

import re
from bisect import bisect
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import Cut

MAX_TEXT = 2 * 1024 * 1024
"""Bytes up to which texts are compared; any change of a larger file counts."""

MAX_LINES = 50_000
"""The same for lines, which take the memory."""

_MAX_FRONT_MATTER = 64 * 1024
"""Bytes that front matter may have; beyond it is text."""

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx")
_REST = (".rst", ".rest")
_PLAIN = ("", ".txt", ".inc", ".html", ".htm", ".xhtml", ".xml", ".po", ".ipynb")
"""Suffixes of files in which white space is not content; in code it is."""

_DELIMITER = re.compile(r"\s*(---|\+\+\+)[ \t]*\r?\n")
_ENDS = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$\n?", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*\r?$\n?", re.MULTILINE),
}
_HEADER = re.compile(
    r"""
    \s*
    (?i:title|date|modified|category|tags|keywords|slug|authors?|summary|description|lang|status
       |template|url|save_as|translation)
    :.*+\n
    (?: [\w-]++:.*+\n | [ \t]++\S.*+\n )*+
    (?: [ \t]*+\r?\n | \Z )
    """,
    re.VERBOSE | re.ASCII,
)
"""Lines of `Key: value` up to the first empty line: MultiMarkdown, Pelican, MkDocs."""

_TITLE = re.compile(r"\s*(?:([^\w\s])\1+[ \t]*\r?\n)?\S.*\n([^\w\s])\2+[ \t]*\r?\n\s*\r?\n")
_FIELDS = re.compile(
    r"\s*(?: :[^:\n]++:(?:[ ].*+|\r)?+\n (?: [ \t]++\S.*+\n )*+ )++ (?: [ \t]*+\r?\n | \Z )",
    re.VERBOSE,
)
"""A field list at the top of reStructuredText, or right below the title, which is kept."""


def is_same_text(old: bytes, new: bytes, name: bytes, cut: Cut | None = None) -> bool:
    """Return whether two versions of the file `name`, or of a part, say the same to a reader."""
    if any(len(text) > MAX_TEXT or text.count(b"\n") > MAX_LINES for text in (old, new)):
        return False
    if b"\0" in old:
        return False
    suffix = name[name.rfind(b".") :].decode("ascii", "replace").lower()
    before, after = (_decoded(text) for text in (old, new))
    if cut:
        try:
            return _is_same_part(before, after, suffix, cut)
        except (ValueError, SyntaxError):
            pass  # what cannot be cut counts whole
    return _says_the_same(_body(before, suffix), _body(after, suffix), suffix)


def _decoded(text: bytes) -> str:
    source = text.decode("utf-8", "surrogateescape")
    return source.removeprefix("\ufeff").replace("\r\n", "\n")


def _is_same_part(old: str, new: str, suffix: str, cut: Cut) -> bool:
    before, after = cut(old), cut(new)
    if after is None:
        return _says_the_same(old, new, suffix)
    if before is None:  # what marks the part was not there yet, but perhaps its words were
        return f" {' '.join(after.split())} " in f" {' '.join(old.split())} "
    return _says_the_same(before, after, suffix)


def _says_the_same(before: str, after: str, suffix: str) -> bool:
    if before == after:
        return True
    if suffix in _PLAIN:
        return before.split() == after.split()
    if suffix not in (*_MARKDOWN, *_REST):
        return list(map(str.rstrip, before.split("\n"))) == list(map(str.rstrip, after.split("\n")))
    is_rest = suffix in _REST
    old_lines, new_lines = before.split("\n"), after.split("\n")
    start, end = _common_ends(old_lines, new_lines)
    old_part = old_lines[start : len(old_lines) - end]
    new_part = new_lines[start : len(new_lines) - end]
    if " ".join(old_part).split() == " ".join(new_part).split():
        return _structure(old_lines, is_rest=is_rest) == _structure(new_lines, is_rest=is_rest)
    in_code = _is_in_code(old_lines, start, is_rest=is_rest)
    words_before = _words(old_part, is_rest=is_rest, in_code=in_code)
    return words_before == _words(new_part, is_rest=is_rest, in_code=in_code)


def _common_ends(old: list[str], new: list[str]) -> tuple[int, int]:
    """Return how many lines at the start, and then at the end, are the same in both."""
    most = min(len(old), len(new))
    start = bisect(range(1, most + 1), 0, key=lambda n: old[:n] != new[:n])
    left = most - start
    ends = range(1, left + 1)
    return start, bisect(ends, 0, key=lambda n: old[len(old) - n :] != new[len(new) - n :])


def _body(source: str, suffix: str) -> str:
    """Return the text below the front matter."""
    start, end = front_matter(source, is_rest=suffix in _REST)
    return source[:start] + source[end:]


def front_matter(source: str, *, is_rest: bool) -> tuple[int, int]:
    """Return where the front matter of a text begins and ends; (0, 0) if it has none."""
    top = source[:_MAX_FRONT_MATTER]
    if is_rest:
        title = _TITLE.match(top)
        start = title.end() if title else 0
        fields = _FIELDS.match(top, start)
        return (start, fields.end()) if fields else (0, 0)
    if opening := _DELIMITER.match(top):
        end = _ENDS[opening[1]].search(top, opening.end())
        return (0, end.end()) if end else (0, 0)
    header = _HEADER.match(top)
    return (0, header.end()) if header else (0, 0)


_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})(.*)")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)]|#\.)(?:[ \t]+|$)")
_OWN_LINE = re.compile(
    r"[ \t]*(?:#{1,6}\s|\||</?[a-zA-Z!]|([=\-~^\"'+*#]){2,}\s*$|!!!|[?]{3}|\.\. )"
)
_CODE_DIRECTIVE = re.compile(
    r"[ \t]*(?:\.\. (?:code|code-block|sourcecode|parsed-literal|literalinclude|math|raw|highlight"
    r"|productionlist|graphviz|mermaid|doctest|testcode|testoutput)::.*|(?!\.\. ).*::)$"
)

_Piece = tuple[object, ...]


def _structure(raw: Sequence[str], *, is_rest: bool) -> list[_Piece]:
    """Return what white space makes of a text: code line by line, and the rest as pieces.

    A piece is the indent and the words of lines that flow together.
    """
    lines = [line.rstrip().expandtabs(4) for line in raw]
    if is_rest:
        return list(_rest_pieces(lines))
    for n, (line, following) in enumerate(pairwise([*lines, ""])):
        if line and following and raw[n].endswith("  ") and not _OWN_LINE.match(line):
            lines[n] = f"{line}\\"  # two blanks at the end of a line break it
    return list(_markdown_pieces(lines))


def _markdown_pieces(lines: Sequence[str]) -> Iterator[_Piece]:
    fence, indent, base = "", 0, 0
    flow: list[str] = []
    after_blank = True
    for line in [*lines, ""]:
        if fence:
            if _closes(fence, line):
                fence = ""
            else:
                yield "code", line[min(indent, _indent(line)) :]
            continue
        opened, item = _FENCE.match(line), _ITEM.match(line)
        is_code = not item and after_blank and line and _indent(line) >= base + 4
        if flow and (after_blank or opened or item or not line or _OWN_LINE.match(line)):
            yield "text", base, tuple(" ".join(flow).split())
            flow = []
        if opened:
            fence, indent = opened[1], _indent(line)
            yield "fence", indent
        elif is_code:
            yield "code", line[base + 4 :]
            continue  # what follows at this depth is code, too
        elif item:
            yield "item", _indent(line), after_blank
            base = len(item[0])
            flow = [line[base:]]
        elif line:
            if after_blank or _OWN_LINE.match(line):
                base = min(_indent(line), base + 3)
                yield "indent", _indent(line)
            flow.append(line)
        after_blank = not line


def _closes(fence: str, line: str) -> bool:
    return line.strip().startswith(fence) and not line.strip().strip(fence[0])


def _rest_pieces(lines: Sequence[str]) -> Iterator[_Piece]:  # noqa: C901 - a state machine
    code_indent: int | None = None
    flow: list[str] = []
    flow_indent = -1
    in_list = False
    after_blank = True
    for line, following in pairwise([*lines, "", ""]):
        indent = _indent(line)
        if code_indent is not None and line and indent <= code_indent:
            code_indent = None
        if code_indent is not None:
            if line:
                yield "code", line[code_indent + 1 :]
            after_blank = not line
            continue
        item = _ITEM.match(line) if after_blank or in_list else None
        if flow and (not line or indent != flow_indent or item or after_blank):
            yield "text", flow_indent, tuple(" ".join(flow).split())
            flow = []
        if line:
            if item:
                yield "item", indent
                in_list = True
            elif after_blank:
                in_list = False
            flow, flow_indent = [*flow, line], len(item[0]) if item else indent
        if line.rstrip().endswith("::"):
            yield "opens", not following
        if _CODE_DIRECTIVE.match(line):
            code_indent = indent
        after_blank = not line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


_LINK = re.compile(
    r"""(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]
        \(\s*<?(?P<target>[^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+["'(][^)]*)?\s*\)""",
    re.VERBOSE,
)
_REFERENCE = re.compile(r"[ \t]*\[[^\]\n]+\]:\s*<?(?P<target>[^\s>]+)>?.*")
_AUTOLINK = re.compile(r"<(?P<target>[a-z][a-z0-9+.-]*:[^\s<>]+)>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ADDRESS = re.compile(r"""\b(?:href|src)\s*=\s*["']?(?P<target>[^\s"'>]+)""")
_REST_LINK = re.compile(r"(?::[\w:+-]+:)?`(?P<text>[^`<]*?)\s*<(?P<target>[^`>]+)>`_{0,2}")
_ROLE = re.compile(r":[\w:+-]+:(?=`)")
_RULER = re.compile(r"[ \t>]*(?:\|?[\s:|-]*-[\s:|-]*\|?|([=~^\"'+*#_.`-])\1{2,})\s*")
_GRID = re.compile(r"[ \t]*[+=-][-=+ ]+\s*")
_KINDS = r"note|tip|hint|info|important|warning|caution|danger|attention|error|example|seealso|todo"
_ADMONITION = re.compile(
    rf"""(?:(?:!!!|\?\?\?\+?|:::)\s*\{{?(?P<kind>[a-z]+)\}}?(?:\s+"(?P<title>[^"]*)")?
        |\[!(?P<alert>[a-z]+)\]
        |\.\.\s(?P<directive>{_KINDS})::
        |[*_]{{0,2}}(?P<word>{_KINDS})[*_]{{0,2}}\s*:[*_]{{0,2}})\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_LEADING = re.compile(r"^[ \t>]*(?:#{1,6}[ \t]+|(?:[-*+]|[0-9]{1,9}[.)]|#\.)[ \t]+)*")
_EMPHASIS = re.compile(r"[*`]+|~~|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)|\\(?=[^\w\s])|\{[:#.][^{}]*\}")
_TRAILING = re.compile(r"\s+#+\s*$")


def _is_in_code(lines: Sequence[str], at: int, *, is_rest: bool) -> bool:
    if not is_rest:
        return sum(map(bool, map(_FENCE.match, lines[:at]))) % 2 == 1
    indent = _indent(lines[at]) if at < len(lines) else 0
    for line in reversed(lines[:at]):
        if line.strip() and _indent(line) < indent:
            if _CODE_DIRECTIVE.match(line.rstrip()):
                return True
            indent = _indent(line)
    return False


def _words(lines: Sequence[str], *, is_rest: bool, in_code: bool) -> list[str]:
    words: list[str] = []
    for line in lines:
        if not is_rest and _FENCE.match(line):
            in_code = not in_code
        elif in_code:
            words.append(line.rstrip())
        elif not (_RULER.fullmatch(line) or _GRID.fullmatch(line)):
            words += _without_markup(line, is_rest=is_rest).split()
    return words


def _without_markup(line: str, *, is_rest: bool) -> str:
    text = _LEADING.sub("", line, count=1)
    if found := _ADMONITION.match(text):
        title = next(filter(None, (found["title"], *found.groups())), "")
        text = f"{title.lower()} {text[found.end() :]}"
    if is_rest:
        text = _ROLE.sub("", _REST_LINK.sub(_named, text))
    elif reference := _REFERENCE.fullmatch(line):
        return _target(reference["target"])
    else:
        text = _AUTOLINK.sub(_named, _LINK.sub(_named, text))
    text = _TAG.sub(_addresses, text)
    return _TRAILING.sub("", _EMPHASIS.sub("", text.replace("|", " ")))


def _named(link: re.Match[str]) -> str:
    text = link.groupdict().get("text") or ""
    return f" {text} {_target(link['target'])} "


def _addresses(tag: re.Match[str]) -> str:
    return " ".join(["", *(_target(found["target"]) for found in _ADDRESS.finditer(tag[0])), ""])


def _target(address: str) -> str:
    """Return what of a link's source survives rendering: the host and the name of the page or file.

    Generators and their plugins rewrite the rest: folders, `{static}`, suffixes, anchors.
    """
    path = address.partition("#")[0].partition("?")[0].rstrip("/")
    host = path.split("/")[2] if "://" in path and path.count("/") > 1 else ""
    name = path.rpartition("/")[2]
    stem = name.rpartition(".")[0] if name.lower().endswith((".md", ".html", ".rst")) else name
    return f"{host}:{stem.removesuffix('index')}"
