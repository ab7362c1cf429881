"""`sitemapkit submit`: each URL delivered once or reported, against a real server on loopback."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapkit.errors import SitemapError
from sitemapkit_tools.bounds import Budget
from sitemapkit_tools.submit.push import Baidu, IndexNow
from sitemapkit_tools.submit.submit import Outcome, submit
from sitemapkit_tools.web.client import Client, ClientSettings

from .conftest import run, urlset
from .servers import SILENCE, IndexNowServer, Server, running

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from .servers import Handler

KEY = "0123456789abcdef0123456789abcdef"
IMPATIENT = ClientSettings(rate=0, timeout=4, deadline=6)


class Engine:
    """An endpoint on loopback, which also serves the site whose URLs it is told of."""

    def __init__(self, behaviour: IndexNowServer, server: Server) -> None:
        self.behaviour = behaviour
        self.server = server
        self.pauses: list[float] = []
        behaviour.key_files[f"/{KEY}.txt"] = KEY

    def urls(self, count: int) -> list[str]:
        return [f"{self.server.url}/{number}/" for number in range(count)]

    def submit(self, urls: list[str], push: IndexNow | None = None) -> Outcome:
        """Submit in requests of ten URLs, without really pausing."""
        push = push or IndexNow(KEY, endpoint=f"{self.server.url}/indexnow", batch_size=10)
        client = Client(IMPATIENT, Budget(sleep=self.pauses.append))
        try:
            return submit(urls, push, client)
        finally:
            client.close()


@pytest.fixture
def engine() -> Generator[Engine]:
    behaviour = IndexNowServer()
    with running(behaviour.answer) as server:
        yield Engine(behaviour, server)


def test_all_urls_are_delivered_once_in_requests_of_the_right_size(engine: Engine) -> None:
    urls = engine.urls(25)
    outcome = engine.submit(urls)
    assert sorted(outcome.delivered) == sorted(urls)
    assert outcome.undelivered == {}
    assert engine.behaviour.taken == dict.fromkeys(urls, 1)
    assert [len(each["urlList"]) for each in engine.behaviour.requests] == [10, 10, 5]


def test_ten_thousand_urls_go_into_one_request(engine: Engine) -> None:
    urls = engine.urls(10_001)
    push = IndexNow(KEY, endpoint=f"{engine.server.url}/indexnow")
    assert len(engine.submit(urls, push).delivered) == 10_001
    assert [len(each["urlList"]) for each in engine.behaviour.requests] == [10_000, 1]


def test_each_host_gets_requests_of_its_own(engine: Engine) -> None:
    other = engine.server.url.replace("127.0.0.1", "localhost")
    outcome = engine.submit([*engine.urls(3), f"{other}/a/", f"{other}/b/"])
    assert len(outcome.delivered) == 5
    assert sorted(len(each["urlList"]) for each in engine.behaviour.requests) == [2, 3]


def test_a_key_that_is_still_to_be_checked_is_a_delivery(engine: Engine) -> None:
    engine.behaviour.script = ["202"]
    assert engine.submit(engine.urls(3)).undelivered == {}


@pytest.mark.parametrize("status", ["429", "500", "503"])
def test_what_the_server_cannot_take_now_is_sent_again(engine: Engine, status: str) -> None:
    engine.behaviour.script = [status, status]
    urls = engine.urls(3)
    assert engine.submit(urls).delivered == urls
    assert engine.pauses == [2.0, 4.0]
    assert engine.behaviour.taken == dict.fromkeys(urls, 1)


def test_the_server_says_how_long_to_wait(engine: Engine) -> None:
    engine.behaviour.script, engine.behaviour.retry_after = ["429", "503"], "77"
    assert engine.submit(engine.urls(3)).undelivered == {}
    assert engine.pauses == [77.0, 77.0]


def test_the_server_says_until_when_to_wait(engine: Engine) -> None:
    engine.behaviour.script = ["429"]
    engine.behaviour.retry_after = "Wed, 21 Oct 2015 07:28:00 GMT"
    assert engine.submit(engine.urls(3)).undelivered == {}
    assert engine.pauses == [0.0]


@pytest.mark.parametrize("wait", ["9" * 500, "86400"])
def test_a_server_that_asks_for_too_long_a_pause_is_left_for_later(
    engine: Engine, wait: str
) -> None:
    engine.behaviour.script, engine.behaviour.retry_after = ["429"], wait
    outcome = engine.submit(engine.urls(3))
    assert outcome.delivered == []
    assert "it asks to wait" in next(iter(outcome.undelivered.values()))
    assert engine.pauses == []


def test_nonsense_for_a_pause_is_not_heeded(engine: Engine) -> None:
    engine.behaviour.script, engine.behaviour.retry_after = ["429"], "soon"
    assert engine.submit(engine.urls(3)).undelivered == {}
    assert engine.pauses == [2.0]


def test_patience_ends(engine: Engine) -> None:
    engine.behaviour.script = ["503"] * 5
    outcome = engine.submit(engine.urls(3))
    assert set(outcome.undelivered.values()) == {"given up: answered 503"}
    assert engine.pauses == [2.0, 4.0, 8.0, 16.0]


@pytest.mark.parametrize(
    "trouble", ["drop", "drop-taken", pytest.param("slow", marks=pytest.mark.slow)]
)
def test_what_nobody_can_know_is_reported_and_not_sent_twice(engine: Engine, trouble: str) -> None:
    engine.behaviour.script = [trouble]
    urls = engine.urls(15)
    outcome = engine.submit(urls)
    assert len(engine.behaviour.requests) == 2
    assert all(count == 1 for count in engine.behaviour.taken.values())
    assert sorted([*outcome.delivered, *outcome.undelivered]) == sorted(urls)
    assert {why.partition(":")[0] for why in outcome.undelivered.values()} == {"unconfirmed"}


def test_an_engine_that_cannot_be_reached_is_tried_again_and_reported(engine: Engine) -> None:
    push = IndexNow(KEY, endpoint="http://127.0.0.1:9/indexnow")
    outcome = engine.submit(engine.urls(2), push)
    assert set(outcome.undelivered.values()) == {"given up: not sent: the connection was refused"}
    assert engine.pauses == [2.0, 4.0, 8.0, 16.0]


@pytest.mark.slow
def test_an_engine_that_has_been_given_up_is_not_waited_for(engine: Engine) -> None:
    def wait(request: Handler) -> None:
        request.site.stopped.wait(SILENCE)

    with running(wait) as silent:
        push = IndexNow(KEY, endpoint=f"{silent.url}/indexnow", batch_size=1)
        outcome = engine.submit(engine.urls(3), push)
    assert sorted(outcome.undelivered.values()) == [
        "not sent: the server did not answer in time before",
        "not sent: the server did not answer in time before",
        "unconfirmed: the server sent nothing for 4 seconds",
    ]
    assert engine.pauses == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "answers 404; deploy it first"),
        ("another key", "does not contain the key"),
        (f"<html>{KEY}</html>", "does not contain the key"),
        ("", "does not contain the key"),
    ],
)
def test_nothing_is_sent_while_the_key_file_is_not_right(
    engine: Engine, content: str | None, words: str
) -> None:
    engine.behaviour.key_files = {} if content is None else {f"/{KEY}.txt": content}
    outcome = engine.submit(engine.urls(3))
    assert all(words in why for why in outcome.undelivered.values())
    assert len(outcome.undelivered) == 3
    assert engine.behaviour.requests == []


@pytest.mark.parametrize("content", [f"{KEY}\n", f"\ufeff{KEY}\r\n", f"  {KEY} "])
def test_white_space_around_the_key_is_for_the_engine_to_judge(
    engine: Engine, content: str
) -> None:
    engine.behaviour.key_files[f"/{KEY}.txt"] = content
    outcome = engine.submit(engine.urls(1))
    assert "refused: the engine did not find the key file" in next(
        iter(outcome.undelivered.values())
    )


def test_a_key_file_below_the_root_speaks_for_its_folder(engine: Engine) -> None:
    location = f"{engine.server.url}/docs/{KEY}.txt"
    engine.behaviour.key_files = {f"/docs/{KEY}.txt": KEY}
    push = IndexNow(KEY, location, endpoint=f"{engine.server.url}/indexnow")
    inside, outside = f"{engine.server.url}/docs/a/", f"{engine.server.url}/blog/"
    outcome = engine.submit([inside, outside], push)
    assert outcome.delivered == [inside]
    assert outcome.undelivered == {outside: "it is not below the directory of the key file"}
    assert engine.behaviour.requests[0]["keyLocation"] == location


@pytest.mark.parametrize("key", ["short", "x" * 129, "under_score", "späße-1234", ""])
def test_a_key_that_no_engine_takes_is_refused_unseen(key: str) -> None:
    with pytest.raises(SitemapError) as refused:
        IndexNow(key)
    assert not key or key not in str(refused.value)


@pytest.mark.parametrize(
    ("submission", "status"),
    [
        ({}, 400),
        ({"host": "a", "key": KEY, "urlList": []}, 400),
        ({"host": "a", "key": "short", "urlList": ["http://a/"]}, 422),
        ({"host": "a", "key": KEY, "urlList": ["http://b/"]}, 422),
        ({"host": "a", "key": KEY, "urlList": ["http://a/"] * 10_001}, 422),
        (
            {"host": "a", "key": KEY, "urlList": ["http://a/"], "keyLocation": "http://a/x/k.txt"},
            422,
        ),
    ],
)
def test_the_server_of_these_tests_is_as_strict_as_the_real_ones(
    submission: dict[str, object], status: int
) -> None:
    assert IndexNowServer().judge(submission) == status


TROUBLES = ["", "", "202", "429", "503", "drop", "drop-taken"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(TROUBLES), max_size=12), st.integers(1, 45))
def test_whatever_happens_each_url_is_delivered_once_or_reported(
    script: list[str], count: int
) -> None:
    behaviour = IndexNowServer(script=list(script))
    with running(behaviour.answer) as server:
        engine = Engine(behaviour, server)
        urls = engine.urls(count)
        outcome = engine.submit(urls)
    assert sorted([*outcome.delivered, *outcome.undelivered]) == sorted(urls)
    assert all(behaviour.taken[url] == 1 for url in outcome.delivered)
    unconfirmed = [url for url, why in outcome.undelivered.items() if "unconfirmed" in why]
    assert set(behaviour.taken) <= {*outcome.delivered, *unconfirmed}
    assert max(behaviour.taken.values(), default=1) == 1


@pytest.fixture
def sides(engine: Engine, tmp_path: Path) -> tuple[Path, Path]:
    """Sitemaps of two deploys: a page added, one changed, one removed, one of another priority."""
    old, new = tmp_path / "old.xml", tmp_path / "new.xml"
    home = engine.server.url
    old.write_text(
        urlset(
            f"<loc>{home}/same/</loc><priority>0.1</priority>",
            f"<loc>{home}/changed/</loc><lastmod>2024-01-01</lastmod>",
            f"<loc>{home}/gone/</loc>",
        )
    )
    new.write_text(
        urlset(
            f"<loc>{home}/same/</loc><priority>0.2</priority>",
            f"<loc>{home}/changed/</loc><lastmod>2024-02-01</lastmod>",
            f"<loc>{home}/new/</loc>",
        )
    )
    return old, new


@pytest.fixture
def send(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Flags that really send to the engine, with the key in the environment."""
    monkeypatch.setenv("INDEXNOW_KEY", KEY)
    return ["--send", "--endpoint", f"{engine.server.url}/indexnow"]


