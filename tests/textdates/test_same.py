"""What counts as a change of a text: real renderers decide what readers see."""

from __future__ import annotations

import re
import subprocess
import sys
from time import process_time

import pytest
from docutils.core import publish_parts
from docutils.parsers.rst import Parser as RestParser
from lxml import html
from markdown import Markdown
from myst_parser.parsers.docutils_ import Parser as MystParser

from textdates.compare.same import MAX_LINES, MAX_TEXT, is_same_text

EXTENSIONS = ["admonition", "fenced_code", "tables", "attr_list", "def_list", "footnotes", "toc"]


def blocks(rendered: str) -> list[tuple[str, str]]:
    """Return what a reader sees: the text of each block, exactly in code, and where links lead."""
    found: list[tuple[str, str]] = []
    for element in html.fragment_fromstring(rendered, create_parent="div").iter():
        if element.tag == "pre":
            lines = element.text_content().rstrip().splitlines()
            found.append(("pre", "\n".join(line.rstrip() for line in lines)))
        elif "admonition" in str(element.get("class")):
            found.append(("note", str(len(element))))
        elif element.tag in ("p", "li", "td", "th", "h1", "h2", "h3", "dt", "dd"):
            if not element.xpath("ancestor::pre"):
                found.append(("block", " ".join(element.text_content().split()).lower()))
        elif element.tag in ("a", "img"):
            found.append(("link", str(element.get("href") or element.get("src"))))
        elif element.tag == "br":
            found.append(("br", ""))
    return [each for each in found if each[1] or each[0] == "br"]


def seen(name: str, text: str) -> list[tuple[str, str]]:
    if name == "a.md":
        return blocks(Markdown(extensions=EXTENSIONS).convert(text))
    parser = MystParser() if name == "myst.md" else RestParser()
    settings = {
        "myst_enable_extensions": ["colon_fence"],
        "report_level": 5,
        "raw_enabled": True,
        "doctitle_xform": False,
    }
    parts = publish_parts(text, parser=parser, writer="html5", settings_overrides=settings)
    body = parts.get("body") or ""
    return blocks(re.sub(r"<aside class=.system.*?</aside>", "", body, flags=re.DOTALL))


YAML = "Run:\n\n```yaml\non:\n  push:\n    a: 1\n```\n"
PYTHON = "Text.\n\n    def f():\n        return 1\n\nMore.\n"
NOTE = "!!! note\n\n    Shown as the note's text.\n"

ADDRESS = "https://b.example/c"
REFERENCE = f"[1]: {ADDRESS}"
ON_TWO_LINES = f"[a][1] [b][2]\n\n[1]:\n  {ADDRESS}\n[2]:\n  {ADDRESS}"

LINKS = "[Linux](https://a.example/l) or [Mac](https://a.example/m)\n"
NAMED = "\n\n[l]: https://a.example/l\n[m]: https://a.example/m\n"
REST_LINKS = "`Linux <https://a.example/l>`_ or `Mac <https://a.example/m>`_\n"

