"""Every way in which MkDocs builds: again, after a failure, dirty, served, nested, from a tool."""

from __future__ import annotations

import gzip
import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from textdates.git import repository_dates
from textdates.git.history import Log, start_walk

from .conftest import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

NESTED = """
from mkdocs.commands.build import build

inside = False

def on_post_build(config):
    global inside
    if inside:
        return
    inside = True
    outer = config.site_url
    config.site_url = "https://example.org/de/"
    config.docs_dir = config.docs_dir.replace("docs", "docs-de")
    config.site_dir = config.site_dir + "/de"
    build(config)
"""


FAILS_ONCE = """
failures = [RuntimeError("once")]

def on_page_content(html, page, config, files):
    if page.file.src_uri == "zoo.md" and failures:
        raise failures.pop()
"""

HIDDEN = "---\nsitemap: false\n---\n# Hidden"
UNREAD = "Only changed pages were read, as this build is dirty, so no sitemap is written"


def test_builds_inside_a_build_are_collected_and_written_once(site: Callable[..., Site]) -> None:
    files = {"docs-de/index.md": "# Heim", "docs-de/tee.md": "# Tee", "hook.py": NESTED}
    built = site(files, hooks=["hook.py"])
    lines = built.build()
    assert len([line for line in lines if "pages listed" in line]) == 1
    assert built.paths() == ["", "de/", "de/tee/"]
    assert sorted(path.name for path in built.out.rglob("sitemap*")) == [
        "sitemap.xml",
        "sitemap.xml.gz",
    ]


def test_after_a_build_that_failed_the_next_one_is_complete(site: Callable[..., Site]) -> None:
    built = site({"docs/zoo.md": "# Zoo", "hook.py": FAILS_ONCE}, hooks=["hook.py"])
    config = load_config(str(built.root / "mkdocs.yml"))
    with pytest.raises(RuntimeError, match="once"):
        build(config)
    assert not (built.out / "sitemap.xml").exists()
    build(config)
    assert built.paths() == ["", "zoo/"]


def test_a_tool_may_call_build_without_the_startup_event(site: Callable[..., Site]) -> None:
    built = site({"docs/hidden.md": HIDDEN})
    config = load_config(str(built.root / "mkdocs.yml"))
    build(config)
    built.make_older()
    built.write({"docs/tea.md": "# Tea"})
    with Recorder() as recorder:
        build(config, dirty=True)
    assert sum("WARNING" in line and UNREAD in line for line in recorder.lines) == 1
    assert built.paths() == [""]
    build(config)
    assert built.paths() == ["", "tea/"]


STATIC = {
    "docs/hidden.md": HIDDEN,
    "docs/demo.html": "<!doctype html><title>Demo</title>",
    "docs/api/index.html": "<!doctype html><title>API</title>",
    "docs/api/old.htm": "<!doctype html><title>Old</title>",
    "docs/api/card.pdf": "%PDF-1.4",
    "docs/api/secret.html": '<!doctype html><title>S</title><meta name="robots" content="noindex">',
    "docs/orphan.html": "<!doctype html><title>Orphan</title>",
    "docs/logo.svg": "<svg/>",
    "docs/data.json": "{}",
}
API: dict[str, object] = {"API": [f"api/{name}" for name in ("index.html", "old.htm", "card.pdf")]}
MENU: list[object] = [
    *("index.md", {"Demo": "demo.html"}, API, {"Secret": "api/secret.html"}),
    *({"Logo": "logo.svg"}, "data.json", {"Elsewhere": "https://other.example/a.html"}),
]

LATE_PAGE = """
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

def on_env(env, config, files):
    file = File.generated(config, "late.md", content="# Late")
    files.append(file)
    Page("Late", file, config).content = "<h1>Late</h1>"
"""
"""A plugin that adds a page after all have been read, so that it has none of the page's events."""


