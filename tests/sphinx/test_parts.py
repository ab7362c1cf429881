"""Dates of pages that show parts of files: a page is as new as the text that it shows."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

pytestmark = pytest.mark.slow

FIRST, SECOND, THIRD = "2021-01-01T00:00:00Z", "2022-02-02T00:00:00Z", "2023-03-03T00:00:00Z"

README = """Lutes
=====

Gut strings break.

.. begin

Tune the chanterelle last.

.. end

Frets are tied.
"""
CODE = '''"""Lutes."""

import strings


class Lute:
    """A lute."""

    def tune(self):
        return strings.tuned()


def main():
    Lute().tune()
'''

INCLUDED = {
    "start-line": ":start-line: 6",
    "last-lines": ":start-line: -5\n:end-line: 8",
    "start-after": ":start-after: begin\n:end-before: .. end",
    "combined": ":start-line: 2\n:end-line: 10\n:start-after: begin\n:end-before: .. end",
    "literal": ":literal:\n:start-after: begin\n:end-before: .. end",
    "code": ":code: rst\n:start-line: 6\n:end-line: 8",
}
"""Options that take the text on tuning, but not that on strings, from the README."""

LITERAL = {
    "pyobject": ":pyobject: Lute",
    "method": ":pyobject: Lute.tune\n:dedent:",
    "lines": ":lines: 6-8,9-\n:lineno-match:",
    "start-at": ":start-at: class\n:end-before: def main",
    "start-after": ":start-after: import\n:end-at: return",
    "numbered": ":lines: 9-10\n:dedent: 4\n:linenos:\n:emphasize-lines: 2\n:caption: Code",
}
"""Options that take the class, but not what is above it, from the module."""


def rst(directive: str, options: str) -> str:
    return f".. {directive}\n" + "".join(f"   {line}\n" for line in options.splitlines())


def myst(directive: str, options: str) -> str:
    name, _, argument = directive.partition(":: ")
    return f"---\norphan: true\n---\n\n# Page\n\n```{{{name}}} {argument}\n{options}\n```\n"


@pytest.fixture
def quoting(site: Callable[..., Site]) -> Site:
    """A site whose pages show parts of two files, by all options, in reST and in MyST."""
    pytest.importorskip("myst_parser")
    project = site(extensions=["myst_parser", "sphinx_sitemapkit"])
    directives = {
        f"include-{name}": ("include:: ../../README.rst", o) for name, o in INCLUDED.items()
    }
    directives |= {
        f"code-{name}": ("literalinclude:: ../../lute.py", o) for name, o in LITERAL.items()
    }
    for name, (directive, options) in directives.items():
        project.document(f"rst/{name}", head=":orphan:", body=rst(directive, options))
        project.write({f"docs/md/{name}.md": myst(directive, options)})
    project.document("whole/text", head=":orphan:", body=rst("include:: ../../README.rst", ""))
    code = rst("literalinclude:: /../lute.py", ":linenos:")
    project.document("whole/code", head=":orphan:", body=code)
    project.write({"README.rst": README, "lute.py": CODE})
    project.commit(FIRST)
    return project


def dates(site: Site) -> dict[str, str | None]:
    return {path: entry.get("lastmod") for path, entry in site.entries().items()}


OF_MYST = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")


@OF_MYST
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_page_that_shows_a_part_of_a_file_is_dated_by_that_part(quoting: Site, jobs: str) -> None:
    readme = README.replace("chanterelle", "first course")
    code = CODE.replace("tuned()", "tuned(415)")
    quoting.write({"README.rst": readme, "lute.py": code})
    quoting.commit(SECOND)
    quoting.write({"README.rst": readme.replace("break", "snap")})
    quoting.write({"lute.py": code.replace("import strings", "import strings  # of gut")})
    quoting.commit(THIRD)
    done = quoting.run("-q", "-W", "-j", jobs)
    assert (done.returncode, done.stderr) == (0, "")
    names = [f"include-{name}" for name in INCLUDED] + [f"code-{name}" for name in LITERAL]
    parts = {f"{folder}/{name}.html": SECOND for folder in ("rst", "md") for name in names}
    whole = {"whole/text.html": THIRD, "whole/code.html": THIRD}
    assert dates(quoting) == {"index.html": FIRST, **parts, **whole}


def test_an_incremental_build_knows_the_parts_of_documents_that_it_does_not_read(
    site: Callable[..., Site],
) -> None:
    project = site("other")
    project.write({"README.rst": README})
    body = rst("include:: ../README.rst", ":start-after: begin")
    project.document("page", head=":orphan:", body=body)
    project.commit(FIRST)
    project.build()
    project.write({"README.rst": README.replace("break", "snap")})
    project.document("other", head=":orphan:", body="More.")
    project.commit(SECOND)
    os.utime(project.docs / "page.rst")
    project.build()
    assert dates(project) == {"index.html": FIRST, "other.html": SECOND, "page.html": FIRST}
    project.document("other", head=":orphan:", body="Less.")
    project.commit(THIRD)
    project.build()
    assert dates(project) == {"index.html": FIRST, "other.html": THIRD, "page.html": FIRST}


def test_a_part_begins_at_the_first_of_several_markers(site: Callable[..., Site]) -> None:
    project = site()
    body = rst("include:: ../README.rst", INCLUDED["start-after"])
    project.document("page", head=":orphan:", body=body)
    project.write({"README.rst": f"{README}\n.. begin\n\nPegs slip.\n\n.. end\n"})
    project.commit(FIRST)
    project.write({"README.rst": f"{README}\n.. begin\n\nPegs stick.\n\n.. end\n"})
    project.commit(SECOND)
    project.build()
    assert dates(project)["page.html"] == FIRST


def test_what_an_old_text_does_not_have_is_looked_for_in_all_of_it(
    site: Callable[..., Site],
) -> None:
    project = site()
    project.document("text", head=":orphan:", body=rst("include:: ../README.rst", INCLUDED["code"]))
    body = rst("include:: ../README.rst", INCLUDED["start-after"])
    project.document("marked", head=":orphan:", body=body)
    project.document("code", head=":orphan:", body=rst("literalinclude:: ../a.py", ":pyobject: f"))
    short = rst("literalinclude:: ../a.py", ":lines: 4-")
    project.document("lines", head=":orphan:", body=short)
    unmarked = README.replace(".. begin", "").replace(".. end", "")
    project.write({"README.rst": unmarked, "a.py": "print 'Python 2'\n"})
    project.commit(FIRST)
    project.write({"README.rst": README, "a.py": "import b\n\n\ndef f():\n    return 1\n"})
    project.commit(SECOND)
    log = project.build()
    assert log.warnings == ""
    assert dates(project) == {
        "code.html": SECOND,
        "index.html": FIRST,
        "lines.html": SECOND,
        "marked.html": FIRST,
        "text.html": FIRST,
    }


def test_a_difference_is_as_new_as_the_newer_of_its_files(site: Callable[..., Site]) -> None:
    project = site()
    body = rst("literalinclude:: ../new.py", ":diff: /../old.py")
    project.document("page", head=":orphan:", body=body)
    project.write({"new.py": "a = 1\nb = 3\n", "old.py": "a = 1\n"})
    project.commit(FIRST)
    project.write({"old.py": "a = 1\nb = 2\n"})
    project.commit(SECOND)
    project.build()
    assert dates(project) == {"index.html": FIRST, "page.html": SECOND}


def test_all_that_a_page_depends_on_is_not_all_of_a_file_of_which_it_shows_a_part(
    site: Callable[..., Site],
) -> None:
    project = site(sitemap_dependencies=True)
    project.write({"lute.py": CODE, "docs/map.png": "x"})
    body = rst("literalinclude:: ../lute.py", LITERAL["method"]) + "\n.. image:: map.png\n"
    project.document("code", head=":orphan:", body=body)
    project.document("image", head=":orphan:", body=".. image:: map.png")
    project.commit(FIRST)
    project.write({"docs/map.png": "y"})
    project.commit(SECOND, "docs/map.png")
    project.write({"lute.py": CODE.replace("A lute", "The lute")})
    project.commit(THIRD)
    project.build()
    assert dates(project) == {"code.html": SECOND, "image.html": SECOND, "index.html": FIRST}


def test_directives_that_others_made_from_include_note_their_parts(
    site: Callable[..., Site],
) -> None:
    module = """
