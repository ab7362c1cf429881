"""Dates of pages that show parts of files: a page is as new as the text that it shows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

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
