"""Which of the files that were read for a page count as text of it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemapkit import Part
from textdates.parts import Between
from textdates.parts.includes import Found, IncludeFinder

if TYPE_CHECKING:
    from textdates import FileOrPart


class Folder:
    """A site whose pages read files."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, name: str) -> str:
        return str(self.root / name)

    def find(
        self, own: str, whole: str, files: dict[str, str], *, definitions: tuple[str, ...] = ()
    ) -> Found:
        """Return what is found of `files`, all of which were read."""
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")
        read = [self.path(name) for name in files]
        finder = IncludeFinder([str(self.root)], self.path("site"), definitions)
        return finder.find(own, whole.split("\n"), read)

    def names(self, *arguments: str, **files: str) -> list[str]:
        own, whole = arguments
        given = {name.replace("_", "."): text for name, text in files.items()}
        return [name_of(each) for each in self.find(own, whole, given).included]


def name_of(each: FileOrPart) -> str:
    return str(each).rpartition("/")[2]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_file_counts_if_a_line_of_it_was_inserted(folder: Folder) -> None:
    own, whole = "# Tea\n\n{! part.md !}", "# Tea\n\nGreen  tea.\nTea."
    assert folder.names(own, whole, part_md="First.\n   Green tea.\n", other_md="Cups.") == [
        "part.md"
    ]


def test_hidden_files_count_where_a_file_on_the_page_names_them(folder: Folder) -> None:
    files = {".parts/all.md": '--8<-- "tea.md"', ".parts/tea.md": "Green.", ".cache/1a2b": "Green."}
    found = folder.find('# Tea\n--8<-- "all.md"', "# Tea\nGreen.", files)
    assert [*map(name_of, found.included)] == ["tea.md"]


def test_no_file_counts_if_nothing_was_inserted(folder: Folder) -> None:
    assert folder.names("# Tea\nGreen tea.", "# Tea\nGreen tea.", part_md="Green tea.") == []


def test_a_line_that_the_page_has_itself_does_not_make_a_file_count(folder: Folder) -> None:
    own, whole = "Green tea.\n{! a.md !}", "    Green tea.\nBlack tea."
    assert folder.names(own, whole, a_md="Black tea.", b_md="Green tea.") == ["a.md"]


def test_very_short_lines_say_nothing_about_their_file(folder: Folder) -> None:
    whole = "# Tea\n}\n- a\nGreen tea."
    assert folder.names("# Tea", whole, a_md="}\n- a\n- b", b_md="Green tea.") == ["b.md"]
    assert folder.names("# Tea", whole, a_md="Black tea.\n- a", b_md="Green tea.") == ["b.md"]
    assert folder.names("# Tea", f"{whole}\n---", a_json="}", a_txt="---") == []


@pytest.mark.parametrize("text", ["1.0\n", "茶二分\n", "a,b\n1,2\n", "1\n}\n"])
@pytest.mark.parametrize("more", ["", "\nGreen tea."])
def test_a_file_of_only_very_short_lines_counts_if_all_were_inserted(
    folder: Folder, text: str, more: str
) -> None:
    assert folder.names("# Tea", f"# Tea\n  {text}{more}", a_md=text) == ["a.md"]
    assert folder.names(f"# Tea\n{text}", f"# Tea\n{text}\n}}", a_md=text) == []


def test_a_table_of_only_very_short_cells_counts_where_it_is_shown(folder: Folder) -> None:
    assert folder.names("# Tea", "# Tea\n| 1 | 2 |", a_csv="1,2\n") == ["a.csv"]


@pytest.mark.parametrize(
    "text",
    [
        "[tea]: https://tea.example/\n",
        "*[TLA]: three letters and more\n",
        "<!-- a comment\nof two lines -->\n\n[tea]: https://tea.example/\n",
    ],
)
def test_a_file_of_definitions_and_comments_alone_has_no_text(folder: Folder, text: str) -> None:
    assert folder.names("# Tea", f"# Tea\n{text}", part_md=text) == []
    assert folder.names("# Tea", "# Tea\nQuite another word.", part_md=text) == []


def test_footnotes_are_text(folder: Folder) -> None:
    assert folder.names("# Tea", "# Tea\n[^1]: A note.", part_md="[^1]: A note.") == ["part.md"]


