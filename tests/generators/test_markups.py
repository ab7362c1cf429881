"""What counts as a change in the formats that `textdates` does not know."""

import tomllib
from pathlib import Path

import pytest
from msgspec import Struct, convert

from sitemapkit_tools.sources.cuts import Region
from sitemapkit_tools.sources.markups import as_readers_see
from textdates import Part, is_same_text


class Case(Struct, frozen=True):
    """Two versions of a file, and whether a reader sees no difference."""

    file: str
    same: bool
    old: str
    new: str


TEXT = Path(__file__).with_name("markups.toml").read_text()
CASES = convert(tomllib.loads(TEXT), dict[str, Case])


def is_same(source: str | Part, old: str, new: str) -> bool:
    seen = as_readers_see(source)
    assert isinstance(seen, Part)
    return is_same_text(old.encode(), new.encode(), str(seen.file).encode(), seen.cut)


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_text_is_the_same_if_readers_see_the_same(case: Case) -> None:
    assert is_same(case.file, case.old, case.new) == case.same


def test_a_part_of_a_text_is_compared_as_the_text_is() -> None:
    part = Part("a.adoc", Region("pot[]", "tag::", "end::"))
    text = "tea\n\n// tag::pot[]\nwarm the\npot\n// end::pot[]\n"
    assert is_same(part, text, text.replace("warm the\npot", "warm\nthe pot"))
    assert is_same(part, text, text.replace("tea", "water"))
    assert not is_same(part, text, text.replace("warm", "cool"))


def test_a_part_that_is_not_there_is_none() -> None:
    seen = as_readers_see(Part("a.org", Region("pot", "tag::", "end::")))
    assert isinstance(seen, Part)
    assert seen.cut("tea") is None


def test_what_textdates_knows_stays_as_it_is() -> None:
    assert as_readers_see("a.md") == "a.md"
