"""Settings: what is accepted, and the answer to what is not."""

from pathlib import Path

import pytest
from msgspec import structs

from sitemapkit import OptionError, Options, Page, build, read_options, stated_base
from sitemapkit.options import Spelling

WHERE = "sitemapkit in mkdocs.yml"


def refusal(**given: object) -> str:
    with pytest.raises(OptionError) as error:
        read_options(given, where=WHERE)
    return str(error.value)


def plain(options: Options) -> Options:
    """Return the options without how this user spells them."""
    return structs.replace(options, spelling=Options().spelling)


def test_nothing_set_gives_the_defaults() -> None:
    assert plain(read_options({}, where=WHERE)) == Options()


def test_what_the_generator_knows_gives_way_to_what_the_user_set() -> None:
    options = read_options(
        {"formats": ["xml"]}, where=WHERE, base_url="https://e.org", formats=["xml", "gz"]
    )
    assert options.base_url == "https://e.org/"
    assert options.formats == ("xml",)


def test_an_option_set_to_nothing_counts_as_not_set() -> None:
    assert plain(read_options({"exclude": None}, where=WHERE)) == Options()


def test_an_unknown_option_is_refused_with_the_nearest_right_name() -> None:
    assert refusal(exclud=["x"]) == f"{WHERE}: unknown option 'exclud'. Did you mean 'exclude'?"


def test_a_generator_with_a_prefix_reads_the_names_as_they_stand_in_its_settings() -> None:
    def refused(**given: object) -> str:
        with pytest.raises(OptionError) as error:
            read_options(given, where="conf.py", prefix="sitemap_")
        return str(error.value)

    unknown = "conf.py: unknown option 'sitemap_exclud'. Did you mean 'sitemap_exclude'?"
    assert refused(exclud=["x"]) == unknown
    assert "option 'sitemap_max_urls' is 0; it must be a whole number from 1 to 50,000." in refused(
        max_urls=0
    )
    nested = refused(rules=[{"match": "x", "priorty": 1}])
    assert "'sitemap_rules[0].priorty'. Did you mean 'priority'?" in nested
    assert "Known options: sitemap_base_url, " in refused(zzz=1)


