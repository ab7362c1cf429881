"""What counts as a change of a text: real renderers decide what readers see."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from time import process_time

import pytest
from docutils.core import publish_parts
from docutils.parsers.rst import Parser as RestParser
from docutils.writers.html5_polyglot import Writer
from markdown import Markdown
from msgspec import Struct, convert
from myst_parser.parsers.docutils_ import Parser as MystParser

from textdates.budget import LIMITS, Budget, Work
from textdates.compare.same import Comparer, is_same_text
from textdates.parts import Shown

from ..same_day import seen

EXTENSIONS = ["admonition", "fenced_code", "tables", "attr_list", "def_list", "footnotes", "toc"]


def seen_in(name: str, text: str) -> list[str]:
    if name == "a.md":
        return seen(Markdown(extensions=EXTENSIONS).convert(text))
    parser = MystParser() if name == "myst.md" else RestParser()
    settings = {
        "myst_enable_extensions": ["colon_fence", "deflist"],
        "report_level": 5,
        "raw_enabled": True,
        "doctitle_xform": False,
    }
    parts = publish_parts(text, parser=parser, writer=Writer(), settings_overrides=settings)
    body = parts.get("body") or ""
    return seen(body)


class Case(Struct, frozen=True):
    """Two versions of a file; the table is data, so that a case is added without code."""

    file: str
    same: bool
    """Whether a reader sees no difference."""

    rendered: bool
    """Whether the renderers show it: then they are asked."""

    old: str
    new: str

    on_top: bool = False
    """Whether it is the beginning of the file that matters."""

    base: str = ""
    """The URL of the site."""


CASES = convert(tomllib.loads(Path(__file__).with_name("cases.toml").read_text()), dict[str, Case])


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_text_is_the_same_if_readers_see_the_same(case: Case) -> None:
    if case.rendered:
        assert (seen_in(case.file, case.old) == seen_in(case.file, case.new)) == case.same
    old, new, name = (text.encode() for text in (case.old, case.new, case.file))
    comparer = Comparer(Budget(), case.base, is_myst=case.file == "myst.md")
    assert comparer.is_same(old, new, name) == case.same


AMID_TEXT = {name: case for name, case in CASES.items() if case.rendered and not case.on_top}


@pytest.mark.parametrize("case", AMID_TEXT.values(), ids=list(AMID_TEXT))
def test_the_text_around_a_change_does_not_matter(case: Case) -> None:
    for rows in (1, 3):
        above, below = "Above.\n\nOne above\n* two\n\n" * rows, "\n\nBelow.\n* two\n" * rows
        before, after = (f"{above}{text}{below}".encode() for text in (case.old, case.new))
        comparer = Comparer(Budget(), is_myst=case.file == "myst.md")
        assert comparer.is_same(before, after, case.file.encode()) == case.same


@pytest.mark.parametrize("quoted", ["One.\n\n  Two.\n", "  One.\n\n    Two.\n"])
def test_a_paragraph_that_becomes_a_quote_is_shown_otherwise(quoted: str) -> None:
    old = quoted.replace("  Two", "Two")
    assert seen_in("a.rst", old) != seen_in("a.rst", quoted)
    assert not is_same_text(old.encode(), quoted.encode(), b"a.rst")


FRONT_MATTER = {
    "YAML": ("a.md", "---\ntags: a\n---\nOne.\n"),
    "lines": ("a.md", "Title: One\nTags: a\n\nOne.\n"),
    "lines up to dashes": ("a.md", "Title: One\nTags: a\n---\n\nOne.\n"),
    "lines from an unusual one": ("a.md", "Cups: two\nTags: a\nTitle: One\n\nOne.\n"),
    "TOML": ("a.md", '+++\ntags = "a"\n+++\nOne.\n'),
    "fields": ("a.rst", ":tags: a\n\nOne.\n"),
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


@pytest.mark.parametrize(("name", "old"), FRONT_MATTER.values(), ids=list(FRONT_MATTER))
def test_front_matter_without_text_below_may_lack_the_last_line_break(name: str, old: str) -> None:
    text = old.partition("One.")[0].rstrip("\n")
    assert is_same_text(text.encode(), re.sub("a(?=\\W*$)", "b", text).encode(), name.encode())


def test_a_rule_of_dashes_below_text_is_no_front_matter_end() -> None:
    old = b"---\ntitle: a\n---\nOne\n---\nTwo\n"
    assert not is_same_text(old, old.replace(b"One", b"1"), b"a.md")


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        *(b"a:\n", b":a:\n", b"|-|\n", b"`` `\n", b"[a](\n", b".. a::\n", b"```{a}\n"),
        *(b" ", b"<!-- a --> ", b'[a](b "', b":a", b"`a<", b"{#", b"a_", b"a.a_", b"[a] ", b"| "),
        *(
            b".. a:b::\n c\n",
            b"[1]: a\n",
            b"`a_ ",
            b":a:`b",
            b"<a@",
            b">>> # doctest:",
            b":ref:`a` ",
            b":a: b\n",
        ),
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


@pytest.mark.parametrize(
    ("work", "name", "size"),
    [("read", "a.txt", 240), ("compared", "a.md", 400), ("objects", "a.md", 9)],
)
def test_beyond_what_a_build_may_compare_each_change_counts_and_that_is_said(
    work: Work, name: str, size: int
) -> None:
    budget = Budget({**LIMITS, work: LIMITS[work]._replace(build=1_000)})
    cut = Shown(tuple(map(str, range(400))), text=True) if work == "objects" else None
    text = b"# Tea\n\n" + b"a *word*\n" * (size // 9)
    other = text.replace(b"*", b"_").replace(b" ", b"  ") if name == "a.md" else text + b" "
    found = [Comparer(budget).is_same(text, other, name.encode(), cut) for _ in range(3)]
    assert found == [True, True, False]
    assert budget.refused == {work: 1}
    assert str(budget).startswith("1 times a comparison would need more than ")
    assert f"{LIMITS[work].what} at once, or 1,000 in all." in str(budget)


def test_a_text_beyond_the_bound_is_not_compared() -> None:
    text = b"word " * (LIMITS["read"].once // 5 + 1)
    assert not is_same_text(text, text + b"\n", b"a.md")
    lines = b"a\n" * (LIMITS["lines"].once + 1)
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


@pytest.mark.parametrize("name", [b"a.md", b"a.rst"])
def test_a_number_of_a_character_may_have_any_length(name: bytes) -> None:
    """Python reads no number of so many digits."""
    clay = b"A pot &#" + b"9" * 5_000 + b"; of clay.\n"
    assert not is_same_text(clay, clay.replace(b"clay", b"iron"), name)
    assert is_same_text(clay, clay.replace(b" of ", b"\nof "), name)


CONVERTED_FROM = """\
Brewing tea
===========

Fill the *pot* with ``two cups`` of `water <https://example.org/water>`__:

- green tea
- black tea

.. code-block:: sh

   brew --cups 2
     --hot

.. note::

   Warm the **pot**.

Pots
----

.. _clay:

Of clay, at last.
"""
CONVERTED_TO = """\
# Brewing tea

Fill the *pot* with `two cups` of
[water](https://example.org/water):

* green tea
* black tea

```{code-block} sh
brew --cups 2
  --hot
```

:::{note}
Warm the **pot**.
:::

(clay)=
## Pots

Of clay, at last.
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("Warm the", "Heat the"),
        ("black tea", "white tea"),
        ("  --hot", "--hot"),
        ("example.org/water", "example.org/milk"),
    ],
)
def test_what_was_restructured_text_may_say_the_same_in_myst(old: str, new: str) -> None:
    changed = CONVERTED_TO.replace(old, new) if old else CONVERTED_TO
    if not old:
        assert seen_in("a.rst", CONVERTED_FROM) == seen_in("myst.md", changed)
    comparer = Comparer(Budget(), is_myst=True)
    before, after = CONVERTED_FROM.encode(), changed.encode()
    assert comparer.is_same(before, after, b"a.md", None, b"a.rst") is (not old)
