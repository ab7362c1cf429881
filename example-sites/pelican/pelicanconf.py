SITENAME = "Under the Stars"
SITESUBTITLE = "Notes from a balcony, a field and a hill"
SITEURL = "https://stars.example.org"
AUTHOR = "Under the Stars"
TIMEZONE = "Europe/Lisbon"
DEFAULT_LANG = "en"

PATH = "content"
THEME = "theme"
STATIC_PATHS = ["images"]
DELETE_OUTPUT_DIRECTORY = True

# One line switches the sitemap on, and it needs no settings. These add a feed of what changed last
# and an llms.txt, leave out one tag, whose articles are listed anyway, and say that the articles
# about planets seldom change.
PLUGINS = ["sitemapkit"]
SITEMAP = {
    "formats": ["xml", "atom", "llms"],
    "exclude": ["/tag/notes.html"],
    "rules": [{"match": "/planets/", "changefreq": "yearly"}],
}

# Articles lie in a folder for each category, pages where they lie in content/pages.
ARTICLE_URL = "{category}/{slug}/"
ARTICLE_SAVE_AS = "{category}/{slug}/index.html"
ARTICLE_LANG_URL = "{lang}/{category}/{slug}/"
ARTICLE_LANG_SAVE_AS = "{lang}/{category}/{slug}/index.html"
PATH_METADATA = r"(?:pages/(?P<place>.+)\.\w+)?"
PAGE_URL = "{place}/"
PAGE_SAVE_AS = "{place}/index.html"

DIRECT_TEMPLATES = ["index", "archives", "tags", "categories", "404"]
AUTHOR_SAVE_AS = ""
YEAR_ARCHIVE_URL = "{date:%Y}/"
YEAR_ARCHIVE_SAVE_AS = "{date:%Y}/index.html"
DEFAULT_PAGINATION = 5

FEED_ALL_ATOM = None
CATEGORY_FEED_ATOM = None
TRANSLATION_FEED_ATOM = None
