"""Dates from a CSV file: in each row the path of a page, and when its text last changed."""

import csv
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from sitemapkit import dates
from sitemapkit.errors import OptionError
from sitemapkit.options import A_FILE, AddedOptions
from sitemapkit.rules import issue


class Options(AddedOptions):
    """The option of this source."""

    csv: Annotated[
        str, A_FILE, Meta(description="path of a CSV file with a page and its date in each row")
    ] = ""


class Source:
    """The dates in the file that the option `csv` names."""

    def __init__(self, pages, options):
        """Read the file; `pages` are those that will be asked about."""
        self.issues = []
        self._base = options.base_url
        self._dates = {}
        file = Options.of(options).csv
        try:
            text = Path(file).read_text(encoding="utf-8")
        except OSError as error:
            raise OptionError(f"csv: {file} cannot be read ({error.strerror}).") from error
        for number, row in enumerate(csv.reader(text.splitlines()), 1):
            try:
                path, changed = row
                self._dates[path] = dates.parse(changed)
            except ValueError:
                where = f"{file}:{number}"
                self.issues.append(issue("bad-metadata", where, f"The row is {row}."))

    def date_of(self, found):
        """Return the date of a page, or why it has none."""
        path = found.loc.removeprefix(self._base)
        return self._dates.get(path) or "the CSV file does not have it"
