"""Sites made with the plugins that people use, built for real in an environment that has them."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from .conftest import Site

pytestmark = pytest.mark.environment

FIRST, LATER = "2024-05-06T07:08:09Z", "2024-06-07T08:09:10Z"

MATERIAL = {"name": "material", "font": False}

SERVE = """
from mkdocs.commands.build import build
from mkdocs.config import load_config

config = load_config("mkdocs.yml")
config.plugins.on_startup(command="serve", dirty=False)
config.site_url = url = "http://127.0.0.1:8000/"
build(config, serve_url=url)
"""

SECTIONS = """Top.
<!-- --8<-- [start:one] -->
One.
<!-- --8<-- [end:one] -->
{}
"""

LANGUAGES = [
    {"locale": "en", "default": True, "name": "English", "build": True},
    {"locale": "pt_BR", "name": "Português", "build": True},
    {"locale": "de", "name": "Deutsch", "build": True},
]


@pytest.fixture
def built(site: Callable[..., Site], material: Path) -> Callable[..., Site]:
    """Return a function that writes a site, lets git know it, and builds it in strict mode."""

    def make(files: Mapping[str, str | None], *, strict: bool = True, **settings: Any) -> Site:
        made = site(files, **settings)
        made.python = material
        made.commit(FIRST)
        done = made.run("build", *(["--strict"] if strict else []))
        assert done.returncode == 0, done.stdout + done.stderr
        return made

    return make


def dates(site: Site) -> Mapping[str, str | None]:
    """Return {path: lastmod}."""
    base = "https://example.org/"
    return {loc.removeprefix(base): said.get("lastmod") for loc, said in site.entries().items()}


def post(title: str, **front: str) -> str:
    """Return a post of a blog, with an excerpt."""
    lines = [f"{key}: {value}" for key, value in front.items()]
    return "\n".join(
        ["---", *lines, "---", "", f"# {title}", "", "First.", "<!-- more -->", "Rest."]
    )


def test_a_blog_lists_posts_and_the_first_page_of_each_view(built: Callable[..., Site]) -> None:
    files = {
        "docs/blog/index.md": "# Blog",
        "docs/blog/.authors.yml": "authors:\n  ann: {name: Ann, description: x, avatar: /a.png}\n",
        "docs/blog/posts/one.md": post(
            "One", date="2024-01-02", authors="[ann]", categories="[Tea]"
        ),
        "docs/blog/posts/two.md": post(
            "Two",
            date="{created: 2024-02-03, updated: 2024-03-04T05:06:07+01:00}",
            categories="[Tea]",
        ),
        "docs/blog/posts/three.md": post(
            "Three", date="{created: 2024-02-04, updated: 2024-03-05}", categories="[Pots]"
        ),
        "docs/blog/posts/draft.md": post("Draft", date="2024-02-05", draft="true"),
        "docs/blog/posts/future.md": post("Future", date="2999-01-01"),
    }
    blog = {"pagination_per_page": 1, "authors_profiles": True, "draft_if_future_date": True}
    plugins = [{"blog": blog}, {"sitemapkit": {"report": "report.json"}}]
    made = built(files, theme=MATERIAL, plugins=plugins, nav=None)
    assert (made.out / "blog" / "page" / "2" / "index.html").exists()
    excluded = json.loads((made.root / "report.json").read_text())["excluded"]
    assert [each["page"].rpartition("/")[2] for each in excluded if "posts" in each["page"]] == [
        "draft.md",
        "future.md",
    ]
    assert dates(made) == {
        "": FIRST,
        "blog/": FIRST,
        "blog/2024/01/02/one/": FIRST,
        "blog/2024/02/03/two/": "2024-03-04T05:06:07+01:00",
        "blog/2024/02/04/three/": "2024-03-05",
        "blog/archive/2024/": FIRST,
        "blog/author/ann/": FIRST,
        "blog/category/pots/": FIRST,
        "blog/category/tea/": FIRST,
    }


def changed(site: Site, day: str, files: Mapping[str, str | None]) -> Mapping[str, str | None]:
    """Return the dates of the pages that have changed since the files did, on `day`."""
    before = dates(site)
    site.write(files)
    site.commit(f"{day}T00:00:00Z")
    done = site.run("build", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr
    return {path: date for path, date in dates(site).items() if date != before.get(path)}


TITLES = {
    "named": ("Tea.", "# Pots\n\nTea."),  # by the menu
    "green-tea": ("Tea.", "# Green tea\n\nTea."),  # by its file
    "Kettle": ("# Kettle\n\nTea.", "Tea."),
    "other": ("Tea.", "# Another\n\nTea."),
    "stated": ("---\ntitle: Cups\n---\nTea.", "# Cups\n\nTea."),
    "underlined": ("Cups\n====\n\nTea.", "---\ntitle: 'Cups'\n---\nTea."),
    "both": ("---\ntitle: Cups\n---\nTea.", "---\ntitle: Cups\n---\n# Cups\n\nTea."),
    "renamed": ("---\ntitle: Cups\n---\nTea.", "---\ntitle: Pots\n---\nTea."),
    "unseen": ("---\ntitle: Cups\n---\n# Tea", "---\ntitle: Pots\n---\n# Tea"),
    "below": ("Tea.", "Tea.\n\n# Below"),
    "deeper": ("Tea.", "## Deeper\n\nTea."),
    "in-code": ("```\n# In code\n```", "# In code\n\n```\n# In code\n```"),
    "html": ("<h1>Html</h1>\n\nTea.", "# Html\n\nTea."),
    "icon": (":material-tea: Tea.\n\nPots.", ":material-tea: Green tea.\n\nPots."),
    "index": ("Tea.", "# Home\n\nTea."),
}
"""Texts of pages before and after a commit."""


@pytest.mark.parametrize("theme", [MATERIAL, {"name": "mkdocs"}, {"name": "readthedocs"}])
def test_a_page_is_new_where_it_shows_another_heading_and_not_where_the_theme_showed_it_before(
    theme: dict[str, Any], built: Callable[..., Site]
) -> None:
    old, new = ({f"docs/{name}.md": t[n] for name, t in TITLES.items()} for n in (0, 1))
    menu = [{"Pots": "named.md"}, *(f"{name}.md" for name in TITLES if name != "named")]
    made = built(old, theme=theme, nav=menu)

    def shown() -> Mapping[str, str]:
        """Return what the pages show between the menus."""
        files = {name: made.out / name / "index.html" for name in TITLES}
        html = {n: (f if f.is_file() else made.out / "index.html") for n, f in files.items()}
        main = r"(?s)<(article|div[^>]* role=\"main\")[^>]*>(.*?)</(?:article|body|footer)>"
        found = {n: re.search(main, f.read_text(encoding="utf-8")) for n, f in html.items()}
        return {n: " ".join(re.sub("<[^>]*>|¶", " ", f[2]).split()) for n, f in found.items() if f}

    before = shown()
    new_pages = changed(made, "2025-01-01", new)
    after = shown()
    assert before.keys() == after.keys() == TITLES.keys()
    visible = {name for name in TITLES if before[name] != after[name]}
    assert {path.rstrip("/") or "index" for path in new_pages} == visible


def test_a_view_of_a_blog_changes_with_what_it_shows_of_posts(built: Callable[..., Site]) -> None:
    one = post("One", date="2024-01-02", categories="[Tea]")
    two = post("Two", date="2024-02-03", categories="[Pots]")
    made = built(
        {"docs/blog/posts/one.md": one, "docs/blog/posts/two.md": two, "docs/blog/index.md": "# B"},
        theme=MATERIAL,
        plugins=["blog", "sitemapkit"],
    )
    post_two, day = "blog/2024/02/03/two/", "2025-01-01T00:00:00Z"
    below = {"docs/blog/posts/two.md": two.replace("Rest", "More")}
    assert changed(made, "2025-01-01", below) == {post_two: day}
    day = "2025-01-02T00:00:00Z"
    above = {"docs/blog/posts/two.md": two.replace("First", "Begin")}
    views = ("blog/", "blog/archive/2024/", "blog/category/pots/")
    assert changed(made, "2025-01-02", above) == dict.fromkeys((post_two, *views), day)
    day = "2025-01-03T00:00:00Z"
    category = {"docs/blog/posts/two.md": two.replace("First", "Begin").replace("Pots", "Cups")}
    views = ("blog/", "blog/archive/2024/", "blog/category/cups/")
    assert changed(made, "2025-01-03", category) == dict.fromkeys(views, day)
    intro = changed(made, "2025-01-04", {"docs/blog/index.md": "# B\n\nHello."})
    assert intro == {"blog/": "2025-01-04T00:00:00Z"}


def test_a_post_and_its_lists_have_the_day_on_which_it_was_published(
    built: Callable[..., Site],
) -> None:
    front = {"date": "2024-02-03", "categories": "[Pots]", "tags": "[black]"}
    made = built(
        {
            "docs/blog/posts/one.md": post("One", date="2023-01-02", categories="[Tea]"),
            "docs/blog/posts/two.md": post("Two", **front, draft="true"),
            "docs/blog/index.md": "# B",
            "docs/tags.md": "# Tags\n\n<!-- material/tags -->\n",
        },
        theme=MATERIAL,
        plugins=["blog", "tags", "sitemapkit"],
    )
    edited = post("Two", **front, draft="True  # not yet").replace("First", "Begin")
    assert changed(made, "2025-01-01", {"docs/blog/posts/two.md": edited}) == {}
    released = post("Two", **front).replace("First", "Begin")
    new = changed(made, "2025-02-02", {"docs/blog/posts/two.md": released})
    views = ("blog/", "blog/archive/2024/", "blog/category/pots/", "tags/")
    assert new == dict.fromkeys(("blog/2024/02/03/two/", *views), "2025-02-02T00:00:00Z")
    still = changed(made, "2025-03-03", {"docs/blog/posts/two.md": f"{released}\n\n"})
    assert still == {}


def test_drafts_that_a_blog_shows_are_not_published_again(built: Callable[..., Site]) -> None:
    made = built(
        {
            "docs/blog/posts/one.md": post("One", date="2023-01-02", draft="true"),
            "docs/blog/index.md": "# B",
        },
        theme=MATERIAL,
        plugins=[{"blog": {"draft": True}}, "sitemapkit"],
    )
    released = post("One", date="2023-01-02")
    new = changed(made, "2025-02-02", {"docs/blog/posts/one.md": released})
    assert new == {"blog/2023/01/02/one/": FIRST}  # which is listed now


@pytest.mark.parametrize("own", [None, 2])
def test_only_posts_on_the_first_page_of_a_view_show(
    built: Callable[..., Site], own: int | None
) -> None:
    one = post("One", date="2024-01-02")
    files = {
        "docs/blog/index.md": "# Blog",
        "docs/blog/posts/one.md": one,
        "docs/blog/posts/two.md": post("Two", date="2024-02-03"),
    }
    blog = {"pagination_per_page": 1, "archive_pagination_per_page": own}
    made = built(files, theme=MATERIAL, plugins=[{"blog": blog}, "sitemapkit"])
    day = "2025-01-01T00:00:00Z"
    shows = changed(made, day[:10], {"docs/blog/posts/one.md": one.replace("First", "Begin")})
    archive = {"blog/archive/2024/"} if own else set()
    assert shows == dict.fromkeys({"blog/2024/01/02/one/"} | archive, day)


def test_a_post_shows_whole_without_a_separator_and_without_pages_all_posts_show(
    built: Callable[..., Site],
) -> None:
    files = {
        "docs/blog/index.md": "# Blog",
        "docs/blog/posts/one.md": post("One", date="2024-01-02"),
        "docs/blog/posts/two.md": post("Two", date="2024-02-03"),
    }
    blog = {
        "pagination": False,
        "pagination_per_page": 1,
        "post_excerpt_separator": "<!-- end -->",
        "archive_pagination": True,
    }
    made = built(files, theme=MATERIAL, plugins=[{"blog": blog}, "sitemapkit"])
    one = {"docs/blog/posts/one.md": post("One", date="2024-01-02").replace("Rest", "More")}
    day = "2025-01-01T00:00:00Z"
    assert changed(made, day[:10], one) == {"blog/2024/01/02/one/": day, "blog/": day}


def test_a_list_of_tags_changes_with_the_titles_and_tags_that_it_shows(
    built: Callable[..., Site],
) -> None:
    page = "---\ntags: [{tag}]\n---\n# {title}\n\n{text}\n"
    made = built(
        {
            "docs/tags.md": "# Tags\n\n<!-- material/tags { include: [green] } -->\n",
            "docs/tea.md": page.format(tag="green", title="Tea", text="Text."),
            "docs/pot.md": page.format(tag="blue", title="Pot", text="Text."),
        },
        theme=MATERIAL,
        plugins=["tags", "sitemapkit"],
    )
    text = page.format(tag="green", title="Tea", text="Other text.")
    assert changed(made, "2025-01-01", {"docs/tea.md": text}).keys() == {"tea/"}
    title = text.replace("# Tea", "# Green tea")
    assert changed(made, "2025-01-02", {"docs/tea.md": title}).keys() == {"tea/", "tags/"}
    other = page.format(tag="red", title="Pots", text="Text.")
    assert changed(made, "2025-01-03", {"docs/pot.md": other}).keys() == {"pot/"}
    added = other.replace("red", "green")
    assert changed(made, "2025-01-04", {"docs/pot.md": added}) == {"tags/": "2025-01-04T00:00:00Z"}
    own = {"docs/tags.md": "# All tags\n\n<!-- material/tags { include: [green] } -->\n"}
    assert changed(made, "2025-01-05", own) == {"tags/": "2025-01-05T00:00:00Z"}


def test_the_feed_and_its_summaries_are_of_posts_and_not_of_lists_of_them(
    built: Callable[..., Site],
) -> None:
    files = {
        "docs/blog/index.md": "# Blog",
        "docs/blog/posts/one.md": post("One", date="2024-01-02", tags="[green]", categories="[A]"),
        "docs/blog/posts/two.md": post("Two", date="2024-01-03", description="A & B"),
        "docs/tags.md": "# Tags\n\n<!-- material/tags -->\n",
    }
    atom = {"formats": ["xml", "atom"]}
    made = built(files, theme=MATERIAL, plugins=["blog", "tags", {"sitemapkit": atom}])
    lists = ["blog/", "blog/archive/2024/", "blog/category/a/", "tags/"]
    assert [path for path in lists if path not in made.paths()] == []
    feed = ET.parse(made.out / "sitemap.atom").getroot()
    found = {
        entry.findtext("{*}title"): entry.findtext("{*}summary")
        for entry in feed.iterfind("{*}entry")
    }
    assert found == {"Home": None, "One": None, "Two": "A &amp; B"}


def test_each_of_two_blogs_says_whether_posts_of_tomorrow_wait(built: Callable[..., Site]) -> None:
    files = {
        "docs/blog/index.md": "# Blog",
        "docs/blog/posts/one.md": post("One", date="2999-01-01"),
        "docs/news/index.md": "# News",
        "docs/news/posts/two.md": post("Two", date="2999-01-01"),
    }
    waits = {"blog": {"archive": False, "draft_if_future_date": True}}
    does_not = {"blog": {"archive": False, "blog_dir": "news"}}
    made = built(files, theme=MATERIAL, plugins=[waits, does_not, "sitemapkit"])
    assert made.paths() == ["", "blog/", "news/", "news/2999/01/01/two/"]


def test_drafts_of_a_blog_that_serve_shows_are_not_listed_and_posts_of_the_future_are(
    site: Callable[..., Site], material: Path
) -> None:
    files = {
        "docs/blog/index.md": "# Blog",
        "docs/blog/posts/one.md": post("One", date="2024-01-02"),
        "docs/blog/posts/draft.md": post("Draft", date="2024-02-05", draft="true"),
        "docs/blog/posts/future.md": post("Future", date="2999-01-01"),
        "serve.py": SERVE,
    }
    blog = {"archive": False, "draft_if_future_date": True}
    served = site(files, theme=MATERIAL, plugins=[{"blog": blog}, "sitemapkit"])
    served.python = material
    done = served.run("serve.py", program="python")
    assert done.returncode == 0, done.stderr
    posts = ["blog/2024/01/02/one/", "blog/2999/01/01/future/"]
    assert served.paths("http://127.0.0.1:8000/") == ["", "blog/", *posts]


def test_metadata_files_of_a_folder_are_heard(built: Callable[..., Site]) -> None:
    files = {
        "docs/old/.meta.yml": "sitemap: false\n",
        "docs/old/tea.md": "# Tea",
        "docs/new/.meta.yml": "priority: 0.8\n",
        "docs/new/tea.md": "# Tea",
    }
    made = built(files, theme=MATERIAL, plugins=["meta", "sitemapkit"])
    assert made.paths() == ["", "new/tea/"]
    assert made.entries()["https://example.org/new/tea/"]["priority"] == "0.8"


def test_the_tags_index_is_a_page_like_others(built: Callable[..., Site]) -> None:
    files = {
        "docs/tags.md": "# Tags\n\n<!-- material/tags -->\n",
        "docs/tea.md": "---\ntags: [green]\n---\n# Tea",
    }
    made = built(files, theme=MATERIAL, plugins=["tags", "sitemapkit"])
    assert made.paths() == ["", "tags/", "tea/"]


def test_a_redirect_template_is_not_listed(built: Callable[..., Site]) -> None:
    redirect = '<html><head><meta http-equiv="refresh" content="0; url=../"></head></html>'
    files = {
        "docs/old.md": "---\ntemplate: redirect.html\n---\n# Old",
        "mine/redirect.html": redirect,
    }
    made = built(files, theme={**MATERIAL, "custom_dir": "mine"}, plugins=["sitemapkit"])
    assert made.paths() == [""]


def test_redirect_stubs_are_not_listed(built: Callable[..., Site]) -> None:
    redirects = {"redirect_maps": {"old.md": "index.md"}}
    made = built({}, plugins=[{"redirects": redirects}, {"sitemapkit": {"include": "*"}}])
    assert (made.out / "old" / "index.html").exists()
    assert made.paths() == [""]


def test_a_page_that_a_redirect_stub_replaces_is_not_listed(built: Callable[..., Site]) -> None:
    redirects = {"redirect_maps": {"jobs.md": "https://tea.example/jobs"}}
    made = built({"docs/jobs.md": "# Jobs"}, plugins=[{"redirects": redirects}, "sitemapkit"])
    assert made.paths() == [""]


@pytest.mark.parametrize("plugin", ["section-index", "literate-nav", "awesome-nav"])
def test_pages_are_listed_whatever_makes_the_navigation(
    plugin: str, built: Callable[..., Site]
) -> None:
    files = {
        "docs/leaf/index.md": "# Leaf",
        "docs/leaf/green.md": "# Green",
        "docs/hidden.md": "# Hidden",
    }
    navigation = {
        "section-index": {},
        "literate-nav": {"docs/SUMMARY.md": "* [Home](index.md)\n* [Leaf](leaf/)\n"},
        "awesome-nav": {"docs/.nav.yml": "nav:\n  - index.md\n  - leaf\n"},
    }
    made = built({**files, **navigation[plugin]}, plugins=[plugin, "sitemapkit"], strict=False)
    assert made.paths() == ["", "hidden/", "leaf/", "leaf/green/"]


SCRIPT = """
import mkdocs_gen_files

