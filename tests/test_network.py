"""A build never goes to the network: not for dates, not for feeds, not for languages."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from sitemapkit import Page, build, read_options

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> NoReturn:
        pytest.fail("something asked for a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.usefixtures("no_network")
def test_a_build_with_everything_asks_nobody(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<main><img src="https://cdn.example/x.png">Text</main>')
    options = read_options(
        {
            "formats": ["xml", "gz", "txt", "html", "atom", "llms"],
            "languages": {"en": "https://example.org/", "de": "https://example.de/"},
            "feed": {"count": 10},
            "news": {"name": "News", "language": "en", "match": "*"},
            "indexnow_key": "0123456789abcdef",
            "images": True,
            "videos": True,
            "stylesheet": True,
            "ledger": "ledger.txt",
        },
        where="test",
        root=tmp_path,
        base_url="https://example.org/",
    )
    report = build([Page("a.html", tmp_path / "a.html", [tmp_path / "a.md"])], options, tmp_path)
    assert len(report.listed) == 1
    assert (tmp_path / "0123456789abcdef.txt").read_text() == "0123456789abcdef"
