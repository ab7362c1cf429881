"""What a list shows of a text, whichever way the text states it."""

from __future__ import annotations

import pickle

import pytest

from textdates import is_same_text
from textdates.parts import Between, Draft, Headed, Headings, Published, Shown

POST = """\
---
date:
  created: 2024-01-02
  updated: {updated}
categories:
  - Tea
  - Pots
tags: [green]
draft: false
---

# Brewing

First.

<!-- more -->

{rest}
"""

PELICAN = "Title: Brewing\nDate: 2024-01-02\nTags: green, black\nSlug: {slug}\n\n{text}\n"

REST = """\
Brewing
#######

:date: 2024-01-02
:tags: green,
    black
:slug: {slug}

{text}
"""


def words(text: str) -> list[str]:
    return text.split()


def test_a_list_of_titles_shows_the_title_and_the_metadata_that_it_names() -> None:
    shown = Shown(("date", "categories"))
    assert words(shown(POST.format(updated="2024-02-03", rest="Rest."))) == [
        *("Brewing", "2024-01-02", "Tea", "Pots")
    ]
    assert words(shown(PELICAN.format(slug="a", text="Text."))) == ["Brewing", "2024-01-02"]
    assert words(shown(REST.format(slug="a", text="Text."))) == ["Brewing", "2024-01-02"]


def test_neither_a_later_update_nor_the_rest_of_the_text_shows_in_a_list() -> None:
    before = POST.format(updated="2024-02-03", rest="Rest.")
    after = POST.format(updated="2025-02-03", rest="More.").replace("draft: false\n", "")
    for shown in (Shown(("date", "tags")), Shown(("date",), text=True, separator="<!-- more -->")):
        assert shown(before) == shown(after)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tags: [green, black]", "tags:\n  - green\n  - black"),
        ("tags: [green, black]", "tags:\n- 'green'\n- \"black\""),
        ("date: 2024-01-02", "date: {created: 2024-01-02, updated: 2025-03-04}"),
        ("title: Tea\ntags: [green]", "tags: [green]\nTitle: Tea"),
    ],
)
def test_metadata_that_are_spelled_in_another_way_show_the_same(one: str, other: str) -> None:
    shown = Shown(("date", "tags"))
    assert shown(f"---\n{one}\n---\n\nText.\n") == shown(f"---\n{other}\n---\n\nText.\n")


@pytest.mark.parametrize("text", [PELICAN, REST])
def test_a_new_tag_shows_where_tags_do(text: str) -> None:
    before = text.format(slug="a", text="Text.")
    after = before.replace("black", "black, red")
    assert Shown(("tags",))(before) != Shown(("tags",))(after)
    assert Shown(("date",))(before) == Shown(("date",))(after)


@pytest.mark.parametrize(
    "text",
    [
        "# Brewing\n\nText.\n",
        "Intro.\n\n# Brewing #\n\n# Second\n",
        "Brewing\n=======\n\nText.\n",
        "=======\nBrewing\n=======\n\nText.\n",
        "---\ntitle: Brewing\n---\n# Other\n",
        "Title: Brewing\n\n# Other\n",
        "```sh\n# comment\n```\n\n# Brewing\n",
    ],
)
def test_the_title_is_stated_or_the_first_heading(text: str) -> None:
    assert words(Shown(())(text)) == ["Brewing"]


def test_a_list_of_names_shows_no_title() -> None:
    assert words(Shown(("tags",), title=False)(PELICAN.format(slug="a", text="x"))) == [
        *("green", "black")
    ]


def test_an_excerpt_ends_at_the_separator_and_without_one_at_the_end() -> None:
    excerpt = Shown(text=True, separator="<!-- more -->")
    shown = excerpt(POST.format(updated="2024-02-03", rest="Rest."))
    assert "First." in shown
    assert "Rest." not in shown
    assert "Rest." in Shown(text=True, separator="<!-- cut -->")(
        POST.format(updated="", rest="Rest.")
    )


def test_a_summary_that_is_stated_shows_in_place_of_the_text() -> None:
    excerpt = Shown(text=True, words=50)
    stated = "Title: A\nSummary: Short.\n\nText.\n"
    assert "Short." in excerpt(stated)
    assert excerpt(stated) == excerpt(stated.replace("Text", "Other text"))
    assert excerpt(stated) != excerpt(stated.replace("Short", "Shorter"))