@pytest.mark.parametrize(
    ("directory_urls", "indexes"),
    [(True, {"", "api/", "late/"}), (False, {"index.html", "api/index.html", "late.html"})],
)
def test_pages_that_mkdocs_does_not_read_are_listed_in_every_complete_build(
    directory_urls: bool, indexes: set[str], site: Callable[..., Site]
) -> None:
    paths = {*indexes, "api/old.htm", "demo.html"}
    files = {**STATIC, "hook.py": LATE_PAGE}
    built = site(files, nav=MENU, hooks=["hook.py"], use_directory_urls=directory_urls)
    built.build(dirty=True)  # nothing is there, so it reads all
    assert set(built.paths()) == paths
    built.make_older(but="docs")
    built.build(dirty=True)  # all has changed
    assert set(built.paths()) == paths
    done = built.run("build", "--strict")
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    assert set(built.paths()) == paths


@pytest.mark.parametrize("nav", [None, MENU], ids=["all", "menu"])
def test_a_dirty_build_that_skips_pages_keeps_the_sitemap_and_warns(
    nav: list[object] | None, site: Callable[..., Site]
) -> None:
    built = site({**STATIC, "docs/gone.md": "# Gone"}, nav=nav)
    done = built.run("build", "--dirty", "--strict")  # of which MkDocs itself warns
    assert done.returncode == 1
    assert UNREAD not in done.stderr
    before = (built.out / "sitemap.xml").read_bytes()
    assert b"gone/" in before
    built.make_older()
    built.write({"docs/index.md": "# Home, changed"})
    (built.root / "docs" / "gone.md").unlink()
    done = built.run("build", "--dirty")
    assert done.returncode == 0
    (warning,) = [line for line in done.stderr.splitlines() if UNREAD in line]
    assert warning.startswith("WARNING")
    assert (built.out / "sitemap.xml").read_bytes() == before


def test_a_dirty_build_of_a_site_without_a_sitemap_says_why_there_is_none(
    site: Callable[..., Site],
) -> None:
    built = site({"docs/tea.md": "# Tea"}, plugins=[])
    built.build()
    (built.out / "sitemap.xml").unlink()
    built.make_older()
    built.configure(plugins=["sitemapkit"])
    (warning,) = [line for line in built.build(dirty=True) if line.startswith("WARNING")]
    assert UNREAD in warning
    assert not (built.out / "sitemap.xml").exists()


def test_serve_writes_a_sitemap_with_local_urls_and_without_drafts(
    site: Callable[..., Site],
) -> None:
    files = {"docs/draft.md": "# Draft", "docs/note.md": "# Note"}
    served = site(files, draft_docs="draft.md", exclude_docs="note.md")
    config = load_config(str(served.root / "mkdocs.yml"))
    config.site_url = url = "http://127.0.0.1:8000/"
    build(config, serve_url=url)
    assert (served.out / "draft" / "index.html").exists()
    assert list(served.entries()) == [url]


def test_serve_takes_nothing_from_the_published_site_and_writes_nothing_of_it(
    site: Callable[..., Site],
) -> None:
    published: dict[str, object] = {
        "base_url": "https://example.org/",
        "languages": {"en": "https://example.org/", "de": "https://example.org/de/"},
        "ledger": "ledger.txt",
        "report": "report.json",
    }
    served = site({"docs/tea.md": "# Tea"}, plugins=[{"sitemapkit": published}])
    served.build()
    files = [served.root / "ledger.txt", served.root / "report.json"]
    before = [file.read_bytes() for file in files]
    served.write({"docs/tea.md": "# Tea, half written"})
    config = load_config(str(served.root / "mkdocs.yml"))
    config.plugins.on_startup(command="serve", dirty=False)
    config.site_url = url = "http://127.0.0.1:8000/"
    build(config, serve_url=url)
    assert list(served.entries()) == [url, f"{url}tea/"]
    assert not (served.out / "robots.txt").exists()
    assert [file.read_bytes() for file in files] == before


