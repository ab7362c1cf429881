"""One sitemap for sites that were built separately."""