def test_off_a_terminal_nothing_is_sent_unless_that_is_asked_for(
    engine: Engine, sides: tuple[Path, Path], send: list[str]
) -> None:
    outcome = run("submit", *sides, *send[1:])
    home = engine.server.url
    assert outcome.stdout.splitlines() == [f"{home}/changed/", f"{home}/gone/", f"{home}/new/"]
    assert "Nothing was sent" in outcome.stderr
    assert engine.behaviour.requests == []


def test_at_the_first_deploy_all_pages_are_told(
    engine: Engine, sides: tuple[Path, Path], send: list[str]
) -> None:
    missing = sides[0].with_name("none.xml")
    refused = run("submit", missing, sides[1], *send)
    assert refused.code == 2
    assert "add --first" in refused.stderr
    assert engine.behaviour.requests == []
    assert run("submit", missing, sides[1], *send, "--first").code == 0
    home = engine.server.url
    assert sorted(engine.behaviour.taken) == [
        f"{home}/{each}/" for each in ("changed", "new", "same")
    ]


def test_added_changed_and_removed_pages_are_told_and_no_others(
    engine: Engine, sides: tuple[Path, Path], send: list[str]
) -> None:
    outcome = run("submit", *sides, *send)
    assert outcome.code == 0
    assert outcome.stdout.splitlines() == [
        f"{engine.server.url.partition('://')[2]}: 3 URLs, received",
        "3 URLs delivered, 0 not",
    ]
    assert {url.rsplit("/", 2)[1] for url in engine.behaviour.taken} == {"changed", "gone", "new"}