def test_data_count_where_words_are_left_that_no_file_explains(folder: Folder) -> None:
    files = {"prices.csv": "tea,price\ngreen,1.50\n", "part.md": "Green tea."}
    found = folder.find("# Tea", "# Tea\nGreen tea.\n| green | 1.5 |", files)
    assert sorted(map(name_of, found.included)) == ["part.md", "prices.csv"]
    found = folder.find("# Tea", "# Tea\nGreen tea.", files)
    assert [*map(name_of, found.included)] == ["part.md"]


def test_code_and_hidden_files_are_no_data(folder: Folder) -> None:
    files = {"macro.py": "def brew(): ...\n", ".cache/a.csv": "tea,price\n"}
    found = folder.find("# Tea", "# Tea\nGreen tea for two.", files)
    assert found.included == []


def test_hidden_files_count_only_where_the_page_names_them(folder: Folder) -> None:
    files = {".cache/1a2b.svg": "<defs>\n<circle/>\n", ".parts/tea.svg": "<svg>\n<defs>\n"}
    own = '# Tea\n--8<-- ".parts/tea.svg"'
    found = folder.find(own, "# Tea\n<svg>\n<defs>", files)
    assert [*map(name_of, found.included)] == ["tea.svg"]


def test_files_outside_the_site_are_no_data(tmp_path: Path) -> None:
    (tmp_path / "zone").write_text("tea,price\n", encoding="utf-8")
    finder = IncludeFinder([str(tmp_path / "docs")], "")
    assert finder.find("# Tea", ["# Tea", "Green."], [str(tmp_path / "zone")]).included == []


def test_files_of_the_output_and_of_installed_packages_do_not_count(folder: Folder) -> None:
    installed = Path(pytest.__file__)
    line = max(installed.read_text(encoding="utf-8").split("\n"), key=len)
    finder = IncludeFinder([str(folder.root)], folder.path("site"))
    assert finder.find("# Tea", ["# Tea", line], [str(installed)]).included == []
    assert folder.find("# Tea", "# Tea\nGreen.", {"site/index.html": "Green."}).included == []


def test_code_that_stands_on_the_page_counts(folder: Folder) -> None:
    assert folder.names("# Tea", "# Tea\n    brew(tea)", code_py="brew(tea)\n") == ["code.py"]


def test_files_that_are_put_on_each_page_do_not_count(folder: Folder) -> None:
    files = {"parts/all.md": "Made with love.\n"}
    assert (
        folder.find(
            "# Tea", "# Tea\nMade with love.", files, definitions=("./parts/all.md",)
        ).included
        == []
    )


MANY = " ".join(f"word{number}" for number in range(20))


def test_many_words_that_no_file_has_are_worth_a_remark(folder: Folder) -> None:
    assert folder.find("# Tea", f"# Tea\n{MANY}", {}).unexplained
    assert not folder.find("# Tea", f"# Tea\n{MANY} {MANY}".replace("word0 ", ""), {}).unexplained
    assert not folder.find(f"# Tea\n{MANY}", f"# Tea\n> {MANY}", {}).unexplained


def test_words_that_stand_in_data_in_another_way_are_not(folder: Folder) -> None:
    text = MANY.replace(" ", ",\n")
    assert not folder.find("# Tea", f"# Tea\n{MANY}", {"table.csv": text}).unexplained
    assert folder.find("# Tea", f"# Tea\n{MANY}", {"macro.py": "brew()"}).unexplained


def test_words_whose_links_a_plugin_rewrites_are_explained(folder: Folder) -> None:
    files = {"parts/part.md": f"Green.\n[{MANY}](parts/brew.md)\n"}
    assert not folder.find("# Tea", f"# Tea\nGreen.\n[{MANY}](../brew.md)", files).unexplained


def test_files_that_are_put_on_each_page_leave_no_word_unexplained(folder: Folder) -> None:
    files = {"parts/all.md": f"{MANY}\n"}
    assert not folder.find(
        "# Tea", f"# Tea\n{MANY}", files, definitions=("./parts/all.md",)
    ).unexplained


def test_markup_that_a_plugin_makes_of_the_same_words_is_explained(folder: Folder) -> None:
    assert folder.find("> [!NOTE]\n> Hot.", "!!! NOTE\n    Hot.", {}) == ([], False)


def test_a_temporary_file_that_is_gone_explains_nothing(folder: Folder) -> None:
    finder = IncludeFinder([str(folder.root)], "")
    found = finder.find("# Tea", ["# Tea", "Green."], [folder.path("gone.txt")])
    assert found.included == []


