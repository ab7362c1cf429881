"""MyST, the engine of Jupyter Book 2."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapkit_tools.bounds import MAX_JSON, decode_json
from sitemapkit_tools.site.made import Made
from sitemapkit_tools.sources.project import BaseProject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from textdates import FileOrPart

_TAKEN_IN = re.compile(
    r"""(?mx)
    ^[ \t]*+ (?:`{3,}+|~{3,}+|:{3,}+)    # the fence of a directive
    \{(?:literal)?include\} [ \t]++ (\S++)
    """
)


class Project(BaseProject):
    """The data of each page, `a.json` of `a/index.html`, names the text; its title names the page.

    What texts offer for download is copied to `build/`.
    """

    name = "MyST"
    settings_files = ("myst.yml",)
    mark = "mystmd"
    default_output = "_build/html"

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the text of each page whose data name one that is there."""
        found: dict[str, Made] = {}
        for page in site.pages():
            data = (page.removesuffix("index.html").rstrip("/") or "index") + ".json"
            if page.startswith("build/"):
                found[page] = Made(kind="static")
            elif data in site.files:
                source = self.folder / self._location(site, data).lstrip("/")
                if source.is_file():
                    found[page] = Made([source])
        return found

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield what directives take in; names start from the text."""
        for name in _TAKEN_IN.findall(text):
            yield file.parent / name

    def _location(self, site: OutputDir, data: str) -> str:
        """Return the path below the project that the data of a page name, or ""."""
        try:
            return str(decode_json(site.read(data, MAX_JSON), dict[str, Any]).get("location", ""))
        except (OSError, ValueError) as error:
            self.cannot_read(Path(site.path(data)), error)
            return ""