@pytest.mark.parametrize("text", [PELICAN, REST])
def test_a_summary_may_be_the_first_words(text: str) -> None:
    excerpt = Shown(text=True, words=3)
    assert excerpt(text.format(slug="a", text="One two\nthree four.")) == excerpt(
        text.format(slug="b", text="One two\nthree five.")
    )
    assert excerpt(text.format(slug="a", text="One two")) != excerpt(
        text.format(slug="a", text="One three")
    )


def test_the_alternative_text_of_an_image_is_not_among_the_first_words() -> None:
    excerpt = Shown(text=True, words=5)
    old, new = (PELICAN.format(slug="a", text=f"![{t}](a.png) One two.") for t in ("", "A cup"))
    assert excerpt(old) == excerpt(new)
    assert excerpt(old) != excerpt(new.replace("two", "three"))


UNSHOWN = {
    "a comment": "..\n   Not shown at all.\n\nOne two three.",
    "a role": ".. role:: raw-html(raw)\n   :format: html\n\nOne two three.",
    "an option of a role": ".. default-role:: literal\n\nOne two three.",
    "a target": ".. _a: https://example.org/one/two\n\nOne two three.",
    "a link's address": "`One <https://example.org/a>`_ two three.",
    "a reflowed line": "One\ntwo\nthree.",
}


@pytest.mark.parametrize("shown", UNSHOWN.values(), ids=list(UNSHOWN))
def test_what_nobody_sees_is_not_among_the_first_words(shown: str) -> None:
    excerpt = Shown(text=True, words=3)

    def cut(text: str, more: str) -> str:
        return excerpt(REST.format(slug="a", text=f"{text} {more}"))

    assert cut(shown, "four") == cut(shown, "five six")
    assert cut(shown, "four") != cut(shown.replace("three", "3"), "four")
    if "example" not in shown:
        assert cut(shown, "four") == cut("One two three.", "four")


def test_a_comment_of_markdown_is_not_among_the_first_words() -> None:
    excerpt = Shown(text=True, words=3)
    old, new = (
        PELICAN.format(slug="a", text=f"{c}One *two* three. {rest}")
        for c, rest in (("", "Four"), ("<!-- a b c d -->\n\n", "Five"))
    )
    assert excerpt(old) == excerpt(new)


def test_where_a_link_among_the_first_words_leads_is_seen() -> None:
    excerpt = Shown(text=True, words=3)
    old = PELICAN.format(slug="a", text="One [two](https://a.example/b) three four.")
    assert excerpt(old) != excerpt(old.replace("example/b", "example/c"))


@pytest.mark.parametrize(
    "other",
    [
        *("2024-1-2", "2024/01/02", "20240102", "2 January 2024"),
        *("Jan 2, 2024", "January 2nd, 2024", "'2024-01-02'"),
    ],
)
def test_a_day_may_be_spelled_in_many_ways(other: str) -> None:
    shown = Shown(("date",))
    text = "Title: Tea\nDate: {}\n\nText.\n"
    assert shown(text.format("2024-01-02")) == shown(text.format(other))
    assert shown(text.format("2024-01-03")) != shown(text.format(other))
    assert shown(text.format("2024-02-01")) != shown(text.format(other))


def test_two_that_show_the_same_are_one_and_can_be_sent_to_another_process() -> None:
    cut = Shown(("date",), text=True, separator="<!-- more -->")
    assert pickle.loads(pickle.dumps(cut)) == cut  # noqa: S301
    assert len({cut, Shown(("date",), text=True, separator="<!-- more -->"), Shown(("date",))}) == 2


def test_a_message_says_what_is_shown() -> None:
    assert str(Shown(("date",), groups=("tags",), group="a", text=True)) == (
        "title, date, tags, summary"
    )
    assert str(Shown(("tags",), title=False)) == "tags"
    assert str(Headed("")) == "title and text"
    assert str(Published((), ("title", "tags"))) == "title, tags, text"
    assert str(Headings(2)) == "headings"
    assert str(Between("[start:tea]", "[end:tea]")) == "[start:tea] to [end:tea]"
    assert str(Between(end="[end:tea]")) == "the beginning to [end:tea]"


def test_a_text_whose_format_is_not_known_cannot_be_cut() -> None:
    with pytest.raises(ValueError, match="no title and no metadata"):
        Shown(("tags",))("<p>Brewing</p>")


