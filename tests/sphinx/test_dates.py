"""Dates: a document's own source, what it includes or documents, its catalogue, its digest."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

pytestmark = pytest.mark.slow

FIRST, SECOND, THIRD = "2021-01-01T00:00:00Z", "2022-02-02T00:00:00Z", "2023-03-03T00:00:00Z"


def dates(site: Site, builder: str = "html") -> dict[str, str | None]:
    return {path: entry.get("lastmod") for path, entry in site.entries(builder).items()}


def test_a_page_is_dated_by_the_last_commit_that_changed_its_source(
    site: Callable[..., Site],
) -> None:
    project = site("a", "übung")
    project.commit(FIRST)
    project.document("übung", head=":orphan:", body="More.")
    project.commit(SECOND)
    project.build()
    assert dates(project) == {"a.html": FIRST, "index.html": FIRST, "%C3%BCbung.html": SECOND}


INCLUDES = {
    "include": ".. include:: ../shared/hint.txt",
    "literal": ".. include:: ../shared/hint.txt\n   :literal:",
    "code": ".. include:: ../shared/hint.txt\n   :code: text",
    "nested": ".. note::\n\n   .. include:: ../shared/outer.rst",
    "table": ".. csv-table::\n   :file: ../shared/hint.txt",
    "html": ".. raw:: html\n   :file: ../shared/hint.txt",
    "parsed": ".. include:: ../shared/hint.txt\n   :parser: myst_parser.sphinx_",
}
MYST_INCLUDES = {
    "include": "```{include} ../shared/hint.txt\n```",
    "literal": "```{include} ../shared/hint.txt\n:literal:\n```",
    "reST": "```{eval-rst}\n.. include:: ../shared/hint.txt\n```",
}


@pytest.fixture
def including(site: Callable[..., Site]) -> Site:
    """A site of pages that take in one text, which changed later, each in another way."""
    pytest.importorskip("myst_parser")
    project = site("other", extensions=["myst_parser", "sphinx_sitemapkit"])
    for name, body in INCLUDES.items():
        project.document(f"rst/{name}", head=":orphan:", body=body.replace("../", "../../"))
    for name, body in MYST_INCLUDES.items():
        text = body.replace("../", "../../")
        project.write({f"docs/md/{name}.md": f"---\norphan: true\n---\n\n# {name}\n\n{text}\n"})
    project.write(
        {"shared/hint.txt": "A hint.", "shared/outer.rst": ".. include:: /../shared/hint.txt\n"}
    )
    project.commit(FIRST)
    project.write({"shared/hint.txt": "A better hint."})
    project.commit(SECOND)
    return project


OF_MYST = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")


@OF_MYST
@pytest.mark.parametrize("jobs", ["1", "4"])
def test_text_that_a_document_takes_in_is_its_own(including: Site, jobs: str) -> None:
    assert including.run("-q", "-j", jobs).returncode == 0
    new = {
        *(f"rst/{name}.html" for name in INCLUDES),
        *(f"md/{name}.html" for name in MYST_INCLUDES),
    }
    assert dates(including) == dict.fromkeys(new, SECOND) | {
        "index.html": FIRST,
        "other.html": FIRST,
    }
    including.build(sitemap_dependencies="0")
    assert {*dates(including).values()} == {FIRST}
    including.build(sitemap_dependencies="included")
    assert {page for page, date in dates(including).items() if date == SECOND} == new


@OF_MYST
def test_an_incremental_build_knows_what_documents_include_that_it_does_not_read(
    including: Site,
) -> None:
    including.build()
    before = dates(including)
    including.document("other", head=":orphan:", body="More.")
    including.commit(THIRD)
    including.build()
    assert dates(including) == before | {"other.html": THIRD}
    including.document("rst/include", head=":orphan:", body="No text of others.")
    including.commit("2020-01-01T00:00:00Z")
    including.build()
    assert dates(including)["rst/include.html"] == "2020-01-01T00:00:00Z"


def test_a_file_of_link_targets_and_substitutions_is_no_text_of_the_documents_that_include_it(
    site: Callable[..., Site],
) -> None:
    project = site("other")
    body = ".. include:: links.inc\n\nA `link`_ for the |product|.\n"
    project.document("page", head=":orphan:", body=body)
    links = ".. _link: https://example.org/\n.. |product| replace:: *Lute*\n.. a comment\n"
    project.write({"docs/links.inc": links})
    project.commit(FIRST)
    project.write({"docs/links.inc": f"{links}.. _more: https://example.org/more\n"})
    project.commit(SECOND)
    project.build()
    assert dates(project)["page.html"] == FIRST
    project.build(sitemap_dependencies="1")
    assert dates(project)["page.html"] == SECOND


def test_definitions_that_are_no_files_in_git_take_no_date_away(
    site: Callable[..., Site],
) -> None:
    project = site()
    project.document("page", head=":orphan:", body=".. include:: made.txt\n\n|a| and |b|.")
    project.configure('rst_prolog = "\\n.. |b| replace:: " + "of " + "parts"')
    project.commit(FIRST)
    project.write({"docs/made.txt": ".. |a| replace:: Made\n"})
    project.build()
    assert dates(project)["page.html"] == FIRST


DEFINES = """
TEXT = '''
.. |a| replace:: Lyre
'''
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
class Defines(Directive):
    def run(self):
        lines = StringList(TEXT.splitlines(), {!r})
        self.state.nested_parse(lines, 0, self.state.parent)
        return []