from sphinx.directives.other import Include
class Readme(Include):
    required_arguments = 0
    def run(self):
        self.arguments = ["../README.rst"]
        self.options["start-after"] = "begin"
        return super().run()
def setup(app):
    app.add_directive("readme", Readme)
"""
    project = site(extensions=["readme", "sphinx_sitemapkit"])
    project.document("page", head=":orphan:", body=".. readme::\n")
    project.write({"src/readme.py": module, "README.rst": README})
    project.commit(FIRST)
    project.write({"README.rst": README.replace("break", "snap")})
    project.commit(SECOND)
    assert project.run("-q", "-W").returncode == 0
    assert dates(project)["page.html"] == FIRST


# Other documents


def days(site: Site) -> dict[str, int | None]:
    """Return the day of January 2021 on which each page changed, None for one without a date."""
    found = {path.removesuffix(".html"): date for path, date in dates(site).items()}
    assert all(date.startswith("2021-01-") for date in found.values() if date)
    return {name: int(date[8:10]) if date else None for name, date in found.items()}


def test_a_table_of_contents_has_the_date_of_its_own_text(site: Callable[..., Site]) -> None:
    project = site()
    project.document("index", body=rst("toctree::", ":glob:\n\nlutes\nmade/*"))
    project.write({"docs/lutes.rst": "Lutes\n=====\n"})
    project.commit(FIRST)
    project.write({"docs/lutes.rst": "My lutes\n========\n"})
    project.commit(SECOND)
    project.document("made/page")
    project.build()
    expected = {"index.html": FIRST, "lutes.html": SECOND, "made/page.html": None}
    assert dates(project) == expected


# Objects that autodoc documents


STRINGS = '''"""Strings of lutes."""

import functools


class String:
    """A string."""

    gauge = 0.4
    """In millimetres."""

    def __init__(self, pitch="g"):
        self.pitch = pitch

    @property
    def tension(self):
        """How hard it is pulled."""
        return 1 + 1

    @functools.cache
    def tune(self, pitch="g"):
        """Turn the peg."""
        return 2 + 2


class Course(String):
    """Two strings."""


GUT = "gut"
"""What they are made of."""


def bend(string):
    """Pull it."""
    return 3 + 3
'''
DOCUMENTED = {
    "module": ".. automodule:: lute.strings",
    "members": ".. automodule:: lute.strings\n   :members:",
    "class": ".. autoclass:: lute.String",
    "class-members": ".. autoclass:: lute.String\n   :members:",
    "inherited": ".. autoclass:: lute.strings.Course\n   :members:\n   :inherited-members:",
    "method": ".. automethod:: lute.String.tune",
    "property": ".. autoproperty:: lute.strings.String.tension",
    "data": ".. autodata:: lute.strings.GUT",
    "function": ".. autofunction:: lute.bend",
    "package": ".. automodule:: lute\n   :members:",  # shows nothing of what it imports
    "imported": ".. automodule:: lute\n   :members: bend\n   :imported-members:",
    "unlinked": ".. automodule:: lute.strings\n   :no-index:",
    "installed": ".. autofunction:: os.path.join",
    "untracked": ".. autofunction:: untracked.brew",
}


@pytest.fixture
def documenting(site: Callable[..., Site]) -> Site:
    """A site that documents a package in all ways."""
    project = site(extensions=["sphinx.ext.autodoc", "sphinx_sitemapkit"])
    for name, directive in DOCUMENTED.items():
        project.document(name, head=":orphan:", body=f"{directive}\n")
    project.write({"src/lute/strings.py": STRINGS})
    project.write({"src/lute/__init__.py": "from lute.strings import String, bend\n"})
    project.commit(FIRST)
    project.write({"src/untracked.py": "def brew(tea):\n    '''Not in git.'''\n"})
    return project


CODE_CHANGES = [
    ("Strings of lutes", "Gut strings"),
    ('"gut"', '"nylon"'),
    ("bend(string)", "bend(string, by=1)"),
    ("A string", "One string"),
    ('pitch="g"):\n        self', 'pitch="c"):\n        self'),
    ("How hard", "How much"),
    ("Turn the peg", "Turn a peg"),
    ("1 + 1", "1 + 1 + 0"),
    ("2 + 2", "2 + 2 + 0"),
    ("3 + 3", "3 + 3 + 0"),
]
"""Changes, one a day from the second on; nothing shows the last three."""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_page_of_autodoc_changes_with_what_it_shows_of_code(documenting: Site, jobs: str) -> None:
    code = STRINGS
    for day, (old, new) in enumerate(CODE_CHANGES, 2):
        code = code.replace(old, new)
        documenting.write({"src/lute/strings.py": code})
        documenting.commit(f"2021-01-{day:02}T00:00:00Z", "src/lute")
    assert documenting.run("-q", "-j", jobs).returncode == 0
    assert days(documenting) == {
        "class": 6,
        "class-members": 8,
        "data": 3,
        "function": 4,
        "imported": 4,
        "index": 1,
        "inherited": 8,
        "installed": 1,
        "members": 8,
        "method": 8,
        "module": 2,
        "package": 1,
        "property": 7,
        "unlinked": 2,
        "untracked": None,
    }


VALUES = '''import dataclasses
import enum
import typing

#: What strings
#: are made of.
GUT = "gut"

NYLON = "nylon"  #: A newer material.

PLAIN = "plain"  # It has no documentation.


@dataclasses.dataclass
class Peg:
    """Turns."""

    wood: str = "ebony"
    length: int = 60  # In millimetres.


class Fret(typing.NamedTuple):
    """Is tied."""

    number: int
    gauge: float = 0.9


class Tuning:
    """A tuning."""

    def __new__(cls, pitch=440):
        return super().__new__(cls)


class Voice(enum.Enum):
    """A voice."""

    HIGH = 1
    LOW = 2


class Rose:
    """A rose."""

    rings: int = 3
    pattern: str


class Bridge:
    """Holds the strings."""

    def __init__(self):
        #: How high it is.
        self.height = 7
        self.glue = "hide"
'''
SHOWING = {
    "gut": ".. autodata:: values.GUT",
    "nylon": ".. autodata:: values.NYLON",
    "undocumented": ".. autodata:: values.PLAIN",
    "peg": ".. autoclass:: values.Peg",
    "fret": ".. autoclass:: values.Fret",
    "tuning": ".. autoclass:: values.Tuning",
    "voice": ".. autoclass:: values.Voice",
    "voice-members": ".. autoclass:: values.Voice\n   :members:\n   :undoc-members:",
    "rose": ".. autoclass:: values.Rose",
    "rose-members": ".. autoclass:: values.Rose\n   :members:\n   :undoc-members:",
    "bridge": ".. autoclass:: values.Bridge\n   :members:",
    "all": ".. automodule:: values\n   :members:\n   :undoc-members:",
}
"""Pages that document what has no docstring of its own, by their names."""


VALUE_CHANGES = [
    ("#: What strings", "#: What most strings"),
    ("A newer material", "A new material"),
    ('"ebony"', '"boxwood"'),
    ("gauge: float = 0.9", "gauge: float = 0.8"),
    ("pitch=440", "pitch=415"),
    ("LOW = 2", "LOW = 3"),
    ("rings: int = 3", "rings: int = 5"),
    ("pattern: str", "pattern: object"),
    ("How high", "How low"),
    ("It has no doc", "It has had no doc"),
    ("In millimetres", "In mm"),
    ("super().__new__(cls)", "object.__new__(cls)"),
    ('"hide"', '"bone"'),
    ("most strings\n#: are", "most strings are"),
]
"""Changes, one a day from the second on; nothing shows the last five."""


def test_what_autodoc_shows_without_a_docstring_counts_and_nothing_else(
    site: Callable[..., Site],
) -> None:
    project = site(extensions=["sphinx.ext.autodoc", "sphinx_sitemapkit"])
    for name, directive in SHOWING.items():
        project.document(name, head=":orphan:", body=f"{directive}\n")
    code = VALUES
    project.write({"src/values.py": code})
    project.commit(FIRST)
    for day, (old, new) in enumerate(VALUE_CHANGES, 2):
        assert code.count(old) == 1
        code = code.replace(old, new)
        project.write({"src/values.py": code})
        project.commit(f"2021-01-{day:02}T00:00:00Z")
    assert project.run("-q").returncode == 0
    assert {name: day for name, day in days(project).items() if day != 1} == {
        "all": 10,
        "bridge": 10,
        "fret": 5,
        "gut": 2,
        "nylon": 3,
        "peg": 4,
        "rose-members": 9,
        "tuning": 6,
        "voice-members": 7,
    }


def test_values_count_whatever_a_handler_makes_of_their_signatures(
    site: Callable[..., Site],
) -> None:
    code = """
