"""What counts as a change of a text: real renderers decide what readers see."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from time import process_time

import pytest
from docutils.core import publish_parts
from lxml import html
from markdown import Markdown

from sitemapkit.lastmod.text_changes import MAX_LINES, MAX_TEXT, is_same_text

EXTENSIONS = ["admonition", "fenced_code", "tables", "attr_list", "def_list", "footnotes", "toc"]


def blocks(rendered: str) -> list[tuple[str, str]]:
    """Return what a reader sees: the text of each block, exactly in code, and where links lead."""
    found: list[tuple[str, str]] = []
    for element in html.fragment_fromstring(rendered, create_parent="div").iter():
        if element.tag == "pre":
            found.append(("pre", element.text_content().rstrip()))
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
    if name.endswith(".md"):
        return blocks(Markdown(extensions=EXTENSIONS).convert(text))
    parts = publish_parts(text, writer="html5", settings_overrides={"report_level": 5})
    return blocks(
        unescape(re.sub(r"<aside.*?</aside>", "", parts.get("body") or "", flags=re.DOTALL))
    )


YAML = "Run:\n\n```yaml\non:\n  push:\n    a: 1\n```\n"
PYTHON = "Text.\n\n    def f():\n        return 1\n\nMore.\n"
NOTE = "!!! note\n\n    Shown as the note's text.\n"

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
    "a line is broken": ("a.md", "One\ntwo\n", "One  \ntwo\n"),
    "blanks end a line of code": ("a.md", YAML, YAML.replace("push:", "push:  ")),
    "blank lines are added at the end": ("a.md", "One\n", "One\n\n\n"),
    "a table is aligned": ("a.md", "|a|b|\n|-|-|\n|1|2|\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"),
    "list marks are swapped": ("a.md", "* a\n* b\n", "- a\n- b\n"),
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
    "reST becomes a quote": ("a.rst", "One.\n\nTwo.\n", "One.\n\n  Two.\n"),
}


@pytest.mark.parametrize(("name", "old", "new"), PAIRS.values(), ids=list(PAIRS))
def test_what_the_renderer_shows_alike_is_the_same(name: str, old: str, new: str) -> None:
    shown_alike = seen(name, old) == seen(name, new)
    if (name, old) == ("a.rst", "One.\n\nTwo.\n"):  # a quote looks otherwise, and reads the same
        shown_alike = False
    assert is_same_text(old.encode(), new.encode(), name.encode()) == shown_alike


REWRITTEN = {
    "a hook rewrites the link": ("a.md", "See [x](../api/latest/x.md#y).", "See [x](../api/x.md)."),
    "Pelican's word for a folder": ("a.md", "![p]({filename}/i/p.png)", "![p]({static}/i/p.png)"),
    "admonitions of another style": ("a.md", "!!! note\n    Mind.\n", "> [!NOTE]\n> Mind.\n"),
    "a note becomes an admonition": ("a.md", "NOTE: mind.\n", "!!! note\n    mind.\n"),
    "a role for a link": ("a.rst", "See :doc:`x <a/x>`.", "See `x <a/x.html>`__."),
    "a class of a paragraph": ("a.md", "Text.\n{: .wide }\n", "Text.\n"),
    "a title loses its trailing marks": ("a.md", "## One ##\n", "## One\n"),
}


@pytest.mark.parametrize(("name", "old", "new"), REWRITTEN.values(), ids=list(REWRITTEN))
def test_sources_that_generators_render_alike_are_the_same(name: str, old: str, new: str) -> None:
    assert is_same_text(old.encode(), new.encode(), name.encode())


def test_a_rule_of_dashes_below_text_is_no_front_matter_end() -> None:
    old = b"---\ntitle: a\n---\nOne\n---\nTwo\n"
    assert not is_same_text(old, old.replace(b"One", b"1"), b"a.md")


@pytest.mark.parametrize(
    "line", [b"a:\n", b"  a\n", b":a:\n", b"--- \n", b"|-|\n", b"`` `\n", b"[a](\n"]
)
def test_texts_of_any_kind_take_linear_time(line: bytes) -> None:
    def seconds(size: int) -> float:
        start = process_time()
        text = b"Title: x\n" + line * (size // len(line))
        is_same_text(text, text + b"\n b c", b"a.md")
        is_same_text(text, text + b"\n b c", b"a.rst")
        is_same_text(text, text.replace(b"\n", b" \n") + b"x  y", b"a.md")
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
        "from sitemapkit.lastmod.text_changes import is_same_text\n"
        "text = b'Title: x\\n' + b'a:\\n' * 49_000\n"
        "is_same_text(text, text + b'b', b'a.md')\n"
        "print(Path('/proc/self/status').read_text())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", done.stdout)
    assert int(kilobytes) < 100 * 1024
