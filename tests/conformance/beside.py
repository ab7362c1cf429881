"""What llms-txt and feedparser read in files, as JSON: python beside.py FILE...

Runs in the environment of `consumers.py`. Of llms.txt there are two readers in one package.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

core, miniparse, feedparser = map(
    import_module, ("llms_txt.core", "llms_txt.miniparse", "feedparser")
)


def main(files: list[str]) -> None:
    """Print what each file holds, by its path."""
    json.dump({file: read(Path(file)) for file in files}, sys.stdout, default=list)


def read(file: Path) -> Any:
    """Return what each reader of an llms.txt says, or the entries of a feed."""
    if file.suffix == ".txt":
        text = file.read_text("utf-8")
        return [core.parse_llms_file(text), miniparse.parse_llms_txt(text)]
    feed = feedparser.parse(file.read_bytes())
    return {
        "bozo": feed.bozo,
        "entries": [[each.title, each.link, each.get("summary")] for each in feed.entries],
    }


if __name__ == "__main__":
    main(sys.argv[1:])
