"""The generators whose finished sites are known: one module for each, and how they are found."""
