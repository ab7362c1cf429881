"""URLs as a sitemap wants them; rule ids are those of the sitemap protocol's rules in `docs/`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapkit.errors import UrlError
from sitemapkit.urls import (
    absolute,
    addresses,
    below,
    file_names,
    files_of,
    is_error_page,
    is_local_host,
    normalize,
    normalize_base,
    resolve,
)

BASE = "https://example.org/docs/"


@pytest.mark.parametrize(
    ("given_url", "loc"),
    [
        ("", "https://example.org/docs/"),
        ("guide/", "https://example.org/docs/guide/"),
        ("/guide/", "https://example.org/docs/guide/"),
        ("grüße & co/", "https://example.org/docs/gr%C3%BC%C3%9Fe%20&%20co/"),
        ("a%20b/%c3%bc", "https://example.org/docs/a%20b/%c3%bc"),
        ("100% sure", "https://example.org/docs/100%25%20sure"),
        ("../de/hello.html", "https://example.org/de/hello.html"),
        ("a/./b/../c", "https://example.org/docs/a/c"),
        (".well-known/x", "https://example.org/docs/.well-known/x"),
        ("note: draft/", "https://example.org/docs/note:%20draft/"),
        ("page?q=ü#top", "https://example.org/docs/page?q=%C3%BC"),
        ("https://Other.example/Path", "https://other.example/Path"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("/Xmas/", "https://example.org/docs/Xmas/"),
        ("日本語/", "https://example.org/docs/%E6%97%A5%E6%9C%AC%E8%AA%9E/"),
        ('a"<b>|{c}', "https://example.org/docs/a%22%3Cb%3E%7C%7Bc%7D"),
    ],
)
def test_a_link_of_a_generator_becomes_one_ascii_url(given_url: str, loc: str) -> None:
    assert absolute(given_url, BASE) == loc


@pytest.mark.parametrize(
    ("host", "ascii_host"),
    [
        ("Bücher.example", "xn--bcher-kva.example"),
        ("bu\u0308cher.example", "xn--bcher-kva.example"),
        ("faß.de", "xn--fa-hia.de"),
        ("EXAMPLE.org:443", "example.org"),
        ("example.org:8443", "example.org:8443"),
        ("[2001:DB8::1]:80", "[2001:db8::1]:80"),
    ],
)
def test_l5_l6_a_host_is_lower_case_punycode_without_default_port(
    host: str, ascii_host: str
) -> None:
    assert normalize(f"https://{host}/") == f"https://{ascii_host}/"


@pytest.mark.parametrize("end", "aXx_-~'")
def test_only_the_spaces_around_a_url_are_no_part_of_it(end: str) -> None:
    assert normalize(f"  https://example.org/{end} ") == f"https://example.org/{end}"


def test_l7_a_bare_host_gets_its_slash() -> None:
    assert normalize("https://example.org") == "https://example.org/"
    assert normalize("https://example.org?q") == "https://example.org/?q"
    assert normalize("https://example.org?q=/?r") == "https://example.org/?q=/?r"


def test_l2_a_url_may_have_2047_characters_and_no_more() -> None:
    fits = "https://example.org/" + "a" * 2027
    assert normalize(fits) == fits
    with pytest.raises(UrlError, match="2,048 characters"):
        normalize(fits + "a")


def test_l2_length_is_judged_after_encoding() -> None:
    with pytest.raises(UrlError, match="characters"):
        normalize("https://example.org/" + "ü" * 400)


@pytest.mark.parametrize(
    "bad",
    [
        "guide/",
        "ftp://example.org/",
        "mailto:someone@example.org",
        "https://",
        "https://user:secret@example.org/",
        "https://exa mple.org/",
        "https://example.org:99999/",
        "https://example.org/a\x00b",
        "https://example.org/a\nb",
        "https://example.org/a\n",
        "https://-\u2028.example/",
        "https://example.org../",
    ],
)
def test_what_cannot_stand_in_a_sitemap_is_refused(bad: str) -> None:
    with pytest.raises(UrlError):
        normalize(bad)


def test_a_host_that_no_name_can_be_is_refused_before_it_is_encoded() -> None:
    with pytest.raises(UrlError, match="at most 253"):
        normalize(f"https://{'ü.' * 100_000}example/")


def test_a_password_never_shows_up_in_a_message() -> None:
    with pytest.raises(UrlError) as error:
        normalize("https://user:secret@example.org/")
    assert "secret" not in str(error.value)


def test_l3_escapes_are_made_in_the_servers_encoding() -> None:
    url = normalize("http://www.example.com/search?サイトマップ", encoding="euc-jp")
    assert url == "http://www.example.com/search?%A5%B5%A5%A4%A5%C8%A5%DE%A5%C3%A5%D7"


def test_l3_a_character_the_server_cannot_spell_is_refused() -> None:
    with pytest.raises(UrlError, match="euc-jp"):
        normalize("http://www.example.com/🌞", encoding="euc-jp")


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(UrlError):
        normalize("https://example.org/\ud800")


@pytest.mark.parametrize("bad", ["example.org", "https://example.org/?a", "https://example.org/#a"])
def test_a_base_url_is_absolute_and_plain(bad: str) -> None:
    with pytest.raises(UrlError):
        normalize_base(bad)


def test_a_base_url_ends_in_a_slash() -> None:
    assert normalize_base("https://example.org/docs") == BASE


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("../other/", "https://example.org/docs/other/"),
        ("/", "https://example.org/"),
        ("https://example.net", "https://example.net/"),
        ("", "https://example.org/docs/page/"),
    ],
)
def test_a_reference_is_resolved_against_its_page(reference: str, target: str) -> None:
    assert resolve(reference, BASE + "page/") == target


def test_the_path_below_the_base_is_readable() -> None:
    assert below(BASE, BASE + "gr%C3%BC%C3%9Fe/?q=1") == "grüße/"


paths = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40).filter(
    lambda path: "//" not in path  # which may begin a URL of its own
)


@given(paths)
def test_normalizing_twice_changes_nothing(path: str) -> None:
    once = absolute(path, BASE)
    assert normalize(once) == once


@given(paths)
def test_every_url_is_ascii_without_blanks_or_quotes(path: str) -> None:
    url = absolute(path, BASE)
    assert url.isascii()
    assert not set(url) & set(' "<>\\^`{|}#\n')


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a/", "a/index.html", True),
        ("a/", "a", True),
        ("a", "a.html", True),
        ("a/index", "a/", True),
        ("a", "a.htm", True),
        ("a/", "a/index.xhtml", True),
        ("v1.html", "v1.html/", True),
        ("%c3%a4/%7Eb/", "%C3%A4/~b/index.html", True),
        ("a/?b", "%61/?b", True),
        ("a/", "a.html", False),
        ("a", "b", False),
        ("a", "A", False),
        ("a?b", "a?c", False),
        ("%CF/", "%D1/", False),
    ],
)
def test_urls_are_of_one_page_if_they_can_lead_to_one_file(
    one: str, other: str, same: bool
) -> None:
    files = set(files_of(BASE + one))
    assert files.isdisjoint(files_of(BASE + other)) is not same
    assert files.isdisjoint(files_of(BASE.replace("https", "http") + other)) is not same
    assert files.isdisjoint(files_of(f"https://example.net/docs/{other}"))


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("a/b/.", "a/b/"),
        ("a/b/..", "a/"),
        ("a/b/../..", ""),
        ("a/./b", "a/b"),
        ("../../a", "a"),
        ("a/b/...", "a/b/..."),
    ],
)
def test_dot_segments_at_the_end_leave_the_slash(path: str, normal: str) -> None:
    assert normalize(f"https://example.org/{path}") == f"https://example.org/{normal}"


def test_the_servers_character_set_counts_wherever_a_url_is_made_or_read() -> None:
    base = "https://example.org/%E9/"
    assert normalize_base("https://example.org/é", encoding="latin-1") == base
    assert resolve("ü", base, encoding="latin-1") == f"{base}%FC"
    assert below(base, f"{base}%FC/", encoding="latin-1") == "ü/"
    for url in ("ü", "/ü", f"{base}ü", "//example.org/é/ü"):
        assert absolute(url, base, encoding="latin-1") == f"{base}%FC"


def test_a_url_without_a_scheme_gets_that_of_the_base_url_and_not_its_port() -> None:
    base = "http://example.org:8000/"
    assert absolute("//cdn.example/x", base) == "http://cdn.example/x"


def test_a_readable_path_ends_at_the_first_question_mark() -> None:
    assert below(BASE, f"{BASE}a/?b=1?c=2") == "a/"


def test_a_base_url_with_white_space_around_it_is_refused() -> None:
    for text in (f" {BASE}", f"{BASE} ", f"{BASE}\n"):
        with pytest.raises(UrlError, match="has white space around it"):
            normalize_base(text)


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        *((host, True) for host in ("localhost", "tea", "tea.local", "TEA.Home.ARPA.", "a.b.lan")),
        *((host, True) for host in ("127.0.0.1", "10.1.2.3", "::1", "fd00::1", "192.168.0.9")),
        *((host, False) for host in ("example.org", "8.8.8.8", "2001:4860:4860::8888", "lan.org")),
        *((host, False) for host in ("1.2.3", "home.arpa.example.org", "a.localhost.org")),
    ],
)
def test_a_host_is_local_by_its_address_or_its_last_name(host: str, is_local: bool) -> None:
    assert is_local_host(host) is is_local


@pytest.mark.parametrize("file", ["index.html", "a/index.htm", "a.html", "a/b.xhtml", "a", "v1.2"])
def test_a_server_looks_for_a_file_at_each_of_its_addresses(file: str) -> None:
    assert file in addresses(file)
    assert all(file in file_names(address) for address in addresses(file))


@given(st.from_regex(r"(a(\.b)?/)*(a(\.b)?)?", fullmatch=True))
def test_a_file_that_a_server_looks_for_answers_there_or_behind_a_slash(path: str) -> None:
    for file in file_names(path):
        assert not {path, f"{path}/"}.isdisjoint(addresses(file))


@pytest.mark.parametrize(
    ("path", "language", "is_one"),
    [
        *(("404.html", None, True), ("404/", None, True), ("404", None, True)),
        *(("500/index", None, True), ("403/index.html", "de", True), ("de/404.htm", "de", True)),
        *(("de/404.html", "fr", False), ("a/404/", None, False), ("4040", None, False)),
    ],
)
def test_a_page_about_an_error_is_at_the_root_or_at_that_of_a_language(
    path: str, language: str | None, *, is_one: bool
) -> None:
    assert is_error_page(path, language) is is_one
