"""What MkDocs and Material have for the same jobs: a sitemap of their own, a menu of languages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from mkdocs.plugins import get_plugin_logger

from sitemapkit import stated_base

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from sitemapkit.languages.builds import LinkedBuilds

log = get_plugin_logger("sitemapkit")

BUILT_IN = "sitemap.xml"
"""MkDocs' own sitemap: a static template that every theme inherits."""


def replace_built_in(config: MkDocsConfig, files: Files, *, is_ours: bool) -> Path | None:
    """Remove MkDocs' own sitemap.xml from a build.

    If `is_ours`, the plugin writes a file of that name, so one of the user's, if there is one, is
    removed as well, and returned. It may be a template or be among the pages.
    """
    file = files.get_file_from_path(BUILT_IN)
    template = Path(config.theme.custom_dir or "", BUILT_IN)
    has_template = bool(config.theme.custom_dir) and template.is_file()
    is_users = file and file.inclusion.is_included() and file.src_dir not in config.theme.dirs
    if is_ours or not has_template:
        config.theme.static_templates.discard(BUILT_IN)
    # A template that is not static any more is a plain file to MkDocs; so in a build inside
    # another one it is among the files.
    if file and (is_ours or not (has_template or is_users)):
        files.remove(file)
    if is_ours and has_template:
        return template
    return Path(file.abs_src_path or file.src_uri) if is_ours and file and is_users else None


def linked_builds(config: MkDocsConfig) -> LinkedBuilds | None:
    """Return the builds that Material's menu of languages links to (`extra.alternate`), if any.

    static-i18n fills in the setting itself, and builds all languages at once.
    """
    links: object = cast("dict[str, object]", config.extra).get("alternate")
    own = stated_base(config.site_url)
    if not own or not isinstance(links, list) or "i18n" in config.plugins:
        return None
    # Few sites need it.
    from sitemapkit.languages.builds import language_builds, linked_build  # noqa: PLC0415

    builds: dict[str, str] = {}
    for entry in cast("list[object]", links):
        given = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
        link, lang = given.get("link"), given.get("lang")
        if isinstance(link, str) and isinstance(lang, str) and link.endswith("/"):
            try:
                code, base_url = linked_build(lang, link, own)
            except ValueError as error:
                log.info("extra.alternate: %s is ignored: %s.", given, error)
            else:
                builds[code] = base_url
    return language_builds(builds, own, config.site_dir, "extra.alternate")