with mkdocs_gen_files.open("api/tea.md", "w") as page:
    page.write("# Tea")
with mkdocs_gen_files.open("api/SUMMARY.md", "w") as menu:
    menu.write("* [Tea](tea.md)")
"""


@pytest.mark.parametrize("name", ["SUMMARY.md", "menu.md"])
def test_files_with_menus_are_no_pages_wherever_they_are(
    name: str, built: Callable[..., Site]
) -> None:
    files = {
        "gen.py": SCRIPT.replace("SUMMARY.md", name),
        f"docs/{name}": "* [Home](index.md)\n* [API](api/)\n* [Leaf](leaf/)\n",
        f"docs/leaf/{name}": "* [Green](green.md)\n",
        "docs/leaf/green.md": "# Green",
        f"docs/about-{name}": "# About",
    }
    generate, menu = {"gen-files": {"scripts": ["gen.py"]}}, {"literate-nav": {"nav_file": name}}
    made = built(files, plugins=[generate, menu, "sitemapkit"], strict=False)
    about = f"about-{name.removesuffix('.md')}/"
    assert made.paths() == ["", about, "api/tea/", "leaf/green/"]
    options = {"include": f"{name.removesuffix('.md')}/"}
    made = built(files, plugins=[generate, menu, {"sitemapkit": options}], strict=False)
    menus = {f"{folder}{name.removesuffix('.md')}/" for folder in ("", "api/", "leaf/")}
    assert {*made.paths()} == {"", about, "api/tea/", "leaf/green/", *menus}


def test_a_page_named_like_a_menu_is_a_page_without_literate_nav(
    built: Callable[..., Site],
) -> None:
    assert built({"docs/SUMMARY.md": "# Summary"}).paths() == ["", "SUMMARY/"]


def test_generated_pages_are_dated_by_the_source_their_edit_link_names(
    built: Callable[..., Site],
) -> None:
    script = (
        "import mkdocs_gen_files\n"
        "for name, edit in {'api': '../src/tea.py', 'root': 'src/tea.py', 'none': None}.items():\n"
        "    with mkdocs_gen_files.open(f'{name}.md', 'w') as page:\n"
        "        page.write('# Generated')\n"
        "    mkdocs_gen_files.set_edit_path(f'{name}.md', edit)\n"
        "with mkdocs_gen_files.open('about.md', 'a') as page:\n"
        "    page.write('More.')\n"
    )
    files = {
        "gen.py": script,
        "src/tea.py": "",
        "docs/about.md": "# About",
    }
    made = built(
        files,
        plugins=[{"gen-files": {"scripts": ["gen.py"]}}, "sitemapkit"],
        repo_url="https://code.example/tea",
        edit_uri="edit/main/docs/",
    )
    assert dates(made) == {"": FIRST, "about/": FIRST, "api/": FIRST, "none/": None, "root/": FIRST}


def test_static_files_that_a_plugin_makes_have_no_source(
    built: Callable[..., Site],
) -> None:
    script = (
        "import mkdocs_gen_files\n"
        "with mkdocs_gen_files.open('chart.html', 'w') as file:\n"
        "    file.write('<!doctype html><title>Chart</title>')\n"
    )
    options = {"include": "*.html"}
    made = built(
        {"gen.py": script},
        plugins=[{"gen-files": {"scripts": ["gen.py"]}}, {"sitemapkit": options}],
    )
    assert dates(made) == {"": FIRST, "chart.html": None}
    assert "git-outside" not in made.run("build").stderr


def test_dirty_builds_read_the_pages_that_a_plugin_makes_and_none_that_are_unchanged(
    built: Callable[..., Site],
) -> None:
    script = (
        "import mkdocs_gen_files\n"
        "for name in ('made.md', 'chart.html'):\n"
        "    with mkdocs_gen_files.open(name, 'w') as file:\n"
        "        file.write('<h1>Made</h1>')\n"
    )
    made = built(
        {"gen.py": script, "docs/tea.md": "# Tea"},
        plugins=[{"gen-files": {"scripts": ["gen.py"]}}, "sitemapkit"],
        nav=["index.md", "tea.md", "made.md", {"Chart": "chart.html"}],
    )
    complete = ["", "chart.html", "made/", "tea/"]
    assert made.paths() == complete
    made.make_older()
    (made.root / "docs" / "tea.md").touch()
    assert "so no sitemap is written" in made.run("build", "--dirty").stderr
    assert made.paths() == complete
    (made.root / "docs" / "index.md").touch()
    (made.root / "docs" / "tea.md").touch()
    made.make_older(but="docs")
    assert "so no sitemap is written" not in made.run("build", "--dirty").stderr
    assert made.paths() == complete


def test_notebooks_have_their_own_dates_and_those_that_a_plugin_makes_none(
    built: Callable[..., Site],
) -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": "# Tea"}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
    script = (
        "import mkdocs_gen_files\n"
        "with mkdocs_gen_files.open('made.ipynb', 'w') as file:\n"
        f"    file.write({notebook!r})\n"
    )
    made = built(
        {"gen.py": script, "docs/tea.ipynb": notebook},
        plugins=[{"gen-files": {"scripts": ["gen.py"]}}, "mkdocs-jupyter", "sitemapkit"],
    )
    assert dates(made) == {"": FIRST, "made/": None, "tea/": FIRST}
    assert "git-outside" not in made.run("build").stderr


def test_api_pages_of_mkdocstrings_are_dated_by_the_code_they_show(
    built: Callable[..., Site],
) -> None:
    script = (
        "import mkdocs_gen_files\n"
        "with mkdocs_gen_files.open('reference/tea.md', 'w') as page:\n"
        "    page.write('::: tea')\n"
        "mkdocs_gen_files.set_edit_path('reference/tea.md', '../src/tea.py')\n"
    )
    python = {"handlers": {"python": {"paths": ["src"]}}}
    made = built(
        {"gen.py": script, "src/tea.py": '"""Tea."""\n'},
        plugins=[{"gen-files": {"scripts": ["gen.py"]}}, {"mkdocstrings": python}, "sitemapkit"],
        repo_url="https://code.example/tea",
        edit_uri="edit/main/docs/",
    )
    assert "Tea." in (made.out / "reference" / "tea" / "index.html").read_text()
    assert dates(made)["reference/tea/"] == FIRST


PACKAGE = {
    "src/tea/__init__.py": '"""Tea."""\n\nfrom tea.pots import Pot\n\n__all__ = ["Pot"]\n',
    "src/tea/vessels.py": '''"""Vessels."""

class Vessel:
    """Holds things."""

    def wash(self) -> None:
        """Wash it."""
        print("washed")
''',
    "src/tea/pots.py": '''"""Pots."""

from tea.vessels import Vessel

class Pot(Vessel):
    """Holds tea."""

    def pour(self) -> None:
        """Pour."""
        print("poured")

def other() -> None:
    """Do something else."""
''',
}
PAGES = {
    "docs/alias.md": "# A\n\n<a id='no.such'></a>\n\n::: tea.Pot\n    options: {members: [pour]}\n",
    "docs/inherited.md": "# All\n\n::: tea.Pot\n    options: {inherited_members: true}\n",
    "docs/bare.md": "# Bare\n\n::: tea.pots.Pot\n    options: {show_source: false}\n",
    "docs/module.md": "# Module\n\n::: tea.pots\n    options: {members: false}\n",
    "docs/package.md": "# Package\n\n::: tea\n    options: {members: false}\n",
}


@pytest.mark.parametrize(
    ("file", "old", "new", "moved"),
    [
        ("pots", 'print("poured")', 'print("Poured")', {"alias/", "inherited/"}),
        ("pots", '"""Pour."""', '"""Pour it."""', {"alias/", "bare/", "inherited/"}),
        ("pots", "pour(self)", "pour(self, cups=1)", {"alias/", "bare/", "inherited/"}),
        ("pots", "Do something else", "Do it", set[str]()),
        ("pots", "Pots", "All pots", {"module/"}),
        ("__init__", "Tea", "All tea", {"package/"}),
        ("__init__", "\n__all__", "import os\n\n__all__", set[str]()),
        ("vessels", "Wash it", "Wash it well", {"inherited/"}),
        ("vessels", "Vessels", "All vessels", set[str]()),
    ],
)
def test_pages_of_mkdocstrings_are_dated_by_the_objects_that_they_show(
    built: Callable[..., Site], file: str, old: str, new: str, moved: set[str]
) -> None:
    python = {"handlers": {"python": {"paths": ["src"]}}}
    made = built({**PACKAGE, **PAGES}, plugins=[{"mkdocstrings": python}, "sitemapkit"])
    text = PACKAGE[f"src/tea/{file}.py"]
    assert old in text
    made.write({f"src/tea/{file}.py": text.replace(old, new, 1)})
    made.commit(LATER)
    made.run("build")
    assert {path for path, date in dates(made).items() if date == LATER} == moved


FILLED = '''class Vessel:
    """Holds things."""

    def __init__(self, cups: int) -> None:
        """Fill it."""
        self.cups = cups

class Pot(Vessel):
    """Holds tea."""

    def pour(self) -> None:
        """Pour."""

    def _wash(self) -> None:
        print("washed")
'''


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        ("washed", "clean", set[str]()),
        ("Holds tea", "Holds hot tea", {"pot/", "bare/"}),
        ("cups: int", "cups: int = 1", {"pot/", "bare/"}),
        ("= cups", "= 2 * cups", {"pot/"}),
    ],
)
def test_a_class_of_mkdocstrings_may_show_its_init_in_place_of_its_source(
    built: Callable[..., Site], old: str, new: str, moved: set[str]
) -> None:
    options = {"merge_init_into_class": True}
    python = {"handlers": {"python": {"options": options}}}
    page = "# A\n\n::: tea.Pot\n    options: {show_source: %s}\n"
    files = {"docs/pot.md": page % "true", "docs/bare.md": page % "false", "tea.py": FILLED}
    made = built(files, plugins=[{"mkdocstrings": python}, "sitemapkit"])
    made.write({"tea.py": FILLED.replace(old, new, 1)})
    made.commit(LATER)
    made.run("build")
    assert {path for path, date in dates(made).items() if date == LATER} == moved


@pytest.mark.parametrize(
    ("shown", "edited", "changed", "date"),
    [
        ("tea.vessels", "vessels", "vessels", FIRST),
        ("tea.Pot", "__init__", "__init__", FIRST),
        ("tea.Pot", "__init__", "pots", LATER),
    ],
)
def test_a_generated_page_of_mkdocstrings_is_dated_by_the_objects_that_it_shows(
    built: Callable[..., Site], shown: str, edited: str, changed: str, date: str
) -> None:
    script = (
        "import mkdocs_gen_files\n"
        "with mkdocs_gen_files.open('reference/tea.md', 'w') as page:\n"
        f"    page.write('::: {shown}')\n"
        f"mkdocs_gen_files.set_edit_path('reference/tea.md', '../src/tea/{edited}.py')\n"
    )
    python = {"handlers": {"python": {"paths": ["src"]}}}
    made = built(
        {"gen.py": script, **PACKAGE},
        plugins=[{"gen-files": {"scripts": ["gen.py"]}}, {"mkdocstrings": python}, "sitemapkit"],
        repo_url="https://code.example/tea",
        edit_uri="edit/main/docs/",
    )
    text = PACKAGE[f"src/tea/{changed}.py"].replace("Pour.", "Pour it.")
    made.write({f"src/tea/{changed}.py": f"# A licence.\n{text}"})
    made.commit(LATER)
    made.run("build")
    assert dates(made)["reference/tea/"] == date


def test_a_page_that_shows_code_of_others_has_the_date_of_its_own_text(
    built: Callable[..., Site],
) -> None:
    files = {"docs/api.md": "# API\n\n::: json.JSONDecoder\n"}
    made = built(files, plugins=["mkdocstrings", "sitemapkit"])
    assert dates(made) == {"": FIRST, "api/": FIRST}


def test_a_page_of_objects_that_a_script_writes_and_git_ignores_is_dated_by_them(
    built: Callable[..., Site],
) -> None:
    python = {"handlers": {"python": {"paths": ["src"]}}}
    files = {**PACKAGE, ".gitignore": "docs/api\n", "docs/plain.md": "# Plain"}
    made = built(files, plugins=[{"mkdocstrings": python}, "sitemapkit"])
    text = PACKAGE["src/tea/pots.py"].replace('"""Pour."""', '"""Pour it."""')
    made.write({"src/tea/pots.py": text})
    made.commit(LATER)
    made.write({name.replace("docs/", "docs/api/"): text for name, text in PAGES.items()})
    made.write({"docs/api/other.md": "# Other", "docs/untracked.md": "::: tea.Pot\n"})
    made.run("build")
    moved = {"api/alias/", "api/bare/", "api/inherited/"}
    assert dates(made) == {
        **dict.fromkeys(("", "plain/", "api/module/", "api/package/"), FIRST),
        **dict.fromkeys(moved, LATER),
        **dict.fromkeys(("api/other/", "untracked/"), None),
    }


def test_a_handler_that_fails_breaks_no_build_and_is_told_in_the_log(
    built: Callable[..., Site],
) -> None:
    hook = (
        "def on_env(env, config, files):\n"
        "    handler = config.plugins['mkdocstrings'].get_handler('python')\n"
        "    handler.collect = lambda *arguments: 1 / 0\n"
    )
    python = {"handlers": {"python": {"paths": ["src"]}}}
    plugins = [{"mkdocstrings": python}, "sitemapkit"]
    made = built({**PACKAGE, **PAGES, "hook.py": hook}, plugins=plugins, hooks=["hook.py"])
    assert dates(made)["alias/"] == FIRST
    told = made.run("build", "--verbose").stderr
    assert "tea.Pot: where this is defined is not known: division by zero" in told


COMMANDS = {
    "brewing.py": """import click
