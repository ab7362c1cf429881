"""Reading the user's settings, which each adapter passes on as its generator has them.

Unknown names, wrong types and impossible values raise one `OptionError` before the build starts.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, structs

from sitemapkit.errors import UrlError
from sitemapkit.options.schema import Options, OptionsSchema, Spelling, by_schema, path_kind
from sitemapkit.urls import normalize_base
from textdates.bounds import is_folder, real_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sitemapkit.model import FilePath, Severity
    from sitemapkit.options.schema import OtherBuild, SourceRule


def read_options(  # noqa: PLR0913 - all keyword-only
    given: Mapping[str, Any],
    *,
    where: str,
    prefix: str = "",
    root: Path | None = None,
    base_setting: str = "base_url",
    base_severity: Severity = "warning",
    selected_by: str = "",
    published: Iterable[FilePath] = (),
    misnamed: Collection[str] = (),
    written: str = "OPTION",
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
    `published` are the folders and files that visitors will find, in which no record may stand.
    `misnamed` are settings that can only mean us, and that nothing reads; `written` shows how an
    OPTION is set instead.

    Raises OptionError, which has a line for each wrong option: its path, the value given and what
    is allowed.
    """
    folder = root or Path()
    own = _set_options(given)
    settings: dict[str, Any] = {}
    by_generator: dict[str, Any] = {}
    for name, value in defaults.items():
        known = settings if name in OptionsSchema.__struct_fields__ else by_generator
        known[name] = value
    settings["base_url"], base_error = _base(defaults.get("base_url"))
    # To look at all types takes longer than the pages of a small site.
    is_checked = not own and not settings.get("languages")
    settings.update(own)
    of_others = by_schema(settings)
    built_in = of_others.pop(OptionsSchema)
    misplaced = dict(_misplaced(built_in, of_others, folder, [*published]))
    # The library stops at the first mistake; then `messages` looks at everything again.
    options: OptionsSchema | None = None
    added: dict[str, Any] = {}
    try:
        for schema, values in of_others.items():
            added.update(_added(schema, values, folder))
        if is_checked:
            options = OptionsSchema(**built_in)
        else:
            options = msgspec.convert(built_in, OptionsSchema)
    except (ValueError, msgspec.ValidationError):  # `refusal` says what is wrong
        options = None
    if options is None or misplaced or misnamed:
        from sitemapkit.options.messages import refusal  # noqa: PLC0415 - only for an error

        raise refusal(settings, misplaced, where, prefix, misnamed=misnamed, written=written)
    return Options(
        **{**structs.asdict(options), **_anchored(options, folder)},
        spelling=Spelling(
            where,
            prefix,
            f"{where}, {prefix}base_url" if own.get("base_url") else base_setting,
            base_error,
            base_severity,
        ),
        added=added,
        by_generator=by_generator,
        selected_by=selected_by,
    )


def _added(schema: type[Struct], values: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """Return the valid values of options of other packages. Raises as `msgspec.convert` does."""
    options = msgspec.convert(values, schema)
    added: dict[str, Any] = {}
    for name in values:
        added[name] = getattr(options, name)
        if path_kind(schema, name):
            added[name] = _from(root, added[name])
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
    built_in: Mapping[str, Any],
    of_others: Mapping[type[Struct], Mapping[str, Any]],
    root: Path,
    published: Sequence[FilePath],
) -> Iterator[tuple[str, str]]:
    """Yield each option whose path leads where it must not, and why."""
    paths = [("report", built_in.get("report"), "record")]
    for schema, values in of_others.items():
        for name, value in values.items():
            paths.append((name, value, path_kind(schema, name)))
    for name, path, kind in paths:
        if not kind or not path or not isinstance(path, str):
            continue
        place = root / path
        if kind == "folder":
            if not is_folder(place):
                yield name, f"there is no folder {place}"
        elif is_folder(place):
            yield name, "it is a folder; choose the name of a file"
        elif kind == "record" and (public := _published_in(place, published)):
            why = f"{public} is published, and this file names the pages that are not listed"
            yield name, f"{why}; choose a path outside of it"


def _published_in(path: Path, published: Sequence[FilePath]) -> FilePath | None:
    """Return the published folder into which a path leads, as it is written or by links."""
    for form in (os.path.abspath, real_path):
        for each in published:
            if Path(form(path)).is_relative_to(form(each)):
                return each
    return None


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
        patterns = rule.files
        if isinstance(patterns, str):
            patterns = (patterns,)
        files = tuple(str(folder / pattern) for pattern in patterns)
        sources.append(structs.replace(rule, files=files))
    languages: dict[str, OtherBuild] = {}
    for code, build in options.other_builds.items():
        languages[code] = structs.replace(build, pages=_from(root, build.pages))
    report = _from(root, options.report)
    return {"sources": tuple(sources), "languages": languages, "report": report}