def setup(app):
    app.connect("autodoc-process-signature", lambda *_: ("", ""))
"""
    project = site(code=code, extensions=["sphinx.ext.autodoc", "sphinx_sitemapkit"])
    project.document("voice", head=":orphan:", body=SHOWING["voice-members"])
    project.write({"src/values.py": VALUES})
    project.commit(FIRST)
    project.write({"src/values.py": VALUES.replace("LOW = 2", "LOW = 3")})
    project.commit(SECOND)
    assert project.run("-q").returncode == 0
    assert dates(project) == {"index.html": FIRST, "voice.html": SECOND}


@pytest.mark.parametrize(("release", "day"), [(STRINGS, SECOND), (f"{STRINGS}\n", None)])
def test_code_counts_if_what_is_installed_is_a_copy_of_it_and_another_version_hides_the_date(
    documenting: Site, release: str, day: str | None
) -> None:
    documenting.write({"src/lute/strings.py": STRINGS.replace("How hard", "How much")})
    documenting.commit(FIRST, "src/lute")
    documenting.write({"src/lute/strings.py": STRINGS})
    documenting.commit(SECOND, "src/lute")
    installed = f"{documenting.root / 'installed'}{os.sep}"
    shutil.copytree(documenting.root / "src", installed)
    documenting.write({"installed/lute/strings.py": release})
    documenting.configure(
        f"import sys\nfrom textdates.parts import includes\n"
        f"includes.INSTALLED = ({installed!r},)\nsys.path.insert(0, {installed!r})"
    )
    assert documenting.run("-q").returncode == 0
    assert dates(documenting).get("class-members.html") == day


def test_an_incremental_build_knows_the_code_in_documents_that_it_does_not_read(
    documenting: Site,
) -> None:
    assert documenting.run("-q").returncode == 0
    documenting.document("module", head=":orphan:", body="No code.")
    documenting.write({"src/lute/strings.py": STRINGS.replace("Pull it", "Push it")})
    documenting.commit(SECOND, "docs", "src/lute")
    assert documenting.run("-q").returncode == 0
    found = dates(documenting)
    assert (found["module.html"], found["function.html"]) == (SECOND, SECOND)
    assert (found["data.html"], found["class.html"]) == (FIRST, FIRST)


@pytest.mark.parametrize("wanted", [True, "included"])
def test_what_is_installed_from_elsewhere_is_no_source_of_a_page(
    site: Callable[..., Site], wanted: bool | str
) -> None:
    project = site(extensions=["sphinx.ext.autodoc", "sphinx_sitemapkit"])
    folder = f"{project.root.parent / 'installed'}{os.sep}"
    project.configure(
        f"import sys\nfrom textdates.parts import includes\n"
        f"includes.INSTALLED = ({folder!r},)\nsys.path.insert(0, {folder!r})",
        sitemap_dependencies=wanted,
    )
    project.document("page", head=":orphan:", body=".. autofunction:: lute.strings.bend")
    project.commit(FIRST)
    project.write({f"{folder}lute/strings.py": STRINGS, f"{folder}lute/__init__.py": ""})
    said = project.run("-q", "-v").stderr
    assert dates(project)["page.html"] == FIRST
    assert "repository" not in said


# Pages that are made from code while the site is built


APIDOC = """
from sphinx.ext import apidoc

