"""What a page about Python code shows of it."""

from __future__ import annotations

import ast
import gc
import pickle
import warnings
from itertools import product
from typing import Any, get_args

import pytest

from textdates import is_same_text
from textdates.parts import PythonObjects
from textdates.parts.python_shown import Source

MODULE = '''
# A licence.
"""About tea."""

import os

CUPS: int = 3
"""How many."""

if os.name == "nt":
    def pour() -> None: ...
else:
    def pour(cup: int = 1) -> None:
        """Pour."""

@final
class Pot(Vessel, metaclass=Clay):
    """Holds tea."""

    lid, spout = 1, 2

    def __init__(self) -> None:
        self.heat = 90
        """In degrees."""

    @property
    def full(self) -> bool:
        """Whether
        it is full."""
        return self.heat > 1  # a comment

    async def wash(self): return 1
'''


def shown(*names: str, text: str = MODULE, source: Source = "none") -> str | None:
    return PythonObjects(names, source)(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", "About tea."),
        ("CUPS", "CUPS: int = 3\n'How many.'"),
        ("Pot", "@final\nclass Pot(Vessel, metaclass=Clay):\n    pass\nHolds tea."),
        ("Pot.full", "@property\ndef full(self) -> bool:\n    pass\nWhether it is full."),
        ("Pot.heat", "self.heat = 90\n'In degrees.'"),
        ("Pot.spout", "lid, spout = (1, 2)"),
        ("Pot.wash", "async def wash(self):\n    pass\n"),
        ("Pot.__init__", "def __init__(self) -> None:\n    pass\n"),
    ],
)
def test_an_object_shows_its_signature_and_docstring(name: str, expected: str) -> None:
    assert shown(name) == expected


def test_a_name_that_is_defined_twice_shows_both() -> None:
    assert (
        shown("pour")
        == "def pour() -> None:\n    pass\n\ndef pour(cup: int=1) -> None:\n    pass\nPour."
    )


def test_source_shows_as_it_is_written_with_decorators_and_comments() -> None:
    assert (
        shown("Pot.full", source="all")
        == MODULE[MODULE.index("    @property") :].partition("\n\n")[0]
    )
    assert "self.heat = 90" in str(shown("Pot", source="all"))
    assert shown("", source="all") == "About tea."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.heat > 1", "self.heat > 2"),
        ("cup: int = 1", "cup:int=1"),
        ("# A licence.", "# Another licence."),
        ("import os\n", "import os, sys\n"),
        ('"""Whether\n        it', '"""Whether\n            it'),
    ],
)
def test_what_a_page_does_not_show_does_not_count(old: str, new: str) -> None:
    names = ("", "CUPS", "pour", "Pot", "Pot.full", "Pot.heat")
    changed = MODULE.replace(old, new)
    assert changed != MODULE
    assert shown(*names, text=changed) == shown(*names)


def test_the_wrapping_of_a_docstring_does_not_count_but_lines_of_code_do() -> None:
    text = 'def pour():\n    """Fill\n    a cup::\n\n        one\n          two\n\n    Done."""'
    fenced = text.replace("::\n\n", "\n\n    ```py\n").replace("two\n", "two\n    ```\n")
    for each in (text, fenced):
        assert shown("pour", text=each.replace("Fill\n    a", "Fill a")) == shown("pour", text=each)
        assert shown("pour", text=each.replace("  two", "two")) != shown("pour", text=each)


COMMENTED = """
#: How
#: many.
#:
#: Cups::
#:
#:     three
CUPS = 3

TEA = (  # no documentation
    "#1"
)  #: Which.

X = "#: a"  # no documentation

class Pot:
    #: What closes it.
    lid: str

    def __init__(self):
        self.heat = 90  #: In degrees.
        #: not at once

        self.lid = "a"
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("CUPS", "CUPS = 3\nHow many.\nCups::\nthree"),
        ("TEA", "TEA = '#1'\nWhich."),
        ("Pot.lid", "lid: str\nWhat closes it.\nself.lid = 'a'"),
        ("Pot.heat", "self.heat = 90\nIn degrees."),
    ],
)
def test_a_value_shows_the_comments_that_document_it(name: str, expected: str) -> None:
    assert shown(name, text=COMMENTED) == expected
    assert shown(name, text=COMMENTED.replace("How\n#: many", "How many")) == expected
    assert shown(name, text=COMMENTED.replace("no documentation", "none")) == expected
    for line_end in ("\r", "\r\n"):
        assert shown(name, text=COMMENTED.replace("\n", line_end)) == expected


def test_comments_are_not_shown_with_source() -> None:
    assert shown("CUPS", text=COMMENTED, source="all") == "CUPS = 3"


FIELDS = """
class Cup{}:
    size: int = 2
    "Of what size."
    colour: str  #: Of what colour.
    count = 1
{}
    def fill(self): pass