PAIRS = {
    "a line of YAML is indented": ("a.md", YAML, YAML.replace("  push", "    push")),
    "Python is indented in an indented block": (
        "a.md",
        PYTHON,
        PYTHON.replace("  return", " return"),
    ),
    "lines are reflowed": ("a.md", "One two\nthree four.\n", "One two three\nfour.\n"),
    "a paragraph is split": ("a.md", "One two.\nThree four.\n", "One two.\n\nThree four.\n"),
    "the text of a note is indented": ("a.md", NOTE, NOTE.replace("    Shown", "Shown")),
    "a list gets its blank line": ("a.md", "Text:\n- a\n- b\n", "Text:\n\n- a\n- b\n"),
    "a line becomes an item": ("a.md", "Text:\n- a\n- b\n", "Text:\n- a\n\n- b\n"),
    "an item moves to the list above": ("a.md", "- a\n    - b\n- c\n", "- a\n\n    - b\n- c\n"),
    "a line is broken": ("a.md", "One\ntwo\n", "One  \ntwo\n"),
    "blanks end a paragraph": ("a.md", "One\n\ntwo\n", "One  \n\ntwo\n"),
    "a line is broken in a list": ("a.md", "- One\n  two\n", "- One  \n  two\n"),
    "blanks end a line of code": ("a.md", YAML, YAML.replace("push:", "push:  ")),
    "blank lines are added at the end": ("a.md", "One\n", "One\n\n\n"),
    "a table is aligned": ("a.md", "|a|b|\n|-|-|\n|1|2|\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"),
    "list marks are swapped": ("a.md", "* a\n* b\n", "- a\n- b\n"),
    "list marks get more space": ("a.md", "- a\n  b\n- c\n", "-   a\n    b\n-   c\n"),
    "a list in a list is indented": ("a.md", "- a\n  - b\n", "- a\n    - b\n"),
    "emphasis is spelled in another way": ("a.md", "*a* and __b__.\n", "_a_ and **b**.\n"),
    "a heading is underlined": ("a.md", "# One\n\nText\n", "One\n===\n\nText\n"),
    "a fence is made of tildes": ("a.md", YAML, YAML.replace("```", "~~~")),
    "a word is changed": ("a.md", "One two.\n", "One three.\n"),
    "a comma is added": ("a.md", "One two three.\n", "One, two three.\n"),
    "an image is swapped": ("a.md", "![x](a.png)\n", "![x](b.png)\n"),
    "a link leads elsewhere": ("a.md", "[x](https://a.example/)\n", "[x](https://b.example/)\n"),
    "a star in code is changed": ("a.md", "```\nf(*a)\n```\n", "```\nf(a)\n```\n"),
    "a literal block is indented": (
        "a.rst",
        "A::\n\n  if x:\n    y\n",
        "A::\n\n  if x:\n      y\n",
    ),
    "reST is reflowed": ("a.rst", "One two\nthree.\n", "One two three.\n"),
    "a reST paragraph is split": ("a.rst", "One.\nTwo.\n", "One.\n\nTwo.\n"),
    "a reST list gets its blank line": ("a.rst", "Text\n* a\n* b\n", "Text\n\n* a\n* b\n"),
    "a reST title has another line": ("a.rst", "One\n===\n\nText.\n", "One\n---\n\nText.\n"),
    "a table has short rulers": ("a.md", "|a|b|\n|-|-|\n|1|2|\n", "|a|b|\n|:-|-:|\n|1|2|\n"),
    "a cell of a table": ("a.md", "|a|b|\n|-|-|\n|1|2|\n", "|a|b|\n|-|-|\n|1|3|\n"),
    "a comment": ("a.md", "One.\n", "One.\n\n<!-- Two.\n\nThree.\n-->\n"),
    "a comment within a line": ("a.md", "One.\n", "One.<!-- Two. -->\n"),
    "a comment is uncovered": ("a.md", "<!-- One. -->\n\nTwo.\n", "One.\n\nTwo.\n"),
    "a comment in code": ("a.md", "```\n<!-- a -->\n```\n", "```\n<!-- b -->\n```\n"),
    "a word below a comment with a fence": (
        "a.md",
        "<!--\n```{note}\n``` -->\n\nOne *two*.\n",
        "<!--\n```{note}\n``` -->\n\nOne *three*.\n",
    ),
    "a word below a comment with indented text": (
        "a.md",
        "<!--\n\n    a -->\n\nOne *two*.\n",
        "<!--\n\n    a -->\n\nOne *three*.\n",
    ),
    "code below a comment's mark in code": (
        "a.md",
        "A `<!--`.\n\n    f(*a)\n",
        "A `<!--`.\n\n    f(a)\n",
    ),
    "an entity": ("a.md", "&copy; One\n", "© One\n"),
    "a tag in a line of code": ("a.md", "The `<b>` of it.\n", "The `<i>` of it.\n"),
    "a tag in a literal": ("a.rst", "The ``<b>`` of it.\n", "The ``<i>`` of it.\n"),
    "a star in inline code": ("a.md", "Give `**kw` here.\n", "Give `*kw` here.\n"),
    "underscores in inline code": ("a.md", "The `__init__` here.\n", "The `init` here.\n"),
    "a link in inline code": ("a.md", "Write `[a](b)` here.\n", "Write `[a](c)` here.\n"),
    "braces in inline code": ("a.md", "Give `a{b}` here.\n", "Give `a` here.\n"),
    "an underscore in a literal": ("a.rst", "The ``a_`` here.\n", "The ``a`` here.\n"),
    "code for emphasis": ("a.md", "The __init__ here.\n", "The `__init__` here.\n"),
    "a comment's mark in code": ("a.md", "A `<!--` of one.\n", "A `<!--` of two.\n"),
    "an escaped underscore": ("a.md", "one_two\n", "one\\_two\n"),
    "a footnote": ("a.md", "A.[^1]\n\n[^1]: One two.\n", "A.[^1]\n\n[^1]: One three.\n"),
    "a reference for a link": ("a.md", "[a](https://b.example/c)\n", f"[a][1]\n\n{REFERENCE}"),
    "a reference leads elsewhere": ("a.md", f"[a][1]\n\n{REFERENCE}", f"[a][1]\n\n{REFERENCE}d"),
    "a reference on two lines leads elsewhere": ("a.md", ON_TWO_LINES, f"{ON_TWO_LINES}d"),
    "an address becomes a link": ("a.md", "https://b.example/c\n", "<https://b.example/c>\n"),
    "a link leads to another folder": (
        "a.md",
        "[x](https://a.example/1/x)\n",
        "[x](https://a.example/2/x)\n",
    ),
    "a link leads where another does": (
        "a.md",
        "[x](https://a.example/1) [y](https://a.example/2) [z](https://a.example/1)\n",
        "[x](https://a.example/1) [y](https://a.example/2) [z](https://a.example/2)\n",
    ),
    "a link spans lines": (
        "a.md",
        "[one\ntwo](https://a.example/)\n",
        "[one two](https://a.example/)\n",
    ),
    "an image has attributes": ("a.md", "![x](a.png)\n", "![x](a.png){ loading=lazy .wide }\n"),
    "an image is a badge": ("a.md", "[![x](a.png)](b.md)\n", "[![x](c.png)](b.md)\n"),
    "emphasis in a note": ("a.md", NOTE, NOTE.replace("Shown", "*Shown*")),
    "emphasis in a list": ("a.md", "- a\n\n    *b*\n\n- c\n", "- a\n\n    _b_\n\n- c\n"),
    "a star in an indented block": ("a.md", PYTHON, PYTHON.replace("f()", "f(*a)")),
    "a shebang with a path": ("a.md", "A\n\n    b\n", "A\n\n    #!/bin/sh\n    b\n"),
    "a star in an inner fence": (
        "a.md",
        "````\n```\nf(*a)\n```\n````\n",
        "````\n```\nf(a)\n```\n````\n",
    ),
    "blank lines in code": ("a.rst", "A::\n\n  b\n  c\n", "A::\n\n  b\n\n  c\n"),
    "a literal block is moved": ("a.rst", "A::\n\n  b\n    c\n", "A::\n\n    b\n      c\n"),
    "a star in a literal block": ("a.rst", "A::\n\n  f(*a)\n", "A::\n\n  f(a)\n"),
    "a directive for two colons": ("a.rst", "A::\n\n  b\n", "A:\n\n.. code::\n\n  b\n"),
    "the language of code": (
        "a.rst",
        ".. code:: python\n\n  b\n",
        ".. code:: text\n\n  b\n",
    ),
    "an example's code": ("a.rst", "Example::\n\n  b\n", "Example:\n\n.. code::\n\n  b\n"),
    "a directive is indented by four": (
        "a.rst",
        ".. note::\n\n   One.\n\n   Two\n     three.\n",
        ".. note::\n\n    One.\n\n    Two\n        three.\n",
    ),
    "a definition is indented": ("a.rst", "One\n   Two\n", "One\n    Two\n"),
    "a definition becomes a paragraph": ("a.rst", "One\n  Two\n", "One\n\nTwo\n"),
    "the line of a title has an odd length": (
        "a.rst",
        "Three\n~~~~~\n\nText.\n",
        "Three\n-----\n\nText.\n",
    ),
    "a link lacks its mark": ("a.rst", f"`a <{ADDRESS}>`\n", f"`a <{ADDRESS}>`_\n"),
    "a star in a doctest": ("a.rst", "A\n\n>>> f(*a)\n1\n", "A\n\n>>> f(a)\n1\n"),
    "a line in a doctest": ("a.rst", ">>> f()\n1 2\n", ">>> f()\n1\n2\n"),
    "a doctest is indented": (
        "a.rst",
        ".. note::\n\n  >>> f()\n    1\n\n  A *b*.\n",
        ".. note::\n\n   >>> f()\n     1\n\n   A b.\n",
    ),
    "a reST comment": ("a.rst", "One.\n", "One.\n\n.. Two.\n   Three.\n\n   Four.\n"),
    "words of a reST comment": (
        "a.rst",
        ".. One.\n\n   Two.\n\nThree.\n",
        ".. One.\n\n   Four.\n\nThree.\n",
    ),
    "words below a reST comment": (
        "a.rst",
        ".. One.\n\n   Two.\n\nThree.\n",
        ".. One.\n\n   Two.\n\nFour.\n",
    ),
    "a label": ("a.rst", "One\n===\n\nTwo.\n", ".. _one:\n\nOne\n===\n\nTwo.\n"),
    "a reST target": ("a.rst", f"a_\n\n.. _a: {ADDRESS}\n", f"a_\n\n.. _a: {ADDRESS}d\n"),
    "code below a directive with a space": ("a.rst", ".. code ::\n\n  b\n", ".. code ::\n\n  c\n"),
    "the text of a directive with a space": (
        "a.rst",
        ".. note ::\n\n  One.\n",
        ".. note::\n\n  Two.\n",
    ),
    "a directive without its space": ("a.rst", ".. note ::\n\n  *One.*\n", ".. note::\n\n  One.\n"),
    "an image in a directive": ("a.rst", ".. image:: a.png\n", ".. image:: b.png\n"),
    "an image in a directive of MyST": (
        "myst.md",
        "```{image} a.png\n```\n",
        "```{image} b.png\n```\n",
    ),
    "the text for an image": (
        "a.rst",
        ".. figure:: a.png\n   :alt: A\n\n   One.\n",
        ".. figure:: a.png\n   :alt: A\n   :align: center\n\n   Two.\n",
    ),
    "a note's text is not in it": (
        "a.md",
        "!!! note\nOne\n",
        "!!! note\n    One\n",
    ),
    "a blank after a link": ("a.rst", f"`a <{ADDRESS}>`_ :\n", f"`a <{ADDRESS}>`_:\n"),
    "an anonymous reference": (
        "a.rst",
        f"`a b`_ c\n\n.. _a b: {ADDRESS}\n",
        f"`a b`__ c\n\n__ {ADDRESS}\n",
    ),
    "the target of an image": (
        "a.rst",
        f".. image:: a.png\n   :target: {ADDRESS}\n",
        f".. image:: a.png\n   :target: {ADDRESS}d\n",
    ),
    "a title in a directive": ("a.rst", ".. topic:: A\n\n   b\n", ".. topic:: C\n\n   b\n"),
    "a tag that is text": ("a.rst", "Use <b> here.\n", "Use <i> here.\n"),
    "the text after a comment's mark": ("a.rst", "Write <!-- and one.\n", "Write <!-- and two.\n"),
    "the text after two dots": ("a.md", "..\n\n  One *two*.\n", "..\n\n  One *three*.\n"),
    "a MyST note is reflowed": ("myst.md", "```{note}\nA\nb\n```\n", "```{note}\nA b\n```\n"),
    "emphasis in a MyST note": ("myst.md", "```{note}\n*A*\n```\n", "```{note}\n_A_\n```\n"),
    "a word of a MyST note": ("myst.md", "```{note}\nA\n```\n", "```{note}\nB\n```\n"),
    "code in a MyST note": (
        "myst.md",
        "````{note}\n```\nf(*a)\n```\n````\n",
        "````{note}\n```\nf(a)\n```\n````\n",
    ),
    "code in a colon fence of MyST": (
        "myst.md",
        ":::{code-block} python\nf(*a)\n:::\n",
        ":::{code-block} python\nf(a)\n:::\n",
    ),
    "a MyST note with colons": ("myst.md", "````{note}\nA\n````\n", "::::{note}\n*A*\n::::\n"),
    "a MyST label": ("myst.md", "# One\n", "(one)=\n# One\n"),
    "less space after the marks of a list": (
        "a.md",
        "-   One\n-   Two\n    -   Three\n\nFour\n",
        "- One\n- Two\n    - Three\n\nFour\n",
    ),
    "less space after the marks of a list, in reStructuredText": (
        "a.rst",
        "-   One\n-   Two\n",
        "- One\n- Two\n",
    ),
    "a link in HTML": (
        "a.md",
        'The <a href="https://a.example/">tea</a>.\n',
        "The [tea](https://a.example/).\n",
    ),
    "a link in HTML leads elsewhere": (
        "a.md",
        'The <a href="https://a.example/">tea</a>.\n',
        "The [tea](https://b.example/).\n",
    ),
    "emphasis in HTML": ("a.md", "(<em>a</em>, <b>b</b>)\n", "(*a*, **b**)\n"),
    "code in HTML": ("a.md", "(<code>a</code>)\n", "(`a`)\n"),
    "a break in HTML": ("a.md", "One<br>two\n", "Onetwo\n"),
    "a longer fence ends no code": (
        "a.md",
        "```\nOne\n````\n\nTwo *three*\n",
        "```\nOne\n```\n\nTwo *three*\n",
    ),
    "a paragraph of a list is no longer in it": (
        "a.md",
        "- One\n\n    Two\n",
        "- One\n\n  Two\n",
    ),
    "the number of a title": ("a.md", "## 1. One\n\nTwo.\n", "## 2. One\n\nTwo.\n"),
    "a title gets a number": ("a.md", "- ## One\n", "- ## 1. One\n"),
    "lines of a list in indented code are joined": (
        "a.md",
        "# A\n\n    - b: c\n      d: e\n",
        "# A\n\n    - b: c d: e\n",
    ),
    "a note has no blank line": ("a.md", NOTE, NOTE.replace("\n\n", "\n")),
    "a titled note has no blank line": (
        "a.md",
        '!!! tip "One"\n\n    - Two\n\nThree\n',
        '!!! tip "One"\n    - Two\n\nThree\n',
    ),
    "a note in a list has no blank line": (
        "a.md",
        "- One\n\n    !!! tip\n\n        Two\n\n    Three\n",
        "- One\n\n    !!! tip\n        Two\n\n    Three\n",
    ),
    "code in a note has no blank line": (
        "a.md",
        "!!! tip\n\n        f(*a)\n",
        "!!! tip\n        f(*a)\n",
    ),
    "another e-mail address": (
        "a.md",
        "Mail <old@a.example> now.\n",
        "Mail <new@a.example> now.\n",
    ),
    "a table with empty cells is aligned": (
        "a.md",
        "|a|b|c|\n|-|-|-|\n|*tea*|||\n",
        "| a     | b | c |\n|-------|---|---|\n| _tea_ |   |   |\n",
    ),
    "the targets of links are swapped": (
        "a.md",
        LINKS,
        "[Linux](https://a.example/m) or [Mac](https://a.example/l)\n",
    ),
    "the targets of links with one text are swapped": (
        "a.md",
        "[a](https://a.example/1) or [a](https://a.example/2)\n",
        "[a](https://a.example/2) or [a](https://a.example/1)\n",
    ),
    "links in another order": (
        "a.rst",
        REST_LINKS,
        "`Linux <https://a.example/m>`_ or `Mac <https://a.example/l>`_\n",
    ),
    "references for links": ("a.md", LINKS, f"[Linux][l] or [Mac][m]{NAMED}"),
    "references with the text for a name": (
        "a.md",
        LINKS,
        "[Linux][] or [Mac]\n\n[mac]: https://a.example/m\n[linux]: https://a.example/l\n",
    ),
    "a reference for one of two links": (
        "a.md",
        LINKS,
        f"[Linux](https://a.example/l) or [Mac][m]{NAMED}".replace(
            "[l]: https://a.example/l\n", ""
        ),
    ),
    "HTML for one of two links": (
        "a.md",
        LINKS,
        '[Linux](https://a.example/l) or <a href="https://a.example/m">Mac</a>\n',
    ),
    "references in reStructuredText": (
        "a.rst",
        REST_LINKS,
        "Linux_ or `Mac`_\n\n.. _mac: https://a.example/m\n.. _linux: https://a.example/l\n",
    ),
    "definitions are moved": (
        "a.md",
        f"[Linux][l] or [Mac][m]{NAMED}",
        f"[l]: https://a.example/l\n\n[Linux][l] or [Mac][m]{NAMED}".replace(
            "\n[l]: https://a.example/l\n[m]", "\n[m]"
        ),
    ),
    "the targets of definitions are swapped": (
        "a.md",
        f"[Linux][l] or [Mac][m]{NAMED}",
        f"[Linux][l] or [Mac][m]{NAMED}".replace("[l]:", "[x]:")
        .replace("[m]:", "[l]:")
        .replace("[x]:", "[m]:"),
    ),
    "the targets of definitions in reStructuredText are swapped": (
        "a.rst",
        "A_ or B_\n\n.. _A: https://a.example/1\n.. _B: https://a.example/2\n",
        "A_ or B_\n\n.. _A: https://a.example/2\n.. _B: https://a.example/1\n",
    ),
    "the names of references are swapped": (
        "a.md",
        f"[Linux][l] or [Mac][m]{NAMED}",
        f"[Linux][m] or [Mac][l]{NAMED}",
    ),
    "a reference is no link": (
        "a.rst",
        "See tea_.\n\n.. _tea: https://a.example/\n",
        "See tea.\n\n.. _tea: https://a.example/\n",
    ),
    "a product": ("a.md", "It is 5 * 3.\n", "It is 5 3.\n"),
    "a product in reStructuredText": ("a.rst", "It is 5 * 3.\n", "It is 5 3.\n"),
    "a star without its pair": ("a.md", "It is 2*3*4.\n", "It is 2*34.\n"),
    "a star is escaped": ("a.md", "It is 5 * 3.\n", "It is 5 \\* 3.\n"),
    "a rule of stars": ("a.md", "One *two*.\n\n* * *\n", "One _two_.\n\n---\n"),
    "brackets that are no link": ("a.md", "Range [1, 2].\n", "Range 1, 2.\n"),
    "brackets in reStructuredText": ("a.rst", "Range [1, 2].\n", "Range 1, 2.\n"),
}