from functools import partial
from pots import pot

@click.group()
def tea():
    \"\"\"Makes tea.\"\"\"

@tea.command()
@click.option("--cups", help="How many.")
@click.pass_context
def brew(context, cups):
    click.echo("brewed")

tea.add_command(pot)
tea.add_command(click.Command("wash", callback=partial(print), help="Words."))
""",
    "pots.py": """import click

POTS = 1

@click.command()
def pot():
    \"\"\"Shows a pot.\"\"\"
""",
    "docs/cli.md": "# Commands\n\n::: mkdocs-click\n    :module: brewing\n    :command: tea\n",
    "docs/other.md": "# Commands of others\n\n::: mkdocs-click\n"
    "    :module: mkdocs.__main__\n    :command: cli\n",
}


@pytest.mark.parametrize(
    ("old", "new", "day"),
    [
        ("Makes", "Brews", LATER),
        ("How many", "The number", LATER),
        ("Shows a pot", "Shows it", LATER),
        ('echo("brewed")', 'echo("Brewed")', FIRST),
        ("POTS = 1", "POTS = 2", FIRST),
    ],
)
def test_the_manual_of_commands_is_dated_by_the_functions_behind_them(
    site: Callable[..., Site], material: Path, old: str, new: str, day: str
) -> None:
    made = site(COMMANDS, markdown_extensions=["mkdocs-click"])
    made.python = material
    made.commit(FIRST)
    made.write({file: text.replace(old, new) for file, text in COMMANDS.items()})
    made.commit(LATER)
    done = made.run("build", "--strict", env={"PYTHONPATH": str(made.root)})
    assert dates(made) == {"": FIRST, "cli/": day, "other/": FIRST}
    assert "git-partly" not in done.stderr


def test_what_a_class_inherits_from_an_installed_package_does_not_count(
    built: Callable[..., Site],
) -> None:
    code = 'from json import JSONDecoder\n\nclass Tea(JSONDecoder):\n    """Tea."""\n'
    page = "# API\n\n::: tea.Tea\n    options: {inherited_members: true, preload_modules: [json]}\n"
    python = {"handlers": {"python": {"paths": ["src"]}}}
    made = built(
        {"docs/api.md": page, "src/tea.py": code}, plugins=[{"mkdocstrings": python}, "sitemapkit"]
    )
    assert "raw_decode" in (made.out / "api" / "index.html").read_text()
    assert dates(made)["api/"] == FIRST


def test_code_counts_if_what_is_installed_is_a_copy_of_it(built: Callable[..., Site]) -> None:
    files = {
        "docs/api.md": "# API\n\n::: tea\n",
        "src/tea.py": '"""Tea."""',
        "installed/tea.py": '"""Tea, green."""',
        "hook.py": "from textdates.parts import includes\n"
        "includes.INSTALLED = (f'{__file__[:-7]}installed/',)\n",
    }
    python = {"handlers": {"python": {"paths": ["installed"]}}}
    made = built(files, plugins=[{"mkdocstrings": python}, "sitemapkit"], hooks=["hook.py"])
    made.write({"src/tea.py": '"""Tea, green."""'})
    made.commit(LATER)
    made.run("build", "--strict")
    assert dates(made)["api/"] == LATER


def test_pages_of_a_monorepo_have_the_dates_of_their_true_files(
    built: Callable[..., Site],
) -> None:
    files = {
        "teas/mkdocs.yml": "site_name: teas\nnav:\n  - Home: index.md\n",
        "teas/docs/index.md": "# Teas",
    }
    nav = [{"Home": "index.md"}, {"Teas": "!include ./teas/mkdocs.yml"}]
    made = built(files, plugins=["monorepo", "sitemapkit"], nav=nav)
    assert dates(made) == {"": FIRST, "teas/": FIRST}


def test_text_that_snippets_and_includes_put_on_pages_counts(built: Callable[..., Site]) -> None:
    files = {
        "docs/snippet.md": '# Snippet\n\n--8<-- "parts/part.md"\n',
        "docs/section.md": '# Section\n\n--8<-- "parts/sections.md:one"\n',
        "docs/brace.md": "# Include\n\n{!parts/part.md!}\n",
        "docs/include.md": '# Include\n\n{% include-markdown "../parts/part.md" %}\n',
        "docs/between.md": "# Part\n\n{% include-markdown '../parts/sections.md' start='Top.' %}\n",
        "docs/definitions.md": '# Links\n\n[Tea].\n\n--8<-- "parts/links.md"\n',
        "docs/example.md": '# Example\n\n;--8<-- "parts/part.md"\n',
        "docs/old.md": "# Old\n\nGreen tea.",
        "parts/part.md": "Green tea.\n",
        "parts/links.md": "[tea]: https://tea.example/\n",
        "parts/abbreviations.md": "*[TLA]: Three letters of a word\n",
        "parts/sections.md": SECTIONS.format("Two."),
    }
    snippets = {"pymdownx.snippets": {"auto_append": ["parts/abbreviations.md"]}}
    made = built(
        files,
        plugins=["include-markdown", "sitemapkit"],
        markdown_extensions=[snippets, "markdown_include.include", "abbr"],
    )
    changes = {"part": "Black tea.", "links": "[tea]: https://new.example/"}
    changes |= {"abbreviations": "*[TLA]: Three letters", "sections": SECTIONS.format("Two, new.")}
    made.write({f"parts/{name}.md": text for name, text in changes.items()})
    made.commit(LATER)
    made.run("build")
    later = {"between/": LATER, "brace/": LATER, "include/": LATER, "snippet/": LATER}
    same = ("", "definitions/", "example/", "old/", "section/")
    assert dates(made) == {**dict.fromkeys(same, FIRST), **later}


def test_a_section_that_a_macro_names_counts_alone(built: Callable[..., Site]) -> None:
    section = "# --8<-- [start:{0}]\n{1}\n# --8<-- [end:{0}]\n"
    macro = '{% macro part(name) %}--8<-- "parts/sections.md:{{ name }}"{% endmacro %}'
    files = {
        "docs/one.md": "# One\n\n{% from 'macros.md' import part %}{{ part('one') }}\n",
        "docs/two.md": "# Two\n\n{% from 'macros.md' import part %}{{ part('two') }}\n",
        "parts/macros.md": macro,
        "parts/sections.md": section.format("one", "One.") + section.format("two", "Two."),
    }
    plugins = [{"macros": {"include_dir": "parts"}}, "sitemapkit"]
    made = built(files, plugins=plugins, markdown_extensions=["pymdownx.snippets"])
    new = files["parts/sections.md"].replace("Two", "Second")
    made.write({"parts/sections.md": new})
    made.commit(LATER)
    made.run("build")
    assert dates(made) == {"": FIRST, "one/": FIRST, "two/": LATER}


def test_a_snippet_in_a_fence_with_kept_tabs_counts(built: Callable[..., Site]) -> None:
    files = {"docs/tea.md": '# Tea\n\n```py\n--8<-- "part.py"\n```\n', "part.py": "tea = 1\n"}
    fences = {"pymdownx.superfences": {"preserve_tabs": True}}
    made = built(files, markdown_extensions=["pymdownx.snippets", fences])
    made.write({"part.py": "tea = 2\n"})
    made.commit(LATER)
    made.run("build")
    assert dates(made) == {"": FIRST, "tea/": LATER}


def test_appended_definitions_in_a_hidden_folder_are_no_unknown_text(
    built: Callable[..., Site],
) -> None:
    targets = "".join(f"[tea{n}]: https://tea.example/{n}/leaf{n}\n" for n in range(30))
    parts = {"docs/.parts/all.md": '--8<-- "links.md"', "docs/.parts/links.md": targets}
    files = {"docs/tea.md": "# Tea\n\n[Green][tea1].\n", **parts}
    snippets = {"base_path": ["docs/.parts"], "auto_append": ["all.md"]}
    made = built(files, markdown_extensions=[{"pymdownx.snippets": snippets}])
    assert "git-partly" not in made.run("build").stderr


def test_templates_and_tables_count_on_each_page_that_takes_them_in(
    built: Callable[..., Site],
) -> None:
    files = {
        "docs/one.md": '# One\n\n{% include "part.md" %}\n',
        "docs/two.md": '# Two\n\n{% include "part.md" %}\n',
        "docs/macro.md": '# Macro\n\n{% from "macros.md" import cup %}{{ cup("green") }}\n',
        "docs/table.md": "# Table\n\n{{ read_csv('parts/table.csv') }}\n",
        "docs/none.md": "# {{ 1 + 1 }}",
        "parts/part.md": "Green tea.\n",
        "parts/macros.md": "{% macro cup(tea) %}A cup of {{ tea }} tea.{% endmacro %}\n",
        "parts/table.csv": "tea,price\ngreen,1\n",
    }
    made = built(
        files, plugins=[{"macros": {"include_dir": "parts"}}, "table-reader", "sitemapkit"]
    )
    made.write(
        {
            "parts/part.md": "Black tea.\n",
            "parts/macros.md": files["parts/macros.md"].replace("A cup", "One cup"),
            "parts/table.csv": "tea,price\ngreen,2\n",
        }
    )
    made.commit(LATER)
    made.run("build")
    changed = ("macro/", "one/", "table/", "two/")
    assert dates(made) == {"": FIRST, "none/": FIRST, **dict.fromkeys(changed, LATER)}


@pytest.mark.parametrize("structure", ["suffix", "folder"])
def test_languages_of_static_i18n_are_listed_once_with_their_translations(
    structure: str, built: Callable[..., Site]
) -> None:
    suffix = {
        "docs/index.pt_BR.md": "# Casa",
        "docs/index.de.md": "# Heim",
        "docs/tea.md": "# Tea",
        "docs/tea.de.md": "# Tee",
        "docs/only.de.md": "# Nur",
    }
    folder = {
        "docs/index.md": None,
        "docs/en/index.md": "# Home",
        "docs/pt_BR/index.md": "# Casa",
        "docs/de/index.md": "# Heim",
        "docs/en/tea.md": "# Tea",
        "docs/de/tea.md": "# Tee",
        "docs/de/only.md": "# Nur",
    }
    i18n = {"docs_structure": structure, "languages": LANGUAGES}
    made = built(
        {"suffix": suffix, "folder": folder}[structure],
        plugins=[{"i18n": i18n}, "sitemapkit"],
        strict=False,
    )
    home = {"en": "", "pt-BR": "pt_BR/", "de": "de/"}
    tea = {"en": "tea/", "de": "de/tea/"}
    assert (made.out / "pt_BR" / "tea" / "index.html").exists()  # the fallback to English
    assert made.alternates() == {
        "": home,
        "de/": home,
        "de/only/": {},
        "de/tea/": tea,
        "pt_BR/": home,
        "tea/": tea,
    }
    assert not list(made.out.glob("*/sitemap.xml"))


def test_the_error_page_of_each_language_is_generated(built: Callable[..., Site]) -> None:
    i18n = {"docs_structure": "folder", "languages": [LANGUAGES[0], LANGUAGES[2]]}
    files = {f"docs/{name}": "# Lost" for name in ("en/index.md", "en/404.md", "de/404.md")}
    made = built({**files, "docs/index.md": None}, plugins=[{"i18n": i18n}, "sitemapkit"])
    assert {"404/", "de/404/"}.isdisjoint(made.paths())


def test_a_blog_of_which_static_i18n_loses_the_posts_crashes_nothing(
    built: Callable[..., Site],
) -> None:
    files = {
        "docs/index.de.md": "# Heim",
        "docs/blog/index.md": "# Blog",
        "docs/blog/index.de.md": "# Blog",
        "docs/blog/posts/one.md": post("One", date="2024-01-02"),
    }
    i18n = {"docs_structure": "suffix", "languages": [LANGUAGES[0], LANGUAGES[2]]}
    made = built(
        files,
        theme=MATERIAL,
        plugins=["blog", {"i18n": i18n}, "sitemapkit"],
        strict=False,
    )
    assert made.paths() == ["", "blog/", "de/", "de/blog/"]


def test_a_language_on_a_host_of_its_own_is_in_no_sitemap_of_another(
    built: Callable[..., Site],
) -> None:
    german = {**LANGUAGES[2], "site_url": "https://example.de/"}
    i18n = {"docs_structure": "suffix", "languages": [LANGUAGES[0], german]}
    files = {"docs/index.de.md": "# Heim", "docs/tea.md": "# Tea"}
    made = built(files, plugins=[{"i18n": i18n}, "sitemapkit"])
    assert made.alternates() == {"": {}, "tea/": {}}
    assert not (made.out / "de" / "sitemap.xml").exists()
    assert "on another host: https://example.de/de/" in made.run("build", "-v").stderr


UNEXPLAINED = f"""
def on_page_markdown(markdown, page, **_):
    return markdown + {" ".join(f"word{n}" for n in range(30))!r}
