"""What sitemapkit once had, and what to use instead: the table behind the errors that say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

COMMANDS = {
    "learn": "`sitemapkit build` dates pages from git without it",
    "moved": "`sitemapkit diff OLD NEW` says of each page that is gone where it is now, and"
    " `--format _redirects` writes rules",
}

_CONTENT = "leave it out; the main content of a page is found without it"
_DATES = "`sitemapkit explain URL --report FILE` says where a date comes from"
_LOST = "`--fail-if-lost PERCENT` also fails if nearly all dates changed or are gone"
_REPORT = "`--report FILE`, the report of the build, says all"
_SOURCES = "`--build-report FILE`, the report of the build, names the sources"

FLAGS: Mapping[str, Mapping[str, str]] = {
    "build": {"--main": _CONTENT, "--noise": _CONTENT},
    "check": {
        "--agent": "leave it out; robots.txt is read as Googlebot reads it",
        "--dates": _DATES,
        "--ledger": "leave it out; only `sitemapkit build --set ledger=FILE` uses it",
        "--source-map": _SOURCES,
        "--state": "leave it out; each check fetches all pages",
        "--strict-dates": _DATES,
    },
    "diff": {
        "--fail-if-grade-falls": _LOST,
        "--fail-if-moved": _LOST,
        "--main": _CONTENT,
        "--noise": _CONTENT,
        "--repository": _SOURCES,
        "--source-map": _SOURCES,
    },
    "explain": {
        "--base-url": _REPORT,
        "--config": _REPORT,
        "--exclude": _REPORT,
        "--include": _REPORT,
        "--site": _REPORT,
    },
    "submit": {"--main": _CONTENT, "--noise": _CONTENT},
}
"""By command; besides these, `build` once had a flag for each option of the schema."""

FORMATS = {"sarif": "`json` is for programs, `github` and `gitlab` are for reviews"}
"""Of `check`."""

_BASELINE = "`sitemapkit check --write-baseline FILE` writes the baseline anew"

RULES = {
    "coarse-date": _BASELINE,
    "date-differs": _BASELINE,
    "date-too-new": _BASELINE,
    "date-too-old": _BASELINE,
    "gzip-differs": _BASELINE,
    "index-date": _BASELINE,
    "language-base": _BASELINE,
    "ledger-behind": _BASELINE,
    "robots-same-sitemap": _BASELINE,
    "sitemap-agent": _BASELINE,
    "slash-style": _BASELINE,
    "version-in-version": _BASELINE,
}
"""As a baseline names them."""


def instead_of_flag(command: str, flag: str) -> str:
    """Return what to use instead of a flag; "" if the command never had it."""
    if instead := FLAGS.get(command, {}).get(flag):
        return instead
    from sitemapkit.options import is_option  # noqa: PLC0415 - only for an error

    name = flag.removeprefix("--").removeprefix("no-").replace("-", "_")
    if command == "build" and is_option(name):
        return f"`--set {name}=VALUE` sets the option, and so does sitemapkit.toml"
    return ""
