"""Toy, a generator as small as one can be."""

import re

from sitemapkit_tools.sources.includes import Include
from sitemapkit_tools.sources.table import Generator

GENERATOR = Generator(
    name="Toy",
    settings=("toy.toml",),
    mark="Toy",
    output=("out",),
    output_settings=("output",),
    url=("url",),
    texts="texts",
    suffixes=(".txt",),
    index=("home",),
    lastmod=("brewed",),
    includes=(Include(pattern=re.compile(r"\{insert (?P<file>[^{}\s]+)\}")),),
)