def test_an_unknown_option_like_none_we_have_is_answered_with_all_names() -> None:
    assert "Known options: base_url, " in refusal(zzz=1)
    with pytest.raises(OptionError, match=r"unknown option '1'\. Known options: base_url, "):
        read_options({1: 2}, where=WHERE)  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("given", "path", "value", "allowed"),
    [
        ({"max_urls": "many"}, "max_urls", "'many'", "1 to 50,000"),
        ({"max_urls": 0}, "max_urls", "0", "1 to 50,000"),
        ({"max_bytes": 10}, "max_bytes", "10", "4,096"),
        ({"stylesheet": "yes"}, "stylesheet", "is 'yes'", "true or false"),
        (
            {"robots": "apend"},
            "robots",
            "Did you mean 'append'?",
            "auto, append (only to a file that is there), write",
        ),
        ({"robots": "x"}, "robots", "'x'", "append (only to a file that is there)"),
        ({"robots": True}, "robots", "True: write auto", "append (only to a file that is there)"),
        ({"lastmod": True}, "lastmod", "True: write auto", "auto, false"),
        ({"lastmod": ["gti"]}, "lastmod[0]", "'gti'", "metadata, generator, git, members, ledger"),
        ({"lastmod": ""}, "lastmod[0]", "is ''", "auto, false"),
        ({"formats": []}, "formats", "[]", "a list of"),
        ({"formats": "htm"}, "formats[0]", "'htm'. Did you mean 'html'?", "a list of"),
        ({"formats": {"htm"}}, "formats[0]", "'htm'", "a list of"),
        ({"languages": {False: "https://e.org/"}}, "languages", "{False: ", 'quote "no"'),
        ({"git": {1: "x"}}, "git.1", "", "Known options: bodies, "),
        ({"languages": {"de": 1}}, "languages.de", "is 1", "base URL, or {base_url, pages}"),
        (
            {"languages": {"de": {"base_url": "https://e.org/", "pages": 1}}},
            "languages.de.pages",
            "1",
            "path of",
        ),
        ({"base_url": "example.org"}, "base_url", "'example.org'", "absolute URL"),
        ({"filename": "../sitemap.xml"}, "filename", "'../sitemap.xml'", "ending in .xml"),
        ({"filename": "sitemap"}, "filename", "'sitemap'", "ending in .xml"),
        ({"filename": "a\nb.xml"}, "filename", r"'a\nb.xml'", "ending in .xml"),
        ({"exclude": "[z-a]"}, "exclude", "bad character range z-a", "gitignore-style"),
        ({"exclude": "a\\"}, "exclude", "'a\\\\'", "gitignore-style"),
        ({"templates": "nosuch"}, "templates", "'nosuch'", "folder whose"),
        ({"url_encoding": "utf-16"}, "url_encoding", "'utf-16'", "such as utf-8"),
        ({"url_encoding": "iso-2022-jp"}, "url_encoding", "'iso-2022-jp'", "such as utf-8"),
        (
            {"feed": {"days": 10**12}},
            "feed.days",
            "1000000000000",
            "a whole number from 0 to 36,500",
        ),
        ({"rules": [{"match": "x", "priority": 7}]}, "rules[0].priority", "7", "0.0 to 1.0"),
        ({"rules": [{"match": "x", "priorty": 1}]}, "rules[0].priorty", "", "'priority'"),
        ({"rules": [{"priority": 1}]}, "rules[0].match", "is missing", "gitignore-style"),
        (
            {"rules": [{"match": "x", "changefreq": "dayly"}]},
            "rules[0].changefreq",
            "'daily'",
            "yearly",
        ),
        ({"news": {"name": "a", "match": "b"}}, "news.language", "is missing", "de, zh-cn"),
        ({"formats": ["html"]}, "formats", "search engines read none of them", "a list of xml"),
        ({"x_default": "gr"}, "x_default", "use 'el'", "language of the pages"),
        ({"languages": {"gr": "https://e.org/"}}, "languages", "use 'el'", "base URL, or"),
        ({"languages": {"": "https://e.org/"}}, "languages", "not a language", "base URL, or"),
        (
            {"languages": {"de": {"base_url": "x"}}},
            "languages.de.base_url",
            "'x' is not",
            "absolute",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_its_path_what_was_given_and_what_is_allowed(
    given: dict[str, object], path: str, value: str, allowed: str
) -> None:
    message = refusal(**given)
    assert message.startswith(f"{WHERE}: ")
    assert f"option {path!r}" in message
    assert value in message
    assert allowed in message
    assert message.count(repr(path)) == 1
    assert f"`{path}`" not in message
    assert "Expected" not in message
    assert "\n" not in message


def test_all_wrong_options_are_refused_at_once_each_in_a_line_of_its_own(tmp_path: Path) -> None:
    message = refusal(
        max_urls="many",
        exclud=["x"],
        rules=[{"priorty": 1, "priority": 7}, 3],
        filename="sitemap",
        languages={"de": 1, "en": {"pages": 2}},
        report=str(tmp_path),
        exclude=["a/", 3],
    )
    assert all(line.startswith(f"{WHERE}: ") for line in message.splitlines())
    assert [line.split("option ")[1].split("'")[1] for line in message.splitlines()] == [
        "report",
        "max_urls",
        "exclud",
        "rules[0].priorty",
        "rules[0].priority",
        "rules[0].match",
        "rules[1]",
        "filename",
        "languages.de",
        "languages.en.pages",
        "languages.en.base_url",
        "exclude[1]",
    ]


def test_a_number_has_the_same_answer_whatever_its_size() -> None:
    answer = f"{WHERE}: option 'max_urls' is {{}}; it must be a whole number from 1 to 50,000."
    assert refusal(max_urls="many") == answer.format("'many'")
    assert refusal(max_urls=10**5000) == answer.format("a number with thousands of digits")


def test_a_base_url_that_the_servers_character_set_does_not_have_is_refused() -> None:
    message = refusal(base_url="https://e.org/\N{EURO SIGN}", url_encoding="latin-1")
    assert "option 'base_url' is 'https://e.org/\N{EURO SIGN}'" in message
    assert "cannot be encoded in iso8859-1" in message


@pytest.mark.parametrize("name", ["report", "ledger"])
def test_a_file_that_is_a_folder_is_refused_and_never_said_to_be_removed(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    with pytest.raises(OptionError) as caught:
        read_options({name: "docs"}, where=WHERE, root=tmp_path)
    assert str(caught.value).startswith(
        f"{WHERE}: option {name!r} is 'docs': it is a folder; choose the name of a file."
    )
    assert "remove" not in str(caught.value)


def test_whole_numbers_are_priorities_too() -> None:
    options = read_options({"rules": [{"match": ["a", "b"], "priority": 1}]}, where=WHERE)
    assert options.rules[0].priority == 1.0


def test_date_sources_stay_in_order_of_trust_however_they_are_listed() -> None:
    assert Options(lastmod=("git", "metadata")).date_sources == ("metadata", "git")
    assert Options(lastmod=False).date_sources == ()


def test_without_a_base_url_that_of_read_the_docs_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://tea.readthedocs.example/en/latest/")
    assert read_options({}, where=WHERE).base_url == "https://tea.readthedocs.example/en/latest/"
    stated = read_options({}, where=WHERE, base_url="https://example.org")
    assert stated.base_url == "https://example.org/"
    assert stated_base("") == stated_base(None) == "https://tea.readthedocs.example/en/latest/"
    assert not stated_base(".")  # relative URLs


NOT_SET = ("", None, False, "/", "./", "//", " ", "\n", "#", "https://", "http:", " https:/// ")


@pytest.mark.parametrize("value", NOT_SET)
def test_a_base_url_without_a_host_is_not_set(
    monkeypatch: pytest.MonkeyPatch, value: object
) -> None:
    monkeypatch.delenv("READTHEDOCS_CANONICAL_URL", raising=False)
    options = read_options({}, where=WHERE, base_url=value, base_severity="note")
    assert (options.base_url, options.spelling.base_error) == ("", "")
    assert not stated_base(value)
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://tea.readthedocs.example/en/latest/")
    assert stated_base(value) == "https://tea.readthedocs.example/en/latest/"


@pytest.mark.parametrize("value", ["/docs/", "//example.org", "example.org", "https:example", 1])
def test_any_other_base_url_that_is_no_url_is_said_to_be_wrong(
    monkeypatch: pytest.MonkeyPatch, value: object
) -> None:
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://tea.readthedocs.example/en/latest/")
    options = read_options({}, where=WHERE, base_url=value)
    assert not options.base_url
    assert repr(value) in options.spelling.base_error


def test_the_folder_of_the_settings_may_have_signs_of_patterns_in_its_name(tmp_path: Path) -> None:
    root = tmp_path / "[draft] site*"
    root.mkdir()
    (root / "a.yml").touch()
    given = {"sources": [{"match": "*", "files": "*.yml"}], "base_url": "https://example.org/"}
    report = build([Page("a/")], read_options(given, where=WHERE, root=root), tmp_path)
    assert "sources-without-file" not in {issue.rule.id for issue in report.issues}


@pytest.mark.parametrize(
    ("text", "applied"),
    [
        ("exclude", "sitemap_exclude"),
        ("filename: a.xml", "sitemap_filename: a.xml"),
        ("set `news.match`", "set `sitemap_news.match`"),
        ("news.html", "news.html"),
        ("languages/de.html", "languages/de.html"),
    ],
)
def test_messages_name_options_as_users_spell_them_and_leave_pages_alone(
    text: str, applied: str
) -> None:
    assert Spelling(prefix="sitemap_").applied(text) == applied


def test_a_field_that_is_named_as_an_option_is_not_spelled_as_one() -> None:
    with pytest.raises(OptionError, match=r"option '--news\.language' is missing"):
        read_options({"news": {"name": "a", "match": "b"}}, where=WHERE, prefix="--")


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"exclude": 1}, "options/#exclude"),
        ({"git": {"dates": 1, "bodies": 2}}, "options/#git"),
        ({"exlude": "drafts/"}, "options/"),
        ({"exclude": "option 'robots'", "formats": "option 'robots'"}, "options/#formats"),
        ({"exclude": 1, "robots": 1}, "options/"),
    ],
)
def test_a_message_about_an_option_leads_to_its_place_in_the_manual(
    given: dict[str, object], place: str
) -> None:
    with pytest.raises(OptionError) as raised:
        read_options(given, where="test")
    manual = "https://sitemapkit.github.io/sitemapkit/"
    assert raised.value.explained == f"{raised.value}\nSee {manual}{place}"