def setup(app):
    arguments = ["-q", "-f", "-e", "-o", {api!r}, {src!r}]
    app.connect("builder-inited", lambda _: apidoc.main(arguments))
"""
SCRIPT = """
from pathlib import Path

for name in ("strings", "pegs"):
    text = f"lute.{{name}}\\n=============\\n\\n.. automodule:: lute.{{name}}\\n   :members:\\n"
    Path({api!r}).mkdir(exist_ok=True)
    Path({api!r}, f"lute.{{name}}.rst").write_text(text)
"""
SUMMARY = ".. autosummary::\n   :toctree: api\n\n   lute.strings.bend\n   lute.pegs.turn\n"
AUTODOC, AUTOSUMMARY = "sphinx.ext.autodoc", "sphinx.ext.autosummary"
MAKING: dict[str, tuple[list[str], str, dict[str, int | None]]] = {
    "apidoc": ([AUTODOC], APIDOC, {"lute.strings": 4, "lute.pegs": 2, "modules": None}),
    "script": ([AUTODOC], SCRIPT, {"lute.strings": 4, "lute.pegs": 2}),
    "autosummary": (
        [AUTODOC, AUTOSUMMARY],
        "autosummary_generate = True",
        {"lute.strings.bend": 4, "lute.pegs.turn": 2},
    ),
}
"""Extensions and code that make pages, and the days on which these change."""


@pytest.mark.parametrize("way", MAKING)
def test_a_page_that_is_made_from_code_has_the_date_of_what_it_shows_of_it(
    site: Callable[..., Site], way: str
) -> None:
    extensions, code, expected = MAKING[way]
    project = site(extensions=[*extensions, "sphinx_sitemapkit"])
    paths = {"api": str(project.docs / "api"), "src": str(project.root / "src")}
    project.configure(code.format(**paths))
    project.document("list", head=":orphan:", body=SUMMARY if way == "autosummary" else "")
    files = {
        ".gitignore": "api\n",
        "src/lute/__init__.py": "",
        "src/lute/strings.py": STRINGS,
        "src/lute/pegs.py": "def turn():\n    '''Turn it.'''\n",
    }
    project.write(files)
    project.commit("2021-01-01T00:00:00Z")
    project.write({"src/lute/pegs.py": files["src/lute/pegs.py"].replace("it.", "them.")})
    project.commit("2021-01-02T00:00:00Z")
    strings = f"{STRINGS}\n\ndef tie(string):\n    '''Tie it.'''\n"
    project.write({"src/lute/strings.py": strings})
    project.commit("2021-01-03T00:00:00Z")
    project.write({"src/lute/strings.py": strings.replace("Pull it", "Push it")})
    project.commit("2021-01-04T00:00:00Z")
    project.write({"src/lute/strings.py": strings.replace("Pull it", "Push it") + "# the end\n"})
    project.commit("2021-01-05T00:00:00Z")
    for _ in range(2):  # the second build reads nothing anew
        assert project.run("-q").returncode == 0
        found = days(project)
        assert {name: found.get(f"api/{name}") for name in expected} == expected


TABLE = """\
def bend(string, fret=1, *, slowly=False):
    '''Pull it
    aside. Then let go.

    Not in a table.
    '''


