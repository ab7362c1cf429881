"""How the listed pages are written: XML, and what other packages write."""