def test_an_error_about_something_else_leads_nowhere() -> None:
    assert OptionError("a text").explained == "a text"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("xx", "'xx' is not a language code."),
        ("english", "'english' is not a language code."),
        ("gr", "'gr' is not a language code; use 'el'."),
        ("us", "'us' is not a language code; use 'en'."),
    ],
)
def test_a_language_that_does_not_exist_is_refused_in_our_words(code: str, said: str) -> None:
    with pytest.raises(OptionError) as error:
        read_options({"languages": {code: "https://example.org/"}}, where=WHERE)
    assert f"{said} Allowed" in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("rules", {"match": "a/", "priority": 1}), ("sources", {"files": "*.csv", "match": "a/"})],
)
def test_one_of_a_list_without_its_dash_is_told_where_to_put_it(
    name: str, value: dict[str, object]
) -> None:
    advice = f": put it into a list (in YAML, a dash before `{next(iter(value))}`)."
    assert refusal(**{name: value}).endswith(advice)
    assert "a dash before" not in refusal(**{name: "a/"})


@pytest.mark.parametrize("name", ["priority", "changefreq", "priorty"])
def test_what_is_stated_by_page_leads_to_the_rules(name: str) -> None:
    with pytest.raises(OptionError) as error:
        read_options({name: 0.5}, where="conf.py", prefix="sitemap_")
    right = "changefreq" if name == "changefreq" else "priority"
    said = f"unknown option 'sitemap_{name}'. Write it in 'sitemap_rules', as in"
    assert str(error.value).startswith(f'conf.py: {said} [{{match: "*", {right}: …}}].')
