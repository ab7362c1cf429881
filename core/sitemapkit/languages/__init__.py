"""Languages: codes for hreflang, builds in other languages, and which pages are translations.

`codes` has the names below; `builds` and `alternates` are loaded for sites in several languages.
"""

from sitemapkit.languages.codes import X_DEFAULT, LanguageError, RegionError, hreflang, plain

__all__ = ["X_DEFAULT", "LanguageError", "RegionError", "hreflang", "plain"]
