"""What a host answers by files in the site itself: `_headers` and `_redirects`.

Netlify, Cloudflare Pages and others read them. A host without them sends each page as it is.
"""

from __future__ import annotations

from errno import EACCES, EFBIG, EPERM
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.errors import OutputError
from sitemapkit.model import Reason
from sitemapkit_tools.hosting.headers import HEADERS, HostHeaders
from sitemapkit_tools.hosting.redirects import REDIRECTS, HostRules
from textdates.bounds import read_file

if TYPE_CHECKING:
    from sitemapkit.model import FilePath

MAX_HOST_FILE = 500 * 1024
"""Bytes that are read of `_headers` and `_redirects`, each."""

_FIXES = {
    **dict.fromkeys((EACCES, EPERM), "Correct its permissions."),
    EFBIG: "Shorten it, as with wildcards.",
}


class HostFiles(Struct, frozen=True):
    """What both files say."""

    rules: HostRules
    headers: HostHeaders

    def forbids(self, url: str) -> tuple[Reason | None, str]:
        """Return why the page at a URL cannot be found there, and what decides that."""
        rule = self.rules.answer(url, has_file=True)
        if rule and rule.target != url:
            return Reason.REDIRECT, f"{rule.target or rule.code}, {rule.place}"
        header = self.headers.noindex(url)
        return (Reason.NOINDEX, header.rstrip(".")) if header else (None, "")


def read_host_files(folder: FilePath, base_url: str) -> HostFiles:
    """Return what the files for the host at the root of a site say; one may be missing.

    Raises OutputError if one is there and may not be read.
    """
    rules, headers = _text(folder, REDIRECTS), _text(folder, HEADERS)
    return HostFiles(HostRules(rules, base_url), HostHeaders(headers, base_url))


def _text(folder: FilePath, name: str) -> str:
    path = Path(folder, name)
    try:
        data = read_file(path, MAX_HOST_FILE)
    except OSError as error:
        if fix := _FIXES.get(error.errno or 0):
            raise OutputError(f"cannot read {path}: {error.strerror}. {fix}") from error
        return ""  # as for a host, it is not there
    return data.decode("utf-8-sig", "replace")