HTML = """\
<html>
<head>
<title>Brewing</title>
<meta name="date" content="2024-01-02">
<meta name="tags" content="green, black">
</head>
<body>
<p class="x">Steep <!-- not --> it <a href="a.html">well</a>.</p>
</body>
</html>
"""


def test_the_head_of_an_html_text_has_its_title_and_metadata() -> None:
    assert words(Shown(("date", "tags"))(HTML)) == ["Brewing", "2024-01-02", "green", "black"]
    other = HTML.replace(
        'name="tags" content="green, black"', "content='green, black' NAME=Keywords"
    )
    assert Shown(("date", "tags"))(HTML) == Shown(("date", "tags"))(other)
    assert words(Published((), ("title",))(HTML))[0] == "Brewing"
    assert "green" not in Published((), ("title",))(HTML)


def test_the_first_words_of_an_html_text_are_those_that_show() -> None:
    excerpt = Shown(text=True, words=3)
    assert excerpt(HTML) == excerpt(HTML.replace("<!-- not -->", "").replace('class="x"', "id=y"))
    assert excerpt(HTML) != excerpt(HTML.replace("well", "long"))
    assert excerpt(HTML) == excerpt(HTML.replace("</p>", " More.</p>"))


@pytest.mark.parametrize("text", [POST.format(updated="", rest=""), PELICAN, REST])
def test_of_a_group_only_that_a_text_is_in_it_shows(text: str) -> None:
    in_green = Shown(groups=("tags",), group="Green", title=False)
    assert in_green(text) == "Green"
    assert not Shown(groups=("tags", "category"), group="gree", title=False)(text)


def test_a_text_with_its_title_is_all_but_other_metadata() -> None:
    cut = Published((), ("title",))
    assert words(cut("Title: Tea\nTags: green\n\nText.\n")) == ["Tea", "Text."]
    assert words(cut('---\ntitle: "Tea"\n---\nText.\n')) == ["Tea", "Text."]
    assert words(cut("Tea\n===\n\n:tags: green\n\nText.\n")) == ["Tea", "===", "Text."]
    assert words(cut("# Tea\n\nText.\n"))[-3:] == ["#", "Tea", "Text."]
    assert cut("<p>Text.</p>").strip() == "<p>Text.</p>"


MARKDOWN = """\
---
title: Other
---
# Tea

## Green ##

```sh
# comment
```

### Steep

Black
-----
"""
UNDERLINED = """\
.. _tea:

===
Tea
===

Text::

   # code

``Green`` tea
=============

=====  =====
a      b
=====  =====

Steep
~~~~~

Text.

----

Black
=====

Pour
~~~~
"""


@pytest.mark.parametrize(
    ("text", "levels", "headings"),
    [
        (MARKDOWN, 1, ["Tea"]),
        (MARKDOWN, 2, ["Tea", "Green"]),
        (MARKDOWN, 9, ["Tea", "Green", "Steep", "Black"]),
        (UNDERLINED, 1, ["Tea"]),
        (UNDERLINED, 2, ["Tea", "``Green`` tea", "Black"]),
        (UNDERLINED, 3, ["Tea", "``Green`` tea", "Steep", "Black", "Pour"]),
        ("No heading.\n", 2, [""]),
    ],
)
def test_a_table_of_contents_shows_headings_down_to_a_level(
    text: str, levels: int, headings: list[str]
) -> None:
    assert Headings(levels)(text).split("\n\n") == headings


MANY_FENCES = "".join("`" * count + "\n" for count in range(2_000, 2, -1))


@pytest.mark.parametrize(
    "text",
    ["# " + "#" * 1_000_000 + " x\n", "`" * 100_000 + "\n" + "x\n" * 500_000, MANY_FENCES],
    ids=["hashes", "a long fence", "many fences"],
)
def test_a_hostile_text_does_not_hold_up_a_build(text: str) -> None:
    assert Headings(1)(text).count("\n") == 0


DRAFTS = (Draft("status", ("draft", "hidden")), Draft("draft", ("true", "yes")))


