"""The generators that a plugin of ours is for: it knows what finished sites do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Plugin(NamedTuple):
    """A generator, how to know its sites, and what to add to its settings."""

    name: str
    mark: str
    """A pattern of how its name begins in the head of a page."""

    landmarks: tuple[str, ...]
    """Files of its sites, each of which is of no other generator."""

    beside: str
    """A file beside its sites that is of no other generator; "" if there is none."""

    settings: tuple[str, ...]
    line: str
    sites: tuple[str, ...]
    """Where its sites usually are, beside the settings or above them."""


PLUGINS = (
    Plugin(
        "MkDocs",
        "(?:mkdocs|properdocs)-",
        ("search/search_index.json",),
        "",
        ("mkdocs.yml", "properdocs.yml"),
        "`sitemapkit` in the `plugins` of mkdocs.yml",
        ("site",),
    ),
    Plugin(
        "Sphinx",
        "Sphinx ",
        ("_static/documentation_options.js",),
        "",
        ("conf.py", "docs/conf.py", "doc/conf.py", "source/conf.py", "docs/source/conf.py"),
        '`"sphinx_sitemapkit"` in the `extensions` of conf.py',
        tuple(
            f"{place}{name}"
            for place in ("_build/", "docs/_build/", "doc/_build/", "build/", "docs/build/")
            for name in ("html", "dirhtml")
        ),
    ),
    Plugin(
        "Pelican",
        "Pelican",
        (),
        "pelicanconf.py",  # of 14 sites, 4 name Pelican
        ("pelicanconf.py",),
        '`"pelican.plugins.sitemapkit"` in the `PLUGINS` of pelicanconf.py',
        ("output",),
    ),
)


LANDMARKS = [name for each in PLUGINS for name in each.landmarks]


def usual_site(folder: Path) -> Path | None:
    """Return the finished site in a project with a plugin, where its generator usually writes."""
    for each in PLUGINS:
        if any((folder / name).is_file() for name in each.settings):
            for name in each.sites:
                if (folder / name / "index.html").is_file():
                    return folder / name
    return None