@pytest.mark.parametrize(("name", "old", "new"), PAIRS.values(), ids=list(PAIRS))
def test_what_the_renderer_shows_alike_is_the_same(name: str, old: str, new: str) -> None:
    shown_alike = seen(name, old) == seen(name, new)
    assert is_same_text(old.encode(), new.encode(), name.encode()) == shown_alike


MYST = ("(label)=\n# A\n\n", "```{note}\nB\n```\n\n", "See {doc}`c`.\n\n")
LISTS = {
    "a list below text": ("Text:\n- a\n", "Text:\n\n- a\n"),
    "a numbered list below text": ("Text:\n1. a\n", "Text:\n\n1. a\n"),
    "a list from two": ("Text:\n2. a\n", "Text:\n\n2. a\n"),
    "a list in an item": ("1. a\n\n   b:\n   - c\n", "1. a\n\n   b:\n\n   - c\n"),
}


@pytest.mark.parametrize("sign", MYST)
@pytest.mark.parametrize(("old", "new"), LISTS.values(), ids=list(LISTS))
def test_a_list_of_myst_needs_no_blank_line_above(old: str, new: str, sign: str) -> None:
    shown_alike = seen("myst.md", sign + old) == seen("myst.md", sign + new)
    assert is_same_text((sign + old).encode(), (sign + new).encode(), b"a.md") == shown_alike
    placeholder = "Set `{a}` or `b {a}`.\n\n"
    for other in ("", placeholder):
        assert not is_same_text((other + old).encode(), (other + new).encode(), b"a.md")


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize(("name", "old", "new"), PAIRS.values(), ids=list(PAIRS))
def test_the_text_around_a_change_does_not_matter(name: str, old: str, new: str, rows: int) -> None:
    alone = is_same_text(old.encode(), new.encode(), name.encode())
    above, below = "Above.\n\nOne above\n* two\n\n" * rows, "\n\nBelow.\n* two\n" * rows
    before, after = (f"{above}{text}{below}".encode() for text in (old, new))
    assert is_same_text(before, after, name.encode()) == alone


