"""Nothing that others wrote is a command to the CI in whose log it is shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sitemapkit_tools.console import plain, safe, style

from .conftest import urlset

if TYPE_CHECKING:
    from .conftest import Site

FORGED = [
    "::error::forged",
    "::set-output name=a::b",
    "##[error]forged",
    "##[group]a",
    "a ##[set-env name=a]b",
    "\x1b[0Ksection_start:1:a\r\x1b[0Kforged",
    "\r::error::forged",
    "&#13;&#10;::stop-commands::a",
]


def is_command(line: str) -> bool:
    """Return whether GitHub or GitLab would act on a line of a log."""
    acts = line.lstrip().startswith("::") or "##[" in line
    return acts or "\x1b" in line or "\r" in line


@pytest.mark.parametrize("text", FORGED)
@pytest.mark.parametrize("form", ["text", "json", "markdown", "gitlab", "github"])
def test_no_format_of_a_check_holds_a_command_of_the_site(site: Site, text: str, form: str) -> None:
    site.write()
    clean = text.replace("\x1b", "").replace("\r", "\n")  # XML has no control characters
    site.put(
        "sitemap.xml", urlset(f"<loc>{clean}</loc>", f"<loc>https://example.org/</loc><{'a'}/>")
    )
    site.put("robots.txt", f"Sitemap: {text}\n{text}\n")
    site.put("about/index.html", f'<link rel="canonical" href="{text}"><title>{text}</title>')
    found = site.run("check", "--base-url", "https://example.org/", "--format", form, "--all")
    assert found.code == 1, found.stderr
    for line in [*found.stdout.split("\n"), *found.stderr.split("\n")]:
        ours = form == "github" and line.startswith(("::error ", "::warning ", "::notice "))
        assert "\x1b" not in line
        assert "\r" not in line
        assert ours or not is_command(line), line
        assert "##[" not in line
    if form in ("json", "gitlab"):
        json.loads(found.stdout)


@pytest.mark.parametrize("text", FORGED)
def test_no_error_about_a_file_is_a_command(site: Site, text: str) -> None:
    site.write()
    name = text.replace("/", "")
    (site.root.parent / name).write_text("no ledger")
    for line in site.run("build", "--set", f"ledger={site.root.parent / name}").stderr.split("\n"):
        assert not is_command(line)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::a", r"\u003a:error::a"),
        ("a\n  ::error::a", "a\n  \\u003a:error::a"),
        ("a::b", "a::b"),
        ("##[a]", r"#\u0023[a]"),
        ("## [a]", "## [a]"),
    ],
)
def test_only_what_is_a_command_is_escaped(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_a_style_does_not_hide_a_command() -> None:
    assert plain(style("::error::a", bold=True)) == r"\u003a:error::a"
