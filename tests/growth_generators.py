"""Sites of generators with plugins as they grow, built in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .mkdocs.conftest import THEME
from .mkdocs.conftest import Site as MkDocsSite
from .repository import commit
from .sphinx.conftest import DEFAULTS
from .sphinx.conftest import Site as SphinxSite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BASE = "https://example.org/"


def mkdocs(size: int, folder: Path) -> Callable[[], object]:
    """Return a build of pages whose front matter is broken, and of one with code."""
    site = MkDocsSite(folder / "project")
    texts = {f"docs/p{n}.md": f"---\na: [\n---\n# P{n}\n[a](p0.md)\n" for n in range(size)}
    code = "".join(f'def a{n}():\n    """Tea."""\n\n\n' for n in range(size))
    site.write(
        {
            **texts,
            "theme/main.html": THEME,
            "theme/partials/content.html": "<h1" * size + " ",
            "docs/index.md": "# Home\n\n::: code",
            "src/code.py": code,
        }
    )
    python = {"handlers": {"python": {"paths": ["src"]}}}
    site.configure(
        site_name="A",
        site_url=BASE,
        theme={"name": None, "custom_dir": "theme"},
        plugins=[{"mkdocstrings": python}, {"sitemapkit": {"exclude": ["q*"]}}],
    )
    commit(site.root)
    return site.build


def mkdocs_without_url(size: int, folder: Path) -> Callable[[], object]:
    site = MkDocsSite(folder / "project")
    site.write({"theme/main.html": THEME, "docs/index.md": "# Home"})
    theme = {"name": None, "custom_dir": "theme"}
    site.configure(site_name="site_url " * size, theme=theme, plugins=["sitemapkit"])
    return site.build


def pelican(size: int, folder: Path) -> Callable[[], object]:
    """Return a build of articles with as many tags, and regular expressions of a former plugin."""
    from .pelican import conftest as own_site  # noqa: PLC0415 - Pelican changes loggers of others

    site = own_site.Site(folder / "project")
    for number in range(size):
        head = f"Title: Tea {number}\nDate: 2024-01-02\nTags: t{number}, t{number + 1}\n"
        site.write({f"content/a{number}.md": f"{head}Template: own\n\nWords {number}.\n"})
    own = "{% for %" * size + "{% for a in articles %}{{ a.metadata.b }}{% endfor %}"
    site.write({"templates/own.html": f"{{% extends 'article.html' %}}{{# {own} #}}"})
    site.settings = {
        "SITENAME": "Site",
        "SITEURL": BASE.rstrip("/"),
        "TIMEZONE": "UTC",
        "THEME": str(own_site.THEME),
        "THEME_TEMPLATES_OVERRIDES": [str(site.root / "templates")],
        "PLUGINS": ["pelican_sitemapkit"],
        "SITEMAP": {"format": "xml", "exclude": [f"^b{n}$" for n in range(9)]},
    }
    commit(site.root)
    return site.build


def sphinx(size: int, folder: Path) -> Callable[[], object]:
    """Return a build of documents that include as many texts and show as much code."""
    site = SphinxSite(folder / "project")
    site.write({"docs/code.py": "".join(f'class A{n}:\n    """Tea."""\n\n\n' for n in range(size))})
    site.write({"docs/part.txt": "".join(f"a{n}\n" for n in range(size))})
    for number in range(size):
        site.document(
            f"p{number}",
            head=":orphan:",
            body=".. meta::\n   :robots: noarchive\n\n.. image:: a.png\n\n"
            f".. include:: part.txt\n   :start-after: a{number}\n\n"
            f".. literalinclude:: code.py\n   :pyobject: A{number}\n\n"
            f".. autoclass:: code.A{number}\n",
        )
    site.document("index")
    code = "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent))\n"
    settings: dict[str, Any] = {
        **DEFAULTS,
        "extensions": ["sphinx_sitemapkit", "sphinx.ext.autodoc", "sphinx.ext.autosummary"],
        "sitemap_url_scheme": "{link}",
        "language": "de",
    }
    site.configure(code, **settings)
    commit(site.root)
    return site.build


GENERATORS = {
    "MkDocs": mkdocs,
    "MkDocs without site_url": mkdocs_without_url,
    "Pelican": pelican,
    "Sphinx": sphinx,
}