@pytest.mark.parametrize("quoted", ["One.\n\n  Two.\n", "  One.\n\n    Two.\n"])
def test_a_paragraph_that_becomes_a_quote_is_shown_otherwise(quoted: str) -> None:
    old = quoted.replace("  Two", "Two")
    assert seen("a.rst", old) == seen("a.rst", quoted)  # which looks at words alone
    assert not is_same_text(old.encode(), quoted.encode(), b"a.rst")


REWRITTEN = {
    "a blank line between items": ("a.md", "- a\n- b\n", "- a\n\n- b\n"),
    "a blank line above a list in a list": ("a.md", "1. a\n   - b\n", "1. a\n\n   - b\n"),
    "another extension for tabs": (
        "a.rst",
        ".. tabs::\n\n   .. group-tab:: A\n\n      b\n",
        ".. tab-set::\n\n   .. tab-item:: A\n\n      b\n",
    ),
    "another extension for tabs of MyST": (
        "a.md",
        "````{tabs}\n```{group-tab} A\nb\n```\n````\n",
        "````{tab-set}\n```{tab-item} A\nb\n```\n````\n",
    ),
    "the alternative text of an image": (
        "a.rst",
        ".. image:: a.png\n   :alt: A\n",
        ".. image:: a.png\n   :alt: B\n",
    ),
    "the language of indented code": ("a.md", "A\n\n    b\n", "A\n\n    :::perl\n    b\n"),
    "a shebang without a path": ("a.md", "A\n\n    b\n", "A\n\n    #!perl\n    b\n"),
    "a page's source has a date": (
        "a.md",
        "[a](/2013/04/b/)",
        "[a]({filename}2013-04-30-b.markdown)",
    ),
    "an image in another folder of Pelican": (
        "a.rst",
        ".. image:: {filename}/i/p.png\n   :alt: A\n",
        ".. image:: {static}/i/p.png\n   :alt: A\n",
    ),
    "a figure in another folder of Pelican": (
        "a.rst",
        ".. |a| figure:: {filename}/p.png\n\n   A\n",
        ".. |a| figure:: {static}/p.png\n\n   A\n",
    ),
    "a hook rewrites the link": ("a.md", "See [x](../api/latest/x.md#y).", "See [x](../api/x.md)."),
    "Pelican's word for a folder": ("a.md", "![p]({filename}/i/p.png)", "![p]({static}/i/p.png)"),
    "a file in the page's own folder": ("a.md", "![p]({attach}p.png)", "![p](p.png)"),
    "Pelican's old word for a folder": ("a.md", "[a](|filename|a.md)", "[a]({filename}a.md)"),
    "admonitions in blocks": ("a.md", "!!! tip\n    A *b*.\n", "/// tip\n\nA *b*.\n\n///\n"),
    "titled admonitions in blocks": (
        "a.md",
        '!!! tip "C d"\n    A\n\n    ```\n    e\n    ```\nF\n',
        "/// tip | C d\n\nA\n\n```\ne\n```\n\n///\n\nF\n",
    ),
    "admonitions of another style": ("a.md", "!!! note\n    Mind.\n", "> [!NOTE]\n> Mind.\n"),
    "a note becomes an admonition": ("a.md", "NOTE: mind.\n", "!!! note\n    mind.\n"),
    "a role for a link": ("a.rst", "See :doc:`x <a/x>`.", "See `x <a/x.html>`__."),
    "a class of a paragraph": ("a.md", "Text.\n{: .wide }\n", "Text.\n"),
    "a title loses its trailing marks": ("a.md", "## One ##\n", "## One\n"),
    "a directory for its index": ("a.md", "[a](b/index.md)", "[a](../b/)"),
    "a file gets the suffix of its language": ("a.md", "[a](b.md#c)", "[a](b.pt_BR.md#c)"),
    "an index gets the suffix of its language": ("a.md", "[a](b/index.md)", "[a](b/index.en.md)"),
    "an address is escaped": ("a.md", "[a](caf%C3%A9.md)", "[a](café.md)"),
    "an option that shows nothing": (
        "a.rst",
        ".. image:: a.png\n   :alt: A\n",
        ".. image:: a.png\n   :align: center\n   :alt: A\n   :class: b c\n",
    ),
    "another such option": (
        "a.rst",
        ".. contents::\n\nOne.\n",
        ".. contents::\n   :backlinks: none\n\nOne.\n",
    ),
    "metadata of a post of ablog": (
        "a.rst",
        ".. post:: 2024-01-01\n   :category: a\n\nOne.\n",
        ".. post:: 2024-01-01\n   :category: b\n\nOne.\n",
    ),
    "a document in another folder": ("a.rst", "See :doc:`/a/b`.", "See :doc:`/c/b`."),
    "the target of an image in another folder": (
        "a.rst",
        ".. image:: a.png\n   :target: ../a.png\n",
        ".. image:: a.png\n   :target: ../../a.png\n",
    ),
    "a link within the page": ("a.md", "See below.", "See [below](#b)."),
    "an anchor that links to itself": ("a.md", "|a|", '|<a id="b" href="#b">a</a>|'),
    "a superscript": ("a.md", "The 3<sup>rd</sup>.", "The 3rd."),
    "an address without its scheme": ("a.md", "[a](//b.example/c)", "[a](https://b.example/c)"),
    "an index in another folder": ("a.rst", "See :doc:`a/b/index`.", "See :doc:`/c/b/index`."),
    "a document of MyST in another folder": ("a.md", "See {doc}`/a/b`.", "See {doc}`/c/b`."),
    "an index entry": ("a.rst", "One.\n", ".. index:: one\n   single: two\n\nOne.\n"),
    "a hidden toctree": ("a.rst", "One.\n", "One.\n\n.. toctree::\n   :hidden:\n\n   a\n   b\n"),
    "a hidden toctree of MyST": (
        "a.md",
        "One.\n",
        "One.\n\n```{toctree}\n:hidden:\n\na\nb\n```\n",
    ),
    "the last line of code gets its break": ("a.py", "a = 1", "a = 1\n"),
    "a script": ("a.md", "One.\n", "One.\n\n<script>\nf()\n\n    g()\n</script>\n"),
    "a paragraph of a comment": ("a.md", "<!-- a\n\nOne.\n\n-->\n", "<!-- a\n\nTwo.\n\n-->\n"),
    "a comment below an emoji": (
        "a.md",
        ":tea: One. <!-- a\n\n    b -->\n",
        ":tea: One. <!-- b\n\n    c -->\n",
    ),
    "a style": ("a.md", "<style>a {}</style>\n\nOne.\n", "<style>b {}</style>\n\nOne.\n"),
    "a fence is indented": ("a.md", "A\n\n```\nb\n```\n", "A\n\n  ```\n  b\n  ```\n"),
    "an image in HTML": ("a.md", "![a](/i/b.png)\n", '<img class="c"\n  src="../b.png">\n'),
    "another kind of a reference": ("a.rst", "Call :func:`a`.", "Call :py:meth:`a`."),
    "another kind of a reference of MyST": ("a.md", "Call {func}`a`.", "Call {py:meth}`a`."),
    "another project's reference": ("a.rst", "A :class:`a`.", "A :external+b:py:class:`a`."),
    "another role with a link": ("a.rst", "See :ref:`a <b>`.", "See :doc:`a <b>`."),
    "another role of MyST with a link": ("a.md", "See {ref}`a <c>`.", "See {doc}`a <c>`."),
    "a role for a style": ("a.rst", "A :strong:`b` :code:`c`.", "A **b** ``c``."),
    "the indent of a signature": (
        "a.rst",
        ".. py:function:: f(*a)\n                 g(*b)\n\n   One.\n",
        ".. py:function:: f(*a)\n   g(*b)\n   :no-index:\n\n   *One.*\n",
    ),
    "images to insert in another order": (
        "a.rst",
        ".. |a| image:: a.png\n\n.. |b| image:: b.png\n",
        ".. |b| image:: b.png\n\n.. |a| image:: a.png\n",
    ),
    "another spelling of an option": (
        "a.rst",
        ".. py:function:: f()\n   :noindex:\n\n   One.\n",
        ".. py:function:: f()\n   :no-index:\n\n   One.\n",
    ),
    "options of code": (
        "a.rst",
        ".. code-block:: py\n   :linenos:\n   :emphasize-lines: 1,3\n\n   a\n",
        ".. code-block:: py\n   :emphasize-lines: 2\n\n   a\n",
    ),
    "options of a table": (
        "a.rst",
        ".. list-table:: A\n   :widths: 1 2\n   :header-rows: 1\n\n   * - b\n",
        ".. list-table:: A\n   :header-rows: 0\n   :stub-columns: 1\n\n   * - b\n",
    ),
    "an option of a doctest": ("a.rst", ">>> f()  # doctest: +SKIP\n1\n", ">>> f()\n1\n"),
    "an option of a doctest in code": (
        "a.rst",
        "A::\n\n  >>> f()  # doctest: +SKIP\n  1\n",
        "A::\n\n  >>> f()\n  1\n",
    ),
    **{
        f"what {directive} shows nothing of": ("a.rst", f"{directive} a\n\nOne.\n", "One.\n")
        for directive in (".. rst-class::", ".. sectionauthor::", ".. codeauthor::")
    },
    **{
        f"the content of {directive}": (
            "a.rst",
            f"{directive}\n\n   a\n\nOne.\n",
            f"{directive}\n\n   b\n\nOne.\n",
        )
        for directive in (".. testsetup::", ".. raw:: latex", ".. only:: latex")
    },
    "the name of a container": (
        "a.rst",
        ".. container:: a\n\n   One.\n",
        ".. container:: b\n\n   One.\n",
    ),
}


