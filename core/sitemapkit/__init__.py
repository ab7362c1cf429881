"""sitemapkit: sitemaps that tell the truth, for MkDocs, Pelican, Sphinx and any finished site."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sitemapkit.build import Build, build
from sitemapkit.errors import OptionError, OutputError, SitemapError, UndatedError, UrlError
from sitemapkit.model import CHANGEFREQS, Entry, Head, Issue, Kind, Page, Reason
from sitemapkit.options import Options, OptionsSchema, read_options, stated_base
from sitemapkit.report import Message, Report

if TYPE_CHECKING:
    from sitemapkit.extensions.alternates import Alternate
    from textdates import Part

__version__ = "0.1.0"

__all__ = [
    "CHANGEFREQS",
    "Alternate",
    "Build",
    "Entry",
    "Head",
    "Issue",
    "Kind",
    "Message",
    "OptionError",
    "Options",
    "OptionsSchema",
    "OutputError",
    "Page",
    "Part",
    "Reason",
    "Report",
    "SitemapError",
    "UndatedError",
    "UrlError",
    "build",
    "read_options",
    "stated_base",
]

_ON_DEMAND = {
    "Alternate": "sitemapkit.extensions.alternates",
    "Part": "textdates",
}
"""The modules of names that most builds do without."""


def setup(app: Any) -> dict[str, object]:  # noqa: ANN401 - an application of Sphinx
    """Load the extension for Sphinx: `extensions = ["sitemapkit"]`, as plugins are called."""
    app.setup_extension("sphinx_sitemapkit")
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def __getattr__(name: str) -> object:
    """Load the module of a name when it is first used."""
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ON_DEMAND[name]), name)
