"""Absolute, percent-encoded, ASCII URLs, as the protocol requires them (rules L1-L8, P6).

`normalize` corrects the form of a URL without changing its meaning: existing escapes and the case
of the path are preserved.
"""

from __future__ import annotations

import re
from functools import lru_cache
from posixpath import splitext
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin, urlsplit

from sitemapkit.errors import UrlError

if TYPE_CHECKING:
    from collections.abc import Iterator

HTML_SUFFIXES = (".html", ".htm", ".xhtml")
"""Suffixes of HTML files, the usual first."""

STATIC_SUFFIXES = (*HTML_SUFFIXES, ".pdf")
"""Suffixes of copied files that search engines read."""

_ERROR_PAGE = re.compile(r"(?:403|404|500)(?:/|(?:/index)?(?:\.x?html?)?)")
_INDEXES = tuple(f"index{suffix}" for suffix in HTML_SUFFIXES)
_ENDINGS = ("", *HTML_SUFFIXES, *(f"/{name}" for name in _INDEXES))

MAX_LENGTH = 2047
"""Characters of an escaped URL: "less than 2,048" in the protocol's text (rule L2)."""

# Unescaped characters in a path or query: RFC 3986's unreserved, sub-delims, `:@/?`, and the
# percent sign of existing escapes.
_SAFE = "-._~!$&'()*+,;=:@/?%"

_ABSOLUTE = r"[A-Za-z][A-Za-z0-9+.-]*://"
_NORMAL = re.compile(
    r"""
    https?:// [a-z0-9_-]++ (?: \. [a-z0-9_-]++ )*+                       # a host without a port
    / (?: [A-Za-z0-9_.~!$&'()*+,;=:@/?-]++ | %[0-9A-Fa-f]{2} )*+  # path and query
    """,
    re.VERBOSE,
)
"""A URL that is already in normal form, as most are, unless it has dot segments."""

_NOT_AN_ESCAPE = r"%(?![0-9A-Fa-f]{2})"
_CONTROL = r"[\x00-\x1f\x7f]"
_HOST = "abcdefghijklmnopqrstuvwxyz0123456789_-"
_LONGEST_HOST = 253
"""Characters of a host name in DNS (RFC 1035, 2.3.4); older idna takes quadratic time for more."""

_DEFAULT_PORTS = {"http": 80, "https": 443}


def normalize_base(text: str, *, encoding: str = "utf-8") -> str:
    """Return the base URL of a site in normal form, with a slash at its end.

    Raises UrlError if it is not an absolute http(s) URL, has a query or fragment, or white space
    around it, which generators would write into canonical links.
    """
    if text != text.strip():
        raise UrlError(f"{text!r} has white space around it")
    if "?" in text or "#" in text:
        raise UrlError(f"{text!r} has a query or a fragment")
    url = normalize(text, encoding=encoding)
    return url if url.endswith("/") else url + "/"


def absolute(url: str, base: str, *, encoding: str = "utf-8") -> str:
    """Return the normal form of `url`, which is absolute or relative to `base`.

    `base` is a result of `normalize_base`. A leading slash means the base, not the host, since
    generators write site-relative URLs in this way. Raises UrlError like `normalize`.
    """
    if url.startswith("//"):
        url = f"{base.partition(':')[0]}:{url}"
    elif "//" not in url or not re.match(_ABSOLUTE, url):
        url = base + url.lstrip("/")
    return normalize(url, encoding=encoding)


def resolve(reference: str, page: str, *, encoding: str = "utf-8") -> str:
    """Return the normal form of a reference in the page at the normal URL `page` (RFC 3986, 5).

    Raises UrlError like `normalize`.
    """
    if reference == page:  # the usual canonical link
        return page
    try:
        return normalize(urljoin(page, reference.strip()), encoding=encoding)
    except ValueError as error:  # urljoin raises it for an invalid IPv6 host
        raise UrlError(f"{reference!r} is not a URL") from error