@pytest.mark.parametrize(("name", "old", "new"), REWRITTEN.values(), ids=list(REWRITTEN))
def test_sources_that_generators_render_alike_are_the_same(name: str, old: str, new: str) -> None:
    assert is_same_text(old.encode(), new.encode(), name.encode())


SHOWN = {
    "the title of code": ("a.md", "```py\na\n```\n", '```py title="b"\na\n```\n'),
    "another title": ("a.md", '```py title="a"\na\n```\n', '```py title="b"\na\n```\n'),
    "a link of autorefs": ("a.md", "Call `x`.\n", "Call [`x`][a.x].\n"),
    "an underscore in a role of MyST": ("a.md", "Call {meth}`_run`.", "Call {meth}`run`."),
    "another document of MyST": ("a.md", "See {doc}`/a/b`.", "See {doc}`/a/c`."),
    "the file of a directive": (
        "a.md",
        "```{literalinclude} a.py\n```\n",
        "```{literalinclude} b.py\n```\n",
    ),
    "the word of a block": ("a.md", "/// tip\n\nA\n\n///\n", "/// tip\n\nB\n\n///\n"),
    "the title of a block": ("a.md", "/// tip | A\n\nB\n///\n", "/// tip | C\n\nB\n///\n"),
    "the stars of a signature": ("a.rst", ".. function:: run(*a)\n", ".. function:: run(a)\n"),
    "an underscore of a signature": ("a.rst", ".. py:method:: _run()\n", ".. py:method:: run()\n"),
    "the choices of an option": ("a.rst", ".. option:: --a=<b|c>\n", ".. option:: --a=<b c>\n"),
    "an underscore in a role": ("a.rst", "Call :meth:`_run`.\n", "Call :meth:`run`.\n"),
    "underscores in a role": ("a.rst", "Call :meth:`__init__`.\n", "Call :meth:`init`.\n"),
    "another document": ("a.rst", "See :doc:`/a/b`.\n", "See :doc:`/a/c`.\n"),
    "the index of another folder": ("a.rst", "See :doc:`/a/index`.\n", "See :doc:`/a/b/index`.\n"),
    "another order": ("a.rst", "See :doc:`a`, :doc:`b`.\n", "See :doc:`b`, :doc:`a`.\n"),
    "fields below a title": ("a.rst", "A\n===\n:Status: b\n\nD.\n", "A\n===\n:Status: c\n\nD.\n"),
    "a role that adds words": ("a.rst", "See :issue:`12`.", "See :pr:`12`."),
    "a role that adds other words": ("a.rst", "See :pep:`8`.", "See :rfc:`8`."),
    "a role that adds words in MyST": ("a.md", "See {issue}`12`.", "See {pr}`12`."),
    "a role that leads elsewhere": ("a.rst", "See :issue:`a <12>`.", "See :pr:`a <12>`."),
    "a role of MyST that leads elsewhere": ("a.md", "See {issue}`a <1>`.", "See {pr}`a <1>`."),
    "a role that adds parentheses": ("a.rst", "Call :func:`a`.", "Call :class:`a`."),
    **{
        f"the argument of {name}": ("a.rst", f".. {name}:: *A_\n", f".. {name}:: A\n")
        for name in (
            *("c:var", "c:member", "c:type", "c:macro", "py:type", "rst:role", "envvar", "confval"),
            *("describe", "object", "cmdoption", "exception", "decorator", "autofunction"),
        )
    },
    "another line of a signature": (
        "a.rst",
        ".. py:function:: f(a)\n                 g(b)\n\n   One.\n",
        ".. py:function:: f(a)\n                 g(*b)\n\n   One.\n",
    ),
    "a line of a signature above an option": (
        "a.rst",
        ".. option:: -a\n   --b_\n   :no-index:\n\n   One.\n",
        ".. option:: -a\n   --b\n   :no-index:\n\n   One.\n",
    ),
    "the number of the first line of code": (
        "a.rst",
        ".. code-block:: py\n   :lineno-start: 2\n\n   a\n",
        ".. code-block:: py\n   :lineno-start: 3\n\n   a\n",
    ),
    "the result of a doctest": (
        "a.rst",
        ">>> f()  # doctest: +SKIP\n1\n",
        ">>> f()  # doctest: +SKIP\n2\n",
    ),
    **{
        f"the text of {directive}": (
            "a.rst",
            f"{directive}\n\n   One.\n",
            f"{directive}\n\n   Two.\n",
        )
        for directive in (
            *(".. container:: a", ".. rst-class:: a", ".. only:: html", ".. only:: html or latex"),
            ".. raw:: html",
        )
    },
    "a cell of a table is moved": (
        "a.md",
        "|a|b|c|\n|-|-|-|\n|tea|yes||\n",
        "|a|b|c|\n|-|-|-|\n|tea||yes|\n",
    ),
    "a cell of an aligned table is moved": (
        "a.md",
        "| a | b | c |\n|---|---|---|\n| tea | yes | |\n",
        "| a | b | c |\n|---|---|---|\n| tea |     | yes |\n",
    ),
    "a box to tick": ("a.md", "- [ ] One\n", "- One\n"),
}


