"""What a host answers by files in the site itself: `_headers` and `_redirects`.

Netlify, Cloudflare Pages and others read them. A host without them sends each page as it is.
"""

from __future__ import annotations

from errno import EACCES, EFBIG, EPERM
from pathlib import Path

from msgspec import Struct

from sitemapkit.errors import OutputError
from sitemapkit.model import FilePath, Reason
from sitemapkit_tools.hosting.headers import HEADERS, HostHeaders
from sitemapkit_tools.hosting.redirects import REDIRECTS, HostRules
from textdates.bounds import read_file

MOST_BYTES = 4 * 1024 * 1024
"""Bytes that are read of `_headers` and `_redirects`, each: hosts take some 30,000 rules."""

MOST_PATTERNS = 1_000
"""Paths of each of them that mean many URLs; Cloudflare Pages takes 100."""

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

    Raises OutputError if one is there and may not be read, or is beyond the limits.
    """
    rules = HostRules(_text(folder, REDIRECTS), base_url)
    headers = HostHeaders(_text(folder, HEADERS), base_url)
    for name, patterns in ((REDIRECTS, rules.patterns), (HEADERS, headers.patterns)):
        if len(patterns) > MOST_PATTERNS:
            raise OutputError(
                f"{Path(folder, name)} has {len(patterns):,} paths with `*` or a name such as"
                f" `:year`; up to {MOST_PATTERNS:,} are read. Write those that mean one page as"
                " they are, or join several with `*`."
            )
    return HostFiles(rules, headers)


def _text(folder: FilePath, name: str) -> str:
    path = Path(folder, name)
    try:
        data = read_file(path, MOST_BYTES)
    except OSError as error:
        if fix := _FIXES.get(error.errno or 0):
            raise OutputError(f"cannot read {path}: {error.strerror}. {fix}") from error
        return ""  # as for a host, it is not there
    return data.decode("utf-8-sig", "replace")