"""


@pytest.mark.parametrize(
    ("head", "method", "expected"),
    [
        ("(NamedTuple)", "", "size: int = 2\ncolour: str"),
        ("", "", None),
        ("(A)", "    def __init__(self): pass", "def __init__(self):\n    pass\n"),
        ("(A)", "    def __new__(cls): pass", None),
    ],
)
def test_fields_are_the_parameters_of_a_class_that_may_make_them(
    head: str, method: str, expected: str | None
) -> None:
    assert shown("Cup.__init__", text=FIELDS.format(head, method)) == expected
    decorated = f"@dataclass\n{FIELDS.format('', method).lstrip()}"
    assert shown("Cup.__init__", text=decorated) == (
        expected or (None if method else "size: int = 2\ncolour: str")
    )
    assert shown("Cup.__new__", text=decorated) == (
        "def __new__(cls):\n    pass\n" if "__new__" in method else None
    )


def test_objects_show_one_after_another_and_missing_ones_show_nothing() -> None:
    assert shown("CUPS", "none", "") == "CUPS: int = 3\n'How many.'\nAbout tea."
    assert shown("none", "Pot.none") is None


KETTLE = '''class Kettle(Vessel):
    """Boils one cup (or
    more).

    Attributes:
        cups: How many.
        heat (float): Now.
    """

    cups: int = 1
    cup: int = 1
    heat: int = 1

    def boil(self):
        return self.heat
'''


@pytest.mark.parametrize(
    ("old", "new", "is_seen"),
    [
        ("cups: int", "cups: int | None", True),  # the type of what the docstring describes
        ("Kettle(Vessel)", "Kettle(Pot)", True),
        ("How many", "Number", True),
        ("cup: int", "cup: int | None", False),
        ("heat: int", "heat: int | None", False),
        ("cups: int = 1", "cups: int = 2", False),
        ("self.heat", "self.warmth", False),
    ],
)
def test_a_class_may_show_types_and_docstring_where_functions_show_their_source(
    old: str, new: str, *, is_seen: bool
) -> None:
    changed = shown("Kettle", text=KETTLE.replace(old, new, 1), source="functions")
    assert (changed != shown("Kettle", text=KETTLE, source="functions")) == is_seen


def test_the_modules_of_types_are_not_shown() -> None:
    old = "def pour(a: t.Sequence[t.Any] = t.NONE, *b: t.x.Pot) -> t.Any: pass\ncups: t.Any = 1\n"
    new = old.replace("t.Sequence[t.Any]", "Sequence[Any]").replace("-> t.Any", "-> Any")
    new = new.replace("t.x.Pot", "Pot").replace("cups: t.Any", "cups: Any")
    assert shown("pour", "cups", text=old) == shown("pour", "cups", text=new)
    assert shown("pour", text=old) != shown("pour", text=new.replace("t.NONE", "NONE"))
    assert shown("pour", text=old) != shown("pour", text=new.replace("-> Any", "-> Pot"))


def test_a_module_without_a_docstring_shows_nothing_of_itself() -> None:
    assert shown("", text="import os\n") == ""


PLAIN = "def pour(): pass\n\ndef wash(): pass\n"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        '"""Says:\n\ndef wash(): ...\n"""\n' + PLAIN,
        'CUPS = """\n\nclass wash: pass\n"""\n' + PLAIN,
        "if x:\n    pass\n\n" + PLAIN,
        "if x:\n    pass\nelse:\n\n" + PLAIN.replace("\n", "\n  ").replace("def", "  def", 1),
    ],
)
def test_wherever_blank_lines_are_a_module_is_read_whole(text: str) -> None:
    expected = "def pour():\n    pass\n\ndef wash():\n    pass\n"
    assert shown("pour", "wash", text=text) == expected


def test_a_blank_line_may_stand_below_a_decorator() -> None:
    assert shown("pour", text=f"@final\n\n{PLAIN}") == "@final\ndef pour():\n    pass\n"


@pytest.mark.parametrize(
    "text",
    ["print 'tea'", "x = (" * 300, "\0", "-" * 200_000 + "1", "x = 1" + "+1" * 3_000],
)
def test_what_is_not_python_of_today_cannot_be_cut(text: str) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        shown("", "x", text=text)


def test_warnings_of_old_code_are_not_told() -> None:
    with warnings.catch_warnings(record=True, action="always") as told:
        assert shown("x", text="x = '\\d' is 1\n") is not None
    assert not told


def test_the_objects_are_compared_by_value_and_can_be_sent_to_another_process() -> None:
    cut = PythonObjects(("a",), source="all")
    assert pickle.loads(pickle.dumps(cut)) == cut  # noqa: S301
    assert len({cut, PythonObjects(("a",), source="all"), PythonObjects(("a",))}) == 2


def test_a_message_names_the_objects() -> None:
    assert str(PythonObjects(("A", "A.__init__", "A.__new__", "b"))) == "A, b"
    assert str(PythonObjects(("", ".__init__"))) == "docstring"


def test_a_signature_may_have_its_body_beside_it() -> None:
    old = "@overload\ndef pour(a: int) -> Tea: ...\n\n\ndef pour(a):\n    return a\n"
    shown = PythonObjects(("pour",))
    assert shown(old) != shown(old.replace("Tea", "Pot"))
    assert shown(old) == shown(old.replace("return a", "return b"))


@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_class_may_begin_with_a_decorated_method(blank: str) -> None:
    text = f"class Pot:\n{blank}    @final\n    @property\n    def full(self): return 1\n"
    cut = PythonObjects(("Pot",))
    assert (cut(text) or "").split() == ["class", "Pot:", "pass"]
    assert is_same_text(text.encode(), text.replace("full", "dry").encode(), b"a.py", cut)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Code that is parsed from now on."""
    found, parse = list[str](), ast.parse

    def noting(source: str, *args: Any, **options: Any) -> Any:
        found.append(source)
        return parse(source, *args, **options)

    monkeypatch.setattr(ast, "parse", noting)
    return found