@pytest.mark.parametrize(("name", "old", "new"), SHOWN.values(), ids=list(SHOWN))
def test_what_generators_and_plugins_show_as_it_is_counts(name: str, old: str, new: str) -> None:
    assert not is_same_text(old.encode(), new.encode(), name.encode())


FRONT_MATTER = {
    "YAML": ("a.md", "---\ntags: a\n---\nOne.\n"),
    "lines": ("a.md", "Title: One\nTags: a\n\nOne.\n"),
    "lines up to dashes": ("a.md", "Title: One\nTags: a\n---\n\nOne.\n"),
    "lines from an unusual one": ("a.md", "Cups: two\nTags: a\nTitle: One\n\nOne.\n"),
    "TOML": ("a.md", '+++\ntags = "a"\n+++\nOne.\n'),
    "fields": ("a.rst", ":tags: a\n\nOne.\n"),
    "fields below the title": ("a.rst", "One\n###\n\n:tags: a\n\nOne.\n"),
    "fields directly below the title": ("a.rst", "One\n###\n:tags: a\n:slug: b\n\nOne.\n"),
}


@pytest.mark.parametrize(("name", "old"), FRONT_MATTER.values(), ids=list(FRONT_MATTER))
def test_front_matter_is_no_text(name: str, old: str) -> None:
    tagged = re.sub("(tags\\W+)a", r"\1b", old, flags=re.IGNORECASE)
    assert is_same_text(old.encode(), tagged.encode(), name.encode())
    assert not is_same_text(old.encode(), old.replace("One.", "Two.").encode(), name.encode())


