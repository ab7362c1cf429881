"""Languages: codes for hreflang, builds in other languages, and which pages are translations.

`codes` has the names below, `builds` the option `languages`, and `alternates` what they lead to.
"""

from sitemapkit.languages.codes import X_DEFAULT, LanguageError, RegionError, hreflang, plain

__all__ = ["X_DEFAULT", "LanguageError", "RegionError", "hreflang", "plain"]
