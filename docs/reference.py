"""Write the reference pages that follow from the code: `python docs/reference.py`.

The versions of actions in the manual are those of our own workflows, which a bot keeps up to date.
Options and the schemas for editors come from the schema of the settings, metadata from what the
code allows, commands from their help, rules and the headings about troubles from the two tables of
them, and the entries for catalogs from the metadata of the project.
A test fails while a file is not what this would write.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from functools import partial
from importlib import import_module
from inspect import cleandoc
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, cast

import click
import msgspec
import yaml
from msgspec import Meta, structs

import sitemapkit
from mkdocs_sitemapkit.settings import FORMATS
from sitemapkit.metadata import read_metadata
from sitemapkit.options import (
    FOR_ENGINES,
    Git,
    OptionsSchema,
    OtherBuild,
    PageRule,
    SourceRule,
    descriptions,
)
from sitemapkit.rules import read_rules
from sitemapkit_extras.extensions.videos import Video
from sitemapkit_extras.options import Extras, Feed, News

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitemapkit.model import Rule

PAGES = Path(__file__).parent / "pages"

OPTIONS = """\
# Options

Options change what the sitemap holds or how it is written. Most sites need none. They are the same
for all generators:

{spellings}

For `sitemapkit build`, set them in a [TOML file](#pyprojecttoml), with `--set indent=2`, or as one
of five [flags](commands.md#build).

A wrong name, type or value stops the build; the error says what is allowed. Relative paths start in
the folder of the settings.

## All options

<div class="dense" markdown="1">

{options}

</div>

{examples}

## pyproject.toml

The command line reads options from the nearest `sitemapkit.toml`, or from `[tool.sitemapkit]` in
the nearest `pyproject.toml`. It looks in the current folder and above, within the repository.
`--config` names another file. A flag or `--set NAME=VALUE` overrides the file. The value is TOML
(`--set 'formats=["xml", "html"]'`), or else text.

`pyproject.toml`:

```toml
[tool.sitemapkit]
base_url = "https://example.org/"
exclude = ["drafts/"]
formats = ["xml", "html"]
```

The plugins do not read this file.

## Patterns

Patterns work as in `.gitignore`, on the decoded path of a URL below the base URL.

| pattern | matches |
|---|---|
| `blog/` | any folder `blog`, and everything in it |
| `/blog/` | only the one at the top |
| `*.pdf` | all PDF files |
| `!blog/news/` | an exception to an earlier pattern |
| `/` | the home page |

A text of several lines has one pattern per line. Patterns do not match source paths such as
`docs/blog/` or `blog/first.md`. If a pattern matches no page, the log suggests the nearest path.
"""


PROJECTS_YAML = """\
- name: sitemapkit
  mkdocs_plugin: sitemapkit
  github_id: {github_id}
  pypi_id: sitemapkit
  labels: [plugin]
  category: site-management
"""

RECIPE = """\
schema_version: 1

context:
  version: "{version}"

package:
  name: sitemapkit
  version: ${{{{ version }}}}

source:
  url: {source}/archive/refs/tags/v${{{{ version }}}}.tar.gz
  sha256: "{zeros}" # of that file, once it is there

build:
  number: 0
  noarch: python
  script: ${{{{ PYTHON }}}} -m pip install . -vv --no-deps --no-build-isolation
  python:
    entry_points:
      - sitemapkit = sitemapkit_tools.__main__:main

requirements:
  host:
    - python ${{{{ python_min }}}}.*
    - {build}
    - pip
  run:
    - python >=${{{{ python_min }}}}
{run}

tests:
  - python:
      imports:
        - sitemapkit
        - sitemapkit_tools
      pip_check: true
      python_version:
        - ${{{{ python_min }}}}.*
        - "*"
  - script:
      - sitemapkit --version

about:
  summary: {summary}
  license: {licence}
  license_file: LICENSE
  homepage: {source}
  repository: {source}
  documentation: {manual}

extra:
  recipe-maintainers:
    - {owner}
"""

SPELLINGS = """\
=== "MkDocs"

    ```yaml title="mkdocs.yml"
    plugins:
      - sitemapkit:
          {mkdocs}
    ```

=== "Pelican"

    ```python title="pelicanconf.py"
    {pelican}
    ```

=== "Sphinx"

    ```python title="conf.py"
    {sphinx}
    ```"""

CLOSED = """\
<details markdown="1"><summary>{summary}</summary>
{values}
{spellings}

</details>"""

EXPLAINED: dict[str, dict[str, Any]] = tomllib.loads(
    (PAGES.parent / "options.toml").read_text("utf-8")
)
"""What the manual says of each option, in the order of its page."""

INNER: Mapping[str, type[msgspec.Struct]] = {
    "rules": PageRule,
    "git": Git,
    "sources": SourceRule,
    "languages": OtherBuild,
    "feed": Feed,
    "news": News,
}
"""What the values of an option hold, or each of them."""

FORMAT_NAMES = (*FOR_ENGINES, "html", "atom", "llms")
SOURCE_NAMES = ("metadata", "generator", "ledger", "git", "members")
"""What editors and the manual know: the core's names, and those of `sitemapkit_extras`."""


_Format = Annotated[str, Meta(extra_json_schema={"enum": FORMAT_NAMES})]
_Source = Annotated[str, Meta(extra_json_schema={"enum": SOURCE_NAMES})]

KINDS: dict[str, Any] = {
    "formats": Annotated[
        tuple[_Format, ...],
        Meta(min_length=1, description=f"a list of {', '.join(FORMAT_NAMES)}"),
    ],
    "lastmod": Annotated[
        Literal["auto"] | bool | tuple[_Source, ...],
        Meta(description=f"auto, false, or a list of {', '.join(SOURCE_NAMES)}"),
    ],
}
"""The types of options that take these names."""


def all_options() -> type[msgspec.Struct]:
    """Return the options of the core and of `sitemapkit_extras` as one schema, in our order."""
    fields: dict[str, Any] = {}
    for schema in (OptionsSchema, Extras):
        for field in structs.fields(schema):
            kind = KINDS.get(field.name, field.type)
            fields[field.name] = (field.name, kind, _same_default(field))
    if fields.keys() != EXPLAINED.keys():
        names = ", ".join(sorted(fields.keys() ^ EXPLAINED.keys()))
        sys.exit(f"{names}: docs/options.toml must have a table for each option, and no other.")
    ordered = [fields[name] for name in EXPLAINED]
    return msgspec.defstruct(
        OptionsSchema.__name__,
        ordered,
        namespace={"__doc__": OptionsSchema.__doc__},
        forbid_unknown_fields=True,
        kw_only=True,
    )


def _same_default(field: structs.FieldInfo) -> object:
    if field.default is not msgspec.NODEFAULT:
        return msgspec.field(default=field.default)
    return msgspec.field(default_factory=field.default_factory)


SCHEMA = all_options()

COMMANDS_PAGE = """\
# Commands

`sitemapkit` builds and checks the sitemap of a finished site, whatever made it:

- `sitemapkit check https://example.org/` checks a site online, `sitemapkit check` one here.
- `sitemapkit build public --base-url https://example.org/` writes a sitemap.

## Exit codes

| code | meaning |
|--:|---|
| 0 | no problem |
| 1 | a problem; for `build`, warnings count only with `--strict` |
| 2 | wrong usage |
| 3 | a bug in `sitemapkit`; the message says where to report it |

A build that lists no page fails, and keeps the old files.

{commands}

## Flags of several commands

{shared}

## On the command line

`sitemapkit help check` shows the help, `-V` the version. Standard output holds only the result.

To complete commands and flags, add one of these lines to `~/.bashrc`, `~/.zshrc` or
`~/.config/fish/config.fish`:

```text
eval "$(_SITEMAPKIT_COMPLETE=bash_source sitemapkit)"
eval "$(_SITEMAPKIT_COMPLETE=zsh_source sitemapkit)"
_SITEMAPKIT_COMPLETE=fish_source sitemapkit | source
```
"""

COMMAND = """\
## {name}

```text
{usage}
```

{about}

{options}"""

FLAGS_TABLE = """\
| flag | what it does |
|---|---|
{rows}"""

RULES_PAGE = """\
---
search:
  exclude: true
---

# Rules

Each message of a build and each issue of [`sitemapkit check`](commands.md#check) has a rule. Its
name stands in brackets at the end of the message: search for it, or look into these groups.

{groups}

Fix errors first: search engines drop the URL or the file. With a warning, they trust it less. A
note is for your information. A build leaves out what is wrong, so it logs errors as warnings. To
hide known issues, give `check` [a baseline](commands.md#check).

## The protocol

Rules, docstrings and tests refer to these numbers.

{protocol}
"""

GROUP_PAGE = """\
---
search:
  boost: 0.5
---

# Rules: {title}

[About rules](../rules.md)

{rules}
"""

RULE = """\
## {rule.id}

{text}

*{severity} ({rule.source}){varies}.*"""

GROUPS = {
    "build": ("The build", "settings, metadata, patterns"),
    "files": ("Files", "whether sitemaps can be found and read"),
    "urls": ("URLs and entries", "what an entry holds"),
    "pages": ("Pages", "what is listed, and what should be"),
    "dates": ("Dates", "where `lastmod` comes from, and whether it can be true"),
    "languages": ("Languages", "how translations name each other"),
    "outputs": ("News and llms.txt", "what these outputs cannot hold"),
    "robots": ("robots.txt", "whether it names the sitemap, and lets crawlers in"),
    "network": ("The network", "what a server answers"),
}
"""The title of each group of rules, and what it is about, in the order of the manual."""

PYPROJECT = tomllib.loads((PAGES.parents[1] / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
MANUAL, SOURCE = PROJECT["urls"]["Documentation"], PROJECT["urls"]["Source"]

METADATA = """\
# Page metadata

Metadata can leave a page out of the sitemap, or say more about it. Write it in YAML front matter
(MkDocs, MyST), header lines of Markdown or the field list of reStructuredText (Pelican), or the
field list before the title (Sphinx).

| key | values | meaning |
|---|---|---|
| `sitemap` | `false` | the page is not listed |
| `sitemap` | `true` | the page is listed even if a rule excludes it |
| `sitemap` | a mapping of the keys below | all keys in one place |
{keys}
| `robots` | `noindex`, `none`, or `unavailable_after` a day that is past | the page is not listed |
| `noindex`, `private` | `true` | the page is not listed |

`priority`, `changefreq`, `lastmod` and `videos` work alone. All keys work below `sitemap`, or with
the prefix `sitemap_`, `sitemap-` or `sitemap.`: `sitemap_exclude: true`. A nested value overrides a
prefixed one, which overrides the bare key. Case does not matter, and values can be strings. Bare
`videos` without any `thumbnail_loc`, `content_loc` or `player_loc` are ignored, as those of another
tool.

An invalid value is ignored, with [a warning](troubleshooting.md#bad-metadata). A time without a
zone (`2026-05-31 12:00`) counts as its day.

## Videos

A video has the fields of Google's extension, with `content_loc`, `player_loc` or both:

| field | required | values |
|---|---|---|
{videos}

`restriction` has `relationship` (`allow` or `deny`) and `countries`, a list of codes such as `DE`.
`platform` has `relationship` and `platforms`, a list of `web`, `mobile`, `tv`. `uploader` has
`name` and optionally `info`, a URL.
"""

MEANINGS = {
    "priority": "importance within your site; Google and Bing ignore it",
    "changefreq": "a hint that most engines ignore",
    "lastmod": "the last change; overrides every other source",
    "exclude": "`true`: the page is not listed; `false`: it is, even if a rule excludes it",
    "images": "[images](people.md#images-and-videos) of the page",
    "videos": "[videos](people.md#images-and-videos) of the page",
}
"""What the keys mean; which keys there are, and what they take, the code says."""


def metadata_page() -> str:
    """Return the text of the page on metadata: what the code allows, by its own messages."""
    known = allowed("sitemap_nonsense").removeprefix("the names ").split(", ")
    values = {name: allowed(f"sitemap_{name}") or "a list, see below" for name in known}
    keys = [f"| `{name}` | {value} | {MEANINGS[name]} |" for name, value in values.items()]
    return METADATA.format(keys="\n".join(keys), videos="\n".join(video_rows()))


def allowed(key: str) -> str:
    """Return what may be said, as the message about nonsense has it."""
    bad = read_metadata({key: object()}).bad_values
    return bad[0].allowed if bad else ""


def video_rows() -> Iterator[str]:
    """Yield a row for each field of a video."""
    _, components = msgspec.json.schema_components((Video,))
    described = components["Video"]
    for name, field in described["properties"].items():
        needed = "yes" if name in described["required"] else ""
        kinds = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
        yield f"| `{name}` | {needed} | {_kind(name, kinds[0])} |"


def _kind(name: str, schema: dict[str, Any]) -> str:
    """Say in words what a field of a video takes."""
    limits = [f"at least {schema['minimum']}"] if "minimum" in schema else []
    limits += [f"at most {schema['maximum']:,}"] if "maximum" in schema else []
    whole = "seconds" if name == "duration" else "a whole number"
    words = {"integer": whole, "number": "a number", "boolean": "true or false"}
    text = "a date" if name.endswith("_date") else "a URL" if "_loc" in name else "text"
    if "maxLength" in schema:
        limits.append(f"at most {schema['maxLength']:,} characters")
    if "maxItems" in schema:
        return f"a list of at most {schema['maxItems']} words"
    found = "a mapping, below" if "$ref" in schema else words.get(schema["type"], text)
    return ", ".join([found, *limits])


def mkdocs_schema() -> dict[str, Any]:
    """Return the schema (JSON Schema draft 7) of a mkdocs.yml, which knows this plugin alone."""
    (options,), definitions = msgspec.json.schema_components(
        (SCHEMA,), ref_template="#/$defs/{name}"
    )
    settings = definitions["OptionsSchema"]["properties"]
    settings["formats"]["default"] = list(FORMATS)
    settings["enabled"] = {"type": "boolean", "default": True, "description": "true or false"}
    settings_or_none = {"anyOf": [options, {"type": "null"}]}
    as_mapping = {"type": "object", "properties": {"sitemapkit": settings_or_none}}
    as_list = {"type": "array", "items": {"anyOf": [{"type": "string"}, as_mapping]}}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"{MANUAL}mkdocs.schema.json",
        "title": "mkdocs.yml with the plugin sitemapkit",
        "type": "object",
        "properties": {"plugins": {"anyOf": [as_list, as_mapping]}},
        "$defs": definitions,
    }


def toml_schema() -> dict[str, Any]:
    """Return the schema of a sitemapkit.toml."""
    definitions = mkdocs_schema()["$defs"]
    options = definitions.pop("OptionsSchema")
    del options["properties"]["enabled"]  # only of the plugin for MkDocs
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"{MANUAL}sitemapkit.schema.json",
        **options,
        "title": "sitemapkit.toml, the options of the command line",
        "$defs": definitions,
    }


def as_json(value: object) -> str:
    """Return the text of a JSON file."""
    return json.dumps(value, indent=2) + "\n"


def projects_yaml() -> str:
    """Return the entry for the catalogs of plugins for MkDocs and ProperDocs."""
    return PROJECTS_YAML.format(github_id=SOURCE.removeprefix("https://github.com/"))


def recipe_yaml() -> str:
    """Return the recipe for conda-forge: one for all Pythons, so of a package the newest's."""
    run: list[str] = []
    for each in PROJECT["dependencies"]:
        needed, _, condition = each.partition(";")
        if "<" not in condition:
            run.append(f"    - {needed.replace('>', ' >')}")
    return RECIPE.format(
        version=sitemapkit.__version__,
        source=SOURCE,
        zeros="0" * 64,
        build=PYPROJECT["build-system"]["requires"][0].replace(">", " >"),
        run="\n".join(run),
        summary=PROJECT["description"],
        licence=PROJECT["license"],
        manual=MANUAL,
        owner=SOURCE.split("/")[-2],
    )


def schemastore_json() -> dict[str, Any]:
    """Return the entry for the JSON Schema Store's catalog."""
    return {
        "name": "sitemapkit",
        "description": "Options of sitemapkit, which writes and checks sitemaps",
        "fileMatch": ["sitemapkit.toml"],
        "url": toml_schema()["$id"],
    }


def commands_page() -> str:
    """Return the text of the page on commands: what each says of itself with `--help`."""
    group = import_module("sitemapkit_tools.cli")
    context = click.Context(group.cli, info_name="sitemapkit", **group.cli.context_settings)
    commands = {name: group.cli.get_command(context, name) for name in group.COMMANDS}
    inner = {
        name: click.Context(command, info_name=name, parent=context)
        for name, command in commands.items()
    }
    flags = {name: [*_flags(commands[name], inner[name])] for name in commands}
    counts = Counter(chain.from_iterable(flags.values()))
    shared = [flag for flag, count in counts.items() if count > 1 and not flag.is_option]
    parts = [
        COMMAND.format(
            name=name,
            usage=" ".join([inner[name].command_path, *command.collect_usage_pieces(inner[name])]),
            about="\n\n".join(map(_paragraph, cleandoc(command.help).split("\n\n"))),
            options="\n\n".join(_explained(flags[name], shared)),
        )
        for name, command in commands.items()
    ]
    return COMMANDS_PAGE.format(commands="\n\n".join(parts), shared=_table(shared))


class Flag(NamedTuple):
    """A flag of a command, as its help shows it."""

    name: str
    usage: str
    meaning: str

    is_option: bool
    """Whether it is an option of builds, which another page explains."""


def _flags(command: click.Command, context: click.Context) -> Iterator[Flag]:
    options = descriptions(OptionsSchema)
    for parameter in command.get_params(context):
        usage, meaning = parameter.get_help_record(context) or ("", "")
        if meaning and parameter.name and "--help" not in parameter.opts:
            name = parameter.name
            is_option = name in options and meaning.startswith(options[name])
            yield Flag(parameter.opts[0], usage, meaning, is_option)


def _explained(flags: Sequence[Flag], shared: Sequence[Flag]) -> Iterator[str]:
    """Yield a table of a command's own flags, and where the others are explained."""
    if own := [flag for flag in flags if not flag.is_option and flag not in shared]:
        yield _table(own)
    options = [f"`{flag.name}`" for flag in flags if flag.is_option]
    if options:
        yield f"[Options](options.md): {', '.join(options)}."
    if others := [f"`{flag.name}`" for flag in flags if flag in shared]:
        yield f"[Shared flags](#flags-of-several-commands): {', '.join(others)}."


def _table(flags: Iterable[Flag]) -> str:
    rows = (f"| `{each.usage}` | {_no_attributes(_in_text(each.meaning))} |" for each in flags)
    return FLAGS_TABLE.format(rows="\n".join(rows))


def _paragraph(text: str) -> str:
    """Return a paragraph of a command's help; one that click leaves as it is becomes a block."""
    start = "\b\n"
    if text.startswith(start):
        return f"```text\n{text.removeprefix(start)}\n```"
    return _in_text(text)


def all_rules() -> dict[str, list[Rule]]:
    """Return the rules of each group."""
    found: dict[str, list[Rule]] = {group: [] for group in GROUPS}
    for package in ("sitemapkit", "sitemapkit_tools"):
        for rule in read_rules(package).values():
            found[rule.group].append(rule)
    return found


def rules_page() -> str:
    """Return the page that leads to the rules of each group, and lists those of the protocol."""
    rows = [f"- [{title}](rules/{group}.md): {about}" for group, (title, about) in GROUPS.items()]
    return RULES_PAGE.format(groups="\n".join(rows), protocol=protocol())


def protocol() -> str:
    """Return the rules of the protocol, by what they are about."""
    groups = tomllib.loads((PAGES.parent / "protocol.toml").read_text("utf-8"))
    parts: list[str] = []
    for title, rules in groups.items():
        rows = [f"- **{name}** {text}" for name, text in rules.items()]
        parts.append("\n".join([f"### {title}", "", *rows]))
    return "\n\n".join(parts)


def rules_of_group(group: str) -> str:
    """Return the page on a group of rules, in the order of the two tables.

    What the page on troubles explains, it alone does.
    """
    explained = set(re.findall(r"{#([\w-]+)}", (PAGES / "troubleshooting.md").read_text("utf-8")))
    parts: list[str] = []
    for rule in all_rules()[group]:
        if rule.id in explained:
            text = f"See [Troubleshooting](../troubleshooting.md#{rule.id})."
        else:
            text = _with_options(f"**{_in_text(rule.title)}**\n\n{_in_text(rule.fix)}")
        varies = f"; {rule.varies}" if rule.varies else ""
        severity = rule.severity.capitalize()
        parts.append(RULE.format(rule=rule, text=text, severity=severity, varies=varies))
    return GROUP_PAGE.format(title=GROUPS[group][0], rules="\n\n".join(parts))


def _with_options(text: str) -> str:
    """Return a text of a rule in which each option leads to its place on the page of options."""
    names = "|".join({*SCHEMA.__struct_fields__} - {"sources", "title", "language", "videos"})
    return re.sub(rf"`({names})`", r"[`\1`](../options.md#\1)", text)


def _in_text(text: str) -> str:
    """Return a text of a table as Markdown: what looks like an element is none."""
    return re.sub("`[^`]*`|<", _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    """Escape what is an element in Markdown; in code nothing is."""
    return "&lt;" if found[0] == "<" else found[0]


def options_page() -> str:
    """Return the text of the page on options."""
    return OPTIONS.format(
        spellings=spellings("indent", 2),
        options=table(SCHEMA, linked=True),
        examples="\n\n".join(option_examples()),
    )


def option_examples() -> Iterator[str]:
    """Yield a section for each option: when to use it, its values, and an example.

    A list or a mapping is shown as each generator spells it.
    """
    _, components = msgspec.json.schema_components((SCHEMA,))
    described = components[SCHEMA.__name__]
    for name, field in described["properties"].items():
        about, example = EXPLAINED[name], EXPLAINED[name]["example"]
        is_one_value = not isinstance(about["example"], list | dict)
        text = about["text"].strip()
        default = _default(name, field, described)
        if default and name not in INNER:
            text += f" Default: {default}."
        values = table_of_values(about.get("values", {}))
        if is_one_value:
            text += f" Example: `{as_yaml({name: example}).strip('{}')}`."
            shown = values.strip()
        else:
            values = values or (f"\n{table(INNER[name])}\n" if name in INNER else "")
            shown = CLOSED.format(
                summary="Values, example" if values else "Example",
                values=values,
                spellings=spellings(name, example),
            )
        yield "\n\n".join(filter(None, [f"## {name}", text, shown]))


def spellings(name: str, value: object) -> str:
    """Return how each generator spells an option."""
    python = repr(value).replace("'", '"')
    return SPELLINGS.format(
        mkdocs=f"{name}: {as_yaml(value)}",
        pelican=f'SITEMAP = {{"{name}": {python}}}',
        sphinx=f"sitemap_{name} = {python}",
    )


def table_of_values(values: dict[str, str]) -> str:
    """Return a table of what each value of an option does; "" if there is nothing to choose."""
    rows = [f"| `{value}` | {what} |" for value, what in values.items()]
    return "\n".join(["", "| value | what it does |", "|---|---|", *rows, ""]) if rows else ""


def _no_attributes(text: str) -> str:
    """Return a text whose braces Markdown does not take for attributes of an element."""
    return text.replace("{", "&#123;")


def as_yaml(value: object) -> str:
    """Return a value as it is written in YAML, in one line."""
    # Some stubs of PyYAML name a type that pyright does not know.
    text = yaml.safe_dump(  # pyright: ignore[reportUnknownMemberType]
        value, default_flow_style=True, sort_keys=False, width=1_000
    )
    return text.removesuffix("\n").removesuffix("\n...")


def table(schema: type[msgspec.Struct], *, linked: bool = False) -> str:
    """Return a Markdown table of the fields of a schema: name, default and meaning."""
    _, components = msgspec.json.schema_components((schema,))
    described, meanings = components[schema.__name__], descriptions(schema)
    rows = [
        f"| {f'[`{name}`](#{name})' if linked else f'`{name}`'}"
        f" | {_default(name, field, described)} | {_no_attributes(meanings[name])} |"
        for name, field in described["properties"].items()
    ]
    return "\n".join(["| option | default | description |", "|---|---|---|", *rows])


def _default(name: str, field: dict[str, Any], described: dict[str, Any]) -> str:
    """Return a default as YAML spells it."""
    if name in described.get("required", ()):
        return "required"
    default = json.loads(json.dumps(field.get("default")))  # tuples are lists
    if isinstance(default, dict):
        parts = cast("dict[str, Any]", default)
        default = {key: value for key, value in parts.items() if value not in (None, "", 0)}
    return "" if default in (None, "", [], {}) else f"`{as_yaml(default)}`"


def with_titles(name: str) -> str:
    """Return the text of a page whose headings are the messages of the rules they name."""
    rules = {**read_rules("sitemapkit"), **read_rules("sitemapkit_tools")}

    def titled(found: re.Match[str]) -> str:
        rule = rules.get(found[1])
        return f"## {_in_text(rule.title)} {{#{found[1]}}}" if rule else found[0]

    text = (PAGES / name).read_text("utf-8")
    return re.sub(r"(?m)^## .* \{#([\w-]+)\}$", titled, text)


def pins() -> dict[str, str]:
    """Return what our own workflows pin each action of others to: its commit and version."""
    workflows = (PAGES.parents[1] / ".github" / "workflows").glob("*.yml")
    text = "\n".join(workflow.read_text("utf-8") for workflow in workflows)
    return dict(re.findall(r"uses: ([\w/-]+)@(\S+ # \S+)", text))


def with_pins(name: str) -> str:
    """Return the text of a page on CI, in which all actions have the versions of our workflows.

    What is ours has the version of this checkout.
    """
    known = pins()
    own = rf"({SOURCE.removeprefix('https://github.com/')}[@/]|rev: )v\d[\w.]*"

    def pinned(found: re.Match[str]) -> str:
        return f"{found[1]}@{known[found[1]]}" if found[1] in known else found[0]

    text = re.sub(own, rf"\g<1>v{sitemapkit.__version__}", (PAGES / name).read_text("utf-8"))
    return re.sub(r"(?<=uses: )([\w/-]+)@.*", pinned, text)


WRITTEN: Mapping[str, Callable[[], str]] = {
    "ci.md": lambda: with_pins("ci.md"),
    "troubleshooting.md": lambda: with_titles("troubleshooting.md"),
    "indexnow.md": lambda: with_pins("indexnow.md"),
    "commands.md": commands_page,
    "mkdocs.schema.json": lambda: as_json(mkdocs_schema()),
    "sitemapkit.schema.json": lambda: as_json(toml_schema()),
    "../catalogs/projects.yaml": projects_yaml,
    "../catalogs/recipe.yaml": recipe_yaml,
    "../catalogs/schemastore.json": lambda: as_json(schemastore_json()),
    "metadata.md": metadata_page,
    "options.md": options_page,
    "rules.md": rules_page,
    **{f"rules/{group}.md": partial(rules_of_group, group) for group in GROUPS},
}

if __name__ == "__main__":
    for name, text in WRITTEN.items():
        (PAGES / name).write_text(text(), encoding="utf-8")
