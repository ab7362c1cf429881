"""Texts in two versions that may show the same, written in many ways: the renderers decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from lxml import html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Choose = Callable[[Sequence[str]], str]
    """Returns one of some ways to write the same, or perhaps not the same."""

    Block = Callable[[Choose, str, str], str]
    """Returns a block with two words in it."""

FIRST, SECOND = "2024-01-01", "2024-02-02"
"""The days on which the two versions are committed."""

PAIRS = 20
"""Texts in one build."""

FEW = settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # to shrink takes a build a step
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class Pair(NamedTuple):
    """Two versions of a text in a file."""

    file: str
    old: str
    new: str


def paragraph(choose: Choose, one: str, two: str) -> str:
    return choose([f"A {one} for {two}.", f"A {one}\nfor {two}.", f"A *{one}* for {two}."])


def several_items(choose: Choose, one: str, two: str) -> str:
    mark = choose(["-", "*", "1."])
    gap = choose(["\n", "\n\n"])
    return f"{mark} {one}{gap}{mark} two{gap}{mark} {two}"


def items_below_text(choose: Choose, one: str, two: str) -> str:
    gap = choose(["\n", "\n\n"])
    return f"Of {one}:{gap}- {two}\n- two"


def nested_items(choose: Choose, one: str, two: str) -> str:
    gap = choose(["\n", "\n\n"])
    other = choose(["\n", "\n\n"])
    return f"- {one}{gap}    - two{gap}    - three{other}- {two}"


def item_of_two(choose: Choose, one: str, two: str) -> str:
    gap = choose(["\n\n    ", "\n    "])
    return f"- {one}{gap}More.{choose(['', chr(10)])}\n- {two}"


def definitions(choose: Choose, one: str, two: str) -> str:
    gap = choose(["\n", "\n\n"])
    mark = choose([": ", ":   "])
    return f"Green\n{gap[1:]}{mark}{one}\n\nBlack\n{gap[1:]}{mark}{two}"


def table(choose: Choose, one: str, two: str) -> str:
    empty = choose([" ", "", "&nbsp;", " &nbsp; "])
    end = choose([" |", "", "|"])
    dash = choose(["-", "---", ":--"])
    rows = f"| A | B | C{end}\n| {dash} | {dash} | {dash}{end}\n| {one} |{empty}| {two}{end}\n"
    return rows + f"|{empty}| two | three{end}"


def table_without_frame(choose: Choose, one: str, two: str) -> str:
    start = choose(["| ", ""])
    end = choose([" |", ""])
    return f"{start}A | B{end}\n{start}--- | ---{end}\n{start}{one} | {two}{end}"


def table_below_text(choose: Choose, one: str, two: str) -> str:
    line = choose(["\n", "\n\n"])
    return f"Of {one}:{line}| A | B |\n| --- | --- |\n| one | {two} |"


def heading(choose: Choose, one: str, two: str) -> str:
    attributes = choose(["", " {#a}", " {: #a }", " {#b .c}"])
    line = choose(["\n", "\n\n"])
    return f"## {one}{attributes}{line}{two} here."


def attributes_below(choose: Choose, one: str, two: str) -> str:
    attributes = choose(["", "\n{: .a }", "\n{: #a .b }"])
    return f"A {one} for {two}.{attributes}"


def attributes_above(choose: Choose, one: str, two: str) -> str:
    return choose(["", "{#a}\n", "{.a .b}\n"]) + f"A {one} for {two}."


def link(choose: Choose, one: str, two: str) -> str:
    return choose(
        [
            f"A [{one}](https://example.org/{two}).",
            f"A [{one}][{two}].\n\n[{two}]: https://example.org/{two}",
            f'A [{one}][{two}].\n\n[{two}]: https://example.org/{two} "More"',
            f"A [{one}].\n\n[{one}]: https://example.org/{two}",
            f"A [{one}](https://example.org/else).",
        ]
    )


def link_beside_another(choose: Choose, one: str, two: str) -> str:
    unused = choose(["", "\n[unused]: https://example.org/a", "\n[unused]: <b.md>"])
    return f"A [{one}][{two}] for {two}.\n\n[{two}]: https://example.org/{two}{unused}"


def used_far_below(choose: Choose, one: str, two: str) -> str:
    last = choose(
        ["", f"\n\n[{two}]: https://example.org/a", f"\n\n[{two}]: https://example.org/b"]
    )
    return f"A {one} [here][{two}].\n\nMore.\n\nAnd {two}.{last}"


def comment(choose: Choose, one: str, two: str) -> str:
    hidden = choose(
        [
            "",
            "<!-- Or not? -->\n\n",
            "[//]: # (Or not?)\n\n",
            '[//]: # "Or not?"\n\n',
            "[comment]: <> (Or not?)\n\n",
            "[comment]: # (Or not?)\n\n",
        ]
    )
    return f"{hidden}A {one} for {two}."


def code(choose: Choose, one: str, two: str) -> str:
    return choose(
        [
            f"```\n{one}\n  {two}\n```",
            f"~~~\n{one}\n  {two}\n~~~",
            f"```\n{one}\n    {two}\n```",
            f"``` python\n{one}\n  {two}\n```",
        ]
    )


def quote(choose: Choose, one: str, two: str) -> str:
    return choose([f"> A {one}\n> for {two}.", f"> A {one} for\n> {two}."])


MARKDOWN: Sequence[Block] = (
    paragraph,
    several_items,
    items_below_text,
    nested_items,
    item_of_two,
    definitions,
    table,
    table_without_frame,
    table_below_text,
    heading,
    attributes_below,
    link,
    link_beside_another,
    used_far_below,
    comment,
    code,
    quote,
)


def items_of_myst(choose: Choose, one: str, two: str) -> str:
    gap = choose(["\n", "\n\n"])
    inner = choose(["\n", "\n\n"])
    return f"Of {one}:{gap}1. One:{inner}   - {two}\n\n   - two\n\n2. Next"


def comment_of_myst(choose: Choose, one: str, two: str) -> str:
    hidden = choose(
        ["", "% Or not?\n", "% Or\n% not?\n\n", "+++\n\n", '+++ {"a": 1}\n\n', "<!-- no -->\n\n"]
    )
    below = choose(["", "\n% No.", "\n\n% No."])
    return f"{hidden}A {one} for {two}.{below}"


def percent(choose: Choose, one: str, two: str) -> str:
    return choose([f"A {one} is 5 % {two}.", f"A {one} is 5\n% {two}."])


MYST: Sequence[Block] = (
    paragraph,
    several_items,
    items_below_text,
    items_of_myst,
    definitions,
    table,
    table_without_frame,
    table_below_text,
    attributes_above,
    link,
    link_beside_another,
    used_far_below,
    comment,
    comment_of_myst,
    percent,
    code,
    quote,
)


def rest_items(choose: Choose, one: str, two: str) -> str:
    mark = choose(["-", "*", "#."])
    gap = choose(["\n", "\n\n"])
    return f"Of {one}:\n\n{mark} {two}{gap}{mark} two{gap}{mark} three"


def rest_items_below_text(choose: Choose, one: str, two: str) -> str:
    gap = choose(["\n", "\n\n"])
    return f"Of {one}:{gap}* {two}\n* two"


def rest_definitions(choose: Choose, one: str, two: str) -> str:
    gap = choose(["\n", "\n\n"])
    return f"Green\n  A {one}.{gap}Black\n  A {two}."


def rest_fields(choose: Choose, one: str, two: str) -> str:
    gap = choose(["\n", "\n\n"])
    return f"Of {one}:\n\n:green: A {two}.{gap}:black tea: Two.{gap}:white: More\n  of it."


def rest_options(choose: Choose, one: str, two: str) -> str:
    gap = choose(["\n", "\n\n"])
    return f"Of {one}:\n\n-a  A {two}.{gap}-b FILE  Two.{gap}--long  More."


def rest_link(choose: Choose, one: str, two: str) -> str:
    unused = choose(["", "\n.. _unused: https://example.org/a", "\n.. _unused: b.html"])
    more = choose(["", "a"])
    return f"A {one} at `{two}far`_.\n\n.. _{two}far: https://example.org/{more}{unused}"


def rest_comment(choose: Choose, one: str, two: str) -> str:
    hidden = choose(["", ".. Or not?\n\n"])
    return f"{hidden}A {one} for {two}."


REST: Sequence[Block] = (
    rest_items,
    rest_items_below_text,
    rest_definitions,
    rest_fields,
    rest_options,
    rest_link,
    rest_comment,
)

WORDS = st.sampled_from(["tea", "pot", "cup", "leaf"])


@st.composite
def texts(draw: st.DrawFn, /, **kinds: Sequence[Block]) -> Sequence[Pair]:
    """Return texts of some suffixes and their next versions, each with one block written anew."""

    def choose(ways: Sequence[str]) -> str:
        return draw(st.sampled_from(ways))

    pairs: list[Pair] = []
    for at in range(PAIRS):
        suffix = choose([*kinds])
        blocks = st.sampled_from(kinds[suffix])
        changed = draw(blocks)
        one, two = draw(WORDS), draw(WORDS)
        old = changed(choose, one, two)
        if draw(st.integers(0, 5)) == 0:
            one = draw(WORDS)
        new = changed(choose, one, two)
        title = "Title\n=====" if suffix == "rst" else "# Title"
        above = draw(blocks)(choose, "high", "low")
        below = draw(blocks)(choose, "far", "near")
        before, after = ("\n\n".join([title, above, text, below, "End."]) for text in (old, new))
        pairs.append(Pair(f"{at}.{suffix}", f"{before}\n", f"{after}\n"))
    return pairs


def wrong_days(
    pairs: Iterable[Pair], rendered: Callable[[str], str], days: Mapping[str, str], base: str
) -> str:
    """Return the texts whose day is not that on which what their page shows changed.

    `rendered` has the page of a text, or that of its last version in the folder `old`.
    """
    wrong: list[str] = []
    for pair in pairs:
        name = pair.file.partition(".")[0]
        before, after = seen(rendered(f"old/{name}")), seen(rendered(name))
        day = FIRST if before == after else SECOND
        if not days[f"{base}{name}"].startswith(day):
            wrong.append(f"{pair.old}-----\n{pair.new}----- {day}\n{before}\n{after}")
    return "\n=====\n".join(wrong)


BLOCKS = {"p", "div", "ul", "ol", "dl", "table", "tbody", "thead", "section", "aside"}
"""Elements that only part one text from the next."""

MARKED = {"li", "dt", "dd", "tr", "td", "th", "h1", "h2", "h3", "blockquote", "br"}
"""Elements that are seen as what they are."""

HIDDEN = {"script", "style", "headerlink", "system-message"}
"""Elements, and classes of them, that belong to no text."""

APART = "\0"


def seen(rendered: str) -> list[str]:
    """Return what a reader sees: words block by block, lines of code, where links lead."""
    root = html.fragment_fromstring(rendered, create_parent="div")
    shown: list[str] = []
    for run in "".join(parts_of(root)).split(APART):
        text = run if run.startswith("<pre>") else " ".join(run.split()).lower()
        if text:
            shown.append(text)
    return shown


def parts_of(element: html.HtmlElement) -> Iterator[str]:
    """Yield the texts in an element, and what parts them."""
    tag, style = element.tag, element.get("class") or ""
    if not isinstance(tag, str) or tag in HIDDEN or HIDDEN & {*style.split()}:
        return
    if tag == "pre":
        lines = element.text_content().rstrip().splitlines()
        yield APART.join(["", "<pre>" + "\n".join(line.rstrip() for line in lines), ""])
        return
    if tag in ("a", "img"):
        address = element.get("href") or element.get("src") or ""
        yield f"{APART}<{tag} {address.partition('#')[0]}>{APART}"
    around = APART if tag in BLOCKS | MARKED else ""
    mark = "note" if "admonition" in style.split() else tag if tag in MARKED else ""
    yield f"{around}<{mark}>{around}" if mark else around
    yield element.text or ""
    for child in element:
        yield from parts_of(child)
        yield child.tail or ""
    yield f"{around}</{mark}>{around}" if mark else around
