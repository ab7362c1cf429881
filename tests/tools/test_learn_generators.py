"""`sitemapkit learn` with the three generators: in one history each cause of a change, and of none.

Commits of one day have one cause each. What the days of the pages must be is the same for all.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ..textdates.git.conftest import Moved, Repo
from .conftest import run
from .past import dated, without_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ..textdates.git.conftest import Content

    History = dict[int, dict[str, Content]]

DAYS = {
    "include": 2,
    "part": 3,
    "code": 5,  # shown by an API page, or by a macro
    "markup": 1,
    "link": 1,
    "listed": 8,
    "index": 8,
    "white": 9,
    "reverted": 11,
    "moved": 1,
    "plain": 14,
}
"""The day of each page; on day 4 a part that is not shown changes, on day 13 the theme."""

PART = "from here\n{shown}\nto here\n{rest}\n"

MKDOCS_HOOK = """
import re
from pathlib import Path

def on_page_markdown(text, page, config, files):
    def included(found):
        text = Path("texts", found[1]).read_text()
        return text.partition("from here")[2].partition("to here")[0] if found[2] else text
    text = re.sub(r"INCLUDE (\\S+)( PART)?", included, text)
    text = text.replace("VERSION", Path("code.py").read_text())
    return text.replace("LISTING", Path("docs/listed.md").read_text().partition("\\n")[0])
"""


def mkdocs() -> History:
    settings = {
        "site_name": "Tea",
        "site_url": "https://example.org/",
        "theme": "mkdocs",
        "hooks": ["hook.py"],
        "plugins": [{"sitemapkit": {"ledger": "sitemap-ledger.txt"}}],
    }
    return {
        1: {
            "mkdocs.yml": json.dumps(settings),
            "hook.py": MKDOCS_HOOK,
            "code.py": "1.0",
            "texts/whole.md": "Old",
            "texts/part.md": PART.format(shown="Old", rest="Old"),
            "docs/index.md": "# Home\n\nLISTING\n",
            "docs/include.md": "# Include\n\nINCLUDE whole.md\n",
            "docs/part.md": "# Part\n\nINCLUDE part.md PART\n",
            "docs/code.md": "# Code\n\nVERSION\n",
            "docs/markup.md": "# Markup\n\n*Tea* is good.\n\n* black\n* green\n",
            "docs/link.md": "# Link\n\n[Plain](plain.md)\n",
            "docs/listed.md": "# Old\n\nText\n",
            "docs/white.md": "# White\n\n```\nif tea:\n    drink()\n```\n",
            "docs/reverted.md": "# Reverted\n\nOld\n",
            "docs/before.md": "# Moved\n\n[Plain](plain.md)\n",
            "docs/plain.md": "# Plain\n\nOld\n",
        },
        2: {"texts/whole.md": "New"},
        3: {"texts/part.md": PART.format(shown="New", rest="Old")},
        4: {"texts/part.md": PART.format(shown="New", rest="New")},
        5: {"code.py": "2.0"},
        6: {"docs/markup.md": "Markup\n======\n\n_Tea_ is\ngood.\n\n- black\n- green\n"},
        7: {"docs/link.md": "# Link\n\n[Plain](./plain.md#plain)\n"},
        8: {"docs/listed.md": "# New\n\nText\n"},
        9: {"docs/white.md": "# White\n\n```\nif tea:\n  drink()\n```\n"},
        10: {"docs/reverted.md": "# Reverted\n\nNew\n"},
        11: {"docs/reverted.md": "# Reverted\n\nOld\n"},
        12: {"docs/moved.md": Moved("docs/before.md")},
        13: {"mkdocs.yml": json.dumps({**settings, "theme": "readthedocs", "site_name": "Cups"})},
        14: {"docs/plain.md": "# Plain\n\nNew\n"},
    }


PELICANCONF = """
from pathlib import Path
from pelican import signals

PATH = "content"
SITENAME = "Tea"
SITEURL = "https://example.org"
TIMEZONE = "UTC"
DEFAULT_PAGINATION = False
ARTICLE_URL = "{slug}/"
ARTICLE_SAVE_AS = "{slug}/index.html"
THEME = "notmyidea"
PLUGINS = ["pelican_sitemapkit"]
SITEMAP = {"ledger": "sitemap-ledger.txt", "exclude": ["author/", "category/"]}
DIRECT_TEMPLATES = ["index"]
AUTHOR_SAVE_AS = CATEGORY_SAVE_AS = ""

def insert(content):
    text = vars(content).get("_content") or ""
    vars(content)["_content"] = text.replace("VERSION", Path("code.py").read_text())

