"""A rule about the titles of pages."""

from sitemapkit.model import Rule

RULES = [
    Rule(
        id="page-title",
        severity="note",
        title="The page has no title of its own.",
        fix="Give each page a title that says what only this page is about.",
        source="Google, title links",
    )
]


def check(site):
    """Check that each listed page has a title, and no two have the same."""
    first = {}
    for listed in site.listed:
        status = site.statuses.get(listed.url)
        if status is None or status.facts is None:  # no page, or not HTML
            continue
        title = status.facts.title
        other = first.setdefault(title, listed.url)
        if not title:
            yield listed.issue("page-title", "Its <title> is empty or missing.")
        elif other != listed.url:
            yield listed.issue("page-title", f"{other} has the same, {title!r}.")