def setup(app):
    app.add_directive("defines", Defines)
"""


@pytest.mark.parametrize("origin", ["<rst_prolog>", "docs/lyre.py:docstring of lyre.Lyre"])
def test_code_may_define_substitutions_under_any_name(
    site: Callable[..., Site], origin: str
) -> None:
    project = site()
    project.document("page", head=":orphan:", body=".. defines::\n\nA |a|.")
    project.configure(DEFINES.format(origin))
    project.commit(FIRST)
    project.configure(DEFINES.format(origin).replace("Lyre", "Harp"))
    project.commit(SECOND)
    project.build()
    assert dates(project)["page.html"] == FIRST


GALLERY = """
def setup(app):
    app.add_config_value("sphinx_gallery_conf", {}, "html")
"""


def test_a_page_of_sphinx_gallery_has_the_date_of_its_example(site: Callable[..., Site]) -> None:
    project = site()
    galleries = {"examples_dirs": ["examples", "../more"], "gallery_dirs": ["auto", "auto_more"]}
    project.configure(GALLERY, sphinx_gallery_conf=galleries, exclude_patterns=["examples"])
    example = '"""\nTea\n===\n"""\nprint(1)\n'
    texts = {
        "docs/examples/README.txt": "Gallery\n=======\n",
        "docs/examples/plot_tea.py": example,
        "docs/examples/pots/plot_pot.py": example,
        "more/plot_cup.py": example,
        "more/README.rst": "More\n====\n",
    }
    project.write(texts)
    project.commit(FIRST)
    project.write({"docs/examples/pots/plot_pot.py": f"{example}print(2)\n"})
    project.commit(SECOND)
    cup = example.replace("Tea", "Cups")
    project.write({"more/plot_cup.py": f"{cup}print(2)\n"})
    project.write({"docs/examples/unused.py": example})
    project.commit(THIRD)
    for name in (
        *("auto/index", "auto/plot_tea", "auto/pots/plot_pot"),
        *("auto_more/plot_cup", "auto_more/index"),
    ):
        project.document(name, head=":orphan:")
    project.document("auto/other", head=":orphan:")
    project.build()
    assert dates(project) == {
        "auto/index.html": FIRST,
        "auto/other.html": None,
        "auto/plot_tea.html": FIRST,
        "auto/pots/plot_pot.html": SECOND,
        "auto_more/index.html": THIRD,
        "auto_more/plot_cup.html": THIRD,
        "index.html": FIRST,
    }


@pytest.mark.parametrize("body", ["No picture.", "A |lute|."])
def test_a_picture_that_a_document_could_show_is_no_text_of_it(
    site: Callable[..., Site], body: str
) -> None:
    project = site()
    project.document("page", head=":orphan:", body=f".. include:: pictures.inc\n\n{body}\n")
    pictures = ".. |lute| image:: lute.svg\n   :alt: A lute\n"
    project.write({"docs/pictures.inc": pictures, "docs/lute.svg": "<svg/>"})
    project.commit(FIRST)
    project.write({"docs/pictures.inc": pictures.replace("lute.svg", "oud.svg")})
    project.write({"docs/oud.svg": "<svg/>"})
    project.commit(SECOND)
    project.build()
    assert dates(project)["page.html"] == FIRST


def test_a_page_with_text_of_unknown_age_has_no_date(site: Callable[..., Site]) -> None:
    project = site("other")
    project.document("page", head=":orphan:", body=".. include:: made.txt")
    project.commit(FIRST)
    project.write({"docs/made.txt": "Made by the build."})
    project.build()
    assert dates(project) == {"index.html": FIRST, "other.html": FIRST, "page.html": None}


def test_all_of_a_documented_module_counts_where_the_option_says_so(
    site: Callable[..., Site],
) -> None:
    project = site(extensions=["sphinx_sitemapkit", "sphinx.ext.autodoc"])
    project.document("api", head=":orphan:", body=".. automodule:: lute\n   :members:\n")
    module = '"""A lute."""\nfrom enum import Enum\nclass Course(Enum):\n    """Strings."""\n'
    project.write({"src/lute.py": module})
    project.commit(FIRST)
    project.write({"src/lute.py": f"{module}assert Course\n"})
    project.commit(SECOND)
    project.run("-q")
    assert dates(project)["api.html"] == FIRST
    project.run("-q", "-D", "sitemap_dependencies=true")
    assert dates(project) == {"api.html": SECOND, "index.html": FIRST}


def test_an_incremental_build_knows_the_dependencies_of_documents_it_does_not_read(
    site: Callable[..., Site],
) -> None:
    project = site("other", sitemap_dependencies=True)
    project.document("page", head=":orphan:", body=".. literalinclude:: hint.txt")
    project.write({"docs/hint.txt": "A hint."})
    project.commit(FIRST)
    project.build()
    project.document("other", head=":orphan:", body="More.")
    project.commit(SECOND, "docs/other.rst")
    project.write({"docs/unrelated.txt": "x"})
    project.build()
    assert dates(project) == {"index.html": FIRST, "other.html": SECOND, "page.html": FIRST}


def test_a_dependency_that_links_to_itself_is_no_file(site: Callable[..., Site]) -> None:
    project = site(sitemap_dependencies=True)
    project.document("page", head=":orphan:", body=".. literalinclude:: loop.txt")
    (project.docs / "loop.txt").symlink_to("loop.txt")
    project.commit(FIRST)
    project.build()
    assert dates(project) == {"index.html": FIRST, "page.html": FIRST}


PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "%s"\nmsgstr "%s"\n'


@pytest.fixture
def translated(site: Callable[..., Site]) -> Site:
    """A site in German: a top-level page with a catalogue of its own, two that share one."""
    project = site("sub/a", "sub/b", language="de", locale_dirs=["locale"])
    project.document("page", head=":orphan:", body="Text.")
    messages = "docs/locale/de/LC_MESSAGES"
    project.commit(FIRST)
    project.write({f"{messages}/page.po": PO % ("Text.", "Wörter.")})
    project.write({f"{messages}/sub.po": PO % ("sub/a", "Unten")})
    project.commit(SECOND)
    return project


def test_a_catalogue_of_its_own_dates_a_translated_page(translated: Site) -> None:
    translated.build()
    assert "Wörter" in (translated.out() / "page.html").read_text("utf-8")
    assert dates(translated)["page.html"] == SECOND


def test_the_report_names_the_part_of_an_included_file_that_decided(
    site: Callable[..., Site],
) -> None:
    project = site(sitemap_report="report.json")
    body = ".. literalinclude:: tea.py\n   :pyobject: brew"
    project.document("page", head=":orphan:", body=body)
    for day, minutes in ((FIRST, 2), (SECOND, 3)):
        project.write({"docs/tea.py": f"def brew():\n    return {minutes}\n"})
        project.commit(day)
    project.build()
    report = json.loads((project.docs / "report.json").read_text("utf-8"))
    (decided,) = (each["lastmod"] for url, each in report["origins"].items() if "page" in url)
    assert decided.startswith(f"pyobject brew of {project.docs / 'tea.py'}, commit ")


def test_a_catalogue_in_which_nothing_is_translated_dates_no_page(translated: Site) -> None:
    messages = translated.docs / "locale/de/LC_MESSAGES"
    for name, translation in (("index", ""), ("page", "Wörter.")):
        more = '\nmsgid "index"\nmsgstr "index"\n\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n'
        text = PO % ("Text.", translation) + more
        (messages / f"{name}.po").write_text(text, "utf-8")
    translated.commit(THIRD)
    translated.build()
    assert dates(translated) == {
        "index.html": FIRST,
        "page.html": SECOND,
        "sub/a.html": FIRST,
        "sub/b.html": FIRST,
    }


def test_an_update_of_the_references_in_a_catalogue_is_no_change(translated: Site) -> None:
    catalogue = translated.docs / "locale/de/LC_MESSAGES/page.po"
    old = catalogue.read_text("utf-8")
    catalogue.write_text(old.replace('msgid "Text', '#: ../../page.rst:3\nmsgid "Text'), "utf-8")
    translated.commit(THIRD)
    translated.build()
    assert dates(translated)["page.html"] == SECOND


def test_a_catalogue_that_pages_share_counts_only_as_a_dependency(translated: Site) -> None:
    translated.build()
    assert dates(translated)["sub/a.html"] == FIRST
    translated.build(sitemap_dependencies="1")
    assert dates(translated) == {
        "index.html": FIRST,
        "page.html": SECOND,
        "sub/a.html": SECOND,
        "sub/b.html": SECOND,
    }


def test_compiled_catalogues_make_no_difference_between_the_first_build_and_the_second(
    translated: Site,
) -> None:
    translated.configure(sitemap_dependencies=True)
    translated.build()
    translated.commit(THIRD, "docs/locale")  # the .mo files that the first build compiled
    before = translated.sitemap().read_bytes()
    translated.build()
    os.utime(translated.root / "docs/sub/a.rst")  # Sphinx reads it again
    translated.build()
    assert translated.sitemap().read_bytes() == before


def test_stray_folders_among_the_languages_do_no_harm(translated: Site) -> None:
    translated.write({"docs/locale/.git/x": "", "docs/locale/README": "", "docs/locale/zz/y": ""})
    translated.build()
    assert dates(translated)["page.html"] == SECOND
    assert "hreflang" not in translated.sitemap().read_text()


@pytest.mark.parametrize("case", ["no repository", "untracked", "shallow", "no git"])
def test_what_cannot_be_known_is_left_out_and_a_strict_build_passes(
    site: Callable[..., Site], tmp_path: Path, case: str
) -> None:
    project = site("a", "b")
    project.write({"docs/old.txt": "Text that is older.\n"})
    environment: dict[str, str] = {"GIT_CEILING_DIRECTORIES": str(tmp_path)}
    if case != "no repository":
        project.commit(FIRST)
    if case == "untracked":
        project.document("new", head=":orphan:")
    if case == "shallow":
        project.git("commit", "--quiet", "--allow-empty", "--message=x", date=FIRST)
        project.document("b", head=":orphan:", body="More.\n\n.. include:: old.txt\n")
        project.commit(SECOND)
        clone_shallowly(project)
    if case == "no git":
        environment["PATH"] = str(tmp_path)
    done = project.run("-W", env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        dates(project)
        == {
            "no repository": {"a.html": None, "b.html": None, "index.html": None},
            "untracked": {"a.html": FIRST, "b.html": FIRST, "index.html": FIRST, "new.html": None},
            "shallow": {"a.html": None, "b.html": SECOND, "index.html": None},
            "no git": {"a.html": None, "b.html": None, "index.html": None},
        }[case]
    )


def clone_shallowly(project: Site) -> None:
    """Do as Read the Docs: clone one commit, then fetch some more; here, one more."""
    whole = project.root.with_name("whole")
    project.root.rename(whole)
    project.root.mkdir()
    project.git("clone", "--quiet", "--depth=1", whole.as_uri(), ".")
    project.git("fetch", "--quiet", "--depth=2")


def test_a_shallow_clone_is_mentioned_once(site: Callable[..., Site]) -> None:
    project = site("a", "b", "c")
    project.commit(FIRST)
    project.git("commit", "--quiet", "--allow-empty", "--message=x", date=SECOND)
    project.git("commit", "--quiet", "--allow-empty", "--message=x", date=THIRD)
    clone_shallowly(project)
    assert project.run("-W").stdout.count("The clone is shallow") == 1


def test_a_site_on_a_single_page_is_as_new_as_its_newest_document(
    site: Callable[..., Site],
) -> None:
    project = site("a", "b")
    project.document("index", body=".. toctree::\n\n   a\n")
    project.commit(FIRST)
    project.document("a", head=":orphan:", body="More.")
    project.commit(SECOND)
    project.document("b", head=":orphan:", body="This is in no toctree, and so not on the page.")
    project.commit(THIRD)
    project.build("singlehtml")
    assert dates(project, "singlehtml") == {"": SECOND}


def test_pages_made_from_templates_or_by_extensions_have_no_date(
    site: Callable[..., Site],
) -> None:
    project = site(
        "shop",
        templates_path=["_templates"],
        html_additional_pages={"shop": "shop.html", "more": "shop.html"},
        sitemap_include=["genindex.html"],
    )
    project.write({"docs/_templates/shop.html": "<html></html>"})
    project.commit(FIRST)
    project.build()
    assert dates(project) == {
        "genindex.html": None,
        "index.html": FIRST,
        "more.html": None,
        "shop.html": None,
    }


def test_the_index_of_a_split_sitemap_is_as_new_as_its_children(site: Callable[..., Site]) -> None:
    project = site("a/x", "b/x", sitemap_max_urls=2)
    project.commit(FIRST)
    project.document("b/x", head=":orphan:", body="More.")
    project.commit(SECOND)
    project.build()
    index = project.sitemap().read_text()
    assert f"sitemap-b.xml</loc><lastmod>{SECOND}<" in index
    assert f"sitemap-a.xml</loc><lastmod>{FIRST}<" in index


def test_the_time_of_the_build_is_nowhere_in_the_file(
    site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = site("a", html_last_updated_fmt="%Y-%m-%d")
    built: set[bytes] = set()
    for epoch in ("1700000000", "1750000000"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        project.build()
        built.add(project.sitemap().read_bytes())
        shutil.rmtree(project.out())
    assert len(built) == 1


def test_with_a_ledger_a_page_is_new_when_its_text_is(
    site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = site("a", "b", "c", sitemap_ledger="ledger.txt", sitemap_lastmod=["ledger"])
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1600000000")
    project.build()
    before = dates(project)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    project.document("a", head=":orphan:\n:priority: 0.3", body=".. a comment\n")
    project.document("b", head=":orphan:", body="More.")
    project.configure(html_theme="alabaster", html_title="Another title", version="2")
    project.build()
    after = dates(project)
    assert {path for path in after if after[path] != before[path]} == {"b.html"}
    assert (after["b.html"] or "").startswith("2023-11-14")


def test_parallel_readers_hand_over_the_digests(site: Callable[..., Site]) -> None:
    project = site(*(f"page{number}" for number in range(20)), sitemap_ledger="ledger.txt")
    ledger = project.docs / "ledger.txt"
    ledgers: set[str] = set()
    for jobs in ("1", "4"):
        ledger.unlink(missing_ok=True)
        environment = {"SOURCE_DATE_EPOCH": "1700000000"}
        assert project.run("-q", "-W", "-E", "-j", jobs, env=environment).returncode == 0
        ledgers.add(ledger.read_text())
    assert len(ledgers) == 1
    assert ledgers.pop().count("/page") == 20


def test_elements_of_extensions_may_say_anything_of_their_source(
    site: Callable[..., Site],
) -> None:
    module = """
from docutils import nodes
from sphinx.util.docutils import SphinxDirective
class Odd(SphinxDirective):
    def run(self):
        block = nodes.literal_block("x", "x", source=["x"])
        block.source = object()
        return [block]
def setup(app):
    app.add_directive("odd", Odd)
"""
    project = site(extensions=["odd", "sphinx_sitemapkit"])
    project.document("page", head=":orphan:", body=".. odd::\n\n.. include:: hint.txt\n")
    project.write({"src/odd.py": module, "docs/hint.txt": "A hint."})
    project.commit(FIRST)
    assert project.run("-q").returncode == 0
    assert dates(project)["page.html"] == FIRST
