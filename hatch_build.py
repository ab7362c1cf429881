"""The README as an index shows it: links lead to the tagged sources, for there are no files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(!\[[^\]]*\]\(|\]\()(?!https?:|#)([^)]+)")


class ReadmeHook(MetadataHookInterface):
    """Sets `readme`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme` from README.md, the `Source` link and the version."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        source, version = metadata["urls"]["Source"], metadata["version"]
        readme = with_whole_links(text, source, f"v{version}")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}


def with_whole_links(text: str, source: str, tag: str) -> str:
    """Return Markdown whose relative links and pictures name the repository `source` at `tag`."""

    def whole(found: re.Match[str]) -> str:
        kind = "raw" if found[1].startswith("!") else "blob"
        return f"{found[1]}{source}/{kind}/{tag}/{found[2]}"

    return _RELATIVE.sub(whole, text)