def test_what_a_key_is_not_for_is_said_before_it_is_sent(
    sides: tuple[Path, Path], engine: Engine
) -> None:
    there = f"{engine.server.url}/other/{KEY}.txt"
    outcome = run("submit", *sides, "--dry-run", "--key-location", there)
    assert "3 URLs are not below the folder of --key-location" in outcome.stderr
    assert KEY not in outcome.stderr
    fits = run("submit", *sides, "--dry-run", "--key-location", f"{engine.server.url}/{KEY}.txt")
    assert "--key-location" not in fits.stderr


def test_the_key_file_of_a_site_below_a_path_is_taken_from_the_site(
    engine: Engine, send: list[str], tmp_path: Path
) -> None:
    base = f"{engine.server.url}/docs/"
    for name in ("old", "new"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "index.html").write_text(f'<link rel="canonical" href="{base}">')
        day = "2024-01-01" if name == "old" else "2024-02-01"
        sitemap = urlset(f"<loc>{base}</loc><lastmod>{day}</lastmod>")
        (folder / "sitemap.xml").write_text(sitemap)
        (folder / f"{KEY}.txt").write_text(KEY)
    engine.behaviour.key_files = {f"/docs/{KEY}.txt": KEY}
    outcome = run("submit", tmp_path / "old", tmp_path / "new", *send)
    assert (outcome.code, list(engine.behaviour.taken)) == (0, [base]), outcome.stdout

    # It may be in a folder, whose pages alone it is for.
    (folder / f"{KEY}.txt").rename(folder / "index.html.key")
    (folder / "a").mkdir()
    (folder / f"a/{KEY}.txt").write_text(KEY)
    outcome = run("submit", tmp_path / "old", tmp_path / "new", *send)
    assert f"{base}  it is not below the directory of the key file" in outcome.stdout


