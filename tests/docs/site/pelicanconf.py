SITENAME = "Tea"
SITEURL = "https://example.org"
AUTHOR = "A reader of leaves"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
PATH = "content"
FEED_ALL_ATOM = None
CATEGORY_FEED_ATOM = None
