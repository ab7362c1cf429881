"""The report of a build, kept where `check` finds it: by the digest of the sitemap that it wrote.

It is in the user's cache, so that no repository and no site has a file more, and none that is of
another build can be taken for it: another sitemap has another digest.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from textdates.bounds import read_file

_MOST = 64
"""Reports that are kept."""


def report_of(sitemap: Path) -> Path | None:
    """Return where the report of the build that wrote a sitemap is, or would be."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        folder = Path(cache) if cache else Path.home() / ".cache"
        digest = blake2b(read_file(sitemap, 64 * 1_048_576), digest_size=16).hexdigest()
    except (OSError, RuntimeError):  # nobody's home
        return None
    return folder / "sitemapkit" / f"{digest}.json"


def remember(sitemap: Path, report: bytes) -> None:
    """Keep the report of a build; where that cannot be written, nothing is kept."""
    file = report_of(sitemap)
    if not file:
        return
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        whole = file.with_suffix(f".{os.getpid()}")
        whole.write_bytes(report)
        whole.replace(file)
        kept = sorted(file.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in kept[:-_MOST]:
            old.unlink()