@pytest.mark.parametrize(
    "directive",
    [
        '--8<-- "https://tea.example:80/part.md"',
        '{% include-markdown "https://tea.example:80/part.md" %}',
    ],
)
def test_a_url_whose_text_was_inserted_counts(folder: Folder, directive: str) -> None:
    found = folder.find(f"# Tea\n{directive}", f"# Tea\n{MANY}", {})
    assert found == (["https://tea.example:80/part.md"], False)


@pytest.mark.parametrize(
    ("own", "whole"),
    [
        ('--8<-- "https://tea.example/part.md"', '--8<-- "https://tea.example/part.md"'),
        (';--8<-- "https://tea.example/part.md"', '--8<-- "https://tea.example/part.md"\nGreen.'),
        ('--8<-- "https://tea.example/part.md"\nGreen.', "  > Green."),
        ("[Tea](https://tea.example/part.md)", "Green."),
    ],
)
def test_a_url_of_which_no_text_was_inserted_does_not(folder: Folder, own: str, whole: str) -> None:
    assert list(folder.find(own, whole, {}).included) == []


# Parts of files


@pytest.mark.parametrize(
    ("directive", "cut"),
    [
        ('--8<-- "part.md:one"', Between("[start:one]", "[end:one]")),
        (
            '{% include-markdown "../part.md" start="<!--a-->" end="<!--b-->" %}',
            Between("<!--a-->", "<!--b-->"),
        ),
        ("{%\n  include 'part.md'\n  start='here'\n%}", Between("here")),
        ('--8<-- "other.md"\n{% include-markdown "part.md" end="b" %}', Between(end="b")),
    ],
)
def test_a_part_that_a_page_names_is_a_part(folder: Folder, directive: str, cut: Between) -> None:
    found = folder.find(directive, "Green tea.", {"part.md": "Green tea."})
    assert found.included == [Part(folder.path("part.md"), cut)]


def test_each_section_is_a_part_of_its_own(folder: Folder) -> None:
    own = '--8<-- "part.md:one"\n--8<-- "part.md:two"\n'
    found = folder.find(own, "Green tea.", {"part.md": "Green tea."})
    assert [each.cut for each in found.included if isinstance(each, Part)] == [
        Between("[start:one]", "[end:one]"),
        Between("[start:two]", "[end:two]"),
    ]


@pytest.mark.parametrize(
    "own",
    [
        '--8<-- "part.md:one"\n--8<-- "part.md"',
        '--8<-- "part.md:1:5"',
        "{! part.md !}",
        '{% include-markdown "part.md" heading-offset=1 %}',
        '{% include-markdown "*.md" start="a" %}',
    ],
)
def test_a_file_of_which_no_part_is_known_counts_whole(folder: Folder, own: str) -> None:
    found = folder.find(own, "Green tea.", {"part.md": "Green tea."})
    assert folder.path("part.md") in found.included


TEXT = "Top.\n<!-- one -->\nOne.\n<!-- end -->\nRest.\n<!-- one -->Two."


@pytest.mark.parametrize(
    ("cut", "shown"),
    [
        (Between("<!-- one -->", "<!-- end -->"), "\nOne.\nTwo."),
        (Between(end="<!-- one -->"), "Top.\n"),
        (Between("<!-- end -->"), "\nRest.\n<!-- one -->Two."),
        (Between("<!-- none -->", "<!-- end -->"), None),
    ],
)
def test_what_is_between_markers_is_cut(cut: Between, shown: str | None) -> None:
    assert cut(TEXT) == shown


@pytest.mark.parametrize("opened", ['--8<-- "', '--8<-- "a:', '{% include "', '--8<-- "https:'])
def test_a_name_without_an_end_is_read_past_in_linear_time(folder: Folder, opened: str) -> None:
    own = opened + "a" * 1_000_000  # in quadratic time this takes longer than any test run
    assert folder.names(own, f"{own}\nGreen tea.", part_md="Green tea.") == ["part.md"]


def test_cuts_are_compared_by_value_and_can_be_sent_to_another_process() -> None:
    cut = Between("a", "b")
    assert pickle.loads(pickle.dumps(cut)) == cut  # noqa: S301
    assert len({cut, Between("a", "b"), Between("a", "c")}) == 2