def test_programs_get_it_as_json(engine: Engine, sides: tuple[Path, Path], send: list[str]) -> None:
    assert json.loads(run("submit", *sides, "--dry-run", "--json").stdout)["sent"] is False
    answer = json.loads(run("submit", *sides, *send, "--json").stdout)
    assert answer["sent"] is True
    assert sorted(answer["delivered"]) == sorted(engine.behaviour.taken)
    assert answer["requests"][0]["message"] == "received"


def test_the_key_is_in_no_output_and_no_log(
    engine: Engine,
    sides: tuple[Path, Path],
    send: list[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    for flags in ([], ["--json"], ["--key-location", f"{engine.server.url}/{KEY}.txt"]):
        for script in ([], ["drop"]):
            engine.behaviour.script = list(script)
            outcome = run("submit", *sides, *send, *flags)
            assert KEY not in outcome.stdout + outcome.stderr
    engine.behaviour.key_files.clear()
    outcome = run("submit", *sides, *send)
    assert outcome.code == 1
    assert KEY not in outcome.stdout + outcome.stderr
    assert caplog.text
    assert KEY not in caplog.text


def test_the_key_can_be_in_a_file(
    engine: Engine, sides: tuple[Path, Path], send: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INDEXNOW_KEY")
    outcome = run("submit", *sides, *send)
    assert outcome.code == 2
    assert "set INDEXNOW_KEY" in outcome.stderr
    file = sides[0].with_name("key.txt")
    file.write_text(f"{KEY}\n")
    assert run("submit", *sides, *send, "--key-file", file).code == 0
    assert len(engine.behaviour.taken) == 3


def test_a_run_that_failed_can_be_run_again_and_delivers_the_rest(
    engine: Engine, sides: tuple[Path, Path], send: list[str]
) -> None:
    state = sides[0].with_name("state.json")
    engine.behaviour.script = ["drop"]
    first = run("submit", *sides, *send, "--state", state)
    assert (first.code, sum(engine.behaviour.taken.values())) == (1, 0)
    assert run("submit", *sides, *send, "--state", state).code == 0
    assert run("submit", *sides, *send, "--state", state).code == 0
    assert sorted(engine.behaviour.taken.values()) == [1, 1, 1]
    assert len(engine.behaviour.requests) == 2


def test_what_an_earlier_deploy_left_is_delivered_with_the_next(
    engine: Engine, sides: tuple[Path, Path], send: list[str]
) -> None:
    state = sides[0].with_name("state.json")
    engine.behaviour.script = ["drop"]
    run("submit", *sides, *send, "--state", state)
    new = sides[1]
    next_one = new.with_name("next.xml")
    next_one.write_text(
        new.read_text().replace(
            "</urlset>", f"<url><loc>{engine.server.url}/x/</loc></url></urlset>"
        )
    )
    run("submit", new, next_one, *send, "--state", state)
    assert {url.rsplit("/", 2)[1] for url in engine.behaviour.taken} == {
        *("changed", "gone", "new", "x")
    }


def test_a_change_of_the_same_page_is_told_again_at_the_next_deploy(
    engine: Engine, sides: tuple[Path, Path], send: list[str]
) -> None:
    state = sides[0].with_name("state.json")
    old, new = sides
    run("submit", old, new, *send, "--state", state)
    run("submit", new, old, *send, "--state", state)
    assert sorted(engine.behaviour.taken.values()) == [2, 2, 2]


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "{}",
        '{"changes": ""}',
        '{"name": "tea", "changes": "", "pending": []}',
        '{"changes": "", "pending": "abc"}',
    ],
)
def test_a_file_that_is_no_state_is_wrong_use_and_stays(
    engine: Engine, sides: tuple[Path, Path], send: list[str], content: str
) -> None:
    state = sides[0].with_name("state.json")
    state.write_text(content)
    outcome = run("submit", *sides, *send, "--state", state)
    assert outcome.code == 2
    assert "does not hold what `submit` left to do" in outcome.stderr
    assert engine.behaviour.requests == []
    assert state.read_text() == content


class BaiduServer:
    """Takes URLs of one site, by the page of Baidu's that describes the push."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.paths: list[str] = []
        self.reply: dict[str, object] | None = None

    def answer(self, request: Handler) -> None:
        self.paths.append(request.path)
        assert request.headers["Content-Type"] == "text/plain"
        urls = request.body().decode().split("\n")
        if self.reply is not None:
            request.reply(int(str(self.reply.get("error", 200))), json.dumps(self.reply).encode())
            return
        mine = [url for url in urls if "other" not in url]
        self.taken += mine
        others = [url for url in urls if url not in mine]
        said = {"success": len(mine), "remain": 100, "not_same_site": others, "not_valid": []}
        request.reply(200, json.dumps(said).encode())


@pytest.fixture
def baidu() -> Generator[tuple[BaiduServer, str]]:
    behaviour = BaiduServer()
    with running(behaviour.answer) as server:
        yield behaviour, f"{server.url}/urls"


def pushed(urls: list[str], endpoint: str) -> Outcome:
    client = Client(IMPATIENT)
    try:
        return submit(urls, Baidu("abcdefgh01234567", endpoint), client)
    finally:
        client.close()


def test_baidu_is_told_in_requests_of_two_thousand(baidu: tuple[BaiduServer, str]) -> None:
    behaviour, endpoint = baidu
    urls = [f"https://example.org/{number}" for number in range(2_001)]
    assert sorted(pushed(urls, endpoint).delivered) == sorted(urls) == sorted(behaviour.taken)
    assert behaviour.paths == ["/urls?site=example.org&token=abcdefgh01234567"] * 2


def test_what_baidu_does_not_take_is_reported(baidu: tuple[BaiduServer, str]) -> None:
    _, endpoint = baidu
    outcome = pushed(["https://example.org/", "https://example.org/other"], endpoint)
    assert outcome.delivered == ["https://example.org/"]
    assert outcome.undelivered == {"https://example.org/other": "it is not on the registered site"}


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"error": 401, "message": "token is not valid"}, "refused: 401 token is not valid"),
        ({"error": 400, "message": "over quota"}, "refused: 400 over quota"),
        ({"surprise": True}, "answered 200, but its answer cannot be read"),
    ],
)
def test_what_baidu_says_is_reported(
    baidu: tuple[BaiduServer, str], reply: dict[str, object], words: str
) -> None:
    behaviour, endpoint = baidu
    behaviour.reply = reply
    assert pushed(["https://example.org/"], endpoint).undelivered == {"https://example.org/": words}


def test_baidu_is_not_told_of_removed_pages_and_its_token_is_in_no_log(
    baidu: tuple[BaiduServer, str],
    sides: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    behaviour, endpoint = baidu
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("BAIDU_TOKEN", "abcdefgh01234567")
    flags = ("--protocol", "baidu", "--send", "--endpoint", endpoint)
    outcome = run("submit", *sides, *flags)
    assert outcome.code == 0
    assert {url.rsplit("/", 2)[1] for url in behaviour.taken} == {"changed", "new"}
    assert "abcdefgh01234567" not in outcome.stdout + outcome.stderr + caplog.text


@pytest.mark.parametrize("flag", ["--endpoint", "--key-location"])
def test_an_address_that_is_none_is_wrong_use_and_nothing_is_sent(
    engine: Engine, sides: tuple[Path, Path], send: list[str], flag: str
) -> None:
    outcome = run("submit", *sides, *send, flag, "nonsense")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert f"Invalid value for '{flag}': it is not an absolute http or https URL" in outcome.stderr
    assert engine.behaviour.requests == []


def test_a_key_file_that_is_no_text_holds_no_key(
    sides: tuple[Path, Path], send: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "key"
    file.write_bytes(b"\xa3" * 20)
    outcome = run("submit", *sides, *send, "--key-file", file)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "the IndexNow key must have 8 to 128 characters" in outcome.stderr


def test_a_single_url_is_told_in_the_singular(sides: tuple[Path, Path]) -> None:
    old, new = sides
    new.write_text(urlset("<loc>https://example.org/</loc>"))
    old.write_text(urlset())
    assert "send 1 URL to" in run("submit", old, new, "--dry-run").stderr
