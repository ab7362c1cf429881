"""Keeps the search of the manual for its readers: members of classes are found with their class."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

API_MEMBER = "api/#sitemapkit."


def on_post_build(config: Any) -> None:  # noqa: ANN401 - MkDocs' configuration
    """Take the members of classes out of the search index, where they would bury the pages."""
    file = Path(config.site_dir, "search", "search_index.json")
    index = json.loads(file.read_text(encoding="utf-8"))
    index["docs"] = [doc for doc in index["docs"] if not is_member(doc["location"])]
    file.write_text(json.dumps(index, separators=(",", ":"), sort_keys=True), encoding="utf-8")


def is_member(location: str) -> bool:
    """Return whether a section is about a member of a class: `sitemapkit.Page.url`."""
    return location.startswith(API_MEMBER) and location.count(".") > 1