def test_serve_dates_texts_that_are_as_in_the_commit_once(
    site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    served = site({"docs/tea.md": "# Tea", "docs/milk.md": "# Milk"})
    served.commit("2024-05-01T00:00:00Z")
    config = load_config(str(served.root / "mkdocs.yml"))
    config.plugins.on_startup(command="serve", dirty=False)
    config.site_url = url = "http://127.0.0.1:8000/"
    walks: list[str] = []

    def noting(root: str, start: bytes, scope: str = "") -> Log:
        walks.append(scope)
        return start_walk(root, start, scope)

    monkeypatch.setattr(repository_dates, "start_walk", noting)
    dated: list[list[bool]] = []
    for _ in range(2):
        build(config, serve_url=url)
        found = served.entries()
        dated.append(["lastmod" in found[f"{url}{name}/"] for name in ("tea", "milk")])
        assert walks == ["docs"]
        served.write({"docs/tea.md": "# Tea, half written"})
    assert dated == [[True, True], [False, True]]


@pytest.mark.parametrize(
    "site_url",
    [
        "https://Example.ORG/",
        "https://example.org:443/",
        "https://exämple.org/",
        "https://example.org/träume und schäume/",
    ],
)
def test_however_site_url_is_spelled_all_pages_are_in_one_sitemap(
    site_url: str, site: Callable[..., Site]
) -> None:
    built = site({"docs/tea.md": "# Tea", "docs/tea/green.md": "# Green"}, site_url=site_url)
    built.build()
    (base, *_) = urls = list(built.entries())
    assert urls == [base, f"{base}tea/", f"{base}tea/green/"]
    assert base.isascii()
    assert [path.name for path in built.out.rglob("sitemap.xml")] == ["sitemap.xml"]


@pytest.mark.parametrize(
    ("site_url", "message"),
    [
        ("https://someone:secret@example.org/", "has credentials"),
        ("https://example.org/?page=1", "has a query"),
        ("https://exa mple/", "is not a host"),
    ],
)
def test_a_site_url_that_mkdocs_lets_pass_and_no_page_can_have_is_a_warning_with_its_name(
    site_url: str, message: str, site: Callable[..., Site]
) -> None:
    built = site({}, site_url=site_url)
    (warning,) = built.build()
    assert "site_url in mkdocs.yml: No sitemap is written" in warning
    assert message in warning
    assert "secret" not in warning
    assert not list(built.out.glob("sitemap*"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"languages": {"fr": "https://example.org/fr/"}},
            "sitemapkit: languages: none of them has the base URL of this build",
        ),
        (
            {"ledger": "docs"},
            "option 'ledger' is 'docs': it is a folder; choose the name of a file",
        ),
        (
            {"report": "docs"},
            "option 'report' is 'docs': it is a folder; choose the name of a file",
        ),
    ],
)
def test_options_that_do_not_fit_the_site_end_the_build_without_a_traceback(
    options: dict[str, object], message: str, site: Callable[..., Site]
) -> None:
    built = site({}, plugins=[{"sitemapkit": options}])
    done = built.run("build")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert message in done.stderr.replace(f"{built.root}/", "")


def test_a_hook_may_change_site_url(site: Callable[..., Site]) -> None:
    hook = "def on_config(config):\n    config.site_url = 'https://elsewhere.example/en/'\n"
    built = site({"hook.py": hook}, hooks=["hook.py"])
    built.build()
    assert list(built.entries()) == ["https://elsewhere.example/en/"]


def test_an_inherited_config_brings_the_plugin_and_its_options(site: Callable[..., Site]) -> None:
    built = site({"docs/tea.md": "# Tea"}, plugins={"sitemapkit": {"exclude": "tea/"}})
    built.write({"de.yml": "INHERIT: mkdocs.yml\nsite_url: https://example.org/de/\n"})
    build(load_config(str(built.root / "de.yml")))
    assert list(built.entries()) == ["https://example.org/de/"]


def test_a_site_url_without_a_slash_as_mike_sets_it_gets_one(site: Callable[..., Site]) -> None:
    built = site({}, site_url="https://example.org/proj/1.0")
    lines = built.build()
    assert list(built.entries()) == ["https://example.org/proj/1.0/"]
    assert any("https://example.org/proj/1.0/sitemap.xml" in line for line in lines)


def test_drafts_are_reported_below_a_site_url_without_a_slash(site: Callable[..., Site]) -> None:
    hook = "def on_config(config):\n    config.site_url = 'https://example.org/proj/1.0'\n"
    files = {"docs/draft.md": "# Draft", "hook.py": hook}
    plugins = [{"sitemapkit": {"report": "report.json"}}]
    built = site(files, hooks=["hook.py"], draft_docs="draft.md", plugins=plugins)
    built.build()
    (draft,) = json.loads((built.root / "report.json").read_text())["excluded"]
    assert draft["url"] == "draft/"


