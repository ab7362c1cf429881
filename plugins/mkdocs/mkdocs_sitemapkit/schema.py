"""The JSON schema of the plugin's options, with which editors complete and check mkdocs.yml."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from mkdocs_sitemapkit.config import FORMATS
from sitemapkit import OptionsSchema


def mkdocs_schema() -> dict[str, Any]:
    """Return the schema (JSON Schema draft 7) of a mkdocs.yml, which knows this plugin alone."""
    (options,), definitions = msgspec.json.schema_components(
        (OptionsSchema,), ref_template="#/$defs/{name}"
    )
    settings = definitions["OptionsSchema"]["properties"]
    settings["formats"]["default"] = list(FORMATS)
    settings["enabled"] = {"type": "boolean", "default": True, "description": "true or false"}
    settings_or_none = {"anyOf": [options, {"type": "null"}]}
    as_mapping = {"type": "object", "properties": {"sitemapkit": settings_or_none}}
    as_list = {"type": "array", "items": {"anyOf": [{"type": "string"}, as_mapping]}}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "mkdocs.yml with the plugin sitemapkit",
        "type": "object",
        "properties": {"plugins": {"anyOf": [as_list, as_mapping]}},
        "$defs": definitions,
    }


def mkdocs_schema_text() -> str:
    """Return the schema as the text of a JSON file."""
    return json.dumps(mkdocs_schema(), indent=2) + "\n"
