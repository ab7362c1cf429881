project = "Tea"
html_baseurl = "https://example.org/"
html_theme = "basic"
extensions = ["sphinx_sitemapkit"]
exclude_patterns = ["included"]