"""


def test_text_that_no_file_explains_is_remarked_once_on_a_site_of_several_languages(
    built: Callable[..., Site],
) -> None:
    i18n = {"docs_structure": "suffix", "languages": [LANGUAGES[0], LANGUAGES[2]]}
    files = {"docs/index.de.md": "# Heim", "hook.py": UNEXPLAINED}
    made = built(files, plugins=[{"i18n": i18n}, "sitemapkit"], hooks=["hook.py"])
    assert made.run("build").stderr.count("git-partly") == 1


ROOTED = """
def on_env(env, config, files):
    for file in files.documentation_pages():
        file.page.canonical_url, file.url = None, f"/{file.url}"
"""


def test_urls_with_a_leading_slash_are_below_the_base_and_not_on_another_host(
    built: Callable[..., Site],
) -> None:
    i18n = {"docs_structure": "suffix", "languages": [LANGUAGES[0], LANGUAGES[2]]}
    made = built(
        {"docs/index.de.md": "# Heim", "hook.py": ROOTED},
        plugins=[{"i18n": i18n}, "sitemapkit"],
        hooks=["hook.py"],
        site_url="https://example.org/docs/",
    )
    home = {"en": "https://example.org/docs/", "de": "https://example.org/docs/de/"}
    assert made.alternates(base="") == {home["en"]: home, home["de"]: home}


def test_themes_show_the_date_of_the_sitemap_in_each_language(built: Callable[..., Site]) -> None:
    i18n = {"docs_structure": "suffix", "languages": [LANGUAGES[0], LANGUAGES[2]]}
    files = {"docs/index.de.md": "# Heim", "theme/main.html": "{{ page.update_date }}"}
    made = built(files, plugins=[{"i18n": i18n}, "sitemapkit"])
    shown = [(made.out / path / "index.html").read_text() for path in ("", "de")]
    assert shown == [FIRST[: len("YYYY-MM-DD")]] * 2


def test_mike_gives_each_version_a_sitemap_of_its_own(
    site: Callable[..., Site], material: Path
) -> None:
    made = site(
        {"docs/tea.md": "# Tea"},
        site_url="https://example.org/proj/",
        plugins=["sitemapkit", "mike"],
    )
    made.python = material
    made.commit(FIRST)
    done = made.run("deploy", "1.0", "latest", program="mike")
    assert done.returncode == 0, done.stderr
    shutil.rmtree(made.out)
    made.git("worktree", "add", "--quiet", "--force", str(made.out), "gh-pages")
    for version in ("1.0", "latest"):
        assert list(made.entries(f"{version}/sitemap.xml")) == [
            "https://example.org/proj/1.0/",
            "https://example.org/proj/1.0/tea/",
        ]