def test_without_directory_urls_pages_keep_their_html_names(site: Callable[..., Site]) -> None:
    files = {"docs/größe & co's.md": "# Größe", "docs/sub/index.md": "# Sub"}
    built = site(files, use_directory_urls=False)
    built.build()
    assert built.paths() == ["gr%C3%B6%C3%9Fe%20%26%20co%27s.html", "index.html", "sub/index.html"]


def test_the_disabled_plugin_leaves_mkdocs_own_sitemap(site: Callable[..., Site]) -> None:
    built = site({}, plugins=[{"sitemapkit": {"enabled": False}}])
    built.build()
    assert "sitemapkit" not in (built.out / "sitemap.xml").read_text()


def test_the_gz_holds_exactly_the_sitemap(site: Callable[..., Site]) -> None:
    built = site({})
    built.build()
    packed = (built.out / "sitemap.xml.gz").read_bytes()
    assert gzip.decompress(packed) == (built.out / "sitemap.xml").read_bytes()


def test_without_gz_among_the_formats_there_is_none(site: Callable[..., Site]) -> None:
    built = site({}, plugins=[{"sitemapkit": {"formats": ["xml"]}}])
    built.build()
    assert [path.name for path in built.out.glob("sitemap*")] == ["sitemap.xml"]


def test_without_site_url_there_is_neither(site: Callable[..., Site]) -> None:
    built = site({})
    del built.settings["site_url"]
    built.configure()
    (warning,) = built.build()
    assert warning.startswith("WARNING")
    assert "site_url in mkdocs.yml: No sitemap is written" in warning
    assert not list(built.out.glob("sitemap*"))


def test_a_site_url_that_the_environment_leaves_open_breaks_no_strict_build(
    site: Callable[..., Site],
) -> None:
    built = site({"properdocs.yml": "INHERIT: mkdocs.yml\nsite_url: !ENV TEA_URL\n"})
    done = built.run("build", "--strict", "--config-file", "properdocs.yml")
    assert done.returncode == 0, done.stderr
    assert "site_url in properdocs.yml: No sitemap is written" in done.stderr


def test_the_same_content_gives_the_same_bytes_on_another_day(
    site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    built = site({"docs/tea.md": "# Tea"})

    def bytes_of(day: str) -> list[bytes]:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", day)
        built.build()
        return [(built.out / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")]

    assert bytes_of("1700000000") == bytes_of("1800000000")


def test_more_pages_than_a_file_may_hold_make_an_index(site: Callable[..., Site]) -> None:
    files = {"docs/a/x.md": "# X", "docs/a/y.md": "# Y", "docs/b/z.md": "# Z"}
    built = site(files, plugins=[{"sitemapkit": {"max_urls": 2}}])
    built.build()
    children = [loc.rpartition("/")[2] for loc in built.entries()]
    assert "<sitemapindex" in (built.out / "sitemap.xml").read_text()
    assert sum(len(built.entries(child)) for child in children) == 4
    built.configure(plugins=["sitemapkit"])
    built.build()
    assert "<urlset" in (built.out / "sitemap.xml").read_text()


def test_the_address_is_the_first_child_of_each_entry(site: Callable[..., Site]) -> None:
    built = site({"docs/tea.md": "---\nlastmod: 2024-01-02\npriority: 0.3\n---\n# Tea"})
    built.build()
    text = (built.out / "sitemap.xml").read_text()
    assert text.count("<url><loc>") == text.count("<url>") == 2


ENCRYPT = """
from base64 import b64encode

def on_page_context(context, page, config, nav):
    if page.url == "secret/":
        page.content = f"<div>{b64encode(page.content.encode()).decode()}</div>"
"""
"""What plugins do that encrypt pages: the theme gets another content than all plugins before."""


def test_the_images_of_an_encrypted_page_stay_secret(site: Callable[..., Site]) -> None:
    files = {
        "hook.py": ENCRYPT,
        "docs/secret.md": "![plan](plan.png)",
        "docs/open.md": "![cup](cup.png)",
        "docs/plan.png": "",
        "docs/cup.png": "",
    }
    made = site(files, hooks=["hook.py"], plugins=[{"sitemapkit": {"images": True}}])
    made.build()
    sitemap = (made.out / "sitemap.xml").read_text()
    assert "https://example.org/cup.png" in sitemap
    assert "plan.png" not in sitemap
    assert made.paths() == ["", "open/", "secret/"]


def test_a_pattern_that_leaves_out_the_home_page_alone_fails_a_strict_build(
    site: Callable[..., Site],
) -> None:
    made = site({"docs/tea.md": "# Tea"}, plugins=[{"sitemapkit": {"exclude": ["*.html"]}}])
    done = made.run("build", "--strict")
    assert done.returncode == 1
    assert "index.md: The home page is not listed. Reason: excluded by an option" in done.stderr
    assert "'*.html'" in done.stderr


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"plugins": [{"sitemapkit": {"exclude": ["*"]}}]}, "excluded by an option: exclude '*'."),
        (
            {"plugins": [{"sitemapkit": {"base_url": "https://preview.example/"}}]},
            "index.md: on another host: https://example.org/.",
        ),
        (
            {"plugins": [{"sitemapkit": {"base_url": "http://example.org/"}}]},
            "index.md: outside the base URL: https://example.org/.",
        ),
        ({"exclude_docs": "*"}, "There are no pages."),
    ],
    ids=["all excluded", "another host", "another scheme", "no page"],
)
def test_a_build_without_a_page_fails_in_strict_mode_and_writes_nothing(
    settings: dict[str, object], why: str, site: Callable[..., Site]
) -> None:
    made = site({"docs/tea.md": "# Tea", "docs/robots.txt": "User-agent: *\n"}, **settings)
    done = made.run("build", "--strict")
    assert done.returncode == 1
    assert "[empty-sitemap]" in done.stderr
    assert why in done.stderr
    assert not [*made.out.glob("sitemap*")]
    assert made.run("build").returncode == 0


