"""The errors sitemapkit raises; every message names the file or option and how to fix it.

SitemapError
    OptionError     a setting is unknown, of the wrong type or impossible
    UrlError        a URL is invalid in a sitemap
    OutputError     a file cannot be written
    UndatedError    a page has no date, which the option `fail_undated` forbids
"""

import re


def too_old(generator: str, version: str, oldest: str) -> str:
    """Return what to do about a generator older than `oldest`; "" if it is not, or nobody knows."""
    numbers = _numbers(version)
    if not numbers or numbers >= _numbers(oldest):
        return ""
    return (
        f"{generator} {version} is too old: sitemapkit needs {generator} {oldest} or newer; run"
        f" `pip install '{generator.lower()}>={oldest}'`."
    )


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


class SitemapError(Exception):
    """Base of every error that sitemapkit raises on purpose."""

    link: str = ""
    """The place in the manual that explains what is wrong, if there is one."""

    @property
    def explained(self) -> str:
        """The message, and a line with the link if there is one: what users read."""
        return f"{self}\nSee {self.link}" if self.link else str(self)


class OptionError(SitemapError):
    """A setting is unknown, of the wrong type or impossible; raised at configuration time."""

    def __init__(self, message: str, link: str = "") -> None:
        """Take the message, and where the manual explains the option, if it is one of ours."""
        super().__init__(message)
        self.link = link


class UrlError(SitemapError, ValueError):
    """A URL is invalid in a sitemap (protocol: absolute http(s), no credentials, length)."""


class OutputError(SitemapError):
    """A file cannot be written; the files of the last build stay unchanged."""


class UndatedError(SitemapError):
    """Listed pages have no date, though `fail_undated` is set; files of the last build stay."""
