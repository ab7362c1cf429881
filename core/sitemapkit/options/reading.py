"""Reading the user's settings, which each adapter passes on as its generator has them.

Unknown names, wrong types and impossible values raise one `OptionError` before the build starts.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from sitemapkit import installed
from sitemapkit.errors import UrlError
from sitemapkit.options.schema import Options, OptionsSchema, Patterns, Spelling
from sitemapkit.urls import normalize_base

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemapkit.languages.builds import OtherBuild
    from sitemapkit.model import Severity


_BUILT_IN = frozenset(OptionsSchema.__struct_fields__)


def read_options(  # noqa: PLR0913 - all keyword-only
    given: Mapping[str, Any],
    *,
    where: str,
    prefix: str = "",
    root: Path | None = None,
    base_setting: str = "base_url",
    base_severity: Severity = "warning",
    selected_by: str = "",
    **defaults: Any,  # noqa: ANN401 - of each option's own type
) -> Options:
    """Return the user's settings as Options.

    In messages, `where` is the place of the settings (`sitemapkit in mkdocs.yml`), and `prefix`
    precedes the name of an option. Relative paths start from `root` (None: the current folder).
    `defaults` are the generator's values, of the right types, which the user's settings override.
    An option set to None counts as not set. The generator's `base_url` may have any value:
    `base_setting` is its name, `base_severity` that of the issue that there is none. The sitemap
    says `selected_by`, so that whoever finds it knows which generator's plugin selected its pages.

    Raises OptionError, which has a line for each wrong option: its path, the value given and what
    is allowed.
    """
    defaults["base_url"], base_error = _base(defaults.get("base_url"))
    own = _set_options(given)
    settings, folder = {**defaults, **own}, root or Path()
    others = {n: settings[n] for n in own if n not in _BUILT_IN and installed.option(n) is not None}
    built_in = {name: value for name, value in settings.items() if name not in others}
    # To look at all types takes longer than the pages of a small site.
    is_checked = own or defaults.get("languages")
    try:
        options = (
            msgspec.convert(built_in, OptionsSchema) if is_checked else OptionsSchema(**built_in)
        )
        added = {n: msgspec.convert(each, installed.option(n)) for n, each in others.items()}
    except (msgspec.ValidationError, ValueError):
        options, added = None, dict[str, Any]()
    misplaced = dict(_misplaced(settings, folder))
    if options is None or misplaced:
        from sitemapkit.options.messages import refusal  # noqa: PLC0415 - only for an error

        raise refusal(settings, misplaced, where, prefix)
    spelling = Spelling(where, prefix, base_setting, base_error, base_severity)
    anchored = _anchored(options, folder)
    known = {**structs.asdict(options), **anchored}
    return Options(**known, spelling=spelling, added=added, selected_by=selected_by)


def _set_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are set; one that takes a list may have one value in its place."""
    own = {str(name): value for name, value in given.items() if value is not None}
    may_be_one = ((name, own.get(name)) for name in ("formats", "lastmod"))
    return own | {name: [one] for name, one in may_be_one if isinstance(one, str) and one != "auto"}


def stated_base(value: object) -> str:
    """Return the normalized base URL in a generator's setting, or "" if it has none.

    Read the Docs knows that of a site whose setting is empty.
    """
    return _base(value)[0]


def _base(value: object) -> tuple[str, str]:
    """Return the normalized base URL, and why there is none; "" if the setting is empty."""
    if value == ".":  # Pelican's spelling of relative URLs, on Read the Docs too
        return "", ""
    if _names_no_host(value):
        value = os.environ.get("READTHEDOCS_CANONICAL_URL", "")
    if not value:
        return "", ""
    if not isinstance(value, str):
        return "", f"{value!r} is not a URL."
    try:
        return normalize_base(value), ""
    except UrlError as error:
        return "", f"{error}."


def _names_no_host(value: object) -> bool:
    """Return whether a base URL counts as not set: empty, relative, or only a scheme.

    Settings are often made with a variable that only the server has: "/" or "https://" is left.
    """
    if isinstance(value, str):
        return value.strip().strip("./#") in ("", "http:", "https:")
    return not value


def _misplaced(settings: Mapping[str, Any], root: Path) -> Iterator[tuple[str, str]]:
    """Yield each option whose path leads to a folder and should not, or the reverse, and why."""
    for name in ("ledger", "report"):
        path = settings.get(name)
        if path and isinstance(path, str) and (root / path).is_dir():
            yield name, "it is a folder; choose the name of a file"
    templates = settings.get("templates")
    if templates and isinstance(templates, str) and not (root / templates).is_dir():
        yield "templates", f"there is no folder {root / templates}"


def _anchored(options: OptionsSchema, root: Path) -> dict[str, Any]:
    """Return the settings with relative paths, which start from `root`."""

    def anchored(path: str) -> str:
        return str(root / path) if path else ""

    folder = root
    if options.sources:
        import glob  # noqa: PLC0415 - few sites have rules

        folder = Path(glob.escape(str(root)))  # not a pattern, whatever its name
    sources = tuple(
        structs.replace(rule, files=tuple(str(folder / each) for each in _tuple(rule.files)))
        for rule in options.sources
    )
    languages: dict[str, str | OtherBuild] = {
        code: structs.replace(build, pages=anchored(build.pages))
        for code, build in options.other_builds.items()
    }
    paths = {name: anchored(getattr(options, name)) for name in ("ledger", "report", "templates")}
    return {"sources": sources, "languages": languages, **paths}


def _tuple(value: Patterns) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value