@pytest.mark.parametrize("key", ["changefreq", "icon", "priority", "sitemap"])
def test_a_header_may_begin_with_a_key_of_a_theme_or_a_plugin(key: str) -> None:
    old = f"{key}: a\n\nOne.\n"
    assert is_same_text(old.encode(), old.replace(": a", ": b").encode(), b"a.md")
    assert not is_same_text(old.encode(), old.replace("One.", "Two.").encode(), b"a.md")


@pytest.mark.parametrize("text", ["Note: a\n", "warning: a\n", "Cups: a\nPots: two\n", "Icon: a\n"])
def test_a_paragraph_with_a_colon_is_text(text: str) -> None:
    old = f"{text}\nOne.\n"
    assert not is_same_text(old.encode(), old.replace(": a", ": b").encode(), b"a.md")


CATALOG = """\
# German.
msgid ""
msgstr "PO-Revision-Date: 2024-01-01\\n"

#: ../../a.rst:3
msgid "Green tea"
msgstr "Grüner Tee"

#: ../../a.rst:5
msgid ""
"Steep for "
"two minutes."
msgstr ""
"Zwei Minuten "
"ziehen lassen."

#: ../../a.rst:7
#, fuzzy
msgid "Black tea"
msgstr "Roter Tee"

#~ msgid "White tea"
#~ msgstr "Weißer Tee"
"""