def test_only_code_that_differs_and_may_define_an_object_is_parsed(parsed: list[str]) -> None:
    blocks = ('"""Tea."""', "def steep(): pass", "def pour(b): return b", "class Jug:\n    cup = 1")
    old = "\n\n\n".join(blocks)
    changed = old.replace("steep", "brew").replace("cup = 1", "cup = 2")
    assert PythonObjects(("", "pour")).apart(old, changed) == ("", "")
    assert not parsed
    new = changed.replace("return b", "return 2 * b")
    before, after = PythonObjects(("", "pour", "Jug")).apart(old, new)
    assert before == after != ""
    assert parsed
    assert not any("steep" in code or "brew" in code or "Tea" in code for code in parsed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "def pour(): pass"),  # one that is new
        ("def pour(): pass", ""),
        ("def pour(): pass", "def pour(a): pass"),
        ("x = (\n\ndef pour(): pass", "def pour(): pass"),  # not Python
    ],
)
def test_objects_are_told_apart_beside_code_that_stays(old: str, new: str) -> None:
    kept = "def steep():\n    pass\n\n\n"
    texts = [f"{kept}{text}\n".encode() for text in (old, new)]
    assert not is_same_text(texts[0], texts[1], b"a.py", PythonObjects(("steep", "pour")))
    assert is_same_text(texts[1], texts[1] + b"\n# end", b"a.py", PythonObjects(("steep", "pour")))


STEEP = 'def steep():\n    """Wait."""\n\n\n'
POT = 'class Pot:\n    """Holds tea."""\n    def lid(self):\n        """On top."""\n'
FILL = '    def fill(self):\n        """Pour in."""\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (STEEP, ""),
        (STEEP, STEEP.replace("steep", "_steep")),
        (STEEP, STEEP.replace('"""Wait."""', "wait()")),
        (STEEP.replace("def", "async def"), ""),
        (POT + FILL, POT),
        (POT + FILL, POT + FILL.replace("fill", "_fill")),
    ],
)
def test_a_page_of_all_that_a_module_documents_changes_when_some_of_it_goes(
    old: str, new: str
) -> None:
    kept = f'"""Tea."""\n\n\n{POT if POT not in old else ""}\n\n'
    cut = PythonObjects(("", "Pot", "Pot.__init__", "Pot.lid"))
    assert not is_same_text(f"{kept}{old}".encode(), f"{kept}{new}".encode(), b"a.py", cut)


