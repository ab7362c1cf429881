"""Options: the user's settings.

schema      which options there are, and what they take
reading     the settings of a generator become Options
messages    what is wrong with them, and what was probably meant
"""

from sitemapkit.options.reading import read_options, stated_base
from sitemapkit.options.schema import (
    A_FILE,
    A_FOLDER,
    A_RECORD,
    FOR_ENGINES,
    FORMATS,
    MAX_BYTES,
    MAX_URLS,
    AddedOptions,
    Git,
    Options,
    OptionsSchema,
    OtherBuild,
    PageRule,
    SourceRule,
    Spelling,
    descriptions,
    is_option,
    schema_of,
)

__all__ = [
    "A_FILE",
    "A_FOLDER",
    "A_RECORD",
    "FORMATS",
    "FOR_ENGINES",
    "MAX_BYTES",
    "MAX_URLS",
    "AddedOptions",
    "Git",
    "Options",
    "OptionsSchema",
    "OtherBuild",
    "PageRule",
    "SourceRule",
    "Spelling",
    "descriptions",
    "is_option",
    "read_options",
    "schema_of",
    "stated_base",
]
