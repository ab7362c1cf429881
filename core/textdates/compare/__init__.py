"""Whether two versions of a file are the same to a reader; a file for each kind of text."""