@pytest.mark.parametrize(
    ("old", "names"),
    [
        (STEEP.replace("steep", "_steep"), ("", "Pot", "Pot.lid")),  # private
        ("def steep():\n    wait()\n\n\n", ("", "Pot", "Pot.lid")),  # without a docstring
        (STEEP, ("Pot", "Pot.lid")),  # the page of a class
        (STEEP, ("",)),  # the docstring of the module alone
        (STEEP, ("", "Pot.__init__")),
        (POT + FILL, ("", "Pot")),  # no methods
    ],
)
def test_what_goes_and_was_not_shown_does_not_count(old: str, names: tuple[str, ...]) -> None:
    kept = f'"""Tea."""\n\n\n{POT if POT not in old else ""}\n\n'
    new = POT if POT in old else ""
    cut = PythonObjects(names)
    assert is_same_text(f"{kept}{old}".encode(), f"{kept}{new}".encode(), b"a.py", cut)


def test_what_goes_does_not_count_on_a_page_of_some_of_a_module() -> None:
    kept = f'"""Tea."""\n\n\n{POT}\n\n{STEEP.replace("steep", "stir")}'
    cut = PythonObjects(("", "Pot", "Pot.lid"))
    assert is_same_text(f"{kept}{STEEP}".encode(), kept.encode(), b"a.py", cut)


def test_an_object_in_a_string_is_none() -> None:
    docstring = '"""Tea.\n\nclass Pot:\n    a = 1\n\nclass Cup:\n    b = 1\n"""'
    old = f"{docstring}\n\n\nclass Pot:\n    c = 1\n"
    cut = PythonObjects(("Pot", "Pot.c", "Pot.a"))
    assert cut(old) == cut(old.replace("a = 1", "a = 2"))


def test_an_api_page_parses_each_version_of_a_block_once(parsed: list[str]) -> None:
    names = [f"once{number}" for number in range(5)]

    def version(changed: int) -> bytes:
        values = [int(number == changed) for number in range(5)]
        blocks = [f"def {n}(a={v}):\n    return 0\n" for n, v in zip(names, values, strict=True)]
        return "\n\n".join(blocks).encode()

    for cut in [PythonObjects((name,)) for name in names]:
        for first, second in ((0, 1), (1, 2), (2, 3)):
            is_same_text(version(first), version(second), b"a.py", cut)
    blocks = [code for code in parsed if "return" in code]
    assert len(blocks) == len(set(blocks)) == 8, "only blocks that differ somewhere are parsed"


LARGE = '''
"""About pots."""

@dataclass(
    frozen=True,
)
class Pot(Vessel):
    """Holds tea.

    As in:

    def pour(): pass
    """

    lid: int = 1

    def __init__(self, size: int) -> None:
        self.size = size
        """In cups."""

    @property

    def full(self) -> bool:
        """Whether it is full."""
        return self.heat > 1

    @full.setter
    def full(self, value): self.heat = value

    # Cleaning.

    def wash(self, by: str = "hand") -> None:
        """Wash it.

    def dry(self):
        pass

        Then dry it.
        """
        self.heat = 0

    class Lid:
        colour: str = "blue"

        def close(self): return 1

    spout: str = "long"

    async def brew(self, tea: Tea): return await tea

    handle, base = 1, 2

    def heat(self): return 1

    if lid:
        def lift(self, by: int = 1): return by

class Jug(Pot):

    def wash(self, by: str = "hand") -> None: ...

if Pot:

    def steep(pot): return pot

    def cool(pot): return 0
'''

SETTER = """self.heat > 1

    @full.setter
    def full(self, value): self.heat = value"""

WHOLE = {
    "    def pour(): pass\n": "",
    "    def dry(self):\n": "        Dry it:\n",
    "@property\n\n": "@property\n",
}
"""What keeps its class from being split, and what does not."""


def split() -> str:
    """Return the module with what keeps no class from being split."""
    text = LARGE
    for kept, other in WHOLE.items():
        text = text.replace(kept, other)
    return text


SPLIT = split()

