"""Texts without markup."""


def has_same_words(old: str, new: str) -> bool:
    """Return whether two texts differ in white space at most."""
    return old.split() == new.split()


def has_same_lines(old: str, new: str) -> bool:
    """Return whether two texts, such as code, differ in white space at the end of lines at most."""
    return [*map(str.rstrip, old.split("\n"))] == [*map(str.rstrip, new.split("\n"))]
