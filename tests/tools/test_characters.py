"""Pages in other character sets than UTF-8 are read as browsers read them, by all commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.test_head import CHARSETS, META
from .conftest import run

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.org/"
PAGE = (
    '<!doctype html><html lang="en"><head>{meta}<title>{text}</title>'
    '<meta name="description" content="About {text}."><link rel="canonical" href="{link}"></head>'
    '<body><main><h1>{text}</h1><p>Text of {name}.</p><a href="/{text}/">{text}</a></main></body>'
)


def test_titles_links_and_addresses_of_pages_are_what_their_readers_see(tmp_path: Path) -> None:
    for charset, text in {"": "Home", **CHARSETS}.items():
        folder = tmp_path / f"{text} {charset}" if charset else tmp_path
        folder.mkdir(exist_ok=True)
        link = f"/{folder.name}/" if charset else "/"
        meta = META.format(charset) if charset else ""
        html = PAGE.format(meta=meta, text=text, link=link, name=charset)
        (folder / "index.html").write_bytes(html.encode(charset or "utf-8"))
    done = run("build", tmp_path, "--base-url", BASE, "--set", 'formats=["xml", "html", "llms"]')
    assert done.code == 0, done.stderr
    for name in ("llms.txt", "sitemap.html"):
        shown = (tmp_path / name).read_text("utf-8")
        assert "\N{REPLACEMENT CHARACTER}" not in shown
        assert [text for text in CHARSETS.values() if text not in shown] == []
    checked = run("check", tmp_path)
    assert "canonical" not in checked.stdout
