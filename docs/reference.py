"""Write the reference pages that follow from the code: `python docs/reference.py`.

`docs/pages/options.md` and `docs/pages/mkdocs.schema.json` come from the schema of the settings. A
test fails while a page is not what this would write.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from mkdocs_sitemapkit.schema import mkdocs_schema_text
from sitemapkit.options import Git, Options, OtherBuild, Rule, SourceRule

PAGES = Path(__file__).parent / "pages"

OPTIONS = """\
# Options

The same settings for every generator, each in its own place:

- MkDocs and ProperDocs: below `sitemapkit:` in the `plugins` of `mkdocs.yml`;
- Pelican: keys of the dict `SITEMAP` in the settings;
- Sphinx: in `conf.py`, with `sitemap_` before the name: `sitemap_exclude`.

An unknown option, a wrong type or an impossible value stops the build at once, with the option,
what was given, what is allowed, and the nearest right name. Relative paths start from the folder of
the settings.

{options}

Each of the `rules` has `match` and any of the others. Later rules win, and what a page says itself
beats them all.

{rules}

Each of the `sources` has:

{sources}

`git` may have:

{git}

Each of the `languages` is a base URL, or has:

{languages}

Patterns are those of `.gitignore`, on the readable path of a URL below the base URL: `blog/` is a
folder and all that is in it, `/blog/` the one at the top, `*.pdf` all PDF files, `!blog/news/`
takes back. The pattern `/` alone is the home page.
"""


def options_page() -> str:
    """Return the text of the page on options."""
    return OPTIONS.format(
        options=table(Options),
        git=table(Git),
        rules=table(Rule),
        sources=table(SourceRule),
        languages=table(OtherBuild),
    )


def table(schema: type[msgspec.Struct]) -> str:
    """Return a Markdown table of the fields of a schema: name, default and meaning."""
    _, components = msgspec.json.schema_components((schema,))
    described = components[schema.__name__]
    rows = [
        f"| `{name}` | {_default(name, field, described)} | {field.get('description', '')} |"
        for name, field in described["properties"].items()
    ]
    return "\n".join(["| option | default | what it takes |", "|---|---|---|", *rows])


def _default(name: str, field: dict[str, Any], described: dict[str, Any]) -> str:
    if name in described.get("required", ()):
        return "required"
    default = field.get("default")
    if default in (None, "", (), {}):
        return ""
    if isinstance(default, tuple):
        default = ", ".join(map(str, default))  # pyright: ignore[reportUnknownArgumentType]
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


if __name__ == "__main__":
    (PAGES / "options.md").write_text(options_page(), encoding="utf-8")
    (PAGES / "mkdocs.schema.json").write_text(mkdocs_schema_text(), encoding="utf-8")