@pytest.mark.parametrize(
    ("old", "new", "is_shown"),
    [
        ("2024-01-01", "2024-02-02", False),
        ("a.rst:3", "a.rst:33", False),
        ("Roter", "Schwarzer", False),
        ("Weißer", "Grauer", False),
        ('"Zwei Minuten "\n"ziehen', '"Zwei Minuten ziehen', False),
        ("Grüner", "Grüner, heißer", True),
        ("Zwei Minuten", "Drei Minuten", True),
        ("#, fuzzy\n", "", True),
        ('"Grüner Tee"', '""', True),
    ],
)
def test_of_a_catalog_the_translations_in_use_count(old: str, new: str, is_shown: bool) -> None:
    changed = CATALOG.replace(old, new)
    assert changed != CATALOG
    assert is_same_text(CATALOG.encode(), changed.encode(), b"de/a.po") is not is_shown


def test_the_order_of_translations_in_a_catalog_does_not_count() -> None:
    header, first, second, *rest = CATALOG.split("\n\n")
    other = "\n\n".join([header, second, first, *rest])
    assert is_same_text(CATALOG.encode(), other.encode(), b"de/a.po")


CHANGED = {
    "a toctree is no longer hidden": (
        "a.rst",
        ".. toctree::\n   :hidden:\n\n   a\n",
        ".. toctree::\n\n   a\n",
    ),
    "an entry of a toctree": ("a.rst", ".. toctree::\n\n   a\n", ".. toctree::\n\n   b\n"),
    "an entry of a toctree of MyST": (
        "a.md",
        "```{toctree}\na\nb\n```\n",
        "```{toctree}\na\nc\n```\n",
    ),
    "the text below a comment's mark in an option": (
        "a.md",
        "```{include} a.md\n:end-before: <!-- a\n```\n\nOne *two*.\n",
        "```{include} a.md\n:end-before: <!-- a\n```\n\nOne *three*.\n",
    ),
    "the text below a script": (
        "a.md",
        "<script>a</script>\n\nOne.\n",
        "<script>a</script>\n\nTwo.\n",
    ),
    "the text below a hidden toctree": (
        "a.rst",
        ".. toctree::\n   :hidden:\n\n   a\n\nOne.\n",
        ".. toctree::\n   :hidden:\n\n   a\n\nTwo.\n",
    ),
    "a role in an option's place": ("a.rst", "One :class:`a`, :class:`b`.", "One :class:`b`."),
    "a paragraph that is there twice": ("a.md", "One.\n\nTwo.\n\nOne.\n\nTwo.\n", "One.\n\nTwo.\n"),
    "an indent in code with blank lines": (
        "a.md",
        "```py\na\n\nif b:\n  c\n```\n",
        "```py\na\n\nif b:\n    c\n```\n",
    ),
    "code is no longer in a list": (
        "a.md",
        "1. One\n\n    ```\n    a\n    ```\n\n2. Two\n",
        "1. One\n\n   ```\n   a\n   ```\n\n2. Two\n",
    ),
    "the style of a heading in code": ("a.md", "~~~\n# a\n~~~\n", "~~~\n## a\n~~~\n"),
}


@pytest.mark.parametrize(("name", "old", "new"), CHANGED.values(), ids=list(CHANGED))
def test_what_generators_show_otherwise_has_changed(name: str, old: str, new: str) -> None:
    assert not is_same_text(old.encode(), new.encode(), name.encode())


@pytest.mark.parametrize(("name", "old"), FRONT_MATTER.values(), ids=list(FRONT_MATTER))
def test_front_matter_without_text_below_may_lack_the_last_line_break(name: str, old: str) -> None:
    text = old.partition("One.")[0].rstrip("\n")
    assert is_same_text(text.encode(), re.sub("a(?=\\W*$)", "b", text).encode(), name.encode())


def test_a_rule_of_dashes_below_text_is_no_front_matter_end() -> None:
    old = b"---\ntitle: a\n---\nOne\n---\nTwo\n"
    assert not is_same_text(old, old.replace(b"One", b"1"), b"a.md")


@pytest.mark.parametrize(
    "line",
    [
        *(b"a:\n", b":a:\n", b"|-|\n", b"`` `\n", b"[a](\n", b".. a::\n", b"```{a}\n"),
        *(b" ", b"<!-- a --> ", b'[a](b "', b":a", b"`a<", b"{#", b"a_", b"a.a_", b"[a] ", b"| "),
        *(b".. a:b::\n c\n", b"[1]: a\n", b"`a_ ", b":a:`b", b"<a@", b">>> # doctest:"),
    ],
)
def test_texts_of_any_kind_take_linear_time(line: bytes) -> None:
    def seconds(size: int) -> float:
        start = process_time()
        text = b"Title: x\n" + line * (size // len(line))
        is_same_text(text, text + b"\n b c", b"a.md")
        is_same_text(text, text + b"\n b c", b"a.rst")
        is_same_text(text, text.replace(b"\n", b" \n") + b"x  y", b"a.md")
        is_same_text(text + b"---\n", text, b"a.rst")
        return process_time() - start

    seconds(1_000)
    assert seconds(200_000) < 40 * max(seconds(20_000), 0.01)


def test_a_text_beyond_the_bound_is_not_compared() -> None:
    text = b"word " * (MAX_TEXT // 5 + 1)
    assert not is_same_text(text, text + b"\n", b"a.md")
    lines = b"a\n" * (MAX_LINES + 1)
    assert not is_same_text(lines, lines + b"\n", b"a.md")
    assert is_same_text(text[:1000], text[:1000] + b"\n", b"a.md")


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory")
def test_front_matter_without_end_takes_little_memory() -> None:
    code = (
        "from pathlib import Path\n"
        "from textdates.compare.same import is_same_text\n"
        "text = b'Title: x\\n' + b'a:\\n' * 49_000\n"
        "is_same_text(text, text + b'b', b'a.md')\n"
        "print(Path('/proc/self/status').read_text())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", done.stdout)
    assert int(kilobytes) < 100 * 1024