class Peg:
    '''Holds a string.

    Not in a table.
    '''

    def __init__(self, radius, length=3, material="ebony", thickness=2, key=None, ring=None):
        pass

    def turn(self, far: bool):
        '''Turn it.

        Not in a table.
        '''
"""
ROWS = [
    ("Pull it\n    aside", "Push it aside", True),
    ("Then let go", "Let go", False),
    ("Not in a table", "In no table", False),
    ("fret=1, *", "frets=1, *", True),
    ("frets=1", "frets=2", False),
    ("Holds a", "Winds a", True),
    ("radius, length", "size, length", True),
    ("key=None, ring=None", "key=None, rings=None", False),  # there is no room for it
    ("far: bool", "far: int", False),
    ("Turn it.", "Turn it around.", True),
    ("        pass", "        self.size = size", False),
]
"""Changes, one a day from the second on, and whether they are seen in a table."""


def test_a_table_of_autosummary_shows_parameters_and_the_first_sentence(
    site: Callable[..., Site],
) -> None:
    project = site(extensions=["sphinx.ext.autosummary", "sphinx_sitemapkit"])
    table = ".. autosummary::\n\n   rows.bend\n   rows.Peg\n   rows.Peg.turn\n"
    project.document("table", head=":orphan:", body=table)
    both = f"{table}\n.. autoclass:: rows.Peg\n   :members:\n"
    project.document("both", head=":orphan:", body=both)
    code, expected, in_both = TABLE, 1, 1
    project.write({"src/rows.py": code})
    project.commit(FIRST)
    for day, (old, new, is_seen) in enumerate(ROWS, 2):
        assert old in code
        before, code = code, code.replace(old, new)
        project.write({"src/rows.py": code})
        project.commit(f"2021-01-{day:02}T00:00:00Z")
        expected = day if is_seen else expected
        in_class = before.partition("class")[2] != code.partition("class")[2]
        in_both = day if is_seen or (in_class and "pass" not in old) else in_both
        assert project.run("-q", "-E").returncode == 0
        assert (days(project)["table"], days(project)["both"]) == (expected, in_both), old


def test_a_page_that_is_made_of_something_unknown_has_no_date(site: Callable[..., Site]) -> None:
    project = site(extensions=["sphinx.ext.autodoc", "sphinx_sitemapkit"])
    project.write({".gitignore": "made.rst\n", "src/lute/strings.py": STRINGS})
    project.document("code", head=":orphan:", body=".. autofunction:: lute.strings.bend")
    project.commit("2021-01-01T00:00:00Z")
    project.document("made", head=":orphan:", body="Text that a script wrote.")
    project.document("untracked", head=":orphan:", body=".. autofunction:: lute.strings.bend")
    assert project.run("-q").returncode == 0
    assert {"code": 1, "made": None, "untracked": None}.items() <= days(project).items()