def test_the_repository_as_the_address_of_the_site_is_said(site: Callable[..., Site]) -> None:
    made = site({}, site_url="https://github.com/ann/tea")
    (line,) = [line for line in made.build() if "[repository-base-url]" in line]
    assert line.startswith(
        "WARNING sitemapkit: site_url in mkdocs.yml: The site's URL is that of its"
    )
    assert "Did you mean https://ann.github.io/tea/?" in line


def test_a_shallow_clone_fails_a_build_that_needs_dates(
    site: Callable[..., Site], tmp_path: Path
) -> None:
    made = site({"docs/tea.md": "# Tea"}, plugins=[{"sitemapkit": {"fail_undated": True}}])
    made.commit("2024-05-06T07:08:09Z", ".")
    made.write({"docs/cups.md": "# Cups"})
    made.commit("2024-06-06T07:08:09Z", "docs/cups.md")
    assert made.run("build").returncode == 0
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "1", made.root.as_uri(), clone], check=True)
    done = made.run("build", "--config-file", str(clone / "mkdocs.yml"))
    assert done.returncode == 1
    assert "no date, which the option `fail_undated` forbids" in done.stderr
    assert "tea.md: " in done.stderr
    assert "fetch-depth: 0" in done.stderr
    assert "Traceback" not in done.stderr


def test_names_that_no_file_can_have_are_no_files_and_stop_no_build(
    site: Callable[..., Site],
) -> None:
    pytest.importorskip("pymdownx")
    long, cjk = "x" * 300, "圖" * 90
    images = f'<img src="{cjk}.png"><img src="a%00b.png">\n\n![]({long}.png)'
    files = {
        "docs/index.md": f"# Home\n\n{images}\n",
        "docs/a.md": f'---\nlastmod: 2024-01-02\n---\n# A\n\n--8<-- "{long}.md"\n',
    }
    settings = {"images": True, "sources": [{"match": "a/", "files": f"{long}/*.py"}]}
    made = site(
        files,
        plugins=[{"sitemapkit": settings}],
        markdown_extensions=[{"pymdownx.snippets": {"check_paths": False}}],
    )
    made.commit("2024-01-01T12:00:00Z")
    made.build()
    assert made.paths() == ["", "a/"]
    assert ".png" not in (made.out / "sitemap.xml").read_text()
