"""Where a site online is: its address may lead elsewhere, need a login, or not answer at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from sitemapkit.head import parse_head
from sitemapkit.urls import is_local_host, resolve_or_none
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.web.client import NetworkError
from sitemapkit_tools.web.pages import MAX_REDIRECTS, redirect_target

if TYPE_CHECKING:
    from sitemapkit_tools.web.client import Client, Response


class Home(Struct, frozen=True):
    """What an address answers."""

    url: str
    """Where it ends."""

    problem: str = ""
    """Why nothing of the site can be read, if so."""


def find_home(address: str, client: Client) -> Home:
    """Follow the redirects of an address, which is the URL of a site or of one of its pages.

    Only what cannot be read at all is a problem: a site may have a sitemap, and no home page.
    """
    url, seen = address, {address}
    for _ in range(MAX_REDIRECTS + 1):
        try:
            response = client.request("GET", url, limit=MAX_PAGE)
        except NetworkError as error:
            return Home(url, f"{str(error).capitalize()}.")
        target = redirect_target(response, url)
        if not target:
            target = resolve_or_none(parse_head(response.body).refresh, url)
            if not target or target in seen:
                return Home(url, _refused(response))
        if why := _why_not(url, target):
            return Home(url, f"It leads to {target}{why}")
        url = target
        seen.add(url)
    return Home(url, f"It redirects more than {MAX_REDIRECTS} times.")


_LOGIN, _FORBIDDEN, _PROXY_LOGIN = 401, 403, 407
_NEEDS_LOGIN = ": it needs a login. Check the folder of the build."


def _refused(response: Response) -> str:
    """Return why a page is not shown to us, if so."""
    if response.status in (_LOGIN, _PROXY_LOGIN):
        return f"It answers {response.status}{_NEEDS_LOGIN}"
    if response.status == _FORBIDDEN:
        return (
            "It answers 403: it needs a login, or a firewall refuses programs. Check the folder of"
            " the build, or let the user agent sitemapkit in."
        )
    return ""


_LOGIN_PAGE = re.compile(r"(?i)\b(?:wp-)?(?:log|sign)[_-]?in\b|\b(?:sso|o?auth2?)\b")
"""The address of the service that guards a site, or of its page for that."""


def _why_not(url: str, target: str) -> str:
    """Return why a redirect is not followed, if so; it may well lead to another host, as to www."""
    here, there = urlsplit(url), urlsplit(target)
    if there.username is not None:
        return ", with a name to log in: check that."
    if here.scheme == "https" and there.scheme == "http":
        return ", which has no TLS: check that."
    if here.netloc != there.netloc and _LOGIN_PAGE.search(there.netloc + there.path):
        return _NEEDS_LOGIN
    if is_local_host(there.hostname or "") and not is_local_host(here.hostname or ""):
        return ", which is in a private network: check that."
    return ""
