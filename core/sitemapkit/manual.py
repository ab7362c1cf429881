"""Where the manual explains an option or a rule: the one answer for all messages that name one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemapkit.model import Rule


@cache
def project_link(label: str) -> str:
    """Return a link of the project, which only the package's metadata has: `Issues`, `Source`.

    It is "" in a copy that is not installed.
    """
    from importlib.metadata import PackageNotFoundError, metadata  # noqa: PLC0415 - takes 10 ms

    try:
        links: list[str] = metadata("sitemapkit").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    for link in links:
        name, _, address = link.partition(", ")
        if name == label:
            return address
    return ""


def page_of_rule(rule: Rule) -> str:
    """Return the address of a rule; "" for one of another package."""
    return _page(f"rules/{rule.group}/#{rule.id}") if rule.group else ""


def page_of_options(*names: str) -> str:
    """Return the address of an option, or of all options if there is not just one."""
    if len(names) == 1:
        return _page(f"options/#{names[0]}")
    return _page("options/")


def _page(path: str) -> str:
    manual = project_link("Documentation")
    return manual and manual + path
