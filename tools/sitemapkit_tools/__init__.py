"""A finished site, on disk or online: scan, check, diff, merge, submit, explain."""
