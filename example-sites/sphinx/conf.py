"""The manual of Tinecomb, an example site that stands below a sub-path of its host."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Tinecomb"
author = "The Tinecomb authors"
version = release = "1.4"

extensions = ["sphinx.ext.autodoc", "sphinx.ext.viewcode", "myst_parser", "sphinx_sitemapkit"]
exclude_patterns = ["_build", "drafts"]
templates_path = ["_templates"]

html_title = "Tinecomb"
html_baseurl = "https://docs.example.org/tinecomb/"
html_additional_pages = {"404": "404.html"}
html_copy_source = False

sitemap_formats = ["xml", "llms"]
sitemap_include = ["genindex.html"]
sitemap_stylesheet = True  # for people who open the XML in a browser
sitemap_rules = [{"match": "mechanism/", "priority": 0.6}]
