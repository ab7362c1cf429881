"""URLs looked at by the batch come out as URLs looked at one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemapkit.errors import UrlError
from sitemapkit.normalizer import BATCH, URLS, Normalizer, batches
from sitemapkit.urls import normalize

if TYPE_CHECKING:
    from sitemapkit.model import Issue

BASE = "https://example.org/docs/"

characters = st.one_of(
    st.sampled_from("az09-._~!$&'()*+,;=:@/?%#[]{}|\\^`\"<> \n\r\t\x00\x7f\x80é日\ud800\ufffe🌞"),
    st.sampled_from(["/../", "/./", "/..", "%20", "%zz", "%e", "%C3%A9", "&amp;", "http://"]),
)
tails = st.lists(characters, max_size=12).map("".join)
starts = st.sampled_from(
    [
        *(BASE, BASE, BASE, BASE, "https://example.org/", "https://example.org"),
        *("HTTPS://EXAMPLE.org/", "//example.org/", "ftp://example.org/", "", "https:"),
        *("https://example.org:443/", "http://example.org:99999/", "https://u:p@example.org/"),
        *("https://bücher.example/", "https://example.org?", "https://[::1]:8080/"),
        *("https://exa mple.org/", " " + BASE),
    ]
)
urls = st.builds(str.__add__, starts, tails)
lists = st.lists(urls, max_size=30)


def refuse(issue: Issue) -> None:
    pytest.fail(issue.message)


def ignore(_: Issue) -> None:
    """For those who ask about the URLs alone."""


def one_by_one(url: str, base: str = "", encoding: str = "utf-8") -> str:
    try:
        normal = normalize(url, encoding=encoding)
    except UrlError:
        return ""
    return normal if normal.startswith(base) else ""


@given(lists)
def test_whatever_urls_come_they_come_out_as_one_by_one(given: list[str]) -> None:
    found: list[Issue] = []
    normal = Normalizer("loc", found.append).normal(given)
    assert normal == [one_by_one(url) for url in given]
    assert len(found) == normal.count("")


@given(lists)
def test_below_a_base_url_too(given: list[str]) -> None:
    normal = Normalizer("loc", ignore, base=BASE).normal(given)
    assert normal == [one_by_one(url, BASE) for url in given]


@given(lists, st.sampled_from(["euc-jp", "latin-1", "gb18030"]))
def test_in_another_character_set_too(given: list[str], encoding: str) -> None:
    normal = Normalizer("loc", ignore, encoding=encoding).normal(given)
    assert normal == [one_by_one(url, encoding=encoding) for url in given]


@given(st.lists(tails, min_size=1, max_size=30))
@example(["page/"] * 3)
@example(["pag\u00e9/?a=1&b='c' d"])
def test_an_origin_that_was_learnt_changes_nothing(given: list[str]) -> None:
    hosts = ["https://a.example/", "http://b.example:8080/", "https://c.example/", "http://[::1]/"]
    spelled = [host + tail for host in hosts for tail in given]
    normalizer = Normalizer("image", ignore)
    normalizer.normal([f"{host}x" for host in hosts])
    assert normalizer.normal(spelled) == [one_by_one(url) for url in spelled]


@given(st.integers(1980, 2060), st.integers(0, 3), st.booleans())
def test_no_url_is_too_long_for_one_way_and_not_for_the_other(
    length: int, before: int, encoded: bool
) -> None:
    long = BASE + ("é" if encoded else "e").ljust(length - len(BASE), "x")
    given = [*[f"{BASE}{n}/" for n in range(before)], long, f"{BASE}last/"]
    normal = Normalizer("loc", ignore, base=BASE).normal(given)
    assert normal == [one_by_one(url, BASE) for url in given]


@given(lists)
def test_xml_text_is_the_same_url_escaped(given: list[str]) -> None:
    escaped = Normalizer("loc", ignore).escaped(given)
    assert [text.replace("&apos;", "'").replace("&amp;", "&") for text in escaped] == [
        one_by_one(url) for url in given
    ]
    assert not any(set(text) & set("<>\"'\n") for text in escaped)


def test_a_list_of_any_length_comes_out_whole() -> None:
    for count in (0, 1, BATCH, 2 * BATCH + 1, URLS, URLS + 1, 2 * URLS + 1):
        given = [f"{BASE}{number}/é" for number in range(count)]
        normal = Normalizer("loc", refuse, base=BASE).normal(given)
        assert normal == [url.replace("é", "%C3%A9") for url in given]


def test_a_base_url_may_have_a_host_that_is_a_number_in_brackets() -> None:
    base = "http://[::1]:8000/"
    normal = Normalizer("loc", refuse, base=base).normal([base, f"{base}tea/", f"{base}[cup]/"])
    assert normal == [base, f"{base}tea/", f"{base}%5Bcup%5D/"]


def test_more_origins_than_are_learnt_come_out_right() -> None:
    given = [f"https://host-{number}.example/a b" for number in range(50)]
    normalizer = Normalizer("image", refuse)
    for _ in range(2):
        assert normalizer.normal(given) == [url.replace(" ", "%20") for url in given]


def test_each_url_that_is_refused_is_reported_by_itself() -> None:
    found: list[Issue] = []
    given = [f"{BASE}a/", "ftp://a/", f"{BASE}b/", "https://example.com/c/"]
    assert Normalizer("loc", found.append, base=BASE).normal(given) == [
        f"{BASE}a/",
        "",
        f"{BASE}b/",
        "",
    ]
    assert [(issue.rule.id, issue.where, issue.detail) for issue in found] == [
        ("bad-url", "loc", "'ftp://a/' is not an absolute http or https URL."),
        ("outside-base", "loc", f"https://example.com/c/ is not below {BASE}."),
    ]


@pytest.mark.parametrize("base", [BASE, None])
@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("", ""),
        ("a/b.html?c=d&e='f'", "a/b.html?c=d&e='f'"),
        ("%C3%A9/", "%C3%A9/"),
        ("é/", "%C3%A9/"),
        ("a b", "a%20b"),
        ("[a]", "%5Ba%5D"),
        ("x" * (2047 - len(BASE)), "x" * (2047 - len(BASE))),
    ],
)
def test_urls_that_only_need_escapes_are_looked_at_all_at_once(
    given: str, normal: str, base: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    normalizer = Normalizer("loc", refuse, base=base)
    normalizer.normal([f"{BASE}another/page.html"])
    monkeypatch.delattr("sitemapkit.normalizer.normalize")
    others = [f"{BASE}{number}/" for number in range(99)]
    assert normalizer.normal([BASE + given, *others]) == [BASE + normal, *others]
    assert normalizer.normal([*others, BASE + given]) == [*others, BASE + normal]


@pytest.mark.parametrize(
    "given", ["./a", "a/.", "../docs/a", "a/../b.html", ".a", "a.b/.c", "b ", "x" * 2028]
)
def test_a_url_that_needs_more_than_escapes_is_looked_at_by_itself(given: str) -> None:
    for others in ([], [BASE], [f"{BASE}{number}/" for number in range(9)]):
        for urls_given in ([BASE + given, *others], [*others, BASE + given]):
            normal = Normalizer("loc", ignore, base=BASE).normal(urls_given)
            assert normal == [one_by_one(url, BASE) for url in urls_given]


def test_as_many_origins_are_learnt_as_the_bound_says(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = [f"https://{number}.example/" for number in range(9)]
    normalizer = Normalizer("image", refuse)
    normalizer.normal(hosts * 2)
    monkeypatch.delattr("sitemapkit.normalizer.normalize")
    assert normalizer.normal(hosts[:8]) == hosts[:8]
    with pytest.raises(NameError):
        normalizer.normal(hosts[8:])


def test_batches_are_full_but_the_last() -> None:
    assert [len(batch) for batch in batches(range(2 * BATCH + 1))] == [BATCH, BATCH, 1]
    assert list(batches([])) == []