def normalize(url: str, *, encoding: str = "utf-8") -> str:
    """Return an absolute URL in the form for sitemaps: ASCII, percent-encoded, punycode host.

    Keeps existing escapes (L4), drops the fragment (L8) and a default port (L6), adds the slash
    after a bare host (L7), removes dot segments. `encoding` is the charset of new escapes (L3).

    Raises UrlError for a URL that is not absolute http(s), has credentials, control characters or
    an invalid host, or is longer than 2,047 characters.
    """
    if len(url) <= MAX_LENGTH and "/." not in url and _NORMAL.fullmatch(url):
        return url
    text = url.strip(" ")
    if not text.isprintable() and re.search(_CONTROL, text):
        raise UrlError(f"{url!r} contains a control character")
    start, separator, rest = text.partition("://")
    if not separator or start.lower() not in ("http", "https"):
        raise UrlError(f"{url!r} is not an absolute http or https URL")
    rest = rest.partition("#")[0]
    before, mark, query = rest.partition("?")
    authority, slash, path = before.partition("/")
    path = slash + path
    if "/." in path:
        path = _remove_dot_segments(path)
    origin = _origin(start.lower(), authority)
    url = origin + _escape(path or "/", encoding) + mark + _escape(query, encoding)
    if len(url) > MAX_LENGTH:
        raise UrlError(f"{url[:60]}... has {len(url):,} characters; the limit is {MAX_LENGTH:,}")
    return url


def normalize_or_none(url: str) -> str | None:
    """Return the normal form of an absolute URL, or None if it is invalid in a sitemap."""
    try:
        return normalize(url)
    except UrlError:
        return None


def resolve_or_none(reference: str | None, page: str, *, encoding: str = "utf-8") -> str | None:
    """Return the target of a reference in the page at `page`; None if it is none, or not valid."""
    try:
        return resolve(reference, page, encoding=encoding) if reference else None
    except UrlError:
        return None


def path_url(path: str) -> str:
    """Return the relative URL of a file's path, in which `%`, `?` and `#` are ordinary characters.

    All else is escaped by `absolute`.
    """
    return path.replace("%", "%25").replace("?", "%3F").replace("#", "%23")


def is_error_page(path: str, language: str | None = None) -> bool:
    """Return whether hosts show the page at a relative URL or path in place of others.

    They look for it at the root, or at that of a language.
    """
    return _ERROR_PAGE.fullmatch(path.removeprefix(f"{language}/")) is not None


def repository_in(url: str) -> re.Match[str] | None:
    """Return the host, owner and name of the repository, or of one's account, that a URL is of."""
    return re.match(_REPOSITORY, url)


_REPOSITORY = r"""(?x)
    https?:// (?:www\.)?
    (?P<host>
        github\.com | raw\.githubusercontent\.com | gitlab\.com | codeberg\.org
        | bitbucket\.org | gitea\.com | git\.sr\.ht
    )
    / (?P<owner> [^/]+ ) /
    (?:
        (?P<name> [^/-] .*? ) /  # on GitLab below groups
        (?: -/ .* )?             # what GitLab shows of it
        $
    )?
    """


def is_local_host(host: str) -> bool:
    """Return whether only this machine or its network can reach a host, named as in `hostname`.

    These are addresses for private use (RFC 1918, RFC 4193, RFC 3927), names without a dot, and the
    names that RFC 6761, RFC 6762 and RFC 8375 set aside, with those that routers and teams use.
    """
    host = host.lower().rstrip(".")
    if ":" in host or not host.strip("0123456789."):
        from ipaddress import ip_address  # noqa: PLC0415 - few sites are at an address

        try:
            return not ip_address(host).is_global
        except ValueError:
            return False
    if "." not in host or host.endswith(_LOCAL_END):
        return True
    return host.rpartition(".")[2] in _LOCAL_DOMAINS


_LOCAL_DOMAINS = frozenset(
    ("localhost", "localdomain", "local", "internal", "intranet", "lan", "home", "corp")
)
_LOCAL_END = ".home.arpa"


