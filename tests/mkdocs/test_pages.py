"""Which pages are listed, with which dates; and what becomes of files that users wrote."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, cast

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from ..tools.conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from mkdocs_sitemapkit import SitemapPlugin

    from .conftest import Site

LASTMODS = {
    "2024-05-06": "2024-05-06",
    "2024-05-06 07:08:09": "2024-05-06",
    "2024-05-06T07:08:09+09:00": "2024-05-06T07:08:09+09:00",
    "2024-05-06T07:08:09Z": "2024-05-06T07:08:09Z",
    '"2024-05-06"': "2024-05-06",
}


def test_a_page_that_renders_empty_is_not_listed(site: Callable[..., Site]) -> None:
    files = {"docs/empty.md": "---\ntemplate: empty.html\n---\n# Empty", "theme/empty.html": " "}
    built = site(files)
    built.build()
    assert built.paths() == [""]


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="robots" content="noindex">',
        '<META CONTENT="NOINDEX, follow" NAME="Robots">',
        "<meta name=googlebot content=none>",
        '<meta http-equiv="refresh" content="0; url=https://example.org/other/">',
        '<link rel="canonical" href="https://elsewhere.example/page/">',
    ],
)
def test_what_the_final_html_says_leaves_a_page_out(head: str, site: Callable[..., Site]) -> None:
    files = {
        "docs/page.md": "# Page",
        "hook.py": f"def on_post_page(output, page, config):\n"
        f"    add = {head!r} if page.url else ''\n"
        f"    return output.replace('<head>', '<head>' + add)\n",
    }
    built = site(files, hooks=["hook.py"])
    built.build()
    assert built.paths() == [""]


def rules_of_check(site: Site) -> set[tuple[str, str]]:
    """Return the rules that `sitemapkit check` finds broken, with their severity."""
    outcome = run("check", site.out, "--json", "--fail-on", "never")
    return {(each["id"], each["severity"]) for each in json.loads(outcome.stdout)["issues"]}


@pytest.mark.parametrize(
    ("before", "ends_head"),
    [
        ('<noscript><img src="/pixel"></noscript>', False),
        ("<noscript><iframe></iframe></noscript>", False),
        ("<div>Menu</div>", True),
        ("Bare text", True),
        ("<link-card canonical>", True),
    ],
)
def test_plugin_and_check_read_any_head_alike(
    before: str, ends_head: bool, site: Callable[..., Site]
) -> None:
    theme = (
        f"<html><head><title>T</title>{before}{{{{ page.meta.head }}}}</head><body></body></html>"
    )
    heads = {
        "noindex": "<meta name=robots content=noindex>",
        "copy": "<link rel=canonical href=/page/>",
        "page": "<noscript><meta name=robots content=noindex></noscript>",
    }
    built = site(
        {
            "theme/main.html": theme,
            **{f"docs/{name}.md": f"---\nhead: {head}\n---\n" for name, head in heads.items()},
        }
    )
    built.build()
    listed = ["", *(["copy/"] if ends_head else []), "page/"]
    assert built.paths() == listed
    assert rules_of_check(built) == set()


@pytest.mark.parametrize(
    "spelling",
    [
        "{{ page.canonical_url }}index.html",
        "{{ page.canonical_url[:-1] }}",
        "{{ page.canonical_url.replace('https', 'http') if page.url }}",
        "{{ page.canonical_url.replace('%C3', '%c3') }}",
    ],
)
def test_a_canonical_link_to_the_pages_own_file_is_its_own_however_it_is_spelled(
    spelling: str, site: Callable[..., Site]
) -> None:
    theme = f'<html><head><title>T</title><link rel="canonical" href="{spelling}"></head></html>'
    built = site({"theme/main.html": theme, "docs/tea.md": "# Tea", "docs/thé.md": "# Thé"})
    log = built.build()
    assert not [line for line in log if "[stray-canonical]" in line]
    assert built.paths() == ["", "tea/", "th%C3%A9/"]
    assert not rules_of_check(built)


def test_a_canonical_link_to_another_page_leaves_a_page_out_however_it_is_spelled(
    site: Callable[..., Site],
) -> None:
    link = "<link rel=canonical href={}>"
    spellings = ("/tea/", "/tea/index.html", "/tea", "http://example.org/tea/")
    files = {
        f"docs/copy-{number}.md": f"---\nhead: {link.format(spelling)}\n---\n"
        for number, spelling in enumerate(spellings)
    }
    theme = "<html><head><title>T</title>{{ page.meta.head }}</head></html>"
    built = site({"theme/main.html": theme, "docs/tea.md": "# Tea", **files})
    built.build()
    assert built.paths() == ["", "tea/"]
    assert rules_of_check(built) == set()


@pytest.mark.parametrize("wish", ["sitemap: false", "robots: noindex", "noindex: true"])
def test_what_the_front_matter_says_leaves_a_page_out(wish: str, site: Callable[..., Site]) -> None:
    built = site({"docs/page.md": f"---\n{wish}\n---\n# Page"})
    built.build()
    assert built.paths() == [""]


@pytest.mark.parametrize(
    ("broken", "level", "detail"),
    [
        ("lastmod: 2024-02-30", "WARNING", "day is out of range for month."),
        ("title: A\nlastmod: 2024-13-01", "WARNING", "month must be in 1..12."),
        ("tags: {on: 2024-02-30,\n  b: c}", "INFO", "day is out of range for month."),
        (
            "a: b\ntitle: [unclosed\nsitemap: false",
            "WARNING",
            "Line 4: did not find expected ',' or ']'.",
        ),
        ("title: [unclosed", "INFO", "did not find expected ',' or ']'."),
        ("a: b: c", "INFO", "Line 2: mapping values are not allowed in this context."),
    ],
)
def test_front_matter_that_mkdocs_swallows_is_reported_and_a_warning_if_it_is_about_us(
    broken: str, level: str, detail: str, site: Callable[..., Site]
) -> None:
    built = site({"docs/page.md": f"---\n{broken}\n---\n# Page"})
    (line,) = [line for line in built.build() if "[bad-front-matter]" in line]
    assert line.startswith(f"{level} sitemapkit: {built.root / 'docs' / 'page.md'}: ")
    assert detail in line


def test_a_build_of_changed_pages_reports_their_front_matter(site: Callable[..., Site]) -> None:
    built = site({"docs/page.md": "# Page", "docs/other.md": "# Other"})
    built.build()
    built.write({"docs/page.md": "---\nlastmod: 2024-02-30\n---\n# Page"})
    lines = built.build(dirty=True)
    assert any("WARNING" in line and "[bad-front-matter]" in line for line in lines)


@pytest.mark.parametrize("text", ["---\nsitemap: false\n---", "\n---\nsitemap: false\n---\n\n# A"])
def test_front_matter_that_does_not_begin_or_end_with_a_line_is_reported(
    text: str, site: Callable[..., Site]
) -> None:
    built = site({"docs/page.md": text})
    (warning,) = [line for line in built.build() if line.startswith("WARNING")]
    assert "page.md: The front matter is not valid" in warning
    assert "It does not start on line 1 or end with a line break." in warning


def test_broken_front_matter_is_reported_when_a_plugin_adds_metadata_to_all_pages(
    site: Callable[..., Site],
) -> None:
    hook = (
        "def on_page_markdown(markdown, page, config, files):\n    page.meta['author'] = 'Nobody'\n"
    )
    files = {
        "docs/page.md": "---\nlastmod: 2024-02-30\n---\n# Page",
        "docs/rules.md": "---\ntitle: Rules\n---\n---\nwritten: like: this\n---\n",
    }
    built = site({**files, "hook.py": hook}, hooks=["hook.py"])
    (warning,) = [line for line in built.build() if line.startswith("WARNING")]
    assert "page.md" in warning
    assert "day is out of range for month" in warning


def test_text_between_rules_is_no_front_matter(site: Callable[..., Site]) -> None:
    built = site({"docs/page.md": "---\nJust a paragraph.\n---\n\n# Page"})
    assert not [line for line in built.build() if line.startswith("WARNING")]


def test_multimarkdown_metadata_is_read_from_its_strings(site: Callable[..., Site]) -> None:
    built = site({"docs/page.md": "priority: 0.3\nlastmod: 2024-01-02\n\n# Page"})
    built.build()
    assert built.entries()["https://example.org/page/"] == {
        "lastmod": "2024-01-02",
        "priority": "0.3",
    }


@pytest.mark.parametrize("given", LASTMODS)
def test_each_spelling_of_a_date_gives_one_valid_lastmod(
    given: str, site: Callable[..., Site]
) -> None:
    built = site({"docs/index.md": f"---\nlastmod: {given}\n---\n# Home"})
    built.build()
    assert built.entries()["https://example.org/"] == {"lastmod": LASTMODS[given]}


def test_a_whole_number_is_a_priority(site: Callable[..., Site]) -> None:
    rules = [{"match": "/", "priority": 1}]
    built = site({}, plugins=[{"sitemapkit": {"rules": rules}}])
    built.build()
    assert built.entries()["https://example.org/"] == {"priority": "1.0"}


def test_a_generated_page_without_a_source_has_no_date(site: Callable[..., Site]) -> None:
    hook = (
        "from mkdocs.structure.files import File\n"
        "def on_files(files, config):\n"
        "    files.append(File.generated(config, 'made.md', content='# Made'))\n"
    )
    built = site({"hook.py": hook}, hooks=["hook.py"])
    built.commit("2024-05-06T07:08:09Z")
    built.build()
    assert built.entries() == {
        "https://example.org/": {"lastmod": "2024-05-06T07:08:09Z"},
        "https://example.org/made/": {},
    }


def test_a_new_file_that_git_does_not_know_has_no_date_and_no_warning(
    site: Callable[..., Site],
) -> None:
    built = site({})
    built.commit("2024-05-06T07:08:09Z")
    built.write({"docs/new.md": "# New"})
    lines = built.build(strict=True)
    assert built.entries()["https://example.org/new/"] == {}
    assert not [line for line in lines if line.startswith("WARNING")]


def test_files_that_pages_include_count_where_an_option_names_them(
    site: Callable[..., Site],
) -> None:
    sources = [{"match": "prices/", "files": "data/*.yml"}]
    files = {"docs/prices.md": "# Prices", "data/tea.yml": "oolong: 9"}
    built = site(files, plugins=[{"sitemapkit": {"sources": sources}}])
    built.commit("2024-05-06T07:08:09Z")
    built.write({"data/tea.yml": "oolong: 10"})
    built.commit("2024-06-07T08:09:10Z")
    built.build()
    assert built.entries() == {
        "https://example.org/": {"lastmod": "2024-05-06T07:08:09Z"},
        "https://example.org/prices/": {"lastmod": "2024-06-07T08:09:10Z"},
    }


def test_themes_show_the_date_of_the_sitemap(site: Callable[..., Site]) -> None:
    files = {
        "docs/dated.md": "---\nlastmod: 2024-05-06T23:30:00-08:00\n---\n# Dated",
        "docs/committed.md": "# Committed",
        "theme/main.html": "{{ page.update_date }}",
    }
    built = site(files)
    built.commit("2024-06-07T08:09:10Z")
    built.build()
    assert (built.out / "dated" / "index.html").read_text() == "2024-05-06"
    assert (built.out / "committed" / "index.html").read_text() == "2024-06-07"


def test_a_draft_outside_of_a_blog_is_published_and_listed(site: Callable[..., Site]) -> None:
    built = site({"docs/page.md": "---\ndraft: true\n---\n# Page"})
    built.build()
    assert built.paths() == ["", "page/"]


def test_pages_outside_the_navigation_are_listed_until_a_pattern_excludes_them(
    site: Callable[..., Site],
) -> None:
    files = {"docs/orphan.md": "# Orphan", "docs/parts/snippet.md": "Part", "docs/hid.md": "# Hid"}
    nav = {"nav": [{"Home": "index.md"}], "not_in_nav": "hid.md"}
    built = site(files, **nav)
    built.build()
    assert built.paths() == ["", "hid/", "orphan/", "parts/snippet/"]
    built.configure(plugins=[{"sitemapkit": {"exclude": ["parts/"]}}])
    built.build()
    assert built.paths() == ["", "hid/", "orphan/"]


def test_static_html_and_pdf_are_listed_where_include_names_them(
    site: Callable[..., Site],
) -> None:
    files = {
        "docs/api/index.html": "<!doctype html><title>API</title>",
        "docs/api/old.html": '<!doctype html><meta name="robots" content="noindex">',
        "docs/card.pdf": "%PDF-1.4",
        "docs/card.XHTML": "<html/>",
        "docs/data.json": "{}",
    }
    built = site(files)
    built.build()
    assert built.paths() == [""]
    built.configure(plugins=[{"sitemapkit": {"include": ["api/", "card.*"]}}])
    built.build()
    assert built.paths() == ["", "api/", "card.XHTML", "card.pdf"]


@pytest.mark.parametrize("place", ["theme/sitemap.xml", "docs/sitemap.xml"])
def test_a_sitemap_of_the_users_own_is_announced_once_as_replaced(
    place: str, site: Callable[..., Site]
) -> None:
    built = site({place: "<urlset>mine</urlset>"})
    (warning,) = [line for line in built.build() if line.startswith("WARNING")]
    assert str(built.root / place) in warning
    assert built.paths() == [""]


def test_a_sitemap_among_the_pages_that_is_not_published_is_no_matter(
    site: Callable[..., Site],
) -> None:
    built = site({"docs/sitemap.xml": "<urlset>mine</urlset>"}, exclude_docs="sitemap.xml")
    assert not [line for line in built.build() if line.startswith("WARNING")]
    assert built.paths() == [""]


@pytest.mark.parametrize("place", ["theme/sitemap.xml", "docs/sitemap.xml"])
def test_a_sitemap_of_the_users_own_stays_beside_one_of_another_name(
    place: str, site: Callable[..., Site]
) -> None:
    options = {"filename": "pages.xml"}
    built = site({place: "<urlset>mine</urlset>"}, plugins=[{"sitemapkit": options}])
    assert not [line for line in built.build() if line.startswith("WARNING")]
    assert (built.out / "sitemap.xml").read_text() == "<urlset>mine</urlset>"
    assert list(built.entries("pages.xml")) == ["https://example.org/"]


def test_mkdocs_own_sitemap_is_not_left_beside_one_of_another_name(
    site: Callable[..., Site],
) -> None:
    built = site({}, plugins=[{"sitemapkit": {"filename": "pages.xml"}}])
    built.build()
    assert sorted(path.name for path in built.out.glob("*.xml*")) == ["pages.xml", "pages.xml.gz"]


def test_robots_txt_of_the_user_gets_the_line_that_is_missing(site: Callable[..., Site]) -> None:
    rules = "User-agent: *\nDisallow: /private/\n"
    built = site({"docs/robots.txt": rules})
    built.build()
    text = (built.out / "robots.txt").read_text()
    assert text.startswith(rules)
    assert text.count("Sitemap: https://example.org/sitemap.xml\n") == 1
    assert (built.root / "docs" / "robots.txt").read_text() == rules


def test_robots_txt_that_names_the_sitemap_stays_as_it_is(site: Callable[..., Site]) -> None:
    text = "Sitemap: https://example.org/sitemap.xml"
    built = site({"docs/robots.txt": text})
    built.build()
    assert (built.out / "robots.txt").read_text() == text


def test_robots_txt_is_written_at_the_root_of_a_host_only(site: Callable[..., Site]) -> None:
    built = site({})
    built.build()
    assert "Sitemap: https://example.org/sitemap.xml" in (built.out / "robots.txt").read_text()
    built.configure(site_url="https://example.org/docs/")
    (info,) = [line for line in built.build() if "robots.txt" in line]
    assert info.startswith("INFO")
    assert not (built.out / "robots.txt").exists()


def test_images_of_the_content_are_listed_on_request(site: Callable[..., Site]) -> None:
    files = {
        "docs/tea/leaf.md": "# Leaf\n\n![Leaf](leaf.svg) ![Pixel](data:image/png;base64,AA==)",
        "docs/tea/leaf.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "theme/main.html": '<html><body><img src="/logo.png">{{ page.content }}</body></html>',
    }
    built = site(files, plugins=[{"sitemapkit": {"images": True}}])
    built.build()
    text = (built.out / "sitemap.xml").read_text()
    assert "<image:loc>https://example.org/tea/leaf.svg</image:loc>" in text
    assert text.count("<image:loc>") == 1


def test_with_a_ledger_a_new_theme_changes_no_date(site: Callable[..., Site]) -> None:
    built = site({}, plugins=[{"sitemapkit": {"ledger": "ledger.txt"}}])
    built.commit("2024-05-06T07:08:09Z", "docs")
    built.build()
    before = (built.root / "ledger.txt").read_text()
    built.write({"theme/main.html": "<html><body>New {{ page.content }}</body></html>"})
    built.build()
    assert (built.root / "ledger.txt").read_text() == before
    assert built.entries()["https://example.org/"]["lastmod"].startswith("2024-05-06")


def test_drafts_and_the_pages_of_the_theme_are_left_out_with_their_reasons(
    site: Callable[..., Site],
) -> None:
    files = {"docs/draft.md": "# Draft", "docs/note.md": "# Note", "theme/404.html": "Not here"}
    built = site(files, draft_docs="draft.md", exclude_docs="note.md")
    built.configure(theme={"name": None, "custom_dir": "theme", "static_templates": ["404.html"]})
    reasons = [line for line in built.build() if "not listed:" in line]
    draft = built.root / "docs" / "draft.md"
    assert reasons == [
        f"DEBUG sitemapkit: not listed: {draft} (draft)",
        "DEBUG sitemapkit: not listed: 404.html (generated page)",
    ]
    assert (built.out / "404.html").exists()
    assert built.paths() == [""]


@pytest.mark.parametrize("urls", [True, False], ids=["folders", "files"])
def test_a_page_for_an_error_is_listed_only_where_an_option_includes_it(
    site: Callable[..., Site], *, urls: bool
) -> None:
    files = dict.fromkeys(
        ("docs/404.md", "docs/500.md", "docs/status/404.md", "docs/4040.md"), "# A"
    )
    built = site(files, use_directory_urls=urls)
    end = "/" if urls else ".html"
    built.build()
    assert {f"4040{end}", f"status/404{end}"} <= {*built.paths()}
    assert {f"404{end}", f"500{end}"}.isdisjoint(built.paths())
    built.configure(plugins=[{"sitemapkit": {"include": f"/404{end}"}}])
    built.build()
    assert f"404{end}" in built.paths()


@pytest.mark.parametrize(
    ("opening", "language"),
    [
        ('<html class="no-js" lang="pt-BR">', "pt-BR"),
        ("<HTML LANG=de>", "de"),
        ('<html data-lang="xx">', None),
        ("<html>", None),
    ],
)
def test_the_language_of_a_page_is_that_of_its_final_html_where_a_format_tells_it(
    opening: str, language: str | None, site: Callable[..., Site]
) -> None:
    theme = {"theme/main.html": f"{opening}<head></head><body>Text</body></html>"}
    built = site(theme, plugins=[{"sitemapkit": {"formats": ["xml", "llms"]}}])
    config = load_config(str(built.root / "mkdocs.yml"))
    build(config)
    plugin = cast("SitemapPlugin", config.plugins["sitemapkit"])
    assert [page.lang for page in plugin.pages.values()] == [language]


def test_the_page_for_people_has_the_order_of_the_navigation(site: Callable[..., Site]) -> None:
    """Pages without a place in it follow, by their paths."""
    names = ("about", "brewing/time", "brewing/water", "brewing/zest", "archive/old")
    built = site(
        {f"docs/{name}.md": f"# {name}" for name in names},
        plugins=[{"sitemapkit": {"formats": ["xml", "html"]}}],
        nav=["index.md", {"Brewing": ["brewing/water.md", "brewing/time.md"]}, "about.md"],
    )
    built.build()
    page = (built.out / "sitemap.html").read_text(encoding="utf-8")
    assert re.findall(r'<bdi dir="ltr">(/.*?)</bdi>', page) == [
        *("/", "/about/", "/brewing/water/", "/brewing/time/", "/brewing/zest/"),
        "/archive/old/",
    ]