signals.content_object_init.connect(insert)
"""


def pelican() -> History:
    def article(title: str, text: str) -> str:
        head = f":slug: {title.lower()}\n:date: 2023-01-01\n:category: Tea\n"
        return f"{title}\n{'=' * 20}\n\n{head}\n{text}\n"

    code = ".. code::\n\n   if tea:\n{indent}drink()\n"
    listed = article("Listed", "Old").replace("Listed\n", "{title}\n")
    return {
        1: {
            "pelicanconf.py": PELICANCONF,
            "code.py": "1.0",
            "texts/whole.txt": "Old",
            "texts/part.txt": PART.format(shown="Old", rest="Old"),
            "content/include.rst": article("Include", ".. include:: ../texts/whole.txt"),
            "content/part.rst": article(
                "Part",
                ".. include:: ../texts/part.txt\n"
                "   :start-after: from here\n   :end-before: to here",
            ),
            "content/code.rst": article("Code", "VERSION"),
            "content/markup.rst": article("Markup", "*Tea* is good.\n\n* black\n* green"),
            "content/link.rst": article("Link", "`Plain <{filename}plain.rst>`_"),
            "content/listed.rst": listed.format(title="Old"),
            "content/white.rst": article("White", code.format(indent=" " * 7)),
            "content/reverted.rst": article("Reverted", "Old"),
            "content/before.rst": article("Moved", "`Plain <{filename}plain.rst>`_").replace(
                "slug: moved", "slug: before"
            ),
            "content/plain.rst": article("Plain", "Old"),
        },
        2: {"texts/whole.txt": "New"},
        3: {"texts/part.txt": PART.format(shown="New", rest="Old")},
        4: {"texts/part.txt": PART.format(shown="New", rest="New")},
        5: {"code.py": "2.0"},
        6: {"content/markup.rst": article("Markup", "*Tea* is\ngood.\n\n- black\n- green")},
        7: {"content/link.rst": article("Link", "`Plain <{filename}/plain.rst>`__")},
        8: {"content/listed.rst": listed.format(title="New")},
        9: {"content/white.rst": article("White", code.format(indent=" " * 5))},
        10: {"content/reverted.rst": article("Reverted", "New")},
        11: {"content/reverted.rst": article("Reverted", "Old")},
        12: {
            "content/before.rst": None,
            "content/moved.rst": article("Moved", "`Plain <{filename}plain.rst>`_"),
        },
        13: {"pelicanconf.py": PELICANCONF.replace("notmyidea", "simple").replace("Tea", "Cups")},
        14: {"content/plain.rst": article("Plain", "New")},
    }


CONF = """
import os, sys
project = "Tea"
extensions = ["sphinx_sitemapkit", "sphinx.ext.autodoc"]
html_theme = "alabaster"
html_baseurl = "https://example.org/"
sitemap_ledger = "../sitemap-ledger.txt"
"""


def sphinx() -> History:
    def page(title: str, text: str) -> str:
        return f"{title}\n{'=' * 20}\n\n{text}\n"

    code = "::\n\n   if tea:\n{indent}drink()\n"
    names = "".join(f"   {name}\n" for name in DAYS if name not in ("index", "moved"))
    tree = f":doc:`listed`\n\n.. toctree::\n\n{names}"
    return {
        1: {
            "docs/conf.py": CONF,
            "src/teapot.py": 'def pour():\n    """Old."""\n',
            "texts/whole.txt": "Old",
            "texts/part.txt": PART.format(shown="Old", rest="Old"),
            "docs/index.rst": page("Home", tree),
            "docs/include.rst": page("Include", ".. include:: ../texts/whole.txt"),
            "docs/part.rst": page("Part", ".. literalinclude:: ../texts/part.txt\n   :lines: 2"),
            "docs/code.rst": page("Code", ".. automodule:: teapot\n   :members:"),
            "docs/markup.rst": page("Markup", "*Tea* is good.\n\n* black\n* green"),
            "docs/link.rst": page("Link", ":doc:`plain`"),
            "docs/listed.rst": page("Old", "Text"),
            "docs/white.rst": page("White", code.format(indent=" " * 7)),
            "docs/reverted.rst": page("Reverted", "Old"),
            "docs/before.rst": ":orphan:\n\n" + page("Moved", ":doc:`plain`"),
            "docs/plain.rst": page("Plain", "Old"),
        },
        2: {"texts/whole.txt": "New"},
        3: {"texts/part.txt": PART.format(shown="New", rest="Old")},
        4: {"texts/part.txt": PART.format(shown="New", rest="New")},
        5: {"src/teapot.py": 'def pour():\n    """New."""\n'},
        6: {"docs/markup.rst": page("Markup", "*Tea* is\ngood.\n\n- black\n- green")},
        7: {"docs/link.rst": page("Link", ":doc:`Plain </plain>`")},
        8: {"docs/listed.rst": page("New", "Text")},
        9: {"docs/white.rst": page("White", code.format(indent=" " * 5))},
        10: {"docs/reverted.rst": page("Reverted", "New")},
        11: {"docs/reverted.rst": page("Reverted", "Old")},
        12: {"docs/moved.rst": Moved("docs/before.rst")},
        13: {"docs/conf.py": CONF.replace("alabaster", "basic").replace('"Tea"', '"Cups"')},
        14: {"docs/plain.rst": page("Plain", "New")},
    }


@pytest.mark.slow
@pytest.mark.parametrize("site", [mkdocs, pelican, sphinx], ids=lambda site: site.__name__)
def test_all_dates_are_exact_whatever_changed(
    site: Callable[[], History], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in without_settings().items():
        monkeypatch.setenv(name, value)
    repo, history = Repo(tmp_path / "repo"), site()
    for day, files in history.items():
        repo.commit(day, files)
    repo.save()
    outcome = run("learn", repo.folder)
    assert outcome.code == 0, outcome.stderr
    found = dated(repo.folder / "sitemap-ledger.txt")
    # the front page of a blog shows the text of the newest articles, or their summaries
    assert found == (DAYS | {"index": 14} if site is pelican else DAYS), outcome.stdout
    assert repo.git("status", "--porcelain") == "?? sitemap-ledger.txt"