def below(base: str, loc: str, *, encoding: str = "utf-8", errors: str = "replace") -> str:
    """Return the readable path of `loc` below `base`: no leading slash, no query, unescaped."""
    return unquote(loc[len(base) :].partition("?")[0], encoding, errors)


def files_below(base: str, loc: str, encoding: str) -> Iterator[str]:
    """Yield the possible names of the file of `loc` below the root, the likeliest first.

    A server with another charset than UTF-8 has file names in it, or translates them.
    """
    for each in dict.fromkeys((encoding, "utf-8")):
        yield from file_names(below(base, loc, encoding=each, errors="surrogateescape"))


def section_of(path: str) -> str:
    """Return the first folder of a path below the base URL, without its query; "" at the top."""
    first, _, rest = path.partition("/")
    return first if rest else ""


def files_of(url: str) -> map[str]:
    """Yield the possible names, with the host, of the file behind a URL in normal form.

    The scheme and the spelling of escapes do not matter.
    """
    return file_names(unquote(url.partition("://")[2], "latin-1"))


def files_of_canonical(url: str) -> list[str]:
    """Return the possible names of the file that a canonical link means, with its query or not."""
    return [*files_of(url), *files_of(url.partition("?")[0])]


def addresses(file: str) -> tuple[str, ...]:
    """Return the paths at which a static host answers with a file, the usual first.

    `a/index.html` answers at `a/`, `a.html` at `a` as well. To all else that has the file among
    its `file_names`, hosts answer with a redirect.
    """
    folder, slash, name = file.rpartition("/")
    if name in _INDEXES:
        return folder + slash, file
    stem, suffix = splitext(file)
    return (file, stem) if suffix in HTML_SUFFIXES else (file,)


def file_names(path: str) -> map[str]:
    """Yield the names of the files that web servers look for at a path, the likeliest first.

    For `a/` it is `a/index.html`; for `a` it is `a`, `a.html`, and `a/index.html` by a redirect.
    """
    endings = _INDEXES if not path or path.endswith("/") else _ENDINGS
    return map(path.__add__, endings)


@lru_cache(maxsize=256)
def _origin(scheme: str, authority: str) -> str:
    if "@" in authority:
        raise UrlError(f"a URL on {authority.rpartition('@')[2]!r} has credentials; remove them")
    try:
        parts = urlsplit(f"{scheme}://{authority}")
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise UrlError(f"{authority!r} is not a host: {error}") from error
    origin = f"{scheme}://{_ascii_host(host)}"
    is_default = port in (None, _DEFAULT_PORTS[scheme])
    return origin if is_default else f"{origin}:{port}"


def _ascii_host(host: str) -> str:
    if ":" in host:
        return f"[{host}]"
    if not host.isascii():
        if len(host) > _LONGEST_HOST:
            message = f"has {len(host):,} characters, and a host has at most {_LONGEST_HOST}"
            raise UrlError(f"{host[:40] + '...'!r} is not a host: it {message}")
        import idna  # noqa: PLC0415 - few sites need it

        try:
            host = idna.encode(host, uts46=True).decode("ascii")  # rule L5
        except idna.IDNAError as error:
            raise UrlError(f"{host!r} is not a host: {error}") from error
    for label in host.removesuffix(".").split("."):
        if not label or label.strip(_HOST):
            raise UrlError(f"{host!r} is not a host")
    return host


def _escape(text: str, encoding: str) -> str:
    if "%" in text:
        text = re.sub(_NOT_AN_ESCAPE, "%25", text)
    try:
        return quote(text, safe=_SAFE, encoding=encoding, errors="strict")
    except UnicodeEncodeError as error:
        raise UrlError(f"{text!r} cannot be encoded in {encoding}") from error


def _remove_dot_segments(path: str) -> str:
    """Apply RFC 3986, 5.2.4, to an absolute path; empty segments are kept."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)
