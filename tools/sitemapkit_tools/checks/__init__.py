"""`sitemapkit check`: one module for each group of rules in the table, and the report.

The functions named `check_...` take a SiteSnapshot, or a part of it, and yield issues; those of
`check` alone read pages.
"""