NAMES = (
    *("", "Pot", "Pot.__init__", "Pot.lid", "Pot.size", "Pot.full", "Pot.wash", "Pot.Lid"),
    *(
        "Pot.Lid.colour",
        "Pot.Lid.close",
        "Pot.spout",
        "Pot.brew",
        "Pot.dry",
        "Pot.base",
        "Pot.lift",
        "Jug",
        "Jug.wash",
    ),
    *("steep", "cool", "none"),
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Holds", "Keeps"),
        ("pour(): pass", "fill(): pass"),
        ("lid: int = 1", "lid: int = 2"),
        ("size: int)", "size: float)"),
        ("self.size = size", "self.size = 2 * size"),
        ("In cups", "In litres"),
        ("Whether it", "If it"),
        ("heat > 1", "heat > 2"),
        ("Cleaning", "To clean"),
        ("Pot(Vessel)", "Pot"),
        ("frozen=True", "slots=True"),
        ('"hand") -> None:\n', '"foot") -> None:\n'),
        ("def dry", "def rinse"),
        ("Then dry", "Now dry"),
        ("self.heat = 0", "self.cold = 1"),
        ('"blue"', '"red"'),
        ("def close(self)", "def close(self, lid)"),
        ('"long"', '"short"'),
        ("async def", "def"),
        ("base = 1, 2", "base = 1, 3"),
        ("by: int = 1", "by: int = 2"),
        ("    if lid:\n        def lift", "    def lift"),
        (SETTER, SETTER.replace("> 1", "> 2") + "\n\n    cold = 1"),
        ("await tea", "await self.tea"),
        ("class Jug(Pot):\n", 'class Jug(Pot):\n    """A jug."""\n'),
        ('"hand") -> None: ...', '"foot") -> None: ...'),
        ("return pot", "return 2 * pot"),
        ("steep(pot)", "steep(a, pot)"),
        ("cool(pot)", "cool(pot, by)"),
        ("    spout", "    x = (\n\n    spout"),
        ("class Jug(Pot):\n\n", ""),
    ],
)
def test_methods_that_stay_and_are_not_parsed_change_no_answer(old: str, new: str) -> None:
    assert old in LARGE
    texts = [(text, text.replace(old, new, 1)) for text in (LARGE, SPLIT)]
    for (text, changed), names in product(
        texts, (*zip(NAMES, strict=True), ("Pot", "Pot.wash"), ("Jug.wash", "cool"), NAMES)
    ):
        for source in get_args(Source):
            cut = PythonObjects(names, source)
            try:
                expected = cut(text) == cut(changed)
            except SyntaxError:
                with pytest.raises(SyntaxError):
                    cut.apart(text, changed)
                continue
            before, after = cut.apart(text, changed)
            assert (before == after) == expected, names


def test_of_a_class_only_methods_that_differ_are_parsed(parsed: list[str]) -> None:
    cut = PythonObjects(NAMES)
    before, after = cut.apart(SPLIT, SPLIT.replace("await tea", "tea"))
    assert before == after != ""
    assert [code for code in parsed if "wash" in code or "full" in code] == []


def trees() -> int:
    gc.collect()
    return sum(isinstance(each, ast.AST) for each in gc.get_objects())


def test_no_syntax_tree_is_kept() -> None:
    before = trees()
    assert shown("Pot", "pour", "CUPS", text=f"{MODULE}\n\nclass New(Pot): pass")
    assert trees() == before


def test_only_the_objects_of_a_page_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    unparse, shown = ast.unparse, list[ast.AST]()

    def counting(node: ast.AST) -> str:
        shown.append(node)
        return unparse(node)

    monkeypatch.setattr(ast, "unparse", counting)
    code = "\n".join(f"    lazy{number}: int = {number}\n" for number in range(50))
    text = f"class Lazy:\n{code}\n    def pour(self):\n        pass\n"
    assert PythonObjects(("Lazy.lazy7",))(text) == "lazy7: int = 7"
    assert PythonObjects(("Lazy.lazy7", "Lazy.lazy8"))(text) == "lazy7: int = 7\nlazy8: int = 8"
    assert len(shown) == 2, "each once, however many pages show it"


@pytest.mark.parametrize(
    "definition",
    [
        "class Pot:\n    pass",
        "@steep\n@brew\nclass Pot(Cup): pass",
        "async def Pot(): pass",
        "def \\\n  Pot(): pass",
        "class Pot[T]: pass",
        "Pot: int",
        "Pot = 1",
        "Pot \\\n  = 1",
        "cup = Pot = 1",
        "cup, Pot = 1, 2",
        "[cup, (Pot)] = 1, (2)",
        "(Pot  # the pot\n, cup) = 1, 2",
        "tea.Pot = 1",
        "try:\n    import cup\nexcept ImportError:\n    Pot = None",
    ],
)
def test_only_code_that_defines_an_object_decides(definition: str, parsed: list[str]) -> None:
    uses = "\n\ndef steep(a):\n    return Pot(a) + tea.Pot.a - Potter.Pot"
    cut = PythonObjects(("Pot",))
    text = f"import tea\n\n\n{definition}\n{uses}\n"
    assert cut.apart(text, text.replace("Potter", "Pot2")) == ("", "")
    assert not any("Potter" in code for code in parsed)
    renamed = text.replace(definition, definition.replace("Pot", "Jug"))
    assert not is_same_text(text.encode(), renamed.encode(), b"a.py", cut)
