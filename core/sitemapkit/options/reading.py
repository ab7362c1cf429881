"""Reading the user's settings, which each adapter passes on as its generator has them.

Unknown names, wrong types and impossible values raise one `OptionError` before the build starts.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, structs

from sitemapkit import installed
from sitemapkit.errors import UrlError
from sitemapkit.options.schema import Options, OptionsSchema, Spelling, path_kind
from sitemapkit.urls import normalize_base
from textdates.bounds import is_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemapkit.languages.builds import OtherBuild
    from sitemapkit.model import Severity
    from sitemapkit.options.schema import SourceRule


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
    `defaults` are the generator's values, of the right types, which the user's settings override;
    for options of other packages too, such as the site's `title`.
    An option set to None counts as not set. The generator's `base_url` may have any value:
    `base_setting` is its name, `base_severity` that of the issue that there is none. The sitemap
    says `selected_by`, so that whoever finds it knows which generator's plugin selected its pages.

    Raises OptionError, which has a line for each wrong option: its path, the value given and what
    is allowed.
    """
    stated: dict[str, Any] = {}
    for name in [*defaults]:
        if name not in _BUILT_IN:
            stated[name] = defaults.pop(name)
    defaults["base_url"], base_error = _base(defaults.get("base_url"))
    own = _set_options(given)
    settings, folder = {**defaults, **own}, root or Path()
    of_others = _declared_by_others(own)
    misplaced = dict(_misplaced(settings, of_others, folder))
    built_in = {name: value for name, value in settings.items() if name not in of_others}
    options: OptionsSchema | None = None
    added: dict[str, Any] = {}
    try:
        # To look at all types takes longer than the pages of a small site.
        if own or defaults.get("languages"):
            options = msgspec.convert(built_in, OptionsSchema)
        else:
            options = OptionsSchema(**built_in)
        added = _of_others(of_others, own, folder)
    except ValueError:  # which msgspec's errors are
        options = None
    if options is None or misplaced:
        from sitemapkit.options.messages import refusal  # noqa: PLC0415 - only for an error

        raise refusal(settings, misplaced, where, prefix)
    spelling = Spelling(where, prefix, base_setting, base_error, base_severity)
    known = {**structs.asdict(options), **_anchored(options, folder)}
    return Options(**known, spelling=spelling, added=added, stated=stated, selected_by=selected_by)


def _declared_by_others(own: Mapping[str, Any]) -> Mapping[str, type[Struct]]:
    """Return which of the options other packages declare, and in what class."""
    further = [name for name in own if name not in _BUILT_IN]
    if not further:
        return {}
    known = installed.options()
    return {name: known[name] for name in further if name in known}


def _of_others(
    declared: Mapping[str, type[Struct]], own: Mapping[str, Any], root: Path
) -> dict[str, Any]:
    """Return the valid values of options of other packages. Raises ValueError for a wrong one."""
    added: dict[str, Any] = {}
    for schema in dict.fromkeys(declared.values()):
        names = [name for name in declared if declared[name] is schema]
        options = msgspec.convert({name: own[name] for name in names}, schema)
        for name in names:
            value = getattr(options, name)
            added[name] = _from(root, value) if path_kind(schema, name) else value
    return added


def _set_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are set; one that takes a list may have one value in its place."""
    own = {str(name): value for name, value in given.items() if value is not None}
    for name in ("formats", "lastmod"):
        one = own.get(name)
        if isinstance(one, str) and one != "auto":
            own[name] = [one]
    return own


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


def _misplaced(
    settings: Mapping[str, Any], of_others: Mapping[str, type[Struct]], root: Path
) -> Iterator[tuple[str, str]]:
    """Yield each option whose path leads to a folder and should not, or the reverse, and why."""
    kinds = {"report": "file"}
    for name, schema in of_others.items():
        kinds[name] = path_kind(schema, name)
    for name, kind in kinds.items():
        path = settings.get(name)
        if not (kind and path and isinstance(path, str)):
            continue
        place = root / path
        if kind == "file" and is_folder(place):
            yield name, "it is a folder; choose the name of a file"
        elif kind == "folder" and not is_folder(place):
            yield name, f"there is no folder {place}"


def _from(root: Path, path: str) -> str:
    """Return a path that starts from a folder, if there is one."""
    return str(root / path) if path else ""


def _anchored(options: OptionsSchema, root: Path) -> dict[str, Any]:
    """Return the settings with relative paths, which start from `root`."""
    folder = root
    if options.sources:
        import glob  # noqa: PLC0415 - few sites have rules

        folder = Path(glob.escape(str(root)))  # not a pattern, whatever its name
    sources: list[SourceRule] = []
    for rule in options.sources:
        patterns = (rule.files,) if isinstance(rule.files, str) else rule.files
        files = tuple(str(folder / pattern) for pattern in patterns)
        sources.append(structs.replace(rule, files=files))
    languages: dict[str, OtherBuild] = {}
    for code, build in options.other_builds.items():
        languages[code] = structs.replace(build, pages=_from(root, build.pages))
    report = _from(root, options.report)
    return {"sources": tuple(sources), "languages": languages, "report": report}