@pytest.mark.parametrize(
    "metadata",
    [
        "---\ntitle: A\nstatus: draft\n---\n",
        "---\ntitle: A\nstatus: published\ndraft: True  # yet\n---\n",
        "---\ntitle: A\nstatus: 'Hidden'\n---\n",
        "+++\ntitle = 'A'\nstatus = \"hidden\"\n+++\n",
        "Title: A\nStatus: draft\n",
        ":title: A\n:status: hidden\n",
        "AB\n##\n\n:date: 2024-01-02\n:status: draft\n",
    ],
)
@pytest.mark.parametrize("cut", [Published(DRAFTS), Shown(drafts=DRAFTS)])
def test_a_draft_shows_nothing(metadata: str, cut: Published | Shown) -> None:
    text = f"{metadata}\nText.\n"
    assert not cut(text)
    assert cut(text.replace(metadata, "---\ntitle: A\nstatus: published\ndraft: false\n---\n"))


def test_what_no_metadata_hide_is_shown_whole() -> None:
    drafts = (Draft("draft", ("true",)),)
    for top in ("", "---\ntitle: A\ndraft: false\n---\n", "---\nstatus: draft\n---\n"):
        assert Published(drafts)(f"{top}# B\n\nText.\n") == "# B\n\nText.\n"
    assert str(Published(drafts)) == "text"


FIELDS = {
    "below a title": "One\n###\n\n:order: {}\n:status: published\n\nText.\n",
    "directly below": "One\n###\n:order: {}\n\nText.\n",
    "below an overlined title": "===\nOne\n===\n\n:order: {}\n   more\n\nText.\n",
    "at the top": ":order: {}\n\nText.\n",
    "and nothing else": "One\n###\n\n:order: {}",
}


@pytest.mark.parametrize("text", FIELDS.values(), ids=list(FIELDS))
def test_whatever_fields_a_generator_reads_below_a_title_are_no_text(text: str) -> None:
    cut = Published(())
    assert cut(text.format(1)) == cut(text.format(2))
    assert cut(text.format(1)).split()[-1] in ("Text.", "###")


@pytest.mark.parametrize(
    "date",
    [
        *("2026-01-03 10:00", "2026-01-03T10:00:00+02:00", "2026/1/3 10:00", "20260103T1000"),
        *("Jan 3, 2026 10:00", "3rd January 2026, 10:00", '"2026-01-03 10:00:01.5"'),
    ],
)
def test_a_list_shows_the_day_of_a_date_and_no_time(date: str) -> None:
    shown = Shown(("date",), title=False)
    assert shown(f"Title: One\nDate: {date}\n\nText.\n") == "2026-01-03"
    assert shown(f"---\ntitle: One\ndate:\n  created: {date}\n---\nText.\n") == "2026-01-03"


TITLE = " ".join(f"t{number}" for number in range(90))


@pytest.mark.parametrize(
    "before",
    [
        *(f'[one](https://a.org/ "{TITLE}")', f"![one](x.png '{TITLE}')"),
        *(f"[one](a.md ({TITLE}))", f"![{TITLE}](x.png)", f'[one](a.md "{TITLE} (1)")'),
        *(f"[one][id]\n\n[id]: a.md '{TITLE}'", f'<img src=x.png title="{TITLE}">'),
    ],
)
def test_the_title_of_a_link_is_no_word_of_a_summary(before: str) -> None:
    shown = Shown(text=True, words=50)
    text = "Title: One\n\n{}\n\nThe {} text.\n\n{}\n"
    old, new = (text.format(before, each, "word " * 99) for each in ("old", "new"))
    assert shown(old) != shown(new)
    assert shown(old) == shown(f"{old}More.\n")


LINKED_BELOW = {
    b"one.md": "Title: One\n\nSee [the one][id] first.\n\n<!-- more -->\n\nThen [more][].\n\n"
    "[id]: {}\n[more]: {}\n",
    b"one.rst": "One\n###\n\n:date: 2016-01-03\n\nSee `the one`_ first.\n\n<!-- more -->\n\n"
    "Then more_.\n\n..  _the one: {}\n.. _more: {}\n",
}


@pytest.mark.parametrize("name", LINKED_BELOW)
@pytest.mark.parametrize(("separator", "most"), [("<!-- more -->", 0), ("", 3)])
def test_a_link_of_a_summary_leads_where_the_text_says_below_it(
    name: bytes, separator: str, most: int
) -> None:
    shown = Shown(text=True, separator=separator, words=most)
    first, other = b"https://a.org/", b"https://b.org/"
    text = LINKED_BELOW[name].format("https://a.org/", "https://a.org/").encode()
    start, end = text.rsplit(first, 1)
    rest = start + other + end
    assert not is_same_text(text, text.replace(first, other, 1), name, shown)
    assert is_same_text(text, rest, name, shown)
    assert not is_same_text(text, rest, name)
